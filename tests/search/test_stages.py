"""Stages written by the user: the built-in formula written again gives the identical search; known variants work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from search.toy_games import RandomTree
from tesuji.games import Connect4, Hex, Knapsack, TicTacToe
from tesuji.search import PUCT, RAVE, UCB1, Search, SearchConfig, Stages

C = np.float32(0.7)


def ucb1(node: Any, edges: Any, scores: Any) -> None:
    scale = C * np.sqrt(np.float32(node.log_visits))
    for i in range(len(scores)):
        n = edges.visits[i]
        scores[i] = edges.means[i] + scale / np.sqrt(n) if n > 0 else np.float32(np.inf)


def mean_of_results(node: Any, edges: Any) -> float:
    return node.mean


def power_mean(node: Any, edges: Any) -> float:
    total, visits = 0.0, 0.0
    for n, q in zip(edges.visits, edges.means):  # noqa: B905 - compiled by Numba, which knows no strict
        if n > 0:
            total += n * q**4
            visits += n
    return (total / visits) ** 0.25 if visits > 0 else node.mean


def highest_first(moves: Any, priors: Any, keys: Any) -> None:
    for i in range(len(moves)):
        keys[i] = moves[i]


COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


@COMPILED
@pytest.mark.parametrize("config", [SearchConfig(), SearchConfig(graph="dag"), SearchConfig(solver=True)], ids=str)
def test_selection__ucb1_written_again_gives_the_identical_search(config: SearchConfig, compiled: bool) -> None:
    own, built_in = (
        Search(Connect4(), config, stages=Stages(selection=ucb1, compiled=compiled)),
        Search(Connect4(), config),
    )
    for search in (own, built_in):
        search.run(simulations=2_000, seed=3)
    one, other = own.graph(), built_in.graph()
    for name in one:
        assert np.array_equal(one[name], other[name]), name


@COMPILED
def test_selection__sees_priors_and_amaf(compiled: bool) -> None:
    def by_amaf(node: Any, edges: Any, scores: Any) -> None:
        for i in range(len(scores)):
            scores[i] = edges.amaf_means[i] + 0.5 / (1 + edges.visits[i])

    config = SearchConfig(amaf=RAVE())
    result = Search(Hex(5), config, stages=Stages(selection=by_amaf, compiled=compiled)).run(simulations=3_000, seed=1)
    favourite = int(np.argmax(result.visits))
    assert result.amaf_values[favourite] >= np.sort(result.amaf_values)[-5]


@COMPILED
def test_back_up__a_power_mean_finds_the_win(compiled: bool) -> None:
    position = TicTacToe()
    for move in (0, 4, 1, 8):  # 2 wins
        position.play(move)
    result = Search(position, stages=Stages(back_up=power_mean, compiled=compiled)).run(simulations=2_000, seed=1)
    assert result.best_move == 2


def test_back_up__the_mean_of_all_results_is_what_the_search_does_anyway() -> None:
    game = RandomTree(seed=3, branching=3, depth=5)
    own, built_in = Search(game, stages=Stages(back_up=mean_of_results)), Search(game)
    visits = [search.run(simulations=400, seed=1).visits.astype(int) for search in (own, built_in)]
    assert np.abs(visits[0] - visits[1]).max() <= 0.02 * 400  # 32-bit means, so that ties may fall otherwise


@COMPILED
def test_order__edges_stand_in_the_order_of_falling_keys(compiled: bool) -> None:
    search = Search(Connect4(), stages=Stages(order=highest_first, compiled=compiled))
    search.run(simulations=7, seed=1)
    graph = search.graph()
    assert graph["edge_move"][:7].tolist() == [6, 5, 4, 3, 2, 1, 0]


@COMPILED
def test_random__numbers_are_fresh_and_repeatable(compiled: bool) -> None:
    def at_random(node: Any, edges: Any, scores: Any) -> None:
        for i in range(len(scores)):
            scores[i] = edges.random[i]

    stages = Stages(selection=at_random, wants_random=True, compiled=compiled)
    a, b = (Search(Connect4(), stages=stages).run(simulations=700, seed=5).visits for _ in range(2))
    assert np.array_equal(a, b)
    assert a.min() > 50


def test_threads__run_a_compiled_formula() -> None:
    stages = Stages(selection=ucb1, compiled=True)
    result = Search(Connect4(), SearchConfig(threads=2), stages=stages).run(simulations=20_000, seed=1)
    assert result.visits.sum() == 20_000


def test_errors__are_those_of_the_function() -> None:
    def broken(node: Any, edges: Any, scores: Any) -> None:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        Search(Connect4(), stages=Stages(selection=broken)).run(simulations=10, seed=1)
    with pytest.raises(TypeError, match="selection is 3; it must be a function"):
        Stages(selection=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="it must be a Stages"):
        Search(Connect4(), stages=UCB1())  # type: ignore[arg-type]


def fills_nothing(node: Any, edges: Any, scores: Any) -> None:
    scores[1:] = 0.5


def not_a_number(node: Any, edges: Any, scores: Any) -> None:
    scores[:] = np.nan


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("selection", [fills_nothing, not_a_number])
def test_errors__scores_that_are_none_are_refused(selection: Any, compiled: bool) -> None:
    search = Search(Connect4(), stages=Stages(selection=selection, compiled=compiled))
    with pytest.raises(ValueError, match="selection formula left nan as the score 1 of 7; fill all of them"):
        search.run(simulations=10, seed=1)


def test_errors__a_formula_that_returns_its_scores_is_told_to_fill_them() -> None:
    search = Search(Connect4(), stages=Stages(selection=lambda node, edges, scores: edges.means))
    with pytest.raises(TypeError, match="fill the scores, and return nothing"):
        search.run(simulations=10, seed=1)


@pytest.mark.parametrize(("value", "shown"), [(5.0, "5.0"), (-1.0, "-1.0"), (float("nan"), "nan"), (None, "None")])
def test_errors__a_back_up_rule_returns_a_value_of_0_to_1(value: Any, shown: str) -> None:
    search = Search(Connect4(), stages=Stages(back_up=lambda node, edges: value))
    with pytest.raises(ValueError, match=f"back-up rule returned {shown}; it must return the node's value"):
        search.run(simulations=100, seed=1)


def test_errors__keys_that_are_none_are_refused() -> None:
    search = Search(Connect4(), stages=Stages(order=lambda moves, priors, keys: None))
    with pytest.raises(ValueError, match="expansion order left nan as the key 1 of 7"):
        search.run(simulations=10, seed=1)


def test_back_up__one_player_s_values_stay_numbers_of_the_game() -> None:
    """A rule speaks of 0..1, the answer of the game's numbers."""
    game = Knapsack([3, 5, 7, 2, 9, 4, 6, 8], [30, 44, 71, 19, 88, 45, 52, 90], 20)
    plain = Search(game).run(simulations=400, seed=1)
    by_rule = Search(game, stages=Stages(back_up=lambda node, edges: node.mean)).run(simulations=400, seed=1)
    tried = by_rule.visits > 0
    assert by_rule.values[tried].min() > 5
    assert by_rule.best_solution.value == plain.best_solution.value


def test_stages__go_with_puct_s_priors() -> None:
    def puct(node: Any, edges: Any, scores: Any) -> None:
        means = np.where(edges.visits > 0, edges.means, node.mean)
        scores[:] = means + 1.5 * edges.priors * np.sqrt(node.visits) / (1 + edges.visits)

    game = RandomTree(seed=1, branching=4, depth=4)
    config = SearchConfig(selection=PUCT(c=1.5))
    own, built_in = Search(game, config, stages=Stages(selection=puct)), Search(game, config)
    visits = [search.run(simulations=500, seed=2).visits.astype(int) for search in (own, built_in)]
    assert np.abs(visits[0] - visits[1]).max() <= 5
