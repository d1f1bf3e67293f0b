"""A network that plays itself: it learns from what its searches say, keeps its books and goes on; needs PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

for library in ("torch", "onnx", "onnxruntime"):
    pytest.importorskip(library)

from tesuji.games import Connect4, Hex, Othello  # noqa: E402
from tesuji.learning.network.self_play import SelfPlay, SelfPlayConfig  # noqa: E402
from tesuji.search import Search  # noqa: E402

TINY = SelfPlayConfig(games=2, simulations=12, steps=3, batch_size=16, blocks=1, channels=8, window=40)


def test_self_play__an_iteration_learns_from_its_games_and_the_next_sitting_goes_on(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    loop = SelfPlay(Hex(3), tmp_path, TINY)
    loop.run(iterations=1, on_iteration=told.append)
    assert told[0]["iteration"] == 1
    positions = loop.positions
    assert positions is not None
    assert positions.shares is not None
    np.testing.assert_allclose(positions.shares.astype(np.float64).sum(axis=1), 1, atol=0.01)
    assert set(positions.wins.tolist()) <= {0.0, 1.0}
    again = SelfPlay(Hex(3), tmp_path, TINY)
    assert again.iteration == 1
    again.run(iterations=2)
    assert again.positions is not None
    assert len(positions) < len(again.positions) <= TINY.window
    result = Search(Hex(3), again.search_config, evaluator=again.evaluator()).run(simulations=20, seed=1)
    assert result.visits.sum() == 20


def test_self_play__a_game_whose_moves_are_no_points_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="7 moves on 42 points"):
        SelfPlay(Connect4(), tmp_path, TINY)


def test_self_play__a_game_with_passes_draws_and_all_symmetries(tmp_path: Path) -> None:
    config = replace(TINY, games=1, simulations=4, symmetries=tuple(range(8)), window=200)
    loop = SelfPlay(Othello(), tmp_path, config)
    assert loop.shape.has_pass
    loop.run(iterations=1)
    assert loop.positions is not None
    assert len(loop.positions) >= 50
    assert 0 <= loop.points_against_playouts(2, 4, first_moves=2) <= 2


def test_points_against_playouts__count_for_either_side(tmp_path: Path) -> None:
    loop = SelfPlay(Hex(2), tmp_path, TINY)
    assert loop.points_against_playouts(4, 30, first_moves=0) == 2, "who begins on 2x2 wins"
