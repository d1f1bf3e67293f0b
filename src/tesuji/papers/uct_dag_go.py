"""The UCT-DAG report, section 3.2: Go with a table of shared values and with groups of moves (table 3.1).

The six configurations are the presets `base` to `james-group-no-man` of
`tesuji.go.engine.presets`. The figures of the report
give no numbers, so what is compared are its statements about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
from tesuji.experiments.report.digest import Tally
from tesuji.experiments.report.plots import rates_plot
from tesuji.experiments.run.spec import MatchSpec
from tesuji.papers.findings import Cell, Claim, Comparison, Findings
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import beaten, scores_more
from tesuji.papers.verdicts import rate_bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "CONFIGURATIONS",
    "FIG_3_12",
    "FIG_3_13",
    "FIG_3_14",
    "FIG_D_1",
    "FIG_D_2",
    "FIG_D_3",
    "GO_9X9",
    "GO_13X13",
    "HEAD_TO_HEAD",
    "Gauntlet",
    "interpret",
    "spec",
]

CONFIGURATIONS = ("base", "no-group", "man-group", "man-group-small", "james-group", "james-group-no-man")
"""Of table 3.1, as presets."""
FEW = 10_000
"""Simulations a move where the report's number would take days."""
PLAYOUTS_PER_S = {9: 40_000, 13: 40_000 * 81 // 169}
"""Of the report's program (appendix E; on which board it does not say: we take 9x9), on 13x13 by the points."""

_GNUGO = "gnugo-l10"
_COLUMNS = ("configuration", "opponent", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high")
_METHOD = (
    " Plain UCT with light playouts, without RAVE and priors; a number of simulations a move instead of a time, which"
    " would also measure how fast a program is. Chinese rules, komi 7.5 (the report names none), colours alternate."
    " base keeps nothing from move to move; the others keep their table and graph. Groups overlap with the catch-all"
    " group, as there. Table 3.1 and appendix B differ about james-group-no-man's table: it has 500,000 entries, as in"
    " table 3.1. The report gives no parameters of groups and no constants of the search: they are those of the"
    " presets. GNU Go is 3.8, not 3.6, at its default level. Scale shrinks the number of games and never the"
    " simulations."
)


class Gauntlet(msgspec.Struct, frozen=True, kw_only=True):
    """One player against several configurations.

    Attributes
    ----------
    opponent : str
        Of all configurations: a preset, or GNU Go at a level.
    configurations : tuple of str
        Presets.
    size : int
        Of the board.
    simulations : int
        A move, of every configuration.
    games : int
        Of each configuration at scale 1.
    confidence : float
        Of intervals.
    better : tuple of (str, str, str)
        Statements of the report: which configuration wins more than which, and where it says so.
    """

    opponent: str
    configurations: tuple[str, ...]
    size: int
    simulations: int = FEW
    games: int = 1000
    confidence: float = 0.95
    better: tuple[tuple[str, str, str], ...] = ()


def spec(gauntlet: Gauntlet, scale: float, seed: int) -> MatchSpec:
    """The opponent against each configuration, with both colours."""
    return MatchSpec(
        players=tuple(_player(name, gauntlet.simulations) for name in (gauntlet.opponent, *gauntlet.configurations)),
        conditions=Conditions(size=gauntlet.size, komi=7.5, rules="chinese"),
        format="gauntlet",
        champion=gauntlet.opponent,
        games=2 * max(1, round(gauntlet.games * scale / 2)),
        seed=seed,
    )


def _player(name: str, simulations: int) -> PlayerSpec:
    if name.startswith("gnugo"):
        return parse_player(name)
    return parse_player(f"{name}=tesuji:preset={name},simulations={simulations}")


def interpret(gauntlet: Gauntlet, games: Sequence[GameRecord]) -> Findings:
    """A row for each configuration, and what the report says about them."""
    scores = {name: score for name in gauntlet.configurations if (score := _score(name, games)).games}
    rows: list[list[Cell]] = []
    comparisons: list[Comparison] = []
    for name, score in scores.items():
        rate = rate_bounds(score.points, score.games, gauntlet.confidence)
        counts = score.games, score.wins, score.draws, score.losses
        rows.append([name, gauntlet.opponent, *counts, rate.value, rate.low, rate.high])
        comparisons.append(Comparison(quantity=f"rate of {name} against {gauntlet.opponent}", ours=rate))
    claims = list(_claims(gauntlet, scores))
    figures = {"rates": _figure(gauntlet, scores)} if scores else {}
    return Findings(columns=_COLUMNS, rows=rows, comparisons=comparisons, claims=claims, figures=figures)


def _score(name: str, games: Sequence[GameRecord]) -> Tally:
    """Of a configuration, with both colours."""
    seats = [(game.winner, "first" if game.first == name else "second") for game in games if name in _names(game)]
    wins = sum(winner == seat for winner, seat in seats)
    draws = sum(winner == "draw" for winner, _ in seats)
    return Tally(wins, draws, len(seats) - wins - draws)


def _names(game: GameRecord) -> tuple[str, str]:
    return game.first, game.second


def _claims(gauntlet: Gauntlet, scores: dict[str, Tally]) -> Iterator[Claim]:
    """What the report says of its configurations; where it says nothing, whether each beats its opponent."""
    points = {name: (score.points, score.games) for name, score in scores.items()}
    for better, worse, where in gauntlet.better:
        pair = points.get(better, (0.0, 0)), points.get(worse, (0.0, 0))
        yield scores_more(f"{better} wins more than {worse} ({where}).", *pair, confidence=gauntlet.confidence)
    if not gauntlet.better:
        for name, score in scores.items():
            statement = f"{name} beats {gauntlet.opponent} (ours: the report has no games between its configurations)."
            yield beaten(statement, score.points, score.games)


def _figure(gauntlet: Gauntlet, scores: dict[str, Tally]) -> Figure:
    rates = {name: rate_bounds(score.points, score.games, gauntlet.confidence) for name, score in scores.items()}
    return rates_plot(
        {name: (rate.value, rate.low, rate.high) for name, rate in rates.items()},
        title=f"Against {gauntlet.opponent}, {gauntlet.size}x{gauntlet.size}, {gauntlet.simulations:,} simulations",
        label=f"win rate, {gauntlet.confidence:.0%} intervals",
    )


def _tournament(about: About, gauntlet: Gauntlet) -> Tournament:
    return Tournament(about=about, spec=partial(spec, gauntlet), interpret=partial(interpret, gauntlet))


_WORST = CONFIGURATIONS[-1]
_ON_9X9 = (
    ("man-group-small", "base", "3.2.1: by about a tenth"),
    *((name, _WORST, "3.2.1") for name in CONFIGURATIONS[:-1]),
)
_ON_13X13 = (
    ("man-group", "no-group", "3.2.2"),
    ("man-group", "base", "3.2.2: by a quarter, with 90 % confidence"),
    *((name, _WORST, "3.2.2") for name in CONFIGURATIONS[:-1]),
)
_QUESTION = "What do a table of shared values and groups of moves do for plain UCT on {size}x{size}?"


def _published(figure: str, size: int, seconds: int, said: str, confidence: float = 0.95) -> Tournament:
    """A figure of section 3.2 or appendix D, with the playouts that the report's program made in its time."""
    simulations = seconds * PLAYOUTS_PER_S[size]
    hours = 6 * 1000 * 0.6 * size * size / 2 * simulations / PLAYOUTS_PER_S[size] / 3600
    return _tournament(
        About(
            name=f"uct-dag/fig-{figure.lower()}",
            title=f"Go on {size}x{size} at {seconds} s of the report's a move (the UCT-DAG report, figure {figure})",
            question=_QUESTION.format(size=size),
            source=f"UCT-DAG report, figure {figure}: {said}",
            method=f"Six configurations against GNU Go on {size}x{size}, {simulations:,} simulations a move:"
            f" {seconds} s at the {PLAYOUTS_PER_S[size]:,} playouts a second of its program. Scale 1 is 1,000 games of"
            " each, as published." + _METHOD,
            cost=f"estimated at {hours:,.0f} hours of one processor core as fast as the report's.",
        ),
        Gauntlet(
            opponent=_GNUGO,
            configurations=CONFIGURATIONS,
            size=size,
            simulations=simulations,
            confidence=confidence,
            better=_ON_9X9 if size == 9 else _ON_13X13,
        ),
    )


FIG_3_12 = _published("3.12", 9, 20, "man-group-small about a tenth above base, james-group-no-man below all others.")
FIG_3_13 = _published("3.13", 13, 40, "man-group above no-group; the intervals of man-group and base overlap.")
FIG_3_14 = _published("3.14", 13, 40, "as 3.13, with 90 % intervals: those of man-group and base do not overlap.", 0.9)
FIG_D_1 = _published("D.1", 9, 10, "the differences are even smaller than with 20 s.")
FIG_D_2 = _published("D.2", 13, 80, "too few games; the same trends, base and man-group closer together.")
FIG_D_3 = _published("D.3", 13, 160, "likewise.")

GO_9X9 = _tournament(
    About(
        name="uct-dag/go-9x9",
        title="Shared values and groups against GNU Go on 9x9 (the UCT-DAG report, figure 3.12, fewer simulations)",
        question=_QUESTION.format(size=9),
        source="UCT-DAG report, 3.2.1: man-group-small about a tenth above base, james-group-no-man below all others.",
        method=f"Six configurations against GNU Go on 9x9, {FEW:,} simulations; scale 1 is 1,000 games of each."
        + _METHOD,
        cost="estimated from 200 games at twelve hours on two idle processor cores; most of it is GNU Go's.",
    ),
    Gauntlet(opponent=_GNUGO, configurations=CONFIGURATIONS, size=9, better=_ON_9X9),
)
GO_13X13 = _tournament(
    About(
        name="uct-dag/go-13x13",
        title="Shared values and groups against GNU Go on 13x13 (the UCT-DAG report, 3.13, fewer simulations)",
        question=_QUESTION.format(size=13),
        source="UCT-DAG report, 3.2.2: man-group above no-group, and above base by a quarter, with 90 % confidence.",
        method=f"Six configurations against GNU Go on 13x13, {FEW:,} simulations; scale 1 is 1,000 games each."
        + _METHOD,
        cost="estimated from the time of a move at thirty hours on two idle processor cores; most of it is GNU Go's.",
    ),
    Gauntlet(opponent=_GNUGO, configurations=CONFIGURATIONS, size=13, better=_ON_13X13),
)
HEAD_TO_HEAD = _tournament(
    About(
        name="uct-dag/go-head-to-head",
        title="Groups by distance against plain UCT on 13x13 (the UCT-DAG report, section 3.2)",
        question="Does UCT with shared values and groups around the last moves beat plain UCT?",
        source="none published: the report lets its configurations play GNU Go only.",
        method=f"man-group against base on 13x13, {FEW:,} simulations; scale 1 is 200 games." + _METHOD,
        cost="47 minutes of processor time at scale 1, measured.",
    ),
    Gauntlet(opponent="base", configurations=("man-group",), size=13, games=200),
)
