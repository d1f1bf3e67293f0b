"""Opening books: text and back, all forms of a position, which move is played, and what is wrong with a file."""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.go import Board, Engine
from tesuji.go.engine import EngineConfig
from tesuji.go.knowledge.book import BookMove, chosen, parse_book, read_book
from tesuji.go.knowledge.position_key import turned_points

TEXT = "tesuji-book 1\nsize 9\n- = E5 90 50 40, G5 10 2 8\nE5 = G5 60 30 30, E3 40 10 20\nE5 G5 = F3 7 4 3\n"


def test_text__and_back() -> None:
    book = parse_book(TEXT)
    assert len(book) == 3
    assert parse_book(book.text()).text() == book.text()


@pytest.mark.parametrize("turn", range(8))
def test_moves__in_every_form_of_the_board(turn: int) -> None:
    book = parse_book(TEXT)
    images = turned_points(9, 9, turn)
    board, turned = Board(9), Board(9)
    for name in ("E5", "G5"):
        move = board.point(name)
        board.play(move)
        turned.play(int(images[move]))
    (found,) = book.moves(turned)
    symmetric = {int(images[board.point("F3")]), int(images[board.point("F7")])}
    assert found.move in symmetric
    assert (found.games, found.wins, found.losses) == (7, 4, 3)


def test_moves__images_of_one_move_are_added_up() -> None:
    book = parse_book("tesuji-book 1\nsize 9\n- = C3 5 3 2, G7 4 1 3, G3 1 0 0\n")
    assert [(one.games, one.wins, one.losses) for one in book.moves(Board(9))] == [(10, 4, 5)]


def test_moves__another_size_has_none() -> None:
    assert parse_book(TEXT).moves(Board(13)) == []


def test_merged__adds_the_games() -> None:
    book = parse_book(TEXT).merged(parse_book("tesuji-book 1\nsize 9\nE5 = C5 5 5 0\n"))
    board = Board(9)
    board.play("E5")
    assert sum(one.games for one in book.moves(board)) == 105
    with pytest.raises(ValueError, match="13x13"):
        book.merged(parse_book("tesuji-book 1\nsize 13\n"))


def test_chosen__rare_moves_do_not_count() -> None:
    moves = [BookMove(1, 90, 45, 45), BookMove(2, 6, 3, 3), BookMove(3, 4, 4, 0)]
    assert {chosen(moves, 5, x / 100).move for x in range(100)} == {1, 2}  # type: ignore[union-attr]
    assert chosen(moves, 100, 0.5) is None
    assert chosen([], 1, 0.0) is None


def test_engine__plays_from_the_book_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    engine = Engine(EngineConfig(simulations=20, book=str(path), seed=1))
    board = Board(9)
    choice = engine.choose(board)
    assert choice.book is not None
    assert (choice.move, choice.simulations) == (choice.book.move, 0)
    assert engine.choose(board).move == choice.move
    board.play("A1")
    assert engine.choose(board).book is None


def test_read__packed_and_plain_are_the_same(tmp_path: Path) -> None:
    book = parse_book(TEXT)
    for name in ("a.txt", "a.book"):
        book.write(tmp_path / name)
        assert read_book(tmp_path / name).text() == book.text()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a book"),
        ("chess 1\n", "not a book"),
        ("tesuji-book 2\nsize 9\n", "another version"),
        ("tesuji-book 1\nsize 99\n", "line 2"),
        ("tesuji-book 1\nsize 9\nE5 E5 = C3 1 1 0\n", "line 3"),
        ("tesuji-book 1\nsize 9\nE5 = E5 1 1 0\n", "line 3.*not legal"),
        ("tesuji-book 1\nsize 9\nE5 C3\n", "line 3"),
        ("tesuji-book 1\nsize 9\nE5 = C3 1 2 3\n", "more results than games"),
        ("tesuji-book 1\nsize 9\nE5 = C3 x\n", "move 1 behind = is not a move of a book"),
    ],
)
def test_parse__what_is_wrong_is_said_with_its_line(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        parse_book(text)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_read__a_mutated_file_is_a_book_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    packed = data.draw(st.booleans())
    raw = bytearray(b"tesuji book 1\n" + zlib.compress(TEXT.encode()) if packed else TEXT.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    path = tmp_path_factory.mktemp("book") / "b"
    path.write_bytes(bytes(raw))
    with contextlib.suppress(ValueError):
        read_book(path).text()
