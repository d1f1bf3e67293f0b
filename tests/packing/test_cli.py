"""``tesuji packing``: from a file to a plan, and what it says when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tesuji.cli import main

STRIP = "10\n4\n6 4\n4 4\n5 3\n5 3\n"
HARD = "61\n40\n" + "".join(f"{7 + 3 * i % 19} {5 + 7 * i % 23}\n" for i in range(40))


@pytest.fixture
def strip(tmp_path: Path) -> Path:
    path = tmp_path / "strip.txt"
    path.write_text(STRIP)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["packing", *map(str, words)])


def test_solve__prints_a_picture_and_writes_plans(strip: Path, tmp_path: Path) -> None:
    result = run("solve", strip, "--time", 2, "--seed", 1, "--out", tmp_path / "p.json", "--out", tmp_path / "p.svg")
    assert result.exit_code == 0, result.output
    assert "height 7 (optimal), 4 rectangles, 100.0 % used" in result.stdout
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    checked = run("check", tmp_path / "p.json", strip)
    assert checked.exit_code == 0
    assert checked.stdout == "right: height 7, 4 rectangles\n"


def test_solve__json_has_what_programs_ask_for(strip: Path) -> None:
    plan = json.loads(run("solve", strip, "--time", 2, "--json").stdout)
    assert (plan["height"], plan["bound"], plan["is_optimal"], len(plan["placements"])) == (7, 7, True, 4)


def test_solve__options_change_what_the_file_says(strip: Path) -> None:
    plan = json.loads(run("solve", strip, "--width", 6, "--no-rotate", "--time", 1, "--json").stdout)
    assert plan["height"] == 14
    cut = json.loads(run("solve", strip, "--sheet", "6x8:9", "--kerf", "1", "--time", 0.3, "--json").stdout)
    assert cut["objective"] == "cost"
    assert len(cut["sheets"]) == 2


@pytest.mark.parametrize("strategy", ["orders", "nrpa", "plain", "nested", "beam", "restarts"])
def test_solve__every_strategy_packs(strip: Path, strategy: str) -> None:
    result = run("solve", strip, "--strategy", strategy, "--simulations", 200, "--seed", 1, "--json")
    assert json.loads(result.stdout)["height"] <= 8


def test_solve__goes_on_from_a_plan(tmp_path: Path) -> None:
    file, plan = tmp_path / "hard.txt", tmp_path / "plan.json"
    file.write_text(HARD)
    first = json.loads(run("solve", file, "--simulations", 2, "--seed", 1, "--out", plan, "--json").stdout)
    second = json.loads(run("solve", file, "--simulations", 300, "--seed", 2, "--resume", plan, "--json").stdout)
    assert second["height"] <= first["height"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "missing.txt"], "does not exist"),
        (["solve", "{strip}", "--time", "0"], "--time"),
        (["solve", "{strip}", "--sheet", "10"], "'10' is not a sheet"),
        (["solve", "{strip}", "--out", "plan.pdf"], "plan.pdf ends in none of"),
        (["solve", "{strip}", "--width", "x"], "the width of the strip is 'x'"),
        (["solve", "{strip}", "--strategy", "magic"], "'magic' is not a strategy"),
        (["solve", "{strip}", "--max-height", "5", "--sheet", "6x6"], "sheets have heights of their own"),
        (["solve", "{csv}"], "nothing says how wide the strip is; give --width"),
        (["show", "{strip}"], "is not a plan"),
    ],
)
def test_packing__one_line_says_what_is_wrong(tmp_path: Path, strip: Path, words: list[str], message: str) -> None:
    (tmp_path / "items.csv").write_text("3,4\n")
    words = [word.format(strip=strip, csv=tmp_path / "items.csv") for word in words]
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_solve__ctrl_c_keeps_the_best(tmp_path: Path) -> None:
    file, plan = tmp_path / "hard.txt", tmp_path / "plan.json"
    file.write_text(HARD)
    command = [sys.executable, "-m", "tesuji.cli", "packing", "solve", str(file), "--time", "300", "--out", str(plan)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "packings" not in process.stderr.readline():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "40 rectangles" in out
    assert len(json.loads(plan.read_text())["placements"]) == 40
