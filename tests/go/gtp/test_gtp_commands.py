"""GTP commands beyond the protocol's own: set-up, rules, parameters, KGS, gomill, GoGui."""

from __future__ import annotations

import json
import os
import re
from copy import deepcopy
from pathlib import Path

import pytest
from click.testing import CliRunner

from go.quick_engine import QuickEngine
from tesuji import cli
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.gtp import GtpServer
from tesuji.go.records.sgf import load
from tesuji.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, Rules
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.kata_rules import NAMED, read_rules


def server(size: int = 5, **options: float) -> GtpServer:
    return GtpServer(QuickEngine(**options), Board(size), version="1.2")  # type: ignore[arg-type]


def converse(gtp: GtpServer, *lines: str) -> list[str]:
    """Say the lines; the replies without the empty lines that end them."""
    replies = [gtp.reply(line.encode()) for line in lines]
    assert all(reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2] for reply in replies if reply)
    return [reply.decode().removesuffix("\n\n") for reply in replies]


CONVERSATIONS = [
    ("kata-get-models", "= []"),
    ("kata-set-rule ko SITUATIONAL", "="),
    ("kata-set-rule suicide true", "="),
    ("kata-set-rule scoring TERRITORY", "="),
    (
        "kata-set-rule ko NEVER",
        "? syntax error: ko is 'NEVER'; it must be one of 'SIMPLE', 'POSITIONAL', 'SITUATIONAL'",
    ),
    ("kata-set-rule", "? syntax error: kata-set-rule takes 2 or more arguments, not 0"),
    (
        "kata-set-params [1]",
        "? syntax error: the parameters must be a JSON object of names and values: Expected `object`, got `array`",
    ),
    ("version", "= 0.17 (analysis commands), Tesuji 1.2"),
    ("stop", "="),
    ("gg-undo", "? cannot undo: there is no move to undo"),
    ("play b C3;play w C4;gg-undo", "="),
    ("play b C3;play w C4;gg-undo 2;gg-undo", "? cannot undo: there is no move to undo"),
    ("play b C3;gg-undo 2", "? cannot undo: there are only 1 moves to undo, not 2"),
    ("play b C3;gg-undo 0", "? cannot undo: 0 is not a number of moves; write 1 or more"),
    ("play b C3;gg-undo -1", "? cannot undo: -1 is not a number of moves; write 1 or more"),
    ("set_position", "="),
    ("set_position b", "? syntax error: 1 words are not pairs of a color and a vertex"),
    ("set_position b A1 w A1", "? illegal setup: A1 is named twice"),
    ("set_position b pass", "? invalid coordinates: pass is not a point of the board"),
    ("set_position e A1", "? syntax error: 'e' is not a color: write black or white"),
    ("gogui-setup", "="),
    ("gogui-setup b A1 w B1 e A1", "="),
    ("gogui-setup x A1", "? syntax error: 'x' is not a color: write black, white or empty"),
    ("gogui-setup_player w", "="),
    ("gogui-setup_player", "? syntax error: gogui-setup_player takes 1 arguments, not 0"),
    ("gogui-play_sequence", "="),
    ("gogui-play_sequence b A1 w", "? syntax error: 3 words are not pairs of a color and a vertex"),
    ("gogui-interrupt", "="),
    ("gogui-version", "="),
    ("gogui-sigint", f"= {os.getpid()}"),
    ("gogui-title", "= Tesuji 1.2"),
    ("scoring_system area", "="),
    ("scoring_system AREA", "="),
    ("scoring_system stones", "? syntax error: 'stones' is not a scoring system: write area or territory"),
    ("cgos-opponent_name", "="),
    ("cgos-opponent_rating 1800?", "="),
    ("cgos-gameover B+0.5", "="),
    ("kgs-game_over", "="),
    ("kgs-chat", "= Tesuji 1.2, a program."),
    ("kata-set-rules nonsense", None),
    ("kata-set-rules {", None),
    ("kata-set-rules " + '{"ko":' * 100_000, None),
    ("kata-set-rules []", None),
    ('kata-set-rules {"tax": "ALL"}', "? syntax error: tax is 'ALL', but there is no tax on groups; send tax 'NONE'"),
    ('kata-set-rules {"suicide": 1}', "? syntax error: suicide is 1; it must be one of true, false"),
    ("kata-set-rules aga-button", "? syntax error: hasButton is true, but there is no button; send hasButton false"),
    (
        'kata-set-rules {"komi": 5}',
        "? syntax error: komi is not a field of kata-set-rules; send it with the command komi",
    ),
    ("kata-get-param nonsense", None),
    ("kata-set-param simulations", "? syntax error: kata-set-param takes 2 or more arguments, not 1"),
    ("kata-set-param simulations -1", None),
    ("kata-get-param maxVisits", "= 8"),
    ("kata-set-param maxVisits 9;kata-get-param simulations", "= 9"),
    ("clear_cache", "="),
    ("tesuji-show verbose", "= 0"),
    ("tesuji-show verbose on;tesuji-show verbose", "= 1"),
    ("tesuji-show live_graphics 1;tesuji-show", "= [bool] live_graphics 1\n[bool] verbose 0"),
    ("tesuji-show nonsense", None),
    ("tesuji-show verbose maybe", "? syntax error: 'maybe' is neither true nor false"),
    ("gomill-genmove_ex", "= claim"),
    ("gomill-genmove_ex b", "= A5"),
    ("gomill-genmove_ex b claim", "= A5"),
    ("gomill-genmove_ex x", "? syntax error: 'x' is not a color: write black or white"),
    ("gomill-explain_last_move", "="),
    ("gomill-savesgf", "? syntax error: gomill-savesgf takes 1 or more arguments, not 0"),
    ("gomill-savesgf x.sgf nonsense", "? syntax error: 'nonsense' is not an SGF property; write it as RE=W+3.5"),
    ("gomill-savesgf x.sgf SZ=9", "? syntax error: SZ is known from the game; leave it out"),
    ("gomill-savesgf /", None),
]


