"""Measures the database of games: import and searches, in processor time. The numbers of docs/results/masters.md.

python bench/masters.py games.db
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from tesuji.go import Board
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.positions import find_position
from tesuji.go.masters.shapes import find_pattern, pattern_from_text

POSITIONS = ["", "Q16", "Q16 D4", "Q16 D4 Q3 D17", "Q16 D4 Q3 D17 R5 C15", "Q16 D4 Q3 D16 R5 F17 C14 D18", "A1"]
SHAPE = "?####\n#....\n#....\n#..X.\n#....\n"


def timed(what: str, run: Callable[[], object]) -> None:
    """Run it, and print how long it took."""
    wall, processor = time.perf_counter(), time.process_time()
    found = run()
    ms = 1000 * (time.process_time() - processor)
    print(f"{what:44} {ms:8.1f} ms processor, {1000 * (time.perf_counter() - wall):8.1f} ms wall: {found}")


def main() -> None:
    """All measurements."""
    for first in (True, False):
        with GameDatabase(sys.argv[1]) as database:
            for played in POSITIONS:
                board = Board(19)
                for move in played.split():
                    board.play(move)
                timed(f"position after '{played}'", lambda board=board: len(find_position(database, board).games))
                if first:
                    break  # with nothing read before
    with GameDatabase(sys.argv[1]) as database:
        board = Board(19)
        board.play("Q16")
        timed("the same, 1990 and later", lambda: len(find_position(database, board, GameFilter(since="1990")).games))
        timed("a pattern in the corner", lambda: len(find_pattern(database, pattern_from_text(SHAPE)).matches))


if __name__ == "__main__":
    main()
