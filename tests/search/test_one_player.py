"""One player: solutions are kept and replay, finished parts are closed, the optimum is proved, scales do not matter."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from search.puzzles import Endless, Ladder, Leaves, Sums, best_value, replayed
from search.toy_games import hash_of
from tesuji.games import TSP, Connect4, Knapsack, SameGame
from tesuji.search import BAST, RAVE, UCB1, EpsilonGreedy, OnePlayer, Search, SearchConfig, UCB1Tuned, Widening

ENOUGH = 200_000
PUZZLES = {
    "leaves": lambda goal: Leaves(5, 4, goal, seed=3),
    "deep": lambda goal: Leaves(9, 2, goal, seed=4),
    "flat": lambda goal: Leaves(1, 30, goal, seed=5),
    "sums": lambda goal: Sums(5, 4, goal, seed=6),
    "ladder": lambda goal: Ladder(12, goal),
    "negative": lambda goal: Leaves(4, 4, goal, seed=7, factor=-3.5, shift=100.0),
    "constant": lambda goal: Leaves(4, 3, goal, seed=8, factor=0.0, shift=-2.5),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("goal", ["maximise", "minimise"])
@pytest.mark.parametrize("name", PUZZLES)
def test_run__a_problem_explored_completely_ends_with_its_optimum_proved(name: str, goal: str, threads: int) -> None:
    game = PUZZLES[name](goal)
    result = Search(game, SearchConfig(threads=threads)).run(simulations=ENOUGH, seed=1)
    assert result.proof == "optimal"
    assert result.simulations < ENOUGH
    assert result.best_solution is not None
    assert result.best_solution.value == best_value(game)
    assert replayed(game, result.best_solution.moves) == result.best_solution.value
    assert result.best_move == result.best_solution.moves[0]


CONFIGS = {
    "dag": SearchConfig(graph="dag"),
    "rave": SearchConfig(amaf=RAVE(k=50)),
    "tuned": SearchConfig(selection=UCB1Tuned()),
    "greedy": SearchConfig(selection=EpsilonGreedy()),
    "whole-path": SearchConfig(expansion="whole-path"),
    "all-children": SearchConfig(expansion="all-children", maturity=3),
    "widening": SearchConfig(widening=Widening()),
    "global-lock": SearchConfig(parallel="global-lock", threads=2),
    "roots": SearchConfig(parallel="roots", threads=2),
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("name", ["leaves", "sums"])
def test_run__every_kind_of_search_proves_the_optimum(name: str, config: SearchConfig) -> None:
    game = PUZZLES[name]("maximise")
    result = Search(game, config).run(simulations=ENOUGH, seed=2)
    assert result.proof == "optimal"
    assert result.best_solution is not None
    assert result.best_solution.value == best_value(game)


def test_run__a_closed_solution_is_walked_to_once_only() -> None:
    result = Search(Leaves(1, 30, seed=5)).run(simulations=ENOUGH, seed=1)
    assert result.simulations == len(result.moves)
    assert set(result.visits) == {1}


@pytest.mark.parametrize("seed", range(5))
def test_run__small_native_problems_are_solved(seed: int) -> None:
    sack, trip = Knapsack.random(10, seed=seed), TSP.random(7, seed=seed)
    assert _optimum(Search(sack)) == knapsack_optimum(sack)
    assert _optimum(Search(trip)) == pytest.approx(held_karp(trip), rel=1e-12)


def test_run__a_small_samegame_is_solved() -> None:
    game = SameGame.random(5, 3, 3, seed=2)
    assert _optimum(Search(game, SearchConfig(graph="dag"))) == best_value(game)


def _optimum(search: Search) -> float:
    result = search.run(simulations=ENOUGH * 10, seed=1)
    assert result.proof == "optimal"
    assert result.best_solution is not None
    assert replayed(search.game, result.best_solution.moves) == result.best_solution.value
    return result.best_solution.value


def knapsack_optimum(game: Knapsack) -> int:
    """By dynamic programming over the weight."""
    best = [0] * (game.room + 1)
    for weight, worth in zip(game.weights, game.worths, strict=True):
        for room in range(game.room, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + worth)
    return best[-1]


def held_karp(game: TSP) -> float:
    """By dynamic programming over sets of cities (Held and Karp 1962)."""
    places = list(zip(game.xs, game.ys, strict=True))
    others = range(1, len(places))
    length = {(frozenset([city]), city): math.dist(places[0], places[city]) for city in others}
    for size in range(2, len(places)):
        for subset in itertools.combinations(others, size):
            visited = frozenset(subset)
            for last in subset:
                length[visited, last] = min(
                    length[visited - {last}, before] + math.dist(places[before], places[last])
                    for before in subset
                    if before != last
                )
    return min(length[frozenset(others), last] + math.dist(places[last], places[0]) for last in others)


def test_run__a_proof_outlives_the_nodes_it_was_made_of() -> None:
    """A seventh of the memory that the whole tree takes: nodes are recycled, and what was closed stays closed."""
    trip = TSP.random(8, seed=1)
    result = Search(trip, SearchConfig(memory_bytes=100_000)).run(simulations=ENOUGH, seed=1)
    assert result.counts["bytes"] <= 100_000
    assert result.proof == "optimal"
    assert result.best_solution is not None
    assert result.best_solution.value == pytest.approx(held_karp(trip), rel=1e-12)


# Solutions ----


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "game",
    [SameGame.random(seed=1), Knapsack.random(60, seed=1), TSP.random(30, seed=1)],
    ids=["samegame", "knapsack", "tsp"],
)
def test_best_solution__replays_to_its_value(game: Any, threads: int) -> None:
    search = Search(game, SearchConfig(threads=threads))
    for _ in range(5):
        result = search.run(simulations=500)
        assert result.best_solution is not None
        assert replayed(game, result.best_solution.moves) == result.best_solution.value


def test_best_solution__never_gets_worse_and_is_the_best_seen() -> None:
    seen: list[float] = []

    class Watched(Leaves):
        @property
        def is_over(self) -> bool:
            over = len(self.path) == self.depth
            if over:
                seen.append(super().value)
            return over

    search, best = Search(Watched(12, 4, "minimise")), math.inf
    for _ in range(20):
        result = search.run(simulations=20, seed=4)
        assert result.best_solution is not None
        assert result.best_solution.value == min(seen) <= best
        best = result.best_solution.value


def test_best_solution__two_players_have_none() -> None:
    assert Search(Connect4()).run(simulations=50, seed=1).best_solution is None


def test_values__are_the_games_own_numbers() -> None:
    game = Leaves(1, 30, "minimise", seed=5, factor=10.0, shift=7.0)
    result = Search(game).run(simulations=ENOUGH, seed=1)
    for move, value in zip(result.moves, result.values, strict=True):
        after = game.copy()
        after.play(int(move))
        assert value == pytest.approx(after.value, abs=0.02)  # 10,000 in steps of 2^-20
    assert result.value == pytest.approx(np.mean(result.values), abs=0.02)


def test_advance__the_rest_of_the_best_solution_stays() -> None:
    game = Leaves(6, 4, seed=9)
    search = Search(game)
    best = search.run(simulations=50, seed=1).best_solution
    assert best is not None
    search.advance(best.moves[0])
    assert search.result().best_solution == msgspec.structs.replace(best, moves=best.moves[1:])
    other = next(move for move in search.result().moves if move != best.moves[1])
    search.advance(int(other))
    assert search.result().best_solution is None


def test_repr__tells_the_best_solution_and_what_is_closed() -> None:
    text = repr(Search(Leaves(1, 30, seed=5)).run(simulations=3, seed=1))
    assert "best solution" in text
    assert "in 1 moves" in text
    assert text.count("closed") == 3


# The scale ----


@pytest.mark.parametrize(("factor", "shift"), [(1.0, -500.0), (3.0, 0.0), (0.25, 1e6), (7.0, -7.0)])
@pytest.mark.parametrize(
    "config", [SearchConfig(), SearchConfig(selection=UCB1Tuned(), amaf=RAVE())], ids=["ucb1", "tuned"]
)
def test_scale__numbers_times_a_plus_b_give_the_same_graph(config: SearchConfig, factor: float, shift: float) -> None:
    graphs = []
    for game in (Leaves(7, 4, seed=2), Leaves(7, 4, seed=2, factor=factor, shift=shift)):
        search = Search(game, config)
        search.run(simulations=1500, seed=3)
        graphs.append(search.graph())
    one, other = graphs
    for name in set(one) - {"node_value", "edge_value", "edge_amaf_value"}:
        assert np.array_equal(one[name], other[name]), name
    # Values are sums of the numbers themselves.
    for kind in ("node", "edge", *(["edge_amaf"] if config.amaf else [])):
        expected = factor * one[f"{kind}_value"] + shift * one[f"{kind}_visits"]
        assert np.allclose(expected, other[f"{kind}_value"], rtol=1e-9, atol=1e-6), kind


def test_scale__minimising_is_maximising_the_opposite() -> None:
    graphs = []
    for game in (Leaves(7, 4, "maximise", seed=2), Leaves(7, 4, "minimise", seed=2, factor=-1.0)):
        search = Search(game)
        search.run(simulations=1500, seed=3)
        graphs.append(search.graph())
    for name, column in graphs[0].items():
        assert np.array_equal(column, graphs[1][name]), name


@pytest.mark.parametrize("threads", [1, 2])
def test_scale__all_means_are_on_the_final_scale(threads: int) -> None:
    """Numbers of a game that gets better and better: each new one makes the scale grow."""
    leaves: dict[int, float] = {}

    class Growing(Leaves):
        @property
        def value(self) -> float:
            return leaves.setdefault(self.path[0], 1.5 ** len(leaves))

    search = Search(Growing(1, 40, seed=5), SearchConfig(threads=threads, one_player=OnePlayer(revisit="allow")))
    result = search.run(simulations=400, seed=1)
    for move, value in zip(result.moves, result.values, strict=True):
        assert value == pytest.approx(leaves[int(move)], abs=1.5 ** len(leaves) * 2**-14)
    graph = search.graph()
    visits = graph["node_visits"].sum()
    assert visits == 400 + 400  # every walk through the root and one leaf: nothing is lost when the scale grows


def test_selection__is_ucb1_on_the_scale_of_the_numbers_seen_so_far() -> None:
    """A second opinion from the formula alone, simulation by simulation, through all rescalings."""
    seen: list[float] = []

    class Watched(Sums):
        """Numbers of 1 to 20,000, most of them small, so that the scale grows late too."""

        @property
        def value(self) -> float:
            seen.append(1.01 ** (hash_of(*self.path) % 1000))
            return seen[-1]

    config = SearchConfig(selection=UCB1(c=0.3), maturity=10**6, one_player=OnePlayer(revisit="allow"))
    search = Search(Watched(5, 6), config)
    numbers: dict[int, list[float]] = {move: [] for move in range(6)}
    before = np.zeros(6, dtype=np.int64)
    num_growths = 0
    for count in range(300):
        visits = search.run(simulations=1, seed=1).visits.astype(np.int64)
        (chosen,) = map(int, np.flatnonzero(visits - before))
        before = visits
        so_far = seen[:-1]  # the first sixteen are playouts from the root, which are not counted as simulations
        if count < 6:
            assert not numbers[chosen]
        else:
            low, high = min(so_far), max(so_far)
            scores = [
                (np.mean(found) - low) / (high - low) + 0.3 * math.sqrt(math.log(count) / len(found))
                for found in numbers.values()
            ]
            assert scores[chosen] >= max(scores) - 1e-4
            num_growths += not low <= seen[-1] <= high
        numbers[chosen].append(seen[-1])
    assert num_growths >= 3


# What was published: a penalty ----


def test_penalty__takes_its_share_off_solutions_that_the_graph_alone_made() -> None:
    values = []
    for one_player in (OnePlayer(revisit="allow"), OnePlayer(revisit="penalty", penalty=0.25)):
        search = Search(Leaves(1, 30, seed=5), SearchConfig(one_player=one_player))
        search.run(simulations=200, seed=1)
        graph = search.graph()
        values.append(graph["node_value"][1:] / graph["node_visits"][1:])
    best, worst = values[0].max(), values[0].min()
    # The share is counted from the scale's low end: the worst number of all playouts, which no mean is below.
    assert 0.75 * best <= values[1].max() <= best - 0.25 * (best - worst)


def test_penalty__proves_nothing_and_walks_on() -> None:
    config = SearchConfig(one_player=OnePlayer(revisit="penalty"))
    result = Search(Leaves(2, 3, seed=5), config).run(simulations=1000, seed=1)
    assert (result.simulations, result.proof) == (1000, "")


def test_penalty__spreads_walks_that_would_repeat_one_solution() -> None:
    """Basaldúa, 7.2.6: the value of a solution seen again and again falls behind its neighbours' if it is penalised."""
    shares = []
    for one_player in (OnePlayer(revisit="allow"), OnePlayer(revisit="penalty", penalty=0.5)):
        config = SearchConfig(selection=UCB1(c=0.05), one_player=one_player)
        results = [Search(Leaves(4, 4, seed=seed), config).run(simulations=3000, seed=1) for seed in range(8)]
        shares.append(np.mean([result.visits.max() / result.visits.sum() for result in results]))
    assert shares[1] < 0.8 * shares[0]


