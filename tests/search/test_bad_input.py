"""Bad input gets one clear error: it names the value and the rule, and the search can go on afterwards."""

from __future__ import annotations

import math
from typing import Any

import pytest

from search.toy_games import Bandit, GraphGame, Nim, Picks
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
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

# Limits ----


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "a run needs a limit; give simulations, seconds or nodes"),
        ({"simulations": 0}, "simulations is 0; it must be above 0"),
        ({"simulations": -5}, "simulations is -5; it must be above 0"),
        ({"seconds": 0}, "seconds is 0; it must be above 0"),
        ({"seconds": -0.5}, "seconds is -0.5; it must be above 0"),
        ({"seconds": math.nan}, "seconds is nan; it must be above 0"),
        ({"nodes": 0}, "nodes is 0; it must be above 0"),
        ({"simulations": 10, "nodes": -1}, "nodes is -1; it must be above 0"),
    ],
)
def test_run__limits_that_are_missing_or_not_positive_are_refused(limits: dict[str, Any], message: str) -> None:
    search = Search(TicTacToe())
    with pytest.raises((ValueError, TypeError), match=f"^{message}"):
        search.run(**limits)
    assert search.run(simulations=5, seed=1).simulations == 5


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        ({"simulations": 1.5}, "simulations"),
        ({"simulations": "many"}, "simulations"),
        ({"simulations": 2**70}, "simulations"),
        ({"nodes": 2.5}, "nodes"),
        ({"nodes": 2**70}, "nodes"),
        ({"seconds": "long"}, "seconds"),
        ({"simulations": 5, "seed": 1.5}, "seed"),
        ({"simulations": 5, "seed": "x"}, "seed"),
    ],
)
def test_run__limits_of_the_wrong_kind_are_named_in_one_line(limits: dict[str, Any], name: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        Search(TicTacToe()).run(**limits)
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    assert "incompatible function arguments" not in message


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_run__seeds_out_of_range_are_refused(seed: int) -> None:
    search = Search(TicTacToe())
    with pytest.raises(ValueError, match=rf"seed is {seed}; it must lie in 0\.\.2\*\*64-1"):
        search.run(simulations=10, seed=seed)
    assert search.run(simulations=10, seed=2**64 - 1).seed == 2**64 - 1


def test_run__a_seed_cannot_change_in_the_middle() -> None:
    search = Search(TicTacToe())
    search.run(simulations=10, seed=3)
    with pytest.raises(ValueError, match="this search runs with seed 3; make a new one for seed 4"):
        search.run(simulations=10, seed=4)
    assert search.run(simulations=10, seed=3).simulations == 10


def test_result__before_any_run_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="run"):
        Search(Hex(3)).result()


# Roots ----


def finished_game() -> TicTacToe:
    game = TicTacToe()
    for move in (0, 3, 1, 4, 2):
        game.play(move)
    return game


@pytest.mark.parametrize(
    "game", [finished_game(), GraphGame({"E": 1.0}, "E"), Nim(0)], ids=["native", "python", "nothing to take"]
)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("solver", [True, False])
def test_root__a_game_that_is_over_is_refused(game: Any, threads: int, solver: bool) -> None:
    with pytest.raises(ValueError, match="the game is over at the root"):
        Search(game, SearchConfig(threads=threads, solver=solver)).run(simulations=10, seed=1)


def test_root__a_game_that_ends_by_advancing_is_refused_as_well() -> None:
    search = Search(Nim(2), SearchConfig(solver=True))
    search.run(simulations=100, seed=1)
    search.advance(1)
    with pytest.raises(ValueError, match="the game is over at the root"):
        search.run(simulations=10)
    with pytest.raises(ValueError, match="over"):
        search.advance(0)


def test_root__without_legal_moves_in_a_game_that_is_not_over_is_refused() -> None:
    stuck = GraphGame({"S": (0, {})}, "S")
    with pytest.raises(ValueError, match="the root has no legal move, yet its game is not over"):
        Search(stuck).run(simulations=10, seed=1)


@pytest.mark.parametrize("move", [-1, 25, 26, 99, 10**6, 2**31 - 1])
@pytest.mark.parametrize("searched", [True, False], ids=["after a run", "before a run"])
def test_advance__a_move_that_does_not_exist_is_refused_and_changes_nothing(move: int, searched: bool) -> None:
    search = Search(Hex(5))
    if searched:
        search.run(simulations=100, seed=1)
    with pytest.raises(ValueError, match=str(move)):
        search.advance(move)
    result = search.run(simulations=100, seed=1)
    assert result.visits.sum() == 100 + 100 * searched
    assert len(result.moves) == 25


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(), Hex(4)], ids=["tictactoe", "connect4", "hex"])
def test_advance__a_move_that_is_not_legal_is_refused(game: Any) -> None:
    search = Search(game)
    search.run(simulations=200, seed=1)
    for _ in range(6 if isinstance(game, Connect4) else 1):
        search.advance(2)
    with pytest.raises(ValueError, match="2 is not legal"):
        search.advance(2)
    assert search.run(simulations=50).simulations == 50


# Memory ----


@pytest.mark.parametrize("graph", ["tree", "dag"])
@pytest.mark.parametrize("memory_bytes", [1, 31, 100, 700])
@pytest.mark.parametrize("threads", [1, 2])
def test_memory__a_cap_too_small_for_the_root_is_refused(memory_bytes: int, graph: str, threads: int) -> None:
    config = SearchConfig(memory_bytes=memory_bytes, graph=graph, threads=threads)
    with pytest.raises(ValueError, match="the memory cap is too small for the root and its edges; raise it"):
        Search(Hex(11), config).run(simulations=10, seed=1)


