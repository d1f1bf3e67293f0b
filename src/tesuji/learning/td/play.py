"""Games in which nothing is learnt: a trained player makes its best moves, uniform play any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tesuji.learning.td.network import Floats, ValueNetwork
from tesuji.learning.td.task import AfterStates, Task

__all__ = ["Mover", "best_moves", "play_game", "points_of", "uniform_moves", "values_of"]

Mover: TypeAlias = Callable[[Any, np.random.Generator], int]
"""From a state to a move."""


def best_moves(task: Task, network: ValueNetwork) -> Mover:
    """The moves of a network that sees what this task shows: its best ones."""

    def choose(state: Any, rng: np.random.Generator) -> int:
        del rng
        after = task.after_states(state)
        return int(after.moves[values_of(after, network).argmax()])

    return choose


def values_of(after: AfterStates, network: ValueNetwork) -> Floats:
    """What the mover may expect of each move: what is known where it ends the game, else what the network says."""
    values = network.values(after.inputs)
    return values if after.known is None else np.where(np.isnan(after.known), values, after.known)


def uniform_moves(task: Task) -> Mover:
    """Any move that the task allows, all equally likely."""
    return lambda state, rng: int(rng.choice(task.moves(state)))


def play_game(task: Task, movers: tuple[Mover, Mover], rng: np.random.Generator) -> float:
    """One game; the first player's points at its end. What the movers see is their own affair.

    Raises
    ------
    OutcomeError
        If nobody could say what the game was worth.
    """
    state = task.begin()
    while not task.is_done(state):
        state.play(movers[state.to_play](state, rng))
    return task.outcome(state, int(rng.integers(2**31)))


def points_of(margin: float) -> float:
    """What a game is worth to the player with this margin: 1, 0.5 or 0."""
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))
