"""Qualities of a position: numbers that both players want to be large (Basaldúa, table 3.2).

Each is measured for each player and is never negative, as the factorisation of 3.4.3 asks; the table prints differences
of the two. What the table leaves open is read so:

- liberties: the sum over a player's chains, so that a liberty that two chains share counts twice;
- adjacent liberties: over all pairs of chains of different colours that touch, (own - other) / (own + other) where own
  is larger: "compensated" is read as relative to how many there are;
- rows: counted from the edge, so row 3 is the third line; *higher* is the fifth line and above.

The table's two territories need patterns with the final owners of their games, and its urgency sum strengths of shapes:
all eight are measured by the core (`tesuji.go.knowledge.m_eval.OpeningQualities`), which agrees with these five.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["QUALITIES", "chains_of", "lines_of_board", "qualities", "within_reach"]

QUALITIES = ("strenStones", "strenLibert", "strenAdjLib", "speedRows34", "speedHigher")
"""Their names in the table."""
_REACH = 4


def qualities(board: Board) -> NDArray[np.float64]:
    """The qualities of both players; float64 of shape (2, len(QUALITIES)), Black first."""
    grid = board.grid
    chains = chains_of(board)
    found = np.zeros((2, len(QUALITIES)))
    lines = lines_of_board(*grid.shape)
    for index, color in enumerate((Color.BLACK, Color.WHITE)):
        own = [liberties for chain_color, liberties, _ in chains.values() if chain_color == color]
        reached = within_reach(grid == color) & (grid == Color.EMPTY)
        found[index] = (
            np.count_nonzero(grid == color),
            sum(own),
            _adjacent(chains, color),
            np.count_nonzero(reached & ((lines == 3) | (lines == 4))),
            np.count_nonzero(reached & (lines > 4)),
        )
    return found


def chains_of(board: Board) -> dict[int, tuple[int, int, set[int]]]:
    """By the first point of each chain: its colour, its liberties, the first points of enemy chains beside it."""
    grid = board.grid.ravel()
    first: dict[int, int] = {}
    for point in grid.nonzero()[0].tolist():
        if point not in first:
            first |= dict.fromkeys(board.chain(point).tolist(), point)
    beside: dict[int, set[int]] = {point: set() for point in first.values()}
    for point, chain in first.items():
        beside[chain] |= {first[other] for other in board.neighbours(point) if grid[other] == 3 - grid[point]}
    return {chain: (int(grid[chain]), len(board.liberties(chain)), others) for chain, others in beside.items()}


def _adjacent(chains: dict[int, tuple[int, int, set[int]]], color: int) -> float:
    total = 0.0
    for chain_color, liberties, others in chains.values():
        if chain_color == color:
            for other in others:
                theirs = chains[other][1]
                total += max(0, liberties - theirs) / (liberties + theirs)
    return total


def lines_of_board(height: int, width: int) -> NDArray[np.int64]:
    """By point, its line from the nearest edge: 1, 2, ..."""
    rows, columns = np.indices((height, width))
    return np.asarray(np.minimum.reduce([rows, columns, height - 1 - rows, width - 1 - columns]) + 1)


def within_reach(stones: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Points within a Manhattan distance of four."""
    reached = stones.copy()
    for _ in range(_REACH):
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        reached = grown
    return reached
