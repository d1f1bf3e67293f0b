"""A problem of life and death: who attacks whom, where moves matter, and a board around it on which nothing else does.

A diagram of a book shows a corner and leaves the rest of the board empty. A search on that board plays elsewhere, and a
group that should die runs away. `framed` guesses what the reader knows: the side whose stones stand further out
attacks, its largest opponent is at stake, and all beyond the diagram is the attacker's, with eyes. Komi is set such
that the defender has won if about half of the stones at stake live.

The guess is by distances only. Whoever knows better names the chain (`anchor`).
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.rules.board import Board, Position
from tesuji.go.rules.color import Color

__all__ = ["Problem", "framed"]

_TO_EDGE = 4  # lines between a diagram and the edge of the board that still belong to it
_MARGIN = 1  # lines left open around the stones of a diagram
_REACH = 3  # steps over empty points from the defender's stones at which moves are tried
_EYES = 4  # one eye of the frame in a square of so many lines


class Problem(msgspec.Struct, frozen=True):
    """A problem on a board of its own.

    Attributes
    ----------
    board : Board
        The framed position, by area, whoever is to move in the original.
    anchor : int
        A stone of the chain at stake.
    attacker : Color
        Who wants to capture it.
    region : tuple of int
        Where moves matter.
    """

    board: Board
    anchor: int
    attacker: Color
    region: tuple[int, ...]

    @property
    def defender(self) -> Color:
        """Whose chain it is."""
        return self.attacker.opponent


def framed(board: Board, anchor: int | None = None) -> Problem:
    """Make the problem that a position shows.

    Parameters
    ----------
    board : Board
        A diagram; left unchanged.
    anchor : int, optional
        A stone of the chain at stake; guessed if not given.

    Raises
    ------
    ValueError
        If the board does not hold stones of both colours, or the anchor holds none.
    """
    grid = np.asarray(board.grid)
    if not ((grid == Color.BLACK).any() and (grid == Color.WHITE).any()):
        raise ValueError("a problem has stones of both colours: there is nothing to solve")
    inside = _inside(grid)
    attacker = _outer(grid, inside) if anchor is None else _color_at(board, anchor).opponent
    stake = _largest(board, attacker.opponent) if anchor is None else anchor
    full = _filled(grid, inside, attacker)
    rows, columns = np.nonzero(full == attacker.opponent)
    at_stake = len(board.chain(stake))
    # By area: the defender wins with more than half of the stones at stake and the eyes that they need.
    margin = full.size - (at_stake + 2)
    komi = float(margin if attacker is Color.BLACK else -margin)
    position = Position(board.width, board.height, full.tobytes(), board.color_to_play)
    made = position.board(rules="chinese", komi=komi)
    return Problem(made, stake, attacker, _region(made, inside, attacker, list(zip(rows, columns, strict=True))))


def _inside(grid: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The diagram: a rectangle around all stones, up to the edges that are near."""
    inside = np.zeros(grid.shape, dtype=bool)
    spans = []
    for axis in (0, 1):
        taken = np.flatnonzero(grid.any(axis=1 - axis))
        low, high, last = int(taken[0]), int(taken[-1]), grid.shape[axis] - 1
        low = 0 if low <= _TO_EDGE else low - _MARGIN
        high = last if last - high <= _TO_EDGE else high + _MARGIN
        spans.append(slice(low, high + 1))
    inside[tuple(spans)] = True
    return inside


def _outer(grid: NDArray[np.uint8], inside: NDArray[np.bool_]) -> Color:
    """Whose stones are nearer to the open sides of the diagram; without one, who has more stones."""
    outside = np.argwhere(~inside)
    if not len(outside):
        return Color.BLACK if (grid == Color.BLACK).sum() >= (grid == Color.WHITE).sum() else Color.WHITE

    def distance(color: Color) -> float:
        stones = np.argwhere(grid == color)
        steps = np.abs(stones[:, None, :] - outside[None, :, :]).sum(axis=2).min(axis=1)
        return float(steps.mean())

    return Color.BLACK if distance(Color.BLACK) <= distance(Color.WHITE) else Color.WHITE


def _largest(board: Board, color: Color) -> int:
    points = np.flatnonzero(np.asarray(board.grid).ravel() == color).tolist()
    return max(points, key=lambda point: (len(board.chain(point)), -point))


def _color_at(board: Board, point: int) -> Color:
    if not board.color_at(point):
        raise ValueError(f"there is no stone at {board.vertex(point)}: name one of the chain at stake")
    return Color(board.color_at(point))


def _filled(grid: NDArray[np.uint8], inside: NDArray[np.bool_], attacker: Color) -> NDArray[np.uint8]:
    """The grid with the attacker's stones all around, and eyes in them."""
    full = grid.copy()
    full[~inside] = attacker
    height, width = grid.shape
    for row in range(height):
        for column in range(width):
            near = inside[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            if row % _EYES == column % _EYES == 1 and not near.any():
                full[row, column] = Color.EMPTY
    return full


def _region(
    board: Board, inside: NDArray[np.bool_], attacker: Color, defenders: list[tuple[int, int]]
) -> tuple[int, ...]:
    """The points within reach of the defender's stones, over empty points and stones that can be captured."""
    start = [int(row) * board.width + int(column) for row, column in defenders]
    flat, steps, pending = inside.ravel(), dict.fromkeys(start, 0), list(start)
    for point in pending:  # grows while it is read
        for other in board.neighbours(point):
            if other in steps or not flat[other]:
                continue
            if board.color_at(other) == attacker and len(board.liberties(other)) > _REACH:
                continue
            steps[other] = steps[point] + (board.color_at(other) != attacker.opponent)
            if steps[other] <= _REACH:
                pending.append(other)
    return tuple(sorted(point for point, step in steps.items() if step <= _REACH))
