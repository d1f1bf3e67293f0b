"""The Go engine: a position in, a move or an analysis out. GTP, the demo and Python programs use this one object.

It is the search library over `core/go/game.hpp`: UCT with RAVE and light playouts, no knowledge of its own yet.
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
from tesuji.go.life import final_score, ownership
from tesuji.search import RAVE, UCB1, Search, SearchConfig, SearchResult

__all__ = ["Analysis", "Candidate", "Engine", "EngineConfig"]

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
    resign_below : float
        Resigns when its win rate falls below this, 0..1; 0: never.
    seed : int or None
        Of the random stream; None draws one, which the analysis records.
    """

    simulations: int | None = 10_000
    seconds: float | None = None
    search: SearchConfig = SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=1000.0), maturity=2)
    resign_below: float = 0.05
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


class Engine:
    """Plays and analyses; holds no position of its own.

    Parameters
    ----------
    config : EngineConfig, optional
        How it thinks.
    """

    def __init__(self, config: EngineConfig | None = None) -> None:
        self.config = config or EngineConfig()

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
        search = Search(board, config.search)
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
        turned = board.copy()
        if color is not None and turned.to_play != color:
            turned.to_play = Color(color)
        if turned.passes > 0 and final_score(turned).winner == turned.to_play:
            return turned.pass_move
        limits = {} if seconds is None else {"seconds": seconds, "simulations": self.config.simulations}
        analysis = self.analyse(turned, **limits)  # type: ignore[arg-type]  # keyword by keyword these are right
        if not analysis.moves or analysis.winrate < self.config.resign_below:
            return "resign" if analysis.moves else turned.pass_move
        return analysis.moves[0].move
