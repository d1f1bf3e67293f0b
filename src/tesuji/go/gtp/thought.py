"""Moves of the engine: asking for one, watching it think, playing what it chose.

A plain ``genmove`` is `Engine.choose`. A move that is watched, for an analysis stream or for live graphics, is searched
by `Engine.analyse`, which reports on the way: the same limits and the same rules for passing and resigning, but a new
graph, the komi of the game, and the normal time of the clock, never its maximum.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from tesuji.go.board import Board
from tesuji.go.clock import expected_moves
from tesuji.go.color import Color
from tesuji.go.engine import Analysis, Candidate
from tesuji.go.gtp.graphics import live_graphics
from tesuji.go.gtp.remarks import remark_on, sentence
from tesuji.go.gtp.session import Session, with_turn
from tesuji.go.life import final_score

__all__ = ["Thought", "choose", "explained", "last_explained", "move_now", "settle", "watch"]

GRAPHICS_S = 0.5
"""Seconds between two live pictures."""


class Thought(msgspec.Struct, frozen=True):
    """A move before it is played.

    Attributes
    ----------
    move : int or "resign"
        A point or pass.
    winrate : float or None
        For the mover, 0..1; None if nothing was searched.
    analysis : Analysis or None
        The search, if it was watched.
    """

    move: int | Literal["resign"]
    winrate: float | None = None
    analysis: Analysis | None = None


def move_now(session: Session, color: Color, *, plays: bool = True) -> str:
    """Let the engine move; the name of the move, ``pass`` or ``resign``."""
    began_s = time.monotonic()
    thought = _with_graphics(session, color) if session.has_live_graphics else choose(session, color)
    if plays:
        return settle(session, color, thought, began_s)
    return "resign" if thought.move == "resign" else session.vertex(thought.move)


def choose(session: Session, color: Color) -> Thought:
    """A move of the engine, by its own rules and its clock."""
    clock = session.clocks.get(color)
    if session.can_analyse:
        choice = session.analyst.choose(session.board, color, clock=clock)
        return Thought(choice.move, choice.winrate)
    if clock is None:
        return Thought(session.engine.genmove(session.board, color))
    return Thought(session.engine.genmove(session.board, color, clock=clock))


def watch(
    session: Session,
    color: Color,
    on_progress: Callable[[Analysis], bool | None],
    report_s: float,
    is_allowed: Callable[[int], bool] = lambda _: True,
) -> Thought:
    """The same with an analysis on the way.

    Parameters
    ----------
    session : Session
        The game.
    color : Color
        Who moves.
    on_progress : callable
        Called every `report_s` seconds.
    report_s : float
        Seconds.
    is_allowed : callable, optional
        Which moves may be chosen.
    """
    board = with_turn(session.board, color)
    if _passes_at_once(board):
        return Thought(board.pass_move)
    analysis = session.analyst.analyse(
        board,
        simulations=session.analyst.config.simulations,
        seconds=_seconds(session, board),
        on_progress=on_progress,
        report_s=report_s,
    )
    session.remember(board, analysis)
    best = _best(board, analysis, is_allowed)
    if best.winrate < session.analyst.config.resign_below:
        return Thought("resign", best.winrate, analysis)
    return Thought(best.move, best.winrate, analysis)


def settle(session: Session, color: Color, thought: Thought, began_s: float) -> str:
    """Play what the engine chose: the board, the clock, the remark, pondering; returns the move's name."""
    if thought.move == "resign":
        _say(session, f"{color} resigns: win rate {100 * (thought.winrate or 0):.1f} %")
        return "resign"
    session.board.play(thought.move, color)
    clock = session.clocks.get(color)
    if clock is not None:
        session.clocks[color] = clock.after(time.monotonic() - began_s)
    remark = remark_on(color, thought.move, thought.winrate, thought.analysis)
    session.remarks[session.board.num_moves] = remark
    if session.is_verbose:
        _say(session, last_explained(session))
    session.ponder()
    return session.vertex(thought.move)


def last_explained(session: Session) -> str:
    """Why the last move was played; empty if it was not the engine's."""
    return _explained(session, session.board.copy())


def explained(session: Session) -> Iterator[tuple[int, str]]:
    """The numbers of the engine's moves, last first, with a sentence about each."""
    board = session.board.copy()
    while board.num_moves:
        number = board.num_moves
        if text := _explained(session, board.copy()):
            yield number, text
        board.undo()


def _explained(session: Session, board: Board) -> str:
    """Take the last move of a board back and say why it was played; empty if it was not the engine's."""
    remark = session.remarks.get(board.num_moves)
    if remark is None or not board.num_moves or board.turn(board.num_moves - 1) != (remark.color, remark.move):
        return ""
    board.undo()
    return sentence(remark, with_turn(board, remark.color))


def _with_graphics(session: Session, color: Color) -> Thought:
    if not session.can_analyse:
        return choose(session, color)

    def draw(analysis: Analysis) -> None:
        print(live_graphics(session, analysis, color), file=sys.stderr, flush=True)

    thought = watch(session, color, draw, GRAPHICS_S)
    if thought.analysis is not None:
        draw(thought.analysis)
    return thought


def _passes_at_once(board: Board) -> bool:
    """Whether there is nothing to think about: the same rule as `Engine.choose`."""
    if board.is_over or len(board.legal_moves()) == 1:
        return True
    return board.passes > 0 and final_score(board).winner == board.to_play


def _seconds(session: Session, board: Board) -> float | None:
    """Time for a move: the config's, and the clock's if there is one."""
    config, clock = session.analyst.config, session.clocks.get(board.to_play)
    if clock is None:
        return config.seconds
    normal_s = clock.allotment(expected_moves(board), config.lag_s).normal_s
    return normal_s if config.seconds is None else min(config.seconds, normal_s)


def _best(board: Board, analysis: Analysis, is_allowed: Callable[[int], bool]) -> Candidate:
    """The most visited move that is allowed; where none was visited any legal one, and pass at last."""
    for candidate in analysis.moves:
        if is_allowed(candidate.move):
            return candidate
    others = [move for move in board.legal_moves().tolist() if is_allowed(move)]
    return Candidate(others[0] if others else board.pass_move, 0, analysis.winrate, [])


def _say(session: Session, text: str) -> None:
    if session.is_verbose:
        print(f"{session.name}: {text}", file=sys.stderr, flush=True)
