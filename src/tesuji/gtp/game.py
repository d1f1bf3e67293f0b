"""A native game as GTP sees it, and the search that plays it.

A vertex is the cell's name in the terminal in capitals, with the letters of GTP, which have no I: ``D3`` is row 3 of
column D. Black is the player who moves first. A move of more than one cell (Breakthrough: where from, where to) is as
many ``play`` commands of the same colour; ``genmove`` and ``undo`` go cell by cell as well. That is how GoGui, which
knows only stones that are put on points, can play it.

The search thinks with its own limits; there are no clocks here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from tesuji.games import make_game
from tesuji.games.terminal import Cell, view_of
from tesuji.gtp.command import Command
from tesuji.gtp.words import COLUMN_LETTERS
from tesuji.search import Opponent, SearchConfig
from tesuji.search.presets import presets_of

__all__ = ["COLORS", "PASS", "Brain", "GameSession", "span_of", "vertex_of"]

COLORS = ("black", "white")
PASS = "pass"


class Brain(msgspec.Struct, frozen=True, kw_only=True):
    """How the search plays: its config, limits per move (one second if there is none), and seed."""

    config: SearchConfig
    simulations: int | None = None
    seconds: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None and not 1 <= self.simulations < 2**63:
            raise ValueError(f"simulations is {self.simulations}; it must lie in 1..2**63 - 1")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise ValueError(f"seconds is {self.seconds}; it must be above 0 and finite")
        if self.seed is not None and self.seed < 0:
            raise ValueError(f"seed is {self.seed}; it must be 0 or more")

    def opponent(self, game: Any) -> Opponent:
        """A player that begins from a position."""
        return Opponent(game, self.config, simulations=self.simulations, seconds=self.seconds, seed=self.seed)


class GameSession:
    """The state that commands share.

    Parameters
    ----------
    kind : str
        Of `tesuji.games.NATIVE_GAMES`.
    size : int, optional
        Of the board, where the game has sizes.
    brain : Brain, optional
        How the search plays; the game's default preset if not given.
    name, version : str
        What the engine is called.

    Attributes
    ----------
    game : Game
        As it stands, without a move that is only begun.
    moves : list of int
        How it came there.
    begun : tuple of Cell
        The cells of a move that is not complete.
    """

    def __init__(
        self, kind: str, size: int | None = None, brain: Brain | None = None, *, name: str = "Tesuji", version: str = ""
    ) -> None:
        self.kind, self.name, self.version = kind, name, version
        self.commands: Mapping[str, Command] = {}
        self.is_done = False
        game = make_game(kind, size)
        self._opponent = (brain or Brain(config=presets_of(kind)["default"])).opponent(game)
        self.begin(game)

    # The server asks --------------------------------------------------------------------------------------------------

    @property
    def can_stop(self) -> bool:
        """Whether the search can be told to answer now."""
        return True

    def stop(self) -> None:
        """Let the search answer now; from any thread."""
        self._opponent.stop()

    def stop_pondering(self) -> None:
        """Nothing: this search does not think in the opponent's time."""

    # The game ---------------------------------------------------------------------------------------------------------

    def begin(self, game: Any, moves: Sequence[int] = ()) -> None:
        """Take another game: its start, and moves from there."""
        self._start, self.game, self.view = game, game.copy(), view_of(game)
        for move in moves:
            self.game.play(move)
        self.moves = list(moves)
        self.begun: tuple[Cell, ...] = ()
        self._plan: tuple[Cell, ...] = ()
        self._opponent.look_at(self.game)

    def clear(self) -> None:
        """The start of the same game."""
        self.begin(self._start)

    @property
    def span(self) -> int:
        """Rows and columns of the square that the cells lie in."""
        return span_of(self.game)

    def legal(self) -> dict[str, int]:
        """What may be played next: vertices, each with a move that goes on with it."""
        found: dict[str, int] = {}
        for move in self.game.legal_moves():
            steps = self.view.steps(self.game, move)
            if steps[: len(self.begun)] == self.begun:
                found.setdefault(self._next(steps), move)
        return found

    def play(self, vertex: str) -> None:
        """Play a vertex that is legal: a move, or a part of one."""
        move = self.legal()[vertex]
        steps = self.view.steps(self.game, move)[: len(self.begun) + 1]
        if steps != self.view.steps(self.game, move):
            self.begun = steps
            return
        self.game.play(move)
        self._opponent.follow(move)
        self.moves.append(move)
        self.begun, self._plan = (), ()

    def undo(self) -> None:
        """Take a vertex back."""
        if self.begun:
            self.begun = self.begun[:-1]
            return
        *before, last = self.moves
        self.begin(self._start, before)
        self.begun = self.view.steps(self.game, last)[:-1]

    def choose(self) -> str:
        """The vertex that the search wants next; where a move is begun, one that goes on with it."""
        if not self.begun or self._plan[: len(self.begun)] != self.begun:
            self._plan = self.view.steps(self.game, self._best_move())
        return self._next(self._plan)

    def _best_move(self) -> int:
        """The search's move; where one is begun, the most visited of those that go on with it."""
        found = self._opponent.think()
        if not self.begun:
            return found.best_move
        fits = [self.view.steps(self.game, int(move))[: len(self.begun)] == self.begun for move in found.moves]
        return int(found.moves[np.argmax(np.where(fits, found.visits.astype(np.int64), -1))])

    def _next(self, steps: tuple[Cell, ...]) -> str:
        return vertex_of(steps[len(self.begun)]) if steps else PASS


def vertex_of(cell: Cell) -> str:
    """A cell as GTP writes it."""
    return f"{COLUMN_LETTERS[cell[1]]}{cell[0] + 1}"


def span_of(game: Any) -> int:
    """Rows and columns of the square that a game's cells lie in."""
    return 1 + max(max(cell) for cell in view_of(game).owners(game))
