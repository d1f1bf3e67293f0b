"""Pictures of groups of moves: `*` marks the members of a group for X, who is to move.

`x` is X's own last move and `o` the enemy's, which came after it; without an `o` the enemy passed after the `x`. Every
picture is also turned, mirrored and asked with exchanged colours. A row with several groups has a picture for each.
"""

from __future__ import annotations

import numpy as np

from go.playout_pictures import SIMPLE_KO, forms, marked
from tesuji.go import Board, Color
from tesuji.go.knowledge.groups import Row, find


def board_of(signs: np.ndarray, me: Color) -> Board:
    """The board of a picture's signs: its capital letters are set up, `x` and `o` are played."""
    flat = signs.reshape(-1).tolist()
    mine, theirs = ("x", "o") if me == Color.BLACK else ("o", "x")
    rows = "\n".join(" ".join(sign if sign in "XO" else "." for sign in row) for row in signs)
    starts = me if mine in flat or theirs not in flat else Color(3 - me)
    board = Board.from_text(rows, to_play=starts, rules=SIMPLE_KO)
    if mine in flat:
        board.play(flat.index(mine))
    if theirs in flat:
        board.play(flat.index(theirs))
    elif mine in flat:
        board.play("pass")
    return board


def assert_groups(row: Row, *pictures: str) -> None:
    """Fails unless the groups are those that the pictures of one board show; a picture without `*` shows none."""
    for drawn in zip(*(forms(picture) for picture in pictures), strict=True):
        boards = [board_of(signs, me) for signs, me in drawn]
        assert all(board == boards[0] for board in boards), "the pictures show different boards"
        expected = sorted(members for signs, _ in drawn if (members := marked(signs)))
        found = sorted(group.moves for group in find(boards[0], [row]))
        assert found == expected, f"{row}\n{boards[0].to_text()}"
