"""The Go engine: a position in, a move or an analysis out. GTP, the demo and Python programs use this one object.

It is the search library over `core/go/game.hpp`: UCT with RAVE, playouts that follow rules (`tesuji.go.playouts`), and
priors (`tesuji.go.priors`). Named configs are in `tesuji.go.presets`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.board import Board
from tesuji.go.color import Color
from tesuji.go.knowledge import GoGame
from tesuji.go.life import final_score, ownership
from tesuji.go.playouts import DEFAULT, PlayoutPolicy
from tesuji.go.priors import PriorWeights
from tesuji.search import UCB1, MinimumMSE, Search, SearchConfig, SearchResult, VirtualVisits

__all__ = ["Analysis", "Candidate", "Choice", "Engine", "EngineConfig"]

_OWNERSHIP_PLAYOUTS = 400


class EngineConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How the engine thinks; vary it with ``msgspec.structs.replace``.

    Attributes
    ----------
    simulations : int or None
        Simulations per move; None: as many as the time allows.
    seconds : float or None
        Time limit per move; None: none.
    search : SearchConfig
        How the search works; its threads and memory are the engine's.
    playouts : PlayoutPolicy
        How playouts move.
    priors : PriorWeights or None
        What moves are worth before they are tried, if the search config has a ``prior``.
    resign_below : float
        Resigns when its win rate falls below this, 0..1; 0: never.
    keeps_graph : bool
        Whether `genmove` goes on from what it knew before the last moves; `analyse` always begins anew.
    seed : int or None
        Of the random stream; None draws one, which the analysis records.
    """

    simulations: int | None = 10_000
    seconds: float | None = None
    search: SearchConfig = SearchConfig(
        selection=UCB1(c=0.0), amaf=MinimumMSE(), prior=VirtualVisits(visits=40.0), maturity=2
    )
    playouts: PlayoutPolicy = DEFAULT
    priors: PriorWeights | None = PriorWeights()
    resign_below: float = 0.05
    keeps_graph: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("the engine needs a limit; give simulations or seconds")
        if self.simulations is not None and not 1 <= self.simulations < 2**31:
            raise ValueError(f"simulations is {self.simulations}; it must lie in 1..{2**31 - 1}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds is {self.seconds}; it must be above 0")
        if not 0 <= self.resign_below <= 1:
            raise ValueError(f"resign_below is {self.resign_below}; it must lie in 0..1")
        if self.search.prior is not None and self.priors is None:
            raise ValueError("the search config has a prior but the engine has no prior weights; give priors")
        if self.seed is not None and not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is {self.seed}; it must lie in 0..2**64-1")


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
    """

    move: int
    visits: int
    winrate: float
    pv: list[int]


class Analysis(msgspec.Struct, frozen=True):
    """What a search found.

    Attributes
    ----------
    moves : list of Candidate
        Most visited first.
    ownership : float64 array of shape (height, width)
        From -1 (white's) to 1 (black's).
    simulations : int
        How many were run.
    seconds : float
        How long they took.
    seed : int
        What repeats the search.
    """

    moves: list[Candidate]
    ownership: NDArray[np.float64]
    simulations: int
    seconds: float
    seed: int

    @property
    def winrate(self) -> float:
        """Of the side to move, 0..1: the best move's."""
        return self.moves[0].winrate if self.moves else 0.5


class Choice(msgspec.Struct, frozen=True):
    """A move, and what the engine expects of it.

    Attributes
    ----------
    move : int or "resign"
        A point or pass.
    winrate : float or None
        For the side that moves, 0..1; None where nothing was searched.
    """

    move: int | Literal["resign"]
    winrate: float | None = None


class _Kept(msgspec.Struct, frozen=True):
    """A search that `genmove` may go on with, and the game up to the position it knows."""

    search: Search
    board: Board

    def advanced_to(self, board: Board) -> Search | None:
        """The search at a later position of the same game; None if it is another game or no later position."""
        before, now = self.board, board.moves
        known = before.moves
        same = (before.start, before.rules, before.komi) == (board.start, board.rules, board.komi)
        if not same or len(now) <= len(known) or now[: len(known)] != known:
            return None
        color = before.to_play
        for mover, move in now[len(known) :]:
            if mover != color or before.is_over:
                return None
            self.search.advance(move)
            before.play(move)
            color = before.to_play
        return self.search if before.to_play == board.to_play and not before.is_over else None


class Engine:
    """Plays and analyses. It is told the position each time; `genmove` remembers the last search, nothing else.

    Parameters
    ----------
    config : EngineConfig, optional
        How it thinks.
    """

    def __init__(self, config: EngineConfig | None = None) -> None:
        self.config = config or EngineConfig()
        self._kept: _Kept | None = None

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
    ) -> Analysis:
        """Search a position for the side to move.

        Parameters
        ----------
        board : Board
            Left unchanged.
        simulations, seconds : optional
            Replace the limits of the config; if only one is given, it is the only limit.
        on_progress : callable, optional
            Called a few times a second with the analysis so far; returning False ends the search.
        """
        config = self.config
        if simulations is not None or seconds is not None:
            config = msgspec.structs.replace(config, simulations=simulations, seconds=seconds)
        search = Search(GoGame(board, config.playouts, config.priors), config.search)
        start = time.perf_counter()

        def analysis(found: SearchResult, owners: NDArray[np.float64]) -> Analysis:
            order = np.argsort(-found.visits.astype(np.int64), kind="stable")
            moves = [
                Candidate(int(found.moves[i]), int(found.visits[i]), float(found.values[i]), found.lines[i])
                for i in order
                if found.visits[i] > 0
            ]
            return Analysis(moves, owners, found.simulations, time.perf_counter() - start, found.seed)

        owners = ownership(board, _OWNERSHIP_PLAYOUTS, seed=1)
        found = search.run(
            simulations=config.simulations,
            seconds=config.seconds,
            seed=config.seed,
            on_progress=None if on_progress is None else lambda so_far: on_progress(analysis(so_far, owners)),
        )
        return analysis(found, owners)

    def genmove(
        self, board: Board, color: int | None = None, *, seconds: float | None = None
    ) -> int | Literal["resign"]:
        """Choose a move for a colour (the side to move if none is given); plays nothing.

        It passes after a pass if that wins, and resigns below the config's limit.
        """
        return self.choose(board, color, seconds=seconds).move

    def choose(self, board: Board, color: int | None = None, *, seconds: float | None = None) -> Choice:
        """The same as `genmove`, with the win rate that the search found; it estimates no ownership."""
        turned = board.copy()
        if color is not None and turned.to_play != color:
            turned.to_play = Color(color)
        if turned.passes > 0 and final_score(turned).winner == turned.to_play:
            return Choice(turned.pass_move)
        config = self.config
        limit_s = config.seconds if seconds is None else seconds
        search = self._search_at(turned)
        found = search.run(simulations=config.simulations, seconds=limit_s, seed=config.seed)
        if not found.visits.any():
            return Choice(turned.pass_move)
        winrate = float(found.values[found.moves == found.best_move][0])
        return Choice("resign" if winrate < config.resign_below else found.best_move, winrate)

    def _search_at(self, board: Board) -> Search:
        """A search of a position: the one before the last moves, advanced, or a new one."""
        config, search = self.config, None
        if config.keeps_graph and self._kept is not None:
            search = self._kept.advanced_to(board)
        if search is None:
            search = Search(GoGame(board, config.playouts, config.priors), config.search)
        self._kept = _Kept(search, board.copy())
        return search
