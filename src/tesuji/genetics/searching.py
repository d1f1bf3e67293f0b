"""Looks for panels with any of the algorithms, within a budget: anytime, on all threads.

What is found stays found at a limit, at Ctrl-C or when a caller says stop.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.genetics import statistics
from tesuji.genetics.algorithms import MCTS, Algorithm, Backward, Forward, GrQS, TopN, algorithm_named
from tesuji.genetics.problem import Problem

__all__ = ["FoundPanel", "PanelSearch", "find_panels"]

_REPORT_S = 0.1
_ORDERS = {"any": _native.Order.ANY, "increasing": _native.Order.INCREASING}


class FoundPanel(msgspec.Struct, frozen=True, kw_only=True):
    """A panel.

    Attributes
    ----------
    value : float
        By the objective, mean over the draws.
    candidates : tuple of int
        Places in the list of candidates, ascending.
    seconds : float
        After the beginning of the search.
    """

    value: float
    candidates: tuple[int, ...]
    seconds: float


class PanelSearch(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found, or has found so far.

    Attributes
    ----------
    panels : tuple of FoundPanel
        The best ones, best first, each set once.
    improvements : tuple of FoundPanel
        Every new best, in its order.
    evaluated : int
        Models that were judged.
    seconds, cpu_s : float
        How long it took, on the clock and of processors.
    is_optimal : bool
        Whether it is proved that no panel of the candidates is better.
    was_stopped : bool
        Whether it was interrupted.
    """

    panels: tuple[FoundPanel, ...]
    improvements: tuple[FoundPanel, ...]
    evaluated: int
    seconds: float
    cpu_s: float = 0.0
    is_optimal: bool = False
    was_stopped: bool = False

    @property
    def best(self) -> FoundPanel:
        """The best panel."""
        return self.panels[0]


class _Stop(Exception):  # noqa: N818 -- no error: the budget is spent
    """Nothing more is to be begun."""


class _Run:
    """One search: its budget, and what it found."""

    def __init__(
        self,
        problem: Problem,
        seconds: float | None,
        processor_s: float | None,
        evaluations: int | None,
        threads: int,
        seed: int,
        on_progress: Callable[[PanelSearch], bool | None] | None,
    ) -> None:
        self.problem, self.native = problem, problem.fresh()
        self.seconds, self.processor_s, self.evaluations = seconds, processor_s, evaluations
        self.threads, self.seed = threads, seed
        self._on_progress, self._next_report_s = on_progress, 0.2
        self._cpu_started = time.process_time()
        self.is_optimal = self.was_stopped = False
        self.elsewhere = 0  # models judged in problems made of this one

    def found(self) -> PanelSearch:
        return PanelSearch(
            panels=tuple(_panel(one) for one in self.native.best()),
            improvements=tuple(_panel(one) for one in self.native.improvements()),
            evaluated=self.evaluated,
            seconds=self.native.seconds,
            cpu_s=time.process_time() - self._cpu_started,
            is_optimal=self.is_optimal,
            was_stopped=self.was_stopped,
        )

    @property
    def evaluated(self) -> int:
        """Models judged so far."""
        return self.native.num_evaluated + self.elsewhere

    @property
    def left_s(self) -> float:
        """0 where there is no limit of time."""
        return 0.0 if self.seconds is None else max(1e-6, self.seconds - self.native.seconds)

    @property
    def left_evaluations(self) -> int:
        """0 where there is no such limit."""
        return 0 if self.evaluations is None else max(1, self.evaluations - self.evaluated)

    @property
    def is_spent(self) -> bool:
        return (
            self.was_stopped
            or (self.seconds is not None and self.native.seconds >= self.seconds)
            or self._is_used_up(1.0)
        )

    def _is_used_up(self, share: float) -> bool:
        """Whether so large a share of the evaluations or of the processor time is spent."""
        if self.evaluations is not None and self.evaluated >= share * self.evaluations:
            return True
        return self.processor_s is not None and time.process_time() - self._cpu_started >= share * self.processor_s

    def tell(self, share: float = 1.0) -> bool:
        """Report; False if the search, or its share of the budget, is to end."""
        if self._on_progress is not None and self._on_progress(self.found()) is False:
            self.was_stopped = True
        return not self.was_stopped and not self._is_used_up(share)

    def additions(self, model: Sequence[int]) -> Any:
        """The value of each candidate added to a model. Raises _Stop when the budget is spent."""
        if self.is_spent and self.native.best():
            raise _Stop
        if self.native.seconds >= self._next_report_s:
            self._next_report_s = self.native.seconds + 0.2
            if not self.tell() and self.native.best():
                raise _Stop
        return self.native.additions(list(model), self.threads)


