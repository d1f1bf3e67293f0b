"""The Go engine: a position in, a move or an analysis out. GTP, the demo and Python programs use this one object.

It is the search library over `core/go/game.hpp`: UCT with RAVE, playouts that follow rules
(`tesuji.go.knowledge.playouts`), and priors (`tesuji.go.knowledge.priors`). Named configs are in
`tesuji.go.engine.presets`, flat names for what they hold in `tesuji.go.engine.parameters`; how long it thinks is
decided in `tesuji.go.engine.thinking`.
"""

from __future__ import annotations

import math
import threading
import time
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine.clock import Clock, expected_moves
from tesuji.go.engine.human import HumanRank, human_shares
from tesuji.go.engine.komi import DynamicKomi, Method
from tesuji.go.engine.manners import Manners
from tesuji.go.engine.position_memory import PositionMemory, Remembered
from tesuji.go.engine.thinking import Limits, Pondering, Thinking
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.book import BookMove, chosen, read_book
from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.network import SHIPPED, GoNetwork
from tesuji.go.knowledge.playouts import DEFAULT, PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.opening.evaluator import OpeningEvaluator
from tesuji.go.opening.player import OpeningPlayer, known_player
from tesuji.go.rules.board import Board, Position
from tesuji.go.rules.color import Color
from tesuji.learning.network.model import is_runnable
from tesuji.search import UCB1, Evaluation, Grouping, MinimumMSE, Search, SearchConfig, SearchResult, VirtualVisits
from tesuji.search.final_move import lower_bound
from tesuji.search.frozen import Frozen
from tesuji.words import how_to_install

__all__ = ["SHIPPED", "Analysis", "Candidate", "Choice", "Engine", "EngineConfig", "NetworkWarning"]

_OWNERSHIP_PLAYOUTS = 400
_RESIGN_VISITS = 100  # fewer may all be lost by chance
_FORGETTING = 0.9  # from move to move, of how late the moves before came


# A leaf is asked about at its seventh visit; the answer counts as many visits as the playouts before it.
NETWORK_EVALUATION = Evaluation(weight=0.75, after=6, visits=6, batch_size=8)


class NetworkWarning(UserWarning):
    """The engine plays without its network."""


