"""Games written in Python and compiled: functions over a NumPy record, run by all threads without the interpreter.

>>> from tesuji.games.connect4 import compiled_connect4  # a model: its functions are in that module
>>> compiled_connect4().num_distinct_moves
7

Needs Numba (the extra ``compiled``), which is imported when the first game is made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from tesuji._core import games as _native
from tesuji._core import search as _native_search
from tesuji.games.functions import Functions
from tesuji.games.plain import PlainGame, PlainRules, record_from
from tesuji.words import how_to_install

__all__ = ["CompiledGame"]

T = TypeVar("T")

_MOST_MOVES = 1 << 20
_MOST_BYTES = 1 << 20
_GOALS = ("maximise", "minimise")
_CALLS = {
    "legal_moves": ("state", "moves"),
    "play": ("state", "move"),
    "playout": ("state", "random"),
    "priors": ("state", "moves", "priors"),
    "move_name": ("state", "move"),
}


class CompiledGame:
    """A game given as functions over a record; it keeps the contract of `tesuji.games.Game`.

    With a goal it is a problem for one player and keeps that of `tesuji.games.OnePlayerGame`.

    The functions are plain Python; they and the functions that they call are compiled when the game is made, which
    takes some seconds. What Numba cannot compile is refused by name and line. Indices are checked.

    Parameters
    ----------
    dtype : dtype
        Of the record that is a state: a structured NumPy dtype of numbers and arrays of numbers.
    num_distinct_moves : int
        Moves are numbers below this, and a number means the same move at every moment of the game.
    legal_moves : callable
        ``legal_moves(state, moves)`` writes the legal moves into an array and returns how many.
    play : callable
        ``play(state, move)`` changes the state.
    is_over : callable
        ``is_over(state)``: whether the game has ended.
    value : callable
        ``value(state)``: what an ended game is worth to the first player, 0..1; for one player any finite number.
    to_play : callable, optional
        ``to_play(state)``: 0, the first player, or 1; without it, the field ``to_play`` of the record. One player needs
        neither.
    initial : callable, optional
        ``initial(state)`` sets up the first state in a record of zeros; without it, that record is the first state.
    key : callable, optional
        ``key(state)``: a whole number, equal for equal states; without it, a hash of the whole record.
    playout : callable, optional
        ``playout(state, random)`` plays to the end and returns the value, drawing by `tesuji.games.below`; without it,
        every legal move is as likely. AMAF does not see the moves of such a playout; one player has none, because a
        solution is its moves.
    goal : str, optional
        ``"maximise"`` or ``"minimise"``: one player, who wants the value as large or as small as can be.
    priors : callable, optional
        ``priors(state, moves, priors)`` writes what each of these moves is worth before it is tried, 0..1.
    bound : callable, optional
        ``bound(state)``: the best value that is still possible from here, for one player. No solution below may be
        better; a tight bound lets the search leave out what cannot beat the best solution found.
    move_name : callable, optional
        ``move_name(state, move)``: what people call a move. It is not compiled.

    Attributes
    ----------
    state : record
        The state itself; writing to it changes the game.

    Raises
    ------
    ImportError
        Without Numba.
    TypeError, ValueError
        For a dtype or functions that cannot be used.
    """

    def __init__(
        self,
        dtype: Any,
        *,
        num_distinct_moves: int,
        legal_moves: Callable[..., Any],
        play: Callable[..., Any],
        is_over: Callable[..., Any],
        value: Callable[..., Any],
        to_play: Callable[..., Any] | None = None,
        initial: Callable[..., Any] | None = None,
        key: Callable[..., Any] | None = None,
        playout: Callable[..., Any] | None = None,
        goal: str | None = None,
        priors: Callable[..., Any] | None = None,
        bound: Callable[..., Any] | None = None,
        move_name: Callable[..., Any] | None = None,
    ) -> None:
        self._dtype = _checked_dtype(dtype)
        self._functions = Functions(
            legal_moves=legal_moves,
            play=play,
            is_over=is_over,
            value=value,
            to_play=_checked_to_play(to_play, goal, self._dtype),
            key=key,
            playout=playout,
            priors=priors,
            bound=bound,
        )
        _check_goal(goal, self._functions)
        self._goal, self._move_name = goal, move_name
        for name, function in [*self._functions.given().items(), *([("move_name", move_name)] if move_name else [])]:
            _check_function(name, function)
        record = _first_record(initial, self._dtype)
        rules = _compiled_rules(self._functions, self._dtype, _checked_number(num_distinct_moves), goal)
        self._game = _native.CompiledGame(rules, record)

    @property
    def state(self) -> Any:
        """The record, by its fields: ``game.state.to_play``."""
        return self._game.record.view(self._dtype).view(np.recarray)[0]

    @property
    def functions(self) -> Functions:
        """The rules, as written."""
        return self._functions

    def native(self) -> _native.CompiledGame:
        """The state as the core holds it."""
        return self._game

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the record."""
        return self._dtype

    @property
    def num_distinct_moves(self) -> int:
        """How many moves exist at all."""
        return self._game.num_distinct_moves

    @property
    def to_play(self) -> int:
        """Who moves: 0, the first player, or 1."""
        return self._game.to_play

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._game.is_over

    @property
    def value(self) -> float:
        """What an ended game is worth to the first player, 0..1, or to the one player."""
        return self._game.value

    # What only some games have is missing from the others, as it is from games in plain Python.

    @property
    def goal(self) -> str:
        """What the one player wants of the value; a game of two has none."""
        return _had(self._goal, "goal", "it is for two players")

    @property
    def bound(self) -> float:
        """The best value that is still possible."""
        _had(self._functions.bound, "bound", "no function was given")
        return self._game.bound()

    @property
    def priors(self) -> Callable[[Sequence[int]], list[float]]:
        """From moves to what each is worth before it is tried, 0..1."""
        _had(self._functions.priors, "priors", "no function was given")
        return self._game.priors

    @property
    def move_name(self) -> Callable[[int], str]:
        """From a move to what people call it."""
        function = _had(self._move_name, "move_name", "no function was given")
        return lambda move: str(function(self.state, move))

    def legal_moves(self) -> Sequence[int]:
        """The moves that may be played, ascending; none at the end."""
        return self._game.legal_moves()

    def play(self, move: int) -> None:
        """Play a legal move; ValueError for another."""
        self._game.play(move)

    def copy(self) -> CompiledGame:
        """A state that goes its own way; nothing is compiled again."""
        twin = object.__new__(CompiledGame)
        twin.__dict__.update(self.__dict__)
        twin._game = self._game.copy()
        return twin

    def key(self) -> int:
        """Equal states have equal keys."""
        return self._game.key()

    def plain(self, max_lines: int | None = None) -> PlainGame:
        """The same state and rules as plain Python, for tests and debuggers.

        Parameters
        ----------
        max_lines : int, optional
            Lines of Python after which a single function counts as endless; None: never.
        """
        rules = PlainRules(
            self._functions, self._dtype, self.num_distinct_moves, self._goal, self._move_name, max_lines
        )
        return PlainGame(rules, self._game.record.tobytes())

    def make_search(self, config: _native_search.SearchConfig, seed: int) -> _native_search.Search:
        """The native search over this state; `tesuji.search.Search` asks for it."""
        return self._game.make_search(config, seed)

    def make_nested(self, level: int, num_threads: int, seed: int) -> _native_search.NestedSearch:
        """A nested search from this state; `tesuji.search.solve` asks for it."""
        return self._game.make_nested(level, num_threads, seed)

    def __repr__(self) -> str:
        return f"CompiledGame({self.state})"


