"""Connect Four twice more, as models for games of your own: as functions to be compiled, and as a plain class.

The third way is native, `tesuji.games.Connect4`. All three list their moves in the same order and agree move for move.

A position is two whole numbers of 49 bits, one for each player's discs: seven bits a column, the lowest disc first; the
seventh bit stays empty, so that lines do not run from one column into the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tesuji.games.compiled import CompiledGame

__all__ = ["PlainConnect4", "compiled_connect4"]

# Compiled from Python -------------------------------------------------------------------------------------------------

STATE = np.dtype([("discs", np.int64, 2), ("to_play", np.int64), ("num_discs", np.int64), ("has_line", np.bool_)])


def legal_moves(state: Any, moves: Any) -> int:
    """Write the columns that are not full, from the left; return how many there are."""
    taken = state.discs[0] | state.discs[1]
    count = 0
    for column in range(7):
        if not taken >> (7 * column + 5) & 1:
            moves[count] = column
            count += 1
    return count


def play(state: Any, column: int) -> None:
    """Drop a disc: adding one at the foot of a column carries up to its first free bit."""
    taken = state.discs[0] | state.discs[1]
    own = state.discs[state.to_play] | (taken + (1 << 7 * column)) & (127 << 7 * column)
    state.discs[state.to_play] = own
    state.has_line = has_four_in_line(own)
    state.num_discs += 1
    state.to_play = 1 - state.to_play


def has_four_in_line(discs: int) -> bool:
    """Up, across, and along both diagonals: two neighbours that have two such neighbours two steps further."""
    up, across, falling, rising = discs & discs >> 1, discs & discs >> 7, discs & discs >> 6, discs & discs >> 8
    return (up & up >> 2 | across & across >> 14 | falling & falling >> 12 | rising & rising >> 16) != 0


def is_over(state: Any) -> bool:
    """A line, or a full board."""
    return bool(state.has_line or state.num_discs == 42)


def value(state: Any) -> float:
    """Who moved last made the line."""
    if not state.has_line:
        return 0.5
    return 1.0 if state.to_play == 1 else 0.0


def compiled_connect4() -> CompiledGame:
    """Connect Four, compiled from the functions above."""
    return CompiledGame(STATE, num_distinct_moves=7, legal_moves=legal_moves, play=play, is_over=is_over, value=value)


# Plain Python ---------------------------------------------------------------------------------------------------------


class PlainConnect4:
    """Connect Four as a plain object with the members of `tesuji.games.Game`."""

    num_distinct_moves = 7

    def __init__(self) -> None:
        self.discs = [0, 0]
        self.to_play = 0
        self.num_discs = 0
        self.has_line = False

    @property
    def is_over(self) -> bool:
        """A line, or a full board."""
        return self.has_line or self.num_discs == 42

    @property
    def value(self) -> float:
        """Who moved last made the line."""
        return 0.5 if not self.has_line else float(self.to_play == 1)

    def legal_moves(self) -> list[int]:
        """The columns that are not full."""
        taken = self.discs[0] | self.discs[1]
        return [] if self.is_over else [column for column in range(7) if not taken >> (7 * column + 5) & 1]

    def play(self, column: int) -> None:
        """Drop a disc."""
        taken = self.discs[0] | self.discs[1]
        self.discs[self.to_play] |= (taken + (1 << 7 * column)) & (127 << 7 * column)
        self.has_line = has_four_in_line(self.discs[self.to_play])
        self.num_discs += 1
        self.to_play = 1 - self.to_play

    def copy(self) -> PlainConnect4:
        """A state that goes its own way."""
        twin = PlainConnect4()
        twin.discs = list(self.discs)
        twin.to_play, twin.num_discs, twin.has_line = self.to_play, self.num_discs, self.has_line
        return twin

    def key(self) -> int:
        """The discs of both players tell the rest."""
        return hash((self.discs[0], self.discs[1]))
