"""The BTT-Go paper's tables 2, 3 and 4: an engine that remembers positions, against GNU Go and against itself without.

BTT-Go is Fuego with a transposition table. Here "Fuego" is our default engine, and BTT-Go is the same with a memory of
known positions as the paper describes it: used once more than half of the board has stones, every stored position is
known, priors are replaced, playouts stop, a stopped playout is a visit without news, tree and playouts learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.run.spec import MatchSpec
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import beaten, rate_text
from tesuji.papers.verdicts import level, rate_bounds

__all__ = ["BTT_GO", "PLAIN", "PUNISHED", "SIMULATIONS", "TABLES", "Table", "interpret", "spec"]

SIMULATIONS = {9: 1000, 13: 1000, 19: 1000}
"""Per move, of everybody: the paper gives neither time nor simulations."""
BTT_GO = "known=64,known_weight=1,known_back_up=visits"
PUNISHED = "known=64,known_weight=1,known_punishment=0.3"
PLAIN = "plain"
GNUGO = "gnugo-l10"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A line of one of the paper's tables.

    Attributes
    ----------
    number : int
        Of the table.
    size : int
        Of the board.
    games : int
        Of the tournament, half with each colour.
    as_black, as_white : float
        Published share of the games that BTT-Go won, 0..1.
    """

    number: Literal[2, 3, 4]
    size: Literal[9, 13, 19]
    games: int
    as_black: float
    as_white: float

    @property
    def name(self) -> str:
        """Of the experiment."""
        return f"btt-go/table-{self.number}-{self.size}x{self.size}"

    @property
    def player(self) -> str:
        """Who is measured."""
        return "punished" if self.number == 4 else "btt-go"

    @property
    def opponent(self) -> str:
        """Against whom."""
        return GNUGO if self.number == 2 else PLAIN


TABLES = (
    Table(number=2, size=9, games=30, as_black=1.0, as_white=1.0),
    Table(number=2, size=13, games=30, as_black=1.0, as_white=0.933),
    Table(number=2, size=19, games=30, as_black=0.867, as_white=0.60),
    Table(number=3, size=9, games=100, as_black=0.44, as_white=0.347),
    Table(number=3, size=13, games=100, as_black=0.42, as_white=0.34),
    Table(number=3, size=19, games=100, as_black=0.42, as_white=0.26),
    Table(number=4, size=9, games=100, as_black=0.56, as_white=0.26),
    Table(number=4, size=13, games=100, as_black=0.30, as_white=0.30),
    Table(number=4, size=19, games=100, as_black=0.20, as_white=0.26),
)


def spec(table: Table, scale: float, seed: int) -> MatchSpec:
    """The engine with a memory against its opponent, with both colours."""
    limit = f"simulations={SIMULATIONS[table.size]}"
    own = PUNISHED if table.number == 4 else BTT_GO
    opponent = GNUGO if table.number == 2 else f"tesuji:{limit}"
    return MatchSpec(
        players=(
            parse_player(f"{table.player}=tesuji:{limit},{own}"),
            parse_player(f"{table.opponent}={opponent}"),
        ),
        conditions=Conditions(size=table.size, komi=6.5, rules="chinese"),
        games=2 * max(1, round(table.games * scale / 2)),
        seed=seed,
    )


def _score(table: Table, games: Sequence[GameRecord], seat: str) -> tuple[float, int]:
    """Points and games of the player in a seat."""
    own = [game.winner for game in games if (game.first if seat == "first" else game.second) == table.player]
    return sum(1.0 if winner == seat else 0.5 * (winner == "draw") for winner in own), len(own)


def interpret(table: Table, games: Sequence[GameRecord]) -> Findings:
    """A line for each colour, and what the paper says of it."""
    rows: list[list[Cell]] = []
    comparisons: list[Comparison] = []
    for colour, seat, published in (("Black", "first", table.as_black), ("White", "second", table.as_white)):
        points, number = _score(table, games, seat)
        if not number:
            continue
        ours, theirs = rate_bounds(points, number), rate_bounds(published * table.games / 2, table.games // 2)
        rows.append([table.player, table.opponent, colour, number, points, ours.value, ours.low, ours.high, published])
        comparisons.append(
            Comparison(
                quantity=f"rate of {table.player} with {colour} against {table.opponent}, {table.size}x{table.size}",
                ours=ours,
                published=Published(
                    value=published,
                    margin=theirs.high - theirs.low,
                    where=f"the BTT-Go paper, table {table.number}, {table.games // 2} games",
                ),
            )
        )
    both = [_score(table, games, seat) for seat in ("first", "second")]
    whole = sum(points for points, _ in both), sum(number for _, number in both)
    return Findings(
        columns=("player", "opponent", "colour", "games", "points", "rate", "rate_low", "rate_high", "published"),
        rows=rows,
        comparisons=comparisons,
        claims=[_claim(table, *whole)] if whole[1] else [],
        notes=[
            "A published rate is reproduced if our 95 % interval lies within its margin: the width of Wilson's interval"
            " for the paper's own number of games; it is not if our interval lies beyond.",
            "The paper's Fuego and its time for a move are not known; our default engine stands for it.",
        ],
    )


def _claim(table: Table, points: float, games: int) -> Claim:
    if table.number == 2:
        return beaten("The engine that remembers beats GNU Go (scenario 1).", points, games)
    bounds = rate_bounds(points, games)
    return Claim(
        statement="The engine that remembers as the paper does scores less than half against the same without memory.",
        verdict=level(bounds, 0.5),
        evidence=f"It scores {rate_text(points, games)}",
        refuted_by="an interval of the rate that begins above one half",
    )


_SCENARIOS = {2: "against GNU Go 3.8, level 10", 3: "against the same engine without memory",
              4: "with the punished variant (a known position loses 30 % where the playout wants another move),"
                 " against the engine without memory"}  # fmt: skip


def _tournament(table: Table) -> Tournament:
    board = f"{table.size}x{table.size}"
    return Tournament(
        about=About(
            name=table.name,
            title=f"An engine that remembers positions, {board}: table {table.number}",
            question="How strong is the engine if what a table knows stands in for priors and playouts?",
            source=f"the BTT-Go paper, section 5, table {table.number}.",
            method=(
                f"{board}, komi 6.5, Chinese rules, {SIMULATIONS[table.size]} simulations for every move, one thread,"
                f" from the empty board with both colours: our engine with"
                f" {PUNISHED if table.number == 4 else BTT_GO!r} {_SCENARIOS[table.number]}."
                f" Scale 1 is the paper's {table.games} games."
            ),
            cost={9: "about half an hour", 13: "about two hours", 19: "a day"}[table.size] + " on one processor core.",
        ),
        spec=partial(spec, table),
        interpret=partial(interpret, table),
    )


_TOURNAMENTS = {table.name: _tournament(table) for table in TABLES}
TABLE_2_9X9, TABLE_2_13X13, TABLE_2_19X19 = (_TOURNAMENTS[f"btt-go/table-2-{n}x{n}"] for n in (9, 13, 19))
TABLE_3_9X9, TABLE_3_13X13, TABLE_3_19X19 = (_TOURNAMENTS[f"btt-go/table-3-{n}x{n}"] for n in (9, 13, 19))
TABLE_4_9X9, TABLE_4_13X13, TABLE_4_19X19 = (_TOURNAMENTS[f"btt-go/table-4-{n}x{n}"] for n in (9, 13, 19))
