"""GTP: conversations, command by command, with engines that answer at once."""

from __future__ import annotations

import io
import threading
from copy import deepcopy
from pathlib import Path
from typing import Literal

import pytest

from patience import wait_for_visits
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.engine.clock import Absolute, ByoYomi, Canadian, Clock, Fischer
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, values_of
from tesuji.go.gtp import GtpServer
from tesuji.go.records.sgf import load
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import AGA, CHINESE, JAPANESE


class FirstMove:
    """An engine that takes the first legal point, and remembers what it was asked."""

    def __init__(self) -> None:
        self.clocks: list[Clock | None] = []

    def genmove(self, board: Board, color: Color, *, clock: Clock | None = None) -> int:
        self.clocks.append(clock)
        return int(board.legal_moves(color)[0])


class Says:
    """An engine that always says the same, legal or not."""

    def __init__(self, answer: int | Literal["resign"]) -> None:
        self.answer = answer

    def genmove(self, *_: object) -> int | Literal["resign"]:
        return self.answer


class Fails:
    """An engine that breaks."""

    def genmove(self, *_: object) -> int:
        print("this must not reach the controller")
        raise RuntimeError("out of\n\nideas")


def server(size: int = 9) -> GtpServer:
    return GtpServer(FirstMove(), Board(size), version="1.2")


def converse(gtp: GtpServer, *lines: str) -> list[str]:
    """Say the lines; the replies without the empty lines that end them."""
    replies = [gtp.reply(line.encode()) for line in lines]
    assert all(reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2] for reply in replies if reply)
    return [reply.decode().removesuffix("\n\n") for reply in replies]


def say(gtp: GtpServer, text: str) -> None:
    """Lines that must all succeed."""
    for line in text.split(";"):
        assert gtp.reply(line.encode()).startswith(b"="), line


# Conversations, separated by semicolons, and the reply to the last line -----------------------------------------------

