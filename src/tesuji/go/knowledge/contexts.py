"""Local contexts: a hash of what stands on the points nearest to a point (Basaldúa, 4.3.2 and 6.1.1).

A context counts 4, 8, 12, 20, 24, 28, 36 or 40 neighbours, each empty, the mover's, the opponent's or off the board.
Playouts that learn keep them while stones come and go (``core/go/contexts.hpp``); here they are read from a position
or from a whole game, 64 bits each, for patterns. In the *symmetric* form all turned and mirrored shapes have one hash.
Files may keep the hashes: they do not change from version to version. docs/algorithms/contexts.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.board import Board

__all__ = ["CONTEXT_SIZES", "NEIGHBOURS", "GameContexts", "board_contexts", "game_contexts"]

CONTEXT_SIZES: tuple[int, ...] = tuple(_native.context_sizes())
"""The numbers of neighbours that a context may have."""

NEIGHBOURS: tuple[tuple[int, int], ...] = tuple(
    (row, column) for row, column in np.reshape(_native.context_neighbours(), (-1, 2)).tolist()
)
"""Rows down and columns to the right of each neighbour, from near to far; a size counts the first so many."""


class GameContexts(msgspec.Struct, frozen=True):
    """The legal moves of every position of a game, as rows.

    Attributes
    ----------
    starts : int64 array of shape (positions + 1,)
        Where the rows of each position begin; those of position i are ``starts[i]:starts[i + 1]``.
    points : int32 array of shape (rows,)
        Where each move is played; passes have no row.
    played : int64 array of shape (positions,)
        The row of the move that was played; -1 for a pass.
    contexts : uint64 array of shape (rows, sizes)
        In the symmetric form, as the mover sees them.
    """

    starts: NDArray[np.int64]
    points: NDArray[np.int32]
    played: NDArray[np.int64]
    contexts: NDArray[np.uint64]


def board_contexts(
    board: Board, size: int = 40, *, color: int | None = None, symmetric: bool = False
) -> NDArray[np.uint64]:
    """The contexts of all empty points; uint64 of shape (height, width), 0 where a stone stands.

    Parameters
    ----------
    board : Board
        The position.
    size : int
        One of `CONTEXT_SIZES`.
    color : Color, optional
        Who looks at it: its stones are the own ones. The side to move if not given.
    symmetric : bool
        One hash for all turned and mirrored shapes.
    """
    _check_size(size)
    mover = board.native_to_play if color is None else int(color)
    contexts = _native.board_contexts(board, mover, size, symmetric)
    return contexts.reshape(board.height, board.width)


def game_contexts(board: Board, moves: Sequence[tuple[int, int]], sizes: Sequence[int] = CONTEXT_SIZES) -> GameContexts:
    """The contexts of all legal moves of every position of a game, and which of them were played.

    Parameters
    ----------
    board : Board
        Where the game begins; it stays as it is.
    moves : sequence of (Color, int)
        Who played where, as in `GameRecord.moves`.
    sizes : sequence of int
        Which contexts, of `CONTEXT_SIZES`.

    Raises
    ------
    ValueError
        If a move is not legal or there is no such size.
    """
    for size in sizes:
        _check_size(size)
    turns = np.array([(int(color), move) for color, move in moves], dtype=np.int32).reshape(-1, 2)
    starts, points, played, contexts = _native.game_contexts(board, turns, sizes)
    return GameContexts(starts, points, played, contexts.reshape(len(points), len(sizes)))


def _check_size(size: int) -> None:
    if size not in CONTEXT_SIZES:
        raise ValueError(f"a context of {size!r} neighbours does not exist; choose from {CONTEXT_SIZES}")
