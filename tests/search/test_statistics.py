"""What the theory of bandits and of UCT promises, measured: seeded, with intervals; long versions are slow tests."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

from search.toy_games import Bandit, RandomTree
from tesuji.search import UCB1, Search, SearchConfig, UCB1Tuned

# UCB1 on Bernoulli arms ----


def regrets(means: Sequence[float], selection: UCB1 | UCB1Tuned, sizes: list[int], runs: int) -> NDArray[np.float64]:
    """What the inferior arms have cost in expectation after so many simulations, for each run; (runs, sizes)."""
    gaps = max(means) - np.asarray(means)
    rows = []
    for run in range(runs):
        search = Search(Bandit(means, random.Random(run)), SearchConfig(selection=selection, memory_bytes=2**16))
        before, row = 0, []
        for size in sizes:
            row.append(gaps @ search.run(simulations=size - before, seed=run).visits)
            before = size
        rows.append(row)
    return np.array(rows)


def expected_regret(means: Sequence[float], c: float, size: int) -> float:
    """The regret at which all arms have one index b = mean + c sqrt(ln n / n_i), the n_i summing up to n.

    For large n it is c^2 ln n times the sum of 1 / gap, which is the theory's constant; this keeps the terms that
    vanish slowly.
    """
    log_size, best = math.log(size), max(means)
    low, high = best, best + c * math.sqrt(log_size)
    for _ in range(100):
        index = (low + high) / 2
        counts = [c * c * log_size / (index - mean) ** 2 for mean in means]
        low, high = (index, high) if sum(counts) > size else (low, index)
    return sum((best - mean) * count for mean, count in zip(means, counts, strict=True))


def slope(sizes: list[int], regret: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the regret over ln n, by least squares."""
    return np.polyfit(np.log(sizes), regret.T, 1)[0]


def check_regret_is_logarithmic(means: Sequence[float], c: float, sizes: list[int], runs: int) -> None:
    measured = regrets(means, UCB1(c=c), sizes, runs)
    slopes = slope(sizes, measured)
    half_width = 3.3 * slopes.std(ddof=1) / math.sqrt(runs)  # a 99.9 % interval
    expected = float(slope(sizes, np.array([expected_regret(means, c, size) for size in sizes])))
    constant = sum(c * c / (max(means) - mean) for mean in means if mean < max(means))
    # The law at infinity and the law at this n bracket each other; the second must lie in the interval.
    assert constant <= expected <= 1.7 * constant
    assert half_width < 0.3 * expected, "too few runs to tell"
    assert abs(slopes.mean() - expected) < half_width, (slopes.mean(), half_width, expected)
    # ln n and nothing faster: the second half rises no steeper than the law says, where sqrt(n) would by far.
    half = len(sizes) // 2
    early, late = slope(sizes[:half], measured.mean(0)[:half]), slope(sizes[half:], measured.mean(0)[half:])
    assert late < 1.4 * early
    assert np.sqrt(sizes[-1] / sizes[half]) > 2


@pytest.mark.parametrize(("means", "c"), [((0.8, 0.4), math.sqrt(2)), ((0.9, 0.5, 0.3), 1.0)])
def test_ucb1__regret_on_bandits_grows_like_ln_n(means: tuple[float, ...], c: float) -> None:
    check_regret_is_logarithmic(means, c, [round(250 * 2 ** (k / 2)) for k in range(11)], runs=100)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("means", "c"), [((0.8, 0.4), math.sqrt(2)), ((0.9, 0.5, 0.3), 1.0), ((0.9, 0.1), 1.0), ((0.7, 0.5, 0.5, 0.2), 1.2)]
)
def test_ucb1__regret_grows_like_ln_n_up_to_a_quarter_million(means: tuple[float, ...], c: float) -> None:
    check_regret_is_logarithmic(means, c, [round(1000 * 2 ** (k / 2)) for k in range(17)], runs=100)


