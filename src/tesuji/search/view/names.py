"""What a game, its players and its moves are called: numbers become words where people read them.

The native games are named by their views (`tesuji.games.terminal`). Any other game may bring ``title``, ``players`` and
``move_name(move) -> str``; without them a move is its number and the game its class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tesuji.games.catalogue import native_game_of

__all__ = ["NUMBERS", "GameNames", "names_of"]


class GameNames(msgspec.Struct, frozen=True):
    """The words of a game.

    Attributes
    ----------
    title : str
        The game itself.
    players : tuple of str
        The first and the second.
    move : callable
        From a move to its name.
    groups : tuple of str
        The kinds of groups of moves, by number; empty if moves are not grouped.
    """

    title: str
    players: tuple[str, str]
    move: Callable[[int], str]
    groups: tuple[str, ...] = ()

    def choice(self, number: int) -> str:
        """What an edge is called, by its number in `excerpt.Excerpt.choices`: a move, or a group in braces."""
        return self.move(number) if number >= 0 else f"{{{self.groups[-1 - number]}}}"

    def line(self, moves: list[int], limit: int = 12) -> str:
        """Moves one after the other; what is beyond `limit` is left out, and three dots say so."""
        shown = " ".join(self.move(move) for move in moves[:limit])
        return shown + (" ..." if len(moves) > limit else "")


NUMBERS = GameNames("a game", ("the first player", "the second player"), str)
"""What is said of a game that is not known."""


def names_of(game: Any) -> GameNames:
    """The words of a game; a game that has none of its own gets numbers."""
    if native_game_of(game) is not None:
        from tesuji.games.terminal import view_of  # brings rich: only where moves are read

        view = view_of(game)
        return GameNames(view.title, view.players, view.name)
    return GameNames(
        str(getattr(game, "title", type(game).__name__)),
        getattr(game, "players", NUMBERS.players),
        getattr(game, "move_name", str),
    )
