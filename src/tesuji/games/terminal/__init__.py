"""The native games in a terminal: boards as `rich` renderables, moves as people write them.

On a colour terminal the players have colours; in a pipe, under ``NO_COLOR`` or in an encoding without box characters
everything is plain ASCII: ``X`` moved first, ``O`` second, brackets around the last move or the winning line.

It reads no input and does not think: `tesuji.play` does. Go has its own drawings (`tesuji.go.view.diagram`).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tesuji.games.catalogue import native_game_of
from tesuji.games.terminal.own import OwnView
from tesuji.games.terminal.view import EMPTY, SIGNS, Cell, GameView, NativeView

__all__ = ["EMPTY", "SIGNS", "Cell", "GameView", "NativeView", "view_of"]


def view_of(game: Any) -> NativeView:
    """The view of a game: a native one has its own, any other is shown as it shows itself."""
    entry = native_game_of(game)
    if entry is None:
        return OwnView(game)
    module, name = entry.view.split(".")
    make = getattr(import_module(f"tesuji.games.terminal.{module}"), name)
    view: NativeView = make() if entry.sizes is None else make(game.size)
    return view
