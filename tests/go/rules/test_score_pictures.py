"""Counting, one picture each: the same finished board under every rule set, dead stones, prisoners, komi, handicap.

All points are counted by hand from the pictures.
"""

from __future__ import annotations

import pytest

from reference.vertices import vertices_at
from tesuji.go import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, Board, Color, Rules

BLACK, WHITE = Color.BLACK, Color.WHITE

# Black: 9 stones and 4 points (A5, B4, A3, A1). White: 7 stones and 5 points (E5, E4, E2, D1, E1). No dame.
FINISHED = """
    . X X O .
    X . X O .
    . X X O O
    X X O O .
    . X O . .
    """
# White passed twice to let black have two stones more; black passes first at the end, white last.
BLACK_STONES = ["B5", "C5", "A4", "C4", "B3", "C3", "A2", "B2", "B1"]
WHITE_STONES = ["pass", "pass", "D5", "D4", "D3", "E3", "C2", "D2", "C1"]


def play_to_the_finish(rules: Rules, komi: float) -> Board:
    board = Board(5, rules=rules, komi=komi)
    for black, white in zip(BLACK_STONES, WHITE_STONES, strict=True):
        board.play(black, BLACK)
        board.play(white, WHITE)
    board.play("pass", BLACK)
    board.play("pass", WHITE)
    assert board.is_over
    rows = [[".XO".index(mark) for mark in line.split()] for line in FINISHED.split("\n") if line.strip()]
    assert board.grid.tolist() == rows
    return board


