"""How fast the search is: beside OpenSpiel's, with two threads, in bytes, and what the tree costs beside the playouts.

Everything runs in turns in one process, in rounds; a figure is the median of its rounds, and a ratio is taken within
each round, so that a busy machine hits both sides alike. One thread is timed by the processor's clock of this process,
which does not count the time that other programs take. Threads need the wall clock; how many processors they got is
reported beside them, because on a busy machine two threads take turns and their speed-up says nothing.

Strength is not measured here (bench/rave_vs_uct.py is an example of that).
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from tesuji.bench import open_spiel
from tesuji.bench.callgrind import has_valgrind, instructions_each
from tesuji.games import Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y
from tesuji.go import Board, playout_margins
from tesuji.provenance import Provenance, collect
from tesuji.search import RAVE, UCB1, Search, SearchConfig
from tesuji.search.presets import UCT_RAVE

__all__ = [
    "CASES",
    "QUICK",
    "THOROUGH",
    "Case",
    "Effort",
    "Memory",
    "SearchReport",
    "SharedValues",
    "SpeedRow",
    "ThreadRow",
    "TreeShare",
    "measure_search",
    "num_steps",
    "rates",
    "to_text",
]

C = 1.0
"""Exploration of both sides on our scale; 2 on OpenSpiel's, which is what its example programs use."""

IDLE_CPUS = 1.9
"""What two threads have of two processors at least if nobody else wants them."""

SPEED_UP_TARGET, EDGE_BYTES_TARGET, NODE_BYTES_TARGET, TREE_SHARE_TARGET = 1.8, 40, 32, 0.30
SHARED_VALUES_TARGET = 0.90

PLAIN = SearchConfig(selection=UCB1(c=C))
WITH_RAVE = SearchConfig(selection=UCB1(c=C), amaf=RAVE())

GO_SEARCHES = {"uct-rave": UCT_RAVE, "above": WITH_RAVE}
"""Searches of 9x9 Go with RAVE whose tree is weighed: the preset of that name, and what is compared above."""

_SEED = 1
# How many simulations or playouts callgrind sees in a short and in a long run. Python's own start is 700 million
# instructions and varies by a percent, so the difference has to be large.
_COUNTED = (2_000, 22_000)

# Python programs for callgrind; {n} is how many.
_COUNTED_SIMULATIONS = (
    "from tesuji.go import Board; from tesuji.bench.search import GO_SEARCHES, Search; "
    "Search(Board(9), GO_SEARCHES['{name}']).run(simulations={n}, seed=1)"
)
_COUNTED_PLAYOUTS = (
    "from tesuji.go import Board, playout_margins; import tesuji.bench.search; "  # imports what the other imports
    "playout_margins(Board(9), {n}, seed=1)"
)


def _go_9x9() -> Board:
    return Board(9)


class Case(msgspec.Struct, frozen=True):
    """A game, and how fast its search should be beside OpenSpiel's C++ bot."""

    game: str
    variant: str
    make: Callable[[], Any]
    config: SearchConfig
    open_spiel: str
    """The game's name there."""
    target: float | None
    """How many times OpenSpiel's C++ bot; None: only for comparison."""


