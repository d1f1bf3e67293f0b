"""Games: what the search asks of one, the native ones, and a check for your own.

>>> from tesuji.games import Hex, check_game
>>> check_game(Hex(5))
"""

from tesuji._core.games import Connect4, Hex, TicTacToe
from tesuji.games.check import BrokenGame, check_game
from tesuji.games.compiled import CompiledGame
from tesuji.games.functions import below
from tesuji.games.protocol import Game

__all__ = ["BrokenGame", "CompiledGame", "Connect4", "Game", "Hex", "TicTacToe", "below", "check_game"]
