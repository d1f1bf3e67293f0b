"""Problems of one player, small enough to look at every solution. Each keeps `tesuji.games.OnePlayerGame`.

Values that look random are hashes of the state, so that every run sees the same problem.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

from search.toy_games import hash_of

__all__ = ["Endless", "Ladder", "Leaves", "Sums", "all_solutions", "best_value", "replayed"]

Goal = Literal["maximise", "minimise"]


class Leaves:
    """A tree of equal depth and changing width, whose leaves are worth hashes of their path: 0..999."""

    def __init__(
        self, depth: int, width: int, goal: Goal = "maximise", *, seed: int = 1, factor: float = 1.0, shift: float = 0.0
    ) -> None:
        self.depth, self.num_distinct_moves, self.goal, self.seed = depth, width, goal, seed
        self.factor, self.shift = factor, shift
        self.path: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        return len(self.path) == self.depth

    @property
    def value(self) -> float:
        return self.factor * (hash_of(self.seed, *self.path) % 1000) + self.shift

    def legal_moves(self) -> Sequence[int]:
        if self.is_over:
            return []
        return range(1 + hash_of(self.seed, 77, *self.path) % self.num_distinct_moves)

    def play(self, move: int) -> None:
        self.path += (move,)

    def copy(self) -> Self:
        twin = type(self)(
            self.depth,
            self.num_distinct_moves,
            self.goal,
            seed=self.seed,
            factor=self.factor,
            shift=self.shift,
        )
        twin.path = self.path
        return twin

    def key(self) -> int:
        return hash_of(3, len(self.path), *self.path)


class Sums(Leaves):
    """Moves add their number to a sum that is worth a hash: many paths lead to one state."""

    @property
    def value(self) -> float:
        return self.factor * (hash_of(self.seed, sum(self.path)) % 1000) + self.shift

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else range(self.num_distinct_moves)

    def key(self) -> int:
        return 1000 * len(self.path) + sum(self.path)


class Ladder:
    """Stop (0) or go on (1): the solution is worth its length, so solutions lie at all depths."""

    def __init__(self, length: int, goal: Goal) -> None:
        self.length, self.goal, self.num_distinct_moves = length, goal, 2
        self.height, self.is_over = 0, False

    @property
    def value(self) -> float:
        return -float(self.height)

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else [0, 1]

    def play(self, move: int) -> None:
        self.height += move
        self.is_over = move == 0 or self.height == self.length

    def copy(self) -> Self:
        twin = type(self)(self.length, self.goal)
        twin.height, twin.is_over = self.height, self.is_over
        return twin

    def key(self) -> int:
        return 2 * self.height + self.is_over


class Endless(Ladder):
    """It never ends."""

    def play(self, move: int) -> None:
        self.height += 1 + move


def all_solutions(game: Any) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every solution: its value and its moves."""
    if game.is_over:
        yield game.value, ()
        return
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        for value, moves in all_solutions(after):
            yield value, (move, *moves)


def best_value(game: Any) -> float:
    """The optimum, by looking at every solution."""
    values = (value for value, _ in all_solutions(game))
    return heapq.nlargest(1, values)[0] if game.goal == "maximise" else heapq.nsmallest(1, values)[0]


def replayed(game: Any, moves: Sequence[int]) -> float:
    """The value of a complete sequence of moves."""
    state = game.copy()
    for move in moves:
        assert move in state.legal_moves()
        state.play(move)
    assert state.is_over
    return float(state.value)
