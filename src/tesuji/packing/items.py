"""What people give: rectangles and sheets, with sides in any unit. Numbers are exact from here on.

A side may be an int, a float, a `fractions.Fraction` or a text such as ``"12.5"``; a float is what it prints as.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

import msgspec

__all__ = ["Item", "ItemLike", "Number", "PackingError", "Sheet", "exact", "items_from"]

Number: TypeAlias = int | float | Fraction | str
"""A length or a cost."""

MOST_ITEMS = 10_000
"""More rectangles than this are refused: the search would not get anywhere."""


class PackingError(ValueError):
    """A problem that cannot be packed, or a plan that is none; says which value, which rule and what to do."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Equal rectangles.

    Attributes
    ----------
    width, height : number
        Above 0.
    count : int
        How many there are.
    may_rotate : bool or None
        Whether they may be turned by 90 degrees; None: as the problem says.
    worth : number or None
        Of each, where worth is what counts; None: its area.
    name : str
        What to call them.
    """

    width: Number
    height: Number
    count: int = 1
    may_rotate: bool | None = None
    worth: Number | None = None
    name: str = ""

    def __post_init__(self) -> None:
        what = f"item {self.name!r}" if self.name else "an item"
        for side, value in (("width", self.width), ("height", self.height)):
            if exact(value, f"the {side} of {what}") <= 0:
                raise PackingError(f"the {side} of {what} is {value}; it must be above 0")
        if not _is_count(self.count):
            raise PackingError(f"the count of {what} is {self.count!r}; it must be a whole number of at least 1")
        if self.count > MOST_ITEMS:
            raise PackingError(f"the count of {what} is {self.count}; at most {MOST_ITEMS} rectangles can be packed")
        if self.worth is not None and exact(self.worth, f"the worth of {what}") < 0:
            raise PackingError(f"the worth of {what} is {self.worth}; it must be at least 0")


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Equal sheets of stock.

    Attributes
    ----------
    width, height : number
        Above 0.
    count : int
        How many there are.
    cost : number or None
        Of each; None: its area.
    name : str
        What to call them.
    """

    width: Number
    height: Number
    count: int = 1
    cost: Number | None = None
    name: str = ""

    def __post_init__(self) -> None:
        for side, value in (("width", self.width), ("height", self.height)):
            if exact(value, f"a sheet's {side}") <= 0:
                raise PackingError(f"a sheet's {side} is {value}; it must be above 0")
        if not _is_count(self.count) or self.count > MOST_ITEMS:
            raise PackingError(f"a sheet's count is {self.count!r}; it must be 1 to {MOST_ITEMS}")
        if self.cost is not None and exact(self.cost, "a sheet's cost") < 0:
            raise PackingError(f"a sheet's cost is {self.cost}; it must be at least 0")


ItemLike: TypeAlias = Item | tuple[Number, Number] | tuple[Number, Number, int]
"""An item, or its width, height and, if there are several, how many."""


def items_from(items: Iterable[ItemLike]) -> tuple[Item, ...]:
    """Items of whatever `pack` takes.

    Raises
    ------
    PackingError
        For something that is neither an item nor two or three numbers.
    """
    return tuple(_item_from(one) for one in items)


def _item_from(given: object) -> Item:
    if isinstance(given, Item):
        return given
    if isinstance(given, tuple | list) and len(given) in (2, 3):
        return Item(width=given[0], height=given[1], count=given[2] if len(given) == 3 else 1)
    raise PackingError(f"{given!r} is not an item; give an Item, (width, height) or (width, height, count)")


def _is_count(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count >= 1


def exact(value: Number, what: str) -> Fraction:
    """A number without rounding; a float is taken as the decimal that it prints as.

    Raises
    ------
    PackingError
        For anything that is not a finite number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | str):
        raise PackingError(f"{what} is {value!r}; it must be a number")
    try:
        return Fraction(str(value).strip()) if isinstance(value, float | str) else Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise PackingError(f"{what} is {value!r}; it must be a finite number") from None
