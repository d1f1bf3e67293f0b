"""Playouts that learn, for a game that is not Go: Connect Four.

The policy remembers, for each player and each move of the opponent, how often each answer won, as win/loss states; its
playouts play the best known answer where it wins more often than not, else a random move. Go's own version has the
surroundings of a move beside it (docs/algorithms/learning-playouts.md). Both sides of the match below make as many
simulations; plain Python is slow, so there are few, and what so few teach need not win.

    python examples/learning_playouts.py
"""

from __future__ import annotations

import random
from itertools import pairwise

from tesuji.games import Connect4
from tesuji.learning import WinLossStates
from tesuji.search import Search
from tesuji.search.playouts import PlayedMove, RandomStream

STATES = WinLossStates()
THRESHOLD = STATES.state(2, 3)


class LearningPlayouts:
    """The best known answer to the last move, from two wins of three on; else any move."""

    def __init__(self) -> None:
        self.answers = STATES.zeros((2, 8, 7))  # player, the move before (7: none), the answer
        self.last = 7

    def begin(self, _state: Connect4, walk: list[PlayedMove]) -> None:
        """A playout begins after the moves of the walk."""
        self.last = walk[-1].move if walk else 7

    def step(self, state: Connect4, stream: RandomStream) -> int:
        """The next move."""
        moves = state.legal_moves()
        known = self.answers[state.to_play, self.last]
        best = max(moves, key=lambda move: known[move])
        move = best if known[best] >= THRESHOLD else stream.choice(moves)
        self.last = move
        return move

    def observe(self, walk: list[PlayedMove], moves: list[PlayedMove], value: float) -> None:
        """The winner's answers won, the loser's lost; the walk through the tree is learnt from, too."""
        if value == 0.5:
            return
        played = [*walk, *moves]
        for before, answer in pairwise(played):
            states = self.answers[answer.player, before.move]
            table = STATES.win if (answer.player == 0) == (value > 0.5) else STATES.loss
            states[answer.move] = table[states[answer.move]]


def play(first_learns: bool, seed: int, simulations: int = 60) -> float:
    """One game; what it is worth to the side that learns."""
    game, coin = Connect4(), random.Random(seed)
    for _ in range(2):
        game.play(coin.choice(game.legal_moves()))
    while not game.is_over:
        learns = (game.to_play == 0) == first_learns
        search = Search(game, playouts=LearningPlayouts() if learns else None)
        game.play(search.run(simulations=simulations, seed=coin.randrange(2**32)).best_move)
    return game.value if first_learns else 1 - game.value


def main() -> None:
    """A short match, both colours from every opening."""
    games = [play(first_learns, seed) for seed in range(10) for first_learns in (True, False)]
    print(f"Playouts that learn score {sum(games):g} of {len(games)} games against uniform ones.")


if __name__ == "__main__":
    main()
