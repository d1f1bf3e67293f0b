"""A player that learns Hex by temporal differences, from nothing but where the stones are.

    python examples/learn_hex.py              a minute of learning, and how often it then beats uniform play
    tesuji learn player hex --size 7 --features examples/learn_hex.py:stones        the same, kept in a file

docs/howto/train-a-player.md explains it.
"""

from __future__ import annotations

import sys
from typing import Any

from tesuji.learning.td import Exploration, GameTask, Training, TrainingConfig, train


def stones(game: Any, player: int) -> list[bool]:
    """The player's stones, then the opponent's; turned so that the player always joins top and bottom."""
    rows = columns = range(game.size)
    cells = [(row, column) if player == 0 else (column, row) for row in rows for column in columns]
    owners = [game.owner(row * game.size + column) for row, column in cells]
    return [owner == player for owner in owners] + [owner == 1 - player for owner in owners]


def main(games: int, size: int = 5) -> None:
    """Learn, and show the tests on the way."""
    task = GameTask("hex", features=stones, size=size)
    config = TrainingConfig(rate=0.3, test_every=games // 4, test_games=50, exploration=Exploration(games=games))
    training = Training.begin(task, config)
    print(f"Hex {size}x{size}: {task.num_inputs} inputs, {config.units} units")

    def show(now: Training) -> None:
        print(f"after {now.games:4} games: {100 * now.curve[-1].rate:3.0f} % against uniform play", flush=True)

    train(task, training, games, on_test=show)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
