"""The native games by name: what commands, matches and GTP offer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from tesuji._core.games import Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y
from tesuji.games.own import is_own, make_own, takes_size, title_of
from tesuji.words import GAME_NAMES

__all__ = ["NATIVE_GAMES", "NativeGame", "game_named", "make_game", "native_game_of"]


class NativeGame(msgspec.Struct, frozen=True, kw_only=True):
    """A native game.

    Attributes
    ----------
    title : str
        What people call it.
    make : callable
        Makes one; takes the size, if there are sizes.
    sizes : range or None
        Those that there are; None: it has only one.
    own_size : int
        What it is played on if nobody says; 0 without sizes.
    is_square : bool
        Whether a size is the number of lines; if not, it is the number of cells along a side.
    view : str
        How it looks in a terminal: a class of `tesuji.games.terminal`, as ``module.Class``. It takes the size, if there
        are sizes. Empty: as the game shows itself.
    stones_stay : bool
        Whether a move means much the same later in the game, so that AMAF learns from it.
    """

    title: str
    make: Callable[..., Any]
    sizes: range | None = None
    own_size: int = 0
    is_square: bool = True
    view: str = ""
    stones_stay: bool = False

    def described(self, size: int) -> str:
        """The game and its board in words: ``Hex on 11x11``, ``Y with sides of 11``; without sizes, its title."""
        if self.sizes is None:
            return self.title
        if not size:
            return self.title
        return f"{self.title} on {size}x{size}" if self.is_square else f"{self.title} with sides of {size}"


NATIVE_GAMES: dict[str, NativeGame] = {
    "tictactoe": NativeGame(title="Tic-tac-toe", make=TicTacToe, view="square.TicTacToeView"),
    "connect4": NativeGame(title="Connect Four", make=Connect4, view="square.Connect4View"),
    "othello": NativeGame(title="Othello", make=Othello, view="square.OthelloView"),
    "breakthrough": NativeGame(title="Breakthrough", make=Breakthrough, view="square.BreakthroughView"),
    "gomoku": NativeGame(
        title="Gomoku", make=Gomoku, view="square.GomokuView", sizes=range(5, 20), own_size=15, stones_stay=True
    ),
    "hex": NativeGame(
        title="Hex", make=Hex, view="hexagonal.HexView", sizes=range(1, 20), own_size=11, stones_stay=True
    ),
    "y": NativeGame(
        title="Y", make=Y, view="hexagonal.YView", sizes=range(1, 20), own_size=11, is_square=False, stones_stay=True
    ),
    "havannah": NativeGame(
        title="Havannah",
        make=Havannah,
        view="hexagonal.HavannahView",
        sizes=range(4, 11),
        own_size=8,
        is_square=False,
        stones_stay=True,
    ),
}
"""One entry for each: what else there is to know of a native game follows from it."""

if tuple(NATIVE_GAMES) != GAME_NAMES[1:]:
    raise ImportError(f"the catalogue has {', '.join(NATIVE_GAMES)}; GAME_NAMES of tesuji.words has {GAME_NAMES}")

_BY_TYPE = {game.make: game for game in NATIVE_GAMES.values()}


def native_game_of(game: Any) -> NativeGame | None:
    """The entry of a position's game; None if it is not a native one."""
    return _BY_TYPE.get(type(game))


def game_named(name: str) -> NativeGame:
    """What is known of a game: a native one, or one of your own (``mygame.py:DotsAndBoxes``).

    Raises
    ------
    ValueError
        For a game that does not exist.
    """
    if is_own(name):
        sizes = range(1, 1000) if takes_size(name) else None
        return NativeGame(title=title_of(name), make=partial(make_own, name), sizes=sizes)
    if name not in NATIVE_GAMES:
        raise ValueError(
            f"there is no game {name[:40]!r}; choose one of {', '.join(NATIVE_GAMES)}, or write mygame.py:MyGame"
        )
    return NATIVE_GAMES[name]


def make_game(name: str, size: int | None = None) -> Any:
    """Set a game up.

    Parameters
    ----------
    name : str
        Of `NATIVE_GAMES`, or of a game of your own: ``mygame.py:DotsAndBoxes``.
    size : int, optional
        Of the board, where there are sizes: lines, or cells of a side (Y, Havannah).

    Raises
    ------
    ValueError
        For a game or a size that does not exist.
    """
    game = game_named(name)
    if game.sizes is None:
        if size is not None:
            raise ValueError(f"{name} has one size only; leave size {size} out")
        return game.make()
    return game.make(game.own_size or None if size is None else size)
