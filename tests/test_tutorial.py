"""The pages that teach: every block of Python and every command runs, and prints what the page says it prints.

A block of Python goes on from the ones before it on its page. What a ``text`` block shows is what the block before it
prints; times are left out of the comparison, because they differ.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

DOCS = Path(__file__).parents[1] / "docs"
README = "../README.md"
PAGES = ["tutorial.md", "howto/search.md", "howto/tune-search.md"]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    kind: str
    text: str
    line: int


def blocks_of(page: str) -> Iterator[tuple[Block, str | None]]:
    """The blocks that run, each with what it should print (None: the page does not say)."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in _BLOCK.finditer(text)]
    for block, after in zip(found, [*found[1:], Block("", "", 0)], strict=True):
        if block.kind in ("python", "sh"):
            yield block, after.text if after.kind == "text" else None


def run_python(block: Block, page: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.text, str(DOCS / page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def run_shell(block: Block) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text],
        env=os.environ | {"PATH": path}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def demo_game() -> bytes:
    """A game such as the demo leaves."""
    from tesuji.go import Board
    from tesuji.go.records.sgf import to_sgf

    board = Board(9)
    for column in "ABCDEFGH":
        for row in (3, 5, 7):
            board.play(f"{column}{row}")
    return to_sgf(board, black="Tesuji", white="Tesuji")


def without_times(text: str) -> str:
    text = re.sub(r"\d+\.\d+ s\b", "TIME s", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", [README, *PAGES])
def test_page__all_its_blocks_run_and_print_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, Any] = {"__name__": "__main__"}
    if page == README:
        (tmp_path / "tesuji-demo.sgf").write_bytes(demo_game())
    for block, expected in blocks_of(page):
        printed = run_python(block, page, names) if block.kind == "python" else run_shell(block)
        if expected is not None:
            assert without_times(printed) == without_times(expected), f"{page}, line {block.line}"


@pytest.mark.parametrize("page", PAGES)
def test_page__has_no_block_that_nobody_runs(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    kinds = re.findall(r"^```(\w*)\n", text, re.MULTILINE)[::1]
    opened = [kind for kind in kinds if kind]
    assert set(opened) <= {"python", "sh", "text"}
    assert len(kinds) == 2 * len(opened)
