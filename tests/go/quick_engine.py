"""An engine that answers at once, for tests of GTP and for fuzzing it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec
import numpy as np

from tesuji.go.engine import Analysis, Candidate, Choice, EngineConfig
from tesuji.go.engine.clock import Clock
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

CONFIG = EngineConfig(simulations=8, seed=1)
HOUR_S = 3600.0


class QuickEngine:
    """Takes the first legal point, and finds it good.

    Parameters
    ----------
    is_patient : bool
        Whether an analysis with hours of time goes on until it is stopped, one simulation a millisecond.
    winrate : float
        What it thinks of every position.

    Attributes
    ----------
    stops : int
        How often it was stopped.
    limits : list of (int or None, float or None)
        Simulations and seconds of the analyses it was asked for.
    clocks : list of Clock or None
        Of the moves it was asked for.
    """

    def __init__(self, *, is_patient: bool = False, winrate: float = 0.75) -> None:
        self.config = CONFIG
        self.is_patient, self.winrate = is_patient, winrate
        self.stops = 0
        self.limits: list[tuple[int | None, float | None]] = []
        self.clocks: list[Clock | None] = []
        self.has_begun = threading.Event()
        self._is_stopped = threading.Event()

    def genmove(self, board: Board, color: int | None = None, **_: Clock | None) -> int:
        """The first legal point."""
        return int(board.legal_moves(color)[0])

    def choose(
        self,
        board: Board,
        color: int | None = None,
        *,
        clock: Clock | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Choice:
        """The same, with two reports where it is watched."""
        del report_s
        self.clocks.append(clock)
        turned = board.copy()
        if color is not None and color != board.color_to_play:
            turned.color_to_play = Color(color)
        if turned.is_over:
            return Choice(turned.pass_move)
        best = self.found(turned, 2).moves[0]
        choice = Choice(best.move, best.winrate, board.komi, best.visits, 3, best.pv)
        if self.winrate < self.config.resign_below:
            choice = msgspec.structs.replace(choice, move="resign")
        if on_progress is None:
            return choice
        on_progress(self.found(turned, 1))
        return msgspec.structs.replace(choice, analysis=self.found(turned, 2))

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Analysis:
        """What it finds, reported once on the way; a patient one reports until it is stopped."""
        self.limits.append((simulations, seconds))
        self._is_stopped.clear()
        self.has_begun.set()
        visits, next_report_s = 1, time.monotonic()
        while on_progress is not None:
            if time.monotonic() >= next_report_s:
                next_report_s += report_s
                if on_progress(self.found(board, visits)) is False:
                    break
            if not (self.is_patient and (seconds or 0) > HOUR_S) or self._is_stopped.wait(0.001):
                break
            visits += 1
        return self.found(board, visits + 1)

    def stop(self) -> None:
        """End a patient analysis."""
        self.stops += 1
        self._is_stopped.set()

    def ponder(self, board: Board) -> None:
        """It does not."""

    def stop_pondering(self) -> None:
        """It never does."""

    def found(self, board: Board, visits: int) -> Analysis:
        """Two moves, black owning the top and white the bottom."""
        first, last = int(board.legal_moves(board.color_to_play)[0]), board.pass_move
        moves = [
            Candidate(first, visits, self.winrate, [first, last], 1.0, 0.5),
            Candidate(last, 1, self.winrate / 2, [last], 0.25, None),
        ]
        owners = np.linspace(1.0, -1.0, board.num_points).reshape(board.height, board.width)
        return Analysis(moves[: 2 if first != last else 1], owners, np.abs(owners), visits + 1, 0.01, 1)
