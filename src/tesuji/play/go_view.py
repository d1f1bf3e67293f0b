"""Go as `tesuji play` shows it; a pass is typed as a word."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import RenderableType

from tesuji.go import Board, final_score
from tesuji.go.rules.vertex import parse_vertex, to_vertex
from tesuji.go.view.diagram import BoardDiagram

__all__ = ["GoView"]


class GoView:
    """The board, its moves by name, and who won.

    Parameters
    ----------
    board : Board
        For its size.
    """

    title = "Go"
    players = ("Black", "White")
    goal = "The larger area wins, komi included; two passes end the game."

    def __init__(self, board: Board) -> None:
        self._width, self._height = board.width, board.height
        self.example = to_vertex(board.height // 2 * board.width + board.width // 2, board.width, board.height).lower()

    def signs(self) -> tuple[str, str]:
        """How the players look in plain text."""
        return "X", "O"

    def mover(self, game: Board) -> int:
        """Who is to move: 0, the first player, or 1."""
        return game.to_play

    def winner(self, game: Board) -> int | None:
        """Who won an ended game; None: a draw."""
        winner = int(final_score(game).winner)
        return winner - 1 if winner else None

    def name(self, move: int) -> str:
        """The move as it is written."""
        return to_vertex(move, self._width, self._height).lower()

    def parse(self, text: str) -> int:
        """The move that is written."""
        return parse_vertex(text, self._width, self._height)

    def why_illegal(self, game: Board, move: int) -> str | None:
        """What forbids a move."""
        return game.why_illegal(move)

    def diagram(
        self, game: Board, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board; it knows its last move itself."""
        del last_move
        return BoardDiagram(game, labels=labels)
