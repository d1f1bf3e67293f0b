"""Boards as SVG: pictures for notebooks, browsers and documents, which need nothing installed.

A `BoardPicture` in, as for a PNG (`tesuji.go.view.picture`); text out. One unit of the drawing is one cell.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tesuji.go.rules.vertex import COLUMN_LETTERS
from tesuji.go.view.diagram import BLACK, WHITE, star_points
from tesuji.go.view.picture import BoardPicture
from tesuji.search.view.drawing import Svg

if TYPE_CHECKING:
    from tesuji.go.rules.board import Board

__all__ = ["BoardPicture", "board_svg"]

_MARGIN = 1.05  # cells from the outer line to the edge of the wood; holds the coordinates
_LINE = 0.62  # height of a line of text above or below the board, in cells
_INK, _WOOD, _RED, _BEST, _OTHER = "#3a2a12", "#dfb572", "#d7263d", "#0f7b6c", "#35618e"
_SAFE = 0.3  # a stone that its owner keeps with this or more is not marked
_STONES = """\
<radialGradient id="tesuji-black" cx="0.35" cy="0.3" r="0.75"><stop offset="0" stop-color="#5a5c60"/>\
<stop offset="0.55" stop-color="#1d1e20"/><stop offset="1" stop-color="#08090a"/></radialGradient>\
<radialGradient id="tesuji-white" cx="0.35" cy="0.3" r="0.85"><stop offset="0" stop-color="#ffffff"/>\
<stop offset="0.7" stop-color="#efede6"/><stop offset="1" stop-color="#c9c5ba"/></radialGradient>"""


def board_svg(picture: BoardPicture, *, cell_px: float | None = None) -> Svg:
    """Draw a board.

    Parameters
    ----------
    picture : BoardPicture
        The board and what is written on it; a label on a stone or an empty point, the first in another colour.
    cell_px : float, optional
        How large a cell is shown; by default the board is about 400 pixels wide, whatever its size.
    """
    board = picture.board
    columns = board.width - 1 + 2 * _MARGIN
    rows = board.height - 1 + 2 * _MARGIN
    above = _LINE * 1.4 if picture.title else 0.0
    captions = picture.caption.splitlines()
    height = rows + above + _LINE * len(captions) + (0.2 if captions else 0)
    shown = cell_px or max(16.0, min(36.0, 400 / columns))
    words = html.escape(repr(board).splitlines()[0].strip("<>"), quote=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{words}" '
        f'width="{columns * shown:.0f}" height="{height * shown:.0f}" '
        f'viewBox="{-_MARGIN:g} {-_MARGIN - above:g} {columns:g} {height:g}" '
        f'font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{words}</title><defs>{_STONES}</defs>",
        *_words(picture, captions, rows),
        f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="{columns:g}" height="{rows:g}" rx="0.15" fill="{_WOOD}"/>',
        *_grid(board),
        *_coordinates(board),
        *_stones(board),
        *_owners(picture),
        *(_numbers(board) if picture.numbers else _last_move(board)),
        *_labels(picture),
        "</svg>",
    ]
    return Svg("\n".join(parts))


def _words(picture: BoardPicture, captions: list[str], rows: float) -> Iterator[str]:
    left = f'x="{-_MARGIN:g}" text-anchor="start" fill="currentColor"'
    if picture.title:
        title = html.escape(picture.title)
        yield f'<text {left} y="{-_MARGIN - 0.35:g}" font-size="0.6" font-weight="bold">{title}</text>'
    for line, caption in enumerate(captions, start=1):
        y = rows - _MARGIN + line * _LINE
        yield f'<text {left} y="{y:g}" font-size="0.45">{html.escape(caption)}</text>'


def _grid(board: Board) -> Iterator[str]:
    right, bottom = board.width - 1, board.height - 1
    down = "".join(f"M{column} 0V{bottom}" for column in range(board.width))
    across = "".join(f"M0 {row}H{right}" for row in range(board.height))
    path = f'd="{down}{across}" stroke="{_INK}"'
    yield f'<path {path} stroke-width="0.035" stroke-linecap="square" opacity="0.8"/>'
    for point in sorted(star_points(board.width, board.height)):
        row, column = divmod(point, board.width)
        yield f'<circle cx="{column}" cy="{row}" r="0.09" fill="{_INK}"/>'


def _coordinates(board: Board) -> Iterator[str]:
    letters = "".join(
        _text(column, row, letter)
        for column, letter in enumerate(COLUMN_LETTERS[: board.width])
        for row in (-0.74, board.height - 1 + 0.74)
    )
    numbers = "".join(
        _text(column, row, str(board.height - row))
        for row in range(board.height)
        for column in (-0.74, board.width - 1 + 0.74)
    )
    yield f'<g font-size="0.34" fill="{_INK}" opacity="0.85">{letters}{numbers}</g>'


def _stones(board: Board) -> Iterator[str]:
    for row, column in np.argwhere(board.grid):
        color = "black" if board.grid[row, column] == BLACK else "white"
        yield f'<circle cx="{column + 0.045:g}" cy="{row + 0.055:g}" r="0.478" opacity="0.3"/>'
        yield f'<circle cx="{column}" cy="{row}" r="0.478" fill="url(#tesuji-{color})"/>'


def _owners(picture: BoardPicture) -> Iterator[str]:
    """Squares in the owner's colour, the surer the stronger; on stones only where they are not safe."""
    if picture.ownership is None:
        return
    board = picture.board
    for (row, column), value in np.ndenumerate(np.clip(np.asarray(picture.ownership, dtype=float), -1, 1)):
        stone = int(board.color_at(row * board.width + column))
        opacity = min(1.0, abs(value) ** 1.3)
        if opacity < 0.02 or (stone and (picture.numbers or (value if stone == BLACK else -value) > _SAFE)):
            continue
        half = 0.13 if stone else 0.17
        yield (
            f'<rect x="{column - half:g}" y="{row - half:g}" width="{2 * half:g}" height="{2 * half:g}" rx="0.06" '
            f'fill="{"#0d0d0d" if value > 0 else "#fafafa"}" opacity="{opacity:.2f}"/>'
        )


