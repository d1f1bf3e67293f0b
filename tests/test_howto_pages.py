"""The code of the how-to pages about games and evaluators runs, block after block; so do the example scripts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

ROOT = Path(__file__).parent.parent


def run(*words: str, cwd: Path | None = None) -> str:
    done = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize(
    ("page", "printed"),
    [
        ("own-game.md", ["drawn", "3", "the record has no field 'disks'; it has discs, to_play", "19.0"]),
        ("groups.md", ["else [0, 1, 2, 3, 4, 5, 6] ", "middle [2, 3, 4] ", "edges [0, 6] "]),
        ("train-a-player.md", ["20", "20", "20"]),
        ("evaluator.md", ["1.0", "the evaluator returned nan in its values, for state 0 of 1"]),
    ],
)
def test_page__its_code_runs_and_prints_what_it_says(page: str, printed: list[str], tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/howto" / page).read_text("utf-8"), re.DOTALL)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), "utf-8")
    lines = run(str(script), cwd=tmp_path).splitlines()
    assert len(lines) == len(printed)
    for line, wanted in zip(lines, printed, strict=True):
        assert wanted in line or float(line) == pytest.approx(float(wanted))


def test_page__shows_the_compiled_game_that_is_tested() -> None:
    """Apart from types and docstrings, the page's Connect Four is that of tesuji.games.connect4."""
    page = (ROOT / "docs/howto/own-game.md").read_text("utf-8")
    module = (ROOT / "src/tesuji/games/connect4.py").read_text("utf-8")
    for line in re.search(r"(STATE = .*?)game = CompiledGame", page, re.DOTALL)[1].splitlines():
        bare = line.partition("  #")[0]
        assert bare.startswith("def ") or bare in module, bare


def test_example__own_game_shows_that_the_three_ways_agree() -> None:
    printed = run(str(ROOT / "examples/own_game.py"))
    assert "random moves agree" in printed
    assert all(way in printed for way in ("native", "compiled", "plain"))


def test_example__neural_network_learns_something() -> None:
    printed = run(str(ROOT / "examples/neural_network.py"), "10", "60")
    before, after = map(float, re.findall(r"0\.\d+", printed.splitlines()[1]))
    assert after < before
    assert "of 20 games" in printed
