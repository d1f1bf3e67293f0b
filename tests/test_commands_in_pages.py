"""Every command that a page shows exists, with the options it is shown with; the first look's Python runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tesuji import cli

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^ *```(?:bash|sh|console|text)?\n(.*?)^ *```", re.M | re.S)


def commands_in(page: str) -> list[list[str]]:
    """The words after ``tesuji`` of every line of a code block that begins with it, and of commands in the text."""
    found = [words_of(words) for words in re.findall(r"`tesuji ([a-z][^`\n]* --[^`\n]*)`", re.sub(_BLOCK, "", page))]
    for block in _BLOCK.findall(page):
        lines = re.sub(r"\\\n\s*", " ", block).splitlines()
        for line in lines:
            shown = re.fullmatch(r"\s*(?:\$ )?(?:nice (?:-n \d+ )?)?(?:\S*/)?tesuji (.*)", line)
            if shown:
                found.append(words_of(shown[1]))
    return found


def words_of(line: str) -> list[str]:
    """The words of a shell line up to a comment, a pipe or a redirection."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>&;")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words = []
    for word in lexer:
        if word[0] in "|>&;":
            break
        words.append(word)
    return words


def complaint(words: list[str]) -> str | None:
    """What is wrong with a command; None if nothing is."""
    command: click.Command = cli.main
    context = click.Context(command)
    words = list(words)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        child = command.get_command(context, words[0])
        if child is None:
            return f"there is no command {words[0]!r}"
        command, context = child, click.Context(child, parent=context, info_name=words[0])
        words.pop(0)
    known = {name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
    for word in words:
        if re.fullmatch(r"--[a-z][a-z-]*(=.*)?", word) and word.partition("=")[0] not in known:
            return f"{command.name} has no option {word}"
    return None


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_pages__their_commands_exist(page: Path) -> None:
    wrong = [
        f"tesuji {' '.join(words)}: {why}"
        for words in commands_in(page.read_text(encoding="utf-8"))
        if (why := complaint(words)) is not None
    ]
    assert not wrong


def test_complaint__names_what_is_missing() -> None:
    assert complaint(["ply", "go"]) == "there is no command 'ply'"
    assert complaint(["play", "go", "--strength", "3"]) == "play has no option --strength"
    assert complaint(["play", "go", "--level", "3"]) is None
    assert commands_in("```\n$ tesuji play go \\\n   --level 3  # a game\nls\n```\n") == [
        ["play", "go", "--level", "3"]
    ]
    assert sum(len(commands_in(page.read_text(encoding="utf-8"))) for page in PAGES) > 60


def test_first_look__its_python_runs(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/first-look.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith("7 True\n")
    assert "best move 4" in done.stdout
    assert (tmp_path / "graph.html").stat().st_size > 10_000
