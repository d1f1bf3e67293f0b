"""``tesuji packing``: rectangles on strips and sheets, from a file to a cutting plan."""

from __future__ import annotations

import re
import signal
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, QuietGroup

if TYPE_CHECKING:
    from rich.live import Live

    from tesuji.packing import PackingProblem, Plan, Sheet
    from tesuji.packing.specification import Specification
    from tesuji.search import Solved
    from tesuji.search.strategies import Strategy

__all__ = ["packing"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_SAVE_EVERY_S = 5.0
_SHEET = re.compile(r"^([^x:]+)x([^x:]+)(?::(\d+)(?::([^:]+))?)?$")


@click.group(
    cls=QuietGroup,
    examples=[
        ("tesuji packing solve parts.csv --width 1200", "pack a list of parts on a strip"),
        ("tesuji packing solve parts.csv --sheet 2500x1250:20 --kerf 3 --guillotine", "cut sheets with a saw"),
        ("tesuji packing show plan.json --out plan.png", "draw a plan"),
    ],
)
def packing() -> None:
    """Pack rectangles on a strip or on sheets, with as little waste as the search finds."""


def _problem_options(command: Any) -> Any:
    """The options that say what is packed; they fill in or change what the file says."""
    for option in reversed(
        (
            click.option("--width", help="Of the strip. The benchmark files have it; a CSV has not."),
            click.option("--rotate/--no-rotate", default=None, help="May items be turned by 90 degrees?  [rotate]"),
            click.option("--kerf", help="The least gap between two items, such as a saw's cut.  [0]"),
            click.option("--guillotine", is_flag=True, default=None, help="Only patterns cut from edge to edge."),
            click.option("--max-height", help="Of the strip; then the worth of what is packed is maximised."),
            click.option(
                "--sheet",
                "sheets",
                multiple=True,
                metavar="WxH[:COUNT[:COST]]",
                help="Stock instead of a strip; give it once for each size. Cost: the area, if not said.",
            ),
        )
    ):
        command = option(command)
    return command


def _specification(file: Path, options: dict[str, Any]) -> Specification:
    from tesuji.packing.files import read_problem

    sheets = tuple(_sheet(text) for text in options.pop("sheets"))
    return read_problem(file).with_options(**options, sheets=sheets or None)


def _sheet(text: str) -> Sheet:
    from tesuji.packing import Sheet

    found = _SHEET.match(text.replace(" ", ""))
    if found is None:
        raise click.BadParameter(f"{text!r} is not a sheet; write 2500x1250, 2500x1250:20 or 2500x1250:20:48.50")
    width, height, count, cost = found.groups()
    return Sheet(width=width, height=height, count=int(count or 1), cost=cost)


@packing.command(
    examples=[
        ("tesuji packing solve C1_1.txt --time 10", "a benchmark: its file has the width"),
        ("tesuji packing solve parts.csv --width 1200 --out plan.json --out plan.svg", "keep the plan and a picture"),
        ("tesuji packing solve parts.csv --width 1200 --resume plan.json --out plan.json", "go on from there"),
        ("tesuji packing solve parts.csv --width 600 --max-height 400", "what is worth most on one piece"),
    ]
)
@click.argument("file", type=_FILE)
@_problem_options
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True)
@click.option("--simulations", type=click.IntRange(min=1), help="End after so many packings.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), help="Repeats a run, with one thread and --simulations.")
@click.option("--strategy", help="Another way to search: orders, nrpa, plain, nested, beam, restarts.")
@click.option(
    "--out",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the plan: .json, .csv, .svg, .png or .txt; may be repeated.",
)
@click.option("--resume", type=_FILE, help="Go on from this plan (.json) of the same problem.")
@click.option("--watch", is_flag=True, help="A live picture of the best packing.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON and nothing else.")
def solve(
    file: Path, outputs: tuple[Path, ...], resume: Path | None, watch: bool, as_json: bool, **options: Any
) -> int:
    """Pack the rectangles of FILE.

    FILE is a benchmark text (width, count, then "width height" a line), a CSV with the columns width, height, count,
    may rotate, name, worth, or JSON. The search goes on until the time is over or the plan is proved optimal; Ctrl-C
    ends it and keeps the best.
    """
    from tesuji.packing.files import PLAN_SUFFIXES, read_plan, write_plan
    from tesuji.packing.packing import pack_problem

    for path in outputs:
        if path.suffix.lower() not in PLAN_SUFFIXES:
            raise click.BadParameter(f"{path} ends in none of {', '.join(PLAN_SUFFIXES)}", param_hint="--out")
    limits = {name: options.pop(name) for name in ("seconds", "simulations", "seed")}
    strategy = _strategy(options.pop("strategy"), options.pop("threads"))
    problem = _specification(file, options).problem()
    begin_with = None if resume is None else read_plan(resume)
    with _Session(problem, outputs, limits["seconds"], watch, quiet=as_json) as session:
        plan = pack_problem(
            problem, strategy=strategy, begin_with=begin_with, on_progress=session.on_progress, **limits
        )
    for path in outputs:
        write_plan(plan, path)
    _print_plan(plan, as_json)
    if not as_json:
        for path in outputs:
            click.echo(f"wrote {path}", err=True)
    return INTERRUPTED if session.is_interrupted else 0


def _strategy(name: str | None, threads: int) -> Strategy:
    import msgspec

    from tesuji.packing.packing import default_strategy
    from tesuji.search.strategies import strategy_named

    if name is None:
        return default_strategy(threads)
    chosen = strategy_named(name)
    if hasattr(chosen, "threads"):
        return msgspec.structs.replace(chosen, threads=threads)
    config = msgspec.structs.replace(chosen.config, threads=threads)
    return msgspec.structs.replace(chosen, config=config)


def _print_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(plan.to_dict()))
        return
    from rich.console import Console

    from tesuji.packing.terminal import to_rich

    Console().print(to_rich(plan), soft_wrap=True)


