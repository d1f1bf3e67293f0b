"""Diagrams of the native games as papers print them: flat, black and white, with marks, letters and numbers.

Go's are `tesuji.go.view.printed`. The first player is black, whatever colour the game gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from tesuji.games import Breakthrough
from tesuji.games.layout import layout_of
from tesuji.games.terminal import EMPTY, view_of
from tesuji.search.view.shapes import STYLES, Disc, Drawing, Mark, Shape, Stroke, Words, check_paper, mark_shapes

__all__ = ["PrintedGame", "drawing_of"]

_CORNERS = [(math.cos(math.radians(a)), math.sin(math.radians(a))) for a in (30, 90, 150, 210, 270, 330)]
_MARGINS = {"lines": 0.6, "squares": 0.65, "holes": 0.65, "hexes": 0.75}


class PrintedGame(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A diagram.

    Attributes
    ----------
    start : Game
        A native game before the first of the moves.
    moves : sequence of int
        That lead to the position.
    marks, labels : mapping of str to Mark, of str to str
        By the name of a cell.
    numbers : tuple of int, optional
        The first and the last move that carries its number.
    coordinates : bool
        Whether letters and numbers stand around the board.
    style : {"print", "wood"}
        Black on white, or on a flat wood tone.
    cell_cm : float
        How large a cell is on paper.

    Raises
    ------
    ValueError
        For cells and numbers that are not there.
    """

    start: Any
    moves: Sequence[int] = ()
    marks: Mapping[str, Mark] = {}
    labels: Mapping[str, str] = {}
    numbers: tuple[int, int] | None = None
    coordinates: bool = True
    style: Literal["print", "wood"] = "print"
    cell_cm: float = 0.5

    def __post_init__(self) -> None:
        if self.numbers is not None and isinstance(self.start, Breakthrough):
            raise ValueError("pieces of Breakthrough move, so that numbers have no place; leave them out")
        check_paper(self.style, self.cell_cm, self.numbers, len(self.moves))
        known = {name.lower() for name in self.layout["names"]}
        for name in (*self.marks, *self.labels):
            if name.lower() not in known:
                raise ValueError(
                    f"there is no cell {name[:20]!r} on this board; write it as in {self.layout['names'][0]}"
                )

    @cached_property
    def layout(self) -> dict[str, Any]:
        """Where the cells lie."""
        return layout_of(type(self.start), view_of(self.start))

    @cached_property
    def _played(self) -> tuple[Any, dict[int, int]]:
        """The position, and the numbers of the moves by cell."""
        view, game = view_of(self.start), self.start.copy()
        number_of = {cell: index for index, cell in enumerate(view.cells)}  # type: ignore[attr-defined]
        numbered: dict[int, int] = {}
        for number, move in enumerate(self.moves, start=1):
            cells = view.steps(game, move)
            if cells and self.numbers is not None and self.numbers[0] <= number <= self.numbers[1]:
                numbered[number_of[cells[-1]]] = number
            game.play(move)
        return game, numbered

    def _repr_svg_(self) -> str:
        return str(drawing_of(self).svg())


def drawing_of(diagram: PrintedGame) -> Drawing:
    """The diagram as shapes."""
    layout, view = diagram.layout, view_of(diagram.start)
    xs, ys = zip(*layout["cells"], strict=True)
    margin = _MARGINS[layout["style"]] + (0.35 if layout.get("sides") else 0)
    more = 0.85 if diagram.coordinates else 0.0
    is_named_above = bool(layout.get("sides"))
    x, y = min(xs) - margin - more, min(ys) - margin - (more if is_named_above else 0.0)
    bottom = max(ys) + margin + (0.0 if is_named_above else more)
    game = diagram._played[0]
    turn = "the game is over" if game.is_over else f"{view.players[view.mover(game)]} to move"
    return Drawing(
        shapes=tuple(_shapes(diagram)),
        frame=(x, y, max(xs) + margin - x, bottom - y),
        words=f"{view.title}, {turn}",
        ground=STYLES[diagram.style][0],
        cell_cm=diagram.cell_cm,
    )


