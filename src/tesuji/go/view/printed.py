"""Diagrams as books and papers print them: flat, any part of a board, with marks, letters and numbers.

A `PrintedDiagram` becomes a list of shapes, and the shapes an SVG (by itself) or a PDF or PNG (by matplotlib). Moves
are numbered as books do: the position before the first of them, then all stones that were played, captured or not; a
move on a point that has its number already is told in `notes` ("32 at 27").

Pictures for screens, with wood and light on the stones, are `tesuji.go.view.svg` and `tesuji.go.view.picture`.
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import COLUMN_LETTERS
from tesuji.go.view.diagram import star_points
from tesuji.go.view.picture import MissingExtraError
from tesuji.search.view.drawing import Svg
from tesuji.words import how_to_install
from tesuji.writing import write_whole

__all__ = ["FORMATS", "Mark", "PrintedDiagram", "rendered", "write_diagram"]

Mark = Literal["triangle", "square", "circle", "cross"]
FORMATS = ("svg", "pdf", "png")
_CM = 2.54  # an inch
_STYLES = {"print": ("#ffffff", "#000000"), "wood": ("#e3bd7a", "#3a2a12")}


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
        if self.numbers is not None and not 1 <= self.numbers[0] <= self.numbers[1] <= self.board.num_moves:
            raise ValueError(
                f"numbers {self.numbers[0]}-{self.numbers[1]} are not moves of this game; it has {self.board.num_moves}"
            )
        if self.style not in _STYLES:
            raise ValueError(f"style is {self.style!r}; choose from {', '.join(_STYLES)}")
        if not 0.05 <= self.cell_cm <= 10:
            raise ValueError(f"a cell of {self.cell_cm} cm is no size for a diagram; take 0.05 to 10")

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
        return str(to_svg(self))


# --- shapes: in cells, x to the right and y down, the point in the upper left corner of the board is (0, 0) -----------


class _Path(msgspec.Struct, frozen=True):
    points: tuple[tuple[float, float], ...]
    width: float
    ink: str
    fill: str = "none"
    is_closed: bool = False


class _Disc(msgspec.Struct, frozen=True):
    x: float
    y: float
    r: float
    fill: str
    ink: str
    width: float


class _Text(msgspec.Struct, frozen=True):
    x: float
    y: float
    text: str
    size: float
    ink: str


_Shape = _Path | _Disc | _Text


def _shapes(diagram: PrintedDiagram) -> Iterator[_Shape]:
    ground, ink = _STYLES[diagram.style]
    stones, numbered, _ = diagram._placed
    hidden = {point for point in {*diagram.labels, *diagram.marks} if point not in stones}
    yield from _lines(diagram, ink)
    for point in sorted(star_points(diagram.board.width, diagram.board.height) - stones.keys() - hidden):
        if _is_shown(diagram, point):
            row, column = divmod(point, diagram.board.width)
            yield _Disc(column, row, 0.1, ink, "none", 0)
    if diagram.coordinates:
        yield from _coordinates(diagram, ink)
    for point, color in stones.items():
        if _is_shown(diagram, point):
            row, column = divmod(point, diagram.board.width)
            yield _Disc(column, row, 0.465, "#000000" if color == Color.BLACK else "#ffffff", "#000000", 0.05)
    yield from _signs(diagram, stones, numbered, ground, ink)


def _lines(diagram: PrintedDiagram, ink: str) -> Iterator[_Shape]:
    """The grid; where the board goes on beyond the part, its lines do for half a cell."""
    left, top, right, bottom = diagram.window
    width, height = diagram.board.width, diagram.board.height
    x0, x1 = left - 0.5 * (left > 0), right + 0.5 * (right < width - 1)
    y0, y1 = top - 0.5 * (top > 0), bottom + 0.5 * (bottom < height - 1)
    for column in range(left, right + 1):
        yield _Path(((column, y0), (column, y1)), 0.08 if column in (0, width - 1) else 0.035, ink)
    for row in range(top, bottom + 1):
        yield _Path(((x0, row), (x1, row)), 0.08 if row in (0, height - 1) else 0.035, ink)


def _coordinates(diagram: PrintedDiagram, ink: str) -> Iterator[_Shape]:
    left, top, right, bottom = diagram.window
    for column in range(left, right + 1):
        yield _Text(column, bottom + 0.95, COLUMN_LETTERS[column], 0.42, ink)
    for row in range(top, bottom + 1):
        yield _Text(left - 0.95, row, str(diagram.board.height - row), 0.42, ink)


def _signs(
    diagram: PrintedDiagram, stones: Mapping[int, int], numbered: Mapping[int, int], ground: str, ink: str
) -> Iterator[_Shape]:
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
                yield _Disc(column, row, 0.36, ground, "none", 0)
            yield _Text(column, row, text, {1: 0.62, 2: 0.54}.get(len(text), 0.42), sign)
        if point in diagram.marks:
            yield from _mark(diagram.marks[point], column, row, sign, ground if not on else "none")


def _mark(mark: Mark, x: float, y: float, ink: str, ground: str) -> Iterator[_Shape]:
    if mark == "circle":
        yield _Disc(x, y, 0.24, ground, ink, 0.08)
    elif mark == "triangle":
        tips = ((x, y - 0.31), (x + 0.27, y + 0.16), (x - 0.27, y + 0.16))
        yield _Path(tips, 0.07, ink, ground, is_closed=True)
    elif mark == "square":
        corners = ((x - 0.21, y - 0.21), (x + 0.21, y - 0.21), (x + 0.21, y + 0.21), (x - 0.21, y + 0.21))
        yield _Path(corners, 0.07, ink, ground, is_closed=True)
    else:
        yield _Path(((x - 0.2, y - 0.2), (x + 0.2, y + 0.2)), 0.08, ink)
        yield _Path(((x + 0.2, y - 0.2), (x - 0.2, y + 0.2)), 0.08, ink)


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


# --- writers ----------------------------------------------------------------------------------------------------------


def to_svg(diagram: PrintedDiagram) -> Svg:
    """The diagram as the text of an SVG."""
    x, y, width, height = _frame(diagram)
    ground, _ = _STYLES[diagram.style]
    words = html.escape(repr(diagram.board).splitlines()[0].strip("<>"), quote=True)
    size = f'width="{width * diagram.cell_cm:.2f}cm" height="{height * diagram.cell_cm:.2f}cm"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{x:g} {y:g} {width:g} {height:g}" role="img"'
        f' aria-label="{words}" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{ground}"/>',
        *map(_as_svg, _shapes(diagram)),
        "</svg>",
    ]
    return Svg("\n".join(parts) + "\n")


def _as_svg(shape: _Shape) -> str:
    if isinstance(shape, _Disc):
        stroke = "" if shape.ink == "none" else f' stroke="{shape.ink}" stroke-width="{shape.width:g}"'
        return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.r:g}" fill="{shape.fill}"{stroke}/>'
    if isinstance(shape, _Path):
        steps = "L".join(f"{px:g} {py:g}" for px, py in shape.points)
        end = "Z" if shape.is_closed else ""
        return (
            f'<path d="M{steps}{end}" fill="{shape.fill}" stroke="{shape.ink}" stroke-width="{shape.width:g}"'
            ' stroke-linecap="square"/>'
        )
    return (
        f'<text x="{shape.x:g}" y="{shape.y:g}" dy="0.36em" font-size="{shape.size:g}" fill="{shape.ink}">'
        f"{html.escape(shape.text)}</text>"
    )


def rendered(diagram: PrintedDiagram, form: str, *, dpi: int = 300) -> bytes:
    """The diagram as a file.

    Parameters
    ----------
    diagram : PrintedDiagram
        What.
    form : {"svg", "pdf", "png"}
        The last two need matplotlib.
    dpi : int
        Pixels per inch of a PNG.

    Raises
    ------
    ValueError
        For another form.
    MissingExtraError
        If matplotlib is needed and not installed.
    """
    if form == "svg":
        return str(to_svg(diagram)).encode()
    if form not in FORMATS:
        raise ValueError(f"a diagram is no {form[:20]!r}; choose from {', '.join(FORMATS)}")
    data = io.BytesIO()
    metadata = {"Creator": "Tesuji", "CreationDate": None} if form == "pdf" else {"Software": "Tesuji"}
    _figure(diagram).savefig(data, format=form, dpi=dpi, metadata=metadata)
    return data.getvalue()


def _figure(diagram: PrintedDiagram) -> Any:
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle, Polygon
    except ImportError as error:
        raise MissingExtraError(
            f"PDF and PNG need matplotlib, which is not installed: {how_to_install('plot')}"
        ) from error
    x, y, width, height = _frame(diagram)
    points_per_cell = 72 * diagram.cell_cm / _CM
    ground, _ = _STYLES[diagram.style]
    figure = Figure(figsize=(width * diagram.cell_cm / _CM, height * diagram.cell_cm / _CM), facecolor=ground)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(x, x + width), ylim=(y + height, y), aspect="equal")
    axes.axis("off")
    for order, shape in enumerate(_shapes(diagram)):
        if isinstance(shape, _Text):
            axes.text(
                shape.x, shape.y, shape.text, fontsize=shape.size * points_per_cell, color=shape.ink, ha="center",
                va="center_baseline", zorder=order, parse_math=False,
            )  # fmt: skip
            continue
        patch: Circle | Polygon
        if isinstance(shape, _Disc):
            patch = Circle((shape.x, shape.y), shape.r)
        else:
            patch = Polygon(shape.points, closed=shape.is_closed, capstyle="projecting")
        patch.set(facecolor=shape.fill, linewidth=shape.width * points_per_cell, edgecolor=shape.ink, zorder=order)
        axes.add_patch(patch)
    return figure


def write_diagram(diagram: PrintedDiagram, path: Path | str, *, dpi: int = 300) -> Path:
    """Write a diagram as the name's ending says: .svg, .pdf or .png.

    Raises
    ------
    ValueError
        For another ending.
    """
    path = Path(path)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(f"{path.name} ends in {path.suffix!r}; a diagram is written as .svg, .pdf or .png")
    return write_whole(path, rendered(diagram, form, dpi=dpi))
