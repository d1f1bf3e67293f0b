"""Moves of the engine: asking for one, watching it think, playing what it chose.

Whether it is watched, for an analysis stream, for live graphics or for a remark, changes nothing about the move: it is
`Engine.choose` each time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tesuji.go.engine import Analysis, Candidate, Choice
from tesuji.go.gtp.graphics import live_graphics
from tesuji.go.gtp.remarks import remark_on, sentence
from tesuji.go.gtp.session import Session, with_turn
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["choose", "explained", "instead", "last_explained", "move_now", "name_of", "settle", "watch"]

GRAPHICS_S = 0.5
"""Seconds between two live pictures."""
_QUIET_S = 1.0


def move_now(session: Session, color: Color, *, plays: bool = True) -> str:
    """Let the engine move; the name of the move, ``pass`` or ``resign``."""
    began_s = time.monotonic()
    choice = _with_graphics(session, color) if session.has_live_graphics else choose(session, color)
    return settle(session, color, choice, began_s) if plays else name_of(session, choice)


def choose(session: Session, color: Color) -> Choice:
    """A move of the engine, by its own rules and its clock."""
    clock = session.clocks.get(color)
    if session.can_analyse:
        return session.analyst.choose(session.board, color, clock=clock)
    if clock is None:
        return Choice(session.engine.genmove(session.board, color))
    return Choice(session.engine.genmove(session.board, color, clock=clock))


def watch(
    session: Session,
    color: Color,
    on_progress: Callable[[Analysis], bool | None] = lambda _: None,
    report_s: float = _QUIET_S,
    is_allowed: Callable[[int], bool] | None = None,
) -> Choice:
    """The same with an analysis on the way; only for an engine that can analyse.

    Parameters
    ----------
    session : Session
        The game.
    color : Color
        Who moves.
    on_progress : callable, optional
        Called every `report_s` seconds.
    report_s : float
        Seconds.
    is_allowed : callable, optional
        Which moves may be chosen; all if not given.
    """
    choice = session.analyst.choose(
        session.board, color, clock=session.clocks.get(color), on_progress=on_progress, report_s=report_s
    )
    if choice.analysis is None:
        return choice
    board = with_turn(session.board, color)
    session.remember(board, choice.analysis)
    if is_allowed is None or choice.move == "resign" or is_allowed(choice.move):
        return choice
    return instead(choice, _best(board, choice.analysis, is_allowed))


def instead(choice: Choice, other: Candidate) -> Choice:
    """The same search with another of its moves."""
    return replace(choice, move=other.move, winrate=other.winrate, visits=other.visits, line=other.pv)


def name_of(session: Session, choice: Choice) -> str:
    """The move's name."""
    return "resign" if choice.move == "resign" else session.vertex(choice.move)


def settle(session: Session, color: Color, choice: Choice, began_s: float) -> str:
    """Play what the engine chose: the board, the clock, the remark, pondering; returns the move's name."""
    if choice.move == "resign":
        _say(session, f"{color} resigns: win rate {100 * (choice.winrate or 0):.1f} %")
        return "resign"
    session.board.play(choice.move, color)
    clock = session.clocks.get(color)
    if clock is not None:
        session.clocks[color] = clock.after(time.monotonic() - began_s)
    session.remarks[session.board.num_moves] = remark_on(color, choice)
    if session.is_verbose:
        _say(session, last_explained(session))
    session.ponder()
    return session.vertex(choice.move)


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


def _with_graphics(session: Session, color: Color) -> Choice:
    if not session.can_analyse:
        return choose(session, color)

    def draw(analysis: Analysis) -> None:
        print(live_graphics(session, analysis, color), file=sys.stderr, flush=True)

    choice = watch(session, color, draw, GRAPHICS_S)
    if choice.analysis is not None:
        draw(choice.analysis)
    return choice


def _best(board: Board, analysis: Analysis, is_allowed: Callable[[int], bool]) -> Candidate:
    """The most visited move that is allowed; where none was visited any legal one, and pass at last."""
    for candidate in analysis.moves:
        if is_allowed(candidate.move):
            return candidate
    others = [move for move in board.legal_moves(board.color_to_play).tolist() if is_allowed(move)]
    return Candidate(others[0] if others else board.pass_move, 0, analysis.winrate, [])


def _say(session: Session, text: str) -> None:
    if session.is_verbose:
        print(f"{session.name}: {text}", file=sys.stderr, flush=True)
