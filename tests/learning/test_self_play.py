"""A network that plays itself: it learns from what its searches say, keeps its books and goes on; needs PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

for library in ("torch", "onnx", "onnxruntime"):
    pytest.importorskip(library)

from tesuji.games import Connect4, Hex  # noqa: E402
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
