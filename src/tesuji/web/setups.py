"""Which game a page wants: words to a starting position, checked before anything is made.

A page can name Go, the native games, P-games, and a game of your own that the server was started with
(``tesuji web mygame.py:MyGame``): that is a file of Python, and no page names files of the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from tesuji.games import NATIVE_GAMES, game_named
from tesuji.games.own import title_of
from tesuji.games.pgame import PGame, PGameSpec
from tesuji.go.rules.board import Board
from tesuji.go.rules.ruleset import RULE_SETS, max_fixed_handicap, rules_named
from tesuji.words import GAME_NAMES

__all__ = ["GameSetup", "OwnGames", "games_for_page", "own_games"]

OwnGames = Mapping[str, str]
"""Games of your own: what pages call them, and where they are (``mygame.py:MyGame``)."""

_PGAME_NODES = 2_000_000


class GameSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game before its first move.

    Attributes
    ----------
    game : str
        ``go``, a native game, ``pgame``, or what a game of your own is called.
    size : int
        Lines, or cells of a side; 0: the game's own (Go: 19).
    height : int
        Of a Go board that is not a square; 0: `size`.
    rules : str
        Of Go.
    komi : float or None
        Of Go; None: the rules' own, and half a point in handicap games.
    handicap : int
        Fixed handicap stones of Go.
    breadth, depth, seed : int
        Of a P-game.
    """

    game: Annotated[str, msgspec.Meta(max_length=80)] = "go"
    size: Annotated[int, msgspec.Meta(ge=0, le=25)] = 0
    height: Annotated[int, msgspec.Meta(ge=0, le=25)] = 0
    rules: Annotated[str, msgspec.Meta(max_length=20)] = "chinese"
    komi: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] | None = None
    handicap: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    breadth: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    depth: Annotated[int, msgspec.Meta(ge=1, le=40)] = 16
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 1

    def start(self, own: OwnGames = {}) -> Any:  # noqa: B006 - a mapping, which nobody changes
        """The position before the first move.

        Parameters
        ----------
        own : mapping, optional
            The games of your own that the server was started with.

        Raises
        ------
        ValueError
            For a game, a size, rules or a handicap that do not exist.
        """
        if self.game == "go":
            return self._board()
        if self.game == "pgame":
            return self._pgame()
        native = game_named(own[self.game]) if self.game in own else NATIVE_GAMES.get(self.game)
        if native is None:
            known = ", ".join((*GAME_NAMES, *own))
            raise ValueError(
                f"there is no game {self.game!r}; choose one of {known} or pgame."
                " A game of your own is there where the server was started with it: tesuji web mygame.py:MyGame"
            )
        if native.sizes is None or (self.game in own and not self.size):
            return native.make()
        size = self.size or native.own_size
        if size not in native.sizes:
            raise ValueError(f"size is {size}; {native.title} is played on {native.sizes[0]} to {native.sizes[-1]}")
        return native.make(size)

    def _board(self) -> Board:
        komi = self.komi if self.komi is not None else 0.5 if self.handicap else None
        board = Board(self.size or 19, self.height or None, rules=rules_named(self.rules), komi=komi)
        if board.num_points < 4:
            raise ValueError(f"a board of {board.width}x{board.height} is too small; take 2x2 or more")
        if self.handicap:
            board.set_handicap(self.handicap)
        return board

    def _pgame(self) -> Any:
        nodes = (self.breadth ** (self.depth + 1) - 1) // (self.breadth - 1)
        if nodes > _PGAME_NODES:
            raise ValueError(
                f"a P-game of breadth {self.breadth} and depth {self.depth} has {nodes:,} nodes;"
                f" make it smaller: at most {_PGAME_NODES:,}"
            )
        spec = PGameSpec(breadth=self.breadth, depth=self.depth, seed=self.seed, memory_bytes=1 << 29)
        return PGame(spec).start()


Seat = Literal["black", "white"]


def own_games(*names: str) -> dict[str, str]:
    """Games of your own by what pages call them; each is made once, so that what is wrong with it is said now.

    Raises
    ------
    ValueError
        If one cannot be made.
    """
    found: dict[str, str] = {}
    for name in names:
        title = title_of(name)
        game_named(name).make()
        found[f"my {title}" if title in (*GAME_NAMES, "pgame") else title] = name
    return found


def games_for_page(own: OwnGames = {}) -> list[dict[str, Any]]:  # noqa: B006 - a mapping, which nobody changes
    """What the page offers: your own games, then the others with their sizes and, for Go, rule sets with their komi."""
    go = {
        "game": "go",
        "title": "Go",
        "sizes": list(range(2, 26)),
        "own": 9,
        "rules": [{"name": name, "komi": rules.komi} for name, rules in RULE_SETS.items()],
        "handicap": {str(size): max_fixed_handicap(size, size) for size in range(2, 26)},
    }
    others = [
        {"game": name, "title": game.title, "sizes": list(game.sizes or ()), "own": game.own_size}
        for name, game in NATIVE_GAMES.items()
    ]
    mine = [{"game": name, "title": name, "sizes": [], "own": 0} for name in own]
    return [*mine, go, *others]
