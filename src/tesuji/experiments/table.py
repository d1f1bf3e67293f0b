"""A game that is being played under given conditions, whichever game it is: the referee's own board.

`GoTable` holds a `tesuji.go.Board`, `NativeTable` one of `tesuji.games`. Both read moves as people write them, refuse
what the rules forbid, and know who won. A seat is 0 (moves first, Black in Go) or 1.

It starts no player and keeps no time: see `referee.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from tesuji.experiments.records import Conditions, Winner
from tesuji.games import game_named, make_game
from tesuji.games.own import is_own
from tesuji.go.knowledge.life import final_score
from tesuji.go.rules import rules_named
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.words import GAME_NAMES

__all__ = ["LETTERS", "GoTable", "NativeTable", "Table", "Verdict", "lay_table", "size_of", "winner_of"]

LETTERS = ("B", "W")
"""How results and GTP call the seats."""

_SEATS: tuple[Winner, Winner] = ("first", "second")
_GO_SIZE = 9
_GO_SIZES = range(2, 26)
_MOVES_PER_POINT = 3
_ENDS_BY_ITSELF = 10_000  # more moves than any native game has


class Verdict(NamedTuple):
    """Who won, and the score as SGF writes results."""

    winner: Winner
    score: str


class Table(Protocol):
    """What the referee and the openings ask of a game."""

    conditions: Conditions
    game: Any
    """The `Board` or the native game; a player in this process reads it."""

    @property
    def num_moves(self) -> int:
        """How many were played."""

    @property
    def history(self) -> list[tuple[int, str]]:
        """Seat and name of every move."""

    @property
    def seat(self) -> int:
        """Who is to move: 0 or 1."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its own rules."""

    @property
    def max_moves(self) -> int:
        """After how many moves it is counted as it stands."""

    def play(self, vertex: str) -> str:
        """Play a move for the side to move and return its name; ValueError, and nothing played, if it is illegal."""

    def continuations(self) -> list[int]:
        """The legal moves that do not end the game, passes left out."""

    def name(self, move: int) -> str:
        """A move as it is written."""

    def verdict(self) -> Verdict:
        """Count the position as it stands."""

    def copy(self) -> Table:
        """A table with the same game that goes its own way."""


def lay_table(conditions: Conditions) -> Table:
    """Set a game up: the empty board, or the handicap stones.

    Raises
    ------
    ValueError
        For a game, a size, a komi, rules or a handicap that do not exist.
    """
    if conditions.game not in GAME_NAMES and not is_own(conditions.game):
        raise ValueError(
            f"there is no game {conditions.game[:40]!r}; choose one of {', '.join(GAME_NAMES)},"
            " or write mygame.py:MyGame"
        )
    if conditions.max_moves < 0:
        raise ValueError(f"max_moves is {conditions.max_moves}; it must be positive, or 0 for three times the points")
    return GoTable(conditions) if conditions.game == "go" else NativeTable(conditions)


def size_of(conditions: Conditions) -> int:
    """Lines of the board; 0 for a game that has no sizes."""
    if conditions.size or conditions.game == "go":
        return conditions.size or _GO_SIZE
    return game_named(conditions.game).own_size


def winner_of(seat: int | None) -> Winner:
    """The seat's name in a record; None: a draw."""
    return "draw" if seat is None else _SEATS[seat]


