"""Fast games of the engine against itself, over GTP, with every reply checked. ``scripts/soak --games 1000``.

Each game draws its own board size, rules, threads, simulations, clock and pondering. Some games take moves back, some
are begun anew by ``clear_board``. A game fails if a move is illegal on the reference board of the tests, a reply is not
well formed, a clock runs out or a thread is left behind; the run fails if a game does or if the memory grows.

It measures no strength and no speed. Memory and threads are read from ``/proc``: Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from reference.ref_board import RefBoard
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.gtp import GtpServer
from tesuji.go.rules import RULE_SETS
from tesuji.go.rules.vertex import parse_vertex

COLORS = ("black", "white")
# Board sizes and how often each is drawn: mostly small ones, so that 1,000 games take minutes.
SIZES = {5: 40, 6: 20, 7: 15, 8: 7, 9: 12, 13: 4, 19: 2}
LARGE = 13  # from this size on, few simulations
SCORE = re.compile(r"0|[BW]\+\d+(\.\d+)?")
VERTICES = re.compile(r"([A-Z]\d+([ \n][A-Z]\d+)*)?")
ALLOWED_GROWTH_MIB = 8.0
PAGE_MIB = 4096 / 2**20


class SoakError(Exception):
    """What a game failed by."""


class Clock(NamedTuple):
    """A clock as ``kata-time_settings`` takes it."""

    kind: Literal["none", "absolute", "canadian", "byoyomi", "fischer"] = "none"
    main_s: float = 0.0
    period_s: float = 0.0  # the increment of a Fischer clock
    count: int = 0  # stones of a Canadian period, or periods

    @property
    def settings(self) -> str:
        """What follows the command's name."""
        numbers = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3, "fischer": 2}[self.kind]
        return " ".join([self.kind, *(f"{number:g}" for number in self[1 : 1 + numbers])])


# With these the simulations end a search, and a busy machine may be late: the absolute one has to last a whole game.
CLOCKS = (
    Clock(),
    Clock("absolute", 20.0),
    Clock("canadian", 0.5, 2.0, 10),
    Clock("canadian", 0.0, 1.0, 1),
    Clock("byoyomi", 0.5, 1.0, 3),
    Clock("fischer", 2.0, 0.5),
)
# With these the clock does.
SHORT_CLOCKS = (
    Clock("absolute", 4.0),
    Clock("canadian", 1.0, 1.0, 10),
    Clock("byoyomi", 1.0, 0.3, 5),
    Clock("fischer", 1.0, 0.1),
)
SHORT_SHARE = 0.06  # of the games


