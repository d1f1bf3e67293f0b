"""`tree` and `dag`: the same search where no state is met twice, shared values and counts per parent where one is.

The other modes agree with them where no state is met twice, too; the rest of what they do is in `test_shared_values.py`
and `test_multipath.py`, and figure 2.3 of the UCT-DAG report in core/tests/test_graph_modes.cpp.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import GraphView
from search.toy_games import GraphGame, Nim, RandomTree
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.search import (
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    HorizonPrior,
    MinimumMSE,
    Search,
    SearchConfig,
    VirtualVisits,
    Widening,
)

WITHOUT_TRANSPOSITIONS = {
    "UCB1": SearchConfig(),
    "epsilon-greedy": SearchConfig(selection=EpsilonGreedy(epsilon=0.2)),
    "PUCT": SearchConfig(selection=PUCT()),
    "RAVE": SearchConfig(selection=UCB1(c=0.2), amaf=RAVE(k=50)),
    "minimum MSE with priors": SearchConfig(amaf=MinimumMSE(), prior=HorizonPrior(horizon=10)),
    "widening": SearchConfig(widening=Widening(scale=1.0, rate=0.5, minimum=1), prior=VirtualVisits()),
    "solver": SearchConfig(solver=True),
    "all children": SearchConfig(expansion="all-children", maturity=2),
    "whole path": SearchConfig(expansion="whole-path"),
}


def searched(game: object, config: SearchConfig, simulations: int, seed: int = 1) -> Search:
    search = Search(game, config)
    search.run(simulations=simulations, seed=seed)
    return search


@pytest.mark.parametrize("config", WITHOUT_TRANSPOSITIONS.values(), ids=WITHOUT_TRANSPOSITIONS.keys())
@pytest.mark.parametrize("takes_turns", [True, False], ids=["in turn", "in any order"])
@pytest.mark.parametrize("graph", ["dag", "shared-values", "multipath"])
def test_modes__agree_on_a_game_without_transpositions_move_for_move(
    config: SearchConfig, takes_turns: bool, graph: str
) -> None:
    game = RandomTree(seed=7, branching=4, depth=6, takes_turns=takes_turns)
    # Results between won and lost round differently in the two modes' means; these do not.
    tree = Search(game, config)
    dag = Search(game, msgspec.structs.replace(config, graph=graph))
    while not game.is_over:
        a, b = (search.run(simulations=300, seed=2) for search in (tree, dag))
        assert b.counts["transposition_hits"] == 0
        assert a.best_move == b.best_move
        one, other = tree.graph(), dag.graph()
        # A graph that shares nodes also lists the children that were made and never walked.
        names = [name for name in one if config.expansion != "all-children" or name in ("edge_visits", "edge_value")]
        for name in names:
            column, twin = one[name], other[name]
            if config.expansion == "all-children":
                column, twin = np.sort(column[column > 0]), np.sort(twin[twin > 0])
            np.testing.assert_array_equal(column, twin, err_msg=name)
        for state in (tree, dag):
            state.advance(a.best_move)
        game.play(a.best_move)


# The first player wins at +, loses at -. S is the start; L and R both lead to D.
#
#        S            first to move
#      0/ \1
#      L   R          second to move
#     0|  0| \1
#      |   |  +       R: move 1 gives the game away
#       \ /
#        D            first to move, one move, worth 0.25
#        |0
#        E
DIAMOND: dict[str, tuple[int, dict[int, str]] | float] = {
    "S": (0, {0: "L", 1: "R"}),
    "L": (1, {0: "D"}),
    "R": (1, {0: "D", 1: "+"}),
    "D": (0, {0: "E"}),
    "+": 1.0,
    "E": 0.25,
}


def test_dag__on_a_diamond_counts_belong_to_parents_and_the_value_to_the_state() -> None:
    search = searched(GraphGame(DIAMOND, "S"), SearchConfig(graph="dag"), 60)
    graph = GraphView(search.graph())
    start, left, right = graph.root, graph.child(graph.root, 0), graph.child(graph.root, 1)
    shared = graph.child(start, 0, 0)
    assert shared is graph.child(start, 1, 0), "D is one node"
    assert len(graph.nodes) == len(DIAMOND)
    assert start.visits == 60
    assert start.edge(0).visits + start.edge(1).visits == 60
    # Of a new node's visits the first is its own playout, the others go on below it.
    from_left, from_right = left.edge(0).visits, right.edge(0).visits
    assert from_left == left.visits - 1
    assert from_right + right.edge(1).visits == right.visits - 1
    assert min(from_left, from_right, right.edge(1).visits) > 0
    # D is visited by both parents; its first visitor made it and played out, every later one went on to E.
    assert shared.visits == from_left + from_right
    assert shared.edge(0).visits == shared.visits - 1
    assert shared.value == pytest.approx(shared.visits / 4)
    # Whatever goes through L ends in E, whatever goes through R in E or in +.
    assert left.value == pytest.approx(left.visits / 4)
    assert right.edge(0).value == pytest.approx(from_right / 4)
    assert right.edge(1).value == right.edge(1).visits


def test_dag__on_a_diamond_every_number_after_each_of_seven_walks_is_as_computed_by_hand() -> None:
    """One player chooses all moves of a diamond with single moves below: no chance is left but the order of ties.

    S: moves 0 and 1 to L and R; L and R: only move 0, to D; D: only move 0, to E, worth 3/4. All results are 3/4, so
    with c = 1 the edge of S that was tried less is next, and in turn they are tried 1, 2, 3, ... times.
    """
    game = GraphGame(
        {"S": (0, {0: "L", 1: "R"}), "L": (0, {0: "D"}), "R": (0, {0: "D"}), "D": (0, {0: "E"}), "E": 0.75}, "S"
    )
    search = Search(game, SearchConfig(selection=UCB1(c=1.0), graph="dag"))
    # By walk: visits of (first edge of S, other edge), of (first-D, other-D), of D, of D-E, and how many nodes.
    # Walk 1 makes the first child, 2 the other, 3 makes D below the first; 4 finds D below the other and makes E.
    expected = [
        ((1, 0), (None, None), None, None, 2),
        ((1, 1), (None, None), None, None, 3),
        ((2, 1), (1, None), 1, None, 4),
        ((2, 2), (1, 1), 2, 1, 5),
        ((3, 2), (2, 1), 3, 2, 5),
        ((3, 3), (2, 2), 4, 3, 5),
        ((4, 3), (3, 2), 5, 4, 5),
    ]
    for root_visits, below, d_visits, e_visits, num_nodes in expected:
        result = search.run(simulations=1, seed=3)
        graph = GraphView(search.graph())
        first, other = sorted(graph.root.edges, key=lambda edge: (-edge.visits, graph.root.edges.index(edge)))
        assert (first.visits, other.visits) == root_visits
        assert len(graph.nodes) == num_nodes
        for edge, visits in zip((first, other), below, strict=True):
            if visits is not None:
                assert graph.nodes[edge.child].edge(0).visits == visits
                assert graph.nodes[edge.child].edge(0).value == pytest.approx(0.75 * visits)
        if d_visits is not None:
            shared = graph.child(graph.root, first.move, 0)
            assert (shared.visits, shared.value) == (d_visits, 0.75 * d_visits)
            if e_visits is not None:
                assert shared.edge(0).visits == e_visits
        assert result.counts["transposition_hits"] == (root_visits == (2, 2))


def test_dag__a_move_never_tried_is_unvisited_even_if_its_state_is_known() -> None:
    """At S the state D is known through L before R's edge to D is tried: the edge still counts as never tried."""
    search = searched(GraphGame(DIAMOND, "S"), SearchConfig(graph="dag", selection=UCB1(c=0.0)), 30)
    graph = GraphView(search.graph())
    right = graph.child(graph.root, 1)
    assert min(edge.visits for edge in right.edges) >= 1


