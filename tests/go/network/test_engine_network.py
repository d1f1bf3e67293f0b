"""The engine with the network that ships, and without onnxruntime."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from tesuji.go import Board, Engine, EngineConfig
from tesuji.go.analysis.policy import judged_by_network, policy
from tesuji.go.engine import engine as engine_module
from tesuji.go.engine.engine import NetworkWarning
from tesuji.go.engine.human import HumanRank
from tesuji.go.engine.resolve import resolve
from tesuji.go.knowledge.network import GoNetwork
from tesuji.learning.network.model import ModelError


@pytest.fixture
def network() -> GoNetwork:
    pytest.importorskip("onnxruntime")
    return GoNetwork.load()


def after(size: int, *moves: str) -> Board:
    board = Board(size)
    for move in moves:
        board.play(move)
    return board


@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_judge__says_something_on_every_size(network: GoNetwork, size: int) -> None:
    judged = network.judge(Board(size))
    assert judged.shares.shape == (1, size * size + 1)
    assert judged.shares.sum() == pytest.approx(1, abs=1e-4)
    assert judged.owned.shape == (1, size, size)
    assert 0 < judged.wins[0] < 1


def test_judge__averages_so_that_symmetric_points_are_equal(network: GoNetwork) -> None:
    shares = network.judge(Board(9)).shares[0, :81].reshape(9, 9)
    np.testing.assert_allclose(shares, shares.T, rtol=1e-3)
    np.testing.assert_allclose(shares, shares[::-1], rtol=1e-3)


def test_judge__begins_in_a_corner(network: GoNetwork) -> None:
    shares = network.judge(Board(19)).shares[0, :361].reshape(19, 19)
    row, column = np.unravel_index(shares.argmax(), shares.shape)
    assert {min(row, 18 - row), min(column, 18 - column)} <= {2, 3, 4}


def test_judge__more_komi_is_better_for_white(network: GoNetwork) -> None:
    board = after(9, "E5", "C3", "G3")
    board.komi = 0.5
    low = network.judge(board).wins[0]
    board.komi = 20.5
    assert network.judge(board).wins[0] > low, "white is to move"


def test_preset_network__plays_and_repeats_itself(network: GoNetwork) -> None:
    config = resolve("go", "network", {"simulations": 200, "seed": 3})
    board = after(9, "E5", "C3")
    first, second = Engine(config).analyse(board), Engine(config).analyse(board)
    assert [(c.move, c.visits) for c in first.moves] == [(c.move, c.visits) for c in second.moves]
    assert first.simulations == 200
    assert sum(c.prior for c in first.moves) <= 1 + 1e-3


def test_preset_network__asks_about_few_leaves(network: GoNetwork) -> None:
    config = resolve("go", "network", {"simulations": 400, "seed": 3})
    search = config.search_at(Board(9))
    result = search.run(simulations=400, seed=1)
    assert 0 < result.counts["evaluations"] < 200


def test_network__without_onnxruntime_the_engine_plays_as_before_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_module, "is_runnable", lambda: False)
    engine_module._say_what_is_missing.cache_clear()
    config = resolve("go", "network", {"simulations": 50, "seed": 1})
    with pytest.warns(NetworkWarning, match=r"onnxruntime.*install.*network"):
        engine = Engine(config)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Engine(config)
    plain = Engine(EngineConfig(simulations=50, seed=1))
    board = Board(9)
    assert engine.genmove(board) == plain.genmove(board)


def test_network__a_file_that_is_none_is_an_error_when_the_engine_is_made(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"not a network")
    with pytest.raises(ModelError, match="no network of Tesuji's"):
        Engine(EngineConfig(network=str(tmp_path / "bad")))


def test_human__plays_legal_moves_of_a_rank_and_repeats_them(network: GoNetwork) -> None:
    config = resolve("go", "human", {"human_rank": "3k", "seed": 5})
    one, other = Board(9), Board(9)
    for _ in range(20):
        one.play(Engine(config).genmove(one))
        other.play(Engine(config).genmove(other))
    assert one.moves == other.moves


@pytest.mark.parametrize("rank", ["", "10d", "0k", "31k", "5x", "d"])
def test_human__a_rank_that_nobody_has_is_refused(rank: str) -> None:
    with pytest.raises(ValueError, match="30k to 1k, 1d to 9d or 1p to 9p"):
        HumanRank.parse(rank)


def test_human__weaker_ranks_draw_from_more_moves() -> None:
    heats = [HumanRank.parse(rank).heat for rank in ("9p", "9d", "6d", "1d", "1k", "10k", "30k")]
    assert heats == sorted(heats)
    assert HumanRank.parse("6d").heat == HumanRank.parse("9p").heat == 1


def test_analysis__reports_what_the_network_says_without_a_search(network: GoNetwork) -> None:
    config = resolve("go", "network", {"simulations": 40, "seed": 1})
    board = after(9, "E5")
    chances = policy(board, config)
    assert chances[board.point("E5")] == -1
    assert chances[chances >= 0].sum() == pytest.approx(1)
    judged = judged_by_network(board, config)
    assert judged is not None
    assert int(chances.argmax()) == int(judged.shares[0].argmax())
    assert judged_by_network(board, EngineConfig()) is None