@pytest.mark.parametrize(("lines", "reply"), CONVERSATIONS, ids=range(len(CONVERSATIONS)))
def test_conversation(lines: str, reply: str | None) -> None:
    gtp = server()
    *before, last = lines.split(";")
    converse(gtp, *before)
    board, clocks = gtp.board.copy(), deepcopy(gtp.clocks)
    (answer,) = converse(gtp, last)
    if reply is None:
        assert answer.startswith(("? syntax error: ", "? cannot save file: "))
        assert len(answer) < 1000
    else:
        assert answer == reply
    if answer.startswith("?"):
        assert (gtp.board, gtp.clocks) == (board, clocks)


def test_commands__are_in_alphabetical_order_so_that_sabaki_finds_katagos_first() -> None:
    names = list(server().commands)
    assert names == sorted(names)
    assert names.index("kata-analyze") < names.index("lz-analyze")


# Set-up ---------------------------------------------------------------------------------------------------------------


def test_set_position__is_exactly_these_stones() -> None:
    gtp = server()
    converse(gtp, "komi 3.5", "play b C3", "set_position b A1 w B2 b E5")
    assert gtp.board.num_moves == 0
    assert gtp.board.color_to_play == Color.BLACK
    assert gtp.board.komi == 3.5
    assert [gtp.board.color_at(gtp.board.point(name)) for name in ("A1", "B2", "E5", "C3")] == [1, 2, 1, 0]


@pytest.mark.parametrize("command", ["set_position", "gogui-setup"])
def test_setup__a_chain_without_liberties_is_refused(command: str) -> None:
    gtp = server()
    converse(gtp, "play b C3")
    before = gtp.board.copy()
    assert converse(gtp, f"{command} b A1 w A2 w B1")[0].startswith("? illegal setup: ")
    assert gtp.board == before


def test_gogui_setup__adds_and_takes_off_and_keeps_the_turn() -> None:
    gtp = server()
    converse(gtp, "play b C3", "gogui-setup w A1 e C3")
    assert gtp.board.color_to_play == Color.WHITE
    assert [gtp.board.color_at(gtp.board.point(name)) for name in ("A1", "C3")] == [2, 0]


def test_play_sequence__all_or_nothing() -> None:
    gtp = server()
    assert converse(gtp, "gogui-play_sequence b A1 w A2 b pass") == ["="]
    assert gtp.board.num_moves == 3
    (reply,) = converse(gtp, "gogui-play_sequence w E5 b E5")
    assert reply.startswith("? illegal move: E5 is occupied")
    assert reply.endswith("(move 2 of the sequence)")
    assert gtp.board.num_moves == 3