# Bad input ----


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("threads", [1, 2])
def test_bad_input__values_that_are_no_numbers_are_refused(value: float, threads: int) -> None:
    with pytest.raises(ValueError, match=r"value is -?(nan|inf).*finite number"):
        Search(Leaves(3, 3, shift=value), SearchConfig(threads=threads)).run(simulations=100, seed=1)


def test_bad_input__a_game_that_never_ends_is_stopped() -> None:
    with pytest.raises(RuntimeError, match="did not end within 100000 random moves"):
        Search(Endless(5, "maximise")).run(simulations=10, seed=1)


@pytest.mark.parametrize("goal", ["max", "", None, 1])
def test_bad_input__an_unknown_goal_is_refused(goal: Any) -> None:
    with pytest.raises(ValueError, match="goal is .*; it must be 'maximise' or 'minimise'"):
        Search(Leaves(3, 3, goal)).run(simulations=10, seed=1)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (SearchConfig(solver=True), "solver proves wins and losses"),
        (SearchConfig(selection=BAST()), "BAST selects by bounds on results of 0..1 alone"),
    ],
)
def test_bad_input__what_only_two_players_have_is_refused(config: SearchConfig, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Search(Leaves(3, 3), config).run(simulations=10, seed=1)


@pytest.mark.parametrize("fields", [{"revisit": "often"}, {"penalty": 0.0}, {"penalty": -1.0}, {"penalty": math.nan}])
def test_bad_input__a_config_out_of_range_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(fields))} is .*; it must be"):
        OnePlayer(**fields)


