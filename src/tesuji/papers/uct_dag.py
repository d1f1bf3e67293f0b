"""The UCT-DAG report, figures 3.1 to 3.4, C.1 and C.2: UCT and UCT-DAG on P-games whose nodes are merged.

Both search the same game, a DAG. Plain UCT takes every path for a node of its own: it searches the tree that the DAG
unfolds to. UCT-DAG knows nodes that are reached on several paths. The pictures are lost from the text we have, so what
can be compared is what the text says of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from tesuji.experiments.report.plots import barred_plot
from tesuji.games import PGame, PGameSpec
from tesuji.papers.batches import Batch, batches, exploring, num_wrong
from tesuji.papers.error_curves import (
    MARGIN,
    Curve,
    alike,
    curve_of,
    gap,
    gap_text,
    independent_gap,
    less_error,
    together,
)
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import difference, equivalence
from tesuji.search.choices import one_two_five, search_choices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COMBINATIONS", "FIG_3_1", "FIG_3_2", "FIG_3_3", "FIG_3_4", "FIG_C_1", "FIG_C_2", "DagFigure", "DagTask"]

COMBINATIONS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.3)
ITERATIONS = 10_000
READ_AT = (1_000, 2_000, 5_000, 10_000)
"""Iterations at which claims are judged."""
Mode = Literal["tree", "dag"]
NAMES: dict[Mode, str] = {"tree": "UCT", "dag": "UCT-DAG"}
Curves = dict[tuple[float, Mode], Curve]
"""By combination and mode."""


class DagTask(msgspec.Struct, frozen=True):
    """Some repetitions on a game, in each mode."""

    batch: Batch
    combination: float


class DagFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure: games of one size at all combinations.

    Attributes
    ----------
    about : About
        What it is.
    breadth, depth : int
        Of the games.
    modes : tuple
        "tree" and "dag" for the ratio of their errors, one of them for its error alone.
    roots : {"mixed", "as-drawn"}
        Whether games whose root has no choice to get wrong are drawn again.
    amounts : {"free", "in-range"}
        Whether nodes are merged with any other of their level, or so that no amount leaves its range.
    """

    about: About
    breadth: int
    depth: int
    modes: tuple[Mode, ...] = ("tree", "dag")
    roots: Literal["mixed", "as-drawn"] = "mixed"
    amounts: Literal["free", "in-range"] = "free"

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """What may be chosen, the first by default."""
        return {"roots": ("mixed", "as-drawn"), "amounts": ("free", "in-range")}

    def tasks(self, scale: float, seed: int) -> Sequence[DagTask]:
        """Every batch at every combination; a game's seed is the same at all of them."""
        return [DagTask(batch, combination) for batch in batches(scale, seed) for combination in COMBINATIONS]

    def run_task(self, task: DagTask) -> Row:
        """Draw the game, search it, count wrong answers."""
        spec = PGameSpec(
            breadth=self.breadth,
            depth=self.depth,
            combination=task.combination,
            seed=task.batch.game_seed,
            mixed_root=self.roots == "mixed",
            amounts_in_range=self.amounts == "in-range",
        )
        game, wrong = PGame(spec), {}
        winning = len(game.winning_moves)
        for mode in self.modes:
            config = exploring(self.breadth, self.depth, ITERATIONS, graph=mode)
            if not 0 < winning < self.breadth:  # every answer is right
                wrong[mode] = [0] * len(one_two_five(ITERATIONS))
                continue
            choices = search_choices(game.start(), config, counts=one_two_five(ITERATIONS), seeds=task.batch.seeds)
            wrong[mode] = num_wrong(game, choices)
        return {
            **task.batch.described,
            "combination": task.combination,
            "nodes": game.num_nodes,
            "redraws": game.num_redraws,
            "winning": winning,
            "out_of_range": game.num_amounts_out_of_range / sum(game.level_sizes[:-1].tolist()) / self.breadth,
            "wrong": wrong,
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """The errors, or what UCT's is divided by UCT-DAG's; what the text says about it."""
        curves = {
            (combination, mode): _curve(combination, mode, rows)
            for combination in COMBINATIONS
            if any(row["combination"] == combination for row in rows)
            for mode in self.modes
        }
        is_ratio = len(self.modes) == 2
        columns, table = _ratio_table(curves) if is_ratio else _error_table(curves)
        claims = _ratio_claims(curves) if is_ratio else _trend_claims(curves, self.modes[0])
        return Findings(
            columns=columns,
            rows=table,
            claims=list(claims),
            figures={"ratio" if is_ratio else "error": self._figure(curves, is_ratio)},
            notes=[f"Roots are {self.roots}, amounts {self.amounts}.", *_about_games(rows, self.breadth), *_NOTES],
        )

    def _figure(self, curves: Curves, is_ratio: bool) -> Figure:
        size = f"{self.breadth}x{self.depth}"
        if is_ratio:
            return barred_plot(
                [dag.over(tree) for tree, dag in (_pair(curves, combination) for combination in _combinations(curves))],
                x_label="iterations",
                y_label="error of UCT / error of UCT-DAG",
                title=f"UCT-DAG against UCT by DAG combination, {size}",
                reference=1.0,
            )
        return barred_plot(
            [curve.drawn() for curve in curves.values()],
            x_label="iterations",
            y_label="average error",
            title=f"{NAMES[self.modes[0]]} by DAG combination, {size}",
        )


def _curve(combination: float, mode: Mode, rows: Sequence[Row]) -> Curve:
    own = [row for row in rows if row["combination"] == combination]
    return curve_of(f"{combination:.0%}", one_two_five(ITERATIONS), own, lambda row: row["wrong"][mode])


def _combinations(curves: Curves) -> list[float]:
    return list(dict.fromkeys(combination for combination, _ in curves))


def _pair(curves: Curves, combination: float) -> tuple[Curve, Curve]:
    return curves[combination, "tree"], curves[combination, "dag"]


# --- tables and figures -----------------------------------------------------------------------------------------------


def _error_table(curves: Curves) -> tuple[list[str], list[list[Cell]]]:
    columns = ["combination", "search", "iterations", "error", "low", "high", "high_by_3.1", "games", "runs"]
    rows: list[list[Cell]] = [
        [combination, NAMES[mode], count, *bounds, len(curve.errors), curve.runs]
        for (combination, mode), curve in curves.items()
        for count, *bounds in zip(
            curve.counts,
            *(x.tolist() for x in (curve.mean(), curve.lower(), curve.upper(), curve.published_upper())),
            strict=True,
        )
    ]
    return columns, rows


def _ratio_table(curves: Curves) -> tuple[list[str], list[list[Cell]]]:
    columns = ["combination", "iterations", "error_uct", "error_uct_dag", "ratio"]
    columns += [
        "difference",
        "difference_low",
        "difference_high",
        "high_uct_dag",
        "high_uct_dag_by_3.1",
        "games",
        "runs",
    ]
    rows: list[list[Cell]] = []
    for combination in _combinations(curves):
        tree, dag = _pair(curves, combination)
        for i, count in enumerate(tree.counts):
            found, one, other = gap(tree, dag, count), tree.at(count), dag.at(count)
            ratio = one / other if other else None
            bounds = dag.upper()[i].item(), dag.published_upper()[i].item()
            apart = found.value, found.low, found.high
            rows.append([combination, count, one, other, ratio, *apart, *bounds, len(tree.errors), tree.runs])
    return columns, rows


# --- what the text says -----------------------------------------------------------------------------------------------


def _ratio_claims(curves: Curves) -> Iterator[Claim]:
    """3.1.1: from 20 % on there is a significant improvement; at 10 % or less the difference is negligible."""
    for combination in _combinations(curves):
        tree, dag = _pair(curves, combination)
        if combination >= 0.2:
            for count in READ_AT:
                statement = f"At {combination:.0%} combination UCT-DAG errs less than UCT after {count:,} iterations."
                yield less_error(statement, tree, dag, (count,))
        else:
            yield alike(f"At {combination:.0%} combination UCT and UCT-DAG err alike.", tree, dag, READ_AT)


def _trend_claims(curves: Curves, mode: Mode) -> Iterator[Claim]:
    """3.1.1: UCT-DAG errs alike at all combinations; UCT errs the more, the higher the combination is."""
    least, most = curves.get((COMBINATIONS[0], mode)), curves.get((COMBINATIONS[-1], mode))
    if least is None or most is None:
        return
    high = f"{COMBINATIONS[-1]:.0%}"
    for count in READ_AT:
        if mode == "dag":
            more = {one: curves[one, mode] for one in _combinations(curves) if one != COMBINATIONS[0]}
            yield _no_trend(least, more, count)
            continue
        found = independent_gap(most, least, count)
        yield Claim(
            statement=f"UCT errs more at {high} combination than at 0% after {count:,} iterations.",
            verdict=difference(found, MARGIN),
            evidence=f"{gap_text(most.at(count), least.at(count), found)} ({found.trials} games each)",
            refuted_by=f"an excess whose interval ends below {MARGIN:g}",
        )


def _no_trend(least: Curve, more: Mapping[float, Curve], count: int) -> Claim:
    """No level of combination differs from none at all: one that does is enough to refute it."""
    found = {one: independent_gap(curve, least, count) for one, curve in more.items()}
    shared = [independent_gap(curve, least, count, alpha=0.05 / len(more)) for curve in more.values()]
    texts = [f"{one:.0%}: {each.value:+.4f} [{each.low:+.4f}, {each.high:+.4f}]" for one, each in found.items()]
    return Claim(
        statement=f"UCT-DAG errs alike at all combinations after {count:,} iterations.",
        verdict=together(
            [equivalence(each, MARGIN) for each in found.values()], [equivalence(each, MARGIN) for each in shared]
        ),
        evidence=f"{least.at(count):.4f} at 0%; more of it at {', '.join(texts)} ({len(least.errors)} games each)",
        refuted_by=f"a level whose difference from 0% lies beyond {MARGIN:g}, with its interval",
    )


def _about_games(rows: Sequence[Row], breadth: int) -> Iterator[str]:
    for combination in COMBINATIONS:
        own = [row for row in rows if row["combination"] == combination and row["first"] == 0]
        if own:
            nodes, redraws, share = (float(np.mean([row[x] for row in own])) for x in _GAME_FIELDS)
            mixed = sum(0 < row["winning"] < breadth for row in own)
            yield (
                f"Combination {combination:.0%}: {nodes:,.0f} nodes and {redraws:,.1f} roots drawn again in an average"
                f" game; {mixed} of {len(own)} roots have winning and losing moves; {share:.1%} of the amounts are out"
                " of range."
            )


_GAME_FIELDS = ("nodes", "redraws", "out_of_range")
_NOTES = (
    "The figures are lost from the text we have; what is judged is what its section 3.1.1 says of them.",
    "Intervals are of 95 %, over games, as if one more game of either extreme had been seen. Columns that end in by_3.1"
    " hold the report's own bound, which takes all repetitions for independent trials and is too narrow. Errors that"
    f" differ by less than {MARGIN:g} count as equal: what the report's 200 games cannot tell from nothing.",
    "The report's figures 3.1, 3.2 and 3.3 contradict each other on our games: where roots are drawn again until they"
    " have winning and losing moves, UCT-DAG's error grows with the combination, which 3.1 denies; where they are kept"
    " as drawn it does not, but neither does UCT's then, which 3.2 and 3.3 need (docs/results/uct-dag.md).",
    "Merging makes the moves of a root alike: the more there is of it, the fewer roots have both winning and losing"
    " moves. With --option roots=as-drawn no game is drawn again, and where every answer is right none counts as wrong;"
    " with --option amounts=in-range a node is merged only into one that keeps the amount of its move within 0..127.",
)


def _about(name: str, figure: str, size: str, question: str, said: str) -> About:
    return About(
        name=f"uct-dag/{name}",
        title=f"UCT-DAG on P-games of {size} (the UCT-DAG report, figure {figure})",
        question=question,
        source=f"the UCT-DAG report, section 3.1.1, figure {figure}: {said}",
        method=(
            f"P-games of {size} at DAG combinations of 0, 1, 5, 10, 20 and 30 %, UCB1 with c = 1 to the leaf, the whole"
            " path enters the graph, the answer is the move with the best value, read at 1, 2, 5, 10, ... 10,000"
            " iterations of one run. All modes search the same games with the same seeds. Scale 1 is 200 games x 200"
            " repetitions at each combination; a smaller scale shrinks the repetitions to ten, then the"
            " games, never the iterations."
        ),
        cost=_COST,
    )


_COST = "two to three hours of processor time, divided among the jobs; measured times are in docs/results/uct-dag.md."
_ERROR = "How often is the answer of the search wrong, by iterations and by DAG combination?"
_RATIO = "How much less does UCT-DAG err than UCT on the same games, by iterations and by DAG combination?"

FIG_3_1 = DagFigure(
    about=_about("fig-3.1", "3.1", "2x20", _ERROR, "no significant differences between combinations (UCT-DAG)."),
    breadth=2,
    depth=20,
    modes=("dag",),
)
FIG_3_2 = DagFigure(
    about=_about("fig-3.2", "3.2", "2x20", _ERROR, "the higher the combination, the worse UCT performs."),
    breadth=2,
    depth=20,
    modes=("tree",),
)
FIG_3_3 = DagFigure(
    about=_about(
        "fig-3.3", "3.3", "2x20", _RATIO, "a significant improvement from 20 % on, a negligible one up to 10 %."
    ),
    breadth=2,
    depth=20,
)
FIG_3_4 = DagFigure(
    about=_about("fig-3.4", "3.4", "10x6", _RATIO, "20 % and 30 % still benefit, less and later than on 2x20."),
    breadth=10,
    depth=6,
)
FIG_C_1 = DagFigure(
    about=_about("fig-c.1", "C.1", "4x10", _RATIO, "a similar trend as on 2x20."),
    breadth=4,
    depth=10,
)
FIG_C_2 = DagFigure(
    about=_about(
        "fig-c.2",
        "C.2",
        "6x8",
        _RATIO,
        "a similar trend as on 2x20. The caption says 4x10, as C.1's does; by the plan (table A.1) it must be 6x8.",
    ),
    breadth=6,
    depth=8,
)
