"""Diagrams as books and papers print them: flat, any part of a board, with marks, letters and numbers.

A `PrintedDiagram` becomes a drawing, which writes itself as SVG, PDF or PNG (`tesuji.search.view.shapes`). Moves are
 numbered as books do: the position before the first of them, then all stones that were played, captured or not; a
move on a point that has its number already is told in `notes` ("32 at 27").

Pictures for screens, with wood and light on the stones, are `tesuji.go.view.svg` and `tesuji.go.view.picture`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np

from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import COLUMN_LETTERS
from tesuji.go.view.diagram import star_points
from tesuji.search.view.shapes import STYLES, Disc, Drawing, Mark, Shape, Stroke, Words, check_paper, mark_shapes

__all__ = ["PrintedDiagram", "drawing_of"]


class PrintedDiagram(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A diagram.

    Attributes
    ----------
    board : Board
        The position; with `numbers`, the game that leads to it.
    part : tuple of int, optional
        The columns and rows that are shown, first and last of each, from 0 at the top left: (left, top, right, bottom).
    marks : mapping of int to Mark
        By point.
    labels : mapping of int to str
        Short texts by point.
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
        For a part or numbers that are not there.
    """

    board: Board
    part: tuple[int, int, int, int] | None = None
    marks: Mapping[int, Mark] = {}
    labels: Mapping[int, str] = {}
    numbers: tuple[int, int] | None = None
    coordinates: bool = True
    style: Literal["print", "wood"] = "print"
    cell_cm: float = 0.5

    def __post_init__(self) -> None:
        width, height = self.board.width, self.board.height
        if self.part is not None:
            left, top, right, bottom = self.part
            if not (0 <= left <= right < width and 0 <= top <= bottom < height):
                raise ValueError(f"the part {self.part} is not on the {width}x{height} board; give two of its corners")
        check_paper(self.style, self.cell_cm, self.numbers, self.board.num_moves)

    @property
    def window(self) -> tuple[int, int, int, int]:
        """What is shown: left, top, right, bottom."""
        return self.part or (0, 0, self.board.width - 1, self.board.height - 1)

    @cached_property
    def _placed(self) -> tuple[dict[int, int], dict[int, int], list[str]]:
        """Stones by point, their numbers by point, and what could not be drawn."""
        board = self.board
        if self.numbers is None:
            return _stones(board), {}, []
        first, last = self.numbers
        before = board.copy()
        for _ in range(board.num_moves - first + 1):
            before.undo()
        stones = _stones(before)
        numbered: dict[int, int] = {}
        notes: list[str] = []
        for number, (color, move) in enumerate(board.moves[first - 1 : last], start=first):
            if move == board.pass_move:
                notes.append(f"{number} pass")
            elif move in stones:
                notes.append(f"{number} at {numbered.get(move) or board.vertex(move)}")
            else:
                stones[move], numbered[move] = int(color), number
        return stones, numbered, notes

    @property
    def notes(self) -> str:
        """What the diagram cannot show, for its caption: ``32 at 27, 40 pass``."""
        return ", ".join(self._placed[2])

    def _repr_svg_(self) -> str:
        return str(drawing_of(self).svg())


# --- shapes: in cells, x to the right and y down, the point in the upper left corner of the board is (0, 0) -----------


def _shapes(diagram: PrintedDiagram) -> Iterator[Shape]:
    ground, ink = STYLES[diagram.style]
    stones, numbered, _ = diagram._placed
    hidden = {point for point in {*diagram.labels, *diagram.marks} if point not in stones}
    yield from _lines(diagram, ink)
    for point in sorted(star_points(diagram.board.width, diagram.board.height) - stones.keys() - hidden):
        if _is_shown(diagram, point):
            row, column = divmod(point, diagram.board.width)
            yield Disc(column, row, 0.1, ink, "none", 0)
    if diagram.coordinates:
        yield from _coordinates(diagram, ink)
    for point, color in stones.items():
        if _is_shown(diagram, point):
            row, column = divmod(point, diagram.board.width)
            yield Disc(column, row, 0.465, "#000000" if color == Color.BLACK else "#ffffff", "#000000", 0.05)
    yield from _signs(diagram, stones, numbered, ground, ink)


def _lines(diagram: PrintedDiagram, ink: str) -> Iterator[Shape]:
    """The grid; where the board goes on beyond the part, its lines do for half a cell."""
    left, top, right, bottom = diagram.window
    width, height = diagram.board.width, diagram.board.height
    x0, x1 = left - 0.5 * (left > 0), right + 0.5 * (right < width - 1)
    y0, y1 = top - 0.5 * (top > 0), bottom + 0.5 * (bottom < height - 1)
    for column in range(left, right + 1):
        yield Stroke(((column, y0), (column, y1)), 0.08 if column in (0, width - 1) else 0.035, ink)
    for row in range(top, bottom + 1):
        yield Stroke(((x0, row), (x1, row)), 0.08 if row in (0, height - 1) else 0.035, ink)


def _coordinates(diagram: PrintedDiagram, ink: str) -> Iterator[Shape]:
    left, top, right, bottom = diagram.window
    for column in range(left, right + 1):
        yield Words(column, bottom + 0.95, COLUMN_LETTERS[column], 0.42, ink)
    for row in range(top, bottom + 1):
        yield Words(left - 0.95, row, str(diagram.board.height - row), 0.42, ink)


def _signs(
    diagram: PrintedDiagram, stones: Mapping[int, int], numbered: Mapping[int, int], ground: str, ink: str
) -> Iterator[Shape]:
    """Numbers, letters and marks; below those on empty points the lines are wiped away."""
    words = {point: str(number) for point, number in numbered.items()} | dict(diagram.labels)
    for point in [*words, *diagram.marks]:
        if not _is_shown(diagram, point):
            continue
        row, column = divmod(point, diagram.board.width)
        on = stones.get(point, 0)
        sign = "#ffffff" if on == Color.BLACK else "#000000" if on else ink
        if point in words:
            text = words[point]
            if not on:
                yield Disc(column, row, 0.36, ground, "none", 0)
            yield Words(column, row, text, {1: 0.62, 2: 0.54}.get(len(text), 0.42), sign)
        if point in diagram.marks:
            yield from mark_shapes(diagram.marks[point], column, row, sign, ground if not on else "none")


def _stones(board: Board) -> dict[int, int]:
    grid = board.grid.ravel()
    return {int(point): int(grid[point]) for point in np.flatnonzero(grid)}


def _is_shown(diagram: PrintedDiagram, point: int) -> bool:
    left, top, right, bottom = diagram.window
    row, column = divmod(point, diagram.board.width)
    return left <= column <= right and top <= row <= bottom


def _frame(diagram: PrintedDiagram) -> tuple[float, float, float, float]:
    """What the drawing covers: x, y, width, height."""
    left, top, right, bottom = diagram.window
    more = 0.85 if diagram.coordinates else 0.0
    x, y = left - 0.6 - more, top - 0.6
    return x, y, right + 0.6 - x, bottom + 0.6 + more - y


def drawing_of(diagram: PrintedDiagram) -> Drawing:
    """The diagram as shapes."""
    return Drawing(
        shapes=tuple(_shapes(diagram)),
        frame=_frame(diagram),
        words=repr(diagram.board).splitlines()[0].strip("<>"),
        ground=STYLES[diagram.style][0],
        cell_cm=diagram.cell_cm,
    )
