"""The command ``tesuji genetics report``: a page about a panel, and a list for primer design."""

from __future__ import annotations

from pathlib import Path

import click

from tesuji.cli.command import OutFile, WithExamples
from tesuji.cli.genetics.options import checked_output
from tesuji.cli.genetics.printing import say
from tesuji.writing import write_whole

__all__ = ["report"]


@click.command(
    cls=WithExamples,
    short_help="Make a page about a panel.",
    examples=[("tesuji genetics report panel.json data.bed --labels groups.tsv --column region", "panel.html")],
)
@click.argument("panel_file", metavar="PANEL.JSON", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("data", metavar="[DATA]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--labels", metavar="TABLE", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="For the picture."
)
@click.option("--column", metavar="NAME", help="The column of the groups in --labels.")
@click.option(
    "--out",
    metavar="FILE",
    type=OutFile(),
    help="The page.  [default: beside the panel, unless only --primers is asked for]",
)
@click.option("--primers", metavar="FILE", type=OutFile(), help="A list for primer design, as TSV.")
@click.option(
    "--genome", metavar="FASTA", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="For --primers."
)
@click.option(
    "--flank", metavar="BP", default=100, show_default=True, type=click.IntRange(min=1), help="For --primers."
)
def report(
    panel_file: Path,
    data: Path | None,
    labels: Path | None,
    column: str | None,
    out: Path | None,
    primers: Path | None,
    genome: Path | None,
    flank: int,
) -> None:
    """Write one self-contained HTML page about a panel; with DATA and --labels it shows the individuals too."""
    from tesuji.genetics import match_panel, open_genotypes, read_labels, read_panel
    from tesuji.genetics.panel_files import primer_list, read_fasta
    from tesuji.genetics.report import panel_page

    if out is None and (primers is None or data is not None):
        out = panel_file.with_suffix(".html")
    checked_output(out, primers)
    found = read_panel(panel_file)
    copies = own = None
    if data is not None and labels is not None:
        import numpy as np

        source = open_genotypes(data)
        copies, notes = match_panel(found, source)
        for note in notes:
            say(f"note: {note}")
        group_of = read_labels(labels, column)
        number = {group: i for i, group in enumerate(found.groups)}
        own = np.array([number.get(group_of.get(name, ""), -1) for name in source.samples], np.int32)
    if primers is not None:
        click.echo(write_whole(primers, primer_list(found, read_fasta(genome) if genome else None, flank)))
    if out is not None:
        click.echo(write_whole(out, panel_page(found, copies, own)))
