"""Packing measured: variants of the search and baselines on published problems, placements a second, bytes a node.

Budgets are seconds of processor time of all threads together, so that a busy machine changes nothing but the wait.
Problems are files of any form that `tesuji.packing` reads; the best known heights come from a CSV beside them.
"""

from __future__ import annotations

import csv
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from tesuji.packing import PackingProblem
from tesuji.packing.baselines import BASELINES
from tesuji.packing.files import read_problem
from tesuji.packing.packing import pack_problem
from tesuji.search import NRPA, RAVE, UCB1, Beam, Nested, Orders, Plain, Restarts, Search, SearchConfig, VirtualVisits
from tesuji.search.strategies import Strategy

__all__ = ["VARIANTS", "PackingRow", "Speed", "best_known", "measure", "measure_speed"]

_UCT = SearchConfig(selection=UCB1(c=0.1))


class Variant(msgspec.Struct, frozen=True):
    """A strategy and the game's parameters."""

    strategy: Strategy
    playout: str = "fit"
    side: str = "taller"


VARIANTS: dict[str, Variant] = {
    "orders (default)": Variant(Orders()),
    "orders, always left": Variant(Orders(), side="left"),
    "UCT, uniform playouts, left": Variant(Plain(config=_UCT), playout="uniform", side="left"),
    "UCT": Variant(Plain(config=_UCT)),
    "UCT with RAVE": Variant(Plain(config=msgspec.structs.replace(_UCT, amaf=RAVE(k=300)))),
    "UCT with priors": Variant(Plain(config=msgspec.structs.replace(_UCT, prior=VirtualVisits(visits=10)))),
    "restarts of UCT": Variant(Restarts(simulations=20_000, config=_UCT)),
    "beam": Variant(Beam(config=_UCT)),
    "nested": Variant(Nested(level=2)),
    "NRPA": Variant(NRPA()),
    "NRPA without priors": Variant(NRPA(bias=0.0)),
    "playouts alone": Variant(Nested(level=0)),
    "uniform playouts alone": Variant(Nested(level=0), playout="uniform"),
}
"""What is compared, by name."""


class PackingRow(msgspec.Struct, frozen=True, kw_only=True):
    """One packer on one problem."""

    problem: str
    packer: str
    rotate: bool
    items: int
    height: float
    bound: float
    best_known: float | None
    is_optimal: bool
    cpu_s: float
    packings: int = 0

    @property
    def gap(self) -> float:
        """To the best known height, or to the bound where none is known."""
        return self.height / (self.best_known or self.bound) - 1


def best_known(path: Path) -> dict[tuple[str, bool], float]:
    """Heights by name of the problem and rotation; a perfect packing is optimal with rotation too."""
    known: dict[tuple[str, bool], float] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["best_known_no_rotation"]:
                known[row["instance"], False] = float(row["best_known_no_rotation"])
            turned = row["best_known_rotation"] or (row["best_known_no_rotation"] if row["perfect"] == "yes" else "")
            if turned:
                known[row["instance"], True] = float(turned)
    return known


def measure(
    files: Iterable[Path],
    packers: Sequence[str],
    *,
    cpu_s: float,
    threads: int,
    rotate: bool,
    seed: int,
    known: Mapping[tuple[str, bool], float],
) -> Iterator[PackingRow]:
    """Every packer on every problem, a row as soon as it is there."""
    for file in files:
        for packer in packers:
            yield _row(file, packer, cpu_s, threads, rotate, seed, known.get((file.stem, rotate)))


def _row(
    file: Path, packer: str, cpu_s: float, threads: int, rotate: bool, seed: int, known: float | None
) -> PackingRow:
    variant = VARIANTS.get(packer)
    specification = read_problem(file)
    problem = PackingProblem(
        specification.items,
        width=specification.width,
        rotate=rotate,
        side=variant.side if variant else "taller",  # type: ignore[arg-type]  # a Literal as a str
        playout=variant.playout if variant else "fit",  # type: ignore[arg-type]
    )
    started, packings, is_optimal = time.process_time(), 0, False
    if variant is None:
        height = BASELINES[packer](problem)
    else:
        plan = pack_problem(
            problem,
            strategy=_with_threads(variant.strategy, threads),
            seconds=3600.0,
            seed=seed,
            on_progress=lambda _: time.process_time() - started < cpu_s,
            report_s=0.02,
        )
        height, packings, is_optimal = plan.height, plan.simulations, plan.is_optimal
    return PackingRow(
        problem=file.stem,
        packer=packer,
        rotate=rotate,
        items=sum(item.count for item in problem.items),
        height=height,
        bound=float(problem.native.bound * problem.unit),
        best_known=known,
        is_optimal=is_optimal,
        cpu_s=time.process_time() - started,
        packings=packings,
    )


def _with_threads(strategy: Strategy, threads: int) -> Strategy:
    if isinstance(strategy, Nested | NRPA | Orders):
        return msgspec.structs.replace(strategy, threads=threads)
    config = msgspec.structs.replace(strategy.config, threads=threads)
    return msgspec.structs.replace(strategy, config=config)


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Of one thread on random rectangles."""

    items: int
    placements_per_s: float
    uniform_placements_per_s: float
    ordered_placements_per_s: float
    bytes_per_node: float


def measure_speed(items: int, seed: int, cpu_s: float = 1.0) -> Speed:
    """Placements a second of processor time, in playouts and in orders; bytes of a node of the tree.

    Sides are uniform in 1..50 on a strip of width 200; rotation is allowed.
    """
    draw = random.Random(seed)
    rectangles = [(draw.randint(1, 50), draw.randint(1, 50)) for _ in range(items)]
    fit, uniform = (PackingProblem(rectangles, width=200, playout=name).game() for name in ("fit", "uniform"))
    order = fit.first_order(0)
    search = Search(fit, SearchConfig(selection=UCB1(c=0.1)))
    result = search.run(simulations=500_000 // items, seed=seed)  # a node of thousands of moves is large
    return Speed(
        items=items,
        placements_per_s=items * _rate(lambda: fit.playout_values(10, seed), 10, cpu_s),
        uniform_placements_per_s=items * _rate(lambda: uniform.playout_values(10, seed), 10, cpu_s),
        ordered_placements_per_s=items * _rate(lambda: fit.moves_in_order(order, True), 1, cpu_s),
        bytes_per_node=result.counts["bytes"] / result.counts["nodes"],
    )


def _rate(work: Callable[[], object], amount: int, cpu_s: float) -> float:
    started, count = time.process_time(), 0
    while (elapsed := time.process_time() - started) < cpu_s:
        work()
        count += amount
    return count / elapsed
