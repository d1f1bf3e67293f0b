"""What a search found: arrays, and ways to look at them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import search as _native
from tesuji.provenance import Provenance
from tesuji.search.config import SearchConfig
from tesuji.search.groups import RootGroup, read_groups
from tesuji.search.solution import Solution
from tesuji.search.view.names import GameNames
from tesuji.search.view.origin import Origin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SearchResult", "choose_move"]

Proof = Literal["", "lost", "drawn", "won", "optimal"]
_PROOFS: tuple[Proof, ...] = ("", "lost", "drawn", "won")
_LOST, _DRAWN, _WON = 1, 2, 3


class SearchResult(msgspec.Struct, frozen=True):
    """What a search knows. Arrays have one entry per legal move at the root, in the order of `moves`.

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
        table_turned_away (states that found no room, since the search was made) of "shared-values".
    seconds : float
        How long the run took.
    seed : int
        What repeats it, with one thread.
    provenance : Provenance or None
        Config, seed, version, commit, machine, time; None while the search is still running.
    groups : list of RootGroup
        The groups of the root's moves, where the search has any; the arrays above are sums over them.
    best_solution : Solution or None
        The best complete sequence of moves that one player has seen; `best_move` is its first. None for two players.
    origin : Origin
        The search it was read from: the names of moves, and the graph. Who keeps a result keeps its graph in memory.
    """

    best_move: int
    moves: NDArray[np.int32]
    visits: NDArray[np.uint64]
    values: NDArray[np.float64]
    amaf_visits: NDArray[np.uint64]
    amaf_values: NDArray[np.float64]
    priors: NDArray[np.float64]
    proofs: NDArray[np.int32]
    value: float
    proof: Proof
    main_line: list[int]
    lines: list[list[int]]
    depths: NDArray[np.uint64]
    counts: dict[str, int]
    seconds: float
    seed: int
    provenance: Provenance | None
    groups: list[RootGroup] = msgspec.field(default_factory=list)
    best_solution: Solution | None = None
    origin: Origin = msgspec.field(default_factory=Origin)

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
        return self.counts["simulations"]

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

        path = Path(path)
        path.write_text(page_of(self, max_nodes), encoding="utf-8")
        return path

    def __repr__(self) -> str:
        from tesuji.search.view.table import headline

        return f"<SearchResult: {headline(self)}>\n{self.table()}"

    def _repr_html_(self) -> str:
        from tesuji.search.view.table import as_html

        return as_html(self)


def read_result(
    native: _native.SearchResult, config: SearchConfig, seed: int, provenance: Provenance | None, origin: Origin
) -> SearchResult:
    """Make the public result of a native one."""
    return SearchResult(
        best_move=choose_move(native, config),
        moves=native.moves,
        visits=native.visits,
        values=native.values,
        amaf_visits=native.amaf_visits,
        amaf_values=native.amaf_values,
        priors=native.priors,
        proofs=native.proofs,
        value={_LOST: 0.0, _DRAWN: 0.5, _WON: 1.0}.get(native.proof, native.value),
        proof=_PROOFS[native.proof],
        main_line=native.main_line,
        lines=[native.line(i) for i in range(len(native.moves))],
        depths=native.depths,
        counts={
            "nodes": native.num_nodes,
            "edges": native.num_edges,
            "bytes": native.num_bytes,
            "bytes_per_node": native.bytes_per_node,
            "bytes_per_edge": native.bytes_per_edge,
            "simulations": native.num_simulations,
            "transposition_hits": native.transposition_hits,
            "collisions": native.num_collisions,
            "cut_updates": native.cut_updates,
            "table_entries": native.table_entries,
            "table_bytes": native.table_bytes,
            "table_min_references": native.table_min_references,
            "table_turned_away": native.table_turned_away,
            "lost_races": native.lost_races,
        },
        seconds=native.seconds,
        seed=seed,
        provenance=provenance,
        groups=read_groups(native.groups, origin.names.groups) if native.groups else [],
        origin=origin,
    )


def read_one_player_result(
    native: _native.SearchResult,
    found: _native.Found,
    config: SearchConfig,
    seed: int,
    provenance: Provenance | None,
    origin: Origin,
) -> SearchResult:
    """Make the public result of a search for one player: the answer is the best solution, whatever the visits say."""
    result = read_result(native, config, seed, provenance, origin)
    best = None if found.best is None else Solution.of(found.best)
    return msgspec.structs.replace(
        result,
        best_move=best.moves[0] if best and best.moves else result.best_move,
        value=native.value,
        proof="optimal" if found.is_optimal else "",
        best_solution=best,
    )


def choose_move(native: _native.SearchResult, config: SearchConfig) -> int:
    """The answer of a search, as the config says; what is proved beats any statistics.

    A proved win is taken at once, a proved loss only if there is nothing else, and a proved draw if the best move that
    is still open promises no more than half.
    """
    moves, visits, proofs = native.moves, native.visits.astype(float), native.proofs
    values = np.select([proofs == _WON, proofs == _DRAWN, proofs == _LOST], [1.0, 0.5, 0.0], native.values)
    match config.final_move:
        case "best-value":
            score = np.where(visits > 0, values, -1.0)
        case "lower-bound":
            # One-sided 95 % bound of the mean; with few visits the deviation is not trusted below that of a fair coin.
            spread = np.maximum(native.deviations, 0.5 / np.sqrt(np.maximum(visits, 1)))
            score = np.where(visits > 0, values - 1.645 * spread / np.sqrt(np.maximum(visits, 1)), -math.inf)
        case _:
            score = visits
    still_open = proofs == 0
    best_open = values[still_open & (score == score[still_open].max())].max() if still_open.any() else 0.0
    drawn_rank = 2 if best_open <= 0.5 else 0
    rank = np.select([proofs == _WON, proofs == _DRAWN, proofs == _LOST], [3, drawn_rank, -1], 1)
    best = int(np.lexsort((-np.arange(len(moves)), values, score, rank))[-1])
    gives_up = config.final_move == "most-visits-above-limit" and config.give_up_move is not None
    if gives_up and values[best] < config.final_limit:
        return int(config.give_up_move)  # type: ignore[arg-type]  # checked in the line above
    return int(moves[best])


def _mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 0, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - counts + last - 1) / 2)[inverse]
