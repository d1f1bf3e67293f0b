"""Compares our final score with the results of recorded games that ended by counting; prints a Markdown table.

    python bench/counting.py ../shared/data/games/*.sgf.xz
    python bench/counting.py ../shared/data/games/kgs_6d.sgf.xz --every 6      # games to choose a method by
    python bench/counting.py ../shared/data/games/kgs_6d.sgf.xz --without 6    # the others, to judge it by
    python bench/counting.py ../shared/data/games/kgs_6d.sgf.xz --every 12 --offset 5

A file holds one SGF a line, and is packed with xz. Taken are the games whose result is a number of points. Each is
replayed, judged by `chain_status` with nothing but the stones to go by, and counted by territory and by area with the
recorded komi. What the columns mean is in docs/results/scoring.md. Nothing is asserted; tests/go/records/test_games.py
does.
"""

from __future__ import annotations

import argparse
import functools
import lzma
import multiprocessing
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tesuji.go import CHINESE, JAPANESE, Board, chain_status, ownership
from tesuji.go.knowledge.life import counted
from tesuji.go.records.sgf import load
from tesuji.go.rules.score import count
from tesuji.provenance import collect

CLEAR = (
    0.4  # a game is clear if playouts own every chain this much, for either side; as in tests/go/records/test_games.py
)
AREA_KOMI = 7.5  # records name no rules; from this komi on they were counted by area (docs/results/scoring.md)
COLUMNS = ("winner", "exact", "exact by area", "exact by komi", "either", "within 1", "within 3")


def margins_of(board: Board, dead: list[int], seki: list[int]) -> tuple[float, float]:
    """Black's margin by territory and by area."""
    by_area = board.position.board(rules=CHINESE, komi=board.komi)
    return counted(board, dead, seki).margin, count(by_area, dead, seki).margin


def facts_of(game: str, playouts: int, seed: int) -> set[str]:
    """Say what is true of our count of one game; an empty set if its players did not count."""
    result = re.search(r"RE\[([BW])\+(\d+(?:\.\d+)?)\]", game)
    record = load(game.encode()) if result else None
    if result is None or record is None or record.komi is None:
        return set()
    recorded = float(result[2]) * (1 if result[1] == "B" else -1)
    board = record.replay(rules=JAPANESE)
    status = chain_status(board, playouts, seed)
    dead, seki = ([point for point, its in status.items() if its == kind] for kind in ("dead", "seki"))
    by_territory, by_area = margins_of(board, dead, seki)
    owned = ownership(board, playouts, seed).ravel()
    firsts = {int(board.chain(point)[0]) for point in status}
    surest = min((abs(float(np.mean(owned[board.chain(first)]))) for first in firsts), default=0.0)
    off = abs(by_territory - recorded)
    facts = {
        "counted": True,
        "winner": by_territory * recorded > 0,
        "exact": off == 0,
        "exact by area": by_area == recorded,
        "exact by komi": (by_area if record.komi >= AREA_KOMI else by_territory) == recorded,
        "either": off == 0 or by_area == recorded,
        "within 1": off <= 1,
        "within 3": off <= 3,
        "two passes": board.is_over,
        "clear": surest >= CLEAR,
        "with seki": bool(seki),
    }
    return {fact for fact, is_true in facts.items() if is_true}


def games_of(path: Path, every: int, offset: int, without: int | None) -> Iterator[str]:
    """Yield every so-many-th line of a file from an offset on, without those that another such choice would take."""
    with lzma.open(path, "rt", encoding="ascii") as file:
        for number, line in enumerate(file):
            if number % every == offset and (without is None or number % without != 0):
                yield line


def table_rows(name: str, found: list[set[str]]) -> Iterator[str]:
    """Yield a line of the table for each part of a file's games that has any."""
    parts = {
        "all": found,
        "clear": [facts for facts in found if "clear" in facts],
        "not clear": [facts for facts in found if "clear" not in facts],
        "with seki": [facts for facts in found if "with seki" in facts],
    }
    for part, chosen in parts.items():
        if not chosen:
            continue
        counts = Counter(fact for facts in chosen for fact in facts)
        shares = " | ".join(f"{counts[column] / len(chosen):.1%}" for column in COLUMNS)
        yield f"| {name} | {part} | {len(chosen):,} | {counts['two passes']:,} | {shares} |"


def main() -> None:
    """Count all games of the given files on all processors."""
    parser = argparse.ArgumentParser(description="Compare our final scores with recorded results.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one game in so many (default: all)")
    parser.add_argument("--offset", type=int, default=0, help="the first of these (default: 0)")
    parser.add_argument("--without", type=int, default=None, help="leave out what --every with this number takes")
    parser.add_argument("--playouts", type=int, default=300, help="per position (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=None, help="default: one per processor")
    options = parser.parse_args()
    origin = collect(
        seed=options.seed,
        config={
            "playouts": options.playouts,
            "every": options.every,
            "offset": options.offset,
            "without": options.without,
        },
    )
    print(f"commit {origin.commit}, {origin.date}, seed {options.seed}, {options.playouts} playouts a position\n")
    print("| file | games | number | ended by two passes |", " | ".join(COLUMNS), "|")
    print("|---|---|--:|--:|" + "--:|" * len(COLUMNS))
    judge = functools.partial(facts_of, playouts=options.playouts, seed=options.seed)
    with multiprocessing.Pool(options.processes) as pool:
        for path in options.files:
            every_game = pool.imap_unordered(
                judge, games_of(path, options.every, options.offset, options.without), chunksize=16
            )
            found = [facts for facts in every_game if facts]
            print(*table_rows(path.name.removesuffix(".sgf.xz"), found), sep="\n", flush=True)


if __name__ == "__main__":
    main()
