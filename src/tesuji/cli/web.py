"""``tesuji web``: the board in the browser. Words to calls; the server is in `tesuji.web`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tesuji.cli.command import WithExamples

__all__ = ["web"]


class _FileOrGame(click.Path):
    """A file that is there, or a game of your own: ``mygame.py:MyGame``."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A path, or the game's name."""
        is_game = ":" in str(value) and not Path(value).exists()
        return str(value) if is_game else super().convert(value, param, ctx)


@click.command(
    cls=WithExamples,
    short_help="Play, study and compare in the browser.",
    examples=[
        ("tesuji web", "opens the browser; a board, an opponent, your games"),
        ("tesuji web game.sgf", "study a record: analysis, variations, review"),
        ("tesuji web results.db", "watch a match or tournament while it is played"),
        ("tesuji web mygame.py:MyGame", "play a game of your own, and watch the search think about it"),
        ("tesuji web parts.csv", "pack rectangles and watch the plan improve"),
        ("tesuji web --no-browser --port 9000", "on a machine without a screen, behind ssh -L 9000:localhost:9000"),
    ],
)
@click.argument(
    "file",
    required=False,
    type=_FileOrGame(),
    metavar="[GAME.SGF|RESULTS.DB|GRAPH|PROBLEM.CSV|MYGAME.PY:MYGAME]",
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), show_default="8361, or the next that is free", help="0: any."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="~/.local/share/tesuji/web",
    help="Where games, studies and stores of matches are kept; pages reach no other folder.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    show_default="web.toml of the folder",
    help='Opponents and players of matches: [players], then lines such as gnu = "gnugo-l10".',
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Listen elsewhere than on this machine alone; browsers then need the token that is printed.",
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name by which browsers may call this server.")
@click.option("--token", metavar="TEXT", help="Of your own, instead of one that is drawn (with --host).")
@click.option(
    "--searches",
    metavar="N",
    type=click.IntRange(1, 256),
    show_default="one for each processor",
    help="How many searches run at once, for all pages together.",
)
def web(
    file: Path | str | None,
    port: int | None,
    no_browser: bool,
    folder: Path | None,
    config: Path | None,
    host: str,
    names: tuple[str, ...],
    token: str | None,
    searches: int | None,
) -> None:
    """Open the board in the browser: play, study, see a search, compare players, make pictures, pack.

    The server runs on this machine and nobody else reaches it, unless --host says so. A game, a study and a plan
    are kept after every change: end the server and start it again, and they go on where they were.
    """
    from tesuji.words import how_to_install

    try:
        from tesuji.web.serving import bind, new_token, serve, with_port
    except ImportError as error:
        raise ImportError(f"the server needs {error.name}, which is not installed: {how_to_install('web')}") from error
    import socket

    import msgspec

    from tesuji.web.opening import open_file
    from tesuji.web.settings import CONFIG_NAME, Limits, WebSettings, default_folder, is_loopback, read_players
    from tesuji.web.setups import own_games

    folder = folder or default_folder()
    if config is None and (folder / CONFIG_NAME).is_file():
        config = folder / CONFIG_NAME
    drawn = "" if is_loopback(host) and token is None else token or new_token()
    settings = WebSettings(
        folder=folder,
        host=host,
        names=(*(name.lower() for name in names), *(() if is_loopback(host) else (socket.gethostname().lower(),))),
        token=drawn,
        players={} if config is None else read_players(config),
        limits=Limits() if searches is None else Limits(searches=searches),
    )
    if isinstance(file, str):
        settings = msgspec.structs.replace(settings, own_games=own_games(file))
        file = None
    settings, place = open_file(settings, file)
    listening = bind(host, port)
    serve(
        with_port(settings, listening),
        listening,
        place=place,
        opens_browser=not no_browser,
        say=lambda words: click.echo(words, err=True),
    )
