"""Playouts that learn, from Python: shares of moves, what is learnt, engines and searches, files, bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tesuji.go import Board
from tesuji.go.engine.engine import Engine
from tesuji.go.engine.parameters import applied_to_engine, values_of
from tesuji.go.engine.presets import engine_preset
from tesuji.go.knowledge.game import GoGame
from tesuji.go.knowledge.learning import Learning, LearntMoves
from tesuji.go.knowledge.playouts import BASE, DEFAULT_LEARNING, LEARNING, ORIGINS, run_learning_playouts, run_playouts
from tesuji.search import Search

SMALL = replace(LEARNING, learning=Learning(memory_mb=2.0))


def test_learning__plays_what_it_learns_instead_of_random_moves() -> None:
    _, learning = run_learning_playouts(Board(9), SMALL, 600, seed=1)
    _, base = run_playouts(Board(9), BASE, 600, seed=1)
    share = {name: count / sum(learning.values()) for name, count in learning.items()}
    assert share["node"] > 0.05
    assert share["edge"] > 0.001
    assert share["random"] < base["random"] / sum(base.values())


def test_learning__one_seed_gives_one_result() -> None:
    results = [run_learning_playouts(Board(7), SMALL, 150, seed=3) for _ in range(2)]
    assert (results[0][0] == results[1][0]).all()
    assert results[0][1] == results[1][1]


def test_search__learns_and_keeps_what_it_learnt_when_it_advances() -> None:
    search = Search(GoGame(Board(9), SMALL))
    found = search.run(simulations=300, seed=1)
    learnt = search.game.learnt
    assert learnt is not None
    assert learnt.num_playouts == 300
    before = learnt.native().save()
    search.advance(found.best_move)
    assert learnt.native().save() == before
    search.run(simulations=100)
    assert learnt.native().save() != before


def test_search__clears_what_it_learnt_when_it_is_told_to() -> None:
    policy = replace(SMALL, learning=Learning(memory_mb=2.0, kept=False))
    search = Search(GoGame(Board(9), policy))
    empty = search.game.learnt.native().save()
    found = search.run(simulations=200, seed=1)
    assert search.game.learnt.native().save() != empty
    search.advance(found.best_move)
    assert search.game.learnt.native().save() == empty


def test_search__is_repeatable_with_one_thread() -> None:
    visits = [Search(GoGame(Board(9), SMALL)).run(simulations=300, seed=5).visits for _ in range(2)]
    assert (visits[0] == visits[1]).all()


@pytest.mark.parametrize("size", [(5, 5), (9, 9), (13, 7), (19, 19), (25, 25)])
def test_search__every_size(size: tuple[int, int]) -> None:
    policy = replace(LEARNING, learning=Learning(memory_mb=64.0 if size == (25, 25) else 8.0))
    assert Search(GoGame(Board(*size), policy)).run(simulations=30, seed=1).simulations == 30


def test_search__a_fate_limit_learns_less() -> None:
    numbers = []
    for limit in (0, 1):
        policy = replace(SMALL, learning=Learning(memory_mb=2.0, fate_limit=limit))
        _, origins = run_learning_playouts(Board(9), policy, 300, seed=1)
        numbers.append(origins["edge"] + origins["node"])
    assert numbers[1] < numbers[0]


def test_teach_from_tree__playouts_play_what_the_tree_knows() -> None:
    learning = Learning(memory_mb=2.0, updates=0, tree_nodes=100)  # playouts teach nothing
    policy = replace(LEARNING, learning=learning)
    board = Board(9)
    learnt = LearntMoves(9, 9, learning)
    _, before = run_learning_playouts(board, policy, 100, seed=1, learnt=learnt)
    assert before["node"] == before["edge"] == 0
    answers = np.zeros((6, 2))  # to black's 40 white knows 41, of whose 30 visits black won none, and 50 with 4 visits
    answers[:3] = [[41, 50], [30, 4], [0, 0]]
    assert learnt.teach_from_tree(board, {(40,): answers}) == 1
    answered = Board(9)
    answered.play(40)
    _, after = run_learning_playouts(answered, policy, 100, seed=1, learnt=learnt)
    assert after["edge"] >= 100  # the first move of each
    saved, empty = (tables.native().save() for tables in (learnt, LearntMoves(9, 9, learning)))
    half = len(saved) // 2  # the first layer with its counts in front, then the second
    assert saved[80:half] == empty[80:half]
    assert saved[half:] != empty[half:]


def test_teach_from_tree__without_a_second_layer_it_is_refused() -> None:
    with pytest.raises(ValueError, match="tree_nodes is 0, so there is no second layer"):
        LearntMoves(9, 9, SMALL.learning).teach_from_tree(Board(9), {})


def test_engine__teaches_the_second_layer_when_it_comes_to_a_new_position() -> None:
    config = applied_to_engine(
        {
            "playouts": "learning",
            "learning_tree_nodes": 50,
            "learning_updates": 0,
            "learning_node_threshold": 0.3,
            "simulations": 600,
            "seed": 1,
        },
        engine_preset("default"),
    )
    engine, board = Engine(config), Board(9)
    for _ in range(2):
        board.play(int(engine.genmove(board)))
    played = engine._kept.search.game.learnt.counts()
    assert played[ORIGINS.index("edge")] + played[ORIGINS.index("node")] > 0


def test_learning__a_small_alpha_plays_fewer_answers_that_won_once() -> None:
    shares = []
    for alpha in (0.5, 0.05):
        policy = replace(SMALL, learning=Learning(memory_mb=2.0, alpha=alpha))
        _, origins = run_learning_playouts(Board(9), policy, 300, seed=1)
        shares.append(origins["edge"] / sum(origins.values()))
    assert shares[1] < shares[0] / 2


def test_learning__relative_thresholds_serve_both_sides_of_a_lost_position() -> None:
    policy = replace(SMALL, learning=Learning(memory_mb=2.0, relative=True, alpha=0.2))
    _, origins = run_learning_playouts(Board(9), policy, 300, seed=1)
    assert origins["node"] > 0


def test_engine__plays_by_name_and_parameters() -> None:
    config = applied_to_engine(
        {"playouts": "learning", "learning_memory_mb": 4.0, "learning_best": 16, "simulations": 60},
        engine_preset("default"),
    )
    assert config.playouts.learns
    assert config.playouts.learning.best == 16
    assert values_of(config)["learning_memory_mb"] == 4.0
    board = Board(9)
    assert 0 <= Engine(config).genmove(board) <= 81


def test_learning__on_top_of_the_default_policy() -> None:
    policy = replace(DEFAULT_LEARNING, learning=Learning(memory_mb=2.0))
    _, origins = run_learning_playouts(Board(9), policy, 300, seed=1)
    assert origins["node"] > 0
    assert origins["capture-last"] > 0


def test_learnt_moves__saved_and_loaded(tmp_path: Path) -> None:
    learnt = LearntMoves(9, 9, SMALL.learning)
    run_learning_playouts(Board(9), SMALL, 200, seed=1, learnt=learnt)
    path = learnt.save(tmp_path / "learnt")
    again = LearntMoves(9, 9, SMALL.learning)
    again.load(path)
    assert again.native().save() == learnt.native().save()
    with pytest.raises(ValueError, match=r"learnt: what playouts have learnt is of another board size"):
        LearntMoves(9, 8, SMALL.learning).load(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="another length"):
        again.load(path)
    path.write_bytes(b"no table at all" * 10)
    with pytest.raises(ValueError, match="this is not what playouts have learnt"):
        again.load(path)


def test_learnt_moves__bits_follow_from_the_memory() -> None:
    sizes = [LearntMoves(9, 9, Learning(memory_mb=mb)) for mb in (0.1, 1.0, 16.0)]
    assert [table.edge_bits for table in sizes] == sorted(table.edge_bits for table in sizes)
    assert all(table.num_bytes <= mb * 2**20 for table, mb in zip(sizes, (0.1, 1.0, 16.0), strict=True))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"context_size": 16}, "context_size is 16; choose from 4, 8, 12"),
        ({"neighbours": 5}, "neighbours is 5; choose from"),
        ({"node_threshold": 1.0}, r"node_threshold is 1\.0; it must lie above 0 and below 1"),
        ({"edge_threshold": 0.0}, r"edge_threshold is 0\.0"),
        ({"best": 0}, r"best is 0; it must be a whole number in 1\.\.64"),
        ({"memory_mb": -1.0}, "memory_mb is -1"),
        ({"alpha": 0.0}, r"alpha is 0\.0; it must lie above 0 and below 1"),
        ({"tree_nodes": -1}, r"tree_nodes is -1; it must be a whole number in 0\.\."),
    ],
)
def test_learning__bad_values_are_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Learning(**fields)


def test_learning__a_memory_too_small_names_the_smallest_that_works() -> None:
    with pytest.raises(ValueError, match=r"one bit of context on 19x19; the smallest that works is 1\.171"):
        LearntMoves(19, 19, Learning(memory_mb=0.5))
    LearntMoves(19, 19, Learning(memory_mb=1.171))


def test_learning__margins_are_wins() -> None:
    won, _ = run_learning_playouts(Board(5), SMALL, 50, seed=1)
    assert set(np.unique(won)) <= {0, 1}
