"""An engine that answers at once, for tests of the analysis protocol and for fuzzing it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec
import numpy as np

from tesuji.go.analysis import AnalysisServer, Settings
from tesuji.go.engine import Analysis, Candidate, EngineConfig
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.go.rules.board import Board

CONFIG = ENGINE_PRESETS["uct"]
_GRIDS: dict[tuple[int, int], np.ndarray] = {}


class QuickAnalyst:
    """Finds the first legal move good and passing bad, without a thought.

    Attributes
    ----------
    boards : list of Board
        What it was asked about, if it remembers.
    limits : list of (int or None, float or None)
        Simulations and seconds that it was given.
    """

    def __init__(self, config: EngineConfig = CONFIG, *, remembers: bool = True) -> None:
        self.config = config
        self.remembers = remembers
        self.boards: list[Board] = []
        self.limits: list[tuple[int | None, float | None]] = []

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        **_: object,
    ) -> Analysis:
        """Answer."""
        if self.remembers:
            self.boards.append(board.copy())
            self.limits.append((simulations, seconds))
        return found_at(board, (simulations if self.remembers else None) or 1)

    def stop(self) -> None:
        """There is nothing to stop."""


class PatientAnalyst(QuickAnalyst):
    """Reports until it is stopped, told so, or released."""

    def __init__(self, config: EngineConfig = CONFIG) -> None:
        super().__init__(config)
        self.has_begun = threading.Event()
        self.is_released = threading.Event()
        self._is_stopped = threading.Event()
        self.tries = 0

    def analyse(
        self,
        board: Board,
        *,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        **_: object,
    ) -> Analysis:
        """Report every millisecond."""
        self._is_stopped.clear()
        self.boards.append(board.copy())
        self.has_begun.set()
        visits = 0
        while not self._is_stopped.is_set() and not self.is_released.wait(0.001):
            visits += 1
            self.tries += 1
            if on_progress is not None and on_progress(found_at(board, visits)) is False:
                break
        return found_at(board, visits if self._is_stopped.is_set() else max(1, visits))

    def stop(self) -> None:
        """End it."""
        self._is_stopped.set()


def found_at(board: Board, visits: int) -> Analysis:
    """What it finds: nothing without a visit."""
    shape = board.height, board.width
    if shape not in _GRIDS:
        _GRIDS[shape] = np.linspace(-1.0, 1.0, board.num_points).reshape(shape)
    owners = _GRIDS[shape]
    first, last = int(board.legal_moves(board.color_to_play)[0]), board.pass_move
    moves = [Candidate(first, visits - visits // 4, 0.75, [first, last]), Candidate(last, visits // 4, 0.25, [last])]
    return Analysis([move for move in moves if move.visits > 0], owners, owners, visits, 0.0, 1)


def make_server(analyst: QuickAnalyst | None = None, **settings: object) -> AnalysisServer:
    """A server with one analyst and the settings of its config, or others."""
    analyst = analyst or QuickAnalyst()
    return AnalysisServer(
        [analyst], msgspec.structs.replace(Settings.of(analyst.config), **settings), version="1.2", commit="abc"
    )
