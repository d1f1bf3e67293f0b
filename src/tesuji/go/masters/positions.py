"""Where a position occurs in the games of a database, and how they went on.

A position is found whichever way the board was turned and whoever had which colour; its side to move counts. The keys
in the database have 32 bits, so that one position in a few hundred searches would be taken for another: what was found
is replayed and compared, unless that would take longer than the search.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.position_key import PositionKey, position_key, turned_points
from tesuji.go.masters.database import Chunk, GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.game import NO_MOVE, WHITE
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["Continuation", "PositionMatches", "find_position"]

_REPLAYED_MOVES = 100_000


class Continuation(msgspec.Struct, frozen=True):
    """A move that was made in a position.

    Attributes
    ----------
    move : int
        As the board that was asked about has it; of several images of one move the first.
    games : int
        How often it was made.
    wins, losses : int
        Of the side that made it.
    example : int
        The id of the last game with it.
    """

    move: int
    games: int
    wins: int
    losses: int
    example: int

    @property
    def winrate(self) -> float | None:
        """Of the games with a winner; None if there is none."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None


class PositionMatches(msgspec.Struct, frozen=True):
    """What was found.

    Attributes
    ----------
    games : int64 array
        Ids of the games that came by, each once.
    numbers : int64 array of the same shape
        After how many moves.
    continuations : list of Continuation
        Most frequent first.
    ended : int
        Games that ended there.
    """

    games: NDArray[np.int64]
    numbers: NDArray[np.int64]
    continuations: list[Continuation]
    ended: int


def find_position(
    database: GameDatabase, board: Board, wanted: GameFilter | None = None, *, only: Iterable[int] | None = None
) -> PositionMatches:
    """The games that came by a position.

    Parameters
    ----------
    database : GameDatabase
        Where to look.
    board : Board
        The position, with its side to move.
    wanted : GameFilter, optional
        Which games count.
    only : iterable of int, optional
        Ids of games; only these count.
    """
    key = position_key(board)
    allowed = None if wanted is None or wanted.is_open else database.ids(wanted)
    if only is not None:
        chosen = np.array(sorted(only), np.int64)
        allowed = chosen if allowed is None else np.intersect1d(allowed, chosen)
    games, numbers, moves, forms = _matches(database, key.key >> 32, allowed)
    is_right = _verified(database, key, games, numbers)
    games, numbers, moves, forms = games[is_right], numbers[is_right], moves[is_right], forms[is_right]
    goes_on = moves != NO_MOVE
    found = _continuations(database, board, key, games[goes_on], moves[goes_on], forms[goes_on])
    return PositionMatches(games, numbers, found, int((~goes_on).sum()))


def _matches(
    database: GameDatabase, key: int, allowed: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint8]]:
    """Ids, numbers of moves, next moves and forms; a game that comes by twice counts where it did first."""
    parts = []
    for chunk in database.chunks():
        at = _native.places_of_key(chunk.keys, key)
        if len(at):
            parts.append(_of_chunk(database, chunk, at))
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16), np.zeros(0, np.uint8)
    games, numbers, moves, forms = (np.concatenate(column) for column in zip(*parts, strict=True))
    _, first = np.unique(games, return_index=True)
    if allowed is not None:
        first = first[np.isin(games[first], allowed)]
    return games[first], numbers[first], moves[first], forms[first]


def _of_chunk(
    database: GameDatabase, chunk: Chunk, at: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint8]]:
    index = np.searchsorted(chunk.starts, at, side="right") - 1
    moves, forms = database.moves(chunk), database.forms(chunk)
    return chunk.first_game + index, at - chunk.starts[index], moves[at], forms[at]


def _verified(
    database: GameDatabase, key: PositionKey, games: NDArray[np.int64], numbers: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which of them really have the position; all of them where there are too many to look."""
    if numbers.sum() > _REPLAYED_MOVES or len(games) > 1000:
        return np.ones(len(games), bool)
    right = []
    for game, number in zip(games.tolist(), numbers.tolist(), strict=True):
        stored = database.game(game)
        info = stored.info
        keys, _, _, _ = _native.position_keys(info.width, info.height, stored.black, stored.white, stored.moves)
        right.append(int(keys[number]) == key.key)
    return np.array(right, bool)


def _continuations(
    database: GameDatabase,
    board: Board,
    key: PositionKey,
    games: NDArray[np.int64],
    moves: NDArray[np.uint16],
    forms: NDArray[np.uint8],
) -> list[Continuation]:
    width, height = board.width, board.height
    points = (moves & ~np.uint16(WHITE)).astype(np.int64)
    movers = np.where(moves & np.uint16(WHITE), Color.WHITE, Color.BLACK)
    to_form = np.stack([turned_points(width, height, turn) for turn in range(8)])
    there = to_form[forms % 8, points]  # as the form that has the key
    here = turned_points(width, height, key.form % 8).argsort()[there]  # as the board that was asked about
    images = np.stack([turned_points(width, height, turn)[here] for turn in key.symmetries])
    here = images.min(axis=0) if len(here) else here
    winners = database.winners()[games]
    found = []
    for move in np.unique(here).tolist():
        same = here == move
        wins = int((winners[same] == movers[same]).sum())
        decided = int((winners[same] > 0).sum())
        found.append(Continuation(move, int(same.sum()), wins, decided - wins, int(games[same].max())))
    return sorted(found, key=lambda one: (-one.games, one.move))
