"""Strip packing by plain UCT, after Basaldúa: figure 2.13 (an optimal packing) and 7.2.6 (repeating one solution).

The rectangles of figure 2.13 are not printed, so ours are: 15 that fill a square of 20, so that the optimum is
known. The search is the one that 2.3.4 describes: the lowest, leftmost place, random playouts, one tree, no
knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any, Literal

import msgspec

from tesuji.experiments.report.plots import curves_plot
from tesuji.packing import PackingProblem
from tesuji.papers.findings import Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import difference, rate_bounds, rate_difference
from tesuji.search import UCB1, OnePlayer, Plain, SearchConfig, solve

__all__ = ["EXAMPLE", "FIG_2_13", "REVISITS", "example"]

EXAMPLE = (
    *((6, 7), (8, 5), (3, 12), (4, 9), (9, 4), (3, 11), (8, 4), (3, 8)),
    *((6, 4), (6, 4), (2, 9), (6, 3), (3, 5), (2, 7), (2, 4)),
)
"""15 rectangles without rest in a strip of width 20."""

WIDTH, OPTIMUM = 20, 20
SIMULATIONS = 100_000
"""Of each run at scale 1."""

_MARKS = tuple(10.0 ** (step / 4) for step in range(4, 25))
_Revisit = Literal["allow", "penalty", "close"]


def example() -> PackingProblem:
    """The rectangles as the search gets them."""
    return PackingProblem(EXAMPLE, width=WIDTH, side="left", playout="uniform")


class Task(msgspec.Struct, frozen=True):
    """One run."""

    revisit: _Revisit
    simulations: int
    seed: int


def _run(task: Task) -> Row:
    config = SearchConfig(selection=UCB1(c=0.1), one_player=OnePlayer(revisit=task.revisit))
    solved = solve(example().game(), strategy=Plain(config=config), simulations=task.simulations, seed=task.seed)
    assert solved.best_solution is not None
    return {
        "revisit": task.revisit,
        "value": solved.best_solution.value,
        "at": solved.improvements[-1].simulations,
        "simulations": task.simulations,
        "improvements": [[one.simulations, one.value] for one in solved.improvements],
    }


class Optimum(msgspec.Struct, frozen=True, kw_only=True):
    """Figure 2.13; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """40 runs with seeds of their own."""
        return [Task("close", max(100, round(SIMULATIONS * scale)), seed * 1000 + run) for run in range(40)]

    run_task = staticmethod(_run)

    def render(self, rows: Sequence[Row]) -> Findings:
        """How many runs found the optimum, and when."""
        solved = sorted(row["at"] for row in rows if row["value"] == OPTIMUM)
        best = min(row["value"] for row in rows)
        return Findings(
            columns=("runs", "optimal", "median simulations", "mean height"),
            rows=[
                [len(rows), len(solved), median(solved) if solved else None, round(fmean(r["value"] for r in rows), 2)]
            ],
            claims=[
                Claim(
                    statement="UCT without knowledge finds an optimal packing (Basaldúa, figure 2.13).",
                    verdict=difference(rate_bounds(len(solved), len(rows))),
                    evidence=f"{len(solved)} of {len(rows)} runs found height {OPTIMUM}; the best height is {best:g}",
                    refuted_by=f"no run of 40 finds height {OPTIMUM}",
                )
            ],
            figures=_figures({"runs": list(rows)}, "share of runs with the optimum", _share_solved),
            notes=["The rectangles of the published figure are not printed; these are ours."],
        )


