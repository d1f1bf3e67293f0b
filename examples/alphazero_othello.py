"""The loop of `alphazero_hex.py` for Othello, a game with passes, draws and eight symmetries.

    python examples/alphazero_othello.py [FOLDER [ITERATIONS [GAMES [OWN]]]]

A few minutes on one core. At the end the search guided by the network meets the search with playouts, both with 100
simulations a move, from two random first moves. OWN games make an iteration. Needs the extra `learn`: pip install
'tesuji[learn]'.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from tesuji.experiments.stats.elo import wilson
from tesuji.games import Othello
from tesuji.learning.network.self_play import SelfPlay, SelfPlayConfig

SIMULATIONS = 100
CONFIG = SelfPlayConfig(simulations=50, drawn_moves=12, symmetries=tuple(range(8)))


def main(folder: str = "alphazero-othello", iterations: str = "10", games: str = "60", own: str = "16") -> None:
    """Learn, and play."""
    loop = SelfPlay(Othello(), Path(folder), replace(CONFIG, games=int(own)))
    loop.run(int(iterations), lambda told: print(f"iteration {told['iteration']}: {told}", flush=True))
    points = loop.points_against_playouts(int(games), SIMULATIONS, first_moves=2)
    sure = wilson(points, int(games))
    print(
        f"with {SIMULATIONS} simulations a move, the network's search made {points:g} points in {games} games against "
        f"playouts (95 %: {100 * sure.low:.0f} to {100 * sure.high:.0f} %)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