@pytest.mark.parametrize(
    ("rules", "black", "white"),
    [
        (CHINESE, 13, 12),
        (TROMP_TAYLOR, 13, 12),
        (NEW_ZEALAND, 13, 12),
        (JAPANESE, 4, 5),
        (AGA, 7, 6),  # territory 4 and 5, and a stone for each of white's three passes and black's one
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_score__one_finished_game_under_every_rule_set(rules: Rules, black: int, white: int) -> None:
    score = play_to_the_finish(rules, komi=6.5).score()
    assert score.margin == black - white - 6.5
    assert score.winner == WHITE
    # Rule sets may write the same margin down as area or as territory; what they call points must add up.
    assert score.black - score.white == score.margin
    if rules is not AGA:
        assert (score.black, score.white) == (black, white + 6.5)


def test_score__territory_without_passes_gives_black_one_point_less_per_extra_stone() -> None:
    board = Board.from_text(FINISHED, rules=JAPANESE, komi=0)
    assert (board.score().black, board.score().white) == (4, 5)
    assert str(board.score()) == "W+1"


def test_score__aga_gives_area_and_territory_the_same_margin_when_white_passes_last() -> None:
    assert play_to_the_finish(AGA, 0).score().margin == play_to_the_finish(CHINESE, 0).score().margin == 1


def test_score__aga_white_must_pass_last() -> None:
    """White passes, black passes: white has to hand over one more stone before the count."""
    board = Board(5, rules=AGA, komi=0)
    for black, white in zip(BLACK_STONES[:-1], WHITE_STONES[1:], strict=True):
        board.play(black, BLACK)
        board.play(white, WHITE)
    board.play(BLACK_STONES[-1], BLACK)  # 9 black stones, 7 white stones, one white pass so far
    board.play("pass", WHITE)
    board.play("pass", BLACK)
    assert board.is_over
    assert board.score().margin == 1


# White's B4 and black's E3 are dead. Without them black has 8 stones and 5 points, white 6 stones and 6 points.
DEAD_STONES = """
    . X X O .
    . O X O .
    X X X O X
    . X O O .
    . X O . .
    """


def test_score__dead_stones_by_area_are_simply_taken_off() -> None:
    board = Board.from_text(DEAD_STONES, rules=CHINESE, komi=0.5)
    dead = [1 * 5 + 1, 2 * 5 + 4]  # white B4, black E3
    score = board.score(dead)
    assert (score.black, score.white) == (13, 12 + 0.5)
    assert str(score) == "B+0.5"


def test_score__dead_stones_by_territory_count_twice() -> None:
    board = Board.from_text(DEAD_STONES, rules=JAPANESE, komi=0.5)
    score = board.score([6, 14])
    assert (score.black, score.white) == (5 + 1, 6 + 1 + 0.5)  # the point where it stood, and the prisoner
    assert str(score) == "W+1.5"


def test_score__leaves_the_board_as_it_is() -> None:
    board = Board.from_text(DEAD_STONES)
    before = board.copy()
    board.score([6, 14])
    assert board == before


def test_score__dead_points_must_be_stones() -> None:
    board = Board.from_text(DEAD_STONES)
    for point in (0, 25, -1, 1000):
        with pytest.raises(ValueError, match="stone|board"):
            board.score([point])


@pytest.mark.parametrize(("rules", "black"), [(CHINESE, 12), (JAPANESE, 7 + 1)], ids=["area", "territory"])
def test_score__captured_stones_count_by_territory_and_not_by_area(rules: Rules, black: int) -> None:
    picture = """
        O . X .
        X X X .
        . . . .
        """
    board = Board.from_text(picture, rules=rules, komi=0)
    board.play("B3")
    assert board.captured(WHITE) == 1
    assert (board.score().black, board.score().white) == (black, 0)


def test_score__an_empty_board_is_nobodys() -> None:
    for rules in (CHINESE, JAPANESE, TROMP_TAYLOR, AGA, NEW_ZEALAND):
        score = Board(9, rules=rules, komi=0).score()
        assert (score.black, score.white, score.margin, score.winner) == (0, 0, 0, Color.EMPTY)
        assert str(score) == "0"


def test_score__one_stone_owns_an_otherwise_empty_board() -> None:
    board = Board(9, rules=TROMP_TAYLOR, komi=7.5)
    board.play("E5")
    assert board.score().black == 81
    assert str(board.score()) == "B+73.5"


# Komi ----


@pytest.mark.parametrize(
    ("komi", "text", "winner"),
    [(0, "B+1", BLACK), (0.5, "B+0.5", BLACK), (1, "0", Color.EMPTY), (1.5, "W+0.5", WHITE), (-3.5, "B+4.5", BLACK)],
)
def test_score__komi_in_halves(komi: float, text: str, winner: Color) -> None:
    score = Board.from_text(FINISHED, rules=CHINESE, komi=komi).score()
    assert (str(score), score.winner, score.margin) == (text, winner, 1 - komi)


def test_komi__is_the_rule_sets_unless_given_and_can_be_changed() -> None:
    assert Board(9, rules=CHINESE).komi == 7.5
    assert Board(9, rules=JAPANESE).komi == 6.5
    assert Board(9, rules=NEW_ZEALAND).komi == 7
    board = Board(9, komi=3.5)
    board.komi = 4
    assert board.komi == 4


# Handicap: the placements of the GTP 2 specification, as GNU Go 3.8 answers them ----

FIXED_HANDICAP_19 = {
    2: "D4 Q16",
    3: "D4 D16 Q16",
    4: "D4 D16 Q4 Q16",
    5: "D4 D16 K10 Q4 Q16",
    6: "D4 D10 D16 Q4 Q10 Q16",
    7: "D4 D10 D16 K10 Q4 Q10 Q16",
    8: "D4 D10 D16 K4 K16 Q4 Q10 Q16",
    9: "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16",
}
FIXED_HANDICAP_OTHER = {
    (7, 2): "C3 E5",
    (7, 4): "C3 C5 E3 E5",
    (8, 4): "C3 C6 F3 F6",
    (9, 2): "C3 G7",
    (9, 5): "C3 C7 E5 G3 G7",
    (9, 9): "C3 C5 C7 E3 E5 E7 G3 G5 G7",
    (13, 3): "D4 D10 K10",
    (13, 9): "D4 D7 D10 G4 G7 G10 K4 K7 K10",
    (25, 9): "D4 D13 D22 N4 N13 N22 W4 W13 W22",  # GNU Go stops at 19; the specification says the fourth line
}


@pytest.mark.parametrize("number", FIXED_HANDICAP_19)
def test_set_handicap__fixed_placements_on_19x19(number: int) -> None:
    board = Board(19)
    placed = board.set_handicap(number)
    assert vertices_at(board, placed) == sorted(FIXED_HANDICAP_19[number].split())
    assert sorted(placed) == [point for point in range(361) if board.color_at(point) == BLACK]
    assert board.color_to_play == WHITE


@pytest.mark.parametrize(("size", "number"), FIXED_HANDICAP_OTHER)
def test_set_handicap__fixed_placements_on_other_sizes(size: int, number: int) -> None:
    board = Board(size)
    assert vertices_at(board, board.set_handicap(number)) == sorted(FIXED_HANDICAP_OTHER[size, number].split())


@pytest.mark.parametrize(("size", "number"), [(19, 1), (19, 10), (19, 0), (19, -2), (6, 2), (7, 5), (8, 5), (18, 5)])
def test_set_handicap__numbers_without_a_fixed_placement_are_refused(size: int, number: int) -> None:
    board = Board(size)
    with pytest.raises(ValueError, match=str(number)):
        board.set_handicap(number)
    assert board == Board(size)


def test_set_handicap__is_refused_once_the_game_has_begun() -> None:
    board = Board(19)
    board.play("D4")
    before = board.copy()
    with pytest.raises(ValueError, match="empty"):
        board.set_handicap(4)
    assert board == before


def test_set_free_handicap__takes_any_points_and_white_begins() -> None:
    board = Board(9)
    board.set_free_handicap([0, 40, 80])
    assert [point for point in range(81) if board.color_at(point) == BLACK] == [0, 40, 80]
    assert board.color_to_play == WHITE


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [(CHINESE, 4), (TROMP_TAYLOR, 0), (NEW_ZEALAND, 0), (JAPANESE, 0)],
    ids=lambda value: getattr(value, "name", None),
)
def test_score__white_is_paid_for_handicap_stones_as_the_rules_say(rules: Rules, bonus: int) -> None:
    board = Board(9, rules=rules, komi=0)
    board.set_handicap(4)
    by_area = 81 if rules.scoring == "area" else 81 - 4
    assert (board.score().black, board.score().white) == (by_area, bonus)


def test_score__aga_handicap_is_one_point_less_than_the_stones() -> None:
    """Four stones are one move and three gifts: the margin is that of the area less three."""
    board = Board(9, rules=AGA, komi=0)
    board.set_handicap(4)
    board.play("pass", WHITE)
    board.play("pass", BLACK)
    assert board.score().margin == 81 - 3
