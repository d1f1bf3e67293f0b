"""Basaldúa's tables 4.8 to 4.10: who plays whom, and what is made of the games."""

from __future__ import annotations

import pytest

from tesuji.experiments.records import GameRecord, Reason
from tesuji.go.knowledge.playouts import ORIGINS
from tesuji.papers.basaldua_moves import TABLE_4_8, ShareTask
from tesuji.papers.basaldua_playouts import DOUBLING, ON_9X9, TABLE_4_9, TABLE_4_10, time_ratio


def _game(index: int, first: str, second: str, winner: str, first_s: float = 2.0, second_s: float = 1.0) -> GameRecord:
    return GameRecord(
        index=index,
        pair=index // 2,
        first=first,
        second=second,
        winner=winner,
        score="B+R",
        reason=next(iter(Reason)),
        first_s=first_s,
        second_s=second_s,
    )


def test_table_4_9__rows_have_the_sources_boards_and_simulations() -> None:
    spec = ON_9X9.spec(0.1, 1)
    assert spec.games == 100
    assert {player.name for player in spec.players} == {"base", "learning"}
    assert [TABLE_4_9[key].spec(1.0, 1).conditions.size for key in TABLE_4_9] == [9, 9, 9, 13, 19]
    assert DOUBLING.spec(1.0, 1).conditions.size == 11
    assert TABLE_4_10.spec(1.0, 1).champion == "gnugo-l10"


def test_table_4_9__takes_off_what_learning_costs() -> None:
    games = [_game(i, "learning", "base", "first" if i < 30 else "second") for i in range(40)]
    assert time_ratio(games, "learning", "base") == pytest.approx(2.0)
    (row,) = ON_9X9.interpret(games).rows
    values = dict(zip(ON_9X9.interpret(games).columns, row, strict=True))
    assert values["rate"] == pytest.approx(0.75)
    assert values["elo"] == pytest.approx(190.8, abs=0.1)
    assert values["elo_equal_time"] == pytest.approx(190.8 - 70, abs=0.1)
    assert ON_9X9.interpret(games).claims[0].verdict == "reproduced"


def test_table_4_10__compares_both_with_the_reference() -> None:
    games = [_game(i, "base", "gnugo-l10", "first" if i < 4 else "second") for i in range(20)]
    games += [_game(20 + i, "learning", "gnugo-l10", "first" if i < 18 else "second") for i in range(20)]
    found = TABLE_4_10.interpret(games)
    assert [row[0] for row in found.rows] == ["base", "learning"]
    assert found.claims[0].verdict == "reproduced"


def test_table_4_8__counts_a_game_by_origin() -> None:
    rows = [TABLE_4_8.run_task(ShareTask(policy, 5, 10, seed)) for policy in ("base", "learning") for seed in (1, 2)]
    for row in rows:
        counts = dict(zip(ORIGINS, row["counts"], strict=True))
        assert sum(counts.values()) > 0
        assert (counts["node"] + counts["edge"] > 0) == (row["policy"] == "learning")
    found = TABLE_4_8.render(rows)
    assert sum(row[1] for row in found.rows) == pytest.approx(100, abs=20)
    assert len(TABLE_4_8.tasks(0.1, 1)) == 12
