"""A file that was named on the command line: which room it is for, and what the room gets.

What it is shows in what it holds, not in its name: a store of a match, a graph, a record, or a packing problem.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from tesuji.experiments.run.store import Store
from tesuji.web.bench import bench_of_file
from tesuji.web.desk import Desk
from tesuji.web.packing import new_plan
from tesuji.web.searches import Searches
from tesuji.web.settings import WebSettings
from tesuji.web.study_room import new_study

__all__ = ["open_file"]

_SQLITE = b"SQLite format 3\x00"
_ZIP = b"PK\x03\x04"


def open_file(settings: WebSettings, file: Path | None) -> tuple[WebSettings, str]:
    """Take a file in.

    Returns
    -------
    settings, place
        The settings with what the server must know of the file, and the room that shows it.

    Raises
    ------
    ValueError
        If it is nothing that a room shows; says what is wrong with it.
    OSError
        If it cannot be read.
    """
    if file is None:
        return settings, "play"
    with file.open("rb") as opened:
        head = opened.read(4096)
    if head.startswith(_SQLITE):
        Store.read(file).close()  # what is wrong with it is said now
        return msgspec.structs.replace(settings, stores=(*settings.stores, file.resolve())), f"compare/{file.stem}"
    desk = Desk(settings, Searches(settings.limits))
    if head.startswith(_ZIP):
        return settings, f"search/{bench_of_file(file, desk).id}"
    if b"(;" in head or file.suffix.lower() in (".sgf", ".mgt"):
        return settings, f"study/{new_study(file.read_bytes(), desk).id}"
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    return settings, f"packing/{new_plan(text, file.name, desk).id}"
