"""The UCT-DAG report, section 3.2: Go with a table of shared values and with groups of moves (table 3.1).

The six configurations are the presets `base` to `james-group-no-man` of `tesuji.go.engine.presets`. The figures of the
report give no numbers, so what is compared are its statements about them.
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
from tesuji.experiments.stats.elo import two_proportion_test, wilson
from tesuji.papers.findings import Cell, Claim, Comparison, Findings
from tesuji.papers.harness import About, Tournament

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["CONFIGURATIONS", "GO_9X9", "GO_13X13", "HEAD_TO_HEAD", "SIMULATIONS", "Gauntlet", "interpret", "spec"]

CONFIGURATIONS = ("base", "no-group", "man-group", "man-group-small", "james-group", "james-group-no-man")
"""Of table 3.1, as presets."""
SIMULATIONS = 10_000
"""Per move; the report gives 10 to 160 seconds."""

_ALPHA = 0.05
_GNUGO = "gnugo-l10"
_COLUMNS = ("configuration", "opponent", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high")
_METHOD = (
    " Plain UCT with light playouts, without RAVE and priors, 10,000 simulations a move instead of a time, which would"
    " also measure how fast a program is. Chinese rules, komi 7.5 (the report names none), colours alternate. All"
    " six keep what they know from move to move; groups overlap with the catch-all group, as there. Table 3.1 and"
    " appendix B differ about james-group-no-man's table: it has 500,000 entries, as in table 3.1. The report gives no"
    " parameters of groups and no constants of the search: they are those of the presets. GNU Go is 3.8, not 3.6, at"
    " its default level. Scale shrinks the number of games and never the simulations."
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
    games : int
        Of each configuration at scale 1.
    better : tuple of (str, str, str)
        Statements of the report: which configuration wins more than which, and where it says so.
    """

    opponent: str
    configurations: tuple[str, ...]
    size: int
    games: int
    better: tuple[tuple[str, str, str], ...] = ()


def spec(gauntlet: Gauntlet, scale: float, seed: int) -> MatchSpec:
    """The opponent against each configuration, with both colours."""
    return MatchSpec(
        players=(_player(gauntlet.opponent), *map(_player, gauntlet.configurations)),
        conditions=Conditions(size=gauntlet.size, komi=7.5, rules="chinese"),
        format="gauntlet",
        champion=gauntlet.opponent,
        games=2 * max(1, round(gauntlet.games * scale / 2)),
        seed=seed,
    )


def _player(name: str) -> PlayerSpec:
    if name.startswith("gnugo"):
        return parse_player(name)
    return parse_player(f"{name}=tesuji:preset={name},simulations={SIMULATIONS}")


def interpret(gauntlet: Gauntlet, games: Sequence[GameRecord]) -> Findings:
    """A row for each configuration, and what the report says about them."""
    scores = {name: score for name in gauntlet.configurations if (score := _score(name, games)).games}
    rows: list[list[Cell]] = []
    comparisons: list[Comparison] = []
    for name, score in scores.items():
        rate, interval = score.points / score.games, wilson(score.points, score.games)
        counts = score.games, score.wins, score.draws, score.losses
        rows.append([name, gauntlet.opponent, *counts, rate, interval.low, interval.high])
        quantity = f"rate of {name} against {gauntlet.opponent}"
        comparisons.append(Comparison(quantity=quantity, ours=rate, low=interval.low, high=interval.high))
    claims = [_compared(scores, *statement) for statement in gauntlet.better] or list(_duels(gauntlet, scores))
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


def _compared(scores: dict[str, Tally], better: str, worse: str, where: str) -> Claim:
    statement = f"{better} wins more than {worse} ({where})."
    if better not in scores or worse not in scores:
        return Claim(statement=statement, verdict="open", evidence="One of them has no games yet.")
    one, two = scores[better], scores[worse]
    test = two_proportion_test(one.points, one.games, two.points, two.games)
    return Claim(
        statement=statement,
        verdict="open" if test.p_value > _ALPHA else "holds" if test.difference > 0 else "fails",
        evidence=f"{_text(one)}, beside {_text(two)} (p = {test.p_value:.2g}).",
    )