TRANSCRIPTS = [
    # the protocol
    ("protocol_version", "= 2"),
    ("name", "= Tesuji"),
    ("version", "= 1.2"),
    ("known_command genmove", "= true"),
    ("known_command GENMOVE", "= false"),
    ("known_command", "= false"),
    ("known_command play it", "= false"),
    ("quit", "="),
    ("7 name", "=7 Tesuji"),
    ("0 name", "=0 Tesuji"),
    ("007 name", "=007 Tesuji"),
    ("99999999999999999999 quit", "=99999999999999999999"),
    ("7 nonsense", "?7 unknown command"),
    ("7", "?7 unknown command"),
    ("7name", "? unknown command"),
    ("-7 name", "? unknown command"),
    ("Name", "? unknown command"),
    ("name now", "? syntax error: name takes 0 arguments, not 1"),
    ("play b", "? syntax error: play takes 2 arguments, not 1"),
    ("boardsize 1 2 3", "? syntax error: boardsize takes 1 to 2 arguments, not 3"),
    ("loadsgf", "? syntax error: loadsgf takes 1 or more arguments, not 0"),
    # preprocessing
    ("  name  ", "= Tesuji"),
    ("\tname\t\r\n", "= Tesuji"),
    ("na\x00me\x1b\x7f", "= Tesuji"),
    ("play\tb\x0b \x0cD4", "="),
    ("name # what is it?", "= Tesuji"),
    ("name#", "= Tesuji"),
    ("# only a remark", ""),
    ("", ""),
    ("   \t\r", ""),
    ("n\u00e4me", "? unknown command"),
    # the board
    ("boardsize 13", "="),
    ("boardsize 1", "="),
    ("boardsize 25 1", "="),
    ("rectangular_boardsize 7 5", "="),
    (
        "rectangular_boardsize 7",
        "? syntax error: rectangular_boardsize takes a width and a height, as in 9 13 or 9:13",
    ),
    ("rectangular_boardsize 9:13;play b J13", "="),
    (
        "boardsize 9:13;play b J14",
        "? invalid coordinates: 'J14' is off the board: on 9x13 the columns run from A to J and the rows from 1 to 13",
    ),
    ("rectangular_boardsize 9:13:2", "? syntax error: a size is one number, or width and height as in 9 13 or 9:13"),
    ("get_komi", "= 7.5"),
    ("komi -3;get_komi", "= -3"),
    ("kata-search b", "= A9"),
    ("kata-search;kata-search", "= A9"),
    ("boardsize 26", "? unacceptable size: 26x26 is not within 1x1 to 25x25"),
    ("boardsize 0", "? unacceptable size: 0x0 is not within 1x1 to 25x25"),
    ("boardsize -9", "? unacceptable size: -9x-9 is not within 1x1 to 25x25"),
    ("boardsize 9.0", "? syntax error: '9.0' is not a whole number"),
    ("boardsize nine", "? syntax error: 'nine' is not a whole number"),
    ("boardsize 9999999999", "? syntax error: '9999999999' is not a whole number"),
    ("boardsize \u0669", "? syntax error: '\\u0669' is not a whole number"),
    ("clear_board", "="),
    ("komi 6.5", "="),
    ("komi -3", "="),
    ("komi 0", "="),
    ("komi six", "? syntax error: 'six' is not a number"),
    ("komi nan", "? syntax error: 'nan' is not a number"),
    ("komi inf", "? syntax error: 'inf' is not a number"),
    ("komi 1e5", "? syntax error: '1e5' is not a number"),
    ("komi 1_0", "? syntax error: '1_0' is not a number"),
    # moves
    ("play black D4", "="),
    ("play B d4", "="),
    ("play w PASS", "="),
    ("play White j9", "="),
    ("play green D4", "? syntax error: 'green' is not a color: write black or white"),
    ("play b I5", "? invalid coordinates: 'I5' is not a vertex: the columns leave out the letter I, and J follows H"),
    (
        "play b K5",
        "? invalid coordinates: 'K5' is off the board: on 9x9 the columns run from A to J and the rows from 1 to 9",
    ),
    (
        "play b 44",
        "? invalid coordinates: '44' is not a vertex: write a column letter and a row number, as in D4, or pass",
    ),
    ("genmove b", "= A9"),
    ("genmove b;genmove b", "= B9"),
    ("genmove w;undo;genmove b", "= A9"),
    ("reg_genmove w;reg_genmove b", "= A9"),
    ("genmove", "? syntax error: genmove takes 1 arguments, not 0"),
    ("genmove x", "? syntax error: 'x' is not a color: write black or white"),
    ("play b D4;undo", "="),
    ("boardsize 1;genmove b", "= pass"),
    ("boardsize 3 5;play b A5;genmove w", "= B5"),
    # handicap
    ("fixed_handicap 2", "= G7 C3"),
    ("set_free_handicap A1 B2 C3", "="),
    ("place_free_handicap 2", "= G7 C3"),
    (
        "play b A1;fixed_handicap 2",
        "? board not empty: handicap stones come first; send clear_board",
    ),
    (
        "play b pass;set_free_handicap A1 B1",
        "? board not empty: handicap stones come first; send clear_board",
    ),
    ("fixed_handicap two", "? syntax error: 'two' is not a whole number"),
    ("place_free_handicap 1", "? invalid number of stones: 1 is not within 2 to 80"),
    ("place_free_handicap 81", "? invalid number of stones: 81 is not within 2 to 80"),
    (
        "boardsize 4;place_free_handicap 3",
        "? invalid number of stones: this board has no handicap points; use set_free_handicap",
    ),
    # score
    (
        "play b C3;final_status_list nonsense",
        "? syntax error: 'nonsense' is not a status: write one of alive, dead, seki, black_territory, white_territory, "
        "dame",
    ),
    ("final_status_list dead", "="),
    ("final_status A1", "= dame"),
    ("final_status pass", "? invalid coordinates: pass is not a point of the board"),
    # rules and time
    ("kgs-rules japanese", "="),
    ("play b D4;kgs-rules new_zealand", "="),
    ("time_settings 300 25 10", "="),
    ("time_settings 0 0 0", "="),
    ("time_settings 0 1 0", "="),
    ("time_settings -1 0 0", "? syntax error: times and stones are not negative"),
    ("time_settings 1 2", "? syntax error: time_settings takes 3 arguments, not 2"),
    ("time_left b 12 0", "="),
    ("time_left b 12.5 3", "="),
    ("time_left x 12 3", "? syntax error: 'x' is not a color: write black or white"),
    ("time_left b soon 3", "? syntax error: 'soon' is not a number"),
    ("time_left b 1 -3", "? syntax error: -3 stones are not possible; 0 stands for main time"),
    ("kgs-time_settings none", "="),
    ("kgs-time_settings absolute 300", "="),
    ("kgs-time_settings byoyomi 300 30 5", "="),
    ("kgs-time_settings canadian 300 60 10", "="),
    (
        "kgs-time_settings fischer 60 5",
        "? syntax error: 'fischer' is not a kind of clock; choose from none, absolute, byoyomi, canadian",
    ),
    ("kgs-time_settings absolute soon", "? syntax error: 'soon' is not a number"),
    ("kgs-time_settings", "? syntax error: kgs-time_settings takes 1 or more arguments, not 0"),
    ("kata-list_time_settings", "= none absolute byoyomi canadian fischer fischer-capped"),
    ("kata-time_settings fischer 60 5.5", "="),
    ("kata-time_settings fischer-capped 60 5 90 -1", "="),
    ("kata-time_settings fischer 60", "? syntax error: fischer takes MAIN INCREMENT, not 1 numbers"),
    ("kata-time_settings canadian 1 -2 3", "? syntax error: times are not negative"),
    ("param", "? unknown command"),  # this engine has no parameters
]


