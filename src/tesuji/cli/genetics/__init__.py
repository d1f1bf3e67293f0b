"""The commands ``tesuji genetics ...``: panels of SNPs that tell groups apart, a file for each command.

Words to calls of `tesuji.genetics`. Progress and notes go to stderr, results to stdout; Ctrl-C ends a search with the
best so far, writes it, and exits with 130.
"""

from __future__ import annotations

import click

from tesuji.cli.command import QuietGroup
from tesuji.cli.genetics import classify, convert, panel, report, simulate, stats

__all__ = ["genetics"]


@click.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Find the SNPs that tell populations apart.",
    examples=[
        ("tesuji genetics simulate --out demo", "no data at hand? three populations with a known history"),
        ("tesuji genetics stats demo.bed --labels demo.labels.tsv --top 10", "the most informative SNPs, one by one"),
        ("tesuji genetics panel demo.bed --labels demo.labels.tsv --size 8 --time 10 --out panel.json", "the best set"),
        ("tesuji genetics report panel.json demo.bed --labels demo.labels.tsv", "a page about it"),
        ("tesuji genetics classify panel.json new.vcf", "assign new individuals"),
    ],
)
@click.pass_context
def genetics(ctx: click.Context) -> None:
    """Find the few genetic markers that best tell where a person's ancestors came from, or cases from controls.

    DATA is PLINK's data.bed (with .bim and .fam beside it), data.pgen, data.vcf, data.vcf.gz, or a wide CSV of 0, 1, 2.
    docs/howto/ancestry-panel.md goes from a PLINK file to a report.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (stats.stats, panel.panel, classify.classify, report.report, convert.convert, simulate.simulate):
    genetics.add_command(_command)
