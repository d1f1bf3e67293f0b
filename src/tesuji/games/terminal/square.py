"""The games on square boards: tic-tac-toe, Connect Four, Gomoku, Othello, Breakthrough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from tesuji.games import Breakthrough, Connect4, Gomoku, Othello, TicTacToe
from tesuji.games.terminal.diagram import BLUE_BOARD, GREEN_BOARD, WOODEN_BOARD, Diagram, Palette, SquareDiagram
from tesuji.games.terminal.lines import straight_lines
from tesuji.games.terminal.view import EMPTY, SIGNS, Cell, CellView, cell_name

__all__ = ["BreakthroughView", "Connect4View", "GomokuView", "OthelloView", "TicTacToeView"]


def _square(size: int) -> list[Cell]:
    return [(row, column) for row in range(size) for column in range(size)]


class TicTacToeView(CellView):
    """Tic-tac-toe: ``b2`` is the centre, ``a1`` the top left."""

    title = "Tic-tac-toe"
    players = ("X", "O")
    goal = "Three in a row win: across, down or diagonally."

    def __init__(self) -> None:
        super().__init__(_square(3), (1, 1))

    def diagram(
        self, game: TicTacToe, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        line = straight_lines(owners, 3) or ({self.cells[last_move]} if last_move is not None else set())
        return _TicTacToeDiagram(owners, line, self.labels(labels))


class _TicTacToeDiagram(Diagram):
    discs = SIGNS
    width = 15

    def lines(self, palette: Palette) -> Iterator[Text]:
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


class Connect4View(CellView):
    """Connect Four: a move is the number of its column, 1 to 7; row 0 is the lowest."""

    title = "Connect Four"
    players = ("Red", "Yellow")
    goal = "Four in a row win: across, up or diagonally."

    def __init__(self) -> None:
        super().__init__([(row, column) for row in range(6) for column in range(7)], (0, 3))
        self.example = "4"

    def name(self, move: int) -> str:
        """The move as it is written."""
        return str(move + 1)

    def parse(self, text: str) -> int:
        """The move that is written."""
        if not re.fullmatch(r"[1-7]", text):
            raise ValueError(f"'{text}' is not a column: type a number from 1 to 7, for instance {self.example}")
        return int(text) - 1

    def why_illegal(self, game: Connect4, move: int) -> str | None:
        """What forbids a move."""
        return None if game.owner(5, move) == EMPTY else f"column {move + 1} is full"

    def owners(self, game: Connect4) -> dict[Cell, int]:
        """Every cell with its owner."""
        return {cell: game.owner(*cell) for cell in self.cells}

    def steps(self, game: Connect4, move: int) -> tuple[Cell, ...]:
        """Where a disc would land."""
        return ((self._height(game, move), move),)

    def diagram(
        self, game: Connect4, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        line = straight_lines(owners, 4)
        if not line and last_move is not None:
            line = {(self._height(game, last_move) - 1, last_move)}
        landing = {(self._height(game, move), move): text for move, text in (labels or {}).items()}
        return _Connect4Diagram(owners, line, landing)

    def _height(self, game: Connect4, column: int) -> int:
        return sum(game.owner(row, column) != EMPTY for row in range(6))


class _Connect4Diagram(Diagram):
    colors = BLUE_BOARD
    width = 21

    def lines(self, palette: Palette) -> Iterator[Text]:
        side = "|" if palette.is_plain else " "
        frame = palette.style(palette.grid)
        numbers = Text("    1 2 3 4 5 6 7")
        yield numbers
        for row in reversed(range(6)):
            yield Text("  ").append(side, frame).append(self.cells(row, palette)).append(side, frame)
        if palette.is_plain:
            yield Text(f"  +{'-' * 15}+")
        yield numbers.copy()


class GomokuView(CellView):
    """Gomoku: a letter for the column, a number for the row, ``a1`` at the top left.

    Parameters
    ----------
    size : int
        Of the board.
    """

    title = "Gomoku"
    players = ("Black", "White")
    goal = "Five or more in a row win: across, down or diagonally."

    def __init__(self, size: int) -> None:
        super().__init__(_square(size), (size // 2, size // 2))

    def diagram(
        self, game: Gomoku, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        owners = self.owners(game)
        line = straight_lines(owners, 5) or ({self.cells[last_move]} if last_move is not None else set())
        return _GomokuDiagram(owners, line, self.labels(labels))


class _GomokuDiagram(SquareDiagram):
    colors = WOODEN_BOARD


class OthelloView(CellView):
    """Othello: ``a1`` at the top left; ``pass`` is a move where there is no other."""

    title = "Othello"
    players = ("Black", "White")
    goal = "A move turns the stones that it encloses over; who cannot turn any passes; more stones win."
    pass_move = 64

    def __init__(self) -> None:
        super().__init__(_square(8), (2, 3))

    def name(self, move: int) -> str:
        """The move as it is written."""
        return "pass" if move == self.pass_move else super().name(move)

    def parse(self, text: str) -> int:
        """The move that is written."""
        return self.pass_move if text.lower() == "pass" else super().parse(text)

    def why_illegal(self, game: Othello, move: int) -> str | None:
        """What forbids a move."""
        legal = game.legal_moves()
        if move in legal:
            return None
        if move == self.pass_move:
            return f"a pass is for who can turn no stone over; {self.name(legal[0])} does"
        only_pass = "; you can only pass" if legal == [self.pass_move] else ""
        return super().why_illegal(game, move) or f"{self.name(move)} turns no stone over{only_pass}"

    def steps(self, game: Othello, move: int) -> tuple[Cell, ...]:
        """The cell of a move; none of a pass."""
        return () if move == self.pass_move else super().steps(game, move)

    def diagram(
        self, game: Othello, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board."""
        line = set() if last_move in (None, self.pass_move) else {self.cells[last_move]}
        on_cells = {move: text for move, text in (labels or {}).items() if move != self.pass_move}
        return _OthelloDiagram(self.owners(game), line, self.labels(on_cells))


