"""The numbers of matches: win rates and Elo with intervals, sequential tests, ratings of a field. Pure functions.

A draw is half a win and half a loss throughout. Elo is logistic: a player who scores a share r of the points is
``400 log10(r / (1 - r))`` stronger. Two games with one opening and swapped colours are a *pair*; five counts describe
the pairs of a match, by the points that the first player took in the pair: 0, 0.5, 1, 1.5, 2.

Not here: reading games (`standings.py`) and drawing (`plots.py`). The standard library is enough for all of it, except
for Student's t and for the ratings of a field (`bradley_terry.py`), which need SciPy.

Sources: Wilson 1927; Agresti and Coull 1998 (Basaldúa, 4.28 to 4.30); Wald 1945; the generalized likelihood ratio as
fishtest documents it (Van den Bergh); Newcombe 1998; Welch 1947; equal processor time: Basaldúa, 4.8. Formulas and
measurements: docs/algorithms/ratings.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from statistics import NormalDist, fmean, stdev
from typing import Any, Literal

import msgspec

from tesuji.experiments.stats.bradley_terry import PairResult, Rating, bradley_terry
from tesuji.words import how_to_install

__all__ = [
    "ELO_PER_DOUBLING",
    "CurvePoint",
    "EloEstimate",
    "Interval",
    "PairResult",
    "Rating",
    "Sprt",
    "TestResult",
    "agresti_coull",
    "bradley_terry",
    "elo_from_games",
    "elo_from_pairs",
    "elo_of_rate",
    "equal_cpu",
    "learning_curve",
    "likelihood_of_superiority",
    "rate_of_elo",
    "score_rate",
    "standard_error",
    "student_quantile",
    "t_test",
    "t_test_of_means",
    "two_proportion_test",
    "wilson",
]

ELO_PER_DOUBLING = 70.0
"""What twice the simulations are worth, measured in Basaldúa, 4.8 (self-play on 11x11, 480 of 800 points)."""

_ELO_PER_LOGIT = 400 / math.log(10)
_NORMAL = NormalDist()
_GAME_POINTS = (0.0, 0.5, 1.0)
_PAIR_POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # per game
_EMPTY_CELL = 1e-3  # stands for a result that never happened, as in fishtest: its logarithm must exist
_PRIOR_GAMES = 1.0  # by which the spread that was seen is drawn towards that of games without draws


class Interval(msgspec.Struct, frozen=True):
    """From `low` to `high`."""

    low: float
    high: float


class EloEstimate(msgspec.Struct, frozen=True):
    """How much stronger the first player is.

    Attributes
    ----------
    elo, low, high : float
        The difference and its interval; infinite after a score of 0 or of all points (JSON writes null).
    los : float
        Likelihood of superiority, 0..1.
    games : int
        That it rests on.
    """

    elo: float
    low: float
    high: float
    los: float
    games: int


class TestResult(msgspec.Struct, frozen=True):
    """What a test of two samples says.

    Attributes
    ----------
    difference, low, high : float
        First minus second, with its interval.
    statistic : float
        z or t.
    p_value : float
        Of the hypothesis that there is no difference.
    """

    __test__ = False  # no test class: pytest asks

    difference: float
    low: float
    high: float
    statistic: float
    p_value: float


class CurvePoint(msgspec.Struct, frozen=True):
    """Games at one place of a curve, with their Wilson interval."""

    x: float
    games: int
    rate: float
    low: float
    high: float


# --- win rates --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it must lie between 0 and 1, like 0.95")
    return _NORMAL.inv_cdf(0.5 + confidence / 2)


def _check_counts(*counts: float) -> None:
    if any(not 0 <= count < math.inf for count in counts):
        raise ValueError(f"counts are {', '.join(f'{count:g}' for count in counts)}; none may be negative or infinite")


def _check_points(points: float, games: float) -> None:
    if not 0 <= points <= games < math.inf:
        raise ValueError(f"{points:g} points of {games:g} games: points must lie between 0 and the number of games")


def score_rate(wins: float, draws: float, losses: float) -> float:
    """Return the share of the points, a draw being half a point; 0.5 if no game was played."""
    _check_counts(wins, draws, losses)
    games = wins + draws + losses
    return (wins + draws / 2) / games if games else 0.5


def standard_error(points: float, games: float) -> float:
    """Return ``√(p (1 - p) / n)``: the ± of the BTT-Go paper and the UCT-DAG report; 0 at rates of 0 and 1."""
    _check_points(points, games)
    return math.sqrt(points * (games - points) / games**3) if games else math.nan


def wilson(points: float, games: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval for a win rate.

    Parameters
    ----------
    points, games : float
        Wins plus half the draws, and games. Draws make the true spread smaller: the interval is then too wide, never
        too narrow; `elo_from_games` takes them into account.
    confidence : float
        0.95: the true rate lies within in 95 of 100 matches.
    """
    _check_points(points, games)
    z2 = _quantile(confidence) ** 2
    if games == 0:
        return Interval(0.0, 1.0)
    middle = (points + z2 / 2) / (games + z2)
    reach = math.sqrt(z2 * (points * (games - points) / games + z2 / 4)) / (games + z2)
    return Interval(
        0.0 if points == 0 else max(0.0, middle - reach), 1.0 if points == games else min(1.0, middle + reach)
    )


