"""The experiments on win/loss states: their measures, their arithmetic, and the whole way at a small scale."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.learning import WinLossStates
from tesuji.papers.wls_quality import JUMPS, TABLE_4_5, TABLE_4_6, Task, measures, watch
from tesuji.papers.wls_settling import ENDS, FIG_4_11, fit_line, settling_times


def test_measures__are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    true, random = np.arange(21) / 20, np.random.default_rng(1)
    found = random.integers(0, 6, (4, 21)) / 5  # with ties
    for row, (error, order) in zip(found, measures(found, true), strict=True):
        assert error == pytest.approx(np.sqrt(((row - true) ** 2).sum() / 20))
        assert order == pytest.approx(stats.spearmanr(row, true).statistic)


def test_watch__each_repetition_has_its_number_of_updates() -> None:
    scale = WinLossStates()
    found = watch(scale, np.array([0.0, 1.0]), np.array([1, 7, 300]), seed=1)
    assert found.tolist() == [[0.0, 1.0]] * 3
    halves = watch(scale, np.full(2000, 0.5), np.array([1, 3]), seed=1)
    assert set(np.unique(halves[0])) == {0.0, 1.0}
    assert len(np.unique(halves[1])) == 4


@pytest.mark.parametrize("table", [TABLE_4_5, TABLE_4_6], ids=lambda table: table.about.name)
def test_tables__come_out_as_published(table) -> None:  # type: ignore[no-untyped-def]
    tasks = table.tasks(0.04, 1)
    assert {task.repetitions for task in tasks} == {1000}
    findings = table.render([table.run_task(task) for task in tasks])
    assert [row[0] for row in findings.rows] == [setting.name for setting in table.settings]
    assert {one.verdict for one in findings.comparisons} == {"reproduced"}
    assert {claim.verdict for claim in findings.claims} == {"reproduced"}


def test_tables__too_few_lines_claim_nothing() -> None:
    row = TABLE_4_6.run_task(Task(JUMPS[0], 20, 1))
    findings = TABLE_4_6.render([row])
    assert [line[0] for line in findings.rows] == ["K = 0.9"]
    assert not findings.claims


def test_tasks__scale_changes_the_repetitions() -> None:
    assert sum(task.repetitions for task in TABLE_4_5.tasks(1, 1)) == 2 * 25_000
    assert sum(task.repetitions for task in TABLE_4_5.tasks(0.1, 1)) == 2 * 2_500
    assert len({task.seed for task in TABLE_4_6.tasks(1, 1)}) == len(TABLE_4_6.tasks(1, 1))
    assert [task.end_of_scale for task in FIG_4_11.tasks(1, 1)] == list(ENDS)


def test_settling_times__end_where_the_state_says_so() -> None:
    times = settling_times(25, 8, seed=3)
    assert len(times) == 8
    assert all(0 < time < 25_000 for time in times)
    assert times == settling_times(25, 8, seed=3)


def test_fit_line__finds_a_line() -> None:
    fit = fit_line([1, 2, 3, 4], [3, 5, 7, 9])
    assert (fit.intercept, fit.slope, fit.adjusted_r2) == pytest.approx((1, 2, 1))


def test_settling__a_line_is_reproduced_and_a_curve_is_not() -> None:
    pytest.importorskip("matplotlib")
    line = FIG_4_11.render([{"end": end, "times": [2 * end, 2 * end + 2]} for end in ENDS])
    curve = FIG_4_11.render([{"end": end, "times": [end**3, end**3 + 2]} for end in ENDS])
    assert [claim.verdict for claim in (*line.claims, *curve.claims)] == ["reproduced", "not reproduced"]
    few = FIG_4_11.render([{"end": 25, "times": [1, 2]}])
    assert [claim.verdict for claim in few.claims] == ["open"]
