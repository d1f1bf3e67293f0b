"""What a game between two players is before and after it is played: plain values that travel between processes.

Everything here can be written as JSON (`msgspec.json`), so the store keeps it and a cluster sends it. Nothing here
plays: see `referee.py`, which turns a `GameTask` into a `GameRecord`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

__all__ = [
    "Conditions",
    "GameRecord",
    "GameTask",
    "MoveRecord",
    "PlayerSpec",
    "Reason",
    "Setting",
    "Winner",
    "void_record",
]

Winner = Literal["first", "second", "draw", "none"]
Setting = bool | int | float | str


class Reason(StrEnum):
    """Why a game ended."""

    SCORE = "score"  # both passed, or the game's own end; the referee counted
    RESIGNATION = "resignation"
    ILLEGAL_MOVE = "illegal move"
    TIME = "time"  # its clock ran out
    HANG = "hang"  # no answer at all until the referee lost patience
    CRASH = "crash"  # the process ended, or an exception in process
    PROTOCOL = "protocol"  # an answer that is not GTP, a failure reply to a lawful command, a flood
    MOVE_LIMIT = "move limit"  # counted as it stood
    VOID = "void"  # nobody's game: both failed, or the machine did; played again when the match resumes


class PlayerSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player, as `players.py` starts it.

    Attributes
    ----------
    name : str
        Unique in a tournament.
    kind : {"tesuji", "gtp"}
        The search in this process, or a program that speaks GTP.
    command : str
        The program and its arguments as a shell would split them (no shell is used).
    setup : tuple of str
        GTP commands sent once after the start.
    settings : dict
        Of a ``tesuji`` player: ``simulations``, ``seconds``, ``preset``, and any field that `players.py` lists.
    main_s, byoyomi_s, byoyomi_stones
        The player's clock in seconds, told by ``time_settings`` and kept by the referee; all 0: no clock.
    move_s : float
        Seconds after which an unanswered command is a hang.
    threads : int
        Processor cores that the player uses at once; 0: nobody said, see `num_threads`.
    """

    name: str
    kind: Literal["tesuji", "gtp"]
    command: str = ""
    setup: tuple[str, ...] = ()
    settings: dict[str, Setting] = {}
    main_s: float = 0
    byoyomi_s: float = 0
    byoyomi_stones: int = 0
    move_s: float = 120
    threads: int = 0

    @property
    def num_threads(self) -> int:
        """Processor cores that it uses: those it was given, else one."""
        return self.threads or 1


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """Under which a game is played.

    Attributes
    ----------
    game : str
        Which game of the library, or of your own: ``mygame.py:DotsAndBoxes``.
    size : int
        Of the board, where the game has sizes; 0: its own.
    komi : float or None
        Points for White (Go); None: the rules' own.
    rules : str
        A name that `tesuji.go.rules` knows (Go).
    handicap : int
        Fixed handicap stones (Go); 0 or 2..9.
    max_moves : int
        After so many moves the game is counted as it stands; 0: three times the points of the board.
    """

    game: str = "go"
    size: int = 0
    komi: float | None = None
    rules: str = "chinese"
    handicap: int = 0
    max_moves: int = 0


class GameTask(msgspec.Struct, frozen=True, kw_only=True):
    """One game to be played; all that a worker on another machine needs.

    Attributes
    ----------
    index : int
        Its number in the experiment, from 0: the same command makes the same tasks.
    pair : int
        The two games of a pair have the same opening and opposite colours.
    first, second : PlayerSpec
        Who moves first (Black in Go) and who second.
    conditions : Conditions
        Of the game.
    opening : tuple of str
        Moves made before the players begin, as vertices; after a handicap White begins.
    opening_name : str
        What reports call it.
    seed : int
        Of everything random in this game.
    cores : tuple of int
        Processor cores to pin the game to; empty: any.
    parameters : dict
        Of a tuning run or a sweep: the values under trial; the record of the game repeats them.
    """

    index: int
    pair: int
    first: PlayerSpec
    second: PlayerSpec
    conditions: Conditions
    opening: tuple[str, ...] = ()
    opening_name: str = "empty"
    seed: int = 0
    cores: tuple[int, ...] = ()
    parameters: dict[str, Setting] = {}


class MoveRecord(msgspec.Struct, frozen=True, array_like=True):
    """A move by a player; opening moves have none.

    Attributes
    ----------
    vertex : str
        As GTP writes it, or as the game's own view names it.
    seconds : float
        From the question to the answer.
    value : float or None
        What the player expects for itself, 0..1, if it says so.
    """

    vertex: str
    seconds: float
    value: float | None = None


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played.

    Attributes
    ----------
    index, pair, seed, opening_name
        The task's.
    first, second : str
        The players' names.
    winner : {"first", "second", "draw", "none"}
        "none" only if the reason is VOID.
    score : str
        As SGF writes results: ``B+3.5``, ``W+R``, ``B+T``, ``B+F`` (forfeit), ``0`` (draw), ``Void``.
    reason : Reason
        Why it ended.
    detail : str
        One line: the illegal move, the garbage, the dissenting opinions about the score.
    moves : tuple of MoveRecord
        Without the opening's.
    num_moves : int
        How many those are; what a store knows without loading them. 0: count `moves`.
    opinions : dict
        What others said the score was, where somebody was asked: name to score.
    sgf : str
        The game with the players' win rates as comments; for games other than Go a list of moves as text.
    wall_s, first_s, second_s : float
        How long the game took and each player thought.
    cpu_s : float
        Processor time of this process and of its children.
    started_at : str
        ISO 8601, UTC.
    versions : dict
        Player to what it calls itself.
    parameters : dict
        The task's.
    """

    index: int
    pair: int
    first: str
    second: str
    winner: Winner
    score: str
    reason: Reason
    detail: str = ""
    opening_name: str = "empty"
    seed: int = 0
    moves: tuple[MoveRecord, ...] = ()
    num_moves: int = 0
    opinions: dict[str, str] = {}
    sgf: str = ""
    wall_s: float = 0
    first_s: float = 0
    second_s: float = 0
    cpu_s: float = 0
    started_at: str = ""
    versions: dict[str, str] = {}
    parameters: dict[str, Setting] = {}

    def __repr__(self) -> str:
        count = self.num_moves or len(self.moves)
        ending = f"{self.score} ({self.reason.value}), {count} move{'' if count == 1 else 's'}"
        return f"<GameRecord {self.index}: {self.first} - {self.second}, {ending}>"

    def _repr_html_(self) -> str:
        """The game for notebooks: of Go the last position, of another game its moves."""
        from html import escape

        from tesuji.go.records.sgf import load

        words = f"<p>{escape(repr(self).strip('<>'))}</p>"
        picture = load(self.sgf.encode())._repr_svg_() if self.sgf.lstrip().startswith("(") else None
        return f"<div>{words}{picture or f'<pre>{escape(self.sgf)}</pre>'}</div>"

    def points_of(self, name: str) -> float:
        """What the game is worth for a player: 1, 0.5 or 0."""
        if self.winner == "draw":
            return 0.5
        return float(name == (self.first if self.winner == "first" else self.second))


def void_record(task: GameTask, why: str) -> GameRecord:
    """A game that the machine lost, not a player."""
    return GameRecord(
        index=task.index,
        pair=task.pair,
        first=task.first.name,
        second=task.second.name,
        winner="none",
        score="Void",
        reason=Reason.VOID,
        detail=why,
        opening_name=task.opening_name,
        seed=task.seed,
    )
