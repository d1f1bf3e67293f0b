"""How fast games are that Python wrote: Connect Four three ways, two threads, and what an evaluator costs.

Everything runs in turns in one process. One thread is timed by the processor's clock, which does not count what other
programs take; a figure is the best of its rounds, because whatever disturbs only slows down. Two threads need the wall
clock, so the processors they had are reported beside them. The evaluator is timed by the processors' clock again, both
threads' time together: it answers at once, so what is left is what the batches cost.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tesuji.bench.search import IDLE_CPUS, rates
from tesuji.games import Connect4
from tesuji.games.connect4 import PlainConnect4, compiled_connect4
from tesuji.go import Board, playout_margins
from tesuji.provenance import Provenance, collect
from tesuji.search import UCB1, Evaluation, LeafBatch, Search, SearchConfig

__all__ = [
    "QUICK",
    "THOROUGH",
    "Effort",
    "EvaluatorRow",
    "GamesReport",
    "WayRow",
    "measure_games",
    "num_steps",
    "to_text",
]

COMPILED_TARGET, SPEED_UP_TARGET, EVALUATOR_TARGET = 0.40, 1.7, 3.0

CONFIG = SearchConfig(selection=UCB1(c=1.0))
BATCH_SIZE = 32

_SEED = 1
_NO_OPINION = np.full(BATCH_SIZE, 0.5, np.float32)


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How long to measure."""

    simulations: int
    """Of a search of the native and of the compiled game."""
    plain_simulations: int
    """Of a search of the game in plain Python."""
    thread_simulations: int
    rounds: int
    least_s: float
    """Searches are repeated in a round until they have taken this long."""


THOROUGH = Effort(simulations=20_000, plain_simulations=500, thread_simulations=200_000, rounds=9, least_s=0.1)
QUICK = Effort(simulations=2_000, plain_simulations=100, thread_simulations=10_000, rounds=3, least_s=0.02)


class WayRow(msgspec.Struct, frozen=True, kw_only=True):
    """One way to write Connect Four; simulations per second of processor time, the best of the rounds."""

    way: str
    per_s: float
    share: float
    """Of the native one's."""
    target: float | None = None

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None where there is none."""
        return None if self.target is None else self.share >= self.target


class Threads(msgspec.Struct, frozen=True, kw_only=True):
    """Two threads beside one on the compiled game; simulations per second on the wall clock, the best of the rounds."""

    one_per_s: float
    two_per_s: float
    speed_up: float
    num_cpus: float
    """How many processors the two threads had in their best round."""
    target: float = SPEED_UP_TARGET

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None if the machine was too busy to tell."""
        if self.speed_up >= self.target:
            return True
        return False if self.num_cpus >= IDLE_CPUS else None


class EvaluatorRow(msgspec.Struct, frozen=True, kw_only=True):
    """What an evaluator that answers at once costs, beside light playouts of 9x9 Go; processor time of all threads."""

    leaves_per_s: float
    playouts_per_s: float
    playouts_per_leaf: float
    """How many playouts take as long as one leaf."""
    batch_size: int = BATCH_SIZE
    threads: int = 2
    mean_batch: float
    """How full batches were."""
    target: float = EVALUATOR_TARGET

    @property
    def is_met(self) -> bool:
        """Whether it is cheap enough."""
        return self.playouts_per_leaf <= self.target


class GamesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `tesuji bench games` says."""

    ways: list[WayRow]
    threads: Threads
    evaluator: EvaluatorRow
    compile_s: float
    """Seconds to compile the game."""
    num_cpus: int
    provenance: Provenance


def num_steps() -> int:
    """Return how many parts `measure_games` reports."""
    return 3


def measure_games(effort: Effort = THOROUGH, *, on_step: Callable[[int], None] = lambda _done: None) -> GamesReport:
    """Measure all of it.

    Parameters
    ----------
    effort
        How long.
    on_step
        Called with the number of parts that are done, of `num_steps`.
    """
    started, cpu_started = time.perf_counter(), time.process_time()
    compiled = compiled_connect4()
    compile_s = time.process_time() - cpu_started
    ways = _ways(compiled, effort)
    on_step(1)
    threads = _threads(compiled, effort)
    on_step(2)
    evaluator = _evaluator(effort)
    on_step(3)
    wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
    return GamesReport(
        ways=ways,
        threads=threads,
        evaluator=evaluator,
        compile_s=compile_s,
        num_cpus=os.cpu_count() or 1,
        provenance=collect(seed=_SEED, config=effort, wall_time_s=wall_s, cpu_time_s=cpu_s),
    )


def _ways(compiled: Any, effort: Effort) -> list[WayRow]:
    games = {"native": Connect4(), "compiled": compiled, "plain Python": PlainConnect4()}
    number = {"plain Python": effort.plain_simulations}
    found = rates(
        {way: _contestant(game, number.get(way, effort.simulations)) for way, game in games.items()},
        rounds=effort.rounds,
        least_s=effort.least_s,
    )
    best = {way: max(of_rounds) for way, of_rounds in found.items()}
    targets = {"compiled": COMPILED_TARGET}
    return [
        WayRow(way=way, per_s=per_s, share=per_s / best["native"], target=targets.get(way))
        for way, per_s in best.items()
    ]


def _contestant(game: Any, simulations: int) -> tuple[int, Callable[[int], object]]:
    return simulations, lambda seed: Search(game, CONFIG).run(simulations=simulations, seed=seed)


def _threads(compiled: Any, effort: Effort) -> Threads:
    number = effort.thread_simulations
    best, num_cpus = {1: 0.0, 2: 0.0}, 0.0
    for index in range(effort.rounds):
        for threads in (1, 2) if index % 2 == 0 else (2, 1):
            search = Search(compiled, msgspec.structs.replace(CONFIG, threads=threads))
            started, cpu_started = time.perf_counter(), time.process_time()
            search.run(simulations=number, seed=_SEED + index)
            wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
            if number / wall_s > best[threads]:
                best[threads] = number / wall_s
                num_cpus = cpu_s / wall_s if threads == 2 else num_cpus
    return Threads(one_per_s=best[1], two_per_s=best[2], speed_up=best[2] / best[1], num_cpus=num_cpus)


def _evaluator(effort: Effort) -> EvaluatorRow:
    """Searches of 9x9 Go with two threads, and light playouts, in turns."""
    board, number, sizes = Board(9), effort.simulations, []
    config = SearchConfig(threads=2, evaluation=Evaluation(batch_size=BATCH_SIZE))

    def answer(batch: LeafBatch) -> Any:
        sizes.append(len(batch))
        return _NO_OPINION[: len(batch)]

    found = rates(
        {
            "leaves": (number, lambda seed: Search(board, config, evaluator=answer).run(simulations=number, seed=seed)),
            "playouts": (number, lambda seed: playout_margins(board, number, seed=seed)),
        },
        rounds=effort.rounds,
        least_s=effort.least_s,
    )
    leaves, playouts = max(found["leaves"]), max(found["playouts"])
    return EvaluatorRow(
        leaves_per_s=leaves,
        playouts_per_s=playouts,
        playouts_per_leaf=playouts / leaves,
        mean_batch=float(np.mean(sizes)),
    )


# --- as text ----------------------------------------------------------------------------------------------------------


def to_text(report: GamesReport) -> str:
    """Return the report as a person reads it."""
    return "\n\n".join((_ways_text(report), _threads_text(report), _evaluator_text(report.evaluator)))


def _ways_text(report: GamesReport) -> str:
    lines = [
        "Connect Four three ways: simulations per second of processor time, one thread.",
        f"Compiling it took {report.compile_s:.1f} s.",
        "",
        f"{'way':<13} {'simulations/s':>14} {'of native':>10} {'target':>7}",
    ]
    for row in report.ways:
        target = f"{100 * row.target:.0f} %" if row.target is not None else "-"
        share = f"{100 * row.share:.1f} %"
        lines.append(f"{row.way:<13} {row.per_s:>14,.0f} {share:>10} {target:>7}{_verdict(row.is_met)}")
    return "\n".join(lines)


def _threads_text(report: GamesReport) -> str:
    row = report.threads
    verdict = _verdict(row.is_met) or "  (the threads did not have two processors: not judged)"
    return (
        f"Compiled, two threads: {row.two_per_s:,.0f} beside {row.one_per_s:,.0f} simulations/s, {row.speed_up:.2f}x "
        f"(target {row.target:g}x), with {row.num_cpus:.2f} processors{verdict}"
    )


def _evaluator_text(row: EvaluatorRow) -> str:
    return (
        f"An evaluator that answers at once, {row.threads} threads, batches of {row.batch_size} "
        f"({row.mean_batch:.1f} on average):\na leaf of 9x9 Go takes as much processor time as "
        f"{row.playouts_per_leaf:.2f} light playouts (target at most {row.target:g}){_verdict(row.is_met)}"
    )


def _verdict(is_met: bool | None) -> str:
    return "" if is_met is None else "  met" if is_met else "  MISSED"
