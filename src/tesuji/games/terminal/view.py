"""What a game looks like to people: its words, its moves by name, its cells.

A cell is (row, column), both from 0; people write the column as a letter and the row as a number from 1: ``b3`` is
(2, 1). Where the rows begin, at the top or at the bottom, is a matter of the drawing.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from rich.console import RenderableType

__all__ = ["EMPTY", "SIGNS", "Cell", "CellView", "GameView", "NativeView", "cell_name"]

Cell = tuple[int, int]

EMPTY = -1
SIGNS = ("X", "O")
"""How the players look in plain text."""


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
        """The move that is written; ValueError if that is not a move of this game."""

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move; None if nothing does."""

    def diagram(
        self, game: Any, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board. The last move, or the winning line, is in brackets; `labels` (by move) lie on empty cells."""


class NativeView(GameView, Protocol):
    """The same for a game of `tesuji.games`, and its board as cells."""

    def owners(self, game: Any) -> dict[Cell, int]:
        """Every cell with its owner: a player, or EMPTY."""

    def steps(self, game: Any, move: int) -> tuple[Cell, ...]:
        """The cells that make up a legal move, in the order they are touched; none: a pass."""


class CellView:
    """A game in which a move is a cell.

    Parameters
    ----------
    cells : iterable of Cell
        By move.
    example : Cell
        One of them.
    """

    players = ("Red", "Blue")

    def __init__(self, cells: Iterable[Cell], example: Cell) -> None:
        self.cells = list(cells)
        self.moves = {cell: move for move, cell in enumerate(self.cells)}
        self.example = cell_name(example)

    def signs(self) -> tuple[str, str]:
        """How the players look in plain text."""
        return SIGNS

    def mover(self, game: Any) -> int:
        """Who is to move: 0, the first player, or 1."""
        return int(game.to_play)

    def winner(self, game: Any) -> int | None:
        """Who won an ended game; None: a draw."""
        return {1.0: 0, 0.0: 1}.get(game.value)

    def name(self, move: int) -> str:
        """The move as it is written."""
        return cell_name(self.cells[move])

    def parse(self, text: str) -> int:
        """The move that is written."""
        return self.moves[self.parse_cell(text)]

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move."""
        owner = game.owner(move)
        return None if owner == EMPTY else f"{self.name(move)} is taken ({self.players[owner]})"

    def owners(self, game: Any) -> dict[Cell, int]:
        """Every cell with its owner."""
        return {cell: game.owner(number) for number, cell in enumerate(self.cells)}

    def steps(self, game: Any, move: int) -> tuple[Cell, ...]:
        """The cell of a move."""
        del game
        return (self.cells[move],)

    def parse_cell(self, text: str) -> Cell:
        """The cell that is written; ValueError if the board has none of that name."""
        found = re.fullmatch(r"([a-z])([0-9]{1,2})", text, re.ASCII | re.IGNORECASE)
        row, column = (int(found[2]) - 1, string.ascii_lowercase.index(found[1].lower())) if found else (-1, -1)
        if (row, column) in self.moves:
            return row, column
        there = [each for at, each in self.cells if at == row]
        last_row, last_column = map(max, zip(*self.cells, strict=True))
        letters = string.ascii_lowercase
        if there and (there[0] > 0 or there[-1] < last_column):
            where = f"row {row + 1} has the letters {letters[there[0]]} to {letters[there[-1]]}"
        else:
            where = f"type a letter a to {letters[last_column]} and a number 1 to {last_row + 1}"
        raise ValueError(f"'{text}' is not a cell: {where}, for instance {self.example}")

    def labels(self, labels: Mapping[int, str] | None) -> dict[Cell, str]:
        """Labels by cell instead of by move."""
        return {self.cells[move]: text for move, text in (labels or {}).items()}


def cell_name(cell: Cell) -> str:
    """A cell as it is written."""
    return f"{string.ascii_lowercase[cell[1]]}{cell[0] + 1}"