@pytest.mark.parametrize(("lines", "reply"), TRANSCRIPTS)
def test_transcript(lines: str, reply: str) -> None:
    assert converse(server(), *lines.split(";"))[-1] == reply


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        ("play b D4;play w D4", "? illegal move: "),
        ("play w D4;play w D4", "? illegal move: "),
        ("boardsize 2;play b A1;play b B2;play w A2", "? illegal move: "),
        ("undo", "? cannot undo: "),
        ("set_free_handicap A1 B1;undo", "? cannot undo: "),
        ("komi 6.3", "? syntax error: "),
        ("kgs-rules nonsense", "? syntax error: "),
        ("fixed_handicap 1", "? invalid number of stones: "),
        ("fixed_handicap 10", "? invalid number of stones: "),
        ("boardsize 3;fixed_handicap 2", "? invalid number of stones: "),
        ("set_free_handicap", "? bad vertex list: "),
        ("set_free_handicap A1", "? bad vertex list: "),
        ("set_free_handicap A1 A1", "? bad vertex list: "),
        ("set_free_handicap A1 pass", "? bad vertex list: "),
        ("set_free_handicap A1 I1", "? bad vertex list: invalid coordinates: 'I1' "),
        ("loadsgf missing.sgf", "? cannot load file: there is no file 'missing.sgf'"),
        ("loadsgf .", "? cannot load file: "),
        ("printsgf /", "? cannot save file: "),
        ("printsgf missing/folder/x.sgf", "? cannot save file: "),
    ],
)
def test_an_error_leaves_the_game_as_it_was(lines: str, reply: str) -> None:
    gtp = server()
    *before, last = lines.split(";")
    for line in before:
        say(gtp, line)
    board, clocks = gtp.board.copy(), deepcopy(gtp.clocks)
    assert converse(gtp, last)[0].startswith(reply)
    assert (gtp.board, gtp.clocks) == (board, clocks)


def test_list_commands__each_command_is_known() -> None:
    gtp = server()
    names = gtp.reply(b"list_commands").decode().removeprefix("= ").split()
    assert {"genmove", "play", "boardsize", "clear_board", "komi", "quit", "list_commands", "showboard"} <= set(names)
    assert names == sorted(names)
    assert all(converse(gtp, f"known_command {name}") == ["= true"] for name in names)


def test_boardsize__empties_the_board_and_keeps_komi_and_rules() -> None:
    gtp = GtpServer(FirstMove(), Board(9, rules=JAPANESE))
    say(gtp, "komi 3.5;play b D4;boardsize 13")
    assert gtp.board == Board(13, rules=JAPANESE, komi=3.5)
    say(gtp, "play b D4;clear_board")
    assert gtp.board == Board(13, rules=JAPANESE, komi=3.5)


