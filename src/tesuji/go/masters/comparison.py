"""Two sets of games compared by the qualities of their positions (Basaldúa, 3.4.8).

Of every game two positions are taken, between moves 16 and 62. Their qualities, both players added, are compared: the
means with 95 % intervals, and all of them at once by Hotelling's T², which for two groups is what a multivariate
analysis of variance computes. Positions of one game are not independent: a game counts once, by its mean.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.qualities import QUALITIES, qualities
from tesuji.go.masters.sampling import sampled_games

__all__ = ["Comparison", "QualityDifference", "compared", "qualities_of_games"]

_Z95 = 1.959964


class QualityDifference(msgspec.Struct, frozen=True):
    """One quality in two sets of games.

    Attributes
    ----------
    name : str
        The quality.
    means : tuple of float
        Of the two sets.
    difference, low, high : float
        Second less first, in standard deviations of all games, with a 95 % interval.
    """

    name: str
    means: tuple[float, float]
    difference: float
    low: float
    high: float


class Comparison(msgspec.Struct, frozen=True):
    """What was found.

    Attributes
    ----------
    games : tuple of int
        How many of each set.
    qualities : list of QualityDifference
        Each by itself.
    f : float
        Of all together; degrees of freedom are `freedom`.
    freedom : tuple of int
        Of numerator and denominator.
    p : float
        Chance of such an F if the sets do not differ.
    """

    games: tuple[int, int]
    qualities: list[QualityDifference]
    f: float
    freedom: tuple[int, int]
    p: float


def qualities_of_games(
    database: GameDatabase,
    wanted: GameFilter | None = None,
    *,
    most: int | None = None,
    seed: int = 1,
    on_progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """The qualities of games on 19x19, both players added; a row each, the mean of two positions of the game.

    Games that end before move 62, or began with stones on the board, are left out.
    """
    rows = [
        np.mean([qualities(board).sum(axis=0) for board in boards], axis=0)
        for boards in sampled_games(database, wanted, most=most, seed=seed, on_progress=on_progress)
    ]
    return np.array(rows).reshape(-1, len(QUALITIES))


def compared(first: NDArray[np.float64], second: NDArray[np.float64]) -> Comparison:
    """Two sets of games compared.

    Parameters
    ----------
    first, second : float64 arrays of shape (games, len(QUALITIES))
        As `qualities_of_games` gives them.

    Raises
    ------
    ValueError
        If there are too few games to compare.
    """
    counts = len(first), len(second)
    num = first.shape[1]
    if min(counts) < 2 or sum(counts) <= num + 1:
        raise ValueError(f"{counts[0]} and {counts[1]} games are too few to compare; {num + 2} in all are the least")
    from scipy.stats import f as f_distribution

    means = first.mean(axis=0), second.mean(axis=0)
    variances = first.var(axis=0, ddof=1), second.var(axis=0, ddof=1)
    spread = np.sqrt(((counts[0] - 1) * variances[0] + (counts[1] - 1) * variances[1]) / (sum(counts) - 2))
    spread = np.where(spread > 0, spread, 1.0)
    errors = np.sqrt(variances[0] / counts[0] + variances[1] / counts[1]) / spread
    differences = (means[1] - means[0]) / spread
    found = [
        QualityDifference(name, (float(a), float(b)), float(d), float(d - _Z95 * e), float(d + _Z95 * e))
        for name, a, b, d, e in zip(QUALITIES, *means, differences, errors, strict=True)
    ]
    pooled = ((counts[0] - 1) * np.cov(first.T) + (counts[1] - 1) * np.cov(second.T)) / (sum(counts) - 2)
    apart = means[1] - means[0]
    t2 = counts[0] * counts[1] / sum(counts) * float(apart @ np.linalg.pinv(pooled) @ apart)
    freedom = num, sum(counts) - num - 1
    f = t2 * freedom[1] / (freedom[0] * (sum(counts) - 2))
    return Comparison(counts, found, f, freedom, float(f_distribution.sf(f, *freedom)))
