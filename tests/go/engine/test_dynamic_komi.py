"""The komi of the search in handicap games: by the formula, for both sides, and never without a handicap."""

from __future__ import annotations

import itertools

import pytest

from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.go.engine.komi import DynamicKomi, linear_shift


def board_with(stones: int, size: int = 19, moves: int = 0) -> Board:
    """A handicap game after so many moves, all of them away from each other."""
    board = Board(size, komi=0.5)
    if stones:
        board.set_handicap(stones)
    empty = [point for point in range(board.num_points) if not board.color_at(point)]
    for point in empty[:moves]:
        board.play(point)
    return board


@pytest.mark.parametrize(
    ("stones", "size", "moves", "shift"),
    [
        (4, 19, 0, 28),
        (4, 19, 1, 28),
        (4, 19, 50, 21),
        (4, 19, 100, 14),
        (9, 19, 0, 63),
        (4, 9, 0, 28),
        (4, 9, 20, 16),
        (4, 9, 45, 0),
        (2, 13, 0, 14),
        (0, 19, 0, 0),
        (0, 9, 30, 0),
    ],
)
def test_linear_shift__seven_points_a_stone_fade_with_the_moves(stones: int, size: int, moves: int, shift: int) -> None:
    board = board_with(stones, size, moves)
    assert linear_shift(board) == shift
    assert DynamicKomi("linear").shift(board) == shift
    assert DynamicKomi("off").shift(board) == 0


def test_linear_shift__only_falls_and_is_gone_by_move_45_on_9x9() -> None:
    board = Board(9, komi=0.5)
    board.set_handicap(4)
    shifts = [linear_shift(board, moves_ahead) for moves_ahead in range(80)]
    assert shifts == sorted(shifts, reverse=True)
    assert not any(shifts[45:])


def searched_komi(config: EngineConfig, board: Board) -> float | None:
    return Engine(config).choose(board).search_komi


def test_choose__both_sides_search_with_the_shifted_komi() -> None:
    config, board = EngineConfig(simulations=20, seed=1, resign_below=0), board_with(4, 9)
    for color in (Color.WHITE, Color.BLACK):
        assert board.color_to_play == color
        assert searched_komi(config, board) == 0.5 + linear_shift(board) > 0.5
        board.play("A9" if color == Color.WHITE else "J1")
    assert board.komi == 0.5


def test_choose__without_a_handicap_or_switched_off_the_komi_is_the_games() -> None:
    config = EngineConfig(simulations=20, seed=1)
    even = Board(9, komi=6.5)
    even.play("E5")
    assert searched_komi(config, even) == 6.5
    off = EngineConfig(simulations=20, seed=1, dynamic_komi="off")
    assert searched_komi(off, board_with(4, 9)) == 0.5


LOST_FOR_BLACK = """
    O O O O O
    O O O O O
    . O . O .
    O O O O O
    X . . . .
"""


def test_choose__resigns_only_where_the_real_komi_would_not_say_better() -> None:
    """At the search's komi both sides see a lost game; Black's real one is less bad than that, White's is worse."""
    black = Board.from_text(LOST_FOR_BLACK, to_play=Color.BLACK, komi=0.5)
    white = Board.from_text(LOST_FOR_BLACK.translate(str.maketrans("XO", "OX")), to_play=Color.WHITE, komi=0.5)
    for board, resigns in ((black, False), (white, True)):
        board._handicap = 2  # as if these stones had been placed
        engine = Engine(EngineConfig(simulations=100, seed=1, resign_below=0.5))
        choice = engine.choose(board)
        assert choice.search_komi == 0.5 + linear_shift(board) > 0.5
        assert choice.winrate is not None
        assert choice.winrate < 0.5
        assert (choice.move == "resign") == resigns


def test_adaptive__steps_toward_an_even_game_within_the_linear_shift() -> None:
    komi, board = DynamicKomi("adaptive"), board_with(4, 9)
    assert komi.shift(board) == 28
    for _ in range(3):
        komi.learn(board, 0.9)  # White, to move, is far ahead with these points
    assert komi.shift(board) == 25
    komi.learn(board, 0.5)
    assert komi.shift(board) == 25
    for _ in range(10):
        komi.learn(board, 0.1)
    assert komi.shift(board) == 28
    board.play("A1")
    for _ in range(100):
        komi.learn(board, 0.1)  # Black, to move, suffers from them
    assert komi.shift(board) == 0


def test_adaptive__a_new_game_begins_with_the_linear_shift() -> None:
    komi, board = DynamicKomi("adaptive"), board_with(4, 9, moves=2)
    komi.shift(board)
    komi.learn(board, 0.9)
    assert komi.shift(board) == linear_shift(board) - 1
    assert komi.shift(board_with(4, 9)) == 28


def test_choose__the_graph_is_kept_as_long_as_the_komi_is() -> None:
    engine = Engine(EngineConfig(simulations=200, seed=1, resign_below=0))
    board = board_with(2, 19)
    komis, visits = [], []
    for _ in range(6):
        choice = engine.choose(board)
        assert engine._kept is not None
        komis.append(choice.search_komi)
        visits.append(int(engine._kept.search.result().visits.sum()))
        line = engine._kept.search.result().main_line
        for move in (line + [board.pass_move] * 2)[:2]:
            board.play(move)
    changed = [before != now for before, now in itertools.pairwise(komis)]
    assert any(changed)
    assert not all(changed)
    assert all(count == 200 for count, is_new in zip(visits[1:], changed, strict=True) if is_new)
    assert any(count > 200 for count, is_new in zip(visits[1:], changed, strict=True) if not is_new)
