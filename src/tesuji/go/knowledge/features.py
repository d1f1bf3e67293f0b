"""What a move looks like before it is played: the features that priors weigh. The core finds them (`features.hpp`).

A move has a *level* of some blocks (``capture saves 2``: takes two stones and saves some) and a *shape*: the stones on
the eight points around it and on the four two steps away, as the mover sees them. A shape is a number of 24 bits, two
for each of W, E, N, S, NW, NE, SW, SE, WW, EE, NN, SS from the low end: 0 empty, 1 own, 2 the opponent's, 3 off the
board. Its lower 16 bits are the 3x3 code of `tesuji.go.knowledge.patterns`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.board import Board

__all__ = ["LEVELS", "MoveFeatures", "move_features", "shape_from_text", "shape_to_text", "turned_shapes"]

_SIZES = ("1", "2", "3+")
_DISTANCES = (*(str(distance) for distance in range(2, 17)), "17+")
_BLOCKS: tuple[tuple[str, ...], ...] = (
    tuple(f"last-distance {distance}" for distance in _DISTANCES),
    tuple(f"own-distance {distance}" for distance in _DISTANCES),
    tuple(f"fate-distance {distance}" for distance in ("0", "1", "2", "3", "4+")),
    tuple(
        f"line {line} {where} {board}"
        for board in ("large", "small")
        for where in ("near", "open")
        for line in ("1", "2", "3", "4", "5+")
    ),
    tuple(f"capture {kind} {size}" for kind in ("saves", "last", "other", "caught") for size in _SIZES),
    tuple(f"escape {end} {size}" for end in ("free", "caught") for size in _SIZES),
    tuple(f"atari {end} {size}" for end in ("free", "caught") for size in _SIZES),
    tuple(f"self-atari {size}" for size in _SIZES),
    tuple(f"urgent {kind}" for kind in ("nakade", "low-liberties")),
)
LEVELS = tuple(name for block in _BLOCKS for name in block)
"""Names of all levels, in the order of the core's ids."""
if [len(block) for block in _BLOCKS] != _native.block_levels():
    raise ImportError("the names of features do not fit the core; build Tesuji again")

_SIGNS = ".XO#"
# Where the fields of a shape stand: (rows down, columns to the right).
_FIELDS = (
    (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, -2), (0, 2), (-2, 0), (2, 0)
)  # fmt: skip
# The same as they are read in text, row by row; None is the move itself.
_READING = (10, 4, 2, 5, 8, 0, None, 1, 9, 6, 3, 7, 11)
_ROWS = (1, 3, 5, 3, 1)
_SIGN_VALUES = np.full(256, -1, dtype=np.int64)
_SIGN_VALUES[[ord(sign) for sign in _SIGNS]] = range(len(_SIGNS))


class MoveFeatures(msgspec.Struct, frozen=True):
    """The features of some moves.

    Attributes
    ----------
    shapes : int32 array of shape (moves,)
        Each 24 bits.
    levels : int32 array of shape (moves, blocks)
        Indices into `LEVELS`, filled up with -1.
    """

    shapes: NDArray[np.int32]
    levels: NDArray[np.int32]


def move_features(board: Board, moves: Sequence[int]) -> MoveFeatures:
    """The features of moves of the side to move.

    Raises
    ------
    ValueError
        If one of them is pass or not legal.
    """
    legal = set(board.legal_moves(board.color_to_play).tolist()) - {board.pass_move}
    for move in moves:
        if move not in legal:
            raise ValueError(f"move {move} has no features; give legal points, without pass")
    rows = _native.move_features(board, moves).reshape(len(moves), 1 + len(_BLOCKS))
    return MoveFeatures(rows[:, 0], rows[:, 1:])


def turned_shapes(shapes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The eight turned and mirrored forms of shapes; shape (8, len(shapes))."""
    fields = [(shapes >> (2 * i)) & 3 for i in range(len(_FIELDS))]
    forms = np.zeros((8, len(shapes)), dtype=np.int64)
    for turn in range(8):
        for i, place in enumerate(_FIELDS):
            forms[turn] |= fields[_FIELDS.index(_turned(place, turn))] << (2 * i)
    return forms


def _turned(place: tuple[int, int], turn: int) -> tuple[int, int]:
    row, column = place
    row, column = (-row if turn & 1 else row), (-column if turn & 2 else column)
    return (column, row) if turn & 4 else (row, column)


def shape_to_text(shape: int) -> str:
    """Five rows of signs from the north, divided by ``/``; ``*`` is the move, X its player.

    >>> shape_to_text(0b01)
    './.../.X*../.../.'
    """
    signs = "".join("*" if field is None else _SIGNS[(shape >> (2 * field)) & 3] for field in _READING)
    rows, start = [], 0
    for length in _ROWS:
        rows.append(signs[start : start + length])
        start += length
    return "/".join(rows)


def shape_from_text(text: str) -> int:
    """The shape that a text of `shape_to_text` describes.

    Raises
    ------
    ValueError
        If it is none.
    """
    rows = text.split("/")
    signs = "".join(rows)
    if tuple(map(len, rows)) != _ROWS or signs[6] != "*" or any(s not in _SIGNS for s in signs[:6] + signs[7:]):
        raise ValueError("this is not a shape; write rows of 1, 3, 5, 3 and 1 signs of . X O # with * in the middle")
    shape = 0
    for field, sign in zip(_READING, signs, strict=True):
        if field is not None:
            shape |= _SIGNS.index(sign) << (2 * field)
    return shape


def shapes_from_texts(texts: Sequence[str]) -> NDArray[np.int64]:
    """The shapes of many texts at once; int64 of shape (len(texts),).

    Raises
    ------
    ValueError
        If one of them is not a shape; `shape_from_text` says why.
    """
    width = sum(_ROWS) + len(_ROWS) - 1
    joined = "".join(texts).encode("ascii", "replace")
    if any(len(text) != width for text in texts):
        raise ValueError("a text is not a shape")
    signs = np.frombuffer(joined, dtype=np.uint8).reshape(-1, width)
    between = np.cumsum([length + 1 for length in _ROWS])[:-1] - 1
    columns = [column for column in range(width) if column not in between]
    values = _SIGN_VALUES[signs[:, columns]]
    fields = [(column, field) for column, field in enumerate(_READING) if field is not None]
    is_right = (signs[:, between] == ord("/")).all() and (signs[:, columns[_READING.index(None)]] == ord("*")).all()
    if not is_right or any((values[:, column] < 0).any() for column, _ in fields):
        raise ValueError("a text is not a shape")
    shapes = np.zeros(len(texts), dtype=np.int64)
    for column, field in fields:
        shapes |= values[:, column] << (2 * field)
    return shapes
