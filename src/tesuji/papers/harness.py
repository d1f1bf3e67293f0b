"""The harness for published tables and figures: an experiment in, a folder with results and verdicts out.

An `Experiment` is a list of tasks, a function that does one, and a renderer that turns what was found into tables,
figures and verdicts. There are two kinds, with one interface: a `Tournament`, whose tasks are games and whose results
are kept in a store of games, and plain computations, whose results are rows (`rows.py`). Both run on any `Workers`,
are resumed by the same call, and leave in their folder

- ``results.csv``: the table;
- ``figure.png``, where there is one;
- ``report.md``: ours beside the published values, what is reproduced, what is not, what stays open;
- ``provenance.json``: enough to run it again;
- ``games.db`` and ``sgf/``, or ``rows.db``: what it is made of.

Which experiments there are is `registry.py`'s affair.
"""

from __future__ import annotations

import contextlib
import csv
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from tesuji import provenance
from tesuji.experiments.play.referee import play_game
from tesuji.experiments.records import GameRecord, GameTask
from tesuji.experiments.run.match import Progress, play_match
from tesuji.experiments.run.schedule import schedule
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.store import Store
from tesuji.experiments.run.workers import LocalWorkers, Workers
from tesuji.papers.findings import Findings, markdown_table
from tesuji.papers.rows import Row, Rows
from tesuji.papers.shared_runs import runs_of
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["About", "Experiment", "Tournament", "experiment_of", "run_experiment", "with_options", "write_findings"]

