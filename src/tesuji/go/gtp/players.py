"""What the server asks of an engine; the more of it an engine can do, the more commands there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, runtime_checkable

from tesuji.go.engine import Analysis, Choice, EngineConfig
from tesuji.go.engine.clock import Clock
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["Analyst", "ConfiguredPlayer", "Learner", "Player"]


class Player(Protocol):
    """An engine that plays: all that is needed."""

    def genmove(self, board: Board, color: Color, *, clock: Clock | None = None) -> int | Literal["resign"]:
        """Choose a move for a colour, in time for its clock if it has one; the board stays as it is."""
        ...


@runtime_checkable
class ConfiguredPlayer(Player, Protocol):
    """An engine with parameters, which can think in the opponent's time."""

    config: EngineConfig

    def ponder(self, board: Board) -> None:
        """Think about a position in the background."""
        ...

    def stop_pondering(self) -> None:
        """End that."""
        ...


@runtime_checkable
class Learner(Player, Protocol):
    """An engine that keeps something of a game for the next."""

    def end_game(self) -> None:
        """The game is over, or another one begins."""
        ...


@runtime_checkable
class Analyst(ConfiguredPlayer, Protocol):
    """An engine that says what it thinks, while it thinks: `tesuji.go.engine.Engine`."""

    def choose(
        self,
        board: Board,
        color: int | None = None,
        *,
        clock: Clock | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Choice:
        """The same as `genmove`, with what is expected of the move; and an analysis, where it is watched."""
        ...

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Analysis:
        """Search a position for the side to move; `on_progress` sees it grow, and returning False ends it."""
        ...

    def stop(self) -> None:
        """Let `genmove`, `choose` or `analyse` answer now; from any thread."""
        ...
