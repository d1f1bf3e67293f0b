"""A tiny neural network in plain NumPy that learns Hex from the search, and then guides it.

    python examples/neural_network.py

The network sees the two players' stones and says what a position is worth and which moves look good. It learns from
games of the search with playouts; then the search uses it instead of playouts. docs/howto/evaluator.md explains the
parts. Nothing here is tuned: it shows how the pieces fit, not how strong they get.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tesuji.games import Hex
from tesuji.search import PUCT, LeafBatch, Search, SearchConfig

SIZE = 5
CELLS = SIZE * SIZE


class TinyNetwork:
    """One hidden layer; a value for the first player, and a share for every move.

    Who moves is one more input, and moves that are not legal need no care: the search leaves them out.
    """

    def __init__(self, hidden: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.hidden = rng.normal(0, 0.2, (2 * CELLS + 2, hidden))  # the last two inputs: who moves, and a constant
        self.value = rng.normal(0, 0.1, hidden)
        self.policy = rng.normal(0, 0.1, (hidden, CELLS))

    def __call__(self, batch: LeafBatch) -> tuple[Any, Any]:
        """An evaluator: values of shape (n,), priors of shape (n, moves)."""
        return self.forward(inputs_of(batch.states, batch.to_play))[1:]

    def forward(self, inputs: Any) -> tuple[Any, Any, Any]:
        """Hidden layer, values, priors."""
        hidden = np.tanh(inputs @ self.hidden)
        logits = hidden @ self.policy
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, 1 / (1 + np.exp(-hidden @ self.value)), shares / shares.sum(axis=1, keepdims=True)

    def learn(self, inputs: Any, values: Any, shares: Any, rate: float) -> float:
        """One step down the gradient of both cross entropies; how far off the values were."""
        hidden, guessed, priors = self.forward(inputs)
        value_error, policy_error = (guessed - values) / len(values), (priors - shares) / len(values)
        back = (np.outer(value_error, self.value) + policy_error @ self.policy.T) * (1 - hidden**2)
        self.value -= rate * hidden.T @ value_error
        self.policy -= rate * hidden.T @ policy_error
        self.hidden -= rate * inputs.T @ back
        return float(np.abs(guessed - values).mean())


def inputs_of(states: Any, to_play: Any) -> Any:
    """What the network sees of a batch, shape (n, inputs)."""
    return np.column_stack([states.reshape(len(states), -1), to_play, np.ones(len(states))])


def positions_of_games(number: int, simulations: int) -> tuple[Any, Any, Any]:
    """Play games of the search with playouts; inputs, values for the first player, shares of the visits."""
    inputs, values, shares = [], [], []
    for seed in range(number):
        game, rng = Hex(SIZE), np.random.default_rng(seed)
        while not game.is_over:
            result = Search(game).run(simulations=simulations, seed=seed)
            share = np.zeros(CELLS)
            share[result.moves] = result.visits / result.visits.sum()
            owners = np.array([game.owner(move) for move in range(CELLS)])
            planes = np.stack([owners == 0, owners == 1])[None]
            inputs.append(inputs_of(planes, [game.to_play])[0])
            values.append(result.value if game.to_play == 0 else 1 - result.value)
            shares.append(share)
            game.play(int(rng.choice(CELLS, p=share)))
    return np.array(inputs), np.array(values), np.array(shares)


def wins_of(network: TinyNetwork, games: int, simulations: int) -> int:
    """Play the search with the network against the search with playouts, each first in half of the games."""
    wins = 0
    for index in range(games):
        game = Hex(SIZE)
        for move in np.random.default_rng(index // 2).permutation(CELLS)[:1]:
            game.play(int(move))
        network_plays = index % 2
        while not game.is_over:
            if game.to_play == network_plays:
                search = Search(game, SearchConfig(selection=PUCT(c=1.5)), evaluator=network)
            else:
                search = Search(game)
            game.play(search.run(simulations=simulations, seed=index).best_move)
        wins += game.value == (1.0 if network_plays == 0 else 0.0)
    return wins


def main(games: int = 60, steps: int = 400) -> None:
    """Learn, and play."""
    inputs, values, shares = positions_of_games(games, simulations=200)
    print(f"{len(inputs)} positions from {games} games")
    network = TinyNetwork(hidden=64, seed=1)
    errors = [network.learn(inputs, values, shares, rate=1.0) for _ in range(steps)]
    print(f"mean error of a value: {errors[0]:.3f} before learning, {errors[-1]:.3f} after")
    won = wins_of(network, games=20, simulations=64)
    print(f"with 64 simulations a move, the network's search won {won} of 20 games against playouts")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
