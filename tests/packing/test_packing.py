"""Plans are right, whatever the problem; proved optima are optima; neither order nor units matter."""

from __future__ import annotations

import random
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packing.problems import least_height, problems
from tesuji.games import check_game
from tesuji.packing import Item, PackingError, PackingProblem, Sheet, pack, verify
from tesuji.packing.packing import pack_problem
from tesuji.packing.verifier import is_guillotine
from tesuji.search import NRPA, Nested, Orders, Plain

SIX = [(6, 4), (4, 4), (5, 3, 2)]


def test_pack__is_one_line() -> None:
    plan = pack(SIX, width=10, seconds=5, seed=1)
    assert (plan.height, plan.bound, plan.is_optimal) == (7, 7, True)
    assert len(plan.placements) == 4


@settings(max_examples=150, deadline=None)
@given(problem=problems(), seed=st.integers(0, 1000))
def test_verify__accepts_every_plan_of_the_search(problem: PackingProblem, seed: int) -> None:
    for strategy in (Orders(patience=30), NRPA(level=1, iterations=20), Plain(), Nested(level=1)):
        plan = pack_problem(problem, simulations=60, seconds=None, seed=seed, strategy=strategy)
        verify(problem, plan)
        assert plan.value <= plan.bound if problem.objective == "worth" else plan.value >= plan.bound


@settings(max_examples=60, deadline=None)
@given(
    rectangles=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=5),
    width=st.integers(4, 6),
    rotate=st.booleans(),
)
def test_pack__a_proved_optimum_is_the_least_height_there_is(
    rectangles: list[tuple[int, int]], width: int, rotate: bool
) -> None:
    plan = pack(rectangles, width=width, rotate=rotate, simulations=2000, seed=1)
    least = least_height(rectangles, width, rotate=rotate)
    assert plan.bound <= least <= plan.height
    if plan.is_optimal:
        assert plan.height == least


@settings(max_examples=40, deadline=None)
@given(problem=problems(), seed=st.integers(0, 100))
def test_pack__the_order_of_the_input_changes_nothing(problem: PackingProblem, seed: int) -> None:
    shuffled = list(problem.items)
    random.Random(seed).shuffle(shuffled)
    other = _with_items(problem, shuffled)
    plans = [pack_problem(one, simulations=100, seconds=None, seed=seed) for one in (problem, other)]
    assert plans[0].moves == plans[1].moves
    assert plans[0].value == plans[1].value


@settings(max_examples=40, deadline=None)
@given(problem=problems(), factor=st.sampled_from([2, 7, Fraction(1, 4), Fraction(1, 3), "0.1"]))
def test_pack__scaling_by_a_factor_changes_nothing_but_the_numbers(problem: PackingProblem, factor: str) -> None:
    scale = Fraction(factor)
    if problem.objective == "worth":
        return
    items = [
        msgspec.structs.replace(one, width=Fraction(one.width) * scale, height=Fraction(one.height) * scale)
        for one in problem.items
    ]
    sheets = [
        msgspec.structs.replace(one, width=Fraction(one.width) * scale, height=Fraction(one.height) * scale)
        for one in problem.sheets
    ]
    width = None if problem.width is None else problem.width * scale
    other = PackingProblem(
        items,
        width=width,
        rotate=problem.rotate,
        kerf=problem.kerf * scale,
        guillotine=problem.guillotine,
        sheets=sheets or None,
        side=problem.side,
    )
    plans = [pack_problem(one, simulations=50, seconds=None, seed=1) for one in (problem, other)]
    assert plans[0].moves == plans[1].moves
    power = 1 if problem.objective == "height" else 2
    assert plans[1].value == pytest.approx(float(plans[0].value * scale**power))


def _with_items(problem: PackingProblem, items: list[Item]) -> PackingProblem:
    return PackingProblem(
        items,
        width=problem.width,
        rotate=problem.rotate,
        kerf=problem.kerf,
        guillotine=problem.guillotine,
        max_height=problem.max_height,
        sheets=problem.sheets if problem.objective == "cost" else None,
        side=problem.side,
    )


def test_pack__one_seed_gives_one_plan() -> None:
    rectangles = [(3, 5, 4), (7, 2, 3), (4, 4, 5), (6, 1, 2)]
    plans = [pack(rectangles, width=13, simulations=500, seed=7) for _ in range(2)]
    assert plans[0].placements == plans[1].placements


def test_pack__names_and_rotation_come_out_as_they_went_in() -> None:
    items = [Item(width=2, height=9, name="tall"), Item(width=9, height=2, name="wide", may_rotate=False)]
    plan = pack(items, width=9, seconds=1, seed=1)
    assert plan.height == 4
    by_name = {one.name: one for one in plan.placements}
    assert by_name["tall"].is_rotated
    assert not by_name["wide"].is_rotated


