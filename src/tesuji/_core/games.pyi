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

class PGame:
    """A P-game; tesuji.games.PGame documents it."""

    def __init__(self, *, breadth: int, depth: int, combination: float, seed: int, mixed_root: bool, num_groups: int, group_size: float, group_bias: float, memory_bytes: int) -> None: ...

    @staticmethod
    def check(*, breadth: int, depth: int, combination: float, seed: int, mixed_root: bool, num_groups: int, group_size: float, group_bias: float, memory_bytes: int) -> None:
        """
        ValueError if there is no such game, or if it is larger than its cap; nothing is drawn.
        """

    def unfolded(self, memory_bytes: int) -> PGame: ...

    @property
    def num_nodes(self) -> int: ...

    @property
    def num_redraws(self) -> int: ...

    @property
    def num_amounts_out_of_range(self) -> int: ...

    @property
    def level_starts(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...

    @property
    def scores(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def groups(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    def winners(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

    def children(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None))]: ...

class PGamePosition:
    """A place in a P-game; a move is a number from 0 to breadth - 1."""

    def __init__(self, game: PGame) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int:
        """0: the first player, 1: the second."""

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float:
        """
        For the first player under best play: 1 or 0. Known everywhere, not only when the game is over.
        """

    @property
    def node(self) -> int:
        """The number of this place in the arrays of the game."""

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def is_winning(self, move: int) -> bool:
        """Whether the move wins for the player who makes it."""

    def copy(self) -> PGamePosition: ...

    def key(self) -> int:
        """The node: equal states have equal keys."""

    def groups(self, *, overlap: bool) -> dict[str, list[int]]:
        """
        Named sets of moves; the last is 'else': all moves, or with overlap=False those in no other group.
        """
