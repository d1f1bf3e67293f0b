"""A whole problem: rectangles, a strip or sheets, rotation, kerf, cuts. Makes the game that the search plays.

Sides become whole numbers of the largest unit in which all are whole, so a problem and the same problem in other units
are one game. Rectangles that are equal become one kind, in an order of their own: neither the order of the input nor
the way a rectangle that may be turned was written down changes anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Literal

import msgspec

from tesuji._core import packing as _native
from tesuji.packing.items import MOST_ITEMS, Item, ItemLike, Number, PackingError, Sheet, exact, items_from

__all__ = ["Kind", "Objective", "PackingProblem"]

Objective = Literal["height", "worth", "cost"]
MOST_UNITS = 10_000_000
"""A side has at most so many units; problems with finer numbers are refused."""


class Kind(msgspec.Struct, frozen=True, order=True):
    """Equal rectangles in whole units; those that may turn lie on their longer side."""

    width: int
    height: int
    may_rotate: bool
    worth: Fraction


class PackingProblem:
    """What is to be packed and what counts.

    Parameters
    ----------
    items : iterable of Item, (width, height) or (width, height, count)
        The rectangles.
    width : number, optional
        Of the strip; the height is minimised. Give this or `sheets`.
    rotate : bool
        Whether items that do not say may be turned by 90 degrees.
    kerf : number
        The least gap between two rectangles, such as a saw's cut. The edge of a sheet needs none.
    guillotine : bool
        Whether only patterns are allowed that cuts from edge to edge can make.
    max_height : number, optional
        Of the strip. Then not everything need be packed, and the worth of what is packed is maximised.
    sheets : iterable of Sheet, optional
        The stock, instead of a strip: everything is packed on sheets of the least cost.
    side : {"taller", "left"}
        Beside which neighbour of its gap a rectangle goes: the taller, or always the left one.
    playout : {"fit", "uniform"}
        Whether random playouts choose among what fits best or among all that has room.

    Raises
    ------
    PackingError
        For sides that are not numbers above 0, rectangles that fit nowhere, options that contradict each other.
    """

    def __init__(
        self,
        items: Iterable[ItemLike],
        *,
        width: Number | None = None,
        rotate: bool = True,
        kerf: Number = 0,
        guillotine: bool = False,
        max_height: Number | None = None,
        sheets: Iterable[Sheet] | None = None,
        side: Literal["taller", "left"] = "taller",
        playout: Literal["fit", "uniform"] = "fit",
    ) -> None:
        self.items = items_from(items)
        self.rotate, self.guillotine = rotate, guillotine
        self.side, self.playout = side, playout
        self.kerf = exact(kerf, "the kerf")
        self.sheets: tuple[Sheet, ...] = ()
        self._check_options(width, max_height, sheets)
        if sheets is not None:
            self.sheets, self.objective = tuple(sheets), "cost"
            self.width: Fraction | None = None
        else:
            assert width is not None
            self.width = exact(width, "the width of the strip")
            if max_height is not None:
                self.sheets = (Sheet(width=width, height=max_height),)
        self.max_height = None if max_height is None else exact(max_height, "the maximum height")
        self._check_sizes()

    objective: Objective = "height"

    def _check_options(self, width: Number | None, max_height: Number | None, sheets: Iterable[Sheet] | None) -> None:
        if not self.items:
            raise PackingError("there is no item; give at least one rectangle")
        if self.kerf < 0:
            raise PackingError(f"the kerf is {self.kerf}; it must be at least 0")
        if (width is None) == (sheets is None):
            raise PackingError("give either the width of a strip or sheets of stock, not both and not neither")
        if sheets is not None and max_height is not None:
            raise PackingError("a maximum height is for a strip; sheets have heights of their own")
        if max_height is not None:
            self.objective = "worth"
        if width is not None and exact(width, "the width of the strip") <= 0:
            raise PackingError(f"the width of the strip is {width}; it must be above 0")
        if max_height is not None and exact(max_height, "the maximum height") <= 0:
            raise PackingError(f"the maximum height is {max_height}; it must be above 0")

    def _check_sizes(self) -> None:
        if self.objective == "cost":
            if not self.sheets:
                raise PackingError("there is no sheet; give at least one")
            if len({sheet.cost is None for sheet in self.sheets}) > 1:
                raise PackingError("some sheets have a cost and some have not; give all of them one, or none")
        count = sum(item.count for item in self.items)
        if count > MOST_ITEMS:
            raise PackingError(f"there are {count} rectangles; at most {MOST_ITEMS} can be packed")
        for number, item in enumerate(self.items, 1):
            if self.objective != "worth" and not any(self._fits(item, *room) for room in self._rooms()):
                raise PackingError(f"{_called(item, number)} is {_shown(item)}; it {self._why_not(item)}")
        longest = max((*self._lengths(), *self._sheet_lengths()))
        if longest / self.unit > MOST_UNITS:
            raise PackingError(
                f"{float(longest):g} is more than {MOST_UNITS:,} times {float(self.unit):g}, the largest unit in which"
                " all sides are whole; round the sides"
            )

    def _rooms(self) -> list[tuple[Fraction, Fraction | None]]:
        """Width and height of the strip or of each sheet; None: without end."""
        if self.objective == "height":
            assert self.width is not None
            return [(self.width, None)]
        return [(exact(sheet.width, ""), exact(sheet.height, "")) for sheet in self.sheets]

    def _fits(self, item: Item, width: Fraction, height: Fraction | None) -> bool:
        sides = (exact(item.width, ""), exact(item.height, ""))
        ways = [sides, sides[::-1]] if self.may_rotate(item) else [sides]
        return any(way[0] <= width and (height is None or way[1] <= height) for way in ways)

    def _why_not(self, item: Item) -> str:
        if self.objective == "height":
            turned = "either way" if self.may_rotate(item) else "and must not be rotated"
            return f"is wider than the strip ({_plain(self.width)}) {turned}"
        return "fits on no sheet"

    def _lengths(self) -> list[Fraction]:
        return [exact(side, "") for item in self.items for side in (item.width, item.height)]

    def _sheet_lengths(self) -> list[Fraction]:
        return [side for room in self._rooms() for side in room if side is not None]

    def may_rotate(self, item: Item) -> bool:
        """Whether it may be turned."""
        return self.rotate if item.may_rotate is None else item.may_rotate

    @cached_property
    def unit(self) -> Fraction:
        """The largest length of which every side, the kerf and the strip's width are whole multiples."""
        lengths = [*self._lengths(), *self._sheet_lengths(), self.kerf]
        scale = math.lcm(*(length.denominator for length in lengths))
        return Fraction(math.gcd(*(int(length * scale) for length in lengths)), scale)

    @cached_property
    def kinds(self) -> dict[Kind, list[tuple[int, int, bool]]]:
        """For each kind in the game's order: item, number of the copy, whether the kind lies across the item."""
        found: dict[Kind, list[tuple[int, int, bool]]] = {}
        for number, item in enumerate(self.items):
            width, height = (int(exact(side, "") / self.unit) for side in (item.width, item.height))
            may_rotate = self.may_rotate(item) and width != height
            turned = may_rotate and width < height
            worth = width * height * self.unit**2 if item.worth is None else exact(item.worth, "")
            sides = (height, width) if turned else (width, height)
            kind = Kind(*sides, may_rotate, worth if self.objective == "worth" else Fraction(0))
            found.setdefault(kind, []).extend((number, copy, turned) for copy in range(item.count))
        return {kind: found[kind] for kind in sorted(found)}

    @cached_property
    def native(self) -> _native.Problem:
        """The same for the core."""
        kinds = [
            (kind.width, kind.height, len(copies), kind.may_rotate, float(kind.worth))
            for kind, copies in self.kinds.items()
        ]
        return _native.Problem(
            kinds,
            self._native_sheets(),
            objective=self.objective,
            kerf=int(self.kerf / self.unit),
            guillotine=self.guillotine,
            side=self.side,
            playout=self.playout,
        )

    def _native_sheets(self) -> list[tuple[int, int, int, int]]:
        rooms = [(int(width / self.unit), int((height or 0) / self.unit)) for width, height in self._rooms()]
        if self.objective == "height":
            return [(*rooms[0], 1, 0)]
        costs = [int(cost / self.cost_unit) for cost in self.sheet_costs]
        return [(*room, sheet.count, cost) for room, sheet, cost in zip(rooms, self.sheets, costs, strict=True)]

    @cached_property
    def sheet_costs(self) -> Sequence[Fraction]:
        """Of each kind of sheet: as given, or its area."""
        return [
            exact(sheet.width, "") * exact(sheet.height, "") if sheet.cost is None else exact(sheet.cost, "")
            for sheet in self.sheets
        ]

    @cached_property
    def cost_unit(self) -> Fraction:
        """What every sheet's cost is a whole multiple of."""
        scale = math.lcm(*(cost.denominator for cost in self.sheet_costs))
        return Fraction(math.gcd(*(int(cost * scale) for cost in self.sheet_costs)) or 1, scale)

    def game(self) -> _native.Packing:
        """The problem as a game of one player, nothing placed."""
        return _native.Packing(self.native)


def _called(item: Item, number: int) -> str:
    return f"item {number} ({item.name})" if item.name else f"item {number}"


def _shown(item: Item) -> str:
    return f"{item.width} x {item.height}"


def _plain(number: Fraction | None) -> str:
    return "" if number is None else f"{float(number):g}"