def test_ucb1__regret_stays_below_the_bound_of_auer_cesa_bianchi_and_fischer() -> None:
    means, sizes = (0.8, 0.5, 0.4), [100, 1_000, 10_000]
    gaps = [max(means) - mean for mean in means[1:]]
    measured = regrets(means, UCB1(c=math.sqrt(2)), sizes, runs=30)
    for size, regret in zip(sizes, measured.mean(0), strict=True):
        assert regret < sum(8 * math.log(size) / gap for gap in gaps) + (1 + math.pi**2 / 3) * sum(gaps)


def test_ucb1_tuned__regret_is_smaller_than_ucb1s_where_the_variance_is_small() -> None:
    means, sizes = (0.95, 0.85), [10_000]
    tuned = regrets(means, UCB1Tuned(), sizes, runs=30)[:, 0]
    plain = regrets(means, UCB1(c=math.sqrt(2)), sizes, runs=30)[:, 0]
    error = math.sqrt(tuned.var(ddof=1) / 30 + plain.var(ddof=1) / 30)
    assert plain.mean() - tuned.mean() > 3.3 * error


# UCT on a tree of coins ----


class CoinTree:
    """A tree whose leaves are coins: ``(mover, [subtrees])`` or the probability of a 1. Every look tosses again."""

    num_distinct_moves = 3

    def __init__(self, tree: object, rng: random.Random) -> None:
        self.tree, self.rng = tree, rng

    @classmethod
    def like(cls, game: RandomTree, rng: random.Random) -> CoinTree:
        """The tree of a game, its values being probabilities."""

        def subtree(state: RandomTree) -> object:
            if state.is_over:
                return state.value
            children = []
            for move in state.legal_moves():
                after = state.copy()
                after.play(move)
                children.append(subtree(after))
            return (state.to_play, children)

        return cls(subtree(game), rng)

    @property
    def to_play(self) -> int:
        return 0 if self.is_over else self.tree[0]

    @property
    def is_over(self) -> bool:
        return isinstance(self.tree, float)

    @property
    def value(self) -> float:
        return float(self.rng.random() < self.tree)

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else range(len(self.tree[1]))

    def play(self, move: int) -> None:
        self.tree = self.tree[1][move]

    def copy(self) -> Self:
        return type(self)(self.tree, self.rng)

    def key(self) -> int:
        return id(self.tree)


def true_value(tree: object) -> float:
    if isinstance(tree, float):
        return tree
    mover, children = tree
    return (max if mover == 0 else min)(true_value(child) for child in children)


def errors_of_uct(sizes: list[int], trees: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean error of the root's value, and how often the move is best, after so many simulations; (trees, sizes)."""
    chances = [k / 10 for k in range(1, 10)]
    errors, rights = [], []
    for seed in range(trees):
        game = CoinTree.like(RandomTree(seed, branching=3, depth=4, values=chances), random.Random(seed))
        truth, before = true_value(game.tree), 0
        search = Search(game, SearchConfig(selection=UCB1(c=1.0)))
        error, right = [], []
        for size in sizes:
            result = search.run(simulations=size - before, seed=seed)
            before = size
            error.append(abs(result.value - truth))
            right.append(true_value(game.tree[1][result.best_move]) == truth)
        errors.append(error)
        rights.append(right)
    return np.mean(errors, 0), np.mean(rights, 0)


def test_uct__error_on_known_trees_falls_towards_zero() -> None:
    errors, rights = errors_of_uct([2**7, 2**9, 2**11, 2**13], trees=16)
    assert (np.diff(errors) < 0).all(), errors
    assert errors[0] > 0.04
    assert errors[-1] < 0.015
    assert rights[-1] == 1


@pytest.mark.slow
def test_uct__error_on_known_trees_falls_at_least_like_one_over_the_root_of_n() -> None:
    sizes = [2**k for k in range(8, 20, 2)]
    errors, rights = errors_of_uct(sizes, trees=40)
    assert (np.diff(errors) < 0).all(), errors
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] < -0.45
    assert errors[-1] < 0.002
    assert rights[-1] == 1
