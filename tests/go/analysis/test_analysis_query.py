"""Queries of the analysis protocol: what they mean on a board."""

from __future__ import annotations

import json
from typing import Any

import pytest

from go.quick_analyst import CONFIG, QuickAnalyst, make_server
from tesuji.go.analysis import Query, QueryError, QueryReader, Settings
from tesuji.go.rules.color import Color

BASE: dict[str, Any] = {"id": "q", "moves": [], "rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9}


def read(**fields: Any) -> Query:
    return QueryReader(Settings.of(CONFIG)).read(BASE | fields)


def test_board__has_the_size_the_stones_and_the_moves() -> None:
    query = read(
        boardXSize=7, boardYSize=5, initialStones=[["B", "A1"], ["w", "G5"]], moves=[["W", "C3"], ["B", "pass"]]
    )
    board = query.board_at(2)
    assert (board.width, board.height) == (7, 5)
    assert board.to_text() == query.board_at(1).to_text()
    assert [board.color_at(board.point(vertex)) for vertex in ("A1", "G5", "C3")] == [Color.BLACK, Color.WHITE, 2]
    assert (board.passes, board.color_to_play) == (1, Color.WHITE)


def test_board__at_an_earlier_turn_has_fewer_moves() -> None:
    query = read(moves=[["B", "E5"], ["W", "C3"]])
    assert [query.board_at(turn).num_moves for turn in range(3)] == [0, 1, 2]


def test_moves__may_be_written_as_column_and_row_from_the_upper_left() -> None:
    assert read(moves=[["B", "(0,1)"]]).moves == [(Color.BLACK, 9)]


def test_moves__may_follow_two_passes_and_one_colour_may_move_twice() -> None:
    query = read(moves=[["B", "pass"], ["W", "pass"], ["W", "E5"], ["W", "E4"]])
    assert query.board_at(4).num_moves == 4


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        ({}, Color.BLACK),
        ({"initialPlayer": "w"}, Color.WHITE),
        ({"moves": [["W", "E5"]]}, Color.WHITE),
        ({"initialStones": [["B", "C3"]]}, Color.BLACK),
        ({"initialStones": [["B", "C3"], ["B", "G7"]]}, Color.WHITE),
        ({"initialStones": [["B", "C3"], ["B", "G7"]], "initialPlayer": "B"}, Color.BLACK),
        ({"initialStones": [["B", "C3"], ["B", "G7"], ["W", "E5"]]}, Color.BLACK),
    ],
)
def test_first__is_said_or_guessed_as_katago_does(fields: dict[str, Any], first: Color) -> None:
    assert read(**fields).board_at(0).color_to_play is first


@pytest.mark.parametrize(
    ("rules", "scoring", "ko", "suicide", "komi"),
    [
        ("tromp-taylor", "area", "positional", True, 7.5),
        ("Tromp_Taylor", "area", "positional", True, 7.5),
        ("chinese", "area", "simple", False, 7.5),
        ("chinese-kgs", "area", "positional", False, 7.5),
        ("japanese", "territory", "simple", False, 6.5),
        ("korean", "territory", "simple", False, 6.5),
        ("aga", "area", "situational", False, 7.5),
        ("new-zealand", "area", "situational", True, 7.5),
        ({"ko": "SITUATIONAL", "scoring": "TERRITORY", "suicide": False}, "territory", "situational", False, 6.5),
        ({"komi": 5.5}, "area", "positional", True, 5.5),
        ({"scoring": "TERRITORY", "whiteHandicapBonus": "N"}, "territory", "positional", True, 6.5),
    ],
)
def test_rules__are_katagos_of_that_name(rules: object, scoring: str, ko: str, suicide: bool, komi: float) -> None:
    found = read(rules=rules)
    assert (found.rules.scoring, found.rules.ko, found.rules.suicide) == (scoring, ko, suicide)
    assert (found.komi, found.warnings) == (komi, [])


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("stone_scoring", "tax on groups"),
        ("aga-button", "button"),
        ({"tax": "SEKI"}, "points in seki count"),
        ({"scoring": "TERRITORY", "tax": "NONE"}, "points in seki do not count"),
    ],
)
def test_rules__that_no_board_knows_are_replaced_with_a_warning(rules: object, words: str) -> None:
    [(field, message)] = read(rules=rules).warnings
    assert field == "rules"
    assert words in message


