"""The bookkeeping of `tesuji bench games`. How fast anything is, is not asserted here."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

pytest.importorskip("numba")

from tesuji import cli
from tesuji.bench import games
from tesuji.bench.games import Effort, EvaluatorRow, Threads, WayRow, measure_games, num_steps, to_text

TINY = Effort(simulations=100, plain_simulations=20, thread_simulations=200, rounds=2, least_s=0.0)


@pytest.fixture(scope="module")
def report() -> games.GamesReport:
    return measure_games(TINY)


def test_measure__reports_three_ways_threads_and_the_evaluator(report: games.GamesReport) -> None:
    assert [row.way for row in report.ways] == ["native", "compiled", "plain Python"]
    assert report.ways[0].share == 1.0
    assert all(row.per_s > 0 for row in report.ways)
    assert report.threads.speed_up == pytest.approx(report.threads.two_per_s / report.threads.one_per_s)
    evaluator = report.evaluator
    assert evaluator.playouts_per_leaf == pytest.approx(evaluator.playouts_per_s / evaluator.leaves_per_s)
    assert 1 <= evaluator.mean_batch <= 32


def test_measure__says_how_far_it_is() -> None:
    steps: list[int] = []
    measure_games(TINY, on_step=steps.append)
    assert steps == list(range(1, num_steps() + 1))


def test_rows__judge_themselves_by_their_targets() -> None:
    assert WayRow(way="compiled", per_s=1, share=0.4, target=0.4).is_met is True
    assert WayRow(way="compiled", per_s=1, share=0.39, target=0.4).is_met is False
    assert WayRow(way="plain Python", per_s=1, share=0.01).is_met is None
    assert Threads(one_per_s=1, two_per_s=1.7, speed_up=1.7, num_cpus=1.8).is_met is True
    assert Threads(one_per_s=1, two_per_s=1.2, speed_up=1.2, num_cpus=2.0).is_met is False
    assert Threads(one_per_s=1, two_per_s=1.2, speed_up=1.2, num_cpus=1.2).is_met is None, "too busy to tell"
    row = EvaluatorRow(leaves_per_s=1, playouts_per_s=3, playouts_per_leaf=3.0, mean_batch=32)
    assert row.is_met
    assert not msgspec.structs.replace(row, playouts_per_leaf=3.1).is_met


def test_text__says_what_missed_its_target(report: games.GamesReport) -> None:
    ways = [msgspec.structs.replace(row, share=0.2) if row.target else row for row in report.ways]
    text = to_text(msgspec.structs.replace(report, ways=ways))
    assert any("compiled" in line and "20.0 %" in line and "MISSED" in line for line in text.splitlines())


def test_command__prints_tables_or_json(monkeypatch: pytest.MonkeyPatch, report: games.GamesReport) -> None:
    monkeypatch.setattr(games, "measure_games", lambda *given, **named: report)
    assert "Connect Four three ways" in CliRunner().invoke(cli.main, ["bench", "games", "--quick"]).output
    printed = json.loads(CliRunner().invoke(cli.main, ["bench", "games", "--json"]).output)
    assert [row["way"] for row in printed["ways"]] == ["native", "compiled", "plain Python"]
    assert printed["evaluator"]["playouts_per_leaf"] == pytest.approx(report.evaluator.playouts_per_leaf)
