"""Which move a learner makes: mostly the best, on occasion one from a class of less appealing moves.

Huang, Connell and McQuade (2003) explore by "a simplified version of Gibbs sampling in which the computer players on
occasion randomly choose a move from the classes of less appealing moves". What the classes are and how often that
happens they do not say. Here the moves are ordered by value; class 0 is the best move, class k the next 2^k: the 2nd
and 3rd, the 4th to 7th, the 8th to 15th. With probability `share` the best is left; then class k has a weight of
exp(-k / temperature), and its moves are equally likely.

The share falls in a straight line from `share_at_start` to `share_at_end` over the first `games` games.
"""

from __future__ import annotations

import numpy as np

from tesuji.learning.td.network import Floats
from tesuji.search.frozen import Frozen

__all__ = ["Exploration", "class_of_rank"]


class Exploration(Frozen, frozen=True, kw_only=True):
    """How often another move than the best is made, and which.

    Attributes
    ----------
    share_at_start, share_at_end : float
        Of moves that leave the best class, 0..1: in the first game, and from game `games` on.
    games : int
        Over how many games the share changes.
    temperature : float
        Above 0; the higher, the more of the poor classes.
    """

    share_at_start: float = 0.3
    share_at_end: float = 0.05
    games: int = 2_000
    temperature: float = 2.0

    def _check(self) -> None:
        for name in ("share_at_start", "share_at_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must lie in 0..1")
        if self.games < 1:
            raise ValueError(f"games is {self.games}; it must be at least 1")
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"temperature is {self.temperature}; it must be above 0 and finite")

    def share(self, game: int) -> float:
        """Of moves that leave the best class in a game, counted from 0."""
        way = min(1.0, game / self.games)
        return self.share_at_start + way * (self.share_at_end - self.share_at_start)

    def choose(self, values: Floats, game: int, rng: np.random.Generator) -> int:
        """The place of the move to make among these values; of equal values the first is the better."""
        if len(values) == 1 or rng.random() >= self.share(game):
            return int(values.argmax())
        order = np.argsort(-values, kind="stable")
        last = class_of_rank(len(order) - 1)
        weights = np.exp(-np.arange(1, last + 1) / self.temperature)
        chosen = 1 + int(rng.choice(last, p=weights / weights.sum()))
        first, end = 2**chosen - 1, min(2 ** (chosen + 1) - 1, len(order))
        return int(order[rng.integers(first, end)])


def class_of_rank(rank: int) -> int:
    """The class of the move that is number `rank` by value, the best being number 0."""
    return (rank + 1).bit_length() - 1
