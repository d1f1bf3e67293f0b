"""What holds in every search whatever its config, its game and its threads; found out by Hypothesis."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import GraphView
from search.toy_games import Nim, Picks, RandomTree
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    Search,
    SearchConfig,
    SearchResult,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

SELECTIONS = st.sampled_from([UCB1(), UCB1(c=0.0), UCB1(c=1.4), EpsilonGreedy()])
TREE_ONLY = st.sampled_from([UCB1Tuned(), BAST(), BAST(c=0.1, smoothness=0.5)])
AMAF = st.sampled_from([None, None, RAVE(k=30), RAVE(c=0.3), MinimumMSE(), MinimumMSE(c=0.2)])
PRIORS = st.sampled_from([None, VirtualVisits(), ProgressiveBias(), ProgressiveBias(fades=False), HorizonPrior()])


@st.composite
def configs(draw: st.DrawFn, *, priors: bool, max_threads: int = 1, solver: bool | None = None) -> SearchConfig:
    """Any config; with priors only for games that have them."""
    graph = draw(st.sampled_from(["tree", "dag", "shared-values", "shared-counts"]))
    selections = SELECTIONS | st.just(PUCT()) if priors else SELECTIONS
    selection = draw(selections | TREE_ONLY if graph == "tree" else selections)
    bounds_only = isinstance(selection, BAST)  # which refuses AMAF and priors
    return SearchConfig(
        selection=selection,
        first_play_urgency=draw(st.sampled_from([None, None, 0.0, 0.6, 1.2])),
        amaf=None if bounds_only else draw(AMAF),
        prior=draw(PRIORS) if priors and not bounds_only else None,
        widening=draw(st.sampled_from([None, None, Widening(), Widening(scale=1.0, rate=1.0, minimum=1)])),
        expansion=draw(st.sampled_from(["one-child", "one-child", "all-children", "whole-path"])),
        maturity=draw(st.sampled_from([0, 1, 1, 2, 8])),
        graph=graph,
        solver=draw(st.booleans()) if solver is None else solver,
        final_move=draw(st.sampled_from(["most-visits", "best-value", "lower-bound"])),
        parallel=draw(st.sampled_from(["lock-free", "global-lock"] + ["roots"] * (graph != "shared-values"))),
        threads=draw(st.integers(1, max_threads)),
        memory_bytes=2**29,  # never full: recycling drops children, and their edges keep the visits
        max_depth=draw(st.sampled_from([1, 3, 2000])),
    )


def board(*moves: str) -> Board:
    result = Board(5)
    for move in moves:
        result.play(move)
    return result


NATIVE = st.sampled_from(
    [TicTacToe, Connect4, lambda: Hex(2), lambda: Hex(5), lambda: Hex(9), board, lambda: board("C3", "B2", "pass")]
).map(lambda make: make())
PYTHON = st.one_of(
    st.builds(Nim, st.integers(1, 15)),
    st.builds(Picks, seed=st.integers(0, 999), cells=st.integers(5, 7), takes_turns=st.booleans()),
    st.builds(RandomTree, seed=st.integers(0, 999), depth=st.integers(1, 6), takes_turns=st.booleans()),
)
SEEDS = st.integers(0, 2**64 - 1)


@st.composite
def searches(draw: st.DrawFn, **limits: Any) -> tuple[Any, SearchConfig]:
    if draw(st.booleans()):
        game, config = draw(NATIVE), draw(configs(priors=False, **limits))
        is_refused = config.graph in ("dag", "shared-counts")  # under superko
        if isinstance(game, Board) and config.solver and is_refused:
            config = msgspec.structs.replace(config, solver=False)
        return game, config
    return draw(PYTHON), draw(configs(priors=True, **limits))


def check_result(result: SearchResult, config: SearchConfig) -> None:
    """What a result says agrees with itself."""
    assert result.moves.tolist() == sorted(set(result.moves.tolist()))
    assert result.best_move in result.moves
    assert result.depths.sum() == result.simulations
    assert ((result.values >= 0) & (result.values <= 1)).all()
    assert 0 <= result.value <= 1
    assert (result.values[result.visits == 0] == 0).all()
    assert result.counts["bytes"] <= config.memory_bytes
    for line, move in zip(result.lines, result.moves, strict=True):
        assert line[0] == move
    assert set(result.main_line[:1]) <= set(result.moves.tolist())


def check_graph(search: Search, config: SearchConfig, simulations: int) -> None:
    """Visits add up at every node and nothing is worth more than its visits."""
    graph = search.graph()
    visits, value, close = graph["edge_visits"], graph["edge_value"], 1e-6
    parent = np.repeat(np.arange(len(graph["node_visits"])), graph["node_num_edges"])
    gone_on = np.bincount(parent, weights=visits, minlength=len(graph["node_visits"]))
    assert graph["node_visits"][0] == simulations
    assert gone_on[0] == simulations, "every simulation leaves the root by an edge"
    assert (gone_on <= graph["node_visits"]).all()
    assert (graph["node_value"] >= -close).all()
    assert (graph["node_value"] <= graph["node_visits"] + close).all()
    assert (value >= -close).all()
    assert (value <= visits + close).all()
    # Threads that meet at an edge without a lock may lose an AMAF update, never a visit.
    if config.amaf is not None and (config.threads == 1 or config.parallel != "lock-free"):
        assert (visits <= graph["edge_amaf_visits"]).all()
        assert (graph["edge_amaf_visits"] <= gone_on[parent]).all()
        assert (graph["edge_amaf_value"] <= graph["edge_amaf_visits"] + close).all()
    if config.graph in ("tree", "shared-values"):
        known = graph["edge_child"] >= 0
        np.testing.assert_array_equal(graph["node_visits"][graph["edge_child"][known]], visits[known])


@given(search=searches(), seed=SEEDS, simulations=st.integers(1, 400))
@settings(max_examples=200, deadline=None)
def test_one_thread__sums_hold_at_every_node(search: tuple[Any, SearchConfig], seed: int, simulations: int) -> None:
    game, config = search
    searching = Search(game, config)
    result = searching.run(simulations=simulations, seed=seed)
    assert result.simulations == simulations or result.proof
    assert result.visits.sum() == result.simulations
    check_result(result, config)
    check_graph(searching, config, result.simulations)


@given(search=searches(), seed=SEEDS, simulations=st.integers(1, 300), parts=st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_one_thread__one_seed_gives_the_identical_graph_however_the_run_is_divided(
    search: tuple[Any, SearchConfig], seed: int, simulations: int, parts: int
) -> None:
    game, config = search
    whole, divided = Search(game, config), Search(game, config)
    whole.run(simulations=simulations * parts, seed=seed)
    for _ in range(parts):
        divided.run(simulations=simulations, seed=seed)
    one, other = whole.graph(), divided.graph()
    assert one.keys() == other.keys()
    for name, column in one.items():
        np.testing.assert_array_equal(column, other[name], err_msg=name)


@pytest.mark.parametrize("game", [Hex(7), Connect4(), Board(7)], ids=["hex", "connect4", "go"])
def test_one_thread__another_seed_gives_another_graph(game: Any) -> None:
    graphs = []
    for seed in (1, 2, 1):
        search = Search(game)
        search.run(simulations=500, seed=seed)
        graphs.append({name: column.tolist() for name, column in search.graph().items()})
    assert graphs[0] == graphs[2]
    assert graphs[0] != graphs[1]


@given(search=searches(max_threads=3), seed=SEEDS, simulations=st.integers(1, 400))
@settings(max_examples=150, deadline=None)
def test_threads__simulations_are_counted_once_and_the_sums_hold(
    search: tuple[Any, SearchConfig], seed: int, simulations: int
) -> None:
    game, config = search
    searching = Search(game, config)
    result = searching.run(simulations=simulations, seed=seed)
    if not result.proof:
        assert result.simulations == simulations
    assert result.simulations <= simulations
    assert result.visits.sum() == result.simulations
    check_result(result, config)
    if config.parallel != "roots" or config.threads == 1:
        check_graph(searching, config, result.simulations)
    again = searching.run(simulations=50, seed=seed)
    assert again.visits.sum() == result.simulations + again.simulations


@pytest.mark.parametrize("parallel", ["lock-free", "global-lock", "roots"])
@pytest.mark.parametrize("graph", ["tree", "dag"])
@pytest.mark.parametrize("game", [Hex(9), Board(9), Connect4()], ids=["hex", "go", "connect4"])
def test_two_threads__lose_nothing_in_twenty_thousand_simulations(game: Any, graph: str, parallel: str) -> None:
    config = SearchConfig(threads=2, parallel=parallel, graph=graph, amaf=RAVE(), selection=UCB1(c=0.2), maturity=2)
    searching = Search(game, config)
    result = searching.run(simulations=20_000, seed=1)
    assert (result.simulations, result.visits.sum()) == (20_000, 20_000)
    if parallel != "roots":
        check_graph(searching, config, 20_000)
    check_result(result, config)


@given(search=searches(solver=False), seed=SEEDS, data=st.data())
@settings(max_examples=100, deadline=None)
def test_advance__keeps_the_subtree_and_its_visits(
    search: tuple[Any, SearchConfig], seed: int, data: st.DataObject
) -> None:
    game, config = search
    searching = Search(game, config)
    searching.run(simulations=200, seed=seed)
    before = GraphView(searching.graph())
    edge = data.draw(st.sampled_from(before.root.edges))
    kept = before.nodes[edge.child] if edge.child >= 0 else None
    searching.advance(edge.move)
    after = searching.graph()
    if kept is None:
        assert len(after["node_visits"]) == 0
    else:
        root = GraphView(after).root
        assert (root.visits, root.value, root.mover) == (kept.visits, kept.value, kept.mover)
        assert [(e.move, e.visits, e.value) for e in root.edges] == [(e.move, e.visits, e.value) for e in kept.edges]


@pytest.mark.parametrize("graph", ["tree", "dag", "shared-values"])
def test_advance__the_next_run_goes_on_from_what_is_known(graph: str) -> None:
    search = Search(Hex(5), SearchConfig(graph=graph))
    first = search.run(simulations=5_000, seed=1)
    kept = int(first.visits.max())
    search.advance(first.best_move)
    second = search.run(simulations=1_000)
    assert second.simulations == 1_000
    assert 0 <= kept + 1_000 - second.visits.sum() <= 1  # the first visit of the new root was its own playout
    assert first.best_move not in second.moves


def test_advance__before_any_run_plays_on_the_game() -> None:
    search = Search(TicTacToe())
    search.advance(4)
    result = search.run(simulations=100, seed=1)
    assert result.moves.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_search__leaves_the_game_it_is_given_alone() -> None:
    for game in (Hex(4), Nim(9), TicTacToe()):
        key = game.key()
        search = Search(game)
        search.run(simulations=100, seed=1)
        search.advance(search.result().best_move)
        assert game.key() == key
        game.play(int(game.legal_moves()[0]))
        assert search.run(simulations=10).simulations == 10


def test_seed__is_drawn_and_recorded_if_not_given_and_repeats_the_search() -> None:
    first = Search(Hex(5))
    drawn = first.run(simulations=300)
    assert drawn.seed == drawn.provenance.seed
    again = Search(Hex(5)).run(simulations=300, seed=drawn.seed)
    np.testing.assert_array_equal(drawn.visits, again.visits)
    assert Search(Hex(5)).run(simulations=300).seed != drawn.seed


def test_nodes__a_run_ends_when_the_graph_has_so_many() -> None:
    result = Search(Hex(7)).run(nodes=1_000, seed=1)
    assert 1_000 <= result.counts["nodes"] <= 1_001
    assert result.simulations > 1_000  # in a tree there are nodes only where there are edges


def test_result__bytes_per_edge_and_node_keep_the_budget_with_amaf() -> None:
    counts = Search(Hex(7), SearchConfig(amaf=RAVE())).run(simulations=100, seed=1).counts
    assert counts["bytes_per_edge"] <= 40
    assert counts["bytes_per_node"] <= 32
    assert counts["bytes"] >= counts["nodes"] * counts["bytes_per_node"] + counts["edges"] * counts["bytes_per_edge"]


def test_virtual_loss__is_gone_when_the_run_is_over() -> None:
    """Every result is 1: were a virtual loss left behind, a sum would differ from its visits."""
    game = RandomTree(seed=3, depth=6, values=(1.0,))
    config = SearchConfig(threads=3)
    search = Search(game, config)
    search.run(simulations=3_000, seed=1)
    for node in GraphView(search.graph()).nodes:
        assert node.value == node.visits
        for edge in node.edges:
            assert edge.value == edge.visits
