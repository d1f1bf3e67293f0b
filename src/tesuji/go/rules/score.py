"""What a finished board is worth under its rules.

Dead stones and sekis are given; finding them is `tesuji.go.knowledge.life`'s work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.color import Color

if TYPE_CHECKING:
    from tesuji.go.rules.board import Board

__all__ = ["Score", "count"]


class Score(msgspec.Struct, frozen=True):
    """The points of both sides.

    Attributes
    ----------
    black, white : float
        Points; white's include komi and the handicap bonus.
    """

    black: float
    white: float

    @property
    def margin(self) -> float:
        """Black's points minus white's."""
        return self.black - self.white

    @property
    def winner(self) -> Color:
        """Who has more; EMPTY if both have the same (jigo)."""
        return Color.BLACK if self.margin > 0 else Color.WHITE if self.margin < 0 else Color.EMPTY

    def __str__(self) -> str:
        """As SGF and GTP write results: ``B+3.5``, ``W+0.5``, ``0``."""
        if self.winner is Color.EMPTY:
            return "0"
        return f"{'B' if self.margin > 0 else 'W'}+{abs(self.margin):g}"


def count(board: Board, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> Score:
    """Count a board by its rules.

    Parameters
    ----------
    board : Board
        The final position.
    dead : iterable of int
        Points of dead stones, which are taken off first.
    seki : iterable of int
        Points of stones that live in seki: under territory scoring without pass stones (Japanese), what they surround
        does not count.

    Raises
    ------
    ValueError
        If a point of `dead` or `seki` holds no stone.
    """
    dead_flags, seki_flags = _flags(board, dead, "dead"), _flags(board, seki, "in seki")
    stones, surrounded, in_seki, taken = _native.tally(board, dead_flags, seki_flags)
    rules = board.rules
    if rules.scoring == "area":
        bonus = board.handicap if rules.handicap_bonus == "n" else 0
        return Score(float(stones[0] + surrounded[0]), stones[1] + surrounded[1] + bonus + board.komi)
    prisoners_of_black = board.captured(Color.WHITE) + taken[1]
    prisoners_of_white = board.captured(Color.BLACK) + taken[0]
    if rules.pass_stones:
        prisoners_of_black += _white_owes_a_pass(board)
        return Score(float(surrounded[0] + prisoners_of_black), surrounded[1] + prisoners_of_white + board.komi)
    return Score(
        float(surrounded[0] - in_seki[0] + prisoners_of_black),
        surrounded[1] - in_seki[1] + prisoners_of_white + board.komi,
    )


def _white_owes_a_pass(board: Board) -> bool:
    """White passes last: where black made the final pass, white hands over one more stone."""
    return board.passes > 0 and board.color_to_play is Color.WHITE


def _flags(board: Board, points: Iterable[int], what: str) -> NDArray[np.uint8]:
    flags = np.zeros(board.num_points, dtype=np.uint8)
    for point in points:
        if not 0 <= point < board.num_points or board.color_at(point) == Color.EMPTY:
            raise ValueError(f"{board.vertex(point)} cannot be {what}: there is no stone")
        flags[point] = 1
    return flags
