"""One search over two workers of a cluster against one search alone, at Hex: whether the exchange makes it stronger.

Each root of the cluster does as many simulations as the lone search, so that two roots have twice as many together. The
third line of the table is a lone search with twice the simulations: what a perfect exchange would reach.

    python bench/cluster_vs_one.py --games 60
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from dask.distributed import Client, LocalCluster

from tesuji.experiments.run.cluster_search import ClusterSearch
from tesuji.experiments.stats.elo import elo_from_games, wilson
from tesuji.games import Hex
from tesuji.search import RAVE, UCB1, Search, SearchConfig

CONFIG = SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=300.0))

Player = Callable[[Hex, int], int]


def lone(simulations: int) -> Player:
    """A search in this process."""
    return lambda game, seed: Search(game, CONFIG).run(simulations=simulations, seed=seed).best_move


def together(client: Client, num_roots: int, simulations: int) -> Player:
    """Several roots, each with so many simulations."""

    def choose(game: Hex, seed: int) -> int:
        with ClusterSearch(game, CONFIG, client=client, num_roots=num_roots) as search:
            return search.run(simulations=num_roots * simulations, seed=seed).best_move

    return choose


def play(first: Player, second: Player, size: int, seed: int) -> int:
    """Play a game after two random moves; 0 if the first player won, else 1."""
    game, rng = Hex(size), random.Random(seed)
    for _ in range(2):
        game.play(rng.choice(game.legal_moves()))
    while not game.is_over:
        game.play((first, second)[game.to_play](game, rng.getrandbits(40)))
    return 0 if game.value == 1 else 1


def compare(name: str, player: Player, opponent: Player, size: int, games: int, seed: int) -> None:
    """Play pairs of games with colours exchanged and print the score."""
    wins = 0
    for index in range(games):
        is_first = index % 2 == 0
        players = (player, opponent) if is_first else (opponent, player)
        wins += (play(*players, size, seed + index // 2) == 0) == is_first
    rate, elo = wilson(wins, games), elo_from_games(wins, 0, games - wins)
    print(
        f"{name}: {wins} of {games}, {100 * rate.low:.0f} to {100 * rate.high:.0f} %, "
        f"Elo {elo.elo:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]",
        flush=True,
    )


def main() -> None:
    """Read the command line, start a cluster of two workers, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    one = lone(options.simulations)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for name, player in (
            ("two roots against one search", together(client, 2, options.simulations)),
            ("twice the simulations against one search", lone(2 * options.simulations)),
        ):
            compare(name, player, one, options.size, options.games, options.seed)


if __name__ == "__main__":
    main()
