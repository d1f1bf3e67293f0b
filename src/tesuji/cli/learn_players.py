"""The commands ``learn opening``, ``learn player``, ``learn show`` and ``learn test``: temporal differences.

Words to calls of `tesuji.learning.td` and `tesuji.go.opening`. Progress goes to stderr: a line after each test, and the
curve at the end. Ctrl-C keeps what is learnt, and the same command goes on; exit code 130.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tesuji.cli.command import INTERRUPTED, GameName, UserError, WithExamples
from tesuji.cli.live import LiveLine
from tesuji.writing import check_writable

if TYPE_CHECKING:
    from tesuji.learning.td import Task, Training, TrainingConfig

__all__ = ["learn_opening", "learn_player", "learn_show", "learn_test"]

F = TypeVar("F", bound=Callable[..., Any])
_SAVED_EVERY_S = 30.0


def _training_options(rate: float) -> Callable[[F], F]:
    """How a player learns: the same options for every game, at a rate that suits it."""
    options = [
        click.option(
            "--games", metavar="N", default=3000, show_default=True, type=click.IntRange(min=0),
            help="Games of training in all; those of an earlier run count.",
        ),
        click.option(
            "--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), show_default="named after it",
            help="Where the player is kept; an existing one goes on learning.",
        ),
        click.option("--units", metavar="N", default=40, show_default=True, help="Units of the hidden layer."),
        click.option(
            "--rate", metavar="X", default=rate, show_default=True, help="How much a game changes: alpha of equation 2."
        ),
        click.option(
            "--lambda", "trace_decay", metavar="X", default=0.0, show_default=True,
            help="How far back a difference reaches, 0 to 1: TD(lambda).",
        ),
        click.option(
            "--test-every", metavar="N", default=50, show_default=True, help="Games of training between two tests."
        ),
        click.option(
            "--test-games", metavar="N", default=100, show_default=True,
            help="Games of a test against uniform play; 0: no tests.",
        ),
        click.option("--seed", metavar="N", default=1, show_default=True, help="Of everything random."),
    ]  # fmt: skip

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@click.command(
    "opening",
    cls=WithExamples,
    short_help="Go: learn the opening, an expert finishes the games.",
    examples=[
        ("tesuji learn opening", "all features, 3,000 games, our engine as the expert"),
        ("tesuji learn opening --features ACD --representation binary", "fewer features, shown otherwise"),
        ("tesuji learn opening --expert gnugo:8 --games 500", "GNU Go finishes, as in the paper: slow"),
        ("tesuji gtp --player opening-ABCDE-scalar-9x9-1.player --size 9", "what was learnt, playing"),
    ],
)
@click.option("--features", metavar="SET", default="ABCDE", show_default=True, help="A and any of B, C, D and E.")
@click.option(
    "--representation",
    default="scalar",
    show_default=True,
    type=click.Choice(["scalar", "binary", "combined"]),
    help="How B to E are shown: a number, five inputs, or B and E as numbers and C and D as five inputs.",
)
@click.option(
    "--expert",
    metavar="NAME",
    default="tesuji:16",
    show_default=True,
    help="Who finishes: tesuji:16 (simulations a move), playouts:100, gnugo:8 (level), or a GTP command.",
)
@click.option("--size", metavar="N", default=9, show_default=True, type=click.IntRange(2, 25), help="Of the board.")
@click.option("--moves", metavar="N", default=10, show_default=True, help="Moves a side before the expert takes over.")
@click.option("--komi", metavar="X", default=5.5, show_default=True, help="Points for White.")
@_training_options(rate=0.1)
@click.pass_context
def learn_opening(
    ctx: click.Context,
    /,
    features: str,
    representation: Any,
    expert: str,
    size: int,
    moves: int,
    komi: float,
    games: int,
    out: Path | None,
    **training: Any,
) -> None:
    """Learn the opening of Go by temporal differences.

    A small network plays some moves for both sides, an expert finishes the game, and the score teaches the network what
    its positions were worth (Huang, Connell and McQuade 2003). The file it leaves plays by itself (`tesuji gtp
    --player`), and advises the search (`tesuji gtp --opening-file`, `tesuji match`).
    """
    from tesuji.experiments.players.expert import GtpExpert, open_expert
    from tesuji.go.opening import FeatureSet, OpeningTask
    from tesuji.learning.td import TrainingConfig

    chosen = FeatureSet(letters=features.upper(), representation=representation)
    config = TrainingConfig(**training)
    with ExitStack() as stack:
        who = open_expert(expert)
        if isinstance(who, GtpExpert):
            stack.enter_context(who)
        task = OpeningTask(chosen, who, size=size, moves_per_side=moves, komi=komi)
        name = chosen.name.replace(" ", "-")
        path = out or Path(f"opening-{name}-{size}x{size}-{config.seed}.player")
        _learn(ctx, task, config, games, path, task.settings)


@click.command(
    "player",
    cls=WithExamples,
    short_help="Any game: learn it from a function that describes positions.",
    examples=[
        ("tesuji learn player hex --size 7 --features hex_features.py:stones", "see docs/howto/train-a-player.md"),
        ("tesuji learn player mygame.py:MyGame --features mygame.py:features", "a game of yours"),
    ],
)
@click.argument("game", type=GameName(), metavar="GAME")
@click.option(
    "--features", metavar="FILE.PY:NAME", required=True,
    help="A function of a game and a player that returns numbers: what it looks like to that player.",
)  # fmt: skip
@click.option("--size", metavar="N", type=click.IntRange(1, 25), show_default="the game's", help="Of the board.")
@_training_options(rate=0.3)
@click.pass_context
def learn_player(
    ctx: click.Context, /, game: str, features: str, size: int | None, games: int, out: Path | None, **training: Any
) -> None:
    """Learn GAME by temporal differences, from whole games against itself.

    You write what a position looks like, as a Python function; the network learns what that is worth. GAME is one of
    the library's, or one of yours: mygame.py:MyGame. For Go's opening there is `tesuji learn opening`.
    """
    from tesuji.learning.td import GameTask, TrainingConfig

    if game == "go":
        raise UserError("for Go there is 'tesuji learn opening', which has its own features")
    config = TrainingConfig(**training)
    task = GameTask(game, features, size)
    name = game.rpartition(":")[2].lower()
    path = out or Path(f"{name}{'' if size is None else size}-{config.seed}.player")
    _learn(ctx, task, config, games, path, {})


@click.command(
    "show",
    cls=WithExamples,
    short_help="Say what a trained player is, and draw its learning curve.",
    examples=[
        ("tesuji learn show my.player", "the curve in the terminal"),
        ("tesuji learn show a.player b.player --png curves.png", "several in one picture"),
    ],
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--png", type=click.Path(dir_okay=False, path_type=Path), help="Also write a picture (needs tesuji[plot])."
)
def learn_show(files: tuple[Path, ...], png: Path | None) -> None:
    """Say what trained players are, and draw their learning curves."""
    from tesuji.learning.td.curve import drawn_curve, save_curves
    from tesuji.learning.td.player_file import read_player

    if png is not None:
        check_writable(png)
    read = {file.name: read_player(file) for file in files}
    for name, (header, training) in read.items():
        network = training.network
        about = ", ".join(f"{key} {value}" for key, value in {**header.task, **header.settings}.items())
        click.echo(f"{name}: {about}")
        click.echo(
            f"{network.num_inputs:,} inputs, {network.num_units} units; {training.games:,} games,"
            f" {training.failures} played again, {training.cpu_s:.0f} s of processor time"
        )
        click.echo(drawn_curve(training.curve) + "\n")
    if png is not None:
        save_curves(png, {name: training.curve for name, (_, training) in read.items()})
        click.echo(f"Picture: {png}")


@click.command(
    "test",
    cls=WithExamples,
    short_help="Play a trained player against uniform play, or another.",
    examples=[
        ("tesuji learn test hex7-1.player --games 100", "against uniform play"),
        ("tesuji learn test a.player --against b.player", "two players of the same game"),
    ],
)
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--against", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    show_default="uniform play", help="Another player of the same game and size.",
)  # fmt: skip
@click.option("--games", metavar="N", default=100, show_default=True, type=click.IntRange(min=1), help="How many.")
@click.option(
    "--expert", metavar="NAME", show_default="the one it was trained with", help="Go: who finishes the games."
)
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of the games.")
def learn_test(file: Path, against: Path | None, games: int, expert: str | None, seed: int) -> None:
    """Play a trained player against uniform play, or against another, and say how often it wins.

    Each begins half of the games. Trained players make their best moves. In Go an opening each is played, and the
    expert finishes.
    """
    import numpy as np

    from tesuji.experiments.play.series import play_series
    from tesuji.experiments.stats.elo import wilson

    with LiveLine() as line:
        points = 0.0
        for number, margin in enumerate(play_series(file, against, games, expert, np.random.default_rng(seed)), 1):
            points += 0.5 + 0.5 * ((margin > 0) - (margin < 0))
            line.show(f"{number} of {games} games, {points:g} won")
    interval = wilson(points, games)
    rival = "uniform play" if against is None else against.name
    click.echo(
        f"{file.name} against {rival}: {points:g} of {games} games,"
        f" {100 * points / games:.1f} % [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
    )


def _learn(
    ctx: click.Context, task: Task, config: TrainingConfig, games: int, path: Path, settings: Mapping[str, str]
) -> None:
    """Train, or go on; save on the way, at the end and at Ctrl-C."""
    from tesuji.learning.td import save_player, train
    from tesuji.learning.td.curve import drawn_curve, small_curve

    check_writable(path)
    training = _begun(task, config, path, settings)
    click.echo(f"{task.num_inputs:,} inputs, {config.units} units; kept in {path} (the same command goes on)", err=True)
    saved_at, began_at, began_with = time.monotonic(), time.monotonic(), training.games

    def told() -> str:
        rate = (training.games - began_with) / max(time.monotonic() - began_at, 1e-9)
        small = small_curve(training.curve, is_plain=(sys.stderr.encoding or "").lower() != "utf-8")
        last = f"; tests {small}, won {100 * training.curve[-1].rate:.0f} % of the last" if training.curve else ""
        again = f"; {training.failures} played again" if training.failures else ""
        return f"{training.games:,} of {games:,} games, {60 * rate:.0f} a minute{last}{again}"

    def keep(_: Training) -> None:
        nonlocal saved_at
        line.show(told())
        if time.monotonic() - saved_at > _SAVED_EVERY_S:
            save_player(path, task, training, settings)
            saved_at = time.monotonic()

    is_stopped = False
    with LiveLine() as line:
        try:
            train(task, training, games, on_game=keep)
        except KeyboardInterrupt:
            is_stopped = True
        finally:
            save_player(path, task, training, settings)
    click.echo(drawn_curve(training.curve))
    click.echo(f"{path}: {told()}, {training.cpu_s:.0f} s of processor time")
    if is_stopped:
        click.echo(f"stopped; what is learnt is kept in {path}, the same command goes on", err=True)
        ctx.exit(INTERRUPTED)


def _begun(task: Task, config: TrainingConfig, path: Path, settings: Mapping[str, str]) -> Training:
    """The player of a file, if it was trained in the same way; else a new one."""
    from tesuji.learning.td import Training
    from tesuji.learning.td.player_file import check_player, read_player

    if not path.exists():
        return Training.begin(task, config)
    header, training = read_player(path)
    check_player(path.name, header, training, task)
    for name, here, wanted in (
        *((name, header.settings.get(name), value) for name, value in settings.items()),
        *((name, getattr(header.config, name), getattr(config, name)) for name in config.__struct_fields__),
    ):
        if here != wanted:
            raise UserError(
                f"{path.name} was trained with {name} {here}, not {wanted}: repeat its command, or give another --out"
            )
    return training
