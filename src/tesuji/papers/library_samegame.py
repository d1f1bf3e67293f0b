"""SameGame, 20 boards: what each strategy for one player scores within a minute, and how soon.

The boards are our own, from fixed seeds and stored in ``data/samegame.txt``; published scores are on other boards, so
there is nothing to set ours beside.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from statistics import fmean, stdev
from typing import Any, Literal

import msgspec

from tesuji.experiments.report.plots import curves_plot
from tesuji.experiments.stats.elo import t_test_of_means
from tesuji.games import SameGame
from tesuji.papers.findings import Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, all_of, difference
from tesuji.search import Nested, OnePlayer, Plain, solve
from tesuji.search.strategies import STRATEGIES, Strategy

__all__ = ["CONTESTANTS", "SAMEGAME", "SameGameStudy", "Task", "boards", "greedy_score"]

SECONDS = 60.0
"""For each board at scale 1."""

_FLOORS = ("random", "greedy")
_TIMES = tuple(2.0**-step for step in range(6, -1, -1))  # shares of the time at which curves are drawn
_RANDOM_GAMES = 200
_Playout = Literal["uniform", "tabu-color"]
_PENALTY = Plain(
    config=msgspec.structs.replace(STRATEGIES["plain"].config, one_player=OnePlayer(revisit="penalty"))  # type: ignore[union-attr]  # Plain has one
)

CONTESTANTS: dict[str, tuple[Strategy | None, _Playout]] = {
    "random": (None, "uniform"),
    "greedy": (None, "uniform"),
    "best of playouts, uniform": (Nested(level=0), "uniform"),
    "best of playouts": (Nested(level=0), "tabu-color"),
    "plain, uniform": (STRATEGIES["plain"], "uniform"),
    "plain": (STRATEGIES["plain"], "tabu-color"),
    "plain, 2 % penalty": (_PENALTY, "tabu-color"),
    "restarts": (STRATEGIES["restarts"], "tabu-color"),
    "beam": (STRATEGIES["beam"], "tabu-color"),
    "nested, level 1": (Nested(level=1), "tabu-color"),
    "nested": (STRATEGIES["nested"], "tabu-color"),
}
"""Who plays, with which playouts; no strategy: the floor."""


class Task(msgspec.Struct, frozen=True):
    """One contestant on one board."""

    contestant: str
    board: int
    seconds: float
    seed: int


@cache
def boards() -> tuple[str, ...]:
    """The stored boards, as `SameGame` reads them."""
    text = resources.files("tesuji.papers").joinpath("data/samegame.txt").read_text(encoding="utf-8")
    pictures = [part.strip() for part in text.split("\n\n")]
    return tuple(part for part in pictures if not part.startswith("#"))


def greedy_score(game: SameGame) -> float:
    """Always the group that gives most, the first of several."""
    state = game.copy()
    while not state.is_over:
        best, most = -1, -1
        for move in state.legal_moves():
            after = state.copy()
            after.play(move)
            if after.score > most:
                best, most = move, after.score
        state.play(best)
    return float(state.value)


def _random_scores(game: SameGame, seed: int) -> list[float]:
    scores = []
    for number in range(_RANDOM_GAMES):
        solved = solve(game, strategy=Nested(level=0), simulations=1, seed=seed * _RANDOM_GAMES + number)
        assert solved.best_solution is not None
        scores.append(solved.best_solution.value)
    return scores


class SameGameStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """Board by board, so that a run that is not finished compares all on the same boards."""
        count = len(boards())
        return [Task(name, board, SECONDS * scale, seed) for board in range(count) for name in CONTESTANTS]

    def run_task(self, task: Task) -> Row:
        """Play one board."""
        strategy, playout = CONTESTANTS[task.contestant]
        game = SameGame(boards()[task.board], playout=playout)
        row: Row = {"contestant": task.contestant, "board": task.board, "seconds": task.seconds}
        if task.contestant == "random":
            return row | {"score": fmean(_random_scores(game, task.seed * 100 + task.board))}
        if strategy is None:
            return row | {"score": greedy_score(game)}
        solved = solve(game, strategy=strategy, seconds=task.seconds, seed=task.seed * 100 + task.board)
        assert solved.best_solution is not None
        for move in solved.best_solution.moves:
            game.play(move)
        return row | {
            "score": solved.best_solution.value,
            "is_empty": set(game.picture.split()) == {"." * game.width},
            "simulations": solved.simulations,
            "curve": [solved.value_at(share * task.seconds) for share in _TIMES],
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """A line for each contestant, the curves, and what follows."""
        of = {name: {row["board"]: row for row in rows if row["contestant"] == name} for name in CONTESTANTS}
        played = {name: found for name, found in of.items() if found}
        scores = {name: {board: row["score"] for board, row in found.items()} for name, found in played.items()}
        return Findings(
            columns=("contestant", "boards", "mean", "sd", "lowest", "highest", "emptied", "simulations_per_s"),
            rows=[_line(name, list(found.values())) for name, found in played.items()],
            claims=[_all_beat_greedy(scores), *_differences(scores)],
            figures={"anytime": _figure(played)} if any("curve" in row for row in rows) else {},
            notes=[
                "Seconds are on the clock, with one thread each: a busy machine gives fewer simulations to all.",
                "Published scores are on other boards.",
            ],
        )


def _line(name: str, rows: list[Row]) -> list[Any]:
    scores = [row["score"] for row in rows]
    has_search = "simulations" in rows[0]
    rate = sum(row["simulations"] for row in rows) / sum(row["seconds"] for row in rows) if has_search else None
    return [
        name,
        len(rows),
        round(fmean(scores), 1),
        round(stdev(scores), 1) if len(scores) > 1 else None,
        round(min(scores)),
        round(max(scores)),
        sum(row["is_empty"] for row in rows) if has_search else None,
        None if rate is None else round(rate),
    ]


def _paired(first: Mapping[int, float], second: Mapping[int, float]) -> Bounds:
    """The mean difference over the boards that both played, with Student's interval; nothing below two boards."""
    apart = [first[board] - second[board] for board in first if board in second]
    count = len(apart)
    if count < 2:
        return Bounds(math.nan, -math.inf, math.inf, count)
    test = t_test_of_means((fmean(apart), stdev(apart), count), (0.0, 0.0, count))
    return Bounds(test.difference, test.low, test.high, count)


