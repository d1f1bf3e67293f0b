"""Patterns of corners and sides: keys in every form, what was planted is counted, files, and wrong ones."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.go import Board
from tesuji.go.knowledge.position_key import WHITE, turned_points
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.game import GameInfo, StoredGame
from tesuji.go.masters.joseki import JosekiSettings, JosekiTable, build_joseki, read_joseki
from tesuji.go.masters.joseki_view import best_text, known_text, save_best
from tesuji.go.masters.regions import REGIONS, region_named, seen
from tesuji.go.rules.color import Color

OPENING = "Q16 D4 C14 Q4 R14"  # black has star and knight's move in the upper right


def recorded(line: str, turn: int = 0, *, exchanged: bool = False) -> StoredGame:
    board, images, moves = Board(19), turned_points(19, 19, turn), []
    for number, name in enumerate(line.split()):
        is_white = (number % 2 == 1) != exchanged
        moves.append(int(images[board.point(name)]) | (WHITE if is_white else 0))
    return StoredGame(GameInfo(width=19, height=19), [], [], np.array(moves, np.uint16))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> JosekiTable:
    """Six games with one opening, turned and recoloured; they differ far from it, and a seventh has another."""
    path = tmp_path_factory.mktemp("joseki") / "g.db"
    others = ("K10", "L11", "J9", "K12", "M10", "H10")
    games = [recorded(f"{OPENING} {other} S17", turn, exchanged=turn % 2 == 1) for turn, other in enumerate(others)]
    with GameDatabase(path, create=True) as database:
        database.add([*games, recorded("C3 R17")])
        return build_joseki(database, JosekiSettings(playouts=4))


def test_regions__have_the_sizes_of_the_source() -> None:
    assert {region.name: region.num_points for region in REGIONS} == {
        "small-corner": 36,
        "big-corner": 66,
        "big-side": 87,
    }
    for region in REGIONS:
        places = [frozenset(region.places[place, 0].tolist()) for place in range(4)]
        assert len(set(places)) == 4
        assert all(set(region.places[place, 1].tolist()) == places[place] for place in range(4))
        assert not any(places[place] & set(region.border[place].tolist()) for place in range(4))
    with pytest.raises(ValueError, match="small-corner, big-corner, big-side"):
        region_named("centre")


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("exchanged", [False, True])
def test_seen__a_turned_recoloured_board_has_the_same_patterns(turn: int, exchanged: bool) -> None:
    rng = np.random.default_rng(turn)
    grid = rng.choice(np.array([0, 1, 2], np.uint8), 361, p=[0.9, 0.05, 0.05])
    other = np.zeros_like(grid)
    other[turned_points(19, 19, turn)[:361]] = np.array([0, 2, 1], np.uint8)[grid] if exchanged else grid
    for region in REGIONS:
        keys = [sorted(int(seen(region, p, g[None]).keys[0]) for p in range(4)) for g in (grid, other)]
        assert keys[0] == keys[1]


def test_seen__a_big_corner_counts_while_the_points_beside_it_are_empty() -> None:
    region, board = region_named("big-corner"), Board(19)
    board.place(Color.BLACK, ["Q16"])
    before = [int(seen(region, p, board.grid.reshape(1, -1)).keys[0]) for p in range(4)]
    assert sorted(key != 0 for key in before) == [False, False, False, True]  # empty corners do not count
    board.place(Color.WHITE, ["J18", "H19"])
    after = [int(seen(region, p, board.grid.reshape(1, -1)).keys[0]) for p in range(4)]
    assert not any(key in after for key in before if key)


def test_build__a_corner_seen_six_times_is_known_in_every_form(table: JosekiTable) -> None:
    assert table.games == 7
    board = Board(19)
    for name in OPENING.split():
        board.play(name)
    corners = [one for one in table.known(board) if one.region == "big-corner" and board.point("R14") in one.points]
    assert len(corners) == 1
    assert corners[0].count == 6
    assert corners[0].continuations == [(board.point("S17"), Color.BLACK, 6)]
    assert corners[0].black + corners[0].white <= 66
    lower = [one for one in table.known(board) if board.point("D4") in one.points and "corner" in one.region]
    assert [one.count for one in lower] == [18]  # a lone star: three corners of each game
    assert lower[0].white > lower[0].black - 66


def test_build__what_was_seen_once_is_not_known(table: JosekiTable) -> None:
    board = Board(19)
    board.play("C3")
    assert table.known(board) == []
    assert known_text(table, board) == "no corner and no side of it is known"


def test_build__owners_at_the_end_are_those_of_the_stones(tmp_path: Path) -> None:
    """Black's stones fill a side and live; whatever playouts do, it is Black's."""
    black = [f"{column}{row}" for row in (3, 4) for column in "ABCDEFGHJKLMNOPQRST"]
    line = " ".join(name for one in black for name in (one, "pass"))
    moves = []
    for number, name in enumerate(line.split()):
        moves.append((361 | WHITE) if number % 2 else Board(19).point(name))
    with GameDatabase(tmp_path / "g.db", create=True) as database:
        games = []
        for extra in range(6):  # white stones that differ make them different games
            other = np.array([extra | WHITE, *moves], np.uint16)
            games.append(StoredGame(GameInfo(width=19, height=19), [], [], other))
        database.add(games)
        found = build_joseki(database, JosekiSettings(playouts=8, num_moves=100))
    best = found.best("big-side", 1)[0]
    assert best.mean > 75
    assert best.count >= 6


def test_best__is_in_order_and_drawn(table: JosekiTable, tmp_path: Path) -> None:
    values = [one.mean - one.error for one in table.best("big-corner")]
    assert values == sorted(values, reverse=True)
    assert "big-corner" in best_text(table, "big-corner")
    assert save_best(table, "big-corner", tmp_path / "top.png", number=2).stat().st_size > 1000


def test_file__comes_back(table: JosekiTable, tmp_path: Path) -> None:
    table.write(tmp_path / "j.npz")
    back = read_joseki(tmp_path / "j.npz")
    assert (len(back), back.games) == (len(table), 7)
    assert best_text(back, "small-corner") == best_text(table, "small-corner")


def test_file__what_is_none_is_refused_with_the_command(table: JosekiTable, tmp_path: Path) -> None:
    table.write(tmp_path / "j.npz")
    data = (tmp_path / "j.npz").read_bytes()
    for bad in (b"", b"nothing", data[: len(data) // 2]):
        (tmp_path / "b.npz").write_bytes(bad)
        with pytest.raises(ValueError, match="tesuji masters joseki"):
            read_joseki(tmp_path / "b.npz")
    with np.load(tmp_path / "j.npz") as file:
        columns = dict(file)
    np.savez(tmp_path / "v.npz", **(columns | {"version": np.array(7)}))
    with pytest.raises(ValueError, match="version 7"):
        read_joseki(tmp_path / "v.npz")
    np.savez(tmp_path / "w.npz", **(columns | {"keys": columns["keys"][:-1]}))
    with pytest.raises(ValueError, match="broken"):
        read_joseki(tmp_path / "w.npz")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_file__a_mutated_one_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, table: JosekiTable, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "j.npz"
    table.write(path)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(raw))
    with contextlib.suppress(ValueError):
        read_joseki(path)


def test_settings__what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="least is 1"):
        JosekiSettings(least=1)
    with pytest.raises(ValueError, match="games is 0"):
        JosekiSettings(games=0)


def test_known__another_size_is_refused(table: JosekiTable) -> None:
    with pytest.raises(ValueError, match="19x19, the board is 9x9"):
        table.known(Board(9))
