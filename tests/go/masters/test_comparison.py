"""Qualities of positions in pictures, and sets of games compared: what is planted is found, what is not is not."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.go import Board
from tesuji.go.masters.comparison import compared
from tesuji.go.masters.qualities import QUALITIES, qualities


def of(text: str) -> dict[str, tuple[float, float]]:
    found = qualities(Board.from_text(text))
    return {name: (found[0, i], found[1, i]) for i, name in enumerate(QUALITIES)}


def test_qualities__stones_and_liberties() -> None:
    found = of(
        """
        . . . . .
        . X X . .
        . O . . .
        . . . . .
        . . . . .
        """
    )
    assert found["strenStones"] == (2, 1)
    assert found["strenLibert"] == (5, 3)
    assert found["strenAdjLib"] == pytest.approx(((5 - 3) / 8, 0))


def test_qualities__a_shared_liberty_counts_for_each_chain() -> None:
    found = of(". . . . .\n. X . X .\n. . . . .\n. . . . .\n. . . . .\n")
    assert found["strenLibert"] == (8, 0)


def test_qualities__reach_by_line() -> None:
    board = Board(19)
    board.play("D4")
    found = dict(zip(QUALITIES, qualities(board)[0].tolist(), strict=True))
    near = [(row, column) for row in range(19) for column in range(19) if 0 < abs(row - 15) + abs(column - 3) <= 4]
    lines = [min(row, column, 18 - row, 18 - column) + 1 for row, column in near]
    assert found["speedRows34"] == sum(line in (3, 4) for line in lines)
    assert found["speedHigher"] == sum(line > 4 for line in lines)


def test_qualities__exchanged_colours_exchange_the_rows() -> None:
    rng = np.random.default_rng(2)
    board, other = Board(9), Board(9)
    other.color_to_play = 2
    for _ in range(40):
        move = int(rng.choice([m for m in board.legal_moves() if m != board.pass_move]))
        board.play(move)
        other.play(move)
    assert np.array_equal(qualities(board), qualities(other)[::-1])


def test_compared__a_planted_difference_is_found_and_no_other() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(400, 5)), rng.normal(size=(600, 5))
    second[:, 2] += 0.5
    found = compared(first, second)
    assert found.p < 1e-6
    assert found.qualities[2].low < 0.5 < found.qualities[2].high
    assert [one.low <= 0 <= one.high for one in found.qualities].count(False) <= 2


def test_compared__equal_sets_are_seldom_called_different() -> None:
    rng = np.random.default_rng(3)
    called = [compared(rng.normal(size=(40, 5)), rng.normal(size=(50, 5))).p < 0.05 for _ in range(200)]
    assert 1 <= sum(called) <= 22


def test_compared__too_few_games_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        compared(np.zeros((1, 5)), np.zeros((9, 5)))
