"""What an evaluator sees of a Go position, from pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tesuji.go import Board, Color
from tesuji.search import LeafBatch, Search

OWN, THEIRS, KO, BLACK_TO_MOVE, AFTER_PASS = 0, 1, 14, 15, 16
NUM_PLANES = 17


def planes_of(board: Board) -> NDArray[np.uint8]:
    """Those of the root, which is asked about first."""
    seen: list[LeafBatch] = []

    def keep(batch: LeafBatch) -> Any:
        seen.append(batch)
        return np.full(len(batch), 0.5)

    Search(board, evaluator=keep).run(simulations=1, seed=1)
    planes: NDArray[np.uint8] = seen[0].states[0]
    return planes


def plane(picture: str) -> NDArray[np.uint8]:
    return np.array([[sign == "1" for sign in row.split()] for row in picture.strip().splitlines()], np.uint8)


LIBERTIES = """
    X O . . .
    X O . X .
    . . . . .
    O . . . .
    . . . . X
"""


@pytest.mark.parametrize("color", [Color.BLACK, Color.WHITE])
def test_planes__show_stones_and_liberties_for_the_side_to_move(color: Color) -> None:
    planes = planes_of(Board.from_text(LIBERTIES, to_play=color))
    assert planes.shape == (NUM_PLANES, 5, 5)
    black = plane("1 0 0 0 0\n1 0 0 1 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 1")
    white = plane("0 1 0 0 0\n0 1 0 0 0\n0 0 0 0 0\n1 0 0 0 0\n0 0 0 0 0")
    black_by_liberties = [
        plane("1 0 0 0 0\n1 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
        plane("0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 1"),
        plane("0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
        plane("0 0 0 0 0\n0 0 0 1 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
    ]
    white_by_liberties = [
        plane("0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
        plane("0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
        plane("0 1 0 0 0\n0 1 0 0 0\n0 0 0 0 0\n1 0 0 0 0\n0 0 0 0 0"),
        plane("0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"),
    ]
    own, theirs = (black, white) if color is Color.BLACK else (white, black)
    np.testing.assert_array_equal(planes[OWN], own)
    np.testing.assert_array_equal(planes[THEIRS], theirs)
    sides = [black_by_liberties, white_by_liberties]
    expected = np.concatenate(sides if color is Color.BLACK else sides[::-1])
    np.testing.assert_array_equal(planes[2:10], expected)
    assert planes[BLACK_TO_MOVE].all() == (color is Color.BLACK)
    assert not planes[[10, 11, 12, 13, KO, AFTER_PASS]].any()


def test_planes__every_stone_is_in_one_liberty_plane() -> None:
    rng = np.random.default_rng(1)
    board = Board(9)
    for _ in range(40):
        board.play(int(rng.choice(board.legal_moves())))
        if board.is_over:
            board.undo()
        planes = planes_of(board)
        np.testing.assert_array_equal(planes[2:6].sum(0), planes[OWN])
        np.testing.assert_array_equal(planes[6:10].sum(0), planes[THEIRS])
        for row, column in np.argwhere(planes[OWN] | planes[THEIRS]):
            liberties = min(4, len(board.liberties(int(row * 9 + column))))
            first = 2 if planes[OWN, row, column] else 6
            assert planes[first + liberties - 1, row, column] == 1


def test_planes__show_the_last_four_moves_and_a_pass_as_nothing() -> None:
    board = Board(5)
    for vertex in ("A1", "B2", "C3", "pass", "D4", "E5"):
        board.play(vertex)
    last = planes_of(board)[10:14]
    assert [np.argwhere(one).tolist() for one in last] == [[[0, 4]], [[1, 3]], [], [[2, 2]]]


def test_planes__show_the_point_of_the_ko_and_that_a_player_passed() -> None:
    board = Board(5)
    for vertex in ("b1", "c1", "a2", "d2", "b3", "c3", "c2", "b2"):  # white takes c2
        board.play(vertex)
    planes = planes_of(board)
    assert np.argwhere(planes[KO]).tolist() == [[3, 2]]
    assert not planes[AFTER_PASS].any()
    board.play("pass")
    planes = planes_of(board)
    assert planes[AFTER_PASS].all()
    assert not planes[KO].any()
    assert not planes[BLACK_TO_MOVE].any()


def test_planes__leaves_show_the_moves_that_led_to_them() -> None:
    seen: list[LeafBatch] = []

    def keep(batch: LeafBatch) -> Any:
        seen.append(batch)
        return np.full(len(batch), 0.5)

    Search(Board(5), evaluator=keep).run(simulations=100, seed=1)
    for batch in seen[1:]:
        for planes, to_play in zip(batch.states, batch.to_play.tolist(), strict=True):
            assert planes[BLACK_TO_MOVE].all() == (to_play == 0)
            assert planes[10].sum() == 1 - planes[AFTER_PASS, 0, 0]
            assert (planes[10] <= planes[THEIRS]).all(), "the last stone is the opponent's"
