"""A plan: where every rectangle goes. What `pack` returns, files hold and pictures show."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from tesuji.packing.items import exact
from tesuji.packing.problem import Objective, PackingProblem
from tesuji.provenance import Provenance
from tesuji.search import Improvement

__all__ = ["Placement", "Plan", "PlannedSheet", "plain_number", "plan_from_moves"]


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """One rectangle on its place, in the units of the problem.

    Attributes
    ----------
    name : str
        Of its item.
    item, copy : int
        Which item of the input, and which of its copies; both from 0.
    x, y : number
        The lower left corner.
    width, height : number
        As it lies there.
    is_rotated : bool
        Whether it was turned.
    sheet : int
        On which of the sheets of the plan; 0 on a strip.
    """

    name: str
    item: int
    copy: int
    x: float
    y: float
    width: float
    height: float
    is_rotated: bool
    sheet: int = 0


class PlannedSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet that is used; on a strip the piece that is."""

    width: float
    height: float
    name: str = ""
    cost: float = 0.0
    used_height: float = 0.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A packing and what is known about it.

    Attributes
    ----------
    objective : {"height", "worth", "cost"}
        What counted.
    height : number
        That is used, of the strip or of the last sheet.
    value : number
        Height, worth or cost.
    bound : number
        No packing has a better value.
    is_optimal : bool
        Whether value and bound meet.
    placements : tuple of Placement
        Bottom-up in the order in which they were placed.
    sheets : tuple of PlannedSheet
        That are used.
    unplaced : tuple of str
        What found no place (names, or numbers of items), where not everything need or can be packed.
    kerf : number
        The least gap that was kept.
    guillotine : bool
        Whether cuts from edge to edge make it.
    moves : tuple of int
        Of the game; another search can begin from here.
    improvements : tuple of Improvement
        Every new best value with its time.
    simulations : int
        How many packings were tried.
    seconds : float
        How long it took.
    provenance : Provenance or None
        Strategy, seed, version, commit, machine, time.
    """

    objective: Objective
    height: float
    value: float
    bound: float
    is_optimal: bool
    placements: tuple[Placement, ...]
    sheets: tuple[PlannedSheet, ...]
    unplaced: tuple[str, ...] = ()
    kerf: float = 0.0
    guillotine: bool = False
    moves: tuple[int, ...] = ()
    improvements: tuple[Improvement, ...] = ()
    simulations: int = 0
    seconds: float = 0.0
    provenance: Provenance | None = None

    @property
    def gap(self) -> float:
        """How far the value may be from the best, as a share of the bound."""
        return abs(self.value - self.bound) / self.bound if self.bound else 0.0

    @property
    def used_share(self) -> float:
        """Area of the rectangles over that of what they lie on."""
        area = sum(sheet.width * sheet.used_height for sheet in self.sheets)
        return sum(one.width * one.height for one in self.placements) / area if area else 0.0

    def __repr__(self) -> str:
        proof = ", optimal" if self.is_optimal else f", at best {self.bound:g}"
        return f"<Plan: {self.objective} {self.value:g}{proof}, {len(self.placements)} rectangles placed>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain | {"gap": self.gap, "used_share": self.used_share}

    def _repr_svg_(self) -> str:
        """A picture, for notebooks."""
        from tesuji.packing.svg import to_svg

        return to_svg(self)


def plain_number(number: Fraction | float) -> float:
    """An int where it is whole, else a float."""
    exact = Fraction(number)
    return int(exact) if exact.denominator == 1 else float(exact)


def plan_from_moves(problem: PackingProblem, moves: tuple[int, ...]) -> Plan:
    """What a sequence of moves packs.

    Raises
    ------
    ValueError
        If the moves are not a whole game of this problem.
    """
    game = problem.game()
    placed = game.placements(list(moves))
    for move in moves:
        game.play(move)
    if not game.is_over:
        raise ValueError(f"the {len(moves)} moves do not pack everything: they belong to another problem")
    placements, used, tops = _placements(problem, placed)
    sheets = _sheets(problem, placed, tops)
    value, bound = _value_and_bound(problem, game.value, game.cost)
    unplaced = _unplaced(problem, used)
    is_met = value >= bound if problem.objective == "worth" else value <= bound
    return Plan(
        objective=problem.objective,
        height=sheets[-1].used_height if sheets else 0,
        value=plain_number(value),
        bound=plain_number(bound),
        is_optimal=is_met and not (unplaced and problem.objective == "cost"),
        placements=tuple(placements),
        sheets=tuple(sheets),
        unplaced=tuple(unplaced),
        kerf=plain_number(problem.kerf),
        guillotine=problem.guillotine,
        moves=moves,
    )


_Placed = list[tuple[int, int, int, bool, int, int]]


def _placements(problem: PackingProblem, placed: _Placed) -> tuple[list[Placement], list[int], dict[int, int]]:
    """Every rectangle under its own name, how many of each kind are used, and how high each sheet is."""
    kinds = list(problem.kinds.items())
    used = [0] * len(kinds)
    placements = []
    tops: dict[int, int] = {}
    for number, x, y, is_turned, sheet, _ in placed:
        kind, copies = kinds[number]
        item, copy, lies_across = copies[used[number]]
        used[number] += 1
        sides = (kind.height, kind.width) if is_turned else (kind.width, kind.height)
        tops[sheet] = max(tops.get(sheet, 0), y + sides[1])
        x_y_width_height = [plain_number(length * problem.unit) for length in (x, y, *sides)]
        placements.append(
            Placement(
                name=problem.items[item].name,
                item=item,
                copy=copy,
                **dict(zip(("x", "y", "width", "height"), x_y_width_height, strict=True)),
                is_rotated=is_turned != lies_across,
                sheet=sheet,
            )
        )
    return placements, used, tops


def _sheets(problem: PackingProblem, placed: _Placed, tops: dict[int, int]) -> list[PlannedSheet]:
    heights = {sheet: plain_number(top * problem.unit) for sheet, top in tops.items()}
    if problem.objective == "height":
        assert problem.width is not None
        return [PlannedSheet(width=plain_number(problem.width), height=heights[0], used_height=heights[0])]
    kind_of = {sheet: kind for *_, sheet, kind in placed}
    return [
        PlannedSheet(
            width=plain_number(exact(problem.sheets[kind].width, "")),
            height=plain_number(exact(problem.sheets[kind].height, "")),
            name=problem.sheets[kind].name,
            cost=plain_number(problem.sheet_costs[kind]),
            used_height=heights[sheet],
        )
        for sheet, kind in sorted(kind_of.items())
    ]


def _value_and_bound(problem: PackingProblem, value: float, cost: int) -> tuple[Fraction, Fraction]:
    bound = problem.native.bound
    if problem.objective == "height":
        return Fraction(value) * problem.unit, Fraction(bound) * problem.unit
    if problem.objective == "cost":
        return cost * problem.cost_unit, Fraction(bound) * problem.cost_unit
    return Fraction(value), Fraction(bound)


def _unplaced(problem: PackingProblem, used: list[int]) -> list[str]:
    names = []
    for copies, number in zip(problem.kinds.values(), used, strict=True):
        names += [problem.items[item].name or str(item + 1) for item, *_ in copies[number:]]
    return names