def _field_to_play(state: Any) -> Any:
    return state.to_play


def _always_first(_state: Any) -> Any:
    return 0


def _checked_to_play(to_play: Callable[..., Any] | None, goal: str | None, dtype: np.dtype[Any]) -> Callable[..., Any]:
    if goal is not None:
        if to_play is not None:
            raise ValueError(f"goal is {goal!r}, so one player moves; leave to_play out")
        return _always_first
    if to_play is None and "to_play" not in (dtype.names or ()):
        raise ValueError("the record has no field 'to_play'; add it, or give a function to_play(state)")
    return to_play or _field_to_play


def _check_goal(goal: Any, functions: Functions) -> None:
    if goal is not None and goal not in _GOALS:
        raise ValueError(f"goal is {goal!r}; it must be 'maximise' or 'minimise' (a game of two players has none)")
    if goal is None and functions.bound is not None:
        raise ValueError("a bound is for one player; give a goal, 'maximise' or 'minimise', or leave bound out")
    if goal is not None and functions.playout is not None:
        raise ValueError(
            "a playout of its own tells no moves, and a solution is its moves; leave playout out, or give priors"
        )


def _had(given: T | None, name: str, reason: str) -> T:
    if given is None:
        raise AttributeError(f"this game has no {name}: {reason}")
    return given