def _shapes(diagram: PrintedGame) -> Iterator[Shape]:
    ground, ink = STYLES[diagram.style]
    layout = diagram.layout
    yield from _board(layout, ink)
    if diagram.coordinates:
        yield from _coordinates(layout, ink)
    game, numbered = diagram._played
    owners = list(view_of(diagram.start).owners(game).values())
    for (x, y), owner in zip(layout["cells"], owners, strict=True):
        if owner != EMPTY:
            yield Disc(x, y, 0.4, "#000000" if owner == 0 else "#ffffff", "#000000", 0.05)
    place = {name.lower(): index for index, name in enumerate(layout["names"])}
    words = {cell: str(number) for cell, number in numbered.items()}
    words |= {place[name.lower()]: text for name, text in diagram.labels.items()}
    for cell, text in words.items():
        x, y = layout["cells"][cell]
        if owners[cell] == EMPTY and layout["style"] == "lines":
            yield Disc(x, y, 0.36, ground, "none", 0)
        yield Words(x, y, text, {1: 0.56, 2: 0.48}.get(len(text), 0.36), "#ffffff" if owners[cell] == 0 else ink)
    for name, mark in diagram.marks.items():
        cell = place[name.lower()]
        x, y = layout["cells"][cell]
        yield from mark_shapes(mark, x, y, "#ffffff" if owners[cell] == 0 else ink, "none")


def _board(layout: Mapping[str, Any], ink: str) -> Iterator[Shape]:
    style, cells = layout["style"], layout["cells"]
    if style == "lines":
        right, bottom = layout["width"] - 1, layout["height"] - 1
        for column in range(right + 1):
            yield Stroke(((column, 0), (column, bottom)), 0.08 if column in (0, right) else 0.035, ink)
        for row in range(bottom + 1):
            yield Stroke(((0, row), (right, row)), 0.08 if row in (0, bottom) else 0.035, ink)
    elif style == "hexes":
        for side in layout.get("sides", ()):
            yield from _side(side, ink)
        for x, y in cells:
            yield Stroke(tuple((x + 0.577 * a, y + 0.577 * b) for a, b in _CORNERS), 0.035, ink, is_closed=True)
    else:
        for x, y in cells:
            corners = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
            yield Stroke(corners, 0.035, ink, is_closed=True)


def _side(side: Mapping[str, Any], ink: str) -> Iterator[Shape]:
    """Whose a side of Hex is: black is a thick line, white two thin ones."""
    (x0, y0), (x1, y1) = side["from"], side["to"]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    for out, width in ((0.84, 0.16),) if side["player"] == 0 else ((0.78, 0.035), (0.9, 0.035)):
        dx, dy = out * (y1 - y0) / length, -out * (x1 - x0) / length
        yield Stroke(((x0 + dx, y0 + dy), (x1 + dx, y1 + dy)), width, ink)


def _coordinates(layout: Mapping[str, Any], ink: str) -> Iterator[Shape]:
    if layout["style"] != "hexes":
        for column, letter in enumerate(layout["columns"]):
            yield Words(column, layout["height"] - 1 + 0.98, letter, 0.42, ink)
        for row, name in enumerate(layout["rows"]):
            yield Words(-0.98, row, name, 0.42, ink)
        return
    out = 1.4 if layout.get("sides") else 1.0
    firsts: dict[float, tuple[float, str]] = {}
    for (x, y), name in zip(layout["cells"], layout["names"], strict=True):
        firsts[y] = min(firsts.get(y, (x, name)), (x, name))
    for y, (x, name) in firsts.items():
        yield Words(x - out, y, name[1:], 0.42, ink)
    lasts: dict[str, tuple[float, float]] = {}  # each letter at the lower end of its line; at Hex above the first row
    for (x, y), name in zip(layout["cells"], layout["names"], strict=True):
        if name[0] not in lasts or (y > lasts[name[0]][1]) != bool(layout.get("sides")):
            lasts[name[0]] = x, y
    for letter, (x, y) in lasts.items():
        at = (x - 0.3, y - out + 0.1) if layout.get("sides") else (x + 0.3, y + out - 0.05)
        yield Words(*at, letter, 0.42, ink)
