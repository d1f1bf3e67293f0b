"""The error of searches of P-games by iterations, how sure it is, and claims about it (UCT-DAG report, 3.1).

The error after n iterations is the share of runs whose move, chosen after n, does not win. Repetitions on one game are
not independent of each other, so intervals are taken over games (`verdicts.mean_bounds`). The report's own bound, which
counts every run as a trial of its own (its equation 3.1), is given beside ours. Which searches are compared is not
decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.experiments.report.plots import BarredCurve
from tesuji.experiments.stats.elo import t_test_of_means
from tesuji.papers import verdicts
from tesuji.papers.findings import Claim
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, Verdict, mean_bounds

__all__ = [
    "MARGIN",
    "Curve",
    "alike",
    "close_to_zero",
    "curve_of",
    "gap",
    "gap_text",
    "improved",
    "independent_gap",
    "less_error",
    "not_improved",
    "together",
]

MARGIN = 0.02
"""Errors that differ by less count as equal.

From the report's own scale: it says that its intervals of two standard deviations "generally included the 0 % error
case". With its 200 games that is so for errors up to 4 / (200 + 4), which is 0.0196: what it cannot tell from nothing.
"""


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
    runs : int
        On all games together.
    """

    label: str
    counts: Sequence[int]
    errors: NDArray[np.float64]
    runs: int

    def mean(self) -> NDArray[np.float64]:
        """The average error after each count."""
        mean: NDArray[np.float64] = self.errors.mean(axis=0)
        return mean

    def bounds(self, count: int) -> Bounds:
        """The average error after `count` iterations, with its 95 % interval."""
        return mean_bounds(self._column(count).tolist(), least=0.0, most=1.0)

    def upper(self) -> NDArray[np.float64]:
        """The upper end of the 95 % interval, after each count."""
        return np.array([self.bounds(count).high for count in self.counts])

    def lower(self) -> NDArray[np.float64]:
        """The lower end."""
        return np.array([self.bounds(count).low for count in self.counts])

    def published_upper(self) -> NDArray[np.float64]:
        """The bound of the UCT-DAG report, 3.1: ``p + 2 sqrt(p (1 - p) / n)`` with every run as a trial of its own."""
        p = self.mean()
        bound: NDArray[np.float64] = p + 2 * np.sqrt(p * (1 - p) / self.runs)
        return bound

    def at(self, count: int) -> float:
        """The average error after `count` iterations."""
        return float(self._column(count).mean())

    def drawn(self) -> BarredCurve:
        """For a figure: the error, with a bar to its upper end."""
        return BarredCurve(self.label, list(self.counts), self.mean().tolist(), self.upper().tolist())

    def over(self, base: Curve) -> BarredCurve:
        """For a figure: the base's error over this one's; the bar goes down to that over the upper end."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio, end = base.mean() / self.mean(), base.mean() / self.upper()
        return BarredCurve(self.label, list(self.counts), ratio.tolist(), end.tolist())

    def _column(self, count: int) -> NDArray[np.float64]:
        column: NDArray[np.float64] = self.errors[:, list(self.counts).index(count)]
        return column


def curve_of(label: str, counts: Sequence[int], rows: Iterable[Row], wrong: Callable[[Row], Sequence[int]]) -> Curve:
    """The curve of rows, of which each has a batch of repetitions on a game; `wrong` finds its wrong answers."""
    sums: dict[int, NDArray[np.float64]] = {}
    runs: dict[int, int] = {}
    for row in rows:
        game = int(row["game"])
        sums[game] = sums.get(game, np.zeros(len(counts))) + np.array(wrong(row), dtype=np.float64)
        runs[game] = runs.get(game, 0) + int(row["repetitions"])
    errors = np.array([sums[game] / runs[game] for game in sorted(sums)])
    return Curve(label, counts, errors, sum(runs.values()))


# --- two curves -------------------------------------------------------------------------------------------------------


def gap(one: Curve, other: Curve, count: int, *, alpha: float = 0.05) -> Bounds:
    """How much more `one` errs than `other` on the same games after `count` iterations."""
    apart = one._column(count) - other._column(count)
    return mean_bounds(apart.tolist(), least=-1.0, most=1.0, confidence=1 - alpha)


def independent_gap(one: Curve, other: Curve, count: int, *, alpha: float = 0.05) -> Bounds:
    """The same for curves of different games (Welch, each sample as if it had one game more of either extreme)."""
    samples = [np.append(curve._column(count), (0.0, 1.0)) for curve in (one, other)]
    described = [(float(x.mean()), float(x.std(ddof=1)), len(x)) for x in samples]
    test = t_test_of_means(described[0], described[1], confidence=1 - alpha)
    value = one.at(count) - other.at(count)
    trials = min(len(one.errors), len(other.errors))
    return Bounds(value, min(value, test.low), max(value, test.high), trials)


def gap_text(one: float, other: float, found: Bounds) -> str:
    """The numbers in words."""
    return f"{one:.4f} against {other:.4f}, difference {found.value:+.4f} [{found.low:+.4f}, {found.high:+.4f}]"


def less_error(statement: str, worse: Curve, better: Curve, counts: Sequence[int]) -> Claim:
    """The claim that `better` errs less than `worse` on the same games after each of `counts` iterations."""
    found = [gap(worse, better, count) for count in counts]
    return Claim(
        statement=statement,
        verdict=verdicts.all_of(verdicts.difference(each, MARGIN) for each in found),
        evidence=_evidence(worse, better, counts),
        refuted_by=f"a gain whose interval ends below {MARGIN:g} after {_any(counts)}",
    )


def improved(statement: str, worse: Curve, better: Curve, counts: Sequence[int]) -> Claim:
    """The claim that `better` errs less than `worse` after some of `counts` iterations, and never more.

    The chance of error is shared among the counts (Bonferroni) where one of them is enough.
    """
    shared = [gap(worse, better, count, alpha=0.05 / len(counts)) for count in counts]
    plain = [gap(worse, better, count) for count in counts]
    gains = any(verdicts.difference(each) == "reproduced" for each in shared)
    losses = any(verdicts.difference(each.negated()) == "reproduced" for each in shared)
    is_nothing = all(verdicts.difference(each, MARGIN) == "not reproduced" for each in plain)
    verdict: Verdict = "not reproduced" if is_nothing else "reproduced" if gains and not losses else "open"
    return Claim(
        statement=statement,
        verdict=verdict,
        evidence=_evidence(worse, better, counts),
        refuted_by=f"a gain whose interval ends below {MARGIN:g} after {_all(counts)}",
    )


def alike(statement: str, one: Curve, other: Curve, counts: Sequence[int]) -> Claim:
    """The claim that two searches of the same games err alike, give or take the margin, after all of `counts`."""
    inside = [verdicts.equivalence(gap(one, other, count), MARGIN) for count in counts]
    beyond = [verdicts.equivalence(gap(one, other, count, alpha=0.05 / len(counts)), MARGIN) for count in counts]
    return Claim(
        statement=statement,
        verdict=together(inside, beyond),
        evidence=_evidence(one, other, counts),
        refuted_by=f"a difference whose interval lies beyond {MARGIN:g} after {_any(counts)}",
    )


def not_improved(statement: str, base: Curve, other: Curve, counts: Sequence[int]) -> Claim:
    """The claim that `other` gains no more than the margin over `base` after any of `counts` iterations."""
    inside = [verdicts.no_gain(gap(base, other, count), MARGIN) for count in counts]
    beyond = [verdicts.no_gain(gap(base, other, count, alpha=0.05 / len(counts)), MARGIN) for count in counts]
    return Claim(
        statement=statement,
        verdict=together(inside, beyond),
        evidence=_evidence(base, other, counts),
        refuted_by=f"a gain whose interval lies above {MARGIN:g} after {_any(counts)}",
    )


def close_to_zero(statement: str, curve: Curve, count: int, limit: float) -> Claim:
    """The claim that a search errs less often than `limit` after `count` iterations."""
    found = curve.bounds(count)
    return Claim(
        statement=statement,
        verdict=verdicts.level(found, limit),
        evidence=f"{found.value:.4f} [{found.low:.4f}, {found.high:.4f}] after {count:,}, {found.trials} games",
        refuted_by=f"an interval that lies above {limit:g}",
    )


def together(inside: Sequence[Verdict], beyond: Sequence[Verdict]) -> Verdict:
    """Reproduced if all plain intervals say so; not, if one of those that share the chance of error says so."""
    if "not reproduced" in beyond:
        return "not reproduced"
    return "reproduced" if verdicts.all_of(inside) == "reproduced" else "open"


def _evidence(one: Curve, other: Curve, counts: Sequence[int]) -> str:
    texts = [f"{count:,}: {gap_text(one.at(count), other.at(count), gap(one, other, count))}" for count in counts]
    return f"{'; '.join(texts)} ({len(one.errors)} games)"


def _any(counts: Sequence[int]) -> str:
    numbers = ", ".join(f"{count:,}" for count in counts)
    return f"{numbers} iterations" if len(counts) == 1 else f"any of {numbers} iterations"


def _all(counts: Sequence[int]) -> str:
    numbers = ", ".join(f"{count:,}" for count in counts)
    return f"{numbers} iterations" if len(counts) == 1 else f"each of {numbers} iterations"
