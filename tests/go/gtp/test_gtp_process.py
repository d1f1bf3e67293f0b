"""GTP in a process of its own: its ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from tesuji.go.rules.board import Board
from tesuji.go.gtp import GtpServer
class Passes:
    def genmove(self, board, color, *, clock=None):
        return board.pass_move
GtpServer(Passes(), Board(9)).run(sys.stdin.buffer, sys.stdout.buffer)
print("the end", file=sys.stderr)
"""


@pytest.fixture
def process() -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=pipe, stdout=pipe, stderr=pipe)


def test_process__ends_with_its_input(process: subprocess.Popen[bytes]) -> None:
    out, errors = process.communicate(b"genmove b\n", timeout=600)
    assert (out, errors.strip(), process.returncode) == (b"= pass\n\n", b"the end", 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_process__ends_quietly_at_an_interrupt(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"name\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(2)] == [b"= Tesuji\n", b"\n"]
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=600)
    assert (out, errors.strip(), process.returncode) == (b"", b"the end", 0)


def test_process__ends_quietly_when_nobody_listens(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(b"list_commands\n" * 10)
    process.stdin.close()
    assert process.stderr.read().strip() == b"the end"
    assert process.wait(timeout=600) == 0


PONDERING_PROGRAM = """
import sys, threading
from msgspec.structs import replace
from tesuji.go import Board, Engine
from tesuji.go.gtp import GtpServer
from tesuji.go.engine.presets import ENGINE_PRESETS
engine = Engine(replace(ENGINE_PRESETS["uct"], simulations=20, ponders=True))
GtpServer(engine, Board(5)).run(sys.stdin.buffer, sys.stdout.buffer)
print(threading.active_count(), file=sys.stderr)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
@pytest.mark.timeout(120)
def test_process__an_interrupt_ends_pondering_too() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", PONDERING_PROGRAM], stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"genmove b\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"= ")
    assert process.stdout.readline() == b"\n"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=600)
    assert (out, errors.strip(), process.returncode) == (b"", b"1", 0)
