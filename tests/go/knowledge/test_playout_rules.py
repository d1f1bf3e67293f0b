"""The rules of playouts that look around the last move, one picture each; and what a capture weighs."""

from __future__ import annotations

import pytest

from go.playout_pictures import PLAIN, READER, SIMPLE_KO, WHITE, assert_finds
from reference.vertices import points_at
from tesuji.go import Board
from tesuji.go.knowledge.playouts import PlayoutPolicy, candidates, run_playouts

# capture-last ----


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . . X . .
        . X o * .
        . . X . .
        """,
        """
        o * .
        X . .
        . . .
        """,
        """
        . X O O X .
        . X o O * .
        . . X X . .
        . . . . . .
        """,
        "o *",
    ],
    ids=["centre", "corner", "a whole chain", "two points"],
)
def test_capture_last__takes_the_chain_that_moved_into_atari(picture: str) -> None:
    assert_finds("capture-last", picture)


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . . X . .
        . X o . .
        . . . . .
        """,
        """
        O . . . .
        X . . . .
        . . . o .
        . . . . .
        """,
    ],
    ids=["it has two liberties", "another chain is in atari"],
)
def test_capture_last__leaves_everything_else_alone(picture: str) -> None:
    assert_finds("capture-last", picture)


def test_capture_last__does_not_retake_a_ko() -> None:
    board = Board.from_text(
        """
        . X O .
        X O . O
        . X O .
        """,
        rules=SIMPLE_KO,
    )
    board.play("C2")
    assert board.in_atari(*points_at(board, "C2"))
    assert candidates(board, "capture-last", PLAIN) == []
    assert candidates(board, "capture", PLAIN) == []


# defend ----


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . . O . .
        . O X * .
        . . o . .
        . . . . .
        """,
        """
        . O o . .
        O X X * .
        . O O . .
        . . . . .
        """,
        """
        X * .
        o . .
        . . .
        """,
    ],
    ids=["one stone", "a chain", "corner"],
)
def test_defend__runs_from_an_atari(picture: str) -> None:
    assert_finds("defend", picture)


def test_defend__takes_an_attacker_or_runs() -> None:
    assert_finds(
        "defend",
        """
        . . X . . .
        . X O * . .
        . O X * . .
        . . o . . .
        . . . . . .
        """,
    )


def test_defend__takes_an_attacker_where_running_is_of_no_use() -> None:
    assert_finds(
        "defend",
        """
        X X . .
        o * . .
        X . O .
        """,
    )


def test_defend__saves_two_chains_at_once() -> None:
    assert_finds(
        "defend",
        """
        . . * . * . .
        . O X o X O .
        . . O . O . .
        . . . . . . .
        """,
    )


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        . O o . .
        O X . . .
        """,
        """
        . . . . .
        . O o . .
        O X . O .
        """,
        """
        . . . . . .
        . O . . . o
        O X . . . .
        """,
        """
        . . . . .
        . . O . .
        . . X o .
        . . . . .
        """,
    ],
    ids=["into another atari", "into suicide", "an atari of long ago", "no atari"],
)
def test_defend__does_not_run_where_that_does_not_help(picture: str) -> None:
    assert_finds("defend", picture)


def test_defend__after_a_pass_there_is_nothing_to_defend() -> None:
    board = Board.from_text(
        """
        . . O . .
        . O X . .
        . . O . .
        """,
        to_play=WHITE,
    )
    board.play("pass")
    assert candidates(board, "defend", PLAIN) == []
    assert candidates(board, "escape", PLAIN) == points_at(board, "D2")


# Ladders ----

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . O O . . . . .
    . O X * . . . . .
    . . o . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def with_stone(picture: str, row: int, column: int, sign: str) -> str:
    lines = [line.split() for line in picture.split("\n") if line.strip()]
    lines[row][column] = sign
    return "\n".join(" ".join(line) for line in lines)


@pytest.mark.parametrize("rule", ["defend", "escape"])
def test_ladder__without_reading_the_chain_runs(rule: str) -> None:
    assert_finds(rule, LADDER, PLAIN)


@pytest.mark.parametrize("rule", ["defend", "escape"])
def test_ladder__with_reading_it_does_not(rule: str) -> None:
    assert_finds(rule, LADDER.replace("*", "."), READER)


@pytest.mark.parametrize("place", [(4, 4), (5, 4), (5, 5), (6, 6), (7, 7), (6, 5)])
def test_ladder__a_stone_in_its_way_breaks_it(place: tuple[int, int]) -> None:
    assert_finds("defend", with_stone(LADDER, *place, "X"), READER)


@pytest.mark.parametrize("place", [(4, 5), (5, 6), (6, 7), (6, 4), (7, 5)])
def test_ladder__a_stone_beside_its_way_breaks_it_by_an_atari(place: tuple[int, int]) -> None:
    assert_finds("defend", with_stone(LADDER, *place, "X"), READER)


@pytest.mark.parametrize("place", [(0, 0), (0, 8), (8, 0), (7, 2), (3, 7)])
def test_ladder__a_stone_far_from_its_way_does_not(place: tuple[int, int]) -> None:
    assert_finds("defend", with_stone(LADDER.replace("*", "."), *place, "X"), READER)


