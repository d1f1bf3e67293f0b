"""The native games through GTP: which commands there are."""

from __future__ import annotations

from tesuji.gtp import moves, program, rules
from tesuji.gtp.game import GameSession
from tesuji.gtp.server import Server

__all__ = ["game_server"]


def game_server(session: GameSession) -> Server[GameSession]:
    """A server for a native game: ``tesuji gtp --game othello``."""
    return Server(session, {**program.COMMANDS, **moves.COMMANDS, **rules.COMMANDS})
