"""Answers during a search of P-games, beside whole searches of each length; alpha-beta and flat Monte-Carlo."""

from __future__ import annotations

import itertools
import subprocess
import sys

import msgspec
import numpy as np
import pytest

from tesuji.games import PGame, PGamePosition, PGameSpec
from tesuji.search import UCB1, Search, SearchConfig
from tesuji.search.choices import alpha_beta, flat_monte_carlo_choices, one_two_five, search_choices

TREE = SearchConfig(selection=UCB1(c=1.0), expansion="whole-path", final_move="best-value", memory_bytes=2**25)
DAG = msgspec.structs.replace(TREE, graph="dag")
YOUNG = msgspec.structs.replace(TREE, expansion="one-child", maturity=3)


def made(breadth: int, depth: int, **fields: object) -> PGame:
    return PGame(msgspec.convert({"breadth": breadth, "depth": depth, **fields}, PGameSpec))


@pytest.mark.parametrize("config", [TREE, DAG, YOUNG], ids=["tree", "dag", "maturity"])
def test_choices__are_the_best_moves_of_searches_of_that_length(config: SearchConfig) -> None:
    start = made(4, 7, combination=0.15, seed=3).start()
    counts = [1, 2, 3, 5, 17, 100, 999, 2_000]
    found = search_choices(start, config, counts=counts, seeds=[1, 2])
    assert found.moves.shape == found.num_nodes.shape == (2, len(counts))
    for row, seed in enumerate([1, 2]):
        for column, count in enumerate(counts):
            result = Search(start, config).run(simulations=count, seed=seed)
            assert found.moves[row, column] == result.best_move
            assert found.num_nodes[row, column] == result.counts["nodes"]


@pytest.mark.parametrize("size", [(2, 20), (4, 10), (6, 8), (10, 6)], ids=str)
def test_dag__without_merged_nodes_answers_as_a_tree_after_every_simulation(size: tuple[int, int]) -> None:
    for seed in range(3):
        start = made(*size, seed=seed).start()
        counts = [*range(1, 3_000), 20_000]
        tree, dag = (search_choices(start, config, counts=counts, seeds=[seed, 99]) for config in (TREE, DAG))
        assert tree.moves.tolist() == dag.moves.tolist()
        assert tree.num_nodes.tolist() == dag.num_nodes.tolist()


@pytest.mark.parametrize("size", [(2, 12), (5, 5)], ids=str)
def test_tree__searches_a_dag_as_the_tree_it_unfolds_to(size: tuple[int, int]) -> None:
    game = made(*size, combination=0.25, seed=7)
    counts = list(range(1, 2_000))
    folded, unfolded = (search_choices(one.start(), TREE, counts=counts, seeds=[5]) for one in (game, game.unfolded()))
    assert folded.moves.tolist() == unfolded.moves.tolist()
    dag = search_choices(game.start(), DAG, counts=counts, seeds=[5])
    assert dag.num_nodes[0, -1] < folded.num_nodes[0, -1]


def test_dag__has_no_more_nodes_than_the_game() -> None:
    game = made(2, 12, combination=0.3, seed=2)
    found = search_choices(game.start(), DAG, counts=[20_000], seeds=[1])
    assert found.num_nodes[0, 0] <= game.num_nodes


def test_choices__errors_fall_with_iterations() -> None:
    wrong = np.zeros(2)
    for seed in range(20):
        game = made(6, 4, seed=seed)
        found = search_choices(game.start(), TREE, counts=[1, 20_000], seeds=range(5))
        wrong += (~np.isin(found.moves, game.winning_moves)).sum(axis=0)
    assert wrong[0] > 30
    assert wrong[1] == 0


def _all_positions(position: PGamePosition) -> list[PGamePosition]:
    found = [position]
    if not position.is_over:
        for move in position.legal_moves():
            after = position.copy()
            after.play(move)
            found += _all_positions(after)
    return found


