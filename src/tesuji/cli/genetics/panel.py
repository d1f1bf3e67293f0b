"""The command ``tesuji genetics panel``: the set of SNPs that classifies best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, OutFile, UserError, WithExamples
from tesuji.cli.genetics.options import (
    checked_output,
    data_argument,
    label_options,
    labelled,
    quality_from,
    quality_options,
)
from tesuji.cli.genetics.printing import print_columns, print_json, reading, say
from tesuji.cli.live import LiveLine
from tesuji.cli.options import json_option, make_workers, seed_option
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from tesuji.genetics import Panel, PanelSearch, Plan, Problem

__all__ = ["panel"]

OBJECTIVES = ("right", "balanced", "expected", "log-loss")


@click.command(
    cls=WithExamples,
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
    "--objective", type=click.Choice(OBJECTIVES), default="log-loss", show_default=True,
    help="What to make good; 'right' is the number classified right.",
)  # fmt: skip
@click.option(
    "--temperature", metavar="T", default=3.0, show_default=True, type=click.FloatRange(0.01, 100),
    help="Above 1, log-loss goes less by the few hard individuals; such panels do better on new ones.",
)  # fmt: skip
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
@click.option("--jobs", metavar="N", show_default="1", type=click.IntRange(min=1), help="Processes for --rounds.")
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
            source, matched, plan, progress=reading(line), on_search=_show_search(line, plan), search=search
        )
    found = _annotated(found, known)
    _write_panel(found, source, matched, options)
    if as_json:
        print_json(_summary(found))
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
        candidates=options["candidates"],
        holdout=options["holdout"],
        quality=quality,
        spacing=Spacing(min_distance=options["min_distance"], max_r2=options["max_r2"], ld_window=options["ld_window"]),
        judging=Judging(
            objective=options["objective"], temperature=options["temperature"], pseudocount=options["pseudocount"]
        ),
        num_draws=options["draws"],
        resamples=options["resamples"],
        seed=options["seed"],
    )
    return plan, known


def _show_search(line: LiveLine, plan: Plan) -> Any:
    def show(found: PanelSearch) -> None:
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
            jobs = options["jobs"] or (None if options["cluster"] else 1)
            with make_workers(jobs, False, options["cluster"], threads=plan.threads) as workers:
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
    print_columns([header, *rows])
