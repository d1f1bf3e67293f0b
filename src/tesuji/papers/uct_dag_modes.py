"""The UCT-DAG report, sections 2.2, 2.3.2 and 4.2.1: what equal states may share, in five graph modes, on P-games.

The report ran UCT and UCT-DAG only. It rejects shared counts by an argument (2.2) and says of its own multi-path update
that it does not keep UCT's convergence (4.2.1), without numbers for either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from tesuji.experiments.report.plots import barred_plot
from tesuji.games import PGame, PGameSpec
from tesuji.papers.batches import Batch, batches, exploring, num_wrong
from tesuji.papers.error_curves import MARGIN, Curve, curve_of, less_error
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import FEWEST, Verdict
from tesuji.search.choices import one_two_five, search_choices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COMBINATIONS", "MODES", "Modes", "ModesTask"]

BREADTH, DEPTH = 2, 20
COMBINATIONS = (0.0, 0.1, 0.3)
ITERATIONS = 10_000
READ_AT = (100, 1_000, 10_000)
"""Iterations at which claims are judged."""
Mode = Literal["tree", "dag", "shared-values", "shared-counts", "multipath"]
NAMES: dict[Mode, str] = {
    "tree": "UCT",
    "dag": "UCT-DAG",
    "shared-values": "shared values",
    "shared-counts": "shared counts",
    "multipath": "multi-path",
}
_LIKE_UCT: tuple[Mode, ...] = ("dag", "shared-values", "multipath")
_BESIDE_DAG: tuple[Mode, ...] = ("shared-counts", "multipath", "shared-values")
Curves = dict[Mode, Curve]


class ModesTask(msgspec.Struct, frozen=True):
    """Some repetitions on a game, in all modes."""

    batch: Batch
    combination: float


class Modes(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment."""

    about: About
    breadth: int = BREADTH
    depth: int = DEPTH

    def tasks(self, scale: float, seed: int) -> Sequence[ModesTask]:
        """Every batch at every combination."""
        return [ModesTask(batch, combination) for batch in batches(scale, seed) for combination in COMBINATIONS]

    def run_task(self, task: ModesTask) -> Row:
        """Draw the game, search it in all modes, count wrong answers."""
        game = PGame(
            PGameSpec(breadth=self.breadth, depth=self.depth, combination=task.combination, seed=task.batch.game_seed)
        )
        seeds, wrong, nodes = task.batch.seeds, {}, {}
        for mode in NAMES:
            config = exploring(self.breadth, self.depth, ITERATIONS, graph=mode)
            choices = search_choices(game.start(), config, counts=one_two_five(ITERATIONS), seeds=seeds)
            wrong[mode] = num_wrong(game, choices)
            nodes[mode] = float(choices.num_nodes[:, -1].mean())
        return {
            **task.batch.described,
            "combination": task.combination,
            "wrong": wrong,
            "nodes": nodes,
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """Errors of all modes; a figure for each combination."""
        found = [x for x in COMBINATIONS if any(row["combination"] == x for row in rows)]
        curves = {combination: _curves(combination, rows) for combination in found}
        return Findings(
            columns=["combination", "search", "iterations", "error", "low", "high", "nodes", "games", "runs"],
            rows=[line for combination in found for line in _lines(combination, curves[combination], rows)],
            claims=[claim for combination in found for claim in _claims(combination, curves[combination])],
            figures={f"{combination:.0%}": self._figure(combination, curves[combination]) for combination in found},
            notes=list(_NOTES),
        )

    def _figure(self, combination: float, curves: Curves) -> Figure:
        return barred_plot(
            [curve.drawn() for curve in curves.values()],
            x_label="iterations",
            y_label="average error",
            title=f"What equal states share, {self.breadth}x{self.depth}, combination {combination:.0%}",
        )


def _curves(combination: float, rows: Sequence[Row]) -> Curves:
    own = [row for row in rows if row["combination"] == combination]
    return {
        mode: curve_of(name, one_two_five(ITERATIONS), own, lambda row, mode=mode: row["wrong"][mode])  # type: ignore[misc]
        for mode, name in NAMES.items()
    }


def _lines(combination: float, curves: Curves, rows: Sequence[Row]) -> Iterator[list[Cell]]:
    for mode, curve in curves.items():
        nodes = round(np.mean([row["nodes"][mode] for row in rows if row["combination"] == combination]))
        bounds = (x.tolist() for x in (curve.mean(), curve.lower(), curve.upper()))
        for count, error, low, high in zip(curve.counts, *bounds, strict=True):
            yield [combination, curve.label, count, error, low, high, nodes, len(curve.errors), curve.runs]


def _claims(combination: float, curves: Curves) -> Iterator[Claim]:
    """Where nothing is shared all err alike; elsewhere each beside UCT-DAG."""
    where = f"At {combination:.0%} combination"
    for count in READ_AT:
        if combination == 0:
            for mode in _LIKE_UCT:
                yield _identical(f"{where} {NAMES[mode]} errs exactly as UCT", curves["tree"], curves[mode], count)
            continue
        after = f"after {count:,} iterations"
        yield less_error(f"{where} UCT-DAG errs less than UCT {after}.", curves["tree"], curves["dag"], (count,))
        for mode in _BESIDE_DAG:
            statement = f"{where} UCT-DAG errs less than {NAMES[mode]} {after}."
            yield less_error(statement, curves[mode], curves["dag"], (count,))


def _identical(statement: str, one: Curve, other: Curve, count: int) -> Claim:
    """Exactly: one game on which they differ refutes it; that there is none shows it for as many games as there are."""
    column = list(one.counts).index(count)
    differing = int(np.sum(one.errors[:, column] != other.errors[:, column]))
    games = len(one.errors)
    verdict: Verdict = "open" if games < FEWEST else "not reproduced" if differing else "reproduced"
    return Claim(
        statement=f"{statement} after {count:,} iterations.",
        verdict=verdict,
        evidence=f"They differ on {differing} of {games} games",
        refuted_by="a game on which they do not err equally often",
    )


_NOTES = (
    "The report has no numbers for shared values, shared counts and multi-path on P-games; the claims are ours.",
    "Intervals are of 95 %, over games, as if one more game of either extreme had been seen; no correction is made for"
    f" the number of claims. Errors that differ by less than {MARGIN:g} count as equal. Nodes are those"
    " of the graph after the last iteration; shared counts make a node for every child that is seen.",
    "At 0 % shared counts differ from UCT by a trifle: their N counts all visits of a node.",
)

MODES = Modes(
    about=About(
        name="uct-dag/modes",
        title="What equal states share: five graph modes on P-games of 2x20 (the UCT-DAG report, 2.2, 2.3.2, 4.2.1)",
        question="How often is the answer wrong if equal states share nothing, values, counts, or all ancestors?",
        source=(
            "UCT-DAG report, 2.2: with shared counts the bound is no longer as accurate; 4.2.1: multi-path update"
            " does not preserve the convergence of UCT. No numbers are published."
        ),
        method=(
            "P-games of 2x20 at DAG combinations of 0, 10 and 30 %, UCB1 with c = 1 to the leaf, the whole path enters"
            " the graph, the answer is the move with the best value, read at 1, 2, 5, 10, ... 10,000 iterations of one"
            " run. All modes search the same games with the same seeds. Scale 1 is 200 games x 200 repetitions at each"
            " combination; a smaller scale shrinks the repetitions to ten, then the games, never the iterations."
        ),
        cost="four to five hours of processor time at scale 1, divided among the jobs.",
    ),
)
