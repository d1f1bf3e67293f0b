"""Native games."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import tesuji._core.search


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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> TicTacToe: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Connect4: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def owner(self, row: int, column: int) -> int:
        """-1: empty, else the player; row 0 is the lowest."""

class Othello:
    """Othello; a move is 8 * row + column, row 0 at the top, or 64: pass."""

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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Othello: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def owner(self, square: int) -> int:
        """-1: empty, else the player."""

class Breakthrough:
    """
    Breakthrough on 8x8; the first player goes up from rows 0 and 1. A move is 6 * (8 * row + column) + direction: up left, up, up right, down left, down, down right.
    """

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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Breakthrough: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def owner(self, square: int) -> int:
        """-1: empty, else the player."""

class Gomoku:
    """Gomoku: five or more in a row. A move is row * size + column."""

    def __init__(self, size: int = 15) -> None: ...

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
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Gomoku: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def size(self) -> int: ...

    def owner(self, move: int) -> int:
        """-1: empty, else the player."""

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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Hex: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def size(self) -> int: ...

    def owner(self, move: int) -> int:
        """-1: empty, else the player."""

class Y:
    """
    Y on a triangle; row r has r + 1 cells, row 0 is the tip. A move is r * (r + 1) / 2 + column.
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
        """
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Y: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def size(self) -> int: ...

    def owner(self, move: int) -> int:
        """-1: empty, else the player."""

class Havannah:
    """
    Havannah on a hexagon with this many cells a side; moves number the cells row by row.
    """

    def __init__(self, size: int = 8) -> None: ...

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
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Havannah: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def size(self) -> int:
        """Cells of a side."""

    def owner(self, move: int) -> int:
        """-1: empty, else the player."""

class SameGame:
    """
    SameGame on up to 15x15 cells with up to 9 colours; a move is column * height + row of the first stone of a group (leftmost column, lowest row).
    """

    def __init__(self, picture: str, *, playout: str = 'uniform') -> None:
        """
        Rows from the top; digits are colours, dots are empty cells. playout: 'uniform' or 'tabu-color'.
        """

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
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> SameGame: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def goal(self) -> str:
        """'maximise' or 'minimise': what the player wants of the value."""

    @property
    def bound(self) -> float:
        """
        The best value that is still possible; no solution from here is better.
        """

    def make_nested(self, level: int, num_threads: int, seed: int) -> tesuji._core.search.NestedSearch:
        """A nested search from this state; tesuji.search.solve asks for it."""

    def make_orders(self, patience: int, num_threads: int, seed: int, begin_with: Sequence[int] = [], reads_by_fit: bool = True) -> tesuji._core.search.IndependentSearch:
        """
        A local search over orders of moves from this state; tesuji.search.solve asks for it.
        """

    def make_nrpa(self, config: tesuji._core.search.NrpaConfig, num_threads: int, seed: int) -> tesuji._core.search.IndependentSearch:
        """
        A nested rollout policy adaptation from this state; tesuji.search.solve asks for it.
        """

    @staticmethod
    def random(width: int = 15, height: int = 15, colors: int = 5, *, seed: int, playout: str = 'uniform') -> SameGame:
        """A board whose cells have random colours."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def score(self) -> int:
        """Of the groups taken so far."""

    @property
    def picture(self) -> str:
        """The board as the constructor reads it."""

