"""The BTT-Go experiments: their players, their arithmetic on synthetic games, and the whole way at a tiny scale."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from papers.tiny import played, tiny
from tesuji.experiments.players.search_player import GoPlayer
from tesuji.papers import btt_go_playouts
from tesuji.papers.btt_go import TABLE_3_9X9, TABLES, Table, interpret, spec
from tesuji.papers.btt_go_playouts import PLAYOUTS, saved
from tesuji.papers.btt_go_uses import ABLATION, PLAIN, USES
from tesuji.papers.btt_go_uses import interpret as interpret_uses
from tesuji.papers.btt_go_uses import spec as spec_of_uses
from tesuji.papers.harness import run_experiment


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_spec__is_the_paper_s(table: Table) -> None:
    match = spec(table, 1, 1)
    assert (match.conditions.size, match.conditions.komi, match.games) == (table.size, 6.5, table.games)
    known = GoPlayer(match.players[0], seed=1)._engine.config.known
    assert (known.megabytes, known.weight, known.filling) == (64, 1, 0.5)
    assert (known.punishment, known.back_up) == ((0.3, "value") if table.number == 4 else (0.0, "visits"))
    assert (match.players[1].kind == "gtp") == (table.number == 2)


def test_interpret__has_a_line_for_each_colour() -> None:
    table = next(table for table in TABLES if table.name == "btt-go/table-3-9x9")
    games = played("btt-go", "plain", 22, 50) + played("plain", "btt-go", 33, 50)
    findings = interpret(table, games)
    assert [(row[2], row[3], row[4]) for row in findings.rows] == [("Black", 50, 22.0), ("White", 50, 17.0)]
    assert [one.verdict for one in findings.comparisons] == ["reproduced", "reproduced"]
    assert findings.claims[0].verdict == "reproduced"  # 39 % of 100


def test_interpret__half_of_the_games_is_open() -> None:
    table = next(table for table in TABLES if table.name == "btt-go/table-4-9x9")
    findings = interpret(table, played("punished", "plain", 25, 50) + played("plain", "punished", 25, 50))
    assert findings.claims[0].verdict == "open"


@pytest.mark.parametrize("use", USES, ids=lambda use: use.name)
def test_uses__each_is_another_engine(use) -> None:  # type: ignore[no-untyped-def]
    players = {player.name: player for player in spec_of_uses(1, 1).players}
    configs = [GoPlayer(players[name], seed=1)._engine.config for name in (PLAIN, use.name)]
    assert configs[0].known.megabytes == 0
    assert configs[1].known.megabytes == 8
    assert len({str(player.settings) for player in players.values()}) == len(players)


def test_uses__a_rate_far_from_half_is_a_difference() -> None:
    games = played(USES[0].name, PLAIN, 30, 100, first_s=2.0, second_s=1.0)
    games += played(USES[1].name, PLAIN, 50, 100)
    findings = interpret_uses(games)
    assert [claim.verdict for claim in findings.claims] == ["not reproduced", "reproduced"]
    assert dict(zip(findings.columns, findings.rows[0], strict=True))["time_ratio"] == 2.0


def test_saved__compares_games_with_themselves() -> None:
    rows = [
        {"game": 1, "weight": 1, "stops": stops, "playouts": 10, "stopped": 5 * stops, "playout_moves": moves}
        for stops, moves in ((False, 400), (True, 100))
    ]
    assert saved(rows, 1) == [0.75]
    assert saved(rows, 16) == []


def test_run__a_table_at_a_tiny_scale_leaves_a_report(tmp_path: Path) -> None:
    report = run_experiment(tiny(TABLE_3_9X9), scale=0.02, seed=1, out=tmp_path / "run").read_text()
    assert "**incomplete**" not in report
    with (tmp_path / "run" / "results.csv").open(newline="") as file:
        assert [row["colour"] for row in csv.DictReader(file)] == ["Black", "White"]


def test_run__uses_at_a_tiny_scale(tmp_path: Path) -> None:
    run_experiment(tiny(ABLATION), scale=0.01, seed=1, out=tmp_path / "run")
    with (tmp_path / "run" / "results.csv").open(newline="") as file:
        assert [row["player"] for row in csv.DictReader(file)] == [use.name for use in USES]


def test_playouts__count_and_render(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(btt_go_playouts, "SIZE", 5)
    monkeypatch.setattr(btt_go_playouts, "SIMULATIONS", 60)
    rows = [PLAYOUTS.run_task(task) for task in PLAYOUTS.tasks(0.05, 1)]
    assert {(row["weight"], row["stops"]) for row in rows} == {(1, False), (1, True), (16, False), (16, True)}
    assert all(row["stopped"] == 0 for row in rows if not row["stops"])
    findings = PLAYOUTS.render(rows)
    assert all(one.verdict == "open" for one in findings.comparisons)  # of one game
