"""Priors of Go moves: each feature alone in a picture, by its formula, and its direction among all the others.

In pictures `*` is the move that is asked about; X moves, unless `x` or `o` is the stone that moved last. Every picture
is also turned, mirrored and asked with exchanged colours. A prior is (votes for + even / 2) / (all votes + even).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tesuji.go import CHINESE, NEW_ZEALAND, Board, Color, Rules
from tesuji.go.priors import PriorWeights, priors

BLACK, WHITE = Color.BLACK, Color.WHITE
OFF = PriorWeights(
    even=10.0,
    **{
        name: (0.0,) * 4 if name == "distance" else 0.0
        for name in msgspec.structs.asdict(PriorWeights())
        if name != "even"
    },
)


def forms(picture: str) -> Iterator[tuple[Board, int]]:
    """The board of a picture and its move `*`, in all eight positions and both colourings."""
    signs = np.array([line.split() for line in picture.split("\n") if line.strip()])
    for start in (signs, signs.T):
        for quarter in range(4):
            turned = np.rot90(start, quarter)
            yield asked(turned, BLACK)
            yield asked(np.array([[s.translate(str.maketrans("XOxo", "OXox")) for s in row] for row in turned]), WHITE)


def asked(signs: np.ndarray, me: Color) -> tuple[Board, int]:
    flat = signs.reshape(-1)
    last = np.flatnonzero(np.isin(flat, ["x", "o"]))
    rows = "\n".join(" ".join(sign if sign in "XO" else "." for sign in row) for row in signs)
    if last.size:
        me = WHITE if flat[last[0]] == "x" else BLACK
        board = Board.from_text(rows, to_play=Color(3 - me))
        board.play(int(last[0]))
    else:
        board = Board.from_text(rows, to_play=me)
    return board, int(np.flatnonzero(flat == "*")[0])


def prior_of(board: Board, move: int, weights: PriorWeights) -> float:
    moves, found = priors(board, weights)
    return float(found[moves == move][0])


def mean(for_it: float, against_it: float, even: float = 10.0) -> float:
    return (for_it + even / 2) / (for_it + against_it + even)


CAPTURE = """
    . X X . .
    X O O * .
    . X X . .
    """
ESCAPE = """
    . . . O . . .
    . . O X * . .
    . . . O . . .
    """
STAYS_IN_ATARI = """
    . . . . .
    O O O . .
    O X * . .
    """
LADDER_TO_RUN_INTO = """
    . . . . . . . . .
    . . . . . . . . .
    . . O O . . . . .
    . O X * . . . . .
    . . O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
ATARI = """
    . . . . . . .
    . . X . . . .
    . . O * . . .
    . . X . . . .
    . . . . . . .
    """
LADDER = """
    . . . . . .
    . . . . . .
    . . X X . .
    . . O O * .
    """
SELF_ATARI = """
    * O . .
    . . . .
    . . . .
    """
PATTERN = """
    . . . . . .
    . . . . . .
    . . X O X .
    . . . * . .
    . . . . . .
    """
NAKADE = """
    O . * . O .
    O O O o O .
    . . . . . .
    . . . . . .
    """
LOW_LIBERTIES = """
    . . . . . .
    . . . . . .
    . . X X . .
    . * o . . .
    """
FIRST_LINE = "\n".join([". . . . * . . . ."] + [". . . . . . . . ."] * 8)
SECOND_LINE = "\n".join([". . . . . . . . .", ". . . . * . . . ."] + [". . . . . . . . ."] * 7)
THIRD_LINE = "\n".join([". . . . . . . . ."] * 2 + [". . . . * . . . ."] + [". . . . . . . . ."] * 6)
CENTRE = "\n".join([". . . . . . . . ."] * 4 + [". . . . * . . . ."] + [". . . . . . . . ."] * 4)


def at_distance(row: str) -> str:
    return "\n".join([". . . . . . . . .", row, ". . . . . . . . ."])


# A feature, its picture, and the votes for and against that a weight of 5 gives.
FEATURES = [
    ("capture", CAPTURE, 5, 0),
    ("capture_stone", CAPTURE, 10, 0),
    ("escape", ESCAPE, 5, 0),
    ("escape_stone", ESCAPE, 5, 0),
    ("failed_escape", STAYS_IN_ATARI, 0, 5),
    ("failed_escape", LADDER_TO_RUN_INTO, 0, 5),
    ("atari", ATARI, 5, 0),
    ("ladder", LADDER, 5, 0),
    ("ladder_stone", LADDER, 10, 0),
    ("self_atari", SELF_ATARI, 0, 5),
    ("pattern", PATTERN, 5, 0),
    ("pattern_near", PATTERN.replace("X O X", "X o X"), 5, 0),
    ("pattern_near", PATTERN.replace("X O X", "X O x"), 5, 0),
    ("first_line", FIRST_LINE, 0, 5),
    ("second_line", SECOND_LINE, 0, 5),
    ("third_line", THIRD_LINE, 5, 0),
    ("centre", CENTRE, 5, 0),
    ("urgent", NAKADE, 5, 0),
    ("urgent", LOW_LIBERTIES, 5, 0),
]
NAMES = [name for name, *_ in FEATURES]


