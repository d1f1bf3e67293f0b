"""One eye space, all around it the opponent: what books say of each shape, in the middle of the board.

The boards are made from the shape alone: a ring of the owner's stones, outside only the opponent's, with two eyes in a
corner. Truth is general knowledge of the game.
"""

from __future__ import annotations

import pytest

from tesuji.go import Board
from tesuji.go.knowledge.life import judge

SIZE = 11

# The space, and whether it lives, dies, or goes to who moves first.
SHAPES = {
    "one point": ("#", "dead"),
    "two in a row": ("##", "dead"),
    "three in a row": ("###", "in doubt"),
    "bent three": ("## #.", "in doubt"),
    "four in a row": ("####", "alive"),
    "bent four": ("### #..", "alive"),
    "twisted four": ("##. .##", "alive"),
    "square four": ("## ##", "dead"),
    "pyramid four": ("### .#.", "in doubt"),
    "bulky five": ("### ##.", "in doubt"),
    "crossed five": (".#. ### .#.", "in doubt"),
    "five in a row": ("#####", "alive"),
    "bent five": ("#### #...", "alive"),
    "rabbity six": (".## ### .#.", "in doubt"),
    "rectangle six": ("### ###", "alive"),
}
# With a stone of the opponent (o) on the vital point, or with more of them.
TAKEN = {
    "three in a row": ("#o#", "dead"),
    "bent three": ("o# #.", "dead"),
    "pyramid four": ("#o# .#.", "dead"),
    "bulky five": ("#o# ##.", "dead"),
    "crossed five": (".#. #o# .#.", "dead"),
    "four in a row, beside its end": ("#o##", "in doubt"),
    "four in a row, both inner points": ("#oo#", "dead"),
}
CASES = [pytest.param(*case, id=name) for table in (SHAPES, TAKEN) for name, case in table.items()]


def surrounded(shape: str, turn: int, owner: str) -> Board:
    """The board of a shape, turned by so many quarters, with the owner's letter X or O."""
    rows = shape.split()
    points = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}
    for _ in range(turn):
        points = {(c, -r): mark for (r, c), mark in points.items()}
    top, left = min(r for r, _ in points), min(c for _, c in points)
    space = {(r - top + 4, c - left + 4): mark for (r, c), mark in points.items()}
    ring = {(r + i, c + j) for r, c in space for i in (-1, 0, 1) for j in (-1, 0, 1)} - space.keys()
    enemy = "O" if owner == "X" else "X"
    eyes = {(SIZE - 1, SIZE - 1), (SIZE - 1, SIZE - 3)}

    def mark(at: tuple[int, int]) -> str:
        if at in space:
            return enemy if space[at] == "o" else "."
        return owner if at in ring else "." if at in eyes else enemy

    return Board.from_text("\n".join(" ".join(mark((r, c)) for c in range(SIZE)) for r in range(SIZE)))


@pytest.mark.parametrize("owner", ["X", "O"])
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize(("shape", "fate"), CASES)
def test_judge__eye_shapes(shape: str, fate: str, turn: int, owner: str) -> None:
    board = surrounded(shape, turn, owner)
    color = 1 if owner == "X" else 2
    at = next(p for p in range(board.num_points) if board.color_at(p) == color)
    judged = judge(board)
    assert ("in doubt" if at in judged.in_doubt else judged.status[at]) == fate