def test_dag__the_parents_of_a_state_compare_by_its_shared_mean() -> None:
    result = searched(GraphGame(DIAMOND, "L"), SearchConfig(graph="dag"), 20).result()
    assert result.values.tolist() == [0.75]  # the second player's view of 1/4


@given(
    game=st.sampled_from([Nim(12), TicTacToe(), Connect4(), Hex(3), Hex(5)]),
    seed=st.integers(0, 2**32),
    simulations=st.integers(1, 2000),
)
@settings(max_examples=40, deadline=None)
def test_dag__a_states_visits_are_those_of_its_parents(game: object, seed: int, simulations: int) -> None:
    search = searched(game, SearchConfig(graph="dag", memory_bytes=2**22), simulations, seed)
    graph = GraphView(search.graph())
    visits, values = [0] * len(graph.nodes), [0.0] * len(graph.nodes)
    for _, edge, child in graph.parents():
        visits[edge.child] += edge.visits
        values[edge.child] += edge.value
        assert child.visits >= edge.visits
    for number, node in enumerate(graph.nodes[1:], start=1):
        assert visits[number] == node.visits
        assert values[number] == pytest.approx(node.value, abs=1e-6 * node.visits)


def test_dag__nim_has_one_node_per_state() -> None:
    search = searched(Nim(9), SearchConfig(graph="dag"), 5_000)
    graph = GraphView(search.graph())
    # Heaps of 9 with the first player to move, of 8 to 0 with either, less what cannot be reached: 8 and 7 and 6 follow
    # one move (second to move), 7 to 3 two moves (first to move), and so on.
    reachable, todo = {(9, 0)}, [(9, 0)]
    while todo:
        stones, mover = todo.pop()
        for taken in range(1, min(3, stones) + 1):
            after = (stones - taken, 1 - mover)
            if after not in reachable:
                reachable.add(after)
                todo.append(after)
    assert len(graph.nodes) == len(reachable)
    tree = searched(Nim(9), SearchConfig(), 5_000)
    assert len(GraphView(tree.graph()).nodes) > 5 * len(reachable)
