"""Game records: what SGF files say, replayed; and boards written as SGF."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.go.records.charset import to_utf8
from tesuji.go.records.sgf import MAX_NESTING, Setup, SgfError, SgfWarning, load, read_games, to_sgf
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR

BLACK, WHITE = Color.BLACK, Color.WHITE
GAME = (
    b"(;GM[1]FF[4]SZ[9]KM[5.5]RE[W+0.5]PB[Yamada Wakio]BR[7p]PW[Cho Chikun]WR[9p]DT[1993-10-30]EV[Mini-Go]"
    b"C[A short game];B[ee]C[The centre];W[ge];B[fg];W[];B[tt])"
)


def stones(board: Board) -> list[str]:
    """The stones of a board, one string a row."""
    return ["".join(".XO"[color] for color in row) for row in board.grid.tolist()]


# Reading --------------------------------------------------------------------------------------------------------------


def test_load__a_game_with_all_that_it_says() -> None:
    record = load(GAME)
    assert (record.width, record.height, record.komi, record.handicap) == (9, 9, 5.5, 0)
    assert (record.black, record.white, record.result) == ("Yamada Wakio", "Cho Chikun", "W+0.5")
    assert (record.text("EV"), record.text("BR"), record.text("XX")) == ("Mini-Go", "7p", "")
    assert record.moves == [(BLACK, 40), (WHITE, 42), (BLACK, 59), (WHITE, 81), (BLACK, 81)]
    assert record.comments == {0: "A short game", 1: "The centre"}
    assert record.setups == ()


def test_load__a_file_and_its_bytes_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    path.write_bytes(GAME)
    assert load(path).moves == load(str(path)).moves == load(GAME).moves


def test_load__defaults_of_a_bare_game() -> None:
    record = load(b"(;)")
    assert (record.width, record.height, record.komi, record.handicap, record.moves) == (19, 19, None, 0, [])
    assert (record.black, record.result, record.rules_name, record.rules) == ("", "", "", None)
    board = record.replay()
    assert (board.komi, board.rules, board.color_to_play) == (JAPANESE.komi, JAPANESE, BLACK)


def test_load__ff3_with_long_property_names_and_tt_for_a_pass() -> None:
    record = load(b"(;GaMe[1]FileFormat[3]SiZe[9]PlayerBlack[a]AddBlack[aa]AddBlack[bb];White[cc];Black[tt])")
    assert (record.black, record.width) == ("a", 9)
    assert record.setups == (Setup(0, black=(0, 10)),)
    assert record.moves == [(WHITE, 20), (BLACK, 81)]


@pytest.mark.parametrize(("size", "is_pass"), [("19", True), ("5:19", True), ("20", False), ("25", False)])
def test_load__tt_is_a_pass_up_to_19_lines(size: str, is_pass: bool) -> None:
    board = load(f"(;SZ[{size}];B[tt])".encode()).replay()
    assert (board.last_move == board.pass_move) is is_pass


@pytest.mark.parametrize(
    ("size", "expected"),
    [("9", (9, 9)), (" 13 ", (13, 13)), ("19:19", (19, 19)), ("3:5", (3, 5)), ("25:1", (25, 1)), ("7 : 8", (7, 8))],
)
def test_load__sizes(size: str, expected: tuple[int, int]) -> None:
    record = load(f"(;SZ[{size}])".encode())
    assert (record.width, record.height) == expected
    board = record.replay()
    assert (board.width, board.height) == expected


def test_load__a_rectangle_counts_columns_first() -> None:
    board = load(b"(;SZ[3:5];B[ca];W[ae])").replay()
    assert stones(board) == ["..X", "...", "...", "...", "O.."]


@pytest.mark.parametrize(
    ("text", "komi"),
    [("6.5", 6.5), ("6.50", 6.5), ("", None), ("0", 0.0), ("-3", -3.0), ("6,5", 6.5), ("3.75", 7.5), (".5", 0.5)],
)
def test_load__komi_in_points(text: str, komi: float | None) -> None:
    assert load(f"(;KM[{text}])".encode()).komi == komi


@pytest.mark.parametrize(
    ("text", "komi"),
    [
        ("375", 7.5),
        ("325", 6.5),
        ("650", 6.5),
        ("750", 7.5),
        ("550", 5.5),
        ("275", 5.5),
        ("650.0", 650),
        ("361", 361),
        ("100", 100),
    ],
)
def test_load__komi_as_the_fox_server_writes_it(text: str, komi: float) -> None:
    assert load(f"(;KM[{text}])".encode()).komi == komi


@pytest.mark.parametrize("komi", [375, 650, 100, 99.5, 1000, -375, 7.5, 0])
def test_to_sgf__a_large_komi_is_not_taken_for_hundredths(komi: float) -> None:
    assert load(to_sgf(Board(19, komi=komi))).komi == komi


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Chinese", CHINESE),
        ("japanese", JAPANESE),
        ("AGA", AGA),
        ("NZ", NEW_ZEALAND),
        ("New Zealand", NEW_ZEALAND),
        ("Tromp-Taylor", TROMP_TAYLOR),
        ("Tromp/Taylor", TROMP_TAYLOR),
        ("GOE", None),
    ],
)
def test_load__rules_by_the_names_in_use(text: str, rules: object) -> None:
    record = load(f"(;RU[{text}])".encode())
    assert (record.rules_name, record.rules) == (text, rules)
    assert record.replay().rules == (rules or JAPANESE)
    assert record.replay(rules="tromp-taylor").rules == TROMP_TAYLOR


def test_load__escapes_and_line_breaks_in_text() -> None:
    record = load(b"(;PB[a\\]b\\\\c]C[one\\\ntwo\nthree\\:])")
    assert record.black == "a]b\\c"
    assert record.comments[0] == "onetwo\nthree:"


def test_load__white_space_and_newlines_anywhere_between() -> None:
    assert load(b"junk (\n ; SZ \n [9]\t; B\n[ee ]\r\n;W[ \nff])").moves == [(BLACK, 40), (WHITE, 50)]


def test_load__only_the_first_game_counts() -> None:
    assert load(GAME + b"(;B[aa").width == 9


def test_read_games__a_collection_with_mail_around_it() -> None:
    data = b"Hello (world)\n" + GAME + b" and (another] one:\n(;SZ[5]PB[(;])\n" + GAME + b"\nbye"
    assert [record.width for record in read_games(data)] == [9, 5, 9]


# Variations and set-up ------------------------------------------------------------------------------------------------


def test_lines__every_variation_is_a_record() -> None:
    record = load(b"(;SZ[5];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]C[no]))")
    assert [[move for _, move in line.moves] for line in record.lines()] == [[0, 6, 12], [0, 6, 18], [0, 24]]
    assert [line.comments for line in record.lines()] == [{}, {}, {2: "no"}]
    assert len(record.tree.children) == 2


def test_replay__set_up_stones_and_who_is_to_play() -> None:
    board = load(b"(;SZ[5]AB[aa:bb][ee]AW[cc]AE[dd]PL[W])").replay()
    assert stones(board) == ["XX...", "XX...", "..O..", ".....", "....X"]
    assert board.color_to_play == WHITE


@pytest.mark.parametrize(
    ("color", "expected"), [("B", BLACK), ("white", WHITE), ("w", WHITE), ("1", BLACK), ("2", WHITE)]
)
def test_load__whose_turn_in_the_ways_people_write_it(color: str, expected: Color) -> None:
    assert load(f"(;PL[{color}])".encode()).replay().color_to_play == expected


def test_replay__the_first_move_tells_whose_turn_it_was() -> None:
    assert load(b"(;SZ[5]AB[aa];W[bb])").replay(0).color_to_play == WHITE


def test_replay__a_set_up_in_mid_game_adds_and_replaces_and_takes_off() -> None:
    record = load(b"(;SZ[5];B[aa];W[bb];AB[bb]AW[cc]AE[aa];W[dd];AW[ee]PL[B])")
    assert record.setups == (Setup(2, black=(6,), white=(12,), empty=(0,)), Setup(3, white=(24,), to_play=BLACK))
    assert stones(record.replay(1)) == ["X....", ".....", ".....", ".....", "....."]
    assert stones(record.replay(2)) == [".....", ".X...", "..O..", ".....", "....."]
    assert stones(record.replay()) == [".....", ".X...", "..O..", "...O.", "....O"]
    assert record.replay().color_to_play == BLACK


def test_replay__set_up_and_move_in_one_node_are_done_in_that_order() -> None:
    assert stones(load(b"(;SZ[3];B[bb]AB[aa]AW[cc])").replay()) == ["X..", ".X.", "..O"]


def test_replay__handicap_stones_make_a_handicap_game() -> None:
    board = load(b"(;SZ[9]HA[2]KM[0.5]RU[AGA]AB[cg][gc])").replay()
    assert (board.handicap, board.color_to_play, board.komi) == (2, WHITE, 0.5)


def test_boards__every_position_of_a_game_in_order() -> None:
    record = load(b"(;SZ[3];B[aa];W[bb];AE[aa];B[cc])")
    pictures = ["/".join(stones(board)) for board in record.boards()]
    assert pictures == [".../.../...", "X../.../...", ".../.O./...", ".../.O./..X"]


@pytest.mark.parametrize(("until", "moves"), [(None, 5), (-1, 0), (0, 0), (2, 2), (99, 5)])
def test_replay__until_counts_moves(until: int | None, moves: int) -> None:
    assert load(GAME).replay(until).num_moves == moves


def test_replay__moves_after_two_passes_are_played_on() -> None:
    assert load(b"(;SZ[5];B[];W[];B[aa];W[bb])").replay().num_moves == 4


# What is wrong with a file --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "begins with"),
        (b"hello", "begins with"),
        (b"()", "begins with"),
        (b"((((((", "begins with"),
        (b"(;GM[2])", "GM.2. is not the game of Go"),
        (b"(;SZ[0])", "from 1 to 25"),
        (b"(;SZ[26])", "from 1 to 25"),
        (b"(;SZ[9:])", "board size"),
        (b"(;SZ[9:99])", "from 1 to 25"),
        (b"(;SZ[-9])", "board size"),
        (b"(;SZ[nine])", "'nine' is not a board size"),
        (b"(;SZ[%s])" % (b"9" * 100_000), "100000 characters"),
        (b"(;SZ[9];B[aa];W[jj])", "move 2 cannot be read: 'jj' is off the board"),
        (b"(;SZ[9];B[AA])", "two small letters"),
    ],
)
def test_load__an_error_says_what_is_wrong(data: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason) as caught:
        load(data)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("data", "reason", "moves"),
    [
        (b"(;", "cut off: 1 parenthes", []),
        (GAME[:-1], "cut off", [40, 42, 59, 81, 81]),
        (GAME[:-6], "cut off", [40, 42, 59, 81]),
        (GAME[:-3], "a value that does not end", [40, 42, 59, 81]),
        (b"(;SZ[9];B[ee](;W[dd](;B[cc", "a value that does not end", [40, 30]),
        (b"(;SZ[9];B[aa];C[no end)", "a value that does not end", [0]),
        (b"(;SZ[9];B[aa];C[no end\\])", "a value that does not end", [0]),
        (b"(;SZ[9];B;W[bb])", "not a property is left out near byte 8", [10]),
        (b"(;SZ[9];B[aa] 12 ;W[bb])", "not a property is left out near byte 14", [0, 10]),
        (b"(;SZ[9];B[aa]\x00\xff;W[bb])", "not a property is left out near byte 13", [0, 10]),
        (b"(;SZ[9];[cc]B[aa])", "not a property is left out near byte 8", [0]),
        (b"(;SZ[9];B[aa](;W[bb]);B[cc])", "1 nodes after a variation", [0, 10]),
        (b"(;GM[Go game]SZ[9];B[aa])", "GM 'Go game' names no game", [0]),
        (b"(;KM[much]SZ[9];B[aa])", "'much' is not a number", [0]),
        (b"(;KM[nan]SZ[9];B[aa])", "not a number", [0]),
        (b"(;KM[1e400]SZ[9];B[aa])", "not a number", [0]),
        (b"(;KM[6.3]SZ[9];B[aa])", "in halves", [0]),
        (b"(;KM[100000]SZ[9];B[aa])", "larger than any board", [0]),
        (b"(;HA[two]SZ[9];B[aa])", "handicap stones", [0]),
        (b"(;HA[-2]SZ[9];B[aa])", "handicap stones", [0]),
        (b"(;SZ[9];B[aa][bb])", "move 1 has 2 values", [0]),
        (b"(;SZ[9]AB[jj];B[aa])", "set-up before move 1: 'jj' is off the board", [0]),
        (b"(;SZ[9];B[aa];AW[tt])", "set-up before move 2: 'tt' is a pass", [0]),
        (b"(;SZ[9]AB[ee]AW[ee];B[aa])", "must not overlap", [0]),
        (b"(;SZ[9]AB[ee]AE[ee];B[aa])", "must not overlap", [0]),
        (b"(;SZ[9]PL[green];B[aa])", "not a colour", [0]),
        (b"(;CA[klingon]SZ[9];B[aa])", "charset 'klingon' is unknown", [0]),
        (b"(;CA[UTF-8]SZ[9]PB[a\xffb];B[aa])", "not all valid in the charset 'UTF-8'", [0]),
        (b"(;CA[utf-16]SZ[9];B[aa])", "cannot hold SGF", [0]),
        (b"(;CA[zlib]SZ[9];B[aa])", "cannot hold SGF", [0]),
        (b"(;CA[punycode]SZ[9];B[aa])", "cannot hold SGF", [0]),
        (b"(;CA[undefined]SZ[9];B[aa])", "cannot hold SGF", [0]),
        (b"(;CA[unicode_escape]SZ[9];B[aa])", "cannot hold SGF", [0]),
        (b"(;CA[a\x00b]SZ[9];B[aa])", "is unknown", [0]),
        (b"(;CA[" + b"\xff" * 50 + b"]SZ[9];B[aa])", "50 characters", [0]),
    ],
)
def test_load__what_is_odd_is_left_out_and_said(data: bytes, reason: str, moves: list[int]) -> None:
    record = load(data)
    assert [move for _, move in record.moves] == moves
    assert re.search(reason, "; ".join(record.remarks))
    assert all(len(remark) < 300 for remark in record.remarks)
    assert load(to_sgf(record.replay())).remarks == ()


def test_load__a_sound_file_has_no_remarks() -> None:
    assert load(GAME).remarks == ()


def test_load__one_undecodable_byte_costs_one_character() -> None:
    names = "趙治勲".encode()
    for charset in (b"CA[UTF-8]", b""):
        record = load(b"(;" + charset + b"SZ[9]PB[" + names + b"]PW[" + names + b"\xe8];B[aa])")
        assert (record.black, record.white) == ("趙治勲", "趙治勲\N{REPLACEMENT CHARACTER}")


def test_load__line_breaks_inside_points_and_variations_without_a_semicolon() -> None:
    record = load(b"(;SZ[9]AB[a\na:\nb\r\nb][c\nc];W[d\nd](B[ee])(;B[ff]))")
    assert record.setups == (Setup(0, black=(0, 1, 9, 10, 20)),)
    assert [move for _, move in record.moves] == [30, 40]
    assert record.remarks == ()


def test_load__a_rectangle_may_begin_at_any_corner() -> None:
    assert load(b"(;SZ[9]AB[bb:aa])").setups == load(b"(;SZ[9]AB[ab:ba])").setups == load(b"(;SZ[9]AB[aa:bb])").setups


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"(;SZ[9];B[ee];W[ee])", "move 2 .white E5. is illegal: .*occupied"),
        (b"(;SZ[2]AB[aa][ab][ba][bb])", "set-up before move 1 is impossible"),
        (b"(;SZ[2];B[aa];AW[ab][ba][bb])", "set-up before move 2 is impossible"),
    ],
)
def test_replay__an_illegal_game_names_the_move_the_vertex_and_the_rule(data: bytes, reason: str) -> None:
    record = load(data)
    with pytest.raises(SgfError, match=reason):
        record.replay()
    with pytest.raises(SgfError, match=reason):
        list(record.boards())


KO = b";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]"


@pytest.mark.parametrize(
    ("data", "number", "rule"),
    [
        (b"(;SZ[5]RU[Chinese]" + KO + b";B[];W[];B[cb];W[ee])", 11, "superko"),
        (b"(;SZ[5]" + KO + b";B[cb];W[ee])", 9, "retakes the ko"),
        (b"(;SZ[5]RU[AGA]" + KO + b";B[cb];W[ee])", 9, "retakes the ko"),
        (b"(;SZ[3]AB[ab][ba];W[aa])", 1, "suicide"),
    ],
)
def test_replay__a_move_against_the_rules_is_played_as_recorded(data: bytes, number: int, rule: str) -> None:
    record, said = load(data), []
    board = record.replay(on_remark=said.append)
    assert board.num_moves == len(record.moves)
    assert len(said) == 1
    assert said[0].startswith(f"move {number} (")
    assert rule in said[0]
    assert load(to_sgf(board)).replay() == board
    assert pickle.loads(pickle.dumps(board)) == board
    while board.num_moves:
        board.undo()
    assert board == record.replay(0)
    assert len(list(record.boards())) == len(record.moves) + 1


def test_replay__the_rules_are_applied_after_a_repetition() -> None:
    board = load(b"(;SZ[5]RU[Chinese]" + KO + b";B[];W[];B[cb])").replay()
    assert "ko" in (board.why_illegal("B4") or "")
    with pytest.raises(ValueError, match="ko"):
        board.play("B4")


def test_replay__a_position_may_come_back_under_simple_ko() -> None:
    for rules in (b"", b"RU[Japanese]"):
        said: list[str] = []
        record = load(b"(;SZ[5]" + rules + KO + b";B[];W[];B[cb])")
        assert record.replay(on_remark=said.append).num_moves == 11
        assert not said


def test_replay__what_comes_before_an_illegal_move_can_be_had() -> None:
    assert load(b"(;SZ[9];B[ee];W[ee])").replay(1).num_moves == 1


def test_read_games__a_bad_game_does_not_end_the_reading_of_the_rest() -> None:
    data = GAME + b"(;SZ[99])" + b"(;SZ[5])" + b"(;SZ[9];B[zz])" + b"(;" * 20_000 + b")" * 20_000 + b"(;SZ[7])"
    errors: list[SgfError] = []
    assert [record.width for record in read_games(data, on_error=errors.append)] == [9, 5, 7]
    assert [str(error).partition(":")[0] for error in errors] == ["game 2", "game 4", "game 5"]
    with pytest.warns(SgfWarning, match="game 2: SZ '99'"):
        assert len(list(read_games(data))) == 3


def test_read_games__a_collection_of_bad_games_is_an_error() -> None:
    with pytest.raises(SgfError, match="game 1: SZ '99'"):
        list(read_games(b"(;SZ[99])(;SZ[98])"))
    with pytest.raises(SgfError, match="SZ '99'"):
        load(b"(;SZ[99])(;SZ[9])")


@pytest.mark.parametrize(
    "data",
    [
        b"(;" * 100_000 + b")" * 100_000,
        b"(;" * 100_000,
        b"(;B[aa]" + b"(" * 100_000 + b")" * 100_000,
        b"(;(;" + b"(" * 100_000,
    ],
)
def test_load__a_hundred_thousand_parentheses_are_an_error(data: bytes) -> None:
    with pytest.raises(SgfError, match="10000 deep"):
        load(data)


def test_load__more_nodes_than_any_game_has_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.go.records.sgf_tree.MAX_NODES", 1000)
    for many in (b";B[aa]" * 2500, b";" * 2500, b"(;B[aa])" * 2500, b"(;B[aa];W[bb]" * 700 + b")" * 700):
        games = list(read_games(GAME + b"(;" + many + b")" + GAME, on_error=lambda _: None))
        assert [game.width for game in games] == [9, 9]


def test_load__as_many_variations_within_variations_as_are_allowed_are_read() -> None:
    record = load(b"(;" * MAX_NESTING + b"B[aa]" + b")" * MAX_NESTING)
    assert (len(record.nodes), len(record.moves)) == (MAX_NESTING, 1)
    assert len(list(record.lines())) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"(;C[" + b"a\\]" * 300_000,
        b"(;C[" + b"(" * 1_000_000 + b"])",
        b"(;" + b"CA[" * 300_000,
        b"(;CA" + b" " * 1_000_000,
        b"(;C" + b"[]" * 500_000 + b")",
        b"(;AB" + b"[aa:ss]" * 150_000 + b")",
        b"(" * 500_000 + b";" + b")" * 500_000,
        b"(" + b" (" * 500_000,
        b"(" + b" " * 1_000_000,
        b"(;" * 5_000 + b")" * 4_999 + b" " * 1_000_000,
        b"(;B[" + b"a" * 1_000_000 + b"])",
        b"(;HA[" + b"1" * 1_000_000 + b"])",
        b"(;KM[" + b"1" * 1_000_000 + b"])",
    ],
    ids=range(13),
)
@pytest.mark.timeout(60)  # against a hang: each takes well under a second
def test_load__a_megabyte_of_nonsense_is_read_or_refused_promptly(data: bytes) -> None:
    message = ""
    try:
        load(data)
    except SgfError as error:
        message = str(error)
    assert len(message) < 300


def test_load__a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SgfError, match=r"there is no file .*missing\.sgf"):
        load(tmp_path / "missing.sgf")


@pytest.mark.parametrize("path", ["", ".", "/dev/zero", "a\0b", "x" * 10_000, "(;SZ[9])"])
def test_load__what_is_not_a_file_is_refused(path: str) -> None:
    with pytest.raises(SgfError):
        load(path)


# Charsets -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "charset", "declared"),
    [
        ("Müller", "utf-8", "UTF-8"),
        ("Müller", "latin-1", "ISO-8859-1"),
        ("Müller", "latin-1", ""),
        ("趙治勲", "utf-8", ""),
        ("趙治勲", "shift_jis", "Shift_JIS"),
        ("ソ表十", "shift_jis", "Shift_JIS"),  # trail bytes 0x5c and 0x5d would read as a backslash and a bracket
        ("趙治勲", "euc_jp", "EUC-JP"),
        ("趙治勲", "iso2022_jp", "ISO-2022-JP"),
        ("常昊", "gb18030", "GB2312"),
        ("朱鎔基", "gbk", "gb2312"),  # not in GB2312, as in many files
        ("功許蓋", "big5", "Big5"),
        ("이창호", "cp949", "EUC-KR"),
        ("Лев", "koi8-r", "KOI8-R"),
    ],
)
def test_load__names_in_the_charsets_of_the_world(name: str, charset: str, declared: str) -> None:
    ca = f"CA[{declared}]" if declared else ""
    data = f"(;FF[4]{ca}PB[{name}]PW[{name}];B[dd])".encode(charset)
    record = load(data)
    assert (record.black, record.white) == (name, name)
    assert len(record.moves) == 1
    assert record.nodes[0]["CA"] == [b"UTF-8"]


def test_load__a_wrong_charset_can_be_overruled() -> None:
    data = b"(;CA[UTF-8]PB[M\xfcller])"
    assert load(data).black == "M\N{REPLACEMENT CHARACTER}ller"
    assert load(data, charset="latin-1").black == "Müller"
    with pytest.raises(SgfError, match="charset 'nonsense' is unknown"):
        load(data, charset="nonsense")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_load__a_byte_order_mark_tells_the_charset(codec: str) -> None:
    assert load("(;PB[Müller])".encode(codec)).black == "Müller"


@given(st.binary())
def test_to_utf8__whatever_comes_out_is_utf8(data: bytes) -> None:
    recoded, _ = to_utf8(data)
    recoded.decode("utf-8")


# Writing --------------------------------------------------------------------------------------------------------------


def test_to_sgf__a_game_in_full() -> None:
    board = Board(9, komi=6.5, rules=JAPANESE)
    for vertex in ("E5", "C3", "pass"):
        board.play(vertex)
    data = to_sgf(board, black="A", white="B]", result="W+R", comments={0: "start", 2: "a\\b"}, properties={"EV": "x"})
    assert data == (
        b"(;FF[4]AP[Tesuji]C[start]CA[UTF-8]EV[x]GM[1]KM[6.5]PB[A]PW[B\\]]RE[W+R]\n"
        b"RU[Japanese]SZ[9];B[ee];C[a\\\\b]W[cg];B[])\n"
    )


def test_to_sgf__what_is_written_is_read_back() -> None:
    board = Board(7, 5, komi=0, rules=AGA)
    board.place(BLACK, [0, 1, 8])
    board.place(WHITE, [20])
    board.color_to_play = WHITE
    for vertex in ("C3", "D3", "pass", "pass"):
        board.play(vertex)
    record = load(to_sgf(board, black="趙治勲", comments={3: "two\nlines"}))
    assert (record.black, record.comments) == ("趙治勲", {3: "two\nlines"})
    assert record.replay() == board


def test_to_sgf__a_handicap_game_comes_back_as_one() -> None:
    board = Board(9, rules=AGA)
    board.set_handicap(4)
    board.play("E5")
    again = load(to_sgf(board)).replay()
    assert (again.handicap, again) == (4, board)


@pytest.mark.parametrize("rules", list(RULE_SETS.values()), ids=list(RULE_SETS))
def test_to_sgf__rules_survive(rules: object) -> None:
    board = Board(5, rules=rules)
    assert load(to_sgf(board)).replay().rules == rules


@pytest.mark.parametrize("komi", [0, -0.5, 7, 7.5, 999.5])
def test_to_sgf__komi_is_written_out(komi: float) -> None:
    assert load(to_sgf(Board(19, komi=komi))).komi == komi


def test_to_sgf__the_board_is_left_alone() -> None:
    board = Board(5)
    board.play("C3")
    before = board.copy()
    to_sgf(board)
    assert board == before


@pytest.mark.parametrize("name", ["", "ev", "E V", "EV]", "É"])
def test_to_sgf__a_property_has_a_proper_name(name: str) -> None:
    with pytest.raises(ValueError, match="capital letters"):
        to_sgf(Board(5), properties={name: "x"})


@given(st.text(), st.text(alphabet="ab]\\[:;()\n é"))
def test_to_sgf__any_text_can_be_written(name: str, comment: str) -> None:
    record = load(to_sgf(Board(3), black=name, comments={0: comment}))
    assert len(record.nodes) == 1
    if comment.strip():
        assert record.comments[0] == comment


def test_game_record__survives_pickling() -> None:
    record = pickle.loads(pickle.dumps(load(GAME)))
    assert record.moves == load(GAME).moves
    assert record.replay() == load(GAME).replay()
