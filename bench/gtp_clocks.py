"""Plays 9x9 games of the engine against itself on short clocks, over GTP; prints losses on time and time made use of.

    python bench/gtp_clocks.py --games 100                    three kinds of clock, 100 games each
    python bench/gtp_clocks.py --games 4 --clock fischer      a quick look at one of them

Two processes of ``tesuji gtp`` are told the time before each move, as controllers do, and their clocks are kept here: a
move takes what passes between the command and its reply, and a clock that goes below zero is a loss on time, with
nothing added for delays. The useful time of a player in a game is the main time, and what overtime gives to each move
that was made in it: period by move (byo-yomi), period by stones (Canadian), increment by move (Fischer). Moves that
need no thought (a pass that wins) and games that end early leave some of it unused.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import NamedTuple

from tesuji.experiments.players.gtp_client import GtpClient
from tesuji.go import Board
from tesuji.go.engine.clock import ByoYomi, Canadian, Clock, Fischer
from tesuji.provenance import collect

SIZE, MOST_MOVES = 9, 200
COLORS = ("black", "white")
PATIENCE_S = 60.0


class Setting(NamedTuple):
    """A clock: how GTP says it, how it stands at the start, and how much of it is useful."""

    command: str
    clock: Clock
    main_s: float
    overtime_s: float  # for a move that is made in overtime


SETTINGS = {
    "byo-yomi 3 + 0.5": Setting("kata-time_settings byoyomi 3 0.5 1", ByoYomi(3.0, 0.5, 1), 3.0, 0.5),
    "canadian 5 in 2": Setting("time_settings 0 2 5", Canadian(2.0, 2.0, 5, 5), 0.0, 0.4),
    "fischer 2 + 0.2": Setting("kata-time_settings fischer 2 0.2", Fischer(2.0, 0.2), 2.0, 0.2),
}


class Side:
    """One player: its program, and its clock as the controller keeps it."""

    def __init__(self, client: GtpClient, color: str, setting: Setting) -> None:
        self.client, self.color, self.setting = client, color, setting
        self.clock = setting.clock
        self.spent_s = 0.0
        self.overtime_moves = 0

    def genmove(self) -> str:
        """Tell the time and ask for a move; the clock runs meanwhile."""
        left_s, count = told(self.clock)
        self.client.ask(f"time_left {self.color} {left_s:.3f} {count}", timeout_s=PATIENCE_S)
        self.overtime_moves += count > 0 or isinstance(self.clock, Fischer)
        began_s = time.perf_counter()
        move = self.client.ask(f"genmove {self.color}", timeout_s=PATIENCE_S)
        spent_s = time.perf_counter() - began_s
        self.spent_s += spent_s
        self.clock = self.clock.after(spent_s)
        return move

    @property
    def useful_s(self) -> float:
        """What the clock offered to the moves that were made."""
        return self.setting.main_s + self.overtime_moves * self.setting.overtime_s


class GameRow(NamedTuple):
    """What came of one game."""

    moves: int
    losses: int
    shares: tuple[float, ...]  # of the useful time, by player


def told(clock: Clock) -> tuple[float, int]:
    """Seconds and stones or periods, as ``time_left`` has them."""
    if isinstance(clock, ByoYomi):
        return clock.left_s, clock.periods_left
    if isinstance(clock, Canadian):
        return clock.left_s, clock.stones_left
    assert isinstance(clock, Fischer)
    return clock.left_s, 0


def played(clients: list[GtpClient], setting: Setting) -> GameRow:
    """One game, ended by two passes, a resignation, a clock or its length."""
    board = Board(SIZE)
    sides = [Side(client, color, setting) for client, color in zip(clients, COLORS, strict=True)]
    for client in clients:
        for command in (f"boardsize {SIZE}", "clear_board", f"komi {board.komi}", setting.command):
            client.ask(command, timeout_s=PATIENCE_S)
    while not board.is_over and board.num_moves < MOST_MOVES:
        mover, other = sides[board.num_moves % 2], sides[(board.num_moves + 1) % 2]
        move = mover.genmove()
        if mover.clock.is_lost or move.lower() == "resign":
            break
        board.play(move)
        other.client.ask(f"play {mover.color} {move}", timeout_s=PATIENCE_S)
    shares = tuple(side.spent_s / side.useful_s for side in sides if side.useful_s)
    return GameRow(board.num_moves, sum(side.clock.is_lost for side in sides), shares)


def table_row(name: str, rows: list[GameRow]) -> str:
    """One line of the table."""
    shares = [share for row in rows for share in row.shares]
    used = f"{statistics.mean(shares):.1%} | {min(shares):.1%}"
    return f"| {name} | {len(rows)} | {sum(row.moves for row in rows)} | {sum(row.losses for row in rows)} | {used} |"


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description="Play 9x9 games on short clocks, over GTP.")
    parser.add_argument("--games", type=int, default=100, help="with each clock (default: 100)")
    parser.add_argument("--clock", default="", help="only clocks whose name contains this")
    parser.add_argument("--threads", type=int, default=1, help="of each player (default: 1)")
    options = parser.parse_args()
    chosen = {name: setting for name, setting in SETTINGS.items() if options.clock in name}
    if not chosen:
        parser.error(f"--clock is {options.clock!r}; choose a part of one of: {', '.join(SETTINGS)}")
    config = {"games": options.games, "threads": options.threads, "size": SIZE}
    origin = collect(seed=None, config=config)
    print(f"commit {origin.commit}, {origin.date}, {origin.cpu}, {options.threads} thread(s) a player\n")
    print("| clock | games | moves | losses on time | useful time used, mean | lowest of a player and game |")
    print("|---|--:|--:|--:|--:|--:|", flush=True)
    command = [sys.executable, "-m", "tesuji.cli", "gtp", "--seconds", "60", "--threads", str(options.threads)]
    with GtpClient(command) as black, GtpClient(command) as white:
        for name, setting in chosen.items():
            pairs = [[black, white], [white, black]]
            rows = [played(pairs[game % 2], setting) for game in range(options.games)]
            print(table_row(name, rows), flush=True)


if __name__ == "__main__":
    main()
