"""Pictures of playout rules: `x` or `o` is the stone that moved last, `*` marks the moves expected of the other side.

Every picture is also turned, mirrored and played with exchanged colours.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tesuji.go import Board, Color, Rules
from tesuji.go.knowledge.playouts import (
    PlayoutPolicy,
    candidates,
)

BLACK, WHITE = Color.BLACK, Color.WHITE
PLAIN = PlayoutPolicy()  # refuses nothing, reads nothing
READER = PlayoutPolicy(reads_ladders=True)
SIMPLE_KO = Rules(
    name="simple ko", scoring="area", ko="simple", suicide=False, pass_stones=False, handicap_bonus="none", komi=0.0
)


def forms(picture: str) -> Iterator[tuple[np.ndarray, Color]]:
    """The signs of a picture in all eight positions and both colourings, and the colour of its X."""
    signs = np.array([line.split() for line in picture.split("\n") if line.strip()])
    for start in (signs, signs.T):
        for quarter in range(4):
            turned = np.rot90(start, quarter)
            yield turned, BLACK
            yield np.array([[sign.translate(str.maketrans("XOxo", "OXox")) for sign in row] for row in turned]), WHITE


def board_of(signs: np.ndarray, to_play: Color = BLACK) -> Board:
    """The board of a picture's signs. If it has a last move, that is played and the other side is to move."""
    last = np.flatnonzero(np.isin(signs.reshape(-1), ["x", "o"]))
    rows = "\n".join(" ".join(sign if sign in "XO" else "." for sign in row) for row in signs)
    if last.size == 0:
        return Board.from_text(rows, to_play=to_play, rules=SIMPLE_KO)
    mover = BLACK if signs.reshape(-1)[last[0]] == "x" else WHITE
    board = Board.from_text(rows, to_play=mover, rules=SIMPLE_KO)
    board.play(int(last[0]))
    return board


def marked(signs: np.ndarray) -> list[int]:
    return np.flatnonzero(signs.reshape(-1) == "*").tolist()


def assert_finds(rule: str, picture: str, policy: PlayoutPolicy = PLAIN) -> None:
    for signs, me in forms(picture):
        board = board_of(signs, me)
        assert candidates(board, rule, policy) == marked(signs), board.to_text()
