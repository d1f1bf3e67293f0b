"""The clocks of a game that is played in a page: kept by the server, stopped while nobody looks.

A page may ask for no clock, a fixed time, Fischer time or byo-yomi; the arithmetic is `tesuji.go.engine.clock`'s.
"""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec

from tesuji.go.engine.clock import Absolute, ByoYomi, Fischer

__all__ = ["ClockSetting", "Clocks", "SavedClocks"]

AnyClock = Absolute | Fischer | ByoYomi
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=100_000)]


class ClockSetting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What both players begin with.

    Attributes
    ----------
    kind : {"absolute", "fischer", "byoyomi"}
        How it goes on after the main time.
    main_s : float
        Main time.
    extra_s : float
        Fischer: what a move adds; byo-yomi: a period.
    periods : int
        Of byo-yomi.
    """

    kind: Literal["absolute", "fischer", "byoyomi"] = "absolute"
    main_s: _Seconds = 600.0
    extra_s: _Seconds = 30.0
    periods: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5

    def clock(self) -> AnyClock:
        """A full one."""
        if self.kind == "absolute":
            return Absolute(max(1.0, self.main_s))
        if self.kind == "fischer":
            return Fischer(max(1.0, self.main_s), self.extra_s)
        if self.main_s <= 0:
            return ByoYomi(max(1.0, self.extra_s), max(1.0, self.extra_s), self.periods, self.periods)
        return ByoYomi(self.main_s, max(1.0, self.extra_s), self.periods)


class SavedClocks(msgspec.Struct, frozen=True):
    """What is left of both, for the shelf: seconds, and periods of byo-yomi."""

    left_s: tuple[float, float]
    periods: tuple[int, int] = (0, 0)


class Clocks:
    """Both clocks; at most one runs.

    Parameters
    ----------
    setting : ClockSetting
        What they began with.
    saved : SavedClocks, optional
        What is left.
    """

    def __init__(self, setting: ClockSetting, saved: SavedClocks | None = None) -> None:
        self._clocks: list[AnyClock] = [setting.clock(), setting.clock()]
        if saved is not None:
            self._clocks = [
                clock.told(left_s, periods)
                for clock, left_s, periods in zip(self._clocks, saved.left_s, saved.periods, strict=True)
            ]
        self._seat: int | None = None
        self._since_s = 0.0
        self._before_s = 0.0  # of this turn, before the clock was stopped for a while

    def start(self, seat: int) -> None:
        """Let a player's clock run."""
        if self._seat != seat:
            self._before_s = 0.0
        self._seat, self._since_s = seat, time.monotonic()

    def pause(self) -> None:
        """Stop the clock in the middle of a turn."""
        if self._seat is not None and self._since_s:
            self._before_s += time.monotonic() - self._since_s
            self._since_s = 0.0

    def moved(self, seat: int) -> None:
        """A player has moved."""
        self._clocks[seat] = self._clocks[seat].after(self._spent_s(seat))
        self._seat, self._since_s, self._before_s = None, 0.0, 0.0

    def clock(self, seat: int) -> AnyClock:
        """A player's clock as it was when the turn began, less what was spent on it."""
        clock = self._clocks[seat]
        return clock if self._seat != seat else clock.told(clock.left_s - self._spent_s(seat), _periods(clock))

    def until_lost_s(self, seat: int) -> float:
        """How long a player may still think before the game is lost."""
        return self._clocks[seat].most_s - self._spent_s(seat)

    def saved(self) -> SavedClocks:
        """What is left, for the shelf; the time of a turn that is not over counts."""
        left = [clock.left_s - self._spent_s(seat) for seat, clock in enumerate(self._clocks)]
        return SavedClocks((left[0], left[1]), (_periods(self._clocks[0]), _periods(self._clocks[1])))

    def shown(self) -> list[dict[str, float | int | bool]]:
        """For the page: what is left now and whether it runs."""
        shown: list[dict[str, float | int | bool]] = []
        for seat, clock in enumerate(self._clocks):
            now = clock.after(self._spent_s(seat)) if self._spent_s(seat) > max(0.0, clock.left_s) else None
            left_s = clock.left_s - self._spent_s(seat) if now is None else max(0.0, self.until_lost_s(seat))
            period_s = clock.period_s if isinstance(clock, ByoYomi) else 0.0
            shown.append(
                {
                    "left_s": round(left_s if not period_s or now is None else left_s % period_s or period_s, 2),
                    "periods": _periods(clock if now is None else now),
                    "runs": self._seat == seat and self._since_s > 0,
                    "lost_s": round(self.until_lost_s(seat), 2),
                }
            )
        return shown

    def _spent_s(self, seat: int) -> float:
        if self._seat != seat:
            return 0.0
        running_s = time.monotonic() - self._since_s if self._since_s else 0.0
        return self._before_s + running_s


def _periods(clock: AnyClock) -> int:
    return clock.periods_left if isinstance(clock, ByoYomi) else 0
