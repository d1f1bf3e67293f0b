"""The API reference: every public name is on its page, with what its docstring says."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")

SCRIPT = Path(__file__).parents[1] / "scripts" / "reference.py"


@pytest.fixture(scope="module")
def reference() -> Any:
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "package", ["tesuji", "tesuji.games", "tesuji.search", "tesuji.learning", "tesuji.go", "tesuji.experiments"]
)
def test_page__has_every_public_name(reference: Any, package: str) -> None:
    page = reference.page_of(package)
    for name in importlib.import_module(package).__all__:
        assert name.startswith("__") or f"\n## {name}\n" in page


def test_page__sections_become_lists_and_examples_blocks(reference: Any) -> None:
    page = reference.page_of("tesuji.search")
    assert "- `selection` (UCB1, UCB1Tuned, EpsilonGreedy, BAST or PUCT): Which edge a walk takes." in page
    assert "### Search.run" in page
    assert "```pycon\n>>> from tesuji.games import Connect4" in page
    assert page.count("```") % 2 == 0
