"""Which games a sequential test counts, and when it is decided.

Games are played many at once and end in any order, short ones first. A test that looked at whatever has ended would
favour short games. So pairs are counted in the order of the schedule: a pair that is late holds up those after it, and
the decision is the one that a single worker would have come to. It stands: games beyond it are not counted.

The statistics are in `elo.py`.
"""

from __future__ import annotations

from typing import Literal

from tesuji.experiments.records import GameRecord
from tesuji.experiments.stats.elo import Sprt

__all__ = ["SequentialTest"]

_WAITING: list[float] = []


class SequentialTest:
    """An SPRT that is fed with games in any order.

    Parameters
    ----------
    sprt : Sprt
        The test.
    first : str
        The player whose strength it is about.

    Attributes
    ----------
    counts : list of int
        Counted pairs by the points of that player: 0, 0.5, 1, 1.5, 2.
    llr : float
        After them.
    verdict : {"H0", "H1"} or None
        What is accepted; None: undecided.
    next_pair : int
        The pairs before this one are counted, or were given up.
    """

    def __init__(self, sprt: Sprt, first: str) -> None:
        self.sprt = sprt
        self.first = first
        self.counts = [0] * 5
        self.llr = 0.0
        self.verdict: Literal["H0", "H1"] | None = None
        self.next_pair = 0
        self._points: dict[int, list[float]] = {}  # of pairs that are not counted yet
        self._given_up: set[int] = set()

    def add(self, record: GameRecord) -> None:
        """Take a game in, and count the pairs whose turn has come."""
        self._points.setdefault(record.pair, []).append(record.points_of(self.first))
        self._count()

    def give_up(self, pair: int) -> None:
        """Do not wait for a pair any longer."""
        self._given_up.add(pair)
        self._count()

    def _count(self) -> None:
        while self.verdict is None:
            if self.next_pair not in self._given_up:
                if len(self._points.get(self.next_pair, _WAITING)) < 2:
                    return
                self.counts[round(2 * sum(self._points.pop(self.next_pair)))] += 1
                self.llr = self.sprt.llr_of_pairs(self.counts)
                self.verdict = self.sprt.verdict(self.llr)
            self.next_pair += 1
