"""The number of positions in which every chain has a liberty, counted by the core's own chains.

The published numbers are those of J. Tromp and G. Farnebäck, "Combinatorics of Go" (2016), and OEIS A094777. For small
boards the reference board counts them once more by brute force, so a wrong constant here would show.
"""

from __future__ import annotations

import itertools

import pytest

from reference.ref_board import EMPTY, RefBoard
from tesuji._core.go import count_legal_positions

PUBLISHED = {
    (1, 1): 1,
    (1, 2): 5,
    (1, 3): 15,
    (1, 4): 41,
    (1, 5): 113,
    (2, 2): 57,
    (2, 3): 489,
    (2, 4): 4125,
    (2, 5): 35117,
    (3, 3): 12675,
    (3, 4): 321689,
}


def every_chain_has_a_liberty(board: RefBoard) -> bool:
    stones = [divmod(point, board.width) for point in range(board.pass_move) if board.color_at(point) != EMPTY]
    return all(board.chain_and_liberties(board.grid, row, column)[1] for row, column in stones)


def count_by_brute_force(width: int, height: int) -> int:
    board, legal = RefBoard(width, height, rules=None), 0
    for colors in itertools.product(range(3), repeat=width * height):
        board.grid = [list(colors[row * width : (row + 1) * width]) for row in range(height)]
        legal += every_chain_has_a_liberty(board)
    return legal


@pytest.mark.parametrize(("width", "height"), PUBLISHED)
def test_count_legal_positions__equals_the_published_number(width: int, height: int) -> None:
    assert count_legal_positions(width, height) == PUBLISHED[width, height]
    assert count_legal_positions(height, width) == PUBLISHED[width, height]


@pytest.mark.slow
def test_count_legal_positions__equals_the_published_number_on_4x4() -> None:
    assert count_legal_positions(4, 4) == 24_318_165


@pytest.mark.parametrize(("width", "height"), [size for size in PUBLISHED if size[0] * size[1] <= 9])
def test_published_numbers__agree_with_brute_force_on_the_reference_board(width: int, height: int) -> None:
    assert count_by_brute_force(width, height) == PUBLISHED[width, height]


@pytest.mark.parametrize(("width", "height"), [(0, 3), (5, 4), (17, 1)])
def test_count_legal_positions__boards_that_would_take_for_ever_are_refused(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="16 points"):
        count_legal_positions(width, height)
