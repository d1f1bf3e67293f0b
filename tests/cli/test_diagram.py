"""``tesuji diagram`` and ``tesuji web`` as somebody types them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.games import NATIVE_GAMES


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
        (["--out", "x.svg", "--mark", "A1"], "does not say what"), (["--out", "x.svg", "--part", "A1"], "two corners"),
        (["--out", "x.svg", "--numbers", "x"], "not a range"), (["--out", "x.svg", "--numbers", "1-9"], "not moves"),
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


# --- other games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_diagram__of_every_game_that_tesuji_play_saves(name: str, tmp_path: Path) -> None:
    saved, out = tmp_path / "game.txt", tmp_path / "fig.svg"
    opening = {"connect4": "4", "othello": "d3", "breakthrough": "d2d3"}.get(name, "b2" if name != "havannah" else "h8")
    played = CliRunner().invoke(
        main, ["play", name, "--simulations", "5", "--seed", "1", "--save", str(saved)], input=f"{opening}\nquit\n"
    )
    assert played.exit_code == 0
    assert _run("diagram", saved, "--out", out) == (0, f"{out}\n")
    drawn = ElementTree.parse(out)
    stones = [each for each in drawn.iter() if each.get("r") == "0.4"]
    assert len(stones) == {"othello": 6, "breakthrough": 32}.get(name, 2)
    letters = {each.text for each in drawn.iter() if each.text and each.text.isalpha()}
    assert len(letters) == {"connect4": 0, "tictactoe": 3, "othello": 8, "breakthrough": 8, "gomoku": 15}.get(
        name, 15 if name == "havannah" else 11
    )
    if name != "breakthrough":
        assert _run("diagram", saved, "--out", out, "--numbers", "1-2")[0] == 0
        assert {">1</text>", ">2</text>"} <= set(re.findall(r">\d</text>", out.read_text()))


def test_diagram__marks_and_labels_of_another_game_are_by_cell(tmp_path: Path) -> None:
    saved, out = tmp_path / "hex.txt", tmp_path / "fig.svg"
    saved.write_text("Hex on 3x3: Red A, Blue B\nb2 a1\nnot finished\n")
    assert _run("diagram", saved, "--out", out, "--move", 1, "--mark", "B2=triangle", "--label", "c3=x")[0] == 0
    assert ">x</text>" in out.read_text()
    assert out.read_text().count('r="0.4"') == 1


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("", [], "first line"), ("Hex on 99x99: a\na1\nend\n", [], "first line"), ("\x00\x01", [], "first line"),
        ("Hex on 3x3: a\nb2 b2\nend\n", [], "move 2, b2, cannot be played"),
        ("Hex on 3x3: a\nz9\nend\n", [], "z9"), ("Hex on 3x3: a\nb2\nend\n", ["--part", "a1:b2"], "--part is for go"),
        ("Hex on 3x3: a\nb2\nend\n", ["--mark", "z9=cross"], "no cell 'z9'"),
        ("Hex on 3x3: a\nb2\nend\n", ["--numbers", "1-2"], "not moves"),
        ("Breakthrough: a\nd2d3\nend\n", ["--numbers", "1-1"], "pieces of Breakthrough move"),
    ],
)  # fmt: skip
def test_diagram__a_list_of_moves_that_is_none_is_one_line(
    text: str, options: list[str], error: str, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(text)
    code, said = _run("diagram", tmp_path / "game.txt", "--out", tmp_path / "x.svg", *options)
    assert code == 2
    assert error in said
    assert len(said.splitlines()) == 1
