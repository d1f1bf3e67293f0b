"""What a search found: arrays, and ways to look at them."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tesuji._core import search as _native
from tesuji.provenance import Provenance, collect
from tesuji.search.config import SearchConfig
from tesuji.search.final_move import choose_move
from tesuji.search.groups import RootGroup, read_groups
from tesuji.search.solution import Solution
from tesuji.search.view.names import GameNames
from tesuji.search.view.origin import Origin
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tesuji.search.view.drawing import Svg

__all__ = ["SearchResult"]

Proof = Literal["", "lost", "drawn", "won", "optimal"]
_PROOFS: tuple[Proof, ...] = ("", "lost", "drawn", "won")
_LOST, _DRAWN, _WON = 1, 2, 3


class SearchResult:
    """What a search knows. Arrays have one entry per legal move at the root, in the order of `moves`.

    A result is made after every run and seldom read whole, so each part is read from the core when it is asked for,
    once. Two results are equal if they say the same about the position, however long that took.

    Attributes
    ----------
    best_move : int
        The answer, chosen as the config says.
    moves : int32 array
        Legal moves, ascending.
    visits : uint64 array
        Simulations through each.
    values : float64 array
        Mean result for the side to move, 0..1 (one player: a number of the game); 0 where there was no visit.
    amaf_visits, amaf_values, priors : arrays
        What AMAF and the game's priors say; zeros where the config uses none.
    proofs : int32 array
        0 nothing proved, 1 lost, 2 drawn, 3 won, for the side to move.
    value : float
        Of the root, for the side to move.
    proof : {"", "lost", "drawn", "won", "optimal"}
        What is proved of the root; optimal: one player has no better solution than `best_solution`.
    main_line : list of int
        Most visited moves, one after the other.
    lines : list of lists of int
        The same for every move of `moves`, beginning with it.
    depths : uint64 array of shape (64,)
        Simulations by length of their walk; the last entry holds all longer ones.
    counts : dict
        nodes, edges, bytes, bytes_per_node, bytes_per_edge, simulations, transposition_hits, lost_races; collisions
        (states whose first key was another's) since the search was made; cut_updates (simulations of "multipath" that
        reached `max_ancestors`); table_entries, table_bytes, table_min_references (the threshold as it stands) and
        table_turned_away (states that found no room, since the search was made) of "shared-values"; evaluations (states
        that an evaluator judged) and cache_hits (answers that were kept), since the search was made.
    seconds : float
        How long the run took.
    seed : int
        What repeats it, with one thread.
    provenance : Provenance or None
        Config, seed, version, commit, machine, date and seconds; None while the search is still running.
    groups : list of RootGroup
        The groups of the root's moves, where the search has any; the arrays above are sums over them.
    best_solution : Solution or None
        The best complete sequence of moves that one player has seen; `best_move` is its first. None for two players.
    origin : Origin
        The search it was read from: the names of moves, and the graph. Who keeps a result keeps its graph in memory.
    """

    def __init__(
        self,
        native: _native.SearchResult,
        config: SearchConfig,
        *,
        seed: int,
        origin: Origin | None = None,
        ended_at: float | None = None,
        found: _native.Found | None = None,
    ) -> None:
        self.__dict__.update(
            _core=native, _config=config, _ended_at=ended_at, _found=found, seed=seed, origin=origin or Origin()
        )

    seed: int
    origin: Origin
    _core: _native.SearchResult
    _config: SearchConfig
    _ended_at: float | None
    _found: _native.Found | None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} cannot be set: a result says what was found; use result.replace({name}=...)")

    @cached_property
    def best_move(self) -> int:
        """The answer, chosen as the config says."""
        solution = self.best_solution
        return solution.moves[0] if solution and solution.moves else choose_move(self._core, self._config)

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """Legal moves, ascending."""
        return self._core.moves

    @cached_property
    def visits(self) -> NDArray[np.uint64]:
        """Simulations through each move."""
        return self._core.visits

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Mean result of each move for the side to move."""
        return self._core.values

    @cached_property
    def amaf_visits(self) -> NDArray[np.uint64]:
        """How often AMAF counted each move."""
        return self._core.amaf_visits

    @cached_property
    def amaf_values(self) -> NDArray[np.float64]:
        """What AMAF says of each move."""
        return self._core.amaf_values

    @cached_property
    def priors(self) -> NDArray[np.float64]:
        """What the game's priors say of each move."""
        return self._core.priors

    @cached_property
    def proofs(self) -> NDArray[np.int32]:
        """What is proved of each move: 0 nothing, 1 lost, 2 drawn, 3 won."""
        return self._core.proofs

    @cached_property
    def value(self) -> float:
        """Of the root, for the side to move."""
        if self._found is not None:
            return self._core.value
        return {_LOST: 0.0, _DRAWN: 0.5, _WON: 1.0}.get(self._core.proof, self._core.value)

    @cached_property
    def proof(self) -> Proof:
        """What is proved of the root."""
        if self._found is not None:
            return "optimal" if self._found.is_optimal else ""
        return _PROOFS[self._core.proof]

    @cached_property
    def main_line(self) -> list[int]:
        """Most visited moves, one after the other."""
        return self._core.main_line

    @cached_property
    def lines(self) -> list[list[int]]:
        """The main line of every move, beginning with it."""
        return [self._core.line(i) for i in range(len(self.moves))]

    @cached_property
    def depths(self) -> NDArray[np.uint64]:
        """Simulations by length of their walk."""
        return self._core.depths

    @cached_property
    def counts(self) -> dict[str, int]:
        """How much of everything there is."""
        return {name: getattr(self._core, _COUNTS.get(name, name)) for name in _COUNTED}

    @cached_property
    def seconds(self) -> float:
        """How long the run took."""
        return self._core.seconds

    @cached_property
    def provenance(self) -> Provenance | None:
        """Where it comes from; None while the search is still running."""
        if self._ended_at is None:
            return None
        return collect(seed=self.seed, config=self._config, wall_time_s=self.seconds, made_at=self._ended_at)

    @cached_property
    def groups(self) -> list[RootGroup]:
        """The groups of the root's moves, where the search has any."""
        native = self._core.groups
        return read_groups(native, self.origin.names.groups) if native else []

    @cached_property
    def best_solution(self) -> Solution | None:
        """The best complete sequence of moves that one player has seen."""
        best = None if self._found is None else self._found.best
        return None if best is None else Solution.of(best)

    def replace(self, **changes: Any) -> SearchResult:
        """A copy with some of its parts changed, by name."""
        if unknown := sorted(changes.keys() - set(_PARTS)):
            raise TypeError(f"a result has no {unknown[0]!r}; its parts are {', '.join(_PARTS)}")
        return _restored({**{name: getattr(self, name) for name in _PARTS}, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, ({name: getattr(self, name) for name in _PARTS},)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchResult):
            return NotImplemented
        return all(_is_same(getattr(self, name), getattr(other, name)) for name in _COMPARED)

    __hash__ = None  # type: ignore[assignment]  # arrays have none either

    def __copy__(self) -> SearchResult:
        return self

    @property
    def names(self) -> GameNames:
        """What the game, its players and its moves are called."""
        return self.origin.names

    def name(self, move: int) -> str:
        """What a move is called: ``D4`` in Go, ``4`` for the middle column of Connect Four."""
        return self.names.move(move)

    @property
    def simulations(self) -> int:
        """How many were run."""
        counts = self.__dict__.get("counts")  # of a copy, which has no native result behind it
        return self._core.num_simulations if counts is None else counts["simulations"]

    @property
    def simulations_per_s(self) -> float:
        """Simulations per second."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def prior_correlation(self) -> float:
        """Spearman's rank correlation of priors and values over the tried moves; nan if fewer than two were tried."""
        tried = self.visits > 0
        if tried.sum() < 2 or np.ptp(self.priors[tried]) == 0:
            return math.nan
        ranks = [_mean_ranks(column[tried]) for column in (self.priors, self.values)]
        return float(np.corrcoef(ranks[0], ranks[1])[0, 1])

    def table(self, limit: int = 10) -> str:
        """The most visited moves as a text table."""
        from tesuji.search.view.table import as_text

        return as_text(self, limit)

    def plot(self, path: Path | str | None = None, *, limit: int = 20) -> Figure:
        """Draw visits and values of the most visited moves with matplotlib.

        Parameters
        ----------
        path : path, optional
            Where to write the chart as well; its ending (png, svg, pdf) says how.
        limit : int
            How many moves.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from tesuji.search.view.chart import draw_chart

        figure = draw_chart(self, limit)
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure

    def to_dot(self, max_nodes: int = 50) -> str:
        """The most visited part of the graph in Graphviz's language; see `tesuji.search.view.dot`.

        Raises
        ------
        ValueError
            If the search has gone on since this result was made.
        """
        from tesuji.search.view.dot import to_dot
        from tesuji.search.view.excerpt import excerpt_of

        return to_dot(excerpt_of(self.origin.graph(), max_nodes), self.names)

    def to_svg(self, max_nodes: int = 25) -> Svg:
        """The most visited part of the graph as a drawing: an SVG's text, which shows itself in a notebook.

        Parameters
        ----------
        max_nodes : int
            At most so many nodes, the most visited.

        Raises
        ------
        ValueError
            If the search has gone on since this result was made.
        """
        from tesuji.search.view.drawing import draw_graph
        from tesuji.search.view.excerpt import excerpt_of

        return draw_graph(excerpt_of(self.origin.graph(), max_nodes), self.names)

    def to_html(self, path: Path | str, max_nodes: int = 10_000) -> Path:
        """Write the most visited part of the graph as one page to browse: no other file, no network.

        Parameters
        ----------
        path : path
            Of the page; an existing file is replaced.
        max_nodes : int
            At most so many nodes, the most visited.

        Raises
        ------
        ValueError
            If the search has gone on since this result was made.
        ImportError
            If jinja2 is not installed.
        """
        from tesuji.search.view.page import page_of

        return write_whole(path, page_of(self, max_nodes))

    def __repr__(self) -> str:
        from tesuji.search.view.table import headline

        return f"<SearchResult: {headline(self)}>\n{self.table()}"

    def _repr_html_(self) -> str:
        from tesuji.search.view.table import as_html

        return as_html(self)


_COUNTS = {
    "nodes": "num_nodes",
    "edges": "num_edges",
    "bytes": "num_bytes",
    "simulations": "num_simulations",
    "collisions": "num_collisions",
}
"""What the core calls some of `counts`."""
_COUNTED = (
    "nodes",
    "edges",
    "bytes",
    "bytes_per_node",
    "bytes_per_edge",
    "simulations",
    "transposition_hits",
    "collisions",
    "cut_updates",
    "table_entries",
    "table_bytes",
    "table_min_references",
    "table_turned_away",
    "lost_races",
    "evaluations",
    "cache_hits",
)
_PARTS = (
    "best_move",
    "moves",
    "visits",
    "values",
    "amaf_visits",
    "amaf_values",
    "priors",
    "proofs",
    "value",
    "proof",
    "main_line",
    "lines",
    "depths",
    "counts",
    "seconds",
    "seed",
    "provenance",
    "groups",
    "best_solution",
    "origin",
)
_COMPARED = tuple(name for name in _PARTS if name not in ("counts", "seconds", "provenance", "origin"))


def _restored(parts: dict[str, Any]) -> SearchResult:
    """A result of its parts, with no core behind it."""
    result = SearchResult.__new__(SearchResult)
    result.__dict__.update(parts)
    return result


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    return one == other


def _mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 0, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - counts + last - 1) / 2)[inverse]
