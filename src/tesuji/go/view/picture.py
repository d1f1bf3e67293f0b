"""Boards as PNG pictures: wood, shaded stones, coordinates, the last move, candidates, ownership, move numbers.

Drawn with matplotlib (the extra ``plot``), imported when a picture is made and not before, without a display. Wood and
stones are computed, so there is no image file to ship, and the same position always gives the same picture.

It does not draw in a terminal (`tesuji.go.view.diagram`) or as SVG (`tesuji.go.view.svg`) and knows no search: it takes
labels and ownership as values.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tesuji.go.rules.vertex import COLUMN_LETTERS
from tesuji.go.view.diagram import BLACK, WHITE, star_points
from tesuji.words import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from tesuji.go.rules.board import Board

    Image = NDArray[np.float32]  # [rows, columns, 3 or 4], 0..1
from tesuji.search.view.shapes import MissingExtraError

__all__ = ["BoardPicture", "MissingExtraError", "draw_figure", "save_png"]

_PIXELS_PER_INCH = 140  # of the images of wood and stones
_MARGIN = 1.05  # cells from the outer line to the edge of the wood; holds the coordinates
_RADIUS = 0.478  # of a stone, in cells
_LIGHT_FROM = np.array([-0.45, -0.55, 0.70])  # upper left, towards the viewer
_INK = "#3a2a12"
_PAPER = "#fbf8f2"
_RED = "#d7263d"
_BEST = "#0f7b6c"
_OTHER = "#35618e"


class BoardPicture(msgspec.Struct, frozen=True, kw_only=True):
    """One board of a picture and what is drawn on it."""

    board: Any
    """The position, a `tesuji.go.Board`; its last move is marked."""
    title: str = ""
    """A line above the board."""
    caption: str = ""
    """Smaller text below it; may have several lines."""
    labels: Mapping[int, str] = {}
    """Short texts on points, in order of importance: the first is drawn in another colour."""
    ownership: Any = None
    """``float [height, width]`` in -1..1, positive where Black will own the point; None: not drawn."""
    numbers: bool = False
    """Whether stones carry the number of the move that placed them."""


def save_png(path: str | Path, *pictures: BoardPicture, dpi: int = 110) -> Path:
    """Write one or more boards, side by side, as a PNG.

    Parameters
    ----------
    path
        Where to; an existing file is replaced.
    pictures
        The boards, from left to right.
    dpi
        Pixels per inch: a point of the board is half an inch on 9x9 and a third on 19x19.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    _write(draw_figure(*pictures), path, dpi)
    return Path(path)


def _write(figure: Figure, path: str | Path, dpi: int) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name in a script that the font lacks: boxes will do
        figure.savefig(path, dpi=dpi, format="png", facecolor=_PAPER, metadata={"Software": "Tesuji"})


def draw_figure(*pictures: BoardPicture) -> Figure:
    """Return the boards as a matplotlib figure, for notebooks and for further drawing."""
    if not pictures:
        raise ValueError("no board to draw: give at least one BoardPicture")
    figure_type = _figure_type()
    widths = [_extent(picture.board)[0] for picture in pictures]
    tallest = max(_extent(picture.board)[1] for picture in pictures)
    inch = 0.5 if max(widths) < 14 else 0.36  # per cell
    pictures = tuple(_with_text_that_fits(p, cells * inch) for p, cells in zip(pictures, widths, strict=True))
    lines = max(picture.caption.count("\n") + 1 if picture.caption else 0 for picture in pictures)
    header = 0.45 if any(picture.title for picture in pictures) else 0.0
    footer, gap = 0.24 * lines + (0.12 if lines else 0.0), 0.3
    width = sum(widths) * inch + gap * (len(pictures) + 1)
    height = tallest * inch + header + footer + 2 * gap
    figure = figure_type(figsize=(width, height))
    left = gap
    for picture, cells in zip(pictures, widths, strict=True):
        rows = _extent(picture.board)[1]
        box = (left / width, 1 - (gap + header + rows * inch) / height, cells * inch / width, rows * inch / height)
        axes = figure.add_axes(box)
        _draw_board(axes, picture, inch)
        top = 1 - (gap + header * 0.55) / height
        plain: dict[str, Any] = {"color": _INK, "parse_math": False}  # a dollar in a name is not a formula
        figure.text(left / width, top, picture.title, fontsize=14, fontweight="bold", va="center", **plain)
        bottom = box[1] - 0.1 / height
        figure.text(left / width, bottom, picture.caption, fontsize=10.5, va="top", linespacing=1.4, **plain)
        left += cells * inch + gap
    return figure


