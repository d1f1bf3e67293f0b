"""Games: what the search asks of one, the native ones, and a check for your own.

>>> from tesuji.games import Hex, check_game
>>> check_game(Hex(5))
"""

from tesuji._core.games import Connect4, Hex, PGamePosition, TicTacToe
from tesuji.games.check import BrokenGame, check_game
from tesuji.games.pgame import PGame, PGameSpec
from tesuji.games.protocol import Game

__all__ = ["BrokenGame", "Connect4", "Game", "Hex", "PGame", "PGamePosition", "PGameSpec", "TicTacToe", "check_game"]
