"""Measures the speed of the protocols: round trips, what a stream costs, how fast it stops, how a queue is worked off.

    python bench/protocols.py                      all four, about a minute
    python bench/protocols.py --only stop          round-trip, stream, stop or queue

Round trip: commands that do not search, over a pipe to ``tesuji gtp``. Stream: simulations a second of ``kata-analyze``
with a report every 10 centiseconds, with and without ownership, as a ratio to the same search without reports, in turn.
Stop: from the line that ends an analysis to the end of its reply. Queue: 1,000 queries to ``tesuji analysis`` with two
threads, as a ratio of its CPU time to its wall time; and how many answers came before one of higher priority.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from tesuji.go import Board, Engine, EngineConfig
from tesuji.provenance import collect

GTP = [sys.executable, "-m", "tesuji.cli", "gtp", "--size", "9"]
ANALYSIS = [sys.executable, "-m", "tesuji.cli", "analysis", "--threads", "2"]
QUIET_COMMANDS = ("name", "play b E5", "undo", "list_commands", "komi 6.5", "known_command genmove", "time_left b 10 0")
INTERVAL_CS = 10
STREAM_S = 3.0
VISITS = re.compile(rb" visits (\d+)")


class Gtp:
    """A running ``tesuji gtp``."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(GTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self.ask("boardsize 9")

    def say(self, line: str) -> None:
        """Send a line."""
        self._in.write(line.encode() + b"\n")
        self._in.flush()

    def reply(self) -> list[bytes]:
        """The lines up to the empty one."""
        lines = []
        while (line := self._out.readline()) not in (b"\n", b""):
            lines.append(line)
        return lines

    def ask(self, line: str) -> list[bytes]:
        """Send a line and wait for the reply."""
        self.say(line)
        return self.reply()

    def close(self) -> None:
        """End it."""
        self.ask("quit")
        self._process.wait()


def round_trips(number: int = 300) -> None:
    """Milliseconds per command."""
    gtp = Gtp()
    for command in QUIET_COMMANDS:
        times_ms = []
        for _ in range(number):
            if command == "undo":
                gtp.ask("play b A1")
            began_s = time.perf_counter()
            gtp.ask(command)
            times_ms.append(1000 * (time.perf_counter() - began_s))
            if command.startswith("play"):
                gtp.ask("undo")
        print(f"| {command} | {statistics.median(times_ms):.3f} | {sorted(times_ms)[int(0.99 * number)]:.3f} |")
    gtp.close()


def simulations_per_s(watch: Callable[[object], None] | None) -> float:
    """Of an analysis of the empty 9x9 board."""
    engine = Engine(EngineConfig(simulations=None, seconds=STREAM_S, seed=1))
    found = engine.analyse(Board(9), on_progress=watch, report_s=INTERVAL_CS / 100)
    return found.simulations / found.seconds


def streams(rounds: int = 5) -> None:
    """What reports cost, as a share of the simulations per second."""
    for options in ("", " ownership true"):
        ratios = []
        for _ in range(rounds):
            plain = simulations_per_s(None)
            gtp = Gtp()
            began_s = time.perf_counter()
            gtp.say(f"kata-analyze b {INTERVAL_CS} rootInfo true{options}")
            end = threading.Timer(STREAM_S, gtp.say, ["protocol_version"])
            end.start()
            lines = gtp.reply()  # all the while: a full pipe would hold the engine up
            spent_s = time.perf_counter() - began_s
            gtp.reply()
            last = [line for line in lines if line.startswith(b"info")][-1]
            root = int(VISITS.search(last.partition(b"rootInfo")[2]).group(1))  # type: ignore[union-attr]
            ratios.append(root / spent_s / plain)
            gtp.close()
        print(f"| kata-analyze b {INTERVAL_CS} rootInfo true{options} | {statistics.median(ratios):.3f} |")


def stops(number: int = 50) -> None:
    """Milliseconds from a line to the end of the analysis that it ends."""
    gtp, times_ms = Gtp(), []
    for _ in range(number):
        gtp.say("kata-analyze b 10 ownership true")
        time.sleep(0.3)
        began_s = time.perf_counter()
        gtp.say("name")
        gtp.reply()
        times_ms.append(1000 * (time.perf_counter() - began_s))
        gtp.reply()
    gtp.close()
    print(f"| stop | {statistics.median(times_ms):.1f} | {max(times_ms):.1f} |")


def queue(number: int = 1000) -> None:
    """A thousand queries at once, priorities mixed."""
    queries = [
        {"id": f"{i}", "moves": [], "rules": "chinese", "komi": 7.5, "boardXSize": 9, "boardYSize": 9,
         "maxVisits": 100, "priority": i % 10}
        for i in range(number)
    ]  # fmt: skip
    text = "".join(json.dumps(query) + "\n" for query in queries).encode()
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(ANALYSIS, input=text, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    wall_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    priorities = [int(json.loads(line)["id"]) % 10 for line in done]
    early = sum(max(priorities[i + 1 :], default=0) > priorities[i] for i in range(len(priorities)))
    print(f"| {len(done)} answers | {wall_s:.1f} s | CPU / wall {cpu_s / wall_s:.2f} | {early} came too early |")


PARTS = {"round-trip": round_trips, "stream": streams, "stop": stops, "queue": queue}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the speed of the protocols.")
    parser.add_argument("--only", choices=PARTS, help="one part (default: all)")
    options = parser.parse_args()
    origin = collect(seed=1, config={"only": options.only})
    print(f"commit {origin.commit}, {origin.date}, {origin.cpu}, {os.cpu_count()} cores\n")
    for name, measure in PARTS.items():
        if options.only in (None, name):
            print(f"{name}:")
            measure()


if __name__ == "__main__":
    main()
