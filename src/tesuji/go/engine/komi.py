"""Dynamic komi: in a handicap game the search counts with another komi than the game, so that the game looks even.

A search that sees every move win, or every move lose, cannot tell good moves from bad ones. White, who gave stones, is
lent points that fade as the game goes on; Black, who got them, plays as if White had those points. Formulas and sources
are in docs/algorithms/dynamic-komi.md. Without handicap stones nothing happens.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["DynamicKomi", "Method", "linear_shift"]

Method: TypeAlias = Literal["off", "linear", "adaptive"]

POINTS_PER_STONE = 7
MOVES_ON_19X19 = 200
_LEAST_STONES = 2
_LOW_WINRATE, _HIGH_WINRATE = 0.45, 0.60


def linear_shift(board: Board, moves_ahead: int = 0) -> int:
    """Points lent to White: seven for each handicap stone at first, none from move 200 on (19x19; else by points).

    Parameters
    ----------
    board : Board
        Its handicap stones and its number of moves count.
    moves_ahead : int
        For so many moves later.
    """
    if board.handicap < _LEAST_STONES:
        return 0
    limit = MOVES_ON_19X19 * board.num_points / 361
    share = max(0.0, 1 - (board.num_moves + moves_ahead) / limit)
    return round(POINTS_PER_STONE * board.handicap * share)


class DynamicKomi:
    """The shift of the komi over one game after the other.

    Parameters
    ----------
    method : {"off", "linear", "adaptive"}
        No shift; `linear_shift`; or between 0 and that, a point up or down after each search whose win rate leaves the
        band.
    """

    def __init__(self, method: Method) -> None:
        self._method = method
        self._below = 0  # adaptive: points less than linear
        self._num_moves = 0

    def shift(self, board: Board, moves_ahead: int = 0) -> int:
        """Points to add to the komi of the game for a search, 0 or more."""
        if self._method == "off":
            return 0
        if board.num_moves < self._num_moves:  # another game, or moves taken back
            self._below = 0
        self._num_moves = board.num_moves
        return max(0, linear_shift(board, moves_ahead) - self._below)

    def learn(self, board: Board, winrate: float) -> None:
        """Hear what a search with the shifted komi expected, 0..1 for the side to move."""
        if self._method != "adaptive" or _LOW_WINRATE <= winrate <= _HIGH_WINRATE:
            return
        helps_white = (winrate < _LOW_WINRATE) == (board.color_to_play == Color.WHITE)
        most = linear_shift(board)
        self._below = min(most, max(0, self._below + (-1 if helps_white else 1)))
