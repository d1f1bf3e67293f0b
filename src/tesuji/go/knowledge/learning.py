"""Playouts that learn: what their tables hold, and how large they are (Basaldúa, 4.7).

A policy learns if one of its rules is ``edge`` or ``node``: the first plays the best known answer to the last move, the
second the best known move near it, each where the surroundings are as they were when it was learnt. The tables belong
to a game in a search; `tesuji.go.knowledge.playouts` has the policies, docs/algorithms/learning-playouts.md the whole.
"""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.contexts import CONTEXT_SIZES, board_contexts
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.search.frozen import Frozen
from tesuji.search.searcher import Statistics
from tesuji.writing import write_whole

__all__ = ["LEAST_VISITS", "Learning", "LearntMoves"]

LEAST_VISITS = 10
"""From which on the tree says something about a move."""


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
    alpha : float
        How doubtful a rate may be, above 0 and below 1: states are ordered by the bound of the interval that holds with
        probability ``1 - alpha``, so a small one wants more than a single win (`tesuji.learning.WinLossStates`).
    relative : bool
        Whether thresholds are counted from what a colour wins on the whole: 0.5 is then as good as its moves are on
        average, 0.6 a tenth better.
    balances : bool
        Whether the thresholds of black and white part until both find as many moves.
    kept : bool
        Whether what was learnt stays from one move of the game to the next.
    fate_limit : int
        Nothing is learnt about moves farther from the last one than this in the root's common fate graph; 0: no limit.
    tree_nodes : int
        So many nodes of the tree, the most visited ones, teach a second layer of tables whenever the engine comes to a
        new position; playouts ask it first and never change it (Basaldúa, 7.3.1). 0: there is none.
    memory_mb : float
        Of the tables; it decides how many bits of a context they tell apart. A second layer takes as much again.
    """

    context_size: int = 40
    neighbours: int = 20
    best: int = 8
    updates: int = 80
    illegal_limit: int = 16
    node_threshold: float = 0.5
    edge_threshold: float = 0.625
    alpha: float = 0.5
    relative: bool = False
    balances: bool = True
    kept: bool = True
    fate_limit: int = 0
    tree_nodes: int = 0
    memory_mb: float = 4.0

    def _check(self) -> None:
        for name in ("context_size", "neighbours"):
            if getattr(self, name) not in CONTEXT_SIZES:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose from {', '.join(map(str, CONTEXT_SIZES))}")
        ranges = {
            "best": (1, 64),
            "updates": (0, 4096),
            "illegal_limit": (1, 255),
            "fate_limit": (0, 254),
            "tree_nodes": (0, 1_000_000),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name} is {value!r}; it must be a whole number in {low}..{high:,}")
        for name in ("node_threshold", "edge_threshold", "alpha"):
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
        options.z = NormalDist().inv_cdf(1 - self.alpha / 2)
        options.is_relative = self.relative
        options.balances = self.balances
        options.is_kept = self.kept
        options.fate_limit = self.fate_limit
        options.has_tree_layer = self.tree_nodes > 0
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

    def teach_from_tree(self, board: Board, known: Statistics) -> int:
        """Teach the second layer what nodes of a tree know: their moves, as answers to what led there too.

        A move counts from `LEAST_VISITS` visits on; its record is that of its mean and its visits, cut to the scale.

        Parameters
        ----------
        board : Board
            The position of the tree's root; it stays as it is.
        known : dict
            As `Search.statistics` gives it.

        Returns
        -------
        int
            How many moves were taught.

        Raises
        ------
        ValueError
            If there is no second layer (``tree_nodes``).
        """
        if self.learning.tree_nodes == 0:
            raise ValueError("tree_nodes is 0, so there is no second layer to teach; give it a number of nodes")
        count = 0
        for path, edges in known.items():
            moves, visits, sums = edges[:3]
            rows = np.flatnonzero((visits >= LEAST_VISITS) & (moves < board.num_points))
            if rows.size == 0:
                continue
            position = board.copy()
            for move in path[:-1]:
                position.play(int(move))
            to, to_context = -1, 0
            if path:
                if path[-1] < board.num_points:
                    to, to_context = int(path[-1]), int(self._contexts(position)[path[-1]])
                position.play(int(path[-1]))
            rates = sums[rows] / visits[rows]
            points = moves[rows].astype(np.int32)
            player = int(position.color_to_play) - int(Color.BLACK)
            self._tables.teach_from_tree(
                player,
                to,
                to_context,
                points,
                self._contexts(position)[points],
                rates if player == 0 else 1 - rates,
                visits[rows],
            )
            count += rows.size
        return count

    def _contexts(self, board: Board) -> NDArray[np.uint32]:
        """Of all points, as black sees them: so do playouts."""
        contexts = board_contexts(board, self.learning.context_size, color=Color.BLACK)
        return (contexts.reshape(-1) & np.uint64(0xFFFFFFFF)).astype(np.uint32)

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
        return write_whole(path, self._tables.save())

    def load(self, path: Path | str) -> None:
        """Take what a file holds; ValueError, and nothing is changed, for one of other tables or another board size."""
        try:
            self._tables.load(Path(path).read_bytes())
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def native(self) -> _native.LearningTables:
        """The core's tables."""
        return self._tables
