"""Problems of life and death: read to the end where that is possible, searched by playouts where it is not.

The position is framed (`tesuji.go.knowledge.problem`), then read by proof-number search
(`tesuji.go.knowledge.reading`) and searched by playouts. What is proved is an answer with its line. Often several moves
reach the same; then the search's is taken, if it is proved too. What is not proved is the search's opinion with a win
rate. So is the move that begins a ko: the proof does not ask who has to find the first threat.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tesuji.go.engine.engine import Engine
from tesuji.go.knowledge.problem import Problem, framed
from tesuji.go.knowledge.reading import MAX_NODES, Outcome, Reading, read_chain
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["Solution", "solve"]

Way = Literal["proved", "searched"]


class Solution(msgspec.Struct, frozen=True):
    """An answer to a problem.

    Attributes
    ----------
    problem : Problem
        The problem as it was understood, on its framed board.
    mover : Color
        Who was to play.
    way : {"proved", "searched"}
        Whether it was read to the end, or is the opinion of playouts.
    outcome : {"alive", "dead", "seki", "ko", "unknown"}
        What becomes of the chain at stake; unknown if searched.
    line : list of int
        The first move and how it goes on.
    winrate : float or None
        Of the mover on the framed board, if it was searched.
    num_nodes : int
        Positions read.
    """

    problem: Problem
    mover: Color
    way: Way
    outcome: Outcome
    line: list[int]
    winrate: float | None
    num_nodes: int

    @property
    def move(self) -> int:
        """The first move; pass if there is none that helps."""
        return self.line[0] if self.line else self.problem.board.pass_move

    @property
    def is_success(self) -> bool:
        """Whether the mover reaches something: life for the defender, capture for the attacker, or a ko."""
        wanted = ("alive", "seki", "ko") if self.mover is self.problem.defender else ("dead", "ko")
        return self.way == "proved" and self.outcome in wanted


def solve(board: Board, engine: Engine, *, anchor: int | None = None, max_nodes: int = MAX_NODES) -> Solution:
    """Solve the problem that a position shows, for the side to move.

    Parameters
    ----------
    board : Board
        A diagram; left unchanged.
    engine : Engine
        Searches what cannot be read, within its own limits.
    anchor : int, optional
        A stone of the chain at stake; guessed if not given.
    max_nodes : int
        Positions read at most for each question of the proof; 0: none, only the search.

    Raises
    ------
    ValueError
        If the board shows no problem.
    """
    problem, mover = framed(board, anchor), board.color_to_play
    reading = Reading("unknown", [], 0)
    if max_nodes > 0:
        reading = read_chain(problem.board, problem.anchor, problem.region, mover, max_nodes=max_nodes)
    found = engine.analyse(problem.board)
    line = found.moves[0].pv if found.moves else []
    if reading.outcome in ("unknown", "ko"):
        way: Way = "proved" if reading.outcome == "ko" else "searched"
        return Solution(problem, mover, way, reading.outcome, line, found.winrate, reading.num_nodes)
    checked = _after(problem, line[0], mover, max_nodes) if line and line[:1] != reading.line[:1] else reading
    if checked.outcome == reading.outcome and checked is not reading:
        reading = Reading(reading.outcome, [line[0], *checked.line], reading.num_nodes + checked.num_nodes)
    return Solution(problem, mover, "proved", reading.outcome, reading.line, found.winrate, reading.num_nodes)


def _after(problem: Problem, move: int, mover: Color, max_nodes: int) -> Reading:
    """What becomes of the chain after a move: of several that reach the same, the search's is the one players want."""
    after = problem.board.copy()
    after.play(move, mover)
    if not after.color_at(problem.anchor):
        return Reading("dead", [], 0)
    return read_chain(after, problem.anchor, problem.region, mover.opponent, max_nodes=max_nodes)
