"""``tesuji learn``: players that learn, as somebody would type it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.learning.td.player_file import read_player

FEATURES = """
def stones(game, player):
    return [game.owner(move) == seat for seat in (player, 1 - player) for move in range(9)]

def fewer(game, player):
    return [game.owner(4) == player]
"""
SMALL = ("--size", "5", "--moves", "3", "--expert", "playouts:4", "--test-every", "10", "--test-games", "4")


@pytest.fixture
def learn(tmp_path, monkeypatch):
    """Run `tesuji learn` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "features.py").write_text(FEATURES)

    def run(*words):
        return CliRunner().invoke(cli.main, ["learn", *map(str, words)], prog_name="tesuji")

    return run


def test_opening__learns_goes_on_and_ends_as_if_it_had_not_stopped(learn, tmp_path):
    for games in (10, 20):
        assert learn("opening", *SMALL, "--games", games).exit_code == 0
    result = learn("opening", *SMALL, "--games", 20, "--out", "whole.player")
    assert result.exit_code == 0
    assert "20 of 20 games" in result.stdout
    assert "100 %" in result.stdout  # the curve
    name = "opening-ABCDE-scalar-5x5-1.player"
    (_, parts), (_, whole) = (read_player(tmp_path / file) for file in (name, "whole.player"))
    assert (parts.network.hidden == whole.network.hidden).all()
    assert parts.curve == whole.curve


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--features", "ABCDE", "--representation", "binary"), "make one with 'tesuji learn opening --features ABCDE"),
        (("--seed", "2"), "was trained with seed 1, not 2"),
        (("--expert", "playouts:5"), "was trained with expert playouts:4, not playouts:5"),
    ],
)
def test_opening__a_file_of_something_else_is_refused(learn, words, told):
    assert learn("opening", *SMALL, "--games", 1, "--out", "x.player").exit_code == 0
    result = learn("opening", *SMALL, *words, "--games", 2, "--out", "x.player")
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("opening", "--features", "XYZ"), "is not a set of features"),
        (("opening", "--expert", "nobody"), "there is no expert"),
        (("opening", "--rate", "-1"), "rate is -1"),
        (("player", "go", "--features", "features.py:stones"), "tesuji learn opening"),
        (("player", "tictactoe", "--features", "features.py:none"), "it has stones, fewer"),
        (("player", "tictactoe", "--features", "nowhere.py:stones"), "nowhere.py"),
        (("test", "features.py"), "is not a trained player"),
    ],
)
def test_errors__are_one_line_that_says_what_to_do(learn, words, told):
    result = learn(*words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert told in line


def test_player__of_another_game_is_learnt_tested_and_shown(learn, tmp_path):
    result = learn("player", "tictactoe", "--features", "features.py:stones", "--games", 30, "--test-games", 4)
    assert result.exit_code == 0, result.output
    result = learn("test", "tictactoe-1.player", "--games", 6)
    assert result.exit_code == 0, result.output
    assert "against uniform play" in result.stdout
    assert "of 6 games" in result.stdout
    result = learn("show", "tictactoe-1.player")
    assert "18 inputs, 40 units; 30 games" in result.stdout
    learn(
        "player", "tictactoe", "--features", "features.py:fewer", "--games", 3, "--test-games", 0, "--out", "b.player"
    )
    result = learn("test", "tictactoe-1.player", "--against", "b.player", "--games", 4)
    assert "against b.player" in result.stdout


def test_test__players_of_different_sizes_cannot_meet(learn):
    learn("opening", *SMALL, "--games", 1, "--out", "a.player")
    learn("opening", *SMALL, "--size", 6, "--games", 1, "--out", "b.player")
    result = learn("test", "a.player", "--against", "b.player", "--games", 2)
    assert result.exit_code == 2
    assert "they must play the same" in result.stderr


def test_gtp__a_trained_player_plays(learn):
    learn("opening", *SMALL, "--games", 5, "--out", "a.player")
    talk = "boardsize 5\ngenmove b\ngenmove w\nquit\n"
    words = ["gtp", "--size", "5", "--player", "a.player", "--simulations", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "tesuji.cli", *words],
        input=talk,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    moves = [line for line in done.stdout.splitlines() if line.startswith("= ") and len(line) > 2]
    assert len(moves) == 2, done.stdout + done.stderr


def test_ctrl_c__keeps_the_weights_and_exits_with_130(learn, tmp_path):
    words = ["learn", "opening", *SMALL, "--games", "1000000", "--out", "x.player"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tesuji.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    deadline = time.monotonic() + 100
    for line in process.stderr:  # the second line is of a game that was played
        if " of 1,000,000 games" in line or time.monotonic() > deadline:
            break
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=600) == 130
    header, training = read_player(tmp_path / "x.player")
    assert training.games >= 1
    assert header.settings["expert"] == "playouts:4"