# Rules ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, rules in NAMED.items() if not rules.differences()])
def test_kata_rules__what_is_told_is_what_was_set_and_can_be_said_again(name: str) -> None:
    gtp = server()
    assert converse(gtp, f"kata-set-rules {name}") == ["="]
    rules, told = gtp.board.rules, converse(gtp, "kata-get-rules")[0].removeprefix("= ")
    assert json.loads(told) == read_rules(name).fields()
    assert converse(gtp, "kgs-rules japanese", f"kata-set-rules {told}") == ["=", "="]
    assert gtp.board.rules == rules


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("kata-set-rules Chinese-KGS", CHINESE),
        ("kata-set-rules korean", JAPANESE),
        ("kata-set-rules bga", AGA),
        ("kata-set-rules new zealand", NEW_ZEALAND),
        ("kata-set-rules {}", TROMP_TAYLOR),
        ("kgs-rules chinese", CHINESE),
    ],
)
def test_kata_rules__where_a_rule_set_says_the_same_it_is_taken(command: str, rules: Rules) -> None:
    gtp = server()
    converse(gtp, "kgs-rules aga")
    assert converse(gtp, command) == ["="]
    assert gtp.board.rules == rules


def test_kata_rules__chinese_has_simple_ko_in_katagos_words_and_superko_in_those_of_kgs() -> None:
    gtp = server()
    for command, ko in (("kata-set-rules chinese", "SIMPLE"), ("kgs-rules chinese", "POSITIONAL")):
        told = json.loads(converse(gtp, command, "kata-get-rules")[1].removeprefix("= "))
        assert (told["ko"], told["whiteHandicapBonus"]) == (ko, "N")


def test_kata_rules__a_field_changes_and_the_game_stays() -> None:
    gtp = server()
    converse(gtp, "komi 3.5", "play b C3", 'kata-set-rules { "ko" : "SIMPLE", "suicide": true }')
    assert (gtp.board.rules.ko, gtp.board.rules.suicide, gtp.board.rules.scoring) == ("simple", True, "area")
    assert (gtp.board.num_moves, gtp.board.komi) == (1, 3.5)


@pytest.mark.parametrize(
    ("rules", "field", "remedy"),
    [
        ("stone-scoring", "tax", "'NONE'"),
        ("ancient-territory", "tax", "'SEKI'"),
        ("aga-button", "hasButton", "false"),
        ('{"tax":"SEKI"}', "tax", "'NONE'"),
        ('{"scoring":"TERRITORY","tax":"NONE"}', "tax", "'SEKI'"),
        ('{"scoring":"TERRITORY","whiteHandicapBonus":"N"}', "whiteHandicapBonus", "'0'"),
    ],
)
def test_kata_rules__what_cannot_be_counted_is_refused(rules: str, field: str, remedy: str) -> None:
    gtp = server()
    (reply,) = converse(gtp, f"kata-set-rules {rules}")
    assert reply.startswith(f"? syntax error: {field} is ")
    assert reply.endswith(f"; send {field} {remedy}")
    assert gtp.board.rules == CHINESE


def test_scoring_system__changes_only_what_counts_otherwise() -> None:
    gtp = server()
    converse(gtp, "kgs-rules new_zealand", "scoring_system area")
    assert gtp.board.rules == NEW_ZEALAND
    converse(gtp, "scoring_system territory")
    assert gtp.board.rules == JAPANESE


# KGS ------------------------------------------------------------------------------------------------------------------

SETTLED = """
. X . X O O . O .
X X X X O . O O O
. . X X O O O . O
. . . X O . . O .
. O . X O . . . .
. . . X O . . X .
. . X X O O . . .
. X X O O . O . .
. X . X O . . . .
"""


@pytest.mark.parametrize("engine", [QuickEngine(), Engine(EngineConfig(simulations=100, seed=1))])
def test_cleanup__dead_stones_are_taken_off_before_it_passes(engine: QuickEngine | Engine) -> None:
    gtp = GtpServer(engine, Board.from_text(SETTLED, komi=0.5))
    dead = gtp.board.chain(gtp.board.point("B5")).tolist()
    moves = []
    for _ in range(20):
        (reply,) = converse(gtp, "kgs-genmove_cleanup black")
        moves.append(reply.removeprefix("= "))
        if moves[-1] == "pass" or moves[-1].startswith("?"):
            break
        converse(gtp, "play white pass")
        if not any(gtp.board.color_at(point) == Color.WHITE for point in dead):
            break
    assert not any(gtp.board.color_at(point) == Color.WHITE for point in dead), moves
    assert "pass" not in moves


