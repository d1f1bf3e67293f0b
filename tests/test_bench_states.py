"""The bookkeeping of `tesuji bench states`. How fast anything is, is not asserted here."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytest.importorskip("numba")

from tesuji import cli
from tesuji.bench import states
from tesuji.bench.states import Effort, measure_states, num_steps, to_text

TINY = Effort(sizes=(100,), accesses=1_000, rounds=2, least_s=0.0)


@pytest.fixture(scope="module")
def report() -> states.StatesReport:
    return measure_states(TINY)


def test_measure__has_a_row_for_each_operation(report: states.StatesReport) -> None:
    assert [(row.operation, row.size) for row in report.rows] == [("update", 100), ("above 1/2?", 100)]
    assert all(row.ratio == pytest.approx(row.states / row.records) for row in report.rows)
    assert (report.state_bytes, report.record_bytes) == (1, 8)
    assert num_steps(TINY) == 1


def test_command__prints_a_table_or_json(monkeypatch: pytest.MonkeyPatch, report: states.StatesReport) -> None:
    monkeypatch.setattr(states, "measure_states", lambda *given, **named: report)
    table = CliRunner().invoke(cli.main, ["bench", "states"])
    assert table.exit_code == 0, table.output
    assert to_text(report) in table.output
    as_json = CliRunner().invoke(cli.main, ["bench", "states", "--json"])
    assert json.loads(as_json.stdout)["rows"][0]["operation"] == "update"
