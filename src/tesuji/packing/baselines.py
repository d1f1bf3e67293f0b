"""Packers without a search, to compare with: bottom-left-fill, best-fit skyline, and the package ``rectpack``.

All pack a strip and return its height. `bottom_left_fill` also fills holes below what is placed; the game does
not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tesuji.packing.plan import plan_from_moves
from tesuji.packing.problem import PackingProblem
from tesuji.words import how_to_get

__all__ = ["BASELINES", "best_fit", "bottom_left_fill", "rectpack_height"]

Rectangles = list[tuple[int, int, bool]]
"""Width, height, may turn."""


def _rectangles(problem: PackingProblem) -> tuple[Rectangles, int]:
    """In whole units, and the strip's width."""
    assert problem.width is not None, "baselines are for strips"
    listed = [(k.width, k.height, k.may_rotate) for k, copies in problem.kinds.items() for _ in copies]
    return listed, int(problem.width / problem.unit)


def bottom_left_fill(problem: PackingProblem, key: Callable[[int, int], float]) -> float:
    """Each rectangle, the largest by `key` first, at the lowest place that is free, the leftmost of several.

    A rectangle that may be turned is, if it then ends lower.
    """
    rectangles, width = _rectangles(problem)
    boxes: list[tuple[int, int, int, int]] = []
    for w, h, may_turn in sorted(rectangles, key=lambda r: -key(r[0], r[1])):
        ways = [(w, h), (h, w)] if may_turn and w != h else [(w, h)]
        places = [(*_lowest(boxes, a, b, width), a, b) for a, b in ways if a <= width]
        y, x, a, b = min(places, key=lambda place: (place[0] + place[3], place[0], place[1]))
        boxes.append((x, y, x + a, y + b))
    return float(max(box[3] for box in boxes) * problem.unit)


def _lowest(boxes: list[tuple[int, int, int, int]], w: int, h: int, width: int) -> tuple[int, int]:
    """The lowest y, and the leftmost x there, at which a rectangle overlaps nothing."""
    for y in sorted({0, *(box[3] for box in boxes)}):
        x = 0
        for left, _, right, _ in sorted(box for box in boxes if box[1] < y + h and box[3] > y):
            if left >= x + w:
                break
            x = max(x, right)
        if x + w <= width:
            return y, x
    raise AssertionError("above everything there is room")


def best_fit(problem: PackingProblem, number: int = 1) -> float:
    """The game's own rule once: what fits best, the widest of equals."""
    game = problem.game()
    return plan_from_moves(problem, tuple(game.moves_in_order(game.first_order(number), True))).value


def rectpack_height(problem: PackingProblem) -> float:
    """The best of the algorithms of ``rectpack``, on a strip that is high enough for all.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import rectpack
    except ImportError as error:
        raise ImportError(f"rectpack is not installed: {how_to_get('rectpack')}") from error
    rectangles, width = _rectangles(problem)
    rotates = all(may_turn for w, h, may_turn in rectangles if w != h)
    names = ("MaxRectsBl", "MaxRectsBssf", "MaxRectsBaf", "SkylineBl", "SkylineMwf", "SkylineMwfl", "SkylineBlWm")
    heights = [_rectpack(rectpack, getattr(rectpack, name), rectangles, width, rotates) for name in names]
    return float(min(heights) * problem.unit)


def _rectpack(package: Any, algorithm: Any, rectangles: Rectangles, width: int, rotates: bool) -> int:
    packer = package.newPacker(
        mode=package.PackingMode.Offline,
        pack_algo=algorithm,
        sort_algo=package.SORT_AREA,
        rotation=rotates,
    )
    packer.add_bin(width, sum(max(w, h) for w, h, _ in rectangles))
    for w, h, _ in rectangles:
        packer.add_rect(w, h)
    packer.pack()
    placed = packer.rect_list()
    if len(placed) != len(rectangles):  # not placed: as bad as can be
        return sum(max(w, h) for w, h, _ in rectangles)
    return int(max(y + h for _, _, y, _, h, _ in placed))


BASELINES: dict[str, Callable[[PackingProblem], float]] = {
    "bottom-left-fill, by area": lambda problem: bottom_left_fill(problem, lambda w, h: w * h),
    "bottom-left-fill, by width": lambda problem: bottom_left_fill(problem, lambda w, _: w),
    "bottom-left-fill, by height": lambda problem: bottom_left_fill(problem, lambda _, h: h),
    "best-fit skyline": best_fit,
    "rectpack, best of 7": rectpack_height,
}
"""By name."""
