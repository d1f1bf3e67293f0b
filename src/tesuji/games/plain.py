"""The functions of a compiled game, run as plain Python: slow, and every error has its words.

`tesuji.games.CompiledGame.plain` makes one. `check_game` compares it with the compiled game and stops functions that
loop; a debugger and ``print`` work in it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, TypeVar

import msgspec
import numpy as np

from tesuji.games.functions import Functions

__all__ = ["EndlessFunction", "PlainGame", "PlainRules", "record_from"]

T = TypeVar("T")


class EndlessFunction(RuntimeError):  # noqa: N818 - the function is endless, not this exception
    """A function of a game ran far longer than any rule needs."""


def record_from(state: bytes, dtype: np.dtype[Any]) -> Any:
    """A record of its own with these bytes; fields are read and written by attribute."""
    return np.frombuffer(bytearray(state), dtype=dtype).view(np.recarray)[0]


class PlainRules(msgspec.Struct, frozen=True):
    """The rules of a plain game.

    Attributes
    ----------
    functions : Functions
        As written.
    dtype : dtype
        Of the record.
    num_distinct_moves : int
        How many moves exist at all.
    goal : str or None
        Of one player; None: there are two.
    move_name : callable or None
        ``move_name(state, move)``.
    max_lines : int or None
        Lines of Python after which a single function counts as endless; None: never. Counting is slow.
    """

    functions: Functions
    dtype: np.dtype[Any]
    num_distinct_moves: int
    goal: str | None = None
    move_name: Callable[..., Any] | None = None
    max_lines: int | None = None


class PlainGame:
    """A state of a compiled game that plain Python plays; it keeps the same contract.

    Parameters
    ----------
    rules : PlainRules
        Shared by all states.
    state : bytes
        The record.
    """

    def __init__(self, rules: PlainRules, state: bytes) -> None:
        self.rules = rules
        self.functions = rules.functions
        self.state = record_from(state, rules.dtype)
        self.num_distinct_moves = rules.num_distinct_moves

    @property
    def to_play(self) -> int:
        """Who moves: 0, the first player, or 1."""
        return int(self._call("to_play", self.functions.to_play))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._call("is_over", self.functions.is_over))

    @property
    def value(self) -> float:
        """What an ended game is worth to the first player, 0..1, or to the one player."""
        return float(self._call("value", self.functions.value))

    @property
    def goal(self) -> str:
        """What the one player wants of the value; a game of two has none."""
        return _had(self.rules.goal, "goal")

    @property
    def bound(self) -> float:
        """The best value that is still possible."""
        return float(self._call("bound", _had(self.functions.bound, "bound")))

    @property
    def priors(self) -> Callable[[Sequence[int]], list[float]]:
        """From moves to what each is worth before it is tried, 0..1."""
        function = _had(self.functions.priors, "priors")

        def priors(moves: Sequence[int]) -> list[float]:
            out = np.zeros(len(moves), np.float32)
            self._call("priors", function, np.array(moves, np.int32), out)
            return [float(prior) for prior in out]

        return priors

    @property
    def move_name(self) -> Callable[[int], str]:
        """From a move to what people call it."""
        function = _had(self.rules.move_name, "move_name")
        return lambda move: str(function(self.state, move))

    def legal_moves(self) -> Sequence[int]:
        """The moves that may be played, in the order of the game's function; none at the end."""
        if self.is_over:
            return []
        moves = np.zeros(self.num_distinct_moves, np.int32)
        count = int(self._call("legal_moves", self.functions.legal_moves, moves))
        if not 0 <= count <= len(moves):
            raise ValueError(f"legal_moves returned {count}; there are 0..{len(moves)} moves to write")
        return [int(move) for move in moves[:count]]

    def play(self, move: int) -> None:
        """Play a legal move."""
        self._call("play", self.functions.play, move)

    def copy(self) -> PlainGame:
        """A state that goes its own way."""
        return PlainGame(self.rules, self.state.tobytes())

    def key(self) -> int:
        """The game's own key; without one, a hash of the record."""
        if self.functions.key is not None:
            return int(self._call("key", self.functions.key))
        return hash(self.state.tobytes())

    def _call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # whole numbers wrap around, as compiled ones do
            if self.rules.max_lines is None:
                return function(self.state, *arguments)
            return _limited(self.rules.max_lines, name, function, self.state, *arguments)


def _had(given: T | None, name: str) -> T:
    if given is None:
        raise AttributeError(f"this game has no {name}")
    return given


def _limited(max_lines: int, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that may run so many lines of Python; a debugger's trace function is put back afterwards."""
    left = max_lines

    def count(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise EndlessFunction(f"{name} was still running after {max_lines:,} lines, at line {frame.f_lineno}")
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)
