"""The native games in a terminal: boards as `rich` renderables, moves as people write them.

On a colour terminal the players have colours; in a pipe, under ``NO_COLOR`` or in an encoding without box characters
everything is plain ASCII: ``X`` moved first, ``O`` second, brackets around the last move or the winning line.

It reads no input and does not think: `tesuji.play` does. Go has its own drawings (`tesuji.go.view.diagram`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tesuji.games import Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y
from tesuji.games.terminal.hexagonal import HavannahView, HexView, YView
from tesuji.games.terminal.own import OwnView
from tesuji.games.terminal.square import BreakthroughView, Connect4View, GomokuView, OthelloView, TicTacToeView
from tesuji.games.terminal.view import EMPTY, SIGNS, Cell, GameView, NativeView

__all__ = ["EMPTY", "SIGNS", "Cell", "GameView", "NativeView", "view_of"]

_VIEWS: dict[type, Callable[[Any], NativeView]] = {
    TicTacToe: lambda _: TicTacToeView(),
    Connect4: lambda _: Connect4View(),
    Othello: lambda _: OthelloView(),
    Breakthrough: lambda _: BreakthroughView(),
    Gomoku: lambda game: GomokuView(game.size),
    Hex: lambda game: HexView(game.size),
    Y: lambda game: YView(game.size),
    Havannah: lambda game: HavannahView(game.size),
}


def view_of(game: Any) -> NativeView:
    """The view of a game: a native one has its own, any other is shown as it shows itself."""
    make = _VIEWS.get(type(game))
    return OwnView(game) if make is None else make(game)
