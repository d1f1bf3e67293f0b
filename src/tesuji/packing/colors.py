"""Colours of rectangles: equal rectangles have one, and neighbours in the list of sizes differ."""

from __future__ import annotations

import colorsys

from tesuji.packing.plan import Plan

__all__ = ["INK", "PAPER", "WASTE", "colors_of", "labels_of"]

INK, PAPER, WASTE = "#26323a", "#ffffff", "#e4e7e6"
_GOLDEN = 0.618033988749895  # hues spread evenly, however many there are


def colors_of(plan: Plan) -> list[str]:
    """A colour for each placement, as #rrggbb: equal sizes alike."""
    sizes = [tuple(sorted((one.width, one.height))) for one in plan.placements]
    number = {size: i for i, size in enumerate(sorted(set(sizes), key=lambda size: (-size[0] * size[1], size)))}
    return [_color(number[size]) for size in sizes]


def _color(number: int) -> str:
    hue = (0.53 + number * _GOLDEN) % 1.0
    lightness = (0.66, 0.74, 0.58)[number % 3]
    rgb = colorsys.hls_to_rgb(hue, lightness, 0.52)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def labels_of(plan: Plan) -> list[str]:
    """What to write on each: its name, or its item's number counted from 1."""
    return [one.name or str(one.item + 1) for one in plan.placements]
