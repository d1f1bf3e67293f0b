"""Commands about the program itself, as far as they are Go's; the others are in `tesuji.gtp.program`."""

from __future__ import annotations

from tesuji.go.gtp.session import Session
from tesuji.gtp import program
from tesuji.gtp.command import Command

__all__ = ["COMMANDS"]

ANALYSIS_VERSION = "0.17"
"""Leela Zero's version whose analysis commands are understood. Lizzie reads it at the beginning of ``version``, and
complains of every engine below 0.15 that is not called KataGo; Tesuji's own version follows."""


def version(session: Session) -> str:
    """The program's version; if it knows Leela Zero's commands, first the version of those."""
    if not session.can_analyse:
        return session.version
    return f"{ANALYSIS_VERSION} (analysis commands), {session.name} {session.version}".rstrip()


def stop(_: Session) -> str:
    """Nothing more: pondering has been stopped by the command being one that stops it."""
    return ""


COMMANDS = {
    **program.COMMANDS,
    "stop": Command(stop),
    "version": Command(version, lets_ponder=True),
}
