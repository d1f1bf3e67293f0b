"""The commands ``masters``: a database of recorded games, searched, counted, exported.

Words to calls; the work is in `tesuji.go.masters`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, QuietGroup, UserError, WithExamples
from tesuji.cli.early_end import EarlyEnd

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.go.masters.database import GameDatabase
    from tesuji.go.masters.filters import GameFilter
    from tesuji.go.masters.game import GameInfo
    from tesuji.go.masters.positions import PositionMatches
    from tesuji.go.masters.shapes import PatternMatches
    from tesuji.go.rules.board import Board

__all__ = ["masters"]

_DATABASE = click.argument("database", type=click.Path(dir_okay=False, path_type=Path), metavar="DATABASE")
_SHOWN_REASONS = 10


@click.group(
    cls=QuietGroup,
    short_help="Search recorded games; make knowledge of them.",
    examples=[
        ("tesuji masters import games.db collection/ more.zip", "SGF files into a database"),
        ("tesuji masters stats games.db", "what is in it"),
        ("tesuji masters search games.db --moves 'Q16 D4 Q3'", "how did they go on?"),
        ("tesuji masters search games.db --pattern shape.txt", "a local pattern, anywhere, either colour"),
        ("tesuji masters export games.db --player Cho --out cho.sgf", "games as one SGF collection"),
    ],
)
def masters() -> None:
    """Games of strong players in one file: searched by position and by pattern, counted, exported.

    A position or a pattern is found whichever way the board was turned and whoever had which colour.
    """


def _filtered(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which games are meant."""
    options = [
        click.option("--size", metavar="N", type=click.IntRange(1, 25), help="Only boards of this size."),
        click.option("--player", metavar="TEXT", help="Only games of a player whose name contains this."),
        click.option("--black", metavar="TEXT", help="Likewise, of Black."),
        click.option("--white", metavar="TEXT", help="Likewise, of White."),
        click.option("--event", metavar="TEXT", help="Only events whose name contains this."),
        click.option("--game-rules", "rules", metavar="TEXT", help="Only rules whose name contains this."),
        click.option("--winner", type=click.Choice(["black", "white"]), help="Only games that this side won."),
        click.option("--least-rank", metavar="RANK", help="Only games in which both have this rank: 6d, 1p."),
        click.option("--most-handicap", metavar="N", type=click.IntRange(min=0), help="Only so few stones; 0: even."),
        click.option("--since", metavar="DATE", help="Only games from this date on: 1990, 2001-05."),
        click.option("--until", metavar="DATE", help="Only games up to this date."),
        click.option("--least-time-s", metavar="S", type=float, help="Only games with so much time for each."),
        click.option("--least-moves", metavar="N", type=click.IntRange(min=0), help="Only games of so many moves."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _wanted(options: dict[str, Any]) -> GameFilter:
    from tesuji.go.masters.filters import GameFilter

    return GameFilter(**{name: options[name] for name in GameFilter.__struct_fields__})


def _opened(path: Path, *, create: bool = False) -> GameDatabase:
    from tesuji.go.masters.database import GameDatabase

    return GameDatabase(path, create=create)


@masters.command(
    "import",
    cls=WithExamples,
    short_help="Add SGF files to a database.",
    examples=[
        ("tesuji masters import games.db collection/", "all SGF files of a folder and below"),
        ("tesuji masters import games.db pro.sgf.xz archive.tar.gz more.zip", "collections and archives"),
    ],
)
@_DATABASE
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--quiet", is_flag=True, help="Do not list what was passed over.")
@click.pass_context
def import_(ctx: click.Context, /, database: Path, paths: tuple[Path, ...], quiet: bool) -> None:
    """Add the games of FILEs to DATABASE, which is made if it is not there.

    FILEs are SGF files, .xz, .gz or .bz2 of those, .zip and .tar archives, and folders. A file or a game that cannot be
    read is named and passed over. A game that is there already, turned or with exchanged colours too, is not added
    again. Ctrl-C keeps what was added; the same command again adds the rest.
    """
    from tesuji.go.masters.importing import ImportReport, import_games

    began_s, processor_s = time.perf_counter(), time.process_time()
    last = began_s
    report = ImportReport()

    def tell(so_far: ImportReport) -> None:
        nonlocal last, report
        report = so_far
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            click.echo(f"{so_far.added:,} games added, {so_far.same:,} known, {so_far.bad:,} passed over", err=True)

    with _opened(database, create=True) as games:
        try:
            report = import_games(games, paths, on_progress=tell)
        except KeyboardInterrupt:
            click.echo(f"Stopped; {report.added:,} games were added. The same command adds the rest.", err=True)
            ctx.exit(INTERRUPTED)
        seconds = time.process_time() - processor_s
        if not quiet:
            for reason in report.reasons[:_SHOWN_REASONS]:
                click.echo(reason, err=True)
            if report.bad > _SHOWN_REASONS:
                click.echo(f"... and {report.bad - _SHOWN_REASONS:,} more were passed over", err=True)
        click.echo(
            f"{report.added:,} games added, {report.same:,} known already, {report.bad:,} passed over,"
            f" from {report.files:,} files in {time.perf_counter() - began_s:.1f} s"
            f" ({(report.added + report.same) / max(seconds, 1e-9):,.0f} games a second of processor time)."
        )
        click.echo(f"{database} has {len(games):,} games.")
    if report.added + report.same == 0 and report.bad > 0:
        raise UserError("no game could be read; see above")


@masters.command("stats", cls=WithExamples, short_help="What is in a database.")
@_DATABASE
@_filtered
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def stats(database: Path, as_json: bool, **options: Any) -> None:
    """Count the games of DATABASE: by size, result, length, year, player."""
    from tesuji.go.masters.summary import summarised

    with _opened(database) as games:
        found = summarised(games, _wanted(options))
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
        return
    click.echo(found.text())


@masters.command(
    "search",
    cls=WithExamples,
    short_help="Find a position or a pattern.",
    examples=[
        ("tesuji masters search games.db --moves 'Q16 D4 Q3'", "the position after these moves"),
        ("tesuji masters search games.db --sgf game.sgf --move 20", "a position of a game"),
        ("tesuji masters search games.db --pattern shape.txt --since 2000", "a local pattern"),
    ],
)
@_DATABASE
@click.option("--moves", "played", metavar="TEXT", help="Moves from the empty board, Black first: 'Q16 D4'.")
@click.option("--sgf", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A position of this game.")
@click.option("--move", "number", metavar="N", type=click.IntRange(min=0), help="After this move of it; else its end.")
@click.option(
    "--pattern",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    help="A picture of X O . with # off the board and ? for anything; - reads it from stdin.",
)
@click.option("--same-colors", is_flag=True, help="Of a pattern: X is Black.")
@click.option(
    "--games", "shown", metavar="N", default=5, show_default=True, type=click.IntRange(min=0), help="To list."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@_filtered
def search(
    database: Path,
    played: str | None,
    sgf: Path | None,
    number: int | None,
    pattern: Path | None,
    same_colors: bool,
    shown: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the games of DATABASE that came by a position, or in which a local pattern appears.

    Says how they went on, how often, and how the side that moved fared.
    """
    if sum(way is not None for way in (played, sgf, pattern)) != 1:
        raise UserError("say what to look for: one of --moves, --sgf and --pattern")
    with _opened(database) as games:
        if pattern is not None:
            _search_pattern(games, pattern, not same_colors, _wanted(options), shown, as_json)
            return
        board = _board(played, sgf, number, options["size"] or 19)
        from tesuji.go.masters.positions import find_position

        wanted = _wanted({**options, "size": None})
        found = find_position(games, board, wanted)
        if as_json:
            click.echo(json.dumps(_position_json(board, found)))
            return
        _show_position(games, board, found, shown)


def _board(played: str | None, sgf: Path | None, number: int | None, size: int) -> Board:
    from tesuji.go import Board
    from tesuji.go.records.sgf import load

    if sgf is not None:
        return load(sgf).replay(number)
    board = Board(size)
    for word in (played or "").replace(",", " ").split():
        board.play(word)
    return board


def _position_json(board: Board, found: PositionMatches) -> dict[str, object]:
    return {
        "games": len(found.games),
        "ended": found.ended,
        "continuations": [
            {"move": board.vertex(one.move), "games": one.games, "wins": one.wins, "losses": one.losses}
            for one in found.continuations
        ],
        "ids": found.games.tolist(),
    }


def _show_position(games: GameDatabase, board: Board, found: PositionMatches, shown: int) -> None:
    from tesuji.go.view.diagram import BoardDiagram, make_console

    console = make_console()
    console.print(BoardDiagram(board))
    console.print(f"\n{len(found.games):,} games of {len(games):,} came by this position.", markup=False)
    if found.continuations:
        table = _table("move", "games", "share", "won", "last")
        total = sum(one.games for one in found.continuations)
        for one in found.continuations[:15]:
            won = "" if one.winrate is None else f"{one.winrate:.1%}"
            last = games.info(one.example).date[:4]
            table.add_row(board.vertex(one.move), f"{one.games:,}", f"{one.games / total:.1%}", won, last)
        console.print(table)
    _list_games(console, games, list(zip(found.games.tolist(), found.numbers.tolist(), strict=True)), shown)


def _list_games(console: Any, games: GameDatabase, places: list[tuple[int, int]], shown: int) -> None:
    if not places or not shown:
        return
    dated = sorted(((games.info(game), game, number) for game, number in places[-2000:]), key=lambda one: one[0].date)
    console.print()
    for info, game, number in dated[-shown:][::-1]:
        console.print(f"game {game}, after move {number}: {_described(info)}", markup=False)


def _described(info: GameInfo) -> str:
    from tesuji.go.rules.vertex import printable

    players = " - ".join(
        f"{name or '?'} {rank}".strip() for name, rank in ((info.black, info.black_rank), (info.white, info.white_rank))
    )
    return printable(", ".join(part for part in (players, info.date, info.event, info.result) if part))


def _search_pattern(
    games: GameDatabase, path: Path, exchanges: bool, wanted: GameFilter, shown: int, as_json: bool
) -> None:
    from tesuji.go.masters.shapes import find_pattern, pattern_from_text
    from tesuji.go.view.diagram import make_console

    with click.open_file(str(path), encoding="utf-8") as file:
        pattern = pattern_from_text(file.read())
    last = time.perf_counter()

    def tell(searched: int) -> None:
        nonlocal last
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            click.echo(f"{searched:,} games looked at", err=True)

    found = find_pattern(games, pattern, wanted, exchanges_colors=exchanges, on_progress=tell)
    if as_json:
        click.echo(json.dumps(_pattern_json(found)))
        return
    console = make_console()
    console.print(f"{len(found.matches):,} of {found.searched:,} games have it.", markup=False)
    replies = found.replies()
    if replies:
        console.print("\nThe next move, where it was inside the picture (row and column from its upper left):")
        table = _table("row", "column", "by", "games")
        for (row, column, sign), count in replies[:15]:
            table.add_row(str(row + 1), str(column + 1), sign, f"{count:,}")
        console.print(table)
    _list_games(console, games, [(match.game, match.number) for match in found.matches], shown)


def _pattern_json(found: PatternMatches) -> dict[str, object]:
    return {
        "searched": found.searched,
        "games": len(found.matches),
        "replies": [
            {"row": row, "column": column, "by": sign, "games": count} for (row, column, sign), count in found.replies()
        ],
        "matches": [{"id": match.game, "move": match.number} for match in found.matches],
    }


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position == 0 else "right", no_wrap=True)
    return table


@masters.command("export", cls=WithExamples, short_help="Write games as SGF.")
@_DATABASE
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="One SGF collection.")
@click.option("--id", "ids", multiple=True, type=click.IntRange(min=1), metavar="N", help="This game; may be repeated.")
@_filtered
def export(database: Path, out: Path, ids: tuple[int, ...], **options: Any) -> None:
    """Write the games of DATABASE that meet the filters as one SGF collection."""
    from tesuji.go.masters.game import game_sgf

    with _opened(database) as games:
        chosen = games.ids(_wanted(options)).tolist() if not ids else list(ids)
        if not chosen:
            raise UserError("no game meets these conditions; leave some out")
        with out.open("wb") as file:
            for game in chosen:
                file.write(game_sgf(games.game(game)) + b"\n")
    click.echo(f"{len(chosen):,} games written to {out}.")


@masters.command(
    "fit",
    cls=WithExamples,
    short_help="Fit urgencies of moves to games.",
    examples=[
        ("tesuji masters fit games.db --out urgency.bin", "a table for the engine, and how well it predicts"),
        ("tesuji gtp --prior-urgency urgency.bin", "the engine with that table"),
    ],
)
@_DATABASE
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="The table."
)
@click.option("--games", metavar="N", type=click.IntRange(min=1), help="At most so many games.", show_default="all")
@click.option("--counted", metavar="P", default=1.0, show_default=True, help="Of the games, to count features in.")
@click.option("--least", metavar="N", default=10, show_default=True, help="A feature that fewer moves had is none.")
@click.option("--share", metavar="P", default=0.1, show_default=True, help="Of the positions of a game that teach.")
@click.option("--rounds", metavar="N", default=1, show_default=True, help="How often the games teach.")
@click.option("--rate", metavar="X", default=0.15, show_default=True, help="Step of a feature never seen before.")
@click.option("--judged", metavar="P", default=0.05, show_default=True, help="Of the positions kept out, to judge by.")
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of what is drawn.")
@click.option("--curve", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also a picture (PNG).")
@_filtered
@click.pass_context
def fit(
    ctx: click.Context, /, database: Path, out: Path, games: int | None, curve: Path | None, **options: Any
) -> None:
    """Fit how urgent moves look to the games of DATABASE, and write a table that the engine takes as priors.

    One game in ten is kept out; the rates are of its moves. Ctrl-C ends learning, and what was learnt is written.
    """
    from tesuji.go.masters.fitting import FitSettings, fit_urgency, lines_of
    from tesuji.go.masters.prediction import curve_picture, curve_text

    settings = FitSettings(
        games=games,
        **{name: options[name] for name in ("counted", "least", "share", "rounds", "rate", "judged", "seed")},
    )
    size = options["size"] or 19
    with _opened(database) as opened:
        lines, kept_out = lines_of(opened, size, _wanted(options), most=games, seed=settings.seed)
    stops = EarlyEnd()
    with stops:
        table, prediction = fit_urgency(lines, kept_out, size, settings, on_progress=stops.told)
    table.write(out)
    click.echo(curve_text(prediction))
    click.echo(
        f"{out}: {table.head.entries:,} features of {table.head.games:,} games, {out.stat().st_size / 1e6:.1f} MB"
    )
    if curve is not None:
        curve_picture(prediction, curve)
        click.echo(f"Picture: {curve}")
    if stops.was_asked:
        ctx.exit(INTERRUPTED)


@masters.command(
    "judge",
    cls=WithExamples,
    short_help="How well the engine's priors predict games.",
    examples=[
        ("tesuji masters judge games.db", "as the engine is"),
        ("tesuji masters judge games.db --prior-urgency urgency.bin", "with a table of urgencies"),
    ],
)
@_DATABASE
@click.option(
    "--prior-urgency", metavar="FILE", default="standard", show_default=True, help="A table of urgencies, or off."
)
@click.option("--judged-again", metavar="N", default=1000, show_default=True, help="Moves that the table judges.")
@click.option("--positions", metavar="N", default=5000, show_default=True, type=click.IntRange(1), help="To judge.")
@click.option("--curve", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also a picture (PNG).")
@_filtered
def judge(
    database: Path, prior_urgency: str, judged_again: int, positions: int, curve: Path | None, **options: Any
) -> None:
    """Say how often the move that was played is among those that the engine's priors like best.

    One position of each of the games that `fit` keeps out. A move as strong as others counts as the last of them.
    """
    from tesuji.go.knowledge.priors import PriorWeights
    from tesuji.go.masters.fitting import lines_of
    from tesuji.go.masters.prediction import curve_picture, curve_text, judged_by_priors

    size = options["size"] or 19
    with _opened(database) as opened:
        _, kept_out = lines_of(opened, size, _wanted(options))
    if not len(kept_out):
        raise UserError("no game is kept out; import more games")
    stops = EarlyEnd()
    weights = PriorWeights(urgency=prior_urgency, judged_again=judged_again)
    found = judged_by_priors(kept_out, size, weights, positions, on_progress=stops.judging)
    click.echo(curve_text(found))
    if curve is not None:
        curve_picture(found, curve)
        click.echo(f"Picture: {curve}")


@masters.command(
    "joseki",
    cls=WithExamples,
    short_help="Count corner and side patterns, and their territory.",
    examples=[
        ("tesuji masters joseki games.db --out joseki.npz", "patterns with continuations and final owners"),
        ("tesuji masters joseki games.db --out joseki.npz --games 2000 --pictures top", "and pictures of the best"),
    ],
)
@_DATABASE
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="The patterns."
)
@click.option("--games", metavar="N", type=click.IntRange(min=1), help="At most so many games.", show_default="all")
@click.option("--moves", "num_moves", metavar="N", default=62, show_default=True, help="Of each game that count.")
@click.option("--least", metavar="N", default=6, show_default=True, help="A pattern seen less often is left out.")
@click.option("--playouts", metavar="N", default=32, show_default=True, help="To say who owns what at a game's end.")
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of what is drawn.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also pictures of the twenty best of each region (PNG).",
)
@_filtered
def joseki(database: Path, out: Path, pictures: Path | None, **options: Any) -> None:
    """Count the patterns of corners and sides in the openings of DATABASE: how games went on, and who owned them.

    Games are played out from their last position to find the owners. The territory of a pattern is in points of its
    region, less the standard error of its mean.
    """
    from tesuji.go.masters.joseki import JosekiSettings, build_joseki
    from tesuji.go.masters.joseki_view import best_text, save_best
    from tesuji.go.masters.regions import REGIONS

    settings = JosekiSettings(**{name: options[name] for name in ("games", "num_moves", "least", "playouts", "seed")})
    stops = EarlyEnd()
    with _opened(database) as opened:
        found = build_joseki(opened, settings, _wanted(options), on_progress=stops.judging)
    found.write(out)
    for region in REGIONS:
        click.echo(best_text(found, region.name))
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            click.echo(f"Picture: {save_best(found, region.name, pictures / f'{region.name}.png')}")
    click.echo(f"{out}: {len(found):,} patterns of {found.games:,} games, {out.stat().st_size / 1e6:.1f} MB")


@masters.command(
    "territory",
    cls=WithExamples,
    short_help="What is known of the corners and sides of a position.",
    examples=[("tesuji masters territory joseki.npz --moves 'Q16 D4 Q3 D16'", "territory and continuations")],
)
@click.argument("patterns", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--moves", default="", metavar="'Q16 D4 ...'", help="The moves that lead to the position.")
def territory(patterns: Path, moves: str) -> None:
    """Look at a 19x19 position with the patterns of FILE, as `joseki` wrote it."""
    from tesuji.go import Board
    from tesuji.go.masters.joseki import read_joseki
    from tesuji.go.masters.joseki_view import known_text

    table = read_joseki(patterns)
    board = Board(19)
    for move in moves.split():
        board.play(move)
    click.echo(known_text(table, board))


@masters.command(
    "m-eval",
    cls=WithExamples,
    short_help="Make the file of M-eval.",
    examples=[
        ("tesuji masters m-eval games.db joseki.npz --out m-eval.npz", "from games and their patterns"),
        ("tesuji gtp --m-eval m-eval.npz", "the engine with it"),
    ],
)
@_DATABASE
@click.argument("joseki", type=click.Path(dir_okay=False, path_type=Path), metavar="JOSEKI")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="The file.")
@click.option("--games", metavar="N", type=click.IntRange(min=8), help="At most so many games.", show_default="all")
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of what is drawn.")
@_filtered
def m_eval(database: Path, joseki: Path, out: Path, games: int | None, seed: int, **options: Any) -> None:
    """Learn how openings are judged from the games of DATABASE and the patterns of JOSEKI, as `joseki` wrote them.

    Two positions of each game on 19x19 are measured by eight qualities, which are factorised into two numbers; needs
    scikit-learn. What is printed is how much each quality, in standard deviations, counts for the two.
    """
    from tesuji.go.knowledge.m_eval import MEVAL_QUALITIES
    from tesuji.go.masters.joseki import read_joseki
    from tesuji.go.masters.m_eval_building import build_m_eval
    from tesuji.go.view.diagram import make_console

    table, stops = read_joseki(joseki), EarlyEnd()
    with _opened(database) as opened:
        found = build_m_eval(opened, table, _wanted(options), most=games, seed=seed, on_progress=stops.judging)
    found.file.write(out)
    shown = _table("quality", "l1", "l2")
    for name, row in zip(MEVAL_QUALITIES, found.weights.tolist(), strict=True):
        shown.add_row(name, *(f"{weight:+.3f}" for weight in row))
    make_console().print(shown)
    click.echo(
        f"{out}: {len(found.file.keys):,} patterns of {found.file.games:,} games, encoder of"
        f" {found.file.positions:,} positions, {out.stat().st_size / 1e6:.1f} MB"
    )


@masters.command(
    "compare",
    cls=WithExamples,
    short_help="Two sets of games, by the qualities of their openings.",
    examples=[("tesuji masters compare pro.db amateurs.db", "do professionals play otherwise?")],
)
@click.argument("first", type=click.Path(dir_okay=False, path_type=Path), metavar="A")
@click.argument("second", type=click.Path(dir_okay=False, path_type=Path), metavar="B")
@click.option("--games", metavar="N", default=2000, show_default=True, type=click.IntRange(2), help="Of each, at most.")
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of what is drawn.")
@_filtered
def compare(first: Path, second: Path, games: int, seed: int, **options: Any) -> None:
    """Compare the databases A and B on 19x19: two positions of each game between moves 16 and 62, both players added.

    Differences are in standard deviations of a game, with 95 % intervals; the last line is about all at once.
    """
    from tesuji.go.masters.comparison import compared, qualities_of_games
    from tesuji.go.view.diagram import make_console

    measured = []
    for path in (first, second):
        stops = EarlyEnd()
        with _opened(path) as opened:
            measured.append(
                qualities_of_games(opened, _wanted(options), most=games, seed=seed, on_progress=stops.judging)
            )
    found = compared(*measured)
    table = _table("quality", "A", "B", "difference", "95 %")
    for one in found.qualities:
        interval = f"{one.low:+.3f} to {one.high:+.3f}"
        table.add_row(one.name, f"{one.means[0]:.2f}", f"{one.means[1]:.2f}", f"{one.difference:+.3f}", interval)
    console = make_console()
    console.print(f"{found.games[0]:,} games of {first}, {found.games[1]:,} of {second}", markup=False)
    console.print(table)
    numerator, denominator = found.freedom
    console.print(f"all together: F({numerator}, {denominator:,}) = {found.f:.2f}, p = {found.p:.2g}", markup=False)