def waits() -> dict[str, int]:
    """By thread: the nanoseconds that it has waited for a processor, which others had."""
    found = {}
    for file in Path("/proc/self/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # a thread that has ended
            found[file.parent.name] = int(file.read_text().split()[1])
    return found


def longest_wait_s(before: dict[str, int], after: dict[str, int]) -> float:
    """How long a thread waited in between: a busy machine's share of a move, which is not the engine's fault."""
    return max((time_ns - before.get(thread, 0) for thread, time_ns in after.items()), default=0) / 1e9


class Side:
    """One player: a GTP server, and the time it has left, kept here and not by the server."""

    def __init__(self, config: EngineConfig, clock: Clock) -> None:
        self.server = GtpServer(Engine(config))
        self.clock = clock
        self.left_s, self.count_left = clock.main_s, 0  # no stones or periods left to count: main time

    def ask(self, command: str) -> str:
        """Send a command and return the text of its reply, which has to be well formed and no refusal."""
        reply = self.server.reply(command.encode()).decode()
        if not (reply.startswith("=") and reply.endswith("\n\n") and "\n\n" not in reply[:-2]):
            raise SoakError(f"{command!r} was answered by {reply!r}")
        return reply[1:-2].strip()

    def genmove(self, color: str) -> str:
        """Ask for a move under the clock."""
        if self.clock.kind == "none":
            return self.ask(f"genmove {color}")
        self.ask(f"time_left {color} {self.left_s:.3f} {self.count_left}")
        before, began = waits(), time.monotonic()
        move = self.ask(f"genmove {color}")
        self.charge(max(0.0, time.monotonic() - began - longest_wait_s(before, waits())))
        return move

    def charge(self, seconds: float) -> None:
        """Take the time of a move off the clock; overtime begins when the main time is used up."""
        kind, _, period_s, count = self.clock
        self.left_s -= seconds
        if self.left_s < 0 and self.count_left == 0 and count > 0:
            self.left_s, self.count_left = self.left_s + period_s, count
        while kind == "byoyomi" and self.left_s < 0 and self.count_left > 1:
            self.left_s, self.count_left = self.left_s + period_s, self.count_left - 1
        if self.left_s < 0:
            raise SoakError(f"the clock {self.clock.settings} ran out by {-self.left_s:.2f} s")
        if kind == "fischer":
            self.left_s += period_s
        elif kind == "byoyomi" and self.count_left > 0:
            self.left_s = period_s
        elif kind == "canadian" and self.count_left > 0:
            self.count_left -= 1
            if self.count_left == 0:
                self.left_s, self.count_left = period_s, count


class Game:
    """One game between two sides, followed on a reference board."""

    def __init__(self, rng: random.Random, sizes: dict[int, int]) -> None:
        self.rng = rng
        self.size = rng.choices(list(sizes), list(sizes.values()))[0]
        self.rules = rng.choice(list(RULE_SETS.values()))
        self.is_short = rng.random() < SHORT_SHARE and self.size < LARGE
        self.clock = rng.choice(SHORT_CLOCKS if self.is_short else CLOCKS)
        self.sides = [Side(self.config(), self.clock) for _ in COLORS]
        self.moves: list[tuple[int, int]] = []
        self.board = self.new_board()

    def config(self) -> EngineConfig:
        """Draw how one side thinks."""
        config = EngineConfig(seed=None)
        options: dict[str, object] = {
            "simulations": None if self.is_short else self.rng.randint(10, 30 if self.size >= LARGE else 200),
            "seconds": 60.0 if self.is_short else None,
            "ponders": self.rng.random() < 0.25,
            "search": replace(config.search, threads=self.rng.choice((1, 2))),
            "resign_below": self.rng.choice((0.0, 0.0, 0.0, 0.05)),  # most games are played to their end
        }
        return replace(config, **options)

    def new_board(self) -> RefBoard:
        return RefBoard(self.size, self.size, self.rules)

    def tell(self, *commands: str) -> None:
        """Send commands to both sides."""
        for command in commands:
            for side in self.sides:
                side.ask(command)

    def play(self) -> str:
        """Play the game and return its result: a score, who resigned, or that it grew too long."""
        self.tell(f"boardsize {self.size}", f"kgs-rules {self.rules.name}", "clear_board")
        self.tell(f"kata-time_settings {self.clock.settings}")
        begin_anew_at = self.rng.randint(1, 10) if self.rng.random() < 0.2 else None
        while self.board.passes < 2 and len(self.moves) < 3 * self.size**2:
            if len(self.moves) == begin_anew_at:
                self.begin_anew()
                begin_anew_at = None
            if self.moves and self.rng.random() < 0.02:
                self.take_back()
            if not self.move():
                return "resigned"
        return self.score() if self.board.passes >= 2 else "too long"

    def move(self) -> bool:
        """Ask the side to move and tell the other; False if it resigned."""
        turn = len(self.moves) % 2
        name = self.sides[turn].genmove(COLORS[turn])
        if name == "resign":
            return False
        move = parse_vertex(name, self.size, self.size)
        if reason := self.board.why_illegal(move, turn + 1):
            raise SoakError(f"{COLORS[turn]} {name} after {len(self.moves)} moves is illegal: {reason}")
        self.board.play(move, turn + 1)
        self.moves.append((move, turn + 1))
        self.sides[1 - turn].ask(f"play {COLORS[turn]} {name}")
        return True

    def take_back(self) -> None:
        """Undo one or two moves."""
        count = min(len(self.moves), self.rng.randint(1, 2))
        self.tell(*["undo"] * count)
        del self.moves[-count:]
        self.board = self.new_board()
        for move, color in self.moves:
            self.board.play(move, color)

    def begin_anew(self) -> None:
        """Clear the board in the middle of a game; the clocks go on."""
        self.tell("clear_board")
        self.moves, self.board = [], self.new_board()

    def score(self) -> str:
        """Both sides judge the end: a well-formed score and well-formed lists of chains, the same from both."""
        answers = [(side.ask("final_score"), side.ask("final_status_list dead")) for side in self.sides]
        if answers[0] != answers[1]:
            raise SoakError(f"the sides disagree about the end: {answers}")
        score, dead = answers[0]
        if not SCORE.fullmatch(score) or not VERTICES.fullmatch(dead):
            raise SoakError(f"the end was judged as {score!r} with {dead!r} dead")
        return "counted"

    def close(self) -> None:
        """End both servers."""
        self.tell("quit")


def memory_mib() -> float:
    """What of this process is in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_MIB


def num_threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


def threads_left(before: int) -> int:
    """How many threads there are more than before; one that was joined may need a moment to leave the system."""
    deadline = time.monotonic() + 2.0
    while num_threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    return num_threads() - before


def growth_mib(memory: list[float]) -> float:
    """The median over the last quarter of the games minus that over the second; the first quarter warms up."""
    quarter = max(1, len(memory) // 4)
    return statistics.median(memory[-quarter:]) - statistics.median(memory[quarter : 2 * quarter] or memory)


def play_one(seed: int, sizes: dict[int, int], threads_before: int) -> str:
    """Play the game of a seed; its result, or what it failed by."""
    game = Game(random.Random(seed), sizes)
    try:
        try:
            result = game.play()
        finally:
            game.close()
        if (left := threads_left(threads_before)) > 0:
            raise SoakError(f"{left} threads are left")
        return result
    except SoakError as error:
        return f"FAILED: game {seed} ({game.size}x{game.size}, {game.rules.name}, clock {game.clock.settings}): {error}"


def run(num_games: int, seed: int, sizes: dict[int, int]) -> bool:
    """Play the games, report on the way and at the end; True if all went well."""
    began, threads_before = time.monotonic(), num_threads()
    results: Counter[str] = Counter()
    memory: list[float] = []
    for number in range(1, num_games + 1):
        result = play_one(seed + number, sizes, threads_before)
        results[result.partition(":")[0]] += 1
        memory.append(memory_mib())
        if result.startswith("FAILED"):
            print(result, flush=True)
        if number % 100 == 0:
            print(f"{number} games, {time.monotonic() - began:.0f} s, {memory[-1]:.1f} MiB", flush=True)
    grown_mib = growth_mib(memory)
    is_flat = grown_mib <= ALLOWED_GROWTH_MIB
    outcome = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
    print(
        f"soak: {num_games} games in {time.monotonic() - began:.0f} s: {outcome}; "
        f"memory {memory[-1]:.1f} MiB, grown by {grown_mib:+.1f} ({'flat' if is_flat else 'NOT FLAT'})"
    )
    return is_flat and results["FAILED"] == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Fast games of the engine against itself, every reply checked.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="draws the settings; the searches have seeds of their own")
    parser.add_argument("--largest", type=int, default=19, help="no board larger than this (at least 5)")
    options = parser.parse_args()
    sizes = {size: weight for size, weight in SIZES.items() if size <= options.largest}
    if options.games < 1 or not sizes:
        parser.error("play at least one game, on boards of at least 5 lines")
    return 0 if run(options.games, options.seed, sizes) else 1


if __name__ == "__main__":
    sys.exit(main())
