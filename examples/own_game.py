"""Connect Four written three ways: native, compiled from Python, plain Python. Checks that they agree, and times them.

    python examples/own_game.py

The two that Python wrote are in tesuji/games/connect4.py; docs/howto/own-game.md goes through them.
"""

from __future__ import annotations

import random
import time
from typing import Any

from tesuji.games import Connect4, check_game
from tesuji.games.connect4 import PlainConnect4, compiled_connect4
from tesuji.search import Search


def agree(games: dict[str, Any], seed: int) -> int:
    """Play one random game with all of them at once; how many moves it had."""
    rng, number = random.Random(seed), 0
    states = {way: game.copy() for way, game in games.items()}
    while not states["native"].is_over:
        listed = {way: list(state.legal_moves()) for way, state in states.items()}
        assert listed["compiled"] == listed["plain"] == listed["native"], listed
        move = rng.choice(listed["native"])
        for state in states.values():
            state.play(move)
        number += 1
    assert len({state.value for state in states.values()}) == 1
    return number


def main() -> None:
    """Check, compare, search."""
    started = time.perf_counter()
    games = {"native": Connect4(), "compiled": compiled_connect4(), "plain": PlainConnect4()}
    print(f"compiled in {time.perf_counter() - started:.1f} s")
    for game in games.values():
        check_game(game, games=5)
    print(f"{sum(agree(games, seed) for seed in range(20))} random moves agree")
    for way, game in games.items():
        result = Search(game).run(simulations=1_000 if way == "plain" else 50_000, seed=1)
        print(f"{way:<9} {result.simulations_per_s:>12,.0f} simulations/s, best move {result.best_move}")


if __name__ == "__main__":
    main()
