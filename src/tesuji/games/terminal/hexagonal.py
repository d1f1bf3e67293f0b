"""The games on hexagonal cells: Hex, Y, Havannah."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from tesuji.games import Havannah, Hex, Y
from tesuji.games.terminal.diagram import Diagram, Palette, letters
from tesuji.games.terminal.lines import chain_between, chain_of
from tesuji.games.terminal.view import Cell, CellView

__all__ = ["HavannahView", "HexView", "YView"]

_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # row, column
_Y_STEPS = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))


class HexView(CellView):
    """Hex: a letter for the column, a number for the row, ``a1`` at the top left.

    Parameters
    ----------
    size : int
        Of the board.
    """

    title = "Hex"
    goal = "Red joins top and bottom, Blue joins left and right; there is no draw."

    def __init__(self, size: int) -> None:
        super().__init__([(row, column) for row in range(size) for column in range(size)], (size // 2, size // 2))
        self.size = size

    def diagram(
        self, game: Hex, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        line = self._winning_chain(owners, 0 if game.value == 1 else 1) if game.is_over else set()
        if not line and last_move is not None:
            line = {self.cells[last_move]}
        return _HexDiagram(owners, line, self.labels(labels))

    def _winning_chain(self, owners: Mapping[Cell, int], player: int) -> set[Cell]:
        """The first player goes down the rows, the second along the columns."""
        starts = [cell for cell in self.cells if cell[player] == 0 and owners[cell] == player]
        return chain_between(owners, _STEPS, starts, lambda cell: cell[player] == self.size - 1)


class _HexDiagram(Diagram):
    """A slanted board: every row begins half a cell further right. The sides show whose they are."""

    def lines(self, palette: Palette) -> Iterator[Text]:
        size = len(self.rows)
        first, second = (_side_style(palette, player) for player in (0, 1))
        edge, side = ("x", "o") if palette.is_plain else ("━", "╲")
        columns = letters(range(size))
        border = " ".join(edge * (size + 1)) if palette.is_plain else edge * (2 * size + 1)
        yield Text(f"     {columns}")
        yield Text("      ").append(border, first)
        for row in range(size):
            text = Text(f"{'':{row}}{row + 1:>4} ").append(side, second)
            text.append(self.cells(row, palette)).append(side, second)
            yield text.append(f" {row + 1}")
        yield Text(f"{'':{size}}     ").append(border, first)
        yield Text(f"{'':{size}}        {columns}")

    @property
    def width(self) -> int:  # type: ignore[override]  # the others know it beforehand
        return 3 * len(self.rows) + 12


def _side_style(palette: Palette, player: int) -> Style:
    return Style() if palette.is_plain else Style(color=palette.players[player], bold=True)


class YView(CellView):
    """Y: ``a1`` is the tip of the triangle; letters run along the last row and up to the right.

    Parameters
    ----------
    size : int
        Cells of a side.
    """

    title = "Y"
    goal = "Who joins all three sides with one chain wins; a corner belongs to two sides; there is no draw."

    def __init__(self, size: int) -> None:
        super().__init__(
            [(row, column) for row in range(size) for column in range(row + 1)], (size * 2 // 3, size // 3)
        )

    def diagram(
        self, game: Y, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        return _YDiagram(owners, _last_or_chain(game, owners, _Y_STEPS, self.cells, last_move), self.labels(labels))


class _YDiagram(Diagram):
    def lines(self, palette: Palette) -> Iterator[Text]:
        last = len(self.rows) - 1
        for row in range(last + 1):
            yield Text(f"{'':{last - row}}{row + 1:>4} ").append(self.cells(row, palette)).append(f" {row + 1}")
        yield Text(f"      {letters(range(last + 1))}")

    @property
    def width(self) -> int:  # type: ignore[override]  # the others know it beforehand
        return 2 * len(self.rows) + 9


class HavannahView(CellView):
    """Havannah: numbers for the rows from the top; letters for the lines that run down to the right.

    Parameters
    ----------
    size : int
        Cells of a side.
    """

    title = "Havannah"
    goal = "A chain wins if it joins two corners, joins three sides (corners are none), or surrounds a cell."

    def __init__(self, size: int) -> None:
        span = range(2 * size - 1)
        cells = [(row, column) for row in span for column in span if size - 1 <= row + column <= 3 * (size - 1)]
        super().__init__(cells, (size - 1, size - 1))

    def diagram(
        self, game: Havannah, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        line = _last_or_chain(game, owners, _STEPS, self.cells, last_move)
        return _HavannahDiagram(owners, line, self.labels(labels))


class _HavannahDiagram(Diagram):
    def lines(self, palette: Palette) -> Iterator[Text]:
        last = len(self.rows) - 1
        middle = last // 2
        yield Text(f"{'':{middle + 5}}{letters(self.rows[0])}")
        for row, columns in self.rows.items():
            indent = 2 * columns[0] + row - middle
            yield Text(f"{'':{indent}}{row + 1:>4} ").append(self.cells(row, palette)).append(f" {row + 1}")
        yield Text(f"{'':{middle + 7}}{letters(self.rows[last])}")

    @property
    def width(self) -> int:  # type: ignore[override]  # the others know it beforehand
        return 2 * len(self.rows) + 10


def _last_or_chain(
    game: Y | Havannah, owners: Mapping[Cell, int], steps: tuple[Cell, ...], cells: list[Cell], last_move: int | None
) -> set[Cell]:
    """The last move; once the game is won, the chain that it belongs to."""
    if last_move is None:
        return set()
    is_won = game.is_over and game.value != 0.5
    return chain_of(owners, steps, cells[last_move]) if is_won else {cells[last_move]}
