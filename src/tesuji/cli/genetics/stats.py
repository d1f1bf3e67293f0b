"""The command ``tesuji genetics stats``: statistics of every SNP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tesuji.cli.command import OutFile, UserError, WithExamples
from tesuji.cli.genetics.options import checked_output, data_argument, label_options, labelled
from tesuji.cli.genetics.printing import print_columns, print_json, reading, say
from tesuji.cli.live import LiveLine
from tesuji.cli.options import json_option

__all__ = ["stats"]

MODELS = ("additive", "dominant", "recessive")


@click.command(
    cls=WithExamples,
    short_help="Statistics of every SNP.",
    examples=[
        ("tesuji genetics stats data.bed --labels groups.tsv --column region", "the 20 most informative SNPs"),
        ("tesuji genetics stats data.vcf.gz --labels groups.tsv --out all.tsv --plot all.png", "all, and a picture"),
        ("tesuji genetics stats data.bed --labels status.tsv --case case --sort p", "cases against controls"),
    ],
)
@data_argument
@label_options
@click.option("--case", metavar="GROUP", help="Test for a trend of this group against all others (Cochran-Armitage).")
@click.option("--model", type=click.Choice(MODELS), default="additive", show_default=True, help="Of that test, for A1.")
@click.option("--top", metavar="N", default=20, show_default=True, type=click.IntRange(min=0), help="Show so many.")
@click.option(
    "--sort", metavar="COLUMN", default="informativeness", show_default=True, help="Or theta, delta, p, score, ..."
)
@click.option("--out", metavar="FILE", type=OutFile(), help="Write all SNPs here, as TSV.")
@click.option("--plot", metavar="FILE", type=click.Path(path_type=Path), help="Draw them along the genome (PNG, SVG).")
@json_option
def stats(
    data: Path,
    labels: Path,
    column: str | None,
    groups: str | None,
    case: str | None,
    model: str,
    top: int,
    sort: str,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure how differently each SNP of DATA is distributed over the groups, in one pass.

    I_n (informativeness for assignment), theta_ST (Weir and Cockerham, and its large-sample form), delta (mean
    difference of frequencies), call rate, frequencies of A1. Memory does not grow with the genotypes.
    """
    from tesuji.genetics.snp_table import SORTS, snp_statistics, write_statistics

    checked_output(out, plot)
    if sort not in SORTS:
        raise UserError(f"cannot sort by {sort!r}; there are {', '.join(SORTS)}")
    if sort == "p" and case is None:
        raise UserError("p comes from the trend test: say who the cases are with --case")
    source, matched = labelled(data, labels, column, groups)
    with LiveLine() as line:
        table = snp_statistics(source, matched, case=case, model=model, progress=reading(line))
    for reason, count in table.skipped.items():
        say(f"note: {count:,} left out: {reason}")
    best = table.best(sort, top)
    if out is not None:
        write_statistics(table, out)
    if plot is not None:
        _draw_manhattan(table, sort, plot)
    if as_json:
        print_json(
            {
                "snps": len(table),
                "individuals": int((matched.of_sample >= 0).sum()),
                "groups": dict(zip(matched.groups, matched.sizes().tolist(), strict=True)),
                "skipped": table.skipped,
                "top": [_row_of(table, int(place)) for place in best],
            }
        )
        return
    sizes = ", ".join(f"{g} {n}" for g, n in zip(matched.groups, matched.sizes().tolist(), strict=True))
    click.echo(f"{len(table):,} SNPs, {int((matched.of_sample >= 0).sum()):,} individuals: {sizes}")
    if top:
        print_columns(list(table.lines(best)))


def _row_of(table: Any, place: int) -> dict[str, Any]:
    snp = table.snp(place)
    numbers = {name: float(values[place]) for name, values in table.columns.items()}
    shares = dict(zip(table.groups, map(float, table.frequencies[place]), strict=True))
    return {**snp._asdict(), **numbers, "frequencies": shares}


def _draw_manhattan(table: Any, sort: str, path: Path) -> None:
    import numpy as np

    from tesuji.genetics import pictures

    everyone = [snp for block in table.blocks for snp in block]
    values = -table.columns["log10_p"] if sort == "p" else table.columns[sort]
    limit = -np.log10(0.05 / max(len(table), 1)) if sort == "p" else None
    figure = pictures.manhattan(
        [snp.chromosome for snp in everyone],
        np.array([snp.position for snp in everyone]),
        values,
        label="-log10 p" if sort == "p" else sort,
        line=limit,
        line_label="Bonferroni 5 %",
    )
    pictures.save(figure, path)
