"""What a position looks like, as JSON: a layout that is sent once, and positions on it.

The page draws what it is given and knows no rule. A layout has cells with places (x to the right, y down, a cell is 1
wide), names and a style. A position says who owns which cell, which cells the last move or the winning line is, and
which cells stand for which move: a click on one of ``targets`` is a move, two clicks along one of ``paths`` are one.
For boards where a move is a point, ``legal`` has a sign for each instead.

Names, owners and winning lines are those of `tesuji.games.terminal`; a game without a board has only names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tesuji.games import Connect4, Othello, PGamePosition
from tesuji.games.appearance import text_of
from tesuji.games.layout import layout_of
from tesuji.games.terminal import EMPTY, Cell, NativeView, view_of
from tesuji.go.rules.board import Board
from tesuji.go.view.diagram import star_points
from tesuji.gtp.words import COLUMN_LETTERS

__all__ = ["Face", "GoFace", "face_of"]

Layout = dict[str, Any]
Picture = dict[str, Any]
_LONGEST_TEXT, _NAMED_MOVES = 20_000, 10_000
_SIGNS = {EMPTY: ".", 0: "0", 1: "1"}


class Face(Protocol):
    """How one game looks."""

    title: str
    players: tuple[str, str]
    goal: str

    def layout(self) -> Layout:
        """What never changes."""

    def picture(self, game: Any, last: int | None) -> Picture:
        """A position; `last` is the last move."""

    def name(self, move: int) -> str:
        """A move as people write it."""

    def parse(self, text: str) -> int:
        """The move that somebody wrote."""

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move; None if nothing does."""


def face_of(game: Any) -> Face:
    """The face of a game: a board of Go, a native game, or anything that has moves."""
    if isinstance(game, Board):
        return GoFace(game)
    view = view_of(game)
    return NativeFace(game, view) if hasattr(view, "cells") else ListFace(game, view)


class GoFace:
    """Go: points on lines.

    Parameters
    ----------
    board : Board
        For its size.
    """

    title = "Go"
    players = ("Black", "White")
    goal = "Surround more than your opponent; two passes end the game."

    def __init__(self, board: Board) -> None:
        self._width, self._height, self._names = board.width, board.height, board

    def layout(self) -> Layout:
        """Lines, star points and coordinates."""
        width, height = self._width, self._height
        return {
            "style": "lines",
            "theme": "wood",
            "width": width,
            "height": height,
            "cells": [[column, row] for row in range(height) for column in range(width)],
            "names": [self._names.vertex(point) for point in range(width * height)],
            "stars": sorted(star_points(width, height)),
            "columns": list(COLUMN_LETTERS[:width]),
            "rows": [str(height - row) for row in range(height)],
            "has_pass": True,
            "players": self.players,
        }

    def picture(self, game: Board, last: int | None = None) -> Picture:
        """Stones, the last move, the legal points, prisoners."""
        last = game.last_move if last is None else last
        legal = bytearray(b"0" * game.num_points)
        if not game.is_over:
            for point in game.legal_moves().tolist():
                if point < game.num_points:
                    legal[point] = 49
        return {
            "owner": game.grid.ravel().tobytes().translate(_GO_SIGNS).decode(),
            "legal": legal.decode(),
            "last": [last] if last is not None and last < game.num_points else [],
            "turn": game.to_play,
            "over": game.is_over,
            "number": game.num_moves,
            "captured": [game.captured(2), game.captured(1)],
            "ko": game.ko,
        }

    def name(self, move: int) -> str:
        """``D4`` or ``pass``."""
        return self._names.vertex(move)

    def parse(self, text: str) -> int:
        """The other way."""
        return self._names.point(text)

    def why_illegal(self, game: Board, move: int) -> str | None:
        """What forbids a move."""
        return "the game is over" if game.is_over else game.why_illegal(move)


_GO_SIGNS = bytes.maketrans(b"\x00\x01\x02", b".01")


