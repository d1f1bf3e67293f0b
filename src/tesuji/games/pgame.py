"""P-games: artificial games of which everything is known (the UCT-DAG report, 2.1.1, 2.3.1 and 2.5.1).

>>> game = PGame(PGameSpec(breadth=2, depth=20, combination=0.2, seed=1))
>>> game.winning_moves
[1]

Two players move in turns. A move adds a random amount to the score, and the sign of the score at the end decides. A
game is a tree, or a DAG made from one by merging nodes of a level. `PGame.start` is a game for the search. How games
are drawn is in ``docs/algorithms/p-games.md``; searching them is not done here.
"""

from __future__ import annotations

from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import games as _native

__all__ = ["PGame", "PGameGroups", "PGameSpec"]

_LIMITS = {"breadth": 2**31, "depth": 2**31, "num_groups": 2**31, "seed": 2**64, "memory_bytes": 2**48}


class PGameSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What a P-game is drawn from; the same spec gives the same game on every machine.

    Attributes
    ----------
    breadth : int
        Moves at every node.
    depth : int
        Moves from the root to a leaf.
    combination : float
        The share of the nodes of each level that are merged into another one of that level, 0 to below 1 (the report's
        DAG combination threshold). 0: a tree.
    seed : int
        The random seed: the same number, the same result.
    mixed_root : bool
        Whether a game is drawn again while all moves of its root win, or all lose.
    amounts_in_range : bool
        Whether a node is merged only into one that the move could have led to, so that no amount leaves 0..127. A node
        that finds none stays. Without it any node of the level will do.
    num_groups : int
        Artificial groups of moves, 0..8. They change nothing of the game itself.
    group_size, group_bias : float
        A winning move is in each group with probability ``size * bias``, a losing one with ``size * (1 - bias)``.
    memory_bytes : int
        The most that the game may need while it is drawn.

    Raises
    ------
    ValueError
        For a field out of range, and for a game beyond its cap: the message says how many nodes that is.
    """

    breadth: int
    depth: int
    combination: float = 0.0
    seed: int = 1
    mixed_root: bool = True
    amounts_in_range: bool = False
    num_groups: int = 0
    group_size: float = 1.0
    group_bias: float = 1.0
    memory_bytes: int = 1 << 30

    def __post_init__(self) -> None:
        for name, limit in _LIMITS.items():
            value = getattr(self, name)
            if type(value) is not int:
                raise TypeError(f"{name} is {value!r}; it must be a whole number")
            if not -limit <= value < limit or (value < 0 and limit > 2**31):
                raise ValueError(f"{name} is {value}; it must be 0 or above, and below 2**{limit.bit_length() - 1}")
        for name in ("combination", "group_size", "group_bias"):
            if not isinstance(getattr(self, name), int | float):
                raise TypeError(f"{name} is {getattr(self, name)!r}; it must be a number")
        _native.PGame.check(**msgspec.structs.asdict(self))


class PGameGroups(msgspec.Struct, frozen=True):
    """The groups that were drawn with a game, for a `tesuji.search.Grouping`.

    Attributes
    ----------
    kinds : tuple of str
        Their names: "group 1" and so on.
    """

    kinds: tuple[str, ...]

    @property
    def depends_on_path(self) -> bool:
        """They belong to nodes, however those are reached."""
        return False

    def native(self) -> _native.PGameGroups:
        """What the core makes its grouper from."""
        return _native.PGameGroups()


class PGame:
    """A P-game, drawn whole; it never changes.

    Nodes are numbered level by level, the root is 0, and arrays are indexed by node. Viewpoint: scores and winners are
    the first player's.

    Parameters
    ----------
    spec : PGameSpec
        What to draw.

    Raises
    ------
    ValueError
        If 20,000 roots in a row had no winning, or no losing move; and for a DAG that turns out beyond its cap.
    """

    def __init__(self, spec: PGameSpec) -> None:
        self.spec = spec
        self._native = _native.PGame(**msgspec.structs.asdict(spec))

    def start(self) -> _native.PGamePosition:
        """The root, as a game for the search."""
        return _native.PGamePosition(self._native)

    def unfolded(self, *, memory_bytes: int | None = None) -> Self:
        """The tree of all paths: every node that can be reached in several ways is there as often.

        Parameters
        ----------
        memory_bytes : int, optional
            The most that the tree may need; that of the spec if not given.
        """
        tree = object.__new__(type(self))
        tree.spec = self.spec
        tree._native = self._native.unfolded(memory_bytes or self.spec.memory_bytes)
        return tree

    @property
    def num_nodes(self) -> int:
        """How many nodes there are."""
        return self._native.num_nodes

    @property
    def level_sizes(self) -> NDArray[np.uint32]:
        """Nodes by distance from the root; shape (depth + 1,)."""
        return np.diff(self._native.level_starts)

    @property
    def scores(self) -> NDArray[np.int32]:
        """By node: the score that every path to it has."""
        return self._native.scores

    def children(self) -> NDArray[np.uint32]:
        """The nodes behind the moves of each node that is not a leaf; shape (inner nodes, breadth)."""
        return self._native.children()

    def first_wins(self) -> NDArray[np.bool_]:
        """By node: whether the first player wins it under best play."""
        return self._native.winners().astype(np.bool_)

    @property
    def groups(self) -> PGameGroups:
        """Its groups, for a search: ``Search(game.start(), grouping=Grouping(find=game.groups))``."""
        return PGameGroups(tuple(f"group {number + 1}" for number in range(self.spec.num_groups)))

    @property
    def group_masks(self) -> NDArray[np.uint8]:
        """By node: bit i is set if the moves into it are in group i; empty without groups. Root moves are in none."""
        return self._native.groups

    @property
    def winning_moves(self) -> list[int]:
        """The moves of the root that win for the first player."""
        start = self.start()
        return [move for move in start.legal_moves() if start.is_winning(move)]

    @property
    def num_redraws(self) -> int:
        """Games thrown away because all moves of their root won, or all lost."""
        return self._native.num_redraws

    @property
    def num_amounts_out_of_range(self) -> int:
        """Moves that add less than 0 or more than 127 to their player's score, because they lead to a merged node."""
        return self._native.num_amounts_out_of_range
