"""Which game a page wants: words to a starting position, checked before anything is made.

Only Go, the native games and P-games can be named: a game of somebody's own is a file of Python, and no page names
files of the server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from tesuji.games import NATIVE_GAMES
from tesuji.games.pgame import PGame, PGameSpec
from tesuji.go.rules.board import Board
from tesuji.go.rules.ruleset import RULE_SETS, max_fixed_handicap, rules_named

__all__ = ["GameSetup", "games_for_page"]

_PGAME_NODES = 2_000_000


class GameSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game before its first move.

    Attributes
    ----------
    game : str
        ``go``, a native game, or ``pgame``.
    size : int
        Lines, or cells of a side; 0: the game's own (Go: 19).
    height : int
        Of a Go board that is no square; 0: `size`.
    rules : str
        Of Go.
    komi : float or None
        Of Go; None: the rules' own, and half a point in handicap games.
    handicap : int
        Fixed handicap stones of Go.
    breadth, depth, seed : int
        Of a P-game.
    """

    game: Annotated[str, msgspec.Meta(max_length=20)] = "go"
    size: Annotated[int, msgspec.Meta(ge=0, le=25)] = 0
    height: Annotated[int, msgspec.Meta(ge=0, le=25)] = 0
    rules: Annotated[str, msgspec.Meta(max_length=20)] = "chinese"
    komi: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] | None = None
    handicap: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    breadth: Annotated[int, msgspec.Meta(ge=2, le=20)] = 2
    depth: Annotated[int, msgspec.Meta(ge=1, le=40)] = 16
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 1

    def start(self) -> Any:
        """The position before the first move.

        Raises
        ------
        ValueError
            For a game, a size, rules or a handicap that do not exist.
        """
        if self.game == "go":
            return self._board()
        if self.game == "pgame":
            return self._pgame()
        native = NATIVE_GAMES.get(self.game)
        if native is None:
            raise ValueError(f"there is no game {self.game!r}; choose one of go, {', '.join(NATIVE_GAMES)} or pgame")
        if native.sizes is None:
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


def games_for_page() -> list[dict[str, Any]]:
    """What the page offers: games with their sizes and, for Go, rule sets with their komi."""
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
    return [go, *others]
