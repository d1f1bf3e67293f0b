"""Boards, candidate moves and ownership drawn in a terminal.

Everything here is a `rich` renderable: print it on any console and it adapts. On a colour terminal the board has its
own wooden background, so it reads the same on a dark and on a light screen; in a pipe, under ``NO_COLOR`` or in an
encoding without box characters it is plain ASCII (``X`` black, ``O`` white, brackets around the last move).

It does not think, read files or make pictures: `tesuji.go.engine`, `tesuji.go.sgf` and `tesuji.go.picture` do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from tesuji.go.vertex import COLUMN_LETTERS, to_vertex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tesuji.go.board import Board
    from tesuji.go.engine import Analysis, Candidate

__all__ = [
    "BoardDiagram",
    "CandidateTable",
    "Sparkline",
    "analysis_view",
    "candidate_labels",
    "make_console",
    "progress",
    "star_points",
    "win_rate_bar",
]

BLACK, WHITE = 1, 2
COLOR_NAMES = {BLACK: "Black", WHITE: "White"}

_WOOD = (222, 184, 114)
_DARK = (104, 78, 44)  # ownership: surely Black's
_LIGHT = (252, 244, 226)  # ownership: surely White's
_GRID = "#8a6a34"
_COORDINATE = "#5c4420"
_BLACK_STONE = "#000000"
_WHITE_STONE = "#ffffff"
_MARK = "#c01c28"
_LABEL = "#0b3d91"

_PLAIN_STONE = {0: ".", BLACK: "X", WHITE: "O"}
_WIDTH_FOR_BARS = 60  # a narrower terminal shows numbers only
_BLOCKS = "▁▂▃▄▅▆▇█"


def star_points(width: int, height: int) -> frozenset[int]:
    """Return the points that carry a dot: corners, centre and (from 15 lines on) the sides."""

    def lines(size: int) -> list[int]:
        if size < 7:
            return []
        edge = 3 if size >= 13 else 2
        middle = [size // 2] if size % 2 else []
        return sorted({edge, *middle, size - 1 - edge})

    rows, columns = lines(height), lines(width)
    sides = width >= 15 and height >= 15
    stars = set()
    for row in rows:
        for column in columns:
            is_middle_row, is_middle_column = 2 * row == height - 1, 2 * column == width - 1
            if sides or is_middle_row == is_middle_column:
                stars.add(row * width + column)
    return frozenset(stars)


class BoardDiagram:
    """A position as a `rich` renderable.

    Parameters
    ----------
    board
        The position; its last move is marked.
    labels
        Short text (one character) to write on points instead of what is there.
    ownership
        ``float [height, width]`` in -1..1, positive where the point ends up Black's. When given, points are shaded
        by their owner and there are no grid lines.
    title
        A line above the drawing.
    """

    def __init__(
        self,
        board: Board,
        *,
        labels: Mapping[int, str] | None = None,
        ownership: NDArray[np.floating] | None = None,
        title: str | None = None,
    ) -> None:
        self.board = board
        self.labels = dict(labels or {})
        self.ownership = ownership
        self.title = title
        self._number_width = len(str(board.height))
        self._stars = star_points(board.width, board.height)

    @property
    def cell_width(self) -> int:
        """Columns of the terminal that the drawing takes."""
        width: int = self.board.width
        return 2 * width + 1 + 2 * (self._number_width + 2)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = max(self.cell_width, len(self.title or ""))
        return Measurement(min(width, options.max_width), min(width, options.max_width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = _is_plain(console)
        if self.title:
            # A style without colour: it must read on a dark and on a light screen alike.
            yield Text(self.title.center(self.cell_width).rstrip(), style="bold", no_wrap=True, overflow="ellipsis")
        letters = self._coordinates(plain)
        yield letters
        for row in range(self.board.height):
            yield self._row(row, plain)
        yield letters

    def _coordinates(self, plain: bool) -> Text:
        pad = " " * (self._number_width + 2)
        text = f"{pad} {' '.join(COLUMN_LETTERS[: self.board.width])} {pad}"
        return _line(text.rstrip() if plain else text, plain)

    def _row(self, row: int, plain: bool) -> Text:
        number = str(self.board.height - row)
        line = _line(f" {number:>{self._number_width}} ", plain)
        for column in range(self.board.width):
            line.append(*self._gap(row, column, plain))
            line.append(*self._point(row, column, plain))
        line.append(*self._gap(row, self.board.width, plain))
        line.append(f" {number:<{self._number_width}} ".rstrip() if plain else f" {number:<{self._number_width}} ")
        return line

    def _gap(self, row: int, column: int, plain: bool) -> tuple[str, Style]:
        """What stands left of a column: a grid line, a shade, or a bracket around the last move."""
        width = self.board.width
        left = row * width + column - 1 if column > 0 else None
        right = row * width + column if column < width else None
        last = self.board.last_move
        background = self._background(row, column) if column < width else _WOOD
        if last is not None and last != self.board.pass_move and last in (left, right):
            bracket = "(" if last == right else ")"
            return (bracket, Style()) if plain else (bracket, _style(_MARK, background, bold=True))
        if plain or self.ownership is not None or left is None or right is None:
            return " ", Style() if plain else _style(_GRID, background)
        return "─", _style(_GRID, background)

    def _point(self, row: int, column: int, plain: bool) -> tuple[str, Style]:
        point = row * self.board.width + column
        stone = int(self.board.color_at(point))
        background = self._background(row, column)
        if point in self.labels:
            label = self.labels[point][:1]
            return (label, Style()) if plain else (label, _style(_LABEL, background, bold=True))
        if plain:
            return self._plain_glyph(row, column, stone), Style()
        if stone == BLACK:
            return "●", _style(_BLACK_STONE, background)
        if stone == WHITE:
            # White on a light shade would vanish; a dark ring on it looks like a white stone.
            hollow = self.ownership is not None and self.ownership[row, column] < -0.25
            return ("○", _style(_BLACK_STONE, background)) if hollow else ("●", _style(_WHITE_STONE, background))
        if self.ownership is not None:
            return " ", _style(_GRID, background)
        return self._grid_glyph(row, column), _style(_GRID, background)

    def _plain_glyph(self, row: int, column: int, stone: int) -> str:
        if self.ownership is not None:
            return _owner_letter(float(self.ownership[row, column]))
        if stone == 0 and row * self.board.width + column in self._stars:
            return "+"
        return _PLAIN_STONE[stone]

    def _grid_glyph(self, row: int, column: int) -> str:
        if row * self.board.width + column in self._stars:
            return "╋"
        width, height = self.board.width, self.board.height
        vertical = 0 if row == 0 else 2 if row == height - 1 else 1
        horizontal = 0 if column == 0 else 2 if column == width - 1 else 1
        if height == 1 or width == 1:
            return "─" if height == 1 and width > 1 else "│" if height > 1 else "·"
        return ("┌┬┐", "├┼┤", "└┴┘")[vertical][horizontal]

    def _background(self, row: int, column: int) -> tuple[int, int, int]:
        if self.ownership is None:
            return _WOOD
        value = max(-1.0, min(1.0, float(self.ownership[row, column])))
        return _mix(_WOOD, _DARK if value > 0 else _LIGHT, abs(value))


def candidate_labels(candidates: Sequence[Candidate], *, limit: int = 5) -> dict[int, str]:
    """Return the labels 1, 2, 3... for the points of the first candidates (at most nine), for `BoardDiagram`."""
    return {candidate.move: str(rank) for rank, candidate in enumerate(candidates[: min(limit, 9)], start=1)}


class CandidateTable(msgspec.Struct, frozen=True, kw_only=True):
    """The most visited moves: visits, win rate for the side to move, and main line; cut to the terminal's width."""

    board: Any
    analysis: Any
    limit: int = 5
    """How many moves."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        board, candidates = self.board, self.analysis.moves
        has_bars = options.max_width >= _WIDTH_FOR_BARS
        total = max(1, sum(candidate.visits for candidate in candidates))
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
        table.add_column("", style="bold", no_wrap=True)
        table.add_column("move", no_wrap=True)
        table.add_column("visits", justify="right", no_wrap=True)
        if has_bars:
            table.add_column("", no_wrap=True)
        table.add_column(f"{COLOR_NAMES[int(board.to_play)]} wins", justify="right", no_wrap=True)
        table.add_column("main line")  # the only column that may shrink
        for rank, candidate in enumerate(candidates[: self.limit], start=1):
            line = " ".join(to_vertex(move, board.width, board.height) for move in candidate.pv)
            table.add_row(
                str(rank),
                to_vertex(candidate.move, board.width, board.height),
                f"{candidate.visits:,}",
                *([_Bar(candidate.visits / total)] if has_bars else []),
                f"{100 * candidate.winrate:.1f} %",
                Text(line, no_wrap=True, overflow="ellipsis"),
            )
        yield table


def win_rate_bar(value_for_black: float) -> RenderableType:
    """Return one line that shows how the win rate is shared between Black and White."""
    return _Bar(value_for_black, width=24, both_sides=True)


def analysis_view(board: Board, analysis: Analysis, *, limit: int = 5) -> RenderableType:
    """Return board, ownership map and candidate table, side by side where the terminal is wide enough."""
    candidates = BoardDiagram(board, labels=candidate_labels(analysis.moves, limit=limit), title="candidate moves")
    owners = BoardDiagram(board, ownership=analysis.ownership, title="who will own each point")
    value = analysis.winrate if int(board.to_play) == BLACK else 1.0 - analysis.winrate
    return Group(
        Columns([candidates, owners], padding=(1, 4)),
        _Legend(),
        Padding(win_rate_bar(value), (1, 0)),
        CandidateTable(board=board, analysis=analysis, limit=limit),
    )


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that leaves our own styling alone (no guessing at numbers and paths)."""
    return Console(stderr=stderr, highlight=False, soft_wrap=False)


