"""Narrow nodes: the best moves by prior first, all of them after enough walks, and nothing learnt is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from search.graph_view import GraphView, NodeView
from search.solvers import minimax
from search.toy_games import GraphGame, Nim, Picks, RandomTree
from tesuji.go import Board
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import PUCT, RAVE, UCB1, Search, SearchConfig, VirtualVisits, Widening

PICKS = Picks(cells=9, length=6)
NARROW = SearchConfig(prior=VirtualVisits(visits=3), width=3, width_walks=40)


def walks(node: NodeView) -> int:
    return sum(edge.visits for edge in node.edges)


def nodes_with_states(search: Search, game: Any) -> list[tuple[NodeView, Any]]:
    """Every node of a tree that has edges, with its state; the root first."""
    graph = GraphView(search.graph())
    found, todo = [], [(graph.root, game.copy())]
    while todo:
        node, state = todo.pop()
        if node.edges:
            found.append((node, state))
        for edge in node.edges:
            if edge.child >= 0:
                after = state.copy()
                after.play(edge.move)
                todo.append((graph.nodes[edge.child], after))
    return found


def best_by_prior(state: Any, count: int) -> set[int]:
    moves = list(state.legal_moves())
    priors = dict(zip(moves, state.priors(moves), strict=True))
    assert len(set(priors.values())) == len(moves), "the game must not have equal priors"
    return set(sorted(moves, key=lambda move: -priors[move])[:count])


class Distinct(Picks):
    """Picks whose moves all have different priors."""

    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [(prior + move / 1e4) / 2 for prior, move in zip(super().priors(moves), moves, strict=True)]


# Which edges ----


@pytest.mark.parametrize(
    "config", [NARROW, SearchConfig(selection=PUCT(), width=3, width_walks=40)], ids=["ucb", "puct"]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_width__a_node_has_its_best_moves_by_prior_until_it_was_walked_enough_and_then_all(
    config: SearchConfig, threads: int
) -> None:
    game = Distinct(cells=9, length=6)
    search = Search(game, replace(config, threads=threads))
    search.run(simulations=1_500, seed=1)
    (root, _), *others = nodes_with_states(search, game)
    assert len(root.edges) == 9
    num_narrow = num_grown = 0
    for node, state in others:
        moves, legal = {edge.move for edge in node.edges}, set(state.legal_moves())
        if walks(node) <= 40:
            assert moves == best_by_prior(state, 3)
            num_narrow += len(legal) > 3
        elif walks(node) < 40 + threads:  # all threads may have come by before any of them saw the fortieth walk
            assert moves in (best_by_prior(state, 3), legal)
        else:
            assert moves == legal
            num_grown += len(legal) > 3
    assert num_narrow > 20
    assert num_grown > 10


def test_width__all_edges_have_the_priors_of_their_moves_before_and_after_growing() -> None:
    game = Distinct(cells=9, length=6)
    search = Search(game, NARROW)
    search.run(simulations=2_000, seed=1)
    for node, state in nodes_with_states(search, game):
        moves = [edge.move for edge in node.edges]
        assert [edge.prior for edge in node.edges] == pytest.approx(list(state.priors(moves)), abs=1e-6)


@pytest.mark.parametrize("width", [9, 100])
def test_width__as_large_as_the_moves_are_many_changes_nothing(width: int) -> None:
    plain, wide = (Search(PICKS, replace(NARROW, width=w)) for w in (None, width))
    plain.run(simulations=1_000, seed=1)
    wide.run(simulations=1_000, seed=1)
    assert {name: column.tolist() for name, column in plain.graph().items()} == {
        name: column.tolist() for name, column in wide.graph().items()
    }


def test_width__of_one_with_no_walks_to_wait_for_gives_all_edges_after_the_first_walk() -> None:
    search = Search(PICKS, replace(NARROW, width=1, width_walks=0))
    assert search.run(simulations=500, seed=1).simulations == 500
    for node, state in nodes_with_states(search, PICKS):
        assert len(node.edges) == len(state.legal_moves())


# What was learnt ----


def edges_by_path(search: Search) -> dict[tuple[int, ...], tuple[float, ...]]:
    graph = GraphView(search.graph())
    found: dict[tuple[int, ...], tuple[float, ...]] = {}
    todo: list[tuple[tuple[int, ...], NodeView]] = [((), graph.root)]
    while todo:
        path, node = todo.pop()
        for edge in node.edges:
            found[(*path, edge.move)] = (edge.visits, edge.value, edge.amaf_visits, edge.amaf_value, edge.proof)
            if edge.child >= 0:
                todo.append(((*path, edge.move), graph.nodes[edge.child]))
    return found


def test_growth__one_simulation_at_a_time_changes_only_the_edges_it_walked() -> None:
    """An edge's visits grow by one on the path of a simulation and nowhere else, also when a node just grew."""
    search = Search(PICKS, replace(NARROW, width=2, width_walks=10))
    search.run(simulations=1, seed=1)
    before = edges_by_path(search)
    num_growths = 0
    for _ in range(300):
        search.run(simulations=1)
        after = edges_by_path(search)
        changed = [path for path, edge in before.items() if after[path] != edge]
        assert all(after[path][0] == before[path][0] + 1 for path in changed)
        assert sorted(len(path) for path in changed) == list(range(1, len(changed) + 1))
        new = set(after) - set(before)
        num_growths += any((*path[:-1], move) in before for path in new for move in range(9))
        assert all(after[path][0] <= 1 for path in new)
        before = after
    assert num_growths > 5