CASES = (
    Case("tic-tac-toe", "UCB1", TicTacToe, PLAIN, "tic_tac_toe", 5.0),
    Case("Connect Four", "UCB1", Connect4, PLAIN, "connect_four", 15.0),
    Case("Hex 11x11", "UCB1", Hex, PLAIN, "hex(board_size=11)", 30.0),
    Case("Hex 11x11", "RAVE", Hex, WITH_RAVE, "hex(board_size=11)", 10.0),
    Case("Othello", "UCB1", Othello, PLAIN, "othello", None),
    Case("Othello", "RAVE", Othello, WITH_RAVE, "othello", None),
    Case("Breakthrough", "UCB1", Breakthrough, PLAIN, "breakthrough", None),
    Case("Breakthrough", "RAVE", Breakthrough, WITH_RAVE, "breakthrough", None),
    Case("Gomoku 15x15", "UCB1", Gomoku, PLAIN, "gomoku(size=15)", None),
    Case("Gomoku 15x15", "RAVE", Gomoku, WITH_RAVE, "gomoku(size=15)", None),
    Case("Y of 11", "UCB1", Y, PLAIN, "y(board_size=11)", None),
    Case("Y of 11", "RAVE", Y, WITH_RAVE, "y(board_size=11)", None),
    Case("Havannah of 8", "UCB1", Havannah, PLAIN, "havannah(board_size=8)", None),
    Case("Havannah of 8", "RAVE", Havannah, WITH_RAVE, "havannah(board_size=8)", None),
    Case("Go 9x9", "UCB1", _go_9x9, PLAIN, "go(board_size=9)", None),
    Case("Go 9x9", "RAVE", _go_9x9, WITH_RAVE, "go(board_size=9)", 12.0),
)
_THREADED = ("Hex 11x11", "Go 9x9")


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How long to measure."""

    simulations: int
    """Of a search; the same for us and OpenSpiel's C++ bot."""
    python_simulations: int
    """Of a search of OpenSpiel's Python bot."""
    thread_simulations: int
    """Of a search with one thread and with two."""
    rounds: int
    least_s: float
    """Searches are repeated in a round until they have taken this long."""
    counts: bool
    """Whether to count instructions as well, where valgrind is."""


THOROUGH = Effort(
    simulations=10_000, python_simulations=1_000, thread_simulations=100_000, rounds=7, least_s=0.1, counts=True
)
QUICK = Effort(
    simulations=2_000, python_simulations=100, thread_simulations=10_000, rounds=3, least_s=0.02, counts=False
)


class SpeedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A search beside OpenSpiel's; simulations per second of processor time, medians of the rounds."""

    game: str
    variant: str
    ours_per_s: float
    cpp_per_s: float | None
    python_per_s: float | None
    ratio: float | None
    """Ours over OpenSpiel's C++ bot: the median over the rounds."""
    target: float | None

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None where there is none or nothing to compare."""
        return None if self.ratio is None or self.target is None else self.ratio >= self.target


class ThreadRow(msgspec.Struct, frozen=True, kw_only=True):
    """Two threads beside one; simulations per second on the wall clock, medians of the rounds."""

    game: str
    variant: str
    one_per_s: float
    two_per_s: float
    speed_up: float
    num_cpus: float
    """How many processors the two threads had, on average."""
    target: float

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None if the machine was too busy to tell."""
        if self.speed_up >= self.target:
            return True
        return False if self.num_cpus >= IDLE_CPUS else None


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes of the graph with AMAF."""

    bytes_per_edge: int
    bytes_per_node: int
    edge_target: int = EDGE_BYTES_TARGET
    node_target: int = NODE_BYTES_TARGET


class TreeShare(msgspec.Struct, frozen=True, kw_only=True):
    """What is not playout in a 9x9 search with RAVE and light playouts.

    The playouts alone begin on the empty board and keep stones only; those of the search begin below the tree, a few
    moves shorter, and keep hash keys and a record of their moves. That counts as the tree's.
    """

    search: str
    """Of `GO_SEARCHES`."""
    simulations_per_s: float
    playouts_per_s: float
    share: float
    """Of the processor time, 0..1; median of the rounds."""
    simulation_instructions: int | None
    playout_instructions: int | None
    target: float = TREE_SHARE_TARGET

    @property
    def instruction_share(self) -> float | None:
        """The same by instructions."""
        if self.simulation_instructions is None or self.playout_instructions is None:
            return None
        return 1.0 - self.playout_instructions / self.simulation_instructions


class SharedValues(msgspec.Struct, frozen=True, kw_only=True):
    """9x9 Go with UCB1 and light playouts, as a tree and as a tree whose equal positions share a value."""

    tree_per_s: float
    shared_per_s: float
    """Simulations per second of processor time."""
    ratio: float
    """Of the two; median of the rounds."""
    target: float = SHARED_VALUES_TARGET


class SearchReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `tesuji bench search` says."""

    speed: list[SpeedRow]
    threads: list[ThreadRow]
    memory: Memory
    tree: list[TreeShare]
    shared_values: SharedValues
    simulations: int
    python_simulations: int
    rounds: int
    open_spiel: str | None
    """Its version; None: not installed."""
    num_cpus: int
    load: float | None
    """Mean number of runnable processes in the last minute, when the measurement began."""
    provenance: Provenance


