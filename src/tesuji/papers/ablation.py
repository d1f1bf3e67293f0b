"""The ablation ledger: what each part of the default engine is worth, by taking it out.

`FEATURES` is the list; a line there is all that a new feature needs. Every changed engine plays the full default at
equal simulations. Speed comes from the same games: the two players think in turns, on one machine, about one game, so
the seconds of one beside those of the other compare, however busy the machine is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, median
from typing import TYPE_CHECKING, Literal

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.report.plots import INK, PALE, rating_plot
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.elo import EloEstimate, equal_cpu
from tesuji.experiments.stats.standings import standings
from tesuji.papers.findings import Cell, Findings
from tesuji.papers.harness import About, Tournament
from tesuji.papers.verdicts import Bounds, difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ABLATION", "FEATURES", "GAMES_PER_FEATURE", "SIMULATIONS", "Feature", "LedgerRow", "interpret", "spec"]

GAMES_PER_FEATURE = 200
"""At scale 1."""
SIMULATIONS = 300
"""Per move, of everybody."""
FULL = "default"
"""The engine as it ships."""


class Feature(msgspec.Struct, frozen=True):
    """A part of the default engine.

    Attributes
    ----------
    name : str
        What the ledger calls it.
    without : str
        Settings of a player that take it out, as `parse_player` reads them.
    meaning : str
        What it does.
    """

    name: str
    without: str
    meaning: str

    @property
    def player(self) -> str:
        """The name of the engine without it."""
        return f"no-{self.name}"


FEATURES = (
    Feature("priors", "prior_visits=0", "what moves are worth before they are tried"),
    Feature("rave", "amaf=none,exploration=0.2", "all moves as first; without it, the exploration of the preset uct"),
    Feature("kept-graph", "keeps_graph=false", "going on from what was known before the last moves"),
    Feature("narrow-nodes", "width=none", "nodes begin with their best moves only"),
    Feature("symmetry", "uses_symmetry=false", "of moves that mirror each other in the opening, one is searched"),
    Feature("amaf-share", "amaf_share=10", "AMAF hears the first moves of a playout only"),
    Feature("margin", "margin_weight=0", "a little weight on the margin of a playout"),
    Feature("capture-last", "p_capture_last=0", "playouts take the chain that moved last, if it is in atari"),
    Feature("defend", "p_defend=0", "playouts save own chains in atari beside the last move"),
    Feature("nakade", "p_nakade=0", "playouts play the vital point of an eye beside the last move"),
    Feature("low-liberties", "p_low_liberties=0", "playouts attack or help a chain of two liberties at the last move"),
    Feature("pattern", "p_pattern=0", "playouts follow 3x3 patterns around the last move"),
    Feature("capture", "p_capture=0", "playouts capture anywhere now and then"),
    Feature("self-atari", "self_atari=allowed", "playouts refuse to put large own chains into atari"),
    Feature("mended-eyes", "mends_eyes=false", "random moves prefer the wider of two points of an eye"),
)


class LedgerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the ledger, about the engine without the feature.

    Attributes
    ----------
    feature, without : str
        The feature's.
    games, wins : int
        Against the full default, and how many of them it won.
    elo, elo_low, elo_high : float
        Against the full default at equal simulations; below 0: the feature helps.
    speed_ratio : float or None
        Its simulations per second over the full default's: the median over the games.
    elo_at_equal_time : float or None
        Corrected for the speed (Basaldúa, 4.8); None where that is impossible.
    verdict : {"helps", "hurts", "open"}
        What the feature does at equal simulations. One standard for all lines: the chance of a false word anywhere in
        the ledger is 5 %, so a line is judged by an interval that is wider than the one shown. Open: it holds 0.
    """

    feature: str
    without: str
    games: int
    wins: int
    elo: float
    elo_low: float
    elo_high: float
    speed_ratio: float | None
    elo_at_equal_time: float | None
    verdict: Literal["helps", "hurts", "open"]

    @property
    def name(self) -> str:
        """As `plots.rating_plot` asks for it."""
        return self.feature

    @property
    def low(self) -> float:
        """Likewise."""
        return self.elo_low

    @property
    def high(self) -> float:
        """Likewise."""
        return self.elo_high


def spec(scale: float, seed: int) -> MatchSpec:
    """The full default against the engine without each feature, from random openings with both colours."""
    limit = f"simulations={SIMULATIONS}"
    changed = (parse_player(f"{one.player}=tesuji:{limit},{one.without}") for one in FEATURES)
    return MatchSpec(
        players=(parse_player(f"{FULL}=tesuji:{limit}"), *changed),
        conditions=Conditions(size=9, komi=6.5, rules="chinese"),
        format="gauntlet",
        champion=FULL,
        games=2 * max(1, round(GAMES_PER_FEATURE * scale / 2)),
        openings="random:2",
        seed=seed,
    )


