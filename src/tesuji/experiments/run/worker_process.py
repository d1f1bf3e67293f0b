"""One worker process, seen from both ends: `WorkerProcess` here, `_serve` there.

The process reads tasks from a pipe and writes results to it. A second pipe, its lifeline, carries nothing: when it
closes, because the parent lets go or dies, even by ``kill -9``, the worker ends at once, in the middle of a game.
Engines that it started are then ended by `watchdog.py`.

Who gets which task is decided in `workers.py`.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal

__all__ = ["WorkerProcess", "one_line"]

_PATIENCE_S = 3.0  # with a process that was told to end

Message = tuple[Literal["ready", "done", "failed"], Any]
"""What a worker says: that it has started; what the function returned; one line about what it raised."""


class WorkerProcess:
    """A process that calls functions.

    Parameters
    ----------
    name : str
        As process lists show it.
    cores : tuple of int
        Processor cores that it keeps to, with all it starts; empty: any.
    """

    def __init__(self, name: str, cores: tuple[int, ...] = ()) -> None:
        context = get_context("spawn")
        self.has_started = False
        self.connection, theirs = context.Pipe()
        their_lifeline, self._lifeline = context.Pipe(duplex=False)
        self._process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, their_lifeline, cores), name=name, daemon=True
        )
        with _no_interrupt():
            self._process.start()
        theirs.close()
        their_lifeline.close()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid or 0

    def begin(self, function: Callable[[Any], object], task: object) -> None:
        """Let it call a function of a module; `connection` can be read when it has answered, or is dead."""
        request = pickle.dumps((function, task))
        with contextlib.suppress(OSError):  # dead already: its connection will say so
            self.connection.send_bytes(request)

    def answer(self) -> Message | None:
        """What it says next; None if it is dead."""
        try:
            message: Message = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.has_started = True
        return message

    def let_go(self) -> None:
        """Tell it to end, and what it started."""
        self._lifeline.close()

    def end(self) -> str:
        """Wait until it has ended, but not long; say how it did."""
        self.let_go()
        self._process.join(_PATIENCE_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        code = self._process.exitcode or 0
        self.connection.close()
        self._process.close()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Keep Ctrl-C waiting, here and in what is started: a process that is just beginning would die of it aloud."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(tasks: Connection, lifeline: Connection, cores: tuple[int, ...]) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_follow, args=(lifeline,), daemon=True).start()
    if cores:
        os.sched_setaffinity(0, cores)
    with contextlib.suppress(EOFError, OSError):  # the parent has gone
        tasks.send(("ready", None))
        while True:
            tasks.send_bytes(_answer(tasks.recv_bytes()))


def _answer(request: bytes) -> bytes:
    try:
        function, task = pickle.loads(request)
        return pickle.dumps(("done", function(task)))
    except Exception as error:
        return pickle.dumps(("failed", one_line(error)))


def _follow(lifeline: Connection) -> None:
    """End this process when the parent lets go of its lifeline, or dies."""
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)


def one_line(error: BaseException) -> str:
    """What happened and where, for whoever has to find out why."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{where}".split())
