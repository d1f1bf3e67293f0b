"""Patterns of corners and sides for people: as text, and the best as pictures (Basaldúa, figures 3.5 to 3.7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tesuji.go.masters.joseki import JosekiTable, Pattern
from tesuji.go.masters.regions import SIZE, region_named
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.view.picture import BoardPicture, save_png

__all__ = ["best_text", "known_text", "pattern_board", "pattern_picture", "save_best", "stones_text"]

_SHOWN = 20
_CONTINUATIONS = 3


def pattern_board(pattern: Pattern) -> Board:
    """A board with the stones of a pattern, in the first place of its region."""
    board = Board(SIZE)
    points = region_named(pattern.region).places[0, 0]
    for color in (Color.BLACK, Color.WHITE):
        board.place(color, points[pattern.stones == color].tolist())
    return board


def stones_text(pattern: Pattern) -> str:
    """The stones of a pattern by name."""
    board, points = pattern_board(pattern), region_named(pattern.region).places[0, 0]
    return ", ".join(
        f"{'B' if color == Color.BLACK else 'W'} {board.vertex(int(point))}"
        for color in (Color.BLACK, Color.WHITE)
        for point in points[pattern.stones == color].tolist()
    )


def best_text(table: JosekiTable, region: str, number: int = _SHOWN) -> str:
    """A table of the patterns in which Black can expect most."""
    size = region_named(region).num_points
    lines = [f"{region}: {table.num_of(region):,} patterns of {size} points", "  Black's ± SD   seen  stones"]
    for pattern in table.best(region, number):
        numbers = f"{pattern.mean:5.1f} ± {pattern.deviation:4.1f} {pattern.count:6,}"
        lines.append(f"  {numbers}  {stones_text(pattern)}")
    return "\n".join(lines)


def known_text(table: JosekiTable, board: Board) -> str:
    """What is known of the regions of a board, a line each."""
    lines = []
    for one in table.known(board):
        rows, columns = np.divmod(one.points, SIZE)
        middle = board.vertex(round(float(rows.mean())) * SIZE + round(float(columns.mean())))
        after = ", ".join(
            f"{'B' if color == Color.BLACK else 'W'} {board.vertex(move)} ({times:,})"
            for move, color, times in one.continuations[:_CONTINUATIONS]
        )
        lines.append(
            f"{one.region} around {middle}: Black {one.black:.1f}, White {one.white:.1f} of {len(one.points)} points,"
            f" seen {one.count:,} times; {after or 'nobody went on there'}"
        )
    return "\n".join(lines) or "no corner and no side of it is known"


def pattern_picture(pattern: Pattern, rank: int) -> BoardPicture:
    """A pattern as a picture, with its most frequent continuations as letters."""
    points = region_named(pattern.region).places[0, 0]
    shown = pattern.continuations[:_CONTINUATIONS]
    names = {int(points[index]): letter for letter, (index, _, _) in zip("abc", shown, strict=False)}
    title = f"{rank}. {pattern.mean:.1f} ± {pattern.deviation:.1f} of {len(points)}"
    caption = f"seen {pattern.count:,} times"
    return BoardPicture(board=pattern_board(pattern), title=title, caption=caption, labels=names)


def save_best(table: JosekiTable, region: str, path: Path, number: int = _SHOWN) -> Path:
    """The best patterns as a picture, with the most frequent continuations as letters; needs matplotlib.

    Raises
    ------
    ValueError
        If there is none.
    MissingExtraError
        Without matplotlib.
    """
    pictures = [pattern_picture(pattern, rank) for rank, pattern in enumerate(table.best(region, number), start=1)]
    if not pictures:
        raise ValueError(f"there is no pattern of a {region} to draw; count more games")
    return save_png(path, *pictures, dpi=60)
