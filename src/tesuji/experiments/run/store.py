"""Where played games are kept: one SQLite file per experiment, one transaction per game.

The file is in WAL mode with full synchronisation. A process that is killed, or a disk that is full, costs the games
that were being played and no other; whoever opens the file next finds all games that `Store.add` returned from. One
process writes: it holds a lock (``flock`` on ``FILE.lock``) that the system drops with the process, even after
``kill -9``. Any number may read meanwhile.

What is counted (``games``) and what is looked at (``records``: moves and SGF) are separate tables, so that counting
100,000 games does not read their moves. Void games are not results: they are kept in ``attempts`` and played again.

This module plays nothing and does no statistics. It does not know what a spec is, beyond its being a JSON object.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec

from tesuji.experiments.records import GameRecord, MoveRecord, Reason, Setting

__all__ = ["Store", "StoreFull", "StoreLocked", "differences"]

_APPLICATION_ID = 0x7E5_0601  # in the header of the file: it is ours
_VERSION = 1
_DIFFERENCES_SHOWN = 5
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_SHMSIZE}

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
  idx INTEGER PRIMARY KEY, pair INTEGER NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, winner TEXT NOT NULL,
  score TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, opening_name TEXT NOT NULL, seed TEXT NOT NULL,
  num_moves INTEGER NOT NULL, wall_s REAL NOT NULL, first_s REAL NOT NULL, second_s REAL NOT NULL, cpu_s REAL NOT NULL,
  started_at TEXT NOT NULL, host TEXT NOT NULL, opinions BLOB NOT NULL, versions BLOB NOT NULL,
  parameters BLOB NOT NULL);
CREATE TABLE records (idx INTEGER PRIMARY KEY, moves BLOB NOT NULL, sgf TEXT NOT NULL);
CREATE TABLE attempts (id INTEGER PRIMARY KEY, idx INTEGER NOT NULL, record BLOB NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, provenance BLOB NOT NULL);
"""

_COLUMNS = (
    "idx, pair, first, second, winner, score, reason, detail, opening_name, seed, num_moves,"
    " wall_s, first_s, second_s, cpu_s, started_at, host, opinions, versions, parameters"
)
_ADD_GAME = f"INSERT OR IGNORE INTO games ({_COLUMNS}) VALUES ({', '.join('?' * 20)})"
_REASONS = {str(reason): reason for reason in Reason}

_decode_texts = msgspec.json.Decoder(dict[str, str]).decode
_decode_settings = msgspec.json.Decoder(dict[str, Setting]).decode
_decode_moves = msgspec.json.Decoder(tuple[MoveRecord, ...]).decode
_decode_record = msgspec.json.Decoder(GameRecord).decode


class StoreLocked(ValueError):  # noqa: N818 - what it is, not what went wrong
    """Another process writes to this store."""


class StoreFull(OSError):  # noqa: N818
    """There is no room for another game; those before it are safe."""


