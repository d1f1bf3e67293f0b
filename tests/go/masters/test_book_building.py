"""Books from games: counts agree with a search of the database; growing adds what searches find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji.go import Board, Engine
from tesuji.go.engine import EngineConfig
from tesuji.go.knowledge.book import Book, parse_book
from tesuji.go.masters.book_building import build_book, grow_book, next_to_grow
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.importing import import_games
from tesuji.go.masters.positions import find_position

GAMES = [
    "(;SZ[9]RE[B+R];B[ee];W[ge];B[fg];W[ce])",
    "(;SZ[9]RE[W+R];B[ee];W[ce];B[dg];W[ge];B[dd])",  # the first three moves of the one above, mirrored
    "(;SZ[9]RE[B+1];B[ee];W[eg];B[gc])",
    "(;SZ[9];B[cc];W[gg])",
    "(;SZ[9]HA[2]AB[cc][gg]RE[W+R];W[ee])",
]


@pytest.fixture
def database(tmp_path: Path) -> GameDatabase:
    (tmp_path / "g.sgf").write_text("\n".join(GAMES))
    made = GameDatabase(tmp_path / "g.db", create=True)
    assert import_games(made, [tmp_path / "g.sgf"]).added == 5
    return made


def test_build__agrees_with_a_search_of_the_database(database: GameDatabase) -> None:
    book = build_book(database, 9, depth=3, least=1)
    for position in book:
        board = book.board_of(position)
        found = find_position(database, board, only=[1, 2, 3, 4])
        expected = sorted((one.games, one.wins, one.losses) for one in found.continuations)
        assert sorted((one.games, one.wins, one.losses) for one in position.moves) == expected


def test_build__rare_positions_are_left_out(database: GameDatabase) -> None:
    book = build_book(database, 9, depth=10, least=2)
    (root,) = [position for position in book if not position.path]
    assert [one.games for one in root.moves] == [3, 1]
    assert all(sum(one.games for one in position.moves) >= 2 for position in book)
    with pytest.raises(ValueError, match="--least"):
        build_book(database, 9, least=100)


def test_grow__adds_the_likeliest_position_that_is_missing() -> None:
    book = parse_book("tesuji-book 1\nsize 5\n- = C3 90 50 40, B3 10 2 8\nC3 = C4 5 2 3\n")
    board = Board(5)
    found = next_to_grow(book, 10, 1)
    assert found is not None
    assert [board.vertex(move) for move in found.path][:1] == ["C3"]
    engine = Engine(EngineConfig(seed=1))
    grown: list[int] = []
    assert grow_book(book, engine, positions=2, simulations=1000, on_grown=lambda one: grown.append(len(one.path))) == 2
    assert len(book) == 4
    assert grown[0] == 2


def test_grow__begins_with_the_empty_board_and_ends_at_the_depth() -> None:
    book = Book(3)
    engine = Engine(EngineConfig(seed=1))
    assert grow_book(book, engine, positions=50, depth=1, simulations=1000) < 50
    assert book.moves(Board(3))
