"""Positions to learn from: packed, taken, joined, kept in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tesuji.learning.network.positions import Positions, packed, unpacked


def positions(count: int, seed: int, *, owners: int = 2) -> Positions:
    rng = np.random.default_rng(seed)
    planes = rng.integers(0, 2, (count, 3, 4, 5), dtype=np.uint8)
    return Positions(
        rows=4,
        columns=5,
        num_planes=3,
        planes=packed(planes),
        scalars=rng.random((count, 2), np.float32),
        moves=rng.integers(0, 21, count).astype(np.int16),
        wins=rng.random(count).astype(np.float32),
        scores=np.full(count, np.nan, np.float32),
        games=rng.integers(-1, owners, count).astype(np.int32),
        owners=rng.integers(-1, 2, (owners, 20)).astype(np.int8),
        movers=rng.integers(0, 2, count).astype(np.int8),
    )


def test_packed__planes_come_back_as_they_were() -> None:
    planes = np.random.default_rng(1).integers(0, 2, (7, 17, 9, 9), dtype=np.uint8)
    bits = packed(planes)
    assert bits.shape == (7, (17 * 81 + 7) // 8)
    np.testing.assert_array_equal(unpacked(bits, 17, 9, 9), planes)


def test_joined__each_position_keeps_the_owners_of_its_game() -> None:
    first, second = positions(5, 1), positions(6, 2)
    both = first.joined(second)
    assert len(both) == 11
    for part, begin in ((first, 0), (second, 5)):
        for i in range(len(part)):
            game, now = part.games[i], both.games[begin + i]
            assert (game < 0) == (now < 0)
            if game >= 0:
                np.testing.assert_array_equal(both.owners[now], part.owners[game])


def test_joined__positions_of_another_size_are_refused() -> None:
    other = positions(2, 1)
    with pytest.raises(ValueError, match="another size"):
        other.joined(Positions(**{**vars(other), "rows": 5, "columns": 4}))


def test_positions__columns_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="wins has 1 rows, there are 3 positions"):
        Positions(**{**vars(positions(3, 1)), "wins": np.zeros(1, np.float32)})


def test_save__load_gives_the_same(tmp_path: Path) -> None:
    one = positions(9, 3)
    one.save(tmp_path / "positions.npz")
    again = Positions.load(tmp_path / "positions.npz")
    assert (again.rows, again.columns, again.num_planes) == (4, 5, 3)
    for name in ("planes", "scalars", "moves", "wins", "scores", "games", "owners", "movers"):
        np.testing.assert_array_equal(getattr(again, name), getattr(one, name))
    assert [path.name for path in tmp_path.iterdir()] == ["positions.npz"]


def test_taken__a_slice_and_a_mask_choose_rows() -> None:
    one = positions(9, 3)
    np.testing.assert_array_equal(one.taken(slice(4, None)).moves, one.moves[4:])
    np.testing.assert_array_equal(one.taken(one.movers == 1).wins, one.wins[one.movers == 1])
