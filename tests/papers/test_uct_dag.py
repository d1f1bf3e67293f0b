"""The experiments on P-games: what is run, what is counted, what the verdicts say. Sizes are small here."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tesuji.games import PGame, PGameSpec
from tesuji.papers import registry, uct_dag, uct_dag_alpha_beta, uct_dag_maturity, uct_dag_modes
from tesuji.papers.batches import Batch, Effort, batches, effort, exploring, num_wrong
from tesuji.papers.error_curves import Curve, gap, less_error
from tesuji.papers.harness import run_experiment
from tesuji.search import Search
from tesuji.search.choices import Choices, one_two_five

SMALL = msgspec.structs.replace(uct_dag.FIG_3_3, breadth=2, depth=8)
COUNTS = one_two_five(uct_dag.ITERATIONS)


def curve(*errors: list[float]) -> Curve:
    """Errors of each game at two counts, of ten runs each."""
    return Curve("x", [10, 100], np.array(errors), 10 * len(errors))


def row(combination: float, game: int, tree: float, dag: float) -> dict[str, Any]:
    """What a task would have found if the errors did not depend on iterations."""
    wrong = {"tree": [round(tree * 40)] * len(COUNTS), "dag": [round(dag * 40)] * len(COUNTS)}
    about = {"nodes": 10, "redraws": 1, "out_of_range": 0.1, "winning": 1}
    return {"game": game, "first": 0, "combination": combination, "repetitions": 40, "wrong": wrong, **about}


# --- how much, and how sure -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scale", "games", "repetitions"),
    [(1, 200, 200), (0.25, 200, 50), (0.05, 200, 10), (0.01, 40, 10), (1e-6, 10, 1), (4, 400, 400)],
)
def test_effort__shrinks_repetitions_first_because_intervals_come_from_games(
    scale: float, games: int, repetitions: int
) -> None:
    assert effort(scale) == Effort(games, repetitions)


def test_batches__all_games_come_before_any_comes_again_and_a_larger_scale_begins_with_a_smaller_one() -> None:
    small, large = batches(0.05, 1), batches(0.1, 1)
    assert [batch.game for batch in small] == list(range(200))
    assert large[:200] == small
    assert [batch.first for batch in large[200:]] == [10] * 200
    first, second = large[7], large[207]
    assert len({*first.seeds, *second.seeds}) == 20
    assert first.seeds + second.seeds == Batch(7, first.game_seed, 0, 20).seeds


def test_num_wrong__where_no_move_wins_none_is_wrong() -> None:
    specs = (PGameSpec(breadth=2, depth=4, seed=seed, mixed_root=False) for seed in range(50))
    game = next(game for game in map(PGame, specs) if not game.winning_moves)
    moves = np.array([[0, 1]], dtype=np.int32)
    assert num_wrong(game, Choices(moves, np.zeros_like(moves))) == [0, 0]


def test_num_wrong__counts_answers_that_do_not_win() -> None:
    game = PGame(PGameSpec(breadth=3, depth=4, seed=1))
    right = game.winning_moves[0]
    wrong = next(move for move in range(3) if move not in game.winning_moves)
    moves = np.array([[right, wrong], [right, right], [wrong, wrong]], dtype=np.int32)
    assert num_wrong(game, Choices(moves, np.zeros_like(moves))) == [1, 2]


def test_exploring__has_memory_for_all_that_it_may_make() -> None:
    for size in ((2, 20), (10, 6)):
        start = PGame(PGameSpec(breadth=size[0], depth=size[1], seed=1)).start()
        for graph in uct_dag_modes.NAMES:
            config = exploring(*size, 2_000, graph=graph)
            bounded = Search(start, config).run(simulations=2_000, seed=1)
            free = Search(start, msgspec.structs.replace(config, memory_bytes=2**30)).run(simulations=2_000, seed=1)
            assert bounded.counts["nodes"] == free.counts["nodes"]
            assert bounded.visits.tolist() == free.visits.tolist()


def test_curve__the_interval_is_over_games_not_over_runs() -> None:
    alike = curve(*[[0.5, 0.0]] * 50)
    apart = curve(*[[1.0, 0.0]] * 25, *[[0.0, 0.0]] * 25)
    assert alike.mean().tolist() == apart.mean().tolist() == [0.5, 0.0]
    assert 0.52 < alike.upper()[0] < 0.54  # as if one game with no and one with only errors had been seen
    assert 0.6 < apart.upper()[0] < 0.68  # 0.5 + 1.96 * sqrt(0.25 / 50) is 0.64
    assert apart.published_upper()[0] == pytest.approx(0.5 + 2 * (0.25 / 500) ** 0.5)
    assert apart.lower()[0] == pytest.approx(1 - apart.upper()[0])


def test_curve__no_error_seen_is_not_no_error_possible() -> None:
    assert curve(*[[0.0, 0.0]] * 50).upper() == pytest.approx([0.058, 0.058], abs=0.001)
    assert curve(*[[0.0, 0.0]] * 200).upper() == pytest.approx([0.0147, 0.0147], abs=0.0001)


def test_gap__is_taken_game_by_game() -> None:
    games = np.random.default_rng(3).random((200, 2))
    worse, better = Curve("a", [10, 100], games, 2000), Curve("b", [10, 100], games - 0.03, 2000)
    found = gap(worse, better, 10)
    assert found.value == pytest.approx(0.03)
    assert 0.01 < found.low < found.high < 0.05  # however much the games differ
    nothing = gap(worse, worse, 100)
    assert -0.02 < nothing.low < 0 < nothing.high < 0.02


@pytest.mark.parametrize(
    ("better", "verdict"),
    [(0.1, "reproduced"), (0.5, "not reproduced"), (0.3, "not reproduced"), (0.29, "open"), (0.27, "reproduced")],
)
def test_less_error__the_verdict_follows_the_interval(better: float, verdict: str) -> None:
    """Of 200 games that all differ alike, an interval reaches 0.014 to either side."""
    worse = curve(*[[0.3, 0.3]] * 200)
    claim = less_error("It errs less.", worse, curve(*[[better, 0.3]] * 200), (10,))
    assert claim.verdict == verdict
    assert "200 games" in claim.evidence


# --- figures 3.1 to 3.4, C.1, C.2 -------------------------------------------------------------------------------------


def test_figures__have_the_sizes_of_the_plan() -> None:
    sizes = {name: registry.experiment(f"uct-dag/{name}") for name in ("fig-3.3", "fig-c.1", "fig-c.2", "fig-3.4")}
    assert [(f.breadth, f.depth) for f in sizes.values()] == [(2, 20), (4, 10), (6, 8), (10, 6)]  # type: ignore[attr-defined]
    assert uct_dag.COMBINATIONS == (0, 0.01, 0.05, 0.1, 0.2, 0.3)
    assert COUNTS[-1] == 10_000


def test_run__leaves_table_figure_and_verdicts(tmp_path: Path) -> None:
    report = run_experiment(SMALL, scale=0.0005, seed=1, out=tmp_path).read_text()
    with (tmp_path / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(uct_dag.COMBINATIONS) * len(COUNTS)
    assert (tmp_path / "figure.png").stat().st_size > 10_000
    assert all(one["error_uct"] == one["error_uct_dag"] for one in rows if one["combination"] == "0.0")
    assert "At 0% combination UCT and UCT-DAG err alike. 1,000: " in report.partition("## Open")[2]  # of ten games
    assert "roots drawn again" in report


def test_run_task__searches_the_same_game_in_both_modes_and_repeats() -> None:
    task = SMALL.tasks(0.0005, 1)[-1]
    found = SMALL.run_task(task)
    assert found == SMALL.run_task(task)
    assert set(found["wrong"]) == {"tree", "dag"}
    assert found["nodes"] < 2**9 - 1  # 30 % were merged
    assert found["out_of_range"] > 0


def test_render__says_reproduced_where_the_data_do() -> None:
    rows = [row(c, game, tree=0.1 + c + game / 900, dag=0.1 + game / 900) for game in range(200) for c in (0, 0.2, 0.3)]
    findings = uct_dag.FIG_3_3.render(rows)
    assert {claim.verdict for claim in findings.claims} == {"reproduced"}
    assert len(findings.claims) == 1 + 2 * len(uct_dag.READ_AT)


def test_render__says_not_reproduced_where_the_data_contradict() -> None:
    rows = [row(c, game, tree=0.2, dag=0.4) for game in range(60) for c in (0.1, 0.3)]
    assert {claim.verdict for claim in uct_dag.FIG_3_3.render(rows).claims} == {"not reproduced"}


def test_render__an_unfinished_run_has_what_is_there() -> None:
    findings = uct_dag.FIG_3_3.render([row(0.0, 0, 0.5, 0.5)])
    assert len(findings.rows) == len(COUNTS)


@pytest.mark.parametrize(
    ("figure", "tree", "verdict"),
    [
        ("fig-3.2", 0.6, "reproduced"),
        ("fig-3.2", 0.3, "not reproduced"),
        ("fig-3.1", 0.6, "not reproduced"),
        ("fig-3.1", 0.3, "reproduced"),
    ],
)
def test_render__errors_alone_are_judged_by_their_trend(figure: str, tree: float, verdict: str) -> None:
    rows = [row(c, game, tree=error, dag=error) for game in range(800) for c, error in ((0.0, 0.3), (0.3, tree))]
    findings = registry.experiment(f"uct-dag/{figure}").render(rows)
    assert {claim.verdict for claim in findings.claims} == {verdict}


def test_render__one_level_that_differs_refutes_that_all_are_alike() -> None:
    levels = ((0.0, 0.3), (0.2, 0.6), (0.3, 0.3))
    rows = [row(c, game, tree=error, dag=error) for game in range(800) for c, error in levels]
    findings = registry.experiment("uct-dag/fig-3.1").render(rows)
    assert {claim.verdict for claim in findings.claims} == {"not reproduced"}


# --- figure 1.2 and maturity ------------------------------------------------------------------------------------------


def test_alpha_beta__answers_at_random_until_it_is_done(tmp_path: Path) -> None:
    small = msgspec.structs.replace(uct_dag_alpha_beta.FIG_1_2, breadth=4, depth=4, iterations=1_000)
    run_experiment(small, scale=0.0005, seed=1, out=tmp_path)
    with (tmp_path / "results.csv").open() as file:
        errors = {(one["search"], int(one["iterations"])): float(one["error"]) for one in csv.DictReader(file)}
    assert errors["alpha-beta", 1] == errors["alpha-beta", 5] > 0.2  # a proof takes 16 leaves at least
    assert errors["alpha-beta", 500] == 0  # there are 256 leaves
    assert errors["UCT", 1_000] <= errors["UCT", 1]


def test_maturity__searches_with_whole_paths_and_with_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uct_dag_maturity, "SIZES", ((3, 4),))
    monkeypatch.setattr(uct_dag_maturity, "ITERATIONS", 1_000)
    monkeypatch.setattr(uct_dag_maturity, "READ_AT", (100, 1_000))
    experiment = uct_dag_maturity.MATURITY
    findings = experiment.render([experiment.run_task(task) for task in experiment.tasks(0.0001, 1)])
    nodes = {str(line[1]): int(line[5]) for line in findings.rows if line[2] == 1_000}  # type: ignore[arg-type]
    assert list(nodes) == ["whole path", *(f"maturity {m}" for m in uct_dag_maturity.MATURITIES)]
    assert list(nodes.values()) == sorted(nodes.values(), reverse=True)
    assert nodes["maturity 50"] < nodes["whole path"] <= 121


def test_modes__leave_a_table_and_claims_for_all_five(tmp_path: Path) -> None:
    small = msgspec.structs.replace(uct_dag_modes.MODES, depth=8)
    report = run_experiment(small, scale=0.0005, seed=1, out=tmp_path).read_text()
    with (tmp_path / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(uct_dag_modes.COMBINATIONS) * len(uct_dag_modes.NAMES) * len(COUNTS)
    assert report.count("They differ on 0 of 10 games") == 3 * len(uct_dag_modes.READ_AT)
    assert "UCT-DAG errs less than shared counts after 10,000 iterations" in report


def test_modes__the_verdict_follows_the_errors() -> None:
    def found(game: int) -> dict[str, Any]:
        errors = {"tree": 0.5, "dag": 0.1, "shared-values": 0.1, "shared-counts": 0.4, "multipath": 0.05}
        wrong = {mode: [round(40 * error)] * len(COUNTS) for mode, error in errors.items()}
        about = {"game": game, "first": 0, "combination": 0.3, "repetitions": 40, "nodes": dict.fromkeys(errors, 5.0)}
        return {"wrong": wrong, **about}

    claims = uct_dag_modes.MODES.render([found(game) for game in range(60)]).claims
    verdicts = {claim.statement: claim.verdict for claim in claims}
    for other, verdict in (
        ("UCT", "reproduced"),
        ("shared counts", "reproduced"),
        ("multi-path", "not reproduced"),
    ):
        assert verdicts[f"At 30% combination UCT-DAG errs less than {other} after 1,000 iterations."] == verdict
    assert verdicts["At 30% combination UCT-DAG errs less than shared values after 1,000 iterations."] == "open"
