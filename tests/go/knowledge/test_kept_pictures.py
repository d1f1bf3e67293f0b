"""What a player keeps, and playouts too: sekis, small eyes, eyes that look false; one picture each, for both sides.

An empty point is marked by who may play there in a playout: `b` only X, `w` only O, `a` both, `n` neither; `.` is not
asked. Every picture is also turned, mirrored and played with exchanged colours. Rooms with stones inside are in
`test_nakade_rooms.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from go.playout_pictures import SIMPLE_KO, forms
from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.playouts import DEFAULT

SEKIS = {
    "two shared liberties, no eyes": """
        . O X n O X .
        O O X O O X X
        . O X n O X .
        O O X O O X X
        O O O X X X X
        """,
    "an eye each, one shared liberty": """
        . O X X n O O O X .
        O O X n X O n O X X
        . O X X X O O O X .
        O O O O O X X X X X
        """,
    "three stones in a straight five": """
        O X n O O O n X O .
        O X X X X X X X O O
        O O O O O O O O O .
        . O . O O O O O O O
        """,
    "along a whole edge, three stones": """
        n X X X n
        O O O O O
        X X X X X
        . X . X .
        """,
    "along a whole edge, four stones": """
        n X X X X n
        O O O O O O
        X X X X X X
        . X . X . X
        """,
}
SMALL_EYES = {
    "two points: its owner keeps them, the enemy may throw in": """
        w w X O .
        X X X O .
        O O O O .
        . . . . .
        """,
    "two points, enclosed by stones in a square": """
        w X X O .
        w X X O .
        X X O O .
        O O O . .
        """,
    "three points in a row, anybody plays there": """
        a a a X O .
        X X X X O .
        O O O O O .
        . . . . . .
        """,
    "one point in the corner is never filled": """
        n X . .
        X X . .
        . . . .
        """,
    "one point at the edge, with an enemy at one diagonal, is filled": """
        . X b X .
        . O X X .
        . . . . .
        """,
}
FALSE_EYES = {
    "in a corner, one chain all around": """
        n X X X X .
        X O . . X .
        X X X X X .
        . . . . . .
        """,
    "in a corner, two chains": """
        b X X X . .
        X O . . . .
        X X X X . .
        . . . . . .
        """,
    "at an edge, one chain all around": """
        . X n X X X .
        . X X O . X .
        . . X X X X .
        . . . . . . .
        """,
    "at an edge, two chains": """
        . X b X X . .
        . X X O . . .
        . . X X . . .
        . . . . . . .
        """,
    "in the centre, one chain through both diagonals": """
        X X X X . . .
        X . O X X . .
        X X X n X X .
        . . X X O . .
        . . . X . . .
        """,
    "in the centre, two chains": """
        . X X X . . .
        . . O X X . .
        X X X b X X .
        . . X X O . .
        . . . X . . .
        """,
    "in the centre, three enemies at the diagonals, one of the chains in atari": """
        . . O X O . .
        . . X a X . .
        . . O X . . .
        . . . . . . .
        """,
}
DRAGONS = {
    "two heads, on two edges": """
        X X X X X X X
        X X O O O O X
        n X O . O X n
        X O O O O X X
        X X X X X X X
        """,
    "two heads, narrow": """
        X X X X X X
        X X O O O X
        n X . O X n
        X O O O X X
        X X X X X X
        """,
    "two heads on one edge": """
        X X n X X X n X .
        X O X X O X X X .
        X . . O O O O X .
        X X X X X X X X .
        . . . . . . . . .
        """,
    "one head is open": """
        X X X X X X X
        X X O O O O X
        b X O . O . .
        X O O O O X X
        X X X X X X X
        """,
    "one head, the other chain has none": """
        X X X X X X X
        X X O O O O .
        b X O . O . .
        X O O O . X X
        X X X X X X X
        """,
}
BENT_FOUR = {
    "in the corner: who stands inside may begin, the owner may not": """
        O O w X O .
        O X X X O O
        w X O O O .
        X X O . O O
        O O O O O .
        . O . O O O
        """,
    "in the corner, with a second eye outside: the owner takes them": """
        O O b X O . O
        O X X X O O O
        b X n X O . O
        X X X X O O O
        O O O O O . O
        """,
    "not in the corner: nobody begins": """
        X X X X X X X X
        X O O O O O O X
        X O X X X n O X
        X O X O O O O X
        X O n O X X X X
        X O O O X . X .
        X X X X X X X X
        """,
}
PICTURES = {
    f"{kind}: {name}": picture
    for kind, table in {
        "seki": SEKIS,
        "small eye": SMALL_EYES,
        "false eye": FALSE_EYES,
        "dragon": DRAGONS,
        "bent four": BENT_FOUR,
    }.items()
    for name, picture in table.items()
}


@pytest.mark.parametrize("name", PICTURES)
def test_playouts__keep_what_a_player_keeps(name: str) -> None:
    for signs, me in forms(PICTURES[name]):
        text = "\n".join(" ".join(sign if sign in "XO" else "." for sign in line) for line in signs)
        marks = signs.reshape(-1)
        for color, sign in ((me, "b"), (me.opponent, "w")):
            board = Board.from_text(text, to_play=color, rules=SIMPLE_KO)
            native_policy = DEFAULT.native(board.num_points)
            for point in np.flatnonzero(np.isin(marks, list("abwn"))).tolist():
                is_expected = marks[point] in ("a", sign)
                assert native.is_acceptable(board, native_policy, point) == is_expected, (color, point, text)


@pytest.mark.parametrize("name", ["two heads, on two edges", "two heads, narrow"])
def test_ownership__a_dragon_with_two_heads_lives(name: str) -> None:
    board = Board.from_text(DRAGONS[name].replace("n", "."))
    assert (ownership(board, playouts=100)[board.grid == 1] > 0.95).all()
