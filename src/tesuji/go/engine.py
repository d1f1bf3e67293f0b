"""The Go engine: a position in, a move or an analysis out. GTP, the demo and Python programs use this one object.

For now it is plain UCT with light playouts (`core/go/uct.hpp`); the search library takes that place.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.board import Board
from tesuji.go.color import Color
from tesuji.go.life import final_score

__all__ = ["Analysis", "Candidate", "Engine", "EngineConfig"]

_NO_SIMULATION_LIMIT = 2**31 - 1


class EngineConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How the engine thinks; vary it with ``msgspec.structs.replace``.

    Attributes
    ----------
    simulations : int or None
        Simulations per move; None: as many as the time allows.
    seconds : float or None
        Time limit per move; None: none.
    exploration : float
        C of UCB1, ``Q + C * sqrt(ln N / n)``.
    resign_below : float
        Resigns when its win rate falls below this, 0..1; 0: never.
    seed : int or None
        Of the random stream; None draws one, which the analysis records.
    """

    simulations: int | None = 10_000
    seconds: float | None = None
    exploration: float = 0.5
    resign_below: float = 0.05
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("the engine needs a limit; give simulations or seconds")
        if self.simulations is not None and not 1 <= self.simulations < 2**31:
            raise ValueError(f"simulations is {self.simulations}; it must lie in 1..{2**31 - 1}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds is {self.seconds}; it must be above 0")
        if not 0 <= self.exploration < float("inf"):
            raise ValueError(f"exploration is {self.exploration}; it must be 0 or a positive number")
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
        seed = secrets.randbits(63) if config.seed is None else config.seed
        start = time.perf_counter()

        def analysis(found: _native.UctAnalysis) -> Analysis:
            return Analysis(
                [Candidate(c.move, c.visits, c.winrate, c.main_line) for c in found.candidates],
                found.ownership.reshape(board.height, board.width),
                found.num_simulations,
                time.perf_counter() - start,
                seed,
            )

        found = _native.uct_search(
            board,
            config.simulations or _NO_SIMULATION_LIMIT,
            config.seconds or 0.0,
            config.exploration,
            board.komi,
            seed,
            None if on_progress is None else lambda so_far: on_progress(analysis(so_far)) is not False,
        )
        return analysis(found)

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
