"""The commands that vary a player's parameters: ``tune`` and ``sweep``.

Words to calls of `tesuji.experiments`. Progress goes to stderr, results to stdout; what Ctrl-C ends has kept its games,
says how to go on, and exits with 130.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, WithExamples
from tesuji.cli.laboratory import forgetting_empty, play_shown, say_where, write_json
from tesuji.cli.options import (
    condition_options,
    conditions_from,
    default_store,
    equipped,
    json_option,
    make_workers,
    opening_option,
    player_from,
    seed_option,
    store_option,
    worker_options,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tesuji.experiments.run.match import State
    from tesuji.experiments.run.workers import Workers
    from tesuji.experiments.stats.standings import Standings
    from tesuji.experiments.tuning.tune import TuneProgress, TuneResult
    from tesuji.experiments.tuning.tune_spec import TuneSpec

__all__ = ["sweep", "tune"]


@click.command(
    cls=WithExamples,
    short_help="Search for the best parameters of a player.",
    examples=[
        ("tesuji tune examples/tune.toml", "games go to tune.db"),
        ("tesuji tune my.toml --jobs 8 --json", "one object with everything"),
        ("tesuji tune my.toml --cluster tcp://host:8786", "on a Dask cluster"),
    ],
)
@click.argument("spec", metavar="SPEC.TOML", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@worker_options
@store_option
@click.option("--plots/--no-plots", default=True, show_default=True, help="Draw the response curves beside the store.")
@json_option
@click.pass_context
def tune(
    ctx: click.Context,
    /,
    spec: Path,
    jobs: int | None,
    pin: bool,
    cluster: str | None,
    store: Path | None,
    plots: bool,
    as_json: bool,
) -> None:
    """Tune the parameters that SPEC.TOML names by playing games, then verify what was found.

    Values are chosen by CLOP or by a sampler of Optuna. Told is the posterior mean of the optimum with its interval,
    not the luckiest value. A match of the tuned values against those of the start then says what it was worth. Stop
    with Ctrl-C whenever you like, the same command goes on. docs/howto/tune.md explains the file; examples/tune.toml
    is one.
    """
    from tesuji.experiments.tuning.tune_spec import read_tune_spec

    made, file = read_tune_spec(spec)
    store = store or Path(spec.stem + ".db")
    threads = max(player.num_threads for player in made.match(made.games).players)
    with file.naming_lines(), make_workers(jobs, pin, cluster, threads=threads) as workers:
        found, state = _search(made, store, workers)
        if found is None:
            ctx.exit(INTERRUPTED)
        verified: Standings | None = None
        if state == "finished":
            verified, state = _verify(made, found, store, workers)
    pictures = _draw(made, found, store) if plots else []
    if as_json:
        write_json(state, store, found, verification=verified, plots=[str(path) for path in pictures])
    else:
        _print(made, found, verified, pictures)
    ctx.exit(INTERRUPTED if state == "interrupted" else 0)


def _search(spec: TuneSpec, store: Path, workers: Workers) -> tuple[TuneResult | None, State]:
    from tesuji.cli.live import LiveLine
    from tesuji.cli.tables import conditions_line
    from tesuji.experiments.tuning.tune import tune as run_tuning

    names = ", ".join(parameter.name for parameter in spec.parameters)
    rivals = ", ".join(opponent.name for opponent in spec.opponents)
    say_where(f"tuning {names} by {spec.method} against {rivals}: {conditions_line(spec.conditions)}", store)
    states: list[State] = ["finished"]
    with LiveLine() as line:

        def show(progress: TuneProgress) -> None:
            states.append(progress.state)
            line.show(_progress_line(progress))

        with forgetting_empty(store):
            found = run_tuning(spec, store_path=store, workers=workers, on_progress=show)
    return found, states[-1]


def _progress_line(progress: TuneProgress) -> str:
    from tesuji.cli.tables import optimum_text
    from tesuji.experiments.stats.figures import duration, percent

    parts = [f"{progress.games:,} of {progress.total:,} games, {percent(progress.rate)}"]
    if progress.optimum:
        parts += [optimum_text(parameter) for parameter in progress.optimum.parameters]
    if progress.voids:
        parts.append(f"{progress.voids} void")
    if progress.state == "interrupted":
        parts.append("stopped; the same command goes on")
    elif progress.left_s is not None:
        parts.append(f"{duration(progress.left_s)} left")
    return ", ".join(parts)


def _verify(spec: TuneSpec, found: TuneResult, store: Path, workers: Workers) -> tuple[Standings | None, State]:
    from tesuji.experiments.tuning.tune import verification_path

    if not spec.verify or found.values == found.start:
        return None, "finished"
    path = verification_path(store, found.games)
    say_where(f"verifying: {spec.verify:,} games of the tuned against the start values", path)
    return play_shown(spec.verification(found.values), path, None, workers)


def _draw(spec: TuneSpec, found: TuneResult, store: Path) -> list[Path]:
    from tesuji.experiments.tuning.tune import save_response_plots

    try:
        return save_response_plots(spec, found, store.with_suffix(""))
    except ImportError as error:
        click.echo(f"no response curves: {error}", err=True)
        return []


def _print(spec: TuneSpec, found: TuneResult, verified: Standings | None, pictures: list[Path]) -> None:
    from tesuji.cli.tables import print_tuning
    from tesuji.go.view.diagram import make_console

    console = make_console()
    print_tuning(console, found)
    _print_verification(console, found, verified)
    tuned = spec.player.fill(found.values, name="tuned")
    if tuned.kind == "gtp":
        commands = "".join(f"; then {command}" for command in tuned.setup)
        console.print(f"The tuned player: {tuned.command}{commands}", markup=False, soft_wrap=True)
    else:
        settings = ",".join(f"{name}={value}" for name, value in tuned.settings.items())
        console.print(f"The tuned player: tesuji:{settings}", markup=False, soft_wrap=True)
    if pictures:
        console.print(f"Response curves: {', '.join(map(str, pictures))}", markup=False, soft_wrap=True)


def _print_verification(console: Console, found: TuneResult, verified: Standings | None) -> None:
    from tesuji.experiments.tuning.tune import verdict

    if verified and verified.games:
        text = f"Verification: {verified.headline}: {verdict(verified)}."
    elif found.values == found.start:
        text = "Verification: the optimum is where the start was; there is nothing to verify."
    else:
        text = "Verification: not played yet."
    console.print(text, markup=False, soft_wrap=True)


@click.command(
    cls=WithExamples,
    short_help="Play at several values of one parameter.",
    examples=[
        ("tesuji sweep tesuji:simulations=200 exploration=0:2:5 gnugo-l1", "five values from 0 to 2"),
        ("tesuji sweep tesuji simulations=100:6400:7:log gnugo-l10 --games 200", "equal factors"),
        ("tesuji sweep 'pachi -t =5000 dynkomi={d}' d=none,linear gnugo-l10", "words, any program"),
    ],
)
@click.argument("player", metavar="PLAYER")
@click.argument("grid", metavar="NAME=VALUES")
@click.argument("opponent", metavar="OPPONENT")
@click.option("--games", metavar="N", default=100, show_default=True, type=click.IntRange(min=1), help="At each value.")
@condition_options
@opening_option
@worker_options
@store_option
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    show_default="beside the store",
    help="Where to draw the curve: PNG, SVG or PDF.",
)
@seed_option
@json_option
@click.pass_context
def sweep(
    ctx: click.Context,
    /,
    player: str,
    grid: str,
    opponent: str,
    games: int,
    clock: str | None,
    threads: int,
    openings: str,
    jobs: int | None,
    pin: bool,
    cluster: str | None,
    store: Path | None,
    plot: Path | None,
    seed: int,
    as_json: bool,
    **conditions: Any,
) -> None:
    """Let PLAYER meet OPPONENT at each value of a parameter; print and draw the scores with intervals.

    PLAYER and OPPONENT are as in `tesuji match`. The value goes where {NAME} stands in PLAYER, or becomes a setting of
    a tesuji player. VALUES are words or numbers with commas between them, or LOW:HIGH:COUNT for equal steps, or
    LOW:HIGH:COUNT:log for equal factors.
    """
    import msgspec

    from tesuji.cli.tables import conditions_line
    from tesuji.experiments.tuning.parameters import PlayerTemplate, parse_grid
    from tesuji.experiments.tuning.sweep import sweep_rows, sweep_spec

    name, values = parse_grid(grid)
    rival = player_from(opponent, clock=clock, threads=threads)
    spec = sweep_spec(
        PlayerTemplate(player=player),
        name,
        values,
        rival,
        games=games,
        conditions=conditions_from(**conditions),
        openings=openings,
        seed=seed,
    )
    players = tuple(equipped(one, clock=clock, threads=threads) for one in spec.players)
    spec = msgspec.structs.replace(spec, players=players)
    store = store or default_store("sweep", player, name, "vs", rival.name)
    say_where(f"{name} at {len(values)} values against {rival.name}: {conditions_line(spec.conditions)}", store)
    with make_workers(jobs, pin, cluster, threads=max(one.num_threads for one in spec.players)) as workers:
        found, state = play_shown(spec, store, None, workers)
    rows = sweep_rows(name, values, found)
    picture = _draw_sweep(plot or store.with_suffix(".png"), rows, name, f"{player} against {rival.name}")
    if as_json:
        write_json(state, store, found, parameter=name, rows=rows, plot=picture and str(picture))
    else:
        _print_sweep(name, rows, picture)
    ctx.exit(INTERRUPTED if state == "interrupted" else 0)


def _draw_sweep(path: Path, rows: Any, name: str, title: str) -> Path | None:
    from tesuji.experiments.tuning.sweep import save_sweep_plot

    try:
        return save_sweep_plot(path, rows, parameter=name, title=title)
    except ImportError as error:
        click.echo(f"no plot: {error}", err=True)
        return None


def _print_sweep(name: str, rows: Any, picture: Path | None) -> None:
    from tesuji.cli.tables import print_sweep
    from tesuji.go.view.diagram import make_console

    print_sweep(make_console(), name, rows)
    if picture:
        click.echo(f"plot: {picture}", err=True)
