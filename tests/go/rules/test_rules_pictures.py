"""The rules of play, one picture each: ko and its relatives, snapback, suicide, passing, set-up stones.

Every expectation is read off the picture by the rules of Go. Life and seki have their pictures in
`test_life_pictures.py`, counting in `test_score_pictures.py`.
"""

from __future__ import annotations

import pytest

from reference.vertices import points_at
from tesuji.go import (
    AGA,
    CHINESE,
    JAPANESE,
    NEW_ZEALAND,
    TROMP_TAYLOR,
    Board,
    Color,
    IllegalMove,
    Rules,
)

BLACK, WHITE = Color.BLACK, Color.WHITE


def rules(ko: str, *, suicide: bool = False) -> Rules:
    """Area rules with this ko rule."""
    return Rules(
        name="picture", scoring="area", ko=ko, suicide=suicide, pass_stones=False, handicap_bonus="none", komi=0.0
    )


def board_of(picture: str, *, to_play: Color = BLACK, rules: Rules = CHINESE) -> Board:
    return Board.from_text(picture, to_play=to_play, rules=rules)


def play(board: Board, *vertices: str) -> None:
    for vertex in vertices:
        board.play(vertex)


def assert_picture(board: Board, picture: str) -> None:
    rows = [[".XO".index(mark) for mark in line.split()] for line in picture.split("\n") if line.strip()]
    assert board.grid.tolist() == rows


# Ko ----

KO = """
. X O .
X O . O
. X O .
. . . .
"""


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_play__retaking_a_ko_is_illegal(ko: str) -> None:
    board = board_of(KO, rules=rules(ko))
    play(board, "C3")
    assert_picture(
        board,
        """
        . X O .
        X . X O
        . X O .
        . . . .
        """,
    )
    assert [board.ko] == points_at(board, "B3")
    assert not board.is_legal("B3")
    with pytest.raises(IllegalMove, match="B3.*ko"):
        board.play("B3")


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_play__a_ko_may_be_retaken_after_a_threat_and_its_answer(ko: str) -> None:
    board = board_of(KO, rules=rules(ko))
    play(board, "C3", "A1", "D1", "B3")
    assert_picture(
        board,
        """
        . X O .
        X O . O
        . X O .
        O . . X
        """,
    )
    assert [board.ko] == points_at(board, "C3")
    assert not board.is_legal("C3")


def test_play__a_simple_ko_may_be_retaken_after_two_passes() -> None:
    board = board_of(KO, rules=rules("simple"))
    play(board, "C3", "pass", "pass")
    assert board.ko is None
    assert board.is_legal("B3")


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_play__superko_keeps_a_ko_closed_after_two_passes(ko: str) -> None:
    board = board_of(KO, rules=rules(ko))
    play(board, "C3", "pass", "pass")
    with pytest.raises(IllegalMove, match="B3.*superko"):
        board.play("B3")


def test_play__the_side_that_took_a_ko_may_fill_it() -> None:
    board = board_of(KO, rules=rules("positional"))
    play(board, "C3")
    assert board.is_legal("B3", BLACK)
    assert not board.is_legal("B3", WHITE)


def test_play__taking_two_stones_is_no_ko() -> None:
    board = board_of(
        """
        . X X O .
        X O O . O
        . X X O .
        . . . . .
        """
    )
    play(board, "D3")
    assert board.captured(WHITE) == 2
    assert board.ko is None
    play(board, "C3")  # takes the capturing stone at once, and has two liberties itself
    assert board.captured(BLACK) == 1
    assert board.ko is None


def test_play__taking_one_stone_with_a_chain_of_two_is_no_ko() -> None:
    board = board_of(
        """
        . X O O .
        X O . X O
        . X O O .
        . . . . .
        """
    )
    play(board, "C3")
    assert board.captured(WHITE) == 1
    assert board.ko is None
    play(board, "B3")  # takes both stones back at once
    assert board.captured(BLACK) == 2


def test_play__snapback_takes_the_capturing_stones() -> None:
    board = board_of(
        """
        X O . . X .
        X O O O X .
        X X X X . .
        """,
        rules=rules("positional"),
    )
    play(board, "C3")  # thrown in
    assert board.in_atari(points_at(board, "C3")[0])
    play(board, "D3")
    assert board.captured(BLACK) == 1
    assert board.ko is None
    play(board, "C3")
    assert board.captured(WHITE) == 5
    assert_picture(
        board,
        """
        X . X . X .
        X . . . X .
        X X X X . .
        """,
    )


