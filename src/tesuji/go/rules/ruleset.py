"""Rules as values: what may be played, how a game is counted, where handicap stones go.

The native board enforces them (`tesuji.go.rules.board`), `tesuji.go.rules.score` counts by them; this module only names
them.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import msgspec

from tesuji.go.rules.vertex import quoted

__all__ = [
    "AGA",
    "CHINESE",
    "JAPANESE",
    "NEW_ZEALAND",
    "RULE_SETS",
    "TROMP_TAYLOR",
    "Rules",
    "checked_komi",
    "fixed_handicap",
    "max_fixed_handicap",
    "rules_named",
]


def checked_komi(komi: float) -> float:
    """Return a komi that counting can use, as a float.

    Raises
    ------
    ValueError
        If it is not a finite multiple of one half, or larger than any board.
    """
    try:
        value = float(komi)
    except (TypeError, ValueError):
        raise ValueError(f"komi {komi!r} is not a number; give points in halves, for instance 6.5") from None
    if not math.isfinite(value) or value * 2 != round(value * 2):
        raise ValueError(f"komi {komi!r} is not a multiple of 0.5; give points in halves, for instance 6.5")
    if abs(value) > 1000:
        raise ValueError(f"komi {komi!r} is larger than any board; give points between -1000 and 1000")
    return value


_Scoring = Literal["area", "territory"]
_Ko = Literal["simple", "positional", "situational"]
_HandicapBonus = Literal["none", "n"]
_CHOICES = {"scoring": get_args(_Scoring), "ko": get_args(_Ko), "handicap_bonus": get_args(_HandicapBonus)}


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """A rule set.

    Attributes
    ----------
    name : str
        How messages and files call it.
    scoring : {"area", "territory"}
        Area counts stones and what they surround; territory counts surrounded points and prisoners.
    ko : {"simple", "positional", "situational"}
        Simple ko forbids only retaking at once. Positional superko forbids every earlier position of the game,
        situational superko every earlier position with the same side to move.
    suicide : bool
        Whether a move may take the last liberty of its own chain, which is then removed.
    pass_stones : bool
        Whether a pass hands a stone to the opponent and white passes last, which makes territory and area counting
        agree (AGA).
    handicap_bonus : {"none", "n"}
        What white receives for n handicap stones under area scoring.
    removes_dead : bool
        Whether the players agree on dead stones at the end; if not, a dead stone counts until it is captured.
    komi : float
        White's compensation on an even board, in halves of a point.
    """

    name: str
    scoring: _Scoring = "area"
    ko: _Ko = "positional"
    suicide: bool = False
    pass_stones: bool = False
    handicap_bonus: _HandicapBonus = "none"
    removes_dead: bool = True
    komi: float = 7.5

    def __post_init__(self) -> None:
        for field, choices in _CHOICES.items():
            if (value := getattr(self, field)) not in choices:
                raise ValueError(f"{field} is {value!r}; choose one of {', '.join(choices)}")
        checked_komi(self.komi)


CHINESE = Rules(name="chinese", handicap_bonus="n")
TROMP_TAYLOR = Rules(name="tromp-taylor", suicide=True, removes_dead=False)
NEW_ZEALAND = Rules(name="new-zealand", ko="situational", suicide=True, komi=7.0)
AGA = Rules(name="aga", scoring="territory", ko="situational", pass_stones=True)
JAPANESE = Rules(name="japanese", scoring="territory", ko="simple", komi=6.5)

RULE_SETS: dict[str, Rules] = {rules.name: rules for rules in (CHINESE, JAPANESE, TROMP_TAYLOR, AGA, NEW_ZEALAND)}


def rules_named(name: str) -> Rules:
    """Find a rule set by name, written with any case and with ``-``, ``_`` or a space between words.

    Raises
    ------
    ValueError
        If there is none; the message lists those there are.
    """
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    try:
        return RULE_SETS[wanted]
    except KeyError:
        raise ValueError(f"no rule set is called {quoted(name)}; choose one of {', '.join(RULE_SETS)}") from None


def max_fixed_handicap(width: int, height: int) -> int:
    """The largest number of fixed handicap stones of a board; 0 if it has no fixed places."""
    if width != height or width < 7:
        return 0
    return 4 if width % 2 == 0 or width == 7 else 9


def fixed_handicap(stones: int, width: int, height: int) -> list[int]:
    """The points of a fixed handicap, as the GTP standard places it.

    Raises
    ------
    ValueError
        If the board has no place for that many.
    """
    most = max_fixed_handicap(width, height)
    if not 2 <= stones <= most:
        can_be = f"2 to {most}" if most else "none; place them freely"
        raise ValueError(f"{stones} handicap stones have no fixed places on {width}x{height}; possible: {can_be}")
    edge = 3 if width >= 13 else 2
    low, middle, high = edge, width // 2, width - 1 - edge
    # (column, row from the bottom): corners first, then the middle of the sides; odd numbers from five take the centre.
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    places = corners[:stones] if stones <= 4 else corners + sides[: (stones - 4) // 2 * 2]
    if stones >= 5 and stones % 2 == 1:
        places.append((middle, middle))
    return sorted((height - 1 - row) * width + column for column, row in places)
