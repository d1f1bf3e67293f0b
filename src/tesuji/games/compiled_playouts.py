"""A playout policy for a `CompiledGame`, compiled as the game is.

::

    def step(state, moves, random):
        return moves[below(random, len(moves))]  # every legal move is as likely

    values, lengths = tesuji.search.playouts.play_out(game, CompiledPlayouts(game, step=step), number=1000)

Needs Numba. What it does not have: a memory between playouts; a policy in plain Python (`tesuji.search.playouts`) may.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tesuji._core import games as _native
from tesuji.games.compiled import CompiledGame

__all__ = ["CompiledPlayouts"]

_CALLS = {"step": (3, "state, moves, random"), "stop": (1, "state")}


class CompiledPlayouts:
    """A playout policy for one compiled game, as functions over its record.

    They are compiled when this is made. All threads call them at once, without the interpreter. A move that is not
    legal, a value out of range and an exception are errors with words, as those of the game.

    Parameters
    ----------
    game : CompiledGame
        Any state of the game; the policy plays all states with the same rules.
    step : callable
        ``step(state, moves, random)`` returns one of ``moves``, an array of the legal moves. It draws by
        ``tesuji.games.below(random, bound)`` and leaves the state and the moves as they are.
    stop : callable, optional
        ``stop(state)``, asked before each step, returns the value to the first player, 0..1, with which the playout
        ends here, or NaN to go on. Without it a playout ends with the game.

    Raises
    ------
    TypeError, ValueError
        For functions that cannot be used, or that do not compile.
    """

    def __init__(self, game: CompiledGame, *, step: Callable[..., Any], stop: Callable[..., Any] | None = None) -> None:
        if not isinstance(game, CompiledGame):
            raise TypeError(f"game is {game!r}; compiled playouts are for a CompiledGame")
        for name, function in (("step", step), ("stop", stop or _go_on)):
            _check(name, function)
        self._native = _compiled_steps(game, step, stop or _go_on)

    def native(self) -> _native.CompiledSteps:
        """What the core makes its policy from."""
        return self._native


def _go_on(state: Any) -> float:  # noqa: ARG001
    return float("nan")


def _check(name: str, function: Any) -> None:
    number, arguments = _CALLS[name]
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        raise TypeError(f"{name} is {function!r}; it must be a plain function, which Numba can compile")
    if code.co_argcount != number:
        raise TypeError(f"{name} takes {code.co_argcount} arguments; it is called as {name}({arguments})")


def _compiled_steps(game: CompiledGame, step: Callable[..., Any], stop: Callable[..., Any]) -> _native.CompiledSteps:
    from tesuji.games.compilation import compiled
    from tesuji.games.policy_compilation import PolicyExplanation, policy_functions

    functions = {**game.functions.given(), "step": step, "stop": stop}
    made = policy_functions(compiled(functions, game.dtype), game.dtype, game.num_distinct_moves)
    addresses = {name: function.address for name, function in made.items()}
    explain = PolicyExplanation(functions, game.dtype, game.num_distinct_moves)
    return _native.CompiledSteps(game.native(), addresses, explain, list(made.values()))
