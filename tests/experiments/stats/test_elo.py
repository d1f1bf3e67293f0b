"""The statistics: exact cases, published numbers, and by simulation what they promise."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tesuji.experiments.stats.elo import (
    EloEstimate,
    PairResult,
    Sprt,
    agresti_coull,
    bradley_terry,
    elo_from_games,
    elo_from_pairs,
    elo_of_rate,
    equal_cpu,
    learning_curve,
    likelihood_of_superiority,
    rate_of_elo,
    score_rate,
    standard_error,
    student_quantile,
    t_test,
    t_test_of_means,
    two_proportion_test,
    wilson,
)

RATES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
SIZES = [100, 200, 500]
LOGIT = 400 / math.log(10)

Counts = NDArray[np.int64]


# --- simulated matches ------------------------------------------------------------------------------------------------


def simulate_games(rng: np.random.Generator, rate: float, drawn: float, games: int, matches: int) -> Counts:
    """Losses, draws and wins of independent games; `drawn` is the share of draws where the rate allows it."""
    drawn = min(drawn, 1.8 * min(rate, 1 - rate))
    return rng.multinomial(games, [1 - rate - drawn / 2, drawn, rate - drawn / 2], size=matches)


def pair_points(rng: np.random.Generator, rate: float, bias: float, drawn: float, shape: Any) -> Counts:
    """Twice the points of pairs whose opening favours Black by a normal amount of this many logits."""
    nodes = np.linspace(-4, 4, 2001)
    density = np.exp(-(nodes**2) / 2)
    low, high = -15.0, 15.0
    while high - low > 1e-10:  # the strength at which the openings' mean is the rate that is asked for
        middle = (low + high) / 2
        mean = np.average(1 / (1 + np.exp(-(middle + bias * nodes))), weights=density)
        low, high = (middle, high) if mean < rate else (low, middle)
    opening = rng.normal(0, bias, shape)
    points = np.zeros(shape, dtype=np.int64)
    for colour in (1, -1):
        chance = 1 / (1 + np.exp(-(low + colour * opening)))
        draw = drawn * 2 * np.minimum(chance, 1 - chance)
        luck = rng.random(shape)
        points += np.where(luck < chance - draw / 2, 2, np.where(luck < chance + draw / 2, 1, 0))
    return points


def simulate_pairs(
    rng: np.random.Generator, rate: float, bias: float, drawn: float, pairs: int, matches: int
) -> Counts:
    points = pair_points(rng, rate, bias, drawn, (matches, pairs))
    return np.stack([(points == k).sum(1) for k in range(5)], 1)


def share_covered(interval: Callable[[list[int]], Any], truth: float, matches: Counts) -> float:
    """How often the interval of a match contains the truth; equal matches are judged once."""
    rows, times = np.unique(matches, axis=0, return_counts=True)
    found = [interval(row) for row in rows.tolist()]
    return float(np.average([each.low <= truth <= each.high for each in found], weights=times))


# --- win rates --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", [wilson, agresti_coull])
def test_intervals_of_a_rate__cover_95_percent(interval: Callable[[float, float], Any]) -> None:
    rng = np.random.default_rng(1)
    covered = [
        share_covered(lambda row, n=n: interval(row[0], n), rate, rng.binomial(n, rate, 10_000)[:, None])
        for rate in RATES
        for n in SIZES
    ]
    assert 0.94 < np.mean(covered) < 0.965


def test_wilson__matches_a_computed_example() -> None:
    interval = wilson(10, 20)  # (p + z²/2n ± z √(p q / n + z²/4n²)) / (1 + z²/n), by hand
    assert (interval.low, interval.high) == pytest.approx((0.299298, 0.700702), abs=1e-6)


def test_wilson__ends_at_0_and_1() -> None:
    assert wilson(0, 50).low == 0.0
    assert wilson(0, 50).high == pytest.approx(0.0713, abs=1e-4)
    assert wilson(50, 50).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


def test_wilson__a_draw_is_half_a_point() -> None:
    assert wilson(10.5, 20).low > wilson(10, 20).low
    assert score_rate(3, 4, 1) == 0.625
    assert score_rate(0, 0, 0) == 0.5


def test_agresti_coull__contains_wilson() -> None:
    for points in range(0, 31, 5):
        outer, inner = agresti_coull(points, 30), wilson(points, 30)
        assert outer.low <= inner.low + 1e-12
        assert outer.high >= inner.high - 1e-12


@pytest.mark.parametrize(("wins", "games", "published"), [(14, 15, 6.4), (13, 15, 8.8), (9, 15, 12.6), (22, 50, 7.0)])
def test_standard_error__is_what_seed_000_prints(wins: int, games: int, published: float) -> None:
    assert 100 * standard_error(wins, games) == pytest.approx(published, abs=0.06)


@pytest.mark.parametrize("bad", [(-1, 10), (11, 10), (math.nan, 10), (0, math.inf)])
def test_rates__refuse_impossible_points(bad: tuple[float, float]) -> None:
    for function in (wilson, agresti_coull, standard_error):
        with pytest.raises(ValueError, match="points must lie between 0 and the number of games"):
            function(*bad)


def test_rates__refuse_bad_confidence_and_counts() -> None:
    with pytest.raises(ValueError, match="confidence is 95; it must lie between 0 and 1"):
        wilson(1, 2, confidence=95)
    with pytest.raises(ValueError, match="none may be negative"):
        score_rate(-1, 0, 3)


# --- Elo --------------------------------------------------------------------------------------------------------------


def test_elo__of_rates_and_back() -> None:
    assert elo_of_rate(10 / 11) == pytest.approx(400)
    assert elo_of_rate(0.5) == 0
    assert (elo_of_rate(0), elo_of_rate(1)) == (-math.inf, math.inf)
    assert rate_of_elo(elo_of_rate(0.731)) == pytest.approx(0.731)
    assert (rate_of_elo(math.inf), rate_of_elo(-1e9)) == (1, 0)
    with pytest.raises(ValueError, match="rate is 1.2"):
        elo_of_rate(1.2)


@pytest.mark.parametrize("drawn", [0, 0.05, 0.4, 0.8])
def test_elo_from_games__covers_95_percent(drawn: float) -> None:
    rng = np.random.default_rng(2)
    covered = [
        share_covered(
            lambda row: elo_from_games(row[2], row[1], row[0]),
            elo_of_rate(rate),
            simulate_games(rng, rate, drawn, games, 2000),
        )
        for rate in RATES
        for games in SIZES
    ]
    assert 0.94 < np.mean(covered) < 0.965


@pytest.mark.parametrize(("bias", "drawn"), [(0, 0), (1.5, 0), (4, 0), (2, 0.4)])
def test_elo_from_pairs__covers_95_percent_whatever_binds_the_games(bias: float, drawn: float) -> None:
    rng = np.random.default_rng(3)
    covered = [
        share_covered(elo_from_pairs, elo_of_rate(rate), simulate_pairs(rng, rate, bias, drawn, games // 2, 1000))
        for rate in RATES
        for games in (100, 300)
    ]
    assert 0.94 < np.mean(covered) < 0.965


def test_elo_from_pairs__biased_openings_make_pairs_tell_more_than_games() -> None:
    pairs, games = elo_from_pairs([5, 0, 85, 0, 10]), elo_from_games(105, 0, 95)
    assert pairs.elo == pytest.approx(games.elo)
    assert pairs.high - pairs.low < 0.6 * (games.high - games.low)
    assert pairs.los > games.los


def test_elo_from_games__without_draws_is_wilson() -> None:
    found, interval = elo_from_games(30, 0, 12), wilson(30, 42)
    assert (found.low, found.high) == pytest.approx((elo_of_rate(interval.low), elo_of_rate(interval.high)))
    assert found.games == 42


def test_elo__extreme_scores_keep_one_end_finite() -> None:
    assert elo_from_games(0, 0, 0) == EloEstimate(0, -math.inf, math.inf, 0.5, 0)
    for found in (elo_from_games(20, 0, 0), elo_from_pairs([0, 0, 0, 0, 10])):
        assert found.elo == found.high == math.inf
        assert 200 < found.low < 400
        assert found.games == 20
    drawn = elo_from_games(0, 100, 0)
    assert drawn.elo == 0
    assert -10 < drawn.low < -3  # a hundred draws say much, but not everything


def test_likelihood_of_superiority__ignores_draws_and_mirrors() -> None:
    assert likelihood_of_superiority(20, 0, 10) == pytest.approx(0.966, abs=1e-3)  # Φ(10 / √30)
    assert likelihood_of_superiority(20, 500, 10) == likelihood_of_superiority(20, 0, 10)
    assert likelihood_of_superiority(10, 0, 20) == pytest.approx(1 - likelihood_of_superiority(20, 0, 10))
    assert likelihood_of_superiority(0, 9, 0) == 0.5


@pytest.mark.parametrize(
    ("wins", "games", "elo", "low", "high", "factor", "corrected"),
    [
        (663, 1000, 117.6, 94.7, 140.4, 1.38, 85.1),
        (147, 200, 177.2, 122.3, 232.3, 1.57, 131.6),
        (148, 200, 181.7, 126.5, 237.2, 1.58, 135.5),
        (685, 1000, 135.0, 111.7, 158.2, 1.39, 101.7),
        (382, 600, 97.4, 68.5, 126.4, 1.51, 55.8),
    ],
)
def test_elo_and_equal_cpu__are_those_of_basalduas_table_4_9(
    wins: int, games: int, elo: float, low: float, high: float, factor: float, corrected: float
) -> None:
    found, interval = elo_from_games(wins, 0, games - wins), agresti_coull(wins, games)
    assert found.elo == pytest.approx(elo, abs=0.06)
    assert (elo_of_rate(interval.low), elo_of_rate(interval.high)) == pytest.approx((low, high), abs=0.7)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.9)
    assert equal_cpu(found, factor).elo == pytest.approx(corrected, abs=0.12)


def test_equal_cpu__adds_the_uncertainty_of_the_correction() -> None:
    measured, doubling = elo_from_games(663, 0, 337), elo_from_games(480, 0, 320)
    plain, careful = equal_cpu(measured, 1.38), equal_cpu(measured, 1.38, doubling)
    assert careful.high - careful.low > plain.high - plain.low
    assert careful.los < measured.los
    faster = equal_cpu(measured, 0.5)
    assert faster.elo == pytest.approx(measured.elo + 70)
    assert equal_cpu(measured, 1).low == pytest.approx(measured.low)
    with pytest.raises(ValueError, match="time ratio is 0"):
        equal_cpu(measured, 0)


# --- SPRT -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "published"),
    [  # from the descriptions of Stockfish's pull requests 2493, 2971, 3098 and 3209 (fishtest, logistic Elo)
        (-1.00, 3.00, (424, 2948, 5832, 3045, 460), 2.94),
        (0.00, 2.00, (1284, 17437, 55536, 18085, 1292), 2.94),
        (-0.50, 1.50, (17, 253, 1042, 337, 39), 2.96),
        (0.25, 1.75, (11, 407, 3238, 513, 11), 2.93),
        (-0.25, 1.25, (491, 7345, 29693, 7670, 465), 2.96),
        (0.25, 1.25, (53, 2220, 21459, 2445, 47), 2.97),
        (-0.25, 1.25, (253, 4282, 17604, 4431, 286), 2.94),
        (0.25, 1.25, (58, 3302, 33130, 3518, 84), 2.97),
    ],
)
def test_sprt__llr_of_pairs_is_fishtests(elo0: float, elo1: float, counts: Sequence[int], published: float) -> None:
    assert Sprt(elo0=elo0, elo1=elo1).llr_of_pairs(counts) == pytest.approx(published, abs=0.0051)


def test_sprt__llr_of_games_without_draws_is_the_binomial_one() -> None:
    p0, p1 = rate_of_elo(-20), rate_of_elo(35)
    exact = 70 * math.log(p1 / p0) + 50 * math.log((1 - p1) / (1 - p0))
    assert Sprt(elo0=-20, elo1=35).llr_of_games(70, 0, 50) == pytest.approx(exact, abs=1e-3)


def test_sprt__llr_is_a_maximum_over_all_distributions_of_the_mean() -> None:
    from scipy.optimize import minimize

    counts, points = np.array([3, 7, 30, 12, 8]), np.linspace(0, 1, 5)

    def likelihood(mean: float) -> float:
        found = minimize(
            lambda p: -(counts * np.log(p)).sum(),
            np.full(5, 0.2),
            bounds=[(1e-6, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ points - mean},
            ],
            options={"ftol": 1e-12, "maxiter": 1000},
        )
        return -float(found.fun)

    expected = likelihood(rate_of_elo(60)) - likelihood(rate_of_elo(-10))
    assert Sprt(elo0=-10, elo1=60).llr_of_pairs(counts.tolist()) == pytest.approx(expected, abs=1e-4)


def test_sprt__bounds_verdicts_and_no_games() -> None:
    test = Sprt(elo0=0, elo1=10)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert [test.verdict(llr) for llr in (-3, -2.9, 0, 2.9, 3)] == ["H0", None, None, None, "H1"]
    assert test.llr_of_games(0, 0, 0) == test.llr_of_pairs([0] * 5) == 0
    assert Sprt(elo0=0, elo1=10, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_sprt__one_sided_scores_stay_finite() -> None:
    test = Sprt(elo0=0, elo1=50)
    assert test.llr_of_pairs([0, 0, 0, 0, 40]) == pytest.approx(40 * math.log(2 * rate_of_elo(50)), rel=1e-3)
    assert test.llr_of_games(0, 0, 1000) < -100
    assert test.llr_of_pairs([0, 0, 500, 0, 0]) < -10  # the openings decide everything: not 50 Elo stronger


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 must be the smaller"),
        ({"elo0": 0, "elo1": math.inf}, "elo0 must be the smaller"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha is 0"),
        ({"elo0": 0, "elo1": 5, "beta": 0.7}, "beta is 0.7"),
    ],
)
def test_sprt__refuses_impossible_hypotheses(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(**options)


def test_sprt__wants_five_pair_counts() -> None:
    with pytest.raises(ValueError, match="3 pair counts; give five"):
        Sprt(elo0=0, elo1=5).llr_of_pairs([1, 2, 3])


def share_accepting_h1(test: Sprt, results: Counts, llr: Callable[[tuple[int, ...]], float]) -> float:
    """Play each row of results (cell numbers) until a verdict."""
    cells = int(results.max()) + 1
    accepted = 0
    for row in results.tolist():
        counts = [0] * cells
        for result in row:
            counts[result] += 1
            if verdict := test.verdict(llr(tuple(counts))):
                break
        else:
            raise AssertionError("no verdict")
        accepted += verdict == "H1"
    return accepted / len(results)


def errors_on_games(test: Sprt, drawn: float, runs: int) -> tuple[float, float]:
    rng = np.random.default_rng(4)
    llr = lru_cache(maxsize=None)(lambda counts: test.llr_of_games(counts[2], counts[1], counts[0]))

    def play(elo: float) -> float:
        rate = rate_of_elo(elo)
        games = rng.choice(3, size=(runs, 2000), p=[1 - rate - drawn / 2, drawn, rate - drawn / 2])
        return share_accepting_h1(test, games, llr)

    return play(test.elo0), 1 - play(test.elo1)


def errors_on_pairs(test: Sprt, bias: float, drawn: float, runs: int) -> tuple[float, float]:
    rng = np.random.default_rng(5)
    llr = lru_cache(maxsize=None)(test.llr_of_pairs)

    def play(elo: float) -> float:
        return share_accepting_h1(test, pair_points(rng, rate_of_elo(elo), bias, drawn, (runs, 1200)), llr)

    return play(test.elo0), 1 - play(test.elo1)


@pytest.mark.parametrize("drawn", [0, 0.3])
def test_sprt__on_games_errs_as_advertised(drawn: float) -> None:
    alpha, beta = errors_on_games(Sprt(elo0=0, elo1=100), drawn, 2000)
    assert 0.02 < alpha < 0.06  # 0.05 with a standard error of 0.005; overshoot makes it a little less
    assert 0.02 < beta < 0.06


@pytest.mark.parametrize(("bias", "drawn"), [(0, 0), (1.5, 0.3)])
def test_sprt__on_pairs_errs_as_advertised(bias: float, drawn: float) -> None:
    alpha, beta = errors_on_pairs(Sprt(elo0=0, elo1=100), bias, drawn, 1500)
    assert 0.02 < alpha < 0.06
    assert 0.02 < beta < 0.06


@pytest.mark.slow
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 60), (-50, 50), (0, 200)])
@pytest.mark.parametrize(("bias", "drawn"), [(0, 0), (1.5, 0), (4, 0), (2, 0.4)])
def test_sprt__errs_as_advertised_on_4000_matches(elo0: float, elo1: float, bias: float, drawn: float) -> None:
    test = Sprt(elo0=elo0, elo1=elo1)
    for errors in (errors_on_games(test, drawn, 4000), errors_on_pairs(test, bias, drawn, 4000)):
        print(elo0, elo1, bias, drawn, errors)
        assert max(errors) < 0.06


def test_sprt__plain_test_on_correlated_pairs_wastes_games() -> None:
    # What the pairs are for: the games of a pair cancel the opening, and the plain test does not know it.
    counts = (6, 0, 80, 0, 14)
    test = Sprt(elo0=0, elo1=40)
    assert test.llr_of_pairs(counts) > 2 * test.llr_of_games(108, 0, 92) > 0


# --- Bradley-Terry ----------------------------------------------------------------------------------------------------


def test_bradley_terry__two_players_have_a_closed_form() -> None:
    strong, weak = bradley_terry([PairResult("weak", "strong", 10, 4, 26)], prior_draws=0)
    assert (strong.name, weak.name) == ("strong", "weak")
    assert strong.elo - weak.elo == pytest.approx(elo_of_rate(28 / 40))
    assert strong.elo + weak.elo == pytest.approx(0)
    assert (strong.games, strong.points, weak.points) == (40, 28, 12)
    deviation = math.sqrt(40 * 0.3 * 0.7 - 4 / 4) / (40 * 0.3 * 0.7)  # of the log-odds, a quarter less for each draw
    assert strong.high - strong.elo == pytest.approx(1.959964 * deviation * LOGIT / 2)


def test_bradley_terry__a_prior_draw_is_half_a_win_for_each() -> None:
    strong, weak = bradley_terry([PairResult("a", "b", 30, 0, 10)], prior_draws=1)
    assert strong.elo - weak.elo == pytest.approx(elo_of_rate(30.5 / 41))


def test_bradley_terry__recovers_a_transitive_field_exactly() -> None:
    # Odds 2 : 1 between neighbours, hence 4 : 1 between the first and the third.
    games = [PairResult("a", "b", 20, 0, 10), PairResult("b", "c", 20, 0, 10), PairResult("a", "c", 24, 0, 6)]
    elo = {rating.name: rating.elo for rating in bradley_terry(games, prior_draws=0)}
    assert elo == pytest.approx({"a": LOGIT * math.log(2), "b": 0, "c": -LOGIT * math.log(2)}, abs=1e-4)


def test_bradley_terry__agrees_with_the_published_fit_of_stiglers_journals() -> None:
    # Turner and Firth, "Bradley-Terry Models in R: The BradleyTerry2 Package", section 2: estimates, standard errors.
    published = {"Biometrika": (0, 0), "JRSS-B": (0.26895, 0.07083), "JASA": (-0.47957, 0.06059)}
    published["Comm Statist"] = (-2.94907, 0.10255)
    citations = [
        PairResult("Biometrika", "Comm Statist", 730, 0, 33),
        PairResult("Biometrika", "JASA", 498, 0, 320),
        PairResult("Biometrika", "JRSS-B", 221, 0, 284),
        PairResult("Comm Statist", "JASA", 68, 0, 813),
        PairResult("Comm Statist", "JRSS-B", 17, 0, 276),
        PairResult("JASA", "JRSS-B", 142, 0, 325),
    ]
    ratings = bradley_terry(citations, anchors={"Biometrika": 0}, prior_draws=0)
    assert [rating.name for rating in ratings] == ["JRSS-B", "Biometrika", "JASA", "Comm Statist"]
    for rating in ratings:
        estimate, error = published[rating.name]
        assert rating.elo / LOGIT == pytest.approx(estimate, abs=1e-5)
        assert (rating.high - rating.elo) / LOGIT / 1.959964 == pytest.approx(error, abs=1e-5)


def test_bradley_terry__anchors_stay_where_they_are() -> None:
    games = [PairResult("a", "b", 30, 5, 15), PairResult("b", "c", 20, 5, 25)]
    free = {rating.name: rating for rating in bradley_terry(games)}
    held = {rating.name: rating for rating in bradley_terry(games, anchors={"b": 1500})}
    assert (held["b"].elo, held["b"].low, held["b"].high) == pytest.approx((1500, 1500, 1500))
    assert held["a"].elo - 1500 == pytest.approx(free["a"].elo - free["b"].elo, abs=1e-4)
    both = {rating.name: rating for rating in bradley_terry(games, anchors={"a": 1500, "c": 1500})}
    assert both["a"].elo == both["c"].elo == 1500
    assert 1420 < both["b"].elo < 1500


def test_bradley_terry__adds_up_what_belongs_together() -> None:
    whole = bradley_terry([PairResult("a", "b", 7, 2, 3)])
    parts = bradley_terry([PairResult("a", "b", 4, 2, 0), PairResult("b", "a", 3, 0, 3), PairResult("a", "b", 0, 0, 0)])
    for one, other in zip(whole, parts, strict=True):
        assert (one.name, one.games, one.points) == (other.name, other.games, other.points)
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high), abs=1e-4)


def test_bradley_terry__who_won_everything_is_finite_with_a_prior_and_refused_without() -> None:
    games = [PairResult("a", "b", 50, 0, 0), PairResult("b", "c", 20, 0, 30)]
    best = bradley_terry(games)[0]
    assert best.name == "a"
    assert 500 < best.elo < 1200
    assert best.high - best.low > 500
    with pytest.raises(ValueError, match="won or lost everything .* need prior_draws"):
        bradley_terry(games, prior_draws=0)


def test_bradley_terry__refuses_a_field_that_games_do_not_connect() -> None:
    games = [PairResult("a", "b", 5, 0, 5), PairResult("c", "d", 9, 0, 1), PairResult("d", "e", 0, 0, 0)]
    with pytest.raises(ValueError, match="no games connect a, b with the other players"):
        bradley_terry(games)
    with pytest.raises(ValueError, match="no games connect e with"):
        bradley_terry(games, anchors={"a": 0, "c": 0})
    assert len(bradley_terry(games[:2], anchors={"a": 0, "c": 0})) == 4


def test_bradley_terry__bad_input() -> None:
    assert bradley_terry([]) == []
    with pytest.raises(ValueError, match="anchor x has no games; the players are a, b"):
        bradley_terry([PairResult("a", "b", 1, 0, 1)], anchors={"x": 0})
    with pytest.raises(ValueError, match="a has games against itself"):
        bradley_terry([PairResult("a", "a", 1, 0, 1)])
    with pytest.raises(ValueError, match="no count may be negative"):
        bradley_terry([PairResult("a", "b", 1, 0, -1)])


@pytest.mark.parametrize("drawn", [0, 0.5])
@pytest.mark.parametrize(("players", "games"), [(2, 100), (4, 50), (8, 15)])
def test_bradley_terry__covers_95_percent(players: int, games: int, drawn: float) -> None:
    rng = np.random.default_rng(6)
    covered = []
    for run in range(3000 // players):
        truth = rng.uniform(-190, 190, players)  # win rates from 0.1 to 0.9
        results = []
        for i in range(players):
            for j in range(i):
                losses, draws, wins = simulate_games(rng, rate_of_elo(truth[i] - truth[j]), drawn, games, 1)[0].tolist()
                results.append(PairResult(str(i), str(j), wins, draws, losses))
        anchors = {"0": truth[0]} if run % 2 else {}
        truth -= 0 if anchors else truth.mean()
        ratings = [rating for rating in bradley_terry(results, anchors) if rating.name not in anchors]
        covered += [rating.low <= truth[int(rating.name)] <= rating.high for rating in ratings]
    assert 0.94 < np.mean(covered) < 0.965


# --- tests of two samples, curves -------------------------------------------------------------------------------------


def test_two_proportion_test__on_basalduas_table_4_10() -> None:
    found = two_proportion_test(114, 300, 68, 300, "greater")
    assert found.difference == pytest.approx(0.153, abs=5e-4)
    assert found.statistic == pytest.approx(4.086, abs=1e-3)
    assert found.p_value == pytest.approx(2.2e-5, abs=1e-6)
    assert 0.07 < found.low < 0.1 < 0.2 < found.high < 0.23


def test_two_proportion_test__sides_and_bad_input() -> None:
    two, greater, less = (two_proportion_test(55, 100, 45, 100, side) for side in ("two-sided", "greater", "less"))
    assert two.p_value == pytest.approx(2 * greater.p_value)
    assert greater.p_value + less.p_value == pytest.approx(1)
    assert two_proportion_test(10, 10, 20, 20).p_value == 1
    with pytest.raises(ValueError, match="needs games on both sides"):
        two_proportion_test(0, 0, 1, 2)
    with pytest.raises(ValueError, match="alternative is 'bigger'"):
        two_proportion_test(1, 2, 1, 2, "bigger")  # type: ignore[arg-type]


def test_t_test__is_scipys_welch_test() -> None:
    from scipy import stats

    rng = np.random.default_rng(7)
    for size1, size2 in ((5, 5), (2, 9), (30, 200), (4, 5000)):
        first, second = rng.normal(1, 2, size1).tolist(), rng.normal(0.5, 1, size2).tolist()
        for side in ("two-sided", "greater", "less"):
            ours, theirs = (
                t_test(first, second, side),
                stats.ttest_ind(first, second, equal_var=False, alternative=side),
            )
            assert ours.statistic == pytest.approx(theirs.statistic)
            assert ours.p_value == pytest.approx(theirs.pvalue, abs=1e-10)
        interval = stats.ttest_ind(first, second, equal_var=False).confidence_interval()
        assert (t_test(first, second).low, t_test(first, second).high) == pytest.approx(tuple(interval))


@pytest.mark.parametrize("freedom", [1.0, 4.5, 300.0, 2e5])
def test_student_quantile__is_scipys_on_both_sides(freedom: float) -> None:
    from scipy import stats

    for share in (0.001, 0.25, 0.5, 0.975):
        assert student_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), abs=1e-12)


def test_t_test__without_scipy_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ImportError, match="Student's t needs SciPy: .*install"):
        t_test([1, 2], [2, 4])


def test_t_test_of_means__gives_basalduas_p_value() -> None:
    found = t_test_of_means((359.8, 3.6, 5), (359.4, 4.9, 5), "greater")  # 5.8.2: "p=0.4433"
    assert found.p_value == pytest.approx(0.4433, abs=3e-4)


def test_t_test__without_spread_and_bad_input() -> None:
    assert t_test([1, 1], [0, 0]).p_value == 0
    assert t_test([1, 1], [1, 1]).p_value == 1
    with pytest.raises(ValueError, match="1 and 3 values: a t test needs two or more"):
        t_test([1], [1, 2, 3])
    with pytest.raises(ValueError, match="size of 2 or more"):
        t_test_of_means((1, 1, 1), (1, 1, 5))


def test_learning_curve__one_point_per_place() -> None:
    curve = learning_curve([(2, 1), (1, 0), (1, 0.5), (2, 1), (1, 1)])
    assert [(point.x, point.games, point.rate) for point in curve] == [(1, 3, 0.5), (2, 2, 1)]
    assert (curve[0].low, curve[0].high) == (wilson(1.5, 3).low, wilson(1.5, 3).high)


def test_learning_curve__in_groups_of_equal_size() -> None:
    curve = learning_curve(((game, float(game >= 50)) for game in range(100)), bins=4)
    assert [(point.x, point.games, point.rate) for point in curve] == [
        (12, 25, 0),
        (37, 25, 0),
        (62, 25, 1),
        (87, 25, 1),
    ]
    assert len(learning_curve([(1, 1)], bins=7)) == 1
    assert learning_curve([]) == []
    with pytest.raises(ValueError, match="bins is 0"):
        learning_curve([], bins=0)
