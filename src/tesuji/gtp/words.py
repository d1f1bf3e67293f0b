"""The words of a command line as values: seats, numbers, switches; and what a refused command answers.

Vertices need a board: whoever has one reads them.
"""

from __future__ import annotations

import re

__all__ = [
    "COLUMN_LETTERS",
    "SEATS",
    "GtpError",
    "decimal",
    "is_whole",
    "one_line",
    "pairs",
    "quoted",
    "seat_of",
    "switch",
    "whole",
    "words_of",
]

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Of vertices: there is no I."""
SEATS = {"b": 0, "black": 0, "w": 1, "white": 1}
"""Black moves first."""
_SWITCHES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_CONTROL_CHARACTERS = bytes([*range(9), *range(10, 32), 127])
_TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")


class GtpError(Exception):
    """What a command is refused with: the protocol's words first, then the reason."""


def quoted(text: str, limit: int = 40) -> str:
    """Quote a piece of input for an error message, cut where it would drown the message.

    Parameters
    ----------
    text : str
        What was read.
    limit : int
        The longest piece shown whole, in characters; characters that need escapes count for more.

    Returns
    -------
    str
        Printable ASCII between quotes.
    """
    shown = text[:limit]
    while len(ascii(shown)) > 2 * limit:
        shown = shown[: len(shown) // 2]
    return ascii(text) if shown == text else f"{shown!a}... ({len(text)} characters)"


def words_of(line: bytes) -> list[str]:
    """The words of a line, without comment and control characters; bytes that are not UTF-8 are kept as surrogates."""
    line = line.translate(_TAB_TO_SPACE, _CONTROL_CHARACTERS).partition(b"#")[0]
    return [word.decode("utf-8", "surrogateescape") for word in line.split()]


def one_line(text: object) -> str:
    """A text in one line."""
    return " ".join(str(text).split())


def seat_of(word: str) -> int:
    """``b`` or ``black``: 0; ``w`` or ``white``: 1; in any case."""
    try:
        return SEATS[word.lower()]
    except KeyError:
        raise GtpError(f"syntax error: {quoted(word)} is not a color: write black or white") from None


def is_whole(word: str) -> bool:
    """Whether a word is a whole number of at most nine digits."""
    return _WHOLE.fullmatch(word) is not None


def whole(word: str) -> int:
    """A whole number."""
    if not is_whole(word):
        raise GtpError(f"syntax error: {quoted(word)} is not a whole number")
    return int(word)


def decimal(word: str) -> float:
    """A number with or without a decimal point, and without an exponent."""
    if not _DECIMAL.fullmatch(word):
        raise GtpError(f"syntax error: {quoted(word)} is not a number")
    return float(word)


def switch(word: str) -> bool:
    """``true``, ``on`` or ``1``; ``false``, ``off`` or ``0``."""
    try:
        return _SWITCHES[word.lower()]
    except KeyError:
        raise GtpError(f"syntax error: {quoted(word)} is neither true nor false") from None


def pairs(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Words taken two and two."""
    if len(words) % 2:
        raise GtpError(f"syntax error: {len(words)} words are not pairs of a color and a vertex")
    return list(zip(words[::2], words[1::2], strict=True))
