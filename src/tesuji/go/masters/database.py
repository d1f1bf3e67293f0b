"""Games in one file: SQLite for what is known about them, packed columns for their moves and positions.

Games come in *chunks*, one transaction each: a chunk has its games' moves one after the other, and for every position a
key of 32 bits and the form that has it (`core/go/game_index.hpp`), seven bytes in all. A search reads the keys of all
chunks in one sweep, which takes less time than an index takes room. What was added stays when the process is killed,
the disk is full or another file is broken.

Two games are the same if their first 60 positions are, whichever way the board is turned and whoever has which colour;
the second is not added. This module reads no SGF (`importing.py`) and knows nothing of searches (`positions.py`).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.game import NO_MOVE, GameInfo, StoredGame, rank_number

__all__ = ["Chunk", "DatabaseError", "GameDatabase", "ImpossibleMove"]

_APPLICATION_ID = 0x7E5_0602  # in the header of the file: it is ours
_VERSION = 1
_SAME_POSITIONS = 60
_WAIT_S = 5.0
_SCHEMA = """
CREATE TABLE games (
  id INTEGER PRIMARY KEY, chunk INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, komi REAL,
  handicap INTEGER NOT NULL, rules TEXT NOT NULL, result TEXT NOT NULL, winner INTEGER NOT NULL, black TEXT NOT NULL,
  white TEXT NOT NULL, black_rank TEXT NOT NULL, white_rank TEXT NOT NULL, date TEXT NOT NULL, event TEXT NOT NULL,
  time_s REAL, source TEXT NOT NULL, black_strength INTEGER, white_strength INTEGER, num_moves INTEGER NOT NULL,
  setup BLOB, identity INTEGER NOT NULL UNIQUE);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, first_game INTEGER NOT NULL, starts BLOB NOT NULL, keys BLOB NOT NULL, forms BLOB NOT NULL,
  moves BLOB NOT NULL);
