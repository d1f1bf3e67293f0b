"""The words of a command line as values: colours, numbers, switches; and what a refused command answers.

Vertices need a board and are read by `tesuji.go.gtp.session.Session`.
"""

from __future__ import annotations

import re

from tesuji.go.color import Color
from tesuji.go.vertex import quoted

__all__ = ["COLORS", "GtpError", "color_of", "decimal", "is_whole", "one_line", "pairs", "switch", "whole", "words_of"]

COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_SWITCHES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_CONTROL_CHARACTERS = bytes([*range(9), *range(10, 32), 127])
_TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")


class GtpError(Exception):
    """What a command is refused with: the protocol's words first, then the reason."""


def words_of(line: bytes) -> list[str]:
    """The words of a line, without comment and control characters; bytes that are no UTF-8 are kept as surrogates."""
    line = line.translate(_TAB_TO_SPACE, _CONTROL_CHARACTERS).partition(b"#")[0]
    return [word.decode("utf-8", "surrogateescape") for word in line.split()]


def one_line(text: object) -> str:
    """A text in one line."""
    return " ".join(str(text).split())


def color_of(word: str) -> Color:
    """``b``, ``black``, ``w`` or ``white``, in any case."""
    try:
        return COLORS[word.lower()]
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
        raise GtpError(f"syntax error: {len(words)} words are no pairs of a color and a vertex")
    return list(zip(words[::2], words[1::2], strict=True))
