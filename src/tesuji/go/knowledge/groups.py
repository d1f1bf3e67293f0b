"""Groups of moves in Go: the rows of table 2.1 of the UCT-DAG report, with parameters. The core finds them.

"Friendly" is the side to move, "enemy" the other one. A group holds moves that the search tries: no pass, no own eye,
no point that ko forbids. Groups may overlap. The table gives no values, so the defaults are ours;
docs/algorithms/go-groups.md shows rows on boards. The table's first row, else, is the search's own catch-all group.

>>> from tesuji.go import Board
>>> from tesuji.go.knowledge.groups import Border, find
>>> [(group.kind, len(group.moves)) for group in find(Board(9), [Border()])]
[('border', 32)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from tesuji._core import go as _native
from tesuji.go.rules.board import Board

__all__ = [
    "ROWS",
    "Border",
    "Chains",
    "EnemyChainMakers",
    "EnemyKills",
    "EnemyNeighbours",
    "EnemyThreats",
    "FriendlyChainMakers",
    "FriendlyNeighbours",
    "FriendlySaves",
    "FriendlyThreats",
    "GoGroups",
    "Group",
    "ManhattanEnemy",
    "ManhattanFriendly",
    "ManhattanTotal",
    "ManyLiberties",
    "Row",
    "find",
    "kind_of",
]

# Parameter -> its name in the core, and the values it may have.
_PARAMETERS = {
    "distance": ("distance", 0, 50),
    "min_stones": ("stones", 1, 625),
    "min_liberties": ("liberties", 1, 625),
    "max_liberties": ("liberties", 1, 625),
}


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    """What all rows share: their parameters are whole numbers in a range."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            _, low, high = _PARAMETERS[name]
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name} of {kind_of(self)} is {value!r}; it must be a whole number in {low}..{high}")


class Border(_Row, frozen=True, kw_only=True):
    """Points near the edge of the board.

    Attributes
    ----------
    distance : int
        Lines between the point and the edge line, at most. 0, the edge itself: the row says "on the edge".
    """

    distance: int = 0


class ManhattanEnemy(_Row, frozen=True, kw_only=True):
    """Points near the enemy's last move; none after a pass and at the start of a game.

    Attributes
    ----------
    distance : int
        Rows plus columns, at most. 3: 24 points, where an answer to the move is looked for.
    """

    distance: int = 3


class ManhattanFriendly(_Row, frozen=True, kw_only=True):
    """Points near the own last move.

    Attributes
    ----------
    distance : int
        Rows plus columns, at most. 3, as for the enemy's.
    """

    distance: int = 3


class ManhattanTotal(_Row, frozen=True, kw_only=True):
    """Points near either player's last move.

    Attributes
    ----------
    distance : int
        Rows plus columns, at most. 3, as for each alone.
    """

    distance: int = 3


class FriendlySaves(_Row, frozen=True, kw_only=True):
    """Moves that give an own chain in atari a second liberty: by extending, connecting, or taking stones beside it.

    Attributes
    ----------
    min_stones : int
        Of the chain. 1: a single stone may hold two chains apart.
    """

    min_stones: int = 1


class EnemyKills(_Row, frozen=True, kw_only=True):
    """Moves that capture.

    Attributes
    ----------
    min_stones : int
        Captured by the move, in all its chains. 1: every capture, as in the row.
    """

    min_stones: int = 1


class EnemyNeighbours(_Row, frozen=True, kw_only=True):
    """Points directly beside enemy stones; "Enemy Group" in the table.

    Attributes
    ----------
    min_stones : int
        Enemy stones that the point touches, 1 to 4. 1: any contact.
    """

    min_stones: int = 1


class FriendlyNeighbours(_Row, frozen=True, kw_only=True):
    """Points directly beside own stones; "Friendly Group" in the table.

    Attributes
    ----------
    min_stones : int
        Own stones that the point touches, 1 to 4. 1: any contact.
    """

    min_stones: int = 1


class EnemyThreats(_Row, frozen=True, kw_only=True):
    """Liberties of enemy chains under threat: those that have few and touch a stone of their opponent.

    Attributes
    ----------
    max_liberties : int
        Of the chain. 2: a move there gives atari; those in atari are in `EnemyKills` as well.
    """

    max_liberties: int = 2


class FriendlyThreats(_Row, frozen=True, kw_only=True):
    """Liberties of own chains under threat: those that have few and touch a stone of their opponent.

    Attributes
    ----------
    max_liberties : int
        Of the chain. 2: the enemy's next move there gives atari.
    """

    max_liberties: int = 2


class ManyLiberties(_Row, frozen=True, kw_only=True):
    """Moves whose chain would have many liberties, captures counted.

    Attributes
    ----------
    min_liberties : int
        Of the chain after the move. 5: more than a lone stone ever has, so the move strengthens something.
    """

    min_liberties: int = 5


