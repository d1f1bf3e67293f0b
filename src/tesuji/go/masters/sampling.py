"""Positions that stand for the openings of games: two of each between moves 16 and 62 (Basaldúa, 3.4.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["FIRST_MOVE", "LAST_MOVE", "POSITIONS", "sampled_games"]

FIRST_MOVE, LAST_MOVE = 16, 62
POSITIONS = 2
"""Of each game."""


def sampled_games(
    database: GameDatabase,
    wanted: GameFilter | None = None,
    *,
    most: int | None = None,
    seed: int = 1,
    on_progress: Callable[[float], None] | None = None,
) -> Iterator[list[Board]]:
    """Two positions of each game on 19x19, drawn without repetition.

    Games that end before move 62, or began with stones on the board, are left out.
    """
    rng = np.random.default_rng(seed)
    wanted = msgspec.structs.replace(wanted or GameFilter(), size=19, least_moves=LAST_MOVE)
    ids = [int(str(row[0])) for row in database.rows("id, setup", wanted) if row[1] is None]
    chosen = rng.permutation(ids)[:most].tolist()
    for done, game in enumerate(chosen):
        moves = database.game(game).moves
        numbers = rng.choice(np.arange(FIRST_MOVE, LAST_MOVE + 1), POSITIONS, replace=False).tolist()
        yield [_after(moves[:number].tolist()) for number in numbers]
        if on_progress is not None:
            on_progress((done + 1) / len(chosen))


def _after(moves: list[int]) -> Board:
    board = Board(19, rules="japanese")
    for move in moves:
        board.play_as_recorded(move & ~WHITE, Color.WHITE if move & WHITE else Color.BLACK)
    return board