@given(
    game=st.builds(RandomTree, seed=st.integers(0, 10**6), branching=st.integers(2, 6), depth=st.integers(3, 6))
    | st.builds(Picks, seed=st.integers(0, 10**6), cells=st.integers(4, 8), length=st.integers(2, 4)),
    config=st.builds(
        SearchConfig,
        selection=st.sampled_from([UCB1(), UCB1(c=0.0), PUCT()]),
        amaf=st.sampled_from([None, RAVE(k=20)]),
        prior=st.just(VirtualVisits(visits=3)),
        widening=st.sampled_from([None, Widening(minimum=1)]),
        width=st.integers(1, 4),
        width_walks=st.integers(0, 30),
        expansion=st.sampled_from(["one-child", "whole-path"]),
        maturity=st.sampled_from([1, 3]),
        graph=st.sampled_from(["tree", "dag"]),
        memory_bytes=st.just(2**22),
        threads=st.integers(1, 2),
        parallel=st.sampled_from(["lock-free", "global-lock", "roots"]),
    ),
)
@settings(max_examples=40, deadline=None)
def test_growth__visits_add_up_whatever_the_config(game: Any, config: SearchConfig) -> None:
    if game.is_over:
        return
    search = Search(game, config)
    result = search.run(simulations=400, seed=1)
    assert result.visits.sum() == 400
    assert sorted(result.moves.tolist()) == list(game.legal_moves())
    for node in GraphView(search.graph()).nodes:
        assert len({edge.move for edge in node.edges}) == len(node.edges)
        assert walks(node) <= node.visits


@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_seed__one_seed_gives_one_graph_however_a_run_is_divided(graph: str) -> None:
    config = replace(NARROW, graph=graph, memory_bytes=2**22)
    whole, parts = Search(PICKS, config), Search(PICKS, config)
    whole.run(simulations=2_000, seed=5)
    parts.run(simulations=700, seed=5)
    parts.run(simulations=1)
    parts.run(simulations=1_299)
    first, second = whole.graph(), parts.graph()
    assert all((first[name] == second[name]).all() for name in first)


# Proofs ----


class Tempting(GraphGame):
    """The second move wins and looks worst beforehand."""

    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [{0: 0.9, 1: 0.1}[move] for move in moves]


def test_solver__a_node_is_not_lost_while_a_move_has_no_edge() -> None:
    """At A the second player sees only the move that loses: A is not proved until the winning move is there."""
    game = Tempting({"S": (0, {0: "A"}), "A": (1, {0: "+", 1: "-"}), "+": 1.0, "-": 0.0}, "S")
    config = SearchConfig(solver=True, prior=VirtualVisits(), width=1, width_walks=30)
    search = Search(game, config)
    early = search.run(simulations=20, seed=1)
    assert (early.proof, early.simulations) == ("", 20)
    assert len(GraphView(search.graph()).child(GraphView(search.graph()).root, 0).edges) == 1
    late = search.run(simulations=1_000)
    assert late.proof == "lost"
    assert late.simulations < 100


def test_solver__a_node_is_won_by_one_move_however_many_have_no_edge() -> None:
    game = Tempting({"S": (0, {0: "A"}), "A": (1, {0: "-", 1: "+"}), "+": 1.0, "-": 0.0}, "S")
    config = SearchConfig(solver=True, prior=VirtualVisits(), width=1, width_walks=10**6)
    assert Search(game, config).run(simulations=100, seed=1).proof == "lost"


