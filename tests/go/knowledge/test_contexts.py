"""Local contexts from Python: against the definition in plain Python, over games, bad input."""

import numpy as np
import pytest

from tesuji.go import Board
from tesuji.go.knowledge.contexts import CONTEXT_SIZES, NEIGHBOURS, board_contexts, game_contexts
from tesuji.go.rules.color import Color

_OFF = 3


def _shape(board: Board, point: int, size: int, mover: int) -> tuple[int, ...]:
    """What stands on the neighbours, read off the grid: 0 empty, 1 own, 2 the opponent's, 3 off the board."""
    row, column = divmod(point, board.width)
    seen = []
    for down, right in NEIGHBOURS[:size]:
        r, c = row + down, column + right
        inside = 0 <= r < board.height and 0 <= c < board.width
        stone = int(board.grid[r, c]) if inside else _OFF
        seen.append(stone if stone in (0, _OFF) else 1 if stone == mover else 2)
    return tuple(seen)


def _images(shape: tuple[int, ...]) -> set[tuple[int, ...]]:
    places = NEIGHBOURS[: len(shape)]
    images = set()
    for turn in range(8):
        image = []
        for down, right in places:
            row, column = (-down if turn & 1 else down), (-right if turn & 2 else right)
            image.append(shape[places.index((column, row) if turn & 4 else (row, column))])
        images.add(tuple(image))
    return images


def _random_game(board: Board, moves: int, seed: int) -> list[tuple[int, int]]:
    random = np.random.default_rng(seed)
    game = []
    for _ in range(moves):
        move = int(random.choice(board.legal_moves()[:-1]))
        game.append((board.color_to_play, move))
        board.play(move)
    return game


def test_neighbours__sizes_grow_by_whole_rings() -> None:
    assert CONTEXT_SIZES == (4, 8, 12, 20, 24, 28, 36, 40)
    assert set(NEIGHBOURS[:4]) == {(0, 1), (1, 0), (0, -1), (-1, 0)}
    assert set(NEIGHBOURS[:24]) == {(r, c) for r in range(-2, 3) for c in range(-2, 3)} - {(0, 0)}
    assert set(NEIGHBOURS) == {(r, c) for r in range(-4, 5) for c in range(-4, 5) if 0 < abs(r) + abs(c) <= 4}


@pytest.mark.parametrize("size", CONTEXT_SIZES)
def test_board_contexts__equal_exactly_where_the_surroundings_are(size: int) -> None:
    plain: dict[tuple[int, ...], int] = {}
    symmetric: dict[tuple[int, ...], int] = {}
    for seed in range(2):
        board = Board(9)
        _random_game(board, 40, seed)
        for mover in (Color.BLACK, Color.WHITE):
            hashes = board_contexts(board, size, color=mover)
            forms = board_contexts(board, size, color=mover, symmetric=True)
            for point in np.flatnonzero(board.grid.ravel() == 0).tolist():
                shape = _shape(board, point, size, mover)
                assert plain.setdefault(shape, int(hashes.flat[point])) == int(hashes.flat[point])
                form = min(_images(shape))
                assert symmetric.setdefault(form, int(forms.flat[point])) == int(forms.flat[point])
    assert len(set(plain.values())) == len(plain)
    assert len(set(symmetric.values())) == len(symmetric)


def test_game_contexts__rows_are_the_legal_moves_of_each_position() -> None:
    board = Board(9)
    game = _random_game(board, 60, 7)
    game.append((board.color_to_play, board.pass_move))
    rows = game_contexts(Board(9), game, sizes=(8, 40))
    assert rows.contexts.shape == (len(rows.points), 2)
    assert len(rows.starts) == len(game) + 1
    replay = Board(9)
    for i, (_, move) in enumerate(game):
        begin, end = rows.starts[i], rows.starts[i + 1]
        assert rows.points[begin:end].tolist() == replay.legal_moves()[:-1].tolist()
        for column, size in enumerate((8, 40)):
            expected = board_contexts(replay, size, symmetric=True).ravel()[rows.points[begin:end]]
            assert (rows.contexts[begin:end, column] == expected).all()
        if move == replay.pass_move:
            assert rows.played[i] == -1
        else:
            assert rows.points[rows.played[i]] == move
        replay.play(move)


def test_game_contexts__no_moves_no_rows() -> None:
    rows = game_contexts(Board(5), [])
    assert rows.starts.tolist() == [0]
    assert rows.contexts.shape == (0, len(CONTEXT_SIZES))


def test_contexts__bad_input_is_named() -> None:
    with pytest.raises(ValueError, match=r"16 neighbours does not exist; choose from \(4, 8"):
        board_contexts(Board(9), 16)
    with pytest.raises(ValueError, match="41 neighbours"):
        game_contexts(Board(9), [], sizes=(8, 41))
    with pytest.raises(ValueError, match=r"move 2 of the game \(40\) is not legal"):
        game_contexts(Board(9), [(Color.BLACK, 40), (Color.WHITE, 40)])
    with pytest.raises(ValueError, match=r"move 1 of the game \(82\)"):
        game_contexts(Board(9), [(Color.BLACK, 82)])
