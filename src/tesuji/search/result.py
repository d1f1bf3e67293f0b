"""What a search found, as arrays and as a table."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import search as _native
from tesuji.provenance import Provenance
from tesuji.search.config import SearchConfig
from tesuji.search.solution import Solution

__all__ = ["SearchResult", "choose_move"]

Proof = Literal["", "lost", "drawn", "won", "optimal"]
_PROOFS: tuple[Proof, ...] = ("", "lost", "drawn", "won")
_CLOSED = ("", "", "closed", "")  # one player: nothing is left to find below
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
        nodes, edges, bytes, bytes_per_node, bytes_per_edge, simulations, transposition_hits, lost_races.
    seconds : float
        How long the run took.
    seed : int
        What repeats it, with one thread.
    provenance : Provenance or None
        Config, seed, version, commit, machine, time; None while the search is still running.
    best_solution : Solution or None
        The best complete sequence of moves that one player has seen; `best_move` is its first. None for two players.
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
    best_solution: Solution | None = None

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

    def table(self, limit: int = 10, name: Callable[[int], str] = str) -> str:
        """The most visited moves as a text table; `name` turns a move into words."""
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, header_style="bold")
        for column in ("move", "visits", "value", "AMAF", "prior", "proof"):
            table.add_column(column, justify="left" if column in ("move", "proof") else "right")
        for i in np.argsort(-self.visits.astype(np.int64), kind="stable")[:limit]:
            table.add_row(
                name(int(self.moves[i])),
                f"{self.visits[i]:,}",
                f"{self.values[i]:.3f}" if self.visits[i] else "",
                f"{self.amaf_values[i]:.3f}" if self.amaf_visits[i] else "",
                f"{self.priors[i]:.3f}" if self.priors.any() else "",
                (_PROOFS if self.best_solution is None else _CLOSED)[self.proofs[i]],
            )
        console = Console(file=io.StringIO(), width=100)
        console.print(table)
        return str(console.file.getvalue()).rstrip()  # type: ignore[attr-defined]  # it is the StringIO made above

    def _outlook(self) -> str:
        if self.best_solution is None:
            return f"value {self.value:.3f}"
        return f"best solution {self.best_solution.value:g} in {len(self.best_solution.moves)} moves"

    def __repr__(self) -> str:
        return (
            f"<SearchResult: {self.simulations:,} simulations in {self.seconds:.2f} s, best move {self.best_move}, "
            f"{self._outlook()}{', ' + self.proof if self.proof else ''}>\n{self.table()}"
        )


def read_result(
    native: _native.SearchResult, config: SearchConfig, seed: int, provenance: Provenance | None
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
            "lost_races": native.lost_races,
        },
        seconds=native.seconds,
        seed=seed,
        provenance=provenance,
    )


def read_one_player_result(
    native: _native.SearchResult,
    found: _native.Found,
    config: SearchConfig,
    seed: int,
    provenance: Provenance | None,
) -> SearchResult:
    """Make the public result of a search for one player: the answer is the best solution, whatever the visits say."""
    result = read_result(native, config, seed, provenance)
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
