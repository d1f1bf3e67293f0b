"""A network learns Hex by playing itself, and then meets the plain search at equal simulations.

    python examples/alphazero_hex.py [FOLDER]

A few minutes on one core. The loop is `tesuji.learning.network.self_play`; interrupted, it goes on from its folder. At
the end the search guided by the network meets the search with playouts, both with 100 simulations a move, first and
second in turn, from random first moves. Needs the extra `learn`: pip install 'tesuji[learn]'.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.games import Hex
from tesuji.learning.network.self_play import SelfPlay, SelfPlayConfig
from tesuji.search import Search

SIZE, SIMULATIONS = 6, 100


def wins_of(loop: SelfPlay, games: int) -> int:
    """Games that the network's search wins against the search with playouts."""
    wins = 0
    for number in range(games):
        game = Hex(SIZE)
        game.play(int(np.random.default_rng(number // 2).integers(SIZE * SIZE)))
        network_plays = number % 2
        while not game.is_over:
            if game.to_play == network_plays:
                search = Search(game, loop.search_config, evaluator=loop.evaluator())
            else:
                search = Search(game)
            game.play(search.run(simulations=SIMULATIONS, seed=number).best_move)
        wins += game.value == (1.0 if network_plays == 0 else 0.0)
    return wins


def say(told: dict[str, Any]) -> None:
    """A line for each iteration."""
    print(f"iteration {told['iteration']}: {told['positions']} positions, policy loss {told['policy']:.3f}", flush=True)


def main(folder: str = "alphazero-hex", iterations: str = "8", games: str = "40") -> None:
    """Learn, and play."""
    loop = SelfPlay(Hex(SIZE), Path(folder), SelfPlayConfig())
    loop.run(iterations=int(iterations), on_iteration=say)
    won = wins_of(loop, int(games))
    print(f"with {SIMULATIONS} simulations a move, the network's search won {won} of {games} games against playouts")


if __name__ == "__main__":
    main(*sys.argv[1:])
