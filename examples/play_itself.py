"""A game of the search against itself: one graph that is kept from move to move, saved in the middle and loaded again.

python examples/play_itself.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

from tesuji.games import Connect4
from tesuji.search import UCB1, Search, SearchConfig

SAVED_AT = 6  # moves


def main(folder: Path) -> None:
    """Play Connect Four to the end and print every move."""
    game, moves = Connect4(), 0
    search = Search(game, SearchConfig(selection=UCB1(c=0.5), graph="dag", solver=True))
    while not game.is_over:
        if moves == SAVED_AT:
            search = Search.load(search.save(folder / "connect4.graph"), game)
        result = search.run(simulations=3_000, seed=1 if moves == 0 else None)
        known = int(result.visits.sum()) - result.simulations
        print(f"{moves + 1:2}. column {result.name(result.best_move)}  value {result.value:.2f}  {known:,} visits kept")
        game.play(result.best_move)
        moves += 1
        if not game.is_over:
            search.advance(result.best_move)
    print(game)
    print({1.0: "Red wins", 0.0: "Yellow wins"}.get(game.value, "A draw"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
