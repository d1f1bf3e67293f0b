"""Commands about the board and the moves of a native game."""

from __future__ import annotations

from tesuji.games import game_named, make_game
from tesuji.games.appearance import text_of
from tesuji.gtp.command import Command
from tesuji.gtp.game import COLORS, PASS, GameSession, span_of, vertex_of
from tesuji.gtp.words import GtpError, quoted, seat_of, whole

__all__ = ["COMMANDS"]


def boardsize(session: GameSession, word: str) -> str:
    """The start of the game on another board: as many rows and columns as it takes on GoGui's square board."""
    wanted, kind = whole(word), game_named(session.kind)
    has_sizes = kind.sizes is not None and kind.own_size  # a game of somebody's own has as many as it likes
    sizes = {span_of(kind.make(size)): size for size in kind.sizes or ()} if has_sizes else {session.span: None}
    if wanted not in sizes:
        offered = ", ".join(map(str, sizes))
        raise GtpError(f"unacceptable size: {wanted} is none of {kind.title}'s: {offered}")
    session.begin(make_game(session.kind, sizes[wanted]))
    return ""


def clear_board(session: GameSession) -> str:
    """The start of the same game."""
    session.clear()
    return ""


def play(session: GameSession, color: str, word: str) -> str:
    """A move, or a part of one, of the side to move."""
    _check_turn(session, color)
    vertex = word.upper() if word.lower() != PASS else PASS
    if vertex not in session.legal():
        raise GtpError(_complaint(session, word, vertex))
    session.play(vertex)
    return ""


def genmove(session: GameSession, color: str) -> str:
    """A move, or a part of one, of the search, which is played."""
    vertex = reg_genmove(session, color)
    session.play(vertex)
    return vertex


def reg_genmove(session: GameSession, color: str) -> str:
    """The same, not played."""
    _check_turn(session, color)
    return session.choose()


def undo(session: GameSession) -> str:
    """Take back what ``play`` or ``genmove`` did last."""
    if not session.moves and not session.begun:
        raise GtpError("cannot undo: there is no move to undo")
    session.undo()
    return ""


def showboard(session: GameSession) -> str:
    """A picture of the board, as ``tesuji play`` draws it."""
    last_move = session.moves[-1] if session.moves else None
    return f"\n{text_of(session.view.diagram(session.game, last_move=last_move))}\n"


def _check_turn(session: GameSession, color: str) -> None:
    seat = seat_of(color)
    if session.game.is_over:
        raise GtpError("illegal move: the game is over; send clear_board or undo")
    if seat != session.game.to_play:
        raise GtpError(f"illegal move: it is {COLORS[session.game.to_play]}'s turn")


def _complaint(session: GameSession, word: str, vertex: str) -> str:
    """Why a vertex may not be played."""
    cells = {vertex_of(cell) for cell in session.view.owners(session.game)}
    if vertex not in cells and vertex != PASS:
        return f"invalid coordinates: {quoted(word)} is not a cell of this board, such as {next(iter(session.legal()))}"
    goes_on = f" after {' '.join(map(vertex_of, session.begun))}" if session.begun else ""
    return f"illegal move: {vertex} may not be played{goes_on}; gogui-rules_legal_moves lists what may"


COMMANDS = {
    "boardsize": Command(boardsize, 1, 1),
    "clear_board": Command(clear_board),
    "genmove": Command(genmove, 1, 1),
    "play": Command(play, 2, 2),
    "reg_genmove": Command(reg_genmove, 1, 1),
    "showboard": Command(showboard),
    "undo": Command(undo),
}
