"""Plans in a terminal: one letter a cell, coloured where colours are shown, readable where they are not.

A letter is an item; its copies are large and small in turn.
"""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING

from tesuji.packing.colors import colors_of
from tesuji.packing.plan import Plan
from tesuji.packing.svg import caption_of

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["to_rich", "to_text"]

_LETTERS = string.ascii_uppercase
_EMPTY = "·"
_ASPECT = 2.0  # a cell of a terminal is twice as high as wide


def to_text(plan: Plan, columns: int = 72, rows: int = 40) -> str:
    """The plan as plain text, each sheet below the one before."""
    parts = [caption_of(plan)]
    for number in range(len(plan.sheets)):
        grid = _grid(plan, number, columns, rows)
        lines = ["".join(_EMPTY if at < 0 else _letter(plan, at) for at in line) for line in grid]
        parts.append("\n".join(f"|{line}|" for line in lines) + f"\n+{'-' * len(grid[0])}+")
    return "\n".join(parts) + "\n"


def to_rich(plan: Plan, columns: int = 72, rows: int = 40) -> Text:
    """The same with colours."""
    from rich.text import Text

    colors = colors_of(plan)
    text = Text(caption_of(plan) + "\n")
    for number in range(len(plan.sheets)):
        for line in _grid(plan, number, columns, rows):
            text.append("|", style="dim")
            for at in line:
                if at < 0:
                    text.append(_EMPTY, style="dim")
                else:
                    text.append(_letter(plan, at), style=f"#26323a on {colors[at]}")
            text.append("|\n", style="dim")
        text.append(f"+{'-' * len(line)}+\n", style="dim")
    return text


def _letter(plan: Plan, number: int) -> str:
    one = plan.placements[number]
    letter = _LETTERS[one.item % len(_LETTERS)]
    return letter.lower() if one.copy % 2 else letter


def _grid(plan: Plan, number: int, columns: int, rows: int) -> list[list[int]]:
    """For each cell from the top: which placement covers its middle, or -1."""
    sheet = plan.sheets[number]
    height = max(sheet.height, sheet.used_height)
    wide = max(1, min(columns, round(rows * _ASPECT * sheet.width / height)))
    high = max(1, min(rows, math.ceil(wide * height / sheet.width / _ASPECT)))
    grid = [[-1] * wide for _ in range(high)]
    for at, one in enumerate(plan.placements):
        if one.sheet != number:
            continue
        left, right = (_cell(x, sheet.width, wide) for x in (one.x, one.x + one.width))
        bottom, top = (_cell(y, height, high) for y in (one.y, one.y + one.height))
        for row in range(bottom, top):
            for column in range(left, right):
                grid[high - 1 - row][column] = at
    return grid


def _cell(length: float, whole: float, cells: int) -> int:
    """The first cell whose middle is at or beyond a length."""
    return min(cells, max(0, math.ceil(length / whole * cells - 0.5)))
