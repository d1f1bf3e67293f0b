"""Which move is the answer of a search, and the one lower bound of a win rate that everything here uses.

`lower_bound` is the lower end of Wilson's interval (1927), one-sided, 95 %: a move that won all of its 25 simulations
is worth 0.90 at least, not 1. GTP, the JSON analysis and the final move "lower-bound" say the same number.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tesuji.search.config import SearchConfig

__all__ = ["Z", "choose_move", "lower_bound"]

Z = 1.645
"""Standard deviations of a one-sided 95 % bound."""
_LOST, _DRAWN, _WON = 1, 2, 3


class RootStatistics(Protocol):
    """The columns of a result that decide; one entry per legal move."""

    @property
    def moves(self) -> NDArray[np.int32]:
        """Legal moves, ascending."""

    @property
    def visits(self) -> NDArray[np.uint64]:
        """Simulations through each."""

    @property
    def values(self) -> NDArray[np.float64]:
        """Mean result for the side to move, 0..1."""

    @property
    def proofs(self) -> NDArray[np.int32]:
        """0 nothing proved, 1 lost, 2 drawn, 3 won."""


def lower_bound(value: float, visits: float) -> float:
    """The lower end of Wilson's one-sided 95 % interval of a mean in 0..1; 0 without visits."""
    if visits <= 0:
        return 0.0
    square = Z * Z / visits
    spread = Z * math.sqrt(max(0.0, value * (1 - value)) / visits + square / (4 * visits))
    return value * value / (value + square / 2 + spread)  # (a - b) / d as (a^2 - b^2) / (d (a + b)): nothing cancels


def choose_move(found: RootStatistics, config: SearchConfig) -> int:
    """The answer of a search, as the config says; what is proved beats any statistics.

    A proved win is taken at once, a proved loss only if there is nothing else, and a proved draw if the best move that
    is still open promises no more than half.
    """
    moves, visits, values, proofs = found.moves, found.visits, found.values, found.proofs
    if proofs.any():
        values = np.select([proofs == _WON, proofs == _DRAWN, proofs == _LOST], [1.0, 0.5, 0.0], values)
    score = _scores(visits, values, config.final_move)
    best = _best_of(score, values, proofs)
    gives_up = config.final_move == "most-visits-above-limit" and config.give_up_move is not None
    if gives_up and values[best] < config.final_limit:
        return int(config.give_up_move)  # type: ignore[arg-type]  # checked in the line above
    return int(moves[best])


def _scores(visits: NDArray[np.uint64], values: NDArray[np.float64], rule: str) -> NDArray[np.float64]:
    if rule == "best-value":
        return np.where(visits > 0, values, -1.0)
    if rule == "lower-bound":
        pairs = zip(values.tolist(), visits.tolist(), strict=True)
        return np.array([lower_bound(value, count) if count else -math.inf for value, count in pairs])
    return visits.astype(float)


def _best_of(score: NDArray[np.float64], values: NDArray[np.float64], proofs: NDArray[np.int32]) -> int:
    """The index of the best: by proof, by score, by value, the lower move."""
    if not proofs.any():
        equal = np.flatnonzero(score == score.max())
        return int(equal[0] if len(equal) == 1 else equal[values[equal].argmax()])
    still_open = proofs == 0
    best_open = values[still_open & (score == score[still_open].max())].max() if still_open.any() else 0.0
    drawn_rank = 2 if best_open <= 0.5 else 0
    rank = np.select([proofs == _WON, proofs == _DRAWN, proofs == _LOST], [3, drawn_rank, -1], 1)
    return int(np.lexsort((-np.arange(len(values)), values, score, rank))[-1])
