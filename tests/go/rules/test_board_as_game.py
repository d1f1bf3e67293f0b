"""A board under the contract of tesuji.games: whatever takes a game takes a board."""

import random

import pytest

from tesuji.games import Game, check_game
from tesuji.go import RULE_SETS, Board, Color
from tesuji.search import Search


def played(board: Board, *vertices: str) -> Board:
    for vertex in vertices:
        board.play(vertex)
    return board


def test_contract__a_board_has_every_member_of_it() -> None:
    game: Game = Board(9)  # what mypy says too
    assert isinstance(game, Game)


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "japanese", "new-zealand"])
@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 1)])
def test_check_game__passes_boards(rules: str, size: tuple[int, int]) -> None:
    assert rules in RULE_SETS
    check_game(Board(*size, rules=rules), games=3)


@pytest.mark.slow
def test_check_game__passes_a_board_of_nine_lines() -> None:
    check_game(Board(9), games=1)


def test_to_play__is_a_player_and_color_to_play_a_color() -> None:
    board = Board(5)
    assert (board.to_play, board.color_to_play) == (0, Color.BLACK)
    board.play("C3")
    assert (board.to_play, board.color_to_play) == (1, Color.WHITE)


def test_legal_moves__there_are_none_after_two_passes_unless_a_colour_is_asked_for() -> None:
    board = played(Board(3), "B2", "pass", "pass")
    assert board.is_over
    assert board.legal_moves().tolist() == []
    assert board.legal_moves(Color.WHITE).tolist() == [0, 1, 2, 3, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(("komi", "value"), [(3.0, 1.0), (9.0, 0.5), (10.0, 0.0)])
def test_value__is_blacks_by_the_score(komi: float, value: float) -> None:
    assert played(Board(3, komi=komi), "B2", "pass", "pass").value == value


def test_key__is_equal_for_two_ways_to_one_position() -> None:
    one, other = played(Board(5), "A1", "B2", "C3", "D4"), played(Board(5), "C3", "D4", "A1", "B2")
    assert one.key() == other.key()
    assert one.position.key == other.position.key


def test_key__differs_by_side_and_passes() -> None:
    empty = Board(3)
    passed = played(Board(3), "pass")
    both = played(Board(3), "pass", "pass")
    assert len({empty.key(), passed.key(), both.key()}) == 3


def test_key__differs_from_that_of_the_bare_position_exactly_where_superko_forbids_something() -> None:
    rng, forbidden = random.Random(5), 0
    for _ in range(30):
        board = Board(2, 3, rules="tromp-taylor")
        while not board.is_over and board.num_moves < 40:
            board.play(rng.choice(board.legal_moves().tolist()))
            bare = board.position.board(rules="tromp-taylor")  # the same stones, with nothing behind them
            if bare.passes == board.passes and not board.is_over:
                is_same = bare.legal_moves().tolist() == board.legal_moves().tolist()
                forbidden += not is_same
                assert (bare.key() == board.key()) == is_same
    assert forbidden > 10


def test_search__takes_a_board_and_leaves_it_alone() -> None:
    board = Board(5)
    search = Search(board)
    result = search.run(simulations=300, seed=1)
    assert board.num_moves == 0
    assert set(result.moves.tolist()) <= set(board.legal_moves().tolist())
    search.advance(result.best_move)
    assert search.position.num_moves == 1


def test_words__the_search_reads_names_and_identity_from_the_board() -> None:
    from tesuji.search.files.archive import description_of
    from tesuji.search.view.names import names_of

    names = names_of(Board(9))
    assert (names.title, names.players, names.move(0)) == ("Go 9x9", ("Black", "White"), "A9")
    assert description_of(Board(9, komi=5)) == {
        "game": "Board",
        "size": "9x9",
        "rule set": Board(9).rules.name,
        "komi": "5",
    }


def test_generic_code__plays_a_board_to_its_end_by_the_contract_alone() -> None:
    state, rng, moves = Board(4), random.Random(3), 0
    while not state.is_over and moves < 1000:
        state.play(rng.choice(list(state.legal_moves())))
        moves += 1
    assert state.is_over
    assert state.value in (0.0, 0.5, 1.0)
