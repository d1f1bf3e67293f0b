"""Experts that finish openings, by name; among them programs that speak GTP, such as GNU Go.

``playouts:100`` is the mean of playouts, ``tesuji:16`` the engine at 16 simulations a move, ``gnugo:8`` GNU Go at
level 8, and anything else with a blank or a slash in it a command line. Huang, Connell and McQuade (2003) let GNU Go
finish. A program that fails is started anew, and the game is played again (`tesuji.learning.td.training`).
"""

from __future__ import annotations

import contextlib
from typing import Self

from tesuji.experiments.players.gtp_client import EngineError, GtpClient
from tesuji.experiments.players.gtp_player import command_line
from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.go.engine.expert import SearchExpert
from tesuji.go.opening.task import Expert, PlayoutExpert
from tesuji.go.rules.board import Board
from tesuji.go.rules.vertex import quoted
from tesuji.learning.td.task import OutcomeError

__all__ = ["GtpExpert", "open_expert"]

_MOVE_S = 60.0
_SETUP_S = 30.0


class GtpExpert:
    """A program that plays both sides to the end and says what the score is; a context manager.

    Parameters
    ----------
    name : str
        As it was written.
    command : str
        What starts it; ``gnugo-l8`` is GNU Go at level 8.
    """

    def __init__(self, name: str, command: str) -> None:
        self.name, self._command = name, command
        self._client: GtpClient | None = None
        self._conditions: Conditions | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def score(self, board: Board, seed: int) -> float:
        """Let it play to two passes, or to the end of patience; Black's points minus White's, komi included."""
        try:
            client = self._running(board, seed)
            for command in ("clear_board", f"komi {board.komi:g}", *_plays(board)):
                client.ask(command, timeout_s=_SETUP_S)
            self._play_out(client, board.copy())
            return _margin(client.ask("final_score", timeout_s=_MOVE_S))
        except EngineError as error:
            self.close()
            raise OutcomeError(f"the expert {quoted(self.name)} {error}") from error

    def _running(self, board: Board, seed: int) -> GtpClient:
        conditions = Conditions(size=board.width, komi=board.komi, rules=board.rules.name)
        if self._client is None or conditions != self._conditions:
            self.close()
            spec = PlayerSpec(name=self.name, kind="gtp", command=self._command)
            self._client, self._conditions = GtpClient(command_line(spec, conditions, seed)), conditions
            self._client.ask(f"boardsize {board.width}", timeout_s=_SETUP_S)
        with contextlib.suppress(EngineError):  # GNU Go's own; others need not know it
            self._client.ask(f"set_random_seed {1 + seed % (2**31 - 2)}", timeout_s=_SETUP_S)
        return self._client

    def _play_out(self, client: GtpClient, board: Board) -> None:
        for _ in range(3 * board.num_points):
            vertex = client.ask(f"genmove {'bw'[board.to_play]}", timeout_s=_MOVE_S).strip().lower()
            if vertex == "resign":
                raise OutcomeError(f"the expert {quoted(self.name)} resigned, so there is no score")
            try:
                board.play(vertex)
            except ValueError as error:
                raise OutcomeError(f"the expert {quoted(self.name)} played {quoted(vertex)}: {error}") from error
            if board.is_over:
                return


def open_expert(name: str) -> Expert | GtpExpert:
    """An expert by its name.

    Raises
    ------
    ValueError
        For a name that is none.
    """
    head, colon, number = name.partition(":")
    count = int(number) if colon and number.isascii() and number.isdecimal() and len(number) <= 9 else None
    if head == "playouts" and count is not None:
        return PlayoutExpert(count)
    if head == "tesuji" and count is not None:
        return SearchExpert(count)
    if head == "gnugo" and count is not None:
        if not 0 <= count <= 10:
            raise ValueError(f"{name!r} is not a level of GNU Go; write gnugo:0 to gnugo:10")
        return GtpExpert(name, f"gnugo-l{count}")
    if " " in name or "/" in name:
        return GtpExpert(name, name)
    raise ValueError(
        f"there is no expert {quoted(name)}; write playouts:100, tesuji:16, gnugo:8 or the command of a GTP program"
    )


def _plays(board: Board) -> list[str]:
    return [f"play {'bw'[color - 1]} {board.vertex(move)}" for color, move in board.moves]


def _margin(text: str) -> float:
    """Black's margin as GTP writes scores: ``B+3.5``, ``W+0.5``, ``0``."""
    word = text.split()[0] if text.split() else ""
    try:
        if word in ("0", "Draw", "draw", "Jigo"):
            return 0.0
        sign, _, points = word.partition("+")
        return {"B": 1.0, "W": -1.0}[sign.upper()] * float(points)
    except (KeyError, ValueError) as error:
        raise OutcomeError(f"the expert said {quoted(text)} where a score was asked for") from error
