"""Boards, candidate moves and ownership drawn in a terminal.

Everything here is a `rich` renderable: print it on any console and it adapts. On a colour terminal the board has its
own wooden background, so it reads the same on a dark and on a light screen; in a pipe, under ``NO_COLOR`` or in an
encoding without box characters it is plain ASCII (``X`` black, ``O`` white, brackets around the last move).

It does not think, read files or make pictures: `tesuji.go.engine`, `tesuji.go.records.sgf` and `tesuji.go.view.picture`
do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from tesuji.go.rules.vertex import COLUMN_LETTERS, to_vertex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tesuji.go.engine import Analysis, Candidate
    from tesuji.go.rules.board import Board

__all__ = [
    "BoardDiagram",
    "CandidateTable",
    "Sparkline",
    "WinRateBar",
    "analysis_view",
    "beside_owners",
    "candidate_labels",
    "make_console",
    "progress",
    "star_points",
]

BLACK, WHITE = 1, 2
COLOR_NAMES = {BLACK: "Black", WHITE: "White"}

_PLAIN_STONE = {0: ".", BLACK: "X", WHITE: "O"}
_WIDTH_FOR_BARS = 60  # a narrower terminal shows numbers only
_BLOCKS = "▁▂▃▄▅▆▇█"


class _Palette(msgspec.Struct, frozen=True, kw_only=True):
    """The colours of a kind of terminal; without shades it is plain text."""

    grid: str = ""
    coordinate: str = ""
    black: str = ""
    white: str = ""
    mark: str = ""
    label: str = ""
    share: str = ""
    shades: tuple[str, ...] = ()
    """Backgrounds from surely White's over wood (the middle one) to surely Black's."""

    @property
    def is_plain(self) -> bool:
        return not self.shades

    def style(self, ink: str, owner: float = 0.0, *, bold: bool = False) -> Style:
        """Return a style on the background for an ownership in -1..1; 0 is wood."""
        if self.is_plain:
            return Style()
        position = (min(1.0, max(-1.0, owner)) + 1) / 2
        return Style(color=ink, bgcolor=self.shades[round(position * (len(self.shades) - 1))], bold=bold)


def _mixtures(colors: Sequence[tuple[int, int, int]], steps: int) -> tuple[str, ...]:
    """Return the colours as hex, with `steps` - 1 even mixtures between each and the next."""
    hexes = []
    for start, end in itertools.pairwise(colors):
        for step in range(steps):
            mixed = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
            hexes.append("#{:02x}{:02x}{:02x}".format(*mixed))
    return (*hexes, "#{:02x}{:02x}{:02x}".format(*colors[-1]))


_PLAIN = _Palette()
_SIXTEEN_COLORS = _Palette(
    grid="black", coordinate="black", black="black", white="bright_white", mark="red", label="blue", share="blue",
    shades=("white", "white", "yellow", "bright_black", "bright_black"),
)  # fmt: skip
_MANY_COLORS = _Palette(
    grid="#8a6a34", coordinate="#5c4420", black="#000000", white="#ffffff", mark="#c01c28", label="#0b3d91",
    share="#5b8def", shades=_mixtures([(252, 244, 226), (222, 184, 114), (104, 78, 44)], 20),
)  # fmt: skip


def _palette(console: Console) -> _Palette:
    if console.color_system is None or console.no_color or not console.encoding.lower().startswith("utf"):
        return _PLAIN
    return _MANY_COLORS if console.color_system in ("256", "truecolor") else _SIXTEEN_COLORS


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
        palette = _palette(console)
        if self.title:
            # A style without colour: it must read on a dark and on a light screen alike.
            yield Text(self.title.center(self.cell_width).rstrip(), style="bold", no_wrap=True, overflow="ellipsis")
        letters = self._coordinates(palette)
        yield letters
        for row in range(self.board.height):
            yield self._row(row, palette)
        yield letters

    def _coordinates(self, palette: _Palette) -> Text:
        pad = " " * (self._number_width + 2)
        text = f"{pad} {' '.join(COLUMN_LETTERS[: self.board.width])} {pad}"
        return self._line(text.rstrip() if palette.is_plain else text, palette)

    def _row(self, row: int, palette: _Palette) -> Text:
        number = str(self.board.height - row)
        line = self._line(f" {number:>{self._number_width}} ", palette)
        for column in range(self.board.width):
            line.append(*self._gap(row, column, palette))
            line.append(*self._point(row, column, palette))
        line.append(*self._gap(row, self.board.width, palette))
        end = f" {number:<{self._number_width}} "
        return line.append(end.rstrip() if palette.is_plain else end)

    def _line(self, text: str, palette: _Palette) -> Text:
        return Text(text, style=palette.style(palette.coordinate), no_wrap=True, overflow="crop")

    def _gap(self, row: int, column: int, palette: _Palette) -> tuple[str, Style]:
        """What stands left of a column: a grid line, a shade, or a bracket around the last move."""
        width = self.board.width
        left = row * width + column - 1 if column > 0 else None
        right = row * width + column if column < width else None
        owner = self._owner(row, column) if column < width else 0.0
        last = self.board.last_move
        if last is not None and last != self.board.pass_move and last in (left, right):
            return "(" if last == right else ")", palette.style(palette.mark, owner, bold=True)
        is_line = not (palette.is_plain or self.ownership is not None or left is None or right is None)
        return "─" if is_line else " ", palette.style(palette.grid, owner)

    def _point(self, row: int, column: int, palette: _Palette) -> tuple[str, Style]:
        point = row * self.board.width + column
        stone, owner = int(self.board.color_at(point)), self._owner(row, column)
        if point in self.labels:
            return self.labels[point][:1], palette.style(palette.label, owner, bold=True)
        if palette.is_plain:
            return self._plain_glyph(row, column, stone), Style()
        # White on a light shade would vanish; a dark ring on it looks like a white stone.
        is_ring = stone == WHITE and owner < -0.25
        if stone == BLACK or is_ring:
            return "○" if is_ring else "●", palette.style(palette.black, owner)
        if stone == WHITE:
            return "●", palette.style(palette.white, owner)
        return self._grid_glyph(row, column) if self.ownership is None else " ", palette.style(palette.grid, owner)

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

    def _owner(self, row: int, column: int) -> float:
        return 0.0 if self.ownership is None else float(self.ownership[row, column])


def candidate_labels(candidates: Sequence[Candidate], *, limit: int = 5) -> dict[int, str]:
    """Return the labels 1, 2, 3... for the points of the first candidates (at most nine), for `BoardDiagram`."""
    return {candidate.move: str(rank) for rank, candidate in enumerate(candidates[: min(limit, 9)], start=1)}


class CandidateTable(msgspec.Struct, frozen=True):
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
        table.add_column(f"{COLOR_NAMES[int(board.color_to_play)]} wins", justify="right", no_wrap=True)
        table.add_column("main line")  # the only column that may shrink
        for rank, candidate in enumerate(candidates[: self.limit], start=1):
            line = " ".join(to_vertex(move, board.width, board.height) for move in candidate.pv)
            table.add_row(
                str(rank),
                to_vertex(candidate.move, board.width, board.height),
                f"{candidate.visits:,}",
                *([_Share(candidate.visits / total)] if has_bars else []),
                f"{100 * candidate.winrate:.1f} %",
                Text(line, no_wrap=True, overflow="ellipsis"),
            )
        yield table


def beside_owners(diagram: BoardDiagram, ownership: NDArray[np.floating]) -> RenderableType:
    """Return a drawing with the ownership map of its board beside it, or below it in a narrow terminal."""
    owners = BoardDiagram(diagram.board, ownership=ownership, title="who will own each point")
    return Group(Columns([diagram, owners], padding=(1, 4)), Padding(_Legend(), (1, 0, 0, 0)))


def analysis_view(board: Board, analysis: Analysis, *, limit: int = 5) -> RenderableType:
    """Return board, ownership map and candidate table, side by side where the terminal is wide enough."""
    candidates = BoardDiagram(board, labels=candidate_labels(analysis.moves, limit=limit), title="candidate moves")
    value = analysis.winrate if int(board.color_to_play) == BLACK else 1.0 - analysis.winrate
    return Group(
        beside_owners(candidates, analysis.ownership),
        Padding(WinRateBar(value), (1, 0)),
        CandidateTable(board, analysis, limit=limit),
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
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {unit}"),
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
        plain = _palette(console).is_plain
        bars = "".join(str(min(9, int(10 * value))) if plain else _BLOCKS[min(7, int(8 * value))] for value in shown)
        yield Text(f"{self.title}  {bars}", no_wrap=True, overflow="crop")


class WinRateBar(msgspec.Struct, frozen=True):
    """One line that shows how the win rate is shared between Black and White."""

    value_for_black: float
    """0..1."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        share = max(0.0, min(1.0, self.value_for_black))
        left, right = f"Black {100 * share:.1f} %  ", f"  {100 * (1 - share):.1f} % White"
        width = max(0, min(24, options.max_width - len(left) - len(right)))
        filled = round(share * width)
        line = Text(left, style="bold", no_wrap=True, overflow="crop")
        palette = _palette(console)
        black, white = ("#", "-") if palette.is_plain else (" ", " ")
        line.append(black * filled, palette.style(palette.grid, 1.0))
        line.append(white * (width - filled), palette.style(palette.grid, -1.0))
        yield line.append(right)


class _Share(msgspec.Struct, frozen=True):
    """A share in 0..1 as a bar; in plain text the number."""

    share: float
    width: int = 10

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        palette = _palette(console)
        if palette.is_plain:
            yield Text(f"{100 * self.share:3.0f} %")
        else:
            yield Text("█" * round(self.share * self.width), style=palette.share)


class _Legend:
    """What the shades (or letters) of the ownership map mean."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        palette = _palette(console)
        if palette.is_plain:
            yield Text("Owner map: X surely Black, x likely, . open, o likely White, O surely White.")
            return
        line = Text("Owner map: ")
        for owner, name in ((1.0, "Black"), (0.0, "open"), (-1.0, "White")):
            line.append("   ", palette.style(palette.grid, owner)).append(f" {name}  ")
        yield line


def _owner_letter(value: float) -> str:
    if abs(value) < 0.2:
        return "."
    letter = "X" if value > 0 else "O"
    return letter if abs(value) >= 0.6 else letter.lower()