GAMES_FILE, ROWS_FILE, SGF_FOLDER = "games.db", "rows.db", "sgf"
PROVENANCE_FILE, REPORT_FILE, RESULTS_FILE = "provenance.json", "report.md", "results.csv"
_MAX_SCALE = 1000.0


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment is.

    Attributes
    ----------
    name : str
        In the registry, for instance ``gnugo/levels``.
    title : str
        A line.
    question : str
        What it answers.
    source : str
        Where it was published: document, section, table; or that it was not.
    method : str
        What is done, and what ``scale`` 1 means.
    cost : str
        How long scale 1 takes, on what.
    """

    name: str
    title: str
    question: str
    source: str
    method: str
    cost: str = ""


class Experiment(Protocol):
    """What the harness asks of an experiment.

    Workers import its module and unpickle it, so it must be a value of a module.
    """

    @property
    def about(self) -> About:
        """What it is."""
        ...

    def tasks(self, scale: float, seed: int) -> Sequence[Any]:
        """All there is to do; the same arguments give the same list."""
        ...

    def run_task(self, task: Any) -> Any:
        """Do one task, in any process: a `Row` for a computation, a `GameRecord` for a game."""
        ...

    def render(self, rows: Sequence[Any]) -> Findings:
        """Turn results into tables, figures and verdicts. They may be incomplete, but there is at least one."""
        ...


@runtime_checkable
class InTwoSteps(Protocol):
    """An experiment whose later tasks need what the first ones have found, such as players that were trained."""

    def num_first_tasks(self, scale: float, seed: int) -> int:
        """How many tasks come first."""
        ...

    def with_found(self, task: Any, rows: Sequence[Row]) -> Any:
        """A later task with what it needs of the rows of the first ones."""
        ...


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """An experiment whose tasks are games.

    Attributes
    ----------
    about : About
        What it is.
    spec : callable
        From scale and seed to a `MatchSpec`.
    interpret : callable
        From games (without moves) to findings.
    """

    about: About
    spec: Callable[[float, int], MatchSpec]
    interpret: Callable[[Sequence[GameRecord]], Findings]

    def tasks(self, scale: float, seed: int) -> Sequence[GameTask]:
        """The games of the spec."""
        return list(schedule(self.spec(scale, seed)))

    def run_task(self, task: GameTask) -> GameRecord:
        """Play a game."""
        return play_game(task)

    def render(self, rows: Sequence[GameRecord]) -> Findings:
        """Interpret the games."""
        return self.interpret(rows)


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """One experiment at one scale with one seed, and with options where it has some; what a folder belongs to."""

    experiment: str
    scale: float
    seed: int
    options: dict[str, str] = {}


def with_options(experiment: Experiment, options: Mapping[str, str]) -> Experiment:
    """The experiment with some of its options chosen; those it has are in its attribute ``options``.

    Raises
    ------
    ValueError
        For an option that it has not, and for a value that the option has not.
    """
    if not options:
        return experiment
    known: Mapping[str, tuple[str, ...]] = getattr(experiment, "options", {})
    for name, value in options.items():
        if name not in known:
            there_are = f"there are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{experiment.about.name} has no option {name!r}: {there_are}")
        if value not in known[name]:
            raise ValueError(f"{name} is {value!r}; choose from {', '.join(known[name])}")
    changed: Experiment = msgspec.structs.replace(experiment, **options)  # type: ignore[type-var]
    return changed


def run_experiment(
    experiment: Experiment,
    *,
    scale: float,
    seed: int,
    out: Path,
    options: Mapping[str, str] | None = None,
    workers: Workers | None = None,
    console: Console | None = None,
) -> Path:
    """Run an experiment, or what is left of it, and write everything into a folder.

    Parameters
    ----------
    experiment
        What to run.
    scale
        How much of it: 1 is the published size, or what `About.method` says.
    seed
        Of everything random.
    out
        The folder; a folder of another experiment, seed or options is refused. One of a smaller scale is gone on with
        where the larger scale begins with the same tasks, as computations do that come in batches.
    options
        Of those that the experiment has (`with_options`).
    workers
        Who does the tasks; one process of this machine if not given.
    console
        Where progress is shown; None: nowhere.

    Returns
    -------
    Path
        The report.

    Raises
    ------
    ValueError
        For a scale or a folder that cannot be used, and for tasks that failed.
    KeyboardInterrupt
        After Ctrl-C; what is done is kept, and the same call goes on.
    """
    if not 0 < scale <= _MAX_SCALE:
        raise ValueError(f"scale is {scale:g}; it must lie above 0 and up to {_MAX_SCALE:g}")
    experiment = with_options(experiment, options or {})
    run = _Run(experiment=experiment.about.name, scale=scale, seed=seed, options=dict(options or {}))
    spent_s = _claim(out, run, experiment)
    began = time.monotonic()
    try:
        with contextlib.ExitStack() as stack:
            who = workers or stack.enter_context(LocalWorkers(1))
            if isinstance(experiment, Tournament):
                _play(experiment, run, out, who, console)
            else:
                _compute(experiment, run, out, who, console)
    finally:
        spent_s += time.monotonic() - began
        _write_provenance(out, run, spent_s)
    return write_findings(experiment, out)


def write_findings(experiment: Experiment, out: Path, into: Path | None = None) -> Path:
    """Write the report of a folder again, from what is stored in it; a run may be incomplete.

    Parameters
    ----------
    experiment
        Whose report: the folder's own experiment, or one that is made of the same runs (`shared_runs.py`).
    out
        The folder of the run.
    into
        Where the report goes; `out` if not given.

    Raises
    ------
    ValueError
        If the folder holds no results of this experiment.
    """
    run, wall_s = _run_of(out), _spent(out)
    experiment = with_options(experiment, run.options)
    rows, cpu_s = _stored(experiment, run, out)
    if not rows:
        raise ValueError(f"{out} holds no results yet; run {run.experiment} first")
    if into is not None:
        out = into
        out.mkdir(parents=True, exist_ok=True)
    _write_provenance(out, run, wall_s, cpu_s)
    total = len(experiment.tasks(run.scale, run.seed))
    findings = experiment.render(rows)
    with (out / RESULTS_FILE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(findings.columns)
        writer.writerows(findings.rows)
    pictures = _write_figures(findings, out)
    report = out / REPORT_FILE
    done = f"{len(rows):,} of {total:,} tasks"
    state = done + ("" if len(rows) >= total else ": **incomplete**, the same command goes on")
    write_whole(report, _report(experiment.about, _provenance(out), run, findings, state, pictures))
    return report


def experiment_of(out: Path) -> str:
    """The name of the experiment whose folder this is.

    Raises
    ------
    ValueError
        If it is nobody's.
    """
    return _run_of(out).experiment


# --- the two kinds ----------------------------------------------------------------------------------------------------


def _play(experiment: Tournament, run: _Run, out: Path, workers: Workers, console: Console | None) -> None:
    states: list[str] = []
    with contextlib.ExitStack() as stack:
        show: Callable[[Progress], object] | None = None
        if console is not None:
            from tesuji.experiments.run.progress import MatchDisplay

            show = stack.enter_context(MatchDisplay(console))

        def follow(progress: Progress) -> None:
            states.append(progress.state)
            del states[:-1]
            if show:
                show(progress)

        play_match(
            experiment.spec(run.scale, run.seed),
            store_path=out / GAMES_FILE,
            sgf_dir=out / SGF_FOLDER,
            workers=workers,
            on_progress=follow,
        )
    if states == ["interrupted"]:
        raise KeyboardInterrupt


def _compute(experiment: Experiment, run: _Run, out: Path, workers: Workers, console: Console | None) -> None:
    tasks = list(enumerate(experiment.tasks(run.scale, run.seed)))
    failures: list[str] = []
    with _rows(run, out) as rows, _bar(console, run.experiment, len(tasks)) as advance:
        done = rows.done()
        advance(len(done))

        def keep(numbered: tuple[int, Any], found: tuple[Row, float]) -> None:
            rows.add(numbered[0], *found)
            advance(1)

        for part in _parts(experiment, tasks, run, rows):
            workers.run(
                partial(_do, experiment),
                (numbered for numbered in part if numbered[0] not in done),
                on_result=keep,
                on_failure=lambda numbered, why: failures.append(f"task {numbered[0]}: {why}"),
            )
            if failures:
                raise ValueError(
                    f"{len(failures)} of {len(tasks)} tasks failed, first {failures[0]};"
                    " the rest is kept, repeat to try again"
                )


def _parts(
    experiment: Experiment, tasks: Sequence[tuple[int, Any]], run: _Run, rows: Rows
) -> Iterator[Sequence[tuple[int, Any]]]:
    """The tasks that can be done at the same time, one part after the other: all, or in two steps."""
    if not isinstance(experiment, InTwoSteps):
        yield tasks
        return
    first = experiment.num_first_tasks(run.scale, run.seed)
    yield tasks[:first]
    found = rows.all()
    yield [(number, experiment.with_found(task, found)) for number, task in tasks[first:]]


def _do(experiment: Experiment, numbered: tuple[int, Any]) -> tuple[Row, float]:
    """A row and the processor time of this process for it."""
    began = time.process_time()
    row = experiment.run_task(numbered[1])
    return row, time.process_time() - began


def _stored(experiment: Experiment, run: _Run, out: Path) -> tuple[Sequence[Any], float]:
    """The results so far, and their processor time."""
    if run.experiment not in (experiment.about.name, runs_of(experiment.about.name)):
        raise ValueError(f"{out} belongs to {run.experiment}, not to {experiment.about.name}")
    if isinstance(experiment, Tournament):
        if not (out / GAMES_FILE).exists():
            return [], 0.0
        with Store.read(out / GAMES_FILE) as store:
            games = list(store.games())
        return games, sum(game.cpu_s for game in games)
    if not (out / ROWS_FILE).exists():
        return [], 0.0
    with _rows(run, out) as rows:
        return rows.all(), rows.cpu_s()


def _rows(run: _Run, out: Path) -> Rows:
    chosen = "".join(f", {name}={value}" for name, value in sorted(run.options.items()))
    return Rows(out / ROWS_FILE, f"{run.experiment} with seed {run.seed}{chosen}")


@contextlib.contextmanager
def _bar(console: Console | None, title: str, total: int) -> Iterator[Callable[[int], object]]:
    if console is None:
        yield lambda _: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)


# --- the folder -------------------------------------------------------------------------------------------------------


def _claim(out: Path, run: _Run, experiment: Experiment) -> float:
    """Make the folder this run's, or find that it is; return the seconds that earlier runs took."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / PROVENANCE_FILE).exists():
        if any(out.iterdir()):
            raise ValueError(f"{out} has files of something else in it; give an empty folder or a new one")
        _write_provenance(out, run, 0.0)
        return 0.0
    found = _run_of(out)
    for name in _Run.__struct_fields__:
        here, wanted = getattr(found, name), getattr(run, name)
        if here != wanted and not (name == "scale" and _goes_on(experiment, found, run)):
            raise ValueError(f"{out} belongs to a run whose {name} is {here}, not {wanted}; give another folder")
    return _spent(out)


