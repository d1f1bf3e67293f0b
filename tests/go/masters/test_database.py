"""The database of games: what goes in comes out, duplicates, filters, search by position and by pattern."""

from __future__ import annotations

import lzma
import multiprocessing
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.go import Board
from tesuji.go.knowledge.position_key import position_key, turned_points
from tesuji.go.masters.database import DatabaseError, GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.game import game_sgf, rank_number, stored_game
from tesuji.go.masters.importing import import_games
from tesuji.go.masters.positions import find_position
from tesuji.go.masters.shapes import find_pattern, pattern_from_text
from tesuji.go.masters.summary import summarised
from tesuji.go.records.sgf import load
from tesuji.go.rules.color import Color

FIRST = "(;GM[1]SZ[9]KM[5.5]RE[B+R]PB[Ann]BR[9p]PW[Bob]WR[6d]DT[1993-10-30]EV[Cup];B[ee];W[ge];B[fg];W[ce];B[dc])"
SECOND = "(;GM[1]SZ[9]KM[5.5]RE[W+2]PB[Cid]BR[1p]PW[Ann]WR[9p]DT[2001];B[ee];W[ge];B[gf];W[ff])"
THIRD = "(;GM[1]SZ[9]KM[7]PB[Dan]PW[Eve];B[cc];W[gg];B[cg];W[gc])"


def a_database(folder: Path, *games: str) -> GameDatabase:
    (folder / "games.sgf").write_text("\n".join(games), encoding="utf-8")
    database = GameDatabase(folder / "games.db", create=True)
    report = import_games(database, [folder / "games.sgf"])
    assert report.bad == 0
    return database


def turned(text: str, turn: int, *, swaps: bool) -> str:
    """The same game on a turned board, with exchanged colours if asked."""
    record = load(text.encode())
    images = turned_points(9, 9, turn)
    letters = "abcdefghi"
    nodes = []
    for color, move in record.moves:
        row, column = divmod(int(images[move]), 9)
        name = "BW"[(color == Color.WHITE) != swaps]
        nodes.append(f";{name}[{letters[column]}{letters[row]}]")
    return "(;SZ[9]" + "".join(nodes) + ")"


def test_import__what_goes_in_comes_out(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST, SECOND, THIRD) as database:
        assert len(database) == 3
        game = database.game(1)
        assert (game.info.black, game.info.black_rank, game.info.date, game.info.winner) == (
            "Ann",
            "9p",
            "1993-10-30",
            1,
        )
        assert load(game_sgf(game)).moves == load(FIRST.encode()).moves
        assert load(game_sgf(game)).result == "B+R"


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("swaps", [False, True])
def test_import__a_turned_game_with_other_colours_is_the_same_game(tmp_path: Path, turn: int, swaps: bool) -> None:
    with a_database(tmp_path, FIRST) as database:
        assert database.add([stored_game(load(turned(FIRST, turn, swaps=swaps).encode()))]) == (0, 1)


def test_import__another_game_is_no_duplicate(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST) as database:
        longer = FIRST.replace("B[dc])", "B[dc];W[hh])")
        assert database.add([stored_game(load(longer.encode()))]) == (1, 0)


def test_import__folders_archives_and_compressed_files(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "one.sgf").write_text(FIRST)
    (folder / "two.sgf.xz").write_bytes(lzma.compress(SECOND.encode()))
    with zipfile.ZipFile(folder / "three.zip", "w") as archive:
        archive.writestr("inside/third.sgf", THIRD)
    with tarfile.open(folder / "four.tar.gz", "w:gz") as tar:
        tar.add(folder / "deep" / "one.sgf", "again.sgf")
    with GameDatabase(tmp_path / "g.db", create=True) as database:
        report = import_games(database, [folder])
    assert (report.added, report.same, report.bad, report.files) == (3, 1, 0, 4)


BROKEN = {
    "empty": b"",
    "words": b"this is not a game",
    "null": b"(;SZ[9];B[ee]\x00;W[\x00\x00])",
    "one-by-one": b"(;SZ[1];B[aa];W[aa])",
    "occupied": b"(;SZ[9];B[ee];W[ee])",
    "off-board": b"(;SZ[9];B[zz])",
    "size": b"(;SZ[99];B[aa])",
    "chess": b"(;GM[2];B[aa])",
    "nested": b"(;SZ[9]" + b"(;B[aa]" * 60_000,
    "charset": b"(;CA[klingon]PB[\xff\xfe]SZ[9];B[ee];W[gc])",
    "no-semicolons": b"(;SZ[9] B[ee] W[gg])",
    "set-up in mid-game": b"(;SZ[9];B[ee];AW[aa];W[bb])",
}


