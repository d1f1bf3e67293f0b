"""How the Go engine thinks, as one frozen value, and the searches that it makes.

It is the search library over `core/go/game.hpp`: UCT with RAVE, playouts that follow rules
(`tesuji.go.knowledge.playouts`), and priors (`tesuji.go.knowledge.priors`). Named configs are in
`tesuji.go.engine.presets`, flat names for what they hold in `tesuji.go.engine.parameters`.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import get_args

from tesuji.go.engine.human import HumanRank
from tesuji.go.engine.komi import Method
from tesuji.go.engine.network import evaluation_on, is_ready
from tesuji.go.engine.position_memory import PositionMemory, Remembered
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.game import STANDARD_SEARCH
from tesuji.go.knowledge.m_eval import MEval, MEvalSettings
from tesuji.go.knowledge.network import GoNetwork
from tesuji.go.knowledge.playouts import DEFAULT, PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.opening.evaluator import OpeningEvaluator
from tesuji.go.opening.player import OpeningPlayer, known_player
from tesuji.go.rules.board import Board
from tesuji.search import Evaluation, Grouping, Search, SearchConfig, VirtualVisits
from tesuji.search.frozen import Frozen

__all__ = ["MACHINE", "EngineConfig"]

MACHINE = ("threads", "memory_bytes", "parallel")
"""Fields of the search's config that say what it may use of the machine, not how it thinks."""


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
        needs onnxruntime; without it ``shipped`` plays as the default does, and says so once. ``shipped`` is in int8
        where the processor is made for that; ``shipped-float32`` and ``shipped-int8`` say which. On boards and at
        komis that it has not learnt (`GoNetwork.knows`) the engine plays as the default does, too.
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
    m_eval : MEvalSettings
        What masters' openings say of moves near the root, on 19x19; off unless its ``file`` says otherwise.
    seed : int or None
        Seed of the random stream; None draws one, which the analysis records.
    """

    simulations: int | None = 10_000
    seconds: float | None = None
    stops_early: bool = True
    lag_s: float = 0.1
    ponders: bool = False
    dynamic_komi: Method = "linear"
    search: SearchConfig = STANDARD_SEARCH
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
    m_eval: MEvalSettings = MEvalSettings()
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
        if self.m_eval.is_on and (
            not isinstance(self.search.prior, VirtualVisits) or self.network or self.opening_file
        ):
            raise ValueError(
                "m_eval adds to the virtual visits of the engine's own priors; use it with prior=virtual-visits,"
                " and without network and opening_file"
            )
        if self.seed is not None and not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is {self.seed}; it must lie in 0..2**64-1")

    def game_at(self, board: Board, m_eval: MEval | None = None) -> GoGame:
        """A position as the engine's search sees it; with the M-eval of an engine, or one of its own."""
        if m_eval is None:
            m_eval = self.new_m_eval()
        if m_eval is not None:
            m_eval.begin(board)
        return GoGame(board, self.playouts, self.priors, uses_symmetry=self.uses_symmetry, m_eval=m_eval)

    def new_m_eval(self) -> MEval | None:
        """M-eval at the beginning of a game, if it is on."""
        if not self.m_eval.is_on:
            return None
        assert isinstance(self.search.prior, VirtualVisits)
        return MEval(self.m_eval, self.search.prior.visits)

    @property
    def opening(self) -> OpeningPlayer | None:
        """The player of the opening, if there is one."""
        return None if self.opening_file is None else known_player(self.opening_file)

    def playable(self) -> EngineConfig:
        """The config itself, its network loaded; without onnxruntime, what plays in place of the shipped network.

        Raises
        ------
        ModelError
            For a file that is not a network; for one of the user's own without onnxruntime.
        """
        return self if self.network is None or is_ready(self.network) else self.without_network()

    def without_network(self) -> EngineConfig:
        """The same limits and manners, with the search of the default."""
        search = EngineConfig().search.replace(**{name: getattr(self.search, name) for name in MACHINE})
        return self.replace(network=None, human_rank=None, search=search, priors=PriorWeights())

    def search_at(self, board: Board, remembered: Remembered | None = None, m_eval: MEval | None = None) -> Search:
        """A new search of a position; it begins with the table of earlier games, if there is one.

        Where the network has learnt nothing (`GoNetwork.knows`) the search does without.
        """
        if self.network is not None and not GoNetwork.knows(board):
            return self.without_network().search_at(board, remembered)
        earlier = self.table_file if self.table_file is not None and Path(self.table_file).exists() else None
        playouts = None
        if remembered is not None:
            remembered.begin(board)
            playouts = remembered.playouts
        opening = self.opening
        if opening is None or not opening.is_opening(board) or self.opening_weight == 0:
            network = None if self.network is None else GoNetwork.load(self.network).evaluator(board.komi)
            is_plain = network is None or self.search.evaluation != Evaluation()
            return Search(
                self.game_at(board, m_eval),
                self.search if is_plain else self.search.replace(evaluation=evaluation_on(self.search.threads)),
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
