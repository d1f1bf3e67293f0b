"""The native games as Python sees them; their rules are tested in core/tests/test_games.cpp."""

from __future__ import annotations

import pickle
import random
import re
from typing import Any

import pytest

from search.solvers import ConnectFour, SmallHex
from tesuji.games import NATIVE_GAMES, Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y, make_game
from tesuji.search import RAVE, Search, SearchConfig


@pytest.mark.parametrize("name", NATIVE_GAMES)
@pytest.mark.parametrize("move", [-1, None, 10**6, 2**31 - 1, -(2**31)])
def test_play__moves_that_do_not_exist_are_refused(name: str, move: int | None) -> None:
    game = make_game(name)
    key, move = game.key(), game.num_distinct_moves if move is None else move
    with pytest.raises(ValueError, match=f"{move}"):
        game.play(move)
    assert game.key() == key


@pytest.mark.parametrize(
    ("game", "moves"),
    [(TicTacToe(), [4]), (Hex(3), [4]), (Gomoku(5), [4]), (Y(5), [4]), (Havannah(4), [4]), (Connect4(), [4] * 6)],
    ids=["tictactoe", "hex", "gomoku", "y", "havannah", "connect4"],
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


@pytest.mark.parametrize("size", [0, -1, 20, 1000, 2**31 - 1])
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Hex, r"Hex size {} is outside 1\.\.19"),
        (Y, r"Y size {} is outside 1\.\.19"),
        (Gomoku, r"Gomoku size {} is outside 5\.\.19"),
        (Havannah, r"Havannah base {} is outside 4\.\.10"),
    ],
)
def test_sizes__that_do_not_exist_are_refused(make: Any, words: str, size: int) -> None:
    with pytest.raises(ValueError, match=words.format(size)):
        make(size)


@pytest.mark.parametrize("size", ["9", 9.5, None])
def test_sizes__that_are_no_numbers_are_refused(size: Any) -> None:
    for make in (Hex, Y, Gomoku, Havannah):
        with pytest.raises(TypeError):
            make(size)


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_copy__goes_its_own_way(name: str) -> None:
    game = make_game(name)
    twin = game.copy()
    twin.play(twin.legal_moves()[3])
    assert game.key() == make_game(name).key()
    assert twin.key() != game.key()
    assert (game.to_play, twin.to_play) == (0, 1)


@pytest.mark.parametrize(
    ("game", "places"),
    [
        (TicTacToe(), [(-1,), (9,), (1000,)]),
        (Hex(4), [(-1,), (16,), (10**6,)]),
        (Connect4(), [(-1, 0), (6, 0), (0, -1), (0, 7), (10**6, 3)]),
        (Othello(), [(-1,), (64,), (10**6,)]),
        (Breakthrough(), [(-1,), (64,), (10**6,)]),
        (Gomoku(5), [(-1,), (25,), (10**6,)]),
        (Y(4), [(-1,), (10,), (10**6,)]),
        (Havannah(4), [(-1,), (37,), (10**6,)]),
    ],
    ids=["tictactoe", "hex", "connect4", "othello", "breakthrough", "gomoku", "y", "havannah"],
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


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_pickle__a_game_under_way_comes_back_as_it_was(name: str) -> None:
    game, rng = make_game(name), random.Random(1)
    for _ in range(5):
        game.play(rng.choice(game.legal_moves()))
    twin = pickle.loads(pickle.dumps(game))
    assert (twin.key(), twin.to_play, twin.legal_moves()) == (game.key(), game.to_play, game.legal_moves())
    move = game.legal_moves()[-1]
    game.play(move)
    twin.play(move)
    assert twin.key() == game.key()


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_search__finds_a_legal_move_with_and_without_amaf(name: str) -> None:
    for config in (SearchConfig(solver=True), SearchConfig(amaf=RAVE()), SearchConfig(graph="dag")):
        game = make_game(name)
        found = Search(game, config).run(simulations=300, seed=1)
        assert found.best_move in game.legal_moves()
        assert sorted(found.moves.tolist()) == game.legal_moves()


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_search__amaf_counts_only_moves_that_can_be_made(name: str) -> None:
    game = make_game(name)
    found = Search(game, SearchConfig(amaf=RAVE())).run(simulations=500, seed=1)
    assert found.amaf_visits is not None
    assert (found.amaf_visits >= found.visits).all()  # whoever walks an edge makes its move
    assert (found.amaf_visits <= found.simulations).all()


def test_othello__a_side_without_a_move_can_only_pass() -> None:
    rng, num_passes = random.Random(1), 0
    for _ in range(30):
        game = Othello()
        while not game.is_over:
            legal = game.legal_moves()
            num_passes += legal == [64]
            assert legal == [64] or 64 not in legal
            game.play(rng.choice(legal))
    assert num_passes > 10


def test_breakthrough__the_last_pawn_taken_is_the_end() -> None:
    game, rng = Breakthrough(), random.Random(3)
    ends = set()
    for _ in range(300):
        game = Breakthrough()
        while not game.is_over:
            takes = [move for move in game.legal_moves() if move % 3 != 1 and _target_owner(game, move) != -1]
            game.play(rng.choice(takes or game.legal_moves()))
        counts = [sum(game.owner(square) == player for square in range(64)) for player in (0, 1)]
        ends.add("taken" if 0 in counts else "reached")
        assert game.value == (1.0 if game.to_play == 1 else 0.0)
    assert ends == {"taken", "reached"}


def _target_owner(game: Breakthrough, move: int) -> int:
    return game.owner(move // 6 + (7, 8, 9, -9, -8, -7)[move % 6])


@pytest.mark.parametrize(
    ("name", "size", "words"),
    [
        ("chess", None, "there is no game 'chess'; choose one of tictactoe"),
        ("othello", 8, "othello has one size only; leave size 8 out"),
        ("havannah", 11, "Havannah base 11 is outside 4..10"),
        ("x" * 1000, None, "there is no game"),
    ],
)
def test_catalogue__what_does_not_exist_is_refused(name: str, size: int | None, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        make_game(name, size)
    assert len(str(caught.value)) < 300


def test_catalogue__sizes_are_those_that_can_be_made() -> None:
    for name, kind in NATIVE_GAMES.items():
        if kind.sizes is None:
            assert kind.described(0) == kind.title
            continue
        assert kind.own_size in kind.sizes
        assert make_game(name).size == kind.own_size
        for size in (kind.sizes[0], kind.sizes[-1]):
            assert make_game(name, size).size == size
        for size in (kind.sizes[0] - 1, kind.sizes[-1] + 1):
            with pytest.raises(ValueError, match="is outside"):
                make_game(name, size)
    assert NATIVE_GAMES["hex"].described(5) == "Hex on 5x5"
    assert NATIVE_GAMES["havannah"].described(5) == "Havannah with sides of 5"


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
