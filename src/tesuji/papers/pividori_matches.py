"""Pividori 2015, section 11: what RAVE and knowledge in the playouts are worth on 9x9, and how both do against GNU Go.

The three programs of the paper are the presets `uct`, `uct-rave` and `uct-rave-knowledge` of
`tesuji.go.engine.presets`. The
sweeps of section 10 are in `pividori_sweeps.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
from tesuji.experiments.report.digest import Tally
from tesuji.experiments.run.spec import MatchSpec
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.harness import About, Tournament
from tesuji.papers.rate_claims import beaten, scores_more
from tesuji.papers.verdicts import rate_bounds

__all__ = ["CONDITIONS", "GNUGO", "KNOWLEDGE", "RAVE", "SIMULATIONS", "Meeting", "interpret", "spec"]

SIMULATIONS = 30_000
"""Per move, in every table of the paper."""
CONDITIONS = Conditions(size=9, komi=5.0, rules="chinese")

_COLUMNS = (
    "program", "opponent", "colour", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high", "published"
)  # fmt: skip
_METHOD = (
    "9x9, komi 5, area scoring, 30,000 simulations for every move, from the empty board, with both colours. Our presets"
    " stand for the paper's programs. It gives neither the exploration constant of plain UCT nor RAVE's k: the first is"
    " one that did well in our own games, k is 1,000; with RAVE there is no exploration, as in the paper. One thread"
    " instead of five, and a hopeless game is resigned instead of passed. Scale shrinks the number of games and never"
    " the simulations, for fewer simulations would be another experiment."
)
_NOTES = (
    "A published rate is reproduced if our 95 % interval lies within its margin: the width of Wilson's interval for"
    " the paper's own number of games (the paper prints none); it is not if our interval lies beyond.",
    "A draw, which komi 5 allows, counts half. The paper does not say what it does with draws.",
)


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """A program of the paper against an opponent.

    Attributes
    ----------
    program, opponent : str
        Presets, or ``gnugo-l10``.
    games : int
        With each colour, at scale 1.
    as_white, as_black : float
        Published share of the games that the program won, 0..1.
    """

    program: str
    opponent: str
    games: int
    as_white: float
    as_black: float

    @property
    def sides(self) -> tuple[tuple[str, Literal["first", "second"], float], ...]:
        """Colour, seat of the program and published rate; the order is the paper's."""
        return ("White", "second", self.as_white), ("Black", "first", self.as_black)


_RAVE = (Meeting(program="uct-rave", opponent="uct", games=100, as_white=1.00, as_black=1.00),)
_KNOWLEDGE = (Meeting(program="uct-rave-knowledge", opponent="uct-rave", games=100, as_white=0.93, as_black=0.94),)
_GNUGO = (
    Meeting(program="uct", opponent="gnugo-l10", games=500, as_white=0.05, as_black=0.03),
    Meeting(program="uct-rave", opponent="gnugo-l10", games=500, as_white=0.14, as_black=0.08),
    Meeting(program="uct-rave-knowledge", opponent="gnugo-l10", games=500, as_white=0.52, as_black=0.51),
)


def spec(meetings: Sequence[Meeting], scale: float, seed: int) -> MatchSpec:
    """The opponent against each program, with both colours."""
    opponent = meetings[0].opponent
    return MatchSpec(
        players=(_player(opponent), *(_player(meeting.program) for meeting in meetings)),
        conditions=CONDITIONS,
        format="gauntlet",
        champion=opponent,
        games=2 * max(1, round(meetings[0].games * scale)),
        seed=seed,
    )


def interpret(meetings: Sequence[Meeting], games: Sequence[GameRecord]) -> Findings:
    """The paper's table, a row for each colour, and what it says about programs."""
    rows: list[list[Cell]] = []
    comparisons: list[Comparison] = []
    for meeting, colour, score, published in _table(meetings, games):
        ours, theirs = (
            rate_bounds(score.points, score.games),
            rate_bounds(published * meeting.games, meeting.games),
        )
        where = f"Pividori 2015, section 11, {meeting.games} games"
        quantity = f"rate of {meeting.program} with {colour} against {meeting.opponent}"
        counts = score.games, score.wins, score.draws, score.losses
        shares = ours.value, ours.low, ours.high, published
        rows.append([meeting.program, meeting.opponent, colour, *counts, *shares])
        comparisons.append(
            Comparison(
                quantity=quantity,
                ours=ours,
                published=Published(value=published, margin=theirs.high - theirs.low, where=where),
            )
        )
    is_ladder = len(meetings) > 1
    claims = _ladder(meetings, games) if is_ladder else _winner(meetings[0], games)
    return Findings(columns=_COLUMNS, rows=rows, comparisons=comparisons, claims=list(claims), notes=_NOTES)


