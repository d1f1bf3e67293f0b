"""What a trained player tells the search: values and priors of leaves, through the evaluator's seam.

A leaf's value is the player's win rate for the position as it stands; how much it counts beside a playout is the search
config's ``evaluation.weight``. The prior of a move is mixed by the same weight from the engine's own
(`tesuji.go.knowledge.priors`) and the player's: exp((value - best value) / spread), 1 for its best move.

What an evaluator sees of a leaf (`tesuji.search.evaluator.LeafBatch`) has no captures in it: they follow from the
stones and from whose turn it is, as long as nobody has passed since the root. Superko is left to the search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.opening.player import OpeningPlayer
from tesuji.go.rules.board import Board, Position
from tesuji.learning.td.network import Floats
from tesuji.search.evaluator import LeafBatch

__all__ = ["OpeningEvaluator"]

_OWN, _OTHERS, _LAST, _BEFORE, _KO = 0, 1, 10, 11, 14  # planes: core/go/planes.hpp


class OpeningEvaluator:
    """Judges the leaves of one search.

    Parameters
    ----------
    player : OpeningPlayer
        Whose judgement it is.
    root : Board
        Where the search begins.
    weight : float
        Of the player's priors beside the engine's, 0..1.
    priors : PriorWeights or None
        The engine's; None: the player's alone.
    """

    def __init__(self, player: OpeningPlayer, root: Board, weight: float, priors: PriorWeights | None) -> None:
        self._player, self._weight, self._komi = player, weight, root.komi
        self._shape = root.height, root.width
        self._own_priors = None if priors is None else priors.native()
        black, white = ((root.grid == color).sum() for color in (1, 2))
        self._margin = root.captured(2) - root.captured(1) - _margin_by_stones(int(black), int(white), root.to_play)

    def __call__(self, batch: LeafBatch) -> tuple[Floats, Floats]:
        """Values and priors of a batch."""
        leaves = [self._leaf(planes, int(mover)) for planes, mover in zip(batch.states, batch.to_play, strict=True)]
        network = self._player.network
        rows = [inputs for _, _, inputs in leaves]
        outputs = np.split(network.values(np.concatenate(rows)), np.cumsum([len(row) for row in rows])[:-1])
        values = np.empty(len(batch), np.float32)
        priors = np.zeros((len(batch), self._shape[0] * self._shape[1] + 1), np.float32)
        for i, (position, moves, _) in enumerate(leaves):
            # The last row is the position as it stands, seen by whoever has just moved.
            of_mover = self._player.win_rates(-outputs[i][-1])
            values[i] = of_mover if batch.to_play[i] == 0 else 1 - of_mover
            priors[i] = self._mixed(position, batch.states[i], moves, outputs[i][:-1])
        return values, priors

    def _leaf(self, planes: NDArray[np.uint8], mover: int) -> tuple[Position, NDArray[np.int32], Floats]:
        """The position, its moves, and the inputs after each of them; the last row is of the position itself."""
        own, others = planes[_OWN], planes[_OTHERS]
        colors = own + 2 * others if mover == 0 else 2 * own + others
        ko = np.flatnonzero(planes[_KO])
        position = Position(self._shape[1], self._shape[0], colors.tobytes(), mover + 1, int(ko[0]) if len(ko) else -1)
        black, white = (own, others) if mover == 0 else (others, own)
        margin = self._margin + _margin_by_stones(int(black.sum()), int(white.sum()), mover)
        points = (margin - self._komi) * (1 if mover == 0 else -1)
        features = self._player.native
        moves, inputs = _native.opening_after_states(position, None, points, features)
        itself = _native.opening_inputs(position, 2 - mover, -points, features)
        return position, moves, np.concatenate([inputs, itself[None]])

    def _mixed(
        self, position: Position, planes: NDArray[np.uint8], moves: NDArray[np.int32], outputs: Floats
    ) -> Floats:
        """Priors of all moves that exist."""
        priors = np.zeros(self._shape[0] * self._shape[1] + 1, np.float32)
        if len(moves):
            priors[moves] = np.exp((outputs - outputs.max()) / self._player.spread)
        if self._own_priors is None or self._weight == 1:
            return priors
        board = _with_last_moves(position, planes)
        asked = [*moves.tolist(), board.pass_move]
        known = _native.priors(board, self._own_priors, asked)
        priors *= self._weight
        priors[asked] += np.float32(1 - self._weight) * np.asarray(known, np.float32)
        return np.clip(priors, 0, 1)


def _margin_by_stones(black: int, white: int, mover: int) -> int:
    """White stones captured minus black ones, if the players have moved in turn: what is not on the board is taken."""
    return black - white - mover


def _with_last_moves(position: Position, planes: NDArray[np.uint8]) -> Board:
    """A board with the stones of a leaf and its last two moves, which the engine's priors look at."""
    stones = position.grid.copy()
    replayed = []
    for plane in (_BEFORE, _LAST):
        for point in np.flatnonzero(planes[plane]).tolist():
            if color := int(stones.flat[point]):  # it may have been taken since
                stones.flat[point] = 0
                replayed.append((point, color))
    try:
        board = Position(position.width, position.height, stones.tobytes(), position.native_to_play).board()
        for point, color in replayed:
            board.play(point, color)
    except ValueError:  # without them a chain would have no liberty: then without a history
        board = position.board()
    if board.native_to_play != position.native_to_play:
        board.color_to_play = position.native_to_play
    return board