@pytest.mark.parametrize(("name", "picture", "for_it", "against_it"), FEATURES, ids=NAMES)
def test_feature__alone_gives_the_mean_of_its_votes(name: str, picture: str, for_it: int, against_it: int) -> None:
    for board, move in forms(picture):
        assert prior_of(board, move, OFF) == 0.5
        alone = replace(OFF, **{name: 5.0})
        assert prior_of(board, move, alone) == pytest.approx(mean(for_it, against_it)), board.to_text()


@pytest.mark.parametrize(("name", "picture", "for_it", "against_it"), FEATURES, ids=NAMES)
def test_feature__turned_off_changes_the_default_prior_the_other_way(
    name: str, picture: str, for_it: int, against_it: int
) -> None:
    for board, move in forms(picture):
        with_it, without = (prior_of(board, move, w) for w in (PriorWeights(), replace(PriorWeights(), **{name: 0.0})))
        assert (with_it > without) if for_it else (with_it < without), board.to_text()


# Where a feature does not vote ----

SILENT = [
    ("capture", ATARI),
    ("escape", STAYS_IN_ATARI),
    ("escape", LADDER_TO_RUN_INTO),
    ("failed_escape", ESCAPE),
    ("failed_escape", LADDER_TO_RUN_INTO.replace(". . O . . . . . .", ". . O . X . . . .")),
    ("atari", LADDER),
    ("atari", CAPTURE),
    ("ladder", ATARI),
    ("self_atari", CAPTURE),
    ("self_atari", CENTRE),
    ("pattern", PATTERN.replace("X O X", "X o X")),
    ("pattern_near", PATTERN),
    ("pattern", CENTRE),
    ("first_line", SECOND_LINE),
    ("first_line", FIRST_LINE.replace(". * .", "X * .")),
    ("second_line", THIRD_LINE),
    ("third_line", CENTRE),
    ("centre", THIRD_LINE),
    ("centre", CENTRE.replace(". . * .", "O . * .")),
    ("urgent", CAPTURE),
    ("urgent", NAKADE.replace("o", "O")),
    ("third_line", THIRD_LINE.replace(". . * .", "O . * .")),
]


@pytest.mark.parametrize(("name", "picture"), SILENT, ids=[name for name, _ in SILENT])
def test_feature__does_not_vote_where_it_does_not_hold(name: str, picture: str) -> None:
    for board, move in forms(picture):
        assert prior_of(board, move, replace(OFF, **{name: 5.0})) == 0.5, board.to_text()


def test_atari__a_self_atari_that_threatens_does_not_count() -> None:
    picture = """
        . . . . .
        X . . . .
        O * O . .
        """
    for board, move in forms(picture):
        assert prior_of(board, move, replace(OFF, atari=5.0, ladder=5.0)) == 0.5


@pytest.mark.parametrize(("stones", "counted"), [(1, 1), (9, 9), (10, 10), (12, 10)])
def test_capture_stone__counts_up_to_ten_stones(stones: int, counted: int) -> None:
    picture = f"""
        {"X " * stones + ". . ."}
        {"O " * stones + "* . ."}
        {"X " * stones + ". . ."}
        """
    for board, move in forms(picture):
        assert prior_of(board, move, replace(OFF, capture_stone=1.0)) == pytest.approx(mean(counted, 0))


def test_capture__two_chains_count_twice() -> None:
    picture = """
        . X . X .
        X O * O X
        . X . X .
        """
    for board, move in forms(picture):
        assert prior_of(board, move, replace(OFF, capture=5.0)) == pytest.approx(mean(10, 0))


def test_escape__a_move_that_captures_and_saves_has_both_votes() -> None:
    picture = """
        . X . O .
        X O * X O
        . X . O .
        """
    for board, move in forms(picture):
        assert prior_of(board, move, replace(OFF, capture=5.0, escape=5.0)) == pytest.approx(mean(10, 0))


# Distance ----