# Several kos ----

DOUBLE_KO = """
X O . O . O X . X
X X O O . O O X X
. . . . . . . . .
"""


def test_play__double_ko_gives_each_side_a_ko_to_take() -> None:
    board = board_of(DOUBLE_KO, rules=rules("simple"))
    play(board, "C3")  # black takes the left ko
    assert not board.is_legal("B3")
    play(board, "H3")  # white takes the right one instead
    assert not board.is_legal("G3")
    play(board, "pass", "B3", "G3")  # white retakes the left, black the right: the picture is back
    assert_picture(board, DOUBLE_KO)


@pytest.mark.parametrize(("ko", "legal"), [("simple", True), ("positional", False), ("situational", True)])
def test_play__double_ko_comes_back_with_the_other_side_to_move(ko: str, legal: bool) -> None:
    board = board_of(DOUBLE_KO, rules=rules(ko))
    play(board, "C3", "H3", "pass", "B3")
    assert board.is_legal("G3") is legal


TRIPLE_KO = """
X O . O . O X . X . X O . O
X X O O . O O X X . X X O O
. . . . . . . . . . . . . .
"""


@pytest.mark.parametrize(("ko", "legal"), [("simple", True), ("positional", False), ("situational", False)])
def test_play__triple_ko_runs_round_unless_superko_stops_it(ko: str, legal: bool) -> None:
    board = board_of(TRIPLE_KO, rules=rules(ko))
    play(board, "C3", "H3", "N3", "B3", "G3")
    assert board.is_legal("M3") is legal
    if legal:
        play(board, "M3")
        assert_picture(board, TRIPLE_KO)
        play(board, "C3", "H3")  # and round again
    else:
        with pytest.raises(IllegalMove, match="M3.*superko"):
            board.play("M3")


SEND_TWO_RETURN_ONE = """
O . X . X
O O O X X
. . . . .
"""


@pytest.mark.parametrize(("ko", "legal"), [("simple", True), ("positional", False), ("situational", True)])
def test_play__send_two_return_one(ko: str, legal: bool) -> None:
    board = board_of(SEND_TWO_RETURN_ONE, rules=rules(ko))
    play(board, "B3")  # black sends two
    play(board, "D3")
    assert board.captured(BLACK) == 2
    assert board.ko is None
    assert board.is_legal("C3") is legal  # returns one: the picture comes back, with white to move
    if legal:
        play(board, "C3")
        assert board.captured(WHITE) == 1
        assert_picture(board, SEND_TWO_RETURN_ONE)


@pytest.mark.parametrize(("ko", "legal"), [("simple", True), ("situational", False)])
def test_play__send_two_return_one_may_go_on_for_ever_only_under_simple_ko(ko: str, legal: bool) -> None:
    board = board_of(SEND_TWO_RETURN_ONE, rules=rules(ko))
    play(board, "B3", "D3", "C3", "pass")
    assert board.is_legal("B3") is legal


# Suicide ----

ONE_STONE_SUICIDE = """
. X . .
X . X .
. X . .
"""


@pytest.mark.parametrize("named", [CHINESE, JAPANESE, AGA], ids=lambda rules: rules.name)
def test_play__one_stone_suicide_is_illegal_where_the_rules_forbid_it(named: Rules) -> None:
    board = board_of(ONE_STONE_SUICIDE, to_play=WHITE, rules=named)
    with pytest.raises(IllegalMove, match="B2.*suicide"):
        board.play("B2")
    assert board.is_legal("B2", BLACK)


def test_play__one_stone_suicide_is_illegal_under_tromp_taylor_because_nothing_changes() -> None:
    board = board_of(ONE_STONE_SUICIDE, to_play=WHITE, rules=TROMP_TAYLOR)
    with pytest.raises(IllegalMove, match="B2.*superko"):
        board.play("B2")


def test_play__one_stone_suicide_is_a_kind_of_pass_in_new_zealand() -> None:
    board = board_of(ONE_STONE_SUICIDE, to_play=WHITE, rules=NEW_ZEALAND)
    play(board, "B2")
    assert_picture(board, ONE_STONE_SUICIDE)
    assert (board.captured(WHITE), board.color_to_play, board.passes) == (1, BLACK, 0)
    play(board, "pass")
    assert not board.is_legal("B2")  # the same stones with black to move again


TWO_STONE_SUICIDE = """
O . X .
X X . .
. . . .
"""


