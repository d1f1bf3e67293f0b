"""Files that are written whole or not at all: until the new one is complete, and after a crash, the old one is there.

A pipe, a terminal or ``/dev/stdout`` is written to as it comes: there is nothing to replace.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["STDOUT", "check_writable", "is_stream", "opened_whole", "write_whole"]

STDOUT = Path("/dev/stdout")
"""Standard output as a path, on every system: what ``-`` means on a command line."""


def write_whole(path: Path | str, content: bytes | str) -> Path:
    """Write a file; text as UTF-8.

    Raises
    ------
    OSError
        If that is not possible; an existing file is as it was.
    """
    path = Path(path)
    with opened_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return path


@contextmanager
def opened_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write into, which gets its name when the block ends, and vanishes if it ends with an error."""
    if path == STDOUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if is_stream(path):
        with path.open("wb") as file:
            yield file
        return
    unfinished = _unfinished(path)
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Find out before a long work whether its file can be written after it.

    Raises
    ------
    ValueError
        If it cannot; says why, and what to do.
    """
    if is_stream(path):
        return
    directory = path.parent
    if not directory.is_dir():
        raise ValueError(f"there is no directory {directory}: make it, or give another place for {path.name}")
    try:
        unfinished = _unfinished(path)
        unfinished.touch()
        unfinished.unlink()
    except OSError as error:
        reason = f"{directory} is not writable ({error.strerror})"
        raise ValueError(f"{reason}: give another place for {path.name}") from error


def is_stream(path: Path) -> bool:
    """Whether a path is a device or a pipe."""
    is_device = path.is_absolute() and path.parts[1:2] == ("dev",)
    return is_device or (path.exists() and not path.is_file() and not path.is_dir())


def _unfinished(path: Path) -> Path:
    if not path.name:  # a root, which is not a file
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return path.with_name(f".{path.name}.part")
