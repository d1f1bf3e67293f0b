"""Playout policies: how a simulation goes on where the graph ends.

>>> def corner_first(state, random):
...     corners = [move for move in state.legal_moves() if move in (0, 2, 6, 8)]
...     return random.choice(corners or state.legal_moves())
>>> from tesuji.games import TicTacToe
>>> values, lengths = play_out(TicTacToe(), corner_first, number=1000)

A policy is a function ``step(state, random)``, an object that keeps the protocol `PlayoutPolicy`, a
`tesuji.games.CompiledPlayouts`, or a decorator around any of them: `RecordedPlayouts`, `StopAtKnown`. None is the
game's own playout. Policies in plain Python are for teaching and tests: every step holds the GIL, and every move is
checked.
What the core asks of a policy is in ``core/games/playout.hpp`` and ``docs/algorithms/playout-policies.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tesuji._core import games as _games
from tesuji._core import search as _native
from tesuji._core.search import EndPlayout, PlayedMove, RandomStream, RecordedPlayout
from tesuji.games import CompiledGame, CompiledPlayouts
from tesuji.games.catalogue import native_game_of
from tesuji.search.files.archive import description_of
from tesuji.writing import write_whole

__all__ = [
    "EndPlayout",
    "KnownPositions",
    "PlayedMove",
    "PlayoutPolicy",
    "Playouts",
    "RandomStream",
    "RecordedPlayout",
    "RecordedPlayouts",
    "StopAtKnown",
    "StopCounts",
    "native_playouts",
    "play_out",
]

_ENTRY_BYTES = 32
Learns = Literal["playouts", "tree", "all", "nothing"]
BackUp = Literal["value", "visits"]

_OTHER_NATIVE_GAMES = (_games.SameGame, _games.Knapsack, _games.TSP, _games.PGamePosition)


@runtime_checkable
class PlayoutPolicy(Protocol):
    """How playouts go, in plain Python.

    A policy may also have ``begin(state, walk)``, called where a playout begins with the simulation's moves from the
    root as a list of `PlayedMove`; ``observe(walk, moves, value)``, called when it has ended, with its own moves and
    its value to the first player; and ``new_root(state)``, called when a search begins and when it advances.

    All threads of a search share one policy. Calls never run at the same moment, but the steps of several playouts
    alternate: what belongs to one playout is kept by thread (`threading.local`), or a search has one thread.
    """

    def step(self, state: Any, random: RandomStream) -> int | EndPlayout:
        """The next move of a playout, or `EndPlayout` with a value that ends it here.

        The value is the first player's, 0..1, or one player's, any finite number.

        Parameters
        ----------
        state : Game
            Where the playout stands; not over. Look at it and do not change it: the search plays the move. Of a native
            game it is a copy.
        random : RandomStream
            Where to draw from: ``random.below(n)``, ``random.unit()``, ``random.choice(items)``. A policy that draws
            elsewhere makes a search that cannot be repeated.
        """


class RecordedPlayouts:
    """A decorator that keeps the last playouts of a search: their walks, moves and values.

    Parameters
    ----------
    inner : Playouts, optional
        The policy that plays; the game's own playout if not given.
    capacity : int
        How many playouts are kept, at least 1.
    """

    def __init__(self, inner: Playouts = None, *, capacity: int = 1000) -> None:
        if type(capacity) is not int or not 1 <= capacity <= 10**9:
            raise ValueError(f"capacity is {capacity!r}; it must be a whole number in 1..10**9")
        self.inner = inner
        self._history = _native.PlayoutHistory(capacity)
        self._native = _native.RecordedPlayouts(native_playouts(inner), self._history)

    @property
    def playouts(self) -> list[RecordedPlayout]:
        """The last ones, in the order in which they ended."""
        return self._history.playouts()

    @property
    def num_playouts(self) -> int:
        """How many there were in all."""
        return self._history.num_playouts

    def clear(self) -> None:
        """Forget them."""
        self._history.clear()

    def native(self) -> _native.RecordedPlayouts:
        """What the core makes its policy from."""
        return self._native


class KnownPositions:
    """A bounded table from states to results, which threads share without locks.

    A new position takes a free place among four, else that of the one that is worth least: its weight counts half for
    every move of the game since it was last met. It may serve several searches of one game, one after the other or at
    once. Positions of Go that are rotations of each other are one.

    Parameters
    ----------
    capacity : int
        How many positions there is room for, 4..2**30, rounded down to a power of two; 32 bytes each.
    """

    def __init__(self, capacity: int = 1 << 20) -> None:
        if type(capacity) is not int or not 4 <= capacity <= 1 << 30:
            raise ValueError(f"capacity is {capacity!r}; it must be a whole number in 4..2**30")
        self._table = _native.KnownPositions(capacity)

    @classmethod
    def of_size(cls, megabytes: int) -> KnownPositions:
        """A table that takes at most so many megabytes (of 2**20 bytes)."""
        if type(megabytes) is not int or not 1 <= megabytes <= 1 << 15:
            raise ValueError(f"megabytes is {megabytes!r}; it must be a whole number in 1..{1 << 15}")
        return cls((megabytes << 20) // _ENTRY_BYTES)

    @property
    def capacity(self) -> int:
        """How many positions there is room for."""
        return self._table.capacity

    @property
    def num_bytes(self) -> int:
        """What it takes."""
        return self._table.num_bytes

    def __len__(self) -> int:
        return len(self._table)

    def find(self, game: Any) -> tuple[float, int]:
        """The mean result of a state to the first player, and its weight; weight 0: unknown."""
        total, weight = self._table.find(*_keys(game))
        return (total / weight if weight else 0.0), weight

    def add(self, game: Any, value: float, weight: int = 1) -> None:
        """Enter a result of a state, so many times."""
        if type(weight) is not int or not 1 <= weight < 2**32:
            raise ValueError(f"weight is {weight!r}; it must be a whole number in 1..2**32-1")
        key, second_key = _keys(game)
        self._table.add(key, value, weight, second_key)

    def clear(self) -> None:
        """Forget everything."""
        self._table.clear()

    def save(self, path: Path | str, game: Any = None) -> Path:
        """Write the table into a file, which is replaced when the new one is complete.

        Parameters
        ----------
        path
            Of the file.
        game : Game, optional
            What the positions are of: a table of another size, rule set or komi is then refused by `load`.
        """
        return write_whole(path, self._table.save(_identity(game)))

    def load(self, path: Path | str, game: Any = None) -> None:
        """Add what a file holds.

        Raises
        ------
        ValueError
            For a file that `save` has not written, or not for this game; nothing is changed.
        """
        try:
            self._table.load(Path(path).read_bytes(), _identity(game))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def native(self) -> _native.KnownPositions:
        """The core's table."""
        return self._table


