"""``tesuji diagram`` and ``tesuji web`` as somebody types them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji.cli import main


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9];B[ee];W[cc];B[gg]LB[aa:z]SQ[bb])")
    return path


def _run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(map(str, words)))
    return result.exit_code, result.output


def test_diagram__is_written_with_the_marks_of_the_record(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "fig.svg"
    code, said = _run("diagram", game, "--out", out, "--numbers", "2-3", "--mark", "A1=cross", "--label", "B1=x")
    assert code == 0
    assert str(out) in said
    assert all(f">{text}</text>" in out.read_text() for text in ("2", "3", "x", "z"))


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--out", "x.txt"], "written as"), (["--out", "x.svg", "--mark", "A1=star"], "no mark 'star'"),
        (["--out", "x.svg", "--mark", "A1"], "says not what"), (["--out", "x.svg", "--part", "A1"], "two corners"),
        (["--out", "x.svg", "--numbers", "x"], "no range"), (["--out", "x.svg", "--numbers", "1-9"], "not moves"),
        (["--out", "x.svg", "--move", "9"], "past its end"), (["--out", "x.svg", "--part", "A1:Z99"], "Z99"),
    ],
)  # fmt: skip
def test_diagram__errors_name_the_value(
    game: Path, words: list[str], error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game.parent)
    code, said = _run("diagram", game, *words)
    assert code == 2
    assert error in said


def test_web__a_file_that_no_room_shows_is_refused_before_anything_starts(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    (tmp_path / "x.bin").write_bytes(b"\x00\x01")
    code, said = _run("web", tmp_path / "x.bin", "--no-browser", "--folder", tmp_path / "f")
    assert code == 2
    assert "x.bin" in said


def test_web__a_token_of_ones_own_must_be_long(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    code, said = _run("web", "--host", "0.0.0.0", "--token", "abc", "--no-browser", "--folder", tmp_path / "f")
    assert code == 2
    assert "16 signs" in said
