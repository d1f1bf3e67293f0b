"""The board of a game, and the snapshot that it hands out.

`Board` is mutable and knows the whole game: moves, captures, superko. It keeps the contract of `tesuji.games.Game`, so
that whatever takes a game takes a board. `Position` is what stands on it at one moment: immutable, hashable. Both are
native underneath; this module adds names, pictures, messages and pickling.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji._core import search as _native_search
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import CHINESE, Rules, checked_komi, fixed_handicap, rules_named
from tesuji.go.rules.score import Score, count
from tesuji.go.rules.text import draw, read
from tesuji.go.rules.vertex import parse_vertex, to_vertex

__all__ = ["Board", "Color", "IllegalMove", "Position"]

_KO_RULES = {"simple": 0, "positional": 1, "situational": 2}
_COLORS = (Color.EMPTY, Color.BLACK, Color.WHITE)


class IllegalMove(ValueError):  # noqa: N818 - an illegal move is what it is called in every Go text
    """A move that the rules forbid; the message names the move and the rule."""


class Position(_native.Position):
    """An immutable snapshot: stones, side to move, ko point and consecutive passes.

    Two positions are equal if all four are. The NumPy view `grid` is uint8 of shape (height, width), row 0 at the top,
    with the values of `Color`.
    """

    @property
    def color_to_play(self) -> Color:
        """Who moves next."""
        return _COLORS[self.native_to_play]

    @property
    def ko(self) -> int | None:
        """The point where retaking is forbidden, if there is one."""
        return None if self.native_ko < 0 else self.native_ko

    def board(self, *, rules: Rules | str = CHINESE, komi: float | None = None) -> Board:
        """Set up a new board from this position, with no moves behind it."""
        board = Board(self.width, self.height, rules=rules, komi=komi)
        board._set_up(self)
        return board

    def to_text(self) -> str:
        """Draw the position; `Board.from_text` reads it."""
        return draw(self.grid)

    def __eq__(self, other: object) -> bool:
        return self.same_as(other) if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.key, self.width, self.height, self.passes))

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, self.state()

    def __repr__(self) -> str:
        return f"<Position {self.width}x{self.height}, {self.color_to_play} to play>\n{self.to_text()}"

    def _repr_svg_(self) -> str:
        """A picture for notebooks."""
        return self.board()._repr_svg_()


class Board(_native.Board):
    """A Go board with its history, under given rules.

    A move is a point (``row * width + column``, row 0 at the top), ``pass_move``, or text such as ``"D4"`` or
    ``"pass"``.

    Parameters
    ----------
    width, height : int
        Lines each way, 1 to 25; the height defaults to the width.
    rules : Rules or str
        A rule set or its name.
    komi : float, optional
        White's compensation, in halves of a point; the rule set's own if not given.

    Raises
    ------
    ValueError
        For a size, a rule set or a komi that does not exist.
    """

    def __init__(
        self,
        width: int = 19,
        height: int | None = None,
        *,
        rules: Rules | str = CHINESE,
        komi: float | None = None,
    ) -> None:
        chosen = rules_named(rules) if isinstance(rules, str) else rules
        super().__init__(
            width,
            width if height is None else height,
            chosen.scoring == "territory",
            _KO_RULES[chosen.ko],
            chosen.suicide,
            chosen.pass_stones,
        )
        self._rules = chosen
        self._komi = chosen.komi if komi is None else checked_komi(komi)
        self._handicap = 0
        self._start: Position | None = None  # None: the empty board with black to play

    @property
    def rules(self) -> Rules:
        """The rule set; fixed when the board is made."""
        return self._rules

    @property
    def komi(self) -> float:
        """White's compensation, a multiple of 0.5."""
        return self._komi

    @komi.setter
    def komi(self, value: float) -> None:
        self._komi = checked_komi(value)

    @property
    def handicap(self) -> int:
        """The number of handicap stones that were set."""
        return self._handicap

    @property
    def color_to_play(self) -> Color:
        """Who moves next."""
        return _COLORS[self.native_to_play]

    @color_to_play.setter
    def color_to_play(self, color: int) -> None:
        self.native_to_play = color
        if self.num_moves == 0:
            self._start = self.position

    @property
    def ko(self) -> int | None:
        """The point where retaking is forbidden, if there is one."""
        return None if self.native_ko < 0 else self.native_ko

    @property
    def is_over(self) -> bool:
        """Whether both players have just passed."""
        return self.passes >= 2

    @property
    def moves(self) -> list[tuple[Color, int]]:
        """Colour and move of every turn since the set-up."""
        return [(_COLORS[color], move) for color, move in map(self.turn, range(self.num_moves))]

    @property
    def last_move(self) -> int | None:
        """The last move since the set-up, if there is one."""
        return self.turn(self.num_moves - 1)[1] if self.num_moves else None

    @property
    def position(self) -> Position:
        """What stands on the board now."""
        return Position(*self.snapshot().state())

    @property
    def start(self) -> Position:
        """What stood on the board before the first move."""
        return Board(self.width, self.height).position if self._start is None else self._start

    def play(self, move: int | str, color: int | None = None) -> None:
        """Play a move; the side to move plays unless a colour is given.

        Raises
        ------
        IllegalMove
            If the rules forbid it; the board is unchanged.
        ValueError
            If the text is not a vertex of this board.
        """
        if isinstance(move, str):
            move = self.point(move)
        try:
            played = self.try_play(move, color or 0)
        except TypeError:
            self._check_range(move)
            raise
        if not played:
            raise IllegalMove(self.why_illegal(move, color))

    def play_as_recorded(self, move: int, color: int | None = None) -> str | None:
        """Play a move that was played, whatever the rules say: it may retake a ko, repeat a position or be suicide.

        Returns
        -------
        str or None
            The rule that it breaks.

        Raises
        ------
        IllegalMove
            If its point is not an empty point of the board, which is unchanged.
        """
        broken = self.why_illegal(move, color)
        if broken is not None and not self.try_play_as_recorded(move, color or 0):
            raise IllegalMove(broken)
        if broken is None:
            self.play(move, color)
        return broken

    def undo(self) -> None:
        """Take the last move back.

        Raises
        ------
        ValueError
            If no move was played since the set-up.
        """
        if not self.try_undo():
            raise ValueError("there is no move to undo")

    def is_legal(self, move: int | str, color: int | None = None) -> bool:
        """Whether the rules allow a move; the side to move is meant unless a colour is given."""
        return self.why_illegal(move, color) is None

    def why_illegal(self, move: int | str, color: int | None = None) -> str | None:
        """Say which rule forbids a move, or None if it is legal."""
        point = self.point(move) if isinstance(move, str) else move
        if not 0 <= point <= self.pass_move:
            return f"point {point} is not on the {self.width}x{self.height} board (0 to {self.num_points - 1})"
        match self.legality(point, color or 0):
            case _native.Legality.LEGAL:
                return None
            case _native.Legality.OCCUPIED:
                return f"{self.vertex(point)} is occupied ({self._occupant(point)})"
            case _native.Legality.KO:
                return f"{self.vertex(point)} retakes the ko; a move elsewhere must come first"
            case _native.Legality.SUICIDE:
                return f"{self.vertex(point)} is suicide, which {self.rules.name} rules forbid"
            case _:
                return f"{self.vertex(point)} repeats an earlier position ({self.rules.ko} superko)"

    def legal_moves(self, color: int | None = None) -> NDArray[np.int32]:
        """All legal moves: points in order, then pass; int32 of shape (number of moves,).

        After two passes there are none, unless a colour is given: what it may play if the game goes on.
        """
        if color is None and self.is_over:
            return np.empty(0, np.int32)
        return self.native_legal_moves(color or 0)

    def place(self, color: int, points: Iterable[int | str]) -> None:
        """Set up stones of one colour on empty points. Forgets the moves played so far.

        Raises
        ------
        ValueError
            If a point is taken, or a chain would have no liberty; the board is unchanged.
        """
        grid = self.grid.copy()
        for point in (self.point(p) if isinstance(p, str) else p for p in points):
            row, column = divmod(self._on_board(point), self.width)
            if grid[row, column]:
                raise ValueError(f"{self.vertex(point)} is occupied; set-up stones need empty points")
            grid[row, column] = color
        self._set_up(Position(self.width, self.height, grid.tobytes(), self.native_to_play))

    def set_handicap(self, stones: int) -> list[int]:
        """Place a fixed handicap on an empty board, white to play; returns its points.

        Raises
        ------
        ValueError
            If the board is not empty or has no fixed places for that many stones.
        """
        points = fixed_handicap(stones, self.width, self.height)
        self.set_free_handicap(points)
        return points

    def set_free_handicap(self, points: Iterable[int | str]) -> None:
        """Place handicap stones anywhere on an empty board, white to play.

        Raises
        ------
        ValueError
            If the board is not empty, or a stone cannot be there.
        """
        if self.num_moves or self.grid.any():
            raise ValueError("handicap stones need an empty board; clear it first")
        chosen = list(points)
        self.place(Color.BLACK, chosen)
        self._handicap = len(chosen)
        self.color_to_play = Color.WHITE

    def neighbours(self, point: int) -> list[int]:
        """The points beside a point: two to four of them, fewer on the narrowest boards."""
        row, column = divmod(self._on_board(point), self.width)
        steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [r * self.width + c for r, c in steps if 0 <= r < self.height and 0 <= c < self.width]

    def score(self, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> Score:
        """Count the board by its rules, dead stones taken off; see `tesuji.go.rules.score.count`."""
        return count(self, dead, seki)

    def point(self, vertex: str) -> int:
        """The move that a vertex such as ``"D4"`` or ``"pass"`` names."""
        return parse_vertex(vertex, self.width, self.height)

    def vertex(self, move: int) -> str:
        """The name of a move: ``"D4"`` or ``"pass"``."""
        return to_vertex(move, self.width, self.height)

    def to_text(self) -> str:
        """Draw the board; `from_text` reads it."""
        return draw(self.grid)

    # --- as a game: the contract of tesuji.games.Game ---

    title = property(lambda self: f"Go {self.width}x{self.height}", doc="What people call the game.")
    players = ("Black", "White")

    @property
    def num_distinct_moves(self) -> int:
        """How many moves exist at all: the points and pass."""
        return self.num_points + 1

    @property
    def to_play(self) -> int:
        """Who moves next, as a player of any game: 0 for black, 1 for white; `color_to_play` says it in Go's words."""
        return self.native_to_play - 1

    @property
    def value(self) -> float:
        """What the board as it stands is worth to black by its rules, nothing taken for dead: 0, 0.5 or 1."""
        return {Color.BLACK: 1.0, Color.WHITE: 0.0}.get(self.score().winner, 0.5)

    @property
    def identity(self) -> dict[str, str]:
        """Which game it is: what is saved for one is not for another."""
        return {"size": f"{self.width}x{self.height}", "rule set": self.rules.name, "komi": f"{self.komi:g}"}

    def key(self) -> int:
        """Equal for equal stones, side to move, ko point, passes and moves that superko forbids now.

        What superko will forbid later is not in it. The position alone has ``position.key``.
        """
        return self.state_key

    def image_key(self) -> tuple[int, int]:
        """Two keys that the position and its rotations share: stones, side to move, ko point and passes."""
        return _native.image_key(self)

    def move_name(self, move: int) -> str:
        """The name of a move: ``"D4"`` or ``"pass"``."""
        return self.vertex(move)

    def make_search(self, config: _native_search.SearchConfig, seed: int) -> _native_search.Search:
        """The native search over this board, with light playouts; `tesuji.search.Search` asks for it."""
        return _native.make_search(self, self.komi, config, seed)

    @classmethod
    def from_text(
        cls,
        picture: str,
        *,
        to_play: int = Color.BLACK,
        rules: Rules | str = CHINESE,
        komi: float | None = None,
    ) -> Board:
        """Set up a board from a picture: rows of ``.``, ``X`` and ``O``, with or without coordinates.

        Raises
        ------
        ValueError
            If the picture is not a board, or a chain in it has no liberty.
        """
        grid = read(picture)
        board = cls(grid.shape[1], grid.shape[0], rules=rules, komi=komi)
        board._set_up(Position(grid.shape[1], grid.shape[0], grid.tobytes(), to_play))
        return board

    def copy(self) -> Board:
        """A board with the same history that goes its own way."""
        other = Board.__new__(Board)
        _native.Board.__init__(other, self)
        other.__dict__.update(self.__dict__)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._state() == other._state() and self.position == other.position

    __hash__ = None  # type: ignore[assignment]  # a board changes; its `position` is hashable

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._state()

    def __repr__(self) -> str:
        moves = f"{self.num_moves} move{'' if self.num_moves == 1 else 's'}"
        return (
            f"<Board {self.width}x{self.height}, {self.rules.name} rules, komi {self.komi:g}, "
            f"{moves}, {self.color_to_play} to play>\n{self.to_text()}"
        )

    def _repr_svg_(self) -> str:
        """A picture for notebooks, with the last move marked."""
        from tesuji.go.view.svg import BoardPicture, board_svg

        return board_svg(BoardPicture(board=self))

    def _state(self) -> tuple[Any, ...]:
        return self.start, self.rules, self.komi, self.handicap, self.moves, self.color_to_play

    def _set_up(self, position: Position) -> None:
        if not self.try_set_up(position):
            raise ValueError(f"a chain would have no liberty:\n{position.to_text()}")
        self._start = position
        self._handicap = 0

    def _check_range(self, point: object) -> None:
        """Name a number that is too large for the core, which says only that the type is wrong."""
        if isinstance(point, int) and not 0 <= point <= self.pass_move:
            raise IllegalMove(self.why_illegal(point))

    def _on_board(self, point: int) -> int:
        if not 0 <= point < self.num_points:
            raise ValueError(f"point {point} is not on the {self.width}x{self.height} board")
        return point

    def _occupant(self, point: int) -> str:
        color = str(_COLORS[self.color_at(point)])
        for index in range(self.num_moves - 1, -1, -1):
            if self.turn(index)[1] == point:
                return f"{color}, move {index + 1}"
        return f"{color}, set up"


def _restored(
    start: Position, rules: Rules, komi: float, handicap: int, moves: list[tuple[Color, int]], to_play: Color
) -> Board:
    board = start.board(rules=rules, komi=komi)
    board._handicap = handicap
    for color, move in moves:
        board.play_as_recorded(move, color)
    if board.color_to_play is not to_play:
        board.color_to_play = to_play
    return board
