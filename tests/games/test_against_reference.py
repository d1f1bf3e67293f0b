"""The native games against slow readings of their rules: random games move for move, and counts of games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.ref_games import (
    DRAW,
    RefBreakthrough,
    RefGame,
    RefGomoku,
    RefHavannah,
    RefOthello,
    RefY,
    count_games,
)
from search.solvers import SmallHex
from tesuji.games import Breakthrough, Game, Gomoku, Havannah, Hex, Othello, Y

PAIRS: dict[str, tuple[Callable[[], Game], Callable[[], RefGame], int]] = {
    "Othello": (Othello, RefOthello, 8),
    "Breakthrough": (Breakthrough, RefBreakthrough, 8),
    "Gomoku 5x5": (lambda: Gomoku(5), lambda: RefGomoku(5), 20),
    "Gomoku 7x7": (lambda: Gomoku(7), lambda: RefGomoku(7), 5),
    "Gomoku 19x19": (lambda: Gomoku(19), lambda: RefGomoku(19), 1),
    "Y of 1": (lambda: Y(1), lambda: RefY(1), 1),
    "Y of 2": (lambda: Y(2), lambda: RefY(2), 10),
    "Y of 4": (lambda: Y(4), lambda: RefY(4), 30),
    "Y of 7": (lambda: Y(7), lambda: RefY(7), 8),
    "Havannah of 4": (lambda: Havannah(4), lambda: RefHavannah(4), 20),
    "Havannah of 5": (lambda: Havannah(5), lambda: RefHavannah(5), 6),
    "Havannah of 10": (lambda: Havannah(10), lambda: RefHavannah(10), 1),
}
_RESULTS = {1.0: 0, 0.0: 1, 0.5: DRAW}


def play_both(game: Game, other: RefGame, rng: random.Random) -> int:
    """Play a random game on both boards and compare them after every move; who won."""
    while True:
        legal = list(game.legal_moves())
        assert legal == sorted(other.legal_moves())
        winner = other.winner
        assert game.is_over == (winner is not None)
        if winner is not None:
            assert _RESULTS[game.value] == winner
            return winner
        assert game.to_play == other.to_play
        move = rng.choice(legal)
        game.play(move)
        other.play(move)


@pytest.mark.parametrize("name", PAIRS)
def test_random_games__agree_with_the_slow_reading_move_for_move(name: str) -> None:
    make, make_other, count = PAIRS[name]
    rng = random.Random(1)
    for _ in range(count):
        play_both(make(), make_other(), rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, (_, _, count) in PAIRS.items() if count > 1])
def test_random_games__agree_with_the_slow_reading_in_many_games(name: str) -> None:
    make, make_other, count = PAIRS[name]
    rng = random.Random(2)
    winners = {play_both(make(), make_other(), rng) for _ in range(30 * count)}
    assert {0, 1} <= winners or name == "Y of 2"  # three cells: the first player cannot lose


@pytest.mark.parametrize("seed", [584, 818])
def test_havannah__a_full_board_without_bridge_fork_and_ring_is_drawn(seed: int) -> None:
    assert play_both(Havannah(4), RefHavannah(4), random.Random(seed)) == DRAW


def perft(game: Game, depth: int) -> int:
    moves = game.legal_moves()
    if depth == 0 or not moves:
        return 1
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total


def test_othello__has_the_known_number_of_games() -> None:
    assert [perft(Othello(), depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1_396, 8_200]


@pytest.mark.slow
def test_othello__has_the_known_number_of_games_further_on() -> None:
    assert [perft(Othello(), depth) for depth in (7, 8)] == [55_092, 390_216]


def test_breakthrough__has_as_many_games_as_the_slow_reading() -> None:
    counts = [22, 484, 11_132]
    assert [count_games(RefBreakthrough(), depth) for depth in (1, 2)] == counts[:2]
    assert [perft(Breakthrough(), depth) for depth in (1, 2, 3)] == counts


@pytest.mark.slow
def test_breakthrough__has_as_many_games_as_the_slow_reading_to_depth_four() -> None:
    assert count_games(RefBreakthrough(), 4) == perft(Breakthrough(), 4) == 256_036


# --- one winner -------------------------------------------------------------------------------------------------------


def filled(make: Callable[[], Any], order: list[int]) -> tuple[int, list[list[int]]]:
    """Play the cells in this order: who wins, and whose cells they are once all are taken."""
    game, shares = make(), [order[0::2], order[1::2]]
    for move in order:
        if not game.is_over:
            game.play(move)
    assert game.is_over
    return _RESULTS[game.value], shares


@given(size=st.integers(1, 7), seed=st.integers(0, 2**32))
def test_y__a_full_board_has_exactly_one_winner_and_the_game_names_it(size: int, seed: int) -> None:
    order = random.Random(seed).sample(range(size * (size + 1) // 2), size * (size + 1) // 2)
    winner, shares = filled(lambda: Y(size), order)
    board = RefY(size)
    cells = list(board.owner)
    for player, share in enumerate(shares):
        board.owner.update({cells[move]: player for move in share})
    assert [board.has_won(player) for player in (0, 1)] == [winner == 0, winner == 1]


@given(size=st.integers(1, 7), seed=st.integers(0, 2**32))
def test_hex__a_full_board_has_exactly_one_winner_and_the_game_names_it(size: int, seed: int) -> None:
    order = random.Random(seed).sample(range(size * size), size * size)
    winner, shares = filled(lambda: Hex(size), order)
    board = SmallHex(size)
    stones = [sum(1 << move for move in share) for share in shares]
    sides = ((board.top, board.bottom), (board.left, board.right))
    joined = [board.joined(own, *ends) for own, ends in zip(stones, sides, strict=True)]
    assert joined == [winner == 0, winner == 1]
