"""The search, for people: a game in, a result out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tesuji._core import search as _native
from tesuji.games.compiled import CompiledGame
from tesuji.games.protocol import Game, OnePlayerGame, check_members
from tesuji.search.config import PUCT, SearchConfig
from tesuji.search.evaluator import LARGEST_SHARE, Evaluator, checked
from tesuji.search.files.table_file import SavedTable, load_table, write_table
from tesuji.search.groups import Grouping
from tesuji.search.playouts import Playouts, native_playouts
from tesuji.search.requirements import Situation, check
from tesuji.search.result import SearchResult
from tesuji.search.stages import Stages
from tesuji.search.view.origin import Origin

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Search", "Statistics"]

_PARTS_OF_AMAF = 16
"""Of a visit, where AMAF fades (``amaf::kFadingUnit`` in the core)."""

Statistics = dict[tuple[int, ...], NDArray[np.float64]]


class MakesSearch(Protocol):
    """A game that brings its own native search: every native one does."""

    def copy(self) -> MakesSearch:
        """Another one with the same state."""

    def make_search(self, config: _native.SearchConfig, seed: int) -> _native.Search:
        """Make it."""


class Search:
    """A Monte-Carlo tree search over one game; keeps its graph between runs and moves.

    Parameters
    ----------
    game : Game or OnePlayerGame
        A native game, a Go board, or any object with the methods of `tesuji.games.Game` or, for one player,
        `tesuji.games.OnePlayerGame`. It is copied.
    config : SearchConfig, optional
        How the search works.
    evaluator : callable, optional
        Judges leaves in batches, instead of playouts or mixed with them (``config.evaluation``): called with a
        `LeafBatch`, it returns values, or a pair (values, priors). It is called by the search's threads, one at a time
        unless ``config.evaluation`` says otherwise, and once for a state: answers are kept.
    grouping : Grouping, optional
        How the moves of a state are grouped: a player then chooses a group first and one of its moves after that. For
        two players and configs without priors.
    table : SavedTable or path, optional
        Values that an earlier search of the same game has learnt (`save_table`); with ``graph="shared-values"`` only.

    stages : Stages, optional
        Functions of your own in place of the selection, the back-up or the order of expansion.
    playouts : PlayoutPolicy, function, RecordedPlayouts or StopAtKnown, optional
        How leaves are played out (`tesuji.search.playouts`); the game's own way if not given.

    Examples
    --------
    >>> from tesuji.games import Connect4
    >>> result = Search(Connect4(), SearchConfig(solver=True)).run(simulations=10_000, seed=1)
    >>> result.best_move
    3
    """

    def __init__(
        self,
        game: Game | OnePlayerGame | MakesSearch,
        config: SearchConfig | None = None,
        *,
        evaluator: Evaluator | None = None,
        grouping: Grouping | None = None,
        table: SavedTable | Path | str | None = None,
        stages: Stages | None = None,
        playouts: Playouts = None,
    ) -> None:
        if evaluator is not None and not callable(evaluator):
            raise TypeError(f"evaluator is {evaluator!r}; it must be callable")
        self.config = config or SearchConfig()
        if table is not None and self.config.graph != "shared-values":
            raise ValueError(f"a table holds shared values, graph is {self.config.graph!r}; use 'shared-values'")
        self._table = load_table(table) if isinstance(table, Path | str) else table
        self._evaluator = evaluator
        self.grouping = _checked_grouping(grouping)
        if stages is not None and not isinstance(stages, Stages):
            raise TypeError(f"stages is {stages!r}; it must be a Stages")
        self._stages = stages
        self._playouts = playouts
        self._installed: object = None
        check_members(game)
        self._game: Any = game.copy()
        check(
            Situation(
                config=self.config,
                for_one=is_for_one(self._game),
                has_evaluator=evaluator is not None,
                grouping=self.grouping,
            )
        )
        self._seed = checked_seed(None)
        self._advanced: list[int] = []
        self._has_begun = False
        self._moment = object()
        self._search = self._made()  # what is wrong with a config and a game together is said here, not in a run

    @property
    def game(self) -> Any:
        """The search's own copy of the game, as it was given."""
        return self._game

    @property
    def position(self) -> Any:
        """A copy of the game as it stands at the root, after all moves the search has advanced by."""
        return _position_after(self._game, self._advanced)

    @property
    def moment(self) -> object:
        """Another object whenever the graph may have changed: a result knows by it whether its graph is still there."""
        return self._moment

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

        Ctrl-C ends the run as well: `KeyboardInterrupt` comes when the search has stopped, nothing that it found is
        lost, and `result` says what is known.

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
        check_limits(simulations=simulations, seconds=seconds, nodes=nodes)
        if not 0 < report_s < float("inf"):
            raise ValueError(f"report_s is {report_s!r}; it must be above 0 and finite")
        search = self._prepared(seed)
        self._moment = object()

        def progress() -> bool:
            return on_progress is None or on_progress(self.result()) is not False

        try:
            search.run(simulations or 0, seconds or 0.0, nodes or 0, progress, report_s)
        finally:
            self._moment = object()
        return self._read(time.time())

    def watch(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
        limit: int = 10,
        console: Console | None = None,
    ) -> SearchResult:
        """Run with a table on the terminal that shows the best moves as they change.

        Ctrl-C ends it as it ends `run`; the table stays on the screen.

        Parameters
        ----------
        simulations, seconds, nodes, seed : optional
            As in `run`.
        limit : int
            How many moves are shown.
        console : rich.console.Console, optional
            Where; standard output if not given. In a pipe only the end is printed.
        """
        from tesuji.search.view.watching import LiveTable

        with LiveTable(console, limit) as table:
            result = self.run(simulations=simulations, seconds=seconds, nodes=nodes, seed=seed, on_progress=table.show)
            table.show(result)
        return result

    def save(self, path: Path | str) -> Path:
        """Write the graph into a file from which `load` goes on searching.

        Parameters
        ----------
        path : path
            Of the file; an existing one is replaced when the new one is complete.

        Raises
        ------
        RuntimeError
            While the search runs.
        """
        from tesuji.search.files.graph_file import write_graph

        return write_graph(Path(path), self._prepared(None), self.position, self.config, self._seed)

    @classmethod
    def load(
        cls,
        path: Path | str,
        game: Game | MakesSearch,
        config: SearchConfig | None = None,
        *,
        evaluator: Evaluator | None = None,
        grouping: Grouping | None = None,
        stages: Stages | None = None,
        playouts: Playouts = None,
    ) -> Search:
        """A search that goes on where a saved one was.

        With one thread it does exactly what the saved one would have done, as long as memory is not full. An evaluator
        is asked again for what it had answered, which may change the order in which leaves of a batch come home.

        Parameters
        ----------
        path : path
            A file that `save` has written.
        game : Game
            The position at the root when it was saved.
        config : SearchConfig, optional
            The file's own if not given. Only threads, memory and the choice of the final move may differ from it.
        evaluator, grouping, stages, playouts : optional
            Those of the saved search: functions are not part of a file. What playouts have learnt is (good replies,
            learning tables, known positions), and takes the place of what these know.

        Raises
        ------
        GraphFileError
            For a file that is none, is damaged, or is of another version, game, position or config.
        """
        from tesuji.search.files.graph_file import read_graph

        saved = read_graph(Path(path), config)
        search = cls(game, saved.config, evaluator=evaluator, grouping=grouping, stages=stages, playouts=playouts)
        native = search._prepared(saved.seed)
        saved.restore(native, search.game)
        return search

    @property
    def group_biases(self) -> dict[str, float]:
        """The biases of the kinds of groups as they stand, learned or given; empty without groups.

        `Grouping` takes them as its `biases`.
        """
        if self.grouping is None:
            return {}
        learned = self._search.biases
        return dict(zip(self.grouping.names, learned, strict=True)) if learned else self.grouping.first_biases

    def save_table(self, path: Path | str) -> Path:
        """Write the table of shared values into a file, for ``Search(..., table=path)`` in the next game.

        Raises
        ------
        RuntimeError
            While the search runs.
        ValueError
            If there is no table: ``graph`` is not "shared-values".
        """
        self._check_table()
        return write_table(Path(path), self._prepared(None), self.position, self.config, self._seed)

    def drop_rare_entries(self) -> int:
        """Drop the entries of the table of shared values that few nodes refer to, as `advance` does.

        The threshold is the config's `table_min_references`; it rises by one if the table was full since the last
        time.

        Returns
        -------
        int
            How many were dropped.
        """
        self._check_table()
        return self._prepared(None).drop_rare_entries()

    def _check_table(self) -> None:
        if self.config.graph != "shared-values":
            raise ValueError(f"there is no table: graph is {self.config.graph!r}; use 'shared-values'")

    def stop(self) -> None:
        """End a run, from any thread; the run returns what it knows."""
        self._search.stop()

    def advance(self, move: int) -> None:
        """Play a move at the root and keep what the graph knows below it."""
        if self._has_begun:
            self._search.advance(move)
            self._advanced.append(move)
        else:
            self._game.play(move)
            self._search = self._made()
        self._moment = object()

    def result(self) -> SearchResult:
        """What is known now, without searching further.

        Raises
        ------
        ValueError
            If the search has not run yet.
        """
        if not self._has_begun:
            raise ValueError("nothing is known before the first run; call run() first")
        return self._read(None)

    def graph(self) -> dict[str, Any]:
        """The whole graph as arrays, nodes in breadth-first order from the root (0), edges grouped by their node.

        ``node_mover, node_visits, node_value (sum, first player's view), node_proof, node_first_edge, node_num_edges``
        have one entry per node; ``edge_move, edge_visits, edge_value, edge_proof, edge_child (-1: none)`` and, where
        the config has them, ``edge_amaf_visits, edge_amaf_value, edge_prior`` one per edge. For one player values are
        sums of numbers, of their negatives where less is better. Where there are groups of moves, ``edge_group`` is the
        number of a group's kind in `Grouping.names`, and its ``edge_move`` is -1; for a move it is -1. Where AMAF
        fades, ``edge_amaf_visits`` are not whole numbers.
        """
        columns = self._prepared(None).graph()
        if self.config.amaf is not None and self.config.amaf.fades:  # the core counts in parts
            columns["edge_amaf_visits"] = columns["edge_amaf_visits"] / _PARTS_OF_AMAF
        return columns

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
            The moves from the root to a node, as a tuple -> a float64 array of shape (6, edges) with the rows moves
            (ascending), visits, sum of values, AMAF visits, sum of AMAF values, proof. Sums are the first player's; one
            player's are of numbers, of their negatives where less is better.
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
        self._moment = object()

    def _prepared(self, seed: int | None) -> _native.Search:
        if seed is not None and checked_seed(seed) != self._seed:
            if self._has_begun:
                raise ValueError(f"this search runs with seed {self._seed}; make a new one for seed {seed}")
            self._seed = checked_seed(seed)
            self._search = self._made()
        self._has_begun = True
        return self._search

    def _made(self) -> _native.Search:
        """A native search over the game as it stands, with the seed as it stands."""
        search = _make(self._game, self.config, self._seed)
        if self._evaluator is not None:
            search.evaluate_with(self._checked_evaluator(self._evaluator))
        if self.grouping is not None:
            grouper = self.grouping.grouper(partial(_position_after, self._game))
            search.group_with(grouper, self.grouping.options())
        if self._playouts is not None:
            search.play_out_by(native_playouts(self._playouts))
        if self._stages is not None:
            self._installed = self._stages.install(search)
        if self._table is not None:
            self._table.begin(search, self._game, self.config)
        return search

    def _checked_evaluator(self, evaluator: Evaluator) -> Callable[..., Any]:
        dtype = self._game.dtype if isinstance(self._game, CompiledGame) else None
        is_shares = isinstance(self.config.selection, PUCT)
        return checked(
            evaluator,
            dtype,
            priors_at_most=LARGEST_SHARE if is_shares else 1.0,
            for_one=is_for_one(self._game),
        )

    def _read(self, ended_at: float | None) -> SearchResult:
        return SearchResult(
            self._search.result(),
            self.config,
            seed=self._seed,
            origin=Origin(self),
            ended_at=ended_at,
            found=self._search.found() if is_for_one(self._game) else None,
        )


