"""Points as people write them: GTP vertices (``D4``) and SGF points (``dp``).

A point is ``row * width + column``, row 0 at the top, and a pass is ``width * height``. A vertex counts rows from the
bottom and leaves out the column letter I; an SGF point is two letters, column then row from the top left.

This module knows sizes and letters only: it does not ask whether a move is legal (`tesuji.go.rules.board` does).
"""

from __future__ import annotations

import re

from tesuji.gtp.words import COLUMN_LETTERS, quoted

__all__ = ["COLUMN_LETTERS", "parse_sgf_point", "parse_vertex", "printable", "quoted", "to_sgf_point", "to_vertex"]

SGF_LETTERS = "abcdefghijklmnopqrstuvwxy"

_VERTEX = re.compile(r"([A-Za-z]{1,2})([0-9]{1,2})")  # two letters: columns beyond Z, which no board here has
LAST_SIZE_WITH_TT = 19  # up to this size "tt" lies off the board and so, as FF[3] has it, means a pass


def printable(text: str) -> str:
    """Text from a file or a keyboard without what could steer a terminal: spaces stay, other signs become ``?``."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text)


def to_vertex(point: int, width: int, height: int) -> str:
    """Name a move as GTP does.

    Parameters
    ----------
    point : int
        A point of the board, or ``width * height`` for a pass.
    width, height : int
        The size of the board.

    Returns
    -------
    str
        For instance ``"D4"``, or ``"pass"``.

    Raises
    ------
    ValueError
        If the board has no such point.
    """
    if point == width * height:
        return "pass"
    _check_point(point, width, height)
    row, column = divmod(point, width)
    return f"{COLUMN_LETTERS[column]}{height - row}"


def parse_vertex(text: str, width: int, height: int) -> int:
    """Read a GTP vertex, in capitals or not.

    Parameters
    ----------
    text : str
        For instance ``"D4"`` or ``"pass"``.
    width, height : int
        The size of the board.

    Returns
    -------
    int
        The point, or ``width * height`` for a pass.

    Raises
    ------
    ValueError
        If the text is not a vertex of this board.
    """
    match = _VERTEX.fullmatch(text)
    if match is None:
        if text.lower() == "pass":
            return width * height
        raise ValueError(f"{quoted(text)} is not a vertex: write a column letter and a row number, as in D4, or pass")
    letter = match[1].upper()
    if "I" in letter:
        raise ValueError(f"{quoted(text)} is not a vertex: the columns leave out the letter I, and J follows H")
    column, row = _column(letter), height - int(match[2])
    if column >= width or not 0 <= row < height:
        raise ValueError(
            f"{quoted(text)} is off the board: on {width}x{height} the columns run "
            f"from A to {COLUMN_LETTERS[width - 1]} and the rows from 1 to {height}"
        )
    return row * width + column


def _column(letters: str) -> int:
    """A to Z without I, then AA, AB and so on."""
    column = 0
    for letter in letters:
        column = column * len(COLUMN_LETTERS) + COLUMN_LETTERS.index(letter) + 1
    return column - 1


def to_sgf_point(point: int, width: int, height: int) -> str:
    """Name a move as SGF FF[4] does.

    Parameters
    ----------
    point : int
        A point of the board, or ``width * height`` for a pass.
    width, height : int
        The size of the board.

    Returns
    -------
    str
        For instance ``"dp"``; empty for a pass.

    Raises
    ------
    ValueError
        If the board has no such point.
    """
    if point == width * height:
        return ""
    _check_point(point, width, height)
    row, column = divmod(point, width)
    return SGF_LETTERS[column] + SGF_LETTERS[row]


def parse_sgf_point(text: str, width: int, height: int) -> int:
    """Read an SGF point or move.

    Parameters
    ----------
    text : str
        Two small letters, column then row from the top left; empty for a pass. ``tt`` is a pass too, as in FF[3], on
        boards of up to 19x19.
    width, height : int
        The size of the board.

    Returns
    -------
    int
        The point, or ``width * height`` for a pass.

    Raises
    ------
    ValueError
        If the text is not a point of this board.
    """
    if not text or (text == "tt" and max(width, height) <= LAST_SIZE_WITH_TT):
        return width * height
    if len(text) != 2 or not (text.isascii() and text.isalpha() and text.islower()):
        raise ValueError(f"{quoted(text)} is not an SGF point: write two small letters, column and row, as in dp")
    column, row = ord(text[0]) - ord("a"), ord(text[1]) - ord("a")
    if column >= width or row >= height:
        last = SGF_LETTERS[width - 1] + SGF_LETTERS[height - 1]
        raise ValueError(f"{quoted(text)} is off the board: on {width}x{height} SGF points run from aa to {last}")
    return row * width + column


def _check_point(point: int, width: int, height: int) -> None:
    if not 0 <= point < width * height:
        raise ValueError(
            f"{point} is not a point of a {width}x{height} board: points run from 0 to {width * height - 1}, "
            f"and {width * height} is a pass"
        )