def _told(found: Bounds) -> str:
    return f"{found.value:+.0f} points [{found.low:+.0f}, {found.high:+.0f}]"


def _all_beat_greedy(scores: Mapping[str, Mapping[int, float]]) -> Claim:
    floor = scores.get("greedy", {})
    found = {name: _paired(own, floor) for name, own in scores.items() if name not in _FLOORS}
    return Claim(
        statement="Every search scores more than greedy play (ours to claim; mean difference over the boards).",
        verdict=all_of(difference(each) for each in found.values()),
        evidence="; ".join(f"{name} {_told(each)}" for name, each in found.items()),
        refuted_by="a search whose interval of the difference lies below 0",
    )


def _differences(scores: Mapping[str, Mapping[int, float]]) -> list[Claim]:
    pairs = {
        ("plain", "plain, 2 % penalty"): "Closing what is finished scores more than the 2 % penalty (Basaldúa, 7.3.1).",
        ("plain", "plain, uniform"): "TabuColor playouts score more than uniform ones (Schadd et al. 2008).",
        ("nested", "plain"): "Nested search scores more than one plain search.",
        ("nested", "nested, level 1"): "Nested search of level 2 scores more than of level 1 (Cazenave 2009).",
        ("beam", "plain"): "A beam scores more than one plain search (Baier and Winands 2012).",
        ("restarts", "plain"): "Restarts score more than one plain search.",
    }
    claims = []
    for (first, second), statement in pairs.items():
        if first in scores and second in scores:
            found = _paired(scores[first], scores[second])
            claims.append(
                Claim(
                    statement=statement,
                    verdict=difference(found),
                    evidence=f"{_told(found)} on {found.trials} boards",
                    refuted_by="an interval of the difference that lies below 0",
                )
            )
    return claims


def _figure(played: Mapping[str, Mapping[int, Row]]) -> Any:
    curves: dict[str, list[float]] = defaultdict(list)
    seconds = 0.0
    for name, found in played.items():
        lines = [row["curve"] for row in found.values() if "curve" in row]
        for values in zip(*lines, strict=True):
            known = [value for value in values if value is not None]
            curves[name].append(fmean(known) if len(known) == len(values) else float("nan"))
        seconds = max(row["seconds"] for row in found.values())
    return curves_plot(
        [share * seconds for share in _TIMES],
        curves,
        x_label="seconds",
        y_label="mean of the best scores",
        title="SameGame, 20 boards of 15x15 with five colours",
    )


SAMEGAME = SameGameStudy(
    about=About(
        name="library/samegame",
        title="SameGame: the strategies for one player",
        question="Which strategy scores most within a minute, and how soon?",
        source="ours; the strategies are those of Basaldúa (7.1.2, 7.3.1) and the papers named there.",
        method=(
            "20 stored boards of 15x15 cells and five colours from fixed seeds; every strategy once on each, with one"
            " thread and TabuColor playouts, unless the name says otherwise. Random (the mean of 200 uniform playouts)"
            " and greedy play (always the largest group) are the floor. Scale 1 is 60 s for each board; scale changes"
            " the seconds, never the boards."
        ),
        cost="three hours on one processor core (9 searches of 60 s on 20 boards).",
    )
)
