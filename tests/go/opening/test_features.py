"""What a network sees of an opening, beside a plain reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.ref_opening import inputs_of
from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.opening import FEATURE_SETS, FeatureSet
from tesuji.go.opening.task import after_states, points_off_board

REPRESENTATIONS = ("scalar", "binary", "combined")


def seen_by(board: Board, color: int) -> list[list[int]]:
    return [[0 if not point else 1 if point == color else 2 for point in row] for row in board.grid.tolist()]


def random_board(width: int, height: int, moves: int, seed: int) -> Board:
    board, rng = Board(width, height, komi=5.5), np.random.default_rng(seed)
    for _ in range(moves):
        points = board.legal_moves()[:-1]
        if not len(points):
            break
        board.play(int(rng.choice(points)))
    return board


@pytest.mark.parametrize(
    ("letters", "representation", "lines", "count"),
    [
        ("A", "scalar", 19, 723),
        ("ABCDE", "binary", 19, 11_553),
        ("A", "binary", 9, 163),
        ("ABCDE", "scalar", 9, 649),
        ("ABCDE", "binary", 9, 2_593),
        ("ABCDE", "combined", 9, 81 * (2 + 2 + 5 + 5 + 2) + 1),
    ],
)
def test_num_inputs__is_the_papers(letters, representation, lines, count):
    assert FeatureSet(letters=letters, representation=representation).num_inputs(lines * lines) == count


def test_sets__there_are_sixteen_and_all_begin_with_a():
    assert len(set(FEATURE_SETS)) == 16
    assert all(letters.startswith("A") for letters in FEATURE_SETS)


@settings(max_examples=60, deadline=None)
@given(
    size=st.sampled_from([(9, 9), (9, 9), (5, 5), (7, 4), (1, 6), (13, 13)]),
    moves=st.integers(0, 60),
    seed=st.integers(0, 2**32),
    letters=st.sampled_from(FEATURE_SETS),
    representation=st.sampled_from(REPRESENTATIONS),
)
def test_inputs__are_the_references_on_random_boards(size, moves, seed, letters, representation):
    board = random_board(*size, moves, seed)
    color = board.native_to_play
    features = FeatureSet(letters=letters, representation=representation)
    found = native.opening_inputs(board.snapshot(), color, points_off_board(board, color), features.native())
    expected = inputs_of(seen_by(board, color), points_off_board(board, color), letters, representation)
    np.testing.assert_allclose(found, np.array(expected, np.float32), rtol=1e-6)


@settings(max_examples=12, deadline=None)
@given(moves=st.integers(0, 70), seed=st.integers(0, 2**32), representation=st.sampled_from(REPRESENTATIONS))
def test_after_states__are_what_playing_each_move_shows(moves, seed, representation):
    board = random_board(5, 5, moves, seed)
    points, inputs, _ = after_states(board, FeatureSet(representation=representation).native())
    assert points.tolist() == board.legal_moves()[:-1].tolist()
    mover = board.native_to_play
    for point, row in zip(points.tolist(), inputs, strict=True):
        after = board.copy()
        after.play(point)
        expected = inputs_of(seen_by(after, mover), points_off_board(after, mover), "ABCDE", representation)
        np.testing.assert_allclose(row, np.array(expected, np.float32), rtol=1e-6)


@settings(max_examples=20, deadline=None)
@given(moves=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_after_states__without_a_list_are_all_that_simple_ko_and_suicide_allow(moves, seed):
    board = random_board(5, 5, moves, seed)
    found, _ = native.opening_after_states(board.snapshot(), None, 0.0, FeatureSet(letters="A").native())
    allowed = [p for p in range(25) if board.legality(p) in (native.Legality.LEGAL, native.Legality.REPETITION)]
    assert found.tolist() == allowed


@given(moves=st.integers(0, 40), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_inputs__of_images_are_equal(moves, seed):
    board = random_board(6, 6, moves, seed)
    features = FeatureSet(representation="binary").native()
    seen = set()
    for turns in range(8):
        grid = np.rot90(board.grid if turns < 4 else board.grid.T, turns)
        image = native.Position(6, 6, np.ascontiguousarray(grid).tobytes(), 1)
        seen.add(native.opening_inputs(image, 1, 2.5, features).tobytes())
    assert len(seen) == 1


def test_inputs__a_picture():
    """Two blocks: black's of two stones in the corner with two liberties, white's of one beside it."""
    board = Board.from_text("X X O . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .")
    scalar = FeatureSet(letters="ACDE").native()
    found = native.opening_inputs(board.snapshot(), 1, 0.0, scalar)[:-1].reshape(25, 6)
    stones = sorted(tuple(round(x, 3) for x in row) for row in found[found[:, 0] == 1].tolist())
    #          occupied, friendly, liberties / 5, stones / 5, friends / 4, enemies / 4
    white, black = (1.0, 0.0, 0.4, 0.2, 0.0, 0.5), (1.0, 1.0, 0.4, 0.4, 0.0, 0.25)
    assert stones == sorted([white, black, black])


def test_points__captures_and_komi_count_for_their_owner():
    board = Board(5, komi=5.5)
    for vertex in ("A2", "A1", "B1"):  # black takes A1
        board.play(vertex)
    assert points_off_board(board, 1) == 1 - 5.5
    assert points_off_board(board, 2) == -1 + 5.5


@pytest.mark.parametrize("letters", ["", "B", "ACB", "AA", "ABCDEF", "abcde"])
def test_set__that_is_none_is_refused(letters):
    with pytest.raises(ValueError, match="is not a set of features"):
        FeatureSet(letters=letters)


def test_after_states__a_move_on_a_stone_is_refused():
    board = Board(5)
    board.play("C3")
    with pytest.raises(ValueError, match="move 12 is not an empty point"):
        native.opening_after_states(board.snapshot(), [12], 0.0, FeatureSet(letters="A").native())
