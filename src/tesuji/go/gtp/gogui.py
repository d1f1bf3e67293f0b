"""Commands of GoGui: what it may show of the engine's thoughts, and the small ones about the program.

The views belong to the position on the board. If the last analysis was of another one, the engine searches first,
within its own limits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine import Analysis, Candidate
from tesuji.go.gtp.graphics import graphics, variation
from tesuji.go.gtp.players import Analyst
from tesuji.go.gtp.session import Session
from tesuji.go.knowledge.life import chain_status
from tesuji.gtp.command import Command

__all__ = ["COMMANDS"]

_GROUP_COLORS = {"alive": "green", "dead": "red", "seki": "yellow"}
_VIEWS = (
    ("gfx", "Search", "tesuji-search"),
    ("pspairs", "Win Rate", "tesuji-winrate"),
    ("pspairs", "Visits", "tesuji-visits"),
    ("dboard", "Ownership", "tesuji-ownership"),
    ("pspairs", "Prior", "tesuji-prior"),
    ("pspairs", "RAVE", "tesuji-rave"),
    ("dboard", "Criticality", "tesuji-criticality"),
    ("cboard", "Groups", "tesuji-groups"),
    ("var", "Principal Variation", "tesuji-principal_variation"),
    ("plist", "Dead Stones", "final_status_list dead"),
    ("string", "Final Score", "final_score"),
    ("hstring", "Explain Last Move", "gomill-explain_last_move"),
    ("hstring", "Describe Engine", "gomill-describe_engine"),
    ("param", "Parameters", "param"),
    ("param", "Show On Stderr", "tesuji-show"),
    ("none", "Clear Cache", "clear_cache"),
)


def analyze_commands(session: Session) -> str:
    """What GoGui lists in its analyze window, as far as this engine can do it."""
    known = (view for view in _VIEWS if view[2].split()[0] in session.commands)
    return "\n".join("/".join(view) for view in known)


def winrate(session: Session) -> str:
    """Win rates in per cent, for the side to move."""
    return _labels(session, lambda candidate: f"{100 * candidate.winrate:.0f}")


def visits(session: Session) -> str:
    """Visits."""
    return _labels(session, lambda candidate: f"{candidate.visits}")


def prior(session: Session) -> str:
    """What moves were worth before they were tried, in per cent; the best is 100."""
    return _labels(session, lambda candidate: f"{100 * candidate.prior:.0f}")


def rave(session: Session) -> str:
    """AMAF win rates in per cent, for the side to move."""
    return _labels(session, lambda candidate: "" if candidate.rave is None else f"{100 * candidate.rave:.0f}")


def ownership(session: Session) -> str:
    """Who owns each point, from -1 (white) to 1 (black)."""
    return _rows(_decimals(session.analysis().ownership))


def criticality(session: Session) -> str:
    """How much each point decides the game."""
    return _rows(_decimals(session.analysis().criticality))


def groups(session: Session) -> str:
    """Chains by status: green lives, red is dead, yellow stands in seki."""
    status = chain_status(session.board)
    width, height = session.board.width, session.board.height
    colors = [_GROUP_COLORS[status[point]] if point in status else '""' for point in range(width * height)]
    return _rows(colors[row * width : (row + 1) * width] for row in range(height))


def principal_variation(session: Session) -> str:
    """How the engine expects the game to go on."""
    found = session.analysis()
    return variation(session, found.moves[0].pv if found.moves else [], session.board.color_to_play)


def search(session: Session) -> str:
    """All in one picture."""
    return graphics(session, session.analysis(), session.board.color_to_play)


def _labels(session: Session, text: Callable[[Candidate], str]) -> str:
    found: Analysis = session.analysis()
    points = ((each, text(each)) for each in found.moves if each.move != session.board.pass_move)
    return "\n".join(f"{session.vertex(each.move)} {label}" for each, label in points if label)


def _decimals(values: NDArray[np.float64]) -> list[list[str]]:
    return [[f"{value:.3f}" for value in row] for row in values.tolist()]


def _rows(cells: Iterable[Iterable[str]]) -> str:
    """A board of words, the top row first; it begins in a line of its own."""
    return "\n" + "\n".join(" ".join(row) for row in cells)


def nothing(_: Session, *_words: str) -> str:
    """Accept: that the command exists is the message."""
    return ""


COMMANDS = {
    "gogui-analyze_commands": Command(analyze_commands, lets_ponder=True),
    "gogui-sigint": Command(lambda _: str(os.getpid()), lets_ponder=True),
    "gogui-title": Command(lambda session: f"{session.name} {session.version}".strip(), lets_ponder=True),
    "gogui-version": Command(nothing, 0, None, lets_ponder=True),
    "tesuji-criticality": Command(criticality, needs=Analyst),
    "tesuji-groups": Command(groups),
    "tesuji-ownership": Command(ownership, needs=Analyst),
    "tesuji-principal_variation": Command(principal_variation, needs=Analyst),
    "tesuji-prior": Command(prior, needs=Analyst),
    "tesuji-rave": Command(rave, needs=Analyst),
    "tesuji-search": Command(search, needs=Analyst),
    "tesuji-visits": Command(visits, needs=Analyst),
    "tesuji-winrate": Command(winrate, needs=Analyst),
}
