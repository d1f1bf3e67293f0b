"""Answers of the analysis protocol: shape, viewpoint, and numbers that are derived."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import numpy as np
import pytest

from go.quick_analyst import CONFIG, QuickAnalyst, make_server
from tesuji._core import go as native
from tesuji.go import Board, Engine, EngineConfig
from tesuji.go.analysis import AnalysisServer, Settings
from tesuji.go.analysis.policy import policy
from tesuji.go.knowledge.playouts import DEFAULT

BASE: dict[str, Any] = {
    "id": "q",
    "moves": [],
    "rules": "chinese",
    "komi": 0.5,
    "boardXSize": 3,
    "boardYSize": 2,
    "maxVisits": 100,
}


def answers(server: AnalysisServer, **fields: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.reply(json.dumps(BASE | fields).encode()).splitlines()]


def answer(**fields: Any) -> dict[str, Any]:
    [only] = answers(make_server(), **fields)
    return only


def test_answer__has_katagos_fields() -> None:
    found = answer()
    assert found.keys() == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert (found["id"], found["turnNumber"], found["isDuringSearch"]) == ("q", 0, False)
    assert found["rootInfo"].keys() == {
        "visits", "weight", "winrate", "scoreLead", "scoreStdev", "utility", "lcb", "currentPlayer", "thisHash",
        "symHash",
    }  # fmt: skip
    assert found["moveInfos"][0].keys() == {
        "move", "visits", "edgeVisits", "weight", "edgeWeight", "playSelectionValue", "winrate", "scoreLead",
        "scoreMean", "scoreStdev", "utility", "utilityLcb", "lcb", "prior", "order", "pv",
    }  # fmt: skip
    assert [move["order"] for move in found["moveInfos"]] == [0, 1]
    assert [move["pv"] for move in found["moveInfos"]] == [["A2", "pass"], ["pass"]]


def test_answer__extras_come_only_when_asked_for() -> None:
    found = answer(includeOwnership=True, includePolicy=True)
    assert len(found["ownership"]) == 6
    assert len(found["policy"]) == 7


def test_answer__a_line_is_cut_where_asked() -> None:
    assert [move["pv"] for move in answer(analysisPVLen=0)["moveInfos"]] == [["A2"], ["pass"]]
    assert [move["pv"] for move in answer(analysisPVLen=1)["moveInfos"]] == [["A2", "pass"], ["pass"]]


def test_answer__a_position_and_its_mirror_image_have_one_symmetric_hash() -> None:
    def root(*moves: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = answer(moves=list(moves), boardXSize=3, boardYSize=3)["rootInfo"]
        return found

    one, mirrored, other = root(["B", "A2"]), root(["B", "C2"]), root(["B", "A1"])
    assert one["thisHash"] != mirrored["thisHash"]
    assert one["symHash"] == mirrored["symHash"] == root(["B", "B3"])["symHash"] != other["symHash"]
    assert root(["W", "A2"])["symHash"] != one["symHash"]


def test_answer__numbers_that_are_visits() -> None:
    found = answer()
    for move in found["moveInfos"]:
        same = {move[name] for name in ("visits", "edgeVisits", "weight", "edgeWeight", "playSelectionValue")}
        assert len(same) == 1
        assert move["utilityLcb"] == pytest.approx(2 * move["lcb"] - 1, abs=1e-5)
    assert found["rootInfo"]["lcb"] == found["moveInfos"][0]["lcb"]


@pytest.mark.parametrize(
    ("perspective", "mover", "winrate", "lead", "upper_left"),
    [
        ("BLACK", "B", 0.75, -0.5, -1.0),
        ("BLACK", "W", 0.25, -0.5, -1.0),
        ("WHITE", "B", 0.25, 0.5, 1.0),
        ("WHITE", "W", 0.75, 0.5, 1.0),
        ("SIDETOMOVE", "B", 0.75, -0.5, -1.0),
        ("SIDETOMOVE", "W", 0.75, 0.5, 1.0),
    ],
)
def test_answer__takes_the_view_that_was_asked_for(
    perspective: str, mover: str, winrate: float, lead: float, upper_left: float
) -> None:
    settings = {"reportAnalysisWinratesAs": perspective}
    found = answer(overrideSettings=settings, initialPlayer=mover, includeOwnership=True)
    root = found["rootInfo"]
    assert (root["winrate"], root["scoreLead"], found["ownership"][0]) == (winrate, lead, upper_left)
    assert (root["currentPlayer"], root["utility"]) == (mover, 2 * winrate - 1)


def test_answer__is_blacks_view_unless_told_otherwise() -> None:
    assert answer(initialPlayer="W")["rootInfo"]["winrate"] == 0.25
    [mine] = answers(make_server(perspective="SIDETOMOVE"), initialPlayer="W")
    assert mine["rootInfo"]["winrate"] == 0.75


def test_score__of_the_best_move_is_the_positions_and_a_worse_move_has_less() -> None:
    for mover, sign in (("B", 1), ("W", -1)):
        found = answer(initialPlayer=mover)
        best, worse = (move["scoreLead"] for move in found["moveInfos"])
        assert best == found["rootInfo"]["scoreLead"]
        assert sign * worse < sign * best
        assert all(move["scoreMean"] == move["scoreLead"] for move in found["moveInfos"])


@pytest.mark.parametrize("size", [9, 13])
def test_score_stdev__is_about_the_spread_of_the_playouts_scores(size: int) -> None:
    policy_of_playouts = DEFAULT.native(size * size)
    playouts = [native.ownership(Board(size), policy_of_playouts, 1, seed)[0] for seed in range(300)]
    spread = np.array(playouts).sum(axis=1).std()
    config = msgspec.structs.replace(EngineConfig(), simulations=2000, seed=1)
    [found] = answers(AnalysisServer([Engine(config)], Settings.of(config)), boardXSize=size, boardYSize=size)
    assert found["rootInfo"]["scoreStdev"] == pytest.approx(spread, rel=0.25)


def test_lcb__lies_below_the_movers_win_rate_and_above_seen_from_the_other_side() -> None:
    black, white = answer(initialPlayer="B")["moveInfos"][0], answer(initialPlayer="W")["moveInfos"][0]
    assert black["lcb"] < black["winrate"]
    assert white["lcb"] > white["winrate"]
    z, n, rate = 1.645, 75, 0.75  # Wilson's interval, as GTP and the final move have it
    low = (rate + z**2 / (2 * n) - z * (rate * (1 - rate) / n + z**2 / (4 * n**2)) ** 0.5) / (1 + z**2 / n)
    assert black["lcb"] == pytest.approx(low, abs=1e-5)


def test_policy__sums_to_one_over_legal_moves_and_marks_the_others() -> None:
    board = Board(9)
    board.play("E5")
    chances = policy(board, EngineConfig())
    assert chances[board.point("E5")] == -1
    assert chances[chances >= 0].sum() == pytest.approx(1)
    assert chances.shape == (82,)
    assert chances[board.point("E6")] > chances[board.point("A1")]


def test_policy__without_priors_is_even() -> None:
    assert np.allclose(policy(Board(2), CONFIG), 0.2)


def test_prior__is_the_moves_share_of_the_policy() -> None:
    found = answer(includePolicy=True)
    assert found["moveInfos"][0]["prior"] == found["policy"][0]
    assert found["moveInfos"][1]["prior"] == found["policy"][-1]


def test_restricted__searches_the_position_after_each_move_left() -> None:
    analyst = QuickAnalyst()
    [found] = answers(
        make_server(analyst), moves=[["B", "A1"]], allowMoves=[{"player": "W", "moves": ["B1", "C2"], "untilDepth": 1}]
    )
    assert {move["move"] for move in found["moveInfos"]} == {"B1", "C2"}
    assert [board.num_moves for board in analyst.boards] == [2, 2]
    assert [move["visits"] for move in found["moveInfos"]] == [50, 50]
    assert found["rootInfo"]["visits"] == 100
    assert found["moveInfos"][0]["pv"][0] == found["moveInfos"][0]["move"]
    assert found["moveInfos"][0]["winrate"] == 0.75  # Black is next, and its best reply wins so often


def test_restricted__shares_few_visits_among_few_moves() -> None:
    analyst = QuickAnalyst()
    [found] = answers(make_server(analyst), maxVisits=2, avoidMoves=[{"player": "B", "moves": ["A1"], "untilDepth": 1}])
    assert len(found["moveInfos"]) == 2
    assert analyst.limits == [(1, None), (1, None)]


def test_restricted__a_pass_that_ends_the_game_is_counted() -> None:
    [found] = answers(
        make_server(),
        boardXSize=5, boardYSize=5, moves=[["B", "C3"], ["W", "pass"]],
        allowMoves=[{"player": "B", "moves": ["pass"], "untilDepth": 1}],
    )  # fmt: skip
    assert [(move["move"], move["winrate"]) for move in found["moveInfos"]] == [("pass", 1.0)]


@pytest.fixture(scope="module")
def real() -> AnalysisServer:
    config = msgspec.structs.replace(EngineConfig(), simulations=60, seed=1)
    return AnalysisServer([Engine(config)], Settings.of(config))


def test_engine__finds_the_capture_and_says_who_owns_what(real: AnalysisServer) -> None:
    stones = [["B", "B3"], ["B", "C2"], ["B", "C4"], ["W", "C3"], ["W", "E4"], ["B", "A5"]]
    [found] = answers(
        real, boardXSize=5, boardYSize=5, initialStones=stones, initialPlayer="B", includeOwnership=True,
        includePolicy=True, maxVisits=300,
    )  # fmt: skip
    assert found["moveInfos"][0]["move"] == "D3"
    assert sum(move["visits"] for move in found["moveInfos"]) <= found["rootInfo"]["visits"] == 300
    assert found["rootInfo"]["winrate"] > 0.5
    assert sum(found["ownership"]) - 0.5 == pytest.approx(found["rootInfo"]["scoreLead"], abs=0.01)
    assert max(found["policy"]) == found["policy"][13]


def test_engine__answers_after_two_passes_and_on_the_smallest_board(real: AnalysisServer) -> None:
    over = answers(real, boardXSize=5, boardYSize=5, moves=[["B", "C3"], ["W", "pass"], ["B", "pass"]], maxVisits=20)
    tiny = answers(real, boardXSize=1, boardYSize=1, maxVisits=20)
    assert over[0]["rootInfo"]["visits"] == 20
    assert [move["move"] for move in tiny[0]["moveInfos"]] == ["pass"]


def test_engine__the_same_seed_gives_the_same_answer(real: AnalysisServer) -> None:
    assert answers(real, boardXSize=7, boardYSize=7) == answers(real, boardXSize=7, boardYSize=7)
