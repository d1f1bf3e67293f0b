"""When to stop thinking about a move, and thinking while the opponent does.

A search runs in slices, and between two of them `Thinking` asks whether more would help: not when the best move cannot
be caught any more, and longer when it is not clear which one is best (docs/algorithms/time-control.md). How much time
there is comes from `tesuji.go.engine.clock`; what is searched is not known here. `Pondering` is a search on its own
thread.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable

import msgspec
import numpy as np

from tesuji.search import Search, SearchResult

__all__ = ["Limits", "Pondering", "Thinking"]

_SLICES = 16  # a search is looked at so often at most, and ends so much of its budget too late at most
_FIRST_SIMULATIONS, _FIRST_S = 256, 0.05  # then comes the first look: there may be one move only
_RIVAL_SHARE = 0.1  # a move with fewer visits than this share of the best's is not a rival to it
_LATELY = 0.25  # of the time so far
_SPEED_MARGIN = 1.2  # simulations may come faster than they did so far
_LEAST_SLICE_S = 0.001
_PONDER_LIMIT_S = 600.0
_STOP_INTERVAL_S = 0.002


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """When a search must end.

    Attributes
    ----------
    simulations : int or None
        So many new ones at most.
    normal_s, maximum_s : float or None
        Seconds for a move that is clear, and for one that is not.
    stops_early : bool
        Whether it also ends when nothing can change any more.
    """

    simulations: int | None = None
    normal_s: float | None = None
    maximum_s: float | None = None
    stops_early: bool = True


class Thinking:
    """One search for one move.

    Parameters
    ----------
    search : Search
        May know something already.
    limits : Limits
        When it must end.
    began_s : float, optional
        When the clock started, by ``time.perf_counter``; now, if not given.
    """

    def __init__(self, search: Search, limits: Limits, began_s: float | None = None) -> None:
        self._search, self._limits = search, limits
        self._began_s = time.perf_counter() if began_s is None else began_s
        self._stopping = threading.Event()
        self._simulations = 0  # run so far, and the seconds that they took
        self._searched_s = 0.0
        self._best: int | None = None
        self._changed_s = 0.0
        # A proof or another rule for the final move may still overturn the most visited move.
        follows_visits = search.config.final_move == "most-visits" and not search.config.solver
        self._may_settle = limits.stops_early and follows_visits

    @property
    def simulations(self) -> int:
        """How many were run so far."""
        return self._simulations

    def run(
        self,
        seed: int | None = None,
        on_progress: Callable[[SearchResult, int], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> SearchResult:
        """Think; the result has at least one visit.

        Parameters
        ----------
        seed : int, optional
            If the search has not run yet.
        on_progress : callable, optional
            Called with the result so far and the simulations for this move; returning False ends the search.
        report_s : float
            Seconds between two such calls, or a little more.
        """
        reported_s = time.perf_counter()

        def goes_on(so_far: SearchResult, simulations: int) -> bool:
            nonlocal reported_s
            reported_s = time.perf_counter()
            if on_progress is not None and on_progress(so_far, simulations) is False:
                self._stopping.set()
            return not self._stopping.is_set()

        found: SearchResult | None = None
        while True:
            lead = None if found is None else _lead(found)
            simulations, seconds = self._next_simulations(lead), self._next_seconds(lead)
            found = self._search.run(
                simulations=simulations,
                seconds=seconds,
                seed=seed,
                on_progress=lambda so_far: goes_on(so_far, self._simulations + so_far.simulations),
                report_s=report_s,
            )
            self._note(found)
            if time.perf_counter() - reported_s >= report_s:  # a slice may be shorter than the interval
                goes_on(found, self._simulations)
            is_interrupted = not _is_spent(found, simulations, seconds)
            if is_interrupted or self._stopping.is_set() or self._is_over(found):
                return found if found.visits.any() else self._search.run(simulations=1)

    def stop(self) -> None:
        """End it from any thread."""
        self._stopping.set()
        self._search.stop()

    # When to look, and what for -------------------------------------------------------------------------------------

    def _next_simulations(self, lead: int | None) -> int | None:
        """Simulations until the next look: the lead cannot be safe before; None without such a limit."""
        left, total = self._simulations_left(), self._limits.simulations
        if left is None or total is None or not self._may_settle:
            return left
        if lead is None:
            return max(1, min(total // _SLICES, _FIRST_SIMULATIONS))
        return min(left, max((left - lead) // 2 + 1, total // _SLICES))

    def _next_seconds(self, lead: int | None) -> float | None:
        """Seconds until the next look, likewise."""
        normal_s = self._limits.normal_s
        if normal_s is None:
            return None
        is_in_normal = self._elapsed_s() < normal_s
        left_s = self._seconds_left(is_clear=is_in_normal) or 0.0
        if lead is None:
            next_s = min(normal_s / _SLICES, _FIRST_S)
        elif not is_in_normal:
            next_s = normal_s * _LATELY
        else:
            soonest_s = (left_s - lead / self._speed()) / 2
            next_s = max(normal_s / _SLICES, soonest_s) if self._may_settle else left_s
        return max(_LEAST_SLICE_S, min(next_s, left_s))

    def _is_over(self, found: SearchResult) -> bool:
        if found.proof or len(found.moves) <= 1 or self._simulations_left() == 0:
            return True
        is_clear = self._is_clear(found)
        seconds = self._seconds_left(is_clear=is_clear)
        if seconds is not None and seconds <= _LEAST_SLICE_S:
            return True
        return self._may_settle and _lead(found) > self._still_possible(seconds)

    def _still_possible(self, seconds: float | None) -> float:
        """How many simulations may still come."""
        by_number = self._simulations_left()
        by_time = None if seconds is None else _SPEED_MARGIN * self._speed() * seconds
        visits = self._search.config.evaluation.visits  # that one simulation may count
        return visits * min(limit for limit in (by_number, by_time) if limit is not None)

    def _is_clear(self, found: SearchResult) -> bool:
        """Whether the most visited move is also the best valued of its rivals, and has been for a while."""
        visits = found.visits.astype(np.int64)
        values = np.where(visits >= _RIVAL_SHARE * visits.max(), found.values, -1.0)
        is_best_valued = values[int(visits.argmax())] >= values.max()
        return bool(is_best_valued) and self._elapsed_s() - self._changed_s > _LATELY * self._elapsed_s()

    # The books ------------------------------------------------------------------------------------------------------

    def _note(self, found: SearchResult) -> None:
        self._simulations += found.simulations
        self._searched_s += found.seconds
        best = int(found.moves[int(found.visits.argmax())]) if len(found.moves) else None
        if best != self._best:
            self._changed_s = self._elapsed_s() if self._best is not None else 0.0
            self._best = best

    def _elapsed_s(self) -> float:
        return time.perf_counter() - self._began_s

    def _speed(self) -> float:
        """Simulations per second so far."""
        return max(1.0, self._simulations / max(self._searched_s, 1e-6))

    def _simulations_left(self) -> int | None:
        return None if self._limits.simulations is None else max(0, self._limits.simulations - self._simulations)

    def _seconds_left(self, *, is_clear: bool) -> float | None:
        limit_s = self._limits.normal_s if is_clear else self._limits.maximum_s
        return None if limit_s is None else max(0.0, limit_s - self._elapsed_s())


class Pondering:
    """A search that goes on in the background until it is stopped, ten minutes at most.

    Parameters
    ----------
    search : Search
        Nobody else may use it until `stop` has returned.
    seed : int, optional
        If the search has not run yet.
    """

    def __init__(self, search: Search, seed: int | None = None) -> None:
        self._search = search
        self._thread = threading.Thread(
            target=lambda: search.run(seconds=_PONDER_LIMIT_S, seed=seed), name="tesuji-pondering", daemon=True
        )
        self._thread.start()
        atexit.register(self.stop)  # a search that outlives the interpreter takes the process down

    def stop(self) -> None:
        """End it, and wait for the end: a few milliseconds."""
        atexit.unregister(self.stop)
        while self._thread.is_alive():
            self._search.stop()  # again and again: a run that is only just beginning forgets it
            self._thread.join(_STOP_INTERVAL_S)


def _lead(found: SearchResult) -> int:
    """By how many visits the first is ahead of the second."""
    visits = np.sort(found.visits.astype(np.int64))
    return int(visits[-1] - visits[-2]) if len(visits) > 1 else 0


def _is_spent(found: SearchResult, simulations: int | None, seconds: float | None) -> bool:
    """Whether a run ended by itself, and not by Ctrl-C or `stop`."""
    by_number = simulations is not None and found.simulations >= simulations
    by_time = seconds is not None and found.seconds >= 0.999 * seconds
    return by_number or by_time or bool(found.proof)
