"""What a measurement says about a claim: reproduced, not reproduced, or open.

A claim is one of four kinds, and says which before anything is run:

===========  ======================  ======================  =================================================
kind         says of a quantity x    reproduced              not reproduced
===========  ======================  ======================  =================================================
difference   x > 0                   all of x's interval is  all of it is below the margin: whatever there is,
                                     above 0                 it is less than would count as something
equivalence  x is 0, give or take    all of it is within     all of it is beyond the margin, on one side
             a margin                the margin
no gain      x is at most a margin   all of it is below the  all of it is above
                                     margin
level        x is below a limit      all of it is below      all of it is above
===========  ======================  ======================  =================================================

Whatever is neither is open, and so is everything with fewer than `FEWEST` trials: an interval that misses its mark and
one that is wide are not the same. Margins are fixed where the claims are made, from the scale of the work that makes
them; nothing here looks at data to choose one. Which interval is taken is its maker's affair.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from tesuji.experiments.stats.elo import student_quantile, two_proportion_test, wilson

__all__ = [
    "FEWEST",
    "Bounds",
    "Verdict",
    "all_of",
    "difference",
    "equivalence",
    "level",
    "mean_bounds",
    "no_gain",
    "rate_bounds",
    "rate_difference",
]

Verdict = Literal["reproduced", "not reproduced", "open"]
FEWEST = 10
"""Trials (games, boards) below which nothing is decided."""


class Bounds(msgspec.Struct, frozen=True):
    """A quantity with its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and the ends of its interval.
    trials : int
        What it rests on: games or boards, of the smaller sample if there are two.
    """

    value: float
    low: float
    high: float
    trials: int

    def negated(self) -> Bounds:
        """The same for the opposite quantity."""
        return Bounds(-self.value, -self.high, -self.low, self.trials)


# --- the four kinds ---------------------------------------------------------------------------------------------------


def difference(found: Bounds, margin: float = 0.0) -> Verdict:
    """The claim that the quantity is above 0; below `margin` it would not count."""
    return _decided(found, is_so=found.low > 0, is_not=found.high < margin)


def equivalence(found: Bounds, margin: float) -> Verdict:
    """The claim that the quantity is 0, give or take `margin`."""
    return _decided(
        found, is_so=-margin < found.low and found.high < margin, is_not=found.low > margin or found.high < -margin
    )


def no_gain(found: Bounds, margin: float) -> Verdict:
    """The claim that the quantity is not above `margin`."""
    return _decided(found, is_so=found.high < margin, is_not=found.low > margin)


def level(found: Bounds, limit: float) -> Verdict:
    """The claim that the quantity lies below `limit`."""
    return _decided(found, is_so=found.high < limit, is_not=found.low > limit)


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """The claim that several claims hold together: one that fails is enough to fail, one open to leave it open."""
    found = set(verdicts)
    if "not reproduced" in found:
        return "not reproduced"
    return "open" if "open" in found or not found else "reproduced"


def _decided(found: Bounds, *, is_so: bool, is_not: bool) -> Verdict:
    if found.trials < FEWEST:
        return "open"
    return "reproduced" if is_so else "not reproduced" if is_not else "open"


# --- intervals --------------------------------------------------------------------------------------------------------


def mean_bounds(values: Sequence[float], *, least: float, most: float, confidence: float = 0.95) -> Bounds:
    """The mean of values from `least` to `most`, with Student's interval as if two more had been seen: both extremes.

    Without these two, values that happen to be equal would have an interval of no width, and a claim about them would
    be settled by the first few (the same thought as Agresti and Coull's for rates). The estimate itself is the plain
    mean.
    """
    count = len(values)
    if count == 0:
        return Bounds(math.nan, least, most, 0)
    plain = math.fsum(values) / count
    mean = (count * plain + least + most) / (count + 2)
    squares = math.fsum((value - mean) ** 2 for value in (*values, least, most))
    reach = student_quantile(0.5 + confidence / 2, count + 1) * math.sqrt(squares / (count + 1) / (count + 2))
    return Bounds(plain, max(least, min(mean - reach, plain)), min(most, max(mean + reach, plain)), count)


def rate_bounds(points: float, games: int, confidence: float = 0.95) -> Bounds:
    """A win rate with Wilson's interval."""
    interval = wilson(points, games, confidence)
    return Bounds(points / games if games else math.nan, interval.low, interval.high, games)


def rate_difference(first: tuple[float, int], second: tuple[float, int], confidence: float = 0.95) -> Bounds:
    """How much more the first of two players scores, both as points and games, with Newcombe's interval."""
    if not first[1] or not second[1]:
        return Bounds(math.nan, -1.0, 1.0, 0)
    test = two_proportion_test(*first, *second, confidence=confidence)
    return Bounds(test.difference, test.low, test.high, min(first[1], second[1]))
