"""Searches whose threads look on their own: local search over orders, nested rollout policy adaptation."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from tesuji.games import TSP, Knapsack, SameGame
from tesuji.search import NRPA, Orders, solve
from tesuji.search.strategies import Strategy

BOTH = [Orders(patience=50), NRPA(level=2, iterations=30)]


class Assignment:
    """Workers 0, 1, 2, ... choose tasks in turn; costs add up. In plain Python, with its optimum by enumeration."""

    goal = "minimise"
    to_play = 0

    def __init__(self, costs: list[list[float]], taken: tuple[int, ...] = ()) -> None:
        self.costs, self.taken = costs, taken

    @property
    def num_distinct_moves(self) -> int:
        return len(self.costs)

    @property
    def is_over(self) -> bool:
        return len(self.taken) == len(self.costs)

    @property
    def value(self) -> float:
        return sum(self.costs[worker][task] for worker, task in enumerate(self.taken))

    def legal_moves(self) -> list[int]:
        return [task for task in range(len(self.costs)) if task not in self.taken]

    def play(self, move: int) -> None:
        self.taken += (move,)

    def copy(self) -> Assignment:
        return Assignment(self.costs, self.taken)

    def key(self) -> int:
        return hash(self.taken)

    def optimum(self) -> float:
        orders = itertools.permutations(range(len(self.costs)))
        return min(sum(self.costs[worker][task] for worker, task in enumerate(order)) for order in orders)


def assignment(seed: int, count: int = 6) -> Assignment:
    draw = random.Random(seed)
    return Assignment([[draw.randint(1, 50) for _ in range(count)] for _ in range(count)])


@pytest.mark.parametrize("strategy", BOTH)
@pytest.mark.parametrize("seed", range(3))
def test_solve__finds_the_optimum_of_a_small_problem_in_python(strategy: Strategy, seed: int) -> None:
    game = assignment(seed)
    solved = solve(game, strategy=strategy, simulations=3000, seed=seed)
    assert solved.best_solution is not None
    assert solved.best_solution.value == game.optimum()
    assert not solved.is_optimal  # nobody knows: the game has no bound


@pytest.mark.parametrize("strategy", BOTH)
@pytest.mark.parametrize("game", [TSP.random(8, seed=1), Knapsack.random(12, seed=1), SameGame.random(5, 5, 3, seed=1)])
def test_solve__solutions_replay_to_their_value_and_one_seed_repeats(strategy: Strategy, game: TSP) -> None:
    first, again = (solve(game, strategy=strategy, simulations=400, seed=3) for _ in range(2))
    assert first.best_solution is not None
    assert first.best_solution == again.best_solution
    assert first.simulations == 400
    state = game.copy()
    for move in first.best_solution.moves:
        state.play(move)
    assert state.is_over
    assert state.value == first.best_solution.value
    values = [one.value for one in first.improvements]
    assert values == sorted(values, reverse=game.goal == "minimise")


@pytest.mark.parametrize("strategy", [Orders(threads=3), NRPA(threads=3, level=1, iterations=20)])
def test_solve__threads_share_the_budget(strategy: Strategy) -> None:
    solved = solve(TSP.random(9, seed=2), strategy=strategy, simulations=3000, seed=1)
    assert solved.simulations == 3000


def test_orders__begin_with_a_solution() -> None:
    game = TSP.random(20, seed=1)
    found = solve(game, strategy=Orders(), simulations=3000, seed=1).best_solution
    assert found is not None
    again = solve(game, strategy=Orders(begin_with=found.moves, patience=1), simulations=10, seed=9).best_solution
    assert again is not None
    assert again.value <= found.value
    with pytest.raises(ValueError, match="begin_with has move 99; the game's moves are 0 to 19"):
        solve(game, strategy=Orders(begin_with=(99,)), simulations=10, seed=1)


def test_nrpa__learns_where_playouts_alone_do_not() -> None:
    """On 12 cities: the mean of ten runs of each with the same number of playouts."""
    game = TSP.random(12, seed=4)

    def mean(level: int) -> float:
        runs = [solve(game, strategy=NRPA(level=level, iterations=60), simulations=3600, seed=s) for s in range(10)]
        return math.fsum(run.best_solution.value for run in runs if run.best_solution is not None)

    assert mean(2) < mean(0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NRPA(level=10), "level is 10; it must be 0 to 9"),
        (lambda: NRPA(iterations=0), "iterations is 0"),
        (lambda: NRPA(alpha=0), "alpha is 0; it must be above 0 and finite"),
        (lambda: NRPA(bias=float("nan")), "bias is nan"),
        (lambda: Orders(patience=0), "patience is 0; it must be at least 1"),
        (lambda: Orders(threads=0), "threads is 0; it must be 1 to 256"),
    ],
)
def test_strategies__refuse_values_outside_their_range(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        make()