def agresti_coull(points: float, games: float, confidence: float = 0.95) -> Interval:
    """Return the interval of Agresti and Coull: Wilson's middle, a little wider. Basaldúa uses it (4.28 to 4.30)."""
    _check_points(points, games)
    z = _quantile(confidence)
    virtual = games + z * z
    middle = (points + z * z / 2) / virtual
    reach = z * math.sqrt(middle * (1 - middle) / virtual)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


# --- Elo differences --------------------------------------------------------------------------------------------------


def elo_of_rate(rate: float) -> float:
    """Return the Elo difference at which a player scores this share of the points; infinite at 0 and 1."""
    if not 0 <= rate <= 1:
        raise ValueError(f"rate is {rate}; it must lie between 0 and 1")
    if rate in (0, 1):
        return math.inf if rate else -math.inf
    return _ELO_PER_LOGIT * math.log(rate / (1 - rate))


def rate_of_elo(elo: float) -> float:
    """Return the share of the points that a player scores who is this much stronger."""
    return 0.5 + 0.5 * math.tanh(elo / (2 * _ELO_PER_LOGIT))


def likelihood_of_superiority(wins: float, draws: float, losses: float) -> float:
    """Return how likely the first player is the stronger one: ``Φ((W - L) / √(W + L))``. Draws say nothing about it."""
    _check_counts(wins, draws, losses)
    return _superiority((losses, draws, wins), _GAME_POINTS)


def _superiority(counts: Sequence[float], points: Sequence[float]) -> float:
    lead = sum(count * (value - 0.5) for count, value in zip(counts, points, strict=True))
    square = sum(count * (value - 0.5) ** 2 for count, value in zip(counts, points, strict=True))
    return _NORMAL.cdf(lead / math.sqrt(square)) if square else 0.5


def elo_from_games(wins: int, draws: int, losses: int, confidence: float = 0.95) -> EloEstimate:
    """Estimate the Elo difference of two players from single games.

    The interval is Wilson's for the number of games without draws that would tell as much.
    """
    _check_counts(wins, draws, losses)
    return _estimate((losses, draws, wins), _GAME_POINTS, 1, confidence)


def elo_from_pairs(counts: Sequence[int], confidence: float = 0.95) -> EloEstimate:
    """Estimate the Elo difference of two players from pairs of games with one opening and swapped colours.

    An opening that favours a colour makes the two results of a pair depend on each other; the spread of whole pairs
    takes that into account, in either direction.

    Parameters
    ----------
    counts : sequence of 5 int
        Pairs in which the first player took 0, 0.5, 1, 1.5 and 2 points.
    confidence : float
        Of the interval.
    """
    return _estimate(_five(counts), _PAIR_POINTS, 2, confidence)


def _five(counts: Sequence[float]) -> Sequence[float]:
    if len(counts) != 5:
        raise ValueError(f"{len(counts)} pair counts; give five, for 0, 0.5, 1, 1.5 and 2 points of a pair")
    _check_counts(*counts)
    return counts


def _estimate(counts: Sequence[float], points: Sequence[float], size: int, confidence: float) -> EloEstimate:
    trials = sum(counts)
    if trials == 0:
        return EloEstimate(0.0, -math.inf, math.inf, 0.5, 0)
    rate = sum(count * value for count, value in zip(counts, points, strict=True)) / trials
    equal_games = size * trials / _spread_ratio(counts, points, size, rate)
    interval = wilson(rate * equal_games, equal_games, confidence)
    return EloEstimate(
        elo_of_rate(rate),
        elo_of_rate(interval.low),
        elo_of_rate(interval.high),
        _superiority(counts, points),
        round(size * trials),
    )


def _spread_ratio(counts: Sequence[float], points: Sequence[float], size: int, rate: float) -> float:
    """Return the variance of the mean over that of as many independent games without draws, drawn towards 1."""
    trials = sum(counts)
    seen = sum(count * (value - rate) ** 2 for count, value in zip(counts, points, strict=True))
    if size > 1 and trials > 1:
        seen *= trials / (trials - 1)
    expected = trials * rate * (1 - rate) / size
    prior = _PRIOR_GAMES / 4 / size
    return (seen + prior) / (expected + prior)


