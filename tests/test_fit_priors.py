"""The script that fits strengths: it recovers strengths that were planted, and reads and writes what it should."""

from __future__ import annotations

import importlib.util
import lzma
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tesuji.go.knowledge.features import LEVELS, shape_from_text, turned_shapes
from tesuji.go.knowledge.priors import parse_strengths

pytest.importorskip("scipy")
SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "fit_priors.py"
SGF = "(;GM[1]SZ[{size}]KM[6.5];B[cc];W[gg];B[cg];W[gc];B[ee];W[ce];B[ge])\n"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fit_priors", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def planted(script: ModuleType, logs: np.ndarray, positions: int, moves: int, seed: int) -> object:
    """Choices among moves with two levels each, drawn with chances that follow the strengths."""
    rng = np.random.default_rng(seed)
    levels = np.full((positions * moves, 9), -1, dtype=np.int32)
    levels[:, 0] = rng.integers(0, 3, positions * moves)
    levels[:, 1] = rng.integers(3, 6, positions * moves)
    scores = (logs[levels[:, 0]] + logs[levels[:, 1]]).reshape(positions, moves)
    chosen = np.argmax(scores + rng.gumbel(size=scores.shape), axis=1)
    kept_out = np.arange(positions) % 10 == 0
    return script.Choices(
        np.zeros(positions * moves, dtype=np.int64),
        levels,
        np.full(positions, moves),
        chosen,
        kept_out,
        np.ones(positions, dtype=bool),
    )


def test_fit__recovers_planted_strengths(script: ModuleType) -> None:
    """Within a block only differences show: the choice does not change if all its levels are stronger."""
    logs = np.log([1.0, 3.0, 9.0, 2.0, 1.0, 0.25])
    choices = planted(script, logs, positions=8_000, moves=8, seed=1)
    names, columns = script.number_features(choices, 10**9)
    assert names == list(LEVELS)
    found = script.fit(choices, columns, len(names), 0.01, 200)
    for first in (0, 3):
        expected = logs[first : first + 3] - logs[first : first + 3].mean()
        assert found[first : first + 3] - found[first : first + 3].mean() == pytest.approx(expected, abs=0.1)
    assert found[6:] == pytest.approx(0.0, abs=1e-6)
    assert "first choice" in script.judge(choices, columns, found, True)
    assert script.judge(choices, columns, found, False) == "no game was kept out"


def test_fit__a_penalty_draws_strengths_towards_one(script: ModuleType) -> None:
    choices = planted(script, np.log([1.0, 3.0, 9.0, 1.0, 1.0, 1.0]), positions=300, moves=5, seed=2)
    names, columns = script.number_features(choices, 10**9)
    free, bound = (np.abs(script.fit(choices, columns, len(names), p, 100)).sum() for p in (0.1, 100.0))
    assert bound < free / 2


def test_judge__counts_the_games_that_were_kept_out_and_their_first_choices(script: ModuleType) -> None:
    """Two of four positions are judged; in one of them the chosen move has the strongest level, in one the weakest."""
    levels = np.full((8, 9), -1, dtype=np.int32)
    levels[:, 0] = [0, 1] * 4
    two = np.array([2, 2, 2, 2])
    kept_out = np.array([True, True, False, False])
    choices = script.Choices(np.zeros(8, np.int64), levels, two, np.array([0, 1, 0, 0]), kept_out, kept_out | True)
    weights = np.zeros(len(LEVELS))
    weights[0] = np.log(3)
    _, columns = script.number_features(choices, 10**9)
    told = script.judge(choices, columns, weights, True)
    likelihood = (np.log(3 / 4) + np.log(1 / 4)) / 2
    assert told == (
        f"small boards: 2 moves kept out, first choice 50.0%, among five 100.0%, mean log-likelihood {likelihood:.3f}"
    )


def test_number_features__shapes_that_are_seen_often_get_a_weight_in_all_their_forms_together(
    script: ModuleType,
) -> None:
    often, rare = (shape_from_text(text) for text in ("./X../..*../.../.", "./XX./..*../.../."))
    forms = turned_shapes(np.array([often, rare]))
    shapes = np.concatenate([forms[:4, 0], forms[:1, 1]])
    least = turned_shapes(shapes).min(axis=0)
    levels = np.full((5, 9), -1, dtype=np.int32)
    one = np.ones(1, dtype=np.int64)
    choices = script.Choices(least, levels, 5 * one, 0 * one, one == 0, one == 1)
    names, columns = script.number_features(choices, 4)
    assert [name.split()[0] for name in names[len(LEVELS) :]] == ["3x3", "shape"]
    assert columns[-1].tolist() == [len(names) - 1] * 4 + [len(names)]
    assert columns[-2].tolist() == [len(names) - 2] * 4 + [len(names)]
    assert all((column == len(names)).all() for column in columns[:9])


def test_script__reads_games_and_writes_a_file_that_the_engine_reads(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games.sgf.xz"
    with lzma.open(games, "wt", encoding="ascii") as file:
        file.writelines(SGF.format(size=size) for size in (9, 9, 13))
    out = tmp_path / "strengths.txt"
    options = [str(games), "--least", "20", "--iterations", "5", "--positions", "2", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["fit_priors.py", *options])
    script.main()
    told = capsys.readouterr().out
    assert told.startswith("16 positions, ")  # seven moves of each small game and two of the large one
    known = parse_strengths(out.read_text(encoding="utf-8"))
    assert (known.levels != 1.0).sum() > 20
    assert len(known.shapes) > 0
