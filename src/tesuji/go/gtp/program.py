"""Commands about the program itself."""

from __future__ import annotations

import time

from tesuji.go.gtp.command import Command
from tesuji.go.gtp.session import Session

__all__ = ["COMMANDS", "cpu_time"]

ANALYSIS_VERSION = "0.17"
"""Leela Zero's version whose analysis commands are understood. Lizzie reads it at the beginning of ``version``, and
complains of every engine below 0.15 that is not called KataGo; Tesuji's own version follows."""


def version(session: Session) -> str:
    """The program's version; if it knows Leela Zero's commands, first the version of those."""
    if not session.can_analyse:
        return session.version
    return f"{ANALYSIS_VERSION} (analysis commands), {session.name} {session.version}".rstrip()


def known_command(session: Session, *words: str) -> str:
    """Whether there is such a command."""
    return "true" if " ".join(words) in session.commands else "false"


def list_commands(session: Session) -> str:
    """All commands, one a line."""
    return "\n".join(session.commands)


def end(session: Session) -> str:
    """End the conversation."""
    session.is_done = True
    return ""


def cpu_time(_: Session) -> str:
    """Seconds of processor time that this process has used, all threads together."""
    return f"{time.process_time():.3f}"


def stop(_: Session) -> str:
    """Nothing more: pondering has been stopped by the command being one that stops it."""
    return ""


COMMANDS = {
    "cputime": Command(cpu_time, lets_ponder=True),
    "known_command": Command(known_command, 0, None, lets_ponder=True),
    "list_commands": Command(list_commands, lets_ponder=True),
    "name": Command(lambda session: session.name, lets_ponder=True),
    "protocol_version": Command(lambda _: "2", lets_ponder=True),
    "quit": Command(end),
    "stop": Command(stop),
    "version": Command(version, lets_ponder=True),
}
