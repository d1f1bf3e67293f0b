"""Importing Tesuji brings nothing heavy: what is plotted, compiled, fitted or drawn is imported where it is used.

Each import is made in a process of its own, and what it brought is looked up by name; no clock is involved.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "IPython", "dask", "distributed", "jinja2", "matplotlib", "numba", "optuna", "pandas", "rich", "scipy", "sgfmill",
    "sklearn", "starlette", "torch", "uvicorn",
}  # fmt: skip


def brought_by(statement: str) -> set[str]:
    """The top-level packages that are loaded after a statement."""
    code = (
        f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_tesuji__brings_not_even_numpy() -> None:
    brought = brought_by("import tesuji")
    assert not brought & (HEAVY | {"numpy", "msgspec", "email"})


@pytest.mark.parametrize(
    "module", ["tesuji.games", "tesuji.search", "tesuji.learning", "tesuji.go", "tesuji.experiments"]
)
def test_import__brings_nothing_heavy(module: str) -> None:
    assert not brought_by(f"import {module}") & HEAVY


def test_search__runs_without_anything_heavy() -> None:
    run = "from tesuji.games import Connect4\nfrom tesuji.search import Search\nSearch(Connect4()).run(simulations=9)"
    assert not brought_by(run) & HEAVY


def test_version__is_still_there() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import tesuji; print(tesuji.__version__)"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip()[0].isdigit()


def test_import_tesuji__offers_names_and_rooms_when_they_are_asked_for() -> None:
    import tesuji
    from tesuji import experiments, go, search

    assert tesuji.Search is search.Search
    assert tesuji.Board is go.Board
    assert tesuji.match is experiments.match
    assert tesuji.search is search
    assert {"Search", "solve", "match", "games", "__version__"} <= set(dir(tesuji))
    assert all(hasattr(tesuji, name) for name in dir(tesuji))
    assert all(hasattr(experiments, name) for name in dir(experiments))
    with pytest.raises(AttributeError, match="no attribute 'serch'; it has .*Search"):
        tesuji.serch  # noqa: B018


def test_python_m_tesuji__is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "tesuji", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0].lower().startswith("tesuji")
