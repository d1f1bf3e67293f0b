"""The best solution for one player, by any of the strategies, within a budget.

>>> from tesuji.games import SameGame
>>> solved = solve(SameGame.random(5, 5, 3, seed=1), strategy="nested", simulations=2_000, seed=1)
>>> solved.best_solution.value > 0, len(solved.best_solution.moves) > 0
(True, True)

A `Search` is one graph and its statistics; this is for those who want the solution.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec

from tesuji._core import search as _native
from tesuji.games.protocol import OnePlayerGame, check_members
from tesuji.provenance import Provenance, collect
from tesuji.search.searcher import check_limits, checked_seed, is_for_one, make_for_one
from tesuji.search.solution import Improvement, Solution
from tesuji.search.strategies import NRPA, Beam, Nested, Orders, Plain, Restarts, Strategy, strategy_named

__all__ = ["Solved", "solve"]


class Solved(msgspec.Struct, frozen=True, kw_only=True):
    """What `solve` found, or has found so far.

    Attributes
    ----------
    best_solution : Solution or None
        None only before the first simulation.
    is_optimal : bool
        Whether it is proved that no solution is better.
    improvements : tuple of Improvement
        Every new best value with its time: the anytime curve.
    simulations : int
        How many were run, of all searches together.
    seconds : float
        How long it took.
    strategy : Strategy
        Who looked.
    seed : int
        What repeats it, with one thread and a limit of simulations.
    provenance : Provenance or None
        Strategy, seed, version, commit, machine, time; None while it is still running.
    """

    best_solution: Solution | None
    is_optimal: bool
    improvements: tuple[Improvement, ...]
    simulations: int
    seconds: float
    strategy: Strategy
    seed: int
    provenance: Provenance | None = None

    def __repr__(self) -> str:
        if self.best_solution is None:
            return "<Solved: nothing yet>"
        proof = ", optimal" if self.is_optimal else ""
        return (
            f"<Solved: {self.best_solution.value:g} in {len(self.best_solution.moves)} moves{proof}, by"
            f" {type(self.strategy).__name__} with {self.simulations:,} simulations in {self.seconds:.2f} s>"
        )

    def value_at(self, seconds: float) -> float | None:
        """The best value after so many seconds; None if there was none yet."""
        return next((one.value for one in reversed(self.improvements) if one.seconds <= seconds), None)


def solve(
    game: OnePlayerGame,
    *,
    strategy: str | Strategy = "plain",
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int | None = None,
    on_progress: Callable[[Solved], bool | None] | None = None,
    report_s: float = 0.2,
) -> Solved:
    """Look for the best solution until a limit is reached or the optimum is proved.

    Ctrl-C ends it as well, and the result is the best so far.

    Parameters
    ----------
    game : OnePlayerGame
        A native game of one player or any object with such methods; left unchanged.
    strategy : str or Strategy
        ``"plain"``, ``"nested"``, ``"beam"``, ``"restarts"``, ``"nrpa"``, ``"orders"``, or one of these with values of
        its own, such as ``Nested(level=3)``.
    seconds, simulations : optional
        Limits; at least one must be given.
    seed : int, optional
        Of the random stream; drawn and recorded if not given.
    on_progress : callable, optional
        Called with what is found so far; returning False ends the search.
    report_s : float
        Seconds between two such calls.

    Raises
    ------
    ValueError
        For a game of two players, an unknown strategy, limits that are missing or not positive, a value that is not a
        finite number, a game that never ends.
    """
    if not is_for_one(game):
        raise ValueError(
            f"{type(game).__name__} has no goal, so it is not for one player; give it goal = 'maximise' or 'minimise',"
            " or use Search"
        )
    check_members(game)
    check_limits(simulations=simulations, seconds=seconds, nodes=None)
    chosen = strategy_named(strategy) if isinstance(strategy, str) else strategy
    if type(chosen) not in _RUNNERS:
        kinds = ", ".join(kind.__name__ for kind in _RUNNERS)
        raise TypeError(f"strategy is {strategy!r}; it must be a name or one of {kinds}")
    if not 0 < report_s < float("inf"):
        raise ValueError(f"report_s is {report_s!r}; it must be above 0 and finite")
    own_seed = checked_seed(seed)
    empty = Solved(
        best_solution=None,
        is_optimal=False,
        improvements=(),
        simulations=0,
        seconds=0.0,
        strategy=chosen,
        seed=own_seed,
    )
    cpu_started = time.process_time()
    ledger = _Ledger(game.goal, empty, (simulations, seconds), on_progress, report_s)
    solved = _whole(game, empty) if game.is_over else _run_to_the_end(game.copy(), ledger)
    times = {"wall_time_s": ledger.elapsed_s(), "cpu_time_s": time.process_time() - cpu_started}
    return msgspec.structs.replace(
        solved, seconds=times["wall_time_s"], provenance=collect(seed=own_seed, config=chosen, **times)
    )


def _whole(game: OnePlayerGame, empty: Solved) -> Solved:
    """Of a game that is over before it begins: its one solution has no move."""
    value = game.value
    return msgspec.structs.replace(
        empty, best_solution=Solution(value, ()), is_optimal=True, improvements=(Improvement(0.0, 0, value),)
    )


def _run_to_the_end(game: OnePlayerGame, ledger: _Ledger) -> Solved:
    strategy = ledger.so_far.strategy
    try:
        _RUNNERS[type(strategy)](game, strategy, ledger)
    except KeyboardInterrupt:
        if ledger.so_far.best_solution is None:
            raise
    return ledger.so_far


class _NativeSearch(Protocol):
    """A native search of either kind."""

    def run(
        self, *, simulations: int, seconds: float, progress: Callable[[], bool] | None, report_s: float
    ) -> None: ...

    def found(self) -> _native.Found: ...


class _Ledger:
    """The budget, and what all searches of one call found together."""

    def __init__(
        self,
        goal: str,
        empty: Solved,
        limits: tuple[int | None, float | None],
        on_progress: Callable[[Solved], bool | None] | None,
        report_s: float,
    ) -> None:
        self.so_far = empty
        self._sign = -1.0 if goal == "minimise" else 1.0
        self._limit, self._limit_s = limits
        self._on_progress, self._report_s = on_progress, report_s
        self._started = time.perf_counter()
        self._is_stopped = False

    @property
    def is_spent(self) -> bool:
        """Whether to begin nothing more."""
        return (
            self._is_stopped
            or self.so_far.is_optimal
            or (self._limit is not None and self.so_far.simulations >= self._limit)
            or (self._limit_s is not None and self.elapsed_s() >= self._limit_s)
        )

    def elapsed_s(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self._started

    def seeds(self) -> Iterator[int]:
        """One for each search, the first being the caller's."""
        draw = random.Random(self.so_far.seed)
        yield self.so_far.seed
        while True:
            yield draw.getrandbits(63)

    def run(self, search: _NativeSearch, simulations: int | None = None) -> _native.Found:
        """Run a native search for so many simulations, or to the end of the budget if that comes first."""
        before, begun_s = self.so_far, self.elapsed_s()
        left = None if self._limit is None else self._limit - before.simulations
        limits = [number for number in (simulations, left) if number is not None]

        def progress() -> bool:
            self.so_far = self._with(before, search.found(), begun_s)
            if self._on_progress is not None and self._on_progress(self.so_far) is False:
                self._is_stopped = True
            return not self._is_stopped

        try:
            search.run(
                simulations=min(limits, default=0),  # 0: no such limit
                seconds=0.0 if self._limit_s is None else max(1e-6, self._limit_s - begun_s),
                progress=progress,
                report_s=self._report_s,
            )
        finally:
            found = search.found()
            self.so_far = self._with(before, found, begun_s)
        return found

    def _with(self, before: Solved, found: _native.Found, begun_s: float) -> Solved:
        """What is known when a run is added to all before it; the run itself knows nothing of them."""
        improvements = list(before.improvements)
        for one in found.improvements:
            if not improvements or self._sign * one.value > self._sign * improvements[-1].value:
                at = Improvement(begun_s + one.seconds, before.simulations + one.simulations, one.value)
                improvements.append(at)
        is_news = len(improvements) > len(before.improvements) and found.best is not None
        return msgspec.structs.replace(
            before,
            best_solution=Solution.of(found.best) if is_news and found.best is not None else before.best_solution,
            is_optimal=found.is_optimal,
            improvements=tuple(improvements),
            simulations=before.simulations + found.simulations,
            seconds=self.elapsed_s(),
        )


