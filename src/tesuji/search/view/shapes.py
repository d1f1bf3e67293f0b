"""Flat drawings as a list of shapes, and the shapes as an SVG (by itself) or a PDF or PNG (by matplotlib).

Lengths are in cells of a board, x to the right and y down. What is drawn is decided elsewhere:
`tesuji.go.view.printed` and `tesuji.search.view.printed` make diagrams.
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from tesuji.search.view.drawing import Svg
from tesuji.words import how_to_install
from tesuji.writing import write_whole

__all__ = [
    "FORMATS",
    "STYLES",
    "Disc",
    "Drawing",
    "Mark",
    "MissingExtraError",
    "Shape",
    "Stroke",
    "Words",
    "check_paper",
    "mark_shapes",
    "write_drawing",
]

Mark = Literal["triangle", "square", "circle", "cross"]
FORMATS = ("svg", "pdf", "png")
STYLES = {"print": ("#ffffff", "#000000"), "wood": ("#e3bd7a", "#3a2a12")}
"""Ground and ink."""
_CM = 2.54  # an inch


class MissingExtraError(ImportError):
    """A picture that needs a library which is not installed; says which, and how to install it."""


class Stroke(msgspec.Struct, frozen=True):
    """A line along points, or an area if it is closed."""

    points: tuple[tuple[float, float], ...]
    width: float
    ink: str
    fill: str = "none"
    is_closed: bool = False


class Disc(msgspec.Struct, frozen=True):
    """A circle; ``none`` as fill or ink leaves that away."""

    x: float
    y: float
    r: float
    fill: str
    ink: str
    width: float


class Words(msgspec.Struct, frozen=True):
    """A text around its middle."""

    x: float
    y: float
    text: str
    size: float
    ink: str


Shape = Stroke | Disc | Words


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """Shapes on a ground.

    Attributes
    ----------
    shapes : sequence of Shape
        The first is the lowest.
    frame : tuple of float
        What is covered: x, y, width, height.
    words : str
        What it shows, for those who do not see it.
    ground : str
        The colour below everything.
    cell_cm : float
        How large a cell is on paper.
    """

    shapes: Sequence[Shape]
    frame: tuple[float, float, float, float]
    words: str
    ground: str
    cell_cm: float

    def svg(self) -> Svg:
        """The text of an SVG."""
        x, y, width, height = self.frame
        size = f'width="{width * self.cell_cm:.2f}cm" height="{height * self.cell_cm:.2f}cm"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{x:g} {y:g} {width:g} {height:g}" role="img"'
            f' aria-label="{html.escape(self.words, quote=True)}" font-family="Helvetica, Arial, sans-serif"'
            ' text-anchor="middle">',
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{self.ground}"/>',
            *map(_as_svg, self.shapes),
            "</svg>",
        ]
        return Svg("\n".join(parts) + "\n")

    def rendered(self, form: str, *, dpi: int = 300) -> bytes:
        """A file: ``svg``, ``pdf`` or ``png``; the last two need matplotlib.

        Raises
        ------
        ValueError
            For another form.
        MissingExtraError
            If matplotlib is needed and not installed.
        """
        if form == "svg":
            return str(self.svg()).encode()
        if form not in FORMATS:
            raise ValueError(f"a diagram cannot be {form[:20]!r}; choose from {', '.join(FORMATS)}")
        data = io.BytesIO()
        metadata = {"Creator": "Tesuji", "CreationDate": None} if form == "pdf" else {"Software": "Tesuji"}
        _figure(self).savefig(data, format=form, dpi=dpi, metadata=metadata)
        return data.getvalue()


def write_drawing(drawing: Drawing, path: Path | str, *, dpi: int = 300) -> Path:
    """Write a drawing as the name's ending says: .svg, .pdf or .png.

    Raises
    ------
    ValueError
        For another ending.
    """
    path = Path(path)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(f"{path.name} ends in {path.suffix!r}; a diagram is written as .svg, .pdf or .png")
    return write_whole(path, drawing.rendered(form, dpi=dpi))


def mark_shapes(mark: Mark, x: float, y: float, ink: str, ground: str) -> Iterator[Shape]:
    """A mark on a cell."""
    if mark == "circle":
        yield Disc(x, y, 0.24, ground, ink, 0.08)
    elif mark == "triangle":
        tips = ((x, y - 0.31), (x + 0.27, y + 0.16), (x - 0.27, y + 0.16))
        yield Stroke(tips, 0.07, ink, ground, is_closed=True)
    elif mark == "square":
        corners = ((x - 0.21, y - 0.21), (x + 0.21, y - 0.21), (x + 0.21, y + 0.21), (x - 0.21, y + 0.21))
        yield Stroke(corners, 0.07, ink, ground, is_closed=True)
    else:
        yield Stroke(((x - 0.2, y - 0.2), (x + 0.2, y + 0.2)), 0.08, ink)
        yield Stroke(((x + 0.2, y - 0.2), (x - 0.2, y + 0.2)), 0.08, ink)


def _as_svg(shape: Shape) -> str:
    if isinstance(shape, Disc):
        stroke = "" if shape.ink == "none" else f' stroke="{shape.ink}" stroke-width="{shape.width:g}"'
        return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.r:g}" fill="{shape.fill}"{stroke}/>'
    if isinstance(shape, Stroke):
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


def _figure(drawing: Drawing) -> Any:
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle, Polygon
    except ImportError as error:
        raise MissingExtraError(
            f"PDF and PNG need matplotlib, which is not installed: {how_to_install('plot')}"
        ) from error
    x, y, width, height = drawing.frame
    points_per_cell = 72 * drawing.cell_cm / _CM
    figure = Figure(figsize=(width * drawing.cell_cm / _CM, height * drawing.cell_cm / _CM), facecolor=drawing.ground)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(x, x + width), ylim=(y + height, y), aspect="equal")
    axes.axis("off")
    for order, shape in enumerate(drawing.shapes):
        if isinstance(shape, Words):
            axes.text(
                shape.x, shape.y, shape.text, fontsize=shape.size * points_per_cell, color=shape.ink, ha="center",
                va="center_baseline", zorder=order, parse_math=False,
            )  # fmt: skip
            continue
        patch: Circle | Polygon
        if isinstance(shape, Disc):
            patch = Circle((shape.x, shape.y), shape.r)
        else:
            patch = Polygon(shape.points, closed=shape.is_closed, capstyle="projecting")
        patch.set(facecolor=shape.fill, linewidth=shape.width * points_per_cell, edgecolor=shape.ink, zorder=order)
        axes.add_patch(patch)
    return figure


def check_paper(style: str, cell_cm: float, numbers: tuple[int, int] | None, num_moves: int) -> None:
    """Refuse what no printed diagram can have, of Go or of another game.

    Raises
    ------
    ValueError
        For a style that does not exist, cells of no size, and numbers that are not moves of the game.
    """
    if numbers is not None and not 1 <= numbers[0] <= numbers[1] <= num_moves:
        raise ValueError(f"numbers {numbers[0]}-{numbers[1]} are not moves of this game; it has {num_moves}")
    if style not in STYLES:
        raise ValueError(f"style is {style!r}; choose from {', '.join(STYLES)}")
    if not 0.05 <= cell_cm <= 10:
        raise ValueError(f"a cell of {cell_cm} cm is not a size for a diagram; take 0.05 to 10")
