"""Measures what Python pays for the board: a recorded game played and undone, and the imports. Prints Markdown.

    python bench/python_board.py [games.sgf.xz]

The game is the first 19x19 game of at least 250 moves, by default of tests/data/sample_games.sgf.xz. A "move" is one
call of `Board.play` and one of `Board.undo`. Processor time of one thread, best of several runs, so that other work on
the machine shows least; compare ratios rather than seconds. Playouts are `tesuji bench board`'s business.
"""

from __future__ import annotations

import argparse
import lzma
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tesuji.go import RULE_SETS, Board
from tesuji.go.records.sgf import GameRecord, load
from tesuji.provenance import collect

SAMPLE = Path(__file__).resolve().parents[1] / "tests" / "data" / "sample_games.sgf.xz"
LONG = 250
RUNS, GAMES_A_RUN, IMPORTS = 15, 200, 15


def first_game(path: Path) -> GameRecord:
    """Return the first long 19x19 game of a file with one SGF a line."""
    with lzma.open(path, "rb") as file:
        return next(game for line in file if (game := load(line)).width == 19 and len(game.moves) >= LONG)


def moves_per_s(board: Board, moves: Sequence[tuple[int, int]]) -> float:
    """Play a game and take it back, many times: moves per second, best run."""
    best_s = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        for _ in range(GAMES_A_RUN):
            for color, move in moves:
                board.play(move, color)
            for _ in moves:
                board.undo()
        best_s = min(best_s, time.process_time() - start)
    return GAMES_A_RUN * len(moves) / best_s


def import_ms(module: str) -> float:
    """Import a module in fresh interpreters: milliseconds, best run, the interpreter's own start left out."""
    program = f"import time; start = time.process_time(); import {module}; print(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, check=True) for _ in range(IMPORTS)]
    return 1000 * min(float(run.stdout) for run in runs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What Python pays for the board.")
    parser.add_argument("games", nargs="?", type=Path, default=SAMPLE, help="xz file, one SGF a line")
    game = first_game(parser.parse_args().games)
    origin = collect(seed=None)
    print(f"commit {origin.commit}, {origin.date}, {origin.python}\n")
    print(f"| a 19x19 game of {len(game.moves)} moves, played and undone | moves/s |\n|---|--:|")
    for name, rules in RULE_SETS.items():
        board = Board(19, rules=rules)
        print(f"| `Board`, {name} rules ({rules.ko} ko) | {moves_per_s(board, game.moves):,.0f} |")
    print("\n| import | ms |\n|---|--:|")
    for module in ("tesuji", "numpy", "tesuji.go", "tesuji.cli"):
        print(f"| `{module}` | {import_ms(module):.0f} |")


if __name__ == "__main__":
    main()
