"""Basaldúa, figures 3.5 to 3.7 and 6.1.3: patterns that promise most territory; how well urgencies predict moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tesuji.experiments.run.schedule import seed_of
from tesuji.go import Board
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.masters.fitting import Prediction, lines_of
from tesuji.go.masters.joseki import JosekiSettings, JosekiTable, Pattern, build_joseki
from tesuji.go.masters.joseki_view import pattern_picture
from tesuji.go.masters.prediction import curve_figure, judged_by_priors
from tesuji.go.masters.regions import REGIONS
from tesuji.go.rules.color import Color
from tesuji.papers.findings import Cell, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.masters_data import open_games
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, rate_bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["CURVE_6_1_3", "FIG_3_5", "CurveTask", "PatternTask"]

_GAMES = 52_000
_FEWEST_GAMES = 20
_SHOWN = 20
_ENCLOSURES = {
    "small knight's enclosure": ("C16 E17", 45.9, 7.46),
    "large knight's enclosure": ("C16 F17", 43.4, 7.73),
    "one-point enclosure": ("C16 E16", 45.0, 7.19),
}
"""Figure 3.5: stones, points of 66 and their deviation in the source."""
_MARGIN = 2.0
"""Points of a corner: who owns what at the end is another engine's word."""
_Z95 = 1.959964


class PatternTask(msgspec.Struct, frozen=True):
    """So many games, drawn by a seed."""

    games: int
    seed: int


