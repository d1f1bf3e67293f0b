"""Commands that set stones up: handicaps and positions."""

from __future__ import annotations

import contextlib

import numpy as np

from tesuji.go.gtp.session import Session
from tesuji.go.gtp.words import COLORS, color_of
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError, pairs, whole

__all__ = ["COMMANDS"]

_SETUP_COLORS = COLORS | {"e": Color.EMPTY, "empty": Color.EMPTY}
_MOST_PLACED = 9


def fixed_handicap(session: Session, count: str) -> str:
    """Handicap stones on their fixed places."""
    number = whole(count)
    session.check_empty()
    try:
        points = session.board.set_handicap(number)
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}") from error
    return session.vertices(points)


def place_free_handicap(session: Session, count: str) -> str:
    """Handicap stones where the engine likes them: the fixed places, up to nine."""
    number, most = whole(count), session.board.num_points - 1
    session.check_empty()
    if not 2 <= number <= most:
        raise GtpError(f"invalid number of stones: {number} is not within 2 to {most}")
    for fewer in range(min(number, _MOST_PLACED), 1, -1):  # the protocol lets an engine place fewer than it is allowed
        with contextlib.suppress(ValueError):
            return session.vertices(session.board.set_handicap(fewer))
    raise GtpError("invalid number of stones: this board has no handicap points; use set_free_handicap")


def set_free_handicap(session: Session, *vertices: str) -> str:
    """Handicap stones where the controller says."""
    session.check_empty()
    most = session.board.num_points - 1
    if not 2 <= len(vertices) <= most:
        raise GtpError(f"bad vertex list: {len(vertices)} stones are not within 2 to {most}")
    try:
        session.board.set_free_handicap([session.move(vertex) for vertex in vertices])
    except (GtpError, ValueError) as error:
        raise GtpError(f"bad vertex list: {error}") from error
    return ""


def set_position(session: Session, *words: str) -> str:
    """Exactly these stones, black to play and no moves before."""
    grid = np.zeros_like(session.board.grid)
    for color_word, vertex in pairs(words):
        row, column = divmod(session.point(vertex), session.board.width)
        if grid[row, column]:
            raise GtpError(f"illegal setup: {vertex} is named twice")
        grid[row, column] = color_of(color_word)
    session.set_up(grid, Color.BLACK)
    return ""


def gogui_setup(session: Session, *words: str) -> str:
    """These stones in addition to those on the board; ``e`` takes one off. Whose turn it is stays."""
    grid = session.board.grid.copy()
    for color_word, vertex in pairs(words):
        if color_word.lower() not in _SETUP_COLORS:
            raise GtpError(f"syntax error: {quoted(color_word)} is not a color: write black, white or empty")
        row, column = divmod(session.point(vertex), session.board.width)
        grid[row, column] = _SETUP_COLORS[color_word.lower()]
    session.set_up(grid, session.board.color_to_play)
    return ""


def gogui_setup_player(session: Session, color_word: str) -> str:
    """Who moves next."""
    session.board.color_to_play = color_of(color_word)
    return ""


COMMANDS = {
    "fixed_handicap": Command(fixed_handicap, 1, 1),
    "gogui-setup": Command(gogui_setup, 0, None),
    "gogui-setup_player": Command(gogui_setup_player, 1, 1),
    "place_free_handicap": Command(place_free_handicap, 1, 1),
    "set_free_handicap": Command(set_free_handicap, 0, None),
    "set_position": Command(set_position, 0, None),
}
