"""Life and death at the end of a game: Benson's theorem, ownership by playouts, the final score.

Benson's life is exact but sees only what needs no answer. Everything else is judged by playouts in which nobody puts a
large chain into atari (`core/go/ownership.hpp`): a chain that its colour mostly ends up owning is alive, one that the
opponent ends up owning is dead. Chains stand in seki if both sides mostly leave a liberty between them open, or if the
playouts cannot decide between two touching chains, because each dies if it moves first.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.board import Board
from tesuji.go.color import Color
from tesuji.go.score import Score, count

__all__ = [
    "Status",
    "chain_status",
    "dead_stones",
    "final_score",
    "ownership",
    "pass_alive",
    "play_randomly",
    "playout_margins",
]

Status = Literal["alive", "dead", "seki"]

# A chain's mean ownership, seen by its own colour (-1..1), below which it is dead and above which it is alive.
_DEAD_BELOW = -0.3
_ALIVE_ABOVE = 0.3
# A chain in seki has no more liberties than this (two shared ones, or one and an eye).
_SEKI_LIBERTIES = 2
# The share of playouts that must leave a liberty open before its chains count as standing in seki.
_MOSTLY_OPEN = 0.5


def pass_alive(board: Board, color: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Find what lives even if its owner always passes (Benson).

    Returns
    -------
    stones, territory : int32 arrays
        Points of the living chains, and of the regions vital to them, in order.
    """
    return _native.unconditional_life(board, color)


def playout_margins(board: Board, playouts: int, *, seed: int, mercy_margin: int = 0) -> NDArray[np.int32]:
    """Play light playouts: black's area minus white's at the end of each, without komi; shape (playouts,).

    `mercy_margin`, if not 0, stops a playout when one side has that many stones more.
    """
    return _native.playout_margins(board, playouts, seed, mercy_margin)


def play_randomly(board: Board, seed: int) -> None:
    """Play one light playout on the board itself, to its two passes."""
    _native.play_randomly(board, seed)


def ownership(board: Board, playouts: int = 1000, seed: int = 1) -> NDArray[np.float64]:
    """Estimate who will own each point, by playouts; both sides begin half of them.

    Returns
    -------
    float64 array of shape (height, width)
        From -1 (white's) to 1 (black's).
    """
    return _ends(board, playouts, seed)[0].reshape(board.height, board.width)


def _ends(board: Board, playouts: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean owner (-1..1, black's view) and share of playouts that leave a point open, per point."""
    half = max(1, playouts // 2)
    owned, left_open = np.zeros(board.num_points), np.zeros(board.num_points)
    for color in (Color.BLACK, Color.WHITE):
        turned = board.copy()
        turned.to_play = color
        margins, opened = _native.ownership(turned, half, 2 * seed + color)
        owned += margins
        left_open += opened
    return owned / (2 * half), left_open / (2 * half)


def chain_status(board: Board, playouts: int = 1000, seed: int = 1) -> dict[int, Status]:
    """Judge every chain, as if the game were over.

    Returns
    -------
    dict
        For each occupied point the status of its chain.
    """
    owned, left_open = _ends(board, playouts, seed)
    for_owner: dict[int, float] = {}  # by the smallest point of the chain
    chains: dict[int, NDArray[np.int32]] = {}
    first_of: dict[int, int] = {}
    safe = {int(p) for color in (Color.BLACK, Color.WHITE) for p in pass_alive(board, color)[0]}
    for point in np.flatnonzero(board.grid.ravel()).tolist():
        if point in first_of:
            continue
        chains[point] = board.chain(point)
        first_of.update(dict.fromkeys(chains[point].tolist(), point))
        sign = 1 if board.color_at(point) == Color.BLACK else -1
        for_owner[point] = 1.0 if point in safe else sign * float(owned[chains[point]].mean())

    undecided = {first for first, value in for_owner.items() if _DEAD_BELOW <= value <= _ALIVE_ABOVE}
    status: dict[int, Status] = {}
    for first, value in for_owner.items():
        short = first not in safe and len(board.liberties(first)) <= _SEKI_LIBERTIES
        waits = short and bool((left_open[board.liberties(first)] > _MOSTLY_OPEN).any())
        torn = short and first in undecided and _faces_one_of(board, chains[first], undecided, first_of)
        verdict: Status = "seki" if torn or (waits and value >= 0) else "alive" if value >= 0 else "dead"
        status.update(dict.fromkeys(chains[first].tolist(), verdict))
    return status


def dead_stones(board: Board, playouts: int = 1000, seed: int = 1) -> list[int]:
    """The points of all dead stones, in order."""
    return sorted(p for p, status in chain_status(board, playouts, seed).items() if status == "dead")


def final_score(board: Board, playouts: int = 1000, seed: int = 1) -> Score:
    """Count the board after taking off what is dead, with sekis as the rules have them."""
    status = chain_status(board, playouts, seed)
    return count(
        board,
        dead=[p for p, s in status.items() if s == "dead"],
        seki=[p for p, s in status.items() if s == "seki"],
    )


def _faces_one_of(board: Board, chain: NDArray[np.int32], undecided: set[int], first_of: dict[int, int]) -> bool:
    """Whether an undecided enemy chain, as short of liberties, shares a liberty with this one."""
    enemy = Color(board.color_at(int(chain[0]))).opponent
    around = {q for liberty in board.liberties(int(chain[0])).tolist() for q in _neighbours(board, liberty)}
    firsts = {first_of[q] for q in around if board.color_at(q) == enemy}
    return any(first in undecided and len(board.liberties(first)) <= _SEKI_LIBERTIES for first in firsts)


def _neighbours(board: Board, point: int) -> list[int]:
    row, column = divmod(point, board.width)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * board.width + c for r, c in steps if 0 <= r < board.height and 0 <= c < board.width]