class TopPatterns(msgspec.Struct, frozen=True, kw_only=True):
    """Figures 3.5 to 3.7; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[PatternTask]:
        """One: patterns are counted over all games."""
        return [PatternTask(max(_FEWEST_GAMES, round(_GAMES * scale)), seed_of(seed, 0))]

    def run_task(self, task: PatternTask) -> Row:
        """Count the patterns; the best of each region, and the enclosures."""
        with open_games("pro") as database:
            table = build_joseki(database, JosekiSettings(games=task.games, seed=task.seed % 2**32))
        best = {
            region.name: [_as_row(pattern) for pattern in table.best(region.name, _SHOWN)] for region in REGIONS[1:]
        }
        worth = {name: _worth(table, stones) for name, (stones, _, _) in _ENCLOSURES.items()}
        counts = {region.name: table.num_of(region.name) for region in REGIONS}
        return {"games": table.games, "patterns": counts, "best": best, "enclosures": worth}

    def render(self, rows: Sequence[Row]) -> Findings:
        """Pictures of the best, and what the enclosures are worth."""
        row = rows[-1]
        table: list[list[Cell]] = [
            [region, rank, one["mean"], one["deviation"], one["count"], _stones(one)]
            for region, patterns in row["best"].items()
            for rank, one in enumerate(patterns, start=1)
        ]
        comparisons = []
        for name, (_, value, _) in _ENCLOSURES.items():
            found = row["enclosures"][name]
            reach = _Z95 * found["deviation"] / max(1, found["count"]) ** 0.5
            seen = Bounds(found["mean"], found["mean"] - reach, found["mean"] + reach, found["count"])
            unseen = Bounds(float("nan"), 0.0, 66.0, 0)
            comparisons.append(
                Comparison(
                    quantity=f"points of 66 that a {name} promises",
                    ours=seen if found["count"] else unseen,
                    published=Published(value=value, margin=_MARGIN, where="Basaldúa, figure 3.5"),
                )
            )
        return Findings(
            columns=("region", "rank", "points", "deviation", "seen", "stones"),
            rows=table,
            comparisons=comparisons,
            figures={region: _board_figure(patterns) for region, patterns in row["best"].items() if patterns},
            notes=(
                f"{row['games']:,} games; patterns: "
                + ", ".join(f"{count:,} of a {name}" for name, count in row["patterns"].items())
                + ". The source has 46,979, 20,201 and 27,881 of 55,271 games.",
                "Ranked by the mean less its standard error, as in the source: with few games patterns that were seen"
                " six times lead.",
            ),
        )


def _as_row(pattern: Pattern) -> Row:
    return {
        "region": pattern.region,
        "stones": pattern.stones.tolist(),
        "mean": round(pattern.mean, 2),
        "deviation": round(pattern.deviation, 2),
        "count": pattern.count,
        "continuations": [[point, int(color), times] for point, color, times in pattern.continuations[:3]],
    }


def _pattern(row: Row) -> Pattern:
    after = [(point, Color(color), times) for point, color, times in row["continuations"]]
    stones = np.array(row["stones"], np.uint8)
    return Pattern(row["region"], stones, row["count"], row["mean"], row["deviation"], after)


def _worth(table: JosekiTable, stones: str) -> Row:
    """A pattern of black stones in a big corner: mean, deviation and count; a count of 0 if it is not known."""
    board = Board(19)
    board.place(Color.BLACK, [board.point(word) for word in stones.split()])
    for region in table.known(board):
        if region.region == "big-corner":
            error = region.deviation / region.count**0.5
            return {"mean": region.black + error, "deviation": region.deviation, "count": region.count}
    return {"mean": 0.0, "deviation": 0.0, "count": 0}


def _stones(row: Row) -> str:
    from tesuji.go.masters.joseki_view import stones_text

    return stones_text(_pattern(row))


def _board_figure(rows: Sequence[Row]) -> Figure:
    from tesuji.go.view.picture import draw_figure

    return draw_figure(*(pattern_picture(_pattern(row), rank) for rank, row in enumerate(rows, start=1)))


# 6.1.3 ----------------------------------------------------------------------------------------------------------------

_POSITIONS = 20_000
_POSITIONS_A_TASK = 100
_PUBLISHED = {1: 0.409, 5: 0.665, 7: 0.716, 15: 0.80}
"""Of the 27.8 % of the moves whose shape of 40 points is known."""
_CURVE_MARGIN = 0.02


class CurveTask(msgspec.Struct, frozen=True):
    """Some of the games kept out, a position of each, drawn by a seed."""

    positions: int
    seed: int


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """The prediction curve; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[CurveTask]:
        """Hundreds of positions."""
        count = max(1, round(_POSITIONS * scale / _POSITIONS_A_TASK))
        return [CurveTask(_POSITIONS_A_TASK, seed_of(seed, number)) for number in range(count)]

    def run_task(self, task: CurveTask) -> Row:
        """Where the move that was played ranks."""
        with open_games("pro") as database:
            _, kept_out = lines_of(database, 19, most=12 * task.positions, seed=task.seed)
        found = judged_by_priors(kept_out, 19, PriorWeights(judged_again=1000), task.positions, seed=task.seed)
        return {"numbers": found.numbers.tolist(), "ranks": found.ranks.tolist()}

    def render(self, rows: Sequence[Row]) -> Findings:
        """The curve, overall and by phase."""
        numbers, ranks = (np.array([x for row in rows for x in row[name]], np.int64) for name in ("numbers", "ranks"))
        found = Prediction(numbers, ranks, np.full(len(ranks), np.nan))
        parts = [("all", found), *((f"{first + 1} to {first + 40}", part) for first, part in found.phases())]
        tops = (1, 2, 3, 5, 7, 10, 15, 20, 50)
        return Findings(
            columns=("moves", "judged", *(f"top {count}" for count in tops)),
            rows=[[name, len(part.ranks), *(part.top(count) for count in tops)] for name, part in parts],
            comparisons=[
                Comparison(
                    quantity=f"share of moves among the {count} strongest",
                    ours=rate_bounds(int((ranks < count).sum()), len(ranks)),
                    published=Published(value=value, margin=_CURVE_MARGIN, where="Basaldúa, 6.1.3"),
                )
                for count, value in _PUBLISHED.items()
            ],
            figures={"curve": curve_figure(found)},
            notes=(
                "The source judges the 27.8 % of the moves whose shape of 40 points it knows; ours are all moves.",
                "The table is the one that comes with Tesuji; one game in ten was kept out when it was fitted, these"
                " are from those. Games may be drawn twice.",
            ),
        )


FIG_3_5 = TopPatterns(
    about=About(
        name="basaldua/fig-3.5",
        title="Corner and side patterns that promise most territory (Basaldúa, figures 3.5 to 3.7)",
        question="Which patterns of a corner or a side are worth most, and how much?",
        source="Basaldúa, 3.4.9: 95,061 patterns of 55,271 games; enclosures of 45.9, 43.4 and 45.0 of 66 points.",
        method=f"Patterns seen six times or more in the first 62 moves, ownership by 32 playouts from the end of each"
        f" game. Scale 1 is {_GAMES:,} games; the folder TESUJI_GAMES_DATA has them.",
        cost="about six minutes of a processor core at scale 1, and 4 GB.",
    )
)
CURVE_6_1_3 = Curve(
    about=About(
        name="basaldua/curve-6.1.3",
        title="How well urgencies predict masters' moves (Basaldúa, 6.1.3)",
        question="How often is the move that a master played among the N most urgent?",
        source="Basaldúa, 6.1.3: 40.9 % in the first, 66.5 % among five, 71.6 % among seven, 80 % among fifteen.",
        method=f"Moves of games that the table was not fitted to, one a game. Scale 1 is {_POSITIONS:,} moves; the"
        " folder TESUJI_GAMES_DATA has the games.",
        cost="about ten minutes of a processor core at scale 1.",
    )
)
