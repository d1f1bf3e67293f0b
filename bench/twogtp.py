"""Plays ``tesuji gtp`` against GNU Go as twogtp does, with takebacks and restarts; prints protocol errors, if any.

    python bench/twogtp.py --games 100                          9x9, 13x13 and 19x19 in turn, handicaps 0 to 9
    python bench/twogtp.py --games 6 --sizes 9 --seed 7         a quick look

Every game draws, from the seed and its own number, the handicap, who has which colour, and where it is disturbed: two
moves taken back by ``undo``, the engine's process ended and a new one told the game so far, or the game begun anew by
``clear_board``. A board here checks every move. An error is a reply that is no GTP, a refusal of a legal command, an
illegal move, a crash or a silence of a minute. At the end both are asked for ``final_score``, the engine also for
``final_status_list``, ``cputime`` and ``printsgf``. Scores are compared in games that ended by two passes. It measures
no strength: the engine's wins are printed as a by-product.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tesuji.experiments.players.gtp_client import EngineError, GtpClient
from tesuji.go import Board, Color
from tesuji.go.rules import max_fixed_handicap
from tesuji.provenance import collect

PATIENCE_S = 60.0
LAST_QUESTIONS = ("final_status_list dead", "final_status_list seki", "final_status_list alive", "cputime", "printsgf")
DISTURBANCES = ("undo", "restart", "begin anew")


class Task(NamedTuple):
    """One game to play."""

    number: int
    size: int
    handicap: int  # 0: even; 1: no komi
    color: Color  # the engine's
    disturbed_at: dict[int, str]  # number of moves: what happens there


class GameRow(NamedTuple):
    """What came of it."""

    size: int
    moves: int
    done: Counter[str]
    has_won: bool
    scores_agree: bool | None  # None: not compared, as it ended otherwise
    error: str


class Table:
    """One game: the referee's board and both programs."""

    def __init__(self, task: Task, command: Sequence[str], gnugo: GtpClient) -> None:
        self.task, self.command = task, command
        self.engine, self.gnugo = GtpClient(command), gnugo
        self.done: Counter[str] = Counter()
        self.resigned: Color | None = None
        self.begin()

    def begin(self) -> None:
        """Set an empty board up, with its handicap."""
        task = self.task
        self.board = Board(task.size, komi=7.5 if task.handicap == 0 else 0.5)
        if task.handicap >= 2:
            self.board.set_handicap(task.handicap)
        for client in (self.engine, self.gnugo):
            self.tell_start(client)

    def tell_start(self, client: GtpClient) -> None:
        """Let a program set the same board up."""
        board = self.board
        for command in (f"boardsize {board.width}", "clear_board", f"komi {board.komi}"):
            ask(client, command)
        if self.task.handicap >= 2:
            said = ask(client, f"fixed_handicap {self.task.handicap}").upper().split()
            wanted = [board.vertex(point) for point in range(board.num_points) if board.start.grid.flat[point]]
            if sorted(said) != sorted(wanted):
                raise EngineError(f"fixed_handicap {self.task.handicap} was answered {said}, not {wanted}")

    def play(self) -> None:
        """Play to two passes, a resignation or twice as many moves as there are points."""
        waiting = dict(self.task.disturbed_at)
        while not self.board.is_over and self.resigned is None and self.board.num_moves < 2 * self.board.num_points:
            if disturbance := waiting.pop(self.board.num_moves, None):
                self.disturb(disturbance)
            self.move()

    def move(self) -> None:
        """Ask whose turn it is for a move, and tell the other."""
        color = self.board.color_to_play
        mover, other = (self.engine, self.gnugo) if color == self.task.color else (self.gnugo, self.engine)
        move = ask(mover, f"genmove {color}").strip()
        if move.lower() == "resign":
            self.resigned = color
            return
        if not self.board.is_legal(move.upper()) and mover is self.engine:
            raise EngineError(f"illegal move {move}: {self.board.why_illegal(move.upper())}")
        self.board.play(move.upper())
        ask(other, f"play {color} {move}")

    def disturb(self, what: str) -> None:
        """Take moves back, end the engine's process, or begin anew."""
        if what == "undo" and self.board.num_moves < 2:
            return
        self.done[what] += 1
        if what == "undo":
            for _ in range(2):
                self.board.undo()
                ask(self.engine, "undo")
                ask(self.gnugo, "undo")
        elif what == "restart":
            self.engine.close()
            self.engine = GtpClient(self.command)
            self.tell_start(self.engine)
            for color, move in self.board.moves:
                ask(self.engine, f"play {color} {self.board.vertex(move)}")
        else:
            self.begin()

    def ended(self) -> tuple[bool, bool | None]:
        """Whether the engine won, and whether both name the same score, if that was asked."""
        for question in LAST_QUESTIONS:
            ask(self.engine, question)
        if self.resigned is not None:
            return self.resigned != self.task.color, None
        ours, theirs = (ask(client, "final_score") for client in (self.engine, self.gnugo))
        has_won = ours[:1] == ("B" if self.task.color == Color.BLACK else "W")
        return has_won, same_score(ours, theirs) if self.board.is_over else None