class Revisits(msgspec.Struct, frozen=True, kw_only=True):
    """7.2.6; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """40 runs of each kind, with the same seeds."""
        count = max(100, round(SIMULATIONS * scale))
        kinds: tuple[_Revisit, ...] = ("allow", "penalty", "close")
        return [Task(kind, count, seed * 1000 + run) for run in range(40) for kind in kinds]

    run_task = staticmethod(_run)

    def render(self, rows: Sequence[Row]) -> Findings:
        """A line for each kind, and whether closing helps."""
        kinds = {kind: [row for row in rows if row["revisit"] == kind] for kind in ("allow", "penalty", "close")}
        found = {kind: runs for kind, runs in kinds.items() if runs}
        best = min(row["value"] for row in rows)
        reached = {kind: sum(row["value"] == best for row in runs) for kind, runs in found.items()}
        is_whole = len(found) == 3 and len({len(runs) for runs in found.values()}) == 1
        runs = {kind: (float(reached[kind]), len(found[kind])) for kind in reached}
        return Findings(
            columns=("solutions seen again", "runs", "best height reached", "mean height", "median simulations"),
            rows=[
                [
                    kind,
                    len(runs),
                    reached[kind],
                    round(fmean(row["value"] for row in runs), 3),
                    median(row["at"] for row in runs),
                ]
                for kind, runs in found.items()
            ],
            claims=[
                Claim(
                    statement="Without closing, UCT repeats a solution and misses better ones; with it, not (7.2.6).",
                    verdict=difference(rate_difference(runs["close"], runs["allow"])) if is_whole else "open",
                    evidence=", ".join(f"{kind}: {count} of {len(found[kind])}" for kind, count in reached.items())
                    + f" runs reached height {best:g}",
                    refuted_by="no more runs reach the best height where solutions are closed than where not",
                )
            ],
            figures=_figures(found, "mean of the best heights", _mean_best),
            notes=[
                "With 7 to 11 of the rectangles hardly a run misses the optimum, whatever is done with solutions that"
                " are seen again (12 runs of each, not stored)."
            ],
        )


def _share_solved(rows: list[Row], simulations: float) -> float:
    return fmean(row["value"] == OPTIMUM and row["at"] <= simulations for row in rows)


def _mean_best(rows: list[Row], simulations: float) -> float:
    values = []
    for row in rows:
        known = [value for at, value in row["improvements"] if at <= simulations]
        values.append(known[-1] if known else row["improvements"][0][1])
    return fmean(values)


def _figures(rows: dict[str, list[Row]], label: str, value_at: Any) -> dict[str, Any]:
    """Curves over the simulations; none where nothing changes."""
    last = max(row["simulations"] for runs in rows.values() for row in runs)
    marks = [mark for mark in _MARKS if mark <= last]
    curves = {name: [value_at(runs, mark) for mark in marks] for name, runs in rows.items()}
    if len({value for curve in curves.values() for value in curve}) < 2:
        return {}
    return {
        "curves": curves_plot(marks, curves, x_label="simulations", y_label=label, title="Strip packing by UCT"),
    }


FIG_2_13 = Optimum(
    about=About(
        name="basaldua/fig-2.13",
        title="Strip packing: how soon UCT finds an optimal packing of 15 rectangles",
        question="How many simulations does UCT need until it finds the optimum, over seeds?",
        source="Basaldúa, 2.3.4 and figure 2.13.",
        method=(
            "15 rectangles that fill a square of 20, rotation allowed, the lowest and leftmost place, uniform playouts,"
            " UCB1 with c = 0.1 on values scaled to 0..1, finished parts closed; 40 runs with seeds of their own and"
            f" {SIMULATIONS:,} simulations each. Scale changes the simulations, never the runs."
        ),
        cost="about two minutes on one processor core.",
    )
)
REVISITS = Revisits(
    about=About(
        name="basaldua/7.2.6",
        title="Strip packing: solutions seen again",
        question="Does UCT get stuck on a solution it has seen, and does closing what is finished help?",
        source="Basaldúa, 7.2.6 and 7.3.1.",
        method=(
            "The rectangles and the search of basaldua/fig-2.13; solutions seen again are allowed, backed up with 2 %"
            f" less, or closed. 40 runs of each, the same seeds, {SIMULATIONS:,} simulations. Scale changes the"
            " simulations."
        ),
        cost="about two minutes on one processor core.",
    )
)
