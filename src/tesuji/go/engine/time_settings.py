"""How GTP and its extensions say what kind of clock there is: words to a `tesuji.go.engine.clock.Clock`.

``time_settings``, ``kgs-time_settings`` and ``kata-time_settings`` differ in what they know; ``time_left`` is answered
by the clock itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tesuji.go.engine.clock import Absolute, ByoYomi, Canadian, Clock, Fischer
from tesuji.go.rules.vertex import quoted

__all__ = ["KATA_KINDS", "KGS_KINDS", "canadian_or_none", "clock_of_kind"]

Numbers = Sequence[float]

_KINDS: dict[str, tuple[str, Callable[[Numbers], Clock | None]]] = {
    "none": ("", lambda _: None),
    "absolute": ("MAIN", lambda said: Absolute(said[0])),
    "byoyomi": ("MAIN PERIOD PERIODS", lambda said: _byo_yomi(*said)),
    "canadian": ("MAIN PERIOD STONES", lambda said: canadian_or_none(said[0], said[1], _count(said[2]))),
    "fischer": ("MAIN INCREMENT", lambda said: Fischer(said[0], said[1])),
    "fischer-capped": ("MAIN INCREMENT LIMIT MOVE_LIMIT", lambda said: _capped(*said)),
}
KGS_KINDS = ("none", "absolute", "byoyomi", "canadian")
KATA_KINDS = tuple(_KINDS)


def canadian_or_none(main_s: float, period_s: float, stones: int) -> Clock | None:
    """The clock of ``time_settings``: Canadian, absolute without overtime; None: no limit, an overtime of no stones.

    Raises
    ------
    ValueError
        If something is negative.
    """
    if min(main_s, period_s, stones) < 0:
        raise ValueError("times and stones are not negative")
    if stones == 0:
        return None if period_s > 0 else Absolute(main_s)
    if period_s == 0:
        return Absolute(main_s)
    return Canadian(main_s, period_s, stones) if main_s > 0 else Canadian(period_s, period_s, stones, stones)


def clock_of_kind(kind: str, numbers: Numbers, kinds: Sequence[str]) -> Clock | None:
    """The clock of ``kgs-time_settings`` or ``kata-time_settings``; None: no limit.

    Parameters
    ----------
    kind : str
        One of `kinds`, in any case.
    numbers : sequence of float
        What follows it.
    kinds : sequence of str
        `KGS_KINDS` or `KATA_KINDS`.

    Raises
    ------
    ValueError
        For another kind, too many or too few numbers, or negative ones.
    """
    kind = kind.lower()
    if kind not in kinds:
        raise ValueError(f"{quoted(kind)} is not a kind of clock; choose from {', '.join(kinds)}")
    wanted, made = _KINDS[kind]
    if len(numbers) != len(wanted.split()):
        raise ValueError(f"{kind} takes {wanted or 'no numbers'}, not {len(numbers)} numbers")
    if min(numbers[:2], default=0) < 0:
        raise ValueError("times are not negative")
    return made(numbers)


def _byo_yomi(main_s: float, period_s: float, periods: float) -> Clock:
    number = _count(periods)
    if number == 0 or period_s == 0:
        return Absolute(main_s)
    return ByoYomi(main_s, period_s, number) if main_s > 0 else ByoYomi(period_s, period_s, number, number)


def _capped(main_s: float, increment_s: float, cap_s: float, move_cap_s: float) -> Clock:
    """Negative limits are none."""
    if 0 <= cap_s < main_s:
        raise ValueError(f"the limit {cap_s:g} s is below the main time {main_s:g} s; give more, or -1 for none")
    cap_s, move_cap_s = (limit if limit >= 0 else math.inf for limit in (cap_s, move_cap_s))
    return Fischer(main_s, increment_s, cap_s, move_cap_s)


def _count(number: float) -> int:
    if number < 0 or number != int(number):
        raise ValueError(f"{number:g} is not a number of stones or periods; write a whole number, 0 or more")
    return int(number)
