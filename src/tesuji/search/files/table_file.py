"""Tables of shared values as files: what was learnt in one game, for the next (the UCT-DAG report, 4.2.2).

A file is an archive (`tesuji.search.files.archive`): ``header`` is JSON (`Header`), ``key``, ``second``, ``value``,
``visits`` and ``references`` are the columns of the entries. Values are sums for the first player in units of 2**-20.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tesuji._core import search as _native
from tesuji.provenance import Provenance, collect
from tesuji.search.config import SearchConfig
from tesuji.search.files.archive import Arrays, FileKind, description_of, read_archive, write_archive

__all__ = ["FORMAT", "SavedTable", "TableFileError", "load_table", "write_table"]

FORMAT = 1
"""The number of the layout; a reader takes its own only."""


class TableFileError(ValueError):
    """A file that holds no table this search can begin with."""


_FILE = FileKind(
    name="tesuji-table", format=FORMAT, noun="table of values", writer="Search.save_table", error=TableFileError
)


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about its table.

    Attributes
    ----------
    kind : str
        ``tesuji-table``.
    format : int
        Of the layout.
    game : dict
        What the game is; see `description_of`.
    provenance : Provenance
        Who wrote it, with what.
    """

    kind: str
    format: int
    game: dict[str, str]
    provenance: Provenance


class SavedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that was read; whether it fits a game is seen when a search begins with it.

    Attributes
    ----------
    name : str
        Of the file.
    header : Header
        What it says.
    columns : dict
        The entries.
    """

    name: str
    header: Header
    columns: Arrays

    def __len__(self) -> int:
        """How many entries it has."""
        return len(self.columns["key"])

    def begin(self, search: _native.Search, game: Any, config: SearchConfig) -> None:
        """Put the entries into a fresh search of the same game.

        If there are more than the config's `table_entries`, those with the most references stay.

        Raises
        ------
        TableFileError
            If they are of another game, or damaged.
        """
        here, there = description_of(game), self.header.game
        for what in [*there, *here]:
            if here.get(what) != there.get(what):
                raise TableFileError(
                    f"cannot begin with {self.name}: its {what} is {there.get(what)}, yours {here.get(what)}; "
                    "give a table of the same game"
                )
        own = {
            "min_references": np.array([config.table_min_references], np.int64),
            "num_turned_away": np.zeros(1, np.int64),
        }
        try:
            search.begin_with({**self.columns, **own})
        except ValueError as error:
            raise TableFileError(f"cannot begin with {self.name}: {error}") from error
        except Exception as error:  # a column that is missing, of another type or size
            raise TableFileError(f"{self.name} is damaged ({type(error).__name__}); save it again") from error


def write_table(path: Path, search: _native.Search, position: Any, config: SearchConfig, seed: int) -> Path:
    """Write the table of a search; an existing file is replaced when the new one is complete."""
    header = Header(
        kind=_FILE.name,
        format=FORMAT,
        game=description_of(position),
        provenance=collect(seed=seed, config=config),
    )
    columns = {name: column for name, column in search.table().items() if name not in _OF_ONE_SEARCH}
    return write_archive(path, header, columns)


_OF_ONE_SEARCH = ("min_references", "num_turned_away")
"""What a table knows of its own past; the next game begins anew."""


def load_table(path: Path | str) -> SavedTable:
    """Read a table that `Search.save_table` has written.

    Raises
    ------
    TableFileError
        For a file that is none, is damaged, or is of another version.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    header, columns = read_archive(path, _FILE, Header)
    if "key" not in columns:
        raise TableFileError(f"{path.name} is damaged (it has no keys); save it again")
    return SavedTable(name=path.name, header=header, columns=columns)