def measure_search(effort: Effort = THOROUGH, *, on_step: Callable[[int], None] = lambda _done: None) -> SearchReport:
    """Measure all of it.

    Parameters
    ----------
    effort
        How long.
    on_step
        Called with the number of parts that are done, of `num_steps`.
    """
    started, cpu_started, load = time.perf_counter(), time.process_time(), _load()
    has_open_spiel = open_spiel.version() is not None
    steps = iter(range(1, num_steps() + 1))
    speed: list[SpeedRow] = []
    for game in dict.fromkeys(case.game for case in CASES):
        speed += _speed_rows([case for case in CASES if case.game == game], effort, has_open_spiel=has_open_spiel)
        on_step(next(steps))
    threads = []
    for case in CASES:
        if case.game in _THREADED:
            threads.append(_thread_row(case, effort))
            on_step(next(steps))
    tree = _tree_shares(effort)
    on_step(next(steps))
    shared_values = _shared_values(effort)
    on_step(next(steps))
    return SearchReport(
        speed=speed,
        threads=threads,
        memory=_memory(effort),
        tree=tree,
        shared_values=shared_values,
        simulations=effort.simulations,
        python_simulations=effort.python_simulations,
        rounds=effort.rounds,
        open_spiel=open_spiel.version(),
        num_cpus=os.cpu_count() or 1,
        load=load,
        provenance=collect(
            seed=_SEED,
            config=effort,
            wall_time_s=time.perf_counter() - started,
            cpu_time_s=time.process_time() - cpu_started,
        ),
    )


def num_steps() -> int:
    """Return how many parts `measure_search` reports."""
    return len({case.game for case in CASES}) + sum(case.game in _THREADED for case in CASES) + 2


def rates(
    contestants: Mapping[str, tuple[int, Callable[[int], object]]],
    *,
    rounds: int,
    least_s: float,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, list[float]]:
    """Let contestants run in turns; simulations per second of each, round by round.

    Parameters
    ----------
    contestants
        By name: how many simulations one call does, and the call, which takes a seed.
    rounds
        How often each has its turn; who begins changes from round to round.
    least_s
        A turn is repeated calls until this much time has passed.
    clock
        In seconds.
    """
    found: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for index in range(rounds):
        shift = index % len(names)
        for name in names[shift:] + names[:shift]:
            simulations, run = contestants[name]
            started, calls = clock(), 0
            while calls == 0 or clock() - started < least_s:
                run(_SEED + 1_000 * index + calls)
                calls += 1
            found[name].append(calls * simulations / max(clock() - started, 1e-9))
    return found


def _speed_rows(cases: Sequence[Case], effort: Effort, *, has_open_spiel: bool) -> list[SpeedRow]:
    """The rows of one game: its variants and OpenSpiel's bots run in turns."""
    contestants: dict[str, tuple[int, Callable[[int], object]]] = {
        case.variant: (effort.simulations, _searcher(case, effort.simulations)) for case in cases
    }
    name = cases[0].open_spiel
    if has_open_spiel:
        cpp, python = effort.simulations, effort.python_simulations
        contestants["C++"] = (cpp, lambda seed: open_spiel.search_in_cpp(name, simulations=cpp, c=C, seed=seed))
        if any(case.target for case in cases):  # where nothing is at stake it takes minutes for a number
            contestants["Python"] = (
                python,
                lambda seed: open_spiel.search_in_python(name, simulations=python, c=C, seed=seed),
            )
    found = rates(contestants, rounds=effort.rounds, least_s=effort.least_s)
    return [
        SpeedRow(
            game=case.game,
            variant=case.variant,
            ours_per_s=statistics.median(found[case.variant]),
            cpp_per_s=_median(found.get("C++")),
            python_per_s=_median(found.get("Python")),
            ratio=_median_ratio(found[case.variant], found.get("C++")),
            target=case.target,
        )
        for case in cases
    ]