def _goes_on(experiment: Experiment, found: _Run, run: _Run) -> bool:
    """Whether a larger scale begins with the tasks of the one that is there."""
    if isinstance(experiment, Tournament) or run.scale < found.scale:
        return False
    before, after = (list(experiment.tasks(scale, run.seed)) for scale in (found.scale, run.scale))
    return after[: len(before)] == before


def _spent(out: Path) -> float:
    """Seconds on the clock of all runs so far."""
    return float(_provenance(out).get("wall_time_s") or 0.0)


def _run_of(out: Path) -> _Run:
    try:
        return msgspec.convert(_provenance(out)["config"], _Run)
    except (KeyError, msgspec.ValidationError) as error:
        raise ValueError(f"{out / PROVENANCE_FILE} is not the provenance of an experiment: {error}") from error


def _provenance(out: Path) -> dict[str, Any]:
    path = out / PROVENANCE_FILE
    if not path.is_file():
        raise ValueError(f"{out} holds no experiment: there is no {PROVENANCE_FILE} in it")
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ValueError(f"{path} cannot be read: {error}") from error


def _write_provenance(out: Path, run: _Run, wall_s: float, cpu_s: float | None = None) -> None:
    times = {"wall_time_s": round(wall_s, 3), "cpu_time_s": None if cpu_s is None else round(cpu_s, 3)}
    collected = provenance.collect(seed=run.seed, config=run, **times)
    write_whole(out / PROVENANCE_FILE, msgspec.json.format(msgspec.json.encode(collected), indent=2) + b"\n")


