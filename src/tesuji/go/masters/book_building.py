"""Books from the games of a database, and books that grow by the engine's own searches.

Building counts: every position up to a depth, in whichever form, with the move made there and who won. Growing
searches: the position that is most likely to be asked for next and not known yet gets the engine's best moves, one game
for `PER_GAME` visits. Who grows a book is told after each position, to write it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.engine import Engine
from tesuji.go.knowledge.book import Book, BookMove, BookPosition
from tesuji.go.knowledge.position_key import WHITE, position_key, turned_points
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.rules.board import Board, IllegalMove

__all__ = ["build_book", "grow_book", "next_to_grow"]

PER_GAME = 100
"""Visits of a search that count as one game of a book."""
_ROOT_GAMES = 1


class _Seen(msgspec.Struct):
    keys: NDArray[np.uint64]
    moves: NDArray[np.int64]  # as the form that has the key
    results: NDArray[np.int8]  # 1 won, 0 lost, -1 unknown, of the side that moved
    games: NDArray[np.int64]
    numbers: NDArray[np.int64]


def build_book(
    database: GameDatabase,
    size: int,
    wanted: GameFilter | None = None,
    *,
    depth: int = 30,
    least: int = 10,
    on_progress: Callable[[float], None] | None = None,
) -> Book:
    """The positions that games came by often.

    Parameters
    ----------
    database : GameDatabase
        The games; those that began with stones on the board or with White are left out.
    size : int
        Lines of the board.
    wanted : GameFilter, optional
        Which games count.
    depth : int
        Moves of a game that count.
    least : int
        A position that fewer games came by is left out.
    on_progress : callable, optional
        Told how much is done, 0..1.

    Raises
    ------
    ValueError
        If no position is seen so often.
    """
    seen = _seen(database, size, wanted, depth, on_progress)
    order = np.argsort(seen.keys, kind="stable")
    keys = seen.keys[order]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]]) if len(keys) else np.zeros(1, int)
    book = Book(size)
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if end - begin >= least:
            with contextlib.suppress(IllegalMove):  # a ko that our rules do not allow
                book.add(_position(database, size, seen, order[begin:end]))
    if not len(book):
        raise ValueError(f"no position on {size}x{size} was seen in {least} games; ask for fewer (--least)")
    return book


def _seen(
    database: GameDatabase,
    size: int,
    wanted: GameFilter | None,
    depth: int,
    on_progress: Callable[[float], None] | None,
) -> _Seen:
    wanted = msgspec.structs.replace(wanted or GameFilter(), size=size)
    rows = [row for row in database.rows("id, winner, setup, chunk", wanted) if row[2] is None]
    images = np.stack([turned_points(size, size, turn) for turn in range(8)])
    parts: list[tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int8], int, int]] = []
    moves_of: dict[int, NDArray[np.uint16]] = {}
    for done, (game, winner, _, number) in enumerate(
        (int(str(r[0])), int(str(r[1])), r[2], int(str(r[3]))) for r in rows
    ):
        chunk = database.chunk(number)
        if number not in moves_of:
            moves_of[number] = database.moves(chunk)
        moves = moves_of[number]
        at = game - chunk.first_game
        line = moves[chunk.starts[at] : min(chunk.starts[at] + depth, chunk.starts[at + 1] - 1)]
        line = line[: _alternating(line)]
        if len(line):
            keys, forms, _, _ = _native.position_keys(size, size, [], [], line)
            points = (line & ~np.uint16(WHITE)).astype(np.int64)
            canonical = images[forms[:-1] % 8, points]
            movers = np.where(line & np.uint16(WHITE), 2, 1)
            results = np.where(winner == 0, -1, movers == winner).astype(np.int8)
            parts.append((keys[:-1], canonical, results, game, len(line)))
        if on_progress is not None and done % 1000 == 0:
            on_progress(done / len(rows))
    if not parts:
        none = np.zeros(0, np.int64)
        return _Seen(np.zeros(0, np.uint64), none, np.zeros(0, np.int8), none, none)
    return _Seen(
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        np.concatenate([np.full(part[4], part[3]) for part in parts]),
        np.concatenate([np.arange(part[4]) for part in parts]),
    )


def _alternating(line: NDArray[np.uint16]) -> int:
    """How many moves from the start are Black's and White's in turn, passes not among them."""
    is_white = (line & np.uint16(WHITE)) > 0
    wrong = np.flatnonzero(is_white != (np.arange(len(line)) % 2 == 1))
    return int(wrong[0]) if len(wrong) else len(line)


def _position(database: GameDatabase, size: int, seen: _Seen, rows: NDArray[np.int64]) -> BookPosition:
    """What was played in one position; written as the first game that came by it went."""
    first = rows[0]
    line = database.game(int(seen.games[first])).moves[: seen.numbers[first]]
    path = tuple((line & ~np.uint16(WHITE)).astype(int).tolist())
    board = Board(size)
    for move in path:
        board.play(move)
    own = turned_points(size, size, position_key(board).form % 8).argsort()
    moves = []
    for move in np.unique(seen.moves[rows]).tolist():
        results = seen.results[rows][seen.moves[rows] == move]
        moves.append(BookMove(int(own[move]), len(results), int((results == 1).sum()), int((results == 0).sum())))
    return BookPosition(path, tuple(moves))


# Growing --------------------------------------------------------------------------------------------------------------


def next_to_grow(book: Book, depth: int, least: int) -> BookPosition | None:
    """The position behind a move of the book that is asked for most often and has no entry; None if there is none.

    How often a position is asked for is the product of the shares of the moves on the way, each side playing the book's
    moves as often as they were made.
    """
    best: tuple[float, tuple[int, ...]] | None = None
    for path, chance in _frontier(book, depth, least):
        if best is None or chance > best[0]:
            best = chance, path
    return None if best is None else BookPosition(best[1], ())


def _frontier(book: Book, depth: int, least: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Paths that leave the book, with how likely they are."""
    if not len(book):
        yield (), 1.0
        return
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        path, chance = waiting.pop()
        board = book.board_of(BookPosition(path, ()))
        moves = [one for one in book.moves(board) if one.games >= least]
        if not moves:
            yield path, chance
            continue
        total = sum(one.games for one in moves)
        if len(path) < depth:
            waiting += [((*path, one.move), chance * one.games / total) for one in moves]


def grow_book(
    book: Book,
    engine: Engine,
    *,
    positions: int,
    depth: int = 20,
    simulations: int = 20_000,
    on_grown: Callable[[BookPosition], bool | None] | None = None,
) -> int:
    """Add positions by searches.

    Parameters
    ----------
    book : Book
        Changed.
    engine : Engine
        Searches.
    positions : int
        How many to add.
    depth : int
        Moves from the empty board at most.
    simulations : int
        Of each search.
    on_grown : callable, optional
        Called after each; returning False ends it.

    Returns
    -------
    int
        How many were added; fewer than asked where nothing is left.
    """
    for done in range(positions):
        found = next_to_grow(book, depth, _ROOT_GAMES)
        if found is None:
            return done
        board = book.board_of(found)
        analysis = engine.analyse(board, simulations=simulations)
        moves = [
            BookMove(one.move, games, round(games * one.winrate), games - round(games * one.winrate))
            for one in analysis.moves[:3]
            if (games := one.visits // PER_GAME) > 0 and one.move != board.pass_move
        ]
        if not moves:
            raise ValueError(f"{simulations} simulations are too few for a book; give {10 * PER_GAME} or more")
        grown = BookPosition(found.path, tuple(moves))
        book.add(grown)
        if on_grown is not None and on_grown(grown) is False:
            return done + 1
    return positions
