"""Recorded games as lessons: the planes are those that the search shows, the labels are the game's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.knowledge.network import NUM_PLANES
from tesuji.go.masters.game import StoredGame, stored_game
from tesuji.go.network.lessons import is_held_out, lessons_of, strength_of
from tesuji.go.records.sgf import load
from tesuji.learning.network.positions import unpacked
from tesuji.search import LeafBatch, Search


def planes_of(board: Board) -> NDArray[np.uint8]:
    """What an evaluator sees of the root, which is asked about first; tests/go/knowledge/test_planes.py trusts it."""
    seen: list[LeafBatch] = []

    def keep(batch: LeafBatch) -> Any:
        seen.append(batch)
        return np.full(len(batch), 0.5)

    Search(board, evaluator=keep).run(simulations=1, seed=1)
    planes: NDArray[np.uint8] = seen[0].states[0]
    return planes


def random_game(size: int, moves: int, seed: int) -> tuple[list[Board], list[int]]:
    rng = np.random.default_rng(seed)
    board, boards, played = Board(size), [], []
    while len(played) < moves:
        legal = board.legal_moves()
        move = int(rng.choice(legal))
        if move == board.pass_move and board.num_moves and board.moves[-1][1] == move:
            continue  # a second pass would end it
        boards.append(board.copy())
        played.append(move)
        board.play(move)
    return boards, played


@pytest.mark.parametrize(("size", "moves"), [(7, 90), (9, 120), (19, 120)])
def test_game_planes__are_what_the_search_shows_at_every_move(size: int, moves: int) -> None:
    boards, played = random_game(size, moves, seed=size)
    bits = native.game_planes(size, size, np.array(played, np.uint16))
    shown = unpacked(bits, NUM_PLANES, size, size)
    for board, planes in zip(boards, shown, strict=True):
        np.testing.assert_array_equal(planes, planes_of(board))
        np.testing.assert_array_equal(planes, native.board_planes(board))


def test_game_planes__ends_where_a_move_is_played_on_a_stone() -> None:
    assert len(native.game_planes(9, 9, np.array([0, 1, 2, 1, 3], np.uint16))) == 3


def test_game_planes__a_board_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="26x9 is none"):
        native.game_planes(26, 9, np.zeros(3, np.uint16))


MOVES = "".join(f";{'BW'[i % 2]}[{chr(97 + i % 9)}{chr(97 + i // 9 * 2)}]" for i in range(24))


def game(head: str = "KM[5.5]RE[W+3.5]BR[7d]WR[9p]", moves: str = MOVES) -> StoredGame:
    return stored_game(load(f"(;GM[1]SZ[9]{head}{moves})".encode()))


def only(games: list[StoredGame]) -> Any:
    lessons = lessons_of(games)
    return next(iter((lessons.training or lessons.held_out).values()))


def test_lessons__are_told_for_the_side_to_move() -> None:
    positions = only([game()])
    assert len(positions) == 24
    np.testing.assert_array_equal(positions.movers, [0, 1] * 12)
    np.testing.assert_array_equal(positions.wins, [0.0, 1.0] * 12)
    np.testing.assert_array_equal(positions.scores, [-3.5, 3.5] * 12)
    np.testing.assert_allclose(positions.scalars[:2], [[-0.55, 0.7, -1.0], [0.55, 1.0, -1.0]])
    assert positions.moves[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "bad",
    [
        game(head="RE[W+R]"),
        game(head="KM[5.5]AB[ee]"),
        game(moves=";B[aa];W[bb]"),
        game(moves=MOVES + ";B[ii];B[ih]"),
    ],
    ids=["no komi", "set-up stones", "too short", "a move twice"],
)
def test_lessons__what_cannot_teach_is_passed_over(bad: StoredGame) -> None:
    lessons = lessons_of([bad])
    assert (lessons.num_games, lessons.num_passed_over) == (0, 1)


def test_lessons__a_game_is_held_out_whole_and_by_its_moves_alone() -> None:
    rng = np.random.default_rng(1)
    held = [is_held_out(rng.integers(0, 361, 200).astype(np.uint16)) for _ in range(5000)]
    assert 60 <= sum(held) <= 140
    named, unnamed = game(head="KM[5.5]PB[A]"), game(head="KM[6.5]")
    assert is_held_out(named.moves) == is_held_out(unnamed.moves)


def test_lessons__enough_positions_are_enough() -> None:
    games = [game(moves=MOVES + f";B[i{chr(97 + i)}]") for i in range(8)]
    assert lessons_of(games, max_positions=40).num_games == 2


def test_lessons__an_agreed_result_says_who_owned_what() -> None:
    wall = "".join(f";B[d{chr(97 + i)}];W[f{chr(97 + i)}]" for i in range(9)) + ";B[eb];W[eh];B[ed];W[ef]"
    positions = only([game(head="KM[5.5]RE[W+5.5]", moves=wall)])
    owners = positions.owners[positions.games[0]].reshape(9, 9)
    assert (owners[:, :4] == 1).all()
    assert (owners[:, 5:] == -1).all()
    assert only([game(head="KM[5.5]RE[B+40.5]", moves=wall)]).games[0] == -1, "a result that nothing bears out"


@pytest.mark.parametrize(("rank", "strength"), [("9p", 1.0), ("", 1.0), ("6d", 0.6), ("9d", 0.9), ("5k", 0.1)])
def test_strength__is_a_tenth_of_the_grade(rank: str, strength: float) -> None:
    assert strength_of(rank) == pytest.approx(strength)
