"""The native games in a terminal: boards as `rich` renderables, moves as people write them.

On a colour terminal the players have colours; in a pipe, under ``NO_COLOR`` or in an encoding without box characters
everything is plain ASCII: ``X`` moved first, ``O`` second, brackets around the last move or the winning line.

It reads no input and does not think: `tesuji.play` does. Go has its own drawings (`tesuji.go.diagram`).
"""

from __future__ import annotations

import itertools
import re
import string
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from tesuji.games import Connect4, Hex, TicTacToe

__all__ = ["Connect4View", "GameView", "HexView", "TicTacToeView", "view_of"]

EMPTY = -1
SIGNS = ("X", "O")
"""How the players look in plain text."""

_HEX_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # row, column


class GameView(Protocol):
    """How people see a game: its words, its moves by name, its board."""

    title: str
    players: tuple[str, str]
    """The first and the second."""
    goal: str
    """A sentence: how a game is won."""
    example: str
    """A move as it is typed."""

    def signs(self) -> tuple[str, str]:
        """How the players look in plain text."""

    def mover(self, game: Any) -> int:
        """Who is to move: 0, the first player, or 1."""

    def winner(self, game: Any) -> int | None:
        """Who won an ended game; None: a draw."""

    def name(self, move: int) -> str:
        """The move as it is written."""

    def parse(self, text: str) -> int:
        """The move that is written; ValueError if that is no move of this game."""

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move; None if nothing does."""

    def diagram(
        self, game: Any, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board. The last move, or the winning line, is in brackets; `labels` (by move) lie on empty cells."""


def view_of(game: TicTacToe | Connect4 | Hex) -> GameView:
    """The view of a native game."""
    if isinstance(game, TicTacToe):
        return TicTacToeView()
    return Connect4View() if isinstance(game, Connect4) else HexView(game.size)


class _NativeView:
    """What the views of the native games share."""

    def signs(self) -> tuple[str, str]:
        return SIGNS

    def mover(self, game: Any) -> int:
        return int(game.to_play)

    def winner(self, game: Any) -> int | None:
        return {1.0: 0, 0.0: 1}.get(game.value)


