"""Plain functions over a NumPy record, compiled by Numba to C functions that return a status.

`tesuji.games.compiled` is the public face, and the only one who imports this module: Numba takes a second to import.

An exception inside a C function has nowhere to go, so each C function catches what happens and returns a status. To say
what it was, the same functions run once more as plain Python on the same record (`tesuji.games.explanation`), where
errors have words. Nothing here draws from a generator of its own: playouts continue the search's stream.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import carray, types

from tesuji.games.functions import below
from tesuji.games.numba_errors import reason_of

__all__ = ["c_functions", "compiled", "needed", "wrapper"]

# Statuses of the C functions. What the functions say is checked where they run, because playouts never come back.
OK, RAISED, BAD_MOVE, TOO_MANY, NO_MOVE, BAD_MOVER, BAD_VALUE, ENDLESS, BAD_STEP, BAD_PRIOR, BAD_BOUND = range(11)

MAX_PLAYOUT_MOVES = 100_000
"""As in ``core/games/game.hpp``."""

# Compiling ------------------------------------------------------------------------------------------------------------


def compiled(functions: Mapping[str, Callable[..., Any]], dtype: np.dtype[Any]) -> dict[str, Any]:
    """Compile functions by name, one by one; what was compiled before is not compiled again.

    Returns
    -------
    dict
        A Numba dispatcher by name.

    Raises
    ------
    ValueError
        Names the function, the line that does not compile and why, or what it returns instead of what it should.
    """
    return {name: _compiled_one(name, function, dtype, _reached_from(function)) for name, function in functions.items()}


_RETURNS: dict[str, tuple[tuple[type, ...], str]] = {
    "legal_moves": ((types.Integer,), "how many moves it wrote, a whole number"),
    "play": ((types.NoneType,), "nothing; it changes the state"),
    "is_over": ((types.Boolean, types.Integer), "True or False"),
    "value": ((types.Float, types.Integer), "a number in 0..1, the first player's view"),
    "to_play": ((types.Integer,), "0 (first) or 1 (second)"),
    "key": ((types.Integer,), "a whole number"),
    "playout": ((types.Float, types.Integer), "a number in 0..1, the first player's view"),
    "priors": ((types.NoneType,), "nothing; it writes into its third argument"),
    "bound": ((types.Float, types.Integer), "a number, the best value still possible"),
    "step": ((types.Integer,), "the move to play, one of the moves it was given"),
    "stop": ((types.Float, types.Integer), "a number in 0..1, the first player's view, or NaN to go on"),
}
_MOVES, _RANDOM = types.int32[::1], types.uint64[::1]
_MORE_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "legal_moves": (_MOVES,),
    "play": (types.int64,),
    "playout": (_RANDOM,),
    "step": (_MOVES, _RANDOM),
    "priors": (_MOVES, types.float32[::1]),
}
"""After the state."""


def _reached_from(function: Any) -> tuple[Any, ...]:
    """The plain functions that a function calls, directly or not: another helper is another function."""
    found: dict[Any, None] = {}
    todo = [function]
    while todo:
        here = todo.pop()
        if isinstance(here, python_types.FunctionType) and here not in found:
            found[here] = None
            todo += [here.__globals__.get(name) for name in here.__code__.co_names]
            todo += [cell.cell_contents for cell in here.__closure__ or ()]
    return tuple(found)


@lru_cache(maxsize=256)
def _compiled_one(name: str, function: Any, dtype: np.dtype[Any], _helpers: tuple[Any, ...]) -> Any:
    arguments = (numba.from_dtype(dtype), *_MORE_ARGUMENTS.get(name, ()))
    try:
        dispatcher = _jitted(function, {})
        dispatcher.compile(arguments)
    except Exception as error:  # Numba raises KeyError, TypeError and others beside its own
        raise ValueError(f"{name} does not compile: {reason_of(error, function, dtype)}") from error
    returned = dispatcher.overloads[arguments].signature.return_type
    kinds, rule = _RETURNS[name]
    if not isinstance(returned, kinds):
        raise ValueError(f"{name} returns {returned}; it must return {rule}")
    return dispatcher


def _jitted(function: Any, made: dict[Any, Any]) -> Any:
    """A dispatcher of a function whose helpers, plain functions that it names, are dispatchers too."""
    if not isinstance(function, python_types.FunctionType):
        return function  # somebody compiled it already
    if function not in made:
        names = dict(function.__globals__)
        cells = tuple(python_types.CellType(cell.cell_contents) for cell in function.__closure__ or ())
        own = python_types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
        made[function] = numba.njit(boundscheck=True)(own)  # before its helpers, which may call it
        for name in function.__code__.co_names:
            if isinstance(names.get(name), python_types.FunctionType):
                names[name] = _jitted(names[name], made)
        for cell in cells:
            if isinstance(cell.cell_contents, python_types.FunctionType):
                cell.cell_contents = _jitted(cell.cell_contents, made)
    return made[function]


# The C functions ------------------------------------------------------------------------------------------------------


def c_functions(
    functions: Mapping[str, Any], dtype: np.dtype[Any], num_moves: int, *, is_for_one: bool
) -> dict[str, Any]:
    """C functions around compiled ones, by the names of ``core/games/compiled.hpp``.

    Parameters
    ----------
    functions : mapping
        Numba dispatchers by name.
    dtype : dtype
        Of the record.
    num_moves : int
        How many moves exist at all.
    is_for_one : bool
        Whether the value may be any finite number.

    Returns
    -------
    dict
        Numba's CFunc objects: whoever holds an ``address`` must hold the object.
    """
    names = ["to_play", "is_over", "value", "legal_moves", "play", "playout"]
    names += [name for name in ("key", "priors", "bound") if name in functions]
    names += ["logged_playout"] * ("playout" not in functions)
    return {name: _c_function(name, dtype, num_moves, needed(name, functions), is_for_one) for name in names}


def needed(name: str, functions: Mapping[str, Any]) -> tuple[Any, ...]:
    """The functions of the game that a C function of this name calls, in the order of its wrapper's parameters."""
    if name != "logged_playout" and (name != "playout" or "playout" in functions):
        return (functions[name],)
    return tuple(functions[other] for other in ("is_over", "value", "legal_moves", "to_play", "play"))


