"""What the values of SGF's properties mean in Go: sizes, komi, handicap, moves, set-up stones.

A value that makes no sense is left out and named in the list of remarks that every function takes; only what leaves no
game raises `SgfError`. The grammar around the values is `sgf_tree.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tesuji.go.records.sgf_tree import Properties, SgfError, simple_text
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import checked_komi
from tesuji.go.rules.vertex import LAST_SIZE_WITH_TT, parse_sgf_point, quoted, to_sgf_point

__all__ = ["SETUP_NAMES", "Move", "Setup", "check_game", "handicap_of", "komi_of", "komi_text", "move_of"]
__all__ += ["point_table", "setup_of", "size_of"]

MAX_SIZE = 25
SETUP_NAMES = frozenset({"AB", "AW", "AE", "PL"})
Move: TypeAlias = tuple[Color, int]

_BLACK_NAMES, _WHITE_NAMES = ("b", "black", "1"), ("w", "white", "2")  # the numbers are found in old files
_COLOR_NAMES = dict.fromkeys(_BLACK_NAMES, Color.BLACK) | dict.fromkeys(_WHITE_NAMES, Color.WHITE)
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[:x]\s*([0-9]{1,3}))?")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,6}(?:[.,][0-9]{0,6})?|[.,][0-9]{1,6})")
_HUNDREDTHS = range(250, 1000, 25)  # the Fox server's komi: 375 stones of a hundredth, 650 points of one


class Setup(NamedTuple):
    """Stones put down or taken off outside play.

    Attributes
    ----------
    before : int
        How many moves of the line come first.
    black, white, empty : tuple of int
        The points that become so.
    to_play : Color or None
        Whose turn it is then, where the record says so.
    """

    before: int
    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    to_play: Color | None = None


def check_game(root: Properties, remarks: list[str]) -> None:
    """Refuse a record that says it is of another game than Go."""
    game = _value(root, "GM")
    if re.fullmatch(r"0*1?|go", game.lower()):
        return
    if game.isdecimal():
        raise SgfError(f"GM[{game[:20]}] is not the game of Go: GM[1] is")
    remarks.append(f"GM {quoted(game)} names no game; it is read as Go")


def size_of(root: Properties) -> tuple[int, int]:
    """Width and height."""
    text = _value(root, "SZ")
    match = _SIZE.fullmatch(text or "19")
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise SgfError(f"SZ {quoted(text)} is not a board size: sizes run from 1 to {MAX_SIZE}, or W:H for a rectangle")
    return width, height


def komi_of(root: Properties, remarks: list[str]) -> float | None:
    """Komi in points; None if the record has none that makes sense."""
    text = _value(root, "KM")
    if not text:
        return None
    if not _DECIMAL.fullmatch(text):
        remarks.append(f"KM {quoted(text)} is not a number and was left out: komi is written as in KM[7.5]")
        return None
    komi = float(text.replace(",", "."))
    if text.isdecimal() and int(text) in _HUNDREDTHS:
        komi /= 100
    if komi * 4 % 2 == 1:  # 3.75 stones under Chinese counting are 7.5 points
        komi *= 2
    try:
        return checked_komi(komi)
    except ValueError as error:
        remarks.append(f"KM {quoted(text)} was left out: {error}")
        return None


def komi_text(komi: float) -> bytes:
    """Komi as `komi_of` reads it: a decimal point tells 650 points from 650 hundredths."""
    return (f"{komi:.1f}" if komi in _HUNDREDTHS else f"{komi:g}").encode()


def handicap_of(root: Properties, remarks: list[str]) -> int:
    """The number of handicap stones; 0 if the record has none that makes sense."""
    text = _value(root, "HA")
    if not text or re.fullmatch(r"[0-9]{1,3}", text):
        return int(text or 0)
    remarks.append(f"HA {quoted(text)} is not a number of handicap stones and was left out: write it as in HA[2]")
    return 0


@lru_cache(maxsize=16)
def point_table(width: int, height: int) -> dict[bytes, int]:
    """SGF's name of every move of a board: a lookup costs a tenth of reading the letters."""
    table = {to_sgf_point(move, width, height).encode(): move for move in range(width * height + 1)}
    if b"tt" not in table and max(width, height) <= LAST_SIZE_WITH_TT:
        table[b"tt"] = width * height
    return table


def move_of(values: list[bytes], number: int, width: int, height: int, remarks: list[str]) -> int:
    """A move that is not in the table: with spaces or line breaks in it, with more than one value, or an error."""
    if len(values) > 1:
        remarks.append(f"move {number} has {len(values)} values, of which the first was read: a move is one point")
    try:
        return parse_sgf_point(_point_text(values[0]), width, height)
    except ValueError as error:
        raise SgfError(f"move {number} cannot be read: {error}") from error


def setup_of(node: Properties, before: int, width: int, height: int, remarks: list[str]) -> Setup:
    """The set-up stones of a node; where two colours want a point, white before black and empty before both."""
    odd: list[str] = []
    black, white, empty = (_points(node.get(name, ()), width, height, odd) for name in ("AB", "AW", "AE"))
    if black & white or (black | white) & empty:
        odd.append("a point is named twice, but AB, AW and AE must not overlap")
    color = _value(node, "PL").lower()
    if color and color not in _COLOR_NAMES:
        odd.append(f"PL {quoted(color)} is not a colour: write B or W")
    remarks += [f"the set-up before move {before + 1}: {oddity}" for oddity in odd]
    return Setup(
        before,
        black=tuple(sorted(black - white - empty)),
        white=tuple(sorted(white - empty)),
        empty=tuple(sorted(empty)),
        to_play=_COLOR_NAMES.get(color),
    )


def _points(values: Iterable[bytes], width: int, height: int, odd: list[str]) -> set[int]:
    """Points and rectangles of points (``aa:cc``)."""
    points: set[int] = set()
    for value in dict.fromkeys(values):  # once each: a megabyte of the same rectangle is no more work than one
        text = _point_text(value)
        first, _, last = text.partition(":")
        try:
            corners = [parse_sgf_point(corner, width, height) for corner in (first, last or first)]
        except ValueError as error:
            odd.append(str(error))
            continue
        if width * height in corners:
            if text:  # "AB[]" stands for no stones in old files
                odd.append(f"{quoted(text)} is a pass, not a point of the board")
            continue
        (top, left), (bottom, right) = (divmod(corner, width) for corner in corners)
        top, bottom, left, right = min(top, bottom), max(top, bottom), min(left, right), max(left, right)
        points.update(row * width + column for row in range(top, bottom + 1) for column in range(left, right + 1))
    return points


def _value(node: Properties, name: str) -> str:
    values = node.get(name)
    return simple_text(values[0]).strip() if values else ""


def _point_text(value: bytes) -> str:
    """The letters of a point; some files break lines between them."""
    return "".join(simple_text(value).split())
