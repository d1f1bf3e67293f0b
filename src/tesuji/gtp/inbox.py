"""Lines as they come in, read on a thread of their own, so that one that comes while a command runs is heard at once.

Where the system lets a thread wait for a stream and for a call to end at the same time (POSIX), the thread is gone when
the inbox is closed; elsewhere it stays in its last read and dies with the process. It knows nothing about GTP.
"""

from __future__ import annotations

import io
import os
import select
import threading
from collections.abc import Callable, Iterator
from queue import Full, Queue
from types import TracebackType
from typing import BinaryIO, Self

__all__ = ["Inbox"]

_CHUNK_BYTES = 1 << 16
_MOST_WAITING = 1024
_PATIENCE_S = 0.1


class Inbox:
    """The lines of a stream, in order; a context manager that ends its thread.

    Parameters
    ----------
    stream : binary stream
        Read to its end, by its file descriptor if it has one.
    on_line : callable
        Called on the reading thread with each line, after it can be fetched; with nothing at the end of the stream.
    on_signal : callable, optional
        Called on the reading thread for each byte that arrives at `wake_fd`: the number of a signal.
    """

    def __init__(
        self, stream: BinaryIO, on_line: Callable[[bytes], None], on_signal: Callable[[int], None] = lambda _: None
    ) -> None:
        self._stream, self._on_line, self._on_signal = stream, on_line, on_signal
        self._lines: Queue[bytes] = Queue(_MOST_WAITING)
        self._is_closing = threading.Event()
        self._fd = _descriptor(stream)
        self._wakened_fd, self.wake_fd = _pipe() if self._fd is not None else (-1, -1)
        self._thread = threading.Thread(target=self._read, name="tesuji-inbox", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closing.set()
        if self._fd is None:
            self._thread.join(_PATIENCE_S)
            return
        os.write(self.wake_fd, b"\0")
        self._thread.join()
        os.close(self.wake_fd)
        os.close(self._wakened_fd)

    @property
    def has_more(self) -> bool:
        """Whether a line, or the end of the stream, is waiting."""
        return not self._lines.empty()

    def next_line(self) -> bytes:
        """Wait for a line; nothing at the end of the stream."""
        return self._lines.get()

    def _read(self) -> None:
        try:
            for line in self._chunked() if self._fd is not None else iter(self._stream.readline, b""):
                if not self._put(line):
                    return
                self._on_line(line)
        except OSError:
            pass  # a terminal that is gone is the end of the stream too
        finally:
            if self._put(b""):
                self._on_line(b"")

    def _put(self, line: bytes) -> bool:
        """Hand a line over; False if nobody wants it any more."""
        while not self._is_closing.is_set():
            try:
                self._lines.put(line, timeout=_PATIENCE_S)
                return True
            except Full:
                continue
        return False

    def _chunked(self) -> Iterator[bytes]:
        """The lines of the descriptor; the last one may lack its newline."""
        assert self._fd is not None
        begun: list[bytes] = []
        while self._wait():
            chunk = os.read(self._fd, _CHUNK_BYTES)
            if not chunk:
                if begun:
                    yield b"".join(begun)
                return
            *whole, rest = chunk.split(b"\n")
            for line in whole:
                yield b"".join((*begun, line, b"\n"))
                begun = []
            if rest:
                begun.append(rest)

    def _wait(self) -> bool:
        """Wait until there is something to read; False if the inbox is closed."""
        assert self._fd is not None
        while not self._is_closing.is_set():
            ready, _, _ = select.select([self._fd, self._wakened_fd], [], [])
            if self._wakened_fd in ready:
                for number in os.read(self._wakened_fd, _CHUNK_BYTES):
                    self._on_signal(number)
            elif self._fd in ready:
                return True
        return False


def _descriptor(stream: BinaryIO) -> int | None:
    """The file descriptor of a stream that can be waited for."""
    if os.name != "posix":
        return None
    try:
        return stream.fileno()
    except (AttributeError, io.UnsupportedOperation):
        return None


def _pipe() -> tuple[int, int]:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # as `signal.set_wakeup_fd` wants it
    return reading, writing
