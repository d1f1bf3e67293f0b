"""The commands that let players meet: ``match``, ``tournament``, ``report``, ``regress``.

Words to calls of `tesuji.experiments`. Progress goes to stderr, results to stdout. A match that Ctrl-C ends keeps its
games, says how to go on, and exits with 130.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, RULE_NAMES, UserError, WithExamples
from tesuji.cli.options import (
    WHAT_IS_A_PLAYER,
    condition_options,
    conditions_from,
    default_store,
    json_option,
    make_workers,
    opening_option,
    player_from,
    seed_option,
    sprt_from,
    store_option,
    worker_options,
)
from tesuji.writing import is_stream

if TYPE_CHECKING:
    from tesuji.experiments.run.match import State
    from tesuji.experiments.run.spec import MatchSpec
    from tesuji.experiments.run.workers import Workers
    from tesuji.experiments.stats.standings import Standings

__all__ = ["forgetting_empty", "match", "play_shown", "regress", "report", "say_where", "tournament", "write_json"]


sgf_option = click.option(
    "--sgf",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also leave each game as a file here.",
)


@click.command(
    cls=WithExamples,
    short_help="Let two players play; who is stronger?",
    help=f"""Let A and B play, and say how much stronger A is.

    {WHAT_IS_A_PLAYER} Write a name before it to choose what tables call it: `fast=tesuji:simulations=100`.

    Colours alternate. Every game is kept in a file at once: stop with Ctrl-C whenever you like, the same command plays
    the rest. Whatever a program does (hangs, crashes, illegal moves) costs it the game and nothing else.
    """,
    examples=[
        ("tesuji match gnugo-l1 gnugo-l10 --size 9 --games 40", "two levels of GNU Go"),
        ("tesuji match new=tesuji:exploration=0.3 old=tesuji --sprt 0,20", "play until it is clear"),
        ("tesuji match tesuji 'pachi -t =5000' --time 300 --sgf games", "any GTP program"),
        ("tesuji match tesuji:exploration=0.3 tesuji --game hex", "another game"),
    ],
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--games", metavar="N", type=click.IntRange(min=1), show_default="100", help="How many to play.")
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Play until it is clear whether A is ELO0 or ELO1 stronger; --games is then the most (20,000).",
)
@condition_options
@opening_option
@worker_options
@store_option
@sgf_option
@seed_option
@json_option
@click.pass_context
def match(
    ctx: click.Context,
    /,
    first: str,
    second: str,
    games: int | None,
    sprt: str | None,
    clock: str | None,
    threads: int,
    openings: str,
    jobs: int | None,
    pin: bool,
    cluster: str | None,
    store: Path | None,
    sgf: Path | None,
    seed: int,
    as_json: bool,
    **conditions: Any,
) -> None:
    """Run a match; the help is above."""
    from tesuji.experiments.run.spec import MatchSpec

    players = tuple(player_from(text, clock=clock, threads=threads) for text in (first, second))
    if players[0].name == players[1].name:
        raise UserError(f"both players are called {players[0].name!r}: name one, for instance b={second}")
    spec = MatchSpec(
        players=players,
        conditions=conditions_from(**conditions),
        games=games or 0,
        sprt=sprt_from(sprt) if sprt else None,
        openings=openings,
        seed=seed,
    )
    store = store or default_store(f"{players[0].name}-vs-{players[1].name}", _game_part(spec))
    with make_workers(jobs, pin, cluster, threads=max(player.num_threads for player in players)) as workers:
        ctx.exit(_play_and_print(spec, store, sgf, workers, as_json=as_json))


@click.command(
    cls=WithExamples,
    short_help="Let many players play, as a file says.",
    examples=[
        ("tesuji tournament examples/tournament.toml", "games go to tournament.db"),
        ("tesuji tournament field.toml --jobs 8 --sgf games", "eight at once, each game as a file"),
        ("tesuji tournament field.toml --cluster tcp://host:8786", "on a Dask cluster"),
    ],
)
@click.argument("spec", metavar="SPEC.TOML", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@worker_options
@store_option
@sgf_option
@json_option
@click.pass_context
def tournament(
    ctx: click.Context,
    /,
    spec: Path,
    jobs: int | None,
    pin: bool,
    cluster: str | None,
    store: Path | None,
    sgf: Path | None,
    as_json: bool,
) -> None:
    """Play the tournament that SPEC.TOML describes, and print ratings.

    The file names players, conditions, and who meets whom: everybody everybody (round-robin) or one all others
    (gauntlet). It is explained in docs/howto/match.md; examples/tournament.toml is one. Stop with Ctrl-C whenever you
    like, the same command plays the rest.
    """
    from tesuji.experiments.run.spec import read_spec

    made, file = read_spec(spec)
    store = store or Path(spec.stem + ".db")
    with (
        file.naming_lines(),
        make_workers(jobs, pin, cluster, threads=max(player.num_threads for player in made.players)) as workers,
    ):
        ctx.exit(_play_and_print(made, store, sgf, workers, as_json=as_json))


def _game_part(spec: MatchSpec) -> str:
    size = spec.conditions.size
    return (spec.conditions.game if spec.conditions.game != "go" else "") + (f"{size}x{size}" if size else "")


def say_where(what: str, store: Path) -> None:
    """Say on stderr what begins, and where its games are kept."""
    if store.exists():
        from tesuji.experiments.run.store import Store

        with Store.read(store) as before:
            there = f"{len(before):,} games are there"
    else:
        there = "new"
    click.echo(f"{what}\nstore {store} ({there}; the same command resumes)", err=True)


def play_shown(spec: MatchSpec, store: Path, sgf: Path | None, workers: Workers) -> tuple[Standings, State]:
    """Play with progress on stderr; return the standings and how it ended."""
    from tesuji.experiments.run.match import Progress, play_match
    from tesuji.experiments.run.progress import MatchDisplay

    last: list[Progress] = []
    with MatchDisplay() as display:

        def show(progress: Progress) -> None:
            last[:] = [progress]
            display(progress)

        with forgetting_empty(store):
            found = play_match(spec, store_path=store, sgf_dir=sgf, workers=workers, on_progress=show)
    if last[-1].voids:
        click.echo(f"{last[-1].voids} games came back void. The last one: {last[-1].trouble}", err=True)
    return found, last[-1].state


@contextlib.contextmanager
def forgetting_empty(store: Path) -> Iterator[None]:
    """Remove a store again that was made for something refused before its first game."""
    from tesuji.experiments.run.store import Store

    existed = store.exists()
    try:
        yield
    except (ValueError, OSError):
        with contextlib.suppress(ValueError, OSError):
            if not existed:
                with Store.read(store) as made:
                    is_empty = not len(made)
                for path in [store, *store.parent.glob(f"{store.name}-*")] if is_empty else []:
                    path.unlink()
        raise


def _play_and_print(spec: MatchSpec, store: Path, sgf: Path | None, workers: Workers, *, as_json: bool) -> int:
    from tesuji.cli.tables import conditions_line, print_standings
    from tesuji.go.view.diagram import make_console

    say_where(f"{' against '.join(spec.names)}: {conditions_line(spec.conditions)}", store)
    found, state = play_shown(spec, store, sgf, workers)
    if as_json:
        write_json(state, store, found, spec=spec)
    else:
        print_standings(make_console(), found)
        click.echo(f"A page with everything: tesuji report {store}", err=True)
    return INTERRUPTED if state == "interrupted" else 0


def write_json(state: State, store: Path, found: Any, **more: Any) -> None:
    """Print one object: how it ended, where the games are, what was asked for, and all that was found."""
    import msgspec

    whole = {"state": state, "store": str(store), **more, **msgspec.structs.asdict(found)}
    click.echo(msgspec.json.format(msgspec.json.encode(whole)).decode())


@click.command(
    cls=WithExamples,
    short_help="Make a page of stored games.",
    examples=[
        ("tesuji report results.db", "results.html and its plots"),
        ("tesuji report results.db --sgf games", "with links to the games"),
        ("tesuji report results.db --format md", "tables for a paper or an issue"),
        ("tesuji report results.db --format csv --out games.csv", "a row for each game"),
    ],
)
@click.argument("store", metavar="RESULTS.DB", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "csv", "json", "md"]),
    default="html",
    show_default=True,
    help="A page with plots, a row per game, one object, or tables.",
)
@click.option(
    "--out",
    metavar="PATH",
    type=click.Path(path_type=Path),
    show_default="html: RESULTS.html; others: stdout",
    help="A file or a folder; - is standard output.",
)
@click.option(
    "--sgf",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the games lie as files; the page links to them.",
)
def report(store: Path, form: Any, out: Path | None, sgf: Path | None) -> None:
    """Say all that RESULTS.DB knows: a page to read or to paste from, or data for other programs.

    The page is one file that needs no other: ratings with bars, cross table, openings, how games ended, time used,
    lengths, provenance. Plots lie beside it as PNG. A match may be playing meanwhile.
    """
    from tesuji.experiments.report import report_text, write_report

    is_printed = form != "html" if out is None else str(out) == "-" or is_stream(out)
    if is_printed:
        click.echo(report_text(store, form), nl=False)
        return
    written = write_report(store, out or Path(store.stem + ".html"), format=form, sgf_dir=sgf)
    for path in written:
        click.echo(path)


@click.command(
    cls=WithExamples,
    short_help="Ask an engine the questions of a regression suite.",
    examples=[
        ("tesuji regress suite.tst --engine gnugo-l10", "a file of GNU Go's suite"),
        ("tesuji regress *.tst --engine tesuji:simulations=2000 --csv out.csv", "many, into a table"),
        ("tesuji regress capture.jsonl --engine 'pachi -t =5000'", "JSON lines, any engine"),
    ],
)
@click.argument(
    "suites",
    metavar="SUITE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--engine", metavar="PLAYER", default="tesuji", show_default=True, help="Who answers; as in a match.")
@click.option(
    "--root",
    metavar="DIR",
    type=click.Path(exists=True, path_type=Path),
    show_default="the suite's",
    help="The folder or the archive of the games that loadsgf names.",
)
@click.option(
    "--csv", "csv_path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write a row per test."
)
@click.option(
    "--rules",
    default="japanese",
    show_default=True,
    type=click.Choice(RULE_NAMES),
    metavar="NAME",
    help="Where the engine starts; for records that name no rules.",
)
@click.option(
    "--allow", metavar="COMMAND", multiple=True, help="Let suites send this command too: one that you know is harmless."
)
@seed_option
@json_option
@click.pass_context
def regress(
    ctx: click.Context,
    /,
    suites: tuple[Path, ...],
    engine: str,
    root: Path | None,
    csv_path: Path | None,
    rules: str,
    allow: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:
    """Ask an engine every question of one or more suites, and count the right answers.

    A suite is a .tst file of GTP with expectations (GNU Go's form: loadsgf, reg_genmove, #? [D4|C3]), an archive of
    such files, or JSON lines. Unexpected outcomes are shown as they come; Ctrl-C keeps what is done. A suite may set
    positions up and ask about them; a command that could write a file is refused.
    """
    import msgspec

    from tesuji.cli.tables import print_whole
    from tesuji.experiments.players import parse_player
    from tesuji.experiments.suites.regress import regress as run_regression
    from tesuji.experiments.suites.regress import summary
    from tesuji.go.view.diagram import make_console

    done = run_regression(
        suites,
        parse_player(engine),
        root=root,
        csv_path=csv_path,
        rules=rules,
        seed=seed,
        allow=allow,
        console=make_console(stderr=True),
    )
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(done)).decode())
    else:
        print_whole(make_console(), summary(done))
    if not done.is_complete:
        click.echo(f"stopped after {len(done.answers)} of {done.num_tests} tests", err=True)
        ctx.exit(INTERRUPTED)