class _OthelloDiagram(SquareDiagram):
    colors = GREEN_BOARD


class BreakthroughView(CellView):
    """Breakthrough: ``d2d3`` takes the pawn on d2 to d3; ``a1`` is at the bottom left."""

    title = "Breakthrough"
    goal = "Red goes up, Blue down; pawns take diagonally; who reaches the far row or takes every pawn wins."

    def __init__(self) -> None:
        super().__init__(_square(8), (1, 3))
        self.example = "d2d3"

    def name(self, move: int) -> str:
        """The move as it is written: where from and where to."""
        return "".join(map(cell_name, self._ends(move)))

    def parse(self, text: str) -> int:
        """The move that is written; a hyphen or an x may stand between the squares."""
        found = re.fullmatch(r"([a-h])([1-8])[-x]?([a-h])([1-8])", text, re.ASCII | re.IGNORECASE)
        if not found:
            raise ValueError(
                f"'{text}' is not a move: type where a pawn stands and where it goes, for instance {self.example}"
            )
        columns = [ord(found[group].lower()) - ord("a") for group in (1, 3)]
        rows = [int(found[group]) - 1 for group in (2, 4)]
        down, right = rows[1] - rows[0], columns[1] - columns[0]
        if abs(down) != 1 or abs(right) > 1:
            raise ValueError(f"'{text}' is not a move: a pawn goes one row forward, straight or diagonally")
        return 6 * (8 * rows[0] + columns[0]) + (0 if down == 1 else 3) + right + 1

    def why_illegal(self, game: Breakthrough, move: int) -> str | None:
        """What forbids a move."""
        if move in game.legal_moves():
            return None
        mover = self.players[game.to_play]
        start, end = self._ends(move)
        if game.owner(self.moves[start]) != game.to_play:
            return f"{mover} has no pawn on {cell_name(start)}"
        if move % 6 // 3 != game.to_play:
            return f"{mover}'s pawns go {('up', 'down')[game.to_play]} the board"
        owner = game.owner(self.moves[end])
        blocked = f"{cell_name(end)} is taken ({self.players[owner]})"
        return blocked if owner == game.to_play else f"{blocked}, and pawns take diagonally only"

    def steps(self, game: Breakthrough, move: int) -> tuple[Cell, ...]:
        """Where the pawn stands, and where it goes."""
        del game
        return self._ends(move)

    def diagram(
        self, game: Breakthrough, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board; a label lies where its move goes to, if that is empty."""
        line = set() if last_move is None else {self._ends(last_move)[1]}
        return _BreakthroughDiagram(
            self.owners(game), line, {self._ends(move)[1]: text for move, text in (labels or {}).items()}
        )

    def _ends(self, move: int) -> tuple[Cell, Cell]:
        square, direction = divmod(move, 6)
        row, column = self.cells[square]
        return (row, column), (row + (1 if direction < 3 else -1), column + direction % 3 - 1)


class _BreakthroughDiagram(SquareDiagram):
    has_first_row_at_bottom = True
