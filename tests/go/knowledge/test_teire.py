"""Points that have to be filled in the end: pictures, turned in all ways and with the colours exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.go import Board, Color, final_score
from tesuji.go.knowledge.teire import points_to_fill
from tesuji.go.rules.ruleset import AGA, CHINESE, JAPANESE

# A point that has to be filled is marked by its owner's small letter.
PICTURES = {
    "a neutral point beside a false eye": """
        . X X O O O .
        X X x X . O O
        . X X O O O .
        X X O O . O O
        . X O . O O .
    """,
    "the neutral point is taken already": """
        . X X O O O .
        X X x X O O O
        . X X O O O .
        X X O O . O O
        . X O . O O .
    """,
    "two neutral points that connect: one is left for the owner": """
        . X X . O O .
        X X . X O O O
        . X X . O O .
        X X O O . O O
        . X O . O O .
    """,
    "two neutral points, and the opponent takes the one that connects": """
        . X X O O O .
        X X x X . O O
        . X X . O O .
        X X O O . O O
        . X O . O O .
    """,
    "a chain that is connected already": """
        . X X O O O .
        X X X X . O O
        . X X O O O .
        X X O O . O O
        . X O . O O .
    """,
    "two neutral points that connect to nothing": """
        . X . X X O .
        X X x X X O O
        X O X O O O .
        O O X . O O O
        O O X . O . O
        O O O O O O O
        . O . O . O .
    """,
    "in the corner, where the opponent comes from behind": """
        . X X x X . X
        . O O X X X X
        O O O O X . X
        . O . O X X X
        O O O O O X .
    """,
    "in the corner, where the neutral point connects": """
        . X X . X . X
        X O O X X X X
        X O O O X . X
        X O . O X X X
        . O O O O X .
    """,
    "two chains that join between neutral points and are still short": """
        . O O O O O O
        O O X O X O O
        O O X X X X .
        O . . . . . X
        O O O O O O X
        X X X X X X x
        . X . X . X X
    """,
    "at the edge": """
        . X x X . O .
        X X X O O O O
        . X X O . O .
        X X O O O O O
        . X O . O O .
    """,
}


def grid_of(picture: str) -> list[list[str]]:
    return [line.split() for line in picture.strip().splitlines()]


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("name", PICTURES)
def test_points_to_fill__are_those_marked(name: str, turn: int, swaps: bool) -> None:
    signs = np.array(grid_of(PICTURES[name]))
    signs = np.rot90(signs.T if turn >= 4 else signs, turn % 4)
    if swaps:
        signs = np.array([["XOxo."["OXox.".index(sign)] for sign in row] for row in signs])
    board = Board.from_text("\n".join(" ".join("." if sign in "xo" else sign for sign in row) for row in signs))
    expected = {
        color: sorted(np.flatnonzero(signs.ravel() == sign).tolist())
        for color, sign in ((Color.BLACK, "x"), (Color.WHITE, "o"))
    }
    found = points_to_fill(board, dead=(), seki=())
    assert {color: sorted(points) for color, points in found.items()} == expected


def test_points_to_fill__dead_stones_are_off_and_sekis_left_alone() -> None:
    picture = PICTURES["a neutral point beside a false eye"].replace("x", ".")
    board = Board.from_text(picture)
    assert points_to_fill(board, dead=[board.point("D4")], seki=())[Color.BLACK] == []
    assert points_to_fill(board, dead=(), seki=[board.point("D4")])[Color.BLACK] == []


@pytest.mark.parametrize(("rules", "lost"), [(JAPANESE, 1), (CHINESE, 0), (AGA, 0)], ids=lambda value: str(value)[:12])
def test_final_score__by_japanese_counting_such_points_do_not_count(rules: object, lost: int) -> None:
    picture = PICTURES["a neutral point beside a false eye"].replace("x", ".")
    board = Board.from_text(picture, rules=rules, komi=0.5)  # type: ignore[arg-type]
    assert final_score(board).margin == board.score().margin - lost
