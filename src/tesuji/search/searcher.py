"""The search, for people: a game in, a result out."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji._core import games as _games
from tesuji._core import go as _go
from tesuji._core import search as _native
from tesuji.games.protocol import Game
from tesuji.provenance import Provenance, collect
from tesuji.search.config import SearchConfig
from tesuji.search.result import SearchResult, read_result

__all__ = ["Search", "Statistics"]

Statistics = dict[tuple[int, ...], NDArray[np.int64]]


class MakesSearch(Protocol):
    """A game that brings its own native search."""

    def copy(self) -> MakesSearch:
        """Another one with the same state."""

    def make_search(self, config: _native.SearchConfig, seed: int) -> _native.Search:
        """Make it."""


class Search:
    """A Monte-Carlo tree search over one game; keeps its graph between runs and moves.

    Parameters
    ----------
    game : Game
        A native game, a Go board, or any object with the methods of `tesuji.games.Game`. It is copied.
    config : SearchConfig, optional
        How the search works.

    Examples
    --------
    >>> from tesuji.games import Connect4
    >>> result = Search(Connect4(), SearchConfig(solver=True)).run(simulations=10_000, seed=1)
    >>> result.best_move
    3
    """

    def __init__(self, game: Game | _go.Board | MakesSearch, config: SearchConfig | None = None) -> None:
        self.config = config or SearchConfig()
        self._game: Any = _copied_board(game) if isinstance(game, _go.Board) else game.copy()
        self._search: _native.Search | None = None
        self._seed = 0

    @property
    def game(self) -> Any:
        """The search's own copy of the game, as it was given."""
        return self._game

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
        on_progress: Callable[[SearchResult], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> SearchResult:
        """Search until the first limit is reached, the root is proved, or `stop` is called.

        Ctrl-C ends the run as well, and the result is what is known by then.

        Parameters
        ----------
        simulations, seconds, nodes : optional
            Limits of this run (nodes: of the whole graph); at least one must be given.
        seed : int, optional
            Of the random stream; drawn and recorded if not given. Only the first run of a search may name one.
        on_progress : callable, optional
            Called with the result so far; returning False ends the run.
        report_s : float
            Seconds between two such calls.

        Raises
        ------
        ValueError
            For limits that are missing or not positive, a game that is over, or a memory cap that does not hold the
            root.
        """
        _check_limits(simulations=simulations, seconds=seconds, nodes=nodes)
        if not 0 < report_s < float("inf"):
            raise ValueError(f"report_s is {report_s!r}; it must be above 0 and finite")
        search = self._prepared(seed)
        started, cpu_started = time.perf_counter(), time.process_time()

        def progress() -> bool:
            return on_progress is None or on_progress(self.result()) is not False

        try:
            search.run(simulations or 0, seconds or 0.0, nodes or 0, progress, report_s)
        except KeyboardInterrupt:
            if search.result().num_simulations == 0:
                raise
        wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
        return self._read(collect(seed=self._seed, config=self.config, wall_time_s=wall_s, cpu_time_s=cpu_s))

    def stop(self) -> None:
        """End a run, from any thread; the run returns what it knows."""
        if self._search is not None:
            self._search.stop()

    def advance(self, move: int) -> None:
        """Play a move at the root and keep what the graph knows below it."""
        if self._search is not None:
            self._search.advance(move)
        elif isinstance(self._game, _go.Board):
            if not self._game.try_play(move):
                raise ValueError(f"move {move} is not legal on this board")
        else:
            self._game.play(move)

    def result(self) -> SearchResult:
        """What is known now, without searching further.

        Raises
        ------
        ValueError
            If the search has not run yet.
        """
        if self._search is None:
            raise ValueError("nothing is known before the first run; call run() first")
        return self._read(None)

    def graph(self) -> dict[str, Any]:
        """The whole graph as arrays, nodes in breadth-first order from the root (0), edges grouped by their node.

        ``node_mover, node_visits, node_value (sum, first player's view), node_proof, node_first_edge, node_num_edges``
        have one entry per node; ``edge_move, edge_visits, edge_value, edge_proof, edge_child (-1: none)`` and, where
        the config has them, ``edge_amaf_visits, edge_amaf_value, edge_prior`` one per edge.
        """
        return self._prepared(None).graph()

    def statistics(self, *, share: float = 0.05, max_nodes: int = 1000) -> Statistics:
        """What is known of the most visited nodes, for a search of the same position elsewhere to `take_in`.

        Parameters
        ----------
        share : float
            A node counts if it has at least this share of the root's visits, 0..1.
        max_nodes : int
            At most so many, the most visited first.

        Returns
        -------
        dict
            The moves from the root to a node, as a tuple -> an int64 array of shape (6, edges) with the rows moves
            (ascending), visits, sum of values, AMAF visits, sum of AMAF values, proof. Sums are the first player's, in
            units of 2**-20 and 2**-8.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share is {share}; it must lie in 0..1")
        if max_nodes < 1:
            raise ValueError(f"max_nodes is {max_nodes}; it must be at least 1")
        return self._prepared(None).statistics(share, max_nodes)

    def take_in(self, found: Statistics) -> None:
        """Add the `statistics` of another search to this one's; nodes that are not in this graph are left out.

        Raises
        ------
        ValueError
            In a DAG and with independent roots.
        """
        self._prepared(None).take_in(found)

    def _prepared(self, seed: int | None) -> _native.Search:
        if self._search is None:
            chosen = secrets.randbits(63) if seed is None else seed
            if type(chosen) is not int:
                raise TypeError(f"seed is {seed!r}; it must be a whole number")
            if not 0 <= chosen < 2**64:
                raise ValueError(f"seed is {seed}; it must lie in 0..2**64-1")
            self._search = _make(self._game, self.config, chosen)
            self._seed = chosen
        elif seed is not None and seed != self._seed:
            raise ValueError(f"this search runs with seed {self._seed}; make a new one for seed {seed}")
        return self._search

    def _read(self, provenance: Provenance | None) -> SearchResult:
        return read_result(self._prepared(None).result(), self.config, self._seed, provenance)


def _make(game: Any, config: SearchConfig, seed: int) -> _native.Search:
    if make_search := getattr(game, "make_search", None):
        made: _native.Search = make_search(config.native(), seed)
        return made
    if isinstance(game, _go.Board):
        return _native.make_for_go(game, float(getattr(game, "komi", 0.0)), config.native(), seed)
    if isinstance(game, _games.TicTacToe | _games.Connect4 | _games.Hex | _games.PGamePosition):
        return _native.make(game, config.native(), seed)
    return _native.make_for_object(game, config.native(), seed)


def _copied_board(board: _go.Board) -> _go.Board:
    copy = getattr(board, "copy", None)
    return copy() if copy is not None else _go.Board(board)


def _check_limits(*, simulations: int | None, seconds: float | None, nodes: int | None) -> None:
    if simulations is None and seconds is None and nodes is None:
        raise ValueError("a run needs a limit; give simulations, seconds or nodes")
    for name, count in (("simulations", simulations), ("nodes", nodes)):
        if count is None:
            continue
        if type(count) is not int:
            raise TypeError(f"{name} is {count!r}; it must be a whole number")
        if not 1 <= count < 2**63:
            raise ValueError(f"{name} is {count!r}; it must be above 0 and below 2**63")
    if seconds is not None and not isinstance(seconds, int | float):
        raise TypeError(f"seconds is {seconds!r}; it must be a number")
    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError(f"seconds is {seconds!r}; it must be above 0 and finite")
