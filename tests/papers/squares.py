"""An experiment that computes squares, for the tests of the harness; workers import it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tesuji.papers.findings import Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds


class Squares(msgspec.Struct, frozen=True):
    """Ten squares at scale 1; a task that is `broken` fails."""

    broken: int = -1

    @property
    def about(self) -> About:
        return About(name="toy/squares", title="Squares", question="Is it?", source="Euclid.", method="Multiply.")

    def tasks(self, scale: float, seed: int) -> Sequence[int]:
        return [seed + number for number in range(round(10 * scale))]

    def run_task(self, task: int) -> Row:
        if task == self.broken:
            raise RuntimeError("no square")
        return {"x": task, "square": task * task}

    def render(self, rows: Sequence[Row]) -> Findings:
        from tesuji.experiments.report.plots import line_plot

        total = sum(row["square"] for row in rows)
        return Findings(
            columns=["x", "square"],
            rows=[[row["x"], row["square"]] for row in rows],
            comparisons=[
                Comparison(
                    quantity="sum",
                    ours=Bounds(total, total - 1, total + 1, 10),
                    published=Published(value=385, margin=2, where="table 1"),
                )
            ],
            figures={"line": line_plot([row["x"] for row in rows], [row["square"] for row in rows])},
            notes=["A note."],
        )


SQUARES = Squares()
