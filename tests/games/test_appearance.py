"""What a native game looks like where it is printed."""

from __future__ import annotations

import re

from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.games.appearance import as_text


def test_repr__says_whose_turn_it_is_and_draws_the_board() -> None:
    game = TicTacToe()
    game.play(4)
    head, *board = repr(game).splitlines()
    assert head == "<Tic-tac-toe, O to move>"
    assert "X" in "".join(board)


def test_repr__of_an_ended_game_says_so() -> None:
    game = TicTacToe()
    for move in (0, 3, 1, 4, 2):
        game.play(move)
    assert repr(game).startswith("<Tic-tac-toe, the game is over>")


def test_as_text__is_plain_and_has_no_blank_ends() -> None:
    for game in (TicTacToe(), Connect4(), Hex(5)):
        text = as_text(game)
        assert text.isascii()
        assert all(line == line.rstrip() for line in text.splitlines())


def test_repr_html__is_one_coloured_element() -> None:
    game = Connect4()
    game.play(3)
    page = game._repr_html_()
    assert re.fullmatch(r"<pre .*</pre>", page, re.DOTALL)
    assert "color: #" in page
