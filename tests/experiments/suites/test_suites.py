"""Regression suites as files: what is a test, what is expected, where the games lie."""

from __future__ import annotations

import io
import json
import random
import re
import tarfile
from pathlib import Path

import pytest

from tesuji.experiments.suites import Expectation, open_suites, parse_jsonl, parse_tst
from tesuji.experiments.suites.commands import check_commands

TST = """\
# A comment, then a position.
loadsgf games/x.sgf 12
10 reg_genmove black
#? [D4|C3]*

20 reg_genmove white   # same position
#? [!E5]
black D4
30 reg_genmove white
#? [1 (H5|J4)]

boardsize 9
clear_board
40 final_score
#? [W\\+7.5]&
"""


def test_parse_tst__a_numbered_command_with_an_expectation_is_a_test() -> None:
    suite = parse_tst(TST, "x")
    assert [(test.id, test.command) for test in suite.tests] == [
        ("10", "reg_genmove black"),
        ("20", "reg_genmove white"),
        ("30", "reg_genmove white"),
        ("40", "final_score"),
    ]


def test_parse_tst__a_setup_reaches_back_to_the_last_empty_board() -> None:
    first, second, third, last = parse_tst(TST, "x").tests
    assert first.setup == second.setup == ("loadsgf games/x.sgf 12",)
    assert third.setup == ("loadsgf games/x.sgf 12", "play black D4")  # said as GTP 2 says it
    assert last.setup == ("boardsize 9", "clear_board")
    assert [test.shared for test in (first, second, third, last)] == [0, 1, 1, 0]


def test_parse_tst__what_ends_the_previous_test_is_no_part_of_the_position() -> None:
    text = "loadsgf x.sgf\ntrymove b A1\n1 attack B1\n#? [0]\npopgo\nloadsgf y.sgf\n2 attack C1\n#? [0]\n"
    first, second = parse_tst(text, "x").tests
    assert (first.setup, first.closing) == (("loadsgf x.sgf", "trymove b A1"), ())
    assert (second.setup, second.closing, second.shared) == (("loadsgf y.sgf",), ("popgo",), 0)


def test_parse_tst__reads_the_marks_of_an_expectation() -> None:
    first, second, third, last = (test.expectation for test in parse_tst(TST, "x").tests)
    assert (first.pattern, first.negated, first.known_fail, first.ignored) == ("D4|C3", False, True, False)
    assert (second.pattern, second.negated, second.known_fail) == ("E5", True, False)
    assert third.pattern == "1 (H5|J4)"
    assert last.ignored


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("1 T15|O13|P12", "1 (T15|O13|P12)"),
        ("1 0 A1|B2", "1 0 (A1|B2)"),
        ("1 (A1|B2)", "1 (A1|B2)"),
        ("1 A1|2 B2", "1 A1|2 B2"),
        ("A1|B2", "A1|B2"),
        ("0 0 PASS", "0 0 PASS"),
    ],
)
def test_parse_tst__a_shared_beginning_holds_for_all_alternatives(pattern: str, read: str) -> None:
    assert parse_tst(f"1 attack A1\n#? [{pattern}]\n", "x").tests[0].expectation.pattern == read


def test_parse_tst__takes_an_open_bracket_as_gnugo_writes_it() -> None:
    assert parse_tst("1 dragon_status A1\n#? [undecided\n", "x").tests[0].expectation.pattern == "undecided"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 reg_genmove black\n#? D4\n", "x, line 2.*not an expectation"),
        ("reg_genmove black\n#? [D4]\n", "x, line 2.*follows no command"),
        ("1 reg_genmove black\n#? [D4]\n#? [D4]\n", "x, line 3.*follows no command"),
        ("1 reg_genmove black\n#? [(D4]\n", "x, line 2.*regular expression"),
    ],
)
def test_parse_tst__names_the_line_of_a_mistake_and_reads_on(text: str, words: str) -> None:
    sound = "7 reg_genmove white\n#? [C3]\n"
    suite = parse_tst(text + sound, "x")
    assert [re.search(words, fault) is not None for fault in suite.faults] == [True]
    assert suite.tests[-1].id == "7"


@pytest.mark.parametrize(
    ("expectation", "right", "wrong"),
    [
        (Expectation("D4|C3"), ["D4", "c3", " C3 "], ["D41", "E5", "", "D4 C3"]),
        (Expectation("E5", negated=True), ["E6", "pass"], ["e5", ""]),
        (Expectation(r"W\+7.5"), ["W+7.5"], ["W7.5", "W+75"]),
        (Expectation("1 (H5|J4)"), ["1 H5", "1  J4"], ["1", "H5", "1 H5 J4"]),
        (Expectation("PASS|A1"), ["pass", "PASS"], ["resign"]),
    ],
)
def test_expectation__matches_the_whole_answer(expectation: Expectation, right: list[str], wrong: list[str]) -> None:
    assert [answer for answer in right + wrong if expectation.accepts(answer)] == right


