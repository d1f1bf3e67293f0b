"""Properties of `Board` and `Position` that hold in every game, found out by Hypothesis.

Games are drawn as lists of numbers: each number picks one of the legal moves of the reference board, so that shrinking
gives a short game. Benson's life is compared with exhaustive play on small boards.
"""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.ref_board import RefBoard
from tesuji.go import AGA, CHINESE, RULE_SETS, Board, Color, Position, Rules, pass_alive

BLACK, WHITE = Color.BLACK, Color.WHITE
RULES = st.sampled_from(list(RULE_SETS.values()))
# Small boards meet captures, kos and repetitions within a few dozen moves.
SIZES = st.tuples(st.integers(1, 6), st.integers(1, 6))
CHOICES = st.lists(st.integers(0, 2**16), max_size=60)


def play_choices(rules: Rules, size: tuple[int, int], choices: list[int]) -> tuple[Board, RefBoard]:
    """The same game on a board and on the reference board. One choice in 16 is a pass."""
    board, reference = Board(*size, rules=rules), RefBoard(*size, rules, rules.komi)
    for choice in choices:
        moves = [m for m in range(reference.pass_move) if reference.why_illegal(m, reference.to_play) is None]
        is_pass = not moves or choice % 16 == 0
        move = reference.pass_move if is_pass else moves[choice // 16 % len(moves)]
        reference.play(move, reference.to_play)
        board.play(move)
    return board, reference


games = given(rules=RULES, size=SIZES, choices=CHOICES)
thorough = settings(max_examples=120, deadline=None)


@games
@thorough
def test_copy__is_equal_and_goes_its_own_way(rules: Rules, size: tuple[int, int], choices: list[int]) -> None:
    board, _ = play_choices(rules, size, choices)
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert twin == board
        before = board.position
        twin.play(twin.pass_move)
        assert twin != board
        assert board.position == before
        twin.undo()
        assert twin == board


@games
@thorough
def test_pickle__brings_back_board_position_rules_and_superko(
    rules: Rules, size: tuple[int, int], choices: list[int]
) -> None:
    board, _ = play_choices(rules, size, choices)
    board.komi = 3.5
    twin = pickle.loads(pickle.dumps(board))
    assert twin == board
    assert (twin.rules, twin.komi, twin.moves) == (rules, 3.5, board.moves)
    assert [twin.captured(BLACK), twin.captured(WHITE)] == [board.captured(BLACK), board.captured(WHITE)]
    assert twin.legal_moves(twin.color_to_play).tolist() == board.legal_moves(board.color_to_play).tolist()
    position = pickle.loads(pickle.dumps(board.position))
    assert position == board.position
    assert hash(position) == hash(board.position)


@games
@thorough
def test_text__a_picture_reads_back_as_the_same_stones(rules: Rules, size: tuple[int, int], choices: list[int]) -> None:
    board, reference = play_choices(rules, size, choices)
    again = Board.from_text(board.to_text(), to_play=board.color_to_play, rules=rules)
    assert again.grid.tolist() == reference.grid
    assert again.to_text() == board.to_text() == board.position.to_text()
    assert board.to_text() in repr(board)
    assert board.to_text() in repr(board.position)


def test_text__two_digit_rows_and_all_letters_read_back() -> None:
    board = Board(25, rules=CHINESE)
    rng = random.Random(3)
    for _ in range(300):
        board.play(int(rng.choice(board.legal_moves(board.color_to_play).tolist())))
    assert Board.from_text(board.to_text()).grid.tolist() == board.grid.tolist()


@games
@thorough
def test_undo__play_and_undo_is_the_identity(rules: Rules, size: tuple[int, int], choices: list[int]) -> None:
    board, reference = play_choices(rules, size, choices)
    before = board.copy()
    legal = board.legal_moves(board.color_to_play).tolist()
    facts = (
        board.position.key,
        board.position.key32,
        board.stones_key,
        board.ko,
        board.passes,
        board.last_move,
        board.num_moves,
    )
    for color in (BLACK, WHITE):
        for move in board.legal_moves(color).tolist():
            board.play(move, color)
            board.undo()
            assert board == before
    assert facts == (
        *(
            board.position.key,
            board.position.key32,
            board.stones_key,
            board.ko,
            board.passes,
            board.last_move,
            board.num_moves,
        ),
    )
    assert board.legal_moves(board.color_to_play).tolist() == legal
    assert board.grid.tolist() == reference.grid
    for point in range(reference.pass_move):
        if reference.color_at(point):
            assert board.liberties(point).tolist() == reference.liberties(point)
            assert board.chain(point).tolist() == reference.chain(point)


@games
@thorough
def test_legal_moves__are_the_moves_that_is_legal_allows(
    rules: Rules, size: tuple[int, int], choices: list[int]
) -> None:
    board, _ = play_choices(rules, size, choices)
    for color in (board.color_to_play, BLACK, WHITE):
        legal = [move for move in range(board.pass_move + 1) if board.is_legal(move, color)]
        moves = board.legal_moves(color)
        assert moves.tolist() == legal
        assert moves.dtype == np.int32
        assert legal[-1] == board.pass_move
        for move in range(board.pass_move + 1):
            assert (board.why_illegal(move, color) is None) == (move in legal)


@games
@thorough
def test_keys__equal_those_computed_from_scratch(rules: Rules, size: tuple[int, int], choices: list[int]) -> None:
    board, reference = play_choices(rules, size, choices)
    assert (board.position.key, board.position.key32) == (reference.key(64), reference.key(32))
    assert board.position.key == reference.key(64)
    assert (board.stones_key, board.stones_key32) == (
        reference.key(64, stones_only=True),
        reference.key(32, stones_only=True),
    )


@games
@thorough
def test_position__is_equal_and_hashes_equal_exactly_when_the_state_is_the_same(
    rules: Rules, size: tuple[int, int], choices: list[int]
) -> None:
    board = Board(*size, rules=rules)
    by_state: dict[tuple[object, ...], Position] = {}
    by_position: dict[Position, tuple[object, ...]] = {}
    played, _ = play_choices(rules, size, choices)
    for color, move in [*played.moves, (BLACK, board.pass_move)]:
        state = (board.grid.tobytes(), board.color_to_play, board.ko, board.passes)
        position = board.position
        assert by_state.setdefault(state, position) == position
        assert hash(by_state[state]) == hash(position)
        assert by_position.setdefault(position, state) == state
        board.play(move, color)


@games
@thorough
def test_position__sets_up_a_board_that_continues_alike(
    rules: Rules, size: tuple[int, int], choices: list[int]
) -> None:
    board, _ = play_choices(rules, size, choices)
    position = board.position
    other = position.board(rules=RULE_SETS["japanese"], komi=0)
    assert other.position == position
    assert (other.num_moves, other.position.key, other.ko, other.color_to_play) == (
        0,
        board.position.key,
        board.ko,
        board.color_to_play,
    )
    if board.ko is not None:
        assert not other.is_legal(board.ko)
    assert (position.width, position.height, position.grid.tolist()) == (*size, board.grid.tolist())


@games
@thorough
def test_grid__is_a_live_read_only_view(rules: Rules, size: tuple[int, int], choices: list[int]) -> None:
    board = Board(*size, rules=rules)
    view = board.grid
    assert (view.shape, view.dtype) == ((size[1], size[0]), np.uint8)
    played, reference = play_choices(rules, size, choices)
    for color, move in played.moves:
        board.play(move, color)
    assert view.tolist() == reference.grid
    assert np.shares_memory(view, board.grid)
    assert not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0, 0] = 1


