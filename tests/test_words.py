"""The words of hints: the command that is printed is one that works here."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tesuji import words


def test_meant__the_nearest_name_or_none() -> None:
    assert words.meant("hexx", ["hex", "go"]) == "hex"
    assert words.meant("chess", ["hex", "go"]) is None


def test_program__is_a_command_that_the_shell_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for place in (Path(sys.executable).parents[2], tmp_path):
        monkeypatch.chdir(place)
        done = subprocess.run(f"{words.program()} --version", shell=True, capture_output=True, text=True, check=True)
        assert "esuji" in done.stdout


def test_program__is_its_name_where_that_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    assert words.program() == "tesuji"


def test_how_to_install__names_where_the_package_really_is() -> None:
    pip, install, what = shlex.split(words.how_to_install("plot"))
    assert Path(pip).name == "pip"
    assert install == "install"
    assert what.endswith("[plot]")
    origin = what.removesuffix("[plot]")
    assert origin == "tesuji" or (Path(origin) / "pyproject.toml").exists() or origin.endswith(".whl")


def texts_of_the_package() -> Iterator[tuple[str, str]]:
    """Every text in the code, one line each, with the name of its file; docstrings too."""
    for path in sorted(Path(words.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path.name, " ".join(node.value.split())


def test_messages__say_is_not_a_where_english_does() -> None:
    odd = re.compile(r"(?<!here )\b(is|are) no (?!longer|more|better|worse|less|likelier|such|other)", re.IGNORECASE)
    assert [(name, text) for name, text in texts_of_the_package() if odd.search(text)] == []


def test_messages__how_to_install_something_is_said_by_one_function() -> None:
    assert [(name, text) for name, text in texts_of_the_package() if "pip install" in text] == []
