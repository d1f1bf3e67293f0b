"""The native games as Python sees them; their rules are tested in core/tests/test_games.cpp."""

from __future__ import annotations

import random
from typing import Any

import pytest

from search.solvers import ConnectFour, SmallHex
from tesuji.games import Connect4, Hex, TicTacToe


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(), Hex(3)], ids=["tictactoe", "connect4", "hex"])
@pytest.mark.parametrize("move", [-1, 9, 100, 10**6, -(2**31)])
def test_play__moves_that_do_not_exist_are_refused(game: Any, move: int) -> None:
    key = game.key()
    with pytest.raises(ValueError, match=f"{move}"):
        game.play(move)
    assert game.key() == key


@pytest.mark.parametrize(
    ("game", "moves"), [(TicTacToe(), [4]), (Hex(3), [4]), (Connect4(), [4] * 6)], ids=["tictactoe", "hex", "connect4"]
)
def test_play__a_taken_place_is_refused(game: Any, moves: list[int]) -> None:
    for move in moves:
        game.play(move)
    with pytest.raises(ValueError, match="4"):
        game.play(4)


def test_play__nothing_can_be_played_after_the_end() -> None:
    game = TicTacToe()
    for move in (0, 3, 1, 4, 2):
        game.play(move)
    assert (game.is_over, game.value, game.legal_moves()) == (True, 1.0, [])
    with pytest.raises(ValueError, match="5"):
        game.play(5)


@pytest.mark.parametrize("size", [0, -1, 20, 1000])
def test_hex__sizes_outside_1_to_19_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=rf"Hex size {size} is outside 1\.\.19"):
        Hex(size)


@pytest.mark.parametrize("make", [TicTacToe, Connect4, lambda: Hex(5)], ids=["tictactoe", "connect4", "hex"])
def test_copy__goes_its_own_way(make: Any) -> None:
    game = make()
    twin = game.copy()
    twin.play(3)
    assert game.key() == make().key()
    assert twin.key() != game.key()
    assert (game.to_play, twin.to_play) == (0, 1)


@pytest.mark.parametrize(
    ("game", "places"),
    [
        (TicTacToe(), [(-1,), (9,), (1000,)]),
        (Hex(4), [(-1,), (16,), (10**6,)]),
        (Connect4(), [(-1, 0), (6, 0), (0, -1), (0, 7), (10**6, 3)]),
    ],
    ids=["tictactoe", "hex", "connect4"],
)
def test_owner__places_off_the_board_are_refused(game: Any, places: list[tuple[int, ...]]) -> None:
    for place in places:
        with pytest.raises((ValueError, IndexError)):
            game.owner(*place)


def test_owner__tells_whose_stone_lies_where() -> None:
    board = Connect4()
    for column in (3, 3, 2):
        board.play(column)
    assert [board.owner(0, 3), board.owner(1, 3), board.owner(0, 2), board.owner(0, 0)] == [0, 1, 0, -1]
    hexes = Hex(4)
    for cell in (5, 6):
        hexes.play(cell)
    assert [hexes.owner(5), hexes.owner(6), hexes.owner(7)] == [0, 1, -1]


def test_connect4__random_games_agree_with_the_solvers_own_board() -> None:
    rng = random.Random(1)
    for _ in range(300):
        game, own, both = Connect4(), 0, 0
        while not game.is_over:
            move = rng.choice(game.legal_moves())
            game.play(move)
            stones, both = ConnectFour.drop(own, both, move)
            own = stones ^ both
            assert game.is_over == (ConnectFour.has_four(stones) or not ConnectFour.columns(both))
            if not game.is_over:
                assert game.legal_moves() == sorted(ConnectFour.columns(both))


@pytest.mark.parametrize("size", range(1, 6))
def test_hex__random_games_agree_with_the_solvers_own_board(size: int) -> None:
    rng, board = random.Random(size), SmallHex(size)
    for _ in range(100):
        game, stones = Hex(size), [0, 0]
        while not game.is_over:
            move = rng.choice(game.legal_moves())
            mover = game.to_play
            game.play(move)
            stones[mover] |= 1 << move
            ends = (board.top, board.bottom) if mover == 0 else (board.left, board.right)
            assert game.is_over == board.joined(stones[mover], *ends)
        assert game.value == (1.0 if mover == 0 else 0.0)