@pytest.mark.parametrize("name", BROKEN)
def test_import__a_broken_file_is_named_and_the_next_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.sgf").write_bytes(BROKEN[name])
    (tmp_path / "b.sgf").write_text(SECOND)
    with GameDatabase(tmp_path / "g.db", create=True) as database:
        report = import_games(database, [tmp_path])
        assert report.added >= 1
        assert report.bad + report.added == 2
        assert all("a.sgf" in reason for reason in report.reasons)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_import__mutated_files_never_end_it(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    raw = bytearray((FIRST + SECOND).encode())
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "a.sgf").write_bytes(bytes(raw))
    (folder / "b.sgf").write_text(THIRD)
    with GameDatabase(folder / "g.db", create=True) as database:
        report = import_games(database, [folder])
        assert report.added >= 1
        for number in range(1, len(database) + 1):
            game_sgf(database.game(number))


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\x00" + b"\x01" * 500])
def test_open__a_file_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(DatabaseError, match="tesuji masters import"):
        GameDatabase(tmp_path / "x.db")


def test_open__another_version_is_refused(tmp_path: Path) -> None:
    a_database(tmp_path, FIRST).close()
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseError, match="version 99"):
        GameDatabase(tmp_path / "games.db")


def test_open__a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="tesuji masters import"):
        GameDatabase(tmp_path / "none.db")


def _hold(path: str, ready: object, done: object) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    ready.set()  # type: ignore[attr-defined]
    done.wait(30)  # type: ignore[attr-defined]


def test_add__while_another_process_writes_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.go.masters.database._WAIT_S", 0.2)
    a_database(tmp_path, FIRST).close()
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(str(tmp_path / "games.db"), ready, done))
    other.start()
    try:
        assert ready.wait(60)
        with GameDatabase(tmp_path / "games.db") as database:
            with pytest.raises(DatabaseError, match="another process"):
                database.add([stored_game(load(SECOND.encode()))])
            assert len(database) == 1
    finally:
        done.set()
        other.join()


def test_add__a_full_disk_is_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST) as database:
        pages = database._connection.execute("PRAGMA page_count").fetchone()[0]
        database._connection.execute(f"PRAGMA max_page_count = {pages}")
        moves = "".join(f";{'BW'[i % 2]}[{'abcdefghi'[i % 9]}{'abcdefghi'[i // 9]}]" for i in range(81))
        many = [stored_game(load(f"(;SZ[9]PB[{'x' * 20_000}]{moves})".encode()))]
        with pytest.raises(DatabaseError, match="make room"):
            database.add(many)
        assert len(database) == 1
        assert database.game(1).info.black == "Ann"


# Search ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(8))
def test_find_position__in_every_form_of_the_board(tmp_path: Path, turn: int) -> None:
    images = turned_points(9, 9, turn)
    with a_database(tmp_path, FIRST, SECOND, THIRD) as database:
        for swaps in (False, True):
            board = Board(9)
            board.color_to_play = Color.WHITE if swaps else Color.BLACK
            for move in load(FIRST.encode()).moves[:2]:
                board.play(int(images[move[1]]))
            found = find_position(database, board)
            assert found.games.tolist() == [1, 2]
            played = {one.move: (one.games, one.wins, one.losses) for one in found.continuations}
            expected = {int(images[load(text.encode()).moves[2][1]]): won for text, won in ((FIRST, 1), (SECOND, 0))}
            assert len(played) == 2
            for move, won in expected.items():
                same = [m for m in played if m == move or m in _images_in(board, move)]
                assert [played[m] for m in same] == [(1, won, 1 - won)]


def _images_in(board: Board, move: int) -> set[int]:
    return {int(turned_points(9, 9, turn)[move]) for turn in position_key(board).symmetries}


def test_find_position__the_side_to_move_counts(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST) as database:
        board = Board(9)
        board.play("E5")
        assert len(find_position(database, board).games) == 1
        board.color_to_play = Color.BLACK
        assert len(find_position(database, board).games) == 0


def test_find_position__filters_count(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST, SECOND, THIRD) as database:
        empty = Board(9)
        assert len(find_position(database, empty).games) == 3
        assert find_position(database, empty, GameFilter(player="ann")).games.tolist() == [1, 2]
        assert find_position(database, empty, GameFilter(winner="white")).games.tolist() == [2]
        assert find_position(database, empty, GameFilter(least_rank="1p")).games.tolist() == [2]
        assert find_position(database, empty, GameFilter(since="1994")).games.tolist() == [2]
        assert find_position(database, empty, GameFilter(until="1993")).games.tolist() == [1]
        assert find_position(database, empty, only=[3]).games.tolist() == [3]


