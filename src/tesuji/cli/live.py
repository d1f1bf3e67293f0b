"""One line of progress on stderr: rewritten in place on a terminal, repeated now and then in a log.

It prints what it is told and measures nothing but the time between lines.
"""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import TextIO

__all__ = ["LiveLine"]

TERMINAL_S, LOG_S = 0.1, 30.0


class LiveLine:
    """A context in which ``show(text)`` keeps one line up to date; the last text stays when it ends."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_terminal = self._stream.isatty()
        self._shown_at: float | None = None
        self._text = ""
        self._printed = ""

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._text != self._printed:
            self._print()
        if self._is_terminal and self._printed:
            self._stream.write("\n")
            self._stream.flush()

    def show(self, text: str) -> None:
        """Let the line say this, at once or as soon as enough time has passed."""
        self._text = text
        interval = TERMINAL_S if self._is_terminal else LOG_S
        if self._shown_at is None or time.monotonic() - self._shown_at >= interval:
            self._print()

    def _print(self) -> None:
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r\x1b[K{self._text[:width]}")
        else:
            self._stream.write(f"{self._text}\n")
        self._stream.flush()
        self._shown_at, self._printed = time.monotonic(), self._text
