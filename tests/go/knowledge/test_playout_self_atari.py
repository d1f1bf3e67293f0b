"""Which self-ataris a policy refuses, one picture each."""

from __future__ import annotations

import pytest

from go.playout_pictures import board_of, forms, marked
from tesuji._core import go as native
from tesuji.go.knowledge.playouts import (
    PlayoutPolicy,
)

# Self-atari ----

# The kinds of policy: allowed, never, small, nakade; y where the move `*` of the side to move is acceptable.
SELF_ATARI = {
    "two liberties": (
        """
        . . . .
        O * . .
        . . . .
        """,
        "yyyy",
    ),
    "a capture": (
        """
        * O X .
        O X . .
        . . . .
        """,
        "yyyy",
    ),
    "one stone": (
        """
        . . . . .
        O O O O .
        O * . O .
        """,
        "ynyy",
    ),
    "one stone in the corner": (
        """
        * O .
        . . .
        . . .
        """,
        "ynyy",
    ),
    "two stones": (
        """
        . . . . . .
        O O O O O .
        O X * . O .
        """,
        "ynyy",
    ),
    # The stones look like a nakade, but the liberty that is left connects them with their friends outside.
    "three bent, with a way out": (
        """
        . X X . .
        O O O X .
        . O X X .
        O O O X .
        X * O X .
        X O O X .
        . X O X .
        X X X X .
        """,
        "ynnn",
    ),
    "three in a row, the last at the end": (
        """
        . . . . . . .
        X X X X X X X
        O O O O O O X
        O X X * . O X
        """,
        "ynny",
    ),
    "three in a row, the last in the middle": (
        """
        . . . . . . .
        X X X X X X X
        O O O O O O X
        O X * X . O X
        """,
        "ynny",
    ),
    "three bent, the last at the end": (
        """
        . . . . . .
        X X X X X X
        O O O X X X
        O X O O O X
        O X * . O X
        """,
        "ynny",
    ),
    "three bent, the last in the corner": (
        """
        . . . . . .
        X X X X X X
        O O O X X X
        O X O O O X
        O * X . O X
        """,
        "ynny",
    ),
    "pyramid four": (
        """
        . . . . . . .
        X X X X X X X
        X O O O X X X
        O O X O O O X
        O X X * . O X
        """,
        "ynny",
    ),
    "square four": (
        """
        . . . . . .
        X X X X X X
        O O O O . X
        O X X O O X
        O X * . O X
        """,
        "ynny",
    ),
    "four in a row": (
        """
        . . . . . . . .
        O O O O O O O .
        O X X X * . O .
        """,
        "ynnn",
    ),
    "bent four": (
        """
        O O O . . . .
        O X O O O O .
        O X X * . O .
        """,
        "ynnn",
    ),
    "zigzag four": (
        """
        O O O O . . .
        O X X O O O .
        O O X * . O .
        """,
        "ynnn",
    ),
    "bulky five": (
        """
        . . . . . . .
        X X X X X X X
        O O O O X X X
        O X X O O O X
        O X X * . O X
        """,
        "ynny",
    ),
    "crossed five": (
        """
        . . . . . . .
        X X X X X X X
        X O O O X X X
        O O X O O X X
        O X X * . O X
        O O X O O X X
        X O O O X X X
        X X X X X X X
        """,
        "ynny",
    ),
    "five in a row": (
        """
        . . . . . . . . .
        O O O O O O O O .
        O X X X X * . O .
        """,
        "ynnn",
    ),
    "rabbity six": (
        """
        . . . . . . .
        X X X X X X X
        O O O O X X X
        O X X O O X X
        O X X * . O X
        O O X O O X X
        X O O O X X X
        X X X X X X X
        """,
        "ynny",
    ),
    "rectangular six": (
        """
        O O O O O . .
        O X X X O O .
        O X X * . O .
        O O O O O O .
        """,
        "ynnn",
    ),
    "seven stones": (
        """
        O O O O . . .
        O X X O O . .
        O X X * . O .
        O X X O O . .
        O O O O . . .
        """,
        "ynnn",
    ),
    "suicide": (
        """
        * O .
        O . .
        . . .
        """,
        "nnnn",
    ),
    "an own eye": (
        """
        * X .
        X . .
        . . .
        """,
        "nnnn",
    ),
    "an own false eye": (
        """
        . X . .
        X * X .
        O X O .
        . . . .
        """,
        "yyyy",
    ),
}


@pytest.mark.parametrize("name", SELF_ATARI)
def test_self_atari__kinds(name: str) -> None:
    picture, expected = SELF_ATARI[name]
    for signs, me in forms(picture):
        board = board_of(signs, me)
        for kind, answer in zip(("allowed", "never", "small", "nakade"), expected, strict=True):
            policy = PlayoutPolicy(self_atari=kind).native(board.num_points)
            assert native.is_acceptable(board, policy, marked(signs)[0]) == (answer == "y"), (kind, board.to_text())