class Store:
    """Games in a file; `Store.open` to play on, `Store.read` to look. A context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: _Lock | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    # --- opening and closing ------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path | str, *, spec_json: bytes, create: bool = True) -> Store:
        """Open a store to write to it, and make it if there is none.

        Parameters
        ----------
        path
            The file.
        spec_json
            What the games belong to: a JSON object. A store that has games of another spec is refused; one without
            games takes this spec.
        create
            Whether to make a missing file.

        Raises
        ------
        StoreLocked
            If another process has it open for writing.
        ValueError
            If it is something else than a store, of a newer version, or made for another spec.
        StoreFull
            If there is no room.
        OSError
            If it cannot be opened.
        """
        path = Path(path).resolve()  # two names of one file share a lock
        if not path.exists() and not create:
            raise FileNotFoundError(errno.ENOENT, "no such store", str(path))
        lock = _Lock(path)
        try:
            store = cls(path, _connect(path), lock)
            store._prepare(spec_json)
        except BaseException:
            lock.release()
            raise
        return store

    @classmethod
    def read(cls, path: Path | str) -> Store:
        """Open a store to read it; a match may be writing to it meanwhile.

        Raises
        ------
        ValueError, OSError
            As `open`.
        """
        path = Path(path).resolve()
        if not path.is_file():
            raise FileNotFoundError(errno.ENOENT, "no such store", str(path))
        store = cls(path, _connect(path, read_only=True))
        if store._format() != (_APPLICATION_ID, _VERSION):
            with contextlib.closing(store._connection):
                raise _not_ours(path, *store._format())
        return store

    def close(self) -> None:
        """Write everything to the one file, and let others write."""
        self._connection.close()
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------------------------------

    def add(self, record: GameRecord) -> bool:
        """Keep a game, in one transaction; a void one as an attempt.

        Returns
        -------
        bool
            False if there is a game of that index: it stays, and this one is dropped.

        Raises
        ------
        StoreFull
            If there is no room; the store is as it was.
        """
        if record.reason == Reason.VOID:
            with self._transaction(f"game {record.index}"):
                self._connection.execute(
                    "INSERT INTO attempts (idx, record) VALUES (?, ?)", (record.index, msgspec.json.encode(record))
                )
            return True
        with self._transaction(f"game {record.index}"):
            if self._connection.execute(_ADD_GAME, _row(record)).rowcount == 0:
                return False
            self._connection.execute(
                "INSERT OR REPLACE INTO records (idx, moves, sgf) VALUES (?, ?, ?)",
                (record.index, msgspec.json.encode(record.moves), record.sgf),
            )
        return True

    def add_run(self, provenance: msgspec.Struct | dict[str, Any]) -> None:
        """Note that a run begins: version, commit, machine (`tesuji.provenance`)."""
        with self._transaction("the provenance"):
            self._connection.execute("INSERT INTO runs (provenance) VALUES (?)", (msgspec.json.encode(provenance),))

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def spec(self) -> bytes:
        """The spec that the games belong to: JSON."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'spec'").fetchone()
        return bytes(row[0])

    def done(self) -> set[int]:
        """The indices of the games there are."""
        return {index for (index,) in self._connection.execute("SELECT idx FROM games")}

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM games").fetchone()
        return int(count)

    def games(self, *, with_moves: bool = False) -> Iterator[GameRecord]:
        """The games in the order of their indices, as they were when the iteration began.

        Parameters
        ----------
        with_moves
            Whether `moves` and `sgf` are filled; without them 100,000 games are read in about a second.
        """
        if with_moves:
            query = f"SELECT {_COLUMNS}, moves, sgf FROM games JOIN records USING (idx) ORDER BY idx"
        else:
            query = f"SELECT {_COLUMNS}, NULL, '' FROM games ORDER BY idx"
        return map(_record, self._connection.execute(query))

    def game(self, index: int) -> GameRecord:
        """One game, with its moves.

        Raises
        ------
        KeyError
            If there is no such game.
        """
        query = f"SELECT {_COLUMNS}, moves, sgf FROM games JOIN records USING (idx) WHERE idx = ?"
        row = self._connection.execute(query, (index,)).fetchone()
        if row is None:
            raise KeyError(index)
        return _record(row)

    def attempts(self) -> list[GameRecord]:
        """The void games, in the order in which they happened."""
        rows = self._connection.execute("SELECT record FROM attempts ORDER BY id")
        return [_decode_record(record) for (record,) in rows]

    def runs(self) -> list[dict[str, Any]]:
        """The provenance of each run that wrote here, the first one first."""
        rows = self._connection.execute("SELECT provenance FROM runs ORDER BY id")
        return [msgspec.json.decode(provenance, type=dict[str, Any]) for (provenance,) in rows]

    # --- inside -------------------------------------------------------------------------------------------------------

    def _format(self) -> tuple[int, int]:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        return application, version

    def _prepare(self, spec_json: bytes) -> None:
        """Make the tables of a new file; check the spec of an old one."""
        try:
            if self._is_new():
                self._create(spec_json)
            elif self._format() != (_APPLICATION_ID, _VERSION):
                raise _not_ours(self.path, *self._format())
            else:
                self._accept(spec_json)
        except sqlite3.OperationalError as error:
            self._connection.close()
            raise _os_error(error, self.path, "the spec") from error
        except ValueError:
            self._connection.close()
            raise

    def _is_new(self) -> bool:
        return self._format() == (0, 0) and not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()

    def _create(self, spec_json: bytes) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction("the spec"):
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute("INSERT INTO meta VALUES ('spec', ?)", (spec_json,))
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")

    def _accept(self, spec_json: bytes) -> None:
        here = msgspec.json.decode(self.spec)
        wanted = msgspec.json.decode(spec_json)
        if here == wanted:
            return
        if len(self):
            found = differences(here, wanted)
            more = len(found) - _DIFFERENCES_SHOWN
            said = "; ".join(found[:_DIFFERENCES_SHOWN]) + (f"; and {more} more" if more > 0 else "")
            raise ValueError(
                f"{self.path.name} has {len(self):,} games of another experiment: {said}."
                " Repeat the command it was made with, or give another file"
            )
        with self._transaction("the spec"):
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'spec'", (spec_json,))
            self._connection.execute("DELETE FROM attempts")

    @contextlib.contextmanager
    def _transaction(self, what: str) -> Iterator[None]:
        """All of it, or nothing and a clear error."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise _os_error(error, self.path, what) from error
            raise


class _Lock:
    """The right to write to a file. The system takes it back when the process ends, however that happens."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        while True:
            file = self._path.open("a+b")
            try:
                _lock_file(file)
            except OSError as error:
                owner = _owner(file)
                file.close()
                raise StoreLocked(
                    f"{path.name} is being written to by another run{owner}; wait for it, stop it, or give another file"
                ) from error
            if self._is_current(file):
                break
            file.close()  # its last owner removed it after we opened it
        file.truncate(0)
        file.write(str(os.getpid()).encode())
        file.flush()
        self._file = file

    def _is_current(self, file: BinaryIO) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others in; the file goes first, so that nobody locks one that is about to go."""
        if not self._file.closed:
            with contextlib.suppress(OSError):  # Windows removes no open file; an unlocked one does no harm
                self._path.unlink()
            self._file.close()


def _lock_file(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 30)  # beyond the owner's number, which others read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _owner(file: BinaryIO) -> str:
    file.seek(0)
    number = file.read(20)
    return f" (process {number.decode()})" if number.isdigit() else ""


def differences(here: Any, wanted: Any, path: str = "") -> list[str]:
    """What distinguishes two JSON values, a sentence per field.

    Examples
    --------
    >>> differences({"games": 100}, {"games": 200})
    ['games is 100 there and 200 here']
    """
    if isinstance(here, dict) and isinstance(wanted, dict):
        names = [*here, *(name for name in wanted if name not in here)]
        inner = path + "." if path else ""
        return [
            said
            for name in names
            for said in differences(here.get(name, _MISSING), wanted.get(name, _MISSING), f"{inner}{name}")
        ]
    if isinstance(here, list) and isinstance(wanted, list) and len(here) == len(wanted):
        return [
            said for i, pair in enumerate(zip(here, wanted, strict=True)) for said in differences(*pair, f"{path}[{i}]")
        ]
    return [] if here == wanted else [f"{path or 'it'} is {_shown(here)} there and {_shown(wanted)} here"]


_MISSING = object()


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "not given"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def _connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open the file as a database.

    A reader needs the shared memory beside a WAL file. Where that cannot be made (a disk that is read-only) nobody
    writes either, and the file is read as it stands.
    """
    addresses = [f"{path.as_uri()}?mode=ro", f"{path.as_uri()}?immutable=1"] if read_only else [path.as_uri()]
    for address in addresses:
        try:
            connection = sqlite3.connect(address, uri=True, timeout=10, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise _os_error(error, path, "anything") from error
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if address == addresses[-1]:
                raise _os_error(error, path, "anything") from error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise ValueError(f"{path.name} is not a store of games ({error}); give another file") from error
        else:
            return connection
    raise AssertionError("unreachable")


def _os_error(error: sqlite3.OperationalError, path: Path, what: str) -> OSError:
    if getattr(error, "sqlite_errorcode", 0) in _FULL:
        words = (
            f"there is no room ({error}): {what} was not stored, the games before are safe;"
            " make room and repeat the command"
        )
        return StoreFull(errno.ENOSPC, words, str(path))
    return OSError(errno.EIO, str(error), str(path))


def _not_ours(path: Path, application: int, version: int) -> ValueError:
    if application != _APPLICATION_ID:
        return ValueError(f"{path.name} is a database of another program; give another file")
    return ValueError(
        f"{path.name} is a store of version {version}, this program knows version {_VERSION};"
        " use the tesuji that made it, or give another file"
    )


_NO_HOST = ""  # a column of earlier versions: results are published, and do not say whose machine they ran on


def _row(record: GameRecord) -> tuple[Any, ...]:
    return (
        record.index, record.pair, record.first, record.second, record.winner,
        record.score, str(record.reason), record.detail, record.opening_name, str(record.seed),
        len(record.moves) or record.num_moves,
        record.wall_s, record.first_s, record.second_s, record.cpu_s,
        record.started_at, _NO_HOST, msgspec.json.encode(record.opinions), msgspec.json.encode(record.versions),
        msgspec.json.encode(record.parameters),
    )  # fmt: skip


def _record(row: tuple[Any, ...]) -> GameRecord:
    return GameRecord(
        index=row[0], pair=row[1], first=row[2], second=row[3], winner=row[4],
        score=row[5], reason=_REASONS[row[6]], detail=row[7], opening_name=row[8], seed=int(row[9]), num_moves=row[10],
        wall_s=row[11], first_s=row[12], second_s=row[13], cpu_s=row[14],
        started_at=row[15], opinions=_decode_texts(row[17]), versions=_decode_texts(row[18]),
        parameters=_decode_settings(row[19]), moves=_decode_moves(row[20]) if row[20] else (), sgf=row[21],
    )  # fmt: skip
