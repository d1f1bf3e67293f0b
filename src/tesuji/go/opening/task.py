"""Openings to learn from: some moves each by the network, then an expert says what the position is worth.

Section 3.2 of Huang, Connell and McQuade (2003): on 9x9 boards ten moves a side, which GNU Go finishes for both. An
expert is whoever finishes: `PlayoutExpert` here, the engine in `tesuji.go.engine.expert`, and programs that speak GTP
in `tesuji.experiments.players.expert`.

Passes are not moves of an opening: whoever is to move chooses among the points that are legal.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.opening.features import FeatureSet
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.learning.td.task import AfterStates

__all__ = ["KOMI", "MOVES_PER_SIDE", "Expert", "OpeningTask", "PlayoutExpert", "after_states", "points_off_board"]

MOVES_PER_SIDE = 10
"""On 9x9, as published."""
KOMI = 5.5
"""As published."""


class Expert(Protocol):
    """Whoever finishes a game."""

    @property
    def name(self) -> str:
        """As a command line names it."""
        ...

    def score(self, board: Board, seed: int) -> float:
        """Black's points minus White's, komi included, at the end of the game that begins here.

        Raises
        ------
        OutcomeError
            If it fails; the game is then played again.
        """
        ...


class PlayoutExpert:
    """The mean score of playouts by the engine's rules: quick, and no judge of life and death."""

    def __init__(self, playouts: int = 100) -> None:
        if not 1 <= playouts <= 1_000_000:
            raise ValueError(f"playouts is {playouts}; it must lie in 1..1000000")
        self._playouts = playouts

    @property
    def name(self) -> str:
        """``playouts:100``."""
        return f"playouts:{self._playouts}"

    def score(self, board: Board, seed: int) -> float:
        """Play them."""
        margins, _ = _native.run_playouts(board, DEFAULT.native(board.num_points), self._playouts, seed)
        return float(margins.mean()) - board.komi


class OpeningTask:
    """Openings of Go.

    Parameters
    ----------
    features : FeatureSet
        What the network sees.
    expert : Expert
        Says what the position after the opening is worth.
    size : int
        Lines of the board.
    moves_per_side : int
        How long an opening is.
    komi : float
        Points for White.
    """

    def __init__(
        self,
        features: FeatureSet,
        expert: Expert,
        *,
        size: int = 9,
        moves_per_side: int = MOVES_PER_SIDE,
        komi: float = KOMI,
    ) -> None:
        if not 1 <= moves_per_side <= 1000:
            raise ValueError(f"moves_per_side is {moves_per_side}; it must lie in 1..1000")
        self.features, self.expert, self.moves_per_side = features, expert, moves_per_side
        self._start = Board(size, komi=komi)
        self._native = features.native()

    @property
    def identity(self) -> dict[str, str]:
        """The game, its size, the features."""
        size = f"{self._start.width}x{self._start.height}"
        return {"game": "go", "size": size, "features": self.features.name}

    @property
    def settings(self) -> dict[str, str]:
        """What else a training is about."""
        return {"expert": self.expert.name, "moves": str(self.moves_per_side), "komi": f"{self._start.komi:g}"}

    @property
    def command(self) -> str:
        """What makes a player."""
        features = self.features
        chosen = "" if features.letters == "A" else f" --representation {features.representation}"
        return f"tesuji learn opening --features {features.letters}{chosen} --size {self._start.width}"

    @property
    def num_inputs(self) -> int:
        """Of a position."""
        return self.features.num_inputs(self._start.num_points)

    @property
    def unit(self) -> float:
        """All points of the board."""
        return float(self._start.num_points)

    def begin(self) -> Board:
        """An empty board."""
        return self._start.copy()

    def is_done(self, state: Board) -> bool:
        """After so many moves a side, and where no point is legal."""
        return state.num_moves >= 2 * self.moves_per_side or len(state.native_legal_moves()) == 1

    def moves(self, state: Board) -> NDArray[np.int32]:
        """All legal points."""
        return state.native_legal_moves()[:-1]

    def after_states(self, state: Board) -> AfterStates:
        """All legal points, and what the mover sees after each."""
        return after_states(state, self._native)

    def outcome(self, state: Board, seed: int) -> float:
        """What the expert says."""
        return self.expert.score(state, seed)


def points_off_board(board: Board, color: int) -> float:
    """A colour's points that are not on the board: captures, and komi."""
    captures = board.captured(3 - color) - board.captured(color)
    return captures + (board.komi if color == Color.WHITE else -board.komi)


def after_states(board: Board, features: _native.OpeningFeatures) -> AfterStates:
    """All legal points, and the inputs of the positions after them."""
    color = board.native_to_play
    points = board.native_legal_moves()[:-1]  # the last one is a pass
    points_off = points_off_board(board, color)
    return AfterStates(*_native.opening_after_states(board.snapshot(), points.tolist(), points_off, features))