def _searcher(case: Case, simulations: int, threads: int = 1) -> Callable[[int], object]:
    """A call that searches a case from its start."""
    config = msgspec.structs.replace(case.config, threads=threads)
    game = case.make()
    return lambda seed: Search(game, config).run(simulations=simulations, seed=seed)


def _thread_row(case: Case, effort: Effort) -> ThreadRow:
    """Two threads beside one, both in each round, on the wall clock."""
    simulations = effort.thread_simulations
    found: dict[int, list[float]] = {1: [], 2: []}
    num_cpus = []
    for index in range(effort.rounds):
        for threads in (1, 2) if index % 2 == 0 else (2, 1):
            search = _searcher(case, simulations, threads)
            started, cpu_started = time.perf_counter(), time.process_time()
            search(_SEED + index)
            wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
            found[threads].append(simulations / wall_s)
            if threads == 2:
                num_cpus.append(cpu_s / wall_s)
    return ThreadRow(
        game=case.game,
        variant=case.variant,
        one_per_s=statistics.median(found[1]),
        two_per_s=statistics.median(found[2]),
        speed_up=statistics.median(two / one for one, two in zip(found[1], found[2], strict=True)),
        num_cpus=statistics.median(num_cpus),
        target=SPEED_UP_TARGET,
    )


def _memory(effort: Effort) -> Memory:
    counts = Search(Hex(11), WITH_RAVE).run(simulations=effort.simulations, seed=_SEED).counts
    return Memory(bytes_per_edge=counts["bytes_per_edge"], bytes_per_node=counts["bytes_per_node"])


def _tree_shares(effort: Effort) -> list[TreeShare]:
    """Searches and bare playouts in turns."""
    number, board = effort.simulations, Board(9)
    contestants: dict[str, tuple[int, Callable[[int], object]]] = {
        name: (number, _searcher(Case("Go 9x9", name, _go_9x9, config, "", None), number))
        for name, config in GO_SEARCHES.items()
    }
    contestants["playouts"] = (number, lambda seed: playout_margins(board, number, seed=seed))
    found = rates(contestants, rounds=effort.rounds, least_s=effort.least_s)
    counts = effort.counts and has_valgrind()
    playout_instructions = _instructions_each(_COUNTED_PLAYOUTS) if counts else None
    return [
        TreeShare(
            search=name,
            simulations_per_s=statistics.median(found[name]),
            playouts_per_s=statistics.median(found["playouts"]),
            share=statistics.median(1.0 - s / p for s, p in zip(found[name], found["playouts"], strict=True)),
            simulation_instructions=_instructions_each(_COUNTED_SIMULATIONS, name=name) if counts else None,
            playout_instructions=playout_instructions,
        )
        for name in GO_SEARCHES
    ]


def _shared_values(effort: Effort) -> SharedValues:
    """The two modes in turns; a table is made once for a game, so its making weighs little in these long searches."""
    number = effort.thread_simulations
    modes = {mode: msgspec.structs.replace(PLAIN, graph=mode) for mode in ("tree", "shared-values")}
    contestants: dict[str, tuple[int, Callable[[int], object]]] = {
        mode: (number, _searcher(Case("Go 9x9", mode, _go_9x9, config, "", None), number))
        for mode, config in modes.items()
    }
    found = rates(contestants, rounds=effort.rounds, least_s=effort.least_s)
    tree, shared = found["tree"], found["shared-values"]
    return SharedValues(
        tree_per_s=statistics.median(tree),
        shared_per_s=statistics.median(shared),
        ratio=statistics.median(s / t for s, t in zip(shared, tree, strict=True)),
    )


def _instructions_each(program: str, **words: str) -> int:
    return instructions_each(lambda number: [sys.executable, "-c", program.format(n=number, **words)], *_COUNTED)


def _load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _median(values: Sequence[float] | None) -> float | None:
    return statistics.median(values) if values else None


def _median_ratio(ours: Sequence[float], theirs: Sequence[float] | None) -> float | None:
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True)) if theirs else None


# --- as text ----------------------------------------------------------------------------------------------------------


