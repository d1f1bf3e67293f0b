"""`multipath` and `shared-counts`: the modes of the experiments. Figure 2.3 is in core/tests/test_graph_modes.cpp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import GraphView
from search.toy_games import Nim
from tesuji.games import Connect4, PGame, PGameSpec
from tesuji.search import UCB1, Evaluation, Search, SearchConfig
from tesuji.search.choices import search_choices


def searched(game: Any, simulations: int, seed: int = 1, **choices: Any) -> Search:
    search = Search(game, SearchConfig(**choices))
    search.run(simulations=simulations, seed=seed)
    return search


@given(stones=st.integers(3, 16), simulations=st.integers(1, 400), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_multipath__the_root_learns_once_of_every_simulation_and_no_node_of_more(
    stones: int, simulations: int, seed: int
) -> None:
    graph = GraphView(searched(Nim(stones), simulations, seed, graph="multipath", expansion="whole-path").graph())
    assert graph.root.visits == simulations
    for parent, edge, child in graph.parents():
        assert edge.visits <= child.visits <= simulations
        # Whatever was walked from a node came to know it, and more besides.
        assert sum(e.visits for e in parent.edges) <= parent.visits


def test_multipath__with_an_unbounded_update_a_node_knows_all_that_its_children_learn() -> None:
    """Nim(6) after all edges are there: a simulation that ends below a node is counted at the node."""
    search = searched(Nim(6), 500, graph="multipath", expansion="whole-path")
    before = GraphView(search.graph())
    search.run(simulations=500)
    after = GraphView(search.graph())
    for parent, edge, child in before.parents():
        gained = after.nodes[before.nodes.index(parent)].visits - parent.visits
        assert gained >= after.nodes[edge.child].visits - child.visits


def test_multipath__the_update_is_cut_at_the_cap_and_the_cut_counted() -> None:
    game = PGame(PGameSpec(breadth=2, depth=20, combination=0.2, seed=1)).start()
    config = {"graph": "multipath", "expansion": "whole-path", "selection": UCB1(c=1.0)}
    free = searched(game, 2_000, **config, max_ancestors=1_000_000).result()
    cut = searched(game, 2_000, **config, max_ancestors=10).result()
    assert free.counts["cut_updates"] == 0
    assert 0 < cut.counts["cut_updates"] <= 2_000


def test_multipath__without_ancestors_off_the_path_is_a_dag() -> None:
    dag = searched(Connect4(), 1_000, graph="dag").graph()
    for name, column in searched(Connect4(), 1_000, graph="multipath", max_ancestors=0).graph().items():
        np.testing.assert_array_equal(column, dag[name], err_msg=name)


def test_multipath__goes_on_after_recycling_and_advancing() -> None:
    search = Search(Connect4(), SearchConfig(graph="multipath", memory_bytes=100_000))
    for _ in range(4):
        result = search.run(simulations=3_000, seed=1)
        assert result.simulations == 3_000
        assert result.counts["bytes"] <= 100_000
        search.advance(result.best_move)


def test_shared_counts__every_edge_knows_its_state_before_it_is_walked() -> None:
    graph = GraphView(searched(Nim(9), 300, graph="shared-counts").graph())
    assert all(edge.child >= 0 for node in graph.nodes for edge in node.edges)
    # Nim(9) has one node per state, so edges that were never walked lead to states that were visited.
    assert any(edge.visits == 0 and child.visits > 0 for _, edge, child in graph.parents())


def test_shared_counts__an_evaluator_may_judge_the_leaves() -> None:
    config = SearchConfig(graph="shared-counts", evaluation=Evaluation(batch_size=1))
    result = Search(Nim(9), config, evaluator=lambda batch: [0.5] * len(batch)).run(simulations=300, seed=1)
    assert result.simulations == 300
    assert result.visits.min() > 0


@pytest.mark.parametrize("graph", ["shared-values", "multipath"])
def test_modes__at_combination_0_answer_as_a_tree_after_every_simulation(graph: Any) -> None:
    game = PGame(PGameSpec(breadth=3, depth=7, combination=0.0, seed=5)).start()
    counts, seeds = list(range(1, 400)), [1, 2, 3]
    tree, other = (
        search_choices(
            game,
            SearchConfig(graph=mode, expansion="whole-path", selection=UCB1(c=1.0), memory_bytes=2**24),
            counts=counts,
            seeds=seeds,
        )
        for mode in ("tree", graph)
    )
    np.testing.assert_array_equal(tree.moves, other.moves)
    np.testing.assert_array_equal(tree.num_nodes, other.num_nodes)


@pytest.mark.parametrize("graph", ["dag", "shared-values", "shared-counts", "multipath"])
def test_modes__find_the_winning_move_of_a_small_p_game(graph: Any) -> None:
    game = PGame(PGameSpec(breadth=3, depth=6, combination=0.1, seed=3))
    config = SearchConfig(graph=graph, expansion="whole-path", selection=UCB1(c=1.0), final_move="best-value")
    result = Search(game.start(), config).run(simulations=20_000, seed=1)
    if graph != "multipath":  # which need not find it: its means are not those of its own walks
        assert result.best_move in game.winning_moves
    assert result.counts["transposition_hits"] > 0
