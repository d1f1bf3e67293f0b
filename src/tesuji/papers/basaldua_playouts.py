"""Basaldúa, 4.8.3 and 4.8.4: playouts that learn against the policy they are built on, and both against another engine.

Each row of table 4.9 is an experiment of its own: a board and a number of simulations. What learning costs is taken off
as the source does: by the Elo that the base policy gains from as much more time, 70 for every doubling, which
``basaldua/doubling`` measures on 11x11. Shares of moves (table 4.8) are in `basaldua_moves.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.elo import EloEstimate, agresti_coull, elo_of_rate, equal_cpu
from tesuji.papers.findings import Cell, Comparison, Findings, Published
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import beaten, scores_more
from tesuji.papers.verdicts import Bounds, rate_bounds

__all__ = ["DOUBLING", "TABLE_4_9", "TABLE_4_10", "Match", "interpret", "spec", "time_ratio"]

_COLUMNS = (
    "program", "opponent", "games", "points", "rate", "elo", "elo_low", "elo_high", "time_ratio", "elo_equal_time"
)  # fmt: skip
_METHOD = (
    "Area scoring, komi {komi:g}, {size}x{size}, {simulations:,} simulations for every move by either side, one thread,"
    " where the source has four with a quarter of them each. Both are our engine with its own search and priors; only"
    " the playouts differ: the policies `base` and `learning` of tesuji.go.knowledge.playouts. Openings of {opening}"
    " random moves, each played with both colours. A hopeless game is resigned. Scale 1 is {games:,} games; scale"
    " shrinks their number and never the simulations."
)
_NOTES = (
    "Elo and its interval come from the rate by Agresti and Coull, as in the source. Time: the seconds that each side"
    " thought, so both must share the machine alike.",
    "At equal time: Elo less 70 log2(time ratio), the source's correction; it overcompensates, since games against"
    " oneself flatter more simulations.",
)


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table.

    Attributes
    ----------
    size, simulations, games : int
        Lines of the board, simulations a move, games at scale 1.
    wins : int
        Published, of `games`.
    time_ratio, elo : float
        Published: how much longer learning took, and its Elo at equal time.
    """

    size: int
    simulations: int
    games: int
    wins: int
    time_ratio: float = 1.0
    elo: float = 0.0


_ROWS = {
    "9x9": Match(size=9, simulations=8_000, games=1_000, wins=663, time_ratio=1.38, elo=85.1),
    "9x9-32000": Match(size=9, simulations=32_000, games=200, wins=147, time_ratio=1.57, elo=131.6),
    "9x9-128000": Match(size=9, simulations=128_000, games=200, wins=148, time_ratio=1.58, elo=135.5),
    "13x13": Match(size=13, simulations=8_000, games=1_000, wins=685, time_ratio=1.39, elo=101.7),
    "19x19": Match(size=19, simulations=8_000, games=600, wins=382, time_ratio=1.51, elo=55.8),
}
_DOUBLING = Match(size=11, simulations=4_000, games=600, wins=360)


def _player(name: str, policy: str, simulations: int) -> PlayerSpec:
    return parse_player(f"{name}=tesuji:playouts={policy},simulations={simulations}")


def spec(match: Match, players: Sequence[PlayerSpec], scale: float, seed: int) -> MatchSpec:
    """So many pairs of games between the players; the first is the champion."""
    return MatchSpec(
        players=tuple(players),
        conditions=Conditions(size=match.size, komi=7.0, rules="chinese"),
        format="gauntlet",
        champion=players[0].name,
        games=2 * max(1, round(match.games * scale / 2)),
        openings="random:2",
        seed=seed,
    )


def time_ratio(games: Sequence[GameRecord], name: str, opponent: str) -> float:
    """How much longer a player thought than its opponent in their games; 1 where nobody measured it."""
    own = sum(game.first_s if game.first == name else game.second_s for game in games)
    other = sum(game.first_s if game.first == opponent else game.second_s for game in games)
    return own / other if own > 0 and other > 0 else 1.0


def _between(games: Sequence[GameRecord], name: str, opponent: str) -> list[GameRecord]:
    return [game for game in games if {game.first, game.second} == {name, opponent} and game.winner != "none"]


def _row(games: Sequence[GameRecord], name: str, opponent: str) -> list[Cell]:
    points = sum(game.points_of(name) for game in games)
    bounds = agresti_coull(points, len(games))
    elo = elo_of_rate(min(max(points / len(games), 0.5 / len(games)), 1 - 0.5 / len(games)))
    low, high = (elo_of_rate(min(max(rate, 1e-6), 1 - 1e-6)) for rate in (bounds.low, bounds.high))
    ratio = time_ratio(games, name, opponent)
    fair = equal_cpu(EloEstimate(elo, low, high, 0.5, len(games)), ratio).elo
    numbers = (round(value, 1) for value in (elo, low, high))
    return [name, opponent, len(games), points, points / len(games), *numbers, round(ratio, 2), round(fair, 1)]


