"""The SameGame experiment: its boards, its floor, its arithmetic, and the whole way at a tiny scale."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tesuji.games import SameGame
from tesuji.papers.harness import run_experiment
from tesuji.papers.library_samegame import CONTESTANTS, SAMEGAME, Task, boards, greedy_score

pytest.importorskip("matplotlib")


def test_boards__are_those_of_their_seeds() -> None:
    assert list(boards()) == [SameGame.random(15, 15, 5, seed=seed).picture.strip() for seed in range(1, 21)]


def test_contestants__hold_every_strategy_and_the_floor() -> None:
    assert {"random", "greedy", "plain", "restarts", "beam", "nested"} <= set(CONTESTANTS)


def test_greedy_score__takes_the_largest_group() -> None:
    # The six stones of 2 first (16 points), then the four of 1 (4), and the board is empty.
    assert greedy_score(SameGame("1..\n122\n122\n122")) == 16 + 4 + 1000


def test_tasks__scale_changes_the_seconds_and_not_the_boards() -> None:
    small, full = SAMEGAME.tasks(0.1, 1), SAMEGAME.tasks(1, 1)
    assert len(small) == len(full) == 20 * len(CONTESTANTS)
    assert {task.seconds for task in small} == {6.0}
    assert {task.seconds for task in full} == {60.0}


@pytest.mark.parametrize("contestant", CONTESTANTS)
def test_run_task__every_contestant_scores(contestant: str) -> None:
    row = SAMEGAME.run_task(Task(contestant, 0, 0.2, 1))
    assert -10_000 < row["score"] < 10_000
    if "curve" in row:
        known = [value for value in row["curve"] if value is not None]
        assert known == sorted(known)
        assert known[-1] <= row["score"]
        assert row["simulations"] > 0


def rows_of(name: str, scores: list[float]) -> list[dict[str, Any]]:
    more = {"is_empty": False, "simulations": 10, "curve": [None, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    has_search = name not in ("random", "greedy")
    return [
        {"contestant": name, "board": board, "seconds": 2.0, "score": score} | (more if has_search else {})
        for board, score in enumerate(scores)
    ]


def test_render__compares_on_the_same_boards() -> None:
    greedy, plain = [100.0 * board for board in range(20)], [1000.0 + 100 * board for board in range(20)]
    rows = rows_of("greedy", greedy) + rows_of("plain", plain)
    findings = SAMEGAME.render([*rows, *rows_of("nested", [score + 10 for score in plain])])
    by_name = {row[0]: dict(zip(findings.columns, row, strict=True)) for row in findings.rows}
    assert by_name["plain"]["mean"] == 1950.0
    assert by_name["plain"]["simulations_per_s"] == 5
    claims = {claim.statement: claim for claim in findings.claims}
    beats = next(claim for statement, claim in claims.items() if statement.startswith("Every search"))
    assert beats.verdict == "reproduced"
    nested = claims["Nested search scores more than one plain search."]
    assert (nested.verdict, nested.evidence) == ("reproduced", "+10 points [+10, +10] on 20 boards")


def test_render__too_few_boards_decide_nothing() -> None:
    findings = SAMEGAME.render(rows_of("greedy", [5.0]) + rows_of("plain", [9.0]))
    assert [claim.verdict for claim in findings.claims] == ["open"]


def test_run_experiment__writes_table_and_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tesuji.papers import library_samegame

    few = {name: CONTESTANTS[name] for name in ("random", "greedy", "plain", "nested")}
    monkeypatch.setattr(library_samegame, "CONTESTANTS", few)
    monkeypatch.setattr(library_samegame, "boards", lambda: boards()[:2])
    report = run_experiment(SAMEGAME, scale=0.002, seed=1, out=tmp_path / "out", workers=_here())
    text = report.read_text(encoding="utf-8")
    assert "Nested search scores more" in text
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["contestant"] for row in rows] == list(few)
    assert {row["boards"] for row in rows} == {"2"}
    assert (tmp_path / "out" / "figure.png").stat().st_size > 1000


def _here() -> Any:
    """Workers that do everything in this process."""

    class Here:
        def run(self, work: Any, tasks: Any, *, on_result: Any, on_failure: Any) -> None:
            for task in tasks:
                on_result(task, work(task))
            assert on_failure

    return Here()
