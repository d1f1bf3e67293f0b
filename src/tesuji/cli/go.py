"""The commands that play and show games: ``demo``, ``gtp``, ``play``, ``show``.

Words to calls; what they do is in `tesuji.go` and `tesuji.play`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli import completion
from tesuji.cli.command import INTERRUPTED, RULE_NAMES, GameName, UserError, WithExamples
from tesuji.cli.games import brain_for, refuse_go_options
from tesuji.cli.parameters import WithParameters, configured, parameter_table
from tesuji.writing import check_writable, is_stream

if TYPE_CHECKING:
    from tesuji.go.rules.board import Board
    from tesuji.gtp.game import Brain
    from tesuji.gtp.server import Server
from tesuji.words import GAME_NAMES

__all__ = ["demo", "gtp", "play", "show"]


@click.command(
    cls=WithExamples,
    short_help="Watch Tesuji think about a position, then play itself.",
    examples=[
        ("tesuji demo", "leaves its game and a picture in the current directory"),
        ("tesuji demo --seed 7 --out /tmp", "another game, left somewhere else"),
    ],
)
@click.option(
    "--out", default=".", show_default="the current directory",
    type=click.Path(file_okay=False, path_type=Path), help="Where to leave tesuji-demo.sgf and tesuji-demo.png.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Another seed, another game."
)
@click.option(
    "--moves",
    metavar="N",
    default=100,
    show_default=True,
    type=click.IntRange(min=0),
    help="Stop its game after this many moves.",
)
@click.pass_context
def demo(ctx: click.Context, /, out: Path, seed: int, moves: int) -> None:
    """Show what Tesuji does, in well under a minute.

    It thinks about a position from a professional's 9x9 game and shows its candidate moves and who it believes will own
    each point; then it plays a short game against itself, and leaves that game as an SGF and a picture as a PNG.
    Ctrl-C stops it and keeps what is there.
    """
    from tesuji.go.view.demo import run_demo
    from tesuji.go.view.diagram import make_console

    if not run_demo(make_console(), out=out, seed=seed, max_moves=moves):
        ctx.exit(INTERRUPTED)


@click.command(
    cls=WithParameters,
    short_help="Run the Go engine, or another game's (GTP on stdin and stdout).",
    examples=[
        ("tesuji gtp --size 9 --simulations 10000", "the same effort on every machine"),
        ("tesuji gtp --seconds 5 --rules japanese --komi 6.5", "five seconds a move"),
        ("tesuji gtp --preset uct-rave --simulations 30000 --threads 2", "light playouts, no knowledge"),
        ("tesuji gtp --show-config > engine.toml", "all parameters, to change and read again"),
        ("tesuji gtp --config engine.toml --ponders true", "as the file says, and in your time"),
        ("tesuji gtp --size 9 --player my.player", "an opening that was learnt: see tesuji learn"),
        ("tesuji gtp --verbose", "a line on stderr for each of its moves: why"),
        ("tesuji gtp --game othello --seconds 2", "another game, for GoGui's rules menu"),
        ("printf 'boardsize 9\\ngenmove black\\n' | tesuji gtp", "one move, from a shell"),
    ],
)
@click.option(
    "--game",
    default="go",
    show_default=True,
    type=GameName(),
    metavar="NAME",
    help=f"What is played: {', '.join(GAME_NAMES)}, or a game of yours: mygame.py:MyGame.",
)
@click.option(
    "--size",
    metavar="N",
    type=click.IntRange(1, 25),
    show_default="go 19; others as in tesuji play",
    help="Lines of the board at the start, or cells of a side.",
)
@click.option("--komi", metavar="X", type=float, show_default="the rules' own", help="Points for White, in halves.")
@click.option(
    "--rules",
    default="chinese",
    show_default=True,
    type=click.Choice(RULE_NAMES),
    metavar="NAME",
    help=f"How to count, and which ko: {', '.join(RULE_NAMES)}.",
)
@click.option(
    "--preset",
    metavar="NAME",
    shell_complete=completion.presets,
    show_default="network where onnxruntime is installed, else default",
    help="How it thinks: default, fast, network, human (as people play), uct, uct-rave, uct-rave-knowledge, base to "
    "james-group-no-man (groups).",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Parameters from a TOML file, as --show-config prints it.",
)
@click.option(
    "--player",
    "player_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Let a player that `tesuji learn opening` has made play the opening; the engine plays on.",
)
@click.option("--verbose", is_flag=True, help="Say on stderr, in a line for each of its moves, why it was played.")
@click.option("--live-graphics", is_flag=True, help="Let GoGui draw what it thinks while it thinks (on stderr).")
@click.option("--show-config", is_flag=True, help="Print all parameters as a TOML file, and end.")
@click.option("--help-parameters", is_flag=True, help="List every parameter, and end; each is an option.")
def gtp(
    game: str,
    size: int | None,
    komi: float | None,
    rules: str,
    preset: str | None,
    config_file: Path | None,
    player_file: Path | None,
    verbose: bool,
    live_graphics: bool,
    show_config: bool,
    help_parameters: bool,
    **parameters: str | None,
) -> None:
    """Run the Go engine: it reads GTP commands from stdin and answers on stdout.

    Enter `tesuji gtp` as the engine's command in Sabaki or GoGui, or type to it: `boardsize 9`, `genmove black`,
    `showboard`, `list_commands`, `quit`. The options below set where it starts; the program that talks to it may change
    size, komi and rules at any time, and the parameters with `param`.

    With --game it plays another game, for which GoGui has a menu of rules; then the options of Go are not there.
    """
    from tesuji import __version__

    if game != "go":
        refuse_go_options(game)
        _serve_game(game, size, brain_for(game, preset, parameters))
        return
    from tesuji.go import Board, Engine
    from tesuji.go.engine.config_file import written
    from tesuji.go.gtp import GtpServer

    if player_file is not None:
        parameters = {**parameters, "opening_file": str(player_file), "opening_plays": "true"}
    config = configured(preset, config_file, parameters)
    if help_parameters:
        click.echo(parameter_table(config))
        return
    if show_config:
        click.echo(written(config), nl=False)
        return
    server = GtpServer(
        Engine(config),
        Board(19 if size is None else size, rules=rules, komi=komi),
        version=__version__,
        is_verbose=verbose,
        has_live_graphics=live_graphics,
    )
    _run(server)


def _serve_game(game: str, size: int | None, brain: Brain) -> None:
    """Run a game that is not Go."""
    from tesuji import __version__
    from tesuji.gtp.game import GameSession
    from tesuji.gtp.games import game_server

    _run(game_server(GameSession(game, size, brain, version=__version__)))


def _run(server: Server[Any]) -> None:
    if sys.stdin.isatty():
        click.echo("Ready for GTP: try 'genmove black', 'showboard', 'list_commands', 'quit'.", err=True)
    server.run(sys.stdin.buffer, sys.stdout.buffer)


@click.command(
    cls=WithExamples,
    short_help="Play a game against the search in this terminal.",
    examples=[
        ("tesuji play hex", "11x11, one second a move"),
        ("tesuji play connect4 --first engine", "it begins"),
        ("tesuji play go --size 19 --handicap 4 --level strong", "the engine gives you four stones"),
        ("tesuji play go --save mygame.sgf", "the game as a file, written after each move"),
        ("tesuji play hex --size 7 --simulations 5000 --seed 1", "its moves repeat"),
        ("printf 'b2\\nquit\\n' | tesuji play tictactoe", "from a pipe"),
    ],
)
@click.argument("game", type=GameName(), metavar="GAME")
@click.option(
    "--size",
    metavar="N",
    type=click.IntRange(1, 25),
    show_default="go 9, gomoku 15, hex 11, y 11, havannah 8",
    help="Lines of the board: go 1 to 25, gomoku 5 to 19, hex 1 to 19; or cells a side: y 1 to 19, havannah 4 to 10.",
)
@click.option("--komi", metavar="X", type=float, show_default="7.5, with handicap 0.5", help="Go: points for White.")
@click.option(
    "--handicap", metavar="N", type=click.IntRange(2, 9), help="Go: Black, which is you, begins with so many stones."
)
@click.option(
    "--level",
    metavar="NAME",
    shell_complete=completion.levels,
    help="How strong, as in tesuji web: beginner, novice, casual, club, advanced, strong or full, or 1 to 7. "
    "A weak one thinks briefly and does not always take its best move; strong and full play Go with the network.",
)
@click.option(
    "--simulations", metavar="N", type=click.IntRange(min=1), help="Simulations per move. More is stronger and slower."
)
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    show_default="1, without --simulations and --level",
    help="Seconds per move, if that ends earlier.",
)
@click.option(
    "--first",
    default="human",
    show_default=True,
    type=click.Choice(["human", "engine"]),
    help="Who moves first.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    show_default="drawn afresh",
    help="Same seed, simulations and moves of yours, same game.",
)
@click.option(
    "--threads", metavar="N", default=1, show_default=True, type=click.IntRange(1, 256), help="Threads of the search."
)
@click.option(
    "--save",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the game there, written after each move: SGF at go, a list of moves at other games.",
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def play(
    game: str,
    size: int | None,
    komi: float | None,
    handicap: int | None,
    level: str | None,
    simulations: int | None,
    seconds: float | None,
    first: str,
    seed: int | None,
    threads: int,
    save: Path | None,
    force: bool,
) -> None:
    """Play GAME against the search: go, tictactoe, connect4, othello, breakthrough, gomoku, hex, y or havannah.

    At go you play the engine of tesuji gtp, at other games the search. Type a move as the edge of the board shows it:
    b2 at most games, a column's number at connect4, d2d3 at breakthrough. Also hint, undo, board, save, resign, quit
    and ? for help. After each of its moves Tesuji says what it expects, how often it looked at the move, and how it
    thinks the game goes on.
    """
    if level is not None and simulations is not None:
        raise UserError("--level and --simulations both say how strong it is: give one of them")
    if save is not None:
        check_writable(save)
        if save.exists() and not force and not is_stream(save):
            raise UserError(f"{save} exists: give another --save, or --force to replace it")
    from tesuji.go.view.diagram import make_console
    from tesuji.play import play as play_game

    play_game(
        make_console(),
        game,
        size=size,
        komi=komi,
        handicap=handicap or 0,
        level=level,
        simulations=simulations,
        seconds=seconds,
        human_first=first == "human",
        seed=seed,
        threads=threads,
        save=save,
    )


@click.command(
    cls=WithExamples,
    short_help="Draw a position of a recorded game.",
    examples=[
        ("tesuji show game.sgf", "how the game ended"),
        ("tesuji show game.sgf --move 40 --ownership", "who stands where after move 40"),
        ("tesuji show games.sgf.xz --game 7", "the seventh of a packed collection"),
        ("tesuji show game.sgf --png game.png --numbers", "a picture with numbered stones"),
    ],
)
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="GAME.SGF")
@click.option(
    "--move",
    "number",
    metavar="N",
    type=click.IntRange(min=0),
    show_default="the last",
    help="The position after this move.",
)
@click.option(
    "--game",
    "which",
    metavar="N",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Which game, of a file that holds several.",
)
@click.option("--ownership", is_flag=True, help="Shade each point by who would own it (1,000 random playouts).")
@click.option(
    "--png", type=click.Path(dir_okay=False, path_type=Path), help="Also write a picture (needs tesuji[plot])."
)
@click.option("--numbers", is_flag=True, help="Number the stones in the picture.")
def show(game: Path, number: int | None, which: int, ownership: bool, png: Path | None, numbers: bool) -> None:
    """Draw a position of a recorded game in the terminal, and as a picture if asked.

    The last move is in brackets. In a pipe the board is plain text: X is Black, O is White.
    """
    from tesuji.go import ownership as estimate
    from tesuji.go.records.sgf import choose_game
    from tesuji.go.rules.vertex import printable
    from tesuji.go.view.diagram import BoardDiagram, beside_owners, make_console

    try:
        chosen = choose_game(game, which)
        record = chosen.record
        remarks = list(record.remarks)
        board = record.replay(number, on_remark=remarks.append)
    except ValueError as error:
        raise ValueError(f"{game}: {error}") from error
    for remark in remarks:
        click.echo(f"{game}: {remark}", err=True)
    if number is not None and number > len(record.moves):
        raise UserError(f"{game} has {len(record.moves)} moves: --move {number} is past its end")
    owners = estimate(board) if ownership else None
    console = make_console()
    heading = " - ".join(printable(name) for name in (record.black, record.white) if name)
    played = len(record.moves) if number is None else number
    details = _position_line(board, f"{played} of {len(record.moves)}" if played else "", printable(record.result))
    if heading:
        console.print(heading, style="bold", markup=False)
    if chosen.count > 1:
        many = f"more than {chosen.count:,}" if chosen.has_more else f"{chosen.count:,}"
        console.print(f"game {which} of {many}; --game N shows another", markup=False)
    console.print(details, markup=False)
    console.print()
    console.print(
        BoardDiagram(board) if owners is None else beside_owners(BoardDiagram(board, title="position"), owners)
    )
    if png is not None:
        from tesuji.go.view.picture import BoardPicture, save_png

        save_png(png, BoardPicture(board=board, title=heading, caption=details, ownership=owners, numbers=numbers))
        console.print(f"\nPicture: {png}", markup=False)


def _position_line(board: Board, move: str, result: str) -> str:
    from tesuji.go.rules.vertex import to_vertex
    from tesuji.go.view.diagram import COLOR_NAMES

    last = "" if board.last_move is None else f" ({to_vertex(board.last_move, board.width, board.height)})"
    after = f"after move {move}{last}" if move else "at the start"
    to_play = f"{COLOR_NAMES[int(board.color_to_play)]} to play"
    parts = [f"{board.width}x{board.height}, komi {board.komi:g}", after, to_play]
    return "; ".join([*parts, f"result {result}"] if result else parts)
