"""Groups of moves: a search that first chooses a kind of move, then the move (the UCT-DAG report, 2.4).

>>> from tesuji.games import Connect4
>>> from tesuji.search import Search
>>> def find(state):
...     return {"centre": [move for move in state.legal_moves() if move in (2, 3, 4)]}
>>> result = Search(Connect4(), grouping=Grouping(find=find, kinds=("centre",))).run(simulations=100, seed=1)
>>> sorted(group.name for group in result.groups)
['centre', 'else']

What a function finds is checked here, once for every node; what the search does with it is in the core
(``core/search/groups.hpp``) and in ``docs/algorithms/groups.md``. Which groupings are good is for each game to say.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import msgspec

from tesuji._core import search as _native

__all__ = ["ELSE", "Grouping", "LearnedBiases", "NativeGroups", "RootGroup", "read_groups"]

ELSE = "else"
"""The name of the catch-all group."""
NEUTRAL = 0.5
"""The bias of a kind of which nothing is said."""
_MOST_KINDS = 2**16 - 1

FindGroups: TypeAlias = Callable[..., Mapping[str, Iterable[int]]]
"""Called with a state of the game (which is the function's own), and with ``uses_last_moves`` also with the moves that
were made since the search began, the newest last. Returns names of groups and their moves."""


@runtime_checkable
class NativeGroups(Protocol):
    """Groups that the core finds by itself, such as `tesuji.games.PGame.groups`."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds, in the core's order."""

    @property
    def depends_on_path(self) -> bool:
        """Whether the groups of a state depend on how it was reached."""

    def native(self) -> Any:
        """What the core makes its grouper from."""


class LearnedBiases(msgspec.Struct, frozen=True, kw_only=True):
    """Biases that the search learns from how often a kind's moves turn out best.

    After each run all nodes with groups and at least `min_visits` visits are counted: where a kind is present, is the
    most visited move in a group of that kind? The catch-all group is credited where the move is in no other group. A
    learned bias is 0.05 or more, so that every group goes on being visited.

    Attributes
    ----------
    start : mapping from str to float
        Where a bias begins, 0..1; 0.5 for kinds that are not named.
    inertia : float
        How many nodes the old bias stands for: ``new = (inertia * old + best) / (inertia + present)``.
    min_visits : int
        Visits from which on a node is counted.
    """

    start: Mapping[str, float] = msgspec.field(default_factory=dict)
    inertia: float = 20.0
    min_visits: int = 100

    def __post_init__(self) -> None:
        if not 0 < self.inertia < float("inf"):
            raise ValueError(f"inertia is {self.inertia!r}; it must be above 0 and finite")
        if type(self.min_visits) is not int or not 1 <= self.min_visits < 2**32:
            raise ValueError(f"min_visits is {self.min_visits!r}; it must be a whole number in 1..2**32-1")


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """How the moves of a state are grouped.

    Attributes
    ----------
    find : callable or NativeGroups
        ``find(state)`` returns a mapping from names to legal moves; groups may overlap, need not cover all moves, and
        may be left out or empty. The state is a copy that belongs to the function (in Go a `Board`, with its history).
        A function is called once for every node that gets its edges, by one of the search's threads, with the GIL. Or
        groups that the core finds itself. Moves that the search leaves out (an own eye in Go) are left out of groups.
    kinds : tuple of str
        The names that a function may use. Native groups bring their own.
    overlap : bool
        Whether the catch-all group "else" holds all moves, or only those in no other group.
    biases : mapping from str to float, or LearnedBiases, optional
        How much attention the kinds get, 0..1, "else" included; 0.5 for kinds that are not named. Only their ratio
        matters. None: all alike.
    uses_last_moves : bool
        Whether the function is called as ``find(state, last_moves)``, with the moves that were made since the search
        began as a tuple, the newest last. Such groups need ``graph="tree"``.

    Raises
    ------
    TypeError, ValueError
        For a function without kinds, a name used twice, a bias outside 0..1 or of an unknown kind.
    """

    find: FindGroups | NativeGroups
    kinds: tuple[str, ...] = ()
    overlap: bool = True
    biases: Mapping[str, float] | LearnedBiases | None = None
    uses_last_moves: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.find, NativeGroups):
            if self.kinds:
                raise ValueError(f"kinds is {self.kinds!r}; native groups bring their own: leave it out")
        elif not callable(self.find):
            raise TypeError(f"find is {self.find!r}; it must be a function, or native groups")
        _check_kinds(self.names[1:], is_native=isinstance(self.find, NativeGroups))
        for name in ("overlap", "uses_last_moves"):
            if type(getattr(self, name)) is not bool:
                raise TypeError(f"{name} is {getattr(self, name)!r}; it must be True or False")
        _check_biases(self.biases.start if isinstance(self.biases, LearnedBiases) else self.biases, self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds by number; "else" is the first."""
        own = self.find.kinds if isinstance(self.find, NativeGroups) else self.kinds
        return (ELSE, *own)

    @property
    def depends_on_path(self) -> bool:
        """Whether the groups of a state depend on how it was reached."""
        return self.find.depends_on_path if isinstance(self.find, NativeGroups) else self.uses_last_moves

    @property
    def first_biases(self) -> dict[str, float]:
        """The biases of all kinds before anything is learned."""
        given = self.biases.start if isinstance(self.biases, LearnedBiases) else self.biases or {}
        return {name: float(given.get(name, NEUTRAL)) for name in self.names}

    def options(self) -> _native.GroupingOptions:
        """The same for the core. Equal biases are none."""
        options = _native.GroupingOptions()
        options.num_kinds = len(self.names)
        options.overlap = self.overlap
        options.wants_path = not isinstance(self.find, NativeGroups)
        biases = list(self.first_biases.values())
        if isinstance(self.biases, LearnedBiases):
            options.learns = True
            options.learning_inertia = self.biases.inertia
            options.learning_visits = self.biases.min_visits
        if options.learns or len(set(biases)) > 1:
            options.biases = biases
        return options

    def grouper(self, state_after: Callable[[Sequence[int]], Any]) -> Any:
        """What the core asks for groups: its own, or a function of the moves that led to a state and its legal moves.

        Parameters
        ----------
        state_after : callable
            From the moves since the search began to a new state.
        """
        find = self.find
        if isinstance(find, NativeGroups):
            return find.native()
        numbers = {name: number for number, name in enumerate(self.names) if number > 0}
        uses_last_moves = self.uses_last_moves

        def find_groups(path: list[int], moves: list[int]) -> list[tuple[int, list[int]]]:
            state = state_after(path)
            found = find(state, tuple(path)) if uses_last_moves else find(state)
            if not isinstance(found, Mapping):
                raise TypeError(f"the grouping returned {_short(found)}; it must be a mapping from names to moves")
            listed = set(moves)
            groups = [(name, _number_of(name, numbers), _moves(name, found[name])) for name in found]
            for name, _, members in groups:
                if others := [move for move in members if move not in listed]:
                    _check_legal(name, others, state_after(path))
            return [(number, [move for move in members if move in listed]) for _, number, members in groups]

        return find_groups


class RootGroup(msgspec.Struct, frozen=True):
    """What is known of a group of the root's moves.

    Attributes
    ----------
    name : str
        Its kind; where a kind has several groups, with a number.
    visits : int
        Simulations through it.
    value : float
        Their mean result for the side to move, 0..1; 0 without visits.
    proof : int
        For the side to move: 0 nothing proved, 1 lost, 2 drawn, 3 won.
    moves : list of int
        Ascending.
    """

    name: str
    visits: int
    value: float
    proof: int
    moves: list[int]


def read_groups(groups: Sequence[_native.RootGroup], names: Sequence[str]) -> list[RootGroup]:
    """The groups of a native result under their names."""
    number_of_kind = [sum(group.kind == kind for group in groups) for kind in range(len(names))]
    return [
        RootGroup(
            name=names[group.kind] + (f" {group.ordinal + 1}" if number_of_kind[group.kind] > 1 else ""),
            visits=group.visits,
            value=group.value,
            proof=group.proof,
            moves=group.moves,
        )
        for group in groups
    ]


def _check_kinds(kinds: Sequence[Any], *, is_native: bool) -> None:
    if not kinds and not is_native:
        raise ValueError("a function needs kinds: the names of the groups that it may return, such as ('centre',)")
    if len(kinds) > _MOST_KINDS:
        raise ValueError(f"there are {len(kinds):,} kinds; the most is {_MOST_KINDS:,}")
    for place, name in enumerate(kinds):
        if not isinstance(name, str) or not name:
            raise TypeError(f"{name!r} is not a name of a kind; it must be a word")
        if name == ELSE:
            raise ValueError(f"'{ELSE}' is the catch-all group, which the search makes itself; leave it out of kinds")
        if name in kinds[:place]:
            raise ValueError(f"the kind '{name}' is there twice; name each once")


def _check_biases(biases: Any, names: Sequence[str]) -> None:
    if biases is None:
        return
    if not isinstance(biases, Mapping):
        raise TypeError(f"biases is {biases!r}; it must be a mapping from kinds to numbers, LearnedBiases or None")
    for name, bias in biases.items():
        if name not in names:
            raise ValueError(f"biases names the kind {name!r}; the kinds are {', '.join(names)}")
        if isinstance(bias, bool) or not isinstance(bias, int | float):
            raise TypeError(f"the bias of '{name}' is {bias!r}; it must be a number in 0..1")
        if not 0 <= bias <= 1:
            raise ValueError(f"the bias of '{name}' is {bias!r}; it must lie in 0..1")


def _number_of(name: Any, numbers: Mapping[str, int]) -> int:
    if name in numbers:
        return numbers[name]
    if name == ELSE:
        raise ValueError(f"the grouping named a group '{ELSE}': that is the catch-all group, which the search makes")
    raise ValueError(f"the grouping named a group {_short(name)}; its kinds are {', '.join(numbers)}")


def _check_legal(name: str, moves: Sequence[int], state: Any) -> None:
    """Moves that the search leaves out because no sensible player makes them are legal all the same."""
    legal = {int(move) for move in state.legal_moves()}
    for move in moves:
        if move not in legal:
            raise ValueError(f"the group '{name}' holds move {move}, which is not legal there; name legal moves only")


def _moves(name: str, moves: Any) -> list[int]:
    try:
        members = [operator.index(move) for move in moves]
    except TypeError as error:
        raise TypeError(f"the group '{name}' is {_short(moves)}; it must be a list of moves, whole numbers") from error
    if len(set(members)) < len(members):
        twice = next(move for place, move in enumerate(members) if move in members[:place])
        raise ValueError(f"the group '{name}' holds move {twice} twice; name it once")
    return members


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."
