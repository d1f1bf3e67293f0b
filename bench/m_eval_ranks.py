"""How M-eval ranks the move that a master played among the moves that followed known patterns.

For one position a game, after 8 to 49 moves, where the move played is one of at least four: the share of the others
that have a lower value; 0.5 is chance. By depth of the short search, along both numbers alike and along each.

    python bench/m_eval_ranks.py GAMES.db [--games 400] [--seed 7]
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from tesuji.go.knowledge.m_eval import MEval, MEvalSettings
from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

DIRECTIONS = {"both": (0.5**0.5, 0.5**0.5), "strength and speed": (1.0, 0.0), "territory": (0.0, 1.0)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    native = MEval(MEvalSettings(file="standard"), prior_visits=40.0).native
    shares: dict[tuple[int, str], list[float]] = defaultdict(list)
    with GameDatabase(options.database) as database:
        ids = database.ids(GameFilter(size=19, least_moves=50))
        for game in rng.choice(ids, min(options.games, len(ids)), replace=False).tolist():
            moves, number, board = database.game(game).moves.tolist(), int(rng.integers(8, 50)), Board(19)
            for move in moves[:number]:
                board.play_as_recorded(move & ~WHITE, Color.WHITE if move & WHITE else Color.BLACK)
            board.color_to_play = Color.WHITE if moves[number] & WHITE else Color.BLACK
            for depth in (1, 2, 3, 4):
                rows = native.search(board, -1, depth)
                candidates = [row[0] for row in rows]
                if moves[number] & ~WHITE not in candidates or len(rows) < 4:
                    continue
                played = candidates.index(moves[number] & ~WHITE)
                for name, direction in DIRECTIONS.items():
                    values = np.array([row[1:3] for row in rows]) @ np.array(direction)
                    lower = (values < values[played]).sum() + ((values == values[played]).sum() - 1) / 2
                    shares[depth, name].append(float(lower) / (len(rows) - 1))
    for (depth, name), found in sorted(shares.items()):
        reach = 1.96 * np.std(found) / len(found) ** 0.5
        print(f"depth {depth}, {name}: {np.mean(found):.3f} ± {reach:.3f} ({len(found)} positions)")


if __name__ == "__main__":
    main()