@pytest.mark.parametrize(
    ("rules", "stones", "moves", "bonus"),
    [
        ("chinese", 2, 0, 2),
        ("aga", 3, 0, 2),
        ("japanese", 3, 0, 0),
        ("tromp-taylor", 3, 0, 0),
        ("chinese", 1, 0, 0),
        ("chinese", 0, 3, 3),
        ("chinese", 0, 1, 0),
    ],
)
def test_komi__includes_what_white_receives_for_a_handicap(rules: str, stones: int, moves: int, bonus: int) -> None:
    places = [["B", f"{column}3"] for column in "ABC"]
    assert read(rules=rules, komi=0.5, initialStones=places[:stones], moves=places[:moves]).komi == 0.5 + bonus


def test_komi__takes_the_querys_own_bonus_before_the_rules() -> None:
    stones = [["B", "C3"], ["B", "G7"]]
    assert read(rules="chinese", komi=0, initialStones=stones, whiteHandicapBonus="0").komi == 0
    assert read(rules="japanese", komi=0, initialStones=stones, whiteHandicapBonus="N-1").komi == 1


def test_turns__are_the_last_one_or_those_named_in_their_order() -> None:
    moves = [["B", "E5"], ["W", "C3"]]
    assert read(moves=moves).turns == [(2, 0)]
    assert read(moves=moves, priority=-7).turns == [(2, -7)]
    assert read(moves=moves, analyzeTurns=[2, 0], priorities=[5, 6]).turns == [(0, 6), (2, 5)]


def test_settings__limits_are_the_servers_or_the_querys() -> None:
    analyst = QuickAnalyst()
    server = make_server(analyst, visits=50, seconds=2.0)
    for extra in (
        {},
        {"maxVisits": 7},
        {"overrideSettings": {"maxTime": 1}},
        {"overrideSettings": {"maxVisits": 8, "maxTime": 0.5}},
        {"overrideSettings": {"simulations": 9}},
        {"overrideSettings": {"seconds": "3"}},
    ):
        server.reply(json.dumps(BASE | extra).encode())
    assert analyst.limits == [(50, 2.0), (7, 2.0), (50, 1.0), (8, 0.5), (9, None), (None, 3.0)]


def test_settings__our_parameters_hold_for_one_query() -> None:
    analyst = QuickAnalyst()
    server = make_server(analyst)
    server.reply(json.dumps(BASE | {"overrideSettings": {"exploration": 0.5, "maturity": "3"}}).encode())
    assert (analyst.config.search.selection.c, analyst.config.search.maturity) == (0.5, 3)  # type: ignore[union-attr]
    server.reply(json.dumps(BASE).encode())
    assert analyst.config is CONFIG


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"overrideSettings": {"wideRootNoise": 0.04, "cpuct": 1}}, "overrideSettings", "wideRootNoise"),
        ({"overrideSettings": {"threads": 4}}, "overrideSettings", "threads"),
        ({"includeMovesOwnership": True}, "includeMovesOwnership", "one ownership for the position"),
        ({"includePVVisits": True}, "includePVVisits", "visits"),
        ({"rootPolicyTemperature": 1.5}, "rootPolicyTemperature", "no such parameter"),
        ({"maxVists": 5}, "maxVists", "no such field"),
        ({"avoidMoves": [{"player": "B", "moves": ["E5"], "untilDepth": 4}]}, "avoidMoves", "taken as 1"),
    ],
)
def test_warnings__say_what_is_not_done(fields: dict[str, Any], field: str, words: str) -> None:
    [(at, message)] = read(**fields).warnings
    assert at == field
    assert words in message


def test_warnings__a_field_that_asks_for_nothing_needs_none() -> None:
    assert read(includeMovesOwnership=False, includePVVisits=False).warnings == []


def test_restriction__leaves_legal_moves_of_the_side_to_move() -> None:
    query = read(boardXSize=2, boardYSize=2, avoidMoves=[{"player": "B", "moves": ["A1", "pass"], "untilDepth": 1}])
    board = query.board_at(0)
    assert query.restriction.moves_left(board) == [0, 1, 3]
    board.color_to_play = Color.WHITE
    assert query.restriction.moves_left(board) is None
    only = read(boardXSize=2, boardYSize=2, allowMoves=[{"player": "B", "moves": ["A1", "B2"], "untilDepth": 1}])
    assert only.restriction.moves_left(only.board_at(0)) == [1, 2]


def test_restriction__that_leaves_nothing_is_an_error() -> None:
    query = read(allowMoves=[{"player": "B", "moves": [], "untilDepth": 1}])
    with pytest.raises(QueryError, match="leaves black no legal move"):
        query.restriction.moves_left(query.board_at(0))
