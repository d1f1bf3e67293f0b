"""Positions to learn from, made of recorded games.

A game counts if it began on an empty board, black and white took turns, and its komi is known. One game in fifty, by a
hash of its moves, is kept out of training whole, so that what is reported was never seen, not even as a neighbour. Who
owned each point in the end is judged by the engine's playouts where a game was counted, and believed where that agrees
with the recorded result to a few points.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.network import NUM_PLANES, PROFESSIONAL, scalars_of
from tesuji.go.masters.game import WHITE, StoredGame, rank_number
from tesuji.go.rules.board import Board
from tesuji.learning.network.positions import Positions

__all__ = ["Lessons", "final_owners", "is_held_out", "joined_all", "lessons_of", "strength_of"]

_SIZES = range(7, 20)
_LEAST_MOVES = 20
_ONE_IN = 50
_MARGIN = re.compile(r"([BW])\+([0-9]{1,3}(?:\.[0-9]+)?)\s*$", re.IGNORECASE)
_OWNER_PLAYOUTS = 48
_SURE = 0.25  # of the mean owner, -1..1
_CLOSE = 6.0  # area and territory, and a teire more or less, differ by no more


@dataclass
class Lessons:
    """What games of all sizes teach.

    Attributes
    ----------
    training, held_out : dict of int to Positions
        By board size.
    num_games, num_passed_over : int
        That were taken, and that were not.
    """

    training: dict[int, Positions] = field(default_factory=dict)
    held_out: dict[int, Positions] = field(default_factory=dict)
    num_games: int = 0
    num_passed_over: int = 0


def lessons_of(
    games: Iterable[StoredGame],
    *,
    max_positions: int | None = None,
    on_game: Callable[[int, int], None] | None = None,
) -> Lessons:
    """Make positions of games.

    Parameters
    ----------
    games : iterable of StoredGame
        From a database or from files.
    max_positions : int, optional
        Enough: later games are not read.
    on_game : callable, optional
        Told the number of games and of positions so far.
    """
    lessons = Lessons()
    parts: dict[tuple[int, bool], list[Positions]] = {}
    num_positions = 0
    for game in games:
        if max_positions is not None and num_positions >= max_positions:
            break
        part = _positions_of(game)
        if part is None:
            lessons.num_passed_over += 1
            continue
        lessons.num_games += 1
        num_positions += len(part)
        parts.setdefault((part.rows, is_held_out(game.moves)), []).append(part)
        if on_game is not None:
            on_game(lessons.num_games, num_positions)
    for (size, held_out), some in parts.items():
        (lessons.held_out if held_out else lessons.training)[size] = joined_all(some)
    return lessons


def is_held_out(moves: NDArray[np.uint16]) -> bool:
    """Whether a game is kept out of training: one in fifty, whatever it is called and wherever it lies."""
    return zlib.crc32((moves & ~np.uint16(WHITE)).astype("<u2").tobytes()) % _ONE_IN == 0


def strength_of(rank: str) -> float:
    """What a network is told of a rank: a tenth of the dan grade, 0.1 for kyu; 1 for professionals and unknown."""
    number = rank_number(rank)
    if number is None or number > 100:
        return PROFESSIONAL
    return min(9, number) / 10 if number > 0 else 0.1


def final_owners(game: StoredGame, margin: float) -> NDArray[np.int8] | None:
    """Who owned each point in the end, 1 black, -1 white, 0 nobody; None where the playouts do not bear the result out.

    Parameters
    ----------
    game : StoredGame
        That was counted.
    margin : float
        By how much black won; negative: white.
    """
    board = Board(game.info.width, game.info.height)
    try:
        for move in game.moves & ~np.uint16(WHITE):
            board.play(int(move))
    except ValueError:
        return None
    mean = ownership(board, _OWNER_PLAYOUTS, seed=1).reshape(-1)
    owners = np.where(mean > _SURE, 1, np.where(mean < -_SURE, -1, 0)).astype(np.int8)
    counted = float(owners.sum()) - (game.info.komi or 0.0)
    agrees = abs(counted - margin) <= _CLOSE and ((counted > 0) == (margin > 0) or abs(counted - margin) <= 2)
    return owners if agrees else None


def _positions_of(game: StoredGame) -> Positions | None:
    info, points = game.info, game.moves & ~np.uint16(WHITE)
    is_plain = info.width == info.height and info.width in _SIZES and info.komi is not None
    if not is_plain or game.black or game.white or len(points) < _LEAST_MOVES:
        return None
    movers = (np.arange(len(points)) % 2).astype(np.int8)
    if ((game.moves & WHITE > 0) != movers).any():
        return None
    planes = _native.game_planes(info.width, info.height, np.ascontiguousarray(points))
    count = len(planes)
    points, movers = points[:count], movers[:count]
    margin = _margin_of(info.result)
    owners = None if margin is None or count < len(game.moves) else final_owners(game, margin)
    signs = 1 - 2 * movers.astype(np.float32)
    wins = np.full(count, np.nan, np.float32)
    if info.winner or margin == 0:
        black = 0.5 if margin == 0 else float(info.winner == 1)
        wins = np.where(movers == 0, black, 1 - black).astype(np.float32)
    return Positions(
        rows=info.height,
        columns=info.width,
        num_planes=NUM_PLANES,
        planes=planes,
        scalars=_scalars(game, movers),
        moves=points.astype(np.int16),
        wins=wins,
        scores=np.full(count, np.nan, np.float32) if margin is None else (margin * signs).astype(np.float32),
        games=np.full(count, -1 if owners is None else 0, np.int32),
        owners=np.zeros((0, info.width * info.height), np.int8) if owners is None else owners[None],
        movers=movers,
    )


def _scalars(game: StoredGame, movers: NDArray[np.int8]) -> NDArray[np.float32]:
    info = game.info
    scalars = scalars_of(movers, info.komi or 0.0, PROFESSIONAL, info.width * info.height)
    scalars[:, 1] = np.where(movers == 0, strength_of(info.black_rank), strength_of(info.white_rank))
    return scalars


def _margin_of(result: str) -> float | None:
    """By how much black won, by the record; None if the game was not counted."""
    if result.strip().lower() in ("0", "draw", "jigo"):
        return 0.0
    found = _MARGIN.match(result.strip())
    if found is None:
        return None
    return float(found[2]) * (1 if found[1] in "Bb" else -1)


def joined_all(parts: list[Positions]) -> Positions:
    """All parts as one; in pairs, so that nothing is copied more often than the logarithm of their number."""
    while len(parts) > 1:
        parts = [a.joined(b) for a, b in zip(parts[::2], parts[1::2], strict=False)] + parts[len(parts) & ~1 :]
    return parts[0]