def _write_figures(findings: Findings, out: Path) -> list[str]:
    from tesuji.experiments.report import plots

    names: list[str] = []
    for name, figure in findings.figures.items():
        names.append(f"figure-{name}.png" if names else "figure.png")
        plots.save(figure, out / names[-1])
    return names


def _report(
    about: About, origin: Mapping[str, Any], run: _Run, findings: Findings, state: str, pictures: list[str]
) -> str:
    chosen = "".join(f" --option {name}={value}" for name, value in run.options.items())
    command = f"tesuji papers run {run.experiment} --scale {run.scale:g} --seed {run.seed}{chosen} --out DIR"
    lines = [f"# {about.title}", "", about.question, "", f"Source: {about.source}", "", about.method, ""]
    lines += [f"Scale {run.scale:g}, seed {run.seed}, {state}. To repeat it: `{command}`.", ""]
    spent = f"{float(origin.get('cpu_time_s') or 0):,.0f} s of processor time on {origin.get('cpu')}"
    commit = str(origin.get("commit") or "unknown")
    changed = " with changes" if commit.endswith("+") else ""
    lines += [f"Commit {commit[:10]}{changed}, {str(origin.get('date'))[:10]}, {spent}.", ""]
    lines += ["## Results", "", markdown_table(findings.columns, findings.rows), ""]
    lines += [line for picture in pictures for line in (f"![{about.title}]({picture})", "")]
    lines += ["## Ours beside the published values", ""]
    lines += [findings.comparison_table() if findings.comparisons else "None published.", ""]
    for title, sentences in (
        ("Reproduced", findings.sentences("reproduced")),
        ("Not reproduced", findings.sentences("not reproduced")),
        ("Open", findings.sentences("open")),
        ("Notes", list(findings.notes)),
    ):
        lines += [f"## {title}", "", *([f"- {sentence}" for sentence in sentences] or ["Nothing."]), ""]
    return "\n".join(lines)
