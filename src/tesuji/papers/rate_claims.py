"""Claims about win rates: who beats whom, and who scores more against a common opponent.

The verdicts are `verdicts.py`'s. A rate has Wilson's interval, a difference of two rates Newcombe's.
"""

from __future__ import annotations

from tesuji.papers import verdicts
from tesuji.papers.findings import Claim
from tesuji.papers.verdicts import Bounds, rate_bounds, rate_difference

__all__ = ["MARGIN", "beaten", "rate_text", "scores_more", "surplus"]

MARGIN = 0.025
"""Win rates that differ by less count as equal: two standard deviations of a rate of about a fifth in 1,000 games.

That is the size and the scale of the UCT-DAG report's figures in Go (3.2: 1,000 games each, an axis from 8 to 22 %);
Pividori 2015 has no more games.
"""


def beaten(statement: str, points: float, games: int) -> Claim:
    """The claim that a player beats its opponent: scores more than half."""
    return Claim(
        statement=statement,
        verdict=verdicts.difference(surplus(points, games), MARGIN),
        evidence=f"It scores {rate_text(points, games)}",
        refuted_by=f"an interval of the rate that ends below {0.5 + MARGIN:.1%}",
    )


def scores_more(
    statement: str, better: tuple[float, int], worse: tuple[float, int], *, confidence: float = 0.95
) -> Claim:
    """The claim that one player scores more than another against the same opponent; both as points and games."""
    found = rate_difference(better, worse, confidence)
    return Claim(
        statement=statement,
        verdict=verdicts.difference(found, MARGIN),
        evidence=f"{rate_text(*better)}, beside {rate_text(*worse)}; difference {found.value:+.1%}"
        f" [{found.low:+.1%}, {found.high:+.1%}], {confidence:.0%} confidence"
        if found.trials
        else "One of them has no games yet",
        refuted_by=f"a difference whose interval ends below {MARGIN:.1%}",
    )


def surplus(points: float, games: int) -> Bounds:
    """By how much a win rate exceeds one half."""
    rate = rate_bounds(points, games)
    return Bounds(rate.value - 0.5, rate.low - 0.5, rate.high - 0.5, games)


def rate_text(points: float, games: int) -> str:
    """A rate in words."""
    rate = rate_bounds(points, games)
    return f"{rate.value:.1%} [{rate.low:.1%}, {rate.high:.1%}] of {games} games"