class GoTable:
    """Go, under the rules of the conditions."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        size = size_of(conditions)
        if size not in _GO_SIZES:
            raise ValueError(f"size is {size}; Go is played on {_GO_SIZES[0]} to {_GO_SIZES[-1]} lines")
        self.game = Board(size, rules=rules_named(conditions.rules), komi=conditions.komi)
        if conditions.handicap:
            self.game.set_handicap(conditions.handicap)

    @property
    def num_moves(self) -> int:
        """How many were played."""
        return self.game.num_moves

    @property
    def history(self) -> list[tuple[int, str]]:
        """Seat and name of every move."""
        return [(int(color) - 1, self.game.vertex(move)) for color, move in self.game.moves]

    @property
    def seat(self) -> int:
        """Who is to move: 0 (Black) or 1."""
        return self.game.to_play

    @property
    def is_over(self) -> bool:
        """Whether both have just passed."""
        return self.game.is_over

    @property
    def max_moves(self) -> int:
        """After how many moves it is counted as it stands."""
        return self.conditions.max_moves or _MOVES_PER_POINT * self.game.num_points

    def play(self, vertex: str) -> str:
        """Play a move and return its name."""
        move = self.game.point(vertex)
        self.game.play(move)
        return self.game.vertex(move)

    def continuations(self) -> list[int]:
        """The legal moves but the pass, which comes last."""
        moves: list[int] = self.game.legal_moves()[:-1].tolist()
        return moves

    def name(self, move: int) -> str:
        """A move as GTP writes it."""
        return self.game.vertex(move)

    def verdict(self) -> Verdict:
        """Count the board after taking off what is dead."""
        score = final_score(self.game)
        return Verdict(winner_of({Color.BLACK: 0, Color.WHITE: 1}.get(score.winner)), str(score))

    def copy(self) -> GoTable:
        """A table that goes its own way."""
        other = GoTable.__new__(GoTable)
        other.conditions, other.game = self.conditions, self.game.copy()
        return other


class NativeTable:
    """A native game: Hex, Othello, Connect Four...; or one of your own."""

    def __init__(self, conditions: Conditions) -> None:
        from tesuji.games.terminal import view_of  # brings rich: only where such a game is played

        _refuse_go_conditions(conditions)
        self.conditions = conditions
        self.game = make_game(conditions.game, _checked_size(conditions))
        self._view = view_of(self.game)
        self.history: list[tuple[int, str]] = []
        self.last_move = -1

    @property
    def num_moves(self) -> int:
        """How many were played."""
        return len(self.history)

    @property
    def seat(self) -> int:
        """Who is to move: 0 or 1."""
        return int(self.game.to_play)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or nobody can move."""
        return bool(self.game.is_over)

    @property
    def max_moves(self) -> int:
        """After how many moves it would be a draw; these games end by themselves."""
        return self.conditions.max_moves or _ENDS_BY_ITSELF

    def play(self, vertex: str) -> str:
        """Play a move and return its name."""
        move = self._view.parse(vertex)
        if self.is_over:
            raise ValueError(f"{vertex} cannot be played: the game is over")
        if reason := self._view.why_illegal(self.game, move):
            raise ValueError(reason)
        self.history.append((self.seat, self.name(move)))
        name = self.history[-1][1]
        self.game.play(move)
        self.last_move = move
        return name

    def name(self, move: int) -> str:
        """A move as it is written."""
        return str(self._view.name(move))

    def continuations(self) -> list[int]:
        """The moves that do not end the game."""
        return [move for move in self.game.legal_moves() if not self._ends(move)]

    def verdict(self) -> Verdict:
        """Who won; an unfinished game is a draw."""
        winner = self._view.winner(self.game) if self.is_over else None
        return Verdict(winner_of(winner), "0" if winner is None else f"{LETTERS[winner]}+")

    def copy(self) -> NativeTable:
        """A table that goes its own way."""
        from tesuji.games.terminal import view_of

        other = NativeTable.__new__(NativeTable)
        other.__dict__.update(self.__dict__)
        other.game, other.history = self.game.copy(), self.history.copy()
        other._view = view_of(other.game)
        return other

    def _ends(self, move: int) -> bool:
        after = self.game.copy()
        after.play(move)
        return bool(after.is_over)


def _refuse_go_conditions(conditions: Conditions) -> None:
    if conditions.komi is not None or conditions.handicap:
        raise ValueError(f"komi and handicap belong to Go; leave them out for {conditions.game}")


def _checked_size(conditions: Conditions) -> int | None:
    """The size as the game takes it; on one cell the first move would end the game."""
    game, size = game_named(conditions.game), size_of(conditions)
    if game.sizes is None or not size:
        return conditions.size or None
    sizes = range(max(2, game.sizes.start), game.sizes.stop)
    if size not in sizes:
        cells = "lines" if game.is_square else "cells a side"
        raise ValueError(f"size is {size}; {game.title} is played on {sizes[0]} to {sizes[-1]} {cells}")
    return size
