"""The UCT-DAG report, figure 1.2: UCT, flat Monte-Carlo and alpha-beta on P-games of 8x8.

The figure is that of Kocsis and Szepesvari (2006), who plot the rate of failure over iterations. An iteration of
alpha-beta is a leaf that it looks at; before it is done, it has no answer and picks a move at random.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from tesuji.experiments.report.plots import barred_plot
from tesuji.games import PGame, PGameSpec
from tesuji.papers import verdicts
from tesuji.papers.batches import Batch, batches, exploring, num_wrong
from tesuji.papers.error_curves import Curve, close_to_zero, curve_of, less_error
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds
from tesuji.search.choices import alpha_beta, flat_monte_carlo_choices, one_two_five, search_choices

__all__ = ["FIG_1_2", "AlphaBetaFigure", "AlphaBetaTask"]

UCT, FLAT, ALPHA_BETA = "UCT", "flat Monte-Carlo", "alpha-beta"
NEAR_ZERO = 0.05
"""The error that we take for close to 0."""
TURN = 10_000
"""Iterations before which UCT, and only after which alpha-beta, is said to come close to 0."""


class AlphaBetaTask(msgspec.Struct, frozen=True):
    """Some repetitions on a game."""

    batch: Batch


class AlphaBetaFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The figure for games of one size.

    Attributes
    ----------
    about : About
        What it is.
    breadth, depth : int
        Of the games.
    iterations : int
        Of UCT and of flat Monte-Carlo.
    """

    about: About
    breadth: int
    depth: int
    iterations: int

    def tasks(self, scale: float, seed: int) -> Sequence[AlphaBetaTask]:
        """All batches."""
        return [AlphaBetaTask(batch) for batch in batches(scale, seed)]

    def run_task(self, task: AlphaBetaTask) -> Row:
        """Draw the game and let all three search it."""
        game = PGame(PGameSpec(breadth=self.breadth, depth=self.depth, seed=task.batch.game_seed))
        counts, seeds = one_two_five(self.iterations), task.batch.seeds
        config = exploring(self.breadth, self.depth, self.iterations, graph="tree")
        found = alpha_beta(game.start())
        return {
            **task.batch.described,
            "redraws": game.num_redraws,
            "losing_share": 1 - len(game.winning_moves) / self.breadth,
            "leaves": found.leaves,
            "is_right": found.move in game.winning_moves,
            UCT: num_wrong(game, search_choices(game.start(), config, counts=counts, seeds=seeds)),
            FLAT: num_wrong(game, flat_monte_carlo_choices(game.start(), counts=counts, seeds=seeds)),
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """The three curves, and what the text says of them."""
        counts = one_two_five(self.iterations)
        searched = [curve_of(name, counts, rows, lambda row, name=name: row[name]) for name in (UCT, FLAT)]  # type: ignore[misc]
        games = [row for row in rows if row["first"] == 0]
        curves = [*searched, _alpha_beta(counts, games)]
        leaves = [row["leaves"] for row in games]
        title = f"P-games of {self.breadth}x{self.depth}"
        return Findings(
            columns=["search", "iterations", "error", "high", "games", "runs"],
            rows=[line for curve in curves for line in _lines(curve)],
            claims=_claims(curves[0], curves[2]),
            figures={
                "error": barred_plot(
                    [curve.drawn() for curve in curves], x_label="iterations", y_label="average error", title=title
                )
            },
            notes=[
                f"Alpha-beta looked at {np.median(leaves):,.0f} leaves in the middle game, {min(leaves):,} to"
                f" {max(leaves):,} in all, of {self.breadth**self.depth:,}; its moves stand in random order.",
                "Alpha-beta does not vary from run to run: it has one run on each game, and before it is done it counts"
                " with the share of losing moves.",
                f"{np.mean([row['redraws'] for row in games]):.1f} roots were drawn again in an average game.",
            ],
        )


def _alpha_beta(counts: Sequence[int], rows: Sequence[Row]) -> Curve:
    """The error of a random move until the search is done, then its own."""
    shares = [
        [(0.0 if row["is_right"] else 1.0) if row["leaves"] <= count else row["losing_share"] for count in counts]
        for row in sorted(rows, key=lambda row: int(row["game"]))
    ]
    return Curve(ALPHA_BETA, counts, np.array(shares), len(shares))


def _lines(curve: Curve) -> list[list[Cell]]:
    columns = zip(curve.counts, curve.mean().tolist(), curve.upper().tolist(), strict=True)
    return [[curve.label, count, error, high, len(curve.errors), curve.runs] for count, error, high in columns]


def _claims(uct: Curve, slow: Curve) -> list[Claim]:
    if TURN not in uct.counts:
        return []
    near = f"below {NEAR_ZERO:.0%}"
    far = slow.bounds(TURN)
    return [
        close_to_zero(f"UCT's error comes close to 0 ({near}) before {TURN:,} iterations.", uct, TURN, NEAR_ZERO),
        Claim(
            statement=f"Alpha-beta's error comes close to 0 ({near}) only after {TURN:,} iterations.",
            verdict=verdicts.difference(
                Bounds(far.value - NEAR_ZERO, far.low - NEAR_ZERO, far.high - NEAR_ZERO, far.trials)
            ),
            evidence=f"{far.value:.4f} [{far.low:.4f}, {far.high:.4f}] after {TURN:,}, {far.trials} games",
            refuted_by=f"an interval that lies below {NEAR_ZERO:g}",
        ),
        *(
            less_error(f"UCT errs less than alpha-beta after {count:,} iterations.", slow, uct, (count,))
            for count in (100, 1_000, TURN)
        ),
    ]


FIG_1_2 = AlphaBetaFigure(
    about=About(
        name="uct-dag/fig-1.2",
        title="UCT, flat Monte-Carlo and alpha-beta on P-games of 8x8 (the UCT-DAG report, figure 1.2)",
        question="How soon does each search find a winning move?",
        source=(
            "UCT-DAG report, section 1.3, figure 1.2, after Kocsis and Szepesvari 2006: UCT nears 0 after less than"
            " 10,000 iterations, alpha-beta is poor until it converges past 10,000."
        ),
        method=(
            "Trees of 8x8 (19,173,961 nodes). UCT: UCB1 with c = 1 to the leaf, the answer is the move with the best"
            " value. Flat Monte-Carlo: the root's moves in turn with uniform playouts. Alpha-beta on won and lost, to"
            " the end, an iteration is a leaf; before it is done its answer is a random move. Scale 1 is 200 games x"
            " 200 repetitions of 100,000 iterations; the text gives no numbers, these are those of section 3.1."
        ),
        cost="an hour and a half of processor time at scale 1, divided among the jobs; see docs/results/uct-dag.md.",
    ),
    breadth=8,
    depth=8,
    iterations=100_000,
)