def test_loadsgf__komi_and_rules_do_not_leak_into_the_next_game(tmp_path: Path) -> None:
    first, second = tmp_path / "first.sgf", tmp_path / "second.sgf"
    first.write_bytes(b"(;SZ[9]KM[0.5]RU[Japanese];B[aa])")
    second.write_bytes(b"(;SZ[9];B[bb])")
    gtp = server()
    say(gtp, f"loadsgf {first}")
    assert (gtp.board.komi, gtp.board.rules) == (0.5, JAPANESE)
    say(gtp, f"loadsgf {second}")
    assert (gtp.board.komi, gtp.board.rules) == (7.5, CHINESE)
    say(gtp, f"komi 5.5;kgs-rules aga;loadsgf {first}")
    assert (gtp.board.komi, gtp.board.rules) == (0.5, JAPANESE)
    say(gtp, f"loadsgf {second}")
    assert (gtp.board.komi, gtp.board.rules) == (5.5, AGA)
    say(gtp, f"loadsgf {first};clear_board")
    assert (gtp.board.komi, gtp.board.rules) == (5.5, AGA)


def test_loadsgf__what_is_odd_about_a_record_is_said_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.sgf"
    path.write_bytes(b"(;SZ[5]HA[two]RU[Chinese];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[];W[];B[cb])")
    gtp = server()
    assert converse(gtp, f"loadsgf {path}") == ["="]
    assert gtp.board.num_moves == 11
    said = capsys.readouterr()
    assert said.out == ""
    assert "HA 'two'" in said.err
    assert "move 11 (black C4) is illegal: C4 repeats an earlier position" in said.err


def test_printsgf__a_dash_prints() -> None:
    gtp = server(3)
    assert converse(gtp, "printsgf -") == converse(gtp, "printsgf")
    assert converse(gtp, "printsgf -")[0].startswith("= (;FF[4]")


def test_final_status__of_empty_points() -> None:
    gtp = GtpServer(FirstMove(), Board.from_text("""
        . X . O .
        X X . O O
        X X X O O
        . X . O .
        X X . O .
    """, rules=JAPANESE))  # fmt: skip
    points = ("A5", "A2", "C5", "C4", "E5", "E1")
    expected = ("black_territory",) * 2 + ("dame",) * 2 + ("white_territory",) * 2
    assert converse(gtp, *(f"final_status {point}" for point in points)) == [f"= {status}" for status in expected]
    assert converse(gtp, "final_status_list dame") == ["= C5 C4 C2 C1"]
    assert converse(gtp, "final_status_list black_territory") == ["= A5 A2"]


def test_play__the_same_color_may_move_twice() -> None:
    gtp = server()
    say(gtp, "play b D4;play b E4")
    assert gtp.board.moves == [(Color.BLACK, 48), (Color.BLACK, 49)]


def test_showboard__has_the_picture_and_no_empty_line() -> None:
    gtp = server(3)
    say(gtp, "play b B2;play w B1")
    (reply,) = converse(gtp, "showboard")
    assert reply.startswith("= \n")
    assert gtp.board.to_text().strip() in reply
    assert reply.endswith("black to play, komi 7.5, captured 0 black, 0 white")


def test_genmove__a_resignation_plays_nothing() -> None:
    gtp = GtpServer(Says("resign"), Board(9))
    assert converse(gtp, "genmove b", "reg_genmove w") == ["= resign", "= resign"]
    assert gtp.board == Board(9)


def test_genmove__an_engine_that_passes() -> None:
    gtp = GtpServer(Says(81), Board(9))
    assert converse(gtp, "genmove b", "genmove w", "genmove b") == ["= pass", "= pass", "= pass"]


@pytest.mark.parametrize("engine", [Fails(), Says(-5), Says(82), Says(10**30)])
def test_genmove__a_broken_engine_does_not_end_the_game(engine: Fails | Says) -> None:
    gtp = GtpServer(engine, Board(9))
    (reply,) = converse(gtp, "3 genmove b")
    assert reply.startswith("?3 internal error: ")
    assert "\n" not in reply
    assert gtp.board == Board(9)
    assert converse(gtp, "name") == ["= Tesuji"]


