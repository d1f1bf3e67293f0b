"""Groups of moves by where they are: the border, the last moves, neighbouring stones; in pictures."""

from __future__ import annotations

import pytest

from go.group_pictures import assert_groups
from reference.vertices import points_at
from tesuji.go import Board, Color
from tesuji.go.knowledge.groups import (
    Border,
    EnemyNeighbours,
    FriendlyNeighbours,
    ManhattanEnemy,
    ManhattanFriendly,
    ManhattanTotal,
    find,
)

# border ----


def test_border__is_the_edge_line() -> None:
    assert_groups(
        Border(),
        """
        * * * * *
        * . . . *
        * . . . *
        * * * * *
        """,
    )


def test_border__leaves_stones_out() -> None:
    assert_groups(
        Border(),
        """
        * X O * *
        O . . . *
        * . X . *
        * . . . X
        * * * * *
        """,
    )


def test_border__a_distance_of_one_takes_the_second_line_in() -> None:
    assert_groups(
        Border(distance=1),
        """
        * * * * * *
        * * * * * *
        * * . . * *
        * * . . * *
        * * * * * *
        * * * * * *
        """,
    )


def test_border__has_no_own_eye_and_no_suicide() -> None:
    assert_groups(
        Border(),
        """
        . X * O .
        X X . O O
        * * * * *
        """,
    )


# manhattan-enemy ----


def test_manhattan_enemy__is_a_diamond_around_the_enemys_last_move() -> None:
    assert_groups(
        ManhattanEnemy(distance=2),
        """
        . . . . . . .
        . . . * . . .
        . . * * * . .
        . * * o * * .
        . . * * * . .
        . . . * . . .
        . . . . . . .
        """,
    )


def test_manhattan_enemy__ends_at_the_edge_and_at_stones() -> None:
    assert_groups(
        ManhattanEnemy(),
        """
        O o * * * .
        * X * * . .
        * * X . . .
        . * . . . .
        . . . . . .
        """,
    )


def test_manhattan_enemy__distance_one_is_the_neighbours() -> None:
    assert_groups(
        ManhattanEnemy(distance=1),
        """
        . * . .
        * o * .
        . * . .
        """,
    )


@pytest.mark.parametrize("row", [ManhattanEnemy(), ManhattanFriendly(), ManhattanTotal()])
def test_manhattan__there_is_no_group_before_the_first_move(row: ManhattanEnemy) -> None:
    assert find(Board(5), [row]) == []


def test_manhattan_enemy__there_is_no_group_after_a_pass() -> None:
    assert_groups(
        ManhattanEnemy(),
        """
        . . . . .
        . . . x .
        . . . . .
        """,
    )


# manhattan-friendly ----


def test_manhattan_friendly__is_a_diamond_around_the_own_last_move() -> None:
    assert_groups(
        ManhattanFriendly(distance=2),
        """
        . . * . . . .
        . * * * . . .
        * * x * * . .
        . * * * . o .
        . . * . . . .
        . . . . . . .
        """,
    )


def test_manhattan_friendly__is_there_after_the_enemys_pass() -> None:
    assert_groups(
        ManhattanFriendly(distance=1),
        """
        . * . . .
        * x * . .
        . * O . .
        """,
    )


def test_manhattan_friendly__there_is_none_while_only_the_enemy_has_moved() -> None:
    assert_groups(
        ManhattanFriendly(),
        """
        . . . . .
        . . o . .
        . . . . .
        """,
    )


def test_manhattan_friendly__the_own_stone_may_have_been_taken() -> None:
    board = Board.from_text(
        """
        . O O . .
        O X . . .
        . O O . .
        """,
        to_play=Color.BLACK,
    )
    board.play("C2")
    board.play("D2")
    (group,) = find(board, [ManhattanFriendly(distance=1)])
    assert group.moves == points_at(board, "B2 C2")


# manhattan-total ----


def test_manhattan_total__is_both_diamonds() -> None:
    assert_groups(
        ManhattanTotal(distance=1),
        """
        . * . . . .
        * x * . . .
        . * . . * .
        . . . * o *
        . . . . * .
        """,
    )


def test_manhattan_total__holds_a_point_of_both_once() -> None:
    assert_groups(
        ManhattanTotal(distance=2),
        """
        . . . * . * . .
        . . * * * * * .
        . * * x * o * *
        . . * * * * * .
        . . . * . * . .
        """,
    )


# enemy-neighbours, friendly-neighbours ----


def test_enemy_neighbours__are_the_points_beside_enemy_stones() -> None:
    assert_groups(
        EnemyNeighbours(),
        """
        . . * . . .
        . * O X . .
        . . * . * .
        X . . * O *
        . . . . * .
        """,
    )


def test_enemy_neighbours__may_be_asked_for_two_stones() -> None:
    assert_groups(
        EnemyNeighbours(min_stones=2),
        """
        . . . . . .
        . O * O . .
        . * . . . .
        . O . . O *
        . . . . * O
        """,
    )


def test_enemy_neighbours__have_no_suicide() -> None:
    assert_groups(
        EnemyNeighbours(),
        """
        . O * .
        O * . .
        * . . .
        """,
    )


def test_friendly_neighbours__are_the_points_beside_own_stones() -> None:
    assert_groups(
        FriendlyNeighbours(),
        """
        . . * . . .
        . * X O . .
        . . * . * .
        O . . * X *
        . . . . * .
        """,
    )


def test_friendly_neighbours__have_no_own_eye() -> None:
    assert_groups(
        FriendlyNeighbours(),
        """
        . X * .
        X X * .
        * * . .
        """,
    )


def test_friendly_neighbours__may_be_asked_for_three_stones() -> None:
    assert_groups(
        FriendlyNeighbours(min_stones=3),
        """
        . . X . . .
        . X * X . .
        . . . X . .
        . X . . . .
        . . . . . .
        """,
    )
