"""How fast P-games are searched, as a tree and as a DAG, with whole paths (the UCT-DAG report, 2.1.1).

Both search the same game in turns; the ratio is taken within each round. Time is the processor's, of one thread, and
includes making the search. Drawing the game is not measured.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import msgspec

from tesuji.bench.search import rates
from tesuji.games import PGame, PGamePosition, PGameSpec
from tesuji.papers.batches import exploring
from tesuji.search import SearchConfig
from tesuji.search.choices import search_choices

__all__ = ["CASES", "PGameRow", "measure_pgames", "to_text"]

CASES = ((2, 20, 0.0), (2, 20, 0.2), (10, 6, 0.0))
"""Breadth, depth, combination."""
TREE_TARGET, DAG_TARGET = 1_000_000, 0.5
"""Iterations per second of a 2x20 tree, and the DAG's share of a tree's speed on the same game."""
ITERATIONS = 10_000


class PGameRow(msgspec.Struct, frozen=True, kw_only=True):
    """One game in both modes; iterations per second of processor time, medians and the best of the rounds."""

    breadth: int
    depth: int
    combination: float
    tree_per_s: float
    best_tree_per_s: float
    dag_per_s: float
    ratio: float
    """The DAG's speed over the tree's: the median over the rounds."""


def measure_pgames(*, rounds: int = 15, least_s: float = 0.1) -> list[PGameRow]:
    """Measure all cases; `rounds` turns of at least `least_s` seconds for each mode."""
    return [_row(*case, rounds=rounds, least_s=least_s) for case in CASES]


def _row(breadth: int, depth: int, combination: float, *, rounds: int, least_s: float) -> PGameRow:
    game = PGame(PGameSpec(breadth=breadth, depth=depth, combination=combination, seed=1))
    tree, dag = (exploring(breadth, depth, ITERATIONS, graph=mode) for mode in ("tree", "dag"))
    found = rates(
        {"tree": (ITERATIONS, _searcher(game.start(), tree)), "dag": (ITERATIONS, _searcher(game.start(), dag))},
        rounds=rounds,
        least_s=least_s,
    )
    return PGameRow(
        breadth=breadth,
        depth=depth,
        combination=combination,
        tree_per_s=statistics.median(found["tree"]),
        best_tree_per_s=max(found["tree"]),
        dag_per_s=statistics.median(found["dag"]),
        ratio=statistics.median(d / t for d, t in zip(found["dag"], found["tree"], strict=True)),
    )


def _searcher(start: PGamePosition, config: SearchConfig) -> Callable[[int], object]:
    return lambda seed: search_choices(start, config, counts=[ITERATIONS], seeds=[seed])


def to_text(rows: Sequence[PGameRow]) -> str:
    """Return the rows as a person reads them."""
    lines = [
        f"P-games searched with whole paths: iterations per second of processor time, one thread, {ITERATIONS:,} in a",
        "search. Tree and DAG search the same game in turns; medians of the rounds, and the tree's best one.",
        "",
        f"{'game':<7} {'combination':>11} {'tree':>11} {'best':>11} {'DAG':>11} {'DAG/tree':>9}",
    ]
    for row in rows:
        size = f"{row.breadth}x{row.depth}"
        lines.append(
            f"{size:<7} {row.combination:>11.0%} {row.tree_per_s:>11,.0f} {row.best_tree_per_s:>11,.0f} "
            f"{row.dag_per_s:>11,.0f} {row.ratio:>9.2f}"
        )
    lines += ["", f"Wanted: {TREE_TARGET:,} in the first row's tree, and a DAG of at least {DAG_TARGET:g} of its tree."]
    return "\n".join(lines)
