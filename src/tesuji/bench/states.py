"""How fast win/loss states are beside records of wins and visits, and what they take.

Loops compiled by Numba over random elements of one table: updates, and the question whether an element is above 1/2.
Of records it is asked in two ways: by the Agresti-Coull bound, which is what a state answers, and by the bare rate,
which takes one win of one for as good as a hundred of a hundred. All take turns in one process, timed by the
processor's clock; a figure is the best of its rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tesuji.bench.search import rates
from tesuji.learning import WinLossStates
from tesuji.provenance import Provenance, collect
from tesuji.words import how_to_install

__all__ = ["QUICK", "THOROUGH", "Effort", "StatesReport", "StatesRow", "measure_states", "num_steps", "to_text"]

_SEED = 1
_RECORD_BYTES = 8  # wins and visits, 32 bits each


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How long to measure, and on how much."""

    sizes: tuple[int, ...]
    """Elements of the tables: one that any cache holds, one that none does."""
    accesses: int
    rounds: int
    least_s: float


THOROUGH = Effort(sizes=(1_000, 1_000_000, 26_000_000), accesses=1_000_000, rounds=9, least_s=0.05)
QUICK = Effort(sizes=(1_000, 1_000_000), accesses=200_000, rounds=3, least_s=0.01)


class StatesRow(msgspec.Struct, frozen=True, kw_only=True):
    """One operation on tables of one size; millions a second of processor time."""

    operation: str
    size: int
    states: float
    records: float
    bare: float | None = None
    """The question by the bare rate."""

    @property
    def ratio(self) -> float:
        """How many times as fast states are as records."""
        return self.states / self.records


class StatesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `tesuji bench states` says."""

    rows: list[StatesRow]
    state_bytes: int
    record_bytes: int
    provenance: Provenance


def num_steps(effort: Effort) -> int:
    """Return how many parts `measure_states` reports."""
    return len(effort.sizes)


def measure_states(effort: Effort = THOROUGH, *, on_step: Callable[[int], None] = lambda _done: None) -> StatesReport:
    """Measure all of it; Numba is needed."""
    started, cpu_started = time.perf_counter(), time.process_time()
    scale, loops = WinLossStates(), _compiled()
    rows: list[StatesRow] = []
    for done, size in enumerate(effort.sizes, 1):
        rows += _measured(scale, loops, size, effort)
        on_step(done)
    wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
    return StatesReport(
        rows=rows,
        state_bytes=scale.dtype.itemsize,
        record_bytes=_RECORD_BYTES,
        provenance=collect(seed=_SEED, config=effort, wall_time_s=wall_s, cpu_time_s=cpu_s),
    )


def _measured(scale: WinLossStates, loops: dict[str, Any], size: int, effort: Effort) -> list[StatesRow]:
    random, number = np.random.default_rng(_SEED), effort.accesses
    at, won = random.integers(0, size, number), random.random(number) < 0.5
    states, records = scale.zeros(size), np.zeros((size, 2), np.uint32)
    z2 = 0.6744897501960817**2
    calls: dict[str, Callable[[], Any]] = {
        "update states": lambda: loops["update states"](states, at, won, scale.win, scale.loss),
        "update records": lambda: loops["update records"](records, at, won),
        "ask states": lambda: loops["ask states"](states, at, scale.threshold_state),
        "ask records": lambda: loops["ask records"](records, at, z2),
        "ask bare": lambda: loops["ask bare"](records, at),
    }
    for call in calls.values():
        call()  # compiles, and fills the tables
    contestants: dict[str, tuple[int, Callable[[int], object]]] = {
        name: (number, lambda _seed, call=call: call())  # type: ignore[misc]  # the default binds it
        for name, call in calls.items()
    }
    found = rates(contestants, rounds=effort.rounds, least_s=effort.least_s)
    best = {name: max(of_rounds) / 1e6 for name, of_rounds in found.items()}
    return [
        StatesRow(operation="update", size=size, states=best["update states"], records=best["update records"]),
        StatesRow(
            operation="above 1/2?",
            size=size,
            states=best["ask states"],
            records=best["ask records"],
            bare=best["ask bare"],
        ),
    ]


def _compiled() -> dict[str, Any]:
    try:
        from numba import njit
    except ImportError as error:
        raise ImportError(f"this benchmark needs Numba ({error}); install it: {how_to_install('compiled')}") from error

    def update_states(states: Any, at: Any, won: Any, win: Any, loss: Any) -> None:
        for i in range(len(at)):
            states[at[i]] = win[states[at[i]]] if won[i] else loss[states[at[i]]]

    def update_records(records: Any, at: Any, won: Any) -> None:
        for i in range(len(at)):
            records[at[i], 0] += won[i]
            records[at[i], 1] += 1

    def ask_states(states: Any, at: Any, threshold: int) -> int:
        count = 0
        for i in range(len(at)):
            count += states[at[i]] >= threshold
        return count

    def ask_records(records: Any, at: Any, z2: float) -> int:
        count = 0
        for i in range(len(at)):
            trials = records[at[i], 1] + z2
            rate = (records[at[i], 0] + z2 / 2) / trials
            count += rate - (z2 * rate * (1 - rate) / trials) ** 0.5 >= 0.5
        return count

    def ask_bare(records: Any, at: Any) -> int:
        count = 0
        for i in range(len(at)):
            count += 2 * records[at[i], 0] >= records[at[i], 1]
        return count

    return {
        "update states": njit(update_states),
        "update records": njit(update_records),
        "ask states": njit(ask_states),
        "ask records": njit(ask_records),
        "ask bare": njit(ask_bare),
    }


def to_text(report: StatesReport) -> str:
    """Return the report as a person reads it."""
    lines = [
        f"A state takes {report.state_bytes} byte, a record of wins and visits {report.record_bytes}.",
        "Millions a second of processor time, one thread, random elements of a table:",
        "",
        f"{'operation':<12} {'elements':>12} {'states':>9} {'records':>9} {'states/records':>15} {'bare rate':>10}",
    ]
    for row in report.rows:
        bare = "-" if row.bare is None else f"{row.bare:,.0f}"
        speeds = f"{row.states:>9,.0f} {row.records:>9,.0f} {row.ratio:>14.2f}x {bare:>10}"
        lines.append(f"{row.operation:<12} {row.size:>12,} {speeds}")
    return "\n".join(lines)
