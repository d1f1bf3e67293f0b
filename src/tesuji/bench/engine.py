"""How fast the Go engine searches: simulations per second and bytes per simulation, beside what other engines did.

A preset searches the empty board. One thread, several threads and light playouts take turns in rounds, so that a busy
machine hits all alike; a figure is the median of its rounds. One thread and light playouts are timed by the processor's
clock of this process, which does not count the time that other programs take. Threads need the wall clock; how many
processors they got stands beside them.

Other engines were measured on another day, on a machine whose speed is known only by libego's light playouts. To
compare, their rates are scaled: ``theirs * libego here / libego then``. libego is not here, so its rate is estimated
from our own light playouts, which need fewer instructions: ``libego here = light * ours / libego's`` instructions per
playout, ours from ``bench/board.json``, libego's from docs/results/speed.md, both built for x86-64-v3. That takes
libego's instructions to be as quick as ours. On the clock of that day they were slower, if the machines are alike; the
estimate is then too high, and the comparison too strict with us. Of a rate that was read on two occasions both ends are
combined with both ends of libego's, because nobody noted which belong together.

Strength is not measured here; that takes games.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

import msgspec

from tesuji.bench.board import committed_path, read_rows
from tesuji.go import Board, playout_margins
from tesuji.go.engine import EngineConfig
from tesuji.go.engine.presets import engine_preset
from tesuji.provenance import Provenance, collect
from tesuji.search import Search, SearchResult

__all__ = [
    "LIBEGO",
    "REFERENCES",
    "Effort",
    "EngineReport",
    "EngineRow",
    "Libego",
    "Range",
    "ThreadSpeed",
    "measure_engine",
    "num_steps",
    "to_text",
]

TIMES_PACHI_TARGET, SPEED_UP_TARGET = 1.3, 1.75
BYTES_TARGETS = {9: 250, 19: 1_000}
"""At most so many bytes of graph per simulation, by size."""

IDLE_SHARE = 0.95
"""What threads have of the processors that they want at least if nobody else wants them."""

_MEMORY_SIMULATIONS = {9: 100_000, 13: 50_000}
_MEMORY_SIMULATIONS_ELSE = 20_000
_PLAYOUTS_A_CALL = 500
_SEED = 1
_PACHI = "Pachi, no network"


class Range(NamedTuple):
    """From `low` to `high`."""

    low: float
    high: float


class Libego(msgspec.Struct, frozen=True, kw_only=True):
    """Light playouts of libego on one size of board."""

    instructions: int
    """Per playout, built for x86-64-v3 (docs/results/speed.md)."""
    then_per_s: Range
    """On the day and the machine on which the other engines were measured."""


LIBEGO = {
    9: Libego(instructions=24_200, then_per_s=Range(108_000, 128_000)),
    13: Libego(instructions=52_200, then_per_s=Range(50_000, 61_000)),
    19: Libego(instructions=128_200, then_per_s=Range(25_000, 27_000)),
}
REFERENCES: dict[str, dict[int, Range]] = {
    _PACHI: {9: Range(6_200, 7_400), 13: Range(3_400, 3_900), 19: Range(1_500, 2_100)},
    "Fuego 1.1": {9: Range(4_000, 4_400), 13: Range(2_100, 2_300), 19: Range(1_250, 1_250)},
    "michi-c2": {9: Range(7_400, 7_400), 13: Range(3_900, 3_900), 19: Range(2_600, 2_600)},
    "Pividori 2015's program": {9: Range(5_400, 6_100), 13: Range(1_700, 2_500), 19: Range(770, 1_100)},
}
"""Simulations per second of full search that day, one thread, from the empty board; medians on one or two occasions."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure, and for how long.

    Attributes
    ----------
    preset : str
        Of `tesuji.go.engine.presets`.
    sizes : tuple of int
        Lines of the boards.
    threads : tuple of int
        Numbers of threads; one thread is always among them.
    seconds : float
        Of searching, for each size and number of threads.
    rounds : int
        Turns that each has; a turn takes ``seconds / rounds``.
    memory_simulations : int or None
        After how many simulations bytes are counted; None: 100,000 on 9x9, 50,000 on 13x13, else 20,000.
    """

    preset: str = "default"
    sizes: tuple[int, ...] = (9, 13, 19)
    threads: tuple[int, ...] = (1, 2)
    seconds: float = 5.0
    rounds: int = 5
    memory_simulations: int | None = None

    def __post_init__(self) -> None:
        engine_preset(self.preset)  # refused here, before anything runs
        if not self.sizes or any(not 2 <= size <= 25 for size in self.sizes):
            raise ValueError(f"sizes are {list(self.sizes)}; give boards of 2 to 25 lines, like 9, 13, 19")
        if any(not 1 <= threads <= 256 for threads in self.threads):
            raise ValueError(f"threads are {list(self.threads)}; each must lie in 1..256")
        if not 0 < self.seconds < 1e6 or self.rounds < 1:
            raise ValueError(f"{self.seconds:g} seconds in {self.rounds} rounds; both must be above 0")
        msgspec.structs.force_setattr(self, "sizes", tuple(dict.fromkeys(self.sizes)))
        msgspec.structs.force_setattr(self, "threads", tuple(sorted({1, *self.threads})))


class ThreadSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Some threads beside one; the wall clock, medians of the rounds."""

    threads: int
    per_s: float
    speed_up: float
    """Over one thread in the same round."""
    num_cpus: float
    """How many processors the threads had, on average."""
    target: float | None

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None where there is none, or if the machine was too busy to tell."""
        if self.target is None:
            return None
        if self.speed_up >= self.target:
            return True
        return False if self.num_cpus >= IDLE_SHARE * self.threads else None


class EngineRow(msgspec.Struct, frozen=True, kw_only=True):
    """One size of board.

    Attributes
    ----------
    size : int
        Lines of the board.
    per_s : float
        Simulations per second of processor time, one thread; median of the rounds.
    light_per_s : float
        Light playouts per second of processor time, one thread, in the same rounds.
    libego_per_s : float or None
        What libego's light playouts would do here, estimated; None where nothing is known of it.
    times : dict
        Other engine to how many times its rate ours is, on a machine as fast as this one.
    threads : list of ThreadSpeed
        Two threads and more.
    bytes_per_simulation : float
        Of the graph after `memory_simulations` simulations.
    memory_simulations : int
        In one search, one thread.
    bytes_target : int or None
        What those bytes should not pass.
    """

    size: int
    per_s: float
    light_per_s: float
    libego_per_s: float | None
    times: dict[str, Range]
    threads: list[ThreadSpeed]
    bytes_per_simulation: float
    memory_simulations: int
    bytes_target: int | None

    @property
    def times_pachi(self) -> Range | None:
        """How many times Pachi's rate ours is; None where nothing is known."""
        return self.times.get(_PACHI)

    @property
    def beats_pachi(self) -> bool | None:
        """Whether the whole range reaches the target, or all of it misses; None: neither, or nothing is known."""
        if self.times_pachi is None:
            return None
        low, high = self.times_pachi
        return True if low >= TIMES_PACHI_TARGET else False if high < TIMES_PACHI_TARGET else None


class EngineReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `tesuji bench engine` says."""

    effort: Effort
    rows: list[EngineRow]
    num_cpus: int
    load: float | None
    """Mean number of runnable processes in the last minute, when the measurement began."""
    provenance: Provenance


def measure_engine(effort: Effort, *, on_step: Callable[[int], None] = lambda _done: None) -> EngineReport:
    """Measure all of it.

    Parameters
    ----------
    effort
        What, and for how long.
    on_step
        Called with the number of turns that are done, of `num_steps`.
    """
    config = engine_preset(effort.preset)
    started, cpu_started = time.perf_counter(), time.process_time()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    steps = iter(range(1, num_steps(effort) + 1))
    rows = [_row(size, config, effort, lambda: on_step(next(steps))) for size in effort.sizes]
    wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
    return EngineReport(
        effort=effort,
        rows=rows,
        num_cpus=os.cpu_count() or 1,
        load=load,
        provenance=collect(seed=_SEED, config=effort, wall_time_s=wall_s, cpu_time_s=cpu_s),
    )


def num_steps(effort: Effort) -> int:
    """Return how many turns `measure_engine` reports."""
    return len(effort.sizes) * (effort.rounds * (1 + len(effort.threads)) + 1)


# --- measuring --------------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """What somebody did in a turn: simulations or playouts, and the time of both clocks."""

    number: int
    wall_s: float
    cpu_s: float

    @property
    def per_cpu_s(self) -> float:
        """Per second of processor time."""
        return self.number / max(self.cpu_s, 1e-9)

    @property
    def per_wall_s(self) -> float:
        """Per second on the wall clock."""
        return self.number / max(self.wall_s, 1e-9)


def _row(size: int, config: EngineConfig, effort: Effort, step: Callable[[], None]) -> EngineRow:
    turn_s = effort.seconds / effort.rounds
    light, *searches = _in_turns(
        [_playouts(size, turn_s), *(_simulations(size, config, threads, turn_s) for threads in effort.threads)],
        effort.rounds,
        step,
    )
    one = searches[0]
    light_per_s, per_s = median(turn.per_cpu_s for turn in light), median(turn.per_cpu_s for turn in one)
    simulations = effort.memory_simulations or _MEMORY_SIMULATIONS.get(size, _MEMORY_SIMULATIONS_ELSE)
    num_bytes = _search(size, config, simulations=simulations).counts["bytes"]
    step()
    libego_per_s = _libego_here(size, light_per_s)
    return EngineRow(
        size=size,
        per_s=per_s,
        light_per_s=light_per_s,
        libego_per_s=libego_per_s,
        times={} if libego_per_s is None else dict(_times(size, per_s, libego_per_s)),
        threads=[
            _thread_speed(threads, one, turns) for threads, turns in zip(effort.threads[1:], searches[1:], strict=True)
        ],
        bytes_per_simulation=num_bytes / simulations,
        memory_simulations=simulations,
        bytes_target=BYTES_TARGETS.get(size),
    )


def _in_turns(contestants: Sequence[Callable[[int], int]], rounds: int, step: Callable[[], None]) -> list[list[Turn]]:
    """Let contestants work in turns, each with a seed; who begins changes from round to round."""
    found: list[list[Turn]] = [[] for _ in contestants]
    order = list(range(len(contestants)))
    for index in range(rounds):
        shift = index % len(order)
        for who in order[shift:] + order[:shift]:
            wall, cpu = time.perf_counter(), time.process_time()
            number = contestants[who](_SEED + index)
            found[who].append(Turn(number, time.perf_counter() - wall, time.process_time() - cpu))
            step()
    return found


def _simulations(size: int, config: EngineConfig, threads: int, turn_s: float) -> Callable[[int], int]:
    """A search of so many seconds; it returns its simulations."""
    return lambda seed: _search(size, config, threads=threads, seconds=turn_s, seed=seed).simulations


def _search(
    size: int,
    config: EngineConfig,
    *,
    threads: int = 1,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = _SEED,
) -> SearchResult:
    game = config.game_at(Board(size))
    search = Search(game, msgspec.structs.replace(config.search, threads=threads))
    return search.run(seconds=seconds, simulations=simulations, seed=seed)


def _playouts(size: int, turn_s: float) -> Callable[[int], int]:
    """Light playouts for so many seconds."""
    board = Board(size)

    def work(seed: int) -> int:
        started, number = time.perf_counter(), 0
        while number == 0 or time.perf_counter() - started < turn_s:
            playout_margins(board, _PLAYOUTS_A_CALL, seed=seed + number)
            number += _PLAYOUTS_A_CALL
        return number

    return work


def _thread_speed(threads: int, one: Sequence[Turn], turns: Sequence[Turn]) -> ThreadSpeed:
    return ThreadSpeed(
        threads=threads,
        per_s=median(turn.per_wall_s for turn in turns),
        speed_up=median(turn.per_wall_s / before.per_wall_s for before, turn in zip(one, turns, strict=True)),
        num_cpus=median(turn.cpu_s / max(turn.wall_s, 1e-9) for turn in turns),
        target=SPEED_UP_TARGET if threads == 2 else None,
    )


def _libego_here(size: int, light_per_s: float) -> float | None:
    """What libego would do here, by instructions; None without its size or our committed counts."""
    ours = [
        row.instructions
        for row in read_rows(committed_path())
        if row.size == size and row.variant == "light" and row.instructions
    ]
    if size not in LIBEGO or not ours:
        return None
    return light_per_s * max(ours) / LIBEGO[size].instructions  # of several compilers the one that is strictest with us


def _times(size: int, per_s: float, libego_per_s: float) -> Iterator[tuple[str, Range]]:
    """How many times each other engine we are, if this machine is to that one as libego here is to libego then."""
    then = LIBEGO[size].then_per_s
    for name, rates in REFERENCES.items():
        slow, fast = rates[size].low * libego_per_s / then.high, rates[size].high * libego_per_s / then.low
        yield name, Range(per_s / fast, per_s / slow)


# --- as text ----------------------------------------------------------------------------------------------------------


def to_text(report: EngineReport) -> str:
    """Return the report as a person reads it."""
    parts = [_speed_text(report), _reference_text(report.rows), _thread_text(report), _memory_text(report.rows)]
    return "\n\n".join(part for part in parts if part)


def _speed_text(report: EngineReport) -> str:
    effort = report.effort
    lines = [
        f"The preset '{effort.preset}' on the empty board, one thread, by processor time.",
        f"Medians of {effort.rounds} turns of {effort.seconds / effort.rounds:g} s.",
        "",
        f"{'board':<7} {'simulations/s':>14} {'light playouts/s':>17} {'times Pachi':>14} {'target':>7}",
    ]
    for row in report.rows:
        times = _range_text(row.times_pachi) if row.times_pachi else "-"
        target = f"{TIMES_PACHI_TARGET:g}x" if row.times_pachi else "-"
        verdict = _verdict(row.beats_pachi) or ("  open" if row.times_pachi else "")
        lines.append(
            f"{_board(row.size):<7} {row.per_s:>14,.0f} {row.light_per_s:>17,.0f} {times:>14} {target:>7}{verdict}"
        )
    return "\n".join(lines)


def _reference_text(rows: Sequence[EngineRow]) -> str:
    rows = [row for row in rows if row.libego_per_s is not None]
    if not rows:
        return "Nothing to compare with: that needs 9x9, 13x13 or 19x19, and bench/board.json of a checkout."
    lines = [
        "How many times as fast as others, at the same speed of light playouts (1)",
        "",
        f"{'':<21}" + "".join(f"{_board(row.size):>19}" for row in rows),
        *(f"{name:<21}" + "".join(f"{_range_text(row.times[name]):>19}" for row in rows) for name in REFERENCES),
        f"{'libego here (2)':<21}" + "".join(f"{row.libego_per_s:>19,.0f}" for row in rows),
        f"{'libego then':<21}" + "".join(f"{_whole_range(LIBEGO[row.size].then_per_s):>19}" for row in rows),
        f"{'Pachi then':<21}" + "".join(f"{_whole_range(REFERENCES[_PACHI][row.size]):>19}" for row in rows),
        "",
        "(1) ours / (theirs then * libego here / libego then). Both ends of their rate",
        "    with both ends of libego's: nobody noted which belong together.",
        "(2) Estimated, for libego is not here: our light playouts a second, times our",
        "    instructions per playout (bench/board.json) over libego's. If libego takes",
        "    longer for an instruction than we do, the truth is lower, and better for us.",
    ]
    return "\n".join(lines)


def _thread_text(report: EngineReport) -> str:
    if not any(row.threads for row in report.rows):
        return ""
    load = f", load {report.load:.1f} at the start" if report.load is not None else ""
    lines = [
        "Threads beside one in the same round, by the wall clock",
        f"({report.num_cpus} processors{load}).",
        "busy: the threads did not have their processors, so the target cannot be judged.",
        "",
        f"{'board':<7} {'threads':>8} {'simulations/s':>14} {'speed-up':>9} {'CPUs':>6} {'target':>7}",
    ]
    for row in report.rows:
        for speed in row.threads:
            target = f"{speed.target:g}x" if speed.target else "-"
            verdict = _verdict(speed.is_met) or ("  busy" if speed.target else "")
            lines.append(
                f"{_board(row.size):<7} {speed.threads:>8} {speed.per_s:>14,.0f} {speed.speed_up:>8.2f}x"
                f" {speed.num_cpus:>6.2f} {target:>7}{verdict}"
            )
    return "\n".join(lines)


def _memory_text(rows: Sequence[EngineRow]) -> str:
    lines = [
        "Bytes of the graph per simulation",
        "",
        f"{'board':<7} {'bytes':>8} {'after simulations':>18} {'at most':>8}",
    ]
    for row in rows:
        target = f"{row.bytes_target:,}" if row.bytes_target else "-"
        verdict = _verdict(row.bytes_per_simulation <= row.bytes_target) if row.bytes_target else ""
        found = f"{row.bytes_per_simulation:>8,.0f} {row.memory_simulations:>18,}"
        lines.append(f"{_board(row.size):<7} {found} {target:>8}{verdict}")
    return "\n".join(lines)


def _board(size: int) -> str:
    return f"{size}x{size}"


def _range_text(times: Range) -> str:
    return f"{times.low:.2f} to {times.high:.2f}"


def _whole_range(rates: Range) -> str:
    return f"{rates.low:,.0f} to {rates.high:,.0f}"


def _verdict(is_met: bool | None) -> str:
    return "" if is_met is None else "  met" if is_met else "  MISSED"