@lru_cache(maxsize=256)
def _c_function(name: str, dtype: np.dtype[Any], num_moves: int, functions: tuple[Any, ...], is_for_one: bool) -> Any:
    state = types.CPointer(numba.from_dtype(dtype))
    int32, uint64, single, double = map(types.CPointer, (types.int32, types.uint64, types.float32, types.double))
    signatures = {
        "to_play": types.int32(state, int32),
        "is_over": types.int32(state, int32),
        "value": types.int32(state, double),
        "legal_moves": types.int32(state, int32, int32),
        "play": types.int32(state, types.int32),
        "key": types.int32(state, uint64),
        "playout": types.int32(state, uint64, int32, uint64, uint64, types.int32, double),
        "logged_playout": types.int32(state, uint64, int32, int32, types.int32, int32, double),
        "priors": types.int32(state, int32, types.int32, single),
        "bound": types.int32(state, double),
    }
    made = wrapper(name, num_moves, functions, numba.njit, is_for_one=is_for_one)
    return numba.cfunc(signatures[name])(_caught(name, made, num_moves))


def wrapper(
    name: str, num_moves: int, functions: tuple[Any, ...], jit: Callable[[Any], Any], *, is_for_one: bool
) -> Any:
    """What a C function does, apart from catching; with ``jit=lambda f: f`` the same in plain Python."""
    is_value = jit(_is_number if is_for_one else _is_share)
    if name == "legal_moves":
        return _legal_moves_wrapper(functions[0], num_moves, jit)
    if name == "logged_playout":
        return _logged_playout(functions, num_moves, is_value, jit)
    if name == "playout" and len(functions) > 1:
        return _uniform_playout(functions, num_moves, is_value, jit)
    if name in ("value", "playout"):
        return {"value": _value_wrapper, "playout": _playout_wrapper}[name](functions[0], is_value, jit)
    makers = {
        "to_play": _to_play_wrapper,
        "is_over": _is_over_wrapper,
        "play": _play_wrapper,
        "key": _key_wrapper,
        "priors": _priors_wrapper,
        "bound": _bound_wrapper,
    }
    return makers[name](functions[0], jit)


def _is_share(value):  # type: ignore[no-untyped-def]
    """Whether a value is one of two players'."""
    return value >= 0.0 and value <= 1.0


def _is_number(value):  # type: ignore[no-untyped-def]
    """Whether a value is one player's."""
    return np.isfinite(value)


