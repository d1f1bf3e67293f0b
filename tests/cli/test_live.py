"""One line of progress: rewritten on a terminal, now and then in a log."""

from __future__ import annotations

import io

import pytest

from tesuji.cli import live
from tesuji.cli.live import LiveLine


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands until it is set."""
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    return now


def test_live__a_log_gets_the_first_line_one_now_and_then_and_the_last(clock):
    stream = io.StringIO()
    with LiveLine(stream) as line:
        for second in range(100):
            clock[0] = 100.0 + second
            line.show(f"game {second}")
    assert stream.getvalue().splitlines() == ["game 0", "game 30", "game 60", "game 90", "game 99"]


def test_live__a_terminal_gets_one_line_that_is_rewritten(clock, monkeypatch):
    monkeypatch.setattr(live.shutil, "get_terminal_size", lambda: type("Size", (), {"columns": 11})())
    stream = Terminal()
    with LiveLine(stream) as line:
        line.show("game 1 of a hundred")
        line.show("game 2")  # too soon
        clock[0] += 1
        line.show("game 3")
    assert stream.getvalue() == "\r\x1b[Kgame 1 of \r\x1b[Kgame 3\n"


def test_live__nothing_said_nothing_printed():
    stream = Terminal()
    with LiveLine(stream):
        pass
    assert stream.getvalue() == ""
