"""Ctrl-C ends a command: what is done is kept, what is cut short is not recorded, the exit code is 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")

SLOW = "tesuji:simulations=100000000,move_s=600"
SUITE = """boardsize 5
clear_board
10 reg_genmove black
#? [C3]*
20 reg_genmove white
#? [C3]*
"""


def interrupted(tmp_path: Path, *arguments: str, ready: str) -> tuple[int, str, str]:
    """Run a command, press Ctrl-C when a file (``./name``) or its output says that it works."""
    command = [sys.executable, "-m", "tesuji.cli", *arguments]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            while not ready.startswith(".") and ready not in (line := process.stdout.readline()):
                assert line, process.communicate()
            while ready.startswith(".") and not (tmp_path / ready).exists():
                assert process.poll() is None, process.communicate()
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
    return process.returncode, out, err


def test_regress__ctrl_c_ends_it_and_records_no_answer_that_was_cut_short(tmp_path: Path) -> None:
    (tmp_path / "suite.tst").write_text(SUITE)
    code, _, err = interrupted(
        tmp_path, "regress", "suite.tst", "--engine", SLOW, "--csv", "out.csv", ready="./out.csv"
    )
    assert code == 130, err
    assert "stopped after 0 of 2 tests" in err
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1


def test_demo__ctrl_c_ends_the_command_and_leaves_what_is_there(tmp_path: Path) -> None:
    code, out, err = interrupted(tmp_path, "demo", ready="is to play")
    assert code == 130, err
    assert "Stopped; what is there is kept." in out
    assert "What to try next" not in out
    assert (tmp_path / "tesuji-demo.sgf").exists()
