"""``tesuji masters``: from files to answers, as a user types it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.go import Board

FIRST = "(;GM[1]SZ[9]RE[B+R]PB[Ann]PW[Bob]DT[1993];B[ee];W[ge];B[fg];W[ce];B[dc])"
SECOND = "(;GM[1]SZ[9]RE[W+2]PB[Cid]PW[Ann]DT[2001];B[ee];W[ge];B[gf];W[ff])"


def ran(*words: str, code: int = 0, text: str | None = None) -> str:
    result = CliRunner().invoke(main, list(words), input=text)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def database(tmp_path: Path) -> str:
    (tmp_path / "a.sgf").write_text(FIRST + SECOND)
    (tmp_path / "bad.sgf").write_text("nothing")
    said = ran("masters", "import", str(tmp_path / "games.db"), str(tmp_path))
    assert "2 games added, 0 known already, 1 passed over" in said
    assert "bad.sgf: there is no game" in said
    return str(tmp_path / "games.db")


def test_import__again_adds_nothing(database: str, tmp_path: Path) -> None:
    said = ran("masters", "import", database, str(tmp_path / "a.sgf"))
    assert "0 games added, 2 known already" in said


def test_import__where_nothing_can_be_read_it_fails(tmp_path: Path) -> None:
    (tmp_path / "bad.sgf").write_text("nothing")
    assert "no game could be read" in ran(
        "masters", "import", str(tmp_path / "g.db"), str(tmp_path / "bad.sgf"), code=2
    )


def test_stats(database: str) -> None:
    assert "2 games, 9 moves" in ran("masters", "stats", database)
    assert json.loads(ran("masters", "stats", database, "--player", "Bob", "--json"))["games"] == 1


def test_search__a_position(database: str) -> None:
    said = ran("masters", "search", database, "--moves", "E5 G5", "--size", "9")
    assert "2 games of 2 came by this position" in said
    found = json.loads(ran("masters", "search", database, "--moves", "E5 E7", "--size", "9", "--json"))
    assert found["games"] == 2
    assert sorted(one["games"] for one in found["continuations"]) == [1, 1]


def test_search__a_pattern_from_stdin(database: str) -> None:
    found = json.loads(ran("masters", "search", database, "--pattern", "-", "--json", text="X.O\n...\n.X.\n"))
    assert [one["id"] for one in found["matches"]] == [1]


@pytest.mark.parametrize("words", [[], ["--moves", "E5", "--pattern", "-"]])
def test_search__says_what_it_needs(database: str, words: list[str]) -> None:
    assert "one of --moves, --sgf and --pattern" in ran("masters", "search", database, *words, code=2)


def test_export__reads_back(database: str, tmp_path: Path) -> None:
    out = tmp_path / "out.sgf"
    ran("masters", "export", database, "--player", "Bob", "--out", str(out))
    assert out.read_bytes().count(b"PB[") == 1
    said = ran("masters", "import", str(tmp_path / "again.db"), str(out))
    assert "1 games added" in said
    assert "no game meets" in ran("masters", "export", database, "--player", "Zed", "--out", str(out), code=2)


def test_errors__name_the_file_and_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("no database")
    assert "tesuji masters import" in ran("masters", "stats", str(tmp_path / "x.db"), code=2)
    assert "tesuji masters import" in ran("masters", "stats", str(tmp_path / "none.db"), code=2)


def test_joseki__corners_are_counted_and_looked_up(tmp_path: Path) -> None:
    """Seven games with one corner each that differ elsewhere; a date filter goes with it."""
    games = [f"(;GM[1]SZ[19]RE[B+R]DT[1993];B[pd];W[dp];B[{column}j];W[qf])" for column in "efghijk"]
    (tmp_path / "a.sgf").write_text("".join(games))
    ran("masters", "import", str(tmp_path / "g.db"), str(tmp_path / "a.sgf"))
    out = str(tmp_path / "j.npz")
    said = ran("masters", "joseki", str(tmp_path / "g.db"), "--out", out, "--playouts", "2", "--until", "1995")
    assert "patterns of 7 games" in said
    assert "big-corner around Q16" in ran("masters", "territory", out, "--moves", "Q16 D4 K10 R14")
    assert "no corner" in ran("masters", "territory", out, "--moves", "A1")
    assert "no game" in ran("masters", "joseki", str(tmp_path / "g.db"), "--out", out, "--since", "2000", code=2)


def sgf_of_random_moves(seed: int) -> str:
    board, rng, nodes = Board(19), random.Random(seed), []
    for number in range(64):
        move = 60 if number == 0 else rng.choice([m for m in board.legal_moves().tolist() if m != board.pass_move])
        row, column = divmod(move, 19)
        nodes.append(f";{'BW'[number % 2]}[{chr(97 + column)}{chr(97 + row)}]")
        board.play(move)
    return f"(;GM[1]SZ[19]RE[B+R]{''.join(nodes)})"


def test_m_eval__a_file_for_the_engine(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("".join(map(sgf_of_random_moves, range(9))))
    database, joseki, out = (str(tmp_path / name) for name in ("g.db", "j.npz", "m.npz"))
    ran("masters", "import", database, str(tmp_path / "a.sgf"))
    ran("masters", "joseki", database, "--out", joseki, "--playouts", "2")
    said = ran("masters", "m-eval", database, joseki, "--out", out)
    assert "patterns of 9 games, encoder of 18 positions" in said
    assert "terriInSide" in said
    (tmp_path / "bad.npz").write_text("nothing")
    assert "tesuji masters joseki" in ran(
        "masters", "m-eval", database, str(tmp_path / "bad.npz"), "--out", out, code=2
    )
    said = ran("gtp", "--m-eval", out, "--simulations", "20", text="boardsize 19\ngenmove b\nquit\n")
    assert re.search(r"= [A-T]\d+", said)
    assert "tesuji masters m-eval" in ran("gtp", "--m-eval", joseki, text="quit\n", code=2)
