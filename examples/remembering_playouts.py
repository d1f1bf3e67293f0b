"""Playouts that remember: Connect Four with a memory of positions, kept from move to move of a game.

What simulations find out about a position is entered into a table. A later playout that comes there again ends with
what is known, so the same number of simulations needs fewer moves; and the values of known positions are the priors of
the moves that lead to them. The same decorator works for every game with a hash.

Run it:  python examples/remembering_playouts.py
"""

from __future__ import annotations

from tesuji.games import Connect4
from tesuji.search import Search, SearchConfig, VirtualVisits
from tesuji.search.playouts import KnownPositions, StopAtKnown

SIMULATIONS, MOVES = 2_000, 12


def play(*, stops: bool) -> tuple[Connect4, StopAtKnown]:
    """Twelve moves of a game of the search with itself, with one memory for both."""
    known = StopAtKnown(
        positions=KnownPositions.of_size(4), min_weight=30, stops=stops, learns="all", gives_priors=stops
    )
    game = Connect4()
    for _ in range(MOVES):
        search = Search(game, SearchConfig(prior=VirtualVisits(visits=5)), playouts=known)
        game.play(search.run(simulations=SIMULATIONS, seed=1).best_move)
    return game, known


def main() -> None:
    """Play the same opening with and without the use of what is known."""
    for stops in (False, True):
        game, known = play(stops=stops)
        counts = known.counts
        print("playouts stop at known positions" if stops else "playouts go to the end of the game")
        print(f"  {counts.playouts:,} playouts, {counts.stopped / counts.playouts:.0%} stopped early,", end=" ")
        print(f"{counts.moves / counts.playouts:.1f} moves each; {len(known.positions):,} positions known")
        print(f"  moves so far: {game}\n" if not stops else f"  moves so far: {game}")


if __name__ == "__main__":
    main()