def test_grid__outlives_its_board() -> None:
    board = Board(5)
    board.play("A5")
    view, snapshot = board.grid, board.position.grid
    board.play("B5")
    del board
    assert view[0].tolist() == [1, 2, 0, 0, 0]
    assert snapshot[0].tolist() == [1, 0, 0, 0, 0]
    assert not snapshot.flags.writeable


# Counting ----


@given(size=SIZES, choices=CHOICES)
@thorough
def test_score__aga_passing_makes_territory_and_area_agree_in_even_games(
    size: tuple[int, int], choices: list[int]
) -> None:
    """Black moved first, colours alternated, and white passed last, so both sides made the same number of moves."""
    board, _ = play_choices(AGA, size, choices)
    while not (board.is_over and board.moves[-1][0] == WHITE):
        board.play(board.pass_move)
    by_area = Board(*size, rules=Rules(name="area", ko=AGA.ko), komi=AGA.komi)
    for color, move in board.moves:
        by_area.play(move, color)
    assert board.score().margin == by_area.score().margin


# Benson's life ----


def stones_that_can_never_be_taken(reference: RefBoard, color: int) -> set[int]:
    """The stones that survive every sequence of enemy moves while `color` always passes."""
    start = reference.grid
    safe = {p for p in range(reference.pass_move) if reference.color_at(p) == color}
    seen, todo = {reference.frozen(start)}, [start]
    while todo:
        reference.grid = todo.pop()
        for point in range(reference.pass_move):
            if reference.color_at(point):
                continue
            grid, _, lost = reference.result(point, 3 - color)
            if lost or reference.frozen(grid) in seen:  # suicide would only give stones away
                continue
            seen.add(reference.frozen(grid))
            todo.append(grid)
            safe = {p for p in safe if grid[p // reference.width][p % reference.width] == color}
    reference.grid = start
    return safe


def random_position(rng: random.Random, width: int, height: int) -> RefBoard | None:
    """A board that is mostly black, or None if a chain has no liberty."""
    reference = RefBoard(width, height, CHINESE)
    weights = rng.choice([(4, 8, 1), (3, 7, 2), (4, 7, 0)])
    reference.grid = [rng.choices((0, 1, 2), weights, k=width) for _ in range(height)]
    chains = reference.chains(1) + reference.chains(2)
    return reference if all(liberties for _, liberties in chains) else None


@pytest.mark.parametrize("seed", range(1, 4))
def test_pass_alive__is_exactly_what_survives_every_sequence_of_enemy_moves(seed: int) -> None:
    rng = random.Random(seed)
    num_alive = num_partly = num_none = 0
    while num_alive + num_none < 30 or num_partly < 2:
        reference = random_position(rng, *rng.choice([(4, 4), (5, 3), (6, 3), (5, 4), (2, 6)]))
        if reference is None or sum(row.count(0) for row in reference.grid) > 8:
            continue
        expected = stones_that_can_never_be_taken(reference, BLACK)
        board = Board(reference.width, reference.height)
        board.place(BLACK, [p for p in range(reference.pass_move) if reference.color_at(p) == BLACK])
        board.place(WHITE, [p for p in range(reference.pass_move) if reference.color_at(p) == WHITE])
        assert set(pass_alive(board, BLACK)[0].tolist()) == expected, board
        num_alive += bool(expected)
        num_none += not expected
        num_partly += bool(expected) and len(expected) < sum(row.count(1) for row in reference.grid)
    assert min(num_alive, num_none) > 5
