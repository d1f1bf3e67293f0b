"""Who won a finished game of Go, when not everybody agrees.

The referee counts (`tesuji.go.final_score`). Programs that know ``final_score`` are asked too. If any of them names
another winner, GNU Go gives a second opinion where it is installed, even if it is a player: our own search passes when
the referee's count says that it wins, so a doubt must not be decided in its favour by that count alone. The majority
names the winner, and between equal numbers the referee does. Every opinion is recorded.

What a program does when it is asked costs it nothing: the game is over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tesuji.experiments.players import Player
from tesuji.experiments.players.gtp_client import EngineError
from tesuji.experiments.players.gtp_player import GtpPlayer, find_program
from tesuji.experiments.records import PlayerSpec
from tesuji.experiments.table import GoTable, Verdict, winner_of

__all__ = ["GNUGO_VOTE", "REFEREE", "Decision", "decide", "read_score"]

REFEREE = "referee"
GNUGO_VOTE = "second opinion of GNU Go"
OPINION_S = 60.0
"""How long a program may take to count."""

_SCORE = re.compile(r"([BW])\+([0-9]{1,4}(?:\.[0-9]{1,3})?)", re.IGNORECASE)
_DRAWS = ("0", "jigo", "draw")


class Decision(NamedTuple):
    """A verdict, who said what, and a line about it if they did not all agree."""

    verdict: Verdict
    opinions: dict[str, str]
    detail: str = ""


def read_score(text: str) -> Verdict | None:
    """Read a score as GTP writes it; None if it is none."""
    words = text.strip()
    if words.lower() in _DRAWS:
        return Verdict("draw", "0")
    match = _SCORE.fullmatch(words)
    if match is None:
        return None
    margin = float(match[2])
    if margin == 0:
        return Verdict("draw", "0")
    letter = match[1].upper()
    return Verdict(winner_of("BW".index(letter)), f"{letter}+{margin:g}")


def decide(table: GoTable, players: Sequence[tuple[str, Player]]) -> Decision:
    """Say who won a finished game.

    Parameters
    ----------
    table : GoTable
        The game.
    players : sequence of (str, Player)
        Names and players, who are asked.
    """
    votes = {REFEREE: table.verdict()}
    for name, player in players:
        said = player.final_score(OPINION_S)
        if said is not None and (opinion := read_score(said)):
            votes[name] = opinion
    if len({vote.winner for vote in votes.values()}) > 1 and (second := gnugo_opinion(table)):
        votes[GNUGO_VOTE] = second
    opinions = {name: vote.score for name, vote in votes.items()} if len(votes) > 1 else {}
    if len({vote.winner for vote in votes.values()}) == 1:
        return Decision(votes[REFEREE], opinions)
    verdict = _majority(votes)
    said_all = ", ".join(f"{name} {score}" for name, score in opinions.items())
    return Decision(verdict, opinions, f"opinions differ: {said_all}; {verdict.score} by majority")


def _majority(votes: dict[str, Verdict]) -> Verdict:
    """The winner that most name, the referee's if several have as many; the first score that names it."""
    counts = Counter(vote.winner for vote in votes.values())
    most = max(counts.values())
    ours = votes[REFEREE]
    if counts[ours.winner] == most:
        return ours
    return next(vote for vote in votes.values() if counts[vote.winner] == most)


def gnugo_opinion(table: GoTable) -> Verdict | None:
    """What GNU Go counts; None where it is not installed or cannot say."""
    if find_program("gnugo") == "gnugo":
        return None
    spec = PlayerSpec(name=GNUGO_VOTE, kind="gtp", command="gnugo-l10", move_s=OPINION_S)
    try:
        with GtpPlayer(spec, table.conditions, seed=1) as gnugo:
            gnugo.begin(table)
            return read_score(gnugo.final_score(OPINION_S) or "")
    except EngineError:
        return None