def _compiled_rules(
    functions: Functions, dtype: np.dtype[Any], num_moves: int, goal: str | None
) -> _native.CompiledRules:
    try:
        from tesuji.games.compilation import c_functions, compiled
        from tesuji.games.explanation import Explanation
    except ImportError as error:
        raise ImportError(f"a compiled game needs Numba ({error}); install it: {how_to_install('compiled')}") from error
    is_for_one = goal is not None
    made = c_functions(compiled(functions.given(), dtype), dtype, num_moves, is_for_one=is_for_one)
    addresses = {name: function.address for name, function in made.items()}
    return _native.CompiledRules(
        dtype.itemsize,
        num_moves,
        goal or "",
        addresses,
        functions.playout is not None,
        Explanation(functions.given(), dtype, num_moves, is_for_one=is_for_one),
        list(made.values()),
    )


def _checked_dtype(dtype: Any) -> np.dtype[Any]:
    made: np.dtype[Any] = np.dtype(dtype)
    if made.names is None:
        raise TypeError(f"a state is a record, but the dtype is {made}; give fields: [('board', 'i1', 9), ...]")
    for name in made.names:
        if hasattr(np.record, name):
            raise ValueError(f"field {name!r} would hide a method of NumPy's records; call it {name}_ or otherwise")
        kind = made[name].base
        if kind.kind not in "biuf" or not kind.isnative:
            raise TypeError(
                f"field {name!r} is of type {kind}; a record holds whole numbers, floats and booleans in this "
                "machine's byte order, and arrays of them"
            )
    if not 1 <= made.itemsize <= _MOST_BYTES:
        raise ValueError(f"the record has {made.itemsize} bytes; it may have 1..{_MOST_BYTES}")
    return made


def _checked_number(number: Any) -> int:
    if type(number) is not int or not 1 <= number <= _MOST_MOVES:
        raise ValueError(f"num_distinct_moves is {number!r}; it must be a whole number in 1..{_MOST_MOVES}")
    return number


def _check_function(name: str, function: Any) -> None:
    if not callable(function):
        raise TypeError(f"{name} is {function!r}; it must be a function")
    arguments = _CALLS.get(name, ("state",))
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        raise TypeError(f"{name} is {function!r}; it must be a plain function, which Numba can compile")
    if inspect.isgeneratorfunction(function):
        raise TypeError(f"{name} yields; it must return (legal_moves writes into its second argument)")
    if code.co_argcount != len(arguments):
        raise TypeError(f"{name} takes {code.co_argcount} arguments; it is called as {name}({', '.join(arguments)})")


def _first_record(initial: Callable[..., Any] | None, dtype: np.dtype[Any]) -> bytes:
    record = record_from(bytes(dtype.itemsize), dtype)
    if initial is not None:
        initial(record)
    return bytes(record.tobytes())
