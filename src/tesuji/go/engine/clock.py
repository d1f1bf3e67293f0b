"""Clocks: absolute, Canadian, Japanese byo-yomi and Fischer time, as values.

A clock says how long the next move may take, what is left after it, and whether the game is lost on time. Formulas and
measurements are in docs/algorithms/time-control.md. It measures no time and stops no search:
`tesuji.go.engine.thinking` does. How GTP speaks of clocks is in `tesuji.go.engine.time_settings`; the referee of
matches keeps its own, `experiments.clock`.
"""

from __future__ import annotations

import math
from typing import Protocol, Self

import msgspec

from tesuji.go.rules.board import Board

__all__ = ["Absolute", "Allotment", "ByoYomi", "Canadian", "Clock", "Fischer", "expected_moves"]

LEAST_S = 0.01
"""With no time left a move is made all the same."""
_MARGIN_SHARE = 0.25
_FEWEST_MOVES = 10
_LEFT_EMPTY = 0.2


class Allotment(msgspec.Struct, frozen=True, kw_only=True):
    """Time for one move.

    Attributes
    ----------
    normal_s : float
        For a move that is clear by then.
    maximum_s : float
        For one that is not.
    saves_time : bool
        Whether what a move leaves unused is there for later ones.
    """

    normal_s: float
    maximum_s: float
    saves_time: bool = True


class Clock(Protocol):
    """The time of one player."""

    @property
    def most_s(self) -> float:
        """The longest that the next move may take, in seconds."""
        ...

    @property
    def is_lost(self) -> bool:
        """Whether the time has run out."""
        ...

    def allotment(self, moves_left: int, lag_s: float) -> Allotment:
        """Time for the next move, with so many of one's own still expected and a margin for delays on the way."""
        ...

    def after(self, spent_s: float) -> Self:
        """The clock after a move that took so long."""
        ...

    def told(self, left_s: float, count: int) -> Self:
        """The clock as a controller reports it: seconds, and stones or periods left; 0 of these: main time."""
        ...


def expected_moves(board: Board) -> int:
    """How many moves of its own a side has still to expect: a fifth of the points stays empty, ten at least."""
    num_empty = board.num_points - int((board.grid != 0).sum())
    return max(_FEWEST_MOVES, round((num_empty - _LEFT_EMPTY * board.num_points) / 2))


def _margin(lag_s: float, move_s: float) -> float:
    """What is kept against delays: `lag_s`, but no more than a quarter of a move's time on a short clock."""
    return min(lag_s, _MARGIN_SHARE * max(0.0, move_s))


def _main_time(main_s: float, moves: int, *, period_s: float, lag_s: float) -> Allotment:
    """A share of the main time on top of what overtime gives to every move, and twice that at least.

    A move in main time does without its overtime, so a few long ones make more of the main time than many short ones.
    """
    most_s = main_s + period_s
    most_s -= _margin(lag_s, most_s)
    least_s = min(2 * period_s, most_s)
    shared = _shared(main_s, moves, bonus_s=period_s, most_s=most_s)
    return msgspec.structs.replace(
        shared, normal_s=max(least_s, shared.normal_s), maximum_s=max(least_s, shared.maximum_s)
    )


def _shared(pool_s: float, moves: int, *, bonus_s: float, most_s: float, saves_time: bool = True) -> Allotment:
    """A pool of time shared by so many moves, each with a bonus; the last of them may take all of it."""
    normal_s = pool_s / moves + bonus_s
    maximum_s = max(normal_s, 3 * pool_s / (moves + 2) + bonus_s)
    return Allotment(
        normal_s=max(LEAST_S, min(normal_s, most_s)),
        maximum_s=max(LEAST_S, min(maximum_s, most_s)),
        saves_time=saves_time,
    )


class Absolute(msgspec.Struct, frozen=True):
    """One stock of time for the whole game.

    Attributes
    ----------
    left_s : float
        What is left; below 0: lost.
    """

    left_s: float

    @property
    def most_s(self) -> float:
        """All that is left."""
        return max(0.0, self.left_s)

    @property
    def is_lost(self) -> bool:
        """Whether the stock is overdrawn."""
        return self.left_s < 0

    def allotment(self, moves_left: int, lag_s: float) -> Allotment:
        """An even share."""
        usable_s = self.left_s - _margin(lag_s, self.left_s)
        return _shared(usable_s, moves_left, bonus_s=0.0, most_s=usable_s)

    def after(self, spent_s: float) -> Absolute:
        """The stock without what was spent."""
        return Absolute(self.left_s - spent_s)

    def told(self, left_s: float, count: int) -> Absolute:
        """The stock as reported."""
        del count
        return Absolute(left_s)


