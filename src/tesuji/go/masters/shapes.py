"""Where a local pattern occurs in the games of a database.

A pattern is a picture: ``X`` and ``O`` are stones of the two colours, ``.`` is empty, ``#`` is off the board, ``?`` is
anything. It is found anywhere on the board, turned, mirrored, and with colours exchanged. Every game is replayed by the
core; it counts once, where the pattern first appears. What was played next inside the picture is counted as the
picture's own points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.game import NO_MOVE, WHITE

__all__ = ["LocalPattern", "PatternMatch", "PatternMatches", "find_pattern", "pattern_from_text"]

_SIGNS = {".": 0, "X": 1, "O": 2, "#": 3, "?": 4}
_LARGEST = 25


class LocalPattern(msgspec.Struct, frozen=True):
    """A picture.

    Attributes
    ----------
    signs : uint8 array of shape (height, width)
        0 empty, 1 X, 2 O, 3 off the board, 4 anything.
    """

    signs: NDArray[np.uint8]


class PatternMatch(msgspec.Struct, frozen=True):
    """A game with the pattern.

    Attributes
    ----------
    game : int
        Its id.
    number : int
        After how many moves it appears.
    reply : tuple of (row, column, sign) or None
        The next move, if it was inside the picture: as the picture has it, and X or O.
    """

    game: int
    number: int
    reply: tuple[int, int, str] | None


class PatternMatches(msgspec.Struct, frozen=True):
    """What was found.

    Attributes
    ----------
    matches : list of PatternMatch
        In the order of the games.
    searched : int
        How many games were looked at.
    """

    matches: list[PatternMatch]
    searched: int

    def replies(self) -> list[tuple[tuple[int, int, str], int]]:
        """The next moves inside the picture, most frequent first."""
        return Counter(match.reply for match in self.matches if match.reply is not None).most_common()


def pattern_from_text(text: str) -> LocalPattern:
    """Read a picture; spaces do not count.

    Raises
    ------
    ValueError
        If its rows differ in length, a sign is unknown, or it shows no stone.
    """
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError("the rows of a pattern must be equally long, and there must be one")
    if max(len(rows), len(rows[0])) > _LARGEST:
        raise ValueError(f"the pattern has {len(rows[0])}x{len(rows)} points; {_LARGEST} each way are the most")
    for sign in "".join(rows):
        if sign not in _SIGNS:
            raise ValueError(f"{sign!r} is not a sign of a pattern; write . X O # (off the board) and ? (anything)")
    if not any(sign in "XO" for row in rows for sign in row):
        raise ValueError("the pattern has no stone; write X or O somewhere")
    return LocalPattern(np.array([[_SIGNS[sign] for sign in row] for row in rows], np.uint8))


def find_pattern(
    database: GameDatabase,
    pattern: LocalPattern,
    wanted: GameFilter | None = None,
    *,
    exchanges_colors: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> PatternMatches:
    """The games in which a pattern appears, each once.

    Parameters
    ----------
    database : GameDatabase
        Where to look. Games that began with stones on the board are not looked at.
    pattern : LocalPattern
        The picture.
    wanted : GameFilter, optional
        Which games count.
    exchanges_colors : bool
        Whether X may be White.
    on_progress : callable, optional
        Told how many games were looked at.
    """
    sizes = {
        int(str(number)): (int(str(width)), int(str(height)))
        for number, width, height, setup in database.rows("id, width, height, setup", wanted)
        if setup is None
    }
    matches: list[PatternMatch] = []
    searched = 0
    for chunk in database.chunks():
        ids = [game for game in range(chunk.first_game, chunk.first_game + len(chunk.starts) - 1) if game in sizes]
        moves = database.moves(chunk)
        for size in sorted({sizes[game] for game in ids}):
            same = [game for game in ids if sizes[game] == size]
            lines = [
                moves[chunk.starts[g - chunk.first_game] : chunk.starts[g - chunk.first_game + 1] - 1] for g in same
            ]
            matches += _found(size, same, lines, pattern, exchanges_colors)
        searched += len(ids)
        if on_progress is not None:
            on_progress(searched)
    return PatternMatches(sorted(matches, key=lambda match: match.game), searched)


def _found(
    size: tuple[int, int],
    games: list[int],
    lines: list[NDArray[np.uint16]],
    pattern: LocalPattern,
    exchanges_colors: bool,
) -> list[PatternMatch]:
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])]).astype(np.int64)
    places = _native.pattern_places(*size, np.concatenate(lines), starts, pattern.signs, exchanges_colors)
    found = []
    for index, number, form, row, column in places.reshape(-1, 5).tolist():
        line = lines[index]
        move = int(line[number]) if number < len(line) else NO_MOVE
        reply = None if move == NO_MOVE else _inside(move, size, pattern, form, row, column)
        found.append(PatternMatch(games[index], number, reply))
    return found


def _inside(
    move: int, size: tuple[int, int], pattern: LocalPattern, form: int, row: int, column: int
) -> tuple[int, int, str] | None:
    """A move as the picture has it; None if it lies outside, or is a pass."""
    point = move & ~WHITE
    if point == size[0] * size[1]:
        return None
    height, width = pattern.signs.shape
    r, c = point // size[0] - row, point % size[0] - column
    if form & 4:
        r, c = c, r
    if not (0 <= r < height and 0 <= c < width):
        return None
    r, c = (height - 1 - r if form & 1 else r), (width - 1 - c if form & 2 else c)
    is_black = (move & WHITE == 0) != (form >= 8)
    return r, c, "X" if is_black else "O"
