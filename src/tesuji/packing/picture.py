"""Plans as PNG, drawn with matplotlib (the extra ``plot``), which is imported when a picture is made and not before."""

from __future__ import annotations

import io
import textwrap

from tesuji.packing.colors import INK, PAPER, WASTE, colors_of, labels_of
from tesuji.packing.plan import Plan
from tesuji.packing.svg import caption_of
from tesuji.words import how_to_install

__all__ = ["to_png"]

_INCHES = 7.0  # the longer side of the largest sheet


def to_png(plan: Plan) -> bytes:
    """The plan as the bytes of a PNG file.

    Raises
    ------
    ImportError
        If matplotlib is not installed; says how to get it.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError as error:
        raise ImportError(f"PNG pictures need matplotlib: {how_to_install('plot')}; or write an SVG") from error
    heights = [max(sheet.height, sheet.used_height) for sheet in plan.sheets]
    total, tallest = sum(sheet.width for sheet in plan.sheets) or 1.0, max(heights, default=1.0)
    scale = _INCHES / max(total, tallest)
    figure = Figure(figsize=(max(4.5, total * scale + 0.4 * len(heights)), tallest * scale + 0.7), facecolor=PAPER)
    axes = figure.subplots(
        1, max(1, len(heights)), squeeze=False, width_ratios=[one.width for one in plan.sheets] or None
    )
    for axis, sheet, height in zip(axes[0], plan.sheets, heights, strict=True):
        axis.add_patch(Rectangle((0, 0), sheet.width, height, facecolor=WASTE, edgecolor=INK, linewidth=1.5))
        axis.set_xlim(-0.01 * sheet.width, 1.01 * sheet.width)
        axis.set_ylim(-0.01 * tallest, 1.01 * tallest)
        axis.set_aspect("equal")
        axis.axis("off")
    for one, color, label in zip(plan.placements, colors_of(plan), labels_of(plan), strict=True):
        axis = axes[0][one.sheet]
        axis.add_patch(Rectangle((one.x, one.y), one.width, one.height, facecolor=color, edgecolor=INK, linewidth=0.7))
        size = 72 * scale * min(one.height * 0.7, 1.5 * one.width / max(1, len(label)))
        if size >= 4:
            middle = (one.x + one.width / 2, one.y + one.height / 2)
            axis.text(*middle, label, ha="center", va="center", fontsize=min(10.0, size), color=INK)
    letters_per_line = int(figure.get_figwidth() * 13)
    figure.suptitle(textwrap.fill(caption_of(plan), letters_per_line), fontsize=9, color=INK)
    figure.tight_layout()
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=150)
    return out.getvalue()