def _to_play_wrapper(f_to_play: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def to_play(state, player):  # type: ignore[no-untyped-def]
        player[0] = f_to_play(state)
        return OK if player[0] == 0 or player[0] == 1 else BAD_MOVER

    return to_play


def _is_over_wrapper(f_is_over: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def is_over(state, over):  # type: ignore[no-untyped-def]
        over[0] = 1 if f_is_over(state) else 0
        return OK

    return is_over


def _value_wrapper(f_value: Any, is_value: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def value(state, out):  # type: ignore[no-untyped-def]
        out[0] = f_value(state)
        return OK if is_value(out[0]) else BAD_VALUE

    return value


def _bound_wrapper(f_bound: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def bound(state, out):  # type: ignore[no-untyped-def]
        out[0] = f_bound(state)
        return BAD_BOUND if np.isnan(out[0]) else OK

    return bound


def _priors_wrapper(f_priors: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def priors(state, moves, out):  # type: ignore[no-untyped-def]
        f_priors(state, moves, out)
        for prior in out:
            if not (prior >= 0.0 and prior <= 1.0):
                return BAD_PRIOR
        return OK

    return priors


def _legal_moves_wrapper(f_legal_moves: Any, num_moves: int, jit: Callable[[Any], Any]) -> Any:
    @jit
    def legal_moves(state, moves, count):  # type: ignore[no-untyped-def]
        count[0] = f_legal_moves(state, moves)
        if count[0] < 0 or count[0] > num_moves:
            return TOO_MANY
        for i in range(count[0]):
            if moves[i] < 0 or moves[i] >= num_moves:
                return BAD_MOVE
        return OK

    return legal_moves


def _play_wrapper(f_play: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def play(state, move):  # type: ignore[no-untyped-def]
        f_play(state, np.int64(move))
        return OK

    return play


def _uniform_playout(functions: tuple[Any, ...], num_moves: int, is_value: Any, jit: Callable[[Any], Any]) -> Any:
    """Every legal move is as likely: the same draws as ``play_out_uniformly`` in the core."""
    f_is_over, f_value, f_legal_moves, f_to_play, f_play = functions
    draw = jit(below)

    @jit
    def playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def]
        for _ in range(MAX_PLAYOUT_MOVES):
            if f_is_over(state):
                out[0] = f_value(state)
                return OK if is_value(out[0]) else BAD_VALUE
            count = f_legal_moves(state, moves)
            if count <= 0:
                return NO_MOVE
            if count > num_moves:
                return TOO_MANY
            move = moves[draw(random, count)]
            if move < 0 or move >= num_moves:
                return BAD_MOVE
            if records:
                if f_to_play(state) == 0:
                    first_made[move] = ~np.uint64(0)
                else:
                    second_made[move] = ~np.uint64(0)
            f_play(state, np.int64(move))
        return ENDLESS

    return playout


def _logged_playout(functions: tuple[Any, ...], num_moves: int, is_value: Any, jit: Callable[[Any], Any]) -> Any:
    """The same playout with its moves written down, as twice the move plus its player, until the log is full.

    If fewer than `len(log)` are written the game is over, and `out` holds its value.
    """
    f_is_over, f_value, f_legal_moves, f_to_play, f_play = functions
    draw = jit(below)

    @jit
    def logged_playout(state, random, moves, log, written, out):  # type: ignore[no-untyped-def]
        for i in range(len(log)):
            written[0] = i
            if f_is_over(state):
                out[0] = f_value(state)
                return OK if is_value(out[0]) else BAD_VALUE
            count = f_legal_moves(state, moves)
            if count <= 0:
                return NO_MOVE
            if count > num_moves:
                return TOO_MANY
            move = moves[draw(random, count)]
            if move < 0 or move >= num_moves:
                return BAD_MOVE
            log[i] = 2 * move + f_to_play(state)
            f_play(state, np.int64(move))
        written[0] = len(log)
        return OK

    return logged_playout


def _key_wrapper(f_key: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def key(state, out):  # type: ignore[no-untyped-def]
        out[0] = np.uint64(f_key(state))
        return OK

    return key


def _playout_wrapper(f_playout: Any, is_value: Any, jit: Callable[[Any], Any]) -> Any:
    """A playout of the game's own tells no moves: AMAF then learns from those of the walk alone."""

    @jit
    def playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def] # noqa: ARG001
        out[0] = f_playout(state, random)
        return OK if is_value(out[0]) else BAD_VALUE

    return playout


def _caught(name: str, body: Any, num_moves: int) -> Any:
    """The C function: pointers to arrays, exceptions to a status."""
    if name == "legal_moves":

        def c_legal_moves(state, moves, count):  # type: ignore[no-untyped-def]
            try:
                return body(carray(state, 1)[0], carray(moves, num_moves), carray(count, 1))
            except Exception:
                return RAISED

        return c_legal_moves
    if name == "play":

        def c_play(state, move):  # type: ignore[no-untyped-def]
            try:
                return body(carray(state, 1)[0], move)
            except Exception:
                return RAISED

        return c_play
    if name == "playout":

        def c_playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def]
            made = num_moves if records else 1
            try:
                return body(
                    carray(state, 1)[0],
                    carray(random, 1),
                    carray(moves, num_moves),
                    carray(first_made, made),
                    carray(second_made, made),
                    records,
                    carray(out, 1),
                )
            except Exception:
                return RAISED

        return c_playout

    if name == "logged_playout":

        def c_logged_playout(state, random, moves, log, capacity, written, out):  # type: ignore[no-untyped-def]
            try:
                return body(
                    carray(state, 1)[0],
                    carray(random, 1),
                    carray(moves, num_moves),
                    carray(log, capacity),
                    carray(written, 1),
                    carray(out, 1),
                )
            except Exception:
                return RAISED

        return c_logged_playout
    if name == "priors":

        def c_priors(state, moves, count, out):  # type: ignore[no-untyped-def]
            try:
                return body(carray(state, 1)[0], carray(moves, count), carray(out, count))
            except Exception:
                return RAISED

        return c_priors

    def c_question(state, out):  # type: ignore[no-untyped-def]
        try:
            return body(carray(state, 1)[0], carray(out, 1))
        except Exception:
            return RAISED

    return c_question
