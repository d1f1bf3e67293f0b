"""``tesuji learn network``: games in, a network that plays out; errors in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.learning.network.model import read_model

MOVES = "".join(f";{'BW'[i % 2]}[{chr(97 + i % 9)}{chr(97 + i // 9 * 2)}]" for i in range(24))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_text("".join(f"(;GM[1]SZ[9]KM[{k}.5]RE[B+R]{MOVES};B[i{chr(98 + k)}])\n" for k in range(1, 8)))
    return path


def test_learn_network__needs_an_end(games: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "network", str(games), "--folder", str(tmp_path / "net")])
    assert done.exit_code == 2
    assert "say --minutes 60, or --steps 10000" in done.output


def test_learn_network__trains_writes_a_network_and_goes_on(games: Path, tmp_path: Path) -> None:
    for library in ("torch", "onnx"):
        pytest.importorskip(library)
    folder = tmp_path / "net"
    words = [
        "learn",
        "network",
        str(games),
        "--folder",
        str(folder),
        "--blocks",
        "1",
        "--channels",
        "8",
        "--batch",
        "16",
    ]
    for steps in ("2", "3"):
        done = CliRunner().invoke(main, [*words, "--steps", steps])
        assert done.exit_code == 0, done.output
        assert f"step {steps}" in done.output
    description, _ = read_model(folder / "network.tesuji")
    assert (description.game, description.name, description.provenance["steps"]) == ("go", "1x8", 3)
    assert (folder / "curves.html").exists()


def test_learn_network__games_that_teach_nothing_are_an_error(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "short.sgf").write_text("(;GM[1]SZ[9]KM[5.5];B[aa];W[bb])")
    words = ["learn", "network", str(tmp_path / "short.sgf"), "--folder", str(tmp_path / "net"), "--steps", "2"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "no game can be learnt from" in done.output