class StopCounts(NamedTuple):
    """What playouts did while their table was in use.

    Attributes
    ----------
    playouts, stopped : int
        All of them, and those that ended at a known position.
    moves : int
        Of all of them together.
    """

    playouts: int
    stopped: int
    moves: int


class StopAtKnown:
    """A decorator that keeps what simulations find out about positions, and uses it again (the BTT-Go paper).

    Parameters
    ----------
    inner : Playouts, optional
        The policy that plays; the game's own playout if not given.
    positions : KnownPositions, optional
        What is known; an empty table if not given.
    min_weight : int
        The weight from which on a position is known, at least 1.
    stops : bool
        Whether a playout ends at a known position, with the mean of its results.
    learns : {"playouts", "tree", "all", "nothing"}
        To which positions a simulation's value is added: those of the playout but for the one that stopped it, those of
        the walk through the graph down to where the playout began, or both.
    gives_priors : bool
        Whether the mean of a known position is the prior of the move that leads to it; the config needs a ``prior``.
    back_up : {"value", "visits"}
        What a playout that was stopped is worth: the mean, or a visit that changes no mean (in a tree; elsewhere the
        mean).
    punishment : float
        If above 0, the table chooses moves: a playout goes to the best known position and stops there; where the policy
        wants another move, that position loses this share of its value to the mover, 0..1.
    least_filling : float
        Used only where more than this share of the board at the root has stones; for games that know it, as Go does.
    """

    def __init__(
        self,
        inner: Playouts = None,
        *,
        positions: KnownPositions | None = None,
        min_weight: int = 16,
        stops: bool = True,
        learns: Learns = "playouts",
        gives_priors: bool = False,
        back_up: BackUp = "value",
        punishment: float = 0.0,
        least_filling: float = 0.0,
    ) -> None:
        if type(min_weight) is not int or not 1 <= min_weight < 2**32:
            raise ValueError(f"min_weight is {min_weight!r}; it must be a whole number in 1..2**32-1")
        if positions is not None and not isinstance(positions, KnownPositions):
            raise TypeError(f"positions is {positions!r}; it must be KnownPositions")
        if learns not in get_args(Learns):
            raise ValueError(f"learns is {learns!r}; choose from {', '.join(get_args(Learns))}")
        if back_up not in get_args(BackUp):
            raise ValueError(f"back_up is {back_up!r}; choose from {', '.join(get_args(BackUp))}")
        for name, share in (("punishment", punishment), ("least_filling", least_filling)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is {share!r}; it must lie in 0..1")
        self.inner = inner
        self.positions = positions if positions is not None else KnownPositions()
        options = _native.StopOptions()
        options.min_weight = min_weight
        options.stops = bool(stops)
        options.learns = learns in ("playouts", "all")
        options.learns_walk = learns in ("tree", "all")
        options.gives_priors = bool(gives_priors)
        options.keeps_means = back_up == "visits"
        options.punishment = punishment
        options.least_filling = least_filling
        self._native = _native.StopAtKnown(native_playouts(inner), self.positions.native(), options)

    @property
    def counts(self) -> StopCounts:
        """Of all searches that were given this."""
        return StopCounts(*self._native.counts())

    def native(self) -> _native.StopAtKnown:
        """What the core makes its policy from."""
        return self._native


Playouts: TypeAlias = (
    PlayoutPolicy
    | Callable[[Any, RandomStream], int | EndPlayout]
    | CompiledPlayouts
    | RecordedPlayouts
    | StopAtKnown
    | None
)
"""Whatever a search may play out with; None: the game's own playout."""


def native_playouts(playouts: Playouts) -> Any:
    """The description that the core makes its policy from; None for the game's own playout.

    Raises
    ------
    TypeError
        For what is not a policy.
    """
    if playouts is None or isinstance(playouts, CompiledPlayouts | RecordedPlayouts | StopAtKnown):
        return None if playouts is None else playouts.native()
    if isinstance(playouts, type):
        raise TypeError(f"playouts is the class {playouts.__name__}; make one: {playouts.__name__}()")
    step = getattr(playouts, "step", playouts)
    more = [getattr(playouts, name, None) for name in ("begin", "observe", "new_root")]
    for name, function in zip(("step", "begin", "observe", "new_root"), (step, *more), strict=True):
        if function is not None and not callable(function):
            raise TypeError(f"{name} of the playout policy is {function!r}; it must be a function")
        if function is None and name == "step":
            raise TypeError("step of the playout policy is None; it must be a function")
    return _native.PythonPlayouts(step, *more)


def play_out(
    game: Any, playouts: Playouts = None, *, number: int = 1, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Play a state out, without a search: to try a policy, or to see what a state is worth to it.

    Parameters
    ----------
    game : Game
        A state that is not over. A Go board has no playouts of this kind.
    playouts : Playouts, optional
        The policy; the game's own playout if not given.
    number : int
        How many playouts.
    seed : int
        Of the random stream.

    Returns
    -------
    values : array of float, shape (number,)
        What each was worth to the first player.
    lengths : array of int, shape (number,)
        How many moves each had.
    """
    if type(number) is not int or number < 1:
        raise ValueError(f"number is {number!r}; it must be a whole number, at least 1")
    described = native_playouts(playouts)
    if isinstance(game, CompiledGame):
        return _native.play_out_compiled(game.native(), described, number, seed)
    if native_game_of(game) is not None or isinstance(game, _OTHER_NATIVE_GAMES):
        return _native.play_out(game, described, number, seed)
    return _native.play_out_object(game, described, number, seed)


def _identity(game: Any) -> int:
    """A number for what a table's positions are of; 0 if nobody says."""
    if game is None:
        return 0
    text = repr(sorted(description_of(getattr(game, "board", game)).items()))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _keys(game: Any) -> Sequence[int]:
    """As the core has them, 64 bits and 32; images share theirs where the game has images."""
    if hasattr(game, "image_key"):
        return tuple(game.image_key())
    second = game.second_key() if hasattr(game, "second_key") else 0
    return game.key() & (2**64 - 1), second & (2**32 - 1)
