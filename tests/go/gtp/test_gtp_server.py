"""The server between its streams: what comes in while it thinks, signals, and how it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from go.quick_engine import QuickEngine
from tesuji.go.engine import Choice
from tesuji.go.gtp import GtpServer
from tesuji.go.rules.board import Board
from tesuji.gtp.inbox import Inbox

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="pipes that can be waited for, and signals to one process"),
    pytest.mark.timeout(120),  # against a hang
]
SOURCES = Path(__file__).parents[3] / "src"
PROGRAM = """
import sys, threading
from tesuji.go import Board, Engine
from tesuji.go.engine import EngineConfig
from tesuji.go.gtp import GtpServer
engine = Engine(EngineConfig(simulations=None, seconds=600.0))
GtpServer(engine, Board(9)).run(sys.stdin.buffer, sys.stdout.buffer)
print(threading.active_count(), "thread", file=sys.stderr)
"""


class Conversation:
    """A server on a thread of this process, behind pipes."""

    def __init__(self, engine: QuickEngine) -> None:
        said, answered = os.pipe(), os.pipe()
        self.engine = engine
        self.server = GtpServer(engine, Board(5))
        self._in, self._out = os.fdopen(said[0], "rb"), os.fdopen(answered[1], "wb")
        self.say_to, self._from = os.fdopen(said[1], "wb", buffering=0), os.fdopen(answered[0], "rb")
        self.thread = threading.Thread(target=self.server.run, args=(self._in, self._out))
        self.thread.start()

    def say(self, text: bytes) -> None:
        self.say_to.write(text)

    def line(self) -> bytes:
        return self._from.readline()

    def rest(self) -> bytes:
        """What is still said when the server has ended."""
        self.thread.join(600)
        assert not self.thread.is_alive()
        self._out.close()
        return self._from.read()

    def close(self) -> None:
        for stream in (self.say_to, self._in, self._out, self._from):
            with contextlib.suppress(OSError):
                stream.close()


@pytest.fixture
def talk() -> Iterator[Conversation]:
    conversation = Conversation(QuickEngine(is_patient=True))
    yield conversation
    with contextlib.suppress(OSError, ValueError):
        conversation.say(b"\nquit\n")
    conversation.thread.join(600)
    conversation.close()
    assert inbox_threads() == 0


def inbox_threads() -> int:
    return sum(thread.name == "tesuji-inbox" for thread in threading.enumerate())


# While an analysis runs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [b"lz-analyze 1", b"kata-analyze b 1"])
@pytest.mark.parametrize("ending", [b"\n", b"# a remark\n", b"7 name\n", b"nonsense\n", b"protocol_version\n"])
def test_analysis__ends_at_any_line(talk: Conversation, command: bytes, ending: bytes) -> None:
    talk.say(command + b"\n")
    assert talk.line() == b"=\n"
    assert all(talk.line().startswith(b"info move A5 ") for _ in range(3))
    talk.say(ending)
    while (line := talk.line()).startswith(b"info "):
        pass
    assert line == b"\n"
    talk.say(b"quit\n")
    rest = talk.rest()
    assert rest.endswith(b"=\n\n")
    assert rest.count(b"\n\n") == (1 if ending.startswith((b"\n", b"#")) else 2)


def test_analysis__says_that_it_understood_before_it_has_found_anything(talk: Conversation) -> None:
    talk.say(b"5 lz-analyze 100000\n")
    assert talk.line() == b"=5\n"
    assert talk.engine.has_begun.wait(10)


def test_analysis__a_line_that_is_there_already_ends_it_after_one_simulation(talk: Conversation) -> None:
    talk.say(b"name\nlz-analyze\nquit\n")
    rest = talk.rest()
    assert rest.startswith(b"= Tesuji\n\n=\ninfo move A5 ")
    assert rest.endswith(b"\n\n=\n\n")


@pytest.mark.parametrize("unfinished", [b"", b"na", b"x" * 1_000_000])
def test_analysis__ends_with_the_input(talk: Conversation, unfinished: bytes) -> None:
    talk.say(b"kata-analyze\n")
    assert talk.line() == b"=\n"
    assert talk.engine.has_begun.wait(10)
    talk.say(unfinished)
    talk.say_to.close()
    rest = talk.rest()
    assert rest.startswith(b"info move A5 ")
    assert (b"? unknown command\n\n" in rest) == bool(unfinished)


def test_analysis__part_of_a_line_does_not_end_it(talk: Conversation) -> None:
    talk.say(b"lz-analyze 1\n")
    assert talk.line() == b"=\n"
    talk.say(b"nam")
    assert all(talk.line().startswith(b"info ") for _ in range(20))
    talk.say(b"e\n")
    while (line := talk.line()).startswith(b"info "):
        pass
    assert [line, talk.line(), talk.line()] == [b"\n", b"= Tesuji\n", b"\n"]


def test_analysis__nobody_listens_any_more(talk: Conversation) -> None:
    talk.say(b"lz-analyze 1\n")
    assert talk.line() == b"=\n"
    talk._from.close()
    talk.thread.join(600)
    assert not talk.thread.is_alive()


def test_genmove_analyze__lines_wait_for_its_end(talk: Conversation) -> None:
    talk.say(b"kata-genmove_analyze b\nlz-genmove_analyze w\nquit\n")
    rest = talk.rest()
    assert rest.count(b"\nplay A5\n\n") == 1
    assert rest.count(b"\nplay B5\n\n") == 1


class Slow(QuickEngine):
    """Thinks about every move until it is stopped."""

    def choose(self, board: Board, color: int | None = None, **options: Any) -> Choice:
        self._is_stopped.clear()
        self.has_begun.set()
        assert self._is_stopped.wait(60)
        return super().choose(board, color, **options)


@pytest.mark.parametrize("word", [b"# interrupt\n", b"#interrupt\r\n", b"  # interrupt  \n"])
def test_interrupt__lets_the_engine_move_at_once(word: bytes) -> None:
    talk = Conversation(Slow())
    talk.say(b"genmove b\n")
    assert talk.engine.has_begun.wait(10)
    talk.say(b"# another remark\n\n")
    assert talk.engine.stops == 0
    talk.say(word + b"quit\n")
    assert talk.rest() == b"= A5\n\n=\n\n"
    talk.close()


def test_interrupt__of_nothing_is_a_remark(talk: Conversation) -> None:
    talk.say(b"# interrupt\nname\nquit\n")
    assert talk.rest() == b"= Tesuji\n\n=\n\n"
    assert talk.engine.stops == 0


# The inbox ------------------------------------------------------------------------------------------------------------


def test_inbox__hands_out_lines_of_any_length_in_order() -> None:
    reading, writing = os.pipe()
    heard: list[int] = []
    with os.fdopen(reading, "rb") as stream, Inbox(stream, lambda line: heard.append(len(line))) as inbox:
        lines = [b"a\n", b"\n", b"x" * 1_000_000 + b"\n", b"\x00\xff\r\n", b"last"]
        writer = threading.Thread(target=lambda: [os.write(writing, b"".join(lines)), os.close(writing)])
        writer.start()
        assert [inbox.next_line() for _ in lines] == lines
        assert inbox.next_line() == b""
        writer.join()
    assert heard == [*map(len, lines), 0]


def test_inbox__can_be_left_while_it_waits_and_while_it_is_full() -> None:
    for data in (b"", b"line\n" * 10_000):
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb") as sink:
            with Inbox(stream, lambda _: None):
                sink.write(data)
                sink.flush()
                assert inbox_threads() == 1
            assert inbox_threads() == 0


# Processes with the engine itself -------------------------------------------------------------------------------------


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCES), os.environ.get("PYTHONPATH", "")])}
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=environment
    )
    yield started
    started.kill()
    started.communicate()


def stream(found: IO[bytes] | None) -> IO[bytes]:
    assert found is not None
    return found


def ending(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """How a process ends, and what it says then."""
    _, errors = process.communicate(timeout=600)
    return process.returncode, errors.strip()


@pytest.mark.parametrize("last", ["quit", "end", "SIGINT twice", "SIGTERM"])
def test_process__ends_out_of_an_analysis(process: subprocess.Popen[bytes], last: str) -> None:
    stream(process.stdin).write(b"kata-analyze b 10\n")
    assert stream(process.stdout).readline() == b"=\n"
    assert stream(process.stdout).readline().startswith(b"info ")
    if last == "quit":
        stream(process.stdin).write(b"quit\n")
    elif last == "SIGTERM":
        process.send_signal(signal.SIGTERM)
    elif last == "SIGINT twice":
        process.send_signal(signal.SIGINT)
        while stream(process.stdout).readline() != b"\n":
            pass
        process.send_signal(signal.SIGINT)
    assert ending(process) == (0, b"1 thread")


def test_process__sigint_lets_it_move_and_go_on(process: subprocess.Popen[bytes]) -> None:
    stream(process.stdin).write(b"lz-genmove_analyze b 1\n")
    assert stream(process.stdout).readline() == b"=\n"
    assert stream(process.stdout).readline().startswith(b"info ")  # it thinks
    process.send_signal(signal.SIGINT)
    while not (line := stream(process.stdout).readline()).startswith(b"play "):
        assert line.startswith(b"info ")
    stream(process.stdin).write(b"name\nquit\n")
    assert [stream(process.stdout).readline() for _ in range(2)] == [b"\n", b"= Tesuji\n"]
    assert ending(process) == (0, b"1 thread")


def test_process__sigterm_ends_it_while_it_waits(process: subprocess.Popen[bytes]) -> None:
    stream(process.stdin).write(b"name\n")
    assert [stream(process.stdout).readline() for _ in range(2)] == [b"= Tesuji\n", b"\n"]
    process.send_signal(signal.SIGTERM)
    assert ending(process) == (0, b"1 thread")


def test_process__a_closed_pipe_ends_an_analysis(process: subprocess.Popen[bytes]) -> None:
    stream(process.stdin).write(b"lz-analyze 1\n")
    assert stream(process.stdout).readline() == b"=\n"
    stream(process.stdout).close()
    assert stream(process.stderr).read().strip() == b"1 thread"
    assert process.wait(timeout=600) == 0