@pytest.mark.parametrize("named", [CHINESE, JAPANESE, AGA], ids=lambda rules: rules.name)
def test_play__suicide_of_many_is_illegal_where_the_rules_forbid_it(named: Rules) -> None:
    board = board_of(TWO_STONE_SUICIDE, to_play=WHITE, rules=named)
    with pytest.raises(IllegalMove, match="B3.*suicide"):
        board.play("B3")


@pytest.mark.parametrize("named", [TROMP_TAYLOR, NEW_ZEALAND], ids=lambda rules: rules.name)
def test_play__suicide_of_many_takes_the_whole_chain_off(named: Rules) -> None:
    board = board_of(TWO_STONE_SUICIDE, to_play=WHITE, rules=named)
    play(board, "B3")
    assert_picture(
        board,
        """
        . . X .
        X X . .
        . . . .
        """,
    )
    assert (board.captured(WHITE), board.captured(BLACK)) == (2, 0)
    board.undo()
    assert_picture(board, TWO_STONE_SUICIDE)
    assert board.captured(WHITE) == 0


def test_play__a_move_that_captures_is_no_suicide() -> None:
    board = board_of(
        """
        . O X .
        O X X .
        X X . .
        . . . .
        """,
        to_play=BLACK,
        rules=JAPANESE,
    )
    play(board, "A4")
    assert board.captured(WHITE) == 2
    assert_picture(
        board,
        """
        X . X .
        . X X .
        X X . .
        . . . .
        """,
    )


def test_play__joining_a_chain_with_another_liberty_is_no_suicide() -> None:
    board = board_of(
        """
        . O . X
        O O X X
        X X X .
        """,
        to_play=WHITE,
    )
    play(board, "C3", "pass")
    assert board.liberties(points_at(board, "C3")[0]).tolist() == points_at(board, "A3")
    with pytest.raises(IllegalMove, match="A3.*suicide"):  # the last liberty
        board.play("A3")


def test_play__on_one_point_only_new_zealand_lets_a_stone_be_played() -> None:
    legal = [board.legal_moves().tolist() for board in (Board(1, rules=r) for r in (CHINESE, JAPANESE, AGA))]
    assert legal == [[1], [1], [1]]
    assert Board(1, rules=TROMP_TAYLOR).legal_moves().tolist() == [1]
    board = Board(1, rules=NEW_ZEALAND)
    assert board.legal_moves().tolist() == [0, 1]
    board.play(0)
    assert board.grid.tolist() == [[0]]
    assert board.legal_moves().tolist() == [1]  # white's suicide would restore the empty board with black to move


# Set-up stones and the named rule sets ----


def test_place__stones_without_a_liberty_are_refused() -> None:
    board = board_of(ONE_STONE_SUICIDE)
    before = board.copy()
    with pytest.raises(ValueError, match="libert"):
        board.place(WHITE, points_at(board, "B2"))
    with pytest.raises(ValueError, match="occupied"):
        board.place(WHITE, points_at(board, "B3"))
    assert board == before


def test_place__starts_the_history_again() -> None:
    board = Board(5, rules=rules("positional"))
    play(board, "A1", "B1")
    board.place(BLACK, points_at(board, "E5 D5"))
    assert (board.num_moves, board.last_move, board.ko) == (0, None, None)
    assert_picture(
        board,
        """
        . . . X X
        . . . . .
        . . . . .
        . . . . .
        X O . . .
        """,
    )
    with pytest.raises(ValueError, match="undo"):
        board.undo()


@pytest.mark.parametrize(
    ("named", "scoring", "ko", "suicide", "pass_stones"),
    [
        (JAPANESE, "territory", "simple", False, False),
        (TROMP_TAYLOR, "area", "positional", True, False),
        (NEW_ZEALAND, "area", "situational", True, False),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_rule_sets__are_what_their_texts_say(
    named: Rules, scoring: str, ko: str, suicide: bool, pass_stones: bool
) -> None:
    assert (named.scoring, named.ko, named.suicide, named.pass_stones) == (scoring, ko, suicide, pass_stones)


def test_rule_sets__aga_has_situational_superko_pass_stones_and_no_suicide() -> None:
    assert (AGA.ko, AGA.suicide, AGA.pass_stones, AGA.komi) == ("situational", False, True, 7.5)


def test_rule_sets__chinese_counts_area_without_suicide() -> None:
    assert (CHINESE.scoring, CHINESE.suicide, CHINESE.pass_stones, CHINESE.komi) == ("area", False, False, 7.5)
