"""The command ``tesuji genetics classify``: new individuals, assigned by a panel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import OutFile, UserError, WithExamples
from tesuji.cli.genetics.options import checked_output, data_argument, ids_from
from tesuji.cli.genetics.printing import print_columns, print_json, say
from tesuji.cli.options import json_option
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from tesuji.genetics import Panel

__all__ = ["classify"]


@click.command(
    cls=WithExamples,
    short_help="Assign individuals by a panel.",
    examples=[
        ("tesuji genetics classify panel.json new.vcf", "a line for each individual"),
        ("tesuji genetics classify panel.json data.bed --labels groups.tsv --column region", "how many are right?"),
        ("tesuji genetics classify panel.json data.bed --samples who.txt --json", "some of them, as JSON"),
    ],
)
@click.argument("panel_file", metavar="PANEL.JSON", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_argument
@click.option("--samples", metavar="NAMES", help="Only these: a file with a name in each line, or names with commas.")
@click.option(
    "--labels", metavar="TABLE", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="To check."
)
@click.option("--column", metavar="NAME", help="The column of the groups in --labels.")
@click.option("--out", metavar="FILE", type=OutFile(), help="Write the assignments here, as TSV.")
@json_option
def classify(
    panel_file: Path,
    data: Path,
    samples: str | None,
    labels: Path | None,
    column: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Assign the individuals of DATA to the groups of a panel, with probabilities.

    It says when somebody looks like none of the groups, or like a mixture of two. Groups are taken to be equally likely
    beforehand.
    """
    import numpy as np

    from tesuji.genetics import match_panel, open_genotypes, read_panel

    checked_output(out)
    found, source = read_panel(panel_file), open_genotypes(data)
    copies, notes = match_panel(found, source)
    for note in notes:
        say(f"note: {note}")
    names = np.array(source.samples)
    if samples:
        wanted = ids_from(samples)
        if absent := sorted(wanted - set(source.samples)):
            raise UserError(f"{len(absent)} of the --samples are not in {data}: {', '.join(absent[:5])}")
        chosen = np.array([name in wanted for name in source.samples])
        names, copies = names[chosen], copies[:, chosen]
    assigned = found.model().assign(copies)
    checked = _check_assignments(found, names.tolist(), copies, labels, column) if labels else None
    if as_json:
        import msgspec

        people = [
            {"sample": name, **msgspec.to_builtins(one)} for name, one in zip(names.tolist(), assigned, strict=True)
        ]
        print_json({"groups": found.groups, "individuals": people, "evaluation": msgspec.to_builtins(checked)})
        return
    header = ["sample", "group", "probability", "confidence", "missing", "remark"]
    rows = [_assignment_row(name, one) for name, one in zip(names.tolist(), assigned, strict=True)]
    if out:
        write_whole(out, "\n".join("\t".join(row) for row in [header, *rows]) + "\n")
    else:
        print_columns([header, *rows])
    if checked is not None:
        low, high = checked.accuracy_interval
        click.echo(
            f"right: {100 * checked.accuracy_everybody:.1f} % of {checked.num_individuals}"
            f" ({100 * low:.1f} to {100 * high:.1f}), {100 * checked.accuracy:.1f} % of the confident"
        )


def _assignment_row(name: str, one: Any) -> list[str]:
    remarks = []
    if one.is_atypical:
        remarks.append("looks like none of the groups")
    if one.mixture is not None:
        first, share, second = one.mixture
        remarks.append(f"looks like a mixture: {100 * share:.0f} % {first}, {100 * (1 - share):.0f} % {second}")
    numbers = [f"{one.posteriors[one.group]:.4f}", f"{one.confidence:.2f}", str(one.num_missing)]
    return [name, one.group, *numbers, "; ".join(remarks)]


def _check_assignments(found: Panel, names: list[str], copies: Any, labels: Path, column: str | None) -> Any:
    import numpy as np

    from tesuji.genetics import evaluate, read_labels

    group_of = read_labels(labels, column)
    number = {group: i for i, group in enumerate(found.groups)}
    own = np.array([number.get(group_of.get(name, ""), -1) for name in names], np.int32)
    return evaluate(found.model(), copies, own, found.unclassified)