def equal_cpu(
    measured: EloEstimate,
    time_ratio: float,
    per_doubling: EloEstimate | None = None,
    confidence: float = 0.95,
) -> EloEstimate:
    """Correct a gain at equal simulations to one at equal processor time (Basaldúa, 4.8).

    The other player could have used the extra time for more simulations: ``elo - d log2(time_ratio)``.

    Parameters
    ----------
    measured : EloEstimate
        Of a match at equal simulations.
    time_ratio : float
        The first player's time over the second's.
    per_doubling : EloEstimate, optional
        d, what twice the simulations are worth to the second player; its uncertainty is added. `ELO_PER_DOUBLING`
        without uncertainty if not given. Measured in self-play it corrects too much.
    confidence : float
        Of the intervals.
    """
    if not 0 < time_ratio < math.inf:
        raise ValueError(f"time ratio is {time_ratio}; it must be positive: the first player's time over the second's")
    gain = per_doubling or EloEstimate(ELO_PER_DOUBLING, ELO_PER_DOUBLING, ELO_PER_DOUBLING, 1.0, 0)
    doublings = math.log2(time_ratio)
    elo = measured.elo - doublings * gain.elo
    up, down = gain.high - gain.elo, gain.elo - gain.low
    if doublings < 0:
        up, down = down, up
    low = elo - math.hypot(measured.elo - measured.low, doublings * up)
    high = elo + math.hypot(measured.high - measured.elo, doublings * down)
    deviation = (high - low) / 2 / _quantile(confidence)
    los = _NORMAL.cdf(elo / deviation) if 0 < deviation < math.inf else measured.los
    return EloEstimate(elo, low, high, los, measured.games)


