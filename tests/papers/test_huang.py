"""Huang, Connell and McQuade 2003: what the renderers make of results, and that small runs come through."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tesuji.go.opening.features import FEATURE_SETS
from tesuji.papers.harness import InTwoSteps, run_experiment
from tesuji.papers.huang_tables import TABLE_5, TABLES, MatchTask, Tables, feature_benefits, rank_correlation
from tesuji.papers.huang_training import FIG_4, PlayerTask, network_in, trained

WORTH = {"B": 0.0, "C": 0.02, "D": 0.08, "E": 0.05}


def rate_of(first: str, second: str) -> float:
    """A world in which each feature adds something."""
    return 0.5 + sum(WORTH.get(letter, 0) for letter in first) - sum(WORTH.get(letter, 0) for letter in second)


def rows_of_a_world() -> list[dict]:
    pairs = [
        (f"{a} {shown}", f"{b} {shown}") for shown in ("scalar", "binary") for a, b in combinations(FEATURE_SETS, 2)
    ]
    rows = [
        {"first": a, "second": b, "points": 100 * rate_of(a.split()[0], b.split()[0]), "games": 100} for a, b in pairs
    ]
    rows += [
        {"first": f"{letters} binary", "second": f"{letters} scalar", "points": 40 + i, "games": 100}
        for i, letters in enumerate(FEATURE_SETS)
    ]
    return rows + [
        {"first": "ABCDE combined", "second": f"ABCDE {shown}", "points": 90, "games": 100}
        for shown in ("scalar", "binary")
    ]


def test_tables__find_what_a_world_has_in_it():
    found = TABLES.render(rows_of_a_world())
    benefits = {row[1]: row[3] for row in found.rows if row[0] == 2}
    assert benefits["D"] > benefits["E"] > benefits["C"] > benefits["B"] == pytest.approx(0, abs=1e-9)
    ordered = [row[1] for row in found.rows if row[0] == 1]
    assert ordered[0] in ("A scalar", "AB scalar")
    assert ordered[-1] in ("ABCDE scalar", "ACDE scalar")
    verdicts = {claim.statement.partition(":")[0]: claim.verdict for claim in found.claims}
    assert verdicts["Table 1"] == "reproduced"
    assert verdicts["The conclusions"] == "reproduced"
    assert verdicts["Table 2"] == "open"  # four features never tell


def test_table__is_one_of_them():
    found = TABLE_5.render(rows_of_a_world())
    assert {row[0] for row in found.rows} == {5}
    assert len(found.rows) == 16


def test_tables__of_an_unfinished_run_are_what_is_there():
    found = TABLES.render(rows_of_a_world()[:10])
    assert all(claim.verdict == "open" for claim in found.claims[1:])


def test_benefit__is_the_mean_of_relative_gains():
    totals = {letters: (50.0 * (1.1 if "C" in letters else 1.0), 100) for letters in FEATURE_SETS}
    assert feature_benefits(totals) == pytest.approx({"B": 0, "C": 10, "D": 0, "E": 0})


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),
        ([1, 1, 1], [1, 2, 3], 0.0),
        ([], [], 0.0),
    ],
)
def test_rank_correlation__is_spearmans(first, second, found):
    assert rank_correlation(first, second) == pytest.approx(found)


def test_tasks__are_the_papers():
    tasks = TABLES.tasks(1.0, 1)
    players = [task for task in tasks if isinstance(task, PlayerTask)]
    matches = [task for task in tasks if isinstance(task, MatchTask)]
    assert (len(players), len(matches)) == (33, 120 + 120 + 16 + 2)
    assert {task.games for task in players} == {3000}
    assert {task.games for task in matches} == {100}
    assert len({task.seed for task in players}) == 33
    assert isinstance(TABLES, InTwoSteps)
    assert not isinstance(FIG_4, InTwoSteps)
    assert [task.games for task in FIG_4.tasks(1.0, 1)] == [3000] * 3


def test_player__comes_back_from_its_row():
    row = trained(PlayerTask(letters="AC", representation="binary", games=2, seed=1), "playouts:32")
    network = network_in(row)
    assert (network.num_inputs, network.num_units) == (81 * 7 + 1, 40)
    assert network.is_finite
    again = trained(PlayerTask(letters="AC", representation="binary", games=2, seed=1), "playouts:32")
    assert again == row


class SmallTables(Tables, frozen=True, kw_only=True):
    """Two players and one match."""

    def tasks(self, scale, seed):
        del scale
        players = [PlayerTask(letters="A", representation=shown, games=1, seed=seed) for shown in ("scalar", "binary")]
        return [*players, MatchTask(first="A binary", second="A scalar", games=4, seed=seed)]

    def num_first_tasks(self, scale, seed):
        del scale, seed
        return 2


class Inline:
    """Workers that are this process: others could not import a test."""

    def run(self, function, tasks, *, on_result, on_failure):
        del on_failure
        for task in tasks:
            on_result(task, function(task))


def test_run__trains_first_and_plays_then(tmp_path):
    small = SmallTables(about=TABLES.about, expert="playouts:32")
    report = run_experiment(small, scale=1, seed=3, out=tmp_path / "out", workers=Inline())
    text = report.read_text("utf-8")
    assert "A binary against scalar" in text
    assert "3 of 3 tasks" in text


def test_figure__has_a_band_and_its_two_claims():
    rng = np.random.default_rng(1)
    rows = [
        {
            "games": 3000,
            "curve": [[at, float(rng.binomial(100, 0.5 if at == 0 else 0.85)), 100] for at in range(0, 3001, 50)],
        }
        for _ in range(3)
    ]
    found = FIG_4.render(rows)
    assert len(found.rows) == 61
    assert found.claims[1].verdict == "reproduced"
    assert found.comparisons[0].published is not None
    assert list(found.figures) == ["curve"]