def test_final_score_and_status__of_a_settled_board() -> None:
    gtp = server(5)
    black, white = "A2 A4 B1 B2 B3 B4 B5", "C1 C2 C3 C4 C5 E2 E4"
    for vertex in black.split():
        say(gtp, f"play b {vertex}")
    for vertex in white.split():
        say(gtp, f"play w {vertex}")
    say(gtp, "komi 0.5")
    assert converse(gtp, "final_score", "final_status B1", "final_status_list dead") == ["= W+5.5", "= alive", "="]
    (alive,) = converse(gtp, "final_status_list alive")
    assert len(alive.removeprefix("= ").splitlines()) >= 2
    assert sorted(alive.removeprefix("= ").split()) == f"{black} {white}".split()


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "my game.sgf"
    path.write_bytes(b"(;SZ[5]KM[3.5]RU[Japanese];B[aa];W[bb];B[cc])")
    return path


@pytest.mark.parametrize(("number", "moves"), [("", 3), (" 0", 0), (" 1", 0), (" 2", 1), (" 4", 3), (" 999", 3)])
def test_loadsgf__stops_before_the_move(game: Path, number: str, moves: int) -> None:
    gtp = server(9)
    say(gtp, f"loadsgf {game}{number}")
    assert (gtp.board.num_moves, gtp.board.width, gtp.board.komi, gtp.board.rules) == (moves, 5, 3.5, JAPANESE)


def test_loadsgf__what_the_record_does_not_say_stays(tmp_path: Path) -> None:
    path = tmp_path / "bare.sgf"
    path.write_bytes(b"(;SZ[7];B[aa])")
    gtp = GtpServer(FirstMove(), Board(9, rules=JAPANESE, komi=2.5))
    say(gtp, f"loadsgf {path}")
    assert (gtp.board.width, gtp.board.rules, gtp.board.komi) == (7, JAPANESE, 2.5)


@pytest.mark.parametrize("data", [b"", b"(;SZ[9];B[aa];W[aa])", b"(;SZ[99])", b"(;" * 100_000])
def test_loadsgf__a_bad_file_changes_nothing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.sgf"
    path.write_bytes(data)
    gtp = server(9)
    say(gtp, "play b D4")
    before = gtp.board.copy()
    assert converse(gtp, f"loadsgf {path}")[0].startswith("? cannot load file: ")
    assert gtp.board == before


def test_printsgf__to_the_controller_and_to_a_file(tmp_path: Path) -> None:
    gtp = server(5)
    say(gtp, f"komi 0.5;play b C3;play w D4;printsgf {tmp_path / 'out.sgf'}")
    (reply,) = converse(gtp, "printsgf")
    assert load(reply.removeprefix("= ").encode()).replay() == gtp.board
    assert load(tmp_path / "out.sgf").replay() == gtp.board


# Time -----------------------------------------------------------------------------------------------------------------


def clocks_after(lines: str) -> list[Clock | None]:
    """The clocks that the engine was given."""
    gtp = server()
    say(gtp, lines)
    assert isinstance(gtp.engine, FirstMove)
    return gtp.engine.clocks


def test_time__nobody_set_any() -> None:
    assert clocks_after("genmove b;genmove w") == [None, None]


def test_time__settings_hold_for_both_until_told_otherwise() -> None:
    whole, told = Canadian(300, 100, 10), Canadian(30, 100, 10)
    lines = "time_settings 300 100 10;reg_genmove w;reg_genmove b;time_left w 30 0;reg_genmove w;reg_genmove b"
    assert clocks_after(lines) == [whole, whole, told, whole]
    assert clocks_after("time_settings 300 100 10;time_left w 50 5;reg_genmove w") == [Canadian(50, 100, 10, 5)]


@pytest.mark.parametrize(
    ("lines", "clock"),
    [
        ("time_settings 300 0 0", Absolute(300)),
        ("kgs-time_settings byoyomi 300 30 5", ByoYomi(300, 30, 5)),
        ("kgs-time_settings byoyomi 300 30 5;time_left b 12 3", ByoYomi(12, 30, 5, 3)),
        ("kata-time_settings fischer 60 5;time_left b 12.5 0", Fischer(12.5, 5)),
        ("time_left b 12 0", Absolute(12)),
        ("time_left b 12 3", Canadian(12, 12, 3, 3)),
        ("time_settings 0 1 0;time_left b 0 0", None),
        ("time_settings 300 0 0;kgs-time_settings none", None),
    ],
)
def test_time__every_kind_of_clock_reaches_the_engine(lines: str, clock: Clock | None) -> None:
    assert clocks_after(f"{lines};reg_genmove b") == [clock]


