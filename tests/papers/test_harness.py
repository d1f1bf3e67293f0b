"""Experiments in folders: files, resuming, refusals; computations and tournaments alike."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from papers.squares import SQUARES, Squares
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.papers.findings import Findings
from tesuji.papers.harness import (
    About,
    Tournament,
    experiment_of,
    run_experiment,
    with_options,
    write_findings,
)
from tesuji.papers.uct_dag import FIG_3_1, FIG_3_3, FIG_3_4

pytest.importorskip("matplotlib")


class Inline:
    """Workers in this process, which count, and are interrupted after so many tasks."""

    def __init__(self, patience: int = 10**9) -> None:
        self.done = 0
        self._patience = patience

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_result: Callable[[Any, Any], object],
        on_failure: Callable[[Any, str], object] | None = None,
    ) -> None:
        for task in tasks:
            if self.done == self._patience:
                raise KeyboardInterrupt
            try:
                result = function(task)
            except RuntimeError as error:
                assert on_failure is not None
                on_failure(task, str(error))
                continue
            self.done += 1
            on_result(task, result)

    def stop(self) -> None:
        self._patience = self.done

    def close(self) -> None:
        pass


def _rows(out: Path) -> list[list[str]]:
    with (out / "results.csv").open(newline="") as file:
        return list(csv.reader(file))


def test_run__leaves_table_figure_report_and_provenance(tmp_path: Path) -> None:
    out = tmp_path / "run"
    report = run_experiment(SQUARES, scale=1, seed=1, out=out, workers=Inline())
    assert report == out / "report.md"
    assert _rows(out) == [["x", "square"], *([str(x), str(x * x)] for x in range(1, 11))]
    assert (out / "figure.png").read_bytes().startswith(b"\x89PNG")
    origin = json.loads((out / "provenance.json").read_text())
    assert origin["config"] == {"experiment": "toy/squares", "scale": 1.0, "seed": 1, "options": {}}
    assert origin["seed"] == 1
    assert origin["cpu_time_s"] is not None


def test_run__the_report_sets_ours_beside_the_published_value(tmp_path: Path) -> None:
    agreeing = run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "1", workers=Inline()).read_text()
    assert "| sum | 385 | [384, 386] | 385 ± 2 | table 1 | reproduced |" in agreeing
    assert "10 of 10 tasks" in agreeing
    assert "tesuji papers run toy/squares --scale 1 --seed 1 --out DIR" in agreeing
    differing = run_experiment(SQUARES, scale=0.5, seed=1, out=tmp_path / "2", workers=Inline()).read_text()
    assert "| not reproduced |" in differing
    after = differing.partition("## Not reproduced")[2]
    assert after.split("- ")[1].startswith("sum: 55")


def test_run__resumes_where_it_was_stopped_and_ends_alike(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        run_experiment(SQUARES, scale=1, seed=1, out=out, workers=Inline(patience=4))
    partial = write_findings(SQUARES, out).read_text()
    assert "4 of 10 tasks: **incomplete**" in partial
    second = Inline()
    run_experiment(SQUARES, scale=1, seed=1, out=out, workers=second)
    assert second.done == 6
    run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "whole", workers=Inline())
    for name in ("results.csv", "report.md", "figure.png"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_run__does_nothing_twice(tmp_path: Path) -> None:
    run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "run", workers=Inline())
    again = Inline()
    run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "run", workers=again)
    assert again.done == 0


def test_run__works_in_processes_and_shows_progress(tmp_path: Path) -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True)
    with LocalWorkers(2) as workers:
        run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "run", workers=workers, console=console)
    assert len(_rows(tmp_path / "run")) == 11
    assert "10/10" in out.getvalue()


@pytest.mark.parametrize(("scale", "seed", "words"), [(0.5, 1, "scale is 1.0, not 0.5"), (1.0, 2, "seed is 1, not 2")])
def test_run__refuses_the_folder_of_another_run(tmp_path: Path, scale: float, seed: int, words: str) -> None:
    run_experiment(SQUARES, scale=1.0, seed=1, out=tmp_path / "run", workers=Inline())
    with pytest.raises(ValueError, match=words):
        run_experiment(SQUARES, scale=scale, seed=seed, out=tmp_path / "run", workers=Inline())


def test_run__a_larger_scale_goes_on_from_a_smaller_one(tmp_path: Path) -> None:
    out, second = tmp_path / "run", Inline()
    run_experiment(SQUARES, scale=0.4, seed=1, out=out, workers=Inline())
    run_experiment(SQUARES, scale=1, seed=1, out=out, workers=second)
    assert second.done == 6
    run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "whole", workers=Inline())
    assert _rows(out) == _rows(tmp_path / "whole")


def test_with_options__refuses_what_there_is_not() -> None:
    with pytest.raises(ValueError, match="toy/squares has no option 'roots': it has none"):
        with_options(SQUARES, {"roots": "mixed"})
    with pytest.raises(ValueError, match="there are roots, amounts"):
        with_options(FIG_3_1, {"root": "mixed"})
    with pytest.raises(ValueError, match="roots is 'dry'; choose from mixed, as-drawn"):
        with_options(FIG_3_1, {"roots": "dry"})
    assert with_options(FIG_3_1, {"roots": "as-drawn"}).roots == "as-drawn"  # type: ignore[attr-defined]


def test_run__options_are_the_folders(tmp_path: Path) -> None:
    small, out = msgspec.structs.replace(FIG_3_1, depth=4), tmp_path / "run"
    drawn = {"roots": "as-drawn"}
    report = run_experiment(small, scale=0.0001, seed=1, out=out, options=drawn, workers=Inline()).read_text()
    assert "--option roots=as-drawn" in report
    assert "Roots are as-drawn" in write_findings(small, out).read_text()
    with pytest.raises(ValueError, match="options is"):
        run_experiment(small, scale=0.0001, seed=1, out=out, workers=Inline())


def test_write_findings__figures_of_the_same_runs_are_made_from_one_folder(tmp_path: Path) -> None:
    small = msgspec.structs.replace(FIG_3_3, depth=4)
    run_experiment(small, scale=0.0001, seed=1, out=tmp_path / "runs", workers=Inline())
    other = msgspec.structs.replace(FIG_3_1, depth=4)
    report = write_findings(other, tmp_path / "runs", tmp_path / "fig-3.1")
    assert report == tmp_path / "fig-3.1" / "report.md"
    assert "UCT-DAG errs alike at all combinations" in report.read_text()
    assert "uct-dag/fig-3.3" in (tmp_path / "runs" / "provenance.json").read_text()
    with pytest.raises(ValueError, match="belongs to uct-dag/fig-3.3"):
        write_findings(FIG_3_4, tmp_path / "runs", tmp_path / "fig-3.4")


def test_run__refuses_a_folder_with_something_else_in_it(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ValueError, match="files of something else"):
        run_experiment(SQUARES, scale=1, seed=1, out=tmp_path, workers=Inline())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("scale", [0, -1, float("nan"), 1e9])
def test_run__refuses_a_scale_that_is_none(tmp_path: Path, scale: float) -> None:
    with pytest.raises(ValueError, match="scale is"):
        run_experiment(SQUARES, scale=scale, seed=1, out=tmp_path / "run", workers=Inline())
    assert not (tmp_path / "run").exists()


def test_run__keeps_the_rest_when_a_task_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"1 of 10 tasks failed, first task 2: no square"):
        run_experiment(Squares(broken=3), scale=1, seed=1, out=tmp_path / "run", workers=Inline())
    repaired = Inline()
    run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "run", workers=repaired)
    assert repaired.done == 1


def test_experiment_of__refuses_a_folder_without_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no experiment"):
        experiment_of(tmp_path)
    (tmp_path / "provenance.json").write_text("{}")
    with pytest.raises(ValueError, match="not the provenance of an experiment"):
        experiment_of(tmp_path)


# --- a tournament -----------------------------------------------------------------------------------------------------


def _noughts(scale: float, seed: int) -> MatchSpec:
    players = [PlayerSpec(name=f"s{count}", kind="tesuji", settings={"simulations": count}) for count in (2, 50)]
    games = round(6 * scale)
    return MatchSpec(players=tuple(players), conditions=Conditions(game="tictactoe"), games=games, seed=seed)


def _count(games: list[GameRecord]) -> Findings:
    return Findings(columns=["index", "winner"], rows=[[game.index, game.winner] for game in games])


NOUGHTS = Tournament(
    about=About(name="toy/noughts", title="Noughts", question="Who?", source="none published.", method="Play."),
    spec=_noughts,
    interpret=_count,  # type: ignore[arg-type]
)


def test_tournament__is_played_stored_and_reported(tmp_path: Path) -> None:
    out = tmp_path / "run"
    report = run_experiment(NOUGHTS, scale=1, seed=1, out=out, workers=Inline()).read_text()
    assert "6 of 6 tasks" in report
    assert "None published." in report
    assert [row[0] for row in _rows(out)[1:]] == [str(index) for index in range(6)]
    assert len(list((out / "sgf").iterdir())) == 6
    assert not (out / "figure.png").exists()


def test_tournament__resumes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        run_experiment(NOUGHTS, scale=1, seed=1, out=out, workers=Inline(patience=4))  # two checks, two games
    assert "2 of 6 tasks: **incomplete**" in write_findings(NOUGHTS, out).read_text()
    run_experiment(NOUGHTS, scale=1, seed=1, out=out, workers=Inline())
    run_experiment(NOUGHTS, scale=1, seed=1, out=tmp_path / "whole", workers=Inline())
    assert _rows(out) == _rows(tmp_path / "whole")


def test_tournament__tasks_are_the_games_and_running_one_plays_it() -> None:
    tasks = NOUGHTS.tasks(1, 1)
    assert len(tasks) == 6
    assert NOUGHTS.run_task(tasks[0]).index == tasks[0].index


def test_write_findings__refuses_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_experiment(SQUARES, scale=1, seed=1, out=tmp_path / "run", workers=Inline(patience=0))
    with pytest.raises(ValueError, match="no results yet"):
        write_findings(SQUARES, tmp_path / "run")
    with pytest.raises(ValueError, match="belongs to toy/squares"):
        write_findings(NOUGHTS, tmp_path / "run")