@contextmanager
def progress(
    description: str, total: int, *, unit: Literal["simulations", "playouts", "moves", "runs"]
) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr while something long runs, and remove it afterwards; nothing in a pipe.

    Yields
    ------
    Callable[[int], None]
        Call it with how many of `total` are done.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=make_console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.update(task, completed=min(done, total))


class Sparkline(msgspec.Struct, frozen=True):
    """Values in 0..1 as a row of little bars, as many of the last ones as fit; in plain text digits, for tenths."""

    values: Sequence[float]
    title: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(1, options.max_width - len(self.title) - 2)
        shown = [min(1.0, max(0.0, value)) for value in self.values[-room:]]
        plain = _is_plain(console)
        bars = "".join(str(min(9, int(10 * value))) if plain else _BLOCKS[min(7, int(8 * value))] for value in shown)
        yield Text(f"{self.title}  {bars}", no_wrap=True, overflow="crop")


class _Bar(msgspec.Struct, frozen=True):
    """A share in 0..1 as a bar; in plain text only the number."""

    share: float
    width: int = 10
    both_sides: bool = False

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = len(self._text(console).plain)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text(console)

    def _text(self, console: Console) -> Text:
        plain = _is_plain(console)
        share = max(0.0, min(1.0, self.share))
        filled = round(share * self.width)
        if not self.both_sides:
            return (
                Text(f"{100 * share:3.0f} %")
                if plain
                else Text("█" * filled + " " * (self.width - filled), style="#5b8def")
            )
        line = Text(f"Black {100 * share:.1f} %  ", style="bold", no_wrap=True)
        if plain:
            line.append("#" * filled + "-" * (self.width - filled))
        else:
            line.append(" " * filled, _style(_GRID, _DARK))
            line.append(" " * (self.width - filled), _style(_GRID, _LIGHT))
        return line.append(f"  {100 * (1 - share):.1f} % White")


