"""Any game of the library as a task: whole games, and a function of yours that describes positions.

The function is called with a game and a player, 0 or 1, and returns numbers: what the position looks like to that
player, who has just moved. It is asked for every move of every position, so it should be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji.games.catalogue import make_game
from tesuji.games.own import function_named
from tesuji.learning.td.network import Floats
from tesuji.learning.td.task import AfterStates

__all__ = ["Features", "GameTask"]

Features: TypeAlias = Callable[[Any, int], Sequence[float] | NDArray[Any]]
"""From a game and the player who has just moved to what that player sees."""


class GameTask:
    """Whole games; won, drawn and lost are 1, 0 and -1 point.

    Parameters
    ----------
    game : str
        Of `tesuji.games`, or of your own: ``mygame.py:MyGame``.
    features : callable or str
        Describes positions; ``myfeatures.py:stones`` names a function in a file.
    size : int, optional
        Of the board, where the game has sizes.

    Raises
    ------
    ValueError
        For a game, a size or a function that does not exist, and for features that are not numbers.
    """

    unit = 1.0

    def __init__(self, game: str, features: Features | str, size: int | None = None) -> None:
        self.game, self.size = game, size
        self.features_name = features if isinstance(features, str) else getattr(features, "__name__", "features")
        self._features = function_named(features) if isinstance(features, str) else features
        self._start = make_game(game, size)
        after = self._start.copy()
        after.play(next(iter(after.legal_moves())))
        self._num_inputs = len(self._seen(after, self._start.to_play))

    @property
    def identity(self) -> dict[str, str]:
        """The game, its size, the features."""
        size = {} if self.size is None else {"size": str(self.size)}
        return {"game": self.game, **size, "features": self.features_name}

    @property
    def command(self) -> str:
        """What makes a player."""
        size = "" if self.size is None else f" --size {self.size}"
        return f"tesuji learn player {self.game}{size} --features {self.features_name}"

    @property
    def num_inputs(self) -> int:
        """As many as the function returns."""
        return self._num_inputs

    def begin(self) -> Any:
        """A new game."""
        return self._start.copy()

    def is_done(self, state: Any) -> bool:
        """At the end of the game."""
        return bool(state.is_over)

    def moves(self, state: Any) -> NDArray[np.int32]:
        """All legal moves."""
        return np.fromiter(state.legal_moves(), dtype=np.int32)

    def after_states(self, state: Any) -> AfterStates:
        """All legal moves, what the function makes of the positions after them, and which of them end the game."""
        player, moves = state.to_play, self.moves(state)
        inputs = np.empty((len(moves), self._num_inputs), dtype=np.float32)
        known = np.full(len(moves), np.nan, dtype=np.float32)
        for place, move in enumerate(moves.tolist()):
            after = state.copy()
            after.play(move)
            inputs[place] = self._seen(after, player)
            if after.is_over:
                known[place] = self.outcome(after, 0) * (1 if player == 0 else -1)
        return AfterStates(moves, inputs, known)

    def outcome(self, state: Any, seed: int) -> float:
        """What the game says; nothing is random about it."""
        del seed
        return 2.0 * float(state.value) - 1.0

    def _seen(self, state: Any, player: int) -> Floats:
        seen = np.asarray(self._features(state, player), dtype=np.float32)
        known = getattr(self, "_num_inputs", seen.size)
        if seen.shape != (known,) or known == 0:
            raise ValueError(
                f"{self.features_name} returned numbers of shape {seen.shape}; "
                f"it must return a list of numbers, as many as for every position{f' ({known})' if known else ''}"
            )
        if not np.isfinite(seen).all():
            raise ValueError(f"{self.features_name} returned a number that is infinite or none; inputs are finite")
        return seen
