"""The second look at chains that playouts cannot decide."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.go import Board, Color, chain_status
from tesuji.go.knowledge.doubt import fought_owners
from tesuji.go.knowledge.life import judge

# O cannot make two eyes, though playouts find them half of the time.
DEAD = {
    "in the corner": """
        X . X . X . X . X . X
        X X X X X X X X X X X
        X X X . X X . . X X .
        X X X . O O X X X X .
        X . . . O . O O X O .
        X . . X . O . . O . .
        """,
    "on the edge": """
        . . X . O X . . . . . X
        . . . X O . O . O . X .
        X X X X X O O . O O X X
        X . X . X X O X X X X .
        X X X X X X X X . X X X
        X . X . X X X X X X . X
        """,
}


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("name", DEAD)
def test_chain_status__a_search_kills_what_playouts_let_live(name: str, turns: int, swaps: bool) -> None:
    signs = np.rot90(np.array([line.split() for line in DEAD[name].strip().splitlines()]), turns)
    text = "\n".join(" ".join(row) for row in signs)
    board = Board.from_text(text.translate(str.maketrans("XO", "OX")) if swaps else text)
    loser = Color.BLACK if swaps else Color.WHITE
    assert {p for p, its in chain_status(board).items() if its == "dead"} == {
        p for p in range(board.num_points) if board.color_at(p) == loser
    }


def test_fought_owners__are_the_same_for_the_same_seed_and_leave_the_board_alone() -> None:
    board = Board.from_text(DEAD["in the corner"])
    before = board.to_text()
    stones = [p for p in range(board.num_points) if board.color_at(p) == Color.WHITE]
    once, again = (fought_owners(board, stones, [], 200, seed=3) for _ in range(2))
    assert np.array_equal(once, again)
    assert once.shape == (board.num_points,)
    assert np.abs(once).max() <= 1
    assert board.to_text() == before


@pytest.mark.parametrize("color", [Color.BLACK, Color.WHITE])
def test_judge__simulations_change_only_what_is_in_doubt(color: Color) -> None:
    board = Board(9)
    for vertex in ["E5", "C3", "G7", "G3", "C7", "D4", "F6", "E3", "D6", "F4"]:
        board.play(board.point(vertex))
    board.color_to_play = color
    plain, searched = judge(board), judge(board, simulations=100)
    assert searched.in_doubt == plain.in_doubt
    changed = {p for p in plain.status if plain.status[p] != searched.status[p]}
    assert changed <= plain.in_doubt
    assert set(chain_status(board)) == set(plain.status)