def test_ladder__taking_a_hunter_is_a_way_out() -> None:
    assert_finds(
        "defend",
        """
        . . . . . . . . .
        . . . . . . . . .
        . X O O . . . . .
        X O X * . . . . .
        . * o . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        READER,
    )


# nakade ----

NAKADE = {
    "three in a row": """
        O . * . O .
        O O O o O .
        . . . . . .
        . . . . . .
        """,
    "three bent in the corner": """
        * . O . . .
        . o O . . .
        O O . . . .
        . . . . . .
        """,
    "three bent in the centre": """
        . . O O . .
        . O . * o .
        . O O . O .
        . . . O . .
        . . . . . .
        . . . . . .
        """,
    "pyramid four": """
        . O O O O O .
        . O . * . o .
        . O O . O O .
        . . O O O . .
        . . . . . . .
        . . . . . . .
        """,
    "crossed five": """
        . . O O O . .
        . O O . O O .
        . O . * . o .
        . O O . O O .
        . . O O O . .
        . . . . . . .
        . . . . . . .
        """,
    "bulky five": """
        . O O O O O .
        . O . . O O .
        . O . * . o .
        . O O O O O .
        . . . . . . .
        . . . . . . .
        """,
    "bulky five in the corner": """
        . . O . .
        * . o . .
        . O O . .
        O O . . .
        . . . . .
        """,
    "rabbity six": """
        . . O O O . .
        . O . . O O .
        . O . * . o .
        . O O . O O .
        . . O O O . .
        . . . . . . .
        . . . . . . .
        """,
}
NO_NAKADE = {
    "two": """
        O . . O . .
        O O o O . .
        . . . . . .
        . . . . . .
        """,
    "four in a row": """
        O . . . . O
        O O O o O O
        . . . . . .
        . . . . . .
        """,
    "square four": """
        O . . O . .
        O . . o . .
        O O O O . .
        . . . . . .
        """,
    "bent four": """
        O . . . O .
        O O o . O .
        . . O O O .
        . . . . . .
        """,
    "five in a row": """
        . . . . . O
        O O O o O O
        . . . . . .
        . . . . . .
        """,
    "rectangular six": """
        . . . O . .
        . . . o . .
        O O O O . .
        . . . . . .
        """,
    "seven": """
        . . . . O .
        . . . o O .
        O O O O . .
        . . . . . .
        """,
    "three with an enemy inside": """
        O . X . O .
        O O O o O .
        . . . . . .
        . . . . . .
        """,
    "three that both colours enclose": """
        O . . . X .
        O O O o X .
        . . . . . .
        . . . . . .
        """,
    "three that the last move does not touch": """
        O . . . O .
        O O O O O .
        . . . . . .
        . . o . . .
        """,
}


@pytest.mark.parametrize("name", NAKADE)
def test_nakade__plays_the_vital_point_of_an_eye_space_at_the_last_move(name: str) -> None:
    assert_finds("nakade", NAKADE[name])


@pytest.mark.parametrize("name", NO_NAKADE)
def test_nakade__shapes_without_a_vital_point(name: str) -> None:
    assert_finds("nakade", NO_NAKADE[name])


# low-liberties ----


def test_low_liberties__attacks_from_either_side_if_it_is_the_same() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . .
        . . . . .
        . . X . .
        . * o * .
        """,
    )


def test_low_liberties__attacks_from_the_side_where_it_gains_least_by_running() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . . .
        . . . . . .
        . . X X . .
        . * o . . .
        """,
    )


def test_low_liberties__does_not_attack_what_runs_to_three_liberties() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . .
        . . X . .
        . . o . .
        . . X . .
        . . . . .
        """,
    )


def test_low_liberties__does_not_attack_with_a_stone_that_is_in_atari_itself() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . . .
        . . . . . .
        . . X . . .
        O . o * . .
        """,
    )


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . . .
        . X X X . .
        . X o . . .
        """,
        """
        . . . . . .
        . . . . . .
        . . X . . .
        . . o . . .
        . . . . . .
        """,
    ],
    ids=["in atari already", "three liberties"],
)
def test_low_liberties__attacks_chains_of_two_liberties_only(picture: str) -> None:
    assert_finds("low-liberties", picture)


def test_low_liberties__strengthens_an_own_chain_that_an_atari_would_endanger() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . . .
        . . O . . .
        . o X * . .
        . . * . . .
        """,
    )


def test_low_liberties__takes_an_attacker_of_such_a_chain() -> None:
    assert_finds(
        "low-liberties",
        """
        . X X . . .
        . X O * . .
        O o X * . .
        . . * . . .
        """,
    )


def test_low_liberties__leaves_a_chain_alone_that_runs_to_three_liberties() -> None:
    assert_finds(
        "low-liberties",
        """
        . . . . . . .
        . . . O . . .
        . . . X . . .
        . . . o . . .
        . . . . . . .
        """,
    )


# capture ----


def share_of_larger_capture(picture: str) -> float:
    """How often the rule takes two stones rather than one: in playouts of one move, told apart by what is left."""
    board = Board.from_text(picture)
    policy = PlayoutPolicy(rules=(("capture", 1.0),), length_coefficient=1.5 / board.num_points)
    margins, origins = run_playouts(board, policy, 4000, seed=1)
    assert origins["capture"] == 4000
    return float((margins == margins.max()).mean())


def test_capture__counts_the_stones_taken_and_the_own_stones_in_atari_that_it_saves() -> None:
    saving = """
        X X . . . .
        O O . . . .
        X X . . . .
        . . . . . .
        . . . . . X
        . . . . . O
        """
    assert share_of_larger_capture(saving) == pytest.approx((2 + 2) / (2 + 2 + 1), abs=0.03)
    nothing_to_save = """
        . . . . . .
        X X . . . .
        O O . . . .
        X X . . . X
        . . . . . O
        """
    assert share_of_larger_capture(nothing_to_save) == pytest.approx(2 / (2 + 1), abs=0.03)
