"""A game that was played in the terminal as a file: SGF at Go, a list of moves at other games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from tesuji.games.moves_file import moves_text
from tesuji.games.terminal import GameView
from tesuji.go import Board
from tesuji.go.records.sgf import to_sgf

__all__ = ["saved_game"]


def saved_game(game: Any, view: GameView, moves: Sequence[int], *, human: int, result: str, seed: int) -> bytes:
    """Write a game down.

    Parameters
    ----------
    game : Board or Game
        As it stands.
    view : GameView
        What its moves and players are called.
    moves : sequence of int
        All of them.
    human : {0, 1}
        The person's seat.
    result : str
        In words, or at Go as SGF writes it; empty while nobody has won.
    seed : int
        The opponent's.
    """
    names = ("You", "Tesuji") if human == 0 else ("Tesuji", "You")
    if isinstance(game, Board):
        origin = {"DT": date.today().isoformat(), "GC": f"tesuji play go, seed {seed}"}
        return to_sgf(game, black=names[0], white=names[1], result=result, properties=origin)
    about = f"{view.players[0]} {names[0]}, {view.players[1]} {names[1]}, seed {seed}"
    return moves_text(game, [view.name(move) for move in moves], about, result).encode()
