"""The command ``bench``: speed and signature.

Words to calls and rows to tables; the measuring is in `tesuji.bench`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tesuji.cli import completion
from tesuji.cli.command import CHECK_FAILED, QuietGroup, UserError

if TYPE_CHECKING:
    from tesuji.bench.board import BoardRow, Comparison

__all__ = ["bench"]


@click.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Measure speed; print the signature.",
    examples=[
        ("tesuji bench", "speed on 9x9, 13x13 and 19x19, and the signature"),
        ("tesuji bench --signature", "the signature alone, for a commit message"),
        ("tesuji bench board --json", "every size and variant, for machines"),
        ("tesuji bench search", "the search beside OpenSpiel's"),
        ("tesuji bench games", "games that Python wrote, beside native ones"),
        ("tesuji bench pgame", "artificial games as trees and as DAGs"),
        ("tesuji bench playouts", "what a move of a Go playout costs, by policy"),
        ("tesuji bench states", "win/loss states beside wins and visits"),
        ("tesuji bench engine", "the Go engine beside Pachi and others"),
    ],
)
@click.option("--signature", "only_signature", is_flag=True, help="Print only the signature.")
@click.pass_context
def bench(ctx: click.Context, only_signature: bool) -> None:
    """Print how fast light playouts are here, and the signature.

    Playouts per second are this machine's, one thread. Instructions per playout (when valgrind is installed) hardly
    depend on the machine. The signature is a hash over fixed searches and playouts: the same on every machine, and
    changed only by a change of behaviour.
    """
    if ctx.invoked_subcommand is not None:
        return
    from tesuji.bench import BenchError
    from tesuji.bench.signature import signature

    if only_signature:
        click.echo(signature())
        return
    try:
        _print_rows(_measure(None, variants=("light",)))
    except BenchError as error:  # another processor: the signature is the same there all the same
        click.echo(f"tesuji bench: {error}", err=True)
    click.echo(f"\nsignature {signature()}")


@bench.command(
    "board",
    short_help="Cost of a playout by size and variant; --check for CI.",
    examples=[
        ("tesuji bench board", "a table"),
        ("tesuji bench board --json > rows.json", "the same for machines"),
        ("tesuji bench board --check", "fails if a playout became dearer"),
    ],
)
@click.option(
    "--playouts",
    metavar="N",
    type=click.IntRange(min=1),
    show_default="enough for half a percent",
    help="Playouts per run.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of rows instead of a table.")
@click.option("--check", is_flag=True, help="Fail when instructions grew by more than 5 % over bench/board.json.")
@click.option("--update", is_flag=True, help="Write the measured rows to bench/board.json.")
@click.pass_context
def bench_board(ctx: click.Context, playouts: int | None, as_json: bool, check: bool, update: bool) -> None:
    """Measure light playouts on 9x9, 13x13 and 19x19, in four variants of what is kept track of.

    "light" keeps stones, chains and the empty points; "hashed" adds Zobrist keys and 3x3 codes; "tactical" adds what a
    test for atari on demand needs. "contexts" is light and keeps the contexts of 40 neighbours of all points.
    """
    from tesuji.bench.board import committed_path, compare_rows, read_rows, update_rows
    from tesuji.bench.callgrind import has_valgrind

    if (check or update) and not has_valgrind():
        raise UserError("instructions cannot be counted without valgrind: install it (apt-get install valgrind)")
    rows = _measure(playouts)
    _print_rows(rows, as_json=as_json)
    path = committed_path()
    if check and not _report(compare_rows(rows, read_rows(path))):
        ctx.exit(CHECK_FAILED)
    if update:
        update_rows(path, rows)
        click.echo(f"wrote {len(rows)} rows to {path.parent.name}/{path.name}", err=True)


@bench.command(
    "search",
    short_help="Speed of the search beside OpenSpiel's; threads; bytes.",
    examples=[
        ("tesuji bench search", "tables; about two minutes"),
        ("tesuji bench search --quick", "rougher, in some seconds"),
        ("tesuji bench search --json > search.json", "the same for machines"),
    ],
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds; no instruction counts.")
def bench_search(as_json: bool, quick: bool) -> None:
    """Measure the search beside OpenSpiel's, two threads beside one, its bytes, and what the tree costs.

    Everything takes turns in one run, so that a busy machine hits all alike; look at the ratios. Its columns
    need OpenSpiel (the extra openspiel) and stay empty without it.
    """
    import msgspec

    from tesuji.bench import open_spiel
    from tesuji.bench.search import QUICK, THOROUGH, measure_search, num_steps, to_text
    from tesuji.go.view.diagram import progress

    if open_spiel.version() is None:
        click.echo(f"tesuji bench search: {open_spiel.how_to_install_it()}; its columns stay empty", err=True)
    with progress("measuring searches", num_steps(), unit="runs") as report_step:
        report = measure_search(QUICK if quick else THOROUGH, on_step=report_step)
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


@bench.command(
    "games",
    short_help="Games compiled from Python beside native ones; evaluators.",
    examples=[
        ("tesuji bench games", "three ways to write Connect Four; about half a minute"),
        ("tesuji bench games --quick", "rougher, in some seconds"),
        ("tesuji bench games --json > games.json", "the same for machines"),
    ],
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds.")
def bench_games(as_json: bool, quick: bool) -> None:
    """Measure Connect Four native, compiled and in plain Python, two threads beside one, and what an evaluator costs.

    Everything takes turns in one run, so that a busy machine hits all alike; look at the ratios. Needs Numba (the
    extra compiled).
    """
    import msgspec

    from tesuji.bench.games import QUICK, THOROUGH, measure_games, num_steps, to_text
    from tesuji.go.view.diagram import progress

    try:
        with progress("measuring games", num_steps(), unit="runs") as report_step:
            report = measure_games(QUICK if quick else THOROUGH, on_step=report_step)
    except ImportError as error:
        raise UserError(str(error)) from error
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


@bench.command(
    "pgame",
    short_help="Speed of P-games searched as trees and as DAGs.",
    examples=[("tesuji bench pgame", "some seconds"), ("tesuji bench pgame --json", "the same for machines")],
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_pgame(as_json: bool) -> None:
    """Measure searches of artificial games in the modes tree and dag, in turns; look at the ratios."""
    import msgspec

    from tesuji.bench.pgame import measure_pgames, to_text

    rows = measure_pgames()
    click.echo(msgspec.json.format(msgspec.json.encode(rows)).decode() if as_json else to_text(rows))


@bench.command(
    "playouts",
    short_help="Instructions of a move of a Go playout, by policy.",
    examples=[
        ("tesuji bench playouts", "the default, base and learning policies on three boards; a quarter of an hour"),
        ("tesuji bench playouts --sizes 9 --json", "one board, for machines"),
    ],
)
@click.option("--sizes", metavar="N,...", default="9,13,19", show_default=True, help="Sizes of the empty board.")
@click.option(
    "--playouts", metavar="N", type=click.IntRange(min=1), show_default="10,000 on 9x9", help="N to 2N are counted."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_playouts(sizes: str, playouts: int | None, as_json: bool) -> None:
    """Count with valgrind what a move costs by the default policy, by the base policy and by those that learn.

    Aims: base at most 1.3 times the default, learning at most 1.5 times base.
    """
    import msgspec

    from tesuji.bench.callgrind import has_valgrind
    from tesuji.bench.playouts import COMPARED, count_playouts, to_text
    from tesuji.go.view.diagram import progress

    if not has_valgrind():
        raise UserError("instructions cannot be counted without valgrind: install it (apt-get install valgrind)")
    boards = _whole_numbers("--sizes", sizes)
    if not all(2 <= size <= 25 for size in boards):
        raise UserError(f"--sizes is '{sizes}': boards have 2 to 25 lines")
    with progress("counting instructions", len(boards) * len(COMPARED), unit="runs") as report_step:
        rows = count_playouts(boards, playouts=playouts, on_step=report_step)
    click.echo(msgspec.json.format(msgspec.json.encode(rows)).decode() if as_json else to_text(rows))


@bench.command(
    "states",
    short_help="Win/loss states beside records of wins and visits.",
    examples=[
        ("tesuji bench states", "tables of three sizes; some seconds"),
        ("tesuji bench states --json > states.json", "the same for machines"),
    ],
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds, smaller tables.")
def bench_states(as_json: bool, quick: bool) -> None:
    """Measure updates and comparisons of win/loss states and of (wins, visits) records in turns; look at the ratios.

    Needs Numba (the extra compiled).
    """
    import msgspec

    from tesuji.bench.states import QUICK, THOROUGH, measure_states, num_steps, to_text
    from tesuji.go.view.diagram import progress

    effort = QUICK if quick else THOROUGH
    try:
        with progress("measuring states", num_steps(effort), unit="runs") as report_step:
            report = measure_states(effort, on_step=report_step)
    except ImportError as error:
        raise UserError(str(error)) from error
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


@bench.command(
    "genetics",
    short_help="Speed of judging models of SNPs and of statistics, beside NumPy.",
    examples=[
        ("tesuji bench genetics", "with a file of a million SNPs, made for it (250 MB in the temporary folder)"),
        ("tesuji bench genetics --snps 50000 --json", "a smaller one, for machines"),
    ],
)
@click.option(
    "--snps", metavar="N", default=1_000_000, show_default=True, type=click.IntRange(min=1000), help="In the file."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bench_genetics(snps: int, as_json: bool) -> None:
    """Measure the classifier and the statistics of `tesuji genetics` and NumPy in turns; look at the ratios."""
    import msgspec

    from tesuji.bench.genetics import measure_genetics, to_text

    report = measure_genetics(snps=snps)
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


@bench.command(
    "engine",
    short_help="Speed of the Go engine beside others; threads; bytes.",
    examples=[
        ("tesuji bench engine", "the default on 9x9, 13x13 and 19x19; about a minute and a half"),
        ("tesuji bench engine --sizes 9 --seconds 1", "a look"),
        ("tesuji bench engine --preset uct-rave --json", "another preset, for machines"),
        ("tesuji bench engine --instructions", "instructions of a simulation; some minutes"),
    ],
)
@click.option(
    "--preset",
    metavar="NAME",
    default="default",
    show_default=True,
    shell_complete=completion.presets,
    help="How the engine thinks.",
)
@click.option("--sizes", metavar="N,...", default="9,13,19", show_default=True, help="Sizes of the empty board.")
@click.option(
    "--seconds",
    metavar="S",
    default=5.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Time for each size and number of threads.",
)
@click.option("--threads", metavar="N,...", default="1,2", show_default=True, help="Numbers of threads.")
@click.option("--instructions", is_flag=True, help="Count instructions with valgrind instead, of one thread.")
@click.option(
    "--simulations",
    metavar="N",
    type=click.IntRange(min=1),
    show_default="4,000 on 9x9, 2,000 on 13x13, else 1,000",
    help="Simulations N to 2N are counted, with --instructions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def bench_engine(
    preset: str,
    sizes: str,
    seconds: float,
    threads: str,
    instructions: bool,
    simulations: int | None,
    as_json: bool,
) -> None:
    """Measure full searches of the empty board: simulations per second, threads beside one, bytes per simulation.

    Everything takes turns, so that a busy machine hits all alike. Light playouts say how fast the machine is; by them
    the rates of Pachi, Fuego and others, measured on another day, are scaled to this one.
    """
    import msgspec

    from tesuji.bench.engine import Effort, measure_engine, num_steps, to_text
    from tesuji.go.view.diagram import progress

    if instructions:
        _count_instructions(preset, _whole_numbers("--sizes", sizes), simulations, as_json=as_json)
        return
    if simulations is not None:
        raise UserError("--simulations is how many are counted: give --instructions with it, or --seconds without")
    effort = Effort(
        preset=preset,
        sizes=_whole_numbers("--sizes", sizes),
        threads=_whole_numbers("--threads", threads),
        seconds=seconds,
    )
    with progress("measuring the engine", num_steps(effort), unit="runs") as report_step:
        report = measure_engine(effort, on_step=report_step)
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


def _count_instructions(preset: str, sizes: tuple[int, ...], simulations: int | None, *, as_json: bool) -> None:
    import msgspec

    from tesuji.bench.callgrind import has_valgrind
    from tesuji.bench.engine import Effort
    from tesuji.bench.engine_instructions import count_engine, to_text
    from tesuji.go.view.diagram import progress

    if not has_valgrind():
        raise UserError("instructions cannot be counted without valgrind: install it (apt-get install valgrind)")
    effort = Effort(preset=preset, sizes=sizes)  # checks both
    with progress("counting instructions", len(effort.sizes), unit="runs") as report_step:
        rows = count_engine(effort.preset, effort.sizes, simulations=simulations, on_step=report_step)
    click.echo(msgspec.json.format(msgspec.json.encode(rows)).decode() if as_json else to_text(rows))


def _whole_numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UserError(f"{option} is '{text}': write whole numbers with commas between them, like 9,19") from None


def _measure(playouts: int | None, **chosen: Any) -> list[BoardRow]:
    from tesuji.bench.board import measure_board, num_steps
    from tesuji.go.view.diagram import progress

    with progress("measuring playouts", num_steps(**chosen), unit="runs") as report:
        return measure_board(playouts=playouts, on_step=report, **chosen)


def _print_rows(rows: list[BoardRow], *, as_json: bool = False) -> None:
    import msgspec

    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(rows)).decode())
        return
    click.echo(f"Light playouts from the empty board, one thread ({rows[0].compiler}, {rows[0].flags})\n")
    click.echo(f"{'board':<7} {'variant':<9} {'playouts/s':>11} {'instructions/playout':>21} {'moves/playout':>14}")
    for row in rows:
        speed = f"{row.playouts_per_s:,.0f}" if row.playouts_per_s else "-"
        count = f"{row.instructions:,}" if row.instructions else "-"
        click.echo(f"{f'{row.size}x{row.size}':<7} {row.variant:<9} {speed:>11} {count:>21} {row.moves:>14.1f}")
    if rows[0].instructions is None:
        click.echo("\nInstructions are counted with valgrind, which is not installed (apt-get install valgrind).")


def _report(comparisons: list[Comparison]) -> bool:
    """Say on stderr how the rows compare with the committed ones; whether none grew too much."""
    unknown = [comparison for comparison in comparisons if comparison.committed is None]
    if unknown:
        row = unknown[0].row
        click.echo(
            f"check: no committed value for {len(unknown)} of {len(comparisons)} rows with {row.compiler} {row.flags}: "
            "nothing to compare; 'tesuji bench board --update' adds them",
            err=True,
        )
    failed = [comparison for comparison in comparisons if comparison.failed]
    for comparison in failed:
        row = comparison.row
        click.echo(
            f"check: {row.size}x{row.size} {row.variant} takes {row.instructions:,} instructions per playout, "
            f"{100 * (comparison.growth or 0):+.1f} % over the committed {comparison.committed:,} (5 % is allowed)",
            err=True,
        )
    if not failed and len(unknown) < len(comparisons):
        click.echo(f"check: {len(comparisons) - len(unknown)} rows within 5 % of the committed values", err=True)
    return not failed
