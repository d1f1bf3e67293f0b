"""The error of searches of P-games by iterations: what is run, what is counted, how sure it is (UCT-DAG report, 3.1).

The error after n iterations is the share of runs whose move, chosen after n, does not win. Repetitions on one game are
not independent of each other, so intervals are taken by a bootstrap over games. The report's own bound, which counts
every run as a trial of its own (its equation 3.1), is given beside ours. Which searches are compared is not decided
here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.experiments.report.plots import BarredCurve
from tesuji.experiments.run.schedule import seed_of
from tesuji.games import PGame
from tesuji.papers.findings import Claim
from tesuji.search import UCB1, SearchConfig
from tesuji.search.choices import Choices
from tesuji.search.config import GraphMode

__all__ = [
    "Curve",
    "Difference",
    "Effort",
    "alike",
    "difference",
    "effort",
    "exploring",
    "improved",
    "less_error",
    "not_improved",
    "num_wrong",
    "search_seeds",
]

PUBLISHED = 200
"""Games, and repetitions on each."""
FEWEST_REPETITIONS = 10
"""On a game, before games are dropped."""
EXPLORATION = 1.0
"""The c of UCB1. The UCT-DAG report gives "usually between 1.0 and 2.0"."""
RESAMPLES = 4_000
_ROUNDING = 1e-9  # of sums of shares
_NODE_BYTES, _EDGE_BYTES, _INDEX = 48, 20, 1.3
_MORE_BYTES: dict[str, tuple[int, int]] = {"shared-values": (0, 4), "multipath": (8, 8)}
"""What a node and an edge take besides in some graph modes."""


class Effort(msgspec.Struct, frozen=True):
    """Games, and repetitions on each."""

    games: int
    repetitions: int


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


def search_seeds(game_seed: int, repetitions: int) -> list[int]:
    """The seeds of the repetitions on a game: the same for all searches that are compared on it."""
    return [seed_of(game_seed, repetition) for repetition in range(repetitions)]


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
    """After each count: how many repetitions chose a move that does not win."""
    is_wrong = ~np.isin(choices.moves, game.winning_moves)
    return [int(count) for count in is_wrong.sum(axis=0)]


class Curve(msgspec.Struct, frozen=True):
    """Errors of one kind of search.

    Attributes
    ----------
    label : str
        What a figure calls it.
    counts : sequence of int
        Iterations.
    errors : float array of shape (games, counts)
        The share of wrong answers on each game.
    repetitions : int
        Runs on each game.
    """

    label: str
    counts: Sequence[int]
    errors: NDArray[np.float64]
    repetitions: int

    def mean(self) -> NDArray[np.float64]:
        """The average error after each count."""
        mean: NDArray[np.float64] = self.errors.mean(axis=0)
        return mean

    def upper(self) -> NDArray[np.float64]:
        """The upper end of its 95 % interval, by a bootstrap over games.

        Where no run erred, resampling has nothing to say: there it is the largest share of games with errors that would
        not show in so many games once in 40 times.
        """
        unseen = 1 - 0.025 ** (1 / len(self.errors))
        return np.where(self.mean() > 0, _resampled_quantile(self.errors, 0.975), unseen)

    def lower(self) -> NDArray[np.float64]:
        """The lower end."""
        return _resampled_quantile(self.errors, 0.025)

    def published_upper(self) -> NDArray[np.float64]:
        """The bound of the UCT-DAG report, 3.1: ``p + 2 sqrt(p (1 - p) / n)`` with every run as a trial of its own."""
        p = self.mean()
        bound: NDArray[np.float64] = p + 2 * np.sqrt(p * (1 - p) / (len(self.errors) * self.repetitions))
        return bound

    def at(self, count: int) -> float:
        """The average error after `count` iterations."""
        return float(self.mean()[list(self.counts).index(count)])

    def drawn(self) -> BarredCurve:
        """For a figure: the error, with a bar to its upper end."""
        return BarredCurve(self.label, list(self.counts), self.mean().tolist(), self.upper().tolist())


class Difference(msgspec.Struct, frozen=True):
    """How much more one search errs than another on the same games, after a number of iterations.

    Attributes
    ----------
    one, other : float
        Their errors.
    low, high : float
        The 95 % interval of ``one - other``, by a bootstrap over games.
    """

    one: float
    other: float
    low: float
    high: float

    @property
    def is_above(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.low > _ROUNDING

    @property
    def is_below(self) -> bool:
        """Whether the whole interval lies below 0."""
        return self.high < -_ROUNDING

    @property
    def text(self) -> str:
        """The numbers in words."""
        interval = f"[{self.low:+.4f}, {self.high:+.4f}]"
        return f"{self.one:.4f} against {self.other:.4f}, difference {self.one - self.other:+.4f} {interval}"


def difference(one: Curve, other: Curve, count: int, *, alpha: float = 0.05) -> Difference:
    """Compare two curves of the same games after `count` iterations; the interval holds 1 - `alpha`."""
    column = list(one.counts).index(count)
    gap = (one.errors - other.errors)[:, [column]]
    low, high = (float(_resampled_quantile(gap, q)[0]) for q in (alpha / 2, 1 - alpha / 2))
    return Difference(one.at(count), other.at(count), low, high)


def less_error(statement: str, worse: Curve, better: Curve, count: int) -> Claim:
    """The claim that `better` errs less than `worse` on the same games: reproduced, not, or open."""
    found = difference(worse, better, count)
    verdict: Literal["holds", "fails", "open"] = "holds" if found.is_above else "fails" if found.is_below else "open"
    words = {"holds": "Reproduced", "fails": "Not reproduced, the opposite is true", "open": "Not shown either way"}
    return Claim(statement=statement, verdict=verdict, evidence=f"{words[verdict]}: {found.text}.")


def alike(statement: str, one: Curve, other: Curve, counts: Sequence[int]) -> Claim:
    """The claim that two searches of the same games cannot be told apart after any of `counts` iterations."""
    found, evidence = _differences(one, other, counts)
    differs = any(each.is_above or each.is_below for each in found)
    word = "Not reproduced" if differs else "Reproduced"
    return Claim(statement=statement, verdict="fails" if differs else "holds", evidence=f"{word}: {evidence}.")


def improved(statement: str, worse: Curve, better: Curve, counts: Sequence[int]) -> Claim:
    """The claim that `better` errs less than `worse` after some of `counts` iterations, and never more."""
    found, evidence = _differences(worse, better, counts)
    above, below = any(each.is_above for each in found), any(each.is_below for each in found)
    if above and below:
        return Claim(statement=statement, verdict="open", evidence=f"Now less, now more: {evidence}.")
    verdict: Literal["holds", "fails", "open"] = "holds" if above else "fails" if below else "open"
    words = {"holds": "Reproduced", "fails": "Not reproduced, the opposite is true", "open": "Not shown either way"}
    return Claim(statement=statement, verdict=verdict, evidence=f"{words[verdict]}: {evidence}.")


def not_improved(statement: str, base: Curve, other: Curve, counts: Sequence[int]) -> Claim:
    """The claim that `other` errs less than `base` after none of `counts` iterations."""
    found, evidence = _differences(base, other, counts)
    above = any(each.is_above for each in found)
    word = "Not reproduced" if above else "Reproduced"
    return Claim(statement=statement, verdict="fails" if above else "holds", evidence=f"{word}: {evidence}.")


def _differences(one: Curve, other: Curve, counts: Sequence[int]) -> tuple[list[Difference], str]:
    """The error of 5 % is shared among the counts (Bonferroni)."""
    found = [difference(one, other, count, alpha=0.05 / len(counts)) for count in counts]
    return found, "; ".join(f"{count:,}: {each.text}" for count, each in zip(counts, found, strict=True))


def _resampled_quantile(values: NDArray[np.float64], quantile: float) -> NDArray[np.float64]:
    """A quantile of the mean over games (rows), over resamples of the games; the same resamples each time."""
    games = len(values)
    weights = np.random.default_rng(1).multinomial(games, [1 / games] * games, size=RESAMPLES) / games
    found: NDArray[np.float64] = np.quantile(weights @ values, quantile, axis=0)
    return found
