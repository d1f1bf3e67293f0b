"""The rules of playouts that look at patterns, captures and open space; boards too small for any."""

from __future__ import annotations

import numpy as np
import pytest

from go.playout_pictures import PLAIN, SIMPLE_KO, assert_finds, board_of, forms, marked
from reference.vertices import points_at
from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.knowledge.playouts import (
    RULES,
    PlayoutPolicy,
    candidates,
)

# pattern, pattern-own ----


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . X o X .
        . . * . .
        . . . . .
        """,
        """
        . . . . .
        . X . . .
        . o * . .
        """,
        """
        . . . . .
        . . X . .
        . O * o .
        . . . . .
        """,
    ],
    ids=["hane", "edge: chase", "cut through"],
)
def test_pattern__is_found_beside_the_last_move(picture: str) -> None:
    for signs, _ in forms(picture):
        board = board_of(signs)
        assert set(marked(signs)) <= set(candidates(board, "pattern", PLAIN)), board.to_text()


def test_pattern__is_found_on_the_eight_points_around_the_last_move_only() -> None:
    around = """
        . . . . . . .
        . . * * . . .
        . X O x . . .
        . . * * . . .
        . . . . . . .
        """
    assert_finds("pattern", around)
    assert_finds("pattern", around.replace("*", ".").replace("O x . . .", "O X . . x"))


def test_pattern__one_that_only_x_plays_is_not_found_for_o() -> None:
    assert_finds(
        "pattern",
        """
        . . . . . .
        . * * . . .
        . X o O . .
        . * * . . .
        . . . . . .
        """,
    )
    assert_finds(
        "pattern",
        """
        . . . . . .
        . * . . . .
        . x O O . .
        . * . . . .
        . . . . . .
        """,
    )


@pytest.mark.parametrize(("kind", "is_found"), [("allowed", True), ("never", False), ("small", True), ("nakade", True)])
def test_pattern__a_cut_that_would_be_a_refused_self_atari_is_left_out(kind: str, is_found: bool) -> None:
    for signs, _ in forms(
        """
        . . . . .
        . . . . .
        . X o . .
        . O * . .
        """
    ):
        found = candidates(board_of(signs), "pattern", PlayoutPolicy(self_atari=kind))
        assert (marked(signs)[0] in found) == is_found


def test_pattern_own__looks_beside_the_own_last_move() -> None:
    board = Board(9, rules=SIMPLE_KO)
    for move in ("D5", "E5", "F5", "A1"):
        board.play(move)
    assert candidates(board, "pattern", PLAIN) == []
    assert candidates(board, "pattern-own", PLAIN) == points_at(board, "E4 E6 F4 F6")


def test_pattern_own__a_board_without_two_moves_has_none() -> None:
    board = Board(9)
    assert candidates(board, "pattern-own", PLAIN) == []
    board.play("E5")
    assert candidates(board, "pattern-own", PLAIN) == []


# capture, escape ----


@pytest.mark.parametrize(
    "picture",
    [
        """
        O * . X . .
        X . X O * .
        . . . X . .
        """,
        """
        . . . . . .
        . X X X . .
        X O O O * .
        . X X X . .
        """,
        "O * .",
        """
        X . . . O X
        O . . . . .
        . . . . . .
        """,
    ],
    ids=["corner and edge", "a chain", "a line", "not one with two liberties, nor an own one"],
)
def test_capture__takes_any_chain_in_atari(picture: str) -> None:
    assert_finds("capture", picture)


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . . .
        . O . . . .
        O X * . . .
        . O . . . o
        """,
        """
        . . X . . .
        . X O * . .
        . O X * . .
        . . O . . o
        . . . . . .
        """,
        """
        . . . . . .
        O O O . . .
        O X . . . o
        """,
    ],
    ids=["runs", "takes an attacker or runs", "not into another atari"],
)
def test_escape__saves_any_own_chain_in_atari(picture: str) -> None:
    assert_finds("escape", picture)


# fill-board ----


def filled(board: Board, tries: int = 1000) -> set[int]:
    policy = PlayoutPolicy(fill_board_tries=tries).native(board.num_points)
    return {move for seed in range(300) for move in native.candidates(board, policy, RULES.index("fill-board"), seed)}


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . * * * .
        . * * * .
        . . . . .
        """,
        """
        X . . . . .
        . . * * * .
        . * * * * .
        . * * * * .
        . . . . . .
        """,
        """
        . . . . . .
        . . . * * .
        . O . * * .
        . . . * * .
        . . . . . .
        """,
        """
        . . .
        . * .
        . . .
        """,
        """
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . .
        """,
        """
        . .
        . .
        """,
        ". . . . . .",
        ".",
    ],
    ids=["empty", "a corner", "a stone", "3x3", "none left", "2x2", "one line", "1x1"],
)
def test_fill_board__finds_points_whose_eight_neighbours_are_empty(picture: str) -> None:
    for signs, _ in forms(picture):
        assert filled(board_of(signs)) == set(marked(signs))


def test_fill_board__looks_at_few_points() -> None:
    board = board_of(np.array([["."] * 19 for _ in range(19)]))
    assert filled(board, tries=0) == set()
    assert len(filled(board, tries=5)) > 20
    empty_corner = """
        X . X . X . X . X
        . X . X . X . X .
        X . X . X . . . .
        . X . X . X . . .
        X . X . X . . . .
        """
    policy = PlayoutPolicy(fill_board_tries=1).native(45)
    board = Board.from_text(empty_corner)
    found = [native.candidates(board, policy, RULES.index("fill-board"), seed) for seed in range(200)]
    assert sum(map(len, found)) < 40  # one point of the twenty-odd empty ones
    assert set(map(tuple, found)) == {(), tuple(points_at(board, "H2"))}


# Boards too small for anything ----


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 7), (3, 1)])
@pytest.mark.parametrize("rule", RULES)
def test_small_boards__every_rule_finds_legal_moves_or_none(size: tuple[int, int], rule: str) -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    for _ in range(40):
        board = Board(*size, rules=SIMPLE_KO)
        for _ in range(12):
            assert set(candidates(board, rule, PLAIN)) <= set(board.legal_moves(board.color_to_play).tolist()) - {
                board.pass_move
            }
            board.play(int(rng.choice(board.legal_moves(board.color_to_play))))
