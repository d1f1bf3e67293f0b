"""CLOP: tuning by games that are won or lost. A local quadratic logistic regression says where to play next.

`Clop` is asked for values, told the result of a game played with them, and asked again; games may overlap. It knows
nothing of players, stores and processes (`tune.py`). Its state is the list of what it was told: `Clop.replay` makes it
again.

The method. A quadratic function of the parameters is fitted to the logits of the results. Samples that it says are
confidently worse than the mean of all lose weight, and the fit is repeated with the weights until they stay. What is
left is the neighbourhood of the optimum, small enough for a parabola to be right and large enough to see a difference.
The next values are drawn with a density proportional to the weight. Source: Coulom, "CLOP: Confident Local Optimization
for Noisy Black-Box Dimension Tuning", 2011 (Basaldúa tunes with it).

What is ours: the optimum is told as a posterior mean with an interval, from the Laplace approximation of a regression
whose weights fall four times more slowly (Coulom takes the weighted mean of the samples, without an interval). A
parameter with choices adds to the regression, for each choice, a constant and a slope along each number: choices may
differ in strength and in where their optimum lies, not in how sharp it is. Effects of several such parameters add up. A
combination of choices whose samples lost their weight is not a candidate any more, until a later fit gives it back.

Not here: other samplers, and parameters of more than one number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.experiments.tuning.space import Dimension, Floats, Ints, Space, Value

__all__ = ["Clop", "Optimum", "ParameterOptimum", "ResponsePoint"]

HEIGHT = 3.0
"""H of the paper: how many standard errors below the mean a sample's weight is 1/e."""

_PRIOR_DEVIATION = 10.0  # of a coefficient, in logits over half the range
_CHOICE_DEVIATION = 3.0  # of the constant and the slopes of a choice
_REFIT_GROWTH = 1.05  # refit when there are so many times the samples of the last fit
_SETTLED = 0.999  # the weights stay if their sum falls by less than this
_MAX_ROUNDS = 200
_EXPLORED = 0.1  # share of games whose choices are drawn evenly, so that bad luck at the start discards none for good
_GRID = 64  # places tried along each parameter when drawing the next values
_DRAWS = 2000  # from the posterior
_WIDER = 0.25  # power of the weights in the regression that the optimum is read from; measured, docs/algorithms/clop.md
_TRUSTED_WEIGHT = 0.05  # the optimum is sought among samples of at least this weight,
_TRUSTED_SHARE = 0.05  # and choices with at least this share of the best one's
_MARGIN = 0.05  # by which the box around them is larger, as a share of its side
_MAX_CORNERS = 1024  # from which the climb to the optimum may start: those of ten parameters


class ParameterOptimum(msgspec.Struct, frozen=True):
    """The best value of a parameter.

    Attributes
    ----------
    name : str
        Of the parameter.
    value
        The posterior mean of the optimum (on the scale of the parameter); the most probable of choices.
    low, high : float or None
        Its 95 % interval; None for choices.
    chances : dict
        Of choices: how probably each is the best one.
    """

    name: str
    value: Value
    low: float | None = None
    high: float | None = None
    chances: dict[str, float] = {}


class Optimum(msgspec.Struct, frozen=True):
    """What the samples say about the best values.

    Attributes
    ----------
    parameters : list of ParameterOptimum
        In their order.
    rate, low, high : float
        The expected points per game there, with their 95 % interval. What the games say of the optimum that they
        chose themselves is too good, what each half of them says of the other half's optimum is a little too bad: the
        rate is the mean of the two, the interval spans both.
    samples : int
        Games.
    weight : float
        The sum of their weights: how many games the estimate rests on.
    """

    parameters: list[ParameterOptimum]
    rate: float
    low: float
    high: float
    samples: int
    weight: float

    @property
    def values(self) -> dict[str, Value]:
        """Name to best value."""
        return {parameter.name: parameter.value for parameter in self.parameters}


class ResponsePoint(msgspec.Struct, frozen=True):
    """Expected points per game at a value of one parameter, the others being at their optimum.

    Attributes
    ----------
    value
        Of the parameter.
    rate, low, high : float
        Points per game, and the 95 % band.
    weight : float
        1 near the optimum, towards 0 where the regression is not about: there the curve extrapolates.
    """

    value: Value
    rate: float
    low: float
    high: float
    weight: float


