"""``tesuji book``: as a user types it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from tesuji.cli import main

TEXT = "tesuji-book 1\nsize 9\n- = E5 90 50 40\nE5 = G5 60 30 30, E3 40 10 20\n"


def ran(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result.output


def test_show_convert_merge(tmp_path: Path) -> None:
    plain, packed, both = (str(tmp_path / name) for name in ("a.txt", "a.book", "both.txt"))
    Path(plain).write_text(TEXT)
    assert "2 positions on 9x9" in ran("book", "convert", plain, "--out", packed)
    assert "E5" in ran("book", "show", packed)
    assert "does not have" in ran("book", "show", packed, "--moves", "A1")
    ran("book", "merge", plain, packed, "--out", both)
    assert "180 100 80" in Path(both).read_text()


def test_build_and_grow(tmp_path: Path) -> None:
    games = tmp_path / "g.sgf"
    games.write_text("(;SZ[9]RE[B+R];B[ee];W[ge];B[fg])(;SZ[9]RE[W+R];B[ee];W[ge];B[cc])")
    ran("masters", "import", str(tmp_path / "g.db"), str(games))
    book = str(tmp_path / "b.txt")
    assert "3 positions" in ran("book", "build", str(tmp_path / "g.db"), "--out", book, "--size", "9", "--least", "2")
    said = ran("book", "grow", book, "--positions", "1", "--simulations", "1000")
    assert "1/1 after" in said
    assert "not a book" in ran("book", "show", str(games), code=2)
