"""Biases of kinds of groups: how visits follow them, how they are learned, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from search.toy_games import GraphGame, hash_of
from tesuji.games import Connect4, PGame, PGameSpec
from tesuji.search import RAVE, UCB1, Grouping, LearnedBiases, Search, SearchConfig

KINDS = ("a", "b", "c")


def even_game() -> GraphGame:
    """Six moves of the first player, all of them worth one half."""
    return GraphGame({"root": (0, dict.fromkeys(range(6), "end")), "end": 0.5}, "root")


def pairs(_: Any) -> dict[str, list[int]]:
    return {"a": [0, 1], "b": [2, 3], "c": [4, 5]}


def visits(biases: Any, *, find: Any = pairs, simulations: int = 20_000, c: float = 1.0) -> dict[str, int]:
    grouping = Grouping(find=find, kinds=KINDS, overlap=False, biases=biases)
    result = Search(even_game(), SearchConfig(selection=UCB1(c=c)), grouping=grouping).run(
        simulations=simulations, seed=1
    )
    return {group.name: group.visits for group in result.groups}


# --- fixed ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "biases", [{"a": 0.2, "b": 0.4, "c": 0.6}, {"a": 0.9, "b": 0.1, "c": 0.1}, {"a": 1.0, "b": 0.25}]
)
@pytest.mark.parametrize("c", [0.3, 2.0])
def test_visits__are_in_proportion_to_biases_where_values_are_equal(biases: dict[str, float], c: float) -> None:
    found = visits(biases, c=c)
    every = {"a": 0.5, "b": 0.5, "c": 0.5} | biases
    for kind, bias in every.items():
        assert found[kind] / 20_000 == pytest.approx(bias / sum(every.values()), abs=0.002)


def test_visits__a_bias_of_two_is_as_good_as_two_groups() -> None:
    # "Dummy" groups (the UCT-DAG report, 4.2.3): the same moves under a second name.
    twice = visits(None, find=lambda s: {"a": [0, 1], "b": [0, 1], "c": [2, 3, 4, 5]})
    weighed = visits({"a": 0.8, "c": 0.4}, find=lambda s: {"a": [0, 1], "c": [2, 3, 4, 5]})
    assert weighed["a"] == pytest.approx(twice["a"] + twice["b"], rel=0.01)


def test_visits__a_bias_of_0_is_tried_once_and_then_only_if_it_is_the_best() -> None:
    assert visits({"a": 0.0})["a"] == 1
    leaves = {"good": 0.9, "bad": 0.1}
    game = GraphGame({"root": (0, {0: "good", 1: "good", 2: "bad", 3: "bad"}), **leaves}, "root")
    grouping = Grouping(find=lambda _: {"a": [0, 1], "b": [2, 3]}, kinds=("a", "b"), overlap=False, biases={"a": 0.0})
    result = Search(game, SearchConfig(selection=UCB1(c=0.1)), grouping=grouping).run(simulations=1_000, seed=1)
    assert result.groups[0].visits > 900


@pytest.mark.parametrize("bias", [0.0, 0.1, 0.5, 1.0])
def test_visits__equal_biases_change_nothing_at_all(bias: float) -> None:
    def find(state: Connect4) -> dict[str, list[int]]:
        return {name: [m for m in state.legal_moves() if hash_of(state.key(), m, ord(name)) % 3] for name in KINDS}

    graphs = []
    for biases in (None, dict.fromkeys((*KINDS, "else"), bias)):
        search = Search(Connect4(), grouping=Grouping(find=find, kinds=KINDS, biases=biases))
        search.run(simulations=1_000, seed=1)
        graphs.append(search.graph())
    for name, column in graphs[0].items():
        assert column.tolist() == graphs[1][name].tolist(), name


def test_visits__biases_that_are_equal_where_they_meet_change_nothing() -> None:
    # "c" has another bias, but never stands beside the others.
    found = [visits(biases, find=lambda s: {"a": [0, 1], "b": [2, 3, 4, 5]}) for biases in (None, {"c": 0.9})]
    assert found[0] == found[1]


def test_biases__weigh_with_the_solver_rave_and_threads() -> None:
    grouping = Grouping(find=pairs, kinds=KINDS, overlap=False, biases={"a": 0.9, "b": 0.3, "c": 0.3})
    for config in (SearchConfig(amaf=RAVE()), SearchConfig(threads=2)):
        result = Search(even_game(), config, grouping=grouping).run(simulations=5_000, seed=1)
        assert result.groups[0].visits == pytest.approx(3_000, rel=0.05)


# --- learned ----------------------------------------------------------------------------------------------------------


def informed(position: Any) -> dict[str, list[int]]:
    """Winning moves with some noise, moves at random, and a group that never holds a winning move."""
    moves = position.legal_moves()
    noise = hash_of(3, position.node)
    wins = [position.is_winning(move) for move in moves]
    return {
        "good": [m for m in moves if wins[m] or hash_of(noise, m, 1) % 8 == 0],
        "random": [m for m in moves if hash_of(noise, m, 2) % 2],
        "bad": [m for m in moves if not wins[m]][:2],
    }


def test_learning__finds_the_kind_that_tells_winning_moves() -> None:
    start = PGame(PGameSpec(breadth=6, depth=6, seed=1)).start()
    grouping = Grouping(find=informed, kinds=("good", "random", "bad"), biases=LearnedBiases(min_visits=50))
    search = Search(start, SearchConfig(selection=UCB1(c=0.5)), grouping=grouping)
    assert search.group_biases == {"else": 0.5, "good": 0.5, "random": 0.5, "bad": 0.5}
    for _ in range(4):
        search.run(simulations=5_000, seed=1)
    learned = search.group_biases
    assert learned["good"] > 0.9
    assert learned["good"] - 0.1 > learned["random"] > learned["bad"] + 0.3
    assert learned["else"] == pytest.approx(0.05)  # never less, so that it is visited all the same
    again = Grouping(find=informed, kinds=("good", "random", "bad"), biases=learned)
    other = Search(start, grouping=again)
    other.run(simulations=100, seed=2)
    assert other.group_biases == pytest.approx(learned)


def test_learning__is_the_share_of_nodes_whose_best_move_is_in_a_group_of_that_kind() -> None:
    # One node: the best move is 1, in a but not in b, and not in no group.
    leaves = {"good": 0.9, "bad": 0.1}
    game = GraphGame({"root": (0, {0: "bad", 1: "good", 2: "bad", 3: "bad"}), **leaves}, "root")
    biases = LearnedBiases(start={"a": 0.4}, inertia=4, min_visits=10)
    grouping = Grouping(find=lambda _: {"a": [0, 1], "b": [2]}, kinds=("a", "b", "c"), biases=biases)
    search = Search(game, SearchConfig(selection=UCB1(c=0.5)), grouping=grouping)
    search.run(simulations=9, seed=1)
    assert search.group_biases == pytest.approx({"else": 0.5, "a": 0.4, "b": 0.5, "c": 0.5})  # too few visits
    search.run(simulations=200)
    expected = {"else": 4 * 0.5 / 5, "a": (4 * 0.4 + 1) / 5, "b": 4 * 0.5 / 5, "c": 0.5}
    assert search.group_biases == pytest.approx(expected)


def test_learning__else_is_credited_where_the_best_move_is_in_no_other_group() -> None:
    leaves = {"good": 0.9, "bad": 0.1}
    game = GraphGame({"root": (0, {0: "bad", 1: "bad", 2: "good"}), **leaves}, "root")
    for overlap in (True, False):
        biases = LearnedBiases(inertia=1, min_visits=10)
        grouping = Grouping(find=lambda _: {"a": [0, 1]}, kinds=("a",), overlap=overlap, biases=biases)
        search = Search(game, SearchConfig(selection=UCB1(c=0.5)), grouping=grouping)
        search.run(simulations=500, seed=1)
        assert search.group_biases == pytest.approx({"else": 0.75, "a": 0.25})


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("biases", "message"),
    [
        ({"a": 1.5}, "the bias of 'a' is 1.5; it must lie in 0..1"),
        ({"a": -0.1}, "the bias of 'a' is -0.1; it must lie in 0..1"),
        ({"a": math.nan}, "the bias of 'a' is nan; it must lie in 0..1"),
        ({"z": 0.5}, "biases names the kind 'z'; the kinds are else, a, b, c"),
        ({"a": "much"}, "the bias of 'a' is 'much'; it must be a number in 0..1"),
        ({"a": True}, "the bias of 'a' is True; it must be a number in 0..1"),
        ([0.5, 0.5], "biases is .*; it must be a mapping from kinds to numbers, LearnedBiases or None"),
        (LearnedBiases(start={"z": 0.5}), "biases names the kind 'z'"),
    ],
)
def test_biases__that_are_none_are_refused(biases: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Grouping(find=pairs, kinds=KINDS, biases=biases)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"inertia": 0}, "inertia is 0; it must be above 0"),
        ({"inertia": math.inf}, "inertia is inf; it must be above 0 and finite"),
        ({"min_visits": 0}, "min_visits is 0; it must be a whole number in 1"),
        ({"min_visits": 1.5}, "min_visits is 1.5; it must be a whole number"),
    ],
)
def test_learned_biases__numbers_out_of_range_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        LearnedBiases(**fields)