def is_for_one(game: object) -> bool:
    """Whether a game is for one player: it has a goal."""
    return hasattr(game, "goal")


def make_for_one(game: Any, config: SearchConfig, seed: int) -> _native.Search:
    """A native search over a game of one player."""
    return _make_native(game, config.native_for_one_player(), seed)


def _make(game: Any, config: SearchConfig, seed: int) -> _native.Search:
    return make_for_one(game, config, seed) if is_for_one(game) else _make_native(game, config.native(), seed)


def _make_native(game: Any, config: _native.SearchConfig, seed: int) -> _native.Search:
    """By the game's class, where it can; else as for any object. What wraps a native game is an object."""
    make_search: Callable[..., _native.Search] = getattr(type(game), "make_search", _native.make_for_object)
    return make_search(game, config, seed)


def _position_after(game: Any, moves: Sequence[int]) -> Any:
    position = game.copy()
    for move in moves:
        position.play(move)
    return position


def _checked_grouping(grouping: Grouping | None) -> Grouping | None:
    if grouping is not None and not isinstance(grouping, Grouping):
        raise TypeError(f"grouping is {grouping!r}; it must be a Grouping")
    return grouping


def checked_seed(seed: int | None) -> int:
    """The seed, or a drawn one for None."""
    chosen = int.from_bytes(os.urandom(8)) >> 1 if seed is None else seed
    if type(chosen) is not int:
        raise TypeError(f"seed is {seed!r}; it must be a whole number")
    if not 0 <= chosen < 2**64:
        raise ValueError(f"seed is {seed}; it must lie in 0..2**64-1")
    return chosen


def check_limits(*, simulations: int | None, seconds: float | None, nodes: int | None) -> None:
    """Refuse a run without a limit, and limits that are not positive."""
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