def _duels(gauntlet: Gauntlet, scores: dict[str, Tally]) -> Iterator[Claim]:
    """Whether a configuration beats its opponent."""
    for name, score in scores.items():
        interval = wilson(score.points, score.games)
        yield Claim(
            statement=f"{name} beats {gauntlet.opponent} (ours: the report has no games between its configurations).",
            verdict="holds" if interval.low > 0.5 else "fails" if interval.high < 0.5 else "open",
            evidence=f"It scores {_text(score)}.",
        )


def _text(score: Tally) -> str:
    interval = wilson(score.points, score.games)
    return f"{score.points / score.games:.1%} [{interval.low:.1%}, {interval.high:.1%}] of {score.games} games"


def _figure(gauntlet: Gauntlet, scores: dict[str, Tally]) -> Figure:
    rates = {}
    for name, score in scores.items():
        interval = wilson(score.points, score.games)
        rates[name] = score.points / score.games, interval.low, interval.high
    return rates_plot(
        rates,
        title=f"Against {gauntlet.opponent}, {gauntlet.size}x{gauntlet.size}",
        label="win rate",
    )


def _tournament(about: About, gauntlet: Gauntlet) -> Tournament:
    return Tournament(about=about, spec=partial(spec, gauntlet), interpret=partial(interpret, gauntlet))


_WORST = CONFIGURATIONS[-1]

GO_9X9 = _tournament(
    About(
        name="uct-dag/go-9x9",
        title="Shared values and groups against GNU Go on 9x9 (the UCT-DAG report, figure 3.12)",
        question="What do a table of shared values and groups of moves do for plain UCT on 9x9?",
        source="UCT-DAG report, 3.2.1: man-group-small about a tenth above base, james-group-no-man below all others.",
        method="Six configurations against GNU Go on 9x9; scale 1 is 1,000 games of each." + _METHOD,
        cost="estimated from 200 games at twelve hours on two idle processor cores; most of it is GNU Go's.",
    ),
    Gauntlet(
        opponent=_GNUGO,
        configurations=CONFIGURATIONS,
        size=9,
        games=1000,
        better=(
            ("man-group-small", "base", "3.2.1: by about a tenth"),
            *((name, _WORST, "3.2.1") for name in CONFIGURATIONS[:-1]),
        ),
    ),
)
GO_13X13 = _tournament(
    About(
        name="uct-dag/go-13x13",
        title="Shared values and groups against GNU Go on 13x13 (the UCT-DAG report, figures 3.13 and 3.14)",
        question="What do a table of shared values and groups of moves do for plain UCT on 13x13?",
        source="UCT-DAG report, 3.2.2: man-group above no-group, and above base by a quarter, with 90 % confidence.",
        method="Six configurations against GNU Go on 13x13; scale 1 is 1,000 games of each." + _METHOD,
        cost="estimated from the time of a move at thirty hours on two idle processor cores; most of it is GNU Go's.",
    ),
    Gauntlet(
        opponent=_GNUGO,
        configurations=CONFIGURATIONS,
        size=13,
        games=1000,
        better=(
            ("man-group", "no-group", "3.2.2"),
            ("man-group", "base", "3.2.2: by a quarter, with 90 % confidence"),
            *((name, _WORST, "3.2.2") for name in CONFIGURATIONS[:-1]),
        ),
    ),
)
HEAD_TO_HEAD = _tournament(
    About(
        name="uct-dag/go-head-to-head",
        title="Groups by distance against plain UCT on 13x13 (the UCT-DAG report, section 3.2)",
        question="Does UCT with shared values and groups around the last moves beat plain UCT?",
        source="none published: the report lets its configurations play GNU Go only.",
        method="man-group against base on 13x13; scale 1 is 200 games." + _METHOD,
        cost="47 minutes of processor time at scale 1, measured.",
    ),
    Gauntlet(opponent="base", configurations=("man-group",), size=13, games=200),
)