"""
_INFO = ", ".join(GameInfo.__struct_fields__)
_ADD = (
    f"INSERT INTO games (id, chunk, {_INFO}, black_strength, white_strength, num_moves, setup, identity)"
    f" VALUES ({', '.join('?' * (7 + len(GameInfo.__struct_fields__)))})"
)


class DatabaseError(ValueError):
    """A file that is not a database of games, or one that cannot be used now; the message says what to do."""


class ImpossibleMove(ValueError):  # noqa: N818 - what it is
    """A game with a move that no rule allows."""


class Chunk(msgspec.Struct, frozen=True):
    """Games that were added together.

    Attributes
    ----------
    id : int
        Its number.
    first_game : int
        The id of its first game; the others follow.
    starts : int64 array of shape (games + 1,)
        Where the positions of each game begin.
    keys : uint32 array of shape (positions,)
        Of every position.
    """

    id: int
    first_game: int
    starts: NDArray[np.int64]
    keys: NDArray[np.uint32]


class _Prepared(msgspec.Struct, frozen=True):
    game: StoredGame
    keys: NDArray[np.uint32]
    forms: NDArray[np.uint8]
    identity: int


class GameDatabase:
    """A file of games; a context manager.

    Parameters
    ----------
    path : Path or str
        The file.
    create : bool
        Whether to make it if there is none.

    Raises
    ------
    DatabaseError
        If it is something else, or of another version.
    FileNotFoundError
        If there is none and none is to be made.
    """

    def __init__(self, path: Path | str, *, create: bool = False) -> None:
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise FileNotFoundError(
                errno.ENOENT, "there is no such database; make one: tesuji masters import FILE GAMES", str(path)
            )
        with self._told():
            self._connection = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)
            self._prepare(create)
        self._chunks: dict[int, Chunk] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    # --- writing ------------------------------------------------------------------------------------------------------

    def add(self, games: Iterable[StoredGame], on_bad: list[tuple[StoredGame, str]] | None = None) -> tuple[int, int]:
        """Add games in one transaction.

        Parameters
        ----------
        games : iterable of StoredGame
            Those that are there already are left out.
        on_bad : list, optional
            Receives games with an impossible move, and why; without it they raise `ImpossibleMove`.

        Returns
        -------
        added, same : int
            How many are new, and how many were there already.

        Raises
        ------
        DatabaseError
            If another process writes, or the disk is full; then nothing of this call was added.
        """
        ready = []
        for game in games:
            try:
                ready.append(_prepared(game))
            except ImpossibleMove as error:
                if on_bad is None:
                    raise
                on_bad.append((game, str(error)))
        with self._told(), self._transaction():
            return self._add(ready)

    def _add(self, ready: list[_Prepared]) -> tuple[int, int]:
        new: dict[int, _Prepared] = {}
        for one in ready:
            known = self._connection.execute("SELECT 1 FROM games WHERE identity = ?", (one.identity,)).fetchone()
            if known is None:
                new.setdefault(one.identity, one)
        if not new:
            return 0, len(ready)
        first = self._number("SELECT coalesce(max(id), 0) + 1 FROM games")
        chunk = self._number("SELECT coalesce(max(id), 0) + 1 FROM chunks")
        rows = [_row(first + i, chunk, one) for i, one in enumerate(new.values())]
        self._connection.executemany(_ADD, rows)
        starts = np.concatenate([[0], np.cumsum([len(one.keys) for one in new.values()])]).astype("<i8")
        keys = np.concatenate([one.keys for one in new.values()]).astype("<u4")
        forms = np.concatenate([one.forms for one in new.values()])
        moves = np.concatenate([np.append(one.game.moves, NO_MOVE) for one in new.values()]).astype("<u2")
        blobs = starts.tobytes(), keys.tobytes(), forms.tobytes(), moves.tobytes()
        self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)", (chunk, first, *blobs))
        return len(new), len(ready) - len(new)

    # --- reading ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._number("SELECT count(*) FROM games")

    def ids(self, wanted: GameFilter | None = None) -> NDArray[np.int64]:
        """The games that meet a filter, in the order they were added."""
        where, values = (wanted or GameFilter()).condition()
        with self._told():
            rows = self._connection.execute(f"SELECT id FROM games WHERE {where} ORDER BY id", values).fetchall()
        return np.array([row[0] for row in rows], np.int64)

    def rows(self, columns: str, wanted: GameFilter | None = None) -> list[tuple[object, ...]]:
        """Columns of the table of games, for those that meet a filter."""
        where, values = (wanted or GameFilter()).condition()
        with self._told():
            return self._connection.execute(f"SELECT {columns} FROM games WHERE {where} ORDER BY id", values).fetchall()

    def info(self, game: int) -> GameInfo:
        """What is known about a game."""
        with self._told():
            row = self._connection.execute(f"SELECT {_INFO} FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise DatabaseError(f"{self.path} has no game {game}")
        return _info_of(row)

    def winners(self) -> NDArray[np.uint8]:
        """By id, 1 Black, 2 White, 0 nobody; index 0 is nobody."""
        with self._told():  # ids run from 1 without a gap
            text = self._connection.execute(
                "SELECT group_concat(winner, '') FROM (SELECT winner FROM games ORDER BY id)"
            ).fetchone()[0]
        return np.frombuffer(("0" + (text or "")).encode(), np.uint8) - ord("0")

    def game(self, game: int) -> StoredGame:
        """A game with its moves."""
        with self._told():
            row = self._connection.execute("SELECT chunk, setup FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise DatabaseError(f"{self.path} has no game {game}")
        chunk = self.chunk(row[0])
        at = game - chunk.first_game
        moves = self.moves(chunk)[chunk.starts[at] : chunk.starts[at + 1] - 1]
        setup = np.frombuffer(row[1] or b"", "<u2")
        white = setup >= 0x8000
        return StoredGame(self.info(game), setup[~white].tolist(), (setup[white] & 0x7FFF).tolist(), moves)

    def games(self, wanted: GameFilter | None = None) -> Iterator[StoredGame]:
        """The games that meet a filter."""
        for game in self.ids(wanted).tolist():
            yield self.game(game)

    def chunks(self) -> Iterator[Chunk]:
        """All games, as they were added."""
        with self._told():
            ids = [row[0] for row in self._connection.execute("SELECT id FROM chunks ORDER BY id").fetchall()]
        for number in ids:
            yield self.chunk(number)

    def chunk(self, number: int) -> Chunk:
        """A chunk; kept once it was read."""
        if number not in self._chunks:
            with self._told():
                row = self._connection.execute(
                    "SELECT id, first_game, starts, keys FROM chunks WHERE id = ?", (number,)
                ).fetchone()
            self._chunks[number] = Chunk(row[0], row[1], np.frombuffer(row[2], "<i8"), np.frombuffer(row[3], "<u4"))
        return self._chunks[number]

    def moves(self, chunk: Chunk) -> NDArray[np.uint16]:
        """The move after each position of a chunk; `NO_MOVE` where a game ends."""
        return np.frombuffer(self._blob("moves", chunk), "<u2")

    def forms(self, chunk: Chunk) -> NDArray[np.uint8]:
        """The form that has the key of each position: a turn, and 8 for exchanged colours."""
        return np.frombuffer(self._blob("forms", chunk), np.uint8)

    def _blob(self, column: str, chunk: Chunk) -> bytes:
        with self._told():
            row = self._connection.execute(f"SELECT {column} FROM chunks WHERE id = ?", (chunk.id,)).fetchone()
        return bytes(row[0])

    def _number(self, query: str) -> int:
        with self._told():
            return int(self._connection.execute(query).fetchone()[0])

    # --- the file -----------------------------------------------------------------------------------------------------

    def _prepare(self, create: bool) -> None:
        run = self._connection.execute
        (application,), (version,) = run("PRAGMA application_id").fetchone(), run("PRAGMA user_version").fetchone()
        is_empty = run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if application == 0 and is_empty and create:
            run("PRAGMA page_size = 8192")
            with self._transaction():
                for statement in filter(None, map(str.strip, _SCHEMA.split(";"))):
                    run(statement)
                run(f"PRAGMA application_id = {_APPLICATION_ID}")
                run(f"PRAGMA user_version = {_VERSION}")
        elif application != _APPLICATION_ID:
            raise DatabaseError(f"{self.path} is not a database of games; make one: tesuji masters import FILE GAMES")
        elif version != _VERSION:
            raise DatabaseError(
                f"{self.path} has version {version}, this is version {_VERSION}; import the games again:"
                " tesuji masters import NEWFILE GAMES"
            )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a full disk has rolled it back already
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors in words."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise DatabaseError(f"another process writes to {self.path}; wait until it has ended") from error
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise DatabaseError(
                    f"{self.path} cannot grow ({error}); make room, nothing before this is lost"
                ) from error
            raise DatabaseError(f"{self.path} cannot be used: {error}") from error
        except sqlite3.DatabaseError as error:
            raise DatabaseError(
                f"{self.path} is not a database of games, or a broken one ({error});"
                " make one: tesuji masters import FILE GAMES"
            ) from error


def _prepared(game: StoredGame) -> _Prepared:
    info = game.info
    keys, forms, _, impossible = _native.position_keys(info.width, info.height, game.black, game.white, game.moves)
    if impossible >= 0:
        point = int(game.moves[impossible]) & 0x7FFF
        raise ImpossibleMove(f"move {impossible + 1} is on a stone or off the board (point {point})")
    alike = hashlib.blake2b(keys[: _SAME_POSITIONS + 1].astype("<u8").tobytes(), digest_size=8).digest()
    return _Prepared(
        game=game,
        keys=(keys >> np.uint64(32)).astype(np.uint32),
        forms=forms,
        identity=int.from_bytes(alike, "little", signed=True),
    )


def _row(number: int, chunk: int, one: _Prepared) -> tuple[object, ...]:
    info, game = one.game.info, one.game
    setup = np.array(game.black + [point | 0x8000 for point in game.white], "<u2").tobytes() or None
    strengths = rank_number(info.black_rank), rank_number(info.white_rank)
    return (number, chunk, *_values(info), *strengths, len(game.moves), setup, one.identity)


def _values(info: GameInfo) -> tuple[object, ...]:
    return tuple(getattr(info, name) for name in GameInfo.__struct_fields__)


def _info_of(row: tuple[object, ...]) -> GameInfo:
    return GameInfo(**dict(zip(GameInfo.__struct_fields__, row, strict=True)))  # type: ignore[arg-type]
