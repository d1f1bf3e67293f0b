"""Boards as text pictures, for tests, messages and people.

::

      A B C
    3 . X . 3
    2 O . . 2
    1 . . . 1
      A B C
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tesuji.go.rules.vertex import COLUMN_LETTERS, quoted

__all__ = ["draw", "read"]

_MARKS = ".XO"
_COLORS = {".": 0, "+": 0, "X": 1, "#": 1, "O": 2}


def draw(grid: NDArray[np.uint8]) -> str:
    """Draw a board with its coordinates.

    Parameters
    ----------
    grid : uint8 array of shape (height, width)
        0 empty, 1 black, 2 white; row 0 at the top.
    """
    height, width = grid.shape
    margin = len(str(height))
    letters = " " * margin + " " + " ".join(COLUMN_LETTERS[:width])
    rows = [
        f"{height - row:>{margin}} {' '.join(_MARKS[color] for color in grid[row])} {height - row}"
        for row in range(height)
    ]
    return "\n".join([letters, *rows, letters])


def read(picture: str) -> NDArray[np.uint8]:
    """Read a picture: ``.`` or ``+`` empty, ``X`` or ``#`` black, ``O`` white; coordinates and spaces are ignored.

    Returns
    -------
    uint8 array of shape (height, width)

    Raises
    ------
    ValueError
        If there is no row, a row has another length than the first, or a sign means nothing.
    """
    rows: list[list[int]] = []
    for line in picture.splitlines():
        signs = "".join(line.split()).strip("0123456789")
        if not signs or _is_letters_line(line):
            continue
        unknown = [sign for sign in signs if sign not in _COLORS]
        if unknown:
            raise ValueError(f"{quoted(unknown[0])} in the row {quoted(line.strip())} is none of . X O")
        rows.append([_COLORS[sign] for sign in signs])
    if not rows:
        raise ValueError("the picture has no row of points")
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError(f"a row has {len(row)} points where the first has {len(rows[0])}")
    return np.array(rows, dtype=np.uint8)


def _is_letters_line(line: str) -> bool:
    letters = "".join(line.split())
    return letters == COLUMN_LETTERS[: len(letters)]
