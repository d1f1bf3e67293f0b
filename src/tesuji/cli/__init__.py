"""The command ``tesuji``: words on the command line to calls of the library.

Each command imports what it needs when it runs, so that ``tesuji --help`` answers at once. The work itself is in
`tesuji.go`, `tesuji.play`, `tesuji.experiments`, `tesuji.papers` and `tesuji.bench`. How errors and interruptions end
is in `command.py`.
"""

from __future__ import annotations

import click

from tesuji.cli import (
    analyse,
    analysis,
    bench,
    bench_packing,
    book,
    diagram,
    genetics,
    go,
    laboratory,
    learn,
    learn_network,
    masters,
    packing,
    papers,
    solve,
    tuning,
    web,
)
from tesuji.cli.command import DEBUG, QuietGroup

__all__ = ["main"]


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from tesuji import __version__

        click.echo(f"tesuji {__version__}")
        ctx.exit()


def _keep_debug(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    ctx.meta[DEBUG] = wanted


@click.group(
    cls=QuietGroup,
    examples=[
        ("tesuji demo", "new here? begin with this: it takes half a minute"),
        ("tesuji gtp --size 9 --seconds 2", "play it: enter this as an engine in Sabaki or GoGui"),
        ("tesuji show game.sgf --move 40", "draw a position of a recorded game"),
        ("tesuji analyse game.sgf --chart game.png", "judge every move of it"),
        ("tesuji packing solve parts.csv --width 1200", "cut rectangles from a strip with little waste"),
        ("tesuji match gnugo-l1 gnugo-l10 --games 40", "who is stronger, and how sure is that?"),
    ],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Print the version."
)
@click.option(
    "--debug", is_flag=True, expose_value=False, callback=_keep_debug, help="Show the full traceback of an error."
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tesuji: Monte-Carlo tree search for Go, in a fast core with a Python workbench around it.

    Every command explains itself: tesuji COMMAND --help.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# The order of the help: what a newcomer wants first comes first.
for _command in (
    go.demo,
    go.gtp,
    web.web,
    go.play,
    go.show,
    diagram.diagram,
    analyse.analyse,
    analysis.analysis,
    solve.solve,
    masters.masters,
    book.book,
    laboratory.match,
    laboratory.tournament,
    laboratory.report,
    tuning.tune,
    tuning.sweep,
    laboratory.regress,
    learn.learn,
    packing.packing,
    genetics.genetics,
    papers.papers,
    bench.bench,
):
    main.add_command(_command)
bench.bench.add_command(bench_packing.bench_packing)
learn.learn.add_command(learn_network.learn_network)
learn.learn.add_command(learn_network.learn_games)
learn.learn.add_command(learn_network.learn_quantise)
