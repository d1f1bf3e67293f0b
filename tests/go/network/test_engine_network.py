"""The engine with the network that ships, and without onnxruntime."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.go.analysis import AnalysisServer, Settings
from tesuji.go.analysis.policy import judged_by_network, policy
from tesuji.go.engine import network as network_module
from tesuji.go.engine.human import HumanRank
from tesuji.go.engine.network import NetworkWarning
from tesuji.go.engine.presets import engine_preset
from tesuji.go.engine.resolve import resolve
from tesuji.go.gtp import GtpServer
from tesuji.go.knowledge.network import GoNetwork
from tesuji.learning.network.model import ModelError
from tesuji.search import PUCT, Evaluation, Search, SearchConfig
from tesuji.search.evaluator import LeafBatch


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


@pytest.mark.parametrize("komi", [6.5, 7.5])
def test_engine__answers_no_pass_with_a_pass_while_borders_are_open(network: GoNetwork, komi: float) -> None:
    board = Board(9, rules="chinese", komi=komi)
    for move in ("E5", "C3", "pass"):
        board.play(move)
    config = replace(engine_preset("network"), simulations=300, seed=1)
    assert Engine(config).genmove(board) not in (board.pass_move, "pass")


def test_judge__averages_so_that_symmetric_points_are_equal(network: GoNetwork) -> None:
    shares = network.judge(Board(9)).shares[0, :81].reshape(9, 9)
    np.testing.assert_allclose(shares, shares.T, rtol=1e-3)
    np.testing.assert_allclose(shares, shares[::-1], rtol=1e-3)


def test_judge__begins_in_a_corner(network: GoNetwork) -> None:
    shares = network.judge(Board(19)).shares[0, :361].reshape(19, 19)
    row, column = np.unravel_index(shares.argmax(), shares.shape)
    assert {min(row, 18 - row), min(column, 18 - column)} <= {2, 3, 4}


BLACK_TO_MOVE, WHITE_TO_MOVE = ("E5", "C3"), ("E5", "C3", "G3")


@pytest.mark.parametrize("moves", [BLACK_TO_MOVE, WHITE_TO_MOVE])
@pytest.mark.parametrize("averages", [True, False])
def test_judge__more_komi_is_better_for_white_whoever_moves(
    network: GoNetwork, moves: tuple[str, ...], averages: bool
) -> None:
    board = after(9, *moves)
    whites = []
    for komi in (-30.5, 0.5, 30.5):
        board.komi = komi
        wins = float(network.judge(board, averages=averages).wins[0])
        whites.append(wins if board.color_to_play == Color.WHITE else 1 - wins)
    assert whites == sorted(whites)
    assert whites[2] - whites[0] > 0.2


@pytest.mark.parametrize("moves", [BLACK_TO_MOVE, WHITE_TO_MOVE])
def test_judge__says_of_a_board_what_a_search_is_told(network: GoNetwork, moves: tuple[str, ...]) -> None:
    board = after(9, *moves)
    board.komi = 20.5
    told = []

    def evaluate(batch: LeafBatch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        values, shares = network.evaluator(board.komi)(batch)
        told.append((float(values[0]), shares[0]))
        return values, shares

    config = SearchConfig(selection=PUCT(), evaluation=Evaluation(batch_size=1))
    Search(EngineConfig().game_at(board), config, evaluator=evaluate).run(simulations=1, seed=1)
    judged = network.judge(board)
    for_black = float(judged.wins[0]) if board.color_to_play == Color.BLACK else 1 - float(judged.wins[0])
    assert told[0][0] == pytest.approx(for_black, abs=1e-5)
    np.testing.assert_allclose(told[0][1], judged.shares[0], atol=1e-5)


@pytest.mark.parametrize("moves", [BLACK_TO_MOVE, WHITE_TO_MOVE])
def test_human__its_chances_fall_with_the_komi_that_it_gives(network: GoNetwork, moves: tuple[str, ...]) -> None:
    config = resolve("go", "human", {"seed": 1, "resign_below": 0.0})
    board = after(9, *moves)
    rates = []
    for komi in (-30.5, 30.5):
        board.komi = komi
        rates.append(Engine(config).choose(board).winrate)
    better, worse = rates if board.color_to_play == Color.BLACK else rates[::-1]
    assert better is not None
    assert worse is not None
    assert better > worse + 0.2


def _asked(komi: float, mover: str, perspective: str) -> dict[str, Any]:
    """What ``tesuji analysis`` says of a komi, with the network."""
    config = resolve("go", "network", {"simulations": 200, "seed": 1})
    query = {
        "id": "q", "moves": [["B", "E5"], ["W", "C3"]], "initialPlayer": "B", "rules": "chinese", "komi": komi,
        "boardXSize": 9, "boardYSize": 9, "includeOwnership": True,
        "overrideSettings": {"reportAnalysisWinratesAs": perspective},
    }  # fmt: skip
    if mover == "W":
        query["moves"] = [["B", "E5"], ["W", "C3"], ["B", "G3"]]
    server = AnalysisServer([Engine(config)], Settings.of(config), version="1", commit="a")
    [line] = server.reply(json.dumps(query).encode()).splitlines()
    answer: dict[str, Any] = json.loads(line)
    assert answer["rootInfo"]["currentPlayer"] == mover
    return answer


@pytest.mark.parametrize("mover", ["B", "W"])
@pytest.mark.parametrize("perspective", ["BLACK", "WHITE", "SIDETOMOVE"])
def test_analysis__every_figure_moves_with_the_komi_as_the_view_asks(
    network: GoNetwork, mover: str, perspective: str
) -> None:
    low, high = (_asked(komi, mover, perspective)["rootInfo"] for komi in (-9.5, 19.5))
    is_black = perspective == "BLACK" or (perspective == "SIDETOMOVE" and mover == "B")
    good, bad = (low, high) if is_black else (high, low)
    for figure, least in (("rawWinrate", 0.2), ("winrate", 0.2), ("rawLead", 4), ("scoreLead", 15)):
        assert good[figure] > bad[figure] + least, figure


@pytest.mark.parametrize("mover", ["B", "W"])
def test_analysis__owners_turn_with_the_view(network: GoNetwork, mover: str) -> None:
    black, white, own = (np.array(_asked(7.5, mover, who)["ownership"]) for who in ("BLACK", "WHITE", "SIDETOMOVE"))
    at = Board(9).point("E5")
    assert black[at] > 0.1
    np.testing.assert_array_equal(black, -white)
    np.testing.assert_array_equal(own, black if mover == "B" else white)


@pytest.mark.parametrize("mover", ["b", "w"])
def test_gtp__figures_of_the_network_preset_are_the_movers(network: GoNetwork, mover: str) -> None:
    gtp = GtpServer(Engine(resolve("go", "network", {"simulations": 200, "seed": 1})), after(9, "E5", "C3"))
    rates, leads, owners = [], [], []
    for komi in (-9.5, 19.5):
        gtp.reply(f"komi {komi}".encode())
        line = gtp.reply(f"kata-analyze {mover} ownership true rootInfo true".encode()).decode()
        root = line.partition("rootInfo ")[2].split()
        rates.append(float(root[root.index("winrate") + 1]))
        leads.append(float(root[root.index("scoreLead") + 1]))
        owners.append(float(line.partition("ownership ")[2].split()[Board(9).point("E5")]))
    sign = 1 if mover == "b" else -1
    assert sign * (rates[0] - rates[1]) > 0.2
    assert sign * (leads[0] - leads[1]) > 15
    assert all(sign * owner > 0.1 for owner in owners)


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
    monkeypatch.setattr(network_module, "is_runnable", lambda: False)
    network_module._say_what_is_missing.cache_clear()
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
    with pytest.raises(ModelError, match="not a network of Tesuji's"):
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
