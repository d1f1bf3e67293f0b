"""What the Go engine thinks of moves before it has tried them. The features are in ``core/go/priors.hpp``.

Every feature that a move has votes for it or against it with a weight, in virtual visits; the prior is the mean of the
votes. docs/algorithms/go-priors.md tells each feature.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.board import Board
from tesuji.go.playouts import DEFAULT, PlayoutPolicy

__all__ = ["PriorWeights", "priors"]


class PriorWeights(msgspec.Struct, frozen=True, kw_only=True):
    """Weights of the features, in virtual visits; 0 turns one off.

    Attributes
    ----------
    even : float
        Undecided votes (one half) that every move has.
    capture, capture_stone : float
        For taking a chain in atari, and more for each of its stones up to ten.
    escape, escape_stone : float
        For saving an own chain in atari, likewise.
    failed_escape : float
        Against running into a ladder, or staying in atari.
    atari : float
        For putting a chain into atari.
    ladder, ladder_stone : float
        For doing so where it cannot get away.
    self_atari : float
        Against leaving the own chain with one liberty.
    pattern, pattern_near : float
        For a 3x3 pattern; beside the last move.
    distance : tuple of four floats
        For being 0, 1, 2 or 3 steps from the last move in the common fate graph.
    first_line, second_line : float
        Against the edge where nothing stands within two steps.
    third_line, centre : float
        For the third line there, and for the lines above it.
    urgent : float
        For what playouts would answer to the last move: nakade and low liberties.
    pass_ : float
        Against passing.
    """

    even: float = 10.0
    capture: float = 15.0
    capture_stone: float = 2.0
    escape: float = 12.0
    escape_stone: float = 2.0
    failed_escape: float = 12.0
    atari: float = 4.0
    ladder: float = 14.0
    ladder_stone: float = 2.0
    self_atari: float = 14.0
    pattern: float = 4.0
    pattern_near: float = 6.0
    distance: tuple[float, float, float, float] = (0.0, 6.0, 4.0, 2.0)
    first_line: float = 8.0
    second_line: float = 4.0
    third_line: float = 3.0
    centre: float = 3.0
    urgent: float = 8.0
    pass_: float = 15.0

    def __post_init__(self) -> None:
        for name, value in msgspec.structs.asdict(self).items():
            for weight in value if isinstance(value, tuple) else (value,):
                if not isinstance(weight, int | float) or not 0 <= weight <= 1e6:
                    raise ValueError(f"the prior weight {name} is {weight!r}; it must lie in 0..1,000,000")
        if self.even == 0:
            raise ValueError("the prior weight even is 0; a move without features needs some votes")

    def native(self) -> _native.PriorWeights:
        """The weights as the core takes them."""
        weights = _native.PriorWeights()
        for name, value in msgspec.structs.asdict(self).items():
            setattr(weights, name, list(value) if isinstance(value, tuple) else value)
        return weights


def priors(
    board: Board, weights: PriorWeights | None = None, policy: PlayoutPolicy = DEFAULT
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The legal moves of the side to move and the prior of each, 0..1; the policy brings the patterns."""
    moves = board.legal_moves()
    known = _native.Knowledge(policy.native(board.width * board.height), (weights or PriorWeights()).native())
    return moves, np.array(_native.priors(board, known, [int(move) for move in moves]), dtype=np.float32)
