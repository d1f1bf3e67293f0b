"""What a `Shadow` needs to know of a game: its moves, or groups of them, and one player's scale. All from the docs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tesuji.search import Evaluation, Grouping

__all__ = ["Judge", "Scale", "ShadowState", "ToldScale", "label"]


def label(kind: int) -> int:
    """A group of moves as a move: below 0, where no game has any."""
    return -1 - kind


class ShadowState:
    """A state of a game, or one between a group and its move: a group is a move after which the same player moves."""

    def __init__(self, game: Any, grouping: Grouping | None, group: int | None = None) -> None:
        self.game, self.grouping, self.group = game, grouping, group

    @property
    def is_passage(self) -> bool:
        return self.group is not None

    @property
    def is_over(self) -> bool:
        return not self.is_passage and self.game.is_over

    @property
    def to_play(self) -> int:
        return self.game.to_play

    def key(self) -> tuple[int, int | None]:
        return self.game.key(), self.group

    def copy(self) -> Self:
        return type(self)(self.game.copy(), self.grouping, self.group)

    def groups(self) -> dict[int, list[int]]:
        """The moves of each group; the last one is the catch-all group. Empty if nothing is grouped."""
        if self.grouping is None:
            return {}
        names, moves = self.grouping.names, list(self.game.legal_moves())
        found = {
            label(names.index(name)): list(members)
            for name, members in self.grouping.find(self.game).items()
            if members
        }
        taken = {move for members in found.values() for move in members}
        rest = moves if self.grouping.overlap else [move for move in moves if move not in taken]
        return found | {label(0): rest} if found and rest else found

    def moves(self) -> list[int]:
        groups = self.groups()
        if self.group is not None:
            return groups[self.group]
        return list(groups) or list(self.game.legal_moves())

    def play(self, move: int) -> None:
        if move < 0:
            self.group = move
        else:
            self.group = None
            self.game.play(move)

    def priors(self, moves: Sequence[int], of_moves: Callable[[Sequence[int]], Sequence[float]]) -> list[float]:
        """A group's is that of its best move."""
        if moves[0] >= 0:
            return list(of_moves(moves))
        groups = self.groups()
        return [max(of_moves(groups[move])) for move in moves]


class Scale:
    """One player's numbers in 0..1 (docs/algorithms/one-player.md)."""

    def __init__(self, goal: str) -> None:
        self.sign = -1 if goal == "minimise" else 1
        self.seen: list[float] = []
        self.low, self.high = -float("inf"), -float("inf")

    def note(self, number: float, *, is_sampled: bool = True) -> None:
        """Of several workers the first one's numbers make the sample."""
        merit = self.sign * number
        self.high = max(self.high, merit)
        if not is_sampled:
            return
        self.seen.append(merit)
        count = len(self.seen)
        assert count <= 512, "the sample is no longer all that was seen"
        if count < 16 or count.bit_count() == 1:
            numbers = sorted(self.seen)
            tenth, median = numbers[(count + 9) // 10 - (count < 10)], numbers[count // 2]
            self.low = max(numbers[0], tenth - 2 * (median - tenth))

    def merit(self, number: float) -> float:
        return max(self.low, self.sign * number)

    def penalised(self, merit: float, share: float) -> float:
        return merit - share * max(0.0, merit - self.low)

    def normal(self, mean: float) -> float:
        width = self.high - self.low
        return min(1.0, max(0.0, (mean - self.low) / width)) if width > 0 else 0.0


class ToldScale(Scale):
    """The scale of a search of which nobody knows which of its workers made a simulation: it is told the ends."""

    ends: tuple[float, float]

    def note(self, number: float, *, is_sampled: bool = True) -> None:  # noqa: ARG002 - the core knows it
        self.seen.append(number)
        self.low, self.high = self.ends


@dataclass
class Judge:
    """An evaluator, state by state.

    Attributes
    ----------
    value, priors : callable or None
        Of a state; what it does not give is None.
    options : Evaluation
        What is made of it.
    """

    value: Callable[[Any], float] | None
    priors: Callable[[Any], Sequence[float]] | None
    options: Evaluation

    @property
    def plays_out(self) -> bool:
        """Whether leaves that it judges are played out too."""
        return self.value is None or self.options.weight < 1
