"""Commands that gomill's ringmaster sends; ``gomill-savesgf`` is with the files."""

from __future__ import annotations

import time

from tesuji.go.engine.parameters import ENGINE_PARAMETERS
from tesuji.go.gtp.session import Session
from tesuji.go.gtp.thought import choose, last_explained, settle
from tesuji.go.gtp.words import color_of
from tesuji.gtp.command import Command
from tesuji.gtp.program import cpu_time

__all__ = ["COMMANDS"]

_DESCRIBED = ("simulations", "seconds", "threads", "seed", "ponders", "dynamic_komi", "resign_below")
_CLAIM_FROM = 0.99
"""The win rate from which a game is claimed."""


def describe_engine(session: Session) -> str:
    """Name, version and the settings that matter most."""
    lines = [f"{session.name} {session.version}".strip()]
    if session.is_configured:
        config = session.configured.config
        read = ((name, ENGINE_PARAMETERS[name]) for name in _DESCRIBED)
        values = ((name, parameter, parameter.read(config)) for name, parameter in read)
        lines += [f"{name}: {parameter.text(value)}" for name, parameter, value in values if value is not None]
    return "\n".join(lines)


def explain_last_move(session: Session) -> str:
    """Why the last move was played; nothing if it was not the engine's."""
    return last_explained(session)


def genmove_ex(session: Session, color_word: str = "", *words: str) -> str:
    """A move, or ``claim`` if that is allowed and the game is as good as won; alone, the words that it knows."""
    if not color_word:
        return "claim"
    color, began_s = color_of(color_word), time.monotonic()
    choice = choose(session, color)
    if "claim" in words and choice.winrate is not None and choice.winrate >= _CLAIM_FROM:
        return "claim"
    return settle(session, color, choice, began_s)


COMMANDS = {
    "gomill-cpu_time": Command(cpu_time, lets_ponder=True),
    "gomill-describe_engine": Command(describe_engine, lets_ponder=True),
    "gomill-explain_last_move": Command(explain_last_move, lets_ponder=True),
    "gomill-genmove_ex": Command(genmove_ex, 0, None),
}