@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_memory__a_cap_beyond_what_can_be_reserved_is_refused_or_costs_nothing(graph: str) -> None:
    try:
        result = Search(Hex(3), SearchConfig(memory_bytes=2**47, graph=graph)).run(simulations=10, seed=1)
    except ValueError as error:
        assert "memory cap" in str(error) or "for the graph" in str(error)  # noqa: PT017 - some systems reserve anything
        assert "lower" in str(error)  # noqa: PT017
    else:
        assert result.simulations == 10


# Configs ----


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UCB1(c=-0.1), "c is -0.1; it must be 0 or a positive number"),
        (lambda: UCB1(c=math.nan), "c is nan"),
        (lambda: UCB1(c=math.inf), "c is inf"),
        (lambda: UCB1Tuned(c=-1), "c is -1"),
        (lambda: PUCT(c=-1), "c is -1"),
        (lambda: EpsilonGreedy(epsilon=1.1), "epsilon is 1.1; it must be a probability, 0..1"),
        (lambda: EpsilonGreedy(epsilon=-0.1), "epsilon is -0.1"),
        (lambda: BAST(smoothness=-1), "smoothness is -1"),
        (lambda: RAVE(k=0), "k is 0; it must be a positive number"),
        (lambda: RAVE(c=-1), "c is -1"),
        (lambda: MinimumMSE(bias=-1), "bias is -1"),
        (lambda: VirtualVisits(visits=0), "visits is 0; it must be a positive number"),
        (lambda: ProgressiveBias(weight=-1), "weight is -1"),
        (lambda: HorizonPrior(horizon=0), "horizon is 0; it must be a positive number"),
        (lambda: Widening(minimum=0), "minimum is 0; it must be at least 1"),
        (lambda: Widening(rate=0), "rate is 0"),
        (lambda: Widening(rate=1.5), "rate is 1.5"),
        (lambda: Widening(scale=-1), "scale is -1"),
        (lambda: SearchConfig(threads=0), "threads is 0; it must be 1 to 256"),
        (lambda: SearchConfig(threads=1000), "threads is 1000"),
        (lambda: SearchConfig(memory_bytes=0), "memory_bytes is 0"),
        (lambda: SearchConfig(max_depth=0), "max_depth is 0; it must be at least 1"),
        (lambda: SearchConfig(maturity=-1), "maturity is -1"),
        (lambda: SearchConfig(graph="forest"), "graph is 'forest'; it must be one of tree, dag"),
        (
            lambda: SearchConfig(expansion="none"),
            "expansion is 'none'; it must be one of one-child, all-children, whole",
        ),
        (
            lambda: SearchConfig(parallel="magic"),
            "parallel is 'magic'; it must be one of lock-free, global-lock, roots",
        ),
        (lambda: SearchConfig(final_move="luck"), "final_move is 'luck'; it must be one of most-visits"),
        (lambda: SearchConfig(final_limit=2.0), "final_limit is 2.0; it must be a win rate, 0..1"),
        (lambda: SearchConfig(selection="UCB1"), "selection is 'UCB1'; it must be UCB1, UCB1Tuned"),
        (lambda: SearchConfig(amaf=UCB1()), "amaf is UCB1"),
        (lambda: SearchConfig(prior=0.5), "prior is 0.5"),
        (lambda: SearchConfig(widening=3), "widening is 3"),
        (lambda: SearchConfig(first_play_urgency=math.nan), "first_play_urgency is nan"),
    ],
)
def test_config__values_out_of_range_are_refused_when_it_is_made(make: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{message}"):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SearchConfig(selection=BAST(), amaf=RAVE()), "BAST selects by bounds"),
        (lambda: SearchConfig(graph="shared-values", parallel="roots"), "independent roots share nothing"),
        (lambda: SearchConfig(graph="multipath", threads=2), "for one thread; use threads=1"),
        (lambda: SearchConfig(final_move="most-visits-above-limit"), "needs the game's give_up_move; give it"),
    ],
)
def test_config__values_that_contradict_each_other_are_refused_with_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


PRIORS = [
    SearchConfig(selection=PUCT()),
    SearchConfig(prior=VirtualVisits()),
    SearchConfig(prior=ProgressiveBias()),
    SearchConfig(prior=HorizonPrior()),
]


@pytest.mark.parametrize("config", PRIORS, ids=["PUCT", "virtual visits", "bias", "horizon"])
@pytest.mark.parametrize(
    "game", [Hex(3), TicTacToe(), Connect4(), Board(5), Bandit([0.5], None)], ids=["hex", "ttt", "c4", "go", "python"]
)
def test_config__priors_that_the_game_does_not_have_are_refused(game: Any, config: SearchConfig) -> None:
    with pytest.raises(ValueError, match="the config uses priors, but (the|this) game has (none|no priors)"):
        Search(game, config).run(simulations=10, seed=1)


def test_config__the_solver_is_refused_for_go_under_territory_rules() -> None:
    with pytest.raises(ValueError, match="area"):
        Search(Board(5, rules="japanese"), SearchConfig(solver=True)).run(simulations=10, seed=1)


def test_search__something_that_is_no_game_is_refused() -> None:
    for thing in (None, 5, "hex", object()):
        with pytest.raises((TypeError, AttributeError)):
            Search(thing).run(simulations=10, seed=1)


def test_config__a_limit_of_depth_or_an_urgency_below_zero_is_fine() -> None:
    config = SearchConfig(max_depth=1, first_play_urgency=-3.0, maturity=0)
    assert Search(Picks(), config).run(simulations=30, seed=1).simulations == 30
