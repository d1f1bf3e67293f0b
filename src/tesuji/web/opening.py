"""A file that was named on the command line: which room it is for, and what the room gets.

What it is shows in its first bytes, not in its name: a record, a store of a match, a graph, or a packing problem.
"""

from __future__ import annotations

from pathlib import Path

from tesuji.web.settings import WebSettings

__all__ = ["open_file"]


def open_file(settings: WebSettings, file: Path | None) -> tuple[WebSettings, str]:
    """Take a file in.

    Returns
    -------
    settings, place
        The settings with what the server must know of the file, and the room that shows it.

    Raises
    ------
    ValueError
        If it is nothing that a room shows; says what was tried.
    OSError
        If it cannot be read.
    """
    if file is None:
        return settings, "play"
    raise ValueError(f"{file} is not shown yet")
