"""Rules in KataGo's words: its names, its fields, and what of them a board can count."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import msgspec
import pytest

from tesuji.go.knowledge.life import play_randomly
from tesuji.go.rules import RULE_SETS, TROMP_TAYLOR, Rules
from tesuji.go.rules.board import Board
from tesuji.go.rules.kata_rules import NAMED, KataRules, read_rules, to_kata

# As in KataGo's source: ko, scoring, tax, suicide, button, bonus, friendly pass, komi.
KATAGOS: dict[str, tuple[object, ...]] = {
    "tromp-taylor": ("POSITIONAL", "AREA", "NONE", True, False, "0", False, 7.5),
    "chinese": ("SIMPLE", "AREA", "NONE", False, False, "N", True, 7.5),
    "chinese-ogs": ("POSITIONAL", "AREA", "NONE", False, False, "N", True, 7.5),
    "chinese-kgs": ("POSITIONAL", "AREA", "NONE", False, False, "N", True, 7.5),
    "japanese": ("SIMPLE", "TERRITORY", "SEKI", False, False, "0", False, 6.5),
    "korean": ("SIMPLE", "TERRITORY", "SEKI", False, False, "0", False, 6.5),
    "aga": ("SITUATIONAL", "AREA", "NONE", False, False, "N-1", True, 7.5),
    "bga": ("SITUATIONAL", "AREA", "NONE", False, False, "N-1", True, 7.5),
    "french": ("SITUATIONAL", "AREA", "NONE", False, False, "N-1", True, 7.5),
    "aga-button": ("SITUATIONAL", "AREA", "NONE", False, True, "N-1", True, 7.0),
    "new-zealand": ("SITUATIONAL", "AREA", "NONE", True, False, "0", True, 7.5),
    "nz": ("SITUATIONAL", "AREA", "NONE", True, False, "0", True, 7.5),
    "ing": ("POSITIONAL", "AREA", "NONE", True, False, "0", True, 7.5),
    "goe": ("POSITIONAL", "AREA", "NONE", True, False, "0", True, 7.5),
    "stone-scoring": ("SIMPLE", "AREA", "ALL", False, False, "0", True, 7.5),
    "ancient-area": ("SIMPLE", "AREA", "ALL", False, False, "0", True, 7.5),
    "ancient-territory": ("SIMPLE", "TERRITORY", "ALL", False, False, "0", False, 6.5),
}
COUNTABLE = [
    {"ko": ko, "scoring": scoring, "suicide": suicide, "whiteHandicapBonus": bonus, "friendlyPassOk": is_agreed}
    for ko, suicide in product(("SIMPLE", "POSITIONAL", "SITUATIONAL"), (True, False))
    for scoring, bonus, is_agreed in [*product(["AREA"], ("0", "N-1", "N"), (True, False)), ("TERRITORY", "0", False)]
]


def test_names__are_those_of_katago_with_its_fields() -> None:
    assert {name: tuple(msgspec.structs.astuple(rules)) for name, rules in NAMED.items()} == KATAGOS


@pytest.mark.parametrize("name", ["New-Zealand", "new_zealand", "NEW ZEALAND", "newzealand", "NZ"])
def test_names__are_read_however_they_are_written(name: str) -> None:
    assert read_rules(name) is NAMED["new-zealand"]


@pytest.mark.parametrize("rules", [rules for rules in NAMED.values() if not rules.differences()])
def test_names__come_back_from_the_board(rules: KataRules) -> None:
    assert to_kata(rules.board_rules()).fields() == rules.fields() == read_rules(rules.fields()).fields()


@pytest.mark.parametrize("fields", COUNTABLE, ids=repr)
def test_fields__that_a_board_can_count_come_back_from_it(fields: dict[str, Any]) -> None:
    rules = read_rules(fields)
    assert rules.differences() == []
    assert to_kata(rules.board_rules()).fields() == rules.fields() == rules.fields() | fields


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_board_rules__are_one_of_ours_where_it_says_the_same(rules: Rules) -> None:
    assert to_kata(rules).board_rules() is rules


def test_board_rules__of_another_name_are_not_called_like_one_of_ours() -> None:
    assert NAMED["chinese"].board_rules().name == "katago-chinese"
    assert read_rules({"ko": "SIMPLE"}).board_rules().name == "custom"


def test_board_rules__may_leave_the_bonus_to_komi() -> None:
    for name in ("chinese", "aga"):
        rules = NAMED[name].board_rules(has_bonus=False)
        assert (rules.scoring, rules.handicap_bonus, rules.pass_stones) == ("area", "none", False)


@pytest.mark.parametrize("handicap", [0, 2, 4])
@pytest.mark.parametrize("has_suicide", [True, False])
def test_bonus__pass_stones_count_as_area_does_less_one_for_each_further_stone(
    handicap: int, has_suicide: bool
) -> None:
    fields = {"suicide": has_suicide, "ko": "SIMPLE", "whiteHandicapBonus": "N-1"}
    boards = [
        Board(7, rules=read_rules(fields | {"whiteHandicapBonus": bonus}).board_rules()) for bonus in ("N-1", "0")
    ]
    for board in boards:
        if handicap:
            board.set_handicap(handicap)
        play_randomly(board, seed=7)
        assert board.is_over
    assert boards[0].moves == boards[1].moves
    assert boards[0].score().margin == boards[1].score().margin - max(0, handicap - 1)


def test_fields__that_are_not_said_are_those_of_tromp_taylor_rules() -> None:
    assert read_rules({}) == read_rules("tromp-taylor")
    assert read_rules({}).board_rules() is TROMP_TAYLOR
    assert (read_rules({"scoring": "TERRITORY"}).tax, read_rules({"scoring": "TERRITORY"}).komi) == ("SEKI", 6.5)
    assert read_rules({"hasButton": True}).komi == 7.0


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("mars", "'mars' is none of tromp-taylor, chinese"),
        ("", "'' is none of"),
        ({"ko": "NEVER"}, "ko is 'NEVER'; it must be one of 'SIMPLE', 'POSITIONAL', 'SITUATIONAL'"),
        ({"ko": None}, "ko is null; it must be"),
        ({"koo": "SIMPLE"}, "'koo' is not a field of rules; choose from ko, scoring"),
        ({"suicide": 1}, "suicide is 1; it must be one of true, false"),
        ({"hasButton": "true"}, "hasButton is 'true'; it must be one of true, false"),
        ({"whiteHandicapBonus": 0}, "whiteHandicapBonus is 0; it must be one of '0', 'N-1', 'N'"),
        ({"komi": 0.3}, "0.3 is not a multiple of 0.5"),
        ({"komi": 401}, "komi is 401; it must be a number from -400 to 400"),
        ({"komi": True}, "komi is true"),
        ({"tax": ["x" * 1000]}, "characters); it must be one of"),
    ],
)
def test_read__what_is_wrong_names_the_field_the_value_and_the_choices(said: str | dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        read_rules(said)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("said", "differences"),
    [
        ("aga-button", {"hasButton": (True, False)}),
        ("stone-scoring", {"tax": ("ALL", "NONE")}),
        ("ancient-territory", {"tax": ("ALL", "SEKI")}),
        ({"tax": "SEKI"}, {"tax": ("SEKI", "NONE")}),
        ({"scoring": "TERRITORY", "tax": "NONE"}, {"tax": ("NONE", "SEKI")}),
        (
            {"scoring": "TERRITORY", "whiteHandicapBonus": "N", "hasButton": True},
            {"hasButton": (True, False), "whiteHandicapBonus": ("N", "0")},
        ),
    ],
)
def test_differences__say_what_a_board_does_instead(
    said: str | dict[str, Any], differences: dict[str, tuple[object, object]]
) -> None:
    rules = read_rules(said)
    assert {each.field: (each.value, each.nearest) for each in rules.differences()} == differences
    counted = to_kata(rules.board_rules()).fields()
    assert counted == rules.fields() | {field: nearest for field, (_, nearest) in differences.items()}
