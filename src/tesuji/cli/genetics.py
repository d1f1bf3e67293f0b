"""The commands ``tesuji genetics ...``: panels of SNPs that tell groups apart.

Words to calls of `tesuji.genetics`. Progress and notes go to stderr, results to stdout; Ctrl-C ends a search with the
best so far, writes it, and exits with 130.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, OutFile, QuietGroup, UserError
from tesuji.cli.genetics_options import (
    checked_output,
    data_argument,
    ids_from,
    label_options,
    labelled,
    quality_from,
    quality_options,
    say,
)
from tesuji.cli.live import LiveLine
from tesuji.cli.options import json_option, make_workers, seed_option
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from tesuji.genetics import Panel, PanelSearch, Plan, Problem
    from tesuji.genetics.searching import PanelSearch as _Found

__all__ = ["genetics"]

_OBJECTIVES = ("right", "balanced", "log-loss")
_MODELS = ("additive", "dominant", "recessive")
_FORMATS = ("plink", "vcf", "csv", "structure", "eigenstrat", "arlequin", "phase", "snipper")


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


def _reading(line: LiveLine) -> Any:
    started = time.monotonic()

    def show(done: int, total: int | None) -> None:
        if time.monotonic() - started > 1:
            line.show(f"read {done:,} SNPs" + (f" of {total:,}" if total else ""))

    return show


@genetics.command(
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
@click.option(
    "--model", type=click.Choice(_MODELS), default="additive", show_default=True, help="Of that test, for A1."
)
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
        table = snp_statistics(source, matched, case=case, model=model, progress=_reading(line))
    for reason, count in table.skipped.items():
        say(f"note: {count:,} left out: {reason}")
    best = table.best(sort, top)
    if out is not None:
        write_statistics(table, out)
    if plot is not None:
        _draw_manhattan(table, sort, plot)
    if as_json:
        _print_json(
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
        _print_columns(list(table.lines(best)))


def _row_of(table: Any, place: int) -> dict[str, Any]:
    snp = table.snp(place)
    numbers = {name: float(values[place]) for name, values in table.columns.items()}
    shares = dict(zip(table.groups, map(float, table.frequencies[place]), strict=True))
    return {**snp._asdict(), **numbers, "frequencies": shares}


def _print_columns(lines: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    for row in lines:
        click.echo("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


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


@genetics.command(
    short_help="Find the set of SNPs that classifies best.",
    examples=[
        ("tesuji genetics panel data.bed --labels groups.tsv --column region --size 12 --time 60 --json", "one object"),
        ("tesuji genetics panel data.bed --labels g.tsv --out p.json --report p.html --export p.vcf", "files"),
        (
            "tesuji genetics panel data.bed --labels g.tsv --min-distance 100000 --max-r2 0.2 --include must.txt",
            "rules",
        ),
        ("tesuji genetics panel data.bed --labels g.tsv --size 30 --algorithm mcts-beam --threads 4", "a large panel"),
    ],
)
@data_argument
@label_options
@click.option("--size", metavar="N", default=12, show_default=True, type=click.IntRange(1, 256), help="SNPs.")
@click.option(
    "--time", "seconds", metavar="S", default=60.0, show_default=True, type=click.FloatRange(0, min_open=True),
    help="Seconds of search.",
)  # fmt: skip
@click.option("--evaluations", metavar="N", type=click.IntRange(min=1), help="Models to judge, instead of --time.")
@click.option("--algorithm", metavar="NAME", default="mcts", show_default=True, help="Or grqs, topn, forward, ...")
@click.option(
    "--threads", metavar="N", default=1, show_default=True, type=click.IntRange(1, 256), help="Of the search."
)
@click.option(
    "--candidates", metavar="N", default=5000, show_default=True, type=click.IntRange(min=1),
    help="SNPs to choose from: the best by themselves.",
)  # fmt: skip
@click.option(
    "--holdout", metavar="X", default=0.25, show_default=True, type=click.FloatRange(0, 1, max_open=True),
    help="Share of each group that the search never sees; the panel is judged on it.",
)  # fmt: skip
@click.option(
    "--objective", type=click.Choice(_OBJECTIVES), default="right", show_default=True, help="What to make large."
)
@click.option(
    "--pseudocount", metavar="X", default=0.5, show_default=True, type=click.FloatRange(1e-6, 1e6),
    help="Added to each genotype's count in each group.",
)  # fmt: skip
@click.option(
    "--draws", metavar="N", default=5, show_default=True, type=click.IntRange(1, 1000), help="Cross-validation."
)
@quality_options
@click.option(
    "--min-distance", metavar="BP", default=0, show_default=True, type=click.IntRange(min=0), help="Between two SNPs."
)
@click.option(
    "--max-r2", metavar="X", default=1.0, show_default="any", type=click.FloatRange(0, 1, min_open=True),
    help="Largest LD of two SNPs within --ld-window.",
)  # fmt: skip
@click.option(
    "--ld-window", metavar="BP", default=1_000_000, show_default=True, type=click.IntRange(min=1), help="For --max-r2."
)
@click.option(
    "--resamples", metavar="N", default=0, show_default=True, type=click.IntRange(min=0), help="How stable is it?"
)
@click.option("--out", metavar="FILE", type=OutFile(), help="The panel, as JSON: what classify reads.")
@click.option("--table", metavar="FILE", type=OutFile(), help="Its SNPs, as TSV.")
@click.option("--report", metavar="FILE", type=click.Path(path_type=Path), help="A page about it, as HTML.")
@click.option(
    "--export", metavar="FILE", multiple=True, type=click.Path(path_type=Path),
    help="Its genotypes, by the ending: .bed .vcf .vcf.gz .csv .snipper.csv .str .geno .arp .inp",
)  # fmt: skip
@click.option(
    "--keep", metavar="FILE", type=click.Path(path_type=Path), help="Keep what is found; the same command goes on."
)
@click.option(
    "--rounds", metavar="N", type=click.IntRange(min=1), help="Independent searches, over --jobs or --cluster."
)
@click.option(
    "--jobs", metavar="N", default=1, show_default=True, type=click.IntRange(min=1), help="Processes for --rounds."
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler for --rounds.")
@seed_option
@json_option
@click.pass_context
def panel(ctx: click.Context, /, data: Path, as_json: bool, **options: Any) -> None:
    """Find the SNPs of DATA that together classify best.

    Individuals are held out first; SNPs are ranked, the panel is searched and learned on the others, and judged on
    those held out. inner accuracy is what the search saw, held-out accuracy what to expect of new individuals.
    """
    from tesuji.genetics import choose_panel
    from tesuji.genetics.formats import format_of

    outputs = [options["out"], options["table"], options["report"], options["keep"], *options["export"]]
    checked_output(*outputs)
    for path in options["export"]:
        format_of(path)
    source, matched = labelled(data, options["labels"], options["column"], options["groups"])
    plan, known = _plan_from(options)
    with LiveLine() as line:
        search = _searching(options, plan, line)
        found = choose_panel(
            source, matched, plan, progress=_reading(line), on_search=_show_search(line, plan), search=search
        )
    found = _annotated(found, known)
    _write_panel(found, source, matched, options)
    if as_json:
        _print_json(_summary(found))
    else:
        _print_panel(found)
    if found.search.get("was_stopped"):
        say("stopped; this is the best panel so far")
        ctx.exit(INTERRUPTED)


def _plan_from(options: dict[str, Any]) -> tuple[Plan, Any]:
    from tesuji.genetics import Judging, Plan, Spacing
    from tesuji.genetics.annotation import filtered, read_annotation

    known = read_annotation(options["annotation"]) if options["annotation"] else {}
    if options["where"] and not known:
        raise UserError("--where needs --annotation: a table that says something of SNPs")
    allowed = filtered(known, options["where"]) if options["where"] else None
    quality = quality_from(options, allowed, known)
    evaluations = options["evaluations"]
    plan = Plan(
        size=options["size"],
        algorithm=options["algorithm"],
        seconds=None if evaluations else options["seconds"],
        evaluations=evaluations,
        threads=options["threads"],
        candidates=max(options["candidates"], options["size"]),
        holdout=options["holdout"],
        quality=quality,
        spacing=Spacing(min_distance=options["min_distance"], max_r2=options["max_r2"], ld_window=options["ld_window"]),
        judging=Judging(objective=options["objective"], pseudocount=options["pseudocount"]),
        num_draws=options["draws"],
        resamples=options["resamples"],
        seed=options["seed"],
    )
    return plan, known


def _show_search(line: LiveLine, plan: Plan) -> Any:
    def show(found: _Found) -> None:
        if found.panels:
            limit = f" of {plan.seconds:g}" if plan.seconds else ""
            line.show(f"{found.seconds:.0f}{limit} s, {found.evaluated:,} models, best {found.best.value:.4g}")

    return show


def _searching(options: dict[str, Any], plan: Plan, line: LiveLine) -> Any:
    """A search that keeps what it finds, or has rounds done by workers; None: the plain one."""
    keep, rounds = options["keep"], options["rounds"]
    if keep is None and rounds is None:
        return None

    def search(problem: Problem) -> PanelSearch:
        from tesuji.genetics.rounds import merged, read_kept, search_on_workers, write_kept
        from tesuji.genetics.searching import find_panels

        kept = read_kept(keep, problem) if keep else None
        done = kept.rounds if kept else 0
        if kept:
            say(f"going on after {done} rounds; best so far {kept.found.best.value:.4g}")
        limits: Any = {"seconds": plan.seconds, "evaluations": plan.evaluations, "threads": plan.threads}
        seed = plan.seed + 104_729 * done
        if rounds:
            with make_workers(options["jobs"], False, options["cluster"], threads=plan.threads) as workers:
                found = search_on_workers(
                    problem, plan.algorithm, workers, rounds, seed=seed, **limits,
                    on_round=lambda so_far, n: line.show(f"round {n} of {rounds}, best {so_far.best.value:.4g}"),
                )  # fmt: skip
        else:
            start = [one.candidates for one in kept.found.panels] if kept else []
            found = find_panels(
                problem, plan.algorithm, seed=seed, start=start, on_progress=_show_search(line, plan), **limits
            )
        if keep:
            return write_kept(keep, problem, kept, found).found
        return merged([found])

    return search


def _annotated(found: Panel, known: Any) -> Panel:
    import msgspec

    if not known:
        return found
    snps = tuple(msgspec.structs.replace(snp, annotation=known.get(snp.id, {})) for snp in found.snps)
    return msgspec.structs.replace(found, snps=snps)


def _write_panel(found: Panel, source: Any, matched: Any, options: dict[str, Any]) -> None:
    from tesuji.genetics.formats import format_of, write_genotypes
    from tesuji.genetics.genotypes import Genotypes
    from tesuji.genetics.panel import match_panel
    from tesuji.genetics.panel_files import panel_table
    from tesuji.genetics.report import panel_page

    if options["out"]:
        found.write(options["out"])
    if options["table"]:
        write_whole(options["table"], panel_table(found))
    if not (options["report"] or options["export"]):
        return
    copies, _ = match_panel(found, source)
    if options["report"]:
        write_whole(options["report"], panel_page(found, copies, matched.of_sample))
    groups = [matched.groups[g] if g >= 0 else "unknown" for g in matched.of_sample]
    for path in options["export"]:
        genotypes = Genotypes.from_copies(source.samples, [snp.snp for snp in found.snps], copies)
        write_genotypes(genotypes.in_genome_order(), path, format_of(path), groups)


def _summary(found: Panel) -> dict[str, Any]:
    """What --json prints: the whole panel, its SNPs by name first."""
    import msgspec

    whole: dict[str, Any] = msgspec.to_builtins(found)
    names = {"snps": [snp["id"] for snp in whole["snps"]], "snp_details": whole.pop("snps")}
    return {**names, **whole}


def _print_panel(found: Panel) -> None:
    def percent(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.1f} %"

    click.echo(f"{len(found.snps)} SNPs for {len(found.groups)} groups: {', '.join(found.groups)}")
    click.echo(f"  inner accuracy     {percent(found.inner_accuracy)}   of the confident; seen by the search")
    if found.held_out is not None:
        low, high = found.held_out.accuracy_interval
        click.echo(
            f"  held-out accuracy  {percent(found.held_out_accuracy)}   of the confident,"
            f" {percent(found.held_out_accuracy_everybody)} of all {found.held_out.num_individuals}"
            f" ({100 * low:.1f} to {100 * high:.1f}); never seen"
        )
        recalls = ", ".join(f"{group} {percent(value)}" for group, value in found.held_out.recall.items())
        click.echo(f"  recognised         {recalls}")
    if found.permutation_p is not None:
        click.echo(f"  shuffled labels    as good with p = {found.permutation_p:.3g}")
    evaluated, seconds = found.search.get("evaluated", 0), found.search.get("seconds", 0)
    click.echo(f"  search             {found.algorithm}, {evaluated:,} models in {seconds} s\n")
    header = ["rank", "id", "place", "A1/A2", "I_n", "theta", "delta", *found.groups]
    rows = [
        [
            str(snp.rank),
            snp.id,
            f"{snp.chromosome}:{snp.position}",
            f"{snp.a1}/{snp.a2}",
            *(f"{value:.3f}" for value in (snp.informativeness, snp.theta, snp.delta)),
            *(f"{snp.frequencies[group]:.2f}" for group in found.groups),
        ]
        for snp in found.snps
    ]
    _print_columns([header, *rows])


@genetics.command(
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
        _print_json({"groups": found.groups, "individuals": people, "evaluation": msgspec.to_builtins(checked)})
        return
    header = ["sample", "group", "probability", "confidence", "missing", "remark"]
    rows = [_assignment_row(name, one) for name, one in zip(names.tolist(), assigned, strict=True)]
    if out:
        write_whole(out, "\n".join("\t".join(row) for row in [header, *rows]) + "\n")
    else:
        _print_columns([header, *rows])
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


@genetics.command(
    short_help="Make a page about a panel.",
    examples=[("tesuji genetics report panel.json data.bed --labels groups.tsv --column region", "panel.html")],
)
@click.argument("panel_file", metavar="PANEL.JSON", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("data", metavar="[DATA]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--labels", metavar="TABLE", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="For the picture."
)
@click.option("--column", metavar="NAME", help="The column of the groups in --labels.")
@click.option("--out", metavar="FILE", type=OutFile(), help="The page.  [default: beside the panel]")
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

    out = out or panel_file.with_suffix(".html")
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
        write_whole(primers, primer_list(found, read_fasta(genome) if genome else None, flank))
    click.echo(write_whole(out, panel_page(found, copies, own)))


@genetics.command(
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
@click.option("--to", "format_name", type=click.Choice(_FORMATS), help="The format.  [default: by OUT's ending]")
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


@genetics.command(
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


def _print_json(value: Any) -> None:
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())
