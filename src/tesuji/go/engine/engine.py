"""The Go engine: a position in, a move or an analysis out. GTP, the demo and Python programs use this one object.

How it thinks is its config (`tesuji.go.engine.config`); how long is decided in `tesuji.go.engine.thinking`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine.clock import Clock, expected_moves
from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.human import HumanRank, human_shares
from tesuji.go.engine.komi import DynamicKomi
from tesuji.go.engine.manners import Manners
from tesuji.go.engine.position_memory import Remembered
from tesuji.go.engine.thinking import Limits, Pondering, Thinking
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.book import BookMove, chosen, read_book
from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.m_eval import MEval
from tesuji.go.knowledge.network import SHIPPED, GoNetwork
from tesuji.go.opening.player import known_player
from tesuji.go.rules.board import Board, Position
from tesuji.go.rules.color import Color
from tesuji.search import Search, SearchResult
from tesuji.search.final_move import lower_bound

__all__ = ["Analysis", "Candidate", "Choice", "Engine"]

_OWNERSHIP_PLAYOUTS = 400
_RESIGN_VISITS = 100  # fewer may all be lost by chance
_FORGETTING = 0.9  # from move to move, of how late the moves before came


class Candidate(msgspec.Struct, frozen=True):
    """A move of an analysis.

    Attributes
    ----------
    move : int
        A point or pass.
    visits : int
        How many simulations went through it.
    winrate : float
        For the side to move, 0..1.
    pv : list of int
        The main line; begins with `move`.
    prior : float
        What it was worth before it was tried, 0..1; 0 without priors.
    rave : float or None
        Win rate of the simulations in which the same player made it at any time; None if there were none.
    """

    move: int
    visits: int
    winrate: float
    pv: list[int]
    prior: float = 0.0
    rave: float | None = None

    @property
    def lower_bound(self) -> float:
        """The win rate that it has at least, with 95 % confidence (Wilson)."""
        return lower_bound(self.winrate, self.visits)


class Analysis(msgspec.Struct, frozen=True):
    """What a search found.

    Attributes
    ----------
    moves : list of Candidate
        Most visited first.
    ownership : float64 array of shape (height, width)
        From -1 (white's) to 1 (black's), by every eighth playout of the search.
    criticality : float64 array of shape (height, width)
        How much more often a point belongs to the winner of a playout than chance would have it; zeros with light
        playouts.
    simulations : int
        How many were run.
    seconds : float
        How long they took.
    seed : int
        What repeats the search.
    position : Position or None
        What was analysed, where it is known: names and pictures need it.
    """

    moves: list[Candidate]
    ownership: NDArray[np.float64]
    criticality: NDArray[np.float64]
    simulations: int
    seconds: float
    seed: int
    position: Position | None = None

    @property
    def winrate(self) -> float:
        """Of the side to move, 0..1: the best move's."""
        return self.moves[0].winrate if self.moves else 0.5

    def __repr__(self) -> str:
        from tesuji.go.view.analysis import analysis_text

        return analysis_text(self)

    def _repr_html_(self) -> str:
        """The board with its candidates, for notebooks."""
        from tesuji.go.view.analysis import analysis_html

        return analysis_html(self)


class Choice(msgspec.Struct, frozen=True):
    """A move, and what the engine expects of it.

    Attributes
    ----------
    move : int or "resign"
        A point or pass.
    winrate : float or None
        For the side that moves, 0..1, at the komi of the search; None where nothing was searched.
    search_komi : float or None
        Another komi than the game's in a handicap game (`tesuji.go.engine.komi`); None where nothing was searched.
    visits, simulations : int
        Of the move, with those from earlier searches, and of the search for it.
    line : list of int
        How the game is expected to go on, from the move; empty where nothing was searched.
    analysis : Analysis or None
        The search, where somebody watched it (`on_progress`); at the komi of the search.
    book : BookMove or None
        What the book says of it, where it comes from one.
    """

    move: int | Literal["resign"]
    winrate: float | None = None
    search_komi: float | None = None
    visits: int = 0
    simulations: int = 0
    line: list[int] = []
    analysis: Analysis | None = None
    book: BookMove | None = None