class Knapsack:
    """
    The 0/1 knapsack problem; a move takes an item, in ascending order of their numbers.
    """

    def __init__(self, weights: Sequence[int], worths: Sequence[int], capacity: int) -> None: ...

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
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Knapsack: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def goal(self) -> str:
        """'maximise' or 'minimise': what the player wants of the value."""

    @property
    def bound(self) -> float:
        """
        The best value that is still possible; no solution from here is better.
        """

    def make_nested(self, level: int, num_threads: int, seed: int) -> tesuji._core.search.NestedSearch:
        """A nested search from this state; tesuji.search.solve asks for it."""

    def make_orders(self, patience: int, num_threads: int, seed: int, begin_with: Sequence[int] = [], reads_by_fit: bool = True) -> tesuji._core.search.IndependentSearch:
        """
        A local search over orders of moves from this state; tesuji.search.solve asks for it.
        """

    def make_nrpa(self, config: tesuji._core.search.NrpaConfig, num_threads: int, seed: int) -> tesuji._core.search.IndependentSearch:
        """
        A nested rollout policy adaptation from this state; tesuji.search.solve asks for it.
        """

    @staticmethod
    def random(items: int, *, seed: int) -> Knapsack:
        """Weights and worths of 1..100; half of the weight fits."""

    @property
    def weights(self) -> list[int]: ...

    @property
    def worths(self) -> list[int]: ...

    @property
    def room(self) -> int:
        """The weight that may still be taken."""

class TSP:
    """
    The travelling salesman problem in the plane, from city 0; a move is the next city.
    """

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None: ...

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
        For the first player, 0..1, or the one player's number; only when the game is over.
        """

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> TSP: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def goal(self) -> str:
        """'maximise' or 'minimise': what the player wants of the value."""

    @property
    def bound(self) -> float:
        """
        The best value that is still possible; no solution from here is better.
        """

    def make_nested(self, level: int, num_threads: int, seed: int) -> tesuji._core.search.NestedSearch:
        """A nested search from this state; tesuji.search.solve asks for it."""

    def make_orders(self, patience: int, num_threads: int, seed: int, begin_with: Sequence[int] = [], reads_by_fit: bool = True) -> tesuji._core.search.IndependentSearch:
        """
        A local search over orders of moves from this state; tesuji.search.solve asks for it.
        """

    def make_nrpa(self, config: tesuji._core.search.NrpaConfig, num_threads: int, seed: int) -> tesuji._core.search.IndependentSearch:
        """
        A nested rollout policy adaptation from this state; tesuji.search.solve asks for it.
        """

    @staticmethod
    def random(cities: int, *, seed: int) -> TSP:
        """Grid points of a 1000x1000 square."""

    @property
    def xs(self) -> list[float]: ...

    @property
    def ys(self) -> list[float]: ...

class CompiledRules:
    """C functions over a record; made by tesuji.games.compilation."""

    def __init__(self, record_bytes: int, num_distinct_moves: int, goal: str, addresses: dict[str, int], has_own_playout: bool, explain: object, kept: object) -> None: ...

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

    def bound(self) -> float: ...

    def priors(self, moves: Sequence[int]) -> list[float]: ...

    def make_nested(self, level: int, num_threads: int, seed: int) -> tesuji._core.search.NestedSearch:
        """A nested search from this state; tesuji.search.solve asks for it."""

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    @property
    def record(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The record's bytes; writing to them changes the state."""

class CompiledSteps:
    """
    C functions of a playout policy; made by tesuji.games.CompiledPlayouts.
    """

    def __init__(self, game: CompiledGame, addresses: dict[str, int], explain: object, kept: object) -> None: ...

class PGameGroups:
    """The groups that were drawn with a P-game, for a search."""

    def __init__(self) -> None: ...

class PGame:
    """A P-game; tesuji.games.PGame documents it."""

    def __init__(self, *, breadth: int, depth: int, combination: float, seed: int, mixed_root: bool, amounts_in_range: bool, num_groups: int, group_size: float, group_bias: float, memory_bytes: int) -> None: ...

    @staticmethod
    def check(*, breadth: int, depth: int, combination: float, seed: int, mixed_root: bool, amounts_in_range: bool, num_groups: int, group_size: float, group_bias: float, memory_bytes: int) -> None:
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
    def identity(self) -> str:
        """Which P-game it is of, in words: their keys are all alike."""

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

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def groups(self, *, overlap: bool) -> dict[str, list[int]]:
        """
        Named sets of moves; the last is 'else': all moves, or with overlap=False those in no other group.
        """