class EngineConfig(Frozen, frozen=True, kw_only=True):
    """How the engine thinks; vary it with `replace`.

    Attributes
    ----------
    simulations : int or None
        Simulations per move; None: as many as the time allows.
    seconds : float or None
        Time limit per move; None: none.
    stops_early : bool
        On a clock, whether a move that no other can catch any more is played at once; a limit per move is used up.
    lag_s : float
        What is kept of a clock against delays on the way; at most a quarter of a move's time.
    ponders : bool
        Whether it thinks in the opponent's time; only where somebody says when that is, as GTP does.
    dynamic_komi : {"off", "linear", "adaptive"}
        How the search's komi makes a handicap game look even.
    search : SearchConfig
        How the search works; its threads and memory are the engine's.
    playouts : PlayoutPolicy
        How playouts move.
    priors : PriorWeights or None
        What moves are worth before they are tried, if the search config has a ``prior``.
    groups : Grouping or None
        How moves are grouped, mostly by `tesuji.go.knowledge.groups.GoGroups`; not together with a ``prior``.
    network : str or None
        A network that judges positions and moves (docs/algorithms/network.md): ``shipped``, or the file of one. It
        needs onnxruntime; without it ``shipped`` plays as the default does, and says so once. On boards and at komis
        that it has not learnt (`GoNetwork.knows`) the engine plays as the default does, too.
    human_rank : str or None
        Plays as people of that rank do, ``5k`` to ``9p``, by the network alone and without a search.
    uses_symmetry : bool
        Whether in the opening, of moves that are images of each other, only one is searched (not with light playouts).
    resign_below : float
        Resigns when its win rate falls below this, 0..1, and a hundred visits say so; 0: never.
    keeps_graph : bool
        Whether `genmove` goes on from what it knew before the last moves; `analyse` always begins anew.
    table_file : str or None
        A file in which the table of shared values outlives the game: read when a game begins, if it is there, and
        written when one ends (`Engine.end_game`). Needs ``graph="shared-values"``; of one board size, rules and komi.
    opening_file : str or None
        A player that has learnt the opening (``tesuji learn opening``): in the first moves it tells the search
        what positions and moves are worth. Of one board size; on others it says nothing.
    opening_weight : float
        How much it counts beside playouts and the engine's own priors, 0..1.
    opening_plays : bool
        Whether that player makes the first moves itself, without a search.
    book : str or None
        A file of opening positions (`tesuji.go.knowledge.book`) from which it plays without a search.
    book_least : int
        A move of the book that fewer games had is not played.
    known : PositionMemory
        The memory of positions, which a table of 0 megabytes turns off.
    seed : int or None
        Seed of the random stream; None draws one, which the analysis records.
    """

    simulations: int | None = 10_000
    seconds: float | None = None
    stops_early: bool = True
    lag_s: float = 0.1
    ponders: bool = False
    dynamic_komi: Method = "linear"
    search: SearchConfig = SearchConfig(
        selection=UCB1(c=0.0),
        amaf=MinimumMSE(),
        prior=VirtualVisits(visits=40.0),
        width=16,
        width_walks=200,
        maturity=2,
    )
    playouts: PlayoutPolicy = DEFAULT
    priors: PriorWeights | None = PriorWeights()
    groups: Grouping | None = None
    network: str | None = None
    human_rank: str | None = None
    uses_symmetry: bool = True
    resign_below: float = 0.05
    keeps_graph: bool = True
    table_file: str | None = None
    opening_file: str | None = None
    opening_weight: float = 0.3
    opening_plays: bool = False
    book: str | None = None
    book_least: int = 5
    known: PositionMemory = PositionMemory()
    seed: int | None = None

    def _check(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("the engine needs a limit; give simulations or seconds")
        if self.simulations is not None and not 1 <= self.simulations < 2**31:
            raise ValueError(f"simulations is {self.simulations}; it must lie in 1..{2**31 - 1}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"seconds is {self.seconds}; it must be above 0 and finite")
        if not 0 <= self.lag_s < math.inf:
            raise ValueError(f"lag_s is {self.lag_s}; it must be 0 or more seconds")
        if self.ponders and not self.keeps_graph:
            raise ValueError("ponders is on and keeps_graph is off, so nothing would come of it; change one of them")
        if self.dynamic_komi not in get_args(Method):
            raise ValueError(f"dynamic_komi is {self.dynamic_komi!r}; choose from {', '.join(get_args(Method))}")
        if not 0 <= self.resign_below <= 1:
            raise ValueError(f"resign_below is {self.resign_below}; it must lie in 0..1")
        if self.search.prior is not None and self.priors is None:
            raise ValueError("the search config has a prior but the engine has no prior weights; give priors")
        if self.groups is not None and self.search.prior is not None:
            raise ValueError("groups are for searches without priors; leave one of the two out (prior_visits=0)")
        if self.human_rank is not None:
            HumanRank.parse(self.human_rank)
            if self.network is None:
                raise ValueError("human_rank plays by the network alone; give network=shipped, or a file")
        if self.table_file is not None and self.search.graph != "shared-values":
            raise ValueError(f"table_file keeps shared values, graph is {self.search.graph!r}; use 'shared-values'")
        if not 0 <= self.opening_weight <= 1:
            raise ValueError(f"opening_weight is {self.opening_weight}; it must lie in 0..1")
        if self.opening_plays and self.opening_file is None:
            raise ValueError("opening_plays is on, but there is no player; give an opening_file")
        if self.opening_file is not None and self.groups is not None:
            raise ValueError("groups and opening_file do not go together; leave one of the two out")
        if self.opening_file is not None and self.network is not None:
            raise ValueError("network and opening_file both judge positions; leave one of the two out")
        if self.book_least < 1:
            raise ValueError(f"book_least is {self.book_least}; it must be 1 game or more")
        if self.known.megabytes and self.playouts.learns:
            raise ValueError("known and playouts that learn do not go together; use known=0, or another policy")
        if self.known.megabytes and self.known.back_up == "visits" and self.search.graph != "tree":
            raise ValueError(f"known_back_up=visits is for graph='tree', graph is {self.search.graph!r}; use value")
        if self.seed is not None and not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is {self.seed}; it must lie in 0..2**64-1")

    def game_at(self, board: Board) -> GoGame:
        """A position as the engine's search sees it."""
        return GoGame(board, self.playouts, self.priors, uses_symmetry=self.uses_symmetry)

    @property
    def opening(self) -> OpeningPlayer | None:
        """The player of the opening, if there is one."""
        return None if self.opening_file is None else known_player(self.opening_file)

    def search_at(self, board: Board, remembered: Remembered | None = None) -> Search:
        """A new search of a position; it begins with the table of earlier games, if there is one.

        Where the network has learnt nothing (`GoNetwork.knows`) the search does without.
        """
        if self.network is not None and not GoNetwork.knows(board):
            return without_network(self).search_at(board, remembered)
        earlier = self.table_file if self.table_file is not None and Path(self.table_file).exists() else None
        playouts = None
        if remembered is not None:
            remembered.begin(board)
            playouts = remembered.playouts
        opening = self.opening
        if opening is None or not opening.is_opening(board) or self.opening_weight == 0:
            network = None if self.network is None else network_named(self.network).evaluator(board.komi)
            is_plain = network is None or self.search.evaluation != Evaluation()
            # half of a thread's time goes to the network
            evaluation = NETWORK_EVALUATION.replace(batches_in_flight=(self.search.threads + 1) // 2)
            return Search(
                self.game_at(board),
                self.search if is_plain else self.search.replace(evaluation=evaluation),
                evaluator=network,
                grouping=self.groups,
                table=earlier,
                playouts=playouts,
            )
        evaluator = OpeningEvaluator(
            opening, board, self.opening_weight, None if self.search.prior is None else self.priors
        )
        evaluation = self.search.evaluation.replace(weight=self.opening_weight)
        config = self.search.replace(evaluation=evaluation)
        return Search(self.game_at(board), config, evaluator=evaluator, table=earlier, playouts=playouts)


def network_named(name: str) -> GoNetwork:
    """The network of that name: ``shipped``, or a file.

    Raises
    ------
    ModelError
        For a file that is no network, and without onnxruntime.
    """
    return GoNetwork.load(name)


def playable(config: EngineConfig) -> EngineConfig:
    """The config itself, its network loaded; without onnxruntime, what plays in place of the shipped network.

    Raises
    ------
    ModelError
        For a file that is no network; for one of the user's own without onnxruntime.
    """
    if config.network is None:
        return config
    if config.network != SHIPPED or is_runnable():
        network_named(config.network)
        return config
    _say_what_is_missing()
    return without_network(config)


def without_network(config: EngineConfig) -> EngineConfig:
    """The same limits and manners, with the search of the default."""
    plain, own = EngineConfig().search, config.search
    search = plain.replace(threads=own.threads, memory_bytes=own.memory_bytes, parallel=own.parallel)
    return config.replace(network=None, human_rank=None, search=search, priors=PriorWeights())


@cache
def _say_what_is_missing() -> None:
    warnings.warn(
        f"the network plays with onnxruntime, which is not installed, so the engine plays without: "
        f"{how_to_install('network')}",
        NetworkWarning,
        stacklevel=3,
    )


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
        config = playable(config)
        if config.playouts.patterns:
            config.playouts.native(num_points=1)
        if config.priors is not None and (config.priors.strengths or config.priors.urgency):
            config.priors.native()
        if config.opening_file is not None:
            known_player(config.opening_file)
        book = None if config.book is None else read_book(config.book)
        self.end_game()
        if self._remembered is None or self._remembered.config != config.known:
            self._remembered = Remembered(config.known) if config.known.megabytes else None
        self._config, self._book = config, book
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
        network = network_named(self.config.network or "shipped")
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
            search = config.search_at(board, self._remembered)
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
