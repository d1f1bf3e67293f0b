"""The UCT-DAG report, section 4.2.5: P-games searched as LibEGO searches Go, with a maturity threshold and playouts.

The report proposes this experiment and did not run it. The P-game program lets every walk enter the tree down to the
leaf. LibEGO gives a node children once it was visited often enough, and plays on at random below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tesuji.experiments.report.plots import barred_plot
from tesuji.games import PGame, PGameSpec
from tesuji.papers.batches import Batch, batches, exploring, num_wrong
from tesuji.papers.error_curves import Curve, curve_of, less_error
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.search import SearchConfig
from tesuji.search.choices import one_two_five, search_choices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MATURITY", "Maturity", "MaturityTask"]

SIZES = ((2, 20), (10, 6))
MATURITIES = (1, 2, 5, 10, 20, 50)
ITERATIONS = 10_000
READ_AT = (100, 1_000, 10_000)
WHOLE = "whole path"


class MaturityTask(msgspec.Struct, frozen=True):
    """Some repetitions on a game, in all ways."""

    breadth: int
    depth: int
    batch: Batch


class Maturity(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment: whole paths beside playouts from nodes of every maturity."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[MaturityTask]:
        """All games of both sizes."""
        return [MaturityTask(*shape, batch) for batch in batches(scale, seed) for shape in SIZES]

    def run_task(self, task: MaturityTask) -> Row:
        """Draw the game, search it in all ways."""
        game = PGame(PGameSpec(breadth=task.breadth, depth=task.depth, seed=task.batch.game_seed))
        seeds, counts = task.batch.seeds, one_two_five(ITERATIONS)
        wrong, nodes = {}, {}
        for name, config in _searches(task.breadth, task.depth).items():
            choices = search_choices(game.start(), config, counts=counts, seeds=seeds)
            wrong[name] = num_wrong(game, choices)
            nodes[name] = choices.num_nodes.mean(axis=0).tolist()
        size = f"{task.breadth}x{task.depth}"
        return {"size": size, **task.batch.described, "wrong": wrong, "nodes": nodes}

    def render(self, rows: Sequence[Row]) -> Findings:
        """Errors and nodes of all ways; a figure for each size."""
        sizes = [size for size in (f"{b}x{d}" for b, d in SIZES) if any(row["size"] == size for row in rows)]
        curves = {size: _curves(size, rows) for size in sizes}
        return Findings(
            columns=["size", "search", "iterations", "error", "high", "nodes", "games", "runs"],
            rows=[line for size in sizes for curve in curves[size] for line in _lines(size, curve, rows)],
            claims=[claim for size in sizes for claim in _claims(size, curves[size])],
            figures={size: _figure(size, curves[size]) for size in sizes},
            notes=["The report proposes this experiment and has no result; the claims are ours."],
        )


def _searches(breadth: int, depth: int) -> dict[str, SearchConfig]:
    whole = exploring(breadth, depth, ITERATIONS, graph="tree")
    young = {
        f"maturity {visits}": msgspec.structs.replace(whole, expansion="one-child", maturity=visits)
        for visits in MATURITIES
    }
    return {WHOLE: whole, **young}


def _curves(size: str, rows: Sequence[Row]) -> list[Curve]:
    own = [row for row in rows if row["size"] == size]
    return [
        curve_of(name, one_two_five(ITERATIONS), own, lambda row, name=name: row["wrong"][name])  # type: ignore[misc]
        for name in own[0]["wrong"]
    ]


def _lines(size: str, curve: Curve, rows: Sequence[Row]) -> Iterator[list[Cell]]:
    nodes = np.mean([row["nodes"][curve.label] for row in rows if row["size"] == size], axis=0)
    columns = zip(curve.counts, curve.mean().tolist(), curve.upper().tolist(), nodes.tolist(), strict=True)
    for count, error, high, number in columns:
        yield [size, curve.label, count, error, high, round(number), len(curve.errors), curve.runs]


def _claims(size: str, curves: Sequence[Curve]) -> Iterator[Claim]:
    """Whether the least maturity errs otherwise than whole paths do."""
    whole, young = curves[0], curves[1]
    for count in READ_AT:
        statement = f"On {size}, playouts from a tree of maturity {MATURITIES[0]} err less than whole paths after"
        yield less_error(f"{statement} {count:,} iterations.", whole, young, (count,))


def _figure(size: str, curves: Sequence[Curve]) -> Figure:
    title = f"Playouts below young nodes, P-games of {size}"
    drawn = [curve.drawn() for curve in curves]
    return barred_plot(drawn, x_label="iterations", y_label="average error", title=title)


MATURITY = Maturity(
    about=About(
        name="uct-dag/maturity",
        title="P-games searched with a maturity threshold and separate playouts (the UCT-DAG report, 4.2.5)",
        question="What does it cost in errors, and save in nodes, if only mature nodes get children?",
        source="UCT-DAG report, section 4.2.5: proposed, not run; none published.",
        method=(
            "Trees of 2x20 and 10x6, UCB1 with c = 1, the answer is the move with the best value. Whole path: UCB1 to"
            " the leaf, all of it enters the tree. Maturity m: a node gets children after m visits, and a uniform"
            " playout follows. Scale 1 is 200 games x 200 repetitions of 10,000 iterations for each size and way."
        ),
        cost="an hour and a half of processor time at scale 1, divided among the jobs; see docs/results/uct-dag.md.",
    ),
)
