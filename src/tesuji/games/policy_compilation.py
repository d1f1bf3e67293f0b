"""A playout policy for a compiled game, as C functions: a step, and all steps in one piece.

`tesuji.games.CompiledPlayouts` is the public face. The conventions are those of `tesuji.games.compilation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import carray, types

from tesuji.games.compilation import BAD_STEP, BAD_VALUE, ENDLESS, MAX_PLAYOUT_MOVES, NO_MOVE, OK, RAISED, TOO_MANY
from tesuji.games.explanation import Explanation

__all__ = ["PolicyExplanation", "policy_functions"]

_NEEDED = {
    "step": ("legal_moves", "play", "step", "stop"),
    "playout": ("legal_moves", "play", "step", "stop", "is_over", "value", "to_play"),
}
"""The functions that a C function calls, in the order of its wrapper's parameters."""


def policy_functions(functions: Mapping[str, Any], dtype: np.dtype[Any], num_moves: int) -> dict[str, Any]:
    """C functions around compiled ones, by the names of ``core/games/compiled_playout.hpp``.

    Returns
    -------
    dict
        Numba's CFunc objects: whoever holds an ``address`` must hold the object.
    """
    return {
        name: _c_function(name, dtype, num_moves, tuple(functions[other] for other in others))
        for name, others in _NEEDED.items()
    }


@lru_cache(maxsize=64)
def _c_function(name: str, dtype: np.dtype[Any], num_moves: int, functions: tuple[Any, ...]) -> Any:
    state = types.CPointer(numba.from_dtype(dtype))
    int32, uint64, double = (types.CPointer(kind) for kind in (types.int32, types.uint64, types.double))
    body = _wrapper(name, num_moves, functions, numba.njit)
    if name == "step":
        return numba.cfunc(types.int32(state, uint64, int32, int32, double))(_caught_step(body, num_moves))
    signature = types.int32(state, uint64, int32, uint64, uint64, types.int32, double)
    return numba.cfunc(signature)(_caught_playout(body, num_moves))


def _wrapper(name: str, num_moves: int, functions: tuple[Any, ...], jit: Callable[[Any], Any]) -> Any:
    """What a C function does, apart from catching; with ``jit=lambda f: f`` the same in plain Python."""
    f_legal_moves, f_play, f_step, f_stop = functions[:4]

    @jit
    def step(state, random, moves, move, out):  # type: ignore[no-untyped-def]
        out[0] = f_stop(state)
        if out[0] == out[0]:  # a number, not NaN
            move[0] = -1
            return OK if out[0] >= 0.0 and out[0] <= 1.0 else BAD_VALUE
        count = f_legal_moves(state, moves)
        if count <= 0:
            return NO_MOVE
        if count > num_moves:
            return TOO_MANY
        chosen = f_step(state, moves[:count], random)
        move[0] = chosen
        for i in range(count):
            if moves[i] == chosen:
                f_play(state, np.int64(chosen))
                return OK
        return BAD_STEP

    return step if name == "step" else _playout_wrapper(step, functions[4:], jit)


def _playout_wrapper(f_one: Any, functions: tuple[Any, ...], jit: Callable[[Any], Any]) -> Any:
    f_is_over, f_value, f_to_play = functions

    @jit
    def playout(state, random, moves, first_made, second_made, records, out):  # type: ignore[no-untyped-def]
        move = np.empty(1, np.int32)
        for _ in range(MAX_PLAYOUT_MOVES):
            if f_is_over(state):
                out[0] = f_value(state)
                return OK if out[0] >= 0.0 and out[0] <= 1.0 else BAD_VALUE
            player = f_to_play(state)
            status = f_one(state, random, moves, move, out)
            if status != OK or move[0] < 0:
                return status
            if records:
                if player == 0:
                    first_made[move[0]] = ~np.uint64(0)
                else:
                    second_made[move[0]] = ~np.uint64(0)
        return ENDLESS

    return playout


def _caught_step(body: Any, num_moves: int) -> Any:
    def c_step(state, random, moves, move, out):  # type: ignore[no-untyped-def]
        try:
            return body(
                carray(state, 1)[0], carray(random, 1), carray(moves, num_moves), carray(move, 1), carray(out, 1)
            )
        except Exception:
            return RAISED

    return c_step


def _caught_playout(body: Any, num_moves: int) -> Any:
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


class PolicyExplanation(Explanation):
    """Raises what a status of a policy's function stands for."""

    def _again(self, function: str, state: Any, _move: int, random: int, out: dict[str, Any]) -> int:
        body = _wrapper(
            function, self.num_moves, tuple(self.functions[other] for other in _NEEDED[function]), lambda f: f
        )
        out["moves"], out["number"] = np.zeros(self.num_moves, np.int32), np.zeros(1)
        out["move"] = np.zeros(1, np.int64)
        stream = np.array([random], np.uint64)
        if function == "step":
            return int(body(state, stream, out["moves"], out["move"], out["number"]))
        made = np.zeros(self.num_moves, np.uint64)
        return int(body(state, stream, out["moves"], made, made, 0, out["number"]))

    def _broken_rule(self, status: int, state: Any, out: dict[str, Any]) -> Exception:
        if status != BAD_STEP:
            return super()._broken_rule(status, state, out)
        return ValueError(f"step returned a move that is not legal; it must be one of `moves`; the state was {state}")
