"""Commands about the board and its moves."""

from __future__ import annotations

from tesuji.go.gtp.session import Session
from tesuji.go.gtp.thought import move_now
from tesuji.go.gtp.words import color_of
from tesuji.go.rules.board import IllegalMove
from tesuji.go.rules.color import Color
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError, decimal, pairs, whole

__all__ = ["COMMANDS", "genmove", "play"]

MAX_SIZE = 25


def boardsize(session: Session, *words: str) -> str:
    """An empty board of another size, as a square or a rectangle."""
    words = tuple(word for each in words for word in each.split(":"))
    if not 1 <= len(words) <= 2:
        raise GtpError("syntax error: a size is one number, or width and height as in 9 13 or 9:13")
    width, height = whole(words[0]), whole(words[-1])
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise GtpError(f"unacceptable size: {width}x{height} is not within 1x1 to {MAX_SIZE}x{MAX_SIZE}")
    session.begin(session.empty_board(width, height))
    return ""


def rectangular_boardsize(session: Session, *words: str) -> str:
    """The same with width and height, which may be one word as in SGF."""
    if len(words) == 1 and ":" not in words[0]:
        raise GtpError("syntax error: rectangular_boardsize takes a width and a height, as in 9 13 or 9:13")
    return boardsize(session, *words)


def clear_board(session: Session) -> str:
    """An empty board of the same size."""
    session.begin(session.empty_board(session.board.width, session.board.height))
    return ""


def komi(session: Session, word: str) -> str:
    """White's compensation."""
    session.change_komi(decimal(word))
    return ""


def get_komi(session: Session) -> str:
    """The komi of the game."""
    return f"{session.board.komi:g}"


def showboard(session: Session) -> str:
    """A picture of the board."""
    board = session.board
    captured = ", ".join(f"{board.captured(color)} {color}" for color in (Color.BLACK, Color.WHITE))
    return f"\n{board.to_text()}\n{board.color_to_play} to play, komi {board.komi:g}, captured {captured}"


def play(session: Session, color_word: str, vertex: str) -> str:
    """A move of either colour."""
    color, move = color_of(color_word), session.move(vertex)
    try:
        session.board.play(move, color)
    except IllegalMove as error:
        raise GtpError(f"illegal move: {error}") from error
    return ""


def play_sequence(session: Session, *words: str) -> str:
    """Many moves: all of them, or none if one is illegal."""
    moves = [(color_of(color), session.move(vertex)) for color, vertex in pairs(words)]
    board = session.board.copy()
    for number, (color, move) in enumerate(moves, start=1):
        try:
            board.play(move, color)
        except IllegalMove as error:
            raise GtpError(f"illegal move: {error} (move {number} of the sequence)") from error
    session.board = board
    return ""


def genmove(session: Session, color_word: str) -> str:
    """A move of the engine, which is played."""
    return move_now(session, color_of(color_word))


def reg_genmove(session: Session, color_word: str = "") -> str:
    """A move of the engine, which is not played; of the side to move if no colour is named."""
    color = color_of(color_word) if color_word else session.board.color_to_play
    return move_now(session, color, plays=False)


def undo(session: Session, count: str = "1") -> str:
    """Take moves back: all of them, or none if there are fewer."""
    number = whole(count)
    if number < 1:
        raise GtpError(f"cannot undo: {number} is not a number of moves; write 1 or more")
    if number > session.board.num_moves:
        most = session.board.num_moves
        reason = "there is no move to undo" if not most else f"there are only {most} moves to undo, not {number}"
        raise GtpError(f"cannot undo: {reason}")
    for _ in range(number):
        session.board.undo()
    return ""


COMMANDS = {
    "boardsize": Command(boardsize, 1, 2),
    "clear_board": Command(clear_board),
    "genmove": Command(genmove, 1, 1),
    "gg-undo": Command(undo, 0, 1),
    "gogui-play_sequence": Command(play_sequence, 0, None),
    "get_komi": Command(get_komi, lets_ponder=True),
    "kata-search": Command(reg_genmove, 0, 1),
    "komi": Command(komi, 1, 1),
    "play": Command(play, 2, 2),
    "rectangular_boardsize": Command(rectangular_boardsize, 1, 2),
    "reg_genmove": Command(reg_genmove, 1, 1),
    "showboard": Command(showboard, lets_ponder=True),
    "undo": Command(undo),
}
