"""``tesuji bench packing``: searches and baselines on published strips, and how fast placements are."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import click

from tesuji.cli.command import WithExamples

if TYPE_CHECKING:
    from tesuji.bench.packing import PackingRow

__all__ = ["bench_packing"]


@click.command(
    "packing",
    cls=WithExamples,
    short_help="Packing: every search and baseline on files; placements a second.",
    examples=[
        ("tesuji bench packing", "placements a second, bytes a node"),
        ("tesuji bench packing C*.txt --cpu 20 --threads 2 --known best_known.csv", "the default search"),
        ("tesuji bench packing C*.txt --all --cpu 10", "every variant and every baseline"),
    ],
)
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--cpu",
    "cpu_s",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="Seconds of processor time for each, all threads together.",
)
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--rotate/--no-rotate", default=True, show_default=True)
@click.option(
    "--known", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A CSV with the best known heights."
)
@click.option("--packer", "packers", multiple=True, help="Only these, by name.")
@click.option("--all", "is_all", is_flag=True, help="Every variant and baseline, not the default alone.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A line of JSON for each result; what is there is not measured again.",
)
def bench_packing(
    files: tuple[Path, ...],
    cpu_s: float,
    threads: int,
    rotate: bool,
    known: Path | None,
    packers: tuple[str, ...],
    is_all: bool,
    seed: int,
    out: Path | None,
) -> None:
    """Measure packing on FILES; without files, its speed on random rectangles."""
    from tesuji.bench.packing import VARIANTS, best_known, measure
    from tesuji.packing.baselines import BASELINES

    if not files:
        _print_speed()
        return
    everyone = [*VARIANTS, *BASELINES]
    chosen = list(packers) or (everyone if is_all else everyone[:1])
    for name in chosen:
        if name not in everyone:
            raise click.BadParameter(f"{name!r} is none; there are {', '.join(everyone)}", param_hint="--packer")
    rows, done = _kept(out), {(row.problem, row.packer, row.rotate) for row in _kept(out)}
    heights = best_known(known) if known else {}
    for file in files:
        for packer in chosen:
            if (file.stem, packer, rotate) in done:
                continue
            found = measure([file], [packer], cpu_s=cpu_s, threads=threads, rotate=rotate, seed=seed, known=heights)
            for row in found:
                rows.append(row)
                _keep(out, row)
                _print_row(row)
    _print_means(rows, chosen)


def _kept(out: Path | None) -> list[PackingRow]:
    import msgspec

    from tesuji.bench.packing import PackingRow

    if out is None or not out.exists():
        return []
    return [msgspec.json.decode(line, type=PackingRow) for line in out.read_bytes().splitlines()]


def _keep(out: Path | None, row: PackingRow) -> None:
    import msgspec

    if out is not None:
        with out.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")


def _print_row(row: PackingRow) -> None:
    known = "-" if row.best_known is None else f"{row.best_known:g}"
    click.echo(
        f"{row.problem:<14} {row.packer:<28} {row.items:>5} items  height {row.height:>6g}  bound {row.bound:>6g}"
        f"  known {known:>6}  {100 * row.gap:>6.2f} %  {row.cpu_s:>6.1f} s  {row.packings:>9,} packings"
    )


def _print_means(rows: list[PackingRow], packers: list[str]) -> None:
    click.echo(f"\n{'packer':<28} {'problems':>8} {'at best known':>14} {'proved':>7} {'mean gap':>9}")
    for packer in packers:
        found = [row for row in rows if row.packer == packer]
        if found:
            at_best = sum(row.best_known is not None and row.height <= row.best_known for row in found)
            proved = sum(row.is_optimal for row in found)
            mean = 100 * fmean(row.gap for row in found)
            click.echo(f"{packer:<28} {len(found):>8} {at_best:>14} {proved:>7} {mean:>7.2f} %")


def _print_speed() -> None:
    from tesuji.bench.packing import measure_speed

    click.echo("Placements a second of processor time, one thread, rotation allowed; bytes of a node with its edges\n")
    click.echo(f"{'items':>6} {'in playouts by fit':>19} {'uniform':>12} {'in an order':>12} {'bytes/node':>11}")
    for items in (20, 100, 500, 3000):
        speed = measure_speed(items, seed=1)
        click.echo(
            f"{items:>6} {speed.placements_per_s:>19,.0f} {speed.uniform_placements_per_s:>12,.0f}"
            f" {speed.ordered_placements_per_s:>12,.0f} {speed.bytes_per_node:>11,.0f}"
        )