def test_cleanup__with_nothing_to_clean_the_winner_passes_after_a_pass() -> None:
    clean = "\n".join([". X X O .", "X X X O O", ". X X O .", "X X X O O", "X X X O O"])
    gtp = GtpServer(Engine(EngineConfig(simulations=20, seed=1)), Board.from_text(clean, komi=0.5))
    assert converse(gtp, "play w pass", "kgs-genmove_cleanup b") == ["=", "= pass"]


def test_cleanup__never_resigns() -> None:
    class Resigns(QuickEngine):
        def genmove(self, *_: object, **__: object) -> str:  # type: ignore[override]
            return "resign"

    gtp = GtpServer(Resigns(winrate=0.0), Board(5))
    assert converse(gtp, "kgs-genmove_cleanup b") == ["= pass"]


# gomill ---------------------------------------------------------------------------------------------------------------


def test_explain__says_what_is_known_in_one_line() -> None:
    gtp = server()
    (_, plain) = converse(gtp, "genmove b", "gomill-explain_last_move")
    assert re.fullmatch(r"= black A5: win rate 75\.0 %, 2 visits, 3 simulations;.* expects A5 pass", plain)
    (_, watched) = converse(gtp, "kata-genmove_analyze w", "gomill-explain_last_move")
    assert re.fullmatch(r"= white B5: win rate 75\.0 %, 2 visits, 3 simulations;.* expects B5 pass", watched)


@pytest.mark.parametrize("after", ["play w C3", "undo", "clear_board", "boardsize 5", "set_position", "gg-undo 1"])
def test_explain__only_the_last_move_if_it_was_the_engines(after: str) -> None:
    gtp = server()
    assert converse(gtp, "genmove b", after, "gomill-explain_last_move")[1:] == ["=", "="]


def test_explain__the_reasons_are_those_of_the_priors() -> None:
    gtp = GtpServer(Engine(EngineConfig(simulations=20, seed=1)), Board(5))
    (_, text) = converse(gtp, "genmove b", "gomill-explain_last_move")
    assert re.search(r"win rate \d+\.\d %.*; liked for [a-z0-9]+.* \(x\d+\.\d\)", text)


def test_claim__only_where_it_is_allowed_and_the_game_is_won() -> None:
    gtp = server(winrate=0.995)
    assert converse(gtp, "gomill-genmove_ex b claim") == ["= claim"]
    assert gtp.board.num_moves == 0
    assert converse(gtp, "gomill-genmove_ex b", "gomill-genmove_ex w later") == ["= A5", "= B5"]


def test_savesgf__has_the_remarks_and_the_properties(tmp_path: Path) -> None:
    gtp = server()
    path = tmp_path / "game.sgf"
    line = rf"gomill-savesgf {path} PB=Tesuji PW=GNU\_Go\\3.8 RE=W+3.5"
    assert converse(gtp, "genmove b", "play w C3", "genmove b", line)[-1] == "="
    record = load(path)
    assert (record.black, record.white, record.result) == ("Tesuji", "GNU Go\\3.8", "W+3.5")
    assert sorted(record.comments) == [1, 3]
    assert record.comments[3].startswith("black B5: win rate 75.0 %")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.text("DT"))
    assert record.replay() == gtp.board


# GoGui ----------------------------------------------------------------------------------------------------------------


def test_analyze_commands__every_one_of_them_works() -> None:
    gtp = server()
    converse(gtp, "play b C3")
    lines = converse(gtp, "gogui-analyze_commands")[0].removeprefix("= ").splitlines()
    assert len(lines) >= 10
    for line in lines:
        kind, label, command = line.split("/")
        assert kind in {"gfx", "pspairs", "dboard", "cboard", "var", "plist", "string", "hstring", "param", "none"}
        assert label
        assert converse(gtp, command)[0].startswith("="), command


def test_views__an_analysis_of_this_position_is_used_again() -> None:
    gtp = server()
    engine = gtp.engine
    assert isinstance(engine, QuickEngine)
    converse(gtp, "lz-analyze", "tesuji-visits", "tesuji-winrate", "tesuji-ownership")
    assert len(engine.limits) == 1
    for change in ("play b C3", "undo", "komi 3.5", "param simulations 9", "clear_cache"):
        before = len(engine.limits)
        converse(gtp, change, "tesuji-visits", "tesuji-prior")
        assert len(engine.limits) == before + 1, change