def _compared(match: Match, points: float, games: int, quantity: str) -> Comparison:
    theirs = rate_bounds(match.wins, match.games)
    published = Published(
        value=match.wins / match.games, margin=theirs.high - theirs.low, where=f"Basaldúa, 4.8, {match.games} games"
    )
    return Comparison(quantity=quantity, ours=rate_bounds(points, games), published=published)


def interpret(match: Match, name: str, opponent: str, games: Sequence[GameRecord]) -> Findings:
    """One row of table 4.9: the rate, its Elo, and what is left of it at equal time."""
    found = _between(games, name, opponent)
    points = sum(game.points_of(name) for game in found)
    ratio = time_ratio(found, name, opponent)
    return Findings(
        columns=_COLUMNS,
        rows=[_row(found, name, opponent)] if found else [],
        comparisons=[
            _compared(match, points, len(found), f"rate of {name} against {opponent}"),
            Comparison(quantity="time ratio", ours=Bounds(ratio, ratio, ratio, len(found))),
        ],
        claims=[beaten(f"{name} beats {opponent} at equal simulations.", points, len(found))],
        notes=_NOTES,
    )


def _table_4_9(key: str, match: Match) -> Tournament:
    name = f"basaldua/table-4.9-{key}"
    players = [_player(policy, policy, match.simulations) for policy in ("base", "learning")]
    return Tournament(
        about=About(
            name=name,
            title=f"Learning against base playouts on {match.size}x{match.size} (Basaldúa, table 4.9)",
            question="How often do playouts that learn beat those they are built on, and what is left at equal time?",
            source=f"Basaldúa, table 4.9: {match.wins} of {match.games} games, {match.elo:g} Elo at equal time.",
            method=_METHOD.format(
                komi=7.0, size=match.size, simulations=match.simulations, opening=2, games=match.games
            ),
            cost="days on two processor cores at scale 1; --scale 0.1 is a night for 9x9.",
        ),
        spec=partial(spec, match, players),
        interpret=partial(interpret, match, "learning", "base"),
    )


TABLE_4_9 = {key: _table_4_9(key, match) for key, match in _ROWS.items()}
ON_9X9, ON_9X9_32000, ON_9X9_128000, ON_13X13, ON_19X19 = TABLE_4_9.values()

DOUBLING = Tournament(
    about=About(
        name="basaldua/doubling",
        title="What twice the simulations are worth to the base policy on 11x11 (Basaldúa, 4.8)",
        question="How much Elo does the base policy gain from a doubling?",
        source="Basaldúa, 4.8: 70.44 Elo (45.83 to 95.05), printed as 480 to 320 of 600 games; 60 % is 360 of 600.",
        method=_METHOD.format(komi=7.0, size=11, simulations=4_000, opening=2, games=600)
        + " The doubled side has 8,000.",
        cost="about a day on two processor cores at scale 1.",
    ),
    spec=partial(spec, _DOUBLING, [_player("base", "base", 4_000), _player("doubled", "base", 8_000)]),
    interpret=partial(interpret, _DOUBLING, "doubled", "base"),
)

_REFERENCE = Match(size=13, simulations=16_000, games=300, wins=114)
_RIVAL = "gnugo-l10"


def _against_reference(games: Sequence[GameRecord]) -> Findings:
    """Table 4.10: both policies against the reference, and whether learning scores more."""
    scores, rows = {}, []
    for name in ("base", "learning"):
        found = _between(games, name, _RIVAL)
        scores[name] = sum(game.points_of(name) for game in found), len(found)
        rows += [_row(found, name, _RIVAL)] if found else []
    return Findings(
        columns=_COLUMNS,
        rows=rows,
        comparisons=[
            Comparison(quantity=f"rate of {name}", ours=rate_bounds(*score)) for name, score in scores.items()
        ],
        claims=[
            scores_more("learning scores more against the reference than base.", scores["learning"], scores["base"])
        ],
        notes=(*_NOTES, "The source's reference is Fuego, at 68 and 114 of 300 games; rates are not comparable."),
    )


TABLE_4_10 = Tournament(
    about=About(
        name="basaldua/table-4.10",
        title="Base and learning playouts against GNU Go on 13x13 (Basaldúa, table 4.10)",
        question="Do playouts that learn score more against another engine?",
        source="Basaldúa, table 4.10: 68 and 114 of 300 games against Fuego.",
        method=_METHOD.format(komi=7.0, size=13, simulations=16_000, opening=2, games=300)
        + " The reference is GNU Go level 10; for another one play `tesuji match` with its GTP command.",
        cost="days on two processor cores at scale 1.",
    ),
    spec=partial(
        spec,
        _REFERENCE,
        [parse_player(_RIVAL), _player("base", "base", 16_000), _player("learning", "learning", 16_000)],
    ),
    interpret=_against_reference,
)
