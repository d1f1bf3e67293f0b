"""Games from files into a database: folders, archives, compressed collections, single files.

A file that cannot be read, a game that is none, a game with an impossible move: each is named in the report and passed
over; whatever comes after it is read. Games go into the database in chunks, so that an interrupted import keeps what it
has, and the same import run again adds the rest.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.game import StoredGame, stored_game
from tesuji.go.records.sgf import read_games
from tesuji.go.records.sgf_tree import SgfError
from tesuji.go.rules.vertex import printable

__all__ = ["ImportReport", "import_games", "read_stored_games"]

CHUNK_GAMES = 1000
_OPENERS: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.decompress, ".gz": gzip.decompress, ".bz2": bz2.decompress}
_TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
_MAX_BYTES = 1 << 30
_BAD_SHOWN = 1000
_LINES_AT_ONCE = 500


class ImportReport(msgspec.Struct):
    """What became of an import.

    Attributes
    ----------
    files : int
        Files that were read, those in archives included.
    added, same : int
        Games that are new, and games that were there already.
    bad : int
        Files and games that were passed over.
    reasons : list of str
        Why, the first thousand.
    """

    files: int = 0
    added: int = 0
    same: int = 0
    bad: int = 0
    reasons: list[str] = []

    def refuse(self, where: str, why: object) -> None:
        """Note something that was passed over."""
        self.bad += 1
        if len(self.reasons) < _BAD_SHOWN:
            self.reasons.append(f"{printable(where)}: {' '.join(printable(str(why)).split())}")


def import_games(
    database: GameDatabase,
    paths: Iterable[Path | str],
    *,
    on_progress: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Add the games of files and folders.

    Parameters
    ----------
    database : GameDatabase
        Opened to write.
    paths : iterable of Path
        SGF files (also ``.xz``, ``.gz``, ``.bz2``), ``.zip`` and ``.tar`` archives, folders of those.
    on_progress : callable, optional
        Called after each chunk.

    Raises
    ------
    DatabaseError
        If the database cannot be written; what was added stays.
    """
    report = ImportReport()
    waiting: list[StoredGame] = []

    def add() -> None:
        refused: list[tuple[StoredGame, str]] = []
        added, same = database.add(waiting, on_bad=refused)
        report.added += added
        report.same += same
        for game, why in refused:
            report.refuse(game.info.source, why)
        waiting.clear()
        if on_progress is not None:
            on_progress(report)

    for game in read_stored_games(paths, report):
        waiting.append(game)
        if len(waiting) >= CHUNK_GAMES:
            add()
    add()
    return report


def read_stored_games(paths: Iterable[Path | str], report: ImportReport) -> Iterator[StoredGame]:
    """The games of files and folders one after the other; what cannot be read goes to the report."""
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.is_file() and _is_wanted(p.name))
            if not found:
                report.refuse(str(path), "there is no SGF file in it")
            for file in found:
                yield from _games_of(str(file.relative_to(path)), _contents(file, report), report)
        elif path.is_file():
            yield from _games_of(path.name, _contents(path, report), report)
        else:
            report.refuse(str(path), "there is no such file or folder")


def _is_wanted(name: str) -> bool:
    name = name.lower()
    stem = name.rsplit(".", 1)[0] if name.endswith(tuple(_OPENERS)) else name
    return stem.endswith((".sgf", ".zip", *_TARS)) or name.endswith(_TARS)


def _contents(path: Path, report: ImportReport) -> Iterator[tuple[str, bytes]]:
    """The SGF files in a file: itself, or those of an archive."""
    name = path.name.lower()
    try:
        if name.endswith(_TARS):
            yield from _tar_contents(path, report)
        elif name.endswith(".zip"):
            yield from _zip_contents(path, report)
        else:
            yield "", _opened(path.name, _read(path))
    except (OSError, EOFError, ValueError, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile) as error:
        report.refuse(path.name, f"cannot be read: {error}")


def _read(path: Path) -> bytes:
    if path.stat().st_size > _MAX_BYTES:
        raise ValueError(f"the file is larger than {_MAX_BYTES >> 20} MiB; cut it into parts")
    return path.read_bytes()


def _opened(name: str, data: bytes) -> bytes:
    for ending, opened in _OPENERS.items():
        if name.lower().endswith(ending):
            return opened(data)
    return data


def _tar_contents(path: Path, report: ImportReport) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isfile() or not _is_wanted(member.name):
                continue
            if member.size > _MAX_BYTES:
                report.refuse(member.name, "is larger than 1 GiB")
                continue
            file = archive.extractfile(member)
            assert file is not None
            yield member.name, _opened(member.name, file.read())


def _zip_contents(path: Path, report: ImportReport) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir() or not _is_wanted(member.filename):
                continue
            if member.file_size > _MAX_BYTES:
                report.refuse(member.filename, "is larger than 1 GiB")
                continue
            yield member.filename, _opened(member.filename, archive.read(member))


def _games_of(name: str, contents: Iterator[tuple[str, bytes]], report: ImportReport) -> Iterator[StoredGame]:
    for inner, data in contents:
        report.files += 1
        source = f"{name}/{inner}" if inner else name
        for part in _parts(data):
            try:
                for record in read_games(part, on_error=partial(report.refuse, source)):
                    try:
                        yield stored_game(record, source)
                    except SgfError as error:
                        report.refuse(source, error)
            except SgfError as error:
                if not str(error).startswith("game "):  # that one was told already
                    report.refuse(source, error)


def _parts(data: bytes) -> Iterator[bytes]:
    """A collection with one game a line comes in parts: a charset that one game names is not that of all others."""
    lines = data.split(b"\n")
    if len(lines) < 3 or not all(line.startswith(b"(;") and line.rstrip().endswith(b")") for line in lines if line):
        yield data
        return
    for start in range(0, len(lines), _LINES_AT_ONCE):
        part = b"\n".join(lines[start : start + _LINES_AT_ONCE])
        if part.strip():
            yield part