def test_time__a_move_takes_time_off() -> None:
    before, after = clocks_after("time_settings 300 0 0;genmove b;reg_genmove b")
    assert isinstance(before, Absolute)
    assert isinstance(after, Absolute)
    assert 0 < after.left_s < before.left_s


# Parameters -----------------------------------------------------------------------------------------------------------


def engine_server(**fields: object) -> GtpServer:
    config = EngineConfig(**{"simulations": 20, "seed": 1, **fields})  # type: ignore[arg-type]
    return GtpServer(Engine(config), Board(5))


def test_param__lists_all_as_gogui_reads_them() -> None:
    gtp = engine_server()
    lines = converse(gtp, "param")[0].removeprefix("= ").splitlines()
    assert "[string] simulations 20" in lines
    assert "[bool] keeps_graph 1" in lines
    assert "[list/off/linear/adaptive] dynamic_komi linear" in lines
    assert [line.split()[1] for line in lines] == list(values_of(EngineConfig()))


def test_param__reads_and_sets_one_for_the_next_search() -> None:
    gtp = engine_server()
    assert isinstance(gtp.engine, Engine)
    replies = converse(gtp, "param p_nakade 0.25", "param p_nakade", "param keeps_graph 0", "param keeps_graph")
    assert replies == ["=", "= 0.25", "=", "= false"]
    assert dict(gtp.engine.config.playouts.rules)["nakade"] == 0.25
    say(gtp, "param rule_order capture defend;param seconds none;genmove b")
    assert [rule for rule, _ in gtp.engine.config.playouts.rules] == ["capture", "defend"]


def test_param__every_value_it_lists_it_takes() -> None:
    gtp = engine_server()
    assert isinstance(gtp.engine, Engine)
    before = gtp.engine.config
    for line in converse(gtp, "param")[0].removeprefix("= ").splitlines():
        _, name, *value = line.split()
        if value and name not in ("simulations", "seconds"):  # a limit set alone is the only one
            say(gtp, f"param {name} {' '.join(value)}")
    assert gtp.engine.config == before
    assert set(values_of(before)) <= set(ENGINE_PARAMETERS)


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("param p_nakad", "? syntax error: there is no parameter 'p_nakad'; did you mean p_nakade?"),
        ("param p_nakade -1", "? syntax error: p_nakade: the probability of 'nakade' is -1.0; it must lie in 0..1"),
        ("param p_nakade nan", "? syntax error: p_nakade: the probability of 'nakade' is nan; it must lie in 0..1"),
        ("param p_nakade often", "? syntax error: p_nakade is 'often'; it must be a number ("),
        ("param keeps_graph 2", "? syntax error: keeps_graph is '2'; it must be true or false ("),
        ("param dynamic_komi wild", "? syntax error: dynamic_komi is 'wild'; it must be one of off, linear, adaptive"),
        ("param prior_strengths /etc/passwd", "? syntax error: prior_strengths names a file; give it when Tesuji sta"),
        ("param table_file /tmp/table", "? syntax error: table_file names a file; give it when Tesuji starts"),
        ("param known_file /tmp/known", "? syntax error: known_file names a file; give it when Tesuji starts"),
        ("param book /etc/passwd", "? syntax error: book names a file; give it when Tesuji starts"),
        ("param network /etc/passwd", "? syntax error: network names a file; give it when Tesuji starts"),
        ("kata-set-param patterns /etc/passwd", "? syntax error: patterns names a file; give it when Tesuji starts"),
        ("param patterns nowhere.txt", "? syntax error: patterns names a file; give it when Tesuji starts"),
        ("param rule_order " + "x" * 1_000_000, "? syntax error: rule_order has 'xxxxx"),
        ("param simulations " + "9" * 1_000_000, "? syntax error: simulations is '99999"),
        ("param " + "x" * 1_000_000, "? syntax error: there is no parameter 'xxxxx"),
        ("param rave_k 5", "? syntax error: rave_k has no meaning here; add amaf=rave, or leave it out"),
        ("param simulations none", "? syntax error: the engine needs a limit; give simulations or seconds"),
    ],
    ids=range(18),
)
def test_param__a_wrong_one_changes_nothing(line: str, reply: str) -> None:
    gtp = engine_server()
    assert isinstance(gtp.engine, Engine)
    before = gtp.engine.config
    (answer,) = converse(gtp, line)
    assert answer.startswith(reply)
    assert len(answer) < 3000
    assert gtp.engine.config == before


