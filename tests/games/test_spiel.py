"""Games of OpenSpiel under our contract. Skipped where OpenSpiel is not installed; CI has it."""

from __future__ import annotations

import random
import re
import sys
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install tesuji[openspiel]")

import pyspiel

from tesuji.games import Game, OnePlayerGame, TicTacToe, check_game, open_spiel
from tesuji.games.spiel import made_of
from tesuji.search import Search, SearchConfig, solve

# Small boards, so that random play ends soon.
GAMES: dict[str, dict[str, Any]] = {
    "amazons": {},
    "antichess": {},
    "breakthrough": {"rows": 5, "columns": 4},
    "checkers": {},
    "chess": {},
    "chinese_checkers": {"players": 2},
    "clobber": {"rows": 3, "columns": 4},
    "connect_four": {},
    "crazyhouse": {},
    "cursor_go": {"board_size": 5, "max_cursor_moves": 5},
    "dots_and_boxes": {"num_rows": 2, "num_cols": 2},
    "go": {"board_size": 5},
    "gomoku": {"size": 6},
    "havannah": {"board_size": 3},
    "hex": {"board_size": 4},
    "hive": {},
    "lines_of_action": {},
    "mancala": {},
    "mnk": {"m": 4, "n": 3, "k": 3},
    "nim": {},
    "nine_mens_morris": {},
    "othello": {},
    "oware": {},
    "pentago": {},
    "quoridor": {"board_size": 3},
    "shogi": {},
    "tic_tac_toe": {},
    "twixt": {"board_size": 5},
    "ultimate_tic_tac_toe": {},
    "xiangqi": {},
    "y": {"board_size": 4},
}
PROBLEMS: dict[str, dict[str, Any]] = {"cliff_walking": {}, "morpion_solitaire": {}}
SLOW = {"chess", "chinese_checkers", "crazyhouse", "hive"}  # long games with many moves


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in GAMES])
def test_check_game__passes_games_of_two(name: str) -> None:
    game = open_spiel(name, **GAMES[name])
    assert isinstance(game, Game)
    assert not isinstance(game, OnePlayerGame)
    check_game(game, games=1)


@pytest.mark.parametrize("name", PROBLEMS)
def test_check_game__passes_problems_of_one(name: str) -> None:
    game = open_spiel(name, **PROBLEMS[name])
    assert isinstance(game, OnePlayerGame)
    check_game(game, games=1)


def test_names__every_game_that_can_be_searched_is_in_these_lists() -> None:
    found = set()
    for kind in pyspiel.registered_games():
        try:
            open_spiel(kind.short_name)
            found.add(kind.short_name)
        except ValueError:
            pass
    assert found == GAMES.keys() | PROBLEMS.keys()


def test_tic_tac_toe__is_ours_move_for_move() -> None:
    rng = random.Random(1)
    for _ in range(50):
        ours, theirs = TicTacToe(), open_spiel("tic_tac_toe")
        while not ours.is_over:
            assert (ours.to_play, ours.legal_moves()) == (theirs.to_play, theirs.legal_moves())
            move = rng.choice(ours.legal_moves())
            ours.play(move)
            theirs.play(move)
        assert theirs.is_over
        assert ours.value == theirs.value


def test_search__proves_a_small_game() -> None:
    result = Search(open_spiel("nim", pile_sizes="1;2"), SearchConfig(solver=True)).run(simulations=2_000, seed=1)
    assert result.proof == "won"
    result = Search(open_spiel("tic_tac_toe"), SearchConfig(graph="dag", solver=True)).run(simulations=40_000, seed=1)
    assert result.proof == "drawn"


def test_solve__takes_a_problem_of_one_player() -> None:
    solved = solve(open_spiel("cliff_walking", height=3, width=4, horizon=6), simulations=50_000, seed=1)
    assert solved.is_optimal
    assert solved.best_solution is not None
    assert solved.best_solution.value == -5  # up, right three times, down


def test_key__is_equal_for_two_ways_to_one_position_and_differs_by_side() -> None:
    one, other = open_spiel("tic_tac_toe"), open_spiel("tic_tac_toe")
    for game, moves in ((one, (0, 1, 2)), (other, (2, 1, 0))):
        for move in moves:
            game.play(move)
    assert one.key() == other.key()
    assert one.key() != open_spiel("tic_tac_toe").key()


def test_words__come_from_open_spiel() -> None:
    game = open_spiel("tic_tac_toe")
    assert (game.title, game.move_name(4), game.move_name(99)) == ("Tic Tac Toe", "x(1,1)", "99")
    assert open_spiel("hex", board_size=4).identity == "hex(board_size=4)"
    assert open_spiel("hex(board_size=4)").num_distinct_moves == 16


def test_made_of__goes_on_from_a_state_and_leaves_it_alone() -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    game = made_of(state)
    game.play(0)
    assert state.history() == [4]
    assert game.to_play == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("backgammon", "backgammon cannot be searched: it has chance; the search plays"),
        ("kuhn_poker", "it has chance and it hides information"),
        ("phantom_ttt", "it hides information"),
        ("matrix_rps", "its players move at the same time"),
        ("chinese_checkers(players=3)", "it has 3 players"),
        ("brakthrough", "OpenSpiel has no game 'brakthrough'; did you mean 'breakthrough'?"),
        ("", "OpenSpiel has no game ''"),
        ("hex(board_size=x)", "OpenSpiel refuses"),
    ],
)
def test_refusals__say_why_in_one_sentence(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as told:
        open_spiel(name)
    assert "\n" not in str(told.value)


def test_refusals__a_parameter_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="OpenSpiel refuses 'hex' with the parameters"):
        open_spiel("hex", colour="red")


def test_play__an_illegal_move_is_refused() -> None:
    game = open_spiel("tic_tac_toe")
    game.play(4)
    with pytest.raises(ValueError, match="move 4 is not legal here"):
        game.play(4)


def test_without_open_spiel__one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"pip install \S+\[openspiel\]"):
        open_spiel("hex")
