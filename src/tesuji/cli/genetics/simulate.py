"""The command ``tesuji genetics simulate``: populations with a known history."""

from __future__ import annotations

from pathlib import Path

import click

from tesuji.cli.command import WithExamples
from tesuji.cli.genetics.options import checked_output
from tesuji.cli.options import seed_option
from tesuji.writing import write_whole

__all__ = ["simulate"]


@click.command(
    cls=WithExamples,
    short_help="Simulate populations with a known history.",
    examples=[("tesuji genetics simulate --groups 4 --snps 2000 --out demo", "demo.bed, .bim, .fam, .labels.tsv")],
)
@click.option("--groups", metavar="N", default=3, show_default=True, type=click.IntRange(2, 26), help="Populations.")
@click.option("--individuals", metavar="N", default=100, show_default=True, type=click.IntRange(min=1), help="Of each.")
@click.option("--snps", metavar="N", default=1000, show_default=True, type=click.IntRange(min=1), help="Markers.")
@click.option("--split", metavar="N", default=500.0, show_default=True, type=click.FloatRange(0, min_open=True),
              help="Generations between two splits.")  # fmt: skip
@click.option("--migration", metavar="X", default=0.0, show_default=True, type=click.FloatRange(0, 1, max_open=True),
              help="Share that comes from each other population, a generation.")  # fmt: skip
@click.option(
    "--out", metavar="NAME", required=True, type=click.Path(path_type=Path), help="The name that the files share."
)
@seed_option
def simulate(groups: int, individuals: int, snps: int, split: float, migration: float, out: Path, seed: int) -> None:
    """Simulate populations that split from each other (msprime), as PLINK files with labels."""
    from tesuji.genetics.bed import write_bed
    from tesuji.genetics.simulation import History, simulate

    checked_output(out.with_name(f"{out.name}.bed"))
    history = History(groups=groups, individuals=individuals, snps=snps, split_generations=split, migration=migration)
    genotypes, group_of = simulate(history, seed)
    written = write_bed(genotypes, out)
    table = "sample\tpopulation\n" + "".join(f"{name}\t{group}\n" for name, group in group_of.items())
    written.append(write_whole(out.with_name(f"{out.name}.labels.tsv"), table))
    click.echo(f"{len(genotypes.snps):,} SNPs, {len(genotypes.samples):,} individuals: {', '.join(map(str, written))}")