def test_position_key__agrees_with_a_plain_comparison_of_all_forms() -> None:
    rng = np.random.default_rng(1)
    seen: dict[int, bytes] = {}
    for _ in range(200):
        board = Board(3)
        for _ in range(int(rng.integers(0, 5))):
            moves = [int(m) for m in board.legal_moves() if m != board.pass_move]
            board.play(int(rng.choice(moves)))
        grid = board.grid.copy()
        swapped = np.where(grid > 0, 3 - grid, 0).astype(np.uint8)
        forms = []
        for stones, side in ((grid, board.color_to_play), (swapped, 3 - board.color_to_play)):
            for k in range(4):
                for image in (np.rot90(stones, k), np.rot90(stones, k).T):
                    forms.append(bytes([int(side)]) + np.ascontiguousarray(image).tobytes())
        least = min(forms)
        assert seen.setdefault(position_key(board).key, least) == least
    assert len(set(seen.values())) == len(seen) > 20


def test_position_key__knows_the_symmetries_of_a_position() -> None:
    board = Board(9)
    assert position_key(board).symmetries == tuple(range(8))
    board.play("E5")
    assert len(position_key(board).symmetries) == 8
    board.play("E3")
    assert len(position_key(board).symmetries) == 2
    board.play("C4")
    assert position_key(board).symmetries == (0,)


def test_find_pattern__turned_and_in_the_other_colour(tmp_path: Path) -> None:
    # Black E5, White G5, Black F3: seen in the first game alone.
    picture = pattern_from_text("X.O\n...\n.X.\n")
    with a_database(tmp_path, FIRST, SECOND, THIRD) as database:
        found = find_pattern(database, picture)
        assert [(match.game, match.number) for match in found.matches] == [(1, 3)]
        other = pattern_from_text(".O.\n...\nO.X\n")
        assert [match.game for match in find_pattern(database, other).matches] == [1]
        assert find_pattern(database, other, exchanges_colors=False).matches == []
        assert found.searched == 3


def test_find_pattern__the_edge_and_the_reply(tmp_path: Path) -> None:
    corner = pattern_from_text("?####\n#....\n#....\n#..X.\n#....\n")
    with a_database(tmp_path, THIRD) as database:
        found = find_pattern(database, corner)
        assert [(match.game, match.number) for match in found.matches] == [(1, 1)]
        wide = pattern_from_text("X...?\n.....\n.....\n.....\n?...?\n")
        assert find_pattern(database, wide).replies() == [((4, 4, "O"), 1)]


@pytest.mark.parametrize("text", ["", "X.\nX", "abc", "...\n...", "X" * 26])
def test_pattern_from_text__what_is_wrong_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"pattern"):
        pattern_from_text(text)


def test_pattern__agrees_with_a_plain_search(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    games = []
    for _ in range(30):
        board = Board(5)
        for _ in range(20):
            moves = [int(m) for m in board.legal_moves() if m != board.pass_move]
            if not moves:
                break
            board.play(int(rng.choice(moves)))
        letters = "abcde"
        nodes = [f";{'BW'[c == Color.WHITE]}[{letters[m % 5]}{letters[m // 5]}]" for c, m in board.moves]
        games.append("(;SZ[5]" + "".join(nodes) + ")")
    signs = np.array([[1, 2], [0, 1]], np.uint8)
    with a_database(tmp_path, *games) as database:
        expected = []
        for number in range(1, len(database) + 1):
            record = load(game_sgf(database.game(number)))
            for played, board in enumerate(record.boards()):
                if _has(board.grid, signs):
                    expected.append((number, played))
                    break
        found = find_pattern(database, pattern_from_text("XO\n.X"))
        assert [(match.game, match.number) for match in found.matches] == expected
        assert expected


def _has(grid: np.ndarray, signs: np.ndarray) -> bool:
    for swap in (False, True):
        wanted = np.where((signs > 0) & swap, 3 - signs, signs)
        for k in range(4):
            for form in (np.rot90(wanted, k), np.rot90(wanted, k).T):
                for row in range(grid.shape[0] - 1):
                    for column in range(grid.shape[1] - 1):
                        if np.array_equal(grid[row : row + 2, column : column + 2], form):
                            return True
    return False


def test_summary__counts(tmp_path: Path) -> None:
    with a_database(tmp_path, FIRST, SECOND, THIRD) as database:
        found = summarised(database)
        assert (found.games, found.moves, found.by_size) == (3, 13, {"9x9": 3})
        assert found.by_winner == {"Black": 1, "White": 1, "nobody": 1}
        assert "Ann 2" in found.text()


@pytest.mark.parametrize(
    ("text", "number"), [("9p", 109), ("6 dan", 6), ("3k", -3), ("2段", 2), ("", None), ("NR", None)]
)
def test_rank_number(text: str, number: int | None) -> None:
    assert rank_number(text) == number
