"""The command ``tesuji``: words on the command line to calls of the library.

Each command imports what it needs when it runs, so that ``tesuji --help`` answers at once. Whatever a user can get
wrong ends as one line on stderr and exit code 2; a check that fails exits with 1; Ctrl-C is quiet and exits with 130.
The work itself is elsewhere: `tesuji.go` (demo, gtp, diagram, picture) and `tesuji.bench`.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tesuji.bench.board import BoardRow, Comparison
    from tesuji.go.board import Board

__all__ = ["main"]

GAME_NAMES = ("tictactoe", "connect4", "hex", "go")
RULE_NAMES = ("chinese", "japanese", "tromp-taylor", "aga", "new-zealand")
DEBUG = "tesuji.debug"
USER_ERROR, CHECK_FAILED, INTERRUPTED = 2, 1, 130


class UserError(click.ClickException):
    """Something the user can put right; the message says how."""

    exit_code = USER_ERROR


class WithExamples(click.Command):
    """A command whose help ends with examples: what to type, and what for."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]] = (), **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each as it is typed."""
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for command, purpose in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{command}\n")
                formatter.write(f"{'':{formatter.current_indent + 4}}{purpose}\n")


class QuietGroup(WithExamples, click.Group):
    """A group of commands whose errors are one line and whose interruption is silent."""

    command_class = WithExamples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of this file: what a newcomer wants first comes first."""
        return [name for name in self.commands if self.get_command(ctx, name)]

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and, standing alone, turn every way to end into an exit code."""
        prog_name = prog_name or "tesuji"  # however it was started
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            result = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except (click.Abort, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            click.echo(_one_line(error), err=True)
            sys.exit(USER_ERROR)
        sys.exit(result if isinstance(result, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command; an error of the user's keeps its traceback only under ``--debug``."""
        from tesuji.bench import BenchError

        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader has gone: click ends quietly
        except (ValueError, OSError, ImportError, BenchError) as error:
            if ctx.meta.get(DEBUG):
                raise
            raise UserError(_message(error)) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none of that name, suggest the nearest."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f": did you mean '{near[0]}'?" if near else f": choose from {', '.join(self.list_commands(ctx))}."
            raise click.UsageError(f"there is no command '{name}'{hint}", ctx)
        return super().resolve_command(ctx, args)


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "tesuji"
    message = " ".join(error.format_message().split())
    pointer = f" See '{path} --help'." if isinstance(error, click.UsageError) else ""
    return f"{path}: {message}{pointer}"


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from tesuji import __version__

        click.echo(f"tesuji {__version__}")
        ctx.exit()


def _keep_debug(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    ctx.meta[DEBUG] = wanted


@click.group(
    cls=QuietGroup,
    examples=[
        ("tesuji demo", "new here? begin with this: it takes half a minute"),
        ("tesuji gtp --size 9 --seconds 2", "play it: enter this as an engine in Sabaki or GoGui"),
        ("tesuji show game.sgf --move 40", "draw a position of a recorded game"),
    ],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Print the version."
)
@click.option(
    "--debug", is_flag=True, expose_value=False, callback=_keep_debug, help="Show the full traceback of an error."
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tesuji: Monte-Carlo tree search for Go, in a fast core with a Python workbench around it.

    Every command explains itself: tesuji COMMAND --help.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@main.command(
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
def demo(out: Path, seed: int, moves: int) -> None:
    """Show what Tesuji does, in well under a minute.

    It thinks about a position from a professional's 9x9 game and shows its candidate moves and who it believes will own
    each point; then it plays a short game against itself, and leaves that game as an SGF and a picture as a PNG.
    Ctrl-C stops it and keeps what is there.
    """
    from tesuji.go.demo import run_demo
    from tesuji.go.diagram import make_console

    run_demo(make_console(), out=out, seed=seed, max_moves=moves)


@main.command(
    short_help="Run the Go engine (GTP on stdin and stdout).",
    examples=[
        ("tesuji gtp --size 9 --simulations 10000", "the same strength on every machine"),
        ("tesuji gtp --seconds 5 --rules japanese --komi 6.5", "five seconds a move"),
        ("printf 'boardsize 9\\ngenmove black\\n' | tesuji gtp", "one move, from a shell"),
    ],
)
@click.option(
    "--simulations", metavar="N", type=click.IntRange(min=1), help="Simulations per move. More is stronger and slower."
)
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds per move, if that ends earlier.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    show_default="drawn afresh",
    help="Same seed and simulations, same moves.",
)
@click.option(
    "--size",
    metavar="N",
    default=19,
    show_default=True,
    type=click.IntRange(1, 25),
    help="Lines of the board at the start.",
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
def gtp(
    simulations: int | None, seconds: float | None, seed: int | None, size: int, komi: float | None, rules: str
) -> None:
    """Run the Go engine: it reads GTP commands from stdin and answers on stdout.

    Enter `tesuji gtp` as the engine's command in Sabaki or GoGui, or type to it: `boardsize 9`, `genmove black`,
    `showboard`, `list_commands`, `quit`. The options below set where it starts; the program that talks to it may change
    size, komi and rules at any time.
    """
    from tesuji import __version__
    from tesuji.go import Board, Engine, EngineConfig
    from tesuji.go.gtp import GtpServer

    config = EngineConfig(seed=seed)
    if simulations is not None or seconds is not None:
        config = EngineConfig(seed=seed, simulations=simulations, seconds=seconds)
    engine = Engine(config)
    server = GtpServer(engine, Board(size, rules=rules, komi=komi), version=__version__)
    if sys.stdin.isatty():
        click.echo("Ready for GTP: try 'genmove black', 'showboard', 'list_commands', 'quit'.", err=True)
    server.run(sys.stdin.buffer, sys.stdout.buffer)


@main.command(
    short_help="Play a game against the search in this terminal.",
    examples=[
        ("tesuji play hex", "11x11, one second a move"),
        ("tesuji play connect4 --first engine", "it begins"),
        ("tesuji play hex --size 7 --simulations 5000 --seed 1", "its moves repeat"),
        ("printf 'b2\\nquit\\n' | tesuji play tictactoe", "from a pipe"),
    ],
)
@click.argument("game", type=click.Choice(GAME_NAMES), metavar="GAME")
@click.option(
    "--size",
    metavar="N",
    type=click.IntRange(1, 25),
    show_default="hex 11, go 9",
    help="Of the board; for hex (1 to 19) and go (1 to 25).",
)
@click.option(
    "--simulations", metavar="N", type=click.IntRange(min=1), help="Simulations per move. More is stronger and slower."
)
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    show_default="1, without --simulations",
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
def play(
    game: str,
    size: int | None,
    simulations: int | None,
    seconds: float | None,
    first: str,
    seed: int | None,
    threads: int,
) -> None:
    """Play GAME (tictactoe, connect4, hex or go) against the search.

    Type a move as the edge of the board shows it: b2 at tic-tac-toe, hex and go, a column's number at connect4. Also
    hint, undo, board, quit and ? for help. After each of its moves Tesuji says what it expects, how often it looked at
    the move, and how it thinks the game goes on.
    """
    from tesuji.go.diagram import make_console
    from tesuji.play import play as play_game

    play_game(
        make_console(),
        game,  # type: ignore[arg-type]  # click.Choice has checked it
        size=size,
        simulations=simulations,
        seconds=seconds,
        human_first=first == "human",
        seed=seed,
        threads=threads,
    )


@main.command(
    short_help="Draw a position of a recorded game.",
    examples=[
        ("tesuji show game.sgf", "how the game ended"),
        ("tesuji show game.sgf --move 40 --ownership", "who stands where after move 40"),
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
@click.option("--ownership", is_flag=True, help="Shade each point by who would own it (1,000 random playouts).")
@click.option(
    "--png", type=click.Path(dir_okay=False, path_type=Path), help="Also write a picture (needs tesuji[plot])."
)
@click.option("--numbers", is_flag=True, help="Number the stones in the picture.")
def show(game: Path, number: int | None, ownership: bool, png: Path | None, numbers: bool) -> None:
    """Draw a position of a recorded game in the terminal, and as a picture if asked.

    The last move is in brackets. In a pipe the board is plain text: X is Black, O is White.
    """
    from tesuji.go import ownership as estimate
    from tesuji.go.diagram import BoardDiagram, beside_owners, make_console
    from tesuji.go.sgf import load

    try:
        record = load(game)
        board = record.replay(number)
    except ValueError as error:
        raise ValueError(f"{game}: {error}") from error
    if number is not None and number > len(record.moves):
        raise UserError(f"{game} has {len(record.moves)} moves: --move {number} is past its end")
    owners = estimate(board) if ownership else None
    console = make_console()
    heading = " - ".join(_printable(name) for name in (record.black, record.white) if name)
    played = len(record.moves) if number is None else number
    details = _position_line(board, f"{played} of {len(record.moves)}" if played else "", _printable(record.result))
    if heading:
        console.print(heading, style="bold", markup=False)
    console.print(details, markup=False)
    console.print()
    console.print(
        BoardDiagram(board) if owners is None else beside_owners(BoardDiagram(board, title="position"), owners)
    )
    if png is not None:
        from tesuji.go.picture import BoardPicture, save_png

        save_png(png, BoardPicture(board=board, title=heading, caption=details, ownership=owners, numbers=numbers))
        console.print(f"\nPicture: {png}", markup=False)


def _position_line(board: Board, move: str, result: str) -> str:
    from tesuji.go.diagram import COLOR_NAMES
    from tesuji.go.vertex import to_vertex

    last = "" if board.last_move is None else f" ({to_vertex(board.last_move, board.width, board.height)})"
    after = f"after move {move}{last}" if move else "at the start"
    to_play = f"{COLOR_NAMES[int(board.to_play)]} to play"
    parts = [f"{board.width}x{board.height}, komi {board.komi:g}", after, to_play]
    return "; ".join([*parts, f"result {result}"] if result else parts)


def _printable(text: str) -> str:
    """Return text from a file without what could steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


@main.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Measure speed; print the signature.",
    examples=[
        ("tesuji bench", "speed on 9x9, 13x13 and 19x19, and the signature"),
        ("tesuji bench --signature", "the signature alone, for a commit message"),
        ("tesuji bench board --json", "every size and variant, for machines"),
        ("tesuji bench search", "the search beside OpenSpiel's"),
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
    """Measure light playouts on 9x9, 13x13 and 19x19, in three variants of what the board keeps track of.

    "light" keeps stones, chains and the empty points; "hashed" adds Zobrist keys and 3x3 codes; "tactical" adds what a
    test for atari on demand needs.
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

    Everything takes turns in one run, so that a busy machine hits all alike; look at the ratios. OpenSpiel is needed
    for its own columns only: pip install open_spiel.
    """
    import msgspec

    from tesuji.bench import open_spiel
    from tesuji.bench.search import QUICK, THOROUGH, measure_search, num_steps, to_text
    from tesuji.go.diagram import progress

    if open_spiel.version() is None:
        click.echo(f"tesuji bench search: {open_spiel.HOW_TO_INSTALL}; its columns stay empty", err=True)
    with progress("measuring searches", num_steps(), unit="runs") as report_step:
        report = measure_search(QUICK if quick else THOROUGH, on_step=report_step)
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode() if as_json else to_text(report))


def _measure(playouts: int | None, **chosen: Any) -> list[BoardRow]:
    from tesuji.bench.board import measure_board, num_steps
    from tesuji.go.diagram import progress

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


if __name__ == "__main__":
    main()
