"""A GTP program that misbehaves as its first argument says: what the laboratory must survive.

``python rogue_engine.py MANNER [NUMBER]``. Until it misbehaves it is a decent program: it keeps the stones it is told
of, plays the first empty point, and passes when it has filled a quarter of the board. NUMBER is the move of its own at
which it begins, 1 if not given. ``honest`` never does. `MANNERS` lists all.

It imports nothing but the standard library and starts quickly: it may run under ``python -I -S``.
"""

from __future__ import annotations

import os
import signal
import sys
import time

MANNERS = {
    "honest": "does nothing wrong",
    "illegal": "answers with a vertex off the board",
    "occupied": "answers with a point that is taken",
    "nonsense": "answers with a word that is not a vertex",
    "empty-answer": "answers genmove with nothing",
    "passes": "passes for ever",
    "resigns": "resigns",
    "liar": "passes for ever, and its final_score says that it won",
    "megabytes": "answers with 10 MB",
    "megalines": "answers with a hundred thousand lines",
    "endless": "writes without end to stdout",
    "stderr-flood": "writes a megabyte to stderr before each answer, and then answers well",
    "no-newline": "answers without the end of the line",
    "one-newline": "answers without the empty line",
    "wrong-id": "answers with another number",
    "no-id": "answers without the number",
    "garbage": "writes words to stdout before the reply",
    "blank-lines": "writes empty lines before the reply, which is allowed",
    "carriage-returns": "ends lines as Windows does, which is allowed",
    "refuses": "answers genmove with a failure",
    "refuses-play": "answers play with a failure",
    "refuses-setup": "answers boardsize with a failure",
    "crash": "ends in the middle",
    "crash-at-start": "ends before the first answer, with words on stderr",
    "killed": "ends by a signal",
    "hang": "never answers again",
    "slow": "answers after half a second",
    "deaf": "hangs, ignores quit, the end of its input and SIGTERM",
    "forks": "hangs, with a child in its process group that ignores SIGTERM",
    "silent": "never answers anything",
    "wrong-size": "says yes to any size and plays on 19 lines",
    "closes-stdout": "closes its output and goes on running",
    "control-characters": "puts control characters into its answer, which do not count",
    "nul-bytes": "answers with a megabyte of NUL bytes and more",
    "early": "answers the next question before it is asked",
    "trickle": "sends its answer byte by byte and never ends",
}
COMMANDS = [
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "final_score",
    "fixed_handicap",
    "set_free_handicap",
    "time_settings",
    "time_left",
    "quit",
]
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Rogue:
    """The program."""

    def __init__(self, manner: str, first_bad_move: int) -> None:
        self.manner = manner
        self.first_bad_move = first_bad_move
        self.size = 19
        self.taken: set[str] = set()
        self.num_moves = 0
        self.color = "b"

    def run(self) -> None:
        if self.manner == "crash-at-start":
            sys.exit("rogue: no licence\nfor you")
        while line := sys.stdin.readline():
            number, *words = line.split()
            if not words or self.answer(number, words[0], words[1:]):
                return

    def answer(self, number: str, command: str, arguments: list[str]) -> bool:
        """Answer one command; True: that was the last."""
        if self.manner == "silent":
            return False
        if command == "quit":
            say(f"={number}\n\n")
            return True
        if command == "genmove":
            self.color = arguments[0].lower()[0]
            self.num_moves += 1
            if self.num_moves >= self.first_bad_move and self.misbehave(number):
                return False
        if command == self.refused():
            say(f"?{number} I would rather not\n\n")
            return False
        say(f"={number} {self.carry_out(command, arguments)}\n\n")
        return False

    def refused(self) -> str:
        return {"refuses": "genmove", "refuses-play": "play", "refuses-setup": "boardsize"}.get(self.manner, "")

    def carry_out(self, command: str, arguments: list[str]) -> str:
        match command:
            case "protocol_version":
                return "2"
            case "name":
                return "Rogue"
            case "version":
                return self.manner
            case "list_commands":
                return "\n".join(COMMANDS)
            case "boardsize" if self.manner != "wrong-size":
                self.size = int(arguments[0])
            case "clear_board":
                self.taken.clear()
            case "play":
                self.taken.add(arguments[1].upper())
            case "set_free_handicap":
                self.taken.update(vertex.upper() for vertex in arguments)
            case "final_score":
                return f"{self.color.upper()}+100.5" if self.manner == "liar" else "?"
            case "genmove":
                return self.take(self.first_empty())
        return ""

    def take(self, vertex: str) -> str:
        self.taken.add(vertex)
        return vertex

    def first_empty(self) -> str:
        if self.num_moves > self.size * self.size // 4:
            return "PASS"
        rows = range(self.size, 0, -1)
        points = (f"{letter}{row}" for row in rows for letter in LETTERS[: self.size])
        return next((point for point in points if point not in self.taken), "PASS")

    def misbehave(self, number: str) -> bool:
        """Do what the manner says at genmove; False: answer as usual after all."""
        answers = {
            "illegal": "Z99",
            "occupied": min(self.taken, default="A1"),
            "nonsense": "the upper right corner, I think",
            "empty-answer": "",
            "passes": "pass",
            "liar": "PASS",
            "resigns": "resign",
            "megabytes": "D" * 10_000_000,
            "megalines": "D4\n" * 100_000 + "D4",
            "nul-bytes": "\0" * 1_100_000 + "D4",
        }
        if self.manner in answers:
            say(f"={number} {answers[self.manner]}\n\n")
            return True
        handler = getattr(self, "do_" + self.manner.replace("-", "_"), None)
        return bool(handler(number)) if handler else False

    # --- manners that need more than another answer; each says whether that was the answer ----------------------------

    def do_endless(self, _number: str) -> bool:
        while True:
            say("all work and no play " * 1000)

    def do_stderr_flood(self, _number: str) -> bool:
        sys.stderr.write("thinking aloud\n" * 70_000)
        sys.stderr.flush()
        return False

    def do_no_newline(self, number: str) -> bool:
        say(f"={number} {self.first_empty()}")
        return True

    def do_one_newline(self, number: str) -> bool:
        say(f"={number} {self.first_empty()}\n")
        return True

    def do_wrong_id(self, number: str) -> bool:
        say(f"={int(number) + 7} {self.first_empty()}\n\n")
        return True

    def do_no_id(self, _number: str) -> bool:
        say(f"= {self.first_empty()}\n\n")
        return True

    def do_garbage(self, number: str) -> bool:
        say(f"Loading the network ...\n={number} {self.first_empty()}\n\n")
        return True

    def do_blank_lines(self, number: str) -> bool:
        say(f"\n\n \n={number} {self.take(self.first_empty())}\n\n\n")
        return True

    def do_carriage_returns(self, number: str) -> bool:
        say(f"={number} {self.take(self.first_empty())}\r\n\r\n")
        return True

    def do_control_characters(self, number: str) -> bool:
        vertex = self.take(self.first_empty())
        say(f"\x1b={number} {vertex[0]}\x07\0{vertex[1:]}\x7f\n\n")
        return True

    def do_early(self, number: str) -> bool:
        say(f"={number} {self.take(self.first_empty())}\n\n={int(number) + 1} pass\n\n")
        return True

    def do_trickle(self, number: str) -> bool:
        say(f"={number} ")
        while True:
            say("D")
            time.sleep(0.02)

    def do_crash(self, _number: str) -> bool:
        sys.stderr.write("rogue: assertion failed: life is fair\n")
        sys.stderr.flush()
        os._exit(3)

    def do_killed(self, _number: str) -> bool:
        os.kill(os.getpid(), signal.SIGKILL)
        return True

    def do_hang(self, _number: str) -> bool:
        time.sleep(3600)
        return True

    def do_slow(self, _number: str) -> bool:
        time.sleep(0.5)
        return False

    def do_deaf(self, _number: str) -> bool:
        for ignored in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
            signal.signal(ignored, signal.SIG_IGN)
        while True:
            time.sleep(3600)

    def do_forks(self, _number: str) -> bool:
        """The child's number goes to stderr, where a test finds it."""
        child = os.fork()
        if child:
            sys.stderr.write(f"child {child}\n")
            sys.stderr.flush()
        return self.do_deaf(_number)

    def do_closes_stdout(self, _number: str) -> bool:
        os.close(1)
        time.sleep(3600)
        return True


def say(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    if sys.argv[1] not in MANNERS:
        sys.exit(f"rogue_engine: {sys.argv[1]!r} is none of {', '.join(MANNERS)}")
    Rogue(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1).run()
