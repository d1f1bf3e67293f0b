"""Suites against engines: a scripted one that misbehaves on demand, the search of this process, and GNU Go."""

from __future__ import annotations

import csv
import io
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tesuji.experiments.players import parse_player
from tesuji.experiments.players.gtp_player import find_program
from tesuji.experiments.records import PlayerSpec
from tesuji.experiments.suites import Suite, parse_tst
from tesuji.experiments.suites import regress as module
from tesuji.experiments.suites.regress import Outcome, TestAnswer, regress, run_suites, summary

needs_gnugo = pytest.mark.skipif(find_program("gnugo") == "gnugo", reason="GNU Go is not installed")

ENGINE = r"""
import os, sys, time
log = open(sys.argv[1], "a")
log.write("START\n"); log.flush()
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    log.write(command + "\n"); log.flush()
    word = command.split()[0]
    if word == "crash": os._exit(3)
    if word == "hang": time.sleep(60)
    if word == "garbage": print("what?\n", flush=True); continue
    known = {"loadsgf": "", "play": "", "boardsize": "", "clear_board": "", "popgo": "", "quit": ""}
    if word == "reg_genmove": answer = "=%s D4" % number
    elif word == "echo": answer = "=%s %s" % (number, command[5:])
    elif word == "refuse": answer = "?%s cannot" % number
    elif word in known: answer = "=%s " % number
    else: answer = "?%s unknown command" % number
    print(answer + "\n", flush=True)
"""

INVENTED = ("crash", "echo", "garbage", "hang", "owl", "refuse", "unheard")  # sent only if allowed

RACE = "(;SZ[5]KM[0.5]AB[ab:ae][ba:be]AW[ca:ce][da:de][eb:ee]PL[B])"  # whoever moves captures everything: E5 or A5


@pytest.fixture
def engine(tmp_path: Path) -> Callable[..., PlayerSpec]:
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    command = shlex.join([sys.executable, str(script), str(tmp_path / "log")])

    def make(move_s: float = 20.0) -> PlayerSpec:
        return PlayerSpec(name="scripted", kind="gtp", command=command, move_s=move_s)

    return make


def _outcomes(answers: Iterator[TestAnswer]) -> list[tuple[str, str]]:
    return [(answer.id, str(answer.outcome)) for answer in answers]


def test_run_suites__counts_as_gnugo_does(engine: Callable[..., PlayerSpec]) -> None:
    suite = parse_tst(
        "1 reg_genmove black\n#? [D4]\n"
        "2 reg_genmove black\n#? [C3]\n"
        "3 reg_genmove black\n#? [D4|C3]*\n"
        "4 reg_genmove black\n#? [C3]*\n"
        "5 reg_genmove black\n#? [!D4]\n"
        "6 reg_genmove black\n#? [!C3]\n"
        "7 reg_genmove black\n#? [C3]&\n"
        "8 owl_attack D4\n#? [0]\n"
        "9 refuse\n#? [D4]\n"
        "10 refuse\n#? [!D4]\n",
        "x",
    )
    assert _outcomes(run_suites([suite], engine(), allow=INVENTED)) == [
        ("1", "pass"),
        ("2", "unexpected fail"),
        ("3", "unexpected pass"),
        ("4", "expected fail"),
        ("5", "unexpected fail"),
        ("6", "pass"),
        ("7", "ignored"),
        ("8", "unsupported"),
        ("9", "unexpected fail"),
        ("10", "unexpected fail"),
    ]


@pytest.mark.parametrize(
    ("command", "move_s", "words"),
    [("crash", 20.0, "exit status 3"), ("hang", 1.0, "no answer"), ("garbage", 20.0, "GTP")],
)
def test_run_suites__an_engine_that_fails_is_started_again_and_set_up_from_nothing(
    engine: Callable[..., PlayerSpec], tmp_path: Path, command: str, move_s: float, words: str
) -> None:
    suite = parse_tst(
        f"boardsize 9\nclear_board\nplay black E5\n1 {command}\n#? [x]*\nplay white C3\n2 reg_genmove black\n#? [D4]\n",
        "x",
    )
    first, second = run_suites([suite], engine(move_s), allow=INVENTED)
    assert (first.outcome, second.outcome) == (Outcome.FAIL, Outcome.PASS)  # a crash is never expected
    assert words in first.detail
    said = (tmp_path / "log").read_text().split("START\n")
    assert said[2].splitlines()[:5] == [
        "boardsize 9",
        "clear_board",
        "play black E5",
        "play white C3",
        "reg_genmove black",
    ]


def test_run_suites__goes_from_test_to_test_by_the_shortest_way(
    engine: Callable[..., PlayerSpec], tmp_path: Path
) -> None:
    suite = parse_tst(
        "loadsgf x.sgf\n1 reg_genmove black\n#? [D4]\nplay black D4\n2 reg_genmove white\n#? [D4]\n"
        "popgo\nloadsgf y.sgf\n3 reg_genmove white\n#? [D4]\n",
        "x",
        tmp_path,
    )
    assert [answer.outcome for answer in run_suites([suite], engine())] == [Outcome.PASS] * 3
    assert (tmp_path / "log").read_text().splitlines()[1:-1] == [
        f"loadsgf {tmp_path}/x.sgf",
        "reg_genmove black",
        "play black D4",
        "reg_genmove white",
        "popgo",
        f"loadsgf {tmp_path}/y.sgf",
        "reg_genmove white",
    ]


