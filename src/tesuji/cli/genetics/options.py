"""Options that the commands of ``tesuji genetics`` share, and what they mean.

Words to values of `tesuji.genetics`, which is imported when a command runs. No command is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tesuji.cli.command import UserError
from tesuji.cli.genetics.printing import say

if TYPE_CHECKING:
    from tesuji.genetics import Labels, Quality, Source
    from tesuji.genetics.annotation import Annotation

__all__ = [
    "checked_output",
    "data_argument",
    "ids_from",
    "label_options",
    "labelled",
    "quality_from",
    "quality_options",
]

F = TypeVar("F", bound=Callable[..., Any])


def _stacked(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


data_argument = click.argument("data", metavar="DATA", type=click.Path(path_type=Path))

label_options = _stacked(
    click.option(
        "--labels",
        metavar="TABLE",
        required=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A TSV or CSV with a header: who belongs to which group.",
    ),
    click.option("--column", metavar="NAME", help="The column of the groups.  [default: the second]"),
    click.option("--groups", metavar="A,B,...", help="Only these groups.  [default: all]"),
)

quality_options = _stacked(
    click.option(
        "--call-rate",
        metavar="X",
        default=0.9,
        show_default=True,
        type=click.FloatRange(0, 1),
        help="Share of individuals in whom a SNP must be known.",
    ),
    click.option(
        "--maf",
        metavar="X",
        default=0.01,
        show_default=True,
        type=click.FloatRange(0, 0.5),
        help="Frequency of the rarer allele, at least.",
    ),
    click.option(
        "--hwe",
        metavar="P",
        default=0.0,
        show_default="not tested",
        type=click.FloatRange(0, 1),
        help="Least p of the exact Hardy-Weinberg test in each group.",
    ),
    click.option("--drop-ambiguous", is_flag=True, help="Leave out A/T and C/G, whose strand cannot be told."),
    click.option("--chromosomes", metavar="A,B,...", help="Only these."),
    click.option(
        "--include", metavar="IDS", help="In every panel: a file with an id in each line, or ids with commas."
    ),
    click.option("--exclude", metavar="IDS", help="In no panel: likewise."),
    click.option(
        "--annotation",
        metavar="TABLE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Facts about SNPs (gene, SIFT, ...): a table with a column of ids, or the INFO of a VCF; carried through.",
    ),
    click.option(
        "--where",
        metavar="CONDITION",
        multiple=True,
        help="Only SNPs of which the annotation says so: gene=EDAR, sift<0.05, effect~missense. Several must all hold.",
    ),
)


def labelled(data: Path, labels: Path, column: str | None, groups: str | None) -> tuple[Source, Labels]:
    """Open a file and match its individuals with their groups; what did not match is said on stderr."""
    from tesuji.genetics import match_labels, open_genotypes, read_labels

    source = open_genotypes(data)
    matched = match_labels(source.samples, read_labels(labels, column), words(groups))
    for note in matched.notes:
        say(f"note: {note}")
    return source, matched


def quality_from(options: Mapping[str, Any], allowed: frozenset[str] | None, known: Annotation) -> Quality:
    """The rules that `quality_options` describe; `allowed` are the annotated SNPs that the conditions leave."""
    from tesuji.genetics import Quality

    barred = ids_from(options["exclude"])
    if allowed is not None:
        barred = barred | (frozenset(known) - allowed)
    only = words(options["chromosomes"])
    return Quality(
        call_rate=options["call_rate"],
        minor_frequency=options["maf"],
        hardy_weinberg=options["hwe"],
        drop_ambiguous=options["drop_ambiguous"],
        include=ids_from(options["include"]),
        exclude=barred,
        chromosomes=None if only is None else frozenset(only),
    )


def ids_from(text: str | None) -> frozenset[str]:
    """Ids from a file, a line each, or from words with commas."""
    if not text:
        return frozenset()
    path = Path(text)
    if path.is_file():
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        return frozenset(line.split()[0] for line in lines if line.strip() and not line.startswith("#"))
    if "/" in text or text.endswith((".txt", ".tsv", ".csv")):
        raise UserError(f"{text}: there is no such file of ids")
    return frozenset(words(text) or ())


def words(text: str | None) -> Sequence[str] | None:
    """Words with commas; None stays None."""
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


def checked_output(*paths: Path | None) -> None:
    """Refuse outputs that cannot be written before anything long begins."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise UserError(f"{path} is a folder; name a file")
        if not path.parent.is_dir():
            raise UserError(f"{path}: the folder {path.parent} does not exist; make it first")
