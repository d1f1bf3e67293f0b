"""Results of plain computations, kept while they come: one SQLite file, one row of JSON per task.

The file belongs to one process at a time: SQLite's own exclusive lock, which the system drops with the process. A row
is on the disk when `Rows.add` returns. Games are not kept here; `tesuji.experiments.run.store` keeps those.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

__all__ = ["Row", "Rows"]

Row = dict[str, Any]
"""What a task found: names to plain values, ready for JSON."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (identity TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (task INTEGER PRIMARY KEY, row BLOB NOT NULL, cpu_s REAL NOT NULL);
"""


class Rows:
    """Rows in a file, by the number of their task; a context manager.

    Parameters
    ----------
    path
        The file; it is made if there is none.
    identity
        What the rows belong to, as a line of text. A file made for something else is refused.

    Raises
    ------
    ValueError
        If another process has the file, if it is no such file, or if it belongs to something else.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._connection = sqlite3.connect(path, timeout=0.5, isolation_level=None)
        try:
            self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._connection.execute("BEGIN EXCLUSIVE")  # held until the connection closes
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            found = self._connection.execute("SELECT identity FROM meta").fetchone()
            if found is None:
                self._connection.execute("INSERT INTO meta VALUES (?)", (identity,))
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OSError(f"{path}: {error}") from error
            raise ValueError(f"{path.name} is in use by another run; wait for it, or give another folder") from error
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise ValueError(f"{path.name} is not a file of results ({error}); give another folder") from error
        if found is not None and found[0] != identity:
            self._connection.close()
            raise ValueError(
                f"{path.name} belongs to {found[0]}, not to {identity};"
                " repeat the command it was made with, or give another folder"
            )

    def add(self, task: int, row: Row, cpu_s: float = 0.0) -> None:
        """Keep what a task found and the processor time it took; a second row of one task is dropped."""
        values = task, msgspec.json.encode(row), cpu_s
        self._connection.execute("INSERT OR IGNORE INTO rows VALUES (?, ?, ?)", values)

    def done(self) -> set[int]:
        """The numbers of the tasks that have a row."""
        return {task for (task,) in self._connection.execute("SELECT task FROM rows")}

    def all(self) -> list[Row]:
        """The rows in the order of the tasks."""
        rows = self._connection.execute("SELECT row FROM rows ORDER BY task")
        return [msgspec.json.decode(row) for (row,) in rows]

    def cpu_s(self) -> float:
        """Processor time of all tasks together."""
        (seconds,) = self._connection.execute("SELECT total(cpu_s) FROM rows").fetchone()
        return float(seconds)

    def close(self) -> None:
        """Let others in."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
