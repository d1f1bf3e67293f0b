"""Every script in examples/ runs from beginning to end, in a folder of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


LOOPS = ("alphazero_hex", "alphazero_othello")
SHORTER = {name: ["loop", "1", "2", "2"] for name in LOOPS}  # one iteration and two games instead of minutes
NEEDS = dict.fromkeys(LOOPS, ("torch", "onnx", "onnxruntime"))


def run(script: Path, folder: Path) -> str:
    """What a script prints; the test fails with what it says on stderr."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), *SHORTER.get(script.stem, ())],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_example__runs_and_says_something(script: Path, tmp_path: Path) -> None:
    for library in NEEDS.get(script.stem, ("matplotlib", "jinja2")):
        pytest.importorskip(library)
    assert run(script, tmp_path).strip()


def test_look_inside__leaves_what_it_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    run(next(path for path in EXAMPLES if path.stem == "look_inside"), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"moves.png", "graph.html", "graph.dot"}
