"""The server for Go: a board, its engine, and every family of commands.

An engine that ponders does so between a ``genmove`` and the next command that has to do with the game. What
controllers expect beyond the protocol's text: a vertex may be in small letters, lines may be of any length,
``boardsize`` may name a rectangle. How lines and replies move is in `tesuji.gtp.server`.
"""

from __future__ import annotations

from typing import BinaryIO

from tesuji.go.engine.clock import Clock
from tesuji.go.gtp import (
    cgos,
    clocks,
    files,
    gogui,
    gomill,
    handicap,
    kata,
    kgs,
    parameters,
    play,
    program,
    score,
    streams,
)
from tesuji.go.gtp.players import Player
from tesuji.go.gtp.session import Session
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.gtp.server import Server

__all__ = ["GtpServer"]

FAMILIES = (cgos, clocks, files, gogui, gomill, handicap, kata, kgs, parameters, play, program, score, streams)


class GtpServer(Server[Session]):
    """A board that speaks GTP.

    Parameters
    ----------
    engine : Player
        Chooses the moves; what else it can do decides which commands there are.
    board : Board, optional
        The game to begin with: its size, rules and komi stay until told otherwise. 19x19 under Chinese rules if None.
    name, version : str
        What the engine is called.
    is_verbose, has_live_graphics : bool
        Whether stderr gets a line for each move, and GoGui's graphics while the engine thinks.

    Attributes
    ----------
    session : Session
        The game and the clocks.
    commands : dict of str to Command
        What is answered, in alphabetical order.
    """

    def __init__(
        self,
        engine: Player,
        board: Board | None = None,
        *,
        name: str = "Tesuji",
        version: str = "",
        is_verbose: bool = False,
        has_live_graphics: bool = False,
    ) -> None:
        session = Session(engine, board, name, version)
        session.is_verbose, session.has_live_graphics = is_verbose, has_live_graphics
        known = {name: command for family in FAMILIES for name, command in family.COMMANDS.items()}
        super().__init__(session, {name: command for name, command in known.items() if session.offers(command)})

    def run(self, commands: BinaryIO, replies: BinaryIO) -> None:
        """Answer commands to their end (`Server.run`); the engine then keeps what it wants of the game."""
        try:
            super().run(commands, replies)
        finally:
            self.session.end_game()

    @property
    def engine(self) -> Player:
        """Who chooses the moves."""
        return self.session.engine

    @property
    def board(self) -> Board:
        """The game."""
        return self.session.board

    @property
    def clocks(self) -> dict[Color, Clock | None]:
        """The clocks; empty as long as nobody sets a time, None: no limit."""
        return self.session.clocks
