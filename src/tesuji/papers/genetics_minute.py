"""A minute of MCTS and a minute of GrQS on World7, with 8 and with 12 SNPs (Basaldúa, 5.8.1: MCTS is the better).

The seed draws the people who learn and who are classified as well as the search, so that GrQS, which draws nothing by
itself, is judged on as many problems as MCTS. Minutes are of processor time.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec

from tesuji.genetics import find_panels
from tesuji.genetics.choosing import make_problem
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.genetics_data import number_right, student_bounds, world
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, difference

__all__ = ["MINUTE", "MinuteStudy"]

SIZES = (8, 12)
SEEDS = 5
SECONDS = 60.0
ALGORITHMS = ("mcts", "grqs")


class _Task(msgspec.Struct, frozen=True):
    size: int
    seed: int
    algorithm: str
    processor_s: float


class MinuteStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[_Task]:
        """Seed by seed, so that a run that is stopped has whole pairs."""
        return [
            _Task(size, draw, algorithm, scale * SECONDS)
            for draw in range(seed, seed + SEEDS)
            for size in SIZES
            for algorithm in ALGORITHMS
        ]

    def run_task(self, task: _Task) -> Row:
        """One search."""
        source, labels = world("World7")
        problem, _ = make_problem(source, labels, number_right(task.size, task.seed))
        found = find_panels(problem, task.algorithm, processor_s=task.processor_s, seed=task.seed)
        return {
            "size": task.size,
            "seed": task.seed,
            "algorithm": task.algorithm,
            "value": found.best.value,
            "classified": problem.num_classified,
            "evaluated": found.evaluated,
            "cpu_s": found.cpu_s,
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """How many are right, by seed, and who is ahead."""
        values = {(row["size"], row["algorithm"], row["seed"]): row["value"] for row in rows}
        seeds = sorted({row["seed"] for row in rows})
        table: list[list[Cell]] = []
        for size in SIZES:
            for algorithm in ALGORITHMS:
                known = [values[size, algorithm, seed] for seed in seeds if (size, algorithm, seed) in values]
                if known:
                    mean = round(fmean(known), 2)
                    table.append([size, algorithm, mean, " ".join(f"{value:.2f}" for value in known), len(known)])
        classified = ", ".join(f"{count:g}" for count in sorted({row["classified"] for row in rows}))
        return Findings(
            columns=["SNPs", "algorithm", "right, mean", "by seed", "seeds"],
            rows=table,
            claims=[_claim(values, seeds, sizes) for sizes in (SIZES, *((size,) for size in SIZES))],
            notes=[
                f"A number right is the mean over five draws, of {classified} classified.",
                "The interval is Student's, 95 %, over the pairs: the same people, the same draws.",
            ],
        )


def _claim(values: dict[tuple[int, str, int], float], seeds: Sequence[int], sizes: Sequence[int]) -> Claim:
    pairs = [
        values[size, "mcts", seed] - values[size, "grqs", seed]
        for size in sizes
        for seed in seeds
        if (size, "mcts", seed) in values and (size, "grqs", seed) in values
    ]
    found = student_bounds(pairs) if pairs else Bounds(float("nan"), float("-inf"), float("inf"), 0)
    which = " and ".join(str(size) for size in sizes)
    return Claim(
        statement=f"A minute of MCTS finds better panels of {which} SNPs than a minute of GrQS (5.8.1; ours for MCTS).",
        verdict=difference(found),
        evidence=f"{found.value:+.2f} right [{found.low:+.2f}, {found.high:+.2f}] over {len(pairs)} pairs",
        refuted_by="a mean difference over the pairs whose 95 % interval lies below 0",
    )


MINUTE = MinuteStudy(
    about=About(
        name="genetics/minute",
        title="Seven regions, a minute: MCTS beside GrQS",
        question="Given a minute each, does MCTS find panels of 8 and 12 SNPs that are at least as good as GrQS's?",
        source="Basaldúa, 5.8.1.",
        method=(
            "World7 (table 5.12) on HGDP, 934 individuals and 5,000 SNPs; five seeds, each with its own draws of"
            " who learns and who is classified; 60 s of processor time each at scale 1. The folder of the data is"
            " named by TESUJI_GENETICS_DATA."
        ),
        cost="scale 1: 20 minutes of one core.",
    )
)