def _table(meetings: Sequence[Meeting], games: Sequence[GameRecord]) -> Iterator[tuple[Meeting, str, Tally, float]]:
    """Meeting, colour, score and published rate, where there are games."""
    for meeting in meetings:
        for colour, seat, published in meeting.sides:
            score = _score(meeting, games, seat)
            if score.games:
                yield meeting, colour, score, published


def _score(meeting: Meeting, games: Sequence[GameRecord], *seats: str) -> Tally:
    """Of the program, in the seats that are named; in both if none is."""
    pair = meeting.program, meeting.opponent
    winners = [
        (game.winner, seat)
        for game in games
        for seat, players in (("first", (game.first, game.second)), ("second", (game.second, game.first)))
        if players == pair and seat in (seats or ("first", "second"))
    ]
    wins = sum(winner == seat for winner, seat in winners)
    draws = sum(winner == "draw" for winner, _ in winners)
    return Tally(wins, draws, len(winners) - wins - draws)


def _winner(meeting: Meeting, games: Sequence[GameRecord]) -> Iterator[Claim]:
    """Whether the program beats its opponent."""
    score = _score(meeting, games)
    yield beaten(f"{meeting.program} beats {meeting.opponent}.", score.points, score.games)


def _ladder(meetings: Sequence[Meeting], games: Sequence[GameRecord]) -> Iterator[Claim]:
    """Whether each program does better than the one before it."""
    for i, better in enumerate(meetings[1:]):
        statement = f"{better.program} wins more against {better.opponent} than {meetings[i].program}."
        one, two = _score(better, games), _score(meetings[i], games)
        yield scores_more(statement, (one.points, one.games), (two.points, two.games))


def _player(name: str) -> PlayerSpec:
    if name.startswith("gnugo"):
        return parse_player(name)
    return parse_player(f"{name}=tesuji:preset={name},simulations={SIMULATIONS}")


def _tournament(about: About, meetings: Sequence[Meeting]) -> Tournament:
    return Tournament(about=about, spec=partial(spec, meetings), interpret=partial(interpret, meetings))


RAVE = _tournament(
    About(
        name="pividori-2015/rave",
        title="UCT with RAVE against plain UCT on 9x9 (Pividori 2015)",
        question="How often does UCT with RAVE beat plain UCT, both with uniform playouts?",
        source="Pividori 2015, section 11, first table: 100 % with either colour.",
        method=_METHOD + " Scale 1 is 100 games with each colour: we read the paper's 100 as games of each row.",
        cost="about a quarter of an hour on two idle processor cores (0.2 s a move).",
    ),
    _RAVE,
)
KNOWLEDGE = _tournament(
    About(
        name="pividori-2015/knowledge",
        title="Playouts with knowledge against uniform playouts on 9x9 (Pividori 2015)",
        question="How often do playouts with captures, escapes and patterns beat uniform ones, both with RAVE?",
        source="Pividori 2015, section 11, second table: 93 % with White, 94 % with Black.",
        method=_METHOD
        + " Scale 1 is 100 games with each colour: we read the paper's 100 as games of each row, for 93 % of 50 games"
        " is not a whole number.",
        cost="estimated from a few games at an hour on two idle processor cores (1 s a move with knowledge).",
    ),
    _KNOWLEDGE,
)
GNUGO = _tournament(
    About(
        name="pividori-2015/gnugo",
        title="UCT, RAVE and knowledge against GNU Go on 9x9 (Pividori 2015)",
        question="How often do UCT, UCT with RAVE, and this with knowledge in its playouts beat GNU Go level 10?",
        source="Pividori 2015, section 11, third table: 5 and 3 %, 14 and 8 %, 52 and 51 % with White and Black.",
        method=_METHOD + " Scale 1 is 500 games with each colour and program, 3,000 in all: we read the paper's 500 as"
        " games of each row, as in its other tables.",
        cost="estimated from a few games at nine hours on two idle processor cores.",
    ),
    _GNUGO,
)
