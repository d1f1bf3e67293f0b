"""The game of Go: board, playouts, counting, life."""

import enum
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


MAX_SIZE: int = 25

class Position:
    """
    An immutable snapshot of a board: stones, side to move, ko point, passes.
    """

    def __init__(self, width: int, height: int, colors: bytes, to_play: int = 1, ko: int = -1, passes: int = 0) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def passes(self) -> int: ...

    @property
    def native_to_play(self) -> int: ...

    @property
    def native_ko(self) -> int: ...

    @property
    def key(self) -> int: ...

    @property
    def key32(self) -> int: ...

    @property
    def grid(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]: ...

    def state(self) -> tuple[int, int, bytes, int, int, int]:
        """The constructor's arguments, for pickling."""

    def same_as(self, arg: Position, /) -> bool: ...

class Legality(enum.Enum):
    """Why a move is illegal."""

    LEGAL = 0

    OFF_BOARD = 1

    OCCUPIED = 2

    KO = 3

    SUICIDE = 4

    REPETITION = 5

class Board:
    """A Go board with its history. Subclassed by tesuji.go.Board."""

    @overload
    def __init__(self, width: int, height: int, territory: bool, ko: int, suicide: bool, pass_stones: bool) -> None: ...

    @overload
    def __init__(self, other: Board) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def num_points(self) -> int: ...

    @property
    def pass_move(self) -> int: ...

    @property
    def passes(self) -> int: ...

    @property
    def num_moves(self) -> int: ...

    @property
    def native_to_play(self) -> int: ...

    @native_to_play.setter
    def native_to_play(self, arg: int, /) -> None: ...

    @property
    def native_ko(self) -> int: ...

    def turn(self, index: int) -> tuple[int, int]:
        """Colour and move of one turn, counted from 0."""

    def try_play(self, move: int, color: int = 0) -> bool:
        """
        Plays a legal move, or does nothing and returns False. Colour 0: the side to move.
        """

    def try_undo(self) -> bool:
        """Takes the last move back, or returns False."""

    def legality(self, move: int, color: int = 0) -> Legality: ...

    def native_legal_moves(self, color: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Points in order, then pass."""

    def try_set_up(self, position: Position) -> bool:
        """
        Replaces stones, side to move and ko point and forgets the moves; False if a chain would have no liberty.
        """

    def color_at(self, point: int) -> int: ...

    def chain(self, point: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The points of the chain at a point, in order; empty if there is no stone.
        """

    def liberties(self, point: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The exact liberties of the chain at a point, in order."""

    def in_atari(self, point: int) -> bool:
        """Does the chain at a point have exactly one liberty?"""

    def atari_chains(self, color: int) -> list[int]:
        """The smallest point of each chain in atari, in order."""

    def code3x3(self, point: int) -> int:
        """
        Two bits per neighbour from the low end: W, E, N, S, NW, NE, SW, SE; 3 is off the board.
        """

    def captured(self, color: int) -> int:
        """
        Stones of this colour that were captured (and handed over by passing, where the rules have it).
        """

    @property
    def key(self) -> int: ...

    @property
    def key32(self) -> int: ...

    @property
    def stones_key(self) -> int: ...

    @property
    def stones_key32(self) -> int: ...

    def snapshot(self) -> Position: ...

    @property
    def grid(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)]: ...

def tally(board: Board, dead: numpy.typing.NDArray[numpy.uint8], seki: numpy.typing.NDArray[numpy.uint8]) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]:
    """
    (black, white) pairs: stones left, points surrounded, those of them in seki, dead stones.
    """

def count_legal_positions(width: int, height: int) -> int:
    """
    Ways to fill a board of at most 16 points so that every chain has a liberty.
    """

def unconditional_life(board: Board, color: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Benson: points of the chains that live whatever happens, and of their vital regions.
    """

def ownership(board: Board, num_playouts: int, seed: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Per point: playouts after which black owns it minus those after which white does; and playouts that left it open.
    """

def playout_margins(board: Board, num_playouts: int, seed: int, mercy_margin: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Per light playout: black's area minus white's, without komi."""

def play_randomly(board: Board, seed: int) -> None:
    """Plays one light playout on the board itself, to its two passes."""
