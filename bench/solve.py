"""Measures how many problems of life and death are solved: the first move, with and without proof and frame.

    python bench/solve.py ../shared/data/suites/gogameguru_problems.tar.xz --level easy --parity 0 --limit 20

The problems are SGF files whose comments call the right lines correct; a first move counts as right if one of its lines
is called so. Those with odd numbers served to choose the method, those with even numbers are held out. *plain* is the
search on the diagram as it is, *framed* the same on the framed board, *solve* what ``tesuji solve`` answers.
"""

from __future__ import annotations

import argparse
import math
import re
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

from tesuji.go import Engine, EngineConfig
from tesuji.go.engine.solver import solve
from tesuji.go.knowledge.problem import framed
from tesuji.go.records.game_record import GameRecord
from tesuji.go.records.sgf import load
from tesuji.go.records.sgf_tree import Tree
from tesuji.go.rules.vertex import parse_sgf_point
from tesuji.provenance import collect

_RIGHT = re.compile(rb"\b(?<!in)(?<!not )(correct|right)\b", re.IGNORECASE)


def right_moves(record: GameRecord) -> set[int]:
    """The first moves after which a comment says that the line is right."""
    found: set[bytes] = set()
    pending: list[tuple[Tree, bytes | None]] = [(record.tree, None)]
    while pending:
        tree, first = pending.pop()
        for node in tree.sequence:
            move = node.get("B") or node.get("W")
            first = move[0] if first is None and move else first
            if first is not None and any(_RIGHT.search(comment) for comment in node.get("C", ())):
                found.add(first)
        pending += [(child, first) for child in tree.children]
    return {parse_sgf_point(move.decode(), record.width, record.height) for move in found}


def problems(archive: Path, level: str, parity: int) -> Iterator[tuple[str, GameRecord]]:
    """The problems of a level with even or odd numbers, in the order of their numbers."""
    with tarfile.open(archive) as files:
        members = {int(n[1]): m for m in files if (n := re.search(rf"{level}-0*(\d+)\.sgf$", m.name))}
        for number in sorted(members):
            if number % 2 == parity:
                stream = files.extractfile(members[number])
                assert stream is not None
                yield f"{level}-{number}", load(stream.read())


def interval(hits: int, total: int) -> str:
    """A share with its 95 % interval (Wilson)."""
    z, share = 1.96, hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{hits} of {total}, {share:.0%} ({middle - half:.0%} to {middle + half:.0%})"


def main() -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(description="How many problems of life and death are solved.")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--level", default="easy", choices=["easy", "intermediate", "hard"])
    parser.add_argument("--parity", type=int, default=0, choices=[0, 1], help="numbers: 0 even (held out), 1 odd")
    parser.add_argument("--limit", type=int, default=1000, help="problems at most")
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=30_000)
    options = parser.parse_args()
    engine = Engine(EngineConfig(simulations=options.simulations, seconds=None, seed=1))
    counts = {"plain": 0, "framed": 0, "solve": 0, "proved": 0, "proved and right": 0}
    total, start_s = 0, time.process_time()
    for name, record in problems(options.archive, options.level, options.parity):
        right = right_moves(record)
        if not right or total >= options.limit:
            continue
        total += 1
        board = record.replay(0)
        plain = engine.analyse(board).moves[0].move
        solution = solve(board, engine, max_nodes=options.nodes)
        is_proved = solution.is_success
        searched = engine.analyse(framed(board).board).moves[0].move if solution.way == "proved" else solution.move
        answers = {"plain": plain, "framed": searched, "solve": solution.move if is_proved else searched}
        for way, move in answers.items():
            counts[way] += move in right
        counts["proved"] += is_proved
        counts["proved and right"] += is_proved and solution.move in right
        shown = {way: board.vertex(move) + "!" * (move in right) for way, move in answers.items()}
        print(name, solution.way, solution.outcome, solution.num_nodes, shown, flush=True)
    print(f"\ncommit {collect(seed=1).commit}, {options.level}, numbers {'odd' if options.parity else 'even'}")
    print(f"{options.simulations:,} simulations, {options.nodes:,} nodes, {time.process_time() - start_s:.0f} s\n")
    for way, hits in counts.items():
        print(f"| {way} | {interval(hits, total)} |")


if __name__ == "__main__":
    main()
