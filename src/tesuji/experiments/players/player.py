"""Players: from a `PlayerSpec` to somebody who makes moves.

A player is told what is played and asked for moves; who wins is not its business: see `referee.py`. How players are
written on a command line is in `player_text.py`; programs are `gtp_player.py`, the search in this process
`search_player.py`.
"""

from __future__ import annotations

import random
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from tesuji.experiments.players.gtp_client import EngineError
from tesuji.experiments.players.player_text import parse_player
from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.experiments.table import Table, lay_table
from tesuji.go.rules.vertex import quoted

__all__ = ["Answer", "Player", "TimeLeft", "check_player", "open_player", "parse_player", "player_seed"]


class Answer(NamedTuple):
    """A move as the player wrote it, or ``resign``; and what it expects for itself, 0..1, if it says so."""

    vertex: str
    value: float | None = None


class TimeLeft(NamedTuple):
    """What is left on a clock.

    Attributes
    ----------
    seconds : float
        Of the main time, or of the period.
    stones : int
        Moves that the period must still hold; 0: main time.
    """

    seconds: float
    stones: int = 0


class Player(Protocol):
    """Somebody who plays one game; a context manager that ends what it started."""

    title: str
    """What it calls itself."""
    cpu_s: float
    """Processor time outside this process; known when it is closed."""

    def begin(self, table: Table) -> None:
        """A new game, from where it stands on the table: handicap stones, an opening. Others go on playing there."""

    def rehearse(self) -> None:
        """Try out what can be tried before a game: a search makes one simulation, and raises what is wrong."""

    def observe(self, seat: int, vertex: str) -> None:
        """Somebody else made a move, which is on the table by now."""

    def choose(self, seat: int, left: TimeLeft | None, timeout_s: float) -> Answer:
        """Say what to play; the move is made by others, and not told again if it is legal."""

    def final_score(self, timeout_s: float) -> str | None:
        """Its opinion on a finished game of Go, None if it has none of its own."""

    def close(self) -> None:
        """End it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def check_player(spec: PlayerSpec, conditions: Conditions) -> str:
    """Start a player, tell it the conditions, let it try one simulation if it is ours, end it.

    Returns
    -------
    str
        What it calls itself.

    Raises
    ------
    ValueError
        If it does not start or cannot play under these conditions.
    """
    table = lay_table(conditions)
    try:
        with open_player(spec, conditions, seed=1) as player:
            player.begin(table)
            player.rehearse()
            return player.title
    except EngineError as error:
        raise ValueError(f"player {quoted(spec.name)} cannot play here: it {error}") from error


def open_player(spec: PlayerSpec, conditions: Conditions, seed: int) -> Player:
    """Start a player for one game.

    Parameters
    ----------
    spec, conditions
        Who, and under which conditions.
    seed : int
        Of everything random in it.

    Raises
    ------
    ValueError
        If its settings are wrong, or it cannot know the game.
    EngineError
        If it is a program that does not start or does not answer.
    """
    if not 0 <= spec.threads <= 256:
        raise ValueError(f"player {quoted(spec.name)}: threads is {spec.threads}; it must lie in 1..256")
    from tesuji.experiments.players.gtp_player import GtpPlayer
    from tesuji.experiments.players.search_player import GoPlayer, SearchPlayer

    if spec.kind == "gtp":
        return GtpPlayer(spec, conditions, seed)
    if spec.command or spec.setup:
        raise ValueError(f"player {quoted(spec.name)} is tesuji in process: it takes settings, no command and no setup")
    return GoPlayer(spec, seed) if conditions.game == "go" else SearchPlayer(spec, conditions.game, seed)


def player_seed(game_seed: int, seat: int) -> int:
    """The seed of one player: another one for each seat of each game."""
    return random.Random(f"{game_seed}/{seat}").getrandbits(31)
