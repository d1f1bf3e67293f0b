"""A server of GTP for any game: lines of bytes in, replies out.

A command that fails is answered with ``?`` and leaves the game as it was. Only replies are written to the stream:
whatever is printed meanwhile goes to stderr. Lines are read on a thread of their own (`tesuji.gtp.inbox`), so that an
analysis ends at the next line, and ``# interrupt`` or Ctrl-C let the engine answer at once.

What the commands are and what they share belongs to the games: `tesuji.gtp.games`, `tesuji.go.gtp`.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import BinaryIO, Generic, Protocol, TypeVar

from tesuji.gtp.command import Command, Stream
from tesuji.gtp.inbox import Inbox
from tesuji.gtp.words import GtpError, one_line, words_of

__all__ = ["Conversation", "Server"]

_INTERRUPT = re.compile(rb"\s*#\s*interrupt\s*")
_EMPTY_LINE = re.compile(r"\n[ \r]*(?=\n)")
_STOP_INTERVAL_S = 0.002


class Conversation(Protocol):
    """What the commands of a server share, as far as the server has to know."""

    name: str
    version: str
    commands: Mapping[str, Command]
    """All that are known."""
    is_done: bool
    """Whether the conversation is to end."""

    @property
    def can_stop(self) -> bool:
        """Whether the engine can be told to answer now."""
        ...

    def stop(self) -> None:
        """Let the engine answer now; from any thread."""
        ...

    def stop_pondering(self) -> None:
        """End a search in the background, if there is one."""
        ...


S = TypeVar("S", bound=Conversation)


class Server(Generic[S]):
    """Answers commands.

    Parameters
    ----------
    session : Conversation
        Handed to every handler.
    commands : mapping of str to Command
        By name.

    Attributes
    ----------
    commands : dict of str to Command
        What is answered, in alphabetical order.
    """

    def __init__(self, session: S, commands: Mapping[str, Command]) -> None:
        self.session = session
        self.commands: dict[str, Command] = dict(sorted(commands.items()))
        session.commands = self.commands
        self._inbox: Inbox | None = None
        self._running: _Running | None = None

    @property
    def is_done(self) -> bool:
        """Whether ``quit`` was said."""
        return self.session.is_done

    def reply(self, line: bytes) -> bytes:
        """Carry out one line; an analysis, which nothing ends here, keeps to the engine's own limits.

        Parameters
        ----------
        line : bytes
            An optional number, a command and its arguments; comments and control characters do not count.

        Returns
        -------
        bytes
            The whole reply, with the empty line that ends it; nothing for a line without a command.
        """
        parts: list[bytes] = []
        self._answer(line, parts.append)
        return b"".join(parts)

    def run(self, commands: BinaryIO, replies: BinaryIO) -> None:
        """Answer commands until ``quit``, the end of the input, a signal or a closed pipe.

        While a command runs, SIGINT only lets the engine answer at once (`gogui-sigint`); SIGTERM does, and ends.

        Parameters
        ----------
        commands, replies : binary streams
            For instance ``sys.stdin.buffer`` and ``sys.stdout.buffer``.
        """

        def write(data: bytes) -> None:
            replies.write(data)
            replies.flush()

        try:
            with (
                contextlib.redirect_stdout(sys.stderr),
                Inbox(commands, self._heard, self._signalled) as self._inbox,
                self._signals(self._inbox.wake_fd),
            ):
                while not self.is_done and (line := self._inbox.next_line()):
                    self._answer(line, write)
        except KeyboardInterrupt:
            pass
        except ConnectionError:
            _silence(replies)
        finally:
            self._inbox = None
            self.session.stop_pondering()

    # One command ------------------------------------------------------------------------------------------------------

    def _answer(self, line: bytes, write: Callable[[bytes], object]) -> None:
        words = words_of(line)
        if not words:
            return
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        stream = Stream(number, write, self._is_wanted, is_endless=self._inbox is not None)
        try:
            reply = _reply("=", number, _EMPTY_LINE.sub("", self._execute(words, stream).rstrip()))
        except GtpError as error:
            reply = _reply("?", number, one_line(error))
        except ConnectionError:
            raise
        except Exception as error:  # an engine's fault must not end the game: the controller decides
            traceback.print_exc()
            reply = _reply("?", number, f"internal error: {type(error).__name__}: {one_line(error)}")
        if stream.is_open:
            stream.close()
        else:
            write(reply)

    def _execute(self, words: list[str], stream: Stream) -> str:
        name = words[0] if words else ""
        if name not in self.commands:
            raise GtpError("unknown command")
        command = self.commands[name]
        if complaint := command.complaint(len(words) - 1):
            raise GtpError(f"syntax error: {name} takes {complaint}")
        if not command.lets_ponder:
            self.session.stop_pondering()
        self._running = running = _Running(command)
        try:
            first = (self.session, stream) if command.streams else (self.session,)
            return command.handler(*first, *words[1:])
        finally:
            running.finish()
            self._running = None

    def _is_wanted(self) -> bool:
        return self._inbox is None or not self._inbox.has_more

    # What happens meanwhile -------------------------------------------------------------------------------------------

    def _heard(self, line: bytes) -> None:
        """A line has come in, on the reading thread."""
        running = self._running
        if running is not None and (running.command.ends_at_input or _INTERRUPT.fullmatch(line)):
            running.stop(self.session)

    def _signalled(self, number: int) -> None:
        """A signal has come, on the reading thread; 0 is none."""
        running = self._running
        if running is not None and number in (signal.SIGINT, signal.SIGTERM):
            running.stop(self.session)

    def _interrupted(self, number: int, _: FrameType | None) -> None:
        """A signal has come, on the main thread: the end, unless it only was to end a command."""
        if self._running is None or not self.session.can_stop:
            raise KeyboardInterrupt
        self.session.is_done |= number == signal.SIGTERM
        self.session.stop()

    @contextlib.contextmanager
    def _signals(self, wake_fd: int) -> Iterator[None]:
        """Take SIGINT and SIGTERM; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self._interrupted) for number in numbers]
        wakened_before = signal.set_wakeup_fd(wake_fd, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakened_before)
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


class _Running:
    """A command under way, and how another thread ends it."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._lock = threading.Lock()
        self._is_finished = threading.Event()

    def finish(self) -> None:
        """The command is done: from now on nobody stops the engine in its name."""
        with self._lock:
            self._is_finished.set()

    def stop(self, session: Conversation) -> None:
        """Stop the engine until the command is done: a search that is only just beginning forgets it."""
        while session.can_stop and not self._is_finished.wait(_STOP_INTERVAL_S):
            with self._lock:
                if not self._is_finished.is_set():
                    session.stop()


def _reply(mark: str, number: str, text: str) -> bytes:
    return f"{mark}{number}{' ' if text else ''}{text}\n\n".encode("utf-8", "replace")


def _silence(stream: BinaryIO) -> None:
    """Send what is still in a broken stream's buffer nowhere, so that closing it does not fail once more."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