# --- sequential tests -------------------------------------------------------------------------------------------------


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential probability ratio test: play until one hypothesis is refuted.

    Attributes
    ----------
    elo0, elo1 : float
        H0 says that the first player is `elo0` stronger (logistic Elo), H1 that it is `elo1` stronger.
    alpha, beta : float
        How often H1 is accepted although H0 is true, and H0 although H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"SPRT of elo0 {self.elo0:g} and elo1 {self.elo1:g}: elo0 must be the smaller one")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ValueError(f"{name} is {error:g}; an error rate lies between 0 and 0.5, like 0.05")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr_of_games(self, wins: int, draws: int, losses: int) -> float:
        """Return the log-likelihood ratio of H1 to H0 after single games with independent results."""
        _check_counts(wins, draws, losses)
        return self._llr((losses, draws, wins), _GAME_POINTS)

    def llr_of_pairs(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0 after pairs of games, whatever binds the games of a pair."""
        return self._llr(_five(counts), _PAIR_POINTS)

    def verdict(self, llr: float) -> Literal["H0", "H1"] | None:
        """Return the hypothesis that is accepted; None: play on."""
        lower, upper = self.bounds
        return "H0" if llr <= lower else "H1" if llr >= upper else None

    def _llr(self, counts: Sequence[float], points: Sequence[float]) -> float:
        if not any(counts):
            return 0.0
        cells = [(count or _EMPTY_CELL, value) for count, value in zip(counts, points, strict=True)]
        rate0, rate1 = rate_of_elo(self.elo0), rate_of_elo(self.elo1)
        x0, x1 = _tilt(cells, rate0), _tilt(cells, rate1)
        # Under a hypothesis cell i has probability p_i / (1 + x (a_i - s)); the p_i cancel in the ratio.
        return sum(n * (math.log1p(x0 * (a - rate0)) - math.log1p(x1 * (a - rate1))) for n, a in cells)


def _tilt(cells: Sequence[tuple[float, float]], mean: float) -> float:
    """Return x with ``Σ n_i (a_i - s) / (1 + x (a_i - s)) = 0``: the likeliest distribution whose mean is s.

    The sum falls from +∞ to -∞ between the poles of the outermost cells: Newton's steps, halved where they leave.
    """
    low, high = -1 / (cells[-1][1] - mean), 1 / (mean - cells[0][1])
    x = 0.0
    for _ in range(100):
        value = slope = 0.0
        for count, point in cells:
            term = (point - mean) / (1 + x * (point - mean))
            value += count * term
            slope += count * term * term
        low, high = (x, high) if value > 0 else (low, x)
        step = x + value / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) < 1e-12 * (1 + abs(x)):
            break
        x = step
    return x


# --- tests of two samples ---------------------------------------------------------------------------------------------

Alternative = Literal["two-sided", "greater", "less"]


def _p_value(below: float, above: float, alternative: Alternative) -> float:
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"alternative is {alternative!r}; it is 'two-sided', 'greater' (the first is) or 'less'")
    return {"two-sided": min(1.0, 2 * min(below, above)), "greater": above, "less": below}[alternative]


def two_proportion_test(
    points1: float,
    games1: float,
    points2: float,
    games2: float,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Compare two win rates, for instance of two versions against one opponent (Basaldúa, table 4.10).

    z of the pooled rate; the interval of the difference is Newcombe's, made of two Wilson intervals.
    """
    _check_points(points1, games1)
    _check_points(points2, games2)
    if not games1 or not games2:
        raise ValueError(f"{games1:g} and {games2:g} games: a comparison needs games on both sides")
    rate1, rate2 = points1 / games1, points2 / games2
    pooled = (points1 + points2) / (games1 + games2)
    deviation = math.sqrt(pooled * (1 - pooled) * (1 / games1 + 1 / games2))
    z = (rate1 - rate2) / deviation if deviation else 0.0
    one, two = wilson(points1, games1, confidence), wilson(points2, games2, confidence)
    difference = rate1 - rate2
    return TestResult(
        difference,
        difference - math.hypot(rate1 - one.low, two.high - rate2),
        difference + math.hypot(one.high - rate1, rate2 - two.low),
        z,
        _p_value(_NORMAL.cdf(z), _NORMAL.cdf(-z), alternative),
    )


def t_test(
    first: Sequence[float],
    second: Sequence[float],
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Compare the means of two independent samples (Welch: their spreads may differ)."""
    if len(first) < 2 or len(second) < 2:
        raise ValueError(f"{len(first)} and {len(second)} values: a t test needs two or more on both sides")
    ours, theirs = (fmean(first), stdev(first), len(first)), (fmean(second), stdev(second), len(second))
    return t_test_of_means(ours, theirs, alternative, confidence)


def t_test_of_means(
    first: tuple[float, float, int],
    second: tuple[float, float, int],
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Compare two samples of which mean, standard deviation and size are published, as in Basaldúa, 5.8."""
    (mean1, sd1, n1), (mean2, sd2, n2) = first, second
    if min(n1, n2) < 2 or min(sd1, sd2) < 0:
        raise ValueError(f"samples {first} and {second}: give mean, standard deviation and a size of 2 or more")
    square1, square2 = sd1**2 / n1, sd2**2 / n2
    error = math.sqrt(square1 + square2)
    difference = mean1 - mean2
    if error == 0:
        t = math.copysign(math.inf, difference) if difference else 0.0
        below = 0.5 + 0.5 * (t > 0) - 0.5 * (t < 0)
        return TestResult(difference, difference, difference, t, _p_value(below, 1 - below, alternative))
    freedom = (square1 + square2) ** 2 / (square1**2 / (n1 - 1) + square2**2 / (n2 - 1))
    t = difference / error
    reach = student_quantile(0.5 + confidence / 2, freedom) * error
    stdtr = _special().stdtr
    p = _p_value(float(stdtr(freedom, t)), float(stdtr(freedom, -t)), alternative)
    return TestResult(difference, difference - reach, difference + reach, t, p)


def student_quantile(share: float, freedom: float) -> float:
    """Return the t below which Student's variable lies with probability `share`."""
    return float(_special().stdtrit(freedom, share))


def _special() -> Any:
    try:
        from scipy import special
    except ImportError as error:
        raise ImportError(f"Student's t needs SciPy: {how_to_install('lab')}") from error
    return special


# --- curves -----------------------------------------------------------------------------------------------------------


def learning_curve(
    results: Iterable[tuple[float, float]], bins: int | None = None, confidence: float = 0.95
) -> list[CurvePoint]:
    """Return the win rate along a quantity: simulations, training steps, the number of the game.

    Parameters
    ----------
    results : iterable of (x, points)
        One for each game; points are 0, 0.5 or 1.
    bins : int, optional
        Group games that are neighbours in x into so many groups of equal size, each placed at its mean x. If not given,
        a group for each x there is.
    confidence : float
        Of the Wilson intervals.
    """
    ordered = sorted(results)
    if bins is None:
        groups = [list(group) for _, group in groupby(ordered, key=lambda result: result[0])]
    elif bins < 1:
        raise ValueError(f"bins is {bins}; it must be 1 or more")
    else:
        edges = [round(k * len(ordered) / bins) for k in range(bins + 1)]
        groups = [ordered[a:b] for a, b in pairwise(edges) if a < b]
    return [_curve_point(group, confidence) for group in groups]


def _curve_point(group: Sequence[tuple[float, float]], confidence: float) -> CurvePoint:
    points = sum(result for _, result in group)
    interval = wilson(points, len(group), confidence)
    return CurvePoint(fmean(x for x, _ in group), len(group), points / len(group), interval.low, interval.high)
