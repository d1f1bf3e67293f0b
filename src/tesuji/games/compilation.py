"""Plain functions over a NumPy record, compiled by Numba to C functions that return a status.

`tesuji.games.compiled` is the public face, and the only one who imports this module: Numba takes a second to import.

An exception inside a C function has nowhere to go, so each C function catches what happens and returns a status. To say
what it was, the same functions run once more as plain Python on the same record (`tesuji.games.compiled`), where errors have
words. Nothing here draws from a generator of its own: playouts continue the search's stream, by the formula of
``core/base/rng.hpp``.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import carray, types

from tesuji.games.functions import Functions, below
from tesuji.games.numba_errors import reason_of

__all__ = ["c_functions", "compiled", "wrappers"]

# Statuses of the C functions. What the functions say is checked where they run, because playouts never come back.
OK, RAISED, BAD_MOVE, TOO_MANY, NO_MOVE, BAD_MOVER, BAD_VALUE, ENDLESS = range(8)

MAX_PLAYOUT_MOVES = 100_000
"""As in ``core/games/game.hpp``."""

# Compiling ------------------------------------------------------------------------------------------------------------


def compiled(functions: Functions, dtype: np.dtype[Any]) -> dict[str, Any]:
    """Compile the functions one by one.

    Returns
    -------
    dict
        A Numba dispatcher by name.

    Raises
    ------
    ValueError
        Names the function, the line that does not compile and why, or what it returns instead of what it should.
    """
    record = numba.from_dtype(dtype)
    arguments: dict[str, tuple[Any, ...]] = {
        "legal_moves": (record, types.int32[::1]),
        "play": (record, types.int64),
        "playout": (record, types.uint64[::1]),
    }
    made: dict[python_types.FunctionType, Any] = {}
    return {name: _compiled_one(name, f, arguments.get(name, (record,)), dtype, made) for name, f in functions.given().items()}


_RETURNS: dict[str, tuple[tuple[type, ...], str]] = {
    "legal_moves": ((types.Integer,), "how many moves it wrote, a whole number"),
    "play": ((types.NoneType,), "nothing; it changes the state"),
    "is_over": ((types.Boolean, types.Integer), "True or False"),
    "value": ((types.Float, types.Integer), "a number in 0..1, the first player's view"),
    "to_play": ((types.Integer,), "0 (first) or 1 (second)"),
    "key": ((types.Integer,), "a whole number"),
    "playout": ((types.Float, types.Integer), "a number in 0..1, the first player's view"),
}


def _compiled_one(
    name: str, function: Any, arguments: tuple[Any, ...], dtype: np.dtype[Any], made: dict[Any, Any]
) -> Any:
    try:
        dispatcher = _jitted(function, made)
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
        made[function] = None  # a function that calls itself is left to Numba
        own = python_types.FunctionType(
            function.__code__,
            {**function.__globals__, **_helpers(function, made)},
            function.__name__,
            function.__defaults__,
            tuple(_cell(cell, made) for cell in function.__closure__ or ()),
        )
        made[function] = numba.njit(boundscheck=True)(own)
    return made[function]


def _helpers(function: python_types.FunctionType, made: dict[Any, Any]) -> dict[str, Any]:
    found = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {
        name: _jitted(helper, made)
        for name, helper in found.items()
        if isinstance(helper, python_types.FunctionType) and helper is not function
    }


def _cell(cell: Any, made: dict[Any, Any]) -> Any:
    held = cell.cell_contents
    return python_types.CellType(_jitted(held, made)) if isinstance(held, python_types.FunctionType) else cell


# The C functions ------------------------------------------------------------------------------------------------------


def c_functions(functions: Mapping[str, Any], dtype: np.dtype[Any], num_moves: int) -> dict[str, Any]:
    """C functions around compiled ones, by the names of ``core/games/compiled.hpp``.

    Returns
    -------
    dict
        Numba's CFunc objects: whoever holds an ``address`` must hold the object.
    """
    state = types.CPointer(numba.from_dtype(dtype))
    int32, uint64, double = (types.CPointer(kind) for kind in (types.int32, types.uint64, types.double))
    signatures = {
        "to_play": types.int32(state, int32),
        "is_over": types.int32(state, int32),
        "value": types.int32(state, double),
        "legal_moves": types.int32(state, int32, int32),
        "play": types.int32(state, types.int32),
        "key": types.int32(state, uint64),
        "playout": types.int32(state, uint64, int32, uint64, uint64, types.int32, double),
    }
    wrappers = wrappers(functions, num_moves, numba.njit)
    return {name: numba.cfunc(signatures[name])(_caught(name, wrapper, num_moves)) for name, wrapper in wrappers.items()}


def wrappers(functions: Mapping[str, Any], num_moves: int, jit: Callable[[Any], Any]) -> dict[str, Any]:
    """What the C functions do, apart from catching; with ``jit=lambda f: f`` the same in plain Python."""
    f_to_play, f_is_over, f_value = functions["to_play"], functions["is_over"], functions["value"]
    f_legal_moves, f_play = functions["legal_moves"], functions["play"]
    draw = jit(below)

    @jit
    def to_play(state, player):  # type: ignore[no-untyped-def]
        player[0] = f_to_play(state)
        return OK if player[0] == 0 or player[0] == 1 else BAD_MOVER

    @jit
    def is_over(state, over):  # type: ignore[no-untyped-def]
        over[0] = 1 if f_is_over(state) else 0
        return OK

    @jit
    def value(state, out):  # type: ignore[no-untyped-def]
        out[0] = f_value(state)
        return OK if out[0] >= 0.0 and out[0] <= 1.0 else BAD_VALUE

    @jit
    def legal_moves(state, moves, count):  # type: ignore[no-untyped-def]
        count[0] = f_legal_moves(state, moves)
        if count[0] < 0 or count[0] > num_moves:
            return TOO_MANY
        for i in range(count[0]):
            if moves[i] < 0 or moves[i] >= num_moves:
                return BAD_MOVE
        return OK

    @jit
    def play(state, move):  # type: ignore[no-untyped-def]
        f_play(state, int(move))
        return OK

    @jit
    def uniform_playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def]
        count = 0
        for _ in range(MAX_PLAYOUT_MOVES):
            if f_is_over(state):
                out[0] = f_value(state)
                return OK if out[0] >= 0.0 and out[0] <= 1.0 else BAD_VALUE
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
            f_play(state, int(move))
        return ENDLESS

    found = {
        "to_play": to_play,
        "is_over": is_over,
        "value": value,
        "legal_moves": legal_moves,
        "play": play,
        "playout": uniform_playout,
    }
    if "key" in functions:
        found["key"] = _key_wrapper(functions["key"], jit)
    if "playout" in functions:
        found["playout"] = _playout_wrapper(functions["playout"], jit)
    return found


def _key_wrapper(f_key: Any, jit: Callable[[Any], Any]) -> Any:
    @jit
    def key(state, out):  # type: ignore[no-untyped-def]
        out[0] = np.uint64(f_key(state))
        return OK

    return key


def _playout_wrapper(f_playout: Any, jit: Callable[[Any], Any]) -> Any:
    """A playout of the game's own tells no moves: AMAF then learns from those of the walk alone."""

    @jit
    def playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def] # noqa: ARG001
        out[0] = f_playout(state, random)
        return OK if out[0] >= 0.0 and out[0] <= 1.0 else BAD_VALUE

    return playout


def _caught(name: str, wrapper: Any, num_moves: int) -> Any:
    """The C function: pointers to arrays, exceptions to a status."""
    if name == "legal_moves":

        def c_legal_moves(state, moves, count):  # type: ignore[no-untyped-def]
            try:
                return wrapper(carray(state, 1)[0], carray(moves, num_moves), carray(count, 1))
            except Exception:
                return RAISED

        return c_legal_moves
    if name == "play":

        def c_play(state, move):  # type: ignore[no-untyped-def]
            try:
                return wrapper(carray(state, 1)[0], move)
            except Exception:
                return RAISED

        return c_play
    if name == "playout":

        def c_playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def]
            made = num_moves if records else 1
            try:
                return wrapper(
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

    def c_question(state, out):  # type: ignore[no-untyped-def]
        try:
            return wrapper(carray(state, 1)[0], carray(out, 1))
        except Exception:
            return RAISED

    return c_question
