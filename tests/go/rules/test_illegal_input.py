"""Bad input to `Board`: one clear error that names the value and the rule, and a board that is as it was before."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import pytest

from tesuji.go import (
    AGA,
    CHINESE,
    JAPANESE,
    NEW_ZEALAND,
    RULE_SETS,
    TROMP_TAYLOR,
    Board,
    Color,
    IllegalMove,
    Position,
    Rules,
    rules_named,
)

BLACK, WHITE = Color.BLACK, Color.WHITE

# After black's C4 white may not retake at B4 (ko); A5, A3, A1 and E2 would be suicide.
KO_AND_SUICIDE = """
    . X O . .
    X O . O .
    . X O . X
    X . . X .
    . X . . X
    """


def ko_board(rules: Rules = CHINESE) -> Board:
    board = Board.from_text(KO_AND_SUICIDE, rules=rules)
    board.play("C4")
    return board


def assert_refused(board: Board, move: object, message: str | None, error: type[Exception] = ValueError) -> None:
    """The move is refused with a message, and nothing has changed."""
    before, grid, legal = board.copy(), board.grid.tolist(), board.legal_moves().tolist()
    with pytest.raises(error, match=message):
        board.play(move)  # type: ignore[arg-type]
    assert board == before
    assert board.grid.tolist() == grid
    assert board.legal_moves().tolist() == legal
    assert (board.position.key, board.num_moves) == (before.position.key, before.num_moves)


# Moves that the rules forbid ----


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("C4", "C4 is occupied .black, move 1"),
        ("B5", "B5 is occupied .black"),
        ("C5", "C5 is occupied .white"),
        ("B4", "B4.*ko"),
        ("A1", "A1.*suicide.*chinese"),
        ("E2", "E2.*suicide"),
    ],
)
def test_play__a_forbidden_move_names_vertex_and_rule(move: str, message: str) -> None:
    assert_refused(ko_board(), move, message, IllegalMove)
    assert re.search(message, ko_board().why_illegal(move) or "")
    assert not ko_board().is_legal(move)


def test_play__a_repetition_names_the_kind_of_superko() -> None:
    for rules, kind in ((TROMP_TAYLOR, "positional"), (NEW_ZEALAND, "situational")):
        board = ko_board(rules)
        board.play("pass")
        board.play("pass")
        assert_refused(board, "B4", f"B4.*{kind} superko", IllegalMove)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_play__is_refused_alike_under_every_rule_set(rules: Rules) -> None:
    assert_refused(ko_board(rules), "C4", "occupied", IllegalMove)
    assert_refused(ko_board(rules), "B4", "ko", IllegalMove)


def test_play__a_legal_move_has_no_reason_against_it() -> None:
    assert ko_board().why_illegal("E5") is None
    assert ko_board().why_illegal("pass") is None


# Moves that are no moves ----


@pytest.mark.parametrize("point", [-1, -26, 26, 1000, 2**31 - 1, -(2**31), 2**31, -(2**63) - 1, 2**64 + 3])
def test_play__a_point_off_the_board_is_named(point: int) -> None:
    assert_refused(ko_board(), point, f"{point}.*5x5")


@pytest.mark.parametrize("move", [None, 2.5, [], b"D4", object()])
def test_play__what_is_no_move_at_all_is_a_type_error(move: object) -> None:
    assert_refused(ko_board(), move, None, TypeError)


@pytest.mark.parametrize("vertex", ["F1", "A6", "Z9", "A0", "A26"])
def test_play__a_vertex_off_the_board_names_the_board(vertex: str) -> None:
    assert_refused(ko_board(), vertex, f"{vertex}.*5x5")


@pytest.mark.parametrize("vertex", ["I5", "i1", "I19"])
def test_play__there_is_no_column_i(vertex: str) -> None:
    assert_refused(Board(19), vertex, f"{vertex}.*column.* I\\b")


NO_VERTICES = ["", " ", "D", "4", "4D", "DD4", "D4 D5", "D-4", "D+4", "D4.0", "D\0004", "passe", f"Z{10**20}"]
NO_VERTICES += ["D\N{ARABIC-INDIC DIGIT FOUR}", "\N{FULLWIDTH LATIN CAPITAL LETTER D}4", "D" * 10**6]


@pytest.mark.parametrize("vertex", NO_VERTICES, ids=lambda vertex: repr(vertex[:8]))
def test_play__text_that_is_no_vertex_is_refused_in_one_short_line(vertex: str) -> None:
    board = Board(19)
    with pytest.raises(ValueError, match=".") as caught:
        board.play(vertex)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)
    assert board == Board(19)


@pytest.mark.parametrize("color", [3, -1, 77])
def test_play__a_colour_is_black_or_white(color: int) -> None:
    board = Board(9)
    with pytest.raises(ValueError, match="colour"):
        board.play("E5", color)
    assert board == Board(9)


def test_play__numbers_of_numpy_are_numbers() -> None:
    board = Board(9)
    for move in board.legal_moves()[:3]:
        board.play(move)
    board.play(np.int64(80))
    assert [move for _, move in board.moves] == [0, 1, 2, 80]


# Sizes, rules and komi ----


@pytest.mark.parametrize(("width", "height"), [(0, 9), (9, 0), (-1, 9), (26, 26), (9, 26), (19, 10**9), (0, 0)])
def test_board__sizes_outside_1_to_25_are_refused(width: int, height: int) -> None:
    wrong = next(size for size in (width, height) if not 1 <= size <= 25)
    with pytest.raises(ValueError, match=rf"{wrong}.*1.*25"):
        Board(width, height)


@pytest.mark.parametrize("size", ["nine", 9.5, None, [9], 2**70])
def test_board__a_size_is_a_whole_number(size: object) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Board(size)  # type: ignore[arg-type]


@pytest.mark.parametrize("komi", [0.25, 6.4, -0.1, 7.5000001, math.inf, -math.inf, math.nan, "seven", "", [6.5], 1e300])
def test_komi__must_be_a_finite_multiple_of_one_half(komi: object) -> None:
    message = re.escape(repr(komi))
    with pytest.raises(ValueError, match=message):
        Board(9, komi=komi)  # type: ignore[arg-type]
    board = Board(9, komi=3.5)
    with pytest.raises(ValueError, match=message):
        board.komi = komi  # type: ignore[assignment]
    assert board.komi == 3.5


def test_komi__of_a_rule_set_is_checked_too() -> None:
    with pytest.raises(ValueError, match="0.3"):
        Rules(name="odd", komi=0.3)


def test_rules__are_found_by_name_in_any_spelling() -> None:
    assert rules_named("Chinese") is CHINESE
    assert rules_named("TROMP_TAYLOR") is TROMP_TAYLOR
    assert rules_named("new zealand") is NEW_ZEALAND
    assert [rules_named(name) for name in ("aga", " japanese ")] == [AGA, JAPANESE]
    assert Board(9, rules="japanese").rules is JAPANESE


@pytest.mark.parametrize("name", ["", "klingon", "chinese\n rules", "x" * 10**5], ids=lambda name: repr(name[:9]))
def test_rules__an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match="chinese.*japanese.*tromp-taylor.*aga.*new-zealand") as caught:
        Board(9, rules=name)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("change", [{"ko": "nearly"}, {"scoring": "stones"}, {"handicap_bonus": "n+1"}])
def test_rules__a_value_that_does_not_exist_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=re.escape(*change.values())):
        Rules(name="odd", **change)  # type: ignore[arg-type]


# Pictures, set-up and snapshots ----


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("", "row"),
        ("A B C", "row"),
        (". . .\n. .", "2.*3|3.*2"),
        (". . ?\n. . .\n. . .", r"\?"),
        ("X X\nX X", "libert"),
        (". X\nX O\n", "libert"),
        ("\n".join(["." * 26] * 26), "26"),
    ],
)
def test_from_text__a_wrong_picture_says_what_is_wrong(picture: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board.from_text(picture)


def test_place__off_board_occupied_or_breathless_stones_change_nothing() -> None:
    board = ko_board()
    before = board.copy()
    for points, message in (
        ([25], "25 is not on the 5x5 board"),
        ([-1], "-1 is not on the 5x5 board"),
        ([3, 999], "999 is not on the 5x5 board"),
        ([1], "B5 is occupied"),
        ([3, 3], "D5 is occupied"),
        (["A1"], "no liberty"),
        (["I5"], "I"),
    ):
        with pytest.raises(ValueError, match=message):
            board.place(WHITE, points)
        assert board == before


def test_place__the_colour_of_a_stone_is_black_or_white() -> None:
    board = Board(5)
    for color in (3, -1, 255):
        with pytest.raises((ValueError, OverflowError)):
            board.place(color, [7])
    assert board == Board(5)


def test_set_free_handicap__points_must_be_distinct_and_on_the_board() -> None:
    for points in ([0, 0], [81], [-1]):
        board = Board(9)
        with pytest.raises(ValueError, match="board|occupied"):
            board.set_free_handicap(points)
        assert board == Board(9)


@pytest.mark.parametrize("point", [-1, 25, 26, 10**6])
def test_questions__about_points_off_the_board_are_refused(point: int) -> None:
    board = Board(5)
    for question in (board.color_at, board.chain, board.liberties, board.in_atari, board.code3x3):
        with pytest.raises((IndexError, ValueError), match="board"):
            question(point)


def test_questions__about_an_empty_point_have_empty_answers() -> None:
    board = Board(5)
    assert board.chain(7).tolist() == board.liberties(7).tolist() == []
    assert not board.in_atari(7)


def test_to_play__is_black_or_white() -> None:
    board = Board(5)
    for color in (0, 3, -1):
        with pytest.raises(ValueError, match="colour"):
            board.color_to_play = color
    assert board == Board(5)


def test_undo__with_nothing_to_undo_says_so() -> None:
    board = Board(5)
    with pytest.raises(ValueError, match="undo"):
        board.undo()
    assert board == Board(5)


def test_pickle__of_a_tampered_position_is_refused() -> None:
    position = Board(2).position
    make, arguments = position.__reduce__()
    for index, value in ((0, 3), (0, 26), (2, b"\x03\x00\x00\x00"), (2, b""), (3, 0), (4, 4), (5, -1)):
        wrong = list(arguments)
        wrong[index] = value
        with pytest.raises((ValueError, TypeError, OverflowError)):
            make(*wrong)
    assert pickle.loads(pickle.dumps(position)) == position


def test_score__of_a_position_set_up_after_a_pass() -> None:
    """No move tells who passed, so whether white still owes a stone is open; but it can be counted."""
    board = Board(3, rules=AGA, komi=0)
    board.play("pass")
    again = board.position.board(rules=AGA, komi=0)
    assert again.passes == 1
    assert again.score().margin in (0, 1)


def test_set_up__a_position_of_another_size_is_refused() -> None:
    board = Board(5)
    with pytest.raises(ValueError, match="size|3x3|5x5"):
        board.try_set_up(Board(3).position)
    assert board == Board(5)
    assert isinstance(board.position, Position)
