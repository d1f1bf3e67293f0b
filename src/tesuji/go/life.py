"""Life and death at the end of a game: Benson's theorem, ownership by playouts, the final score.

Benson's life is exact but sees only what needs no answer. Everything else is judged by the playouts of the engine: a
chain that its colour mostly ends up owning is alive, one that the opponent ends up owning is dead. Living chains of
both colours that are short of liberties stand in seki if they share one that the playouts mostly leave open.

It does not play on: a position with moves left is counted as it stands (docs/results/scoring.md says what that costs).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.board import Board
from tesuji.go.color import Color
from tesuji.go.playouts import DEFAULT
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

# Enough for a score; the engine's choice to pass waits for them.
_PLAYOUTS = 300
# A chain in seki has no more liberties than this (two shared ones, or one and an eye).
_SEKI_LIBERTIES = 2
# A chain in seki has at least so many stones. Smaller sekis exist; most of what looks like one is a stone in a fight.
_SEKI_STONES = 3
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


def ownership(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> NDArray[np.float64]:
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
    policy = DEFAULT.native(board.num_points)
    owned, left_open = np.zeros(board.num_points), np.zeros(board.num_points)
    for color in (Color.BLACK, Color.WHITE):
        turned = board.copy()
        turned.to_play = color
        margins, opened = _native.ownership(turned, policy, half, 2 * seed + color)
        owned += margins
        left_open += opened
    return owned / (2 * half), left_open / (2 * half)


def chain_status(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> dict[int, Status]:
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

    def may_stand_in_seki(first: int) -> bool:
        is_short = len(board.liberties(first)) <= _SEKI_LIBERTIES and len(chains[first]) >= _SEKI_STONES
        return is_short and first not in safe and for_owner[first] >= 0

    waiting = {first for first in chains if may_stand_in_seki(first)}
    status: dict[int, Status] = {}
    for first, value in for_owner.items():
        is_seki = first in waiting and _shares_a_liberty(board, first, waiting, first_of, left_open > _MOSTLY_OPEN)
        verdict: Status = "seki" if is_seki else "alive" if value >= 0 else "dead"
        status.update(dict.fromkeys(chains[first].tolist(), verdict))
    return status


def dead_stones(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> list[int]:
    """The points of all dead stones, in order."""
    return sorted(p for p, status in chain_status(board, playouts, seed).items() if status == "dead")


def final_score(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> Score:
    """Count the board after taking off what is dead, with sekis as the rules have them."""
    status = chain_status(board, playouts, seed)
    return count(
        board,
        dead=[p for p, s in status.items() if s == "dead"],
        seki=[p for p, s in status.items() if s == "seki"],
    )


def _shares_a_liberty(
    board: Board, first: int, chains: set[int], first_of: dict[int, int], is_open: NDArray[np.bool_]
) -> bool:
    """Whether an enemy chain out of `chains` shares an open liberty with this one."""
    enemy = Color(board.color_at(first)).opponent
    liberties = board.liberties(first)
    around = {q for liberty in liberties[is_open[liberties]].tolist() for q in _neighbours(board, liberty)}
    return any(board.color_at(q) == enemy and first_of[q] in chains for q in around)


def _neighbours(board: Board, point: int) -> list[int]:
    row, column = divmod(point, board.width)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * board.width + c for r, c in steps if 0 <= r < board.height and 0 <= c < board.width]
