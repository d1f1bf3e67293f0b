"""Measures how fast game records are parsed, beside sgfmill. Prints Markdown.

    python bench/sgf.py ../shared/data/games/*.sgf.xz [--every 100]

A game is bytes in, size, komi and the moves of the main line out; replaying them is not part of it. Both readers take
the same games by turns, one after the other in one process: processor time, the best of several rounds, so that other
work on the machine shows least. sgfmill (`pip install sgfmill`) is measured where it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import lzma
import time
from collections.abc import Callable
from pathlib import Path

from tesuji.go.records.sgf import load
from tesuji.provenance import collect

ROUNDS = 5


def by_tesuji(data: bytes) -> int:
    """Read a game with our reader; the number of its moves."""
    return len(load(data).moves)


def by_sgfmill(data: bytes) -> int:
    """The same with sgfmill."""
    from sgfmill import sgf

    game = sgf.Sgf_game.from_bytes(data)
    game.get_size(), game.get_komi()
    return sum(node.get_move()[0] is not None for node in game.get_main_sequence())


def games_per_s(read: Callable[[bytes], int], games: list[bytes]) -> float:
    """One round."""
    start = time.process_time()
    for game in games:
        read(game)
    return len(games) / (time.process_time() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast game records are parsed.")
    parser.add_argument("files", nargs="+", type=Path, help="xz files, one SGF a line")
    parser.add_argument("--every", type=int, default=100, help="take one game in so many")
    options = parser.parse_args()
    readers = {"tesuji": by_tesuji}
    if importlib.util.find_spec("sgfmill"):
        readers["sgfmill"] = by_sgfmill
    origin = collect(seed=None)
    print(f"commit {origin.commit}, {origin.date}, {origin.python}\n")
    print(f"| file | games | {' | '.join(f'{name}, games/s' for name in readers)} |")
    print("|---|--:|" + "--:|" * len(readers))
    for path in options.files:
        with lzma.open(path, "rb") as file:
            games = [line for number, line in enumerate(file) if number % options.every == 0]
        for game in games:
            counts = {read(game) for read in readers.values()}
            assert len(counts) == 1, f"the readers see different numbers of moves, {counts}, in {game[:200]!r}"
        rounds = [{name: games_per_s(read, games) for name, read in readers.items()} for _ in range(ROUNDS)]
        best = [max(each[name] for each in rounds) for name in readers]
        print(f"| {path.name} | {len(games)} | {' | '.join(f'{speed:,.0f}' for speed in best)} |")


if __name__ == "__main__":
    main()
