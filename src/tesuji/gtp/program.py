"""Commands about the program itself, which every game has."""

from __future__ import annotations

import time

from tesuji.gtp.command import Command
from tesuji.gtp.server import Conversation

__all__ = ["COMMANDS", "cpu_time"]


def known_command(session: Conversation, *words: str) -> str:
    """Whether there is such a command."""
    return "true" if " ".join(words) in session.commands else "false"


def list_commands(session: Conversation) -> str:
    """All commands, one a line."""
    return "\n".join(session.commands)


def end(session: Conversation) -> str:
    """End the conversation."""
    session.is_done = True
    return ""


def cpu_time(_: Conversation) -> str:
    """Seconds of processor time that this process has used, all threads together."""
    return f"{time.process_time():.3f}"


def nothing(_: Conversation) -> str:
    """Accept: that the command exists is the message."""
    return ""


COMMANDS = {
    "cputime": Command(cpu_time, lets_ponder=True),
    "gogui-interrupt": Command(nothing, lets_ponder=True),
    "known_command": Command(known_command, 0, None, lets_ponder=True),
    "list_commands": Command(list_commands, lets_ponder=True),
    "name": Command(lambda session: session.name, lets_ponder=True),
    "protocol_version": Command(lambda _: "2", lets_ponder=True),
    "quit": Command(end),
    "version": Command(lambda session: session.version, lets_ponder=True),
}
