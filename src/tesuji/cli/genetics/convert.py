"""The command ``tesuji genetics convert``: genotypes in another format."""

from __future__ import annotations

from pathlib import Path

import click

from tesuji.cli.command import UserError, WithExamples
from tesuji.cli.genetics.options import checked_output, data_argument, ids_from
from tesuji.cli.genetics.printing import say

__all__ = ["convert"]

FORMATS = ("plink", "vcf", "csv", "structure", "eigenstrat", "arlequin", "phase", "snipper")


@click.command(
    cls=WithExamples,
    short_help="Write genotypes in another format.",
    examples=[
        ("tesuji genetics convert data.bed data.vcf.gz", "by the ending"),
        (
            "tesuji genetics convert data.vcf panel.str --panel panel.json --labels g.tsv",
            "a panel's SNPs for STRUCTURE",
        ),
    ],
)
@data_argument
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "format_name", type=click.Choice(FORMATS), help="The format.  [default: by OUT's ending]")
@click.option("--panel", "panel_file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Only the SNPs of a panel.")  # fmt: skip
@click.option("--snps", metavar="IDS", help="Only these: a file with an id in each line, or ids with commas.")
@click.option(
    "--labels",
    metavar="TABLE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Groups, where the format has them.",
)
@click.option("--column", metavar="NAME", help="The column of the groups in --labels.")
def convert(
    data: Path,
    out: Path,
    format_name: str | None,
    panel_file: Path | None,
    snps: str | None,
    labels: Path | None,
    column: str | None,
) -> None:
    """Write the genotypes of DATA to OUT: PLINK, VCF, CSV, STRUCTURE, EIGENSTRAT, Arlequin, PHASE or Snipper."""
    from tesuji.genetics import Genotypes, open_genotypes, read_labels, read_panel
    from tesuji.genetics.formats import format_of, write_genotypes

    checked_output(out)
    chosen = format_name or format_of(out)
    source = open_genotypes(data)
    wanted = ids_from(snps) | (frozenset(snp.id for snp in read_panel(panel_file).snps) if panel_file else frozenset())
    if wanted:
        parts = [
            (block.snps[i], block.rows[i]) for block in source.blocks() for i in range(len(block.rows))
            if block.snps[i].id in wanted
        ]  # fmt: skip
        if absent := sorted(wanted - {snp.id for snp, _ in parts}):
            raise UserError(f"{len(absent)} of the SNPs are not in {data}: {', '.join(absent[:5])}")
        import numpy as np

        genotypes = Genotypes(
            tuple(source.samples), tuple(snp for snp, _ in parts), np.stack([row for _, row in parts])
        )
    else:
        genotypes = Genotypes.of(source)
    for reason, count in source.skipped.items():
        say(f"note: {count:,} left out: {reason}")
    group_of = read_labels(labels, column) if labels else {}
    groups = [group_of.get(name, "unknown") for name in source.samples]
    written = write_genotypes(genotypes, out, chosen, groups)
    click.echo(f"{len(genotypes.snps):,} SNPs, {len(genotypes.samples):,} individuals: {', '.join(map(str, written))}")
