"""Games: what the search asks of one, the native ones, and a check for your own.

>>> from tesuji.games import Hex, check_game
>>> check_game(Hex(5))
"""

from tesuji._core.games import TSP, Connect4, Hex, Knapsack, SameGame, TicTacToe
from tesuji.games.check import BrokenGame, check_game
from tesuji.games.protocol import Game, OnePlayerGame

__all__ = [
    "TSP",
    "BrokenGame",
    "Connect4",
    "Game",
    "Hex",
    "Knapsack",
    "OnePlayerGame",
    "SameGame",
    "TicTacToe",
    "check_game",
]
