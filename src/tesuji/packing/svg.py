"""Plans as SVG: one file, no script, no font from elsewhere; sheets side by side, rectangles to scale and named."""

from __future__ import annotations

from html import escape

from tesuji.packing.colors import INK, PAPER, WASTE, colors_of, labels_of
from tesuji.packing.plan import Placement, Plan, PlannedSheet

__all__ = ["caption_of", "to_svg"]

_PIXELS = 640.0  # the longer side of the largest sheet
_MARGIN, _CAPTION = 16.0, 26.0


def to_svg(plan: Plan) -> str:
    """The plan as the text of an SVG file."""
    longest = max((max(sheet.width, _shown_height(sheet)) for sheet in plan.sheets), default=1.0)
    scale = _PIXELS / longest
    colors, labels = colors_of(plan), labels_of(plan)
    parts, x = [], _MARGIN
    tallest = max((_shown_height(sheet) for sheet in plan.sheets), default=1.0) * scale
    for number, sheet in enumerate(plan.sheets):
        parts.append(f'<g transform="translate({x:.2f} {_MARGIN + _CAPTION:.2f})">{_ground(sheet, scale)}')
        for one, color, label in zip(plan.placements, colors, labels, strict=True):
            if one.sheet == number:
                parts.append(_rectangle(one, sheet, scale, color, label))
        parts.append("</g>")
        x += sheet.width * scale + _MARGIN
    height = tallest + 2 * _MARGIN + _CAPTION
    width = max(x, 9.0 * len(caption_of(plan)) + _MARGIN)  # room for the caption's letters
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.2f} {height:.2f}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        f'<text x="{_MARGIN}" y="{_MARGIN + 8}" font-size="15" fill="{INK}">{escape(caption_of(plan))}</text>'
    )
    return head + "\n".join(parts) + "</svg>\n"


def caption_of(plan: Plan) -> str:
    """What the picture shows, in a line."""
    known = "optimal" if plan.is_optimal else f"no better than {plan.bound:g} is possible"
    left = f", {len(plan.unplaced)} left over" if plan.unplaced else ""
    return (
        f"{plan.objective} {plan.value:g} ({known}), {len(plan.placements)} rectangles{left},"
        f" {100 * plan.used_share:.1f} % used"
    )


def _shown_height(sheet: PlannedSheet) -> float:
    return max(sheet.height, sheet.used_height)


def _ground(sheet: PlannedSheet, scale: float) -> str:
    return (
        f'<rect width="{sheet.width * scale:.2f}" height="{_shown_height(sheet) * scale:.2f}" fill="{WASTE}"'
        f' stroke="{INK}" stroke-width="1.5"/>'
    )


def _rectangle(one: Placement, sheet: PlannedSheet, scale: float, color: str, label: str) -> str:
    width, height = one.width * scale, one.height * scale
    x, y = one.x * scale, (_shown_height(sheet) - one.y - one.height) * scale
    title = f"{label}: {one.width:g} x {one.height:g} at {one.x:g}, {one.y:g}{', rotated' if one.is_rotated else ''}"
    shape = (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{color}" stroke="{INK}"'
        f' stroke-width="0.8"><title>{escape(title)}</title></rect>'
    )
    size = min(14.0, height * 0.7, 1.6 * width / max(1, len(label)))
    if size < 5:
        return shape
    return shape + (
        f'<text x="{x + width / 2:.2f}" y="{y + height / 2:.2f}" font-size="{size:.1f}" fill="{INK}"'
        f' text-anchor="middle" dominant-baseline="central" pointer-events="none">{escape(label)}</text>'
    )
