"""The rules of playouts, one picture each: a board, the last move, the moves that the rule finds.

In pictures `x` or `o` is the stone that moved last, and `*` marks the moves expected of the other side. Every picture
is also turned, mirrored and played with exchanged colours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from reference.vertices import points_at
from tesuji._core import go as native
from tesuji.go import NEW_ZEALAND, Board, Color, Rules
from tesuji.go.knowledge import GoGame
from tesuji.go.playouts import (
    CAPTURE_ESCAPE_PATTERN,
    FUEGO,
    MOGO,
    ORIGINS,
    POLICIES,
    RULES,
    UNIFORM,
    URGENCY,
    PlayoutPolicy,
    candidates,
    run_playouts,
)
from tesuji.search import RAVE, Search, SearchConfig

BLACK, WHITE = Color.BLACK, Color.WHITE
PLAIN = PlayoutPolicy()  # refuses nothing, reads nothing
READER = PlayoutPolicy(reads_ladders=True)
SIMPLE_KO = Rules(
    name="simple ko", scoring="area", ko="simple", suicide=False, pass_stones=False, handicap_bonus="none", komi=0.0
)


def forms(picture: str) -> Iterator[tuple[np.ndarray, Color]]:
    """The signs of a picture in all eight positions and both colourings, and the colour of its X."""
    signs = np.array([line.split() for line in picture.split("\n") if line.strip()])
    for start in (signs, signs.T):
        for quarter in range(4):
            turned = np.rot90(start, quarter)
            yield turned, BLACK
            yield np.array([[sign.translate(str.maketrans("XOxo", "OXox")) for sign in row] for row in turned]), WHITE


def board_of(signs: np.ndarray, to_play: Color = BLACK) -> Board:
    """The board of a picture's signs. If it has a last move, that is played and the other side is to move."""
    last = np.flatnonzero(np.isin(signs.reshape(-1), ["x", "o"]))
    rows = "\n".join(" ".join(sign if sign in "XO" else "." for sign in row) for row in signs)
    if last.size == 0:
        return Board.from_text(rows, to_play=to_play, rules=SIMPLE_KO)
    mover = BLACK if signs.reshape(-1)[last[0]] == "x" else WHITE
    board = Board.from_text(rows, to_play=mover, rules=SIMPLE_KO)
    board.play(int(last[0]))
    return board


def marked(signs: np.ndarray) -> list[int]:
    return np.flatnonzero(signs.reshape(-1) == "*").tolist()


