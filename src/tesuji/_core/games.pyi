"""Native games."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class TicTacToe:
    """Tic-tac-toe; a move is 3 * row + column."""

    def __init__(self) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int:
        """0: the first player, 1: the second."""

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float:
        """For the first player, 0..1; only when the game is over."""

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> TicTacToe: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def owner(self, square: int) -> int:
        """-1: empty, else the player."""

class Connect4:
    """Connect Four on six rows and seven columns; a move is a column."""

    def __init__(self) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int:
        """0: the first player, 1: the second."""

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float:
        """For the first player, 0..1; only when the game is over."""

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Connect4: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def owner(self, row: int, column: int) -> int:
        """-1: empty, else the player; row 0 is the lowest."""

class Hex:
    """
    Hex; the first player joins top and bottom. A move is row * size + column.
    """

    def __init__(self, size: int = 11) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int:
        """0: the first player, 1: the second."""

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float:
        """For the first player, 0..1; only when the game is over."""

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Hex: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def size(self) -> int: ...

    def owner(self, move: int) -> int:
        """-1: empty, else the player."""

class CompiledRules:
    """C functions over a record; made by tesuji.games.compilation."""

    def __init__(self, record_bytes: int, num_distinct_moves: int, addresses: dict[str, int], explain: object, kept: object) -> None: ...

class CompiledGame:
    """A state of a compiled game."""

    def __init__(self, rules: CompiledRules, record: bytes) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float: ...

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None: ...

    def copy(self) -> CompiledGame: ...

    def key(self) -> int: ...

    @property
    def record(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The record's bytes; writing to them changes the state."""