class _Session:
    """Progress, a live picture, plans kept on the way, and a Ctrl-C that ends the search and nothing else."""

    def __init__(
        self, problem: PackingProblem, outputs: tuple[Path, ...], seconds: float, watch: bool, *, quiet: bool
    ) -> None:
        from tesuji.cli.live import LiveLine

        self.is_interrupted = False
        self._problem, self._seconds = problem, seconds
        self._saves = [path for path in outputs if path.suffix.lower() == ".json"]
        self._saved_at, self._saved, self._shown = time.monotonic(), 0, 0
        self._line: LiveLine | None = None if quiet or watch else LiveLine()
        self._live: Live | None = self._picture() if watch and not quiet else None
        self._context: AbstractContextManager[Any] = self._line or self._live or nullcontext()

    @staticmethod
    def _picture() -> Live:
        from rich.console import Console
        from rich.live import Live

        return Live(console=Console(stderr=True), refresh_per_second=4, transient=True)

    def __enter__(self) -> _Session:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        self._context.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._context.__exit__(*error)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.is_interrupted = True

    def on_progress(self, solved: Solved) -> bool:
        """Show and keep what is there; False ends the search."""
        if solved.best_solution is not None:
            from tesuji.packing.plan import plan_from_moves

            plan = plan_from_moves(self._problem, solved.best_solution.moves)
            self._show(plan, solved, len(solved.improvements) > self._shown)
            self._shown = len(solved.improvements)
            if self._shown > self._saved and time.monotonic() - self._saved_at >= _SAVE_EVERY_S:
                self._save(plan)
        return not self.is_interrupted

    def _show(self, plan: Plan, solved: Solved, is_news: bool) -> None:
        if self._line is not None:
            self._line.show(
                f"{plan.objective} {plan.value:g}, bound {plan.bound:g}, gap {100 * plan.gap:.2f} %,"
                f" {solved.simulations:,} packings, {solved.seconds:.0f} s of {self._seconds:g} s"
            )
        if self._live is not None and is_news:
            from tesuji.packing.terminal import to_rich

            self._live.update(to_rich(plan, rows=30))

    def _save(self, plan: Plan) -> None:
        from tesuji.packing.files import write_plan

        for path in self._saves:
            write_plan(plan, path)
        self._saved_at, self._saved = time.monotonic(), self._shown


@packing.command(
    examples=[("tesuji packing show plan.json --out plan.svg --out plan.csv", "a picture, and a list to cut by")]
)
@click.argument("plan_file", type=_FILE, metavar="PLAN")
@click.option(
    "--out",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it as .csv, .svg, .png, .txt or .json.",
)
def show(plan_file: Path, outputs: tuple[Path, ...]) -> None:
    """Draw a plan (.json) here, or write it in other forms."""
    from tesuji.packing.files import read_plan, write_plan

    plan = read_plan(plan_file)
    for path in outputs:
        write_plan(plan, path)
        click.echo(f"wrote {path}", err=True)
    if not outputs:
        _print_plan(plan, as_json=False)


@packing.command(examples=[("tesuji packing check plan.json parts.csv --width 1200", "is this plan right?")])
@click.argument("plan_file", type=_FILE, metavar="PLAN")
@click.argument("file", type=_FILE)
@_problem_options
def check(plan_file: Path, file: Path, **options: Any) -> int:
    """Verify a plan (.json) against the problem of FILE: no overlap, all inside, every item once."""
    from tesuji.cli.command import CHECK_FAILED
    from tesuji.packing import PackingError, verify
    from tesuji.packing.files import read_plan

    plan, problem = read_plan(plan_file), _specification(file, options).problem()
    try:
        verify(problem, plan)
    except PackingError as error:
        click.echo(f"wrong: {error}", file=sys.stdout)
        return CHECK_FAILED
    click.echo(f"right: {plan.objective} {plan.value:g}, {len(plan.placements)} rectangles")
    return 0
