"""What GoGui draws: an analysis as its graphics commands, for a command's reply and live on stderr."""

from __future__ import annotations

from collections.abc import Iterable

from tesuji.go.engine import Analysis
from tesuji.go.gtp.session import Session
from tesuji.go.rules.color import Color

__all__ = ["graphics", "live_graphics", "variation"]

_LABELLED = 10
_LONGEST_LINE = 10


def live_graphics(session: Session, analysis: Analysis, color: Color) -> str:
    """A picture that GoGui takes from stderr at any time; it ends with an empty line."""
    return f"gogui-gfx:\n{graphics(session, analysis, color)}\n"


def graphics(session: Session, analysis: Analysis, color: Color) -> str:
    """Main line, owners, visits and a line of text."""
    best = analysis.moves[0].pv if analysis.moves else []
    points = [candidate for candidate in analysis.moves if candidate.move != session.board.pass_move]
    owners = enumerate(analysis.ownership.ravel().tolist())
    labels = " ".join(f"{session.vertex(each.move)} {each.visits}" for each in points[:_LABELLED])
    return "\n".join(
        (
            f"VAR {variation(session, best, color)}".rstrip(),
            "INFLUENCE " + " ".join(f"{session.vertex(point)} {owner:.2f}" for point, owner in owners),
            f"LABEL {labels}".rstrip(),
            f"TEXT {color}: {100 * analysis.winrate:.1f} % after {analysis.simulations:,} simulations",
        )
    )


def variation(session: Session, line: Iterable[int], color: Color) -> str:
    """A line of moves with their colours, as GoGui plays it through."""
    words = []
    for move in list(line)[:_LONGEST_LINE]:
        words.append(f"{'b' if color == Color.BLACK else 'w'} {session.vertex(move)}")
        color = color.opponent
    return " ".join(words)