class NativeFace:
    """A native game: squares, holes, lines or hexagons.

    Parameters
    ----------
    game : a game of `tesuji.games`
        For its size.
    view : NativeView
        Its words and cells.
    """

    def __init__(self, game: Any, view: NativeView) -> None:
        self._kind, self._view = type(game), view
        self.title, self.players, self.goal = view.title, view.players, view.goal
        self._cells: list[Cell] = list(view.cells)  # type: ignore[attr-defined]
        self._number = {cell: index for index, cell in enumerate(self._cells)}

    def layout(self) -> Layout:
        """Cells with their places, in the style of the game."""
        return {**layout_of(self._kind, self._view), "has_pass": self._kind is Othello, "players": self.players}

    def picture(self, game: Any, last: int | None = None) -> Picture:
        """Owners, the last move or the winning line, and what can be clicked."""
        owners = self._view.owners(game)
        diagram = self._view.diagram(game, last_move=last)
        targets, paths, passes = self._clicks(game)
        return {
            "owner": "".join(_SIGNS[owners[cell]] for cell in self._cells),
            "targets": targets,
            "paths": paths,
            "pass": passes,
            "last": sorted(self._number[cell] for cell in getattr(diagram, "line", ())),
            "turn": self._view.mover(game),
            "over": bool(game.is_over),
        }

    def _clicks(self, game: Any) -> tuple[list[list[int]], list[list[int]], int | None]:
        """Cells that are moves, pairs of cells that are, and the pass if there is one."""
        targets: list[list[int]] = []
        paths: list[list[int]] = []
        passes: int | None = None
        for move in [] if game.is_over else map(int, game.legal_moves()):
            cells = [self._number[cell] for cell in self._view.steps(game, move)]
            if self._kind is Connect4:  # the whole column is a place to click
                targets += [[i, move] for i, cell in enumerate(self._cells) if cell[1] == move]
            elif len(cells) == 1:
                targets.append([cells[0], move])
            elif cells:
                paths.append([*cells[:2], move])
            else:
                passes = move
        return targets, paths, passes

    def name(self, move: int) -> str:
        """A move as it is written."""
        return self._view.name(move)

    def parse(self, text: str) -> int:
        """The other way."""
        return self._view.parse(text)

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move."""
        if game.is_over:
            return "the game is over"
        if not 0 <= move < game.num_distinct_moves:
            return f"{move} is not a move of {self.title}"
        return self._view.why_illegal(game, move)


class ListFace:
    """A game without a board, such as one of your own: its moves by name, and what it says of itself."""

    goal = ""

    def __init__(self, game: Any, view: Any) -> None:
        self._view, self._game = view, game
        self._is_own = not isinstance(game, PGamePosition)
        self.title = view.title if self._is_own else "P-game"
        self.players: tuple[str, str] = getattr(game, "players", ("First", "Second"))

    def layout(self) -> Layout:
        """No cells."""
        return {"style": "list", "theme": "paper", "cells": [], "names": [], "has_pass": False, "players": self.players}

    def picture(self, game: Any, last: int | None = None) -> Picture:
        """The moves that there are."""
        moves: Sequence[int] = [] if game.is_over else [int(move) for move in game.legal_moves()]
        return {
            "owner": "",
            "targets": [],
            "paths": [],
            "pass": None,
            "last": [],
            "moves": [[move, self.name(move)] for move in moves],
            "turn": int(game.to_play),
            "over": bool(game.is_over),
            "said": "" if last is None else self.name(last),
            "text": text_of(self._view.diagram(game))[:_LONGEST_TEXT] if self._is_own else "",
        }

    def name(self, move: int) -> str:
        """Its name or number."""
        return str(self._view.name(move))

    def parse(self, text: str) -> int:
        """The other way: any move by its name or number."""
        for move in range(min(self._game.num_distinct_moves, _NAMED_MOVES)):
            if self.name(move).lower() == text.lower():
                return move
        return int(self._view.parse(text))

    def why_illegal(self, game: Any, move: int) -> str | None:
        """What forbids a move."""
        reason: str | None = "the game is over" if game.is_over else self._view.why_illegal(game, move)
        return reason