class _Legend:
    """What the shades (or letters) of the ownership map mean."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if _is_plain(console):
            yield Text("Owner map: X surely Black, x likely, . open, o likely White, O surely White.")
            return
        line = Text("Owner map: ")
        for value, name in ((1.0, "Black"), (0.0, "open"), (-1.0, "White")):
            shade = _mix(_WOOD, _DARK if value > 0 else _LIGHT, abs(value))
            line.append("   ", _style(_GRID, shade)).append(f" {name}  ")
        yield line


def _is_plain(console: Console) -> bool:
    return console.color_system is None or console.no_color or not console.encoding.lower().startswith("utf")


def _owner_letter(value: float) -> str:
    if abs(value) < 0.2:
        return "."
    letter = "X" if value > 0 else "O"
    return letter if abs(value) >= 0.6 else letter.lower()


def _line(text: str, plain: bool) -> Text:
    return Text(text, style=Style() if plain else _style(_COORDINATE, _WOOD), no_wrap=True, overflow="crop")


def _mix(start: tuple[int, int, int], end: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def _style(foreground: str, background: tuple[int, int, int], *, bold: bool = False) -> Style:
    red, green, blue = background
    return Style(color=foreground, bgcolor=f"#{red:02x}{green:02x}{blue:02x}", bold=bold)
