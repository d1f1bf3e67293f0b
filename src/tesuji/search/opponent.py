"""The search as a player: it follows a game, and thinks about where the game stands."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Any

from tesuji.search.config import SearchConfig
from tesuji.search.result import SearchResult
from tesuji.search.searcher import Search

__all__ = ["Opponent"]

DEFAULT_SECONDS = 1.0


class Opponent:
    """Thinks about the position it has followed the game to, so that what it knows after a move is kept.

    Parameters
    ----------
    game : Game or Board
        Where the game starts; copied.
    config : SearchConfig
        How it searches.
    simulations, seconds : optional
        Limits per move, whichever comes first; one second if neither is given.
    seed : int, optional
        With `simulations` and one thread it repeats its moves.
    as_searched : callable, optional
        What the search is given instead of a position, for instance the position with knowledge about it.
    """

    def __init__(
        self,
        game: Any,
        config: SearchConfig,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        as_searched: Callable[[Any], Any] = lambda game: game,
    ) -> None:
        self.config = config
        self.seed = secrets.randbits(32) if seed is None else seed
        self._simulations = simulations
        self._seconds = DEFAULT_SECONDS if simulations is None and seconds is None else seconds
        self._seeds = random.Random(self.seed)
        self._as_searched = as_searched
        self.look_at(game)

    def look_at(self, game: Any) -> None:
        """Begin anew from a position; nothing of the graph is kept."""
        self._search = Search(self._as_searched(game), self.config)
        self._search_seed: int | None = self._seeds.getrandbits(63)

    def follow(self, move: int) -> None:
        """Somebody played a move."""
        self._search.advance(move)

    def think(self, on_progress: Callable[[SearchResult], None] = lambda _so_far: None) -> SearchResult:
        """Search for the side to move; `on_progress` is called a few times a second."""
        seed, self._search_seed = self._search_seed, None
        return self._search.run(
            simulations=self._simulations, seconds=self._seconds, seed=seed, on_progress=lambda r: on_progress(r)
        )

    def so_far(self) -> SearchResult:
        """What it knows without thinking further: after `KeyboardInterrupt`, what it had found by then."""
        return self._search.result()

    def stop(self) -> None:
        """Let `think` answer now; from any thread."""
        self._search.stop()
