"""Commands about the end of a game."""

from __future__ import annotations

from tesuji.go.gtp.session import Session
from tesuji.go.knowledge.life import chain_status, final_score, ground_status
from tesuji.go.rules.ruleset import CHINESE, JAPANESE
from tesuji.go.rules.vertex import quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError

__all__ = ["COMMANDS"]

_STATUSES = ("alive", "dead", "seki")
_GROUNDS = ("black_territory", "white_territory", "dame")
_RULES_OF_SYSTEM = {"area": CHINESE, "territory": JAPANESE}


def score(session: Session) -> str:
    """Who won, and by how much."""
    return str(final_score(session.board))


def status(session: Session, vertex: str) -> str:
    """What becomes of one stone, or whose an empty point is."""
    point = session.point(vertex)
    if session.board.color_at(point):
        return chain_status(session.board)[point]
    return ground_status(session.board)[point]


def status_list(session: Session, wanted: str) -> str:
    """All chains of a status, one a line; or the empty points of a kind."""
    if wanted in _GROUNDS:
        return session.vertices(point for point, its in ground_status(session.board).items() if its == wanted)
    if wanted not in _STATUSES:
        known = ", ".join((*_STATUSES, *_GROUNDS))
        raise GtpError(f"syntax error: {quoted(wanted)} is not a status: write one of {known}")
    found = chain_status(session.board)
    chains = (session.board.chain(point).tolist() for point, its in found.items() if its == wanted)
    return "\n".join(session.vertices(chain) for chain in dict.fromkeys(map(tuple, chains)))


def scoring_system(session: Session, name: str) -> str:
    """Area or territory: Chinese or Japanese rules, unless the rules count so already."""
    if name.lower() not in _RULES_OF_SYSTEM:
        raise GtpError(f"syntax error: {quoted(name)} is not a scoring system: write area or territory")
    if session.board.rules.scoring != name.lower():
        session.change_rules(_RULES_OF_SYSTEM[name.lower()])
    return ""


COMMANDS = {
    "final_score": Command(score),
    "final_status": Command(status, 1, 1),
    "final_status_list": Command(status_list, 1, 1),
    "scoring_system": Command(scoring_system, 1, 1),
}
