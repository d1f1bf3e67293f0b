"""Ratings of a whole field of players from their games: the model of Bradley and Terry, with draws as halves.

A player of strength s beats one of strength t with probability ``1 / (1 + exp(t - s))``; Elo is ``400 s / ln 10``.
Draws make results less random than the model says, and the intervals take that into account. Colours and openings are
not modelled: pairs of games with swapped colours cancel both, and make the intervals a little too wide.

`elo.py` hands this on together with the rest of the statistics. Needs NumPy and SciPy, imported when used.

Sources: Bradley and Terry 1952; Hunter 2004; Coulom's BayesElo for the virtual draws. Formulas and measurements:
docs/algorithms/ratings.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from tesuji.words import how_to_install

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["PairResult", "Rating", "bradley_terry"]

_ELO_PER_LOGIT = 400 / math.log(10)


class PairResult(msgspec.Struct, frozen=True):
    """All games of two players; wins and losses are the first one's."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


class Rating(msgspec.Struct, frozen=True):
    """A player's place in a field: Elo with its interval."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float


def bradley_terry(
    results: Iterable[PairResult],
    anchors: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    prior_draws: float = 1.0,
) -> list[Rating]:
    """Rate a field by the model of Bradley and Terry.

    Parameters
    ----------
    results : iterable of PairResult
        Several about the same two players are added up.
    anchors : mapping of str to float, optional
        Players whose Elo is known and fixed; without any the mean of the field is 0.
    confidence : float
        Of the intervals. A player's interval is that of its distance to the anchors or to the mean of the field.
    prior_draws : float
        Virtual draws of each player, shared among its opponents by games: whoever won everything gets a finite rating.
        One draw is Haldane's half win and half loss, which takes the first-order bias out of a log-odds estimate; 0 is
        plain maximum likelihood.

    Returns
    -------
    list of Rating
        The strongest first.

    Raises
    ------
    ValueError
        If players are not connected by games, directly or through others, to each other or to an anchor: nothing can
        be said about them, and a prior would only hide it.
    """
    anchors = dict(anchors or {})
    table = _Field(results)
    table.check_connected(anchors)
    if not table.names:
        return []
    if not prior_draws:
        table.check_finite(anchors)
    free = [i for i, name in enumerate(table.names) if name not in anchors]
    moving = free if anchors else free[1:]  # without anchors the first player stands at 0 until the end
    start = [anchors.get(name, 0.0) / _ELO_PER_LOGIT for name in table.names]
    strength, covariance = table.fit(start, moving, prior_draws)
    if not anchors:
        strength = strength - strength.mean()
        covariance = covariance - covariance.mean(0) - covariance.mean(1)[:, None] + covariance.mean()
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * covariance.diagonal().clip(0) ** 0.5
    ratings = [
        Rating(
            name,
            float(strength[i]) * _ELO_PER_LOGIT,
            float(strength[i] - reach[i]) * _ELO_PER_LOGIT,
            float(strength[i] + reach[i]) * _ELO_PER_LOGIT,
            table.games[name],
            table.points[name],
        )
        for i, name in enumerate(table.names)
    ]
    return sorted(ratings, key=lambda rating: -rating.elo)


class _Field:
    """The games of a field, pair by pair, and the fit of the model to them."""

    def __init__(self, results: Iterable[PairResult]) -> None:
        self.names: list[str] = []
        self.games: dict[str, int] = {}
        self.points: dict[str, float] = {}
        self.rows: list[tuple[int, int, float, float, float]] = []  # first, second, points, games, draws
        for result in results:
            self._add(result)

    def _add(self, result: PairResult) -> None:
        if min(result.wins, result.draws, result.losses) < 0:
            raise ValueError(f"{result}: no count may be negative")
        if result.first == result.second:
            raise ValueError(f"{result.first} has games against itself: give the two players different names")
        games = result.wins + result.draws + result.losses
        points = result.wins + result.draws / 2
        for name, share in ((result.first, points), (result.second, games - points)):
            if name not in self.games:
                self.names.append(name)
            self.games[name] = self.games.get(name, 0) + games
            self.points[name] = self.points.get(name, 0.0) + share
        if games:
            ends = self.names.index(result.first), self.names.index(result.second)
            self.rows.append((*ends, points, games, result.draws))

    def check_connected(self, anchors: Mapping[str, float]) -> None:
        """Raise ValueError if some players can be compared with nobody of the rest."""
        if unknown := [name for name in anchors if name not in self.games]:
            raise ValueError(f"anchor {unknown[0]} has no games; the players are {', '.join(self.names)}")
        parts = self._reachable({*self._edges(), *((second, first) for first, second in self._edges())})
        loose = [part for part in parts if not any(self.names[i] in anchors for i in part)]
        if loose and len(parts) > 1:
            some = ", ".join(self.names[i] for i in sorted(loose[0])[:5])
            raise ValueError(f"no games connect {some} with the other players; play some, or anchor one of each part")

    def check_finite(self, anchors: Mapping[str, float]) -> None:
        """Raise ValueError if without a prior some rating is infinite: no way of wins leads back to a player."""
        beat = {(i, j) for i, j, points, _, _ in self.rows if points > 0}
        beat |= {(j, i) for i, j, points, games, _ in self.rows if points < games}
        fixed = [self.names.index(name) for name in anchors]
        beat |= {(i, j) for i in fixed for j in fixed}
        if len(self._reachable(beat)) > 1 or len(self._reachable({(j, i) for i, j in beat})) > 1:
            raise ValueError("some players won or lost everything against the others: their ratings need prior_draws")

    def _edges(self) -> set[tuple[int, int]]:
        return {(first, second) for first, second, *_ in self.rows}

    def _reachable(self, edges: set[tuple[int, int]]) -> list[set[int]]:
        """Return, from the first player on, what is reached along the edges, then the same of what is left."""
        after: dict[int, list[int]] = {}
        for first, second in edges:
            after.setdefault(first, []).append(second)
        left, parts = set(range(len(self.names))), []
        while left:
            part, todo = set(), [min(left)]
            while todo:
                player = todo.pop()
                if player in left:
                    left.discard(player)
                    part.add(player)
                    todo += after.get(player, [])
            parts.append(part)
        return parts

    def fit(self, start: Sequence[float], free: Sequence[int], prior_draws: float) -> tuple[Floats, Floats]:
        """Return strengths in natural units and their covariance, with the players that are not free held fixed."""
        try:
            import numpy as np
            from scipy.optimize import minimize
        except ImportError as error:
            raise ImportError(f"ratings of a field need SciPy: {how_to_install('lab')}") from error
        size = len(self.names)
        first, second = (np.array([row[k] for row in self.rows]) for k in (0, 1))
        points, games, draws = (np.array([row[k] for row in self.rows], dtype=float) for k in (2, 3, 4))
        total = np.array([self.games[name] for name in self.names], dtype=float)
        virtual = prior_draws / 2 * games * (1 / total[first] + 1 / total[second])
        points, games = points + virtual / 2, games + virtual
        sides = np.zeros((len(self.rows), size))
        sides[np.arange(len(self.rows)), first] = 1
        sides[np.arange(len(self.rows)), second] = -1
        strength, moving = np.array(start, dtype=float), np.array(free, dtype=int)
        sides_moving = sides[:, moving]

        def expected(x: Floats) -> tuple[Floats, Floats]:
            strength[moving] = x
            lead = sides @ strength
            return lead, 0.5 + 0.5 * np.tanh(lead / 2)

        def loss(x: Floats) -> tuple[float, Floats]:
            lead, rate = expected(x)
            value = games * np.logaddexp(0, lead) - points * lead
            return float(value.sum()), sides_moving.T @ (games * rate - points)

        def curvature(x: Floats) -> Floats:
            rate = expected(x)[1]
            return _gram(sides_moving, games * rate * (1 - rate))

        covariance = np.zeros((size, size))
        if moving.size:
            fitted = minimize(loss, strength[moving], jac=True, hess=curvature, method="trust-exact", tol=1e-9)
            rate = expected(fitted.x)[1]
            model = games * rate * (1 - rate)
            bread = np.linalg.inv(_gram(sides_moving, model))
            # A draw lowers the variance of a game's points by a quarter; the model's own variance knows no draws.
            filling = _gram(sides_moving, np.maximum(model - draws / 4, 0.05 * model))
            covariance[np.ix_(moving, moving)] = bread @ filling @ bread
        return strength, covariance


def _gram(sides: Floats, weights: Floats) -> Floats:
    product: Floats = sides.T @ (weights[:, None] * sides)
    return product
