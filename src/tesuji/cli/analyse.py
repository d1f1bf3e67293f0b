"""The command ``analyse``: every move of a recorded game judged, in a copy of the file, a chart and a table.

Words to calls, files and what is printed; the judging is in `tesuji.go.records.review`, what a file of it looks like in
`tesuji.go.records.review_sgf`, the chart in `tesuji.go.view.review_chart`.
"""

from __future__ import annotations

import contextlib
import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tesuji.cli.command import INTERRUPTED, OutFile, UserError, WithExamples
from tesuji.writing import check_writable, is_stream, write_whole

if TYPE_CHECKING:
    from types import FrameType

    from rich.console import Console
    from rich.table import Table

    from tesuji.go.records.review import Judgement, Turn
    from tesuji.go.records.review_sgf import ReviewSettings
    from tesuji.go.records.sgf import GameRecord

__all__ = ["analyse"]

DEFAULT_SIMULATIONS = 5_000
_SAVE_S = 10.0
"""What a crash may cost at most."""
_WORST, _SHOWN_LINE = 10, 6


@click.command(
    cls=WithExamples,
    short_help="Judge every move of a recorded game.",
    examples=[
        ("tesuji analyse game.sgf", "writes game-analysed.sgf beside it: open that in Sabaki"),
        ("tesuji analyse game.sgf --seconds 2 --chart game.png", "a fixed time a position, and a chart"),
        ("tesuji analyse game.sgf --from 30 --to 60", "a part of it; another run adds the rest"),
        ("tesuji analyse games.sgf.xz --game 7", "the seventh of a packed collection"),
        ("tesuji analyse game.sgf --out - > review.sgf", "the copy on standard output, the table on stderr"),
        ("tesuji analyse game.sgf --json > review.json", "for other programs"),
    ],
)
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="GAME.SGF")
@click.option(
    "--game", "number", metavar="N", type=click.IntRange(min=1), help="Which game, of a file that holds several."
)
@click.option(
    "--simulations",
    metavar="N",
    type=click.IntRange(1, 2**31 - 1),
    show_default=f"{DEFAULT_SIMULATIONS:,}, without --seconds",
    help="Simulations per position. More is surer and slower.",
)
@click.option(
    "--seconds", metavar="S", type=click.FloatRange(min=0, min_open=True), help="Seconds per position instead."
)
@click.option(
    "--out",
    metavar="FILE",
    type=OutFile(),
    show_default="GAME-analysed.sgf",
    help="The copy of the game with all comments; - is standard output.",
)
@click.option(
    "--chart",
    metavar="PNG",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw a chart (needs tesuji[plot]).",
)
@click.option("--from", "first", metavar="M", default=1, type=click.IntRange(min=1), help="The first move to judge.")
@click.option(
    "--to", "last", metavar="N", type=click.IntRange(min=1), show_default="the last", help="The last move to judge."
)
@click.option(
    "--threads", metavar="N", default=1, show_default=True, type=click.IntRange(1, 256), help="Threads of the search."
)
@click.option(
    "--seed", metavar="N", default=1, show_default=True, type=click.IntRange(0, 2**64 - 1), help="Of every search."
)
@click.option("--force", is_flag=True, help="Begin anew, and replace files that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print all judgements as JSON instead of a table.")
def analyse(
    game: Path,
    number: int | None,
    simulations: int | None,
    seconds: float | None,
    out: Path | None,
    chart: Path | None,
    first: int,
    last: int | None,
    threads: int,
    seed: int,
    force: bool,
    as_json: bool,
) -> int:
    """Judge every move of GAME.SGF: what it lost, and what was better.

    Moves that give away 5, 10 or 20 % of win rate are called inaccuracies, mistakes and blunders. A copy of the game
    gets a comment on each move and the best line as a variation; what was in the file stays. Ctrl-C keeps what is done,
    and the same command goes on from there.
    """
    if simulations is not None and seconds is not None:
        raise UserError("--simulations and --seconds both limit a position: give one of them")
    from tesuji import __version__
    from tesuji.go.records.review_sgf import ReviewSettings
    from tesuji.go.view.diagram import make_console

    settings = ReviewSettings(
        simulations=DEFAULT_SIMULATIONS if simulations is None and seconds is None else simulations,
        seconds=seconds,
        seed=seed,
        version=__version__,
    )
    out = out or _beside(game, number)
    if is_stream(out) and as_json:
        raise UserError(f"--out {out} and --json both print: leave one of them out")
    work = _Work(game, number, out, chart, settings, force=force)
    turns = work.turns_between(first, last)
    is_whole = work.judge(turns, threads)
    if as_json:
        click.echo(json.dumps(work.to_dict(), indent=2))
    else:
        work.print(make_console(stderr=is_stream(out)))
    if is_whole:
        return 0
    goes_on = "" if is_stream(out) else ", and the same command goes on from there"
    click.echo(f"Stopped; {out} holds what is done{goes_on}.", err=True)
    return INTERRUPTED


