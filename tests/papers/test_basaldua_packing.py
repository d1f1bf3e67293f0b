"""Strip packing after Basaldúa: the example is what it says, and the experiments run and judge."""

from __future__ import annotations

from tesuji.papers.basaldua_packing import EXAMPLE, FIG_2_13, OPTIMUM, REVISITS, WIDTH, example


def test_example__fills_a_square_without_rest() -> None:
    assert len(EXAMPLE) == 15
    assert sum(width * height for width, height in EXAMPLE) == WIDTH * OPTIMUM
    assert example().native.bound == OPTIMUM


def test_fig_2_13__counts_the_runs_that_found_the_optimum() -> None:
    tasks = FIG_2_13.tasks(0.001, seed=1)
    rows = [FIG_2_13.run_task(task) for task in tasks[:3]]
    assert all(row["value"] >= OPTIMUM for row in rows)
    solved = [row | {"value": float(OPTIMUM)} for row in rows]
    assert FIG_2_13.render(solved * 13).claims[0].verdict == "reproduced"
    missed = [row | {"value": 21.0} for row in rows]
    assert FIG_2_13.render(missed * 13).claims[0].verdict != "reproduced"


def test_revisits__compares_the_kinds() -> None:
    rows = [REVISITS.run_task(task) for task in REVISITS.tasks(0.001, seed=1)[:6]]
    assert [row["revisit"] for row in rows] == ["allow", "penalty", "close"] * 2
    heights = {"allow": 21.0, "penalty": 21.0, "close": 20.0}
    better = [row | {"value": heights[row["revisit"]]} for row in rows]
    assert REVISITS.render(better * 20).claims[0].verdict == "reproduced"
    worse = [row | {"value": 41.0 - heights[row["revisit"]]} for row in rows]
    assert REVISITS.render(worse * 20).claims[0].verdict == "not reproduced"
    assert REVISITS.render(rows[:2]).claims[0].verdict == "open"