def _with_text_that_fits(picture: BoardPicture, width_inch: float) -> BoardPicture:
    """Shorten the title and break the caption where they would run past the board."""
    title = textwrap.shorten(picture.title, max(8, int(width_inch / 0.13)), placeholder=" ...")
    columns = max(12, int(width_inch / 0.09))
    caption = "\n".join(textwrap.fill(line, columns) for line in picture.caption.splitlines())
    return msgspec.structs.replace(picture, title=title, caption=caption)


def _figure_type() -> type[Figure]:
    try:
        from tesuji.search.view.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            f"pictures need matplotlib, which is not installed: {how_to_install('plot')}"
        ) from error
    return Figure


def _extent(board: Board) -> tuple[float, float]:
    """Width and height of the wood, in cells."""
    return board.width - 1 + 2 * _MARGIN, board.height - 1 + 2 * _MARGIN


def _draw_board(axes: Axes, picture: BoardPicture, inch: float) -> None:
    board = picture.board
    width, height = board.width, board.height
    # x is the column; y is the row and grows downwards, as points are numbered.
    box = (-_MARGIN, width - 1 + _MARGIN, height - 1 + _MARGIN, -_MARGIN)
    axes.set(xlim=box[:2], ylim=box[2:], xticks=[], yticks=[], aspect="equal")
    for spine in axes.spines.values():
        spine.set_color("#a9803f")
    cell = round(_PIXELS_PER_INCH * inch)
    axes.imshow(_wood(board, cell), extent=box, zorder=0, interpolation="bilinear")
    points_per_cell = 72 * inch
    _draw_grid(axes, width, height, points_per_cell)
    _draw_coordinates(axes, width, height, points_per_cell)
    axes.imshow(_stone_layer(np.asarray(board.grid), cell), extent=box, zorder=3, interpolation="bilinear")
    axes.set(xlim=box[:2], ylim=box[2:])  # imshow moves the limits
    if picture.ownership is not None:
        _draw_ownership(axes, picture)
    if picture.numbers:
        _draw_numbers(axes, board, points_per_cell)
    else:
        _draw_last_move(axes, board, points_per_cell)
    _draw_labels(axes, board, picture.labels, points_per_cell)


