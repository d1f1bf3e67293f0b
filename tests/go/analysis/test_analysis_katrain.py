"""What KaTrain sends, as its source (core/engine.py, core/game_node.py) has it, and what it reads from the answers."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest

from tesuji.go import Engine, EngineConfig
from tesuji.go.analysis import AnalysisServer, Settings

SETTINGS = {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04}


def katrain_query(number: int, moves: list[list[str]], **fields: Any) -> dict[str, Any]:
    """A query as ``request_analysis`` builds it."""
    return {
        "rules": "japanese",
        "priority": 0,
        "analyzeTurns": [len(moves)],
        "maxVisits": 40,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": True,
        "includeMovesOwnership": True,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": moves,
        "overrideSettings": SETTINGS,
        "reportDuringSearchEvery": 1,
        "id": f"QUERY:{number}",
    } | fields


GAME = [["B", "E5"], ["W", "E3"], ["B", "C4"]]
REGION = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10) if column in "FGHJ" or row > 5]
TRANSCRIPT = [
    katrain_query(1, []),
    katrain_query(2, GAME[:1]),
    katrain_query(3, GAME, priority=-100, maxVisits=25),  # the whole game in the background
    katrain_query(  # another move of the position, refined
        4, [*GAME, ["W", "D6"]], includeOwnership=False, includeMovesOwnership=False, includePolicy=False
    ),
    katrain_query(5, GAME, avoidMoves=[{"moves": ["E4", "D4", "pass"], "player": "W", "untilDepth": 1}]),
    katrain_query(6, GAME, avoidMoves=[{"moves": REGION, "player": player, "untilDepth": 1} for player in "BW"]),
    katrain_query(7, [*GAME, ["W", "C4"]], includeOwnership=False),  # a sweep over all points, taken ones too
    katrain_query(8, [*GAME, ["W", "pass"], ["B", "pass"]]),
    katrain_query(9, [], rules="chinese", komi=0.5, initialPlayer="W", initialStones=[["B", "C3"], ["B", "G7"]]),
    {"action": "terminate", "terminateId": "QUERY:3", "id": "QUERY:10"},
]


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """Everything that is answered to the transcript."""
    config = msgspec.structs.replace(EngineConfig(), simulations=40, seed=1)
    server = AnalysisServer([Engine(config), Engine(config)], Settings.of(config))
    out = io.BytesIO()
    server.run(io.BytesIO(b"".join(json.dumps(query).encode() + b"\n" for query in TRANSCRIPT)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_katrain__every_query_is_settled_once(answers: list[dict[str, Any]]) -> None:
    open_queries = {query["id"] for query in TRANSCRIPT}
    for answer in answers:
        assert answer["id"] in open_queries
        if "error" in answer:
            open_queries.remove(answer["id"])
        elif "warning" in answer or "terminateId" in answer:
            pass
        elif not answer.get("isDuringSearch", False):
            open_queries.remove(answer["id"])
    assert open_queries == {"QUERY:10"}


def test_katrain__finds_what_it_reads(answers: list[dict[str, Any]]) -> None:
    asked = {query["id"]: query for query in TRANSCRIPT}
    found = [answer for answer in answers if "moveInfos" in answer]
    assert len(found) >= 7
    for answer in found:
        root = answer["rootInfo"]
        assert root["visits"] > 0
        assert all(isinstance(root[name], float) for name in ("winrate", "scoreLead"))
        for move in answer["moveInfos"]:
            assert all(isinstance(move[name], float) for name in ("winrate", "scoreLead", "prior"))
            assert isinstance(move["order"], int)
            assert move["pv"][0] == move["move"]
        query = asked[answer["id"]]
        assert len(answer.get("ownership", ())) == 81 * query["includeOwnership"]
        assert len(answer.get("policy", ())) == 82 * query["includePolicy"]


def test_katrain__an_illegal_move_of_a_sweep_is_called_so(answers: list[dict[str, Any]]) -> None:
    [error] = [answer for answer in answers if "error" in answer]
    assert error["id"] == "QUERY:7"
    assert "Illegal move" in error["error"]  # the words by which KaTrain passes over it


def test_katrain__alternatives_and_regions_have_moves(answers: list[dict[str, Any]]) -> None:
    moves = {
        answer["id"]: {move["move"] for move in answer["moveInfos"]} for answer in answers if "moveInfos" in answer
    }
    assert len(moves["QUERY:5"]) == 8
    assert not moves["QUERY:5"] & {"E4", "D4", "pass"}
    assert moves["QUERY:6"]
    assert not moves["QUERY:6"] & set(REGION)
