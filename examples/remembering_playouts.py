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


def play(*, is_used: bool) -> tuple[list[int], StopAtKnown]:
    """Twelve moves of a game of the search with itself, with one memory for both; columns from 0."""
    known = StopAtKnown(
        positions=KnownPositions.of_size(16), min_weight=5, stops=is_used, learns="all", gives_priors=is_used
    )
    config = SearchConfig(prior=VirtualVisits(visits=5)) if is_used else SearchConfig()
    game, moves = Connect4(), []
    for _ in range(MOVES):
        moves.append(Search(game, config, playouts=known).run(simulations=SIMULATIONS, seed=1).best_move)
        game.play(moves[-1])
    return moves, known


def main() -> None:
    """Play the same opening with and without the use of what is known."""
    for is_used in (False, True):
        moves, known = play(is_used=is_used)
        counts = known.counts
        print("what is known is used" if is_used else "what is known is only written down")
        print(f"  {counts.playouts:,} playouts, {counts.stopped / counts.playouts:.0%} stopped early,", end=" ")
        print(f"{counts.moves / counts.playouts:.1f} moves each; {len(known.positions):,} positions in the table")
        print(f"  the game: {' '.join(map(str, moves))}")


if __name__ == "__main__":
    main()