def assert_finds(rule: str, picture: str, policy: PlayoutPolicy = PLAIN) -> None:
    for signs, me in forms(picture):
        board = board_of(signs, me)
        assert candidates(board, rule, policy) == marked(signs), board.to_text()


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
            assert set(candidates(board, rule, PLAIN)) <= set(board.legal_moves().tolist()) - {board.pass_move}
            board.play(int(rng.choice(board.legal_moves())))


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
    "three in a row, the last at the end": (
        """
        . . . . . . .
        O O O O O O .
        O X X * . O .
        """,
        "ynny",
    ),
    "three in a row, the last in the middle": (
        """
        . . . . . . .
        O O O O O O .
        O X * X . O .
        """,
        "ynny",
    ),
    "three bent, the last at the end": (
        """
        O O O . . .
        O X O O O .
        O X * . O .
        """,
        "ynny",
    ),
    "three bent, the last in the corner": (
        """
        O O O . . .
        O X O O O .
        O * X . O .
        """,
        "ynnn",
    ),
    "pyramid four": (
        """
        . O O O . . .
        O O X O O O .
        O X X * . O .
        """,
        "ynny",
    ),
    "square four": (
        """
        O O O O . .
        O X X O O .
        O X * . O .
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
        O O O O . . .
        O X X O O O .
        O X X * . O .
        """,
        "ynny",
    ),
    "crossed five": (
        """
        . O O O . . .
        O O X O O . .
        O X X * . O .
        O O X O O . .
        . O O O . . .
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
        O O O O . . .
        O X X O O . .
        O X X * . O .
        O O X O O . .
        . O O O . . .
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


# What a single move does: playouts of length one, told apart by the margin that they leave ----


def one_move(policy: PlayoutPolicy, board: Board) -> PlayoutPolicy:
    return replace(policy, length_coefficient=1.5 / board.num_points)


def margins_of_one_move(board: Board, policy: PlayoutPolicy, playouts: int = 2000, seed: int = 1) -> dict[int, float]:
    """How often each margin is left, as a share."""
    margins, _ = run_playouts(board, one_move(policy, board), playouts, seed=seed)
    values, counts = np.unique(margins, return_counts=True)
    return {int(value): count / playouts for value, count in zip(values, counts, strict=True)}


ONE_MOVE_IN_A_CORNER = """
    . . O
    O O O
    """


@pytest.mark.parametrize(("probability", "origin"), [(1.0, "pass"), (0.0, "random")])
def test_self_atari_probability__of_refusing_random_moves(probability: float, origin: str) -> None:
    board = Board.from_text(ONE_MOVE_IN_A_CORNER)
    policy = PlayoutPolicy(self_atari="never", self_atari_probability=probability)
    _, origins = run_playouts(board, one_move(policy, board), 50, seed=1)
    assert origins[origin] == 50


def test_self_atari_probability__in_between_refuses_sometimes() -> None:
    board = Board.from_text(ONE_MOVE_IN_A_CORNER)
    policy = PlayoutPolicy(self_atari="never", self_atari_probability=0.75)
    _, origins = run_playouts(board, one_move(policy, board), 4000, seed=1)
    assert origins["pass"] / 4000 == pytest.approx(0.75, abs=0.03)


def test_mends_eyes__a_random_move_with_one_empty_neighbour_goes_there() -> None:
    board = Board.from_text("O . . .")
    # B1 takes the stone, C1 and D1 do not; with mending D1 becomes C1. B1 stays: it captures.
    assert margins_of_one_move(board, PLAIN).keys() == {4, 1, 0}
    assert margins_of_one_move(board, replace(PLAIN, mends_eyes=True)).keys() == {4, 1}


def test_mends_eyes__not_where_the_neighbour_has_no_other_empty_point() -> None:
    board = Board.from_text("O . .")
    assert margins_of_one_move(board, replace(PLAIN, mends_eyes=True)).keys() == {3, 0}


# A chain of four and one of one, both in atari; the margins after taking them differ.
FOUR_OR_ONE = """
    O O O O . X
    X X X X . X
    X . . . . X
    O . X . . X
    """


@pytest.mark.parametrize(
    "policy",
    [PlayoutPolicy(rules=(("capture", 1.0),)), replace(CAPTURE_ESCAPE_PATTERN, list_limit=0)],
    ids=["ordered", "weighted"],
)
def test_capture__a_chain_is_taken_as_often_as_it_has_stones(policy: PlayoutPolicy) -> None:
    shares = margins_of_one_move(Board.from_text(FOUR_OR_ONE), policy)
    assert sorted(shares.values()) == pytest.approx([1 / 5, 4 / 5], abs=0.03)


def test_weighted__an_escape_that_captures_counts_for_both_chains_and_again_as_a_capture() -> None:
    board = Board.from_text(
        """
        . . X . . . .
        . X O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        """
    )
    # Running counts 1; taking the attacker 1 + 1 as an escape and 1 as a capture.
    shares = margins_of_one_move(board, replace(CAPTURE_ESCAPE_PATTERN, list_limit=0))
    assert sorted(shares.values()) == pytest.approx([1 / 4, 3 / 4], abs=0.03)


def test_escape__an_attacker_that_touches_the_chain_at_three_places_is_taken_once() -> None:
    board = Board.from_text(
        """
        . O O O X X .
        O X X X O . .
        . O O . O . .
        . . . . . . .
        """
    )
    found = native.candidates(board, PLAIN.native(board.num_points), RULES.index("escape"))
    assert found == points_at(board, "A4")


def test_urgency__weighs_captures_by_their_stones() -> None:
    board = Board.from_text(
        """
        O O O . X
        X X X X .
        . . . . .
        """
    )
    # Taking three stones weighs 31, each of the other six points 1.
    shares = margins_of_one_move(board, replace(URGENCY, pattern_urgency=0.0), playouts=4000)
    assert max(shares.values()) == pytest.approx(31 / 37, abs=0.03)


def test_urgency__looks_at_every_point_of_the_largest_board() -> None:
    rows = [["."] * 25 for _ in range(25)]
    rows[24][23:] = ["X", "O"]
    board = Board.from_text("\n".join(" ".join(row) for row in rows))
    assert len(margins_of_one_move(board, URGENCY)) == 2  # taking the corner stone weighs 11 of some 640


def test_margin_weight__is_the_share_of_the_margin_in_a_playouts_value() -> None:
    board = Board.from_text(
        """
        . X .
        X X X
        . X .
        """,
        komi=3.0,
    )
    # Nothing but passing is left, and the first simulation is one playout: black wins by six points of nine.
    for weight in (0.0, 0.02, 0.5, 1.0):
        found = Search(GoGame(board, PlayoutPolicy(margin_weight=weight))).run(simulations=1, seed=1)
        assert float(found.values[0]) == pytest.approx((1 - weight) + weight * (0.5 + 0.5 * 6 / 9), abs=1e-6)


# Methods, origins, ends ----


def moves_of(origins: dict[str, int]) -> int:
    return sum(origins.values())


@pytest.mark.parametrize("rule", RULES)
def test_origins__a_rule_is_counted_where_it_moves_and_not_where_it_is_off(rule: str) -> None:
    _, on = run_playouts(Board(9), PlayoutPolicy(rules=((rule, 1.0),)), 30, seed=1)
    _, off = run_playouts(Board(9), PlayoutPolicy(rules=((rule, 0.0),)), 30, seed=1)
    assert on[rule] > 0
    assert {name for name, count in on.items() if count} == {rule, "random", "pass"}
    assert {name for name, count in off.items() if count} == {"random", "pass"}


def test_origins__a_rule_is_tried_as_often_as_its_probability_says() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    policy = PlayoutPolicy(rules=(("capture", 0.3),))
    _, origins = run_playouts(board, one_move(policy, board), 4000, seed=1)
    assert origins["capture"] / 4000 == pytest.approx(0.3, abs=0.03)
    assert moves_of(origins) == 4000


def test_ordered__the_first_rule_that_finds_a_move_plays_it() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    for order, first in ((("capture", "fill-board"), "capture"), (("nakade", "capture"), "capture")):
        policy = PlayoutPolicy(rules=tuple((rule, 1.0) for rule in order))
        _, origins = run_playouts(board, one_move(policy, board), 100, seed=1)
        assert origins[first] == 100


LONG_LIST = """
    . . . . . . . . .
    . O O O O O . . .
    O X X X X X . . .
    . O O O O O . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_weighted__fill_board_is_tried_only_while_the_list_is_shorter_than_its_limit() -> None:
    board = Board.from_text(LONG_LIST)  # one escape, of five stones
    for limit, is_filled in ((5, False), (6, True)):
        policy = replace(CAPTURE_ESCAPE_PATTERN, list_limit=limit, fill_board_tries=1000)
        _, origins = run_playouts(board, one_move(policy, board), 200, seed=1)
        assert (origins["fill-board"] > 0) == is_filled
        assert origins["escape"] > 0


@pytest.mark.parametrize("policy", [CAPTURE_ESCAPE_PATTERN, URGENCY], ids=["weighted", "urgency"])
def test_origins__captures_are_counted_as_captures(policy: PlayoutPolicy) -> None:
    _, origins = run_playouts(Board(9), policy, 50, seed=1)
    assert origins["capture"] > 0


def test_uniform__has_random_moves_and_passes_only() -> None:
    _, origins = run_playouts(Board(9), UNIFORM, 50, seed=1)
    assert {name for name, count in origins.items() if count} == {"random", "pass"}
    assert tuple(origins) == ORIGINS


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_length_coefficient__limits_the_moves_of_a_playout(policy: PlayoutPolicy) -> None:
    _, origins = run_playouts(Board(9), replace(policy, length_coefficient=0.5), 20, seed=1)
    assert moves_of(origins) == 20 * 40  # half of 81, and nobody passes so early
    margins, origins = run_playouts(Board(9), replace(policy, length_coefficient=0.001), 20, seed=1)
    assert moves_of(origins) == 0
    assert not margins.any()


def test_mercy__ends_a_playout_when_one_side_has_enough_stones_more() -> None:
    _, origins = run_playouts(Board(9), replace(MOGO, mercy=0.001), 20, seed=1)  # at least one stone
    assert moves_of(origins) == 20
    margins, short = run_playouts(Board(9), replace(MOGO, mercy=0.2), 100, seed=1)
    _, whole = run_playouts(Board(9), MOGO, 100, seed=1)
    assert moves_of(short) < 0.9 * moves_of(whole)
    assert np.abs(margins).min() > 0


@pytest.mark.parametrize(
    "picture",
    [
        ".",
        """
        . X .
        X X X
        """,
        """
        . X O .
        X X O O
        . X O .
        """,
    ],
    ids=["1x1", "two eyes", "two eyes each"],
)
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_no_legal_move__every_rule_finds_none_and_playouts_pass(picture: str, to_play: Color) -> None:
    board = Board.from_text(picture, to_play=to_play, rules=SIMPLE_KO)
    for name, policy in POLICIES.items():
        assert all(candidates(board, rule, policy) == [] for rule in RULES)
        margins, origins = run_playouts(board, policy, 10, seed=1)
        assert origins == dict.fromkeys(ORIGINS, 0) | {"pass": 20}, name
        assert len(set(margins.tolist())) == 1


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_run_playouts__one_seed_gives_one_result_and_another_gives_another(policy: PlayoutPolicy) -> None:
    margins, origins = run_playouts(Board(9), policy, 30, seed=7)
    again, same = run_playouts(Board(9), policy, 30, seed=7)
    other, _ = run_playouts(Board(9), policy, 30, seed=8)
    assert np.array_equal(margins, again)
    assert origins == same
    assert not np.array_equal(margins, other)


def test_run_playouts__leaves_the_board_as_it_was() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    before = board.copy()
    run_playouts(board, FUEGO, 5, seed=1)
    candidates(board, "escape", READER)
    assert board == before


SIZES = [(1, 1), (1, 2), (2, 2), (3, 3), (1, 9), (9, 1), (5, 7), (9, 9), (13, 13), (19, 5), (19, 19), (25, 3), (25, 25)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_policies__play_out_boards_of_every_size(size: tuple[int, int], policy: PlayoutPolicy) -> None:
    """That every move of these playouts is legal is asked in core/tests/test_tactics.cpp."""
    board = Board(*size)
    for _ in range(2):
        margins, origins = run_playouts(board, policy, 5, seed=3)
        assert np.abs(margins).max() <= board.num_points
        assert moves_of(origins) <= 5 * max(1, policy.length_coefficient * board.num_points)
        board.play("pass")


CHOICES = st.lists(st.integers(0, 2**16), max_size=50)


@given(
    size=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    choices=CHOICES,
    policy=st.sampled_from([PLAIN, READER, *POLICIES.values(), PlayoutPolicy(self_atari="never")]),
    rules=st.sampled_from([SIMPLE_KO, NEW_ZEALAND]),
)
@settings(max_examples=150, deadline=None)
def test_candidates__are_legal_and_do_what_their_rule_says(
    size: tuple[int, int], choices: list[int], policy: PlayoutPolicy, rules: Rules
) -> None:
    board = Board(*size, rules=rules)
    for choice in choices:
        moves = board.legal_moves().tolist()
        board.play(moves[choice % len(moves)])
    # Playouts observe the simple ko and play no suicide; a superko of the rules is the tree's affair.
    now = board.position.board(rules=SIMPLE_KO)
    legal = set(now.legal_moves().tolist()) - {board.pass_move}
    found = {rule: set(candidates(board, rule, policy)) for rule in RULES}
    for rule, moves in found.items():
        assert moves <= legal, rule
    takes = {move for move in legal if stones_taken(now, move) > 0}
    assert found["capture"] == takes
    assert found["capture-last"] <= takes
    assert found["defend"] <= found["escape"]
    for move in found["escape"] - takes:
        after = now.copy()
        after.play(move)
        assert len(after.liberties(move)) >= 2
    for move in found["fill-board"]:
        assert now.code3x3(move) == 0


def stones_taken(board: Board, move: int) -> int:
    after = board.copy()
    enemy = Color(3 - board.to_play)
    before = after.captured(enemy)
    after.play(move)
    return after.captured(enemy) - before


# Bad input ----


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rules": (("ladder", 1.0),)}, "'ladder' is no rule of playouts; choose from capture-last, defend"),
        ({"rules": (("random", 1.0),)}, "'random' is no rule of playouts; choose from capture-last, defend"),
        ({"rules": (("capture", 1.5),)}, "the probability of 'capture' is 1.5; it must lie in 0..1"),
        ({"rules": (("capture", -0.1),)}, "the probability of 'capture' is -0.1; it must lie in 0..1"),
        ({"rules": (("capture", math.nan),)}, "the probability of 'capture' is nan; it must lie in 0..1"),
        ({"rules": (("capture", math.inf),)}, "the probability of 'capture' is inf; it must lie in 0..1"),
        ({"rules": (("capture", "often"),)}, "the probability of 'capture' is 'often'; it must lie in 0..1"),
        ({"method": "random"}, "method is 'random'; choose from ordered, weighted, urgency"),
        ({"self_atari": "maybe"}, "self_atari is 'maybe'; choose from allowed, never, small, nakade"),
        ({"self_atari_probability": 2.0}, "self_atari_probability is 2.0; it must lie in 0..1"),
        ({"mercy": -0.5}, "mercy is -0.5; it must lie in 0..1"),
        ({"margin_weight": math.nan}, "margin_weight is nan; it must lie in 0..1"),
        ({"fill_board_tries": -1}, "fill_board_tries is -1; it must lie in 0..1,000"),
        ({"list_limit": -1}, "list_limit is -1; it must lie in 0..1,000,000"),
        ({"length_coefficient": 0.0}, "length_coefficient is 0.0; it must lie in 0.0001..100"),
        ({"length_coefficient": math.nan}, "length_coefficient is nan; it must lie in 0.0001..100"),
        ({"pattern_urgency": -1.0}, "pattern_urgency is -1.0; it must lie in 0..1,000,000"),
    ],
)
def test_policy__bad_values_are_named_with_their_rule_and_remedy(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        PlayoutPolicy(**fields)


def test_policy__no_rules_is_uniform_play() -> None:
    assert PlayoutPolicy(rules=()).is_uniform
    assert PlayoutPolicy() == UNIFORM
    assert not MOGO.is_uniform


def test_candidates__an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match="'atari' is no rule of playouts; choose from capture-last"):
        candidates(Board(9), "atari")


@pytest.mark.parametrize("playouts", [0, -3])
def test_run_playouts__there_must_be_some(playouts: int) -> None:
    with pytest.raises(ValueError, match=f"playouts is {playouts}; it must be at least 1"):
        run_playouts(Board(9), MOGO, playouts, seed=1)


def test_amaf_share__amaf_hears_the_first_moves_of_a_playout_only() -> None:
    def amaf_visits(share: float) -> int:
        policy = replace(PLAIN, amaf_share=share, self_atari="never")  # not the uniform policy, which has no such limit
        config = SearchConfig(amaf=RAVE())
        return int(Search(GoGame(Board(5), policy), config).run(simulations=200, seed=1).amaf_visits.sum())

    none, half, all_of_them = amaf_visits(0.0), amaf_visits(0.5), amaf_visits(100.0)
    assert none < half < all_of_them
    assert none >= 200  # the moves of the tree itself