class _Work:
    """One review: its files, what is known, and what is still to be judged.

    Everything that can be wrong with files and options is found out here, before the first search.
    """

    def __init__(
        self,
        game: Path,
        number: int | None,
        out: Path,
        chart: Path | None,
        settings: ReviewSettings,
        *,
        force: bool,
    ) -> None:
        from tesuji.go.records.review_sgf import digest_of, load_single_game
        from tesuji.go.records.sgf import read_file

        data = read_file(game)
        of_many = "" if number is None else f"-{number}"
        self.out, self.chart, self.settings, self.digest = out, chart, settings, f"{digest_of(data)}{of_many}"
        try:
            self.record: GameRecord = load_single_game(data, number)
            from tesuji.go.records.review import turns_of

            self._turns = turns_of(self.record)
        except ValueError as error:
            raise UserError(f"{game}: {error}") from error
        for remark in self.record.remarks:
            click.echo(f"{game}: {remark}", err=True)
        self.judgements: dict[int, Judgement] = {}
        self._check_out(game, force)
        self._check_chart(force)

    def turns_between(self, first: int, last: int | None) -> list[Turn]:
        """The moves that were asked for."""
        num_moves = len(self._turns)
        last = num_moves if last is None else last
        if first > num_moves or last > num_moves:
            raise UserError(f"the game has {num_moves} moves: --from {first} --to {last} goes past its end")
        if first > last:
            raise UserError(f"--from {first} comes after --to {last}: exchange them")
        return self._turns[first - 1 : last]

    def judge(self, turns: list[Turn], threads: int) -> bool:
        """Judge the moves that are not yet known, and keep them; False if Ctrl-C came first."""
        from msgspec.structs import replace

        from tesuji.cli.live import LiveLine
        from tesuji.go import Engine, EngineConfig
        from tesuji.go.records.review import outlook_by, review

        waiting = [turn for turn in turns if turn.number not in self.judgements]
        config = EngineConfig(simulations=self.settings.simulations, seconds=self.settings.seconds)
        engine = Engine(replace(config, seed=self.settings.seed, search=replace(config.search, threads=threads)))
        began_s = saved_s = time.monotonic()
        num_before = len(self.judgements)
        with _interruption() as interruption, LiveLine() as line:
            look = outlook_by(engine, is_stopped=interruption.is_set)
            for done, judgement in enumerate(review(waiting, look), start=1):
                self.judgements[judgement.number] = judgement
                line.show(_progress_text(done, len(waiting), judgement.number, time.monotonic() - began_s))
                if time.monotonic() - saved_s > _SAVE_S and not is_stream(self.out):
                    self._write_sgf()
                    saved_s = time.monotonic()
        is_whole = len(self.judgements) - num_before == len(waiting)
        if waiting or is_stream(self.out):
            self._write_sgf()
        self._draw()
        return is_whole

    def to_dict(self) -> dict[str, Any]:
        """All that is known, as plain values."""
        from msgspec import to_builtins

        from tesuji.go.records.review import summarised

        record = self.record
        return {
            "black": record.black,
            "white": record.white,
            "result": record.result,
            "moves": len(record.moves),
            "settings": to_builtins(self.settings),
            "provenance": self._provenance(),
            "players": [{**to_builtins(player), "color": str(player.color)} for player in summarised(self._known())],
            "judgements": [judgement.to_dict(record.width, record.height) for judgement in self._known()],
        }

    def print(self, console: Console) -> None:
        """Print the players' balance and the worst moves."""
        from tesuji.cli.tables import print_whole
        from tesuji.go.records.review import summarised, worst_first

        known, record = self._known(), self.record
        console.print(self._title(), style="bold", markup=False)
        console.print(self._subtitle(), markup=False, soft_wrap=True)
        if known:
            console.print()
            print_whole(console, _player_table(summarised(known)))
            worst = worst_first(known, _WORST)
            console.print()
            if worst:
                print_whole(console, _worst_table(worst, record))
            else:
                console.print("No move lost 5 % of win rate or more.")
        console.print()
        console.print(
            f"{len(known)} of {len(record.moves)} moves are judged in {self.out}", markup=False, soft_wrap=True
        )
        if self.chart is not None:
            console.print(f"Chart: {self.chart}", markup=False, soft_wrap=True)

    # --- files --------------------------------------------------------------------------------------------------------

    def _check_out(self, game: Path, force: bool) -> None:
        from tesuji.go.records.review_sgf import header_of, judgements_in

        if is_stream(self.out):
            return
        if self.out.exists() and self.out.samefile(game):
            raise UserError(f"--out {self.out} is the game itself: give another file")
        check_writable(self.out)
        if force or not self.out.exists():
            return
        data = self.out.read_bytes()
        header = header_of(data)
        if header is None or header.game != self.digest:
            raise UserError(f"{self.out} exists and is not a review of this game: give another --out, or --force")
        if header.settings != self.settings:
            made = f"made with {header.settings} by Tesuji {header.settings.version}"
            raise UserError(f"{self.out} exists, {made}: give the same limits to go on with it, or --force to replace")
        self.judgements = {judgement.number: judgement for judgement in judgements_in(data)}

    def _check_chart(self, force: bool) -> None:
        if self.chart is None:
            return
        from tesuji.go.view.review_chart import check_can_draw, is_chart_of

        check_can_draw()
        check_writable(self.chart)
        if self.chart.exists() and not force and not is_chart_of(self.chart, self.digest):
            raise UserError(f"{self.chart} exists and is not a chart of this game: give another --chart, or --force")

    def _write_sgf(self) -> None:
        from tesuji.go.records.review_sgf import Header, annotated

        header = Header(game=self.digest, settings=self.settings, provenance=self._provenance())
        write_whole(self.out, annotated(self.record, self._known(), header))

    def _draw(self) -> None:
        if self.chart is None or not self.judgements:
            return
        from tesuji.go.view.review_chart import ReviewChart, save_chart

        record = self.record
        save_chart(
            self.chart,
            ReviewChart(
                judgements=self._known(),
                width=record.width,
                height=record.height,
                num_moves=len(record.moves),
                title=self._title(),
                subtitle=self._subtitle(),
                game=self.digest,
            ),
        )

    # --- words --------------------------------------------------------------------------------------------------------

    def _known(self) -> list[Judgement]:
        return [self.judgements[number] for number in sorted(self.judgements)]

    def _provenance(self) -> dict[str, Any]:
        from tesuji.provenance import collect

        return collect(seed=self.settings.seed, config=self.settings).to_dict()

    def _title(self) -> str:
        from tesuji.go.rules.vertex import printable

        names = [printable(name) or side for name, side in ((self.record.black, "Black"), (self.record.white, "White"))]
        return f"{names[0]} (Black) - {names[1]} (White)"

    def _subtitle(self) -> str:
        from tesuji.go.rules.vertex import printable

        board, record = self._turns[0].before, self.record
        parts = [f"{board.width}x{board.height}", f"komi {board.komi:g}", f"{board.rules.name} rules"]
        parts += [f"{board.handicap} handicap stones"] if board.handicap else []
        parts += [f"result {printable(record.result)}"] if record.result else []
        return "; ".join([*parts, str(self.settings)])