def find_panels(
    problem: Problem,
    algorithm: str | Algorithm = "mcts",
    *,
    seconds: float | None = None,
    processor_s: float | None = None,
    evaluations: int | None = None,
    threads: int = 1,
    seed: int = 1,
    start: Sequence[Sequence[int]] = (),
    on_progress: Callable[[PanelSearch], bool | None] | None = None,
) -> PanelSearch:
    """Look for the best panel until a limit is reached, or the algorithm has nothing more to do.

    Ctrl-C ends it as well, and the result is the best so far.

    Parameters
    ----------
    problem
        What to find.
    algorithm
        A name of `ALGORITHMS`, or one of `MCTS`, `GrQS`, `TopN`, `Forward`, `Backward`.
    seconds, processor_s, evaluations
        Limits; algorithms that would go on for ever need one of them. Processor seconds are this process's: what to
        compare algorithms by on a busy machine.
    threads
        How many.
    seed
        Of the random stream; with one thread and a limit of evaluations it repeats the search.
    start
        Panels that are known already, as places among the candidates: nothing worse is returned.
    on_progress
        Called a few times a second; returning False ends the search.

    Raises
    ------
    ValueError
        For an unknown algorithm or limits that make no sense.
    """
    chosen = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError(f"seconds is {seconds!r}; it must be above 0 and finite")
    if evaluations is not None and evaluations < 1:
        raise ValueError(f"evaluations is {evaluations!r}; it must be 1 or more")
    if not 1 <= threads <= 256:
        raise ValueError(f"threads is {threads}; it must lie in 1..256")
    if processor_s is not None and not 0 < processor_s < float("inf"):
        raise ValueError(f"processor_s is {processor_s!r}; it must be above 0 and finite")
    if seconds is None and processor_s is None and evaluations is None and isinstance(chosen, MCTS | GrQS | Backward):
        raise ValueError(f"{type(chosen).__name__} goes on for ever; give it seconds or evaluations")
    run = _Run(problem, seconds, processor_s, evaluations, threads, seed, on_progress)
    if problem.size == len(problem.included):
        run.native.offer(problem.included)
        return run.found()
    for known in start:
        run.native.offer(list(known))
    try:
        _RUNNERS[type(chosen)](run, chosen)
    except KeyboardInterrupt:
        if not run.native.best():
            raise
        run.was_stopped = True
    except _Stop:
        pass
    if not run.native.best():
        raise ValueError(
            f"no panel of {problem.size} SNPs was finished: the limit was too small, or min_distance and max_r2 leave"
            " too few SNPs that go together"
        )
    return run.found()


def _panel(native: _native.BestPanel) -> FoundPanel:
    return FoundPanel(value=native.value, candidates=tuple(native.snps), seconds=native.seconds)


# --- the algorithms ---------------------------------------------------------------------------------------------------


def _run_mcts(run: _Run, mcts: MCTS) -> None:
    config = mcts.config(run.threads).native_for_one_player()
    if mcts.beam is not None:
        for seed in itertools.count(run.seed):
            _run_beam(run, mcts, _native.TreeSearch(run.native, _ORDERS[mcts.order], mcts.look, config, seed))
            if run.is_spent:
                return
    rework = min(mcts.rework, run.problem.size - len(run.problem.included) - 1)
    share = mcts.first_share if rework > 0 else 1.0
    search = _native.TreeSearch(run.native, _ORDERS[mcts.order], mcts.look, config, run.seed)
    search.run(simulations=0, seconds=share * run.left_s, progress=lambda: run.tell(share), report_s=_REPORT_S)
    run.is_optimal = search.found().is_optimal
    del search  # its memory
    if rework > 0 and not run.is_optimal and run.native.best():
        _rework(run, mcts, config, rework)


def _rework(run: _Run, mcts: MCTS, config: Any, rework: int) -> None:
    """Throw some SNPs of the best panel out and search for better ones beside those that stay.

    The candidates are ranked anew, by what each is worth beside those that stay, and the tree has the best of them:
    what is good by itself may say only what is known already.
    """
    rng = np.random.default_rng(run.seed)
    fixed = set(run.problem.included)
    best = _panel(run.native.best()[0])
    while not run.is_spent:
        free = [snp for snp in best.candidates if snp not in fixed]
        out = set(rng.choice(free, int(rng.integers(1, rework + 1)), replace=False).tolist())
        kept = [snp for snp in best.candidates if snp not in out]
        values = run.additions(kept)
        if len(out) == 1:  # one place: all candidates for it have been looked at
            if np.nanmax(values) > best.value:
                best = _panel(run.native.best()[0])
            continue
        pool, priors = _ranked_anew(values, mcts.rework_pool)
        if len(pool) < len(out):
            continue
        smaller = run.native.narrowed(kept, pool, priors)
        search = _native.TreeSearch(smaller, _ORDERS[mcts.order], mcts.look, config, int(rng.integers(2**62)))
        search.run(simulations=mcts.rework_simulations, seconds=run.left_s, progress=run.tell, report_s=_REPORT_S)
        run.elsewhere += smaller.num_evaluated
        if smaller.best() and smaller.best()[0].value >= best.value:
            found = list(smaller.best()[0].snps)
            run.native.offer(found)
            best = FoundPanel(value=smaller.best()[0].value, candidates=tuple(found), seconds=run.native.seconds)