def test_run_suites__a_position_that_cannot_be_set_up_fails_without_asking(
    engine: Callable[..., PlayerSpec], tmp_path: Path
) -> None:
    suite = parse_tst("refuse\n1 reg_genmove black\n#? [D4]\nunheard\n2 reg_genmove black\n#? [D4]\n", "x")
    first, second = run_suites([suite], engine(), allow=INVENTED)
    assert first.outcome == Outcome.FAIL
    assert "cannot set the position up" in first.detail
    assert second.outcome == Outcome.FAIL  # the first refusal comes first
    assert "reg_genmove" not in (tmp_path / "log").read_text()


def test_run_suites__refuses_an_engine_that_does_not_start() -> None:
    suite = parse_tst("1 reg_genmove black\n#? [D4]\n", "x")
    with pytest.raises(ValueError, match="'nobody' does not start"):
        list(run_suites([suite], PlayerSpec(name="nobody", kind="gtp", command="no-such-program-here")))


def test_run_suites__refuses_a_wrong_setting_of_the_search_at_the_start() -> None:
    suite = parse_tst("1 reg_genmove black\n#? [D4]\n", "x")
    with pytest.raises(ValueError, match="preset"):
        list(run_suites([suite], PlayerSpec(name="x", kind="tesuji", settings={"preset": "nothing"})))


def test_run_suites__the_search_of_this_process_takes_the_same_commands(tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(RACE)
    suite = parse_tst(
        "loadsgf x.sgf\n1 reg_genmove black\n#? [E5]\n2 reg_genmove white\n#? [A5]\n"
        "3 showboard\n#? [.*]\n4 owl\n#? [1]\n",
        "x",
        tmp_path,
    )
    player = parse_player("tesuji:simulations=2000")
    answers = list(run_suites([suite], player, allow=INVENTED))
    assert [answer.outcome for answer in answers] == [Outcome.PASS] * 3 + [Outcome.UNSUPPORTED]
    assert [answer.answer for answer in run_suites([suite], player, allow=INVENTED)] == [
        answer.answer for answer in answers
    ]


def test_regress__writes_a_line_per_test_and_a_table_per_suite(
    engine: Callable[..., PlayerSpec], tmp_path: Path
) -> None:
    for name, expected in (("one", "D4"), ("two", "C3")):
        (tmp_path / f"{name}.tst").write_text(f"7 reg_genmove black\n#? [{expected}]\n8 echo a,b\n#? [a,b]\n")
    out = io.StringIO()
    run = regress(
        [tmp_path / "one.tst", tmp_path / "two.tst"],
        engine(),
        csv_path=tmp_path / "out.csv",
        allow=INVENTED,
        console=Console(file=out, width=100),
    )
    assert run.is_complete
    assert (run.count(Outcome.PASS), run.count(Outcome.FAIL)) == (3, 1)
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["suite"], row["id"], row["outcome"], row["answer"]) for row in rows] == [
        ("one", "7", "pass", "D4"),
        ("one", "8", "pass", "a,b"),
        ("two", "7", "unexpected fail", "D4"),
        ("two", "8", "pass", "a,b"),
    ]
    assert "two 7 unexpected FAIL: Correct 'C3', got 'D4'" in out.getvalue()
    table = io.StringIO()
    Console(file=table, width=100).print(summary(run))
    assert [line.split()[:4] for line in table.getvalue().splitlines()[-3:]] == [
        ["one", "2", "2", "0"],
        ["two", "2", "1", "1"],
        ["all", "4", "3", "1"],
    ]


def test_regress__ctrl_c_keeps_what_is_done(
    engine: Callable[..., PlayerSpec], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.tst").write_text("1 reg_genmove black\n#? [D4]\n2 reg_genmove black\n#? [D4]\n")

    def interrupted(suites: list[Suite], player: PlayerSpec, **options: object) -> Iterator[TestAnswer]:
        yield next(iter(run_suites(suites, player)))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "run_suites", interrupted)
    run = regress([tmp_path / "x.tst"], engine(), csv_path=tmp_path / "out.csv")
    assert (len(run.answers), run.num_tests, run.is_complete) == (1, 2, False)
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2


@needs_gnugo
def test_run_suites__gnugo_answers(tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(RACE)
    suite = parse_tst(
        "loadsgf x.sgf\n1 attack C3\n#? [1 E5]\ntrymove black E5\n2 countlib B2\n#? [.*]\npopgo\n"
        "loadsgf x.sgf\n3 reg_genmove black\n#? [E5]\n4 reg_genmove white\n#? [A5]\n",
        "x",
        tmp_path,
    )
    answers = list(run_suites([suite], parse_player("gnugo-l1")))
    assert [answer.outcome for answer in answers] == [Outcome.PASS] * 4


def test_run_suites__does_not_resign_unless_asked_to(tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(RACE.replace("KM[0.5]", "KM[100]"))
    suite = parse_tst("loadsgf x.sgf\n1 reg_genmove black\n#? [!resign]\n", "x", tmp_path)
    for settings, outcome in (("", Outcome.PASS), (",resign_below=0.5", Outcome.FAIL)):
        (answer,) = run_suites([suite], parse_player(f"tesuji:simulations=150{settings}"))
        assert answer.outcome == outcome


def test_regress__a_suite_that_would_overwrite_a_file_is_refused_before_an_engine_starts(tmp_path: Path) -> None:
    victim = tmp_path / "precious.txt"
    victim.write_text("mine")
    suite = tmp_path / "x.tst"
    suite.write_text(f"clear_board\nprintsgf {victim}\n1 reg_genmove black\n#? [A1]\n")
    with pytest.raises(ValueError, match="x, test 1: a suite may not send 'printsgf'"):
        regress([suite], parse_player("tesuji:simulations=1"))
    assert victim.read_text() == "mine"