def _last_move(board: Board) -> Iterator[str]:
    last = board.last_move
    if last is None or last == board.pass_move:
        return
    row, column = divmod(last, board.width)
    ink = "white" if board.color_at(last) == BLACK else "black"
    yield f'<circle cx="{column}" cy="{row}" r="0.22" fill="none" stroke="{ink}" stroke-width="0.06"/>'


def _numbers(board: Board) -> Iterator[str]:
    placed = {move: number for number, (_, move) in enumerate(board.moves, start=1) if move != board.pass_move}
    for point, number in placed.items():
        stone = board.color_at(point)
        if stone not in (BLACK, WHITE):
            continue  # captured since
        row, column = divmod(point, board.width)
        ink = _RED if number == board.num_moves else "white" if stone == BLACK else "black"
        yield f'<g fill="{ink}" font-size="{0.45 if number < 100 else 0.36}">{_text(column, row, str(number))}</g>'


def _labels(picture: BoardPicture) -> Iterator[str]:
    board = picture.board
    for rank, (point, label) in enumerate(picture.labels.items()):
        if point == board.pass_move:
            continue
        row, column = divmod(point, board.width)
        color = _OTHER if rank else _BEST
        yield f'<circle cx="{column}" cy="{row}" r="0.36" fill="{color}" stroke="white" stroke-width="0.04"/>'
        size = 0.45 if len(label) < 3 else 0.3
        yield f'<g fill="white" font-weight="bold" font-size="{size}">{_text(column, row, label)}</g>'


def _text(column: float, row: float, text: str) -> str:
    """Text with its middle at a place; half the height of a capital below it, which every viewer understands."""
    return f'<text x="{column:g}" y="{row:g}" dy="0.36em">{html.escape(text)}</text>'
