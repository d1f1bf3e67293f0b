"""GNU Go's levels against each other on 9x9: whether a higher level plays better, and by how much.

No paper here publishes these numbers. The experiment exists because they measure against GNU Go at some level,
so it is good to know what a level is worth, and because it needs no engine of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.report.plots import rating_plot
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.elo import elo_from_games, wilson
from tesuji.experiments.stats.standings import Standings, standings
from tesuji.papers import verdicts
from tesuji.papers.findings import Cell, Claim, Comparison, Findings
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import MARGIN, rate_text, surplus
from tesuji.papers.verdicts import Bounds, Verdict

__all__ = ["GAMES_PER_PAIRING", "LEVELS", "STRENGTHS", "interpret", "spec"]

STRENGTHS = (1, 4, 7, 10)
GAMES_PER_PAIRING = 100
"""At scale 1."""

_COLUMNS = (
    "higher", "lower", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high", "elo", "elo_low", "elo_high"
)  # fmt: skip


def spec(scale: float, seed: int) -> MatchSpec:
    """Everybody against everybody, in pairs with the same opening and both colours."""
    return MatchSpec(
        players=tuple(parse_player(_name(level)) for level in STRENGTHS),
        conditions=Conditions(size=9, komi=7.0, rules="chinese"),
        games=max(2, 2 * round(GAMES_PER_PAIRING * scale / 2)),
        openings="random:2",
        seed=seed,
    )


def interpret(games: Sequence[GameRecord]) -> Findings:
    """Pairings with their intervals, ratings, and the verdict on "higher is stronger"."""
    found = standings(games, [_name(level) for level in STRENGTHS])
    rows: list[list[Cell]] = []
    for result in found.crosstable:
        count = result.wins + result.draws + result.losses
        elo = elo_from_games(result.losses, result.draws, result.wins)
        interval = wilson(result.losses + result.draws / 2, count)
        rate = (result.losses + result.draws / 2) / count
        score: list[Cell] = [result.second, result.first, count, result.losses, result.draws, result.wins]
        rows.append([*score, rate, interval.low, interval.high, elo.elo, elo.low, elo.high])
    return Findings(
        columns=_COLUMNS,
        rows=rows,
        comparisons=[
            Comparison(quantity=f"Elo of {rating.name}", ours=Bounds(rating.elo, rating.low, rating.high, len(games)))
            for rating in found.ratings
        ],
        claims=[_monotonic(found)],
        figures={"ratings": rating_plot(found.ratings, title="GNU Go's levels, 9x9")} if found.ratings else {},
        notes=["The mean of the ratings is 0.", *([found.ratings_note] if found.ratings_note else [])],
    )


def _monotonic(found: Standings) -> Claim:
    """Each level against the next one below: beaten, beating, or not told apart."""
    by_names = {(result.first, result.second): result for result in found.crosstable}
    judged: list[Verdict] = []
    evidence = []
    for low, high in pairwise(STRENGTHS):
        result = by_names.get((_name(low), _name(high)))
        if result is None:
            judged.append("open")
            continue
        games = result.wins + result.draws + result.losses
        points = result.losses + result.draws / 2
        judged.append(verdicts.difference(surplus(points, games), MARGIN))
        evidence.append(f"Level {high} scores {rate_text(points, games)} against level {low}")
    return Claim(
        statement="Expected (ours, not published): a higher level is stronger, each beats the next one below.",
        verdict=verdicts.all_of(judged),
        evidence=". ".join(evidence or ["There are no games between neighbours"]),
        refuted_by=f"a level whose interval ends below {0.5 + MARGIN:.1%} against the next one below",
    )


def _name(level: int) -> str:
    return f"gnugo-l{level}"


LEVELS = Tournament(
    about=About(
        name="gnugo/levels",
        title="GNU Go's levels against each other on 9x9",
        question="How much stronger is GNU Go at a higher level?",
        source="none published; the papers use GNU Go as an opponent at levels 0 to 10.",
        method=(
            "Levels 1, 4, 7 and 10, everybody against everybody, 9x9, komi 7, Chinese rules, openings of two random"
            f" moves played with both colours. Scale 1 is {GAMES_PER_PAIRING} games per pairing, 600 in all."
        ),
        cost="about an hour on two processor cores.",
    ),
    spec=spec,
    interpret=interpret,
)
