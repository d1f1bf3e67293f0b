"""Opponents from beginner to full strength.

A level is a number of simulations and a temperature. A weak level does not make moves that nobody would think of: it
thinks briefly, so that it overlooks things, and chooses among the moves it has considered, the more visited ones more
often. With temperature T a move is drawn with a weight of visits^(1/T); T = 0 is the engine's own choice, at Go with
its network where that can be run, and with simulations that take the same time. How the levels do against each other is
in docs/results/web.md.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

__all__ = ["LEVELS", "Level", "drawn_move", "level_named"]


class Level(msgspec.Struct, frozen=True):
    """How strong an opponent is.

    Attributes
    ----------
    name : str
        By which pages choose it.
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
    """The level of that name.

    Raises
    ------
    ValueError
        If there is none.
    """
    for level in LEVELS:
        if level.name == name:
            return level
    raise ValueError(f"there is no level {name[:40]!r}; choose from {', '.join(level.name for level in LEVELS)}")


def drawn_move(moves: Sequence[int], visits: Sequence[int], temperature: float, rng: random.Random) -> int:
    """One of the moves, by their visits.

    Parameters
    ----------
    moves, visits : sequences
        The most visited first.
    temperature : float
        Above 0.
    rng : random.Random
        Who draws.
    """
    most = max(visits)
    weights = [(number / most) ** (1 / temperature) for number in visits]
    return rng.choices(moves, weights)[0]
