"""A network learns Hex by playing itself, and then meets the plain search at equal simulations.

    python examples/alphazero_hex.py [FOLDER [ITERATIONS [GAMES [OWN]]]]

Two minutes on one core. The loop is `tesuji.learning.network.self_play`; interrupted, it goes on from its folder. At
the end the search guided by the network meets the search with playouts, both with 100 simulations a move, first and
second in turn, from random first moves. OWN games make an iteration. Needs the extra `learn`: pip install
'tesuji[learn]'.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tesuji.experiments.stats.elo import wilson
from tesuji.games import Hex
from tesuji.learning.network.self_play import SelfPlay, SelfPlayConfig

SIZE, SIMULATIONS = 6, 100


def say(told: dict[str, Any]) -> None:
    """A line for each iteration."""
    print(f"iteration {told['iteration']}: {told['positions']} positions, policy loss {told['policy']:.3f}", flush=True)


def main(folder: str = "alphazero-hex", iterations: str = "8", games: str = "60", own: str = "40") -> None:
    """Learn, and play."""
    loop = SelfPlay(Hex(SIZE), Path(folder), SelfPlayConfig(games=int(own)))
    loop.run(iterations=int(iterations), on_iteration=say)
    won = loop.points_against_playouts(int(games), SIMULATIONS)
    sure = wilson(won, int(games))
    print(
        f"with {SIMULATIONS} simulations a move, the network's search won {won:g} of {games} games against playouts "
        f"(95 %: {100 * sure.low:.0f} to {100 * sure.high:.0f} %)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
