"""CLOP on surfaces whose optimum is known: it finds it, says how surely, and repeats itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tesuji.experiments.tuning.clop import Clop, Optimum
from tesuji.experiments.tuning.space import Space

Surface = Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class Number:
    name: str
    low: float | None = 0.0
    high: float | None = 2.0
    log: bool = False
    type: str = "float"
    choices: tuple[Any, ...] = ()


def choice(name: str, *choices: Any) -> Number:
    return Number(name, None, None, type="choice", choices=choices)


C = Number("c")
K = Number("k", 10, 10_000, log=True)
BEST = {"c": 0.6, "k": 300.0}


def win(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def offsets(values: Mapping[str, Any]) -> tuple[float, float]:
    return values["c"] - BEST["c"], math.log10(values["k"] / BEST["k"])


def parabola(values: Mapping[str, Any]) -> float:
    x, y = offsets(values)
    return win(0.4 - 2.5 * x * x - 1.2 * y * y - x * y)


def skewed(values: Mapping[str, Any]) -> float:
    x, y = offsets(values)
    return win(0.5 - 4.5 * (math.exp(x) - 1 - x) - (math.cosh(1.2 * y) - 1) + 0.3 * x * y)


def bell(values: Mapping[str, Any]) -> float:
    """Flat far away from the top."""
    x, y = offsets(values)
    return 0.25 + 0.4 * math.exp(-3 * x * x - 1.2 * y * y - 0.8 * x * y)


def pointed(values: Mapping[str, Any]) -> float:
    x, y = offsets(values)
    return win(0.4 - 1.5 * math.sqrt(x * x + 0.02) - 0.8 * math.sqrt(y * y + 0.05))


def tuned(surface: Surface, parameters: list[Number], games: int, seed: int, drawn: float = 0) -> Clop:
    """Play games; a share of them are draws, which take as much from wins as from losses."""
    luck = np.random.default_rng([99, seed])
    clop = Clop(parameters, seed)
    for _ in range(games):
        values = clop.ask()
        clop.tell(values, 0.5 if luck.random() < drawn else float(luck.random() < surface(values)))
    return clop


def contains(found: Optimum, truth: Mapping[str, float]) -> bool:
    numbers = [p for p in found.parameters if p.low is not None and p.high is not None]
    return all(p.low <= truth[p.name] <= p.high for p in numbers)  # type: ignore[operator]


# --- finding the optimum ----------------------------------------------------------------------------------------------


def test_clop__finds_the_optimum_of_two_parameters_within_its_interval() -> None:
    found = [tuned(parabola, [C, K], 600, seed).optimum() for seed in range(10)]
    assert sum(contains(each, BEST) for each in found) >= 9
    assert np.mean([parabola(each.values) for each in found]) > parabola(BEST) - 0.02
    width = [
        p.high - p.low for each in found for p in each.parameters if p.name == "c" and p.high and p.low is not None
    ]
    assert np.mean(width) < 1.5  # of 2: the interval says something


@pytest.mark.slow
@pytest.mark.parametrize("surface", [parabola, skewed, bell, pointed])
@pytest.mark.parametrize("games", [1000, 3000])
def test_clop__intervals_hold_on_other_surfaces_too(surface: Surface, games: int) -> None:
    found = [tuned(surface, [C, K], games, seed).optimum() for seed in range(30)]
    covered = np.mean([contains(each, BEST) for each in found])
    regret = surface(BEST) - np.mean([surface(each.values) for each in found])
    bias = np.mean([each.rate - surface(each.values) for each in found])
    sure = np.mean([each.low <= surface(each.values) <= each.high for each in found])
    width = np.mean(
        [[p.high / p.low if p.name == "k" else p.high - p.low for p in each.parameters] for each in found], 0
    )
    print(surface.__name__, games, "covered", covered, "regret", regret, "bias", bias, "rate", sure, "width", width)
    assert covered >= 0.9
    assert regret < 0.02


def test_clop__more_games_narrow_the_interval() -> None:
    def width(games: int) -> float:
        found = [tuned(parabola, [C], games, seed).optimum().parameters[0] for seed in range(3)]
        return float(np.mean([p.high - p.low for p in found if p.high is not None and p.low is not None]))

    def parabola(values: Mapping[str, Any]) -> float:
        return win(0.3 - 2 * (values["c"] - 1.4) ** 2)

    assert width(1000) < 0.75 * width(100)


def test_clop__one_parameter() -> None:
    found = [
        tuned(lambda values: win(0.3 - 2 * (values["c"] - 1.4) ** 2), [C], 200, seed).optimum() for seed in range(10)
    ]
    assert sum(contains(each, {"c": 1.4}) for each in found) >= 9
    assert np.mean([each.low <= win(0.3) <= each.high for each in found]) >= 0.8


def test_clop__plays_near_the_optimum_in_the_end() -> None:
    clop = tuned(parabola, [C, K], 800, seed=3)
    later = [parabola(clop.ask()) for _ in range(200)]
    start = [parabola(Clop([C, K], seed).ask()) for seed in range(200)]
    assert np.mean(later) > np.mean(start) + 0.1


def test_clop__draws_are_halves() -> None:
    found = [tuned(parabola, [C, K], 500, seed, drawn=0.5).optimum() for seed in range(4)]
    assert sum(contains(each, BEST) for each in found) >= 3
    assert np.mean([each.rate for each in found]) == pytest.approx(0.25 + parabola(BEST) / 2, abs=0.05)


def test_clop__at_a_border_the_interval_reaches_it() -> None:
    def slope(values: Mapping[str, Any]) -> float:
        return win(0.5 - 1.2 * values["c"] - 0.7 * math.log10(10_000 / values["k"]))

    found = [tuned(slope, [C, K], 600, seed).optimum() for seed in range(4)]
    assert sum(contains(each, {"c": 0.0, "k": 10_000.0}) for each in found) >= 3
    assert np.mean([slope(each.values) for each in found]) > 0.5
    for each in found:
        assert 0 <= each.values["c"] <= 2
        assert 10 <= each.values["k"] <= 10_000


def test_clop__on_a_flat_surface_it_claims_nothing() -> None:
    found = [tuned(lambda _: 0.5, [C, K], 300, seed).optimum() for seed in range(5)]
    shares = [(p.high - p.low) / 2 for each in found for p in each.parameters[:1] if p.high and p.low is not None]
    assert np.mean(shares) > 0.75
    assert sum(each.low <= 0.5 <= each.high for each in found) >= 4


def test_clop__all_games_won_or_lost() -> None:
    for result in (0.0, 1.0):
        found = tuned(lambda _, result=result: result, [C, K], 150, seed=1).optimum()
        assert found.low <= found.rate <= found.high
        assert abs(found.rate - result) < 0.1


def test_clop__whole_numbers_and_four_parameters() -> None:
    truth = {"a": 0.2, "b": 4.0, "n": 12, "k": 50.0}
    parameters = [
        Number("a", -1, 1),
        Number("b", 0, 10),
        Number("n", 1, 20, type="int"),
        Number("k", 1, 1000, log=True),
    ]

    def surface(values: Mapping[str, Any]) -> float:
        assert isinstance(values["n"], int)
        square = 3 * (values["a"] - 0.2) ** 2 + 0.05 * (values["b"] - 4) ** 2 + 0.02 * (values["n"] - 12) ** 2
        return win(0.5 - square - 0.3 * math.log(values["k"] / 50) ** 2)

    found = tuned(surface, parameters, 1000, seed=2).optimum()
    assert contains(found, truth)
    assert surface(found.values) > surface(truth) - 0.04
    whole = found.parameters[2]
    assert (whole.low, whole.high) == (int(whole.low or 0), int(whole.high or 0))
    assert list(found.values) == ["a", "b", "n", "k"]


# --- choices ----------------------------------------------------------------------------------------------------------


def by_kind(values: Mapping[str, Any]) -> float:
    """The best kind has its top elsewhere than the others."""
    constant, top = {"x": (-0.2, -0.5), "y": (0.5, 0.4), "z": (-0.6, 0.0)}[values["kind"]]
    return win(constant - 3 * (values["a"] - top) ** 2)


def test_clop__a_choice_has_its_own_optimum() -> None:
    parameters = [choice("kind", "x", "y", "z"), Number("a", -1, 1)]
    found = [tuned(by_kind, parameters, 500, seed).optimum() for seed in range(4)]
    assert [each.values["kind"] for each in found].count("y") >= 3
    good = [each for each in found if each.values["kind"] == "y"]
    assert sum(contains(each, {"a": 0.4}) for each in good) >= 3
    chances = found[0].parameters[0].chances
    assert list(chances) == ["x", "y", "z"]
    assert sum(chances.values()) == pytest.approx(1)
    assert (found[0].parameters[0].low, found[0].parameters[0].high) == (None, None)


def test_clop__equal_choices_stay_undecided() -> None:
    clop = tuned(lambda values: win(-3 * values["a"] ** 2), [choice("kind", "x", "y"), Number("a", -1, 1)], 600, seed=1)
    chances = clop.optimum().parameters[0].chances
    assert 0.02 < chances["x"] < 0.98


def test_clop__choices_alone() -> None:
    parameters = [choice("kind", "x", "y", "z"), choice("fast", True, False)]
    clop = tuned(
        lambda values: win({"x": 0.0, "y": 0.6, "z": -0.6}[values["kind"]] + 0.5 * values["fast"]),
        parameters,
        600,
        seed=1,
    )
    assert clop.optimum().values == {"kind": "y", "fast": True}
    assert [point.value for point in clop.response("fast")] == [True, False]


# --- response curves --------------------------------------------------------------------------------------------------


def test_response__is_a_curve_with_a_band_that_contains_the_surface_near_the_top() -> None:
    clop = tuned(parabola, [C, K], 1000, seed=4)
    best = clop.optimum()
    curve = clop.response("c")
    assert [curve[0].value, curve[-1].value] == [0, 2]
    assert len(curve) == 41
    assert all(point.low <= point.rate <= point.high for point in curve)
    near = [point for point in curve if point.weight > 0.5]
    inside = [point.low <= parabola({**best.values, "c": point.value}) <= point.high for point in near]
    assert np.mean(inside) > 0.8
    top = max(curve, key=lambda point: point.rate)
    assert abs(float(top.value) - float(best.values["c"])) < 0.2
    assert curve[-1].weight < 0.1


def test_response__of_whole_numbers_and_choices_has_no_more_places_than_there_are() -> None:
    clop = tuned(lambda _: 0.5, [Number("n", 1, 5, type="int"), choice("kind", "x", "y")], 50, seed=1)
    assert [point.value for point in clop.response("n")] == [1, 2, 3, 4, 5]
    assert [point.value for point in clop.response("kind")] == ["x", "y"]
    with pytest.raises(ValueError, match="no parameter is called 'm'; there is n, kind"):
        clop.response("m")


# --- repeating and resuming -------------------------------------------------------------------------------------------


def test_clop__same_seed_same_values() -> None:
    one, two, three = (Clop([C, K], seed) for seed in (5, 5, 6))
    asked = [clop.ask() for clop in (one, two, three)]
    assert asked[0] == asked[1] != asked[2]
    assert one.ask() != asked[0]  # before the result of the first is told


@pytest.mark.parametrize("games", [3, 50, 211])
def test_replay__goes_on_as_if_nothing_had_happened(games: int) -> None:
    luck = np.random.default_rng(8)
    parameters = [C, K, choice("kind", "x", "y")]
    clop = Clop(parameters, seed=7)
    samples = []
    for game in range(games):
        values = clop.ask()
        result = float(luck.random() < parabola(values))
        clop.tell(values, result)
        samples.append((values, result))
        if game == games // 2:
            clop.optimum()  # looking changes nothing
    again = Clop.replay(parameters, iter(samples), seed=7)
    assert len(again) == len(clop) == games
    for _ in range(3):
        assert again.ask() == clop.ask()
    assert again.optimum() == clop.optimum()


def test_replay__takes_values_that_somebody_else_chose() -> None:
    luck = np.random.default_rng(9)
    grid = [{"c": c, "k": k} for c in np.linspace(0, 2, 9).tolist() for k in (10, 100, 1000, 10_000.0)]
    samples = [(values, float(luck.random() < parabola(values))) for values in grid for _ in range(20)]
    assert contains(Clop.replay([C, K], samples, seed=1).optimum(), BEST)


# --- bad input, values as points --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "points", "message"),
    [
        ({"c": 1.0}, 1, "values are of c; the parameters are c, kind"),
        ({"c": 2.5, "kind": "x"}, 1, "parameter c: 2.5 is not a number from 0 to 2"),
        ({"c": math.nan, "kind": "x"}, 1, "parameter c: nan is not a number from 0 to 2"),
        ({"c": "1", "kind": "x"}, 1, "parameter c: '1' is not a number"),
        ({"c": 1.0, "kind": "z"}, 1, "parameter kind: 'z' is none of x, y"),
        ({"c": 1.0, "kind": "x"}, 2, "points are 2; a game gives 0, 0.5 or 1"),
    ],
)
def test_tell__refuses_what_is_no_sample(values: dict[str, Any], points: float, message: str) -> None:
    clop = Clop([C, choice("kind", "x", "y")])
    with pytest.raises(ValueError, match=message):
        clop.tell(values, points)
    assert len(clop) == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ([], "parameters are none"),
        ([C, C], "parameters are c, c; give one or more, each with its own name"),
        ([Number("a", 1, 1)], "parameter a: low is 1, high is 1; give low < high"),
        ([Number("a", None, 1)], "give low < high"),
        ([Number("a", 0, 1, log=True)], "parameter a: low is 0; on a log scale it must be positive"),
        ([choice(name, *range(20)) for name in "ab"], "choices make 400 combinations; CLOP takes at most 256"),
    ],
)
def test_clop__refuses_impossible_parameters(parameters: list[Number], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Clop(parameters)


def test_optimum__without_games_is_refused() -> None:
    with pytest.raises(ValueError, match="no game has been told"):
        Clop([C]).optimum()
    one = Clop([C])
    one.tell({"c": 1.0}, 1)
    assert one.optimum().samples == 1


def test_space__values_to_points_and_back() -> None:
    space = Space([K, Number("n", 1, 4, type="int"), choice("kind", "x", "y")])
    point, chosen = space.encode({"k": 100, "n": 2, "kind": "y"})
    assert point == pytest.approx([-1 / 3, -1 / 4])  # a third of the way in logarithms; the second of four cells
    assert chosen.tolist() == [1]
    assert space.decode(point, chosen) == pytest.approx({"k": 100, "n": 2, "kind": "y"})
    ends = [space.decode(np.array([x, x]), chosen) for x in (-1.0, 1.0)]
    assert ends[0] == pytest.approx({"k": 10, "n": 1, "kind": "y"})
    assert ends[1] == pytest.approx({"k": 10_000, "n": 4, "kind": "y"})


def test_space__quadratic_and_terms_are_the_same_function() -> None:
    space = Space([C, K, Number("n", 1, 9, type="int"), choice("p", 1, 2), choice("q", "x", "y", "z")])
    rng = np.random.default_rng(1)
    coefficients = rng.normal(size=(4, space.num_common + space.num_of_choices))
    points = rng.uniform(-1, 1, (7, 3))
    for chosen in space.combinations:
        constant, slope, squares = space.quadratic(coefficients, chosen)
        expected = constant + points @ slope.T + np.einsum("mi,nij,mj->mn", points, squares, points)
        assert space.terms(points, np.repeat(chosen[None], 7, axis=0)) @ coefficients.T == pytest.approx(expected)