def _draw_grid(axes: Axes, width: int, height: int, points_per_cell: float) -> None:
    thin = points_per_cell / 40
    axes.hlines(range(height), 0, width - 1, color=_INK, linewidth=thin, alpha=0.8, zorder=1)
    axes.vlines(range(width), 0, height - 1, color=_INK, linewidth=thin, alpha=0.8, zorder=1)
    stars = sorted(star_points(width, height))
    columns, rows = [point % width for point in stars], [point // width for point in stars]
    axes.scatter(columns, rows, s=(points_per_cell / 6.5) ** 2, color=_INK, zorder=2, linewidths=0)


def _draw_coordinates(axes: Axes, width: int, height: int, points_per_cell: float) -> None:
    style: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": _INK, "alpha": 0.85, "zorder": 2}
    style["fontsize"] = points_per_cell * 0.27
    away = 0.74
    for column, letter in enumerate(COLUMN_LETTERS[:width]):
        axes.text(column, -away, letter, **style)
        axes.text(column, height - 1 + away, letter, **style)
    for row in range(height):
        axes.text(-away, row, str(height - row), **style)
        axes.text(width - 1 + away, row, str(height - row), **style)


def _draw_last_move(axes: Axes, board: Board, points_per_cell: float) -> None:
    last = board.last_move
    if last is None or last == board.pass_move:
        return
    row, column = divmod(last, board.width)
    edge = "white" if board.color_at(last) == BLACK else "black"
    size = (points_per_cell * 0.42) ** 2
    axes.scatter([column], [row], s=size, facecolors="none", edgecolors=edge, linewidths=points_per_cell / 20, zorder=6)


def _draw_numbers(axes: Axes, board: Board, points_per_cell: float) -> None:
    placed = {move: number for number, (_, move) in enumerate(board.moves, start=1) if move != board.pass_move}
    for point, number in placed.items():
        stone = board.color_at(point)
        if stone not in (BLACK, WHITE):
            continue  # captured since
        row, column = divmod(point, board.width)
        ink = _RED if number == len(board.moves) else "white" if stone == BLACK else "black"
        size = points_per_cell * (0.36 if number < 100 else 0.29)
        axes.text(
            column, row, str(number), color=ink, fontsize=size, ha="center", va="center_baseline", zorder=6,
            fontweight="bold" if ink == _RED else "normal",
        )  # fmt: skip


def _draw_labels(axes: Axes, board: Board, labels: Mapping[int, str], points_per_cell: float) -> None:
    for rank, (point, label) in enumerate(labels.items()):
        if point == board.pass_move:
            continue
        row, column = divmod(point, board.width)
        color = _BEST if rank == 0 else _OTHER
        axes.scatter(
            [column], [row], s=(points_per_cell * 0.66) ** 2, color=color, alpha=0.93, zorder=5,
            edgecolors="white", linewidths=points_per_cell / 32,
        )  # fmt: skip
        axes.text(
            column, row, label, color="white", fontsize=points_per_cell * 0.36, fontweight="bold",
            ha="center", va="center_baseline", zorder=6,
        )  # fmt: skip


def _draw_ownership(axes: Axes, picture: BoardPicture) -> None:
    """Squares in the owner's colour, the surer the stronger; on stones only where they are not safe."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import FancyBboxPatch

    board, patches, colors = picture.board, [], []
    for (row, column), value in np.ndenumerate(np.clip(np.asarray(picture.ownership, dtype=float), -1, 1)):
        stone = int(board.color_at(row * board.width + column))
        if stone and (picture.numbers or (value if stone == BLACK else -value) > 0.3):
            continue
        half = 0.17 if not stone else 0.13
        shape = f"round,pad=0,rounding_size={half * 0.35}"
        patches.append(FancyBboxPatch((column - half, row - half), 2 * half, 2 * half, boxstyle=shape))
        shade = 0.05 if value > 0 else 0.98
        colors.append((shade, shade, shade, min(1.0, abs(value) ** 1.3)))
    axes.add_collection(PatchCollection(patches, facecolors=colors, linewidths=0, zorder=4))


def _image(values: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(values, 0, 1), dtype=np.float32)


def _wood(board: Board, cell: int) -> Image:
    """Return planed wood: long grain from left to right, warmer and darker in bands; `cell` pixels per point."""
    columns, rows = (round(length * cell) for length in _extent(board))
    rng = np.random.Generator(np.random.PCG64(7))  # a look, not a result: one seed for all boards
    y = np.linspace(0, rows / cell, rows)[:, None]
    x = np.linspace(0, columns / cell, columns)[None, :]
    bend = 0.10 * np.sin(0.35 * x + 0.6) + 0.05 * np.sin(0.9 * x + 0.25 * y)
    depth = y + bend
    bands = 0.5 * np.sin(2.1 * depth + 1.3 * np.sin(0.7 * depth))
    bands += 0.3 * np.sin(9.0 * depth + 2.0 * np.sin(1.7 * depth))
    fine = np.sin(47.0 * depth + 3.0 * np.sin(5.0 * depth))
    half = cell // 2
    fibres = np.repeat(rng.normal(size=(rows, columns // half + 1)), half, axis=1)[:, :columns]
    tone = 0.020 * bands + 0.010 * fine + 0.008 * _blur(fibres, cell // 3)
    base = np.array([0.878, 0.718, 0.439])
    return _image(base[None, None, :] + tone[:, :, None] * np.array([1.0, 1.15, 1.25]))


def _blur(image: NDArray[np.floating], reach: int) -> NDArray[np.floating]:
    """Average along the rows over `reach` pixels."""
    sums = np.cumsum(np.pad(image, ((0, 0), (reach, reach)), mode="edge"), axis=1)
    width = image.shape[1]
    averages: NDArray[np.floating] = (sums[:, reach : reach + width] - sums[:, :width]) / reach
    return averages


def _stone_layer(grid: NDArray[np.uint8], cell: int) -> Image:
    """Return all stones and their shadows as one transparent image over the wood."""
    height, width = grid.shape
    rows, columns = (round((n - 1 + 2 * _MARGIN) * cell) for n in (height, width))
    layer = np.zeros((rows, columns, 4), dtype=np.float32)
    shadow, stones = _shadow(cell), {color: _stone(color, cell) for color in (BLACK, WHITE)}
    for row, column in np.argwhere(grid):
        _paste(layer, shadow, (row + 0.055 + _MARGIN) * cell, (column + 0.045 + _MARGIN) * cell)
    for row, column in np.argwhere(grid):
        _paste(layer, stones[int(grid[row, column])], (row + _MARGIN) * cell, (column + _MARGIN) * cell)
    return _image(layer)


def _paste(layer: Image, image: Image, row: float, column: float) -> None:
    """Lay `image` over the layer, centred on a pixel."""
    half = image.shape[0] // 2
    top, left = round(row) - half, round(column) - half
    target = layer[top : top + image.shape[0], left : left + image.shape[1]]
    source = image[: target.shape[0], : target.shape[1]]
    alpha = source[:, :, 3:]
    below = target[:, :, 3:] * (1 - alpha)
    total = alpha + below
    color = (source[:, :, :3] * alpha + target[:, :, :3] * below) / np.maximum(total, 1e-6)
    target[:, :, :3], target[:, :, 3:] = color, total


def _disc(size: int, cell: int) -> tuple[Image, Image, Image]:
    """Return x, y in units of the stone's radius and the distance from its centre, over a square image."""
    axis = (np.arange(size) - (size - 1) / 2) / (_RADIUS * cell)
    x, y = np.meshgrid(axis, axis)
    return x.astype(np.float32), y.astype(np.float32), np.hypot(x, y).astype(np.float32)


def _stone(color: int, cell: int) -> Image:
    """Return a lens lit from the upper left: slate for Black, shell for White."""
    x, y, r = _disc(cell, cell)
    z = np.sqrt(np.clip(1.15 - r**2, 0.05, None))  # flatter than a ball
    normal = np.stack([x, y, z], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    light = _LIGHT_FROM / np.linalg.norm(_LIGHT_FROM)
    facing = np.clip(normal @ light, 0, 1)
    halfway = light + np.array([0, 0, 1.0])
    gloss = np.clip(normal @ (halfway / np.linalg.norm(halfway)), 0, 1)
    if color == BLACK:
        shade = 0.07 + 0.13 * facing**2 + 0.42 * gloss**26
        tint = np.array([0.98, 1.0, 1.04])
    else:
        shade = 0.74 + 0.24 * facing + 0.06 * gloss**18 - 0.10 * np.clip(r - 0.86, 0, None) / 0.14
        tint = np.array([1.0, 0.995, 0.975])
    alpha = np.clip((1 - r) * _RADIUS * cell + 0.5, 0, 1)
    return _image(np.concatenate([shade[:, :, None] * tint, alpha[:, :, None]], axis=-1))


def _shadow(cell: int) -> Image:
    _, _, r = _disc(round(cell * 1.4), cell)
    alpha = 0.42 * np.clip((1.16 - r) / 0.32, 0, 1)
    image = np.zeros((*r.shape, 4), dtype=np.float32)
    image[:, :, :3] = np.array([0.16, 0.10, 0.03])
    image[:, :, 3] = alpha**1.2
    return image
