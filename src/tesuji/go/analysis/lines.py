"""Lines of a stream of bytes, however they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

__all__ = ["MAX_LINE", "ReadsBytes", "lines_of"]

MAX_LINE = 16 << 20
_CHUNK = 1 << 16


class ReadsBytes(Protocol):
    """A stream such as ``sys.stdin.buffer.raw``: ``read`` returns what is there, and nothing at the end."""

    def read(self, size: int, /) -> bytes | None:
        """Up to so many bytes."""
        ...


def lines_of(stream: ReadsBytes) -> Iterator[bytes]:
    """Yield the lines without their ends; the last one may have none.

    A line longer than `MAX_LINE` is cut to one byte more than that, so that it can be refused.
    """
    parts: list[bytes] = []
    length = 0
    while chunk := stream.read(_CHUNK):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            parts.append(end[: MAX_LINE + 1 - length])
            yield b"".join(parts)
            parts, length = [], 0
        parts.append(rest[: MAX_LINE + 1 - length])
        length += len(parts[-1])
    if length:
        yield b"".join(parts)
