"""Measures why there is a native core: the same light playout at three levels; prints a Markdown table.

    python bench/native_core.py

*Native*: `tesuji.go.playout_margins`. *Python loop*: the choice of the moves in Python, on the native `Board`. *Plain
Python*: the same loop on the reference board of the tests, which is written to be read and not to be fast. One thread,
processor time; the ratios are what matters.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tesuji.go import JAPANESE, Board, playout_margins
from tesuji.provenance import collect

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference.ref_board import RefBoard

Level = Callable[[int, int], None]  # plays on a board of a size so many playouts

SIZES = (9, 19)
LEAST_S = 2.0
EMPTY, OFF_BOARD = 0, 3


def is_eye(code: int, color: int) -> bool:
    """The playouts' notion of an eye, from a 3x3 code (docs/algorithms/light-playouts.md)."""
    fields = [code >> shift & 3 for shift in range(0, 16, 2)]
    if any(field not in (color, OFF_BOARD) for field in fields[:4]):
        return False
    return fields[4:].count(3 - color) + (OFF_BOARD in fields[4:]) < 2


def play_out(board: Any, rng: random.Random) -> None:
    """Play uniformly over legal moves that fill no own eye, until two passes."""
    num_points = board.width * board.height
    passes, color = 0, 1
    for _ in range(3 * num_points + 20):
        empty = [point for point in range(num_points) if board.color_at(point) == EMPTY]
        rng.shuffle(empty)
        move = next((p for p in empty if is_legal(board, p, color) and not is_eye(board.code3x3(p), color)), num_points)
        board.play(move, color)
        passes = passes + 1 if move == num_points else 0
        if passes == 2:
            return
        color = 3 - color


def is_legal(board: Any, point: int, color: int) -> bool:
    """Ask either kind of board."""
    return bool(board.is_legal(point, color)) if isinstance(board, Board) else board.why_illegal(point, color) is None


def playouts_per_s(play: Level, size: int) -> float:
    """Ask for more and more playouts until they take long enough to be timed."""
    playouts = 1
    while True:
        start = time.process_time()
        play(size, playouts)
        seconds = time.process_time() - start
        if seconds >= LEAST_S:
            return playouts / seconds
        playouts *= 4


def in_python(new_board: Callable[[int], Any]) -> Level:
    """Make a level of the loop above and a kind of board."""

    def play(size: int, playouts: int) -> None:
        rng = random.Random(1)
        for _ in range(playouts):
            play_out(new_board(size), rng)

    return play


def natively(size: int, playouts: int) -> None:
    """Play in the core."""
    playout_margins(Board(size), playouts, seed=1)


LEVELS: dict[str, Level] = {
    "plain Python": in_python(lambda size: RefBoard(size, size, JAPANESE)),
    "Python loop, native `Board`": in_python(lambda size: Board(size, rules=JAPANESE)),
    "native": natively,
}


def main() -> None:
    """Measure and print."""
    origin = collect(seed=1)
    print(f"commit {origin.commit}, {origin.date}, {origin.python}\n")
    print("| playouts/s | " + " | ".join(f"{size}x{size}" for size in SIZES) + " |\n|---|" + "--:|" * len(SIZES))
    for name, level in LEVELS.items():
        speeds = [playouts_per_s(level, size) for size in SIZES]
        print(
            f"| {name} | " + " | ".join(f"{speed:,.1f}" if speed < 100 else f"{speed:,.0f}" for speed in speeds) + " |"
        )


if __name__ == "__main__":
    main()
