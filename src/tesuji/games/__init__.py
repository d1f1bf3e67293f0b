"""Games: what the search asks of one, the native ones, and a check for your own.

>>> from tesuji.games import Hex, check_game
>>> check_game(Hex(5))
"""

from tesuji._core.games import (
    TSP,
    Breakthrough,
    Connect4,
    Gomoku,
    Havannah,
    Hex,
    Knapsack,
    Othello,
    PGamePosition,
    SameGame,
    TicTacToe,
    Y,
)
from tesuji.games.appearance import show_boards_of
from tesuji.games.catalogue import NATIVE_GAMES, NativeGame, game_named, make_game
from tesuji.games.check import BrokenGame, check_game
from tesuji.games.compiled import CompiledGame
from tesuji.games.compiled_playouts import CompiledPlayouts
from tesuji.games.functions import below
from tesuji.games.pgame import PGame, PGameSpec
from tesuji.games.protocol import Game, OnePlayerGame
from tesuji.games.spiel import open_spiel

__all__ = [
    "NATIVE_GAMES",
    "TSP",
    "Breakthrough",
    "BrokenGame",
    "CompiledGame",
    "CompiledPlayouts",
    "Connect4",
    "Game",
    "Gomoku",
    "Havannah",
    "Hex",
    "Knapsack",
    "NativeGame",
    "OnePlayerGame",
    "Othello",
    "PGame",
    "PGamePosition",
    "PGameSpec",
    "SameGame",
    "TicTacToe",
    "Y",
    "below",
    "check_game",
    "game_named",
    "make_game",
    "open_spiel",
]

show_boards_of(*(game.make for game in NATIVE_GAMES.values() if isinstance(game.make, type)))