class _Flag:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        """Remember it."""
        self._is_set = True

    def is_set(self) -> bool:
        """Whether it was."""
        return self._is_set


@contextlib.contextmanager
def _interruption() -> Iterator[_Flag]:
    """While this lasts, the first Ctrl-C only raises the flag; a second one ends the program."""
    flag = _Flag()
    before = signal.getsignal(signal.SIGINT)

    def note(_number: int, _frame: FrameType | None) -> None:
        flag.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, before)


def _beside(game: Path, number: int | None) -> Path:
    """Where the copy goes if nobody says: beside the game, named after it."""
    name = game.name
    for ending in (".xz", ".gz", ".bz2", ".sgf"):
        name = name.removesuffix(ending)
    return game.with_name(f"{name}{'' if number is None else f'-{number}'}-analysed.sgf")


def _progress_text(done: int, total: int, number: int, spent_s: float) -> str:
    left_s = spent_s / done * (total - done)
    left = f"{left_s / 60:.0f} min" if left_s >= 90 else f"{left_s:.0f} s"
    return f"move {number}: {done} of {total} judged, about {left} left; Ctrl-C keeps what is done"


def _player_table(players: list[Any]) -> Table:
    table = _plain_table("player", "moves", "engine's choice", "inaccuracies", "mistakes", "blunders", "lost a move")
    for player in players:
        counts = (player.inaccuracies, player.mistakes, player.blunders)
        best = f"{100 * player.best_moves / player.moves:.0f} %"
        table.add_row(
            player.color.name.title(), str(player.moves), best, *map(str, counts), f"{100 * player.mean_loss:.1f} %"
        )
    return table


def _worst_table(worst: list[Judgement], record: GameRecord) -> Table:
    from rich.text import Text

    from tesuji.go.rules.vertex import to_vertex

    table = _plain_table("move", "played", "win rate", "loss", "verdict", "better")
    for column in (1, 4, 5):
        table.columns[column].justify = "left"
    for judgement in worst:
        line = " ".join(to_vertex(move, record.width, record.height) for move in judgement.line[:_SHOWN_LINE])
        table.add_row(
            str(judgement.number),
            f"{judgement.color.name.title()} {to_vertex(judgement.move, record.width, record.height)}",
            f"{100 * judgement.value_after:.0f} for {100 * judgement.value_best:.0f} %",
            f"{100 * judgement.loss:.0f} %",
            judgement.mark,
            Text(line, no_wrap=True, overflow="ellipsis"),
        )
    return table


def _plain_table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    return table
