"""The engine's memory of positions: what simulations found out, for later moves and games (the BTT-Go paper).

`PositionMemory` says how it is used, and is part of `EngineConfig`; `Remembered` is the memory itself, which an engine
keeps from move to move and from game to game. Which positions are known and what follows is
`tesuji.search.playouts.StopAtKnown`; ``docs/algorithms/transposition-memory.md`` tells the whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tesuji.search.frozen import Frozen
from tesuji.search.playouts import BackUp, KnownPositions, Learns, StopAtKnown, StopCounts

__all__ = ["PositionMemory", "Remembered"]


class PositionMemory(Frozen, frozen=True, kw_only=True):
    """How the engine remembers positions; see `tesuji.search.playouts.StopAtKnown`.

    Attributes
    ----------
    megabytes : int
        Of the table of known positions; 0: none, and nothing below has a meaning.
    weight : int
        How many results make a position known, at least 1.
    priors : bool
        Whether the value of a known position is the prior of the move to it.
    stops : bool
        Whether a playout ends at a known position.
    back_up : {"value", "visits"}
        What a playout that was stopped is worth: the known value, or a visit that changes no mean.
    learns : {"all", "playouts", "tree", "nothing"}
        Whose positions a simulation's result is added to.
    punishment : float
        The share of its value that the table's best position loses where the playout wants another move, 0..1.
    filling : float
        The memory is used once more than this share of the board at the root has stones, 0..1.
    file : str or None
        Where it outlives the program: read when a game begins, if it is there, and written when one ends; of one
        board size, rule set and komi.
    """

    megabytes: int = 0
    weight: int = 16
    priors: bool = True
    stops: bool = True
    back_up: BackUp = "value"
    learns: Learns = "all"
    punishment: float = 0.0
    filling: float = 0.5
    file: str | None = None

    def _check(self) -> None:
        if not 0 <= self.megabytes <= 1 << 15:
            raise ValueError(f"known is {self.megabytes} MB; it must lie in 0..{1 << 15}, and 1 is the smallest table")
        if not 1 <= self.weight < 2**32:
            raise ValueError(f"known_weight is {self.weight}; it must lie in 1..2**32-1")
        for name, share in (("known_punishment", self.punishment), ("known_filling", self.filling)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is {share}; it must lie in 0..1")
        if self.file is not None and not self.megabytes:
            raise ValueError("known_file keeps a memory that there is not; give known=MB")

    def playouts(self, positions: KnownPositions) -> StopAtKnown:
        """What a search plays out with."""
        return StopAtKnown(
            positions=positions,
            min_weight=self.weight,
            stops=self.stops,
            learns=self.learns,
            gives_priors=self.priors,
            back_up=self.back_up,
            punishment=self.punishment,
            least_filling=self.filling,
        )


class Remembered:
    """The memory of one engine.

    A new size of board, rule set or komi begins with an empty one: the value of a position is that of its game.

    Parameters
    ----------
    config : PositionMemory
        How it is used; ``megabytes`` is not 0.
    """

    def __init__(self, config: PositionMemory) -> None:
        self.config = config
        self.positions = KnownPositions.of_size(config.megabytes)
        self.playouts = config.playouts(self.positions)
        self._identity: dict[str, str] | None = None
        self._board: Any = None

    @property
    def counts(self) -> StopCounts:
        """What the playouts of all its searches did while it was in use."""
        return self.playouts.counts

    def begin(self, board: Any) -> None:
        """A search of this board begins; the file is read if it is the first of its game.

        Raises
        ------
        ValueError
            For a file that holds no memory of this game.
        """
        if self._identity == board.identity:
            return
        self.positions.clear()
        file = self.config.file
        if file is not None and Path(file).exists():
            self.positions.load(file, board)
        self._identity, self._board = board.identity, board.copy()

    def save(self) -> None:
        """Write the file, if there is to be one and anything is known."""
        if self.config.file is not None and self._board is not None:
            self.positions.save(self.config.file, self._board)