@given(
    game=st.builds(RandomTree, seed=st.integers(0, 10**6), branching=st.integers(1, 4), depth=st.integers(1, 5))
    | st.builds(Nim, st.integers(1, 9)),
    width=st.integers(1, 3),
    width_walks=st.integers(0, 20),
    threads=st.integers(1, 2),
)
@settings(max_examples=50, deadline=None)
def test_solver__agrees_with_minimax(game: Any, width: int, width_walks: int, threads: int) -> None:
    if game.is_over:
        return
    config = SearchConfig(
        solver=True, prior=VirtualVisits(visits=3), width=width, width_walks=width_walks, threads=threads
    )
    search = Search(game, config)
    result = search.run(simulations=300, seed=1)
    truth = minimax(game) if game.to_play == 0 else 1 - minimax(game)
    assert result.proof in ("", {0.0: "lost", 0.5: "drawn", 1.0: "won"}[truth])
    for node, state in nodes_with_states(search, game):
        assert not node.proof or (node.proof - 1) / 2 == minimax(state)


# Advancing ----


def test_advance__to_a_narrow_node_gives_it_all_its_edges_and_keeps_what_it_knew() -> None:
    search = Search(PICKS, replace(NARROW, width_walks=10**6))
    search.run(simulations=1_000, seed=1)
    graph = GraphView(search.graph())
    best = max(graph.root.edges, key=lambda edge: edge.visits)
    child = graph.nodes[best.child]
    assert len(child.edges) == 3
    search.advance(best.move)
    result = search.run(simulations=1)
    assert len(result.moves) == 8
    visits = dict(zip(result.moves.tolist(), result.visits.tolist(), strict=True))
    assert sum(visits.values()) == walks(child) + 1
    assert all(edge.visits <= visits[edge.move] <= edge.visits + 1 for edge in child.edges)


def test_advance__twice_goes_by_a_move_that_has_no_edge() -> None:
    search = Search(PICKS, replace(NARROW, width_walks=10**6))
    search.run(simulations=1_000, seed=1)
    graph = GraphView(search.graph())
    best = max(graph.root.edges, key=lambda edge: edge.visits)
    listed = {edge.move for edge in graph.nodes[best.child].edges}
    left_out = next(move for move in range(9) if move != best.move and move not in listed)
    search.advance(best.move)
    search.advance(left_out)
    result = search.run(simulations=100)
    assert result.visits.sum() == 100
    assert len(result.moves) == 7


# Memory ----


@given(
    memory_bytes=st.integers(2_000, 60_000),
    width=st.integers(1, 6),
    width_walks=st.sampled_from([5, 20, 500]),
    graph=st.sampled_from(["tree", "dag"]),
    threads=st.integers(1, 2),
)
@settings(max_examples=25, deadline=None)
def test_memory__a_full_graph_is_recycled_and_all_simulations_are_done_within_the_cap(
    memory_bytes: int, width: int, width_walks: int, graph: str, threads: int
) -> None:
    config = replace(
        NARROW, width=width, width_walks=width_walks, graph=graph, threads=threads, memory_bytes=memory_bytes
    )
    search = Search(Picks(cells=8, length=6), config)
    result = search.run(simulations=1_500, seed=1)
    assert result.simulations == 1_500
    assert result.counts["bytes"] <= memory_bytes
    search.advance(result.best_move)
    after = search.run(simulations=1_000)
    assert after.simulations == 1_000
    assert after.counts["bytes"] <= memory_bytes
    assert set(after.moves.tolist()) <= set(range(8)) - {result.best_move}


def test_memory__narrow_nodes_of_go_take_less_of_it() -> None:
    game = GoGame(Board(9), DEFAULT, PriorWeights())
    config = SearchConfig(prior=VirtualVisits(visits=20))
    wide, narrow = (
        Search(game, replace(config, width=width)).run(simulations=300, seed=1).counts["bytes"] for width in (None, 8)
    )
    assert narrow < wide / 3


# Bad input ----


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"width": 0}, "width is 0; it must be at least 1, or None"),
        ({"width": -3}, "width is -3; it must be at least 1, or None"),
        ({"width": 2**31}, "width is 2147483648; it must be at least 1, or None"),
        ({"width_walks": -1}, "width_walks is -1; it must be 0 or a positive number"),
        ({"prior": None}, "width keeps the best moves by prior, but the config uses no priors; give prior"),
    ],
)
def test_config__names_what_is_wrong(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(NARROW, **fields)


def test_config__puct_needs_no_other_use_of_priors() -> None:
    assert SearchConfig(selection=PUCT(), width=5).width == 5
