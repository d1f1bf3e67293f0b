"""How much of an experiment on P-games is run, in which order, and with which search.

Work comes in batches: a game and some of the repetitions on it. All games get their first batch before any gets its
second, so a run that is stopped has all games with fewer repetitions. That tells more than fewer games would, because
intervals are taken over games. What is made of the answers is `error_curves.py`'s affair.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from tesuji.experiments.run.schedule import seed_of
from tesuji.games import PGame
from tesuji.papers.rows import Row
from tesuji.search import UCB1, SearchConfig
from tesuji.search.choices import Choices
from tesuji.search.config import GraphMode

__all__ = ["Batch", "Effort", "batches", "complete", "effort", "exploring", "num_wrong"]

PUBLISHED = 200
"""Games, and repetitions on each."""
FEWEST_REPETITIONS = 10
"""On a game, before games are dropped."""
EXPLORATION = 1.0
"""The c of UCB1. The UCT-DAG report gives "usually between 1.0 and 2.0"."""
_NODE_BYTES, _EDGE_BYTES, _INDEX = 48, 20, 1.3
_MORE_BYTES: dict[str, tuple[int, int]] = {"shared-values": (0, 4), "multipath": (8, 8)}
"""What a node and an edge take besides in some graph modes."""


class Effort(msgspec.Struct, frozen=True):
    """Games, and repetitions on each."""

    games: int
    repetitions: int


class Batch(msgspec.Struct, frozen=True):
    """A game and some of the repetitions on it.

    Attributes
    ----------
    game, game_seed : int
        Its number, and the seed that it is drawn from.
    first, repetitions : int
        The number of the first repetition, and how many there are.
    """

    game: int
    game_seed: int
    first: int
    repetitions: int

    @property
    def seeds(self) -> list[int]:
        """Of the repetitions: the same for all searches that are compared on the game."""
        return [seed_of(self.game_seed, self.first + i) for i in range(self.repetitions)]

    @property
    def described(self) -> Row:
        """What a row says of its batch."""
        return {"game": self.game, "first": self.first, "repetitions": self.repetitions}


def effort(scale: float) -> Effort:
    """Games and repetitions whose product is `scale` times the published one.

    Intervals come from the games, so repetitions shrink first, to ten; then games do, in tens.

    >>> effort(1), effort(0.25), effort(0.02)
    (Effort(games=200, repetitions=200), Effort(games=200, repetitions=50), Effort(games=80, repetitions=10))
    """
    runs = PUBLISHED**2 * scale
    most_games = min(PUBLISHED * max(1.0, math.sqrt(scale)), runs / FEWEST_REPETITIONS)
    games = 10 * max(1, math.ceil(most_games / 10 - 1e-9))
    return Effort(games, max(1, round(runs / games)))


def batches(scale: float, seed: int, size: int = FEWEST_REPETITIONS) -> list[Batch]:
    """All games with their first `size` repetitions, then all with the next."""
    whole = effort(scale)
    return [
        Batch(game, seed_of(seed, game), first, min(size, whole.repetitions - first))
        for first in range(0, whole.repetitions, size)
        for game in range(whole.games)
    ]


def complete(rows: Sequence[Row], kinds: Iterable[Sequence[Row]]) -> list[Row]:
    """Those of `rows` whose batch is in each of `kinds`, in the order of the games."""
    common = set.intersection(*({(row["game"], row["first"]) for row in kind} for kind in kinds))
    own = [row for row in rows if (row["game"], row["first"]) in common]
    return sorted(own, key=lambda row: (row["game"], row["first"]))


def exploring(breadth: int, depth: int, iterations: int, *, graph: GraphMode, num_groups: int = 0) -> SearchConfig:
    """The search of the UCT-DAG report, 2.1.1: UCB1 all the way to the leaf, and the whole path enters the graph.

    Its memory holds whatever that many iterations can make, so nothing is ever dropped.
    """
    most_states = iterations * depth * (breadth if graph == "shared-counts" else 1) + 1
    more_for_node, more_for_edge = _MORE_BYTES.get(graph, (0, 0))
    levels = num_groups + 1 if num_groups else 0  # the catch-all group is one
    node_bytes, edge_bytes = _NODE_BYTES + more_for_node, _EDGE_BYTES + more_for_edge
    per_state = node_bytes * (1 + levels) + edge_bytes * (breadth * max(1, levels) + levels)
    return SearchConfig(
        selection=UCB1(c=EXPLORATION),
        expansion="whole-path",
        graph=graph,
        final_move="best-value",
        table_entries=most_states,
        memory_bytes=round(most_states * per_state * _INDEX) + 10_000,
    )


def num_wrong(game: PGame, choices: Choices) -> list[int]:
    """After each count: how many repetitions chose a move that does not win; none where no move wins."""
    winning = game.winning_moves
    if not winning:
        return [0] * choices.moves.shape[1]
    is_wrong = ~np.isin(choices.moves, winning)
    return [int(count) for count in is_wrong.sum(axis=0)]
