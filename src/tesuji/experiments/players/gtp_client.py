"""One GTP program as a subprocess: commands in, replies out, whatever it does.

The program runs without a shell, in a session and process group of its own. Everything it says is bounded: a reply in
time, bytes and lines; of its stderr only the tail is kept. What it does wrong is one of three errors with a message of
one line: `HangError`, `CrashError`, `ProtocolError` (of which `RefusalError`, a reply that begins with ``?``, is one).
Closing kills the whole process group, and `watchdog.py` does so if this process is killed first.

Commands carry numbers, and a reply must carry the same: a reply that nobody asked for is noticed. As the protocol has
it (GTP 2, draft 2, 2.1), control characters in a reply do not count, nor do empty lines before one. All else on stdout
is an error: programs talk on stderr.

It knows no Go and judges no move (`referee.py` does). POSIX only; one client belongs to one thread at a time.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Self

from tesuji.experiments.players import watchdog
from tesuji.go.rules.vertex import quoted

__all__ = ["CrashError", "EngineError", "GtpClient", "HangError", "ProtocolError", "RefusalError"]

MAX_BYTES = 1 << 20
MAX_LINES = 10_000
STDERR_TAIL = 4_096
QUIT_S = 1.0
"""How long a program may take to end when it is told to."""

_KILLED_S = 10.0  # a killed process is gone at once, unless the kernel itself waits for a disk
_CHUNK = 1 << 16
_CONTROL_CHARACTERS = bytes([*range(9), *range(11, 32), 127])  # all but the tab and the line's end
_HEAD = re.compile(r"([=?])([0-9]*)[ \t]*")
_OUR_TROUBLE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC})


class EngineError(Exception):
    """What a program did wrong, in one line."""


class HangError(EngineError):
    """No complete answer in time."""


class CrashError(EngineError):
    """It could not be started, has ended, or has closed its output."""


class ProtocolError(EngineError):
    """An answer that is not GTP, to another command, to none, or without end."""


class RefusalError(ProtocolError):
    """A reply that begins with ``?``.

    Attributes
    ----------
    text : str
        What follows.
    """

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class GtpClient:
    """A running program that speaks GTP; a context manager.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    environment : mapping of str to str, optional
        Instead of this process's.

    Attributes
    ----------
    cpu_s : float
        Processor time of the program and of its children that it waited for; known after `close`.

    Raises
    ------
    CrashError
        If the program cannot be started.
    OSError
        If this machine has no process, memory or file to spare; no fault of the program.
    """

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> None:
        self.cpu_s = 0.0
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            if error.errno in _OUR_TROUBLE:
                raise
            raise CrashError(f"could not be started: {quoted(command[0], 100)}: {error.strerror}") from error
        watchdog.watch(self._process.pid)
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr) if stream
        )
        self._poll = select.poll()
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        for fd in (self._stdout, self._stderr):
            self._poll.register(fd, select.POLLIN)
        self._open = {self._stdout, self._stderr}
        self._pending = bytearray()  # what it said and nobody has read
        self._num_bytes = 0  # of the reply that is being read, control characters included
        self._stderr_tail = b""
        self._number = 0
        self._has_failed = False
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Of the program, and the number of its process group."""
        return self._process.pid

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr, as far as that has been read."""
        return self._stderr_tail.decode("utf-8", "replace")

    def ask(self, command: str, *, timeout_s: float) -> str:
        """Send a command and return its reply, without the sign, the number and the empty line at the end.

        Parameters
        ----------
        command : str
            One line.
        timeout_s : float
            Seconds until the whole reply must be there.

        Raises
        ------
        RefusalError
            If the reply is a failure; the program may be asked further.
        HangError, CrashError, ProtocolError
            After any other of these it may not.
        """
        if "\n" in command or "\r" in command or not command.strip():
            raise ValueError(f"{quoted(command)} is not a GTP command; give one line")
        if self._is_closed:
            raise ValueError("this program has been closed; start another")
        deadline = time.monotonic() + timeout_s
        self._number += 1
        try:
            self._check_silence(command)
            self._write(f"{self._number} {command}\n".encode(), command, deadline, timeout_s)
            reply = self._reply(command, deadline, timeout_s)
            return self._text_of(reply, command)
        except RefusalError:
            raise
        except BaseException:  # Ctrl-C too: it is in the middle of something, and will not hear "quit"
            self._has_failed = True
            raise

    def interrupt(self) -> None:
        """End the program at once, from any thread: whoever waits for an answer gets a `CrashError`, and closes it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the program: ``quit`` and the end of its input if it behaved, then kill its process group."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if not self._has_failed:
                self._say_quit()
        finally:
            self._kill()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    # --- a conversation -----------------------------------------------------------------------------------------------

    def _check_silence(self, command: str) -> None:
        """Whatever it said since its last reply, nobody asked for."""
        for _ in range(4):  # not forever: it may be writing to stderr without end
            if not self._pump(0):
                break
        if early := bytes(self._pending).strip():
            raise ProtocolError(f"said {_shown(early)} before it was asked {command!r}")
        self._pending.clear()
        self._num_bytes = 0

    def _write(self, line: bytes, command: str, deadline: float, timeout_s: float) -> None:
        while line:
            try:
                line = line[os.write(self._stdin, line) :]
            except BlockingIOError:  # it reads nothing, and the pipe is full
                if time.monotonic() >= deadline:
                    raise HangError(f"did not read {command!r} within {timeout_s:g} s") from None
                self._pump(min(0.05, max(0.0, deadline - time.monotonic())))
            except BrokenPipeError:
                raise CrashError(f"{self._how_it_ended()} before {command!r}{self._last_words()}") from None

    def _reply(self, command: str, deadline: float, timeout_s: float) -> bytes:
        """Read to the empty line that ends a reply."""
        scanned = 0
        while True:
            if self._pending.startswith((b"\n", b" ", b"\t")):
                self._pending = self._pending.lstrip(b"\n \t")
            if self._pending and not self._pending.startswith((b"=", b"?")):
                raise ProtocolError(f"answered {command!r} with {_shown(self._pending)}, which is not a GTP reply")
            if self._num_bytes > MAX_BYTES:
                raise ProtocolError(f"answered {command!r} with more than {MAX_BYTES} bytes")
            end = self._pending.find(b"\n\n", max(0, scanned - 1))
            if end >= 0:
                reply = bytes(self._pending[:end])
                del self._pending[: end + 2]
                return reply
            scanned = len(self._pending)
            if self._stdout not in self._open:
                said = f" in the middle of {_shown(self._pending)}" if self._pending else ""
                raise CrashError(f"{self._how_it_ended()} at {command!r}{said}{self._last_words()}")
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise HangError(self._unfinished(command, timeout_s))
            self._pump(left_s)

    def _unfinished(self, command: str, timeout_s: float) -> str:
        if not self._pending:
            return f"gave no answer to {command!r} within {timeout_s:g} s"
        return f"did not end its answer {_shown(self._pending)} to {command!r} within {timeout_s:g} s"

    def _text_of(self, reply: bytes, command: str) -> str:
        if reply.count(b"\n") >= MAX_LINES:
            raise ProtocolError(f"answered {command!r} with more than {MAX_LINES} lines")
        words = reply.decode("utf-8", "replace")
        head = _HEAD.match(words)
        if head is None or head[2] != str(self._number):
            number = f"the number {quoted(head[2])}" if head and head[2] else "no number"
            raise ProtocolError(f"answered {command!r} with {number} instead of {self._number}: {_shown(reply)}")
        text = words[head.end() :].rstrip()
        if head[1] == "?":
            raise RefusalError(f"refused {command!r}: {_shown(text.encode())}", text)
        return text

    def _pump(self, timeout_s: float) -> bool:
        """Wait until the program says something, or until the time is up; read it. False if nothing came."""
        ready = self._poll.poll(max(0, timeout_s * 1000))
        for fd, _ in ready:
            try:
                data = os.read(fd, _CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self._poll.unregister(fd)
                self._open.discard(fd)
            elif fd == self._stderr:
                self._stderr_tail = (self._stderr_tail + data)[-STDERR_TAIL:]
            else:
                self._num_bytes += len(data)
                self._pending += data.translate(None, _CONTROL_CHARACTERS)
        return bool(ready)

    # --- the end ------------------------------------------------------------------------------------------------------

    def _say_quit(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._stdin, b"quit\n")
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        deadline = time.monotonic() + QUIT_S
        while self._exit() is None and time.monotonic() < deadline:
            self._pump(0.002)
            self._pending.clear()

    def _kill(self) -> None:
        """Kill the group while its leader, dead or alive, still holds its number; then take its leave."""
        pid = self._process.pid
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        deadline = time.monotonic() + _KILLED_S
        with contextlib.suppress(ChildProcessError):
            while time.monotonic() < deadline:
                done, status, usage = os.wait4(pid, os.WNOHANG)
                if done:
                    self.cpu_s = usage.ru_utime + usage.ru_stime
                    self._process.returncode = os.waitstatus_to_exitcode(status)
                    break
                time.sleep(0.0005)
        watchdog.release(pid)

    def _exit(self) -> os.waitid_result | None:
        """How it ended, without letting the kernel forget it; None as long as it runs."""
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None

    def _how_it_ended(self) -> str:
        deadline = time.monotonic() + 0.5  # its output ends a moment before the process does
        while (end := self._exit()) is None and time.monotonic() < deadline:
            self._pump(0.002)
        if end is None:
            return "closed its output"
        if end.si_code == os.CLD_EXITED:
            return f"ended with exit status {end.si_status}"
        return f"was ended by {signal.Signals(end.si_status).name}"

    def _last_words(self) -> str:
        lines = [line for line in self.stderr_tail.splitlines() if line.strip()]
        return f"; its last words: {quoted(lines[-1].strip(), 120)}" if lines else ""


def _shown(said: bytes | bytearray) -> str:
    """The beginning of what was said, fit for one line."""
    return quoted(bytes(said[:_CHUNK]).decode("utf-8", "replace").strip(), 60)
