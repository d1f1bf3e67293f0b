"""Compares what we and GNU Go call dead on recorded games that ended by counting; prints a Markdown table.

    python bench/dead_stones.py ../shared/data/games/games_9x9.sgf.xz ../shared/data/games/kgs_6d.sgf.xz --games 150
    python bench/dead_stones.py ../shared/data/games/games_9x9.sgf.xz --games 20 --show     the boards that differ
    python bench/dead_stones.py ../shared/data/games/kgs_6d.sgf.xz --without 6    none that chose how we judge

A file holds one SGF a line, packed with xz. Of the games whose result is a number of points so many are taken, evenly
spread over the file. ``final_status_list dead`` is asked of GNU Go and of ``tesuji gtp``, both of which hear the moves
by ``play``. A game agrees if both name the same stones; a stone agrees if both call it dead, or neither does.

Records end where the players stopped, often with endgame and dead stones left, and GNU Go is no judge without error:
a difference is a judgement, not always a mistake of ours.
"""

from __future__ import annotations

import argparse
import lzma
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tesuji.experiments.players.gtp_client import GtpClient, RefusalError
from tesuji.go import JAPANESE, Board
from tesuji.go.records.sgf import load
from tesuji.provenance import collect

COUNTED = re.compile(r"RE\[[BW]\+\d+(?:\.\d+)?\]")
PATIENCE_S = 300.0


class GameRow(NamedTuple):
    """What both say about one game."""

    board: Board
    ours: frozenset[str]
    theirs: frozenset[str]
    num_stones: int


def counted_games(path: Path, number: int, without: int | None) -> list[str]:
    """So many games of a file that ended by counting, evenly spread, without those of every so-many-th line."""
    with lzma.open(path, "rt", encoding="ascii") as file:
        games = [
            line
            for index, line in enumerate(file)
            if COUNTED.search(line) and (without is None or index % without != 0)
        ]
    number = min(number, len(games))
    return [games[index * len(games) // number] for index in range(number)]


def told(client: GtpClient, board: Board) -> None:
    """Play the game of a board on a program."""
    for command in (f"boardsize {board.width}", "clear_board", f"komi {board.komi}"):
        client.ask(command, timeout_s=PATIENCE_S)
    for color, move in board.moves:
        client.ask(f"play {color} {board.vertex(move)}", timeout_s=PATIENCE_S)


def dead_by(client: GtpClient) -> frozenset[str]:
    """The stones that a program calls dead."""
    return frozenset(client.ask("final_status_list dead", timeout_s=PATIENCE_S).upper().split())


def compared(games: list[str], ours: GtpClient, theirs: GtpClient) -> Iterator[GameRow]:
    """Ask both about each game; a game that one of them refuses is left out, and said."""
    for number, game in enumerate(games, start=1):
        board = load(game.encode()).replay(rules=JAPANESE)
        try:
            for client in (ours, theirs):
                told(client, board)
            yield GameRow(board, dead_by(ours), dead_by(theirs), int((board.grid != 0).sum()))
        except RefusalError as error:
            print(f"game {number} is left out: {error}", file=sys.stderr)
        print(f"\r{number} of {len(games)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def table_row(name: str, rows: list[GameRow]) -> str:
    """One line of the table."""
    same = sum(row.ours == row.theirs for row in rows)
    with_dead = sum(bool(row.theirs) for row in rows)
    differing = sum(len(row.ours ^ row.theirs) for row in rows)
    stones = sum(row.num_stones for row in rows)
    return f"| {name} | {len(rows)} | {with_dead} | {same} | {same / len(rows):.1%} | {1 - differing / stones:.2%} |"


def shown(row: GameRow) -> str:
    """A board on which the two differ."""
    ours, theirs = (" ".join(sorted(stones)) or "nothing" for stones in (row.ours - row.theirs, row.theirs - row.ours))
    return f"only we call dead: {ours}\nonly GNU Go: {theirs}\n{row.board.to_text()}\n"


def main() -> None:
    """Compare the games of all files."""
    parser = argparse.ArgumentParser(description="Compare dead stones with GNU Go.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=150, help="of each file (default: 150)")
    parser.add_argument(
        "--without", type=int, help="leave out every so-many-th line, as bench/counting.py --every takes"
    )
    parser.add_argument("--show", action="store_true", help="also print the boards that differ")
    options = parser.parse_args()
    gnugo = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
    if gnugo is None:
        parser.error("GNU Go is not installed (Debian: apt install gnugo)")
    origin = collect(seed=1, config={"games": options.games, "without": options.without})
    print(f"commit {origin.commit}, {origin.date}, {origin.cpu}; GNU Go at its default level\n")
    print("| file | games | with dead stones | same stones | share of games | share of stones |")
    print("|---|--:|--:|--:|--:|--:|", flush=True)
    differing = []
    with (
        GtpClient([sys.executable, "-m", "tesuji.cli", "gtp", "--rules", "japanese"]) as ours,
        GtpClient([gnugo, "--mode", "gtp", "--japanese-rules", "--seed", "1"]) as theirs,
    ):
        for path in options.files:
            rows = list(compared(counted_games(path, options.games, options.without), ours, theirs))
            differing += [row for row in rows if row.ours != row.theirs]
            if rows:
                print(table_row(path.name.removesuffix(".sgf.xz"), rows), flush=True)
    if options.show:
        print("", *map(shown, differing), sep="\n")


if __name__ == "__main__":
    main()