class Canadian(msgspec.Struct, frozen=True):
    """Main time, then periods that must hold a number of moves each.

    Attributes
    ----------
    left_s : float
        Of the main time or of the period; below 0: lost.
    period_s : float
        A whole period.
    stones : int
        Moves that it must hold, at least 1.
    stones_left : int
        Moves that this period must still hold; 0: main time.
    """

    left_s: float
    period_s: float
    stones: int
    stones_left: int = 0

    def __post_init__(self) -> None:
        _check_positive("stones", self.stones)

    @property
    def most_s(self) -> float:
        """What is left; in main time also the first period, whose other moves then have none."""
        return max(0.0, self.left_s) + (0.0 if self.stones_left else self.period_s)

    @property
    def is_lost(self) -> bool:
        """Whether a period ended before its moves were made."""
        return self.left_s < 0

    def allotment(self, moves_left: int, lag_s: float) -> Allotment:
        """An even share of the period; in main time that and a share of the main time."""
        if self.stones_left:
            usable_s = self.left_s - min(lag_s, max(0.0, self.left_s) / 2)  # the last stone's has to cover all delays
            return _shared(usable_s, self.stones_left, bonus_s=0.0, most_s=usable_s, saves_time=self.stones_left > 1)
        return _main_time(self.left_s, moves_left, period_s=self.period_s / self.stones, lag_s=lag_s)

    def after(self, spent_s: float) -> Canadian:
        """The clock with a move made: the period's next one, or a new period."""
        left_s, stones_left = self.left_s - spent_s, self.stones_left
        if not stones_left and left_s <= 0:  # the main time ends in this move
            left_s, stones_left = left_s + self.period_s, self.stones
        if left_s < 0 or not stones_left:
            return msgspec.structs.replace(self, left_s=left_s, stones_left=stones_left)
        if stones_left == 1:
            return msgspec.structs.replace(self, left_s=self.period_s, stones_left=self.stones)
        return msgspec.structs.replace(self, left_s=left_s, stones_left=stones_left - 1)

    def told(self, left_s: float, count: int) -> Canadian:
        """The clock as reported; main time that is used up is the first period."""
        if left_s <= 0 and not count:
            return msgspec.structs.replace(self, left_s=self.period_s, stones_left=self.stones)
        return msgspec.structs.replace(self, left_s=left_s, stones_left=count)


class ByoYomi(msgspec.Struct, frozen=True):
    """Main time, then periods of which one is lost by each move that takes longer than it.

    Attributes
    ----------
    left_s : float
        Of the main time or of the period; below 0: lost.
    period_s : float
        A whole period.
    periods : int
        How many there are after the main time, at least 1.
    periods_left : int
        How many are left, this one included; 0: main time.
    """

    left_s: float
    period_s: float
    periods: int
    periods_left: int = 0

    def __post_init__(self) -> None:
        _check_positive("periods", self.periods)

    @property
    def most_s(self) -> float:
        """What is left with all periods."""
        after_this = self.periods_left - 1 if self.periods_left else self.periods
        return max(0.0, self.left_s) + after_this * self.period_s

    @property
    def is_lost(self) -> bool:
        """Whether the last period is overdrawn."""
        return self.left_s < 0

    def allotment(self, moves_left: int, lag_s: float) -> Allotment:
        """The period, and in main time a share of that; no period is given away."""
        if self.periods_left:
            most_s = self.left_s - _margin(lag_s, self.left_s)
            return _shared(0.0, 1, bonus_s=most_s, most_s=most_s, saves_time=False)
        return _main_time(self.left_s, moves_left, period_s=self.period_s, lag_s=lag_s)

    def after(self, spent_s: float) -> ByoYomi:
        """The clock with a move made: a whole period again, or as many fewer as it took."""
        left_s, periods_left = self.left_s - spent_s, self.periods_left
        if not periods_left and left_s <= 0:
            left_s, periods_left = left_s + self.period_s, self.periods
        while left_s < 0 and periods_left > 1:
            left_s, periods_left = left_s + self.period_s, periods_left - 1
        whole_s = self.period_s if periods_left and left_s >= 0 else left_s
        return msgspec.structs.replace(self, left_s=whole_s, periods_left=periods_left)

    def told(self, left_s: float, count: int) -> ByoYomi:
        """The clock as reported; main time that is used up is the first period."""
        if left_s <= 0 and not count:
            return msgspec.structs.replace(self, left_s=self.period_s, periods_left=self.periods)
        return msgspec.structs.replace(self, left_s=left_s, periods_left=count)


class Fischer(msgspec.Struct, frozen=True):
    """A stock of time that every move adds to.

    Attributes
    ----------
    left_s : float
        What is left; below 0: lost.
    increment_s : float
        What each move adds.
    cap_s : float
        The stock never grows beyond this.
    move_cap_s : float
        The longest that any move may take.
    """

    left_s: float
    increment_s: float
    cap_s: float = math.inf
    move_cap_s: float = math.inf

    @property
    def most_s(self) -> float:
        """All that is left, up to the limit of a move."""
        return max(0.0, min(self.left_s, self.move_cap_s))

    @property
    def is_lost(self) -> bool:
        """Whether the stock is overdrawn."""
        return self.left_s < 0

    def allotment(self, moves_left: int, lag_s: float) -> Allotment:
        """An even share of the stock, and the increment."""
        usable_s = self.most_s - _margin(lag_s, self.most_s)
        is_full = self.left_s + self.increment_s >= self.cap_s
        return _shared(self.left_s, moves_left, bonus_s=self.increment_s, most_s=usable_s, saves_time=not is_full)

    def after(self, spent_s: float) -> Fischer:
        """The stock without what was spent and with the increment."""
        left_s = self.left_s - spent_s
        if left_s >= 0 and spent_s <= self.move_cap_s:
            return msgspec.structs.replace(self, left_s=min(left_s + self.increment_s, self.cap_s))
        return msgspec.structs.replace(self, left_s=min(left_s, self.move_cap_s - spent_s))

    def told(self, left_s: float, count: int) -> Fischer:
        """The stock as reported."""
        del count
        return msgspec.structs.replace(self, left_s=left_s)


def _check_positive(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name} is {value}; a period needs at least 1 (for no overtime use Absolute)")