def test_statistics__of_another_search_are_taken_in() -> None:
    searches = [Search(Leaves(5, 4), SearchConfig(one_player=OnePlayer(revisit="allow"))) for _ in range(2)]
    for number, search in enumerate(searches):
        search.run(simulations=300, seed=number)
    before = searches[0].result().visits.sum()
    searches[0].take_in(searches[1].statistics())
    assert searches[0].result().visits.sum() == before + 300


def test_save__goes_on_exactly_as_the_saved_search(tmp_path: Path) -> None:
    def game() -> Leaves:
        return Leaves(8, 4, "minimise", seed=4)

    whole, first = Search(game(), SearchConfig(amaf=RAVE())), Search(game(), SearchConfig(amaf=RAVE()))
    whole.run(simulations=400, seed=1)
    expected = whole.run(simulations=400)
    first.run(simulations=400, seed=1)
    loaded = Search.load(first.save(tmp_path / "a.graph"), game())
    assert loaded.result().best_solution == first.result().best_solution
    found = loaded.run(simulations=400)
    assert np.array_equal(found.visits, expected.visits)
    assert found.best_solution == expected.best_solution


def test_scale__one_value_of_minus_a_billion_does_not_blind_the_search() -> None:
    class Bits(Sums):
        """Thirty bits: the sum of 1..30 squared weights, but one in a thousand solutions is infeasible."""

        @property
        def value(self) -> float:
            is_feasible = hash_of(*self.path) % 1000 != 0
            return float(sum(bit * (1 + place % 7) for place, bit in enumerate(self.path))) if is_feasible else -1e9

    found = [Search(Bits(30, 2), SearchConfig(selection=UCB1(c=0.3))).run(simulations=4_000, seed=s) for s in range(3)]
    optimum = sum(1 + place % 7 for place in range(30))
    assert all(result.best_solution.value >= 0.9 * optimum for result in found)
    assert all(np.ptp(result.values) > 0 for result in found)
