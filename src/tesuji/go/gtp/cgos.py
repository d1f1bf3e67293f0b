"""Commands that the CGOS client sends; its analysis is with the streams."""

from __future__ import annotations

from tesuji.go.gtp.session import Session
from tesuji.gtp.command import Command

__all__ = ["COMMANDS"]


def noted(_: Session, *_words: str) -> str:
    """Take notice; opponents are not told apart."""
    return ""


COMMANDS = {
    "cgos-gameover": Command(noted, 0, None),
    "cgos-opponent_name": Command(noted, 0, None, lets_ponder=True),
    "cgos-opponent_rating": Command(noted, 0, None, lets_ponder=True),
}
