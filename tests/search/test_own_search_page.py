"""The page on searches of one's own: every block runs, and each variant finds the centre of Connect Four."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs/howto/own-search.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_page__every_block_runs_and_finds_the_centre() -> None:
    assert len(BLOCKS) == 4
    names: dict[str, object] = {}
    for block in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, "own-search.md", "exec"), names)
        assert printed.getvalue().strip() == "3", block


def test_page__the_variants_have_under_30_lines() -> None:
    assert all(len(block.splitlines()) < 30 for block in BLOCKS)
