"""Eyes, unconditional life, seki and bent four, one picture each.

Eyes are the light playout's notion (it never fills one of its own), seen through the first moves of many playouts.
Unconditional life is Benson's; its pictures are checked again by exhaustive play in `test_properties.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from reference.vertices import points_at
from tesuji.go import JAPANESE, Board, Color, chain_status, dead_stones, final_score, pass_alive, play_randomly
from tesuji.go.knowledge.life import Status, _in_seki_by_doubt, judge

BLACK, WHITE = Color.BLACK, Color.WHITE


def stones(board: Board, color: Color) -> list[int]:
    return [point for point in range(board.num_points) if board.color_at(point) == color]


def first_moves(picture: str, to_play: Color) -> set[int]:
    """The first moves of 400 light playouts. No picture has more than 24 empty points, so that none is missed."""
    moves = set()
    for seed in range(400):
        board = Board.from_text(picture, to_play=to_play)
        play_randomly(board, seed)
        moves.add(board.moves[0][1])
    return moves


# Eyes of the light playout ----

REAL_EYES = {
    "corner": """
        . X . . .
        X X . . .
        . . . . .
        """,
    "corner with an open diagonal": """
        . X . . .
        X . . . .
        . . . . .
        """,
    "edge": """
        X . X . .
        X X X . .
        . . . . .
        """,
    "edge with open diagonals": """
        X . X . .
        . X . . .
        . . . . .
        """,
    "centre": """
        . . . . .
        . X X X .
        . X . X .
        . X X X .
        . . . . .
        """,
    "centre with one enemy diagonal": """
        . . . . .
        . O X . .
        . X . X .
        . . X . .
        . . . . .
        """,
}
FALSE_EYES = {
    "corner with an enemy diagonal": """
        . X . . .
        X O . . .
        . . . . .
        """,
    "edge with one enemy diagonal": """
        X . X . .
        O X X . .
        . . . . .
        """,
    "centre with two enemy diagonals": """
        . . . . .
        . O X . .
        . X . X .
        . . X O .
        . . . . .
        """,
}
EYE_AT = {"corner": (0, 0), "edge": (0, 1), "centre": (2, 2)}


def eye_point(name: str, board: Board) -> int:
    row, column = EYE_AT[name.split()[0]]
    assert board.grid[row, column] == 0
    return row * board.width + column


@pytest.mark.parametrize("name", REAL_EYES)
def test_playout__never_fills_a_real_eye_and_may_play_everything_else(name: str) -> None:
    board = Board.from_text(REAL_EYES[name])
    assert first_moves(REAL_EYES[name], BLACK) == set(stones(board, Color.EMPTY)) - {eye_point(name, board)}


@pytest.mark.parametrize("name", FALSE_EYES)
def test_playout__fills_a_false_eye(name: str) -> None:
    board = Board.from_text(FALSE_EYES[name])
    assert eye_point(name, board) in first_moves(FALSE_EYES[name], BLACK)


@pytest.mark.parametrize("name", ["corner", "edge", "centre"])
def test_playout__does_not_play_suicide_in_the_opponents_eye(name: str) -> None:
    board = Board.from_text(REAL_EYES[name])
    assert first_moves(REAL_EYES[name], WHITE) == set(stones(board, Color.EMPTY)) - {eye_point(name, board)}


SETTLED_BUT_FOR_A_CORNER = """
    . X X X X X .
    X O O O O X X
    X X X X O X .
    O O O X O X X
    . O O O O O O
    O O . O O . O
    """


@pytest.mark.parametrize("seed", range(5))
def test_playout__fills_the_false_corner_eye_and_then_both_sides_pass(seed: int) -> None:
    board = Board.from_text(SETTLED_BUT_FOR_A_CORNER)
    play_randomly(board, seed)
    assert [move for _, move in board.moves] == [*points_at(board, "A6"), board.pass_move, board.pass_move]


@pytest.mark.parametrize("seed", range(5))
def test_playout__both_sides_pass_when_only_eyes_are_left(seed: int) -> None:
    board = Board.from_text(SETTLED_BUT_FOR_A_CORNER.replace("X O O O O X X", "X X O O O X X"))
    play_randomly(board, seed)
    assert [move for _, move in board.moves] == [board.pass_move, board.pass_move]


# Benson's unconditional life ----


def assert_pass_alive(picture: str, color: Color, alive: str, territory: str) -> None:
    board = Board.from_text(picture)
    found_stones, found_territory = pass_alive(board, color)
    assert sorted(found_stones.tolist()) == points_at(board, alive)
    assert sorted(found_territory.tolist()) == points_at(board, territory)


def test_pass_alive__two_one_point_eyes() -> None:
    picture = """
        . X . X O
        X X X X O
        O O O O .
        """
    assert_pass_alive(picture, BLACK, "B3 D3 A2 B2 C2 D2", "A3 C3")
    assert_pass_alive(picture, WHITE, "", "")


def test_pass_alive__one_eye_is_not_enough() -> None:
    picture = """
        . X O . .
        X X O . .
        O O O . .
        """
    assert_pass_alive(picture, BLACK, "", "")


def test_pass_alive__an_empty_board_and_a_lonely_stone_have_none() -> None:
    assert_pass_alive(". . .\n. . .\n. . .", BLACK, "", "")
    assert_pass_alive(". . .\n. X .\n. . .", BLACK, "", "")


def test_pass_alive__two_chains_live_by_two_shared_eyes() -> None:
    picture = """
        . X X . .
        X . X . .
        X X . . .
        . . . . .
        """
    assert_pass_alive(picture, BLACK, "B4 C4 C3 A3 A2 B2", "A4 B3")


def test_pass_alive__an_eye_that_needs_a_dying_chain_is_false() -> None:
    picture = """
        . X O . .
        X . X O .
        X X O . .
        . . . . .
        """
    assert_pass_alive(picture, BLACK, "", "")


def test_pass_alive__prisoners_in_an_eye_do_no_harm_while_its_empty_points_are_liberties() -> None:
    picture = """
        . O . X . X .
        X X X X X X .
        . . . . . . .
        """
    assert_pass_alive(picture, BLACK, "D3 F3 A2 B2 C2 D2 E2 F2", "A3 B3 C3 E3")


def test_pass_alive__a_prisoner_that_touches_no_stone_of_the_chain_does_no_harm() -> None:
    picture = """
        O . X . X
        . X X X X
        X X . . .
        """
    assert_pass_alive(picture, BLACK, "C3 E3 B2 C2 D2 E2 A1 B1", "A3 B3 A2 D3 C1 D1 E1")


def test_pass_alive__a_region_with_an_inner_point_is_no_certain_eye() -> None:
    picture = """
        . . . X . X
        . . . X X X
        . . . X . .
        X X X X . .
        """
    # The opponent could live in the corner, so only the eye on the right is certain.
    assert_pass_alive(picture, BLACK, "", "")


def test_pass_alive__both_colours_on_one_board() -> None:
    picture = """
        . X . X O .
        X X X X O O
        X X X O O .
        O O O O O O
        """
    assert_pass_alive(picture, BLACK, "B4 D4 A3 B3 C3 D3 A2 B2 C2", "A4 C4")
    assert_pass_alive(picture, WHITE, "E4 E3 F3 D2 E2 A1 B1 C1 D1 E1 F1", "F4 F2")


# Seki ----

# Two shared liberties and no eye: whoever plays one is captured. The outer chains have two eyes each.
SEKI_WITHOUT_EYES = """
    . O X . O X .
    O O X O O X X
    . O X . O X .
    O O X O O X X
    O O O X X X X
    """
# An eye each (D3 and G3) and one shared liberty (E4).
SEKI_WITH_AN_EYE_EACH = """
    . O X X . O O O X .
    O O X . X O . O X X
    . O X X X O O O X .
    O O O O O X X X X X
    """
# Three white stones in a row in a straight five: black cannot approach from either end, and taking four leaves life.
SEKI_IN_A_STRAIGHT_FIVE = """
    O X . O O O . X O .
    O X X X X X X X O O
    O O O O O O O O O .
    . O . O O O O O O O
    """
SEKIS = {
    "without eyes": (SEKI_WITHOUT_EYES, "C5 E5", "B5 F5"),
    "with an eye each": (SEKI_WITH_AN_EYE_EACH, "C4 F4", "B4 J4"),
    "in a straight five": (SEKI_IN_A_STRAIGHT_FIVE, "B4 D4", "A4"),
}


@pytest.mark.parametrize("name", SEKIS)
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_chain_status__chains_in_seki_and_the_living_ones_around(name: str, to_play: Color) -> None:
    picture, in_seki, alive = SEKIS[name]
    board = Board.from_text(picture, to_play=to_play)
    status = chain_status(board)
    for vertex in in_seki.split():
        assert status[board.chain(points_at(board, vertex)[0])[0]] == "seki", vertex
    for vertex in alive.split():
        assert status[board.chain(points_at(board, vertex)[0])[0]] == "alive", vertex
    assert dead_stones(board) == []


@pytest.mark.parametrize("name", ["without eyes", "with an eye each"])
def test_seki__whoever_takes_the_shared_liberty_is_captured(name: str) -> None:
    shared, capture = {"without eyes": ("D5", "D3"), "with an eye each": ("E4", "D3 G3")}[name]
    for color, captor in ((BLACK, capture.split()[0]), (WHITE, capture.split()[-1])):
        board = Board.from_text(SEKIS[name][0], to_play=color)
        board.play(shared)
        board.play(captor)
        assert board.captured(color) >= 5


# Points by hand: (black, white) by area; dame belong to nobody.
@pytest.mark.parametrize(
    ("name", "area"), [("without eyes", (16, 17)), ("with an eye each", (19, 20)), ("in a straight five", (9, 29))]
)
def test_final_score__seki_by_area_counts_all_stones_and_no_shared_liberty(name: str, area: tuple[int, int]) -> None:
    board = Board.from_text(SEKIS[name][0], rules="chinese", komi=0)
    score = final_score(board)
    assert (score.black, score.white) == area


# By territory the eyes of chains in seki do not count, whoever surrounds them.
@pytest.mark.parametrize(
    ("name", "territory"), [("without eyes", (2, 2)), ("with an eye each", (2, 2)), ("in a straight five", (0, 4))]
)
def test_final_score__seki_by_territory_has_no_points(name: str, territory: tuple[int, int]) -> None:
    board = Board.from_text(SEKIS[name][0], rules=JAPANESE, komi=0)
    score = final_score(board)
    assert (score.black, score.white) == territory


# Bent four ----

BENT_FOUR_IN_THE_CORNER = """
    O O . X O .
    O X X X O O
    . X O O O .
    X X O . O O
    O O O O O .
    . O . O O O
    """


def test_bent_four__becomes_a_ko_when_white_starts_it() -> None:
    board = Board.from_text(BENT_FOUR_IN_THE_CORNER, to_play=WHITE)
    board.play("C6")  # four stones, bent in the corner
    board.play("A4")
    assert board.captured(WHITE) == 4
    board.play("B6")
    board.play("A6")
    board.play("A5")
    assert board.captured(BLACK) == 1
    assert [board.ko] == points_at(board, "A6")
    assert not board.is_legal("A6")


@pytest.mark.parametrize("approach", ["A4", "C6"])
def test_bent_four__black_cannot_approach(approach: str) -> None:
    board = Board.from_text(BENT_FOUR_IN_THE_CORNER, to_play=BLACK)
    board.play(approach)
    board.play({"A4": "C6", "C6": "A4"}[approach])
    assert board.captured(BLACK) == 8


def test_bent_four__is_not_unconditionally_alive() -> None:
    board = Board.from_text(BENT_FOUR_IN_THE_CORNER)
    assert pass_alive(board, BLACK)[0].tolist() == []
    outside = sorted(set(stones(board, WHITE)) - set(points_at(board, "A6 B6 A5")))
    assert sorted(pass_alive(board, WHITE)[0].tolist()) == outside


def test_bent_four__is_dead_by_the_japanese_rules() -> None:
    board = Board.from_text(BENT_FOUR_IN_THE_CORNER, rules=JAPANESE)
    assert chain_status(board)[points_at(board, "D6")[0]] == "dead"


def test_judge__a_chain_is_in_doubt_if_who_moves_first_decides_its_fate() -> None:
    """C6 and E6 share their last liberty, D7; everything else is safe."""
    board = Board.from_text(
        """
        . O X . O X .
        O O X X O X X
        . O O O X X .
        O O O O X X X
        . O O O X . X
        O O . O X X X
        O O O O X X .
        """
    )
    judged = judge(board)
    assert judged.in_doubt == {p for v in ("C6", "E6") for p in board.chain(board.point(v)).tolist()}
    assert not judged.is_sure[board.point("D7")]
    assert judged.is_sure[board.point("A1")]


# What playouts alone cannot decide ----

SMALL_SEKI = """
    X O . X . O O X
    X O O X O O X X
    X X O O . O X .
    . X X X O O X X
    X X X X X X X .
    """
LAST_KO = """
    . X X O O O .
    X X . X O . O
    . X X O O O O
    X X O O . O O
    . X O . O O .
    """


def all_forms(picture: str) -> list[np.ndarray]:
    """The picture turned, mirrored and with exchanged colours."""
    signs = np.array([line.split() for line in picture.strip().splitlines()])
    swapped = np.array([["XO."["OX.".index(sign)] for sign in row] for row in signs])
    return [np.rot90(turned, turns) for one in (signs, swapped) for turned in (one, one.T) for turns in range(4)]


def of_signs(signs: np.ndarray, to_play: Color = BLACK) -> Board:
    return Board.from_text("\n".join(" ".join(row) for row in signs), to_play=to_play)


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("form", range(16))
def test_judge__two_stones_inside_a_large_chain_stand_in_seki(form: int, to_play: Color) -> None:
    board = of_signs(all_forms(SMALL_SEKI)[form], to_play)
    for point, status in chain_status(board).items():
        assert status == ("alive" if board.liberties(point).size > 2 else "seki"), board.vertex(point)


@pytest.mark.parametrize("form", range(16))
def test_seki_by_doubt__chains_that_playouts_cannot_decide_and_that_wait_for_each_other(form: int) -> None:
    board = of_signs(all_forms(SMALL_SEKI)[form])
    waiting = {p for p in range(board.num_points) if board.color_at(p) and board.liberties(p).size == 2}
    inside = {p for p in waiting if board.chain(p).size == 2}
    status: dict[int, Status] = dict.fromkeys(waiting, "alive") | dict.fromkeys(inside, "dead")
    assert _in_seki_by_doubt(board, status, waiting) == dict.fromkeys(waiting, "seki")
    assert _in_seki_by_doubt(board, status, inside) == {}  # those around are sure of themselves


def test_seki_by_doubt__is_none_around_a_stone_or_two() -> None:
    board = Board.from_text(SMALL_SEKI.replace("X O . X . O O X", "X O . X O O O X"))
    in_doubt = {p for p in range(board.num_points) if board.color_at(p) and board.liberties(p).size <= 2}
    assert _in_seki_by_doubt(board, dict.fromkeys(in_doubt, "dead"), in_doubt) == {}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_judge__a_stone_in_the_last_ko_is_its_owners(to_play: Color, seed: int) -> None:
    for signs in all_forms(LAST_KO):
        assert set(chain_status(of_signs(signs, to_play), playouts=8, seed=seed).values()) == {"alive"}


def test_final_score__under_tromp_taylor_rules_a_dead_stone_counts() -> None:
    picture = """
        . X . X .
        X X X X X
        . . . . .
        . O . X .
        . . . . .
        """
    chinese, tromp_taylor = (
        final_score(Board.from_text(picture, rules=name, komi=0.5)) for name in ("chinese", "tromp-taylor")
    )
    assert (chinese.black, chinese.white) == (25, 0.5)
    assert (tromp_taylor.black, tromp_taylor.white) == (8 + 3, 1 + 0.5)