class _Fit:
    """A local regression: the weights of the samples, and the rounds that led to them."""

    def __init__(self, terms: Floats, results: Floats, prior: Floats) -> None:
        weights = np.ones(len(terms))
        rounds: list[tuple[Floats, float, float]] = []
        coefficients = np.zeros(terms.shape[1])
        for _ in range(_MAX_ROUNDS):
            coefficients, _ = _regress(terms, results, weights, prior, coefficients)
            mean, error = _mean_logit(results, weights)
            rounds.append((coefficients, mean, error))
            lower = np.minimum(weights, np.exp(np.minimum(0.0, (terms @ coefficients - mean) / (HEIGHT * error))))
            settled = lower.sum() >= _SETTLED * weights.sum()
            weights = lower
            if settled:
                break
        self.terms, self.results, self.prior = terms, results, prior
        self.weights, self.coefficients = weights, coefficients
        self._all = np.stack([each for each, _, _ in rounds], axis=1)
        self._means = np.array([mean for _, mean, _ in rounds])
        self._heights = HEIGHT * np.array([error for _, _, error in rounds])

    def log_weight(self, terms: Floats) -> Floats:
        """Return the logarithm of the weight that samples there would have."""
        below: Floats = ((terms @ self._all - self._means) / self._heights).min(axis=1)
        return np.minimum(0.0, below)


