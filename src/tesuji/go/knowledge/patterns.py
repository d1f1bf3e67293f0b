"""3x3 patterns: read from text, expanded to a table over every neighbourhood of a point.

A neighbourhood is the 16-bit code of `Stones::code3x3` in the core: two bits for each of W, E, N, S, NW, NE, SW, SE
from the low end; 0 empty, 1 black, 2 white, 3 off the board. So matching is one look into the table. The format of
pattern files is told in ``data/patterns.txt``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Pattern", "expand", "parse_patterns", "standard_patterns"]

_EMPTY, _X, _O, _OFF = 0, 1, 2, 3
_SIGNS = {
    ".": {_EMPTY},
    "X": {_X},
    "O": {_O},
    "#": {_OFF},
    "?": {_EMPTY, _X, _O, _OFF},
    "x": {_EMPTY, _O, _OFF},
    "o": {_EMPTY, _X, _OFF},
}
# Where the fields of a code stand in the three rows.
_FIELDS = ((1, 0), (1, 2), (0, 1), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2))
_PLAYERS = {"X plays": ("X",), "O plays": ("O",)}

Grid = tuple[str, str, str]


class Pattern(msgspec.Struct, frozen=True):
    """A shape around an empty point.

    Attributes
    ----------
    rows : tuple of three str
        Its signs.
    players : tuple of str
        Who may play there: X, O or both.
    exceptions : tuple of rows
        What is left out.
    """

    rows: Grid
    players: tuple[str, ...] = ("X", "O")
    exceptions: tuple[Grid, ...] = ()


def parse_patterns(text: str, name: str = "patterns") -> list[Pattern]:
    """Read patterns.

    Parameters
    ----------
    text : str
        In the format of ``data/patterns.txt``.
    name : str
        What errors call it, a file name for instance.

    Raises
    ------
    ValueError
        Naming the line and what is wrong with it.
    """
    return [_parse_block(block, name) for block in _blocks(text)]


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines with their numbers, in groups that empty lines separate; comments left out."""
    block: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("# ") or line == "#":
            continue
        if line:
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parse_block(block: list[tuple[int, str]], name: str) -> Pattern:
    number, line = block[0]
    players = _PLAYERS.get(line, ("X", "O"))
    rest = block[1:] if line in _PLAYERS else block
    grids = [_parse_grid(rest[:3], name, number)]
    rest = rest[3:]
    while rest:
        number, line = rest[0]
        if line != "except":
            raise ValueError(f"{name}, line {number}: it follows a whole pattern; separate patterns by empty lines")
        grids.append(_parse_grid(rest[1:4], name, number))
        rest = rest[4:]
    return Pattern(grids[0], players, tuple(grids[1:]))


def _parse_grid(lines: list[tuple[int, str]], name: str, number: int) -> Grid:
    if len(lines) < 3:
        raise ValueError(f"{name}, line {number}: a pattern has three lines of three signs, here are {len(lines)}")
    for at, line in lines:
        strange = [sign for sign in line if sign not in _SIGNS]
        if strange:
            raise ValueError(f"{name}, line {at}: it has another sign; use {' '.join(_SIGNS)}")
        if len(line) != 3:
            raise ValueError(f"{name}, line {at}: it has {len(line)} signs; a line has three")
    if lines[1][1][1] != ".":
        raise ValueError(f"{name}, line {lines[1][0]}: the middle is '{lines[1][1][1]}'; it is where to play, so '.'")
    return lines[0][1], lines[1][1], lines[2][1]


def expand(patterns: Iterable[Pattern]) -> NDArray[np.uint8]:
    """The table of the core: one byte per code, bit 0 if black should play there, bit 1 if white should."""
    table = np.zeros(1 << 16, dtype=np.uint8)
    for pattern in patterns:
        for turn in range(8):
            for swapped in (False, True):
                matches = _matching(_turned(pattern.rows, turn), swapped)
                for exception in pattern.exceptions:
                    matches &= ~_matching(_turned(exception, turn), swapped)
                for player in pattern.players:
                    is_black = (player == "X") != swapped
                    table[matches] |= 1 if is_black else 2
    return table


def _matching(rows: Grid, swapped: bool) -> NDArray[np.bool_]:
    """Per code, whether its neighbourhood looks like three rows, with the colours exchanged if `swapped`."""
    matches = np.zeros((4,) * 8, dtype=bool)  # one axis per field, the highest first
    exchanged = {_X: _O, _O: _X} if swapped else {}
    allowed = [[exchanged.get(sign, sign) for sign in _SIGNS[rows[row][column]]] for row, column in reversed(_FIELDS)]
    matches[np.ix_(*allowed)] = True
    return matches.reshape(-1)


def _turned(rows: Grid, turn: int) -> Grid:
    """One of the eight ways to turn and mirror three rows."""
    grid = np.array([list(row) for row in rows])
    grid = np.rot90(grid.T if turn >= 4 else grid, turn % 4)
    first, second, third = ("".join(row) for row in grid)
    return first, second, third


@cache
def standard_patterns() -> NDArray[np.uint8]:
    """The table of the patterns that come with Tesuji."""
    text = (Path(__file__).parent / "data" / "patterns.txt").read_text(encoding="utf-8")
    table = expand(parse_patterns(text, "patterns.txt"))
    table.setflags(write=False)
    return table