# --- the strategies ---------------------------------------------------------------------------------------------------


def _run_plain(game: Any, strategy: Plain, ledger: _Ledger) -> None:
    ledger.run(make_for_one(game, strategy.config, ledger.so_far.seed))


def _run_nested(game: Any, strategy: Nested, ledger: _Ledger) -> None:
    make: Callable[..., _NativeSearch] = getattr(type(game), "make_nested", _native.make_nested_for_object)
    ledger.run(make(game, strategy.level, strategy.threads, ledger.so_far.seed))


def _run_nrpa(game: Any, strategy: NRPA, ledger: _Ledger) -> None:
    make: Callable[..., _NativeSearch] = getattr(type(game), "make_nrpa", _native.make_nrpa_for_object)
    bias = strategy.bias if _may_have_priors(game) else 0.0
    config = _native.NrpaConfig(strategy.level, strategy.iterations, strategy.alpha, bias)
    ledger.run(make(game, config, strategy.threads, ledger.so_far.seed))


def _run_orders(game: Any, strategy: Orders, ledger: _Ledger) -> None:
    for move in strategy.begin_with:
        _check_move(move, game.num_distinct_moves)
    make: Callable[..., _NativeSearch] = getattr(type(game), "make_orders", _native.make_orders_for_object)
    begin_with, by_fit = list(strategy.begin_with), _may_have_priors(game)
    ledger.run(make(game, strategy.patience, strategy.threads, ledger.so_far.seed, begin_with, by_fit))


