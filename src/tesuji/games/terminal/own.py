"""A game of somebody's own in a terminal: its text as the board, its moves by name or number.

A game may bring ``move_name(move)`` and a ``__str__``; without them moves are numbers and the board is the list of
legal moves. GTP, which knows only points, sees move ``m`` on a square of numbers, row by row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from tesuji.games.terminal.view import EMPTY, SIGNS, Cell

__all__ = ["OwnView"]

_COLUMNS = 25  # of GTP
_LISTED = 60


class OwnView:
    """A game in Python.

    Parameters
    ----------
    game : Game
        It is kept, and asked for the names of its moves where it stands.
    """

    players = ("First", "Second")
    goal = ""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.title = str(getattr(game, "title", type(game).__name__))
        self._width = min(_COLUMNS, math.isqrt(max(0, game.num_distinct_moves - 1)) + 1)
        self.example = self.name(next(iter(game.legal_moves()), 0))

    def signs(self) -> tuple[str, str]:
        """How the players look in plain text."""
        return SIGNS

    def mover(self, game: Any) -> int:
        """Who is to move: 0, the first player, or 1."""
        return int(game.to_play)

    def winner(self, game: Any) -> int | None:
        """Who won an ended game; None: a draw."""
        return None if game.value == 0.5 else 0 if game.value > 0.5 else 1

    def name(self, move: int) -> str:
        """The move as it is written: the game's own name of it, or its number."""
        return str(self._game.move_name(int(move))) if hasattr(self._game, "move_name") else str(int(move))

    def parse(self, text: str) -> int:
        """The move that is written: a legal one by its name, any one by its number."""
        for move in self._game.legal_moves():
            if self.name(move).lower() == text.strip().lower():
                return int(move)
        if text.isascii() and text.isdigit() and int(text) < self._game.num_distinct_moves:
            return int(text)
        raise ValueError(f"'{text[:40]}' is not a move here: type its name or its number, for instance {self.example}")

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move."""
        return None if move in set(map(int, game.legal_moves())) else f"{self.name(move)} is not legal here"

    def owners(self, game: Any) -> dict[Cell, int]:
        """The square of numbers; nothing on it belongs to anybody."""
        return {divmod(move, self._width): EMPTY for move in range(game.num_distinct_moves)}

    def steps(self, game: Any, move: int) -> tuple[Cell, ...]:
        """The point of a move on that square."""
        del game
        return (divmod(int(move), self._width),)

    def diagram(
        self, game: Any, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The game's own text, or its legal moves."""
        del last_move, labels
        if any("__str__" in vars(kind) or "__repr__" in vars(kind) for kind in type(game).__mro__[:-1]):
            return Text(str(game))
        names = [self.name(move) for move in game.legal_moves()]
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        return Text(f"legal moves: {' '.join(names[:_LISTED])}{more}" if names else "the game is over")