def to_text(report: SearchReport) -> str:
    """Return the report as a person reads it."""
    return "\n\n".join(
        (
            _speed_text(report),
            _thread_text(report),
            _memory_text(report.memory),
            _tree_text(report.tree),
            _shared_values_text(report.shared_values),
        )
    )


def _speed_text(report: SearchReport) -> str:
    version = f"OpenSpiel {report.open_spiel}" if report.open_spiel else "OpenSpiel"
    lines = [
        "Simulations per second of processor time, one thread. A search is",
        f"{report.simulations:,} simulations from the start ({version}'s Python bot: {report.python_simulations:,}),",
        "uniform playouts, no proofs, the same exploration on all sides.",
        f"Medians of {report.rounds} rounds in turns.",
        "",
        f"{'game':<13} {'search':<6} {'Tesuji':>10} {'OpenSpiel C++':>14} {'Python':>8} {'ratio':>8} {'target':>7}",
    ]
    for row in report.speed:
        ratio = f"{row.ratio:.1f}x" if row.ratio is not None else "-"
        target = f"{row.target:g}x" if row.target is not None else "-"
        lines.append(
            f"{row.game:<13} {row.variant:<6} {row.ours_per_s:>10,.0f} {_number(row.cpp_per_s):>14} "
            f"{_number(row.python_per_s):>8} {ratio:>8} {target:>7}{_verdict(row.is_met)}"
        )
    if report.open_spiel is None:
        lines += ["", open_spiel.how_to_install_it()]
    return "\n".join(lines)


def _thread_text(report: SearchReport) -> str:
    load = f", load {report.load:.1f} at the start" if report.load is not None else ""
    lines = [
        f"Two threads beside one, by the wall clock ({_cpus(report.num_cpus)}{load}).",
        "busy: the threads did not have two processors, so the target cannot be judged.",
        "",
        f"{'game':<13} {'search':<6} {'one':>10} {'two':>14} {'speed-up':>9} {'CPUs':>7} {'target':>7}",
    ]
    for row in report.threads:
        lines.append(
            f"{row.game:<13} {row.variant:<6} {row.one_per_s:>10,.0f} {row.two_per_s:>14,.0f} {row.speed_up:>8.2f}x "
            f"{row.num_cpus:>7.2f} {row.target:>6g}x{_verdict(row.is_met) or '  busy'}"
        )
    return "\n".join(lines)


def _memory_text(memory: Memory) -> str:
    is_met = memory.bytes_per_edge <= memory.edge_target and memory.bytes_per_node <= memory.node_target
    return (
        f"Memory with AMAF: {memory.bytes_per_edge} bytes an edge (at most {memory.edge_target}), "
        f"{memory.bytes_per_node} a node (at most {memory.node_target}){_verdict(is_met)}"
    )


def _tree_text(shares: Sequence[TreeShare]) -> str:
    lines = [
        "The tree's share of 9x9 Go with RAVE and light playouts, as the engine searches",
        f"and as above; beside bare playouts ({shares[0].playouts_per_s:,.0f} a second).",
        "",
        f"{'search':<13} {'simulations/s':>17} {'of time':>14} {'of instructions':>17} {'target':>7}",
    ]
    for row in shares:
        instructions = f"{100 * row.instruction_share:.0f} %" if row.instruction_share is not None else "-"
        time_share = f"{100 * row.share:.0f} %"
        lines.append(
            f"{row.search:<13} {row.simulations_per_s:>17,.0f} {time_share:>14} {instructions:>17} "
            f"{100 * row.target:>5.0f} %{_verdict(row.share <= row.target)}"
        )
    return "\n".join(lines)


def _shared_values_text(row: SharedValues) -> str:
    return (
        f"9x9 Go with UCB1: {row.tree_per_s:,.0f} simulations a second as a tree, {row.shared_per_s:,.0f} with\n"
        f"shared values: {row.ratio:.2f} (at least {row.target:.2f}){_verdict(row.ratio >= row.target)}"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _cpus(number: int) -> str:
    return "1 processor" if number == 1 else f"{number} processors"


def _verdict(is_met: bool | None) -> str:
    return "" if is_met is None else "  met" if is_met else "  MISSED"
