"""Checks a plan against its problem with nothing but arithmetic: it knows neither the game nor the search.

Every item once, with its own sides, turned only where it may be; inside its sheet; no two closer than the kerf; cut
from edge to edge where that is asked for; the numbers that the plan gives for itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from tesuji.packing.items import Number, PackingError, exact
from tesuji.packing.plan import Placement, Plan
from tesuji.packing.problem import PackingProblem

__all__ = ["is_guillotine", "verify"]

Box: TypeAlias = tuple[Fraction, Fraction, Fraction, Fraction]
"""Left, bottom, right, top, in units of the problem."""

_FORGIVEN = Fraction(1, 10**6)


def verify(problem: PackingProblem, plan: Plan) -> None:
    """Accept a plan, or say what is wrong with it.

    Raises
    ------
    PackingError
        If anything is wrong; the first thing found.
    """
    _check_items(problem, plan)
    _check_sheets(problem, plan)
    for number in range(len(plan.sheets)):
        boxes = [_box(problem, one) for one in plan.placements if one.sheet == number]
        _check_inside(problem, boxes, plan, number)
        _check_apart(problem, boxes)
        if problem.guillotine and not is_guillotine(boxes, problem.kerf / problem.unit):
            raise PackingError(f"no cuts from edge to edge make sheet {number}")
    _check_value(problem, plan)


def _units(problem: PackingProblem, length: Number) -> Fraction:
    """A length in the problem's units; the last digits of a float that stands for a third are forgiven."""
    number = exact(length, "a length of the plan") / problem.unit
    return Fraction(round(number)) if abs(number - round(number)) < _FORGIVEN else number


def _check_items(problem: PackingProblem, plan: Plan) -> None:
    seen: set[tuple[int, int]] = set()
    for one in plan.placements:
        if not 0 <= one.item < len(problem.items) or not 0 <= one.copy < problem.items[one.item].count:
            raise PackingError(f"item {one.item} copy {one.copy} is not part of the problem")
        if (one.item, one.copy) in seen:
            raise PackingError(f"item {one.item} copy {one.copy} is placed twice")
        seen.add((one.item, one.copy))
        item = problem.items[one.item]
        sides = (_units(problem, item.width), _units(problem, item.height))
        if one.is_rotated and not problem.may_rotate(item):
            raise PackingError(f"item {one.item} is rotated, and must not be")
        if (_units(problem, one.width), _units(problem, one.height)) != (sides[::-1] if one.is_rotated else sides):
            raise PackingError(f"item {one.item} is {one.width} x {one.height} in the plan, which it is not")
    missing = sum(item.count for item in problem.items) - len(seen)
    if missing and problem.objective == "height":
        raise PackingError(f"{missing} rectangles are not placed")
    if missing != len(plan.unplaced):
        raise PackingError(f"{missing} rectangles are not placed, and {len(plan.unplaced)} are said not to be")


def _check_sheets(problem: PackingProblem, plan: Plan) -> None:
    if any(not 0 <= one.sheet < len(plan.sheets) for one in plan.placements):
        raise PackingError("a rectangle lies on a sheet that the plan does not have")
    used = Counter((_units(problem, sheet.width), _units(problem, sheet.height)) for sheet in plan.sheets)
    if problem.objective == "height":
        assert problem.width is not None
        if len(plan.sheets) != 1 or _units(problem, plan.sheets[0].width) != problem.width / problem.unit:
            raise PackingError("the plan is not for this strip")
        return
    stock: Counter[tuple[Fraction, Fraction]] = Counter()
    for sheet in problem.sheets:
        stock[_units(problem, sheet.width), _units(problem, sheet.height)] += sheet.count
    if used - stock:
        raise PackingError("the plan uses more sheets than there are")


def _box(problem: PackingProblem, one: Placement) -> Box:
    x, y, width, height = (_units(problem, length) for length in (one.x, one.y, one.width, one.height))
    return x, y, x + width, y + height


def _place(problem: PackingProblem, box: Box) -> str:
    return f"{float(box[0] * problem.unit):g}, {float(box[1] * problem.unit):g}"


def _check_inside(problem: PackingProblem, boxes: Sequence[Box], plan: Plan, number: int) -> None:
    sheet = plan.sheets[number]
    width, height, top = (_units(problem, side) for side in (sheet.width, sheet.height, sheet.used_height))
    for box in boxes:
        if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
            raise PackingError(f"a rectangle at {_place(problem, box)} sticks out of sheet {number}")
    if boxes and max(box[3] for box in boxes) != top:
        raise PackingError(f"sheet {number} is used up to another height than {sheet.used_height:g}")


def _check_apart(problem: PackingProblem, boxes: Sequence[Box]) -> None:
    kerf = problem.kerf / problem.unit
    ordered = sorted(boxes, key=lambda box: box[1])
    for i, box in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if other[1] >= box[3] + kerf:
                break  # this and all that follow lie above
            if other[0] < box[2] + kerf and box[0] < other[2] + kerf:
                places = f"{_place(problem, box)} and {_place(problem, other)}"
                raise PackingError(f"the rectangles at {places} overlap or are closer than the kerf")


def is_guillotine(boxes: Sequence[Box], kerf: Fraction) -> bool:
    """Whether cuts from edge to edge, each as wide as the kerf, separate all rectangles."""
    pending = [list(boxes)]
    while pending:
        group = pending.pop()
        if len(group) < 2:
            continue
        parts = _cut(group, 0, kerf) or _cut(group, 1, kerf)
        if parts is None:
            return False
        pending += parts
    return True


def _cut(boxes: list[Box], axis: int, kerf: Fraction) -> list[list[Box]] | None:
    """All cuts across one axis at once; None if there is none."""
    ordered = sorted(boxes, key=lambda box: box[axis])
    parts = [[ordered[0]]]
    end = ordered[0][axis + 2]
    for box in ordered[1:]:
        if box[axis] >= end + kerf:
            parts.append([box])
        else:
            parts[-1].append(box)
        end = max(end, box[axis + 2])
    return parts if len(parts) > 1 else None


def _check_value(problem: PackingProblem, plan: Plan) -> None:
    if problem.objective == "height":
        value = exact(plan.sheets[0].used_height, "")
    elif problem.objective == "cost":
        value = sum((exact(sheet.cost, "") for sheet in plan.sheets), Fraction(0))
    else:
        value = Fraction(0)
        for one in plan.placements:
            worth = problem.items[one.item].worth
            value += exact(one.width, "") * exact(one.height, "") if worth is None else exact(worth, "")
    if abs(float(value) - plan.value) > 1e-9 * max(1.0, abs(plan.value)):
        raise PackingError(f"the plan's {plan.objective} is {float(value):g}, not {plan.value:g}")
