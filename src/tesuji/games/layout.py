"""Where the cells of the native games lie on a plane, for pages and printed diagrams: places, names, sides.

A cell is 1 wide, x goes to the right and y down. Go has its own layout (`tesuji.web.faces`).
"""

from __future__ import annotations

import math
from typing import Any

from tesuji._core.games import Havannah, Hex, Y
from tesuji.games.terminal import Cell, NativeView
from tesuji.games.terminal.view import cell_name

__all__ = ["layout_of"]

_ROW = math.sqrt(3) / 2  # between two rows of hexagons
_STYLES = {
    "Gomoku": ("lines", "wood"),
    "Othello": ("squares", "green"),
    "Tic-tac-toe": ("squares", "paper"),
    "Breakthrough": ("squares", "paper"),
    "Connect Four": ("holes", "blue"),
}


def layout_of(kind: type, view: NativeView) -> dict[str, Any]:
    """The cells of a native game in the order of its view, with their places, in the style of the game.

    Returns
    -------
    dict
        ``style`` (lines, squares, holes or hexes), ``theme``, ``cells`` ([x, y]), ``names``; on squares ``width``,
        ``height``, ``columns``, ``rows`` and ``stars``; of Hex ``sides``: lines with the player whose they are.
    """
    cells: list[Cell] = list(view.cells)  # type: ignore[attr-defined]
    style, theme = _STYLES.get(view.title, ("hexes", "paper"))
    last_row = max(row for row, _ in cells)
    rows_go_up = view.title in ("Connect Four", "Breakthrough")
    places = [_place(kind, cell, last_row, rows_go_up) for cell in cells]
    left = min(x for x, _ in places)
    layout: dict[str, Any] = {
        "style": style,
        "theme": theme,
        "cells": [[round(x - left, 3), round(y, 3)] for x, y in places],
        "names": [cell_name(cell) for cell in cells],
    }
    if style != "hexes":
        width = 1 + max(column for _, column in cells)
        rows = [str(row + 1) for row in range(last_row + 1)]
        layout |= {
            "width": width,
            "height": last_row + 1,
            "columns": [str(c + 1) if style == "holes" else chr(97 + c) for c in range(width)],
            "rows": [] if style == "holes" else rows[::-1] if rows_go_up else rows,
            "stars": [],
        }
    if kind is Hex:
        layout["sides"] = _hex_sides(last_row + 1)
    return layout


def _place(kind: type, cell: Cell, last_row: int, rows_go_up: bool) -> tuple[float, float]:
    row, column = cell
    if kind in (Hex, Havannah):
        return column + row / 2, row * _ROW
    if kind is Y:
        return column - row / 2, row * _ROW
    return float(column), float(last_row - row if rows_go_up else row)


def _hex_sides(size: int) -> list[dict[str, Any]]:
    """The four sides of a Hex board with whose they are: lines from corner to corner."""
    last = size - 1
    corners = [(0.0, 0.0), (float(last), 0.0), (last * 1.5, last * _ROW), (last * 0.5, last * _ROW)]
    sides = zip(corners, [*corners[1:], corners[0]], (0, 1, 0, 1), strict=True)
    return [{"from": list(start), "to": list(end), "player": player} for start, end, player in sides]
