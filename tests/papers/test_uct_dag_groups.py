"""The experiments on groups of moves in P-games: what is run, what the verdicts say. Sizes are small here."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tesuji.games import PGame, PGameSpec
from tesuji.papers import registry, uct_dag_groups
from tesuji.papers.batches import exploring
from tesuji.papers.error_curves import Curve, alike, improved, not_improved
from tesuji.papers.harness import run_experiment
from tesuji.papers.uct_dag_groups import BASE, BIASES, GroupFigure, Groups
from tesuji.search import Grouping, Search
from tesuji.search.choices import one_two_five

COUNTS = one_two_five(uct_dag_groups.ITERATIONS)
SMALL = msgspec.structs.replace(uct_dag_groups.FIG_3_6, breadth=3, depth=4)


def rows(figure: GroupFigure, errors: dict[Groups, float], games: int = 200) -> list[dict[str, Any]]:
    """What tasks would have found if errors depended on groups alone."""
    return [
        {
            "game": game,
            "first": 0,
            **msgspec.structs.asdict(groups),
            "repetitions": 100,
            "wrong": [round(100 * errors.get(groups, 0.3)) + game % 3] * len(COUNTS),
        }
        for game in range(games)
        for groups in (BASE, *figure.groups)
    ]


def verdicts(figure: GroupFigure, errors: dict[Groups, float]) -> dict[str, str]:
    return {claim.statement: claim.verdict for claim in figure.render(rows(figure, errors)).claims}


# --- which figure is which --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "overlap", "shows"),
    [
        ("3.5", (10, 6), False, "error"), ("3.6", (10, 6), False, "ratio"), ("3.7", (10, 6), True, "error"),
        ("3.8", (2, 20), False, "ratio"), ("3.9", (2, 20), True, "ratio"), ("c.3", (6, 8), False, "error"),
        ("c.4", (6, 8), False, "ratio"), ("c.5", (6, 8), True, "error"), ("c.6", (6, 8), True, "ratio"),
        ("c.7", (10, 6), True, "ratio"),
    ],
)  # fmt: skip
def test_figures__by_bias_have_the_biases_of_the_plan(
    name: str, size: tuple[int, int], overlap: bool, shows: str
) -> None:
    figure: Any = registry.experiment(f"uct-dag/fig-{name}")
    assert figure.about.name == f"uct-dag/fig-{name}"
    assert (figure.breadth, figure.depth) == size
    assert (figure.overlap, figure.shows) == (overlap, shows)
    assert figure.groups == tuple(Groups(1, 1.0, bias) for bias in (0.0, 0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 1.0))


@pytest.mark.parametrize(("name", "size"), [("3.10", 1.0), ("3.11", 0.25), ("c.8", 0.5)])
def test_figures__by_number_have_one_to_three_groups_of_three_biases(name: str, size: float) -> None:
    figure: Any = registry.experiment(f"uct-dag/fig-{name}")
    assert figure.overlap
    assert {(g.number, g.bias) for g in figure.groups} == {(n, b) for n in (1, 2, 3) for b in (1.0, 0.85, 0.7)}
    assert {g.size for g in figure.groups} == {size}


# --- running ----------------------------------------------------------------------------------------------------------


def test_run__leaves_table_figure_and_verdicts(tmp_path: Path) -> None:
    report = run_experiment(SMALL, scale=0.0003, seed=1, out=tmp_path).read_text()
    with (tmp_path / "results.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == (1 + len(BIASES)) * len(COUNTS)
    assert (tmp_path / "figure.png").stat().st_size > 10_000
    assert "Without overlap biases 0 and 1 behave alike. " in report


def test_run_task__the_game_is_the_same_whatever_its_groups() -> None:
    tasks = [task for task in SMALL.tasks(0.0003, 1) if task.batch.game == 3]
    assert [task.groups for task in tasks] == [BASE, *SMALL.groups]
    assert len({task.batch for task in tasks}) == 1
    found = [SMALL.run_task(task) for task in tasks]
    assert found == [SMALL.run_task(task) for task in tasks]
    assert len({one["wrong"][0] for one in found}) == 1  # the first walk chooses at the root, which has no groups


def test_exploring__has_memory_for_groups() -> None:
    for breadth, depth in ((2, 14), (10, 4)):
        game = PGame(PGameSpec(breadth=breadth, depth=depth, num_groups=3, group_size=1.0, group_bias=0.5, seed=1))
        config = exploring(breadth, depth, 2_000, graph="dag", num_groups=3)
        bounded, free = (
            Search(game.start(), one, grouping=Grouping(find=game.groups)).run(simulations=2_000, seed=1)
            for one in (config, msgspec.structs.replace(config, memory_bytes=2**30))
        )
        assert bounded.counts["nodes"] == free.counts["nodes"]
        assert bounded.visits.tolist() == free.visits.tolist()


# --- verdicts ---------------------------------------------------------------------------------------------------------


def curve(*errors: float) -> Curve:
    """Of 200 games, at counts 10, 100, ..."""
    counts = [10 ** (1 + place) for place in range(len(errors))]
    return Curve("x", counts, np.array([[e + game % 3 / 100 for e in errors] for game in range(200)]), 2000)


def test_claims__follow_the_intervals_at_all_counts() -> None:
    base = curve(0.3, 0.3)
    assert alike("", base, curve(0.3, 0.3), (10, 100)).verdict == "reproduced"
    assert alike("", base, curve(0.3, 0.4), (10, 100)).verdict == "not reproduced"
    assert alike("", base, curve(0.3, 0.325), (10, 100)).verdict == "open"  # apart, but perhaps by less than 0.02
    assert improved("", base, curve(0.3, 0.2), (10, 100)).verdict == "reproduced"
    assert improved("", base, curve(0.4, 0.2), (10, 100)).verdict == "open"
    assert improved("", base, curve(0.4, 0.3), (10, 100)).verdict == "not reproduced"
    assert improved("", base, base, (10, 100)).verdict == "not reproduced"
    assert improved("", base, curve(0.3, 0.29), (10, 100)).verdict == "open"
    assert not_improved("", base, curve(0.3, 0.4), (10, 100)).verdict == "reproduced"
    assert not_improved("", base, curve(0.3, 0.2), (10, 100)).verdict == "not reproduced"
    assert not_improved("", base, curve(0.3, 0.285), (10, 100)).verdict == "open"


def test_render__without_overlap_biases_b_and_1_less_b_are_compared() -> None:
    alike_errors = {Groups(1, 1.0, b): 0.1 + 0.4 * min(b, 1 - b) for b in BIASES}
    assert set(verdicts(uct_dag_groups.FIG_3_6, alike_errors).values()) == {"reproduced"}
    tilted = verdicts(uct_dag_groups.FIG_3_6, {Groups(1, 1.0, b): 0.5 - 0.4 * b for b in BIASES})
    assert tilted["Without overlap biases 0 and 1 behave alike."] == "not reproduced"


def test_render__with_overlap_bias_0_hurts_and_bias_1_helps() -> None:
    found = verdicts(uct_dag_groups.FIG_3_7, {Groups(1, 1.0, b): 0.5 - 0.4 * b for b in BIASES})
    assert found["With overlap bias 0 hurts after 50 iterations."] == "reproduced"
    assert set(found.values()) == {"reproduced"}
    turned = verdicts(uct_dag_groups.FIG_3_7, {Groups(1, 1.0, b): 0.1 + 0.4 * b for b in BIASES})
    assert set(turned.values()) == {"not reproduced"}


def test_render__on_2x20_without_overlap_nothing_should_help() -> None:
    assert set(verdicts(uct_dag_groups.FIG_3_8, {}).values()) == {"reproduced"}
    helped = verdicts(uct_dag_groups.FIG_3_8, {Groups(1, 1.0, 1.0): 0.1, Groups(1, 1.0, 0.0): 0.1})
    assert [statement for statement, verdict in helped.items() if verdict == "not reproduced"] == [
        "Without overlap a group of bias 0 does not help on 2x20.",
        "Without overlap a group of bias 1 does not help on 2x20.",
    ]


def test_render__more_groups_help_at_size_1_and_bias_1() -> None:
    figure = uct_dag_groups.FIG_3_10
    better = {groups: 0.3 - 0.05 * groups.number for groups in figure.groups if groups.bias == 1}
    found = verdicts(figure, better)
    assert found["2 groups of bias 1 err less than 1 after 50 iterations."] == "reproduced"
    assert found["3 groups of size 1 and bias 0.7 do not help."] == "reproduced"
    assert verdicts(uct_dag_groups.FIG_3_11, {})["3 groups of size 0.25 and bias 1 help."] == "not reproduced"


def test_render__an_unfinished_run_has_the_games_that_are_complete() -> None:
    some = [row for row in rows(SMALL, {}, games=5) if row["game"] < 2 or row["bias"] == 1.0]
    findings = SMALL.render(some)
    assert findings.claims
    assert len(findings.rows) == (1 + len(BIASES)) * len(COUNTS)
    assert {row[-2] for row in findings.rows} == {2}
    assert SMALL.render(some[:3]).rows == []