class TicTacToeView(_NativeView):
    """Tic-tac-toe: ``b2`` is the centre, ``a1`` the top left."""

    title = "Tic-tac-toe"
    players = ("X", "O")
    goal = "Three in a row win: across, down or diagonally."
    example = "b2"

    def name(self, move: int) -> str:
        """The move as it is written."""
        return _cell_name(move, 3)

    def parse(self, text: str) -> int:
        """The move that is written."""
        return _parse_cell(text, 3, self.example)

    def why_illegal(self, game: TicTacToe, move: int) -> str | None:
        """What forbids a move."""
        return None if game.owner(move) == EMPTY else f"{self.name(move)} is taken ({SIGNS[game.owner(move)]})"

    def diagram(
        self, game: TicTacToe, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = [[game.owner(3 * row + column) for column in range(3)] for row in range(3)]
        line = _straight_line(owners, 3) or ({divmod(last_move, 3)} if last_move is not None else set())
        return _TicTacToeDiagram(owners, line, {divmod(move, 3): text for move, text in (labels or {}).items()})


class Connect4View(_NativeView):
    """Connect Four: a move is the number of its column, 1 to 7."""

    title = "Connect Four"
    players = ("Red", "Yellow")
    goal = "Four in a row win: across, up or diagonally."
    example = "4"

    def name(self, move: int) -> str:
        """The move as it is written."""
        return str(move + 1)

    def parse(self, text: str) -> int:
        """The move that is written."""
        if not re.fullmatch(r"[1-7]", text):
            raise ValueError(f"'{text}' is no column: type a number from 1 to 7, for instance {self.example}")
        return int(text) - 1

    def why_illegal(self, game: Connect4, move: int) -> str | None:
        """What forbids a move."""
        return None if game.owner(5, move) == EMPTY else f"column {move + 1} is full"

    def diagram(
        self, game: Connect4, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = [[game.owner(row, column) for column in range(7)] for row in reversed(range(6))]
        heights = [sum(owners[row][column] != EMPTY for row in range(6)) for column in range(7)]
        line = _straight_line(owners, 4)
        if not line and last_move is not None:
            line = {(6 - heights[last_move], last_move)}
        landing = {(5 - heights[move], move): text for move, text in (labels or {}).items() if heights[move] < 6}
        return _Connect4Diagram(owners, line, landing)


class HexView(_NativeView):
    """Hex: a letter for the column, a number for the row, ``a1`` at the top left.

    Parameters
    ----------
    size : int
        Of the board.
    """

    title = "Hex"
    players = ("Red", "Blue")
    goal = "Red joins top and bottom, Blue joins left and right; there is no draw."

    def __init__(self, size: int) -> None:
        self.size = size
        self.example = _cell_name(size // 2 * size + size // 2, size)

    def name(self, move: int) -> str:
        """The move as it is written."""
        return _cell_name(move, self.size)

    def parse(self, text: str) -> int:
        """The move that is written."""
        return _parse_cell(text, self.size, self.example)

    def why_illegal(self, game: Hex, move: int) -> str | None:
        """What forbids a move."""
        owner = game.owner(move)
        return None if owner == EMPTY else f"{self.name(move)} is taken ({self.players[owner]})"

    def diagram(
        self, game: Hex, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        size = self.size
        owners = [[game.owner(row * size + column) for column in range(size)] for row in range(size)]
        line = _chain_across(owners, 0 if game.value == 1 else 1) if game.is_over else set()
        if not line and last_move is not None:
            line = {divmod(last_move, size)}
        return _HexDiagram(owners, line, {divmod(move, size): text for move, text in (labels or {}).items()})


# --- names ------------------------------------------------------------------------------------------------------------


def _cell_name(move: int, size: int) -> str:
    row, column = divmod(move, size)
    return f"{string.ascii_lowercase[column]}{row + 1}"


def _parse_cell(text: str, size: int, example: str) -> int:
    found = re.fullmatch(r"([a-z])([0-9]{1,2})", text, re.ASCII | re.IGNORECASE)
    if found:
        column, row = string.ascii_lowercase.index(found[1].lower()), int(found[2]) - 1
        if 0 <= row < size and column < size:
            return row * size + column
    last = string.ascii_lowercase[size - 1]
    raise ValueError(f"'{text}' is no cell: type a letter a to {last} and a number 1 to {size}, for instance {example}")


# --- winning lines ----------------------------------------------------------------------------------------------------

_Cell = tuple[int, int]  # row from the top, column


def _straight_line(owners: Sequence[Sequence[int]], length: int) -> set[_Cell]:
    """The cells of every finished line of this length; as a rule there is none or one."""
    height, width = len(owners), len(owners[0])
    finished: set[_Cell] = set()
    for row, column, (down, right) in itertools.product(range(height), range(width), ((0, 1), (1, 0), (1, 1), (1, -1))):
        cells = [(row + i * down, column + i * right) for i in range(length)]
        last_row, last_column = cells[-1]
        if last_row >= height or not 0 <= last_column < width:
            continue
        if len({owners[r][c] for r, c in cells}) == 1 and owners[row][column] != EMPTY:
            finished.update(cells)
    return finished


def _chain_across(owners: Sequence[Sequence[int]], player: int) -> set[_Cell]:
    """A shortest chain of a player's cells from one side to the other at Hex."""
    size = len(owners)
    starts = [(0, i) if player == 0 else (i, 0) for i in range(size)]
    came_from: dict[_Cell, _Cell | None] = {cell: None for cell in starts if owners[cell[0]][cell[1]] == player}
    queue = deque(came_from)
    while queue:
        cell = queue.popleft()
        if cell[player] == size - 1:  # the first player goes down the rows, the second along the columns
            return set(_back_to_start(came_from, cell))
        for down, right in _HEX_STEPS:
            near = (cell[0] + down, cell[1] + right)
            inside = 0 <= near[0] < size and 0 <= near[1] < size
            if inside and near not in came_from and owners[near[0]][near[1]] == player:
                came_from[near] = cell
                queue.append(near)
    return set()


def _back_to_start(came_from: Mapping[_Cell, _Cell | None], end: _Cell) -> Iterator[_Cell]:
    cell: _Cell | None = end
    while cell is not None:
        yield cell
        cell = came_from[cell]


# --- drawings ---------------------------------------------------------------------------------------------------------


class _Palette(msgspec.Struct, frozen=True, kw_only=True):
    """The colours of a board on some kind of terminal; without a ground it is plain text."""

    players: tuple[str, str] = ("", "")
    ground: str = ""
    grid: str = ""
    mark: str = ""
    label: str = ""

    @property
    def is_plain(self) -> bool:
        return not self.ground

    def style(self, ink: str, *, bold: bool = False) -> Style:
        return Style() if self.is_plain else Style(color=ink, bgcolor=self.ground, bold=bold)


_PLAIN = _Palette()
_LIGHT_BOARD = {
    16: _Palette(players=("red", "blue"), ground="white", grid="bright_black", mark="black", label="magenta"),
    256: _Palette(players=("#c01c28", "#1a56b8"), ground="#eee8d8", grid="#857e69", mark="#1e1e1e", label="#00701a"),
}
_BLUE_BOARD = {
    16: _Palette(
        players=("bright_red", "bright_yellow"), ground="blue", grid="white", mark="bright_white", label="bright_cyan"
    ),
    256: _Palette(players=("#ff5f52", "#ffd83a"), ground="#173f8f", grid="#8fb0ee", mark="#ffffff", label="#9df0ff"),
}


def _palette(console: Console, colors: Mapping[int, _Palette]) -> _Palette:
    if console.color_system is None or console.no_color or not console.encoding.lower().startswith("utf"):
        return _PLAIN
    return colors[256 if console.color_system in ("256", "truecolor") else 16]


class _Diagram:
    """A board of rows and columns: owners of the cells, a line of cells in brackets, and labels."""

    colors: Mapping[int, _Palette] = _LIGHT_BOARD
    discs = ("●", "●")
    width = 0
    """Columns of the terminal that it takes."""

    def __init__(
        self, owners: Sequence[Sequence[int]], line: Iterable[_Cell], labels: Mapping[_Cell, str] | None = None
    ) -> None:
        self.owners = owners
        self.line = frozenset(line)
        self.labels = dict(labels or {})

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

    def lines(self, palette: _Palette) -> Iterator[Text]:
        """The drawing, line by line."""
        raise NotImplementedError

    def cell(self, row: int, column: int, palette: _Palette) -> tuple[str, Style]:
        """What stands on a cell."""
        owner = self.owners[row][column]
        if owner == EMPTY and (row, column) in self.labels:
            return self.labels[row, column][:1], palette.style(palette.label, bold=True)
        if owner == EMPTY:
            return "." if palette.is_plain else "·", palette.style(palette.grid)
        return (SIGNS if palette.is_plain else self.discs)[owner], palette.style(palette.players[owner], bold=True)

    def gap(self, row: int, column: int, palette: _Palette) -> tuple[str, Style]:
        """What stands left of a cell: brackets begin and end a stretch of the line."""
        left, right = (row, column - 1) in self.line, (row, column) in self.line
        sign = " " if left == right else "(" if right else ")"
        return sign, palette.style(palette.mark, bold=True)

    def cells(self, row: int, palette: _Palette) -> Text:
        """A row with its gaps, one before every cell and one at the end."""
        text = Text()
        for column in range(len(self.owners[row])):
            text.append(*self.gap(row, column, palette)).append(*self.cell(row, column, palette))
        return text.append(*self.gap(row, len(self.owners[row]), palette))


class _TicTacToeDiagram(_Diagram):
    discs = SIGNS
    width = 15

    def lines(self, palette: _Palette) -> Iterator[Text]:
        bar, rule = ("|", "---+---+---") if palette.is_plain else ("│", "───┼───┼───")
        grid = palette.style(palette.grid)
        yield Text("     a   b   c")
        for row in range(3):
            text = Text(f"  {row + 1} ")
            for column in range(3):
                is_marked = (row, column) in self.line
                text.append(bar if column else "", grid)
                text.append("(" if is_marked else " ", palette.style(palette.mark, bold=True))
                text.append(*self.cell(row, column, palette))
                text.append(")" if is_marked else " ", palette.style(palette.mark, bold=True))
            yield text
            if row < 2:
                yield Text("    ").append(rule, grid)


class _Connect4Diagram(_Diagram):
    colors = _BLUE_BOARD
    width = 21

    def lines(self, palette: _Palette) -> Iterator[Text]:
        side = "|" if palette.is_plain else " "
        frame = palette.style(palette.grid)
        numbers = Text("    1 2 3 4 5 6 7")
        yield numbers
        for row in range(len(self.owners)):
            yield Text("  ").append(side, frame).append(self.cells(row, palette)).append(side, frame)
        if palette.is_plain:
            yield Text(f"  +{'-' * 15}+")
        yield numbers.copy()


class _HexDiagram(_Diagram):
    """A slanted board: every row begins half a cell further right. The sides show whose they are."""

    def __init__(
        self, owners: Sequence[Sequence[int]], line: Iterable[_Cell], labels: Mapping[_Cell, str] | None = None
    ) -> None:
        super().__init__(owners, line, labels)
        self.size = len(owners)
        self.width = 3 * self.size + 12

    def lines(self, palette: _Palette) -> Iterator[Text]:
        first, second = (_side_style(palette, player) for player in (0, 1))
        edge, side = ("x", "o") if palette.is_plain else ("━", "╲")
        letters = " ".join(string.ascii_lowercase[: self.size])
        border = " ".join(edge * (self.size + 1)) if palette.is_plain else edge * (2 * self.size + 1)
        yield Text(f"     {letters}")
        yield Text("      ").append(border, first)
        for row in range(self.size):
            text = Text(f"{'':{row}}{row + 1:>4} ").append(side, second)
            text.append(self.cells(row, palette)).append(side, second)
            yield text.append(f" {row + 1}")
        yield Text(f"{'':{self.size}}     ").append(border, first)
        yield Text(f"{'':{self.size}}        {letters}")


def _side_style(palette: _Palette, player: int) -> Style:
    return Style() if palette.is_plain else Style(color=palette.players[player], bold=True)
