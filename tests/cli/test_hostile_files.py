"""Files that are not what a command reads: one clear line, an exit code that is not 0, no traceback, at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji.cli import main

COMMANDS = {
    "show": ["FILE"],
    "analyse": ["FILE", "--out", "out.sgf", "--simulations", "1"],
    "diagram": ["FILE", "--out", "out.svg"],
    "solve": ["FILE"],
    "web": ["FILE", "--no-browser", "--folder", "web"],
    "packing solve": ["FILE", "--width", "100"],
    "genetics stats": ["FILE", "--labels", "FILE"],
    "genetics panel": ["FILE", "--labels", "FILE", "--size", "2"],
    "genetics classify": ["FILE", "FILE"],
    "genetics report": ["FILE", "--out", "out.html"],
    "masters stats": ["FILE"],
    "masters export": ["FILE", "--out", "out.sgf"],
    "book show": ["FILE"],
    "book merge": ["FILE", "FILE", "--out", "out.book"],
    "learn show": ["FILE"],
    "learn test": ["FILE"],
    "regress": ["FILE"],
    "report": ["FILE"],
    "tournament": ["FILE"],
    "tune": ["FILE"],
    "gtp": ["--config", "FILE", "--show-config"],
}
_NOISE = bytes(range(256)) * 12  # no '(;' in it


def _folder(path: Path) -> None:
    path.mkdir()


def _closed(path: Path) -> None:
    path.write_bytes(_NOISE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("whoever runs this may read everything")


FILES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": lambda path: path.write_bytes(b""),
    "noise": lambda path: path.write_bytes(_NOISE),
    "folder": _folder,
    "closed": _closed,
    "cut archive": lambda path: path.write_bytes(b"PK\x03\x04" + _NOISE),
    "cut database": lambda path: path.write_bytes(b"SQLite format 3\x00" + _NOISE),
    "cut xz": lambda path: path.write_bytes(b"\xfd7zXZ\x00" + _NOISE),
    "one long line": lambda path: path.write_bytes(b"9" * 3_000_000),
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_files__that_are_something_else_are_one_line(
    command: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("web"):
        pytest.importorskip("starlette")
    if command == "gtp" and kind == "empty":
        pytest.skip("an empty config changes nothing")
    monkeypatch.chdir(tmp_path)
    FILES[kind](tmp_path / "given.file")
    words = [*command.split(), *("given.file" if word == "FILE" else word for word in COMMANDS[command])]
    result = CliRunner().invoke(main, words, input="")
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2, result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert len(result.stderr) < 600
    assert "given.file" in result.stderr
    assert not [path.name for path in tmp_path.glob("out.*")]
