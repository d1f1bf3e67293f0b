"""Rules for `CompiledGame` in the tests: Nim as functions over a record, and ways to break it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tesuji.games import CompiledGame, below

NIM = np.dtype([("heap", np.int64), ("to_play", np.int8)])


def initial(state: Any) -> None:
    state.heap = 10


def legal_moves(state: Any, moves: Any) -> int:
    count = min(3, state.heap)
    for move in range(count):
        moves[move] = move
    return count


def play(state: Any, move: int) -> None:
    if move >= state.heap:
        raise ValueError("there are not that many stones")
    state.heap -= move + 1
    state.to_play = 1 - state.to_play


def is_over(state: Any) -> bool:
    return state.heap == 0


def value(state: Any) -> float:
    return 1.0 if state.to_play == 1 else 0.0


def playout(state: Any, random: Any) -> float:
    while state.heap > 0:
        play(state, below(random, min(3, state.heap)))
    return value(state)


def nim(**changes: Any) -> CompiledGame:
    """Nim from a heap of ten, one to three stones a move, with functions of the test's own."""
    settings: dict[str, Any] = {
        "dtype": NIM,
        "num_distinct_moves": 3,
        "legal_moves": legal_moves,
        "play": play,
        "is_over": is_over,
        "value": value,
        "initial": initial,
    }
    return CompiledGame(**(settings | changes))
