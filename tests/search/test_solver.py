"""The solver proves what minimax knows, nothing else, and stops when the root is proved."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import GraphView
from search.solvers import minimax
from search.toy_games import GraphGame, Nim, Picks, RandomTree
from tesuji.games import Connect4, TicTacToe
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Search,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

PROVED = {"": 0, "lost": 1, "drawn": 2, "won": 3}
NAMES = {0.0: ("lost", "won"), 0.5: ("drawn", "drawn"), 1.0: ("won", "lost")}  # by value, for the first and the second

CONFIGS = st.builds(
    SearchConfig,
    solver=st.just(True),
    selection=st.sampled_from([UCB1(), UCB1(c=0.0), UCB1(c=2.0), EpsilonGreedy(), PUCT()]),
    amaf=st.sampled_from([None, RAVE(k=20)]),
    prior=st.sampled_from([None, VirtualVisits(visits=3)]),
    expansion=st.sampled_from(["one-child", "all-children", "whole-path"]),
    maturity=st.sampled_from([1, 2, 5]),
    graph=st.sampled_from(["tree", "dag"]),
    memory_bytes=st.just(2**24),
) | st.builds(SearchConfig, solver=st.just(True), selection=st.sampled_from([UCB1Tuned(), BAST()]))
GAMES = st.one_of(
    st.builds(
        RandomTree,
        seed=st.integers(0, 10**6),
        branching=st.integers(1, 4),
        depth=st.integers(1, 5),
        takes_turns=st.booleans(),
    ),
    st.builds(
        Picks,
        seed=st.integers(0, 10**6),
        cells=st.integers(3, 5),
        length=st.integers(1, 3),
        takes_turns=st.booleans(),
    ),
    st.builds(Nim, st.integers(1, 9)),
)


@given(game=GAMES, config=CONFIGS, seed=st.integers(0, 2**40))
@settings(max_examples=150, deadline=None)
def test_proofs__agree_with_minimax_on_random_small_games(game: object, config: SearchConfig, seed: int) -> None:
    if game.is_over:
        return
    search = Search(game, config)
    result = search.run(simulations=300, seed=seed)
    truth = minimax(game)
    assert result.proof in ("", NAMES[truth][game.to_play])
    for move, proof in zip(result.moves.tolist(), result.proofs.tolist(), strict=True):
        after = game.copy()
        after.play(move)
        assert proof in (0, PROVED[NAMES[minimax(after)][game.to_play]])
    if result.proof:
        after = game.copy()
        after.play(result.best_move)
        assert minimax(after) == truth


@given(game=GAMES, config=CONFIGS)
@settings(max_examples=60, deadline=None)
def test_proofs__every_node_of_the_graph_that_is_proved_is_proved_right(game: object, config: SearchConfig) -> None:
    if game.is_over:
        return
    search = Search(game, config)
    search.run(simulations=200, seed=1)
    graph = GraphView(search.graph())
    todo, seen = [(game, graph.root)], set()
    while todo:
        state, node = todo.pop()
        if node.proof:
            assert (node.proof - 1) / 2 == minimax(state)
        for edge in node.edges:
            after = state.copy()
            after.play(edge.move)
            if edge.proof:
                assert (edge.proof - 1) / 2 == minimax(after)
            if edge.child > 0 and edge.child not in seen:
                seen.add(edge.child)
                todo.append((after, graph.nodes[edge.child]))


@given(seed=st.integers(0, 10**6), takes_turns=st.booleans())
@settings(max_examples=60, deadline=None)
def test_run__proves_a_small_game_and_ends_early(seed: int, takes_turns: bool) -> None:
    game = RandomTree(seed, branching=3, depth=4, takes_turns=takes_turns)
    result = Search(game, SearchConfig(solver=True, selection=UCB1(c=1.0))).run(simulations=10**6, seed=1)
    assert result.proof == NAMES[minimax(game)][game.to_play]
    assert result.simulations < 20_000
    assert result.value == {"lost": 0.0, "drawn": 0.5, "won": 1.0}[result.proof]


def test_run__a_proved_root_does_not_search_again() -> None:
    search = Search(Nim(6), SearchConfig(solver=True))
    first = search.run(simulations=10**6, seed=1)
    assert first.proof == "won"
    again = search.run(simulations=10**6)
    assert (again.simulations, again.proof, again.best_move) == (0, "won", first.best_move)


def test_run__without_the_solver_nothing_is_proved() -> None:
    search = Search(Nim(5), SearchConfig())
    result = search.run(simulations=2_000, seed=1)
    assert (result.proof, result.simulations, result.proofs.any()) == ("", 2_000, False)
    assert not search.graph()["node_proof"].any()


def test_proofs__a_value_between_proves_nothing() -> None:
    game = GraphGame({"S": (0, {0: "A", 1: "B"}), "A": 0.3, "B": 0.7}, "S")
    result = Search(game, SearchConfig(solver=True)).run(simulations=500, seed=1)
    assert (result.proof, result.simulations, result.best_move) == ("", 500, 1)
    assert not result.proofs.any()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("parallel", ["lock-free", "global-lock", "roots"])
def test_proofs__hold_with_threads(threads: int, parallel: str) -> None:
    game = Connect4()
    for move in (3, 2, 3, 2, 3):  # the first player threatens; the second must answer at 3
        game.play(move)
    config = SearchConfig(solver=True, threads=threads, parallel=parallel)
    result = Search(game, config).run(simulations=20_000, seed=1)
    assert result.best_move == 3
    assert all(proof == PROVED["lost"] for move, proof in zip(result.moves, result.proofs, strict=True) if move != 3)


@pytest.mark.parametrize("widening", [Widening(scale=1.0, rate=1.0, minimum=1), Widening(scale=0.0, minimum=1)])
def test_proofs__a_move_that_widening_keeps_closed_is_not_taken_for_lost(widening: Widening) -> None:
    """S has one losing move that looks best beforehand, and a winning one. The root is not lost while one is closed."""

    class Tempting(GraphGame):
        def priors(self, moves: list[int]) -> list[float]:
            return [{0: 0.9, 1: 0.1}[move] for move in moves]

    game = Tempting({"S": (0, {0: "-", 1: "+"}), "-": 0.0, "+": 1.0}, "S")
    config = SearchConfig(solver=True, widening=widening, prior=VirtualVisits())
    result = Search(game, config).run(simulations=200, seed=1)
    assert result.proof != "lost"
    assert result.best_move == 1


@pytest.mark.parametrize("solver", [True, False])
def test_lost_moves__are_not_searched_again_once_they_are_proved(solver: bool) -> None:
    game = TicTacToe()
    for move in (0, 4, 8):  # the corners lose for the second player, the sides draw
        game.play(move)
    config = SearchConfig(solver=solver, selection=UCB1(c=3.0))
    result = Search(game, config).run(simulations=50_000, seed=1)
    corners = [int(n) for move, n in zip(result.moves, result.visits, strict=True) if move in (2, 6)]
    if solver:
        assert max(corners) < 500
    else:
        assert min(corners) > 500


def test_drawn_moves__are_not_searched_again_while_others_are_open() -> None:
    """Move 0 draws at once. The others are trees too large to be proved in this run: they must get the simulations."""

    class DrawOrFight(RandomTree):
        @property
        def is_over(self) -> bool:
            return self.path[:1] == (0,) or len(self.path) == self.depth

        @property
        def value(self) -> float:
            return 0.5 if self.path[0] == 0 else super().value

        def legal_moves(self) -> list[int]:
            return [] if self.is_over else [0, 1, 2]

    game = DrawOrFight(seed=1, branching=3, depth=14)
    result = Search(game, SearchConfig(solver=True)).run(simulations=3_000, seed=1)
    assert result.proofs[0] == PROVED["drawn"]
    assert result.visits[0] < 300
