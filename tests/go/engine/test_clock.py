"""Clocks as values: shares, overtime, margins, and games that never run out of time."""

from __future__ import annotations

import math
import random

import pytest

from tesuji.go import Board
from tesuji.go.engine.clock import LEAST_S, Absolute, ByoYomi, Canadian, Clock, Fischer, expected_moves
from tesuji.go.engine.time_settings import KATA_KINDS, KGS_KINDS, canadian_or_none, clock_of_kind

CLOCKS: list[Clock] = [
    Absolute(10.0),
    Absolute(0.3),
    Canadian(3.0, 2.0, 5),
    Canadian(2.0, 2.0, 5, 5),
    Canadian(600.0, 300.0, 25),
    ByoYomi(3.0, 0.5, 1),
    ByoYomi(0.5, 0.5, 3, 3),
    ByoYomi(300.0, 30.0, 5),
    Fischer(2.0, 0.2),
    Fischer(60.0, 0.0),
    Fischer(10.0, 2.0, 11.0, 5.0),
]


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_allotment__no_clock_runs_out_in_a_long_game(clock: Clock, seed: int) -> None:
    """Moves take anything up to their maximum, and now and then arrive late by half the margin."""
    draw = random.Random(seed)
    lag_s = 0.1
    for number in range(200):
        time_s = clock.allotment(max(10, 60 - number // 2), lag_s)
        assert 0 < time_s.normal_s <= time_s.maximum_s
        spent_s = draw.choice([time_s.normal_s, time_s.maximum_s, draw.uniform(0, time_s.maximum_s)])
        late_s = 0.5 * max(0.0, min(lag_s, clock.most_s - time_s.maximum_s))
        if time_s.maximum_s > LEAST_S:  # a stock that is used up after so many moves cannot be helped
            assert spent_s + late_s <= clock.most_s
        else:
            spent_s = min(spent_s, clock.most_s)
        clock = clock.after(spent_s + (late_s if time_s.maximum_s > LEAST_S else 0))
        assert not clock.is_lost


@pytest.mark.parametrize(
    ("clock", "useful_s"),
    [
        (Absolute(10.0), 10.0),
        (Canadian(2.0, 2.0, 5, 5), 30 * 0.4),
        (Canadian(3.0, 2.0, 5), 3.0 + 30 * 0.4),
        (ByoYomi(3.0, 0.5, 1), 3.0 + 30 * 0.5),
        (Fischer(2.0, 0.2), 2.0 + 30 * 0.2),
    ],
    ids=str,
)
def test_allotment__normal_moves_use_more_than_seven_tenths_of_a_game(clock: Clock, useful_s: float) -> None:
    used_s = 0.0
    for number in range(30):
        spent_s = clock.allotment(max(10, 32 - number), 0.1).normal_s
        used_s += spent_s
        clock = clock.after(spent_s)
        assert not clock.is_lost
    assert used_s > 0.7 * useful_s


def test_allotment__time_is_saved_only_where_later_moves_can_use_it() -> None:
    assert Absolute(10.0).allotment(20, 0.1).saves_time
    assert Canadian(2.0, 2.0, 5, 5).allotment(20, 0.1).saves_time
    assert not Canadian(0.4, 2.0, 5, 1).allotment(20, 0.1).saves_time
    assert ByoYomi(3.0, 0.5, 1).allotment(20, 0.1).saves_time
    assert not ByoYomi(0.5, 0.5, 1, 1).allotment(20, 0.1).saves_time
    assert Fischer(2.0, 0.2).allotment(20, 0.1).saves_time
    assert not Fischer(2.0, 0.2, 2.0).allotment(20, 0.1).saves_time


def test_allotment__the_last_stone_of_a_period_takes_what_is_left_but_the_margin() -> None:
    time_s = Canadian(1.0, 2.0, 5, 1).allotment(20, 0.1)
    assert (time_s.normal_s, time_s.maximum_s) == pytest.approx((0.9, 0.9))
    assert ByoYomi(0.2, 0.2, 1, 1).allotment(20, 0.1).maximum_s == pytest.approx(0.15)  # a quarter of a short move


@pytest.mark.parametrize("clock", [Absolute(0.0), Absolute(-1.0), Canadian(0.0, 2.0, 5, 3), Fischer(0.0, 0.0)], ids=str)
def test_allotment__with_no_time_left_a_move_is_made_all_the_same(clock: Clock) -> None:
    assert clock.allotment(20, 0.1).maximum_s == LEAST_S


@pytest.mark.parametrize(
    ("clock", "spent_s", "after"),
    [
        (Absolute(10.0), 4.0, Absolute(6.0)),
        (Canadian(10.0, 5.0, 2), 4.0, Canadian(6.0, 5.0, 2)),
        (Canadian(1.0, 5.0, 2), 3.0, Canadian(3.0, 5.0, 2, 1)),
        (Canadian(3.0, 5.0, 2, 1), 2.0, Canadian(5.0, 5.0, 2, 2)),
        (Canadian(3.0, 5.0, 2, 2), 2.0, Canadian(1.0, 5.0, 2, 1)),
        (ByoYomi(10.0, 5.0, 3), 4.0, ByoYomi(6.0, 5.0, 3)),
        (ByoYomi(1.0, 5.0, 3), 3.0, ByoYomi(5.0, 5.0, 3, 3)),
        (ByoYomi(1.0, 5.0, 3), 12.0, ByoYomi(5.0, 5.0, 3, 1)),
        (ByoYomi(5.0, 5.0, 3, 3), 5.5, ByoYomi(5.0, 5.0, 3, 2)),
        (Fischer(10.0, 2.0), 4.0, Fischer(8.0, 2.0)),
        (Fischer(10.0, 2.0, 10.0), 1.0, Fischer(10.0, 2.0, 10.0)),
    ],
)
def test_after__takes_the_move_off_and_begins_periods(clock: Clock, spent_s: float, after: Clock) -> None:
    assert clock.after(spent_s) == after
    assert not after.is_lost


@pytest.mark.parametrize(
    ("clock", "spent_s"),
    [
        (Absolute(10.0), 10.1),
        (Canadian(1.0, 5.0, 2), 6.1),
        (Canadian(3.0, 5.0, 2, 2), 3.1),
        (ByoYomi(1.0, 5.0, 3), 16.1),
        (ByoYomi(5.0, 5.0, 3, 1), 5.1),
        (Fischer(10.0, 2.0), 10.1),
        (Fischer(10.0, 2.0, math.inf, 3.0), 3.1),
    ],
)
def test_after__too_long_a_move_loses(clock: Clock, spent_s: float) -> None:
    assert spent_s > clock.most_s
    assert clock.after(spent_s).is_lost
    assert clock.after(spent_s).after(1.0).is_lost


@pytest.mark.parametrize(
    ("clock", "said", "told"),
    [
        (Absolute(10.0), (4.0, 0), Absolute(4.0)),
        (Canadian(10.0, 5.0, 2), (4.0, 0), Canadian(4.0, 5.0, 2)),
        (Canadian(10.0, 5.0, 2), (4.0, 1), Canadian(4.0, 5.0, 2, 1)),
        (Canadian(10.0, 5.0, 2), (0.0, 0), Canadian(5.0, 5.0, 2, 2)),
        (ByoYomi(10.0, 5.0, 3), (4.0, 2), ByoYomi(4.0, 5.0, 3, 2)),
        (ByoYomi(10.0, 5.0, 3), (0.0, 0), ByoYomi(5.0, 5.0, 3, 3)),
        (Fischer(10.0, 5.0), (4.0, 0), Fischer(4.0, 5.0)),
    ],
)
def test_told__the_controller_knows_better(clock: Clock, said: tuple[float, int], told: Clock) -> None:
    assert clock.told(*said) == told


def test_expected_moves__fall_with_the_empty_points() -> None:
    board = Board(9)
    before = expected_moves(board)
    for point in range(20):
        board.play(2 * point)
    assert 10 <= expected_moves(board) < before == 32
    assert expected_moves(Board(2)) == 10


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("none", None),
        ("absolute 300", Absolute(300)),
        ("byoyomi 300 30 5", ByoYomi(300, 30, 5)),
        ("byoyomi 0 30 5", ByoYomi(30, 30, 5, 5)),
        ("byoyomi 300 30 0", Absolute(300)),
        ("Canadian 300 60 10", Canadian(300, 60, 10)),
        ("canadian 0 60 10", Canadian(60, 60, 10, 10)),
        ("fischer 60 5", Fischer(60, 5)),
        ("fischer-capped 60 5 90 -1", Fischer(60, 5, 90)),
        ("fischer-capped 60 5 -1 20", Fischer(60, 5, math.inf, 20)),
    ],
)
def test_clock_of_kind__reads_what_programs_say(words: str, clock: Clock | None) -> None:
    kind, *numbers = words.split()
    assert clock_of_kind(kind, [float(number) for number in numbers], KATA_KINDS) == clock


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hourglass 300", "'hourglass' is not a kind of clock; choose from none, absolute, byoyomi, canadian"),
        ("fischer 60 5", "'fischer' is not a kind of clock"),
        ("absolute", "absolute takes MAIN, not 0 numbers"),
        ("none 5", "none takes no numbers, not 1 numbers"),
        ("absolute -1", "times are not negative"),
        ("byoyomi 1 2 -1", "-1 is not a number of stones or periods"),
        ("byoyomi 1 2 1.5", "1.5 is not a number of stones or periods"),
    ],
)
def test_clock_of_kind__names_the_rule(words: str, message: str) -> None:
    kind, *numbers = words.split()
    with pytest.raises(ValueError, match=message):
        clock_of_kind(kind, [float(number) for number in numbers], KGS_KINDS)


def test_clock_of_kind__a_cap_below_the_main_time_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the limit 50 s is below the main time 60 s; give more, or -1 for none"):
        clock_of_kind("fischer-capped", [60, 5, 50, -1], KATA_KINDS)


@pytest.mark.parametrize(
    ("numbers", "clock"),
    [
        ((300, 25, 10), Canadian(300, 25, 10)),
        ((0, 25, 10), Canadian(25, 25, 10, 10)),
        ((300, 0, 0), Absolute(300)),
        ((300, 0, 5), Absolute(300)),
        ((300, 25, 0), None),
        ((0, 0, 0), Absolute(0)),
    ],
)
def test_time_settings__overtime_for_no_stones_is_no_limit(
    numbers: tuple[float, float, int], clock: Clock | None
) -> None:
    assert canadian_or_none(*numbers) == clock


@pytest.mark.parametrize("made", [lambda: Canadian(1, 1, 0), lambda: ByoYomi(1, 1, 0)])
def test_overtime__needs_at_least_one(made: object) -> None:
    with pytest.raises(ValueError, match=r"is 0; a period needs at least 1"):
        made()  # type: ignore[operator]
