"""Tables 5.13 to 5.17 of Basaldúa's thesis: three algorithms, three problems, three sizes, three budgets.

All tables are views of one set of searches. Budgets are processor time, not time on the clock, so that a busy machine
changes nothing but the wait. The same tables are made of the 1000 Genomes, of which nothing was published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

import msgspec

from tesuji.genetics import find_panels
from tesuji.genetics.choosing import make_problem
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.genetics_data import GENOMES, WORLDS, number_right, student_bounds, world
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, difference

__all__ = ["GENOME_TABLES", "TABLES", "WorldTables"]

SIZES = (4, 8, 12)
BUDGETS = (600.0, 2400.0, 9600.0)
_DRAWS = 5
ALGORITHMS = ("mcts", "mcts-thesis", "grqs", "topn", "forward", "forward-backward")
_THEIRS = {"mcts": "MCTS", "grqs": "GrQS", "topn": "TopN"}
# Table 5.13: percent right among the classified, mean of the three problems; by budget, then size 4, 8, 12.
_TABLE_5_13 = {
    "mcts": ((88.1, 93.3, 94.6), (88.1, 93.3, 94.8), (88.1, 93.5, 95.3)),
    "grqs": ((85.8, 89.4, 92.8), (87.2, 90.0, 93.0), (88.0, 91.4, 93.4)),
    "topn": ((78.5, 87.0, 89.4),) * 3,
}
# Table 5.14: the best model of the longest search, percent; by problem, then size.
_TABLE_5_14 = {
    ("World3", "mcts"): (99.2, 99.9, 99.9),
    ("World5", "mcts"): (94.6, 98.9, 99.7),
    ("World7", "mcts"): (70.6, 81.6, 86.2),
    ("World3", "grqs"): (98.8, 99.6, 99.7),
    ("World5", "grqs"): (94.7, 98.3, 98.8),
    ("World7", "grqs"): (70.6, 76.3, 81.8),
    ("World3", "topn"): (95.6, 96.0, 95.8),
    ("World5", "topn"): (79.3, 94.0, 94.8),
    ("World7", "topn"): (60.7, 70.9, 77.5),
}


class _Task(msgspec.Struct, frozen=True):
    problem: str
    size: int
    algorithm: str
    budget: int
    processor_s: float
    seed: int


class WorldTables(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment behind the five tables.

    Attributes
    ----------
    about : About
        What it is.
    problems : tuple of str
        Names that `world` knows.
    notes : tuple of str
        What is to be known of the data.
    """

    about: About
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    def tasks(self, scale: float, seed: int) -> Sequence[_Task]:
        """A search for each cell; algorithms that need no time have one budget only."""
        return [
            _Task(problem, size, algorithm, budget, scale * seconds, seed)
            for budget, seconds in enumerate(BUDGETS)  # first: a run that is stopped has whole budgets
            for size in SIZES
            for problem in self.problems
            for algorithm in ALGORITHMS
            if budget == 0 or algorithm not in ("topn", "forward")
        ]

    def run_task(self, task: _Task) -> Row:
        """One search."""
        source, labels = world(task.problem)
        problem, _ = make_problem(source, labels, number_right(task.size, task.seed))
        found = find_panels(problem, task.algorithm, processor_s=task.processor_s, seed=task.seed)
        values = [problem.classifier.values_by_draw(list(one.candidates)) for one in found.panels[:3]]
        return {
            "problem": task.problem,
            "size": task.size,
            "algorithm": task.algorithm,
            "budget": task.budget,
            "processor_s": task.processor_s,
            "classified": problem.num_classified,
            "values": values,
            "found_after": found.best.seconds / max(found.seconds, 1e-9),
            "evaluated": found.evaluated,
            "snps": [problem.candidates.genotypes.snps[i].id for i in found.best.candidates],
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """The tables, the published numbers beside ours, and the thesis's claims."""
        cells = {(r["algorithm"], r["size"], r["problem"], r["budget"]): r for r in rows}
        for (algorithm, size, problem, budget), row in list(cells.items()):
            if algorithm in ("topn", "forward") and budget == 0:
                for other in (1, 2):
                    cells[algorithm, size, problem, other] = row
        table: list[list[Cell]] = []
        for size in SIZES:
            for budget in range(len(BUDGETS)):
                for algorithm in ALGORITHMS:
                    if line := _line(cells, self.problems, algorithm, size, budget):
                        table.append([size, budget + 1, algorithm, *line])
        columns = [
            "SNPs",
            "budget",
            "algorithm",
            *(f"{name} %" for name in self.problems),
            "mean % (5.13)",
            "sd of draws",
        ]
        columns += ["2nd % (5.15)", "3rd % (5.15)", "worst draw % (5.16)", "found after % (5.17)"]
        return Findings(
            columns=columns,
            rows=table,
            comparisons=_comparisons(cells),
            claims=_claims(cells),
            notes=[
                *self.notes,
                "Everything here is the inner value, as in the thesis: the searches have seen these individuals. What a"
                " panel does on new ones is lower; see genetics/aims and `tesuji genetics panel`.",
                "mcts, forward and forward-backward are ours; mcts-thesis is 5.6 with its penalty and its playouts.",
                "Draws are stratified, 38 % of each group; ties at the limit of 5 % count in proportion.",
            ],
        )


def _percents(row: Row, place: int = 0) -> list[float]:
    values = row["values"][min(place, len(row["values"]) - 1)]
    return [100 * value / row["classified"] for value in values]


_Cells = Mapping[tuple[str, int, str, int], Row]


def _line(cells: _Cells, problems: Sequence[str], algorithm: str, size: int, budget: int) -> list[Cell] | None:
    here = [cells.get((algorithm, size, problem, budget)) for problem in problems]
    if any(row is None for row in here):
        return None
    known = [row for row in here if row is not None]
    means = [fmean(_percents(row)) for row in known]
    spread = fmean(stdev(_percents(row)) for row in known)
    second, third = (fmean(fmean(_percents(row, place)) for row in known) for place in (1, 2))
    worst = fmean(min(_percents(row)) for row in known)
    after = 100 * fmean(row["found_after"] for row in known)
    return [*(round(x, 1) for x in (*means, fmean(means), spread, second, third, worst, after))]


def _comparisons(cells: _Cells) -> list[Comparison]:
    found = []
    for algorithm, table in _TABLE_5_13.items():
        for budget in range(len(BUDGETS)):
            for place, size in enumerate(SIZES):
                line = _line(cells, tuple(WORLDS), algorithm, size, budget)
                if line is None:
                    continue
                mean, spread = float(line[3] or 0), float(line[4] or 0)
                found.append(
                    Comparison(
                        quantity=f"{_THEIRS[algorithm]}, {size} SNPs, budget {budget + 1}: % right (± sd of the draws)",
                        ours=Bounds(mean, mean - spread, mean + spread, _DRAWS),
                        published=Published(value=table[budget][place], margin=1.0, where="table 5.13"),
                    )
                )
    for (problem, algorithm), values in _TABLE_5_14.items():
        for place, size in enumerate(SIZES):
            row = cells.get((algorithm, size, problem, len(BUDGETS) - 1))
            if row is not None:
                percents = _percents(row)
                mean, spread = fmean(percents), stdev(percents)
                found.append(
                    Comparison(
                        quantity=f"{_THEIRS[algorithm]}, {problem}, {size} SNPs, longest: % right (± sd of the draws)",
                        ours=Bounds(mean, mean - spread, mean + spread, _DRAWS),
                        published=Published(value=values[place], margin=1.0, where="table 5.14"),
                    )
                )
    return found


def _claims(cells: _Cells) -> list[Claim]:
    claims = []
    for better, worse, statement in (
        ("mcts", "grqs", "MCTS finds better panels than GrQS (5.8.1; ours for MCTS)."),
        ("mcts-thesis", "grqs", "MCTS finds better panels than GrQS (5.8.1), MCTS as in 5.6."),
        ("grqs", "topn", "GrQS finds better panels than TopN (5.8.1)."),
    ):
        pairs = [
            (fmean(_percents(a)), fmean(_percents(b)))
            for (algorithm, *rest), a in cells.items()
            if algorithm == better and (b := cells.get((worse, *rest))) is not None  # type: ignore[arg-type]
        ]
        if not pairs:
            continue
        found = student_bounds([a - b for a, b in pairs])
        wins, losses = (sum(sign * (a - b) > 1e-9 for a, b in pairs) for sign in (1, -1))
        claims.append(
            Claim(
                statement=statement,
                verdict=difference(found),
                evidence=(
                    f"{found.value:+.2f} points [{found.low:+.2f}, {found.high:+.2f}] over {len(pairs)} cells;"
                    f" better in {wins}, worse in {losses}"
                ),
                refuted_by="a mean difference over the cells whose 95 % interval lies below 0",
            )
        )
    return claims


TABLES = WorldTables(
    problems=tuple(WORLDS),
    notes=(
        "Published values are on 1,043 individuals and 650,000 SNPs; ours on 934 individuals and 5,000 SNPs of the"
        " same people, so fewer good SNPs exist and the numbers cannot be the same.",
    ),
    about=About(
        name="genetics/worlds",
        title="Panels for three, five and seven regions of the world",
        question="Which algorithm finds the SNPs that classify best, and what does more time bring?",
        source="Basaldúa, 5.8, tables 5.12 to 5.17.",
        method=(
            "World3, World5 and World7 (table 5.12) on HGDP, 934 individuals and 5,000 SNPs; panels of 4, 8 and 12"
            " SNPs; budgets of 600, 2,400 and 9,600 s of processor time at scale 1; five fixed draws. The folder"
            " of the data is named by TESUJI_GENETICS_DATA."
        ),
        cost="scale 1: 126 hours of one core; 0.001: eight minutes.",
    ),
)

GENOME_TABLES = WorldTables(
    problems=tuple(GENOMES),
    notes=(
        "Nobody published these: the thesis's tables are of HGDP. The draws are 38 % of each group of 2,504 people.",
    ),
    about=About(
        name="genetics/genomes",
        title="The same tables for five regions and 26 populations of the 1000 Genomes",
        question="Do the algorithms rank on other people as they do on HGDP?",
        source="ours, after Basaldúa, 5.8, tables 5.13 to 5.17.",
        method=(
            "1000 Genomes, 2,504 people, 23,770 SNPs; panels of 4, 8 and 12 SNPs for the five regions (Regions5) and"
            " the 26 populations (Populations26); budgets of 600, 2,400 and 9,600 s of processor time at scale 1;"
            " five fixed draws. The folder of the data is named by TESUJI_GENETICS_DATA."
        ),
        cost="scale 1: 84 hours of one core; 0.001: six minutes.",
    ),
)
