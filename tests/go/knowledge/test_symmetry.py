"""Moves that are mirror images of each other: a search with knowledge looks at one of them, and loses nothing by it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tesuji.go import Board, Color
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import Search


def listed(board: Board) -> list[int]:
    """The moves that a search looks at which uses symmetry, as the engine's does."""
    game = GoGame(board, DEFAULT, PriorWeights(), uses_symmetry=True)
    return Search(game).run(simulations=1, seed=1).moves.tolist()


def listed_plainly(board: Board) -> list[int]:
    """Those of a search over a plain board: all but own eyes and suicide."""
    return Search(board).run(simulations=1, seed=1).moves.tolist()


def turned(grid: NDArray[np.int64], turn: int) -> NDArray[np.int64]:
    grid = np.rot90(grid, turn % 4)
    return grid.T if turn >= 4 else grid


def images(board: Board, move: int) -> set[int]:
    """Where a move goes to in all the ways of turning the board that leave its stones as they are."""
    points = np.arange(board.num_points).reshape(board.height, board.width)
    colors = np.array([board.color_at(point) for point in range(board.num_points)]).reshape(points.shape)
    if board.width != board.height:
        return {move}
    ways = [turn for turn in range(8) if (turned(colors, turn) == colors).all()]
    return {int(turned(points, turn).reshape(-1)[move]) for turn in ways}


@pytest.mark.parametrize(("size", "points"), [(1, 0), (2, 1), (5, 6), (9, 15), (13, 28), (19, 55)])
def test_empty_board__one_eighth_of_it_is_listed_and_pass(size: int, points: int) -> None:
    moves = listed(Board(size))
    assert len(moves) == points + 1
    assert Board(size).pass_move in moves


def test_empty_board__everything_is_listed_without_symmetry() -> None:
    assert listed_plainly(Board(9)) == list(range(82))
    game = GoGame(Board(9), DEFAULT, PriorWeights())
    assert Search(game).run(simulations=1, seed=1).moves.tolist() == list(range(82))


@pytest.mark.parametrize(
    ("vertex", "points"),
    [("E5", 14), ("C3", 44), ("G3", 44), ("E3", 44), ("C5", 44), ("D3", 80), ("A9", 44), ("A8", 80)],
    ids=["centre", "diagonal", "other diagonal", "middle column", "middle row", "nowhere", "corner", "edge"],
)
def test_one_stone__by_where_it_stands(vertex: str, points: int) -> None:
    board = Board(9)
    board.play(vertex)
    assert len(listed(board)) == points + 1


@pytest.mark.parametrize(("width", "height"), [(9, 7), (5, 13), (1, 5)])
def test_rectangular_board__nothing_is_left_out(width: int, height: int) -> None:
    assert listed(Board(width, height)) == listed_plainly(Board(width, height))


def test_ko__nothing_is_left_out() -> None:
    """White at D3 took C3; the stones are mirrored along the middle row, and the ko is on it."""
    board = Board.from_text(
        """
        . . . . .
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        """,
        to_play=Color.BLACK,
    )
    board.play("C3")
    assert board.ko is not None
    assert listed(board) == listed_plainly(board)


def test_many_stones__are_not_looked_at() -> None:
    board = Board.from_text("X . X . X\n. . . . .\nX . . . X\n. . . . .\nX . X . X")
    assert listed(board) == listed_plainly(board)


@given(size=st.integers(2, 7), choices=st.lists(st.integers(0, 2**16), max_size=6), mirrors=st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_move__has_exactly_one_image_in_the_list(size: int, choices: list[int], mirrors: bool) -> None:
    board = Board(size, rules="japanese")
    for choice in choices:
        move = board.legal_moves(board.color_to_play).tolist()[choice % len(board.legal_moves(board.color_to_play))]
        if board.is_over:
            return
        board.play(move)
        reply = board.num_points - 1 - move
        if mirrors and move != board.pass_move and board.is_legal(reply):
            board.play(reply)
    if board.ko is not None or board.is_over:
        return
    num_stones = sum(board.color_at(point) != 0 for point in range(board.num_points))
    few = num_stones <= 6 and num_stones == board.num_moves  # neither a capture nor a pass so far
    moves = set(listed(board))
    for move in set(listed_plainly(board)) - {board.pass_move}:
        assert len(images(board, move) & moves) == (1 if few else len(images(board, move)))
    assert board.pass_move in moves


def test_advance__to_an_image_that_is_not_listed() -> None:
    search = Search(GoGame(Board(9), DEFAULT, PriorWeights(), uses_symmetry=True))
    search.run(simulations=100, seed=1)
    move = Board(9).point("C3")
    assert move not in search.run(simulations=1).moves
    search.advance(move)
    result = search.run(simulations=100)
    assert result.visits.sum() == 100


def test_superko__a_move_is_listed_if_the_rules_forbid_its_image() -> None:
    """Black may not play B2, which would repeat the position after the third move; its image A1 is legal."""
    board = Board(2, rules="tromp-taylor")
    for move in (1, 3, 0, 2, 0, 1, 0, 3):
        board.play(move)
    assert board.to_text().count("X") == 1
    legal = [move for move in board.legal_moves(board.color_to_play).tolist() if move != board.pass_move]
    assert legal == [2]
    assert legal[0] in listed(board)


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_engine__opens_on_every_small_board(rules: str) -> None:
    for size in range(2, 6):
        board = Board(size, rules=rules)
        move = Engine(EngineConfig(simulations=50, seed=1)).genmove(board)
        assert move == "resign" or board.is_legal(move)
