"""Where a result comes from: its game, for the names of moves, and the graph behind it.

A result is small and a graph may be large, so a result does not copy the graph: it remembers the search, and that the
search stands where it stood. Whoever keeps a result keeps its graph in memory.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from tesuji.search.config import SearchConfig
from tesuji.search.view.names import NUMBERS, GameNames, names_of

if TYPE_CHECKING:
    from tesuji.search.searcher import Search

__all__ = ["Origin"]


class Origin:
    """The search that a result was read from, at one moment.

    A copy by pickle knows neither game nor graph: results travel, graphs stay.

    Parameters
    ----------
    search : Search, optional
        The search; None where it is not known.
    """

    def __init__(self, search: Search | None = None) -> None:
        self._search = search
        self._moment = None if search is None else search.moment

    @cached_property
    def names(self) -> GameNames:
        """What the game, its players and its moves are called."""
        if self._search is None:
            return NUMBERS
        names, grouping = names_of(self._search.game), self._search.grouping
        return names if grouping is None else msgspec.structs.replace(names, groups=grouping.names)

    @property
    def position(self) -> Any:
        """The game at the root; None where it is not known."""
        return None if self._search is None else self._checked().position

    @property
    def config(self) -> SearchConfig | None:
        """How it searched; None where it is not known."""
        return None if self._search is None else self._search.config

    def graph(self) -> dict[str, Any]:
        """The columns of `Search.graph`.

        Raises
        ------
        ValueError
            If the search has gone on since, or is not known.
        """
        return self._checked().graph()

    def _checked(self) -> Search:
        if self._search is None:
            raise ValueError("this result came without its graph; draw it where it was searched, or use Search.save")
        if self._search.moment is not self._moment:
            raise ValueError(
                "the search has gone on since this result, and its graph with it; use a newer one: search.result()"
            )
        return self._search

    def __reduce__(self) -> tuple[type[Origin], tuple[()]]:
        return Origin, ()
