"""Parameters: their bounds, and how values reach a player."""

from __future__ import annotations

import pytest

from tesuji.experiments.tuning.parameters import ParameterRange, PlayerTemplate, name_of_values, parse_grid


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "1c", "low": 0, "high": 1}, "letters, digits"),
        ({"name": "c"}, "low is None"),
        ({"name": "c", "low": 1, "high": 1}, "low < high"),
        ({"name": "c", "low": 0, "high": float("inf")}, "low < high"),
        ({"name": "c", "low": 0, "high": float("nan")}, "low < high"),
        ({"name": "c", "low": 0, "high": 1, "log": True}, "must be positive"),
        ({"name": "c", "low": 0.5, "high": 2, "type": "int"}, "whole numbers"),
        ({"name": "c", "low": 0, "high": 1, "start": 2}, "from 0 to 1"),
        ({"name": "c", "low": 0, "high": 9, "type": "int", "start": 2.5}, "a whole number"),
        ({"name": "c", "low": 0, "high": 1, "start": True}, "from 0 to 1"),
        ({"name": "c", "choices": ("a",)}, "two or more"),
        ({"name": "c", "choices": ("a", "a")}, "all different"),
        ({"name": "c", "choices": ("a", "b"), "low": 0}, "leave out"),
        ({"name": "c", "choices": ("a", "b"), "start": "d"}, "one of a, b"),
        ({"name": "c", "type": "choice"}, "two or more"),
    ],
)
def test_parameter__what_makes_no_sense_is_refused(fields, words):
    with pytest.raises(ValueError, match=words):
        ParameterRange(**fields)


def test_parameter__the_start_is_the_middle_of_its_scale():
    assert ParameterRange(name="c", low=0, high=3).start_value == 1.5
    assert ParameterRange(name="c", low=1, high=100, log=True).start_value == 10
    assert ParameterRange(name="c", low=1, high=4, type="int").start_value == 2
    assert ParameterRange(name="c", choices=("x", "y")).start_value == "x"
    assert ParameterRange(name="c", low=0, high=3, start=1).start_value == 1


def test_parameter__a_value_is_rounded_to_what_is_played_and_stays_inside():
    assert ParameterRange(name="c", low=0, high=1).rounded(0.123456789) == 0.123457
    assert ParameterRange(name="c", low=0, high=9, type="int").rounded(3.7) == 4
    third = 1 / 3
    assert ParameterRange(name="c", low=third, high=2).rounded(third) == third  # six digits would lie below
    assert ParameterRange(name="c", choices=(True, False)).rounded(True) is True


def test_parameter__choices_know_their_type():
    parameter = ParameterRange(name="c", choices=(True, 1, "1"))
    assert [parameter.allows(value) for value in (True, 1, "1", 1.0, "true")] == [True, True, True, False, False]


def test_template__places_are_filled_and_braces_stay():
    template = PlayerTemplate(player="engine -c {c} -x {{c}} -k {k} -s {seed}", setup=("param_bias {c}",))
    template.check(["c", "k"])
    player = template.fill({"c": 0.5, "k": 30}, name="x")
    assert player.command == "engine -c 0.5 -x {c} -k 30 -s {seed}"  # the seed is the game's
    assert player.setup == ("param_bias 0.5",)
    assert player.name == "x"


def test_template__a_tesuji_player_takes_the_rest_as_settings():
    template = PlayerTemplate(player="mine=tesuji:simulations=100,exploration={c}")
    player = template.fill({"c": 0.25, "rave_k": 300, "solver": True}, name="x")
    assert player.settings == {"simulations": 100, "exploration": 0.25, "rave_k": 300.0, "solver": True}


@pytest.mark.parametrize(
    ("text", "values", "words"),
    [
        ("gnugo --level 1", {"c": 1}, "c has no place"),
        ("tesuji", {"explorashun": 1.0}, "did you mean exploration"),
        ("tesuji:preset={p}", {"p": 1.5}, "must be a word"),
        ("tesuji:simulations={n}", {"n": "many"}, "whole number"),
    ],
)
def test_template__a_value_that_reaches_nobody_is_refused(text, values, words):
    with pytest.raises(ValueError, match=words):
        PlayerTemplate(player=text).fill(values, name="x")


def test_template__a_place_without_a_parameter_is_refused():
    with pytest.raises(ValueError, match=r"'\{d\}' names no parameter"):
        PlayerTemplate(player="engine {c}", setup=("bias {d}",)).check(["c"])


def test_names__show_values_as_they_are_played():
    assert name_of_values({"c": 0.5, "n": 3, "on": True, "preset": "uct"}) == "c=0.5 n=3 on=true preset=uct"


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("c=0,0.5,1", "c", [0, 0.5, 1]),
        ("c = 0:2:5", "c", [0, 0.5, 1, 1.5, 2]),
        ("n=10:1000:3:log", "n", [10, 100, 1000]),
        ("n=0:10:3", "n", [0, 5, 10]),
        ("c=0.05:3.333:4:log", "c", [0.05, 0.203, 0.822, 3.333]),
        ("preset=uct,uct-rave", "preset", ["uct", "uct-rave"]),
        ("solver=true,false", "solver", [True, False]),
    ],
)
def test_grid__lists_and_steps(text, name, values):
    assert parse_grid(text) == (name, values)
    assert [type(value) for value in parse_grid("n=0:10:3")[1]] == [int, int, int]


@pytest.mark.parametrize(
    "text",
    ["c", "c=", "=1,2", "c=1", "c=1,1", "c=1,,2", "c=2:1:5", "c=0:1:1", "c=0:1", "c=0:1:3:log", "c=a:b:3", "c=1:9:3:x"],
)
def test_grid__what_is_none_is_refused(text):
    with pytest.raises(ValueError, match="grid|steps"):
        parse_grid(text)
