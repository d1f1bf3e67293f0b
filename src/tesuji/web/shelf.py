"""Where documents are kept: one JSON file each, in one folder, written whole or not at all.

A document has an id that the server drew; an id of the page's is looked up, and a file is opened only for one that
looks as the server's do. So no text of a page becomes a path. What is in a document is the rooms' business.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from pathlib import Path
from typing import Any

import msgspec

from tesuji.web.settings import Limits
from tesuji.writing import write_whole

__all__ = ["NoDocument", "Shelf", "Summary"]

_ID = re.compile(r"[a-z]{4,8}-[0-9a-f]{12}")
_LARGEST = 32_000_000  # bytes of a file that is read


class NoDocument(ValueError):  # noqa: N818
    """There is no document of that id."""


class Summary(msgspec.Struct, frozen=True):
    """A line of a list of documents."""

    id: str
    title: str
    changed_at: float


class Shelf:
    """Documents in a folder.

    Parameters
    ----------
    folder : Path
        Made if it is not there, for its user alone.
    limits : Limits
        How many there may be.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def new_id(self, kind: str) -> str:
        """An id for a new document, if there is room for one more.

        Raises
        ------
        ValueError
            If the folder is full.
        """
        if sum(1 for _ in self._folder.glob("*-*.json")) >= self._limits.documents:
            raise ValueError(
                f"there are {self._limits.documents:,} games, studies and plans already; delete some of them first"
            )
        return f"{kind}-{secrets.token_hex(6)}"

    def write(self, id_: str, document: msgspec.Struct) -> None:
        """Keep a document; an older one of that id is replaced when this one is complete."""
        write_whole(self._path(id_), msgspec.json.encode(document))

    def read(self, id_: str, kind: type[Any]) -> Any:
        """A document.

        Raises
        ------
        NoDocument
            If there is none of that id, or the file is damaged.
        """
        path = self._path(id_)
        try:
            if path.stat().st_size > _LARGEST:
                raise NoDocument(f"{id_} is larger than {_LARGEST:,} bytes and is not read")
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except FileNotFoundError:
            raise NoDocument(f"there is no {id_} any more; it may have been deleted") from None
        except (msgspec.DecodeError, OSError) as error:
            raise NoDocument(f"{id_} cannot be read: {error}") from error

    def delete(self, id_: str) -> None:
        """Remove a document; nothing happens if there is none."""
        self._path(id_).unlink(missing_ok=True)

    def summaries(self, kind: str, number: int) -> list[Summary]:
        """The last changed documents of a kind."""
        found = []
        for path in self._folder.glob(f"{kind}-*.json"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime, path))
        lines = []
        for changed_at, path in sorted(found, reverse=True)[:number]:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                titled = msgspec.json.decode(path.read_bytes(), type=_Titled)
                lines.append(Summary(path.stem, titled.title, changed_at))
        return lines

    def _path(self, id_: str) -> Path:
        if not _ID.fullmatch(id_):
            raise NoDocument(f"there is no document {id_[:40]!r}")
        return self._folder / f"{id_}.json"


class _Titled(msgspec.Struct):
    """What every document has."""

    title: str = ""


def now() -> str:
    """The date, as documents write it."""
    return time.strftime("%Y-%m-%d", time.gmtime())
