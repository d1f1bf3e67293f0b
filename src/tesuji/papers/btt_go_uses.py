"""What each use of the memory of positions is worth: the engine with all of them, without one, and without any, on 9x9.

The four uses are those of the BTT-Go paper, section 4: priors at expansion, playouts that stop, how a stopped playout
is backed up, and who learns. Everybody plays the engine without memory, at equal simulations.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.standings import standings
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import rate_text
from tesuji.papers.verdicts import FEWEST, Verdict, rate_bounds

__all__ = ["ABLATION", "GAMES", "PLAIN", "SIMULATIONS", "USES", "Use", "interpret", "spec"]

GAMES = 200
"""Of each, at scale 1."""
SIMULATIONS = 100
PLAIN = "no-memory"


class Use(msgspec.Struct, frozen=True):
    """A way to use the memory.

    Attributes
    ----------
    name : str
        Of the player.
    settings : str
        Beside ``known=8``, as `parse_player` reads them.
    meaning : str
        What is different.
    """

    name: str
    settings: str
    meaning: str


USES = (
    Use("all", "known_weight=1", "all four uses, a stopped playout is worth the known value"),
    Use("no-priors", "known_weight=1,known_priors=false", "priors stay the engine's own"),
    Use("no-stops", "known_weight=1,known_stops=false", "playouts go on"),
    Use("visits", "known_weight=1,known_back_up=visits", "a stopped playout is a visit without news, as in the paper"),
    Use("tree-learns", "known_weight=1,known_learns=tree", "only positions of the tree are written"),
    Use("punished", "known_weight=1,known_punishment=0.3", "scenario 3 of the paper"),
)


def spec(scale: float, seed: int) -> MatchSpec:
    """The engine without memory against each, from random openings with both colours."""
    limit = f"simulations={SIMULATIONS}"
    players = (parse_player(f"{use.name}=tesuji:{limit},known=8,{use.settings}") for use in USES)
    return MatchSpec(
        players=(parse_player(f"{PLAIN}=tesuji:{limit}"), *players),
        conditions=Conditions(size=9, komi=6.5, rules="tromp-taylor"),
        format="gauntlet",
        champion=PLAIN,
        games=2 * max(1, round(GAMES * scale / 2)),
        openings="random:2",
        seed=seed,
    )


def interpret(games: Sequence[GameRecord]) -> Findings:
    """A line for each, and whether any of them gains or loses."""
    rows, claims = [], []
    for use in USES:
        own = [game for game in games if use.name in (game.first, game.second)]
        found = standings(own, [use.name, PLAIN])
        if not found.games or found.elo is None:
            continue
        points = found.players[0].wins + found.players[0].draws / 2
        rate = rate_bounds(points, found.games)
        line: list[Cell] = [use.name, use.settings, found.games, points, rate.value, rate.low, rate.high]
        rows.append([*line, round(found.elo.elo, 1), _time_ratio(use, own)])
        claims.append(
            Claim(
                statement=f"The engine with the memory ({use.name}: {use.meaning}) scores as much as without.",
                verdict=_within(rate.low, rate.high, found.games),
                evidence=f"It scores {rate_text(points, found.games)}",
                refuted_by="an interval of the rate that does not hold one half",
            )
        )
    columns = ("player", "settings", "games", "points", "rate", "rate_low", "rate_high", "elo", "time_ratio")
    return Findings(
        columns=columns,
        rows=rows,
        claims=claims,
        notes=[
            "time_ratio: its seconds over those of the engine without memory, the median over the same games.",
            "A rate whose interval holds one half and is not within 10 % of it stays open.",
            f"The intervals are of 95 % each: of {len(USES)}, one may well miss the truth.",
        ],
    )


def _within(low: float, high: float, games: int) -> Verdict:
    if games < FEWEST:
        return "open"
    if low > 0.5 or high < 0.5:
        return "not reproduced"
    return "reproduced" if low > 0.4 and high < 0.6 else "open"


def _time_ratio(use: Use, games: Sequence[GameRecord]) -> float | None:
    pairs = [
        (game.first_s, game.second_s) if game.first == use.name else (game.second_s, game.first_s) for game in games
    ]
    ratios = [own / other for own, other in pairs if own > 0 and other > 0]
    return round(median(ratios), 3) if ratios else None


ABLATION = Tournament(
    about=About(
        name="btt-go/ablation",
        title="The engine with a memory of positions, without one of its uses, on 9x9",
        question="What is each use of the memory worth against the engine without it?",
        source="the BTT-Go paper has no such table; the uses are those of its section 4.",
        method=(
            f"{len(USES)} engines with a memory of 8 MB in which one result makes a position known, used once more"
            " than half of the board has stones, against the default without it: 9x9, komi 6.5, Tromp-Taylor rules,"
            f" {SIMULATIONS} simulations for every move, one thread,"
            f" openings of two random moves played with both colours. Scale 1 is {GAMES} games for each."
        ),
        cost="about seven minutes on one idle processor core.",
    ),
    spec=spec,
    interpret=interpret,
)
