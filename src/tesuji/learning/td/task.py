"""What is learnt: which games are played, what is seen of a position, what an end is worth.

A task is all that the trainer knows of a game. `tesuji.learning.td.games` makes one of any game of the library and a
function that describes positions; Go's opening is `tesuji.go.opening.task`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji.learning.td.network import Floats

__all__ = ["AfterStates", "OutcomeError", "Task"]


class AfterStates(NamedTuple):
    """The positions one move later."""

    moves: NDArray[np.int32]
    """Shape (n,)."""
    inputs: Floats
    """What the mover sees after each, shape (n, num_inputs)."""
    known: Floats | None = None
    """What the mover has won where a move ends the game, -1..1, and NaN where it does not; None: no move does."""


class OutcomeError(Exception):
    """Whoever says what an end is worth has failed; the game is played again."""


class Task(Protocol):
    """Games to learn from. A state is a `tesuji.games.Game`; the trainer asks who is to play, and plays."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What weights belong to: the game, its size, the features."""
        ...

    @property
    def command(self) -> str:
        """How to make a player for this task: what a message recommends."""
        ...

    @property
    def num_inputs(self) -> int:
        """Of a position."""
        ...

    @property
    def unit(self) -> float:
        """How many points an output of 1 is."""
        ...

    def begin(self) -> Any:
        """A new game."""
        ...

    def is_done(self, state: Any) -> bool:
        """Whether no more moves are made: `outcome` says what the state is worth."""
        ...

    def moves(self, state: Any) -> NDArray[np.int32]:
        """The moves that may be made, shape (n,); at least one."""
        ...

    def after_states(self, state: Any) -> AfterStates:
        """What each move leads to."""
        ...

    def outcome(self, state: Any, seed: int) -> float:
        """What a state without further moves is worth to the first player, in points; more than 0: won.

        Raises
        ------
        OutcomeError
            If that could not be found out.
        """
        ...
