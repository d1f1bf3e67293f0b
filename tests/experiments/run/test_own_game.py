"""A game in a file of one's own, everywhere that the native games are: match, sweep, play, gtp; plain and compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.games import make_game
from tesuji.games.terminal import view_of

PLAIN = '''
class Nim:
    """Take one to three of the stones; who takes the last one wins."""

    def __init__(self, stones=7):
        self.stones, self.to_play = stones, 0

    num_distinct_moves = 3

    @property
    def is_over(self):
        return self.stones == 0

    @property
    def value(self):
        return 1.0 if self.to_play == 1 else 0.0

    def legal_moves(self):
        return list(range(min(3, self.stones)))

    def play(self, move):
        self.stones -= move + 1
        self.to_play = 1 - self.to_play

    def copy(self):
        other = Nim(self.stones)
        other.to_play = self.to_play
        return other

    def key(self):
        return 2 * self.stones + self.to_play

    def move_name(self, move):
        return f"take{move + 1}"

    def __str__(self):
        return "|" * self.stones


class Broken:
    num_distinct_moves = 3


NIM = Nim(5)
'''
COMPILED = """
import numpy as np
from tesuji.games import CompiledGame

def legal_moves(state, moves):
    for move in range(min(3, state.stones)):
        moves[move] = move
    return min(3, state.stones)

def play(state, move):
    state.stones -= move + 1
    state.to_play = 1 - state.to_play

def is_over(state):
    return state.stones == 0

def value(state):
    return 1.0 if state.to_play == 1 else 0.0

def initial(state):
    state.stones = 7

def nim():
    dtype = np.dtype([("stones", np.int32), ("to_play", np.int32)])
    return CompiledGame(dtype, num_distinct_moves=3, legal_moves=legal_moves, play=play, is_over=is_over, value=value,
                        initial=initial)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mynim.py").write_text(PLAIN)
    (tmp_path / "fastnim.py").write_text(COMPILED)

    def run(*arguments: object, said: str | None = None) -> Any:
        return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], prog_name="tesuji", input=said)

    return run


def test_match__a_class_of_a_file(run: Any) -> None:
    players = ("few=tesuji:simulations=1", "more=tesuji:simulations=200")
    done = run("match", *players, "--game", "mynim.py:Nim", "--games", 4, "--openings", "random:1", "--sgf", "games")
    assert done.exit_code == 0, done.output
    assert "Nim" in done.stderr
    assert "Ends: score 4" in done.stdout
    text = next(Path("games").iterdir()).read_text()
    assert "take" in text


def test_match__a_size_is_given_to_the_class(run: Any) -> None:
    done = run("match", "a=tesuji:simulations=5", "b=tesuji:simulations=9", "--game", "mynim.py:Nim", "--size", 9,
               "--games", 2)  # fmt: skip
    assert done.exit_code == 0, done.output


@pytest.mark.slow
def test_match__a_compiled_game(run: Any) -> None:
    pytest.importorskip("numba")
    done = run("match", "a=tesuji:simulations=5", "b=tesuji:simulations=99", "--game", "fastnim.py:nim", "--games", 2)
    assert done.exit_code == 0, done.output


def test_sweep__over_a_game_of_ones_own(run: Any) -> None:
    done = run("sweep", "tesuji:simulations=9", "exploration=0.1,1", "b=tesuji:simulations=2", "--game",
               "mynim.py:Nim", "--games", 2)  # fmt: skip
    assert done.exit_code == 0, done.output


def test_play__shows_the_games_own_text_and_takes_its_names(run: Any) -> None:
    done = run("play", "mynim.py:Nim", "--simulations", 50, "--seed", 1, said="take3\nquit\n")
    assert done.exit_code == 0, done.output
    assert "|||||||" in done.output
    assert "take" in done.output
    assert "Tesuji plays" in done.output


def test_gtp__answers_with_points_of_a_square_of_numbers(run: Any) -> None:
    done = run("gtp", "--game", "mynim.py:Nim", "--simulations", 50, said="play black A1\ngenmove white\nquit\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("=") == 3, done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.py:Nim", "nowhere.py"),
        ("mynim.py:Nimm", "mynim.py has no 'Nimm'; it has Nim, Broken"),
        ("no_such_module:Nim", "no_such_module cannot be imported"),
        ("hexx", "there is no game 'hexx': did you mean hex?"),
    ],
)
def test_errors__say_what_there_is(run: Any, name: str, said: str) -> None:
    done = run("match", "a=tesuji", "b=tesuji", "--game", name)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_errors__a_class_that_is_no_game_is_refused_before_the_first_game(run: Any) -> None:
    done = run("match", "a=tesuji", "b=tesuji", "--game", "mynim.py:Broken")
    assert done.exit_code == 2, done.output
    assert "Broken" in done.stderr


def test_make_game__an_object_is_copied(run: Any) -> None:
    game = make_game("mynim.py:NIM")
    game.play(1)
    assert (game.stones, make_game("mynim.py:NIM").stones) == (3, 5)
    view = view_of(game)
    assert (view.name(1), view.parse("take2"), view.parse("1")) == ("take2", 1, 1)
    with pytest.raises(ValueError, match="'jump' is not a move here"):
        view.parse("jump")
