"""Games small enough to compute by hand, for the tests of the search. Each keeps the contract of `tesuji.games.Game`.

Values that look random are hashes of the state, so that every run sees the same game.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Self

__all__ = ["Bandit", "GraphGame", "Nim", "Picks", "PicksForOne", "RandomTree", "hash_of"]


def hash_of(*words: int) -> int:
    """64 well-mixed bits of some numbers (SplitMix64's finaliser, folded)."""
    total = 0
    for word in words:
        z = (total ^ (word + 0x9E3779B97F4A7C15)) & (2**64 - 1)
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        total = z ^ z >> 31
    return total


class Nim:
    """A heap; a move takes 1 to `largest` stones (move = stones - 1); who takes the last stone wins.

    The mover loses exactly when the heap is a multiple of ``largest + 1``. Many paths lead to one state.
    """

    def __init__(self, stones: int, largest: int = 3) -> None:
        self.stones, self.num_distinct_moves, self.to_play = stones, largest, 0

    @property
    def is_over(self) -> bool:
        return self.stones == 0

    @property
    def value(self) -> float:
        return float(self.to_play == 1)

    def legal_moves(self) -> Sequence[int]:
        return range(min(self.num_distinct_moves, self.stones))

    def play(self, move: int) -> None:
        self.stones -= move + 1
        self.to_play ^= 1

    def copy(self) -> Self:
        twin = type(self)(self.stones, self.num_distinct_moves)
        twin.to_play = self.to_play
        return twin

    def key(self) -> int:
        return 2 * self.stones + self.to_play

    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [0.5 for _ in moves]


class GraphGame:
    """A game drawn as a graph: ``{"A": (mover, {move: "B", ...}), "B": value, ...}``. It starts at `start`.

    Its states are the names, so two paths to one name are a transposition.
    """

    num_distinct_moves = 8

    def __init__(self, graph: dict[str, tuple[int, dict[int, str]] | float], start: str) -> None:
        self.graph, self.name = graph, start

    @property
    def is_over(self) -> bool:
        return isinstance(self.graph[self.name], float)

    @property
    def to_play(self) -> int:
        here = self.graph[self.name]
        return 0 if isinstance(here, float) else here[0]

    @property
    def value(self) -> float:
        here = self.graph[self.name]
        assert isinstance(here, float)
        return here

    def legal_moves(self) -> Sequence[int]:
        here = self.graph[self.name]
        return [] if isinstance(here, float) else list(here[1])

    def play(self, move: int) -> None:
        here = self.graph[self.name]
        assert not isinstance(here, float)
        self.name = here[1][move]

    def copy(self) -> Self:
        return type(self)(self.graph, self.name)

    def key(self) -> int:
        return list(self.graph).index(self.name) + 1


class RandomTree:
    """A tree of given depth: each path is a state of its own, so there are no transpositions.

    Parameters
    ----------
    seed, branching, depth : int
        `branching` is the most moves a state may have.
    values : sequence of float
        What a leaf may be worth.
    takes_turns : bool
        Whether the players alternate; otherwise the path decides who moves.
    """

    def __init__(
        self,
        seed: int,
        branching: int = 3,
        depth: int = 4,
        values: Sequence[float] = (0.0, 0.5, 1.0),
        takes_turns: bool = True,
    ) -> None:
        self.seed, self.num_distinct_moves, self.depth = seed, branching, depth
        self.values, self.takes_turns = values, takes_turns
        self.path: tuple[int, ...] = ()

    def _bits(self, purpose: int) -> int:
        return hash_of(self.seed, purpose, len(self.path), *self.path)

    @property
    def is_over(self) -> bool:
        # One state in eight ends early.
        return len(self.path) >= self.depth or (len(self.path) > 1 and self._bits(1) % 8 == 0)

    @property
    def to_play(self) -> int:
        return len(self.path) % 2 if self.takes_turns else self._bits(2) % 2

    @property
    def value(self) -> float:
        return self.values[self._bits(3) % len(self.values)]

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else range(1 + self._bits(4) % self.num_distinct_moves)

    def play(self, move: int) -> None:
        self.path += (move,)

    def copy(self) -> Self:
        twin = type(self)(self.seed, self.num_distinct_moves, self.depth, self.values, self.takes_turns)
        twin.path = self.path
        return twin

    def key(self) -> int:
        return self._bits(5)

    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [hash_of(self._bits(6), move) % 1000 / 1000 for move in moves]


class Picks:
    """Players take cells, each once, until `length` are taken; who holds which decides. For AMAF and transpositions.

    Every look at a value leaves its moves behind: ``trace.ends``.
    """

    class Trace:
        """What walks and playouts left behind."""

        def __init__(self) -> None:
            self.ends: list[tuple[list[tuple[int, int]], float]] = []  # (player, move) of all moves; the value read

        def take(self) -> list[tuple[list[tuple[int, int]], float]]:
            """All since the last time."""
            ends, self.ends = self.ends, []
            return ends

    def __init__(
        self,
        seed: int = 1,
        cells: int = 6,
        length: int = 5,
        values: Sequence[float] = (0.0, 0.5, 1.0),
        takes_turns: bool = True,
    ) -> None:
        self.seed, self.num_distinct_moves, self.length = seed, cells, length
        self.values, self.takes_turns = values, takes_turns
        self.taken = (0, 0)
        self.moves: list[tuple[int, int]] = []
        self.trace = Picks.Trace()

    @property
    def num_taken(self) -> int:
        return (self.taken[0] | self.taken[1]).bit_count()

    @property
    def is_over(self) -> bool:
        return self.num_taken == self.length

    @property
    def to_play(self) -> int:
        return self.num_taken % 2 if self.takes_turns else hash_of(self.seed, 1, *self.taken) % 2

    @property
    def value(self) -> float:
        value = self.values[hash_of(self.seed, 2, *self.taken) % len(self.values)]
        self.trace.ends.append((list(self.moves), value))
        return value

    def legal_moves(self) -> Sequence[int]:
        free = ~(self.taken[0] | self.taken[1])
        return [] if self.is_over else [cell for cell in range(self.num_distinct_moves) if free >> cell & 1]

    def play(self, move: int) -> None:
        player = self.to_play
        self.moves.append((player, move))
        taken = list(self.taken)
        taken[player] |= 1 << move
        self.taken = (taken[0], taken[1])

    def copy(self) -> Self:
        twin = type(self)(self.seed, self.num_distinct_moves, self.length, self.values, self.takes_turns)
        twin.taken, twin.moves, twin.trace = self.taken, list(self.moves), self.trace
        return twin

    def key(self) -> int:
        return hash_of(3, *self.taken)

    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [hash_of(self.seed, 4, *self.taken, move) % 1000 / 1000 for move in moves]


class PicksForOne(Picks):
    """The same for one player, whose numbers are any and whose goal is the least."""

    goal = "minimise"
    to_play = 0  # type: ignore[assignment]


class Bandit:
    """One move, then a coin: arm i pays 1 with probability ``means[i]``. Every look at the value draws again."""

    to_play = 0

    def __init__(self, means: Sequence[float], rng: random.Random) -> None:
        self.means, self.rng, self.arm = means, rng, -1
        self.num_distinct_moves = len(means)

    @property
    def is_over(self) -> bool:
        return self.arm >= 0

    @property
    def value(self) -> float:
        return float(self.rng.random() < self.means[self.arm])

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else range(len(self.means))

    def play(self, move: int) -> None:
        self.arm = move

    def copy(self) -> Self:
        twin = type(self)(self.means, self.rng)
        twin.arm = self.arm
        return twin

    def key(self) -> int:
        return self.arm + 1
