"""What M-eval costs: processor time of one 19x19 search with it and without, in turn, in one process.

With no virtual visits M-eval is asked and changes nothing, so both searches do the same beside it.

    python bench/m_eval.py GAMES.db [--simulations 20000] [--rounds 3] [--positions 2]
"""

from __future__ import annotations

import argparse
import time

from tesuji.go.engine.engine import EngineConfig
from tesuji.go.knowledge.m_eval import MEvalSettings
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.sampling import sampled_games
from tesuji.go.rules.board import Board


def seconds(board: Board, settings: MEvalSettings, simulations: int) -> tuple[float, int]:
    """Processor time of a search, and the visits of its best move."""
    search = EngineConfig(m_eval=settings).search_at(board)
    began_s = time.process_time()
    found = search.run(simulations=simulations, seed=1)
    return time.process_time() - began_s, int(found.visits.max())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--positions", type=int, default=2)
    options = parser.parse_args()
    with GameDatabase(options.database) as database:
        boards = [board for boards in sampled_games(database, most=options.positions) for board in boards[:1]]
    for board in boards:
        times: dict[str, list[float]] = {"off": [], "standard": []}
        for _ in range(options.rounds):
            same = set()
            for name, taken in times.items():
                spent_s, visits = seconds(board, MEvalSettings(file=name, visits=0.0), options.simulations)
                taken.append(spent_s)
                same.add(visits)
            assert len(same) == 1, "M-eval without virtual visits changed the search"
        ratio = min(times["standard"]) / min(times["off"])
        print(f"after {board.num_moves} moves: {min(times['off']):.2f} s without, {ratio:.4f} times with", flush=True)


if __name__ == "__main__":
    main()
