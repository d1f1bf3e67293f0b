"""Bad queries: an error that names the field, the value and the rule; the others are answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fuzz import fuzz_analysis
from go.quick_analyst import make_server
from tesuji.go import Engine
from tesuji.go.analysis import AnalysisServer, Settings

BASE: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9}


def replies(line: bytes) -> list[dict[str, Any]]:
    return [json.loads(each) for each in make_server().reply(line).splitlines()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"nonsense", "could not parse"),
        (b"{", "could not parse"),
        (b'{"id":"q"}}', "could not parse"),
        (b"\xff\xfe", "could not parse"),
        (b'{"id":"\\ud800"}', "could not parse"),
        (b"[" * 100_000, "could not parse"),
        (b"[1,2]", "not an object"),
        (b"7", "not an object"),
        (b"{}", 'string "id"'),
        (b'{"id":7}', 'string "id"'),
        (b"x" * 1_000_000, "could not parse"),
        (b'"' + b"x" * (17 << 20) + b'"', "longer than"),
    ],
    ids=range(12),
)
def test_line__that_is_no_query_gets_an_error_without_an_id(line: bytes, words: str) -> None:
    [reply] = replies(line)
    assert reply.keys() == {"error"}
    assert words in reply["error"]
    assert len(reply["error"]) < 500


@pytest.mark.parametrize("line", [b"", b"  ", b"\r", b"\t\r\n"])
def test_line__an_empty_one_is_passed_over(line: bytes) -> None:
    assert replies(line) == []


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"boardXSize": None}, "boardXSize", "int"),
        ({"boardXSize": "9"}, "boardXSize", "int"),
        ({"boardXSize": 0}, "boardXSize", "1 to 25"),
        ({"boardYSize": 26}, "boardYSize", "1 to 25; it is 26"),
        ({"boardYSize": 10**30}, "boardYSize", "1 to 25"),
        ({"moves": "E5"}, "moves", "array"),
        ({"moves": ["E5"]}, "moves", '["B","Q4"]'),
        ({"moves": [["B"]]}, "moves", '["B","Q4"]'),
        ({"moves": [["G", "E5"]]}, "moves", "'G' is not a player"),
        ({"moves": [[1, "E5"]]}, "moves", "1 is not a player"),
        ({"moves": [["B", 5]]}, "moves", "board location: 5"),
        ({"moves": [["B", "I5"]]}, "moves", "leave out the letter I"),
        ({"moves": [["B", "K10"]]}, "moves", "'K10' is off the board"),
        ({"moves": [["B", "(9,0)"]]}, "moves", "(9,0) is off the 9x9 board"),
        ({"moves": [["B", "E5"], ["W", "E5"]]}, "moves", "Illegal move 1: white E5: E5 is occupied (black, move 1)"),
        ({"moves": [["B", "pass"]] * 10_001}, "moves", "10,001 entries"),
        ({"initialStones": [["B", "pass"]]}, "initialStones", "a stone needs a point"),
        ({"initialStones": [["B", "E5"], ["W", "E5"]]}, "initialStones", "E5 is occupied"),
        ({"initialStones": [["W", "A1"], ["B", "A2"], ["B", "B1"]]}, "initialStones", "no liberty"),
        ({"initialPlayer": "green"}, "initialPlayer", "'green' is not a player"),
        ({"rules": None}, "rules", ""),
        ({"rules": "mars"}, "rules", "'mars' is none of tromp-taylor, chinese"),
        ({"rules": {"ko": "NEVER"}}, "rules", "NEVER"),
        ({"rules": {"koo": "SIMPLE"}}, "rules", "koo"),
        ({"rules": {"komi": 0.3}}, "rules", "0.3"),
        ({"komi": 400.5}, "komi", "-400.0 to 400.0"),
        ({"komi": 6.25}, "komi", "multiple of 0.5"),
        ({"komi": "6.5"}, "komi", "float"),
        ({"whiteHandicapBonus": "all"}, "whiteHandicapBonus", "0, N-1, N"),
        ({"analyzeTurns": [10_000]}, "analyzeTurns", "Invalid turn number: 10000; the turns run from 0 to 0"),
        ({"analyzeTurns": [-1]}, "analyzeTurns", "Invalid turn number: -1"),
        ({"analyzeTurns": [0, 0]}, "analyzeTurns", "turn 0 is there twice"),
        ({"analyzeTurns": []}, "analyzeTurns", "empty"),
        ({"analyzeTurns": ["0"]}, "analyzeTurns", "int"),
        ({"analyzeTurns": [0], "priorities": [1, 2]}, "priorities", "2 for 1 turns"),
        ({"priorities": [1]}, "priorities", "go with analyzeTurns"),
        ({"analyzeTurns": [0], "priorities": [1], "priority": 1}, "priority", "not both"),
        ({"priority": 2**63}, "priority", "must lie in"),
        ({"maxVisits": 10**9}, "maxVisits", "1000000000; it must be a whole number from 1 to 100,000,000"),
        ({"maxVisits": 0}, "maxVisits", "is 0"),
        ({"maxVisits": True}, "maxVisits", "int"),
        ({"analysisPVLen": -1}, "analysisPVLen", "0..1,000"),
        ({"moves": [["B", "AA4"]]}, "moves", "'AA4' is off the board"),
        ({"includeOwnership": "yes"}, "includeOwnership", "bool"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "0.001"),
        ({"overrideSettings": []}, "overrideSettings", "object"),
        ({"overrideSettings": {"maxTime": -1}}, "overrideSettings", "maxTime is -1"),
        ({"overrideSettings": {"maxVisits": 1e9}}, "overrideSettings", "maxVisits is 1000000000.0"),
        ({"overrideSettings": {"exploration": "x"}}, "overrideSettings", "exploration is 'x'"),
        ({"overrideSettings": {"exploration": [1]}}, "overrideSettings", "exploration is [1]"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "RED"}}, "overrideSettings", "BLACK, WHITE or SIDETOMOVE"),
        ({"avoidMoves": {}}, "avoidMoves", "array"),
        ({"avoidMoves": [7]}, "avoidMoves", "player, moves and untilDepth; 7 is none"),
        ({"avoidMoves": [{"player": "B", "moves": ["E5"]}]}, "avoidMoves", "untilDepth"),
        ({"avoidMoves": [{"player": "B", "moves": ["Z9"], "untilDepth": 1}]}, "avoidMoves", "'Z9'"),
        ({"avoidMoves": [{"player": "B", "moves": ["E5"], "untilDepth": 0}]}, "avoidMoves", "untilDepth is 0"),
        ({"allowMoves": [{"player": "B", "moves": [], "untilDepth": 1}]}, "allowMoves", "leaves black no legal move"),
        ({"allowMoves": [], "avoidMoves": []}, "allowMoves", "not both"),
        ({"action": "dance"}, "action", "'dance'; it must be one of query_version"),
        ({"action": 7}, "action", "action is 7; it must be one of"),
        ({"action": "terminate"}, "terminateId", "the id of a query"),
        ({"action": "terminate_all", "turnNumbers": "1"}, "turnNumbers", "list of whole numbers"),
    ],
    ids=repr,
)
def test_query__that_is_wrong_gets_an_error_that_says_where(fields: dict[str, Any], field: str, words: str) -> None:
    [reply] = replies(json.dumps(BASE | fields).encode())
    assert reply.keys() == {"error", "field", "id"}
    assert (reply["id"], reply["field"]) == ("q", field)
    assert words in reply["error"]
    assert "\n" not in reply["error"]


@pytest.mark.parametrize("field", ["moves", "rules", "boardXSize", "boardYSize"])
def test_query__without_a_required_field_is_refused(field: str) -> None:
    [reply] = replies(json.dumps({name: value for name, value in BASE.items() if name != field}).encode())
    assert (reply["field"], reply["error"]) == (field, f"{field} is missing; a query must have it")


def test_query__a_wrong_one_leaves_the_next_alone() -> None:
    server = make_server()
    server.reply(json.dumps(BASE | {"komi": "x"}).encode())
    assert b"moveInfos" in server.reply(json.dumps(BASE).encode())


def test_engine__a_fault_of_its_own_is_an_error_of_that_query(capsys: pytest.CaptureFixture[str]) -> None:
    server = make_server(config=None)  # a query's settings then have no priors to ask for
    [reply] = [json.loads(line) for line in server.reply(json.dumps(BASE).encode()).splitlines()]
    assert reply["id"] == "q"
    assert reply["error"].startswith("internal error: AttributeError")
    assert server.is_idle
    assert "Traceback" in capsys.readouterr().err


def test_settings__a_query_cannot_make_it_read_a_file() -> None:
    engine = Engine()
    server = AnalysisServer([engine], Settings.of(engine.config))
    line = json.dumps(BASE | {"overrideSettings": {"prior_strengths": "/etc/passwd"}}).encode()
    [reply] = [json.loads(each) for each in server.reply(line).splitlines()]
    assert (reply["id"], reply["field"]) == ("q", "overrideSettings")
    assert "prior_strengths names a file; give it when Tesuji starts" in reply["error"]
    assert "root" not in reply["error"]


def test_fuzz__random_and_damaged_queries_are_all_answered() -> None:
    fuzz_analysis.run(3000, seed=1)


def test_fuzz__a_failure_names_its_seed_and_line() -> None:
    def fails(server: object, line: bytes) -> None:
        raise ValueError

    with pytest.raises(AssertionError, match="seed 1"):
        fuzz_analysis.run(1, 1, fails)  # type: ignore[arg-type]