def _ranked_anew(values: NDArray[np.float64], limit: int) -> tuple[list[int], list[float]]:
    """The candidates that make a model best, and their values scaled to 0..1."""
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")[:limit]
    order = order[~np.isnan(values[order])]
    if not len(order):
        return [], []
    top = values[order]
    span = float(top[0] - top[-1])
    return order.tolist(), (((top - top[-1]) / span) if span > 0 else np.full(len(top), 0.5)).tolist()


def _run_beam(run: _Run, mcts: MCTS, search: _native.TreeSearch) -> None:
    """From the root down, a depth at a time, until nothing is open any more (7.3.1; Baier and Winands 2012)."""
    depth = 1
    while not run.is_spent and not search.found().is_exhausted:
        missing = mcts.beam_simulations - search.num_walks_to(depth)
        if missing > 0:
            search.run(simulations=missing, seconds=run.left_s, progress=run.tell, report_s=_REPORT_S)
        else:
            assert mcts.beam is not None
            search.keep_most_visited(depth, mcts.beam)
            depth += 1


def _run_grqs(run: _Run, grqs: GrQS) -> None:
    search = _native.QueueSearch(run.native, list(grqs.slopes or ()), grqs.max_models)
    search.run(
        evaluations=run.left_evaluations,
        seconds=run.left_s,
        num_threads=run.threads,
        progress=run.tell,
        report_s=_REPORT_S,
    )
    run.is_optimal = search.is_exhausted and grqs.slopes is not None


def _run_topn(run: _Run, topn: TopN) -> None:
    counts = run.problem.candidates.counts
    scores = {
        "informativeness": statistics.informativeness(counts),
        "delta": statistics.delta(counts),
        "theta": statistics.theta_large_sample(counts),
    }
    for name, score in scores.items():
        if topn.statistic in (name, "best"):
            run.native.offer(_compatible(run.problem, np.argsort(-score, kind="stable").tolist()))


def _compatible(problem: Problem, order: Sequence[int]) -> list[int]:
    """The first SNPs in an order that may be in one panel."""
    barred: dict[int, set[int]] = {}
    for a, b in zip(*problem.pairs, strict=True):
        barred.setdefault(int(a), set()).add(int(b))
        barred.setdefault(int(b), set()).add(int(a))
    chosen = list(problem.included)
    for place in order:
        if len(chosen) == problem.size:
            break
        if place not in chosen and not barred.get(place, set()) & set(chosen):
            chosen.append(place)
    return chosen


def _run_forward(run: _Run, _: Forward) -> None:
    _extend(run, list(run.problem.included))


def _extend(run: _Run, model: list[int]) -> list[int]:
    """Add the best SNP until the panel is full, or nothing goes with it."""
    while len(model) < run.problem.size:
        values = run.additions(model)
        if np.isnan(values).all():
            break
        model.append(int(np.nanargmax(values)))
    return model


def _run_backward(run: _Run, backward: Backward) -> None:
    rng = np.random.default_rng(run.seed)
    best = _exchange(run, _extend(run, list(run.problem.included)))
    best_value = run.native.value(best)
    fixed = set(run.problem.included)
    while True:
        free = [snp for snp in best if snp not in fixed]
        if not free:
            return
        out = set(rng.choice(free, min(backward.thrown_out, len(free)), replace=False).tolist())
        kept = [snp for snp in best if snp not in out]
        # One of the best few, not always the best: else the panel would come back as it was.
        values = run.additions(kept)
        order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")[:20]
        kept.append(int(rng.choice([i for i in order if not np.isnan(values[i])])))
        model = _exchange(run, _extend(run, kept))
        value = run.native.value(model)
        if len(model) >= len(best) and value >= best_value:
            best, best_value = model, value


def _exchange(run: _Run, model: list[int]) -> list[int]:
    """Each SNP for the best other, until no exchange helps."""
    value = run.native.value(model)
    fixed = set(run.problem.included)
    since = 0
    while since < len(model):
        snp, rest = model[0], model[1:]
        if snp in fixed:
            model, since = [*rest, snp], since + 1
            continue
        values = run.additions(rest)
        place = int(np.nanargmax(values))
        if values[place] > value + 1e-9:
            model, value, since = [*rest, place], float(values[place]), 0
        else:
            model, since = [*rest, snp], since + 1
    return model


_RUNNERS: dict[type, Callable[[_Run, Any], None]] = {
    MCTS: _run_mcts,
    GrQS: _run_grqs,
    TopN: _run_topn,
    Forward: _run_forward,
    Backward: _run_backward,
}