@pytest.mark.parametrize("combination", [0.0, 0.2])
@pytest.mark.parametrize("size", [(2, 7), (3, 5), (6, 3)], ids=str)
def test_alpha_beta__finds_the_exact_value_of_every_node(size: tuple[int, int], combination: float) -> None:
    for seed in range(3):
        for position in _all_positions(made(*size, combination=combination, seed=seed).start()):
            found = alpha_beta(position)
            assert found.value == position.value
            if position.is_over:
                assert (found.move, found.leaves) == (None, 1)
            else:
                assert found.move is not None
                can_win = any(position.is_winning(move) for move in position.legal_moves())
                assert position.is_winning(found.move) == can_win


def test_alpha_beta__looks_at_part_of_the_leaves() -> None:
    leaves = [alpha_beta(made(4, 6, seed=seed).start()).leaves for seed in range(20)]
    assert all(
        4**3 <= count < 4**6 for count in leaves
    )  # a proof of a win has one move of the winner, all of the other


def _playout_value(position: PGamePosition) -> float:
    """The exact mean of uniform playouts."""
    if position.is_over:
        return position.value
    below = []
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        below.append(_playout_value(after))
    return float(np.mean(below))


def test_flat_monte_carlo__finds_the_best_mean_not_the_best_move() -> None:
    misled = 0
    for seed in range(30):
        game = made(3, 6, seed=seed)
        means = []
        for move in range(3):
            after = game.start()
            after.play(move)
            means.append(_playout_value(after))
        first, second = sorted(means)[-1:-3:-1]
        if first - second < 0.05:
            continue
        found = flat_monte_carlo_choices(game.start(), counts=[6_000], seeds=range(5))
        assert set(found.moves.ravel().tolist()) == {int(np.argmax(means))}
        misled += int(np.argmax(means)) not in game.winning_moves
    assert misled > 0


@pytest.mark.parametrize("counts", [[0], [-1], [5, 5], [5, 2], [1, 2, 2]], ids=str)
def test_choices__counts_that_do_not_ascend_are_refused(counts: list[int]) -> None:
    start = made(2, 4, seed=1).start()
    with pytest.raises((ValueError, TypeError)):
        search_choices(start, TREE, counts=counts, seeds=[1])
    with pytest.raises((ValueError, TypeError)):
        flat_monte_carlo_choices(start, counts=counts, seeds=[1])


def test_choices__a_game_that_is_over_is_refused() -> None:
    position = made(2, 2, seed=1, mixed_root=False).start()
    position.play(0)
    position.play(0)
    with pytest.raises(ValueError, match="the game is over here"):
        search_choices(position, TREE, counts=[1], seeds=[1])


def test_choices__no_repetition_gives_no_row() -> None:
    assert search_choices(made(2, 4, seed=1).start(), TREE, counts=[1, 2], seeds=[]).moves.size == 0


@pytest.mark.parametrize(("limit", "counts"), [(1, [1]), (10, [1, 2, 5, 10]), (99, [1, 2, 5, 10, 20, 50])])
def test_one_two_five__ends_at_the_limit(limit: int, counts: list[int]) -> None:
    assert one_two_five(limit) == counts
    assert all(a < b for a, b in itertools.pairwise(one_two_five(10_000)))


MEASURED = """
import resource
from tesuji.games import PGame, PGameSpec
from tesuji.search import UCB1, Search, SearchConfig
game = PGame(PGameSpec(breadth=2, depth=20, seed=1))
config = SearchConfig(selection=UCB1(c=1e6), expansion="whole-path", graph="{graph}", memory_bytes=700 * 2**20)
found = Search(game.start(), config).run(simulations=1_100_000, seed=1)  # exploration alone: it goes everywhere
print(game.num_nodes, found.counts["nodes"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux")
@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_memory__two_million_nodes_and_their_search_fit_in_1_gb(graph: str) -> None:
    program = MEASURED.format(graph=graph)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    game_nodes, search_nodes, peak_kb = map(int, done.stdout.split())
    assert game_nodes == 2**21 - 1
    assert search_nodes == game_nodes
    assert peak_kb * 1024 < 10**9