def _may_have_priors(game: Any) -> bool:
    """A native game is known to the core; an object has them if it has the method."""
    return hasattr(type(game), "make_orders") or hasattr(game, "priors")


def _check_move(move: int, num_moves: int) -> None:
    if not 0 <= move < num_moves:
        raise ValueError(f"begin_with has move {move}; the game's moves are 0 to {num_moves - 1}")


def _run_restarts(game: Any, strategy: Restarts, ledger: _Ledger) -> None:
    for seed in ledger.seeds():
        ledger.run(make_for_one(game, strategy.config, seed), strategy.simulations)
        if ledger.is_spent:
            return


def _run_beam(game: Any, strategy: Beam, ledger: _Ledger) -> None:
    for seed in ledger.seeds():
        _run_one_beam(make_for_one(game, strategy.config, seed), strategy, ledger)
        if ledger.is_spent:
            return


def _run_one_beam(search: _native.Search, strategy: Beam, ledger: _Ledger) -> None:
    """From the root down, a depth at a time, until nothing is open any more."""
    depth = 1
    while not ledger.is_spent and not search.found().is_exhausted:
        missing = strategy.level_simulations - search.num_walks_to(depth)
        if missing > 0:
            ledger.run(search, missing)
        else:
            search.keep_most_visited(depth, strategy.width)
            depth += 1


_RUNNERS: dict[type, Callable[[Any, Any, _Ledger], None]] = {
    Plain: _run_plain,
    Nested: _run_nested,
    Beam: _run_beam,
    Restarts: _run_restarts,
    NRPA: _run_nrpa,
    Orders: _run_orders,
}
