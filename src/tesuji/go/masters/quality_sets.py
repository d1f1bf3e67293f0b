"""The qualities of M-eval's two versions behind one interface: a name for each number, and a function that measures.

Version 2 is table 3.2, measured by the core. Version 1 had 19 qualities; the source names their kinds and leaves the
list to another paper. Here are fifteen of these kinds: the deterministic ones that table 3.2 kept, territory without
patterns (empty points that only one player reaches), and *stochastic* ones, which ask playouts from the position who
will own what: the same measures weighted by ownership, and the points that each will own.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.m_eval import MEVAL_QUALITIES, MEvalFile, OpeningQualities
from tesuji.go.masters.qualities import chains_of, lines_of_board, within_reach
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["VERSIONS", "QualitySet", "quality_set"]

VERSIONS = (1, 2)
_PATTERN_FREE = ("strenStones", "strenLibert", "strenAdjLib", "strenUrgent", "speedRows34", "speedHigher")
_STOCHASTIC = ("ownStones", "ownLibert", "ownRows34", "ownHigher", "ownCorner", "ownSide", "ownCentre")
_VERSION_1 = (*_PATTERN_FREE, "reachCorner", "reachSide", *_STOCHASTIC)
_CORNER = 9  # lines of a corner, from each of its edges


class QualitySet(msgspec.Struct, frozen=True):
    """The qualities of a version.

    Attributes
    ----------
    version : int
        1 or 2.
    names : tuple of str
        A name for each.
    measure : callable
        Takes a 19x19 board; gives float64 of shape (2, qualities), Black first, never negative.
    """

    version: int
    names: tuple[str, ...]
    measure: Callable[[Board], NDArray[np.float64]]


def quality_set(version: int, file: MEvalFile, *, playouts: int = 32, seed: int = 1) -> QualitySet:
    """The qualities of a version.

    Parameters
    ----------
    version : int
        1 or 2.
    file : MEvalFile
        Of which the patterns are used.
    playouts, seed : int
        Of version 1: who will own what.

    Raises
    ------
    ValueError
        For another version.
    """
    if version not in VERSIONS:
        raise ValueError(f"version is {version}; M-eval has the versions 1 and 2")
    measure = OpeningQualities(file)
    if version == 2:
        return QualitySet(2, MEVAL_QUALITIES, measure)
    kept = [MEVAL_QUALITIES.index(name) for name in _PATTERN_FREE]

    def both(board: Board) -> NDArray[np.float64]:
        black = (ownership(board, playouts, seed) + 1) / 2
        rest = [_of_player(board, color, share) for color, share in ((Color.BLACK, black), (Color.WHITE, 1 - black))]
        return np.concatenate([measure(board)[:, kept], np.array(rest)], axis=1)

    return QualitySet(1, _VERSION_1, both)


def _of_player(board: Board, color: Color, share: NDArray[np.float64]) -> list[float]:
    """Territory by reach, then what ownership says; `share` is how much of each point will be this player's."""
    grid, lines = board.grid, lines_of_board(*board.grid.shape)
    empty = grid == Color.EMPTY
    reached = within_reach(grid == color)
    alone = reached & ~within_reach(grid == 3 - color) & empty
    corner = _corners(*grid.shape)
    side = ~corner & (lines <= 5)
    liberties = 0.0
    for chain, (chain_color, count, _) in chains_of(board).items():
        if chain_color == color:
            liberties += count * float(share.ravel()[chain])
    return [
        float(np.count_nonzero(alone & corner)),
        float(np.count_nonzero(alone & side)),
        float(share[grid == color].sum()),
        liberties,
        float(share[reached & empty & ((lines == 3) | (lines == 4))].sum()),
        float(share[reached & empty & (lines > 4)].sum()),
        float(share[corner].sum()),
        float(share[side].sum()),
        float(share[~corner & ~side].sum()),
    ]


def _corners(height: int, width: int) -> NDArray[np.bool_]:
    rows, columns = np.indices((height, width))
    from_edge = np.minimum(rows, height - 1 - rows) + np.minimum(columns, width - 1 - columns)
    return np.asarray(from_edge < _CORNER)
