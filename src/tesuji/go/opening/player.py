"""A trained player: its moves, and what it thinks of them."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tesuji.go.opening.features import FEATURE_SETS, FeatureSet
from tesuji.go.opening.task import MOVES_PER_SIDE, after_states
from tesuji.go.rules.board import Board
from tesuji.learning.td.network import Floats, ValueNetwork
from tesuji.learning.td.player_file import Header, PlayerFileError, read_player

__all__ = ["OpeningPlayer", "known_player"]

_LOGISTIC = 1.702  # times an argument, the logistic function is within 0.01 of the normal distribution's
_COMMAND = "tesuji learn opening"


class OpeningPlayer:
    """Plays and judges openings.

    Parameters
    ----------
    network : ValueNetwork
        What it has learnt.
    features : FeatureSet
        What it sees.
    width, height : int
        Of its board.
    moves_per_side : int
        How long an opening is.
    spread : float
        By how much outcomes lie off its predictions, in outputs.
    """

    def __init__(
        self,
        network: ValueNetwork,
        features: FeatureSet,
        *,
        width: int = 9,
        height: int = 9,
        moves_per_side: int = MOVES_PER_SIDE,
        spread: float = 0.5,
    ) -> None:
        self.network, self.features, self.moves_per_side = network, features, moves_per_side
        self.width, self.height = width, height
        self.spread = max(spread, 0.05)
        self.native = features.native()

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a player that ``tesuji learn opening`` has made.

        Raises
        ------
        PlayerFileError
            For a file that is none, or of another game.
        """
        name = Path(path).name
        header, training = read_player(path)
        if header.task.get("game") != "go":
            raise PlayerFileError(
                f"{name} is a player of {header.task.get('game', 'nothing')}, not of go: make one with '{_COMMAND}'"
            )
        features, width, height = _described(name, header)
        player = cls(
            training.network,
            features,
            width=width,
            height=height,
            moves_per_side=int(header.settings.get("moves", MOVES_PER_SIDE)),
            spread=training.spread or 0.5,
        )
        wanted = features.num_inputs(width * height)
        if training.network.num_inputs != wanted:
            raise PlayerFileError(
                f"{name} has {training.network.num_inputs} inputs, {features.name} on {width}x{height} needs {wanted}: "
                f"make one with '{_COMMAND} --features {features.letters} --size {width}'"
            )
        return player

    def check_size(self, board: Board, name: str) -> None:
        """Refuse a board of another size.

        Raises
        ------
        PlayerFileError
            With the command that makes the right player.
        """
        if (board.width, board.height) != (self.width, self.height):
            raise PlayerFileError(
                f"{name} plays on {self.width}x{self.height}, the board is {board.width}x{board.height}: "
                f"make one with '{_COMMAND} --size {board.width}'"
            )

    def is_opening(self, board: Board) -> bool:
        """Whether a board is still one that it has learnt about: its size, and not too many moves."""
        return (board.width, board.height) == (self.width, self.height) and board.num_moves < 2 * self.moves_per_side

    def values(self, board: Board) -> tuple[NDArray[np.int32], Floats]:
        """The legal points, and what the side to move may expect of each, -1..1."""
        after = after_states(board, self.native)
        return after.moves, self.network.values(after.inputs)

    def best(self, board: Board) -> tuple[int, float] | None:
        """Its move and the win rate that it expects, 0..1; None where there is no legal point."""
        moves, values = self.values(board)
        if len(moves) == 0:
            return None
        place = int(values.argmax())
        return int(moves[place]), float(self.win_rates(values[place]))

    def win_rates(self, values: Floats | np.float32) -> Floats:
        """Of whoever expects these outputs, 0..1: how likely a normal error leaves the outcome above 0."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * _LOGISTIC / self.spread * np.asarray(values)), dtype=np.float32)


def known_player(path: str) -> OpeningPlayer:
    """A player by its file, which is read again only if it has changed.

    Raises
    ------
    ValueError
        For a file that is not there, or is not a player.
    """
    try:
        changed_at = Path(path).stat().st_mtime_ns
    except OSError as error:
        raise PlayerFileError(f"{path}: {error.strerror}; make a player with '{_COMMAND}'") from error
    return _read(path, changed_at)


@lru_cache(maxsize=16)
def _read(path: str, changed_at: int) -> OpeningPlayer:
    del changed_at
    return OpeningPlayer.load(path)


def _described(name: str, header: Header) -> tuple[FeatureSet, int, int]:
    """The features and the size that a header names."""
    letters, _, representation = header.task.get("features", "").partition(" ")
    width, _, height = header.task.get("size", "").partition("x")
    if letters not in FEATURE_SETS or not (width.isdecimal() and height.isdecimal()):
        raise PlayerFileError(f"{name} does not say what it sees; make one with '{_COMMAND}'")
    size = int(width), int(height)
    if not all(1 <= lines <= 25 for lines in size) or not math.isfinite(header.spread):
        raise PlayerFileError(f"{name} is damaged: a board of {width}x{height}; make one with '{_COMMAND}'")
    return FeatureSet(letters=letters, representation=representation or "scalar"), *size  # type: ignore[arg-type]