def test_views__a_value_for_every_point_and_move() -> None:
    gtp = server(3)
    replies = converse(gtp, "tesuji-winrate", "tesuji-visits", "tesuji-prior", "tesuji-rave", "tesuji-groups")
    assert replies == ["= A3 75", "= A3 2", "= A3 100", "= A3 50", '= \n"" "" ""\n"" "" ""\n"" "" ""']
    assert converse(gtp, "tesuji-ownership")[0].splitlines()[1] == "1.000 0.750 0.500"
    assert converse(gtp, "tesuji-principal_variation") == ["= b A3 w pass"]


def test_groups__are_coloured_by_their_status() -> None:
    gtp = GtpServer(QuickEngine(), Board.from_text(SETTLED, komi=0.5))
    rows = converse(gtp, "tesuji-groups")[0].splitlines()[1:]
    assert rows[0].split()[1] == "green"
    assert rows[4].split()[1] == "red"


# What stderr gets -----------------------------------------------------------------------------------------------------


def test_verbose__one_line_for_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    gtp = GtpServer(QuickEngine(), Board(5), is_verbose=True)
    converse(gtp, "genmove b", "reg_genmove w", "play w C3", "lz-genmove_analyze b")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line.partition(": win rate")[0] for line in printed.err.splitlines()] == [
        "Tesuji: black A5",
        "Tesuji: black B5",
    ]


def test_verbose__says_why_it_resigns(capsys: pytest.CaptureFixture[str]) -> None:
    converse(GtpServer(QuickEngine(winrate=0.01), Board(5), is_verbose=True), "lz-genmove_analyze b")
    assert capsys.readouterr().err == "Tesuji: black resigns: win rate 1.0 %\n"


def test_quiet__nothing(capsys: pytest.CaptureFixture[str]) -> None:
    converse(server(), "genmove b", "lz-genmove_analyze w 1", "kgs-genmove_cleanup b")
    assert capsys.readouterr() == ("", "")


def test_live_graphics__while_it_thinks_about_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    gtp = GtpServer(QuickEngine(), Board(3), has_live_graphics=True)
    assert converse(gtp, "genmove b") == ["= A3"]
    pictures = capsys.readouterr().err.split("\n\n")
    assert pictures.pop() == ""
    for picture in pictures:
        head, variation, influence, label, text = picture.splitlines()
        assert head == "gogui-gfx:"
        assert variation == "VAR b A3 w pass"
        assert influence.startswith("INFLUENCE A3 1.00 B3 0.75")
        assert re.fullmatch(r"LABEL A3 \d+", label)
        assert re.fullmatch(r"TEXT black: 75\.0 % after \d+ simulations", text)


@pytest.mark.parametrize(("option", "said"), [("--verbose", "Tesuji: black "), ("--live-graphics", "gogui-gfx:\n")])
def test_cli__options_for_stderr(option: str, said: str) -> None:
    words = ["gtp", "--size", "5", "--simulations", "20", "--seed", "1", option]
    result = CliRunner().invoke(cli.main, words, input="genmove b\nversion\n")
    assert result.exit_code == 0
    assert result.stderr.startswith(said)
    assert re.fullmatch(r"= [A-E][1-5]\n\n= 0\.17 \(analysis commands\), Tesuji \S+\n\n", result.stdout)


# What KataGo's clients send ----------------------------------------------------------------------------------------


def test_kata_set_rule__changes_one_field_and_leaves_the_others() -> None:
    gtp = server()
    before = json.loads(converse(gtp, "kata-get-rules")[0].removeprefix("= "))
    assert converse(gtp, "kata-set-rule ko SIMPLE", "kata-set-rule suicide true") == ["=", "="]
    after = json.loads(converse(gtp, "kata-get-rules")[0].removeprefix("= "))
    assert after == before | {"ko": "SIMPLE", "suicide": True}


def test_kata_params__are_read_and_set_together_or_not_at_all() -> None:
    gtp = server()
    assert converse(gtp, 'kata-set-params {"maxVisits": 17, "seed": 5}') == ["="]
    read = json.loads(converse(gtp, "kata-get-params")[0].removeprefix("= "))
    assert (read["maxVisits"], read["simulations"], read["seed"]) == (17, 17, 5)
    for bad in ('{"maxVisits": 3, "nonsense": 1}', '{"maxVisits": 3, "seed": "x"}', '{"seed": 1, "maxVisits": -4}'):
        assert converse(gtp, f"kata-set-params {bad}")[0].startswith("? syntax error: ")
    assert json.loads(converse(gtp, "kata-get-params")[0].removeprefix("= ")) == read
