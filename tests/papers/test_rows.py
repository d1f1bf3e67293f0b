"""Rows of a computation: kept, found again, not mixed up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tesuji.papers.rows import Rows


def test_rows__are_there_after_the_file_was_closed(tmp_path: Path) -> None:
    with Rows(tmp_path / "rows.db", "x") as rows:
        rows.add(2, {"value": 0.5, "name": "c"})
        rows.add(0, {"value": None})
    with Rows(tmp_path / "rows.db", "x") as rows:
        assert rows.done() == {0, 2}
        assert rows.all() == [{"value": None}, {"value": 0.5, "name": "c"}]


def test_rows__the_first_row_of_a_task_stays(tmp_path: Path) -> None:
    with Rows(tmp_path / "rows.db", "x") as rows:
        rows.add(0, {"value": 1})
        rows.add(0, {"value": 2})
        assert rows.all() == [{"value": 1}]


def test_rows__of_another_experiment_are_refused(tmp_path: Path) -> None:
    Rows(tmp_path / "rows.db", "x at scale 1").close()
    with pytest.raises(ValueError, match="belongs to x at scale 1, not to y"):
        Rows(tmp_path / "rows.db", "y")


def test_rows__something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.db").write_text("this is not a database, it is a long enough text to be read as one" * 10)
    with pytest.raises(ValueError, match="not a file of results"):
        Rows(tmp_path / "rows.db", "x")


def test_rows__two_runs_on_one_file_are_refused_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tesuji.papers.rows import Rows\n"
        "rows = Rows(Path(sys.argv[1]), 'x'); rows.add(7, {}); print('ready', flush=True); sys.stdin.read()"
    )
    path = tmp_path / "rows.db"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        with pytest.raises(ValueError, match="in use by another run"):
            Rows(path, "x")
        other.kill()
        other.wait()
        with Rows(path, "x") as rows:
            assert rows.done() == {7}
