"""What a search for one player finds: a solution, and when each improvement came."""

from __future__ import annotations

import msgspec

from tesuji._core import search as _native

__all__ = ["Improvement", "Solution"]


class Solution(msgspec.Struct, frozen=True):
    """A complete sequence of moves.

    Attributes
    ----------
    value : float
        The game's value after them.
    moves : tuple of int
        From the starting state to the end.
    """

    value: float
    moves: tuple[int, ...]

    @classmethod
    def of(cls, native: _native.Solution) -> Solution:
        """The same as the core has it."""
        return cls(native.value, tuple(native.moves))


class Improvement(msgspec.Struct, frozen=True):
    """A new best value.

    Attributes
    ----------
    seconds : float
        Since the beginning.
    simulations : int
        Since the beginning; with several threads as far as they were counted.
    value : float
        Better than all before.
    """

    seconds: float
    simulations: int
    value: float
