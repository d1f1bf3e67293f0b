"""Conversations as other programs hold them (tests/data/transcripts), every reply checked."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from go.quick_engine import QuickEngine
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.gtp import GtpServer

FOLDER = Path(__file__).parents[2] / "data" / "transcripts"
PROGRAMS = {"cgos", "gogui", "gomill", "kgs", "lizzie", "lizzie_katago", "sabaki", "twogtp"}


class Turn(NamedTuple):
    """A line that is sent, and what the whole reply has to match."""

    line: str
    pattern: str


def turns(path: Path) -> Iterator[Turn]:
    """Read a transcript."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if not line.strip() or line[0].isspace() or (line.startswith("#") and line != "# interrupt"):
            continue
        yield Turn(line, following.strip() if following.startswith(" ") else "(?s)=.*")


def number_of(line: str) -> str:
    return found[0] if (found := re.match(r"\d+", line)) else ""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Let the file commands loose in a folder of their own."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield
    os.chdir(before)


def test_transcripts__there_is_one_for_every_program() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == PROGRAMS


@pytest.mark.parametrize("engine", ["quick", "real"])
@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_transcripts__every_reply_is_as_the_program_expects_it(program: str, engine: str) -> None:
    player = QuickEngine() if engine == "quick" else Engine(EngineConfig(simulations=20, seed=1))
    spoken = list(turns(FOLDER / f"{program}.txt"))
    out = io.BytesIO()
    sent = "".join(f"{turn.line}\n" for turn in spoken)
    GtpServer(player, version="1.2").run(io.BytesIO(sent.encode()), out)
    replies = out.getvalue().decode().split("\n\n")
    answered = [turn for turn in spoken if not turn.line.startswith("#")]
    assert replies.pop() == ""
    assert len(replies) == len(answered)
    for turn, reply in zip(answered, replies, strict=True):
        assert re.match(rf"[=?]{number_of(turn.line)}(?!\d)", reply), (turn.line, reply)
        assert re.fullmatch(turn.pattern, reply), (turn.line, reply)