# Pondering ------------------------------------------------------------------------------------------------------------


def pondering_threads() -> int:
    return sum(thread.name == "tesuji-pondering" for thread in threading.enumerate())


def test_pondering__from_a_genmove_to_the_next_command_about_the_game() -> None:
    gtp = engine_server(ponders=True)
    assert pondering_threads() == 0
    for disturbing in ("play w A1", "genmove w", "undo", "komi 3", "param seed 2", "boardsize 5"):
        say(gtp, "clear_board;genmove b")
        assert pondering_threads() == 1
        say(gtp, "name;time_settings 0 1 0;time_left w 100 0;showboard;known_command play")
        assert pondering_threads() == 1
        converse(gtp, disturbing)
        assert pondering_threads() == (disturbing == "genmove w")
    say(gtp, "clear_board;reg_genmove b")
    assert pondering_threads() == 0
    say(gtp, "quit")


def test_pondering__off_by_default() -> None:
    gtp = engine_server()
    say(gtp, "genmove b")
    assert pondering_threads() == 0


def test_pondering__what_it_found_is_used() -> None:
    gtp = engine_server(ponders=True, resign_below=0.0)
    assert isinstance(gtp.engine, Engine)
    say(gtp, "genmove b")
    assert gtp.engine._pondering is not None
    wait_for_visits(gtp.engine._pondering._search, 100)
    say(gtp, "reg_genmove w")
    assert gtp.engine._kept is not None
    assert gtp.engine._kept.search.result().visits.sum() > 20


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ending", ["quit\n", ""])
def test_pondering__a_game_against_itself_leaves_no_thread(ending: str) -> None:
    lines = "boardsize 5\n" + "genmove b\ntime_left w 100 0\ngenmove w\n" * 15 + ending
    out = io.BytesIO()
    engine_server(ponders=True, resign_below=0.0).run(io.BytesIO(lines.encode()), out)
    replies = out.getvalue().decode().split("\n\n")
    assert not any(reply.startswith("?") for reply in replies)
    assert pondering_threads() == 0


# Streams --------------------------------------------------------------------------------------------------------------


def run(data: bytes, engine: FirstMove | Fails | None = None) -> bytes:
    out = io.BytesIO()
    GtpServer(engine or FirstMove(), Board(9)).run(io.BytesIO(data), out)
    return out.getvalue()


def test_run__until_quit() -> None:
    assert run(b"name\nquit\nname\n") == b"= Tesuji\n\n=\n\n"


@pytest.mark.parametrize("data", [b"", b"\n\n", b"# nothing\n"])
def test_run__nothing_in_nothing_out(data: bytes) -> None:
    assert run(data) == b""


def test_run__the_last_line_needs_no_newline() -> None:
    assert run(b"1 name\r\n2 protocol_version") == b"=1 Tesuji\n\n=2 2\n\n"


def test_run__only_replies_reach_the_stream(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(b"genmove b\n", Fails()) == b"? internal error: RuntimeError: out of ideas\n\n"
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "this must not reach the controller" in printed.err


@pytest.mark.parametrize(
    "line",
    [
        b"a" * 1_000_000,
        b"7" * 1_000_000 + b" name",
        b"play b " + b"D" * 1_000_000,
        b"play b D4 " * 100_000,
        b"komi " + b"9" * 1_000_000,
        b"boardsize " + b"9" * 1_000_000,
        b"set_free_handicap " + b"A1 " * 300_000,
        b"loadsgf " + b"x" * 1_000_000,
        b"printsgf " + b"x" * 1_000_000,
        b"known_command " + b"x" * 1_000_000,
        b"\x00" * 1_000_000,
        b"\xff" * 1_000_000,
        b"name #" + b"x" * 1_000_000,
    ],
    ids=range(13),
)
@pytest.mark.timeout(60)  # against a hang: each takes well under a second
def test_run__a_line_of_a_megabyte_is_answered(line: bytes) -> None:
    reply = run(line + b"\nprotocol_version\n")
    assert reply.endswith(b"= 2\n\n")
    assert len(reply) < 1000 or line.startswith(b"777")
