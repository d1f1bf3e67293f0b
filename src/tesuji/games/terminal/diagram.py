"""What the drawings of all boards share: colours, stones, brackets, labels."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from tesuji.games.terminal.view import EMPTY, SIGNS, Cell

__all__ = ["BLUE_BOARD", "GREEN_BOARD", "LIGHT_BOARD", "WOODEN_BOARD", "Diagram", "Palette", "SquareDiagram", "letters"]


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """The colours of a board on some kind of terminal; without a ground it is plain text."""

    players: tuple[str, str] = ("", "")
    ground: str = ""
    grid: str = ""
    mark: str = ""
    label: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether there are no colours."""
        return not self.ground

    def style(self, ink: str, *, bold: bool = False) -> Style:
        """Ink on the board."""
        return Style() if self.is_plain else Style(color=ink, bgcolor=self.ground, bold=bold)


_PLAIN = Palette()
LIGHT_BOARD = {
    16: Palette(players=("red", "blue"), ground="white", grid="bright_black", mark="black", label="magenta"),
    256: Palette(players=("#c01c28", "#1a56b8"), ground="#eee8d8", grid="#857e69", mark="#1e1e1e", label="#00701a"),
}
BLUE_BOARD = {
    16: Palette(
        players=("bright_red", "bright_yellow"), ground="blue", grid="white", mark="bright_white", label="bright_cyan"
    ),
    256: Palette(players=("#ff5f52", "#ffd83a"), ground="#173f8f", grid="#8fb0ee", mark="#ffffff", label="#9df0ff"),
}
GREEN_BOARD = {
    16: Palette(players=("black", "bright_white"), ground="green", grid="black", mark="bright_yellow", label="blue"),
    256: Palette(players=("#101010", "#ffffff"), ground="#2e7d4f", grid="#16402a", mark="#ffe14d", label="#ffd0d0"),
}
WOODEN_BOARD = {
    16: Palette(players=("black", "bright_white"), ground="yellow", grid="black", mark="red", label="blue"),
    256: Palette(players=("#101010", "#ffffff"), ground="#c79a52", grid="#6d5428", mark="#a01010", label="#123a8c"),
}


class Diagram:
    """A board of cells: their owners, a line of cells in brackets, and labels."""

    colors: Mapping[int, Palette] = LIGHT_BOARD
    discs = ("●", "●")
    width = 0
    """Columns of the terminal that it takes."""

    def __init__(
        self, owners: Mapping[Cell, int], line: Iterable[Cell], labels: Mapping[Cell, str] | None = None
    ) -> None:
        self.owners = owners
        self.line = frozenset(line)
        self.labels = dict(labels or {})
        self.rows: dict[int, list[int]] = {}
        for row, column in sorted(owners):
            self.rows.setdefault(row, []).append(column)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = min(self.width, options.max_width)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        palette = _palette(console, self.colors)
        for line in self.lines(palette):
            line.no_wrap, line.overflow = True, "crop"
            if palette.is_plain:
                line.rstrip()
            yield line

    @property
    def plain(self) -> str:
        """The drawing as plain text, without blank ends."""
        return "\n".join(line.plain.rstrip() for line in self.lines(_PLAIN))

    def lines(self, palette: Palette) -> Iterator[Text]:
        """The drawing, line by line."""
        raise NotImplementedError

    def cell(self, row: int, column: int, palette: Palette) -> tuple[str, Style]:
        """What stands on a cell."""
        owner = self.owners[row, column]
        if owner == EMPTY and (row, column) in self.labels:
            return self.labels[row, column][:1], palette.style(palette.label, bold=True)
        if owner == EMPTY:
            return "." if palette.is_plain else "·", palette.style(palette.grid)
        return (SIGNS if palette.is_plain else self.discs)[owner], palette.style(palette.players[owner], bold=True)

    def gap(self, row: int, column: int, palette: Palette) -> tuple[str, Style]:
        """What stands left of a cell: brackets begin and end a stretch of the line."""
        left, right = (row, column - 1) in self.line, (row, column) in self.line
        sign = " " if left == right else "(" if right else ")"
        return sign, palette.style(palette.mark, bold=True)

    def cells(self, row: int, palette: Palette) -> Text:
        """A row with its gaps, one before every cell and one at the end."""
        text = Text()
        for column in self.rows[row]:
            text.append(*self.gap(row, column, palette)).append(*self.cell(row, column, palette))
        return text.append(*self.gap(row, self.rows[row][-1] + 1, palette))


class SquareDiagram(Diagram):
    """Rows above each other, with letters and numbers around them; row 1 at the top, or at the bottom."""

    has_first_row_at_bottom = False

    def lines(self, palette: Palette) -> Iterator[Text]:
        """The drawing, line by line."""
        columns = Text(f"     {letters(range(len(self.rows)))}")
        yield columns
        for row in sorted(self.rows, reverse=self.has_first_row_at_bottom):
            yield Text(f"{row + 1:>3} ").append(self.cells(row, palette)).append(f" {row + 1}")
        yield columns.copy()

    @property
    def width(self) -> int:  # type: ignore[override]  # the others know it beforehand
        """Columns of the terminal that it takes."""
        return 2 * len(self.rows) + 9


def letters(columns: Iterable[int]) -> str:
    """The letters of columns, with a space between."""
    return " ".join(string.ascii_lowercase[column] for column in columns)


def _palette(console: Console, colors: Mapping[int, Palette]) -> Palette:
    if console.color_system is None or console.no_color or not console.encoding.lower().startswith("utf"):
        return _PLAIN
    return colors[256 if console.color_system in ("256", "truecolor") else 16]
