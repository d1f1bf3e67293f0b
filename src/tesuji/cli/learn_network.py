"""The commands ``learn network``, ``games`` and ``quantise``: recorded and own games to a network that plays.

Words to calls; the work is in `tesuji.go.network`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, UserError, WithExamples
from tesuji.words import how_to_install
from tesuji.writing import check_writable

if TYPE_CHECKING:
    from tesuji.go.masters.game import StoredGame

__all__ = ["learn_games", "learn_network", "learn_quantise"]

_RATE, _RATE_FURTHER = 3e-3, 6e-4


@click.command(
    "network",
    cls=WithExamples,
    short_help="Train a network for Go from recorded games.",
    examples=[
        ("tesuji learn network games.db --folder net --minutes 60", "an hour on whatever there is"),
        ("tesuji learn network *.sgf.xz --folder net --blocks 5 --channels 96 --middle 48", "the shape that ships"),
        (
            "tesuji learn network games.db --own own.jsonl --begin net/network.tesuji --folder more --minutes 60",
            "go on from a network, half of the steps on games of its own",
        ),
        ("tesuji gtp --network net/network.tesuji", "play with it"),
    ],
)
@click.argument("games", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="GAMES...")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), required=True, metavar="FOLDER",
              help="Where the training lives; one that is there goes on.")  # fmt: skip
@click.option("--own", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="Games of `tesuji learn games` to learn from, too; may be given several times.")  # fmt: skip
@click.option("--share", type=click.FloatRange(0, 1), default=0.5, show_default=True,
              help="Of the steps that learn from --own, where there are GAMES as well.")  # fmt: skip
@click.option("--begin", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="Begin with the weights of a network, and with its shape.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="How long, all sittings together.")
@click.option("--steps", type=click.IntRange(min=1), help="How many steps, instead of or beside --minutes.")
@click.option("--blocks", type=click.IntRange(1, 64), default=4, show_default=True, help="Residual blocks.")
@click.option("--channels", type=click.IntRange(8, 512), default=48, show_default=True, help="Channels of the trunk.")
@click.option("--middle", type=click.IntRange(0, 512), default=0, show_default=True,
              help="Channels inside a bottleneck block; 0: plain blocks.")  # fmt: skip
@click.option("--batch", type=click.IntRange(8, 65536), default=1024, show_default=True, help="Positions in a step.")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              show_default="0.003; 0.0006 with --begin", help="The highest learning rate.")  # fmt: skip
@click.option("--positions", type=click.IntRange(min=1), help="Read games until there are so many; all, if not given.")
@click.option("--report", "report_s", type=click.FloatRange(min=1), default=60.0, show_default=True,
              help="Seconds between two looks at games kept out, each with a checkpoint.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of weights and shuffling.")
def learn_network(games: tuple[Path, ...], folder: Path, **options: Any) -> None:
    """Train a network for Go: policy, chance to win, score and owners, for all sizes from 7x7 to 19x19.

    GAMES are a database made by `tesuji masters import`, or SGF files, packed ones too, and folders of them. One game
    in fifty is kept out of training, and the figures are those of these games. A GPU is used if there is one.

    Ctrl-C loses at most what was learnt since the last report: the same command goes on. In the end FOLDER holds
    network.tesuji, which plays, and curves.html.
    """
    if not games and not options["own"]:
        raise UserError("there is nothing to learn from; name recorded games, or --own FILE of `tesuji learn games`")
    if options["minutes"] is None and options["steps"] is None:
        raise UserError("a training needs an end; say --minutes 60, or --steps 10000")
    try:
        import torch  # noqa: F401 - asked for before games are read for minutes

        from tesuji.go.network.training import go_shape, train_network
        from tesuji.learning.network.trainer import TrainingConfig
    except ImportError as error:
        raise UserError(
            f"training needs PyTorch and onnx, which are not installed: {how_to_install('learn')}"
        ) from error
    from tesuji.go.network.lessons import lessons_of
    from tesuji.go.network.own_games import own_lessons
    from tesuji.learning.network.begin import weights_of

    begin: Path | None = options["begin"]
    try:
        shape = go_shape(blocks=options["blocks"], channels=options["channels"], middle=options["middle"])
        if begin is not None:
            shape = weights_of(begin)[0]
        config = TrainingConfig(
            steps=options["steps"],
            seconds=None if options["minutes"] is None else 60 * options["minutes"],
            rate=options["rate"] or (_RATE if begin is None else _RATE_FURTHER),
            report_s=options["report_s"],
            seed=options["seed"],
        )
        lessons = lessons_of(_stored_games(games), max_positions=options["positions"], on_game=_say_games)
        click.echo(f"\r{lessons.num_games:,} games, {lessons.num_passed_over:,} passed over", err=True)
        path = train_network(
            lessons,
            folder,
            shape,
            config,
            batch_size=options["batch"],
            own=own_lessons(options["own"]),
            share=options["share"],
            begin=begin,
            on_report=_say_report,
        )
    except ValueError as error:
        raise UserError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"\nstopped; the same command goes on from {folder}'s last checkpoint", err=True)
        raise SystemExit(INTERRUPTED) from None
    click.echo(f"{path}\n{path.with_name('curves.html')}")


@click.command(
    "games",
    cls=WithExamples,
    short_help="Let the engine play itself, for a network to learn from.",
    examples=[
        ("tesuji learn games own.jsonl --games 2000", "9x9, 100 simulations a move, with the network that ships"),
        ("tesuji learn games own13.jsonl --size 13 --network net/network.tesuji", "another board, another network"),
        ("tesuji learn games own.jsonl --games 20000 --cluster tcp://host:8786", "on a Dask cluster"),
        (
            "tesuji learn network games.db --own own.jsonl --begin net/network.tesuji --folder more --minutes 60",
            "learn",
        ),
    ],
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N",
              help="How many, all sittings together.")  # fmt: skip
@click.option("--size", type=click.IntRange(7, 19), default=9, show_default=True, metavar="N", help="Of the board.")
@click.option("--simulations", type=click.IntRange(min=2), default=100, show_default=True, metavar="N", help="A move.")
@click.option("--drawn", type=click.IntRange(min=0), show_default="as many as the board has lines", metavar="N",
              help="First moves that are drawn by their visits.")  # fmt: skip
@click.option("--network", default="shipped", show_default=True, metavar="FILE",
              help="Who plays: the network of a file, or `none` for the engine without.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N", help="Of all games.")
@click.option("--jobs", type=click.IntRange(min=1), show_default="as many as cores", metavar="N",
              help="Games at once on this machine.")  # fmt: skip
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster instead: tcp://host:8786.")
def learn_games(file: Path, games: int, size: int, simulations: int, drawn: int | None, network: str, seed: int,
                jobs: int | None, cluster: str | None) -> None:  # fmt: skip
    """Let the engine play itself on small boards, where masters hardly play, and keep what its searches found.

    FILE gets a line for each game: the visits of every search, the result, who owned what. Ctrl-C loses only the games
    that are being played: the same command goes on. `tesuji learn network --own FILE` learns from it.
    """
    from tesuji.cli.options import make_workers
    from tesuji.go.knowledge.network import SHIPPED_NAMES, GoNetwork
    from tesuji.go.network.own_games import OwnGame, OwnGamesFile, OwnGameTask, play_own_game

    check_writable(file)
    plays = None if network == "none" else network if network in SHIPPED_NAMES else str(Path(network).resolve())
    task = OwnGameTask(size=size, simulations=simulations, drawn_moves=size if drawn is None else drawn, network=plays,
                       seed=seed)  # fmt: skip
    try:
        if plays is not None:
            GoNetwork.load(plays)  # refused here, before anybody plays
        there = OwnGamesFile(file, task)
    except ValueError as error:
        raise UserError(str(error)) from error

    def keep(_task: OwnGameTask, game: OwnGame) -> None:
        there.add(game)
        click.echo(f"\r{len(there.games):,} of {games:,} games", nl=False, err=True)

    try:
        with make_workers(jobs, False, cluster) as workers:
            workers.run(play_own_game, there.missing(games), on_result=keep)
    except KeyboardInterrupt:
        click.echo(f"\nstopped; {len(there.games):,} games are in {file}, the same command goes on", err=True)
        raise SystemExit(INTERRUPTED) from None
    wins = sum(game.winner == 0 for game in there.games)
    length = sum(len(game.moves) for game in there.games) / max(1, len(there.games))
    click.echo(f"\r{len(there.games):,} games in {file}: Black won {wins:,}, {length:.0f} moves on average")


@click.command(
    "quantise",
    cls=WithExamples,
    short_help="Write a network in int8, which is faster on most processors of today.",
    examples=[
        ("tesuji learn quantise net/network.tesuji games.db --to net/int8.tesuji", "with figures of both"),
        ("tesuji gtp --network net/int8.tesuji", "play with it"),
    ],
)
@click.argument("network", metavar="NETWORK")
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="GAMES...")
@click.option("--to", "target", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE",
              help="Where it is written.")  # fmt: skip
@click.option("--positions", type=click.IntRange(min=16), default=256, show_default=True, metavar="N",
              help="Of each board size, to set the ranges of the numbers by.")  # fmt: skip
@click.option("--judged", type=click.IntRange(min=1), default=4000, show_default=True, metavar="N",
              help="Of each board size, from games kept out of training, to judge by.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of which are taken.")
def learn_quantise(network: str, games: tuple[Path, ...], target: Path, positions: int, judged: int,
                   seed: int) -> None:  # fmt: skip
    """Write NETWORK in int8: a third of the bytes, and twice the speed or more on processors that multiply bytes.

    NETWORK is a file of `tesuji learn network`, or `shipped`. GAMES are those that it learnt from: a database made by
    `tesuji masters import`, or SGF files. Processors with VNNI (x86) or the dot product (ARM) run the file; on others
    stay with float32.
    """
    check_writable(target)
    try:
        from tesuji.go.network.quantising import quantise_network
    except ImportError as error:
        raise UserError(
            f"quantising needs onnx and onnxruntime, which are not installed: {how_to_install('learn')}"
        ) from error
    try:
        figures = quantise_network(network, target, _stored_games(games), positions=positions, judged=judged, seed=seed)
    except ValueError as error:
        raise UserError(str(error)) from error
    for size, both in figures.items():
        for arithmetic, found in zip(("float32", "int8"), both, strict=True):
            click.echo(
                f"{size} {arithmetic:>7}  top-1 {100 * found.top1:.1f} %  top-5 {100 * found.top5:.1f} %  "
                f"winner {100 * found.winner:.1f} %  of {found.positions:,} positions"
            )
    click.echo(f"{target}, {target.stat().st_size:,} bytes")


def _stored_games(paths: tuple[Path, ...]) -> Iterator[StoredGame]:
    from tesuji.go.masters.database import GameDatabase
    from tesuji.go.masters.importing import ImportReport, read_stored_games

    for path in paths:
        if path.is_file() and _is_database(path):
            with GameDatabase(path) as database:
                yield from database.games()
        else:
            yield from read_stored_games([path], ImportReport())


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16).startswith(b"SQLite format 3")


def _say_games(num_games: int, num_positions: int) -> None:
    if num_games % 200 == 0:
        click.echo(f"\r{num_games:,} games, {num_positions:,} positions", nl=False, err=True)


def _say_report(line: dict[str, Any]) -> None:
    said = [f"step {line['step']:,}", f"{line['seconds'] / 60:.1f} min", f"{100 * line['progress']:.0f} %"]
    if "policy" in line["loss"]:
        said.append(f"loss {line['loss']['policy']:.3f}")
    for name, held in line["held_out"].items():
        said.append(f"{name}: top-1 {100 * held.get('top1', 0):.1f} %, winner {100 * held.get('winner', 0):.1f} %")
    click.echo("  ".join(said))
