"""The words of hints: the command that is printed is one that works here."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
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


def test_pages_and_messages__name_works_by_their_authors_and_not_by_a_number() -> None:
    """Whoever reads Tesuji has never seen the order in which its sources were read: docs/bibliography.md names them."""
    numbered = re.compile(r"\bseeds?[ _#-]*00\d\b", re.IGNORECASE)
    root = Path(__file__).parents[1]
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/*"), *root.glob("tests/**/*.py")]
    texts = [*texts_of_the_package(), *((page.name, page.read_text(encoding="utf-8")) for page in pages)]
    assert [(name, found[0]) for name, text in texts if (found := numbered.search(text))] == []
    assert (root / "docs" / "bibliography.md").exists()


def test_pages__name_extras_that_there_are_and_as_a_shell_takes_them() -> None:
    root = Path(__file__).parents[1]
    extras = set(tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    for page in [root / "README.md", *root.glob("docs/**/*.md")]:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"tesuji\[", text), f"{page.name}: there is no index that has it; write '.[extra]'"
        for quote, names in re.findall(r"pip install (.?)\.\[([\w,]+)\]", text):
            assert quote == "'", f"{page.name}: a shell reads [{names}] as a pattern; put it in quotes"
            assert set(names.split(",")) <= extras, f"{page.name}: {names}"
