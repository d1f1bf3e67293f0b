"""Bounds of games for one player: never worse than the best solution below a state, and worth something."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tesuji.games import TSP, BrokenGame, Knapsack, SameGame, check_game

PROBLEMS: dict[str, Any] = {
    "knapsack": lambda seed: Knapsack.random(10, seed=seed),
    "tsp": lambda seed: TSP.random(6, seed=seed),
    "samegame": lambda seed: SameGame.random(4, 3, 2, seed=seed),
    "samegame, many colours": lambda seed: SameGame.random(4, 4, 5, seed=seed),
}


def best_below(state: Any, known: dict[int, float]) -> float:
    """By complete enumeration."""
    if state.is_over:
        return float(state.value)
    key = state.key()
    if key not in known:
        found = []
        for move in state.legal_moves():
            after = state.copy()
            after.play(move)
            found.append(best_below(after, known))
        known[key] = max(found) if state.goal == "maximise" else min(found)
    return known[key]


def is_no_better(state: Any, value: float, bound: float) -> bool:
    return value <= bound if state.goal == "maximise" else value >= bound


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("seed", range(5))
def test_bound__no_solution_below_any_state_is_better(name: str, seed: int) -> None:
    rng, known = random.Random(seed), dict[int, float]()
    start = PROBLEMS[name](seed)
    for _ in range(10):
        state = start.copy()
        while True:
            assert is_no_better(state, best_below(state, known), state.bound)
            if state.is_over:
                break
            state.play(rng.choice(state.legal_moves()))


@pytest.mark.parametrize("name", PROBLEMS)
def test_bound__check_game_agrees_on_larger_problems(name: str) -> None:
    larger = {"knapsack": Knapsack.random(40, seed=2), "tsp": TSP.random(20, seed=2)}
    check_game(larger.get(name, SameGame.random(8, 8, 3, seed=2)), games=5)


def test_knapsack__at_the_end_the_bound_is_the_value() -> None:
    for seed in range(20):
        game = Knapsack.random(12, seed=seed)
        rng = random.Random(seed)
        while not game.is_over:
            game.play(rng.choice(game.legal_moves()))
        assert game.bound >= game.value


def test_knapsack__is_dantzigs_bound() -> None:
    game = Knapsack(weights=[10, 20, 30], worths=[60, 100, 120], capacity=50)
    assert game.bound == 240  # 60 + 100 + two thirds of 120
    game.play(1)  # items are taken in ascending order: the first is gone
    assert game.bound == 220
    game.play(2)
    assert (game.is_over, game.bound, game.value) == (True, 220, 220)


def test_tsp__is_a_spanning_tree() -> None:
    game = TSP(xs=[0, 0, 3, 3], ys=[0, 4, 4, 0])
    assert game.bound == pytest.approx(3 + 3 + 4)
    game.play(2)  # across the diagonal
    assert game.bound == pytest.approx(5 + 3 + 3 + 4)
    game.play(1)
    game.play(3)
    assert game.bound == pytest.approx(game.value)
    assert game.bound <= game.value


def test_samegame__a_single_stone_stays() -> None:
    assert SameGame("112\n112").bound == 4 + 0 + 1000  # four and two stones
    assert SameGame("112\n113").bound == 4 - 1 - 1


class Steps:
    """Four steps of one or two; the value is their sum."""

    goal = "maximise"
    num_distinct_moves = 2

    def __init__(self, taken: tuple[int, ...] = ()) -> None:
        self.taken = taken

    @property
    def is_over(self) -> bool:
        return len(self.taken) == 4

    @property
    def value(self) -> float:
        return float(sum(self.taken))

    @property
    def bound(self) -> float:
        return self.value + 2 * (4 - len(self.taken))

    def legal_moves(self) -> list[int]:
        return [] if self.is_over else [0, 1]

    def play(self, move: int) -> None:
        self.taken += (move + 1,)

    def copy(self) -> Any:
        return type(self)(self.taken)

    def key(self) -> int:
        return hash(self.taken)


def test_plain_python__a_class_may_have_a_bound() -> None:
    check_game(Steps())


def test_plain_python__a_bound_that_is_beaten_is_shown_with_its_moves() -> None:
    class Pessimist(Steps):
        @property
        def bound(self) -> float:
            return self.value + 1.5 * (4 - len(self.taken))

    with pytest.raises(BrokenGame, match=r"no solution is better than a bound on the way to it \(after \d moves") as it:
        check_game(Pessimist())
    assert len(it.value.moves) == 4


def test_plain_python__a_bound_is_a_number() -> None:
    class Nothing(Steps):
        bound = float("nan")

    with pytest.raises(BrokenGame, match="a bound is a number"):
        check_game(Nothing())
