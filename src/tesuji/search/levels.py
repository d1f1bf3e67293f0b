"""Opponents from beginner to full strength: the one table of `tesuji play` and `tesuji web`.

A level is a number of simulations and a temperature. A weak level does not make moves that nobody would think of: it
thinks briefly, so that it overlooks things, and chooses among the moves it has considered, the more visited ones more
often (at Go also by what it likes at first sight: `tesuji.go.engine.level`). With temperature T a move is drawn with a
weight of visits^(1/T); T = 0 is the engine's own choice, at Go with its network where that can be run. How the levels
do against each other is in docs/results/web.md.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from tesuji.search.result import SearchResult

__all__ = ["LEVELS", "Level", "drawn_move", "level_named", "move_at_level"]


class Level(msgspec.Struct, frozen=True):
    """How strong an opponent is.

    Attributes
    ----------
    name : str
        By which people choose it; its number, from 1, does as well.
    simulations : int
        A move, in Go and in other games.
    temperature : float
        0: always its best move.
    """

    name: str
    simulations: int
    temperature: float


LEVELS = (
    Level("beginner", 8, 2.0),
    Level("novice", 25, 1.2),
    Level("casual", 80, 0.8),
    Level("club", 300, 0.5),
    Level("advanced", 1_000, 0.25),
    Level("strong", 4_000, 0.0),
    Level("full", 20_000, 0.0),
)


def level_named(name: str) -> Level:
    """The level of that name, or of that number: the weakest is 1.

    Raises
    ------
    ValueError
        If there is none.
    """
    for number, level in enumerate(LEVELS, start=1):
        if name in (level.name, str(number)):
            return level
    names = ", ".join(f"{number} {level.name}" for number, level in enumerate(LEVELS, start=1))
    raise ValueError(f"there is no level {name[:40]!r}; choose from {names}, by name or number")


def move_at_level(found: SearchResult, level: Level, rng: random.Random) -> int:
    """What a level plays after a search: its best move, or at a weak level one of those it looked at."""
    if not level.temperature:
        return found.best_move
    order = [int(i) for i in np.argsort(-found.visits.astype(np.int64), kind="stable") if found.visits[i]]
    return drawn_move(found.moves[order].tolist(), found.visits[order].tolist(), level.temperature, rng)


def drawn_move(moves: Sequence[int], visits: Sequence[float], temperature: float, rng: random.Random) -> int:
    """One of the moves, by their visits.

    Parameters
    ----------
    moves, visits : sequences
        What was looked at, and how often.
    temperature : float
        Above 0.
    rng : random.Random
        Draws.
    """
    most = max(visits)
    weights = [(number / most) ** (1 / temperature) for number in visits]
    return rng.choices(moves, weights)[0]
