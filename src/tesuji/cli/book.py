"""The commands ``book``: opening books, shown, built from games, merged, converted, grown by searches.

Words to calls; the work is in `tesuji.go.knowledge.book` and `tesuji.go.masters.book_building`.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tesuji.cli.command import INTERRUPTED, QuietGroup, UserError, WithExamples

if TYPE_CHECKING:
    from tesuji.go.knowledge.book import Book

__all__ = ["book"]

_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="BOOK")
_OUT = click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The book: plain text if the name ends in .txt, else packed.",
)  # fmt: skip
_SHOWN = 12


@click.group(
    cls=QuietGroup,
    short_help="Opening books: show, build, merge, convert, grow.",
    examples=[
        ("tesuji book build games.db --out fuseki.book", "positions that games came by often"),
        ("tesuji book show fuseki.book --moves 'Q16 D4'", "what it says of a position"),
        ("tesuji gtp --book fuseki.book --verbose", "the engine plays from it, and says so"),
        ("tesuji book grow mini.book --positions 50", "deeper, by searches of the engine"),
    ],
)
def book() -> None:
    """Opening books: positions with the moves made there, how often, and how games went.

    A position is found in every form: turned, mirrored, with exchanged colours.
    """


@book.command("show", cls=WithExamples, short_help="What a book says of a position.")
@_FILE
@click.option("--moves", "played", metavar="TEXT", default="", help="Moves from the empty board: 'Q16 D4'.")
def show(file: Path, played: str) -> None:
    """Draw a position and list the moves that BOOK has for it."""
    from tesuji.go import Board
    from tesuji.go.knowledge.book import read_book
    from tesuji.go.view.diagram import BoardDiagram, make_console

    opened = read_book(file)
    board = Board(opened.size)
    for word in played.replace(",", " ").split():
        board.play(word)
    console = make_console()
    console.print(f"{file}: {len(opened):,} positions on {opened.size}x{opened.size}\n", markup=False)
    console.print(BoardDiagram(board))
    moves = opened.moves(board)
    if not moves:
        console.print("\nThe book does not have this position.")
        return
    console.print("\nmove    games    won")
    for one in moves[:_SHOWN]:
        won = "" if one.winrate is None else f"{one.winrate:.1%}"
        console.print(f"{board.vertex(one.move):6} {one.games:6,} {won:>6}", markup=False)


@book.command("build", cls=WithExamples, short_help="Make a book of a database of games.")
@click.argument("database", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="DATABASE")
@_OUT
@click.option("--size", metavar="N", default=19, show_default=True, type=click.IntRange(2, 25), help="Lines.")
@click.option(
    "--depth", metavar="N", default=30, show_default=True, type=click.IntRange(1, 400), help="Moves that count."
)
@click.option(
    "--least", metavar="N", default=10, show_default=True, type=click.IntRange(1), help="Games of a position."
)
@click.option("--since", metavar="DATE", help="Only games from this date on: 1990.")
@click.option("--least-rank", metavar="RANK", help="Only games in which both have this rank: 6d, 1p.")
def build(
    database: Path, out: Path, size: int, depth: int, least: int, since: str | None, least_rank: str | None
) -> None:
    """Count the positions of the games in DATABASE, which `tesuji masters import` makes."""
    from tesuji.go.masters.book_building import build_book
    from tesuji.go.masters.database import GameDatabase
    from tesuji.go.masters.filters import GameFilter

    last = time.perf_counter()

    def tell(share: float) -> None:
        nonlocal last
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            click.echo(f"{share:.0%}", err=True)

    wanted = GameFilter(since=since, least_rank=least_rank)
    with GameDatabase(database) as games:
        made = build_book(games, size, wanted, depth=depth, least=least, on_progress=tell)
    made.write(out)
    _say(made, out)


@book.command("merge", cls=WithExamples, short_help="Several books in one.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="BOOK..."
)
@_OUT
def merge(files: tuple[Path, ...], out: Path) -> None:
    """Add up the games of several BOOKs of one board size."""
    from tesuji.go.knowledge.book import read_book

    merged = read_book(files[0])
    for file in files[1:]:
        merged = merged.merged(read_book(file))
    merged.write(out)
    _say(merged, out)


@book.command("convert", cls=WithExamples, short_help="Plain text to packed, and back.")
@_FILE
@_OUT
def convert(file: Path, out: Path) -> None:
    """Write BOOK in the form that the name of --out asks for: .txt is plain text."""
    from tesuji.go.knowledge.book import read_book

    opened = read_book(file)
    opened.write(out)
    _say(opened, out)


@book.command(
    "grow",
    cls=WithExamples,
    short_help="Deepen a book by searches.",
    examples=[("tesuji book grow mini.book --size 9 --positions 20", "makes it if it is not there")],
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="BOOK")
@click.option("--size", metavar="N", default=9, show_default=True, type=click.IntRange(2, 25), help="Of a new book.")
@click.option("--positions", metavar="N", default=10, show_default=True, type=click.IntRange(1), help="To add.")
@click.option("--depth", metavar="N", default=12, show_default=True, type=click.IntRange(1, 100), help="Moves at most.")
@click.option("--simulations", metavar="N", default=20_000, show_default=True, type=click.IntRange(1000), help="Each.")
@click.option("--threads", metavar="N", default=1, show_default=True, type=click.IntRange(1, 256), help="Of a search.")
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of the searches.")
@click.pass_context
def grow(
    ctx: click.Context, /, file: Path, size: int, positions: int, depth: int, simulations: int, threads: int, seed: int
) -> None:
    """Let the engine search the position that BOOK's moves most likely lead to next, and add what it finds.

    BOOK is written after each position. Ctrl-C loses the search that runs; the same command goes on from there.
    """
    from tesuji.go.engine import Engine
    from tesuji.go.engine.resolve import resolve
    from tesuji.go.knowledge.book import Book, BookPosition, read_book
    from tesuji.go.masters.book_building import grow_book

    made = read_book(file) if file.exists() else Book(size)
    engine = Engine(resolve("go", None, {"threads": threads, "seed": seed}))
    added = 0

    def keep(position: BookPosition) -> None:
        nonlocal added
        made.write(file)
        added += 1
        board = made.board_of(position)
        path = " ".join(board.vertex(move) for move in position.path) or "the empty board"
        found = ", ".join(f"{board.vertex(one.move)} {one.games}" for one in position.moves)
        click.echo(f"{added}/{positions} after {path}: {found}")

    try:
        grow_book(made, engine, positions=positions, depth=depth, simulations=simulations, on_grown=keep)
    except KeyboardInterrupt:
        click.echo(f"Stopped; {added} positions were added. The same command goes on.", err=True)
        ctx.exit(INTERRUPTED)
    if added < positions:
        click.echo(f"Nothing is left within {depth} moves; give a larger --depth.")
    if not len(made):
        raise UserError("nothing was added")
    _say(made, file)


def _say(made: Book, path: Path) -> None:
    click.echo(f"{path}: {len(made):,} positions on {made.size}x{made.size}, {path.stat().st_size:,} bytes")
