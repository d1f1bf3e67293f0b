"""A player's clock as the referee keeps it: main time, then periods of Canadian overtime.

A period of `byoyomi_s` seconds must hold `byoyomi_stones` moves; when they are made in time, the next one begins. A
player that has no clock may think as long as the referee has patience.
"""

from __future__ import annotations

from tesuji.experiments.players import TimeLeft
from tesuji.experiments.records import PlayerSpec

__all__ = ["LAG_S", "Clock"]

LAG_S = 0.1
"""What a move may be late: the way through the pipe, and a machine that is busy."""


class Clock:
    """The time of one player.

    Parameters
    ----------
    spec : PlayerSpec
        Whose ``main_s``, ``byoyomi_s`` and ``byoyomi_stones`` it has.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        self.has_limit = spec.main_s > 0 or spec.byoyomi_s > 0
        self._period = TimeLeft(spec.byoyomi_s, max(1, spec.byoyomi_stones)) if spec.byoyomi_s > 0 else TimeLeft(0, 0)
        self._left = TimeLeft(spec.main_s, 0) if spec.main_s > 0 else self._period

    @property
    def left(self) -> TimeLeft | None:
        """What is left, None without a clock."""
        return self._left if self.has_limit else None

    @property
    def most_s(self) -> float:
        """The longest that the next move may take."""
        if not self.has_limit:
            return float("inf")
        return self._left.seconds + (0 if self._left.stones else self._period.seconds) + LAG_S

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off; False if it was too late."""
        if not self.has_limit:
            return True
        is_in_time = seconds <= self.most_s
        left_s, stones = self._left.seconds - seconds, self._left.stones
        if not stones and left_s <= 0 and self._period.stones:  # the main time ends in this move
            left_s, stones = self._period.seconds + left_s, self._period.stones
        if stones:
            stones -= 1
            self._left = TimeLeft(max(0.0, left_s), stones) if stones else self._period
        else:
            self._left = TimeLeft(max(0.0, left_s), 0)
        return is_in_time
