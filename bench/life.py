"""Measures verdicts on life and death against test suites in GTP: alive, dead, or depending on who moves.

    python bench/life.py gnugo/regression --parity 0                  # the suites' folder, unpacked

Questions: ``owl_attack`` (0: alive even if the opponent begins), ``owl_defend`` (0: dead even if the owner begins),
``dragon_status``. Two questions about one chain of one position are one verdict; a chain that both sides can decide is
left out of the rate for verdicts and must be *in doubt*. Tests with even numbers are held out, the method was chosen on
the odd ones.
"""

from __future__ import annotations

import argparse
import collections
import math
import re
import time
from collections.abc import Iterator
from pathlib import Path

from tesuji.experiments.suites import parse_tst
from tesuji.experiments.suites.suite import Test
from tesuji.go import Board, Color
from tesuji.go.knowledge.life import judge
from tesuji.go.records.sgf import load
from tesuji.go.rules.vertex import parse_vertex

_COMMANDS = ("owl_attack", "owl_defend", "dragon_status")


def position(commands: tuple[str, ...], root: Path) -> Board | None:
    """The board after the commands of a test; None if there is one that means nothing here."""
    board: Board | None = None
    for words in map(str.split, commands):
        if words[0] == "loadsgf":
            record = load(root / words[1])
            board = record.replay(int(words[2]) - 1 if len(words) > 2 else None, rules="japanese")
        elif board is None:
            return None
        elif words[0] == "play":
            board.play(
                parse_vertex(words[2], board.width, board.height),
                Color.BLACK if words[1].lower().startswith("b") else Color.WHITE,
            )
        elif words[0] == "undo":
            board.undo()
        elif words[0] not in ("komi", "reset_owl_node_counter"):
            return None
    return board


def says(test: Test) -> str | None:
    """What a test expects of the chain: it lives, it dies, or one side can decide it."""
    expected, command = test.expectation, test.command.split()[0]
    if expected.negated:
        return None
    pattern = re.compile(expected.pattern)
    if command == "dragon_status":
        found = [word for word in ("alive", "dead", "critical") if pattern.match(word)]
        return found[0] if len(found) == 1 else None
    if pattern.fullmatch("0"):
        return "alive" if command == "owl_attack" else "dead"
    return "attackable" if command == "owl_attack" else "defensible"


def verdicts(folder: Path, parity: int) -> Iterator[tuple[str, Board, int, str]]:
    """Name, position, stone and what is true of it."""
    for path in sorted(folder.glob("*.tst")):
        known: dict[tuple[tuple[str, ...], str], set[str]] = collections.defaultdict(set)
        names: dict[tuple[tuple[str, ...], str], str] = {}
        for test in parse_tst(path.read_text("utf-8", "replace"), path.stem, folder).tests:
            words = test.command.split()
            if words[0] in _COMMANDS and len(words) == 2 and (said := says(test)):
                key = (test.setup, words[1])
                known[key].add(said)
                names.setdefault(key, f"{path.stem}/{test.id}")
        for number, (key, said) in enumerate(known.items()):
            truth = said & {"alive", "dead", "critical"}
            if said >= {"attackable", "defensible"}:
                truth = {"critical"}
            if number % 2 != parity or len(truth) != 1:
                continue
            try:
                board = position(key[0], folder)
            except (ValueError, OSError):
                continue
            if board is not None:
                stone = parse_vertex(key[1], board.width, board.height)
                if board.color_at(stone):
                    yield names[key], board, stone, truth.pop()


def interval(hits: int, total: int) -> str:
    """A share with its 95 % interval (Wilson)."""
    z, share = 1.96, hits / max(1, total)
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{hits} of {total}, {share:.1%} ({middle - half:.1%} to {middle + half:.1%})"


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description="Verdicts on life and death against test suites.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parity", type=int, default=0, choices=[0, 1], help="0: held out, 1: for choosing")
    parser.add_argument("--simulations", type=int, default=1000, help="over chains in doubt (default: 1000; 0: none)")
    parser.add_argument("--verbose", action="store_true", help="name the misses")
    options = parser.parse_args()
    table: collections.Counter[tuple[str, str]] = collections.Counter()
    slowest, start_s = 0.0, time.process_time()
    for name, board, stone, truth in verdicts(options.folder, options.parity):
        before_s = time.process_time()
        judged = judge(board, simulations=options.simulations)
        slowest = max(slowest, time.process_time() - before_s)
        said = "critical" if truth == "critical" and stone in judged.in_doubt else judged.status[stone]
        table[truth, said] += 1
        if options.verbose and said != truth and truth != "critical":
            print(f"{name}: {board.vertex(stone)} is {truth}, we say {said}", flush=True)
    settled = {pair: n for pair, n in table.items() if pair[0] != "critical"}
    right = sum(n for (truth, said), n in settled.items() if truth == said or (truth, said) == ("alive", "seki"))
    print(f"settled chains: {interval(right, sum(settled.values()))}")
    doubtful = {pair: n for pair, n in table.items() if pair[0] == "critical"}
    print(f"chains that both can decide, called so: {interval(table['critical', 'critical'], sum(doubtful.values()))}")
    for (truth, said), number in sorted(table.items()):
        print(f"  {truth:9} called {said:9} {number}")
    print(f"{time.process_time() - start_s:.0f} s of processor time, the longest position {slowest:.2f} s")


if __name__ == "__main__":
    main()
