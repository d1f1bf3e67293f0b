"""The number that all sixteen forms of a position share: turned, mirrored, with exchanged colours.

The core makes it (`game_index.hpp`). A database of games and a book find positions by it. Stones and the side to move
count, ko and passes do not.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["WHITE", "PositionKey", "position_key", "turned_points"]

WHITE = 0x8000
"""Added to White's moves where games are packed."""


class PositionKey(msgspec.Struct, frozen=True):
    """A position under the number that all its forms share.

    Attributes
    ----------
    key : int
        64 bits.
    form : int
        Which form of it has that key: a turn, and 8 for exchanged colours.
    symmetries : tuple of int
        Turns that leave it as it is, 0 among them.
    """

    key: int
    form: int
    symmetries: tuple[int, ...]


def turned_points(width: int, height: int, turn: int) -> NDArray[np.int64]:
    """By point, its image under a turn: 1 flips rows, 2 flips columns, then 4 exchanges them; pass stays pass."""
    rows, columns = np.divmod(np.arange(width * height), width)
    rows = height - 1 - rows if turn & 1 else rows
    columns = width - 1 - columns if turn & 2 else columns
    images = columns * height + rows if turn & 4 else rows * width + columns
    return np.append(images, width * height)


def position_key(board: Board) -> PositionKey:
    """The key of the position on a board."""
    grid = board.grid.ravel()
    passed = board.pass_move | (WHITE if board.color_to_play == Color.BLACK else 0)  # then it is this side's turn
    black, white = ((grid == color).nonzero()[0].tolist() for color in (Color.BLACK, Color.WHITE))
    moves = np.array([passed], np.uint16)
    keys, forms, has_key, _ = _native.position_keys(board.width, board.height, black, white, moves)
    form = int(forms[-1])
    points = {turn: turned_points(board.width, board.height, turn) for turn in range(8)}
    own = points[form % 8].argsort()  # back from the form that has the key
    same = [turn for turn in has_key.nonzero()[0].tolist() if (turn < 8) == (form < 8)]
    whole = [own[points[turn % 8]] for turn in same]
    turns = tuple(turn for turn in range(8) if any(np.array_equal(points[turn], one) for one in whole))
    return PositionKey(int(keys[-1]), form, turns)
