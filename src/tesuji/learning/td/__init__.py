"""Temporal differences: a small network learns a game, or its opening, by playing against itself.

>>> from tesuji.learning.td import GameTask, Training, TrainingConfig, train
>>> def stones(game, player):
...     return [game.owner(move) == seat for seat in (player, 1 - player) for move in range(9)]
>>> task = GameTask("tictactoe", features=stones)
>>> training = Training.begin(task, TrainingConfig(test_every=100, test_games=20))
>>> train(task, training, 200)
>>> [point.trained for point in training.curve]
[0, 100, 200]

Huang, Connell and McQuade (2003), "Experiments with Learning Opening Strategy in the Game of Go". Go's own part is
`tesuji.go.opening`.
"""

from tesuji.learning.td.exploration import Exploration
from tesuji.learning.td.games import GameTask
from tesuji.learning.td.network import ValueNetwork
from tesuji.learning.td.player_file import PlayerFileError, load_player, save_player
from tesuji.learning.td.task import OutcomeError, Task
from tesuji.learning.td.training import CurvePoint, DivergenceError, Training, TrainingConfig, train

__all__ = [
    "CurvePoint",
    "DivergenceError",
    "Exploration",
    "GameTask",
    "OutcomeError",
    "PlayerFileError",
    "Task",
    "Training",
    "TrainingConfig",
    "ValueNetwork",
    "load_player",
    "save_player",
    "train",
]