def test_parse_jsonl__groups_by_suite_and_joins_the_alternatives() -> None:
    lines = [
        {"id": "g/a/1", "setup": ["loadsgf x.sgf 2"], "command": "reg_genmove black", "expect": ["(D4", "C3)"]},
        {"id": "g/b/7", "setup": ["white D4"], "command": "final_score", "expect": ["0"], "known_fail": True},
        {"id": "g/a/2", "command": "reg_genmove white", "expect": ["E5"], "negated": True, "boardsize": 9},
    ]
    a, b = parse_jsonl("\n".join(map(json.dumps, lines)), "file")
    assert (a.name, [test.id for test in a.tests]) == ("g/a", ["1", "2"])
    assert a.tests[0].expectation.accepts("C3")
    assert not a.tests[1].expectation.accepts("E5")
    assert b.tests[0].setup == ("play white D4",)
    assert b.tests[0].expectation.known_fail


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "a/1"}', '{"id": "a/1", "command": "x", "expect": ["("]}'])
def test_parse_jsonl__names_the_line_of_a_mistake(line: str) -> None:
    with pytest.raises(ValueError, match="file, line 2"):
        parse_jsonl(f"\n{line}\n", "file")


def _folder_with_games(place: Path) -> Path:
    (place / "games").mkdir(parents=True)
    (place / "games" / "x.sgf").write_text("(;SZ[9])")
    (place / "x.tst").write_text("loadsgf games/x.sgf\n1 reg_genmove black\n#? [E5]\n")
    return place


def _packed(folder: Path, archive: Path) -> Path:
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, arcname="some/where")
    return archive


def test_open_suites__games_lie_beside_the_suite(tmp_path: Path) -> None:
    folder = _folder_with_games(tmp_path / "suite")
    with open_suites([folder / "x.tst"]) as (suite,):
        assert suite.root == folder.resolve()


def test_open_suites__finds_the_folder_in_an_archive_and_cleans_up(tmp_path: Path) -> None:
    archive = _packed(_folder_with_games(tmp_path / "suite"), tmp_path / "all.tar.xz")
    suite_file = tmp_path / "lines.jsonl"
    test = {"id": "a/1", "setup": ["loadsgf games/x.sgf"], "command": "reg_genmove black", "expect": ["E5"]}
    suite_file.write_text(json.dumps(test))
    with open_suites([suite_file], archive) as (suite,):
        assert suite.root is not None
        assert (suite.root / "games/x.sgf").is_file()
        assert suite.root.parts[-2:] == ("some", "where")
    assert not suite.root.exists()


def test_open_suites__reads_all_suites_of_an_archive(tmp_path: Path) -> None:
    archive = _packed(_folder_with_games(tmp_path / "suite"), tmp_path / "all.tar.xz")
    with open_suites([archive]) as (suite,):
        assert (suite.name, len(suite.tests)) == ("x", 1)
        assert suite.root is not None
        assert (suite.root / "games/x.sgf").is_file()


def test_open_suites__speaks_of_a_folder_with_spaces_by_a_path_without(tmp_path: Path) -> None:
    folder = _folder_with_games(tmp_path / "my suite")
    with open_suites([folder / "x.tst"]) as (suite,):
        assert suite.root is not None
        assert " " not in str(suite.root)
        assert (suite.root / "games/x.sgf").is_file()


def test_open_suites__refuses_a_root_without_the_games(tmp_path: Path) -> None:
    folder = _folder_with_games(tmp_path / "suite")
    (tmp_path / "empty").mkdir()
    with (
        pytest.raises(ValueError, match="games/x.sgf is not under .*give the folder"),
        open_suites([folder / "x.tst"], tmp_path / "empty"),
    ):
        pass


def test_open_suites__refuses_what_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    (tmp_path / "x.tst").write_text("# nothing\n")
    (tmp_path / "x.tar.xz").write_text("no archive")
    for name, words in (("x.txt", "a suite is"), ("x.tst", "no tests"), ("x.tar.xz", "cannot unpack")):
        with pytest.raises(ValueError, match=words), open_suites([tmp_path / name]):
            pass


def test_open_suites__an_archive_that_is_cut_short_is_one_clear_error(tmp_path: Path) -> None:
    whole = tmp_path / "whole.tar.xz"
    with tarfile.open(whole, "w:xz") as archive:
        data = random.Random(1).randbytes(200_000)
        member = tarfile.TarInfo("a.tst")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    for ending, share in (("cut", 0.5), ("end", 0.999)):
        short = tmp_path / f"{ending}.tar.xz"
        short.write_bytes(whole.read_bytes()[: int(share * whole.stat().st_size)])
        with (
            pytest.raises(ValueError, match=f"{ending}.tar.xz: cannot unpack this archive, which is damaged or cut"),
            open_suites([short]),
        ):
            pass


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("printsgf out.sgf", "may not send 'printsgf', which may write files"),
        ("gomill-savesgf out.sgf", "may not send 'gomill-savesgf'"),
        ("loadsgf ../../outside.sgf", "'../../outside.sgf' is not below the folder of the games"),
        ("loadsgf /etc/passwd", "'/etc/passwd' is not below the folder of the games"),
    ],
)
@pytest.mark.parametrize("form", ["{}\n1 reg_genmove black\n#? [A1]\n", "clear_board\n1 {}\n#? [A1]\n"])
def test_check_commands__data_never_touches_files(tmp_path: Path, command: str, said: str, form: str) -> None:
    suite = parse_tst(form.format(command), "x", tmp_path)
    with pytest.raises(ValueError, match="x, test 1: .*" + re.escape(said)):
        check_commands([suite])


def test_check_commands__whoever_has_read_a_suite_may_allow_more() -> None:
    check_commands([parse_tst("1 my_eval\n#? [1]\n", "x")], ["my_eval"])