def test_pack__a_kerf_is_kept_between_items_and_not_at_the_edges() -> None:
    plan = pack([(4, 3, 4)], width=9, kerf=1, rotate=False, seconds=1)
    assert plan.height == 7
    assert sorted({one.x for one in plan.placements}) == [0, 5]


def test_pack__five_pinwheel_rectangles_need_more_height_with_guillotine_cuts() -> None:
    pinwheel = [(2, 3), (3, 2), (2, 3), (3, 2), (1, 1)]
    assert pack(pinwheel, width=5, rotate=False, seconds=2).height == 5
    assert pack(pinwheel, width=5, rotate=False, guillotine=True, simulations=5000).height == 6


def test_pack__a_piece_holds_what_is_worth_most() -> None:
    items = [Item(width=4, height=4, worth=10, name="big"), Item(width=4, height=2, count=2, worth=6, name="half")]
    plan = pack(items, width=4, max_height=4, seconds=1)
    assert (plan.value, plan.unplaced) == (12, ("big",))


def test_pack__stock_is_chosen_by_cost() -> None:
    sheets = [Sheet(width=10, height=10, count=5, cost=30), Sheet(width=10, height=5, count=9, cost=10)]
    plan = pack([(10, 5, 4)], sheets=sheets, rotate=False, seconds=1)
    assert (plan.value, len(plan.sheets)) == (40, 4)
    assert plan.is_optimal
    tight = pack([(10, 5, 4)], sheets=[Sheet(width=10, height=10, count=1)], rotate=False, seconds=1)
    assert len(tight.unplaced) == 2
    assert not tight.is_optimal


def test_pack__goes_on_from_a_plan_and_gets_no_worse() -> None:
    problem = PackingProblem([(3, 5, 4), (7, 2, 3), (4, 4, 5), (6, 1, 2), (5, 3, 3)], width=17)
    first = pack_problem(problem, simulations=3, seconds=None, seed=1)
    second = pack_problem(problem, simulations=500, seconds=None, seed=2, begin_with=first)
    assert second.value <= first.value
    with pytest.raises(PackingError, match="another problem"):
        pack_problem(PackingProblem([(1, 2)], width=5), seconds=1, begin_with=first)


def test_pack__three_thousand_rectangles_work() -> None:
    draw = random.Random(1)
    plan = pack([(draw.randint(1, 50), draw.randint(1, 50)) for _ in range(3000)], width=1000, simulations=2, seed=1)
    assert len(plan.placements) == 3000
    assert plan.gap < 0.1


def test_game__keeps_the_contract_of_games() -> None:
    for options in ({}, {"guillotine": True}, {"kerf": 1}, {"max_height": 9}):
        check_game(PackingProblem([(3, 5), (4, 2, 2), (2, 2)], width=8, **options).game(), seed=1)


@settings(max_examples=50, deadline=None)
@given(problem=problems(), seed=st.integers(0, 100), at=st.integers(0, 100), how=st.integers(0, 4))
def test_verify__finds_what_is_wrong(problem: PackingProblem, seed: int, at: int, how: int) -> None:
    plan = pack_problem(problem, simulations=5, seconds=None, seed=seed)
    if not plan.placements:
        return
    placements = list(plan.placements)
    one = placements[at % len(placements)]
    changes = [
        {"x": one.x - 100},
        {"width": one.width + 0.25},
        {"y": one.y + 100},
        {"copy": one.copy + 50},
        {"sheet": one.sheet + 9},
    ]
    placements[at % len(placements)] = msgspec.structs.replace(one, **changes[how])
    with pytest.raises(PackingError):
        verify(problem, msgspec.structs.replace(plan, placements=tuple(placements)))
    with pytest.raises(PackingError):
        verify(problem, msgspec.structs.replace(plan, placements=plan.placements[1:]))
    with pytest.raises(PackingError):
        verify(problem, msgspec.structs.replace(plan, value=plan.value + 1))


def test_verify__finds_two_that_overlap_or_are_too_close() -> None:
    problem = PackingProblem([(4, 2, 2)], width=9, kerf=1, rotate=False)
    plan = pack_problem(problem, seconds=1, seed=1)
    assert sorted(one.x for one in plan.placements) == [0, 5]
    close = [msgspec.structs.replace(one, x=min(one.x, 4.5)) for one in plan.placements]
    with pytest.raises(PackingError, match="closer than the kerf"):
        verify(problem, msgspec.structs.replace(plan, placements=tuple(close)))


def test_is_guillotine__a_pinwheel_is_not_and_shelves_are() -> None:
    def boxes(*corners: tuple[int, int, int, int]) -> list[tuple[Fraction, ...]]:
        return [tuple(Fraction(number) for number in one) for one in corners]

    pinwheel = boxes((0, 0, 2, 3), (2, 0, 5, 2), (3, 2, 5, 5), (0, 3, 3, 5), (2, 2, 3, 3))
    assert not is_guillotine(pinwheel, Fraction(0))  # type: ignore[arg-type]
    assert is_guillotine(pinwheel[:3], Fraction(0))  # type: ignore[arg-type]
