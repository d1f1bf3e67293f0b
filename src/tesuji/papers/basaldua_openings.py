"""Basaldúa, tables 3.3 and 3.4: what M-eval is worth, in openings that a third engine judges and in complete games.

The source's first table is of version 1 of M-eval; ours is version 2 in both (docs/algorithms/m-eval.md). The judge was
MoGo, which says who is likelier to win; ours is GNU Go, which estimates points, so that one estimate serves all komis.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.players.gtp_client import GtpClient
from tesuji.experiments.players.gtp_player import command_line
from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.run.schedule import seed_of
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.elo import elo_of_rate
from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.knowledge.m_eval import MEvalSettings
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import MARGIN, beaten
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import difference, rate_bounds, rate_difference

__all__ = ["TABLE_3_3", "TABLE_3_4", "OpeningTask", "estimated_margin"]

KOMI = 7.5
MOVES = 50
JUDGE = "gnugo-l10"
_OPENINGS, _SIMULATIONS = 220, 25_000
_WINS = {0: 176, 4: 164, 8: 144, 12: 128, 16: 112}
"""Table 3.3: points against M-eval -> openings won, of 220."""
_FEWEST_SIMULATIONS = 100
_JUDGE_S = 120.0


def _shrunk(simulations: int, pairs: int, scale: float) -> tuple[int, int]:
    """Simulations and pairs of games whose product is `scale` times the whole; above 1 only games grow."""
    root = min(scale, 1.0) ** 0.5
    return max(_FEWEST_SIMULATIONS, round(simulations * root)), max(1, round(pairs * scale / root))


class OpeningTask(msgspec.Struct, frozen=True):
    """One opening: who has M-eval, simulations a move, a seed."""

    is_black: bool
    simulations: int
    seed: int


class Openings(msgspec.Struct, frozen=True, kw_only=True):
    """Table 3.3; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[OpeningTask]:
        """Pairs of openings, M-eval being Black and White in turn."""
        simulations, pairs = _shrunk(_SIMULATIONS, _OPENINGS // 2, scale)
        return [
            OpeningTask(is_black, simulations, seed_of(seed, 2 * pair + (not is_black)))
            for pair in range(pairs)
            for is_black in (True, False)
        ]

    def run_task(self, task: OpeningTask) -> Row:
        """Play an opening and let it be judged."""
        board = played_opening(task)
        margin = estimated_margin(board, task.seed)
        own = margin if task.is_black else -margin
        return {"is_black": task.is_black, "simulations": task.simulations, "margin": own}

    def render(self, rows: Sequence[Row]) -> Findings:
        """Openings won for each komi, and how many points M-eval is ahead."""
        margins = [float(row["margin"]) for row in rows]
        wins = {extra: sum(margin > extra for margin in margins) for extra in _WINS}
        table: list[list[Cell]] = [
            [f"{KOMI:g} + {extra}", len(rows), wins[extra], rate_bounds(wins[extra], len(rows)).value, published]
            for extra, published in _WINS.items()
        ]
        best, last = (rate_bounds(wins[extra], len(rows)) for extra in (0, 16))
        return Findings(
            columns=("komi", "openings", "won", "rate", "published, of 220"),
            rows=table,
            comparisons=[
                Comparison(
                    quantity=f"rate at komi + {extra}",
                    ours=rate_bounds(wins[extra], len(rows)),
                    published=Published(value=count / _OPENINGS, margin=0.065, where="Basaldúa, table 3.3"),
                )
                for extra, count in _WINS.items()
            ],
            claims=[
                beaten("With M-eval an opening is better by move 50 (80.0 %).", wins[0], len(rows)),
                Claim(
                    statement="Points against M-eval lower its rate (80.0 % to 50.9 % at 16).",
                    verdict=difference(rate_difference((wins[0], len(rows)), (wins[16], len(rows))), MARGIN),
                    evidence=f"{best.value:.1%} and {last.value:.1%} of {len(rows)} openings",
                    refuted_by=f"a difference whose interval ends below {MARGIN:.1%}",
                ),
            ],
            notes=(
                "Simulations a move: " + ", ".join(map(str, sorted({row["simulations"] for row in rows}))) + ".",
                "M-eval is version 2, the judge GNU Go level 10 (estimate_score); the source has version 1 and MoGo, an"
                " engine of about 15 kyu, and gave M-eval 10,000 of its 25,000 simulations.",
            ),
        )


def played_opening(task: OpeningTask) -> Board:
    """The position after 50 moves, or after a resignation."""
    board = Board(19, komi=KOMI)
    engines = [
        Engine(
            EngineConfig(
                simulations=task.simulations,
                resign_below=0.0,
                seed=seed_of(task.seed, number),
                m_eval=MEvalSettings(file="standard" if (number == 0) == task.is_black else "off"),
            )
        )
        for number in range(2)
    ]
    for number in range(MOVES):
        move = engines[number % 2].genmove(board)
        assert move != "resign"
        board.play(move)
    return board


def estimated_margin(board: Board, seed: int) -> float:
    """Black's points less White's and komi, as GNU Go estimates them.

    Raises
    ------
    EngineError
        If GNU Go is not there, or says something else.
    """
    spec = parse_player(JUDGE)
    conditions = Conditions(size=board.width, komi=board.komi, rules=board.rules.name)
    with GtpClient(command_line(spec, conditions, seed)) as client:
        moves = [f"play {'bw'[color - 1]} {board.vertex(move)}" for color, move in board.moves]
        for command in (f"boardsize {board.width}", f"komi {board.komi:g}", *moves):
            client.ask(command, timeout_s=_JUDGE_S)
        said = client.ask("estimate_score", timeout_s=_JUDGE_S)
    word = said.split()[0] if said.split() else "0"
    if word == "0":
        return 0.0
    return float(word[2:]) * (1 if word[0] == "B" else -1)


TABLE_3_3 = Openings(
    about=About(
        name="basaldua/table-3.3",
        title="Openings with and without M-eval, judged by a third engine (Basaldúa, table 3.3)",
        question="Is the engine with M-eval ahead after 50 moves, and by how many points?",
        source="Basaldúa, table 3.3: 220 openings on 19x19, 80.0 % won at komi 7.5, 50.9 % with 16 points more.",
        method=f"Our engine with M-eval against itself without, {_SIMULATIONS:,} simulations a move, to move {MOVES};"
        f" half of the openings with each colour. {JUDGE} estimates the score. Scale 1 is {_OPENINGS} openings; these"
        " and simulations each shrink by the root of a smaller one.",
        cost="about a day of a processor core at scale 1; --scale 0.01 is some ten minutes.",
    )
)


class CompleteGames(msgspec.Struct, frozen=True, kw_only=True):
    """A row of table 3.4: simulations a move, of four threads together, and what was published of 250 games."""

    simulations: int
    wins: int
    elo: float


_GAMES = 250
_ROWS = {
    "5000": CompleteGames(simulations=20_000, wins=138, elo=36.26),
    "20000": CompleteGames(simulations=80_000, wins=157, elo=90.97),
    "50000": CompleteGames(simulations=200_000, wins=153, elo=79.17),
}


def spec_3_4(row: CompleteGames, scale: float, seed: int) -> MatchSpec:
    """Pairs of games."""
    simulations, pairs = _shrunk(row.simulations, _GAMES // 2, scale)
    players = [
        parse_player(f"{name}=tesuji:simulations={simulations},m_eval={file}")
        for name, file in (("plain", "off"), ("m-eval", "standard"))
    ]
    return MatchSpec(
        players=tuple(players),
        conditions=Conditions(size=19, komi=KOMI, rules="chinese"),
        format="gauntlet",
        champion=players[0].name,
        games=2 * pairs,
        openings="random:2",
        seed=seed,
    )


def interpret_3_4(row: CompleteGames, games: Sequence[GameRecord]) -> Findings:
    """The rate, and its Elo."""
    found = [game for game in games if game.winner != "none"]
    points = sum(game.points_of("m-eval") for game in found)
    rate = rate_bounds(points, len(found))
    elos = (
        [elo_of_rate(min(max(value, 1e-3), 1 - 1e-3)) for value in (rate.value, rate.low, rate.high)] if found else []
    )
    return Findings(
        columns=("games", "won", "rate", "elo", "elo_low", "elo_high", "published rate", "published elo"),
        rows=[[len(found), points, rate.value, *elos, row.wins / _GAMES, row.elo]] if found else [],
        comparisons=[
            Comparison(
                quantity="rate of m-eval",
                ours=rate,
                published=Published(value=row.wins / _GAMES, margin=0.06, where="Basaldúa, table 3.4, 250 games"),
            )
        ],
        claims=[beaten("With M-eval the engine beats itself without.", points, len(found))],
        notes=("One thread with all simulations, where the source has four with a quarter each.",),
    )


def _table_3_4(key: str, row: CompleteGames) -> Tournament:
    return Tournament(
        about=About(
            name=f"basaldua/table-3.4-{key}",
            title=f"Complete games with and without M-eval, 4 x {int(key):,} simulations (Basaldúa, table 3.4)",
            question="How much Elo is M-eval worth in complete games?",
            source=f"Basaldúa, table 3.4: {row.wins} of {_GAMES} games, {row.elo:g} Elo.",
            method=f"19x19, area scoring, komi {KOMI:g}, {row.simulations:,} simulations a move, one thread; openings"
            f" of two random moves, each with both colours. Scale 1 is {_GAMES} games; games and"
            " simulations each shrink by the root of a smaller one.",
            cost="weeks on one processor core at scale 1; --scale 0.0025 is an hour at most.",
        ),
        spec=partial(spec_3_4, row),
        interpret=partial(interpret_3_4, row),
    )


TABLE_3_4 = {key: _table_3_4(key, row) for key, row in _ROWS.items()}
AT_5000, AT_20000, AT_50000 = TABLE_3_4.values()
