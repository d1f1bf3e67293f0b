"""The bookkeeping of `tesuji bench pgame`. How fast anything is, is not asserted here."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.bench import pgame


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = pgame.measure_pgames
    monkeypatch.setattr(pgame, "measure_pgames", lambda: measure(rounds=1, least_s=0.0))
    monkeypatch.setattr(pgame, "CASES", ((2, 8, 0.0), (2, 8, 0.2)))


@pytest.mark.usefixtures("quick")
def test_command__prints_both_modes_and_their_ratio() -> None:
    printed = CliRunner().invoke(cli.main, ["bench", "pgame"]).output
    assert "2x8" in printed
    assert "DAG/tree" in printed


@pytest.mark.usefixtures("quick")
def test_command__json_has_a_row_for_each_game() -> None:
    rows = json.loads(CliRunner().invoke(cli.main, ["bench", "pgame", "--json"]).output)
    assert [row["combination"] for row in rows] == [0.0, 0.2]
    for row in rows:
        assert row["tree_per_s"] > 0
        assert row["ratio"] == pytest.approx(row["dag_per_s"] / row["tree_per_s"])