class Chains(_Row, frozen=True, kw_only=True):
    """One group for each chain of either colour that meets both limits: its liberties.

    Attributes
    ----------
    min_stones : int
        Of the chain. 2: lone stones are many, and each would be a group.
    max_liberties : int
        Of the chain. 4: a chain with more is not about to be captured.
    """

    min_stones: int = 2
    max_liberties: int = 4


class FriendlyChainMakers(_Row, frozen=True, kw_only=True):
    """Moves that join two or more own chains, or make a large one.

    Attributes
    ----------
    min_stones : int
        Of the chain after the move, where it joins fewer than two. 4: a move beside one or two stones is only a
        neighbour.
    """

    min_stones: int = 4


class EnemyChainMakers(_Row, frozen=True, kw_only=True):
    """Points where the enemy could do so, with a move that is not a suicide.

    Attributes
    ----------
    min_stones : int
        Of the chain after the enemy's move, where it joins fewer than two. 4, as for own chains.
    """

    min_stones: int = 4


Row: TypeAlias = (
    Border
    | ManhattanEnemy
    | ManhattanFriendly
    | ManhattanTotal
    | FriendlySaves
    | EnemyKills
    | EnemyNeighbours
    | FriendlyNeighbours
    | EnemyThreats
    | FriendlyThreats
    | ManyLiberties
    | Chains
    | FriendlyChainMakers
    | EnemyChainMakers
)

ROWS: dict[str, type[Row]] = {
    "border": Border,
    "manhattan-enemy": ManhattanEnemy,
    "manhattan-friendly": ManhattanFriendly,
    "manhattan-total": ManhattanTotal,
    "friendly-saves": FriendlySaves,
    "enemy-kills": EnemyKills,
    "enemy-neighbours": EnemyNeighbours,
    "friendly-neighbours": FriendlyNeighbours,
    "enemy-threats": EnemyThreats,
    "friendly-threats": FriendlyThreats,
    "many-liberties": ManyLiberties,
    "chains": Chains,
    "friendly-chain-makers": FriendlyChainMakers,
    "enemy-chain-makers": EnemyChainMakers,
}
"""All of them by kind, which is how a search names their groups."""

_KINDS: dict[type, str] = {row: kind for kind, row in ROWS.items()}


def kind_of(row: object) -> str:
    """The kind of a row's groups, such as ``manhattan-enemy``."""
    return _KINDS[type(row)]


class GoGroups(msgspec.Struct, frozen=True):
    """Rows for a search over Go: ``Grouping(find=GoGroups((ManhattanEnemy(), ManhattanFriendly())))``.

    Attributes
    ----------
    rows : tuple of rows
        Each kind once.

    Raises
    ------
    ValueError
        For something that is not a row, and for a kind that comes twice.
    """

    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        native_rows(self.rows)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of the rows, in their order."""
        return tuple(kind_of(row) for row in self.rows)

    @property
    def depends_on_path(self) -> bool:
        """Whether a row looks at the last moves, which are not part of a state."""
        return any(isinstance(row, ManhattanEnemy | ManhattanFriendly | ManhattanTotal) for row in self.rows)

    def native(self) -> _native.GoGroups:
        """What the core makes its grouper from."""
        return _native.GoGroups(native_rows(self.rows))


class Group(msgspec.Struct, frozen=True):
    """Moves that belong together.

    Attributes
    ----------
    kind : str
        Of its row.
    moves : list of int
        Ascending; at least one.
    """

    kind: str
    moves: list[int]


def find(board: Board, rows: Sequence[Row]) -> list[Group]:
    """The groups of a position for the side to move, row by row; `Chains` may have several.

    Parameters
    ----------
    board : Board
        With the moves that led to it: the Manhattan rows look at the last two.
    rows : sequence of rows
        Each kind once.

    Raises
    ------
    ValueError
        For something that is not a row, and for a kind that comes twice.
    """
    found = _native.find_groups(board, native_rows(rows))
    kinds = [kind_of(row) for row in rows]
    return [Group(kinds[number - 1], sorted(moves)) for number, moves in found]


def native_rows(rows: Iterable[Row]) -> list[_native.GroupRow]:
    """The rows as the core takes them; kinds are numbered from 1, for 0 is the catch-all group.

    Raises
    ------
    ValueError
        For something that is not a row, and for a kind that comes twice.
    """
    made: dict[str, _native.GroupRow] = {}
    for row in rows:
        if type(row) not in _KINDS:
            raise ValueError(f"{row!r} is not a row of groups; write one such as Border(), of {', '.join(ROWS)}")
        kind = kind_of(row)
        if kind in made:
            raise ValueError(f"{kind} comes twice; name each row once")
        parameters = {_PARAMETERS[name][0]: getattr(row, name) for name in row.__struct_fields__}
        made[kind] = _native.GroupRow(_NATIVE_ROWS[kind], len(made) + 1, **parameters)
    return list(made.values())


_NATIVE_ROWS = {kind: getattr(_native.Row, kind.replace("-", "_").upper()) for kind in ROWS}
