"""Playouts that learn: what their tables hold, and how large they are (Basaldúa, 4.7).

A policy learns if one of its rules is ``edge`` or ``node``: the first plays the best known answer to the last move, the
second the best known move near it, each where the surroundings are as they were when it was learnt. The tables belong
to a game in a search; `tesuji.go.knowledge.playouts` has the policies, docs/algorithms/learning-playouts.md the whole.
"""

from __future__ import annotations

from pathlib import Path

from tesuji._core import go as _native
from tesuji.go.knowledge.contexts import CONTEXT_SIZES
from tesuji.search.frozen import Frozen

__all__ = ["Learning", "LearntMoves"]


class Learning(Frozen, frozen=True, kw_only=True):
    """How playouts learn.

    Attributes
    ----------
    context_size : int
        So many neighbours make the surroundings of a move: 4, 8, 12, 20, 24, 28, 36 or 40 (Basaldúa: 40 or 24).
    neighbours : int
        So many points around the last move are looked at for node moves; the same choices (Basaldúa: 20).
    best : int
        So many answers to a move in its surroundings are kept for edge moves, 1..64 (Basaldúa: 8 or 16).
    updates : int
        So many moves of a playout, from its first on, are learnt from, 0..4096 (Basaldúa: 80).
    illegal_limit : int
        An answer that was illegal so often in a row makes room for another, 1..255.
    node_threshold, edge_threshold : float
        From which rate of wins on such moves are played, above 0 and below 1 (Basaldúa: 1/2 and 125/200).
    balances : bool
        Whether the thresholds of black and white part until both find as many moves.
    kept : bool
        Whether what was learnt stays from one move of the game to the next.
    fate_limit : int
        Nothing is learnt about moves farther from the last one than this in the root's common fate graph; 0: no limit.
    memory_mb : float
        Of the tables; it decides how many bits of a context they tell apart.
    """

    context_size: int = 40
    neighbours: int = 20
    best: int = 8
    updates: int = 80
    illegal_limit: int = 16
    node_threshold: float = 0.5
    edge_threshold: float = 0.625
    balances: bool = True
    kept: bool = True
    fate_limit: int = 0
    memory_mb: float = 4.0

    def _check(self) -> None:
        for name in ("context_size", "neighbours"):
            if getattr(self, name) not in CONTEXT_SIZES:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose from {', '.join(map(str, CONTEXT_SIZES))}")
        ranges = {"best": (1, 64), "updates": (0, 4096), "illegal_limit": (1, 255), "fate_limit": (0, 254)}
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name} is {value!r}; it must be a whole number in {low}..{high:,}")
        for name in ("node_threshold", "edge_threshold"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must lie above 0 and below 1")
        if not 0 < self.memory_mb <= 65_536:
            raise ValueError(f"memory_mb is {self.memory_mb!r}; it must lie above 0 and be at most 65,536")

    def native(self) -> _native.LearningOptions:
        """The options as the core takes them."""
        options = _native.LearningOptions()
        options.context_size = self.context_size
        options.num_neighbours = self.neighbours
        options.num_best = self.best
        options.num_updates = self.updates
        options.illegal_limit = self.illegal_limit
        options.node_threshold = self.node_threshold
        options.edge_threshold = self.edge_threshold
        options.balances = self.balances
        options.is_kept = self.kept
        options.fate_limit = self.fate_limit
        options.memory = int(self.memory_mb * 2**20)
        return options

    def check_board(self, width: int, height: int) -> None:
        """Refuse a memory that is too small for a board.

        Raises
        ------
        ValueError
            With the smallest that works.
        """
        least = _native.LearningTables.least_memory(width * height, self.best) / 2**20
        if self.native().memory < least * 2**20:
            raise ValueError(
                f"memory_mb is {self.memory_mb:g}, which does not hold one bit of context on {width}x{height}; "
                f"the smallest that works is {-(-least * 1000 // 1) / 1000:g}"
            )


class LearntMoves:
    """What the playouts of one game have learnt.

    Parameters
    ----------
    width, height : int
        Of the board.
    learning : Learning
        How large the tables are, and the rest.
    """

    def __init__(self, width: int, height: int, learning: Learning) -> None:
        learning.check_board(width, height)
        self.learning = learning
        self._tables = _native.LearningTables(width, height, learning.native())

    @property
    def node_bits(self) -> int:
        """So many bits of a context are told apart for node moves."""
        return self._tables.node_bits

    @property
    def edge_bits(self) -> int:
        """So many bits of both contexts are told apart for edge moves."""
        return self._tables.edge_bits

    @property
    def num_bytes(self) -> int:
        """What the tables take."""
        return self._tables.num_bytes

    @property
    def num_playouts(self) -> int:
        """How many were counted."""
        return self._tables.num_playouts

    @property
    def offsets(self) -> tuple[int, int]:
        """By how many states black's thresholds for node and edge moves lie above the middle, and white's below it."""
        return self._tables.offsets()

    def counts(self) -> list[int]:
        """How many moves came from each of `tesuji.go.knowledge.playouts.ORIGINS`."""
        return self._tables.origins()

    def forget_counts(self) -> None:
        """Begin to count moves and playouts anew; what was learnt stays."""
        self._tables.forget_counts()

    def clear(self) -> None:
        """Forget what was learnt."""
        self._tables.clear()

    def save(self, path: Path | str) -> Path:
        """Write the tables into a file, which is replaced when the new one is complete."""
        path = Path(path)
        unfinished = path.with_name(f"{path.name}.unfinished")
        unfinished.write_bytes(self._tables.save())
        unfinished.replace(path)
        return path

    def load(self, path: Path | str) -> None:
        """Take what a file holds; ValueError, and nothing is changed, for one of other tables or another board size."""
        try:
            self._tables.load(Path(path).read_bytes())
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def native(self) -> _native.LearningTables:
        """The core's tables."""
        return self._tables