def _regress(terms: Floats, results: Floats, weights: Floats, prior: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients of the weighted logistic regression and the precision matrix there (Newton).

    `prior` is the inverse variance of each coefficient.
    """

    def loss(c: Floats) -> float:
        logit = terms @ c
        return float((weights * (np.logaddexp(0, logit) - results * logit)).sum() + (prior * c * c).sum() / 2)

    def slope_and_precision(c: Floats) -> tuple[Floats, Floats]:
        rate = 0.5 + 0.5 * np.tanh(terms @ c / 2)
        precision = (terms * (weights * rate * (1 - rate))[:, None]).T @ terms + np.diag(prior)
        return terms.T @ (weights * (rate - results)) + prior * c, precision

    coefficients, value = start, loss(start)
    slope, precision = slope_and_precision(coefficients)
    for _ in range(50):
        step = np.linalg.solve(precision, slope)
        decrease = float(slope @ step)
        if decrease < 1e-9:
            break
        size = 1.0
        while (new := loss(coefficients - size * step)) > value - 1e-4 * size * decrease and size > 1e-6:
            size /= 2
        coefficients, value = coefficients - size * step, new
        slope, precision = slope_and_precision(coefficients)
    return coefficients, precision


def _mean_logit(results: Floats, weights: Floats) -> tuple[float, float]:
    """Return the logit of the mean result and its standard error; one virtual draw keeps both finite."""
    total = weights.sum() + 1
    rate = (weights @ results + 0.5) / total
    return math.log(rate / (1 - rate)), 1 / math.sqrt(total * rate * (1 - rate))


class Clop:
    """Tunes parameters from the results of games.

    Parameters
    ----------
    parameters : sequence of Dimension
        Numbers and choices.
    seed : int
        Of the values that are asked for: the same seed and results give the same values.

    Examples
    --------
    >>> clop = Clop(parameters, seed=1)  # doctest: +SKIP
    >>> values = clop.ask()  # doctest: +SKIP
    >>> clop.tell(values, play(values))  # doctest: +SKIP
    >>> clop.optimum().values  # doctest: +SKIP
    """

    def __init__(self, parameters: Sequence[Dimension], seed: int = 1) -> None:
        self._space = Space(parameters)
        deviations = np.array([_PRIOR_DEVIATION, _CHOICE_DEVIATION])
        self._prior: Floats = np.repeat(deviations**-2, [self._space.num_common, self._space.num_of_choices])
        self._seed = seed
        self._asked = 0
        self._points: list[Floats] = []
        self._choices: list[Ints] = []
        self._results: list[float] = []
        self._fit: _Fit | None = None
        self._known: _Posterior | None = None
        self._next_fit = len(self._prior)

    @classmethod
    def replay(
        cls,
        parameters: Sequence[Dimension],
        samples: Iterable[tuple[Mapping[str, Value], float]],
        seed: int = 1,
        asked: int | None = None,
    ) -> Clop:
        """Make the state anew from what was told.

        Parameters
        ----------
        parameters, seed
            As before.
        samples : iterable of (values, points)
            In the order in which they were told.
        asked : int, optional
            How often values were asked for; as often as told if not given. The next `ask` is then the one that would
            have come.
        """
        clop = cls(parameters, seed)
        for values, points in samples:
            clop._keep(values, points)
        clop._asked = len(clop._results) if asked is None else asked
        last = 0
        while clop._next_fit <= len(clop._results):
            last = clop._next_fit
            clop._next_fit = _next_fit(last)
        if last:
            clop._fit = clop._fit_to(slice(last))
        return clop

    def __len__(self) -> int:
        """How many samples there are."""
        return len(self._results)

    def ask(self) -> dict[str, Value]:
        """Return the values to play next; may be called again before the result is told."""
        rng = np.random.default_rng([self._seed, self._asked])
        self._asked += 1
        return self._space.decode(*self._draw(rng))

    def tell(self, values: Mapping[str, Value], points: float) -> None:
        """Take in the result of a game: 1, 0.5 or 0 points, or a mean between 0 and 1 that counts as one game."""
        self._keep(values, points)
        if len(self._results) >= self._next_fit:
            self._next_fit = _next_fit(len(self._results))
            self._fit = self._fit_to(slice(None))

    def _keep(self, values: Mapping[str, Value], points: float) -> None:
        if not 0 <= points <= 1:
            raise ValueError(f"points are {points}; a game gives 0, 0.5 or 1")
        point, choice = self._space.encode(values)
        self._points.append(point)
        self._choices.append(choice)
        self._results.append(points)

    def _fit_to(self, rows: slice) -> _Fit:
        """Fit some of the samples; from nothing, so that a replay comes to the same fit."""
        terms = self._space.terms(np.stack(self._points[rows]), np.stack(self._choices[rows]))
        return _Fit(terms, np.array(self._results[rows]), self._prior)

    def _draw(self, rng: np.random.Generator) -> tuple[Floats, Ints]:
        """Draw a point with density proportional to the weight: Gibbs sampling from a sample of such density."""
        space, fit = self._space, self._fit
        if fit is None:
            return rng.uniform(-1, 1, len(space.numbers)), space.combinations[rng.integers(len(space.combinations))]
        start = rng.choice(len(fit.weights), p=fit.weights / fit.weights.sum())
        point, choice = self._points[start], self._choices[start]
        explores = bool(space.choices) and rng.random() < _EXPLORED
        if explores:
            choice = space.combinations[rng.integers(len(space.combinations))]
        for _ in range(2):
            for i in range(len(space.numbers)):
                points = np.repeat(point[None], _GRID, axis=0)
                points[:, i] = -1 + 2 * (np.arange(_GRID) + rng.random(_GRID)) / _GRID
                weight = fit.log_weight(space.terms(points, np.repeat(choice[None], _GRID, axis=0)))
                point = points[_drawn(rng, weight)]
            for i, parameter in enumerate(space.choices if not explores else ()):
                choices = np.repeat(choice[None], len(parameter.choices), axis=0)
                choices[:, i] = np.arange(len(choices))
                weight = fit.log_weight(space.terms(np.repeat(point[None], len(choices), axis=0), choices))
                choice = choices[_drawn(rng, weight)]
        return point, choice

    # --- what is known ------------------------------------------------------------------------------------------------

    def optimum(self) -> Optimum:
        """Return the posterior mean of the optimum, its interval, and what it is worth."""
        posterior = self._posterior()
        point, choice = posterior.point, posterior.choice
        rate, low, high = (float(each[0]) for each in posterior.rates(point[None], choice[None]))
        if len(self._results) >= 2 * len(self._prior):
            worse = self._other_halves()
            rate, low, high = (rate + worse[0]) / 2, min(low, worse[1]), max(high, worse[2])
        values = self._space.decode(point, choice)
        numbers = iter(range(len(self._space.numbers)))
        choices = iter(range(len(self._space.choices)))
        found = [
            posterior.of_choice(next(choices), values[p.name])
            if p.choices
            else posterior.of_number(next(numbers), values[p.name])
            for p in self._space.parameters
        ]
        return Optimum(found, rate, low, high, len(self._results), float(posterior.fit.weights.sum()))

    def _other_halves(self) -> tuple[float, float, float]:
        """Return what each half of the games says about the optimum that the other half found, with the interval."""
        logit = variance = 0.0
        for half in (0, 1):
            chose, told = slice(half, None, 2), slice(1 - half, None, 2)
            finder = self._posterior_of(chose)
            terms = self._space.terms(np.stack(self._points[told]), np.stack(self._choices[told]))
            weights = np.exp(_WIDER * finder.fit.log_weight(terms))
            results = np.array(self._results[told])
            middle, precision = _regress(terms, results, weights, self._prior, finder.fit.coefficients)
            there = self._space.terms(finder.point[None], finder.choice[None])[0]
            logit += float(there @ middle) / 2
            variance += float(there @ np.linalg.solve(precision, there)) / 4
        reach = 1.96 * math.sqrt(variance)
        return _rate(logit), _rate(logit - reach), _rate(logit + reach)

    def response(self, name: str, places: int = 41) -> list[ResponsePoint]:
        """Return the expected points along one parameter, the others being at their optimum.

        Parameters
        ----------
        name : str
            Of the parameter.
        places : int
            On the curve of a number; choices and whole numbers have no more than there are.
        """
        posterior, space = self._posterior(), self._space
        values = space.decode(posterior.point, posterior.choice)
        if name not in values:
            raise ValueError(f"no parameter is called {name!r}; there is {', '.join(values)}")
        along = [{**values, name: value} for value in self._places(name, places)]
        # The other parameters stay exactly at the optimum, between whole numbers too.
        points = np.repeat(posterior.point[None], len(along), axis=0)
        choices = np.repeat(posterior.choice[None], len(along), axis=0)
        for row, each in enumerate(along):
            point, choice = space.encode(each)
            for i, parameter in enumerate(space.numbers):
                points[row, i] = point[i] if parameter.name == name else points[row, i]
            choices[row] = choice
        rates = posterior.rates(points, choices)
        weights = np.exp(posterior.fit.log_weight(space.terms(points, choices)))
        return [
            ResponsePoint(each[name], *(float(x) for x in row))
            for each, row in zip(along, zip(*rates, weights, strict=True), strict=True)
        ]

    def _places(self, name: str, count: int) -> list[Value]:
        for parameter in self._space.choices:
            if parameter.name == name:
                return list(parameter.choices)
        index = [p.name for p in self._space.numbers].index(name)
        return list(dict.fromkeys(self._space.number(index, x) for x in np.linspace(-1, 1, count).tolist()))

    def _posterior(self) -> _Posterior:
        if not self._results:
            raise ValueError("no game has been told: nothing is known about the optimum")
        if self._known is None or len(self._known.fit.weights) < len(self._results):
            self._known = self._posterior_of(slice(None))
        return self._known

    def _posterior_of(self, rows: slice) -> _Posterior:
        rng = np.random.default_rng([self._seed, len(self._results)])
        return _Posterior(self._space, self._fit_to(rows), np.stack(self._choices[rows]), rng)


def _next_fit(count: int) -> int:
    return max(count + 1, math.ceil(count * _REFIT_GROWTH))


def _rate(logit: float) -> float:
    return 0.5 + 0.5 * math.tanh(logit / 2)


def _drawn(rng: np.random.Generator, log_weight: Floats) -> int:
    total = np.exp(log_weight - log_weight.max()).cumsum()
    return min(int(np.searchsorted(total, rng.random() * total[-1], side="right")), len(total) - 1)


class _Posterior:
    """Regressions that the games allow, drawn from the Laplace approximation, and their optima."""

    def __init__(self, space: Space, fit: _Fit, choices: Ints, rng: np.random.Generator) -> None:
        self.space = space
        self.fit = fit
        # The samples that CLOP leaves differ too little among themselves to say where the top is; with a wider
        # neighbourhood they do, and the parabola is still right enough for its interval to hold.
        middle, precision = _regress(fit.terms, fit.results, fit.weights**_WIDER, fit.prior, fit.coefficients)
        noise = rng.standard_normal((len(middle), _DRAWS))
        self.coefficients: Floats = (middle[:, None] + np.linalg.solve(np.linalg.cholesky(precision).T, noise)).T
        self.optima, self.best = self._optima(choices)
        counts = np.bincount(self.best, minlength=len(space.combinations))
        winner = int(counts.argmax())
        self.chances: Floats = counts / counts.sum()
        self.choice: Ints = space.combinations[winner]
        self.optima = self.optima[self.best == winner]
        self.point: Floats = self.optima.mean(axis=0)

    def _optima(self, choices: Ints) -> tuple[Floats, Ints]:
        """Return for each drawn regression where it is highest, and the number of the combination of choices there."""
        played = [(choices == combination).all(axis=1) for combination in self.space.combinations]
        shares = np.array([self.fit.weights[rows].sum() for rows in played])
        trusted = np.flatnonzero(shares >= _TRUSTED_SHARE * shares.max())
        found = [self._climb(self.space.combinations[k], self._box(played[k])) for k in trusted]
        highest = np.stack([height for _, height in found]).argmax(axis=0)
        points = np.stack([point for point, _ in found])
        return points[highest, np.arange(_DRAWS)], trusted[highest]

    def _box(self, rows: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the corners of the box around those of some samples that have not lost their weight."""
        weights = self.fit.weights[rows]
        points = self.fit.terms[rows, 1 : 1 + len(self.space.numbers)]
        inside = points[weights >= min(_TRUSTED_WEIGHT, weights.max())]
        low, high = inside.min(axis=0), inside.max(axis=0)
        margin = _MARGIN * (high - low) + 1e-9  # the outermost sample is not the end
        return np.maximum(low - margin, -1), np.minimum(high + margin, 1)

    def _climb(self, choice: Ints, box: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Return the highest point of each parabola in the box, by coordinate ascent, and its height."""
        constant, slope, squares = self.space.quadratic(self.coefficients, choice)
        low, high = box
        # From the best of the middle and the corners: a parabola that opens upwards has a top at each of them.
        corners = itertools.product(*zip(low, high, strict=True))
        starts = np.array([(low + high) / 2, *itertools.islice(corners, _MAX_CORNERS)])
        logits = self.space.terms(starts, np.repeat(choice[None], len(starts), axis=0)) @ self.coefficients.T
        point = starts[logits.argmax(axis=0)]
        for _ in range(30):
            for i in range(point.shape[1]):
                bend = squares[:, i, i]
                lean = slope[:, i] + 2 * ((squares[:, i] * point).sum(axis=1) - bend * point[:, i])
                top = np.clip(-lean / (2 * np.minimum(bend, -1e-12)), low[i], high[i])
                end = np.where(
                    lean * high[i] + bend * high[i] ** 2 > lean * low[i] + bend * low[i] ** 2, high[i], low[i]
                )
                point[:, i] = np.where(bend < 0, top, end)
        height = constant + (slope * point).sum(axis=1) + np.einsum("ni,nij,nj->n", point, squares, point)
        return point, height

    def rates(self, points: Floats, choices: Ints) -> tuple[Floats, Floats, Floats]:
        """Return the expected points per game at n points, with the band."""
        logits = self.space.terms(points, choices) @ self.coefficients.T
        rates = 0.5 + 0.5 * np.tanh(logits / 2)
        low, high = np.quantile(rates, (0.025, 0.975), axis=1)
        return rates.mean(axis=1), low, high

    def of_number(self, index: int, value: Value) -> ParameterOptimum:
        """Return a number's optimum with its interval; that of a whole number ends at whole numbers."""
        low, high = (float(x) for x in np.quantile(self.optima[:, index], (0.025, 0.975)))
        name = self.space.numbers[index].name
        return ParameterOptimum(
            name, value, float(self.space.number(index, low)), float(self.space.number(index, high))
        )

    def of_choice(self, index: int, value: Value) -> ParameterOptimum:
        """Return the most probable choice, and how probable each is."""
        parameter = self.space.choices[index]
        chosen = self.space.combinations[:, index]
        chances = {str(choice): float(self.chances[chosen == k].sum()) for k, choice in enumerate(parameter.choices)}
        return ParameterOptimum(parameter.name, value, chances=chances)
