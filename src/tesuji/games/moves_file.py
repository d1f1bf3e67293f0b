"""A game that is not Go as a text file: a line that names it, its moves as people write them, how it ended.

Hex on 5x5: Red You, Blue Tesuji, seed 1
c3 b4 c4
not finished
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from tesuji.games.catalogue import NATIVE_GAMES, native_game_of
from tesuji.games.terminal import view_of

__all__ = ["game_of_moves", "moves_text"]

_LONGEST = 1_000_000


def moves_text(game: Any, moves: Sequence[str], about: str, result: str = "") -> str:
    """Write a game down.

    Parameters
    ----------
    game : Game
        Any position of it.
    moves : sequence of str
        As people write them.
    about : str
        Who played, in a line.
    result : str
        In words; empty while nobody has won.
    """
    entry = native_game_of(game)
    title = view_of(game).title if entry is None else entry.described(getattr(game, "size", 0))
    return f"{title}: {about}\n{textwrap.fill(' '.join(moves), 100)}\n{result or 'not finished'}\n"


def game_of_moves(text: str) -> tuple[Any, list[int]]:
    """The start of a game that was written down, and its moves; all of them are legal.

    Raises
    ------
    ValueError
        If it is none of a native game; says in which line.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"it has {len(text):,} characters; a game has {_LONGEST:,} at most")
    lines = text.splitlines()
    start = _start(lines[0].partition(":")[0].strip() if lines else "")
    view, game = view_of(start), start.copy()
    moves: list[int] = []
    for word in " ".join(lines[1:-1]).split():
        move = view.parse(word)
        if reason := "the game is over" if game.is_over else view.why_illegal(game, move):
            raise ValueError(f"move {len(moves) + 1}, {word[:20]}, cannot be played: {reason}")
        game.play(move)
        moves.append(move)
    return start, moves


def _start(title: str) -> Any:
    for entry in NATIVE_GAMES.values():
        for size in entry.sizes or (0,):
            if entry.described(size) == title:
                return entry.make(size) if size else entry.make()
    raise ValueError(
        "its first line does not name a game and its size, as in 'Hex on 5x5: Red You, Blue Tesuji';"
        " tesuji play --save writes such files"
    )