def same_score(ours: str, theirs: str) -> bool:
    """Whether ``B+3.5`` and ``B+3.5`` mean the same."""
    try:
        return ours[:1] == theirs[:1] and float(ours[2:] or 0) == float(theirs[2:] or 0)
    except ValueError:
        return False


def ask(client: GtpClient, command: str) -> str:
    """Send a command; a refusal is an error here."""
    return client.ask(command, timeout_s=PATIENCE_S)


def task_of(number: int, sizes: Sequence[int], seed: int) -> Task:
    """What is drawn for a game; the same for the same seed and number."""
    random_of = random.Random(f"{seed}/{number}")
    size = sizes[number % len(sizes)]
    handicap = number // len(sizes) % 10
    places = random_of.sample(range(2, 2 * size), 2)
    disturbed_at = {place: random_of.choice(DISTURBANCES) for place in places}
    color = random_of.choice((Color.BLACK, Color.WHITE))
    return Task(number, size, min(handicap, max_fixed_handicap(size, size)), color, disturbed_at)


def played(task: Task, command: Sequence[str], gnugo: Sequence[str]) -> GameRow:
    """Play one game; what goes wrong is kept as its error."""
    table: Table | None = None
    with GtpClient(gnugo) as other:
        try:
            table = Table(task, command, other)
            table.play()
            has_won, scores_agree = table.ended()
            return GameRow(task.size, table.board.num_moves, table.done, has_won, scores_agree, "")
        except EngineError as error:
            moves, done = (table.board.num_moves, table.done) if table else (0, Counter[str]())
            return GameRow(task.size, moves, done, False, None, f"game {task.number}, move {moves}: {error}")
        finally:
            if table is not None:
                table.engine.close()


def table_row(name: str, rows: Sequence[GameRow]) -> str:
    """One line of the table."""
    done = sum((row.done for row in rows), Counter[str]())
    counts = " | ".join(str(done[what]) for what in DISTURBANCES)
    errors = sum(bool(row.error) for row in rows)
    compared = [row.scores_agree for row in rows if row.scores_agree is not None]
    scores, won = f"{sum(compared)} of {len(compared)}", sum(row.has_won for row in rows)
    return f"| {name} | {len(rows)} | {sum(row.moves for row in rows)} | {counts} | {errors} | {scores} | {won} |"


def main() -> None:
    """Play the games and print the table; exit with 1 if there was an error."""
    parser = argparse.ArgumentParser(description="Play against GNU Go with takebacks and restarts.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 13, 19])
    parser.add_argument("--simulations", type=int, default=200, help="of the engine, a move (default: 200)")
    parser.add_argument("--level", type=int, default=1, help="of GNU Go (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    gnugo = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
    if gnugo is None:
        parser.error("GNU Go is not installed (Debian: apt install gnugo)")
    command = [sys.executable, "-m", "tesuji.cli", "gtp", "--simulations", str(options.simulations)]
    command += ["--seed", str(options.seed)]
    theirs = [gnugo, "--mode", "gtp", "--chinese-rules", "--level", str(options.level), "--seed", str(options.seed)]
    origin = collect(seed=options.seed, config=vars(options))
    print(
        f"commit {origin.commit}, {origin.date}, {origin.cpu}, seed {options.seed}, {options.simulations} simulations"
    )
    print(f"a move against GNU Go at level {options.level}\n", flush=True)
    rows = []
    for number in range(options.games):
        rows.append(played(task_of(number, options.sizes, options.seed), command, theirs))
        print(f"\r{number + 1} of {options.games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("| board | games | moves | undos | restarts | begun anew | protocol errors | same final score | won |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for size in options.sizes:
        if chosen := [row for row in rows if row.size == size]:
            print(table_row(f"{size}x{size}", chosen))
    errors = [row.error for row in rows if row.error]
    print("", *errors, sep="\n")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
