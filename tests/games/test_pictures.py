"""Every way to win, as a picture: X has moved first and `*` is its last stone, before which nobody has won.

O's stones are where the picture has them; as many more as the turns ask for go to free cells, where they win nothing.
An underscore is a cell that stays empty.
"""

from __future__ import annotations

import pytest

from reference.ref_games import PlacingGame, RefGomoku, RefHavannah, RefY
from tesuji.games import Game, Gomoku, Havannah, Y


def played(game: Game, other: PlacingGame, picture: str) -> Game:
    """The game of a picture, before its last stone is on the board; `other` has it too."""
    signs = [sign for sign in picture if sign in "XO*._"]
    assert len(signs) == len(other.owner)
    own, theirs = ([move for move, sign in enumerate(signs) if sign == who] for who in "XO")
    free = [move for move, sign in enumerate(signs) if sign == "."]
    for move in own:
        game.play(move)
        other.play(move)
        reply = theirs.pop() if theirs else harmless(other, free)
        game.play(reply)
        other.play(reply)
        assert not game.is_over
    assert not theirs
    game.play(signs.index("*"))
    other.play(signs.index("*"))
    return game


def harmless(other: PlacingGame, free: list[int]) -> int:
    """A cell where the second player wins nothing."""
    cells = list(other.owner)
    for move in free:
        other.owner[cells[move]] = 1
        wins = other.has_won(1)
        other.owner[cells[move]] = -1
        if not wins:
            free.remove(move)
            return move
    raise AssertionError("the picture leaves no room")


# --- Havannah ---------------------------------------------------------------------------------------------------------

HAVANNAH = {
    "ring around an empty cell": (
        {"ring"},
        """
           . . . .
          . . . . .
         . . X X . .
        . . X _ * . .
         . . X X . .
          . . . . .
           . . . .
        """,
    ),
    "ring around a stone of the opponent": (
        {"ring"},
        """
           . . . .
          . . . . .
         . . X X . .
        . . X O X . .
         . . X * . .
          . . . . .
           . . . .
        """,
    ),
    "ring around an own stone": (
        {"ring"},
        """
           . . . .
          . . . . .
         . . X X . .
        . . X X * . .
         . . X X . .
          . . . . .
           . . . .
        """,
    ),
    "ring around seven cells": (
        {"ring"},
        """
           . . . .
          . X X X .
         . X O . X .
        . X . _ O X .
         . X O . X .
          . X * X .
           . . . .
        """,
    ),
    "crooked ring": (
        {"ring"},
        """
           . . . .
          . X X . .
         . X _ X . .
        . . X O X . .
         . . X * . .
          . . . . .
           . . . .
        """,
    ),
    "bridge along a side": (
        {"bridge"},
        """
           X X X *
          . . . . .
         . . . . . .
        . . . . . . .
         . . . . . .
          . . . . .
           . . . .
        """,
    ),
    "bridge across the board": (
        {"bridge"},
        """
           X . . .
          . X . . .
         . . X . . .
        . . . * . . .
         . . . X . .
          . . . X .
           . . . X
        """,
    ),
    "fork": (
        {"fork"},
        """
           . * . .
          X X X X X
         . . . . . .
        . . . . . . .
         . . . . . .
          . . . . .
           . . . .
        """,
    ),
    "fork through the middle": (
        {"fork"},
        """
           . X . .
          . X . . .
         . . X . . .
        . . . * X X .
         . . X . . X
          . X . . .
           . X . .
        """,
    ),
}

NOT_HAVANNAH = {
    "a corner belongs to no side": """
           . X X *
          X X . . .
         . . . . . .
        . . . . . . .
         . . . . . .
          . . . . .
           . . . .
        """,
    "a ring needs all six": """
           . . . .
          . . . . .
         . . X X . .
        . . X _ _ . .
         . . X * . .
          . . . . .
           . . . .
        """,
    "stones that touch each other are not a ring": """
           . . . .
          . . . . .
         . . X X . .
        . . X X X . .
         . . . * . .
          . . . . .
           . . . .
        """,
    "the edge of the board is not part of a ring": """
           . . . .
          . . . . .
         X . . . . .
        _ X . . . . .
         * . . . . .
          . . . . .
           . . . .
        """,
    "two sides and a corner are not a fork": """
           * . . .
          X . . . .
         X . . . . .
        . X . . . . .
         . X . . . .
          . X . . .
           . X . .
        """,
}


@pytest.mark.parametrize("name", HAVANNAH)
def test_havannah__wins_with(name: str) -> None:
    structures, picture = HAVANNAH[name]
    other = RefHavannah(4)
    game = played(Havannah(4), other, picture)
    assert set().union(*(other.structures(chain) for chain in other.chains(0, STEPS))) == structures
    assert (game.is_over, game.value, game.legal_moves()) == (True, 1.0, [])


@pytest.mark.parametrize("name", NOT_HAVANNAH)
def test_havannah__goes_on_because(name: str) -> None:
    game = played(Havannah(4), RefHavannah(4), NOT_HAVANNAH[name])
    assert not game.is_over


STEPS = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]


# --- Y ----------------------------------------------------------------------------------------------------------------

Y_WON = {
    "a chain to three sides": """
            .
           . .
          X . .
         . X X *
        . . X . .
        """,
    "a side, whose corners belong to two sides each": """
            .
           . .
          . . .
         . . . .
        X X * X X
        """,
    "a corner counts for two sides": """
            .
           . .
          . . *
         X X X .
        X . . . .
        """,
    "the tip counts for the two sides that meet there": """
            *
           X .
          . X .
         . X . .
        . X . . .
        """,
}

Y_OPEN = {
    "two sides are not enough": """
            .
           . .
          . . .
         X X * X
        . . . . .
        """,
    "two chains are not one": """
            .
           . .
          X . *
         . . . X
        X X . . X
        """,
}


@pytest.mark.parametrize("name", Y_WON)
def test_y__wins_with(name: str) -> None:
    game = played(Y(5), RefY(5), Y_WON[name])
    assert (game.is_over, game.value, game.legal_moves()) == (True, 1.0, [])


@pytest.mark.parametrize("name", Y_OPEN)
def test_y__goes_on_because(name: str) -> None:
    assert not played(Y(5), RefY(5), Y_OPEN[name]).is_over


# --- Gomoku -----------------------------------------------------------------------------------------------------------

GOMOKU = {
    "across": ". . . . . .  . X X * X X  . . . . . .  . . . . . .  . . . . . .  . . . . . .",
    "down": ". . . . . X  . . . . . X  . . . . . X  . . . . . X  . . . . . *  . . . . . .",
    "falling": "X . . . . .  . X . . . .  . . * . . .  . . . X . .  . . . . X .  . . . . . .",
    "rising": ". . . . . .  . . . . . X  . . . . X .  . . . X . .  . . * . . .  . X . . . .",
    "six": ". . . . . .  . . . . . .  X X X * X X  . . . . . .  . . . . . .  . . . . . .",
}


@pytest.mark.parametrize("name", GOMOKU)
def test_gomoku__wins_with_five_or_more(name: str) -> None:
    game = played(Gomoku(6), RefGomoku(6), GOMOKU[name])
    assert (game.is_over, game.value, game.legal_moves()) == (True, 1.0, [])


def test_gomoku__four_are_not_five() -> None:
    picture = ". . . . . .  . X X O X *  . . . . . .  . . . . . .  . . . . . .  . . . . . ."
    assert not played(Gomoku(6), RefGomoku(6), picture).is_over
