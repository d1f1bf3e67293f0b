"""GTP vertices, spelled out once more, so that the tests of the rules do not lean on `tesuji.go.rules.vertex`."""

from __future__ import annotations

from collections.abc import Iterable

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def points_at(board: object, vertices: str) -> list[int]:
    """The points of vertices such as ``"D4 Q16"``, in order."""
    return sorted((board.height - int(v[1:])) * board.width + COLUMNS.index(v[0]) for v in vertices.split())


def vertices_at(board: object, points: Iterable[int]) -> list[str]:
    """The vertices of some points, in the order of the alphabet."""
    return sorted(f"{COLUMNS[point % board.width]}{board.height - point // board.width}" for point in points)