def interpret(games: Sequence[GameRecord]) -> Findings:
    """The ledger, and a figure of it."""
    ledger = [row for feature in FEATURES if (row := _row(feature, games))]
    rows: list[list[Cell]] = [list(msgspec.structs.astuple(row)) for row in ledger]
    return Findings(
        columns=LedgerRow.__struct_fields__,
        rows=rows,
        figures={"ledger": _figure(ledger)},
        notes=[
            "Elo is that of the engine without the feature against the full default: below 0 the feature helps.",
            f"The intervals are of 95 % each: of {len(FEATURES)}, one may well miss the truth. The verdicts share 5 %"
            f" among all {len(FEATURES)}: they are read off intervals {_widening():.2f} times as wide.",
            "speed_ratio compares the time of whole moves in the same games, in simulations a second; elo_at_equal_time"
            " takes 70 Elo for twice the simulations (Basaldúa, 4.8), measured in other games.",
            "symmetry acts where the stones mirror each other: in 4.4 % of the openings of two moves. Were all those"
            " games won by one side it would be 15 Elo, so this ledger cannot show what it is worth.",
            *(f"{feature.name}: {feature.meaning}." for feature in FEATURES),
        ],
    )


def _row(feature: Feature, games: Sequence[GameRecord]) -> LedgerRow | None:
    """The line of a feature; None if it has no games yet."""
    own = [game for game in games if feature.player in (game.first, game.second)]
    found = standings(own, [feature.player, FULL])
    if not found.games or found.elo is None:
        return None
    elo, speed_ratio = found.elo, _speed_ratio(feature, own)
    return LedgerRow(
        feature=feature.name,
        without=feature.without,
        games=found.games,
        wins=found.players[0].wins,
        elo=elo.elo,
        elo_low=elo.low,
        elo_high=elo.high,
        speed_ratio=speed_ratio,
        elo_at_equal_time=_at_equal_time(elo, speed_ratio),
        verdict=_judged(elo),
    )


def _widening() -> float:
    """How much wider an interval is that shares the 5 % with all other features (Bonferroni)."""
    normal = NormalDist()
    return normal.inv_cdf(1 - 0.025 / len(FEATURES)) / normal.inv_cdf(0.975)


def _judged(elo: EloEstimate) -> Literal["helps", "hurts", "open"]:
    """About the feature, by the wider interval; a score of nothing or of everything has no end to widen from."""
    if not math.isfinite(elo.elo):
        below, above = elo.low, elo.high
    else:
        below, above = (elo.elo + _widening() * (end - elo.elo) for end in (elo.low, elo.high))
    found = Bounds(elo.elo, below, above, elo.games)
    if difference(found.negated()) == "reproduced":
        return "helps"
    return "hurts" if difference(found) == "reproduced" else "open"


def _speed_ratio(feature: Feature, games: Sequence[GameRecord]) -> float | None:
    """The full default's seconds over the changed engine's: both do as many simulations a move, and move in turns."""
    ratios = []
    for game in games:
        full_s, changed_s = game.first_s, game.second_s
        if game.first == feature.player:
            full_s, changed_s = changed_s, full_s
        if full_s > 0 and changed_s > 0:
            ratios.append(full_s / changed_s)
    return median(ratios) if ratios else None


def _at_equal_time(elo: EloEstimate, speed_ratio: float | None) -> float | None:
    if speed_ratio is None or not math.isfinite(elo.elo):
        return None
    return equal_cpu(elo, 1 / speed_ratio).elo


def _figure(ledger: Sequence[LedgerRow]) -> Figure:
    """Bars from 0 with their intervals, what hurts most to lose at the top."""
    ordered = sorted(ledger, key=lambda row: row.elo)
    figure = rating_plot(ordered, title=f"The default without one of its parts, 9x9, {SIMULATIONS} simulations")
    axes = figure.axes[0]
    left, right = axes.get_xlim()
    lengths = [min(max(row.elo, left), right) for row in ordered]
    axes.barh(range(len(ordered)), lengths, height=0.62, color=PALE, zorder=1)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.set_xlim(min(left, 0.04 * -right), max(right, 0.04 * -left))  # the line of 0 stays off the edges
    axes.set_xlabel("Elo against the full default, with 95 % interval")
    return figure


ABLATION = Tournament(
    about=About(
        name="engine/ablation",
        title="The default engine without one of its parts, on 9x9",
        question="What is each rule of the playouts and each part of the search worth?",
        source="none published; the engine is ours.",
        method=(
            f"Each of {len(FEATURES)} parts is taken out in turn, and the engine without it plays the full default:"
            f" 9x9, komi 6.5, Chinese rules, {SIMULATIONS} simulations for every move, one thread, openings of two"
            f" random moves played with both colours. Scale 1 is {GAMES_PER_FEATURE} games for each part."
        ),
        cost="about half an hour on two idle processor cores.",
    ),
    spec=spec,
    interpret=interpret,
)