@pytest.mark.parametrize(
    ("distance", "row"),
    [
        (1, ". o * . . . . . ."),
        (2, ". o . * . . . . ."),
        (3, ". o . . * . . . ."),
        (1, ". o O O * . . . ."),
        (2, ". o X X * . . . ."),
        (3, ". o . X X X * . ."),
    ],
    ids=["beside", "one between", "two between", "along its chain", "across one chain", "across a point and a chain"],
)
def test_distance__in_the_common_fate_graph(distance: int, row: str) -> None:
    weights = [0.0] * 4
    weights[distance] = 5.0
    for board, move in forms(at_distance(row)):
        assert prior_of(board, move, replace(OFF, distance=tuple(weights))) == pytest.approx(mean(5, 0))
        silent = tuple(0.0 if i == distance else 5.0 for i in range(4))
        assert prior_of(board, move, replace(OFF, distance=silent)) == 0.5
        with_it, without = (
            prior_of(board, move, w) for w in (PriorWeights(), replace(PriorWeights(), distance=silent))
        )
        assert with_it != without


def test_distance__more_than_three_steps_and_no_last_move_do_not_count() -> None:
    near = replace(OFF, distance=(5.0,) * 4)
    for board, move in forms(at_distance(". o . . . * . . .")):
        assert prior_of(board, move, near) == 0.5
    for board, move in forms(at_distance(". O * . . . . . .")):
        assert prior_of(board, move, near) == 0.5
        board.play("pass")
        assert prior_of(board, move, near) == 0.5


# Pass, even ----


def test_pass__has_votes_against_it() -> None:
    board = Board(5)
    assert prior_of(board, board.pass_move, OFF) == 0.5
    assert prior_of(board, board.pass_move, replace(OFF, pass_=15.0)) == pytest.approx(mean(0, 15))
    assert prior_of(board, board.pass_move, PriorWeights()) < 0.5


@pytest.mark.parametrize("even", [1.0, 10.0, 100.0])
def test_even__draws_every_prior_towards_one_half(even: float) -> None:
    for board, move in forms(CAPTURE):
        assert prior_of(board, move, replace(OFF, capture=5.0, even=even)) == pytest.approx(mean(5, 0, even))


# Properties ----


@given(
    size=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    choices=st.lists(st.integers(0, 2**16), max_size=40),
    rules=st.sampled_from([CHINESE, NEW_ZEALAND]),
)
@settings(max_examples=100, deadline=None)
def test_priors__are_the_same_for_exchanged_colours_and_mirrored_boards(
    size: tuple[int, int], choices: list[int], rules: Rules
) -> None:
    width, height = size
    board, other, mirror = (
        Board(width, height, rules=rules),
        Board(width, height, rules=rules),
        Board(height, width, rules=rules),
    )
    other.to_play = WHITE

    def mirrored(move: int) -> int:
        return move if move == board.pass_move else move % width * height + move // width

    for choice in choices:
        moves = board.legal_moves().tolist()
        move = moves[choice % len(moves)]
        board.play(move)
        other.play(move)
        mirror.play(mirrored(move))
    moves, found = priors(board)
    assert moves.tolist() == board.legal_moves().tolist()
    assert found.dtype == np.float32
    assert ((found > 0) & (found < 1)).all()
    assert priors(other)[0].tolist() == moves.tolist()
    np.testing.assert_array_equal(priors(other)[1], found)
    of_mirror = dict(zip(*(array.tolist() for array in priors(mirror)), strict=True))
    assert [of_mirror[mirrored(move)] for move in moves.tolist()] == pytest.approx(found.tolist(), rel=1e-6)


def test_priors__of_a_board_without_a_legal_move_are_those_of_passing() -> None:
    board = Board(1)
    moves, found = priors(board)
    assert moves.tolist() == [board.pass_move]
    assert found.tolist() == pytest.approx([mean(0, 15)])


# Bad input ----


@pytest.mark.parametrize("name", [name for name in msgspec.structs.asdict(PriorWeights()) if name != "distance"])
@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, -math.inf])
def test_weights__below_zero_or_not_finite_are_named(name: str, weight: float) -> None:
    with pytest.raises(ValueError, match=re.escape(f"the prior weight {name} is {weight}; it must")):
        PriorWeights(**{name: weight})


def test_weights__each_distance_is_checked() -> None:
    with pytest.raises(ValueError, match="the prior weight distance is -2.0; it must"):
        PriorWeights(distance=(0.0, 1.0, -2.0, 0.0))


def test_weights__some_even_votes_are_needed() -> None:
    with pytest.raises(ValueError, match="the prior weight even is 0; a move without features needs some votes"):
        PriorWeights(even=0.0)


@pytest.mark.parametrize("weight", ["3", None])
def test_weights__that_are_no_numbers_are_named(weight: object) -> None:
    with pytest.raises(ValueError, match=f"the prior weight capture is {weight!r}; it must"):
        PriorWeights(capture=weight)


@pytest.mark.parametrize("weight", [1e39, 1e300])
def test_weights__beyond_what_the_core_can_hold_are_refused_or_give_priors(weight: float) -> None:
    for board, move in forms(CAPTURE):
        try:
            weights = PriorWeights(capture=weight)
        except ValueError:
            continue
        assert 0 <= prior_of(board, move, weights) <= 1
