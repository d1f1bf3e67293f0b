"""The command ``papers``: published tables and figures, run again.

Words to calls of `tesuji.papers`. Progress goes to stderr. What Ctrl-C ends keeps what is done, and exits with 130.
"""

from __future__ import annotations

import textwrap
from importlib.util import find_spec
from pathlib import Path

import click

from tesuji.cli import completion
from tesuji.cli.command import INTERRUPTED, QuietGroup, UserError
from tesuji.cli.options import make_workers, seed_option, worker_options
from tesuji.words import how_to_install

__all__ = ["papers"]


@click.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Run published experiments again.",
    examples=[
        ("tesuji papers list", "what there is"),
        ("tesuji papers describe gnugo/levels", "one of them: question, source, method, cost"),
        ("tesuji papers run gnugo/levels --scale 0.1", "a tenth of the games"),
        ("tesuji papers report gnugo-levels", "write the report of a folder again"),
    ],
)
@click.pass_context
def papers(ctx: click.Context) -> None:
    """Run the tables and figures of papers again, and set ours beside the published numbers.

    A run leaves results.csv, figure.png where there is one, report.md and provenance.json in a folder. The same command
    goes on where it was stopped.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@papers.command(
    "list",
    short_help="Name the experiments there are.",
    examples=[("tesuji papers list", "a line for each")],
)
def papers_list() -> None:
    """Name the experiments there are, with a line about each."""
    from tesuji.papers.registry import experiment, names

    width = max(map(len, names()))
    for name in names():
        click.echo(f"{name:<{width}}  {experiment(name).about.title}")


@papers.command(
    "describe",
    short_help="Say what an experiment asks, and what it costs.",
    examples=[("tesuji papers describe gnugo/levels", "before you spend an hour on it")],
)
@click.argument("name", metavar="NAME", shell_complete=completion.papers)
def papers_describe(name: str) -> None:
    """Say what the experiment NAME asks, where it was published, what is done and how long it takes."""
    from tesuji.papers.registry import experiment

    about = experiment(name).about
    click.echo(f"{about.name}: {about.title}\n")
    for title in ("question", "source", "method", "cost"):
        if text := getattr(about, title):
            click.echo(textwrap.fill(text, 88, initial_indent=f"{title:<9} ", subsequent_indent=" " * 10))
    for option, values in getattr(experiment(name), "options", {}).items():
        click.echo(f"option    {option}: {', '.join(values)} (the first if not given)")


@papers.command(
    "run",
    short_help="Run an experiment, or what is left of it.",
    examples=[
        ("tesuji papers run gnugo/levels", "at the size of the paper, into gnugo-levels"),
        ("tesuji papers run gnugo/levels --scale 0.05 --out /tmp/try", "a look"),
        ("tesuji papers run uct-dag/fig-3.1 --option roots=as-drawn", "another way to do it"),
        ("tesuji papers run gnugo/levels --cluster tcp://host:8786", "on a Dask cluster"),
    ],
)
@click.argument("name", metavar="NAME", shell_complete=completion.papers)
@click.option(
    "--scale",
    metavar="S",
    default=1.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="How much of it: 1 is the published size.",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="named after it",
    help="The folder for all that it leaves.",
)
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="Choose one of the ways that `papers describe NAME` lists; may be repeated.",
)
@worker_options
@seed_option
@click.pass_context
def papers_run(
    ctx: click.Context,
    /,
    name: str,
    scale: float,
    out: Path | None,
    options: tuple[str, ...],
    jobs: int | None,
    pin: bool,
    cluster: str | None,
    seed: int,
) -> None:
    """Run the experiment NAME and write its report; the same command goes on where it was stopped."""
    from tesuji.go.view.diagram import make_console
    from tesuji.papers.harness import run_experiment, with_options
    from tesuji.papers.registry import experiment

    chosen = dict(_pair(text) for text in options)
    found = experiment(name)
    for library in ("matplotlib", "scipy"):  # said now, and not when hours of games have been played
        if find_spec(library) is None:
            raise UserError(f"the report of an experiment needs {library}: {how_to_install('lab')}")
    with_options(found, chosen)
    out = out or Path("-".join([name.replace("/", "-"), *chosen.values()]))
    click.echo(f"{found.about.title}\nfolder {out} (the same command resumes)", err=True)
    with make_workers(jobs, pin, cluster) as workers:
        try:
            report = run_experiment(
                found,
                scale=scale,
                seed=seed,
                out=out,
                options=chosen,
                workers=workers,
                console=make_console(stderr=True),
            )
        except KeyboardInterrupt:
            click.echo(f"stopped; what is done is kept in {out}, the same command goes on", err=True)
            ctx.exit(INTERRUPTED)
    click.echo(report)


@papers.command(
    "report",
    short_help="Write the report of a folder again.",
    examples=[
        ("tesuji papers report gnugo-levels", "of what is done so far"),
        ("tesuji papers report uct-dag-fig-3.3 --as uct-dag/fig-3.1 --out fig-3.1", "another figure of the same runs"),
    ],
)
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--as", "name", metavar="NAME", help="The report of another figure that is made of the same runs.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="DIR, or with --as named after it",
    help="The folder for the report.",
)
def papers_report(folder: Path, name: str | None, out: Path | None) -> None:
    """Write the report of DIR again from what is stored in it; its run may be incomplete."""
    from tesuji.papers.harness import experiment_of, write_findings
    from tesuji.papers.registry import experiment

    if name is not None and out is None:
        out = Path(name.replace("/", "-"))
    click.echo(write_findings(experiment(name or experiment_of(folder)), folder, out))


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--option {text!r} has no value; write it as NAME=VALUE")
    return name, value