class _Kept(msgspec.Struct, frozen=True):
    """A search to go on with, the game up to the position it knows, and whether it has answered there already."""

    search: Search
    board: Board
    has_answered: bool

    def advanced_to(self, board: Board) -> Search | None:
        """The search at this position or a later one of the same game; None if it is another game.

        A search that has answered is not asked again at the same position: the answer would depend on how often.
        """
        before, now = self.board, board.moves
        known = before.moves
        same = (before.start, before.rules, before.komi) == (board.start, board.rules, board.komi)
        if not same or len(now) < len(known) + self.has_answered or now[: len(known)] != known:
            return None
        color = before.color_to_play
        for mover, move in now[len(known) :]:
            if mover != color or before.is_over:
                return None
            self.search.advance(move)
            before.play(move)
            color = before.color_to_play
        if len(now) > len(known):
            self.search.game.memory.forget_owners()
        return self.search if before.color_to_play == board.color_to_play and not before.is_over else None


class Engine:
    """Plays and analyses. It is told the position each time; between moves it remembers its last search.

    Beyond that it remembers positions, if the config has a memory of them (``known``).

    Parameters
    ----------
    config : EngineConfig, optional
        How it thinks.
    """

    def __init__(self, config: EngineConfig | None = None) -> None:
        self._kept: _Kept | None = None
        self._remembered: Remembered | None = None
        self._m_eval: MEval | None = None
        self._thinking: Thinking | None = None
        self._analysing: Search | None = None
        self._is_stopped = threading.Event()
        self._pondering: Pondering | None = None
        self._late_s = 0.0  # by how much moves came too late lately, on a busy machine
        self.config = config or EngineConfig()

    @property
    def config(self) -> EngineConfig:
        """How it thinks; a new one holds from the next search on, which begins anew.

        Files that it names are read when it is set: what is wrong with them is an error then, not at the first move.
        """
        return self._config

    @config.setter
    def config(self, config: EngineConfig) -> None:
        config = config.playable()
        if config.playouts.patterns:
            config.playouts.native(num_points=1)
        if config.priors is not None and (config.priors.strengths or config.priors.urgency):
            config.priors.native()
        if config.opening_file is not None:
            known_player(config.opening_file)
        book = None if config.book is None else read_book(config.book)
        m_eval = config.new_m_eval()
        self.end_game()
        if self._remembered is None or self._remembered.config != config.known:
            self._remembered = Remembered(config.known) if config.known.megabytes else None
        self._config, self._book, self._m_eval = config, book, m_eval
        self._komi = DynamicKomi(config.dynamic_komi)

    @property
    def remembered(self) -> Remembered | None:
        """What it knows of positions from earlier moves and games; None without a memory."""
        return self._remembered

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Analysis:
        """Search a position for the side to move, at the komi of the game.

        `stop` ends it from another thread, and the analysis is what was found by then.

        Parameters
        ----------
        board : Board
            Left unchanged.
        simulations, seconds : optional
            Replace the limits of the config; if only one is given, it is the only limit.
        on_progress : callable, optional
            Called with the analysis so far; returning False ends the search.
        report_s : float
            Seconds between two such calls.
        """
        self.stop_pondering()
        config = self.config
        if simulations is not None or seconds is not None:
            config = msgspec.structs.replace(config, simulations=simulations, seconds=seconds)
        self._analysing = search = config.search_at(board, self._remembered)
        view = _View(search.game, board.copy())
        view.owners()  # where it takes playouts of its own, a stop shall not wait for them
        self._is_stopped.clear()

        def goes_on(so_far: SearchResult) -> bool:
            wants_more = on_progress is None or on_progress(view.analysis(so_far)) is not False
            return wants_more and not self._is_stopped.is_set()

        try:
            found = search.run(
                simulations=config.simulations,
                seconds=config.seconds,
                seed=config.seed,
                on_progress=goes_on,
                report_s=report_s,
            )
        finally:
            self._analysing = None
        return view.analysis(found)

    def genmove(
        self,
        board: Board,
        color: int | None = None,
        *,
        seconds: float | None = None,
        clock: Clock | None = None,
    ) -> int | Literal["resign"]:
        """Choose a move for a colour; plays nothing.

        It passes after a pass if that wins, if there is no other move, and where nothing is left to play for
        (`tesuji.go.engine.manners`); it resigns below the config's limit.

        Parameters
        ----------
        board : Board
            Left unchanged.
        color : int, optional
            Who moves; the side to move if not given.
        seconds : float, optional
            Instead of the config's.
        clock : Clock, optional
            The mover's; it thinks as long as that allows, and no longer than the other limits. With a clock that has
            run out it still moves, at once.
        """
        return self.choose(board, color, seconds=seconds, clock=clock).move

    def choose(
        self,
        board: Board,
        color: int | None = None,
        *,
        seconds: float | None = None,
        clock: Clock | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Choice:
        """The same as `genmove`, with what the search found.

        Parameters
        ----------
        board, color, seconds, clock
            As for `genmove`.
        on_progress : callable, optional
            Called with the analysis so far; returning False ends the search. The choice then has an analysis too.
        report_s : float
            Seconds between two such calls.
        """
        began_s = time.perf_counter()
        self.stop_pondering()
        turned = board.copy()
        if color is not None and turned.color_to_play != color:
            turned.color_to_play = Color(color)
        manners = Manners(turned)
        if manners.passes_at_once():
            return Choice(turned.pass_move)
        if (learnt := self._learnt(turned)) is not None:
            return learnt
        known = self._from_book(turned)
        if known is not None:
            return Choice(known.move, book=known)
        if self.config.human_rank is not None:
            return self._as_people_do(turned, HumanRank.parse(self.config.human_rank))
        shifted = self._shifted(turned)
        search = self._search_at(shifted, has_answered=True)
        limits = self._limits(turned, seconds, clock)
        self._thinking = thinking = Thinking(search, limits, began_s)
        view = _View(search.game, turned)

        def report(so_far: SearchResult, simulations: int) -> bool | None:
            return on_progress and on_progress(view.analysis(so_far, simulations))

        try:
            found = thinking.run(self.config.seed, report, report_s)
        finally:
            self._thinking = None
        if self._m_eval is not None:
            visited = found.visits > 0
            self._m_eval.learn(shifted, found.moves[visited], found.values[visited])
        choice = self._chosen(found, thinking.simulations, manners, view, shifted.komi)
        if limits.maximum_s is not None:
            late_s = time.perf_counter() - began_s - limits.maximum_s
            self._late_s = max(0.0, late_s, _FORGETTING * self._late_s)
        if on_progress is None:
            return choice
        return msgspec.structs.replace(choice, analysis=view.analysis(found, thinking.simulations))

    def ponder(self, board: Board) -> None:
        """Search a position in the background until anything else is asked of the engine, or `stop_pondering`."""
        self.stop_pondering()
        if board.is_over:
            return
        search = self._search_at(self._shifted(board, moves_ahead=1), has_answered=False)
        self._pondering = Pondering(search, self.config.seed)

    def stop_pondering(self) -> None:
        """End the search in the background, if there is one; what it found is kept."""
        if self._pondering is not None:
            self._pondering.stop()
            self._pondering = None

    def end_game(self) -> None:
        """Forget the game. With a `table_file` or a `known_file`, what it taught is written there for the next one."""
        self.stop_pondering()
        if self._kept is not None and self._remembered is not None:
            self._remembered.save()
        if self._kept is not None and self._config.table_file is not None:
            self._kept.search.save_table(self._config.table_file)
        self._kept = None

    def stop(self) -> None:
        """Let `genmove`, `choose` or `analyse` answer now with what they know; may be called from any thread."""
        thinking, analysing = self._thinking, self._analysing
        if thinking is not None:
            thinking.stop()
        if analysing is not None:
            self._is_stopped.set()  # a run that is only just beginning forgets the next line
            analysing.stop()

    def _learnt(self, board: Board) -> Choice | None:
        """The move of the player of the opening, where that one plays itself."""
        opening = self.config.opening
        if opening is None or not self.config.opening_plays or not opening.is_opening(board):
            return None
        best = opening.best(board)
        return None if best is None else Choice(best[0], best[1], line=[best[0]])

    def _from_book(self, board: Board) -> BookMove | None:
        """A move of the book, drawn by the config's seed and the number of the move; None where it has none."""
        if self._book is None:
            return None
        seed = self.config.seed
        rng = np.random.default_rng(None if seed is None else [seed, board.num_moves])
        return chosen(self._book.moves(board), self.config.book_least, rng.random())

    def _chosen(
        self, found: SearchResult, simulations: int, manners: Manners, view: _View, search_komi: float
    ) -> Choice:
        """The answer of a search; resigns only where the komi of the game would not say better."""
        board = view.board
        best = _candidate(found, found.moves.tolist().index(found.best_move))
        self._komi.learn(board, best.winrate)
        is_flattered = search_komi == board.komi or (search_komi > board.komi) == (board.color_to_play == Color.WHITE)
        if best.winrate < self.config.resign_below and is_flattered and found.visits.sum() >= _RESIGN_VISITS:
            return Choice("resign", best.winrate, search_komi, best.visits, simulations, best.pv)
        move = manners.better(found, view.owners)
        if move != best.move:
            others = found.moves.tolist()
            best = _candidate(found, others.index(move)) if move in others else Candidate(move, 0, best.winrate, [move])
        return Choice(move, best.winrate, search_komi, best.visits, simulations, best.pv)

    def _as_people_do(self, board: Board, rank: HumanRank) -> Choice:
        network = GoNetwork.load(self.config.network or SHIPPED)
        winrate = float(network.judge(board).wins[0])
        if winrate < self.config.resign_below:
            return Choice("resign", winrate)
        legal = board.legal_moves()
        seed = None if self.config.seed is None else [self.config.seed, board.num_moves]
        shares = human_shares(network, board, rank, legal)
        move = int(np.random.default_rng(seed).choice(legal, p=shares))
        return Choice(move, winrate, board.komi, line=[move])

    def _shifted(self, board: Board, moves_ahead: int = 0) -> Board:
        """A copy of the board with the komi that the search shall see."""
        shifted = board.copy()
        shifted.komi = board.komi + self._komi.shift(board, moves_ahead)
        return shifted

    def _limits(self, board: Board, seconds: float | None, clock: Clock | None) -> Limits:
        config = self.config
        own_s = config.seconds if seconds is None else seconds
        if clock is None:
            return Limits(simulations=config.simulations, normal_s=own_s, maximum_s=own_s, stops_early=False)
        time_s = clock.allotment(expected_moves(board), config.lag_s)
        late_s = min(self._late_s, time_s.normal_s / 2)
        most_s = math.inf if own_s is None else own_s
        return Limits(
            simulations=config.simulations,
            normal_s=min(time_s.normal_s - late_s, most_s),
            maximum_s=min(time_s.maximum_s - late_s, most_s),
            stops_early=config.stops_early and time_s.saves_time,
        )

    def _search_at(self, board: Board, *, has_answered: bool) -> Search:
        """A search of a position: the one before the last moves, advanced, or a new one."""
        config, search = self.config, None
        if config.keeps_graph and self._kept is not None and not self._leaves_opening(board):
            search = self._kept.advanced_to(board)
            if search is not None:
                _teach_second_layer(search, board)
        if search is None:
            self.end_game()
            search = config.search_at(board, self._remembered, self._m_eval)
        elif self._m_eval is not None:
            self._m_eval.begin(board)
        self._kept = _Kept(search, board.copy(), has_answered)
        return search

    def _leaves_opening(self, board: Board) -> bool:
        """Whether a player of the opening had a say in the search that is kept, and has none here."""
        opening = self.config.opening
        if opening is None or self._kept is None:
            return False
        return opening.is_opening(self._kept.board) and not opening.is_opening(board)


def _teach_second_layer(search: Search, board: Board) -> None:
    """Carry what the tree knows at a new root into playouts that learn, where they have a layer for it."""
    learnt = search.game.learnt
    if learnt is not None and learnt.learning.tree_nodes > 0:
        learnt.teach_from_tree(board, search.statistics(share=0.0, max_nodes=learnt.learning.tree_nodes))


class _View:
    """What people see of a search.

    Parameters
    ----------
    game : GoGame
        The search's own; its board may be that of an earlier move.
    board : Board
        The position.
    """

    def __init__(self, game: GoGame, board: Board) -> None:
        self._game, self._board = game, board

    @property
    def board(self) -> Board:
        """The position."""
        return self._board

    @cached_property
    def _light_owners(self) -> NDArray[np.float64]:
        """Where the playouts of the search remember nothing: by others."""
        return ownership(self._board, _OWNERSHIP_PLAYOUTS, seed=1)

    def owners(self) -> NDArray[np.float64]:
        """Who owns which point, -1 (white's) to 1 (black's)."""
        if self._game.is_light:
            return self._light_owners
        return np.array(self._game.memory.ownership()).reshape(self._board.height, self._board.width)

    def analysis(self, found: SearchResult, simulations: int | None = None) -> Analysis:
        """A result for people; `simulations` is given where it took several runs."""
        shape = self._board.height, self._board.width
        order = np.argsort(-found.visits.astype(np.int64), kind="stable")
        return Analysis(
            moves=[_candidate(found, i) for i in order.tolist() if found.visits[i] > 0],
            ownership=self.owners(),
            criticality=np.array(self._game.memory.criticality()).reshape(shape),
            simulations=found.simulations if simulations is None else simulations,
            seconds=found.seconds,
            seed=found.seed,
            position=self._board.position,
        )


def _candidate(found: SearchResult, index: int) -> Candidate:
    return Candidate(
        move=int(found.moves[index]),
        visits=int(found.visits[index]),
        winrate=float(found.values[index]),
        pv=found.lines[index],
        prior=float(found.priors[index]),
        rave=float(found.amaf_values[index]) if found.amaf_visits[index] > 0 else None,
    )
