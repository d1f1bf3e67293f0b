"""Openings: legal, distinct, reproducible; and files that are wrong are refused by name, line and move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tesuji.experiments.play.openings import Opening, RandomOpenings, make_openings, play_opening
from tesuji.experiments.records import Conditions
from tesuji.experiments.table import lay_table
from tesuji.words import GAME_NAMES

GO9 = Conditions(size=9)
GAMES: tuple[str, ...] = GAME_NAMES


def sgf(moves: str, size: int = 9, more: str = "") -> str:
    turns = "".join(f";{'BW'[i % 2]}[{point}]" for i, point in enumerate(moves.split()))
    return f"(;GM[1]FF[4]SZ[{size}]{more}{turns})"


def test_make_openings__empty_is_one_opening_without_moves() -> None:
    assert make_openings("empty", GO9, 1) == [Opening("empty")]
    assert make_openings("random:0", GO9, 1) == [Opening("empty")]


# Random ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [1, 3, 7])
def test_random__openings_are_legal_and_do_not_end_the_game(game: str, plies: int) -> None:
    conditions = Conditions(game=game)
    for opening in make_openings(f"random:{plies}", conditions, 5)[:50]:
        assert len(opening.moves) == plies
        play_opening(lay_table(conditions), opening.moves, opening.name)


@pytest.mark.parametrize(
    ("game", "plies"),
    [("tictactoe", 1), ("tictactoe", 4), ("connect4", 3), ("go", 2), ("othello", 2), ("breakthrough", 2), ("y", 1)],
)
def test_random__all_openings_are_different(game: str, plies: int) -> None:
    openings = make_openings(f"random:{plies}", Conditions(game=game, size=4 if game == "go" else 0), 2)
    assert len({opening.moves for opening in openings[:]}) == len(openings)
    assert len({opening.name for opening in openings[:]}) == len(openings)


@pytest.mark.parametrize("size", [2, 3])
def test_random__tiny_boards_have_openings_too(size: int) -> None:
    openings = make_openings("random:3", Conditions(size=size), 2)
    made = openings[:]
    assert len(made) == len(openings)
    assert len({opening.moves for opening in made}) == len(openings)


def test_random__the_same_seed_gives_the_same_openings_in_any_order() -> None:
    openings = make_openings("random:6", GO9, 7)
    again = make_openings("random:6", GO9, 7)
    assert [openings[i] for i in (3, 0, 500)] == [again[:501][i] for i in (3, 0, 500)]
    assert make_openings("random:6", GO9, 8)[0].moves != openings[0].moves
    assert openings[-1] == openings[len(openings) - 1]
    with pytest.raises(IndexError):
        openings[len(openings)]


def test_random__first_moves_are_equally_frequent() -> None:
    firsts = Counter(opening.moves[0] for opening in make_openings("random:2", GO9, 3)[:810])
    assert set(firsts.values()) == {10}


def test_random__after_a_handicap_white_begins() -> None:
    conditions = Conditions(size=9, handicap=4)
    opening = make_openings("random:3", conditions, 1)[0]
    table = lay_table(conditions)
    play_opening(table, opening.moves, opening.name)
    assert [seat for seat, _ in table.history] == [1, 0, 1]


def test_random__more_moves_than_a_game_has_are_refused() -> None:
    with pytest.raises(ValueError, match=r"random:9 cannot be made: so many moves end the game of tictactoe"):
        make_openings("random:9", Conditions(game="tictactoe"), 1)
    with pytest.raises(ValueError, match=r"on 2 lines"):
        RandomOpenings(lay_table(Conditions(game="hex", size=2)), 4, seed=1)


# Files ----------------------------------------------------------------------------------------------------------------


def test_sgf__the_first_moves_of_each_game(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(sgf("ee cc gg") + sgf("cc gg ee ce"))
    assert make_openings(f"{file}:2", GO9, 1) == [
        Opening("games-1", ("E5", "C7")),
        Opening("games-2", ("C7", "G3")),
    ]
    assert [len(opening.moves) for opening in make_openings(str(file), GO9, 1)] == [3, 4]


def test_sgf__a_folder_is_read_in_order_and_equal_openings_count_once(tmp_path: Path) -> None:
    (tmp_path / "b.sgf").write_text(sgf("cc gg ee"))
    (tmp_path / "a.sgf").write_text(sgf("ee cc"))
    (tmp_path / "c.sgf").write_text(sgf("cc gg aa"))
    assert make_openings(f"{tmp_path}:2", GO9, 1) == [Opening("a", ("E5", "C7")), Opening("b", ("C7", "G3"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (sgf("ee cc ee"), r"opening bad.sgf: move 3, 'E5', is illegal: E5 is occupied \(black, move 1\)"),
        (sgf("ee cc") + sgf("aa aa"), r"opening bad.sgf, game 2: move 2, 'A9', is illegal"),
        (sgf("dd pp", 19), r"bad.sgf: its board is 19x19, the match's 9x9"),
        (sgf("ee", more="AB[cc]"), r"bad.sgf: it has set-up stones"),
        ("(;SZ[9];B[ee];B[cc])", r"bad.sgf: move 2, C7, is black's; white is to move"),
        ("(;SZ[9];B[ee];W[];B[])", r"move 3, 'pass', ends the game"),
        ("(;SZ[9];B[zz])", r"bad.sgf: game 1: move 1 cannot be read"),
        ("", r"bad.sgf: there is no game"),
    ],
)
def test_sgf__what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.sgf").write_text(text)
    with pytest.raises(ValueError, match=message):
        make_openings(str(tmp_path / "bad.sgf"), GO9, 1)


def test_sgf__a_later_set_up_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "late.sgf").write_text("(;SZ[9];B[ee];W[cc];B[gg];AB[aa];W[bb])")
    assert make_openings(f"{tmp_path / 'late.sgf'}:2", GO9, 1) == [Opening("late", ("E5", "C7"))]


def test_book__one_opening_a_line(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("# my favourites\n\ne5 c3  # the centre\nC3,g7,\tpass\n")
    assert make_openings(f"book:{tmp_path / 'book.txt'}", GO9, 1) == [
        Opening("book.txt:3", ("E5", "C3")),
        Opening("book.txt:4", ("C3", "G7", "pass")),
    ]


def test_book__serves_every_game(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("4 4 3\n")
    conditions = Conditions(game="connect4")
    assert make_openings(f"book:{tmp_path / 'book.txt'}", conditions, 1) == [Opening("book.txt:1", ("4", "4", "3"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("E5 C3\nE5 Z9\n", r"opening book.txt:2: move 2, 'Z9', is illegal: 'Z9' is off the board"),
        ("E5 C3\n\nE5 hello\n", r"opening book.txt:3: move 2, 'hello', is illegal"),
        ("E5 E5\n", r"opening book.txt:1: move 2, 'E5', is illegal: E5 is occupied"),
        ("pass pass\n", r"opening book.txt:1: move 2, 'pass', ends the game"),
        ("# nothing\n", r"book.txt holds no opening; write one a line, for instance [A-J][1-9] [A-J][1-9]"),
    ],
)
def test_book__what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "book.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        make_openings(f"book:{tmp_path / 'book.txt'}", GO9, 1)


@pytest.mark.parametrize(
    ("text", "conditions", "message"),
    [
        ("", GO9, r"openings '' are none: write empty, random:4"),
        ("random", GO9, r"write random:4"),
        ("random:x", GO9, r"write random:4"),
        ("random:-1", GO9, r"write random:4"),
        ("chess.pgn", GO9, r"'chess.pgn' are none"),
        ("/no/such/file.sgf", GO9, r"there is no file '/no/such/file.sgf'"),
        ("book:/no/such/file.txt", GO9, r"there is no file '/no/such/file.txt'"),
        ("book:/dev/zero", GO9, r"there is no file '/dev/zero'"),
        ("games.sgf", Conditions(game="hex"), r"SGF files hold games of Go, not of hex"),
    ],
)
def test_make_openings__what_means_nothing_is_refused(text: str, conditions: Conditions, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_openings(text, conditions, 1)


def test_make_openings__an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no .sgf file in"):
        make_openings(str(tmp_path), GO9, 1)
