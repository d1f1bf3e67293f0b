"""Why a compiled game failed: the function runs once more as plain Python, where errors have words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from tesuji.games.compilation import (
    BAD_BOUND,
    BAD_MOVE,
    BAD_MOVER,
    BAD_PRIOR,
    BAD_VALUE,
    ENDLESS,
    MAX_PLAYOUT_MOVES,
    NO_MOVE,
    TOO_MANY,
    needed,
    wrapper,
)
from tesuji.games.plain import record_from

__all__ = ["Explanation"]

_NUMBERS = {"key": np.uint64, "to_play": np.int64, "is_over": np.int64}


class Explanation:
    """Raises what a status of a compiled function stands for. The core calls it on whatever thread it happened.

    Parameters
    ----------
    functions : mapping from str to callable
        The rules, as written.
    dtype : dtype
        Of the record.
    num_distinct_moves : int
        How many moves exist at all.
    is_for_one : bool
        Whether the value may be any finite number.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., Any]],
        dtype: np.dtype[Any],
        num_distinct_moves: int,
        *,
        is_for_one: bool = False,
    ) -> None:
        self.functions = functions
        self.dtype = dtype
        self.num_moves = num_distinct_moves
        self.is_for_one = is_for_one

    def __call__(self, function: str, status: int, record: bytes, move: int, random: int) -> NoReturn:
        """Raise the error.

        Parameters
        ----------
        function : str
            Which failed.
        status : int
            What it returned.
        record : bytes
            The state before the call.
        move : int
            That was to be played; -1: none.
        random : int
            The state of the random stream before a playout.
        """
        if status == ENDLESS:
            raise RuntimeError(
                f"the game did not end within {MAX_PLAYOUT_MOVES} random moves; check_game() shows what it does"
            )
        state = record_from(record, self.dtype)
        before, asked = str(state), f"{function}(state, {move})" if function == "play" else f"{function}(state)"
        out: dict[str, Any] = {}
        try:
            with np.errstate(all="ignore"):
                again = self._again(function, state, move, random, out)
        except Exception as error:
            error.add_note(f"in {asked} of a compiled game, run again as plain Python; the state was {before}")
            raise
        if again != status:
            raise RuntimeError(
                f"{asked} failed as compiled code and not as plain Python; look for whole numbers that grow too large "
                f"or change their type. The state was {before}"
            )
        raise self._broken_rule(status, state, out)

    def _again(self, function: str, state: Any, move: int, random: int, out: dict[str, Any]) -> int:
        functions = needed(function, self.functions)
        body = wrapper(function, self.num_moves, functions, lambda f: f, is_for_one=self.is_for_one)
        out["moves"], out["count"] = np.zeros(self.num_moves, np.int32), np.zeros(1, np.int64)
        out["number"] = np.zeros(1, _NUMBERS.get(function, np.float64))
        if function == "play":
            return int(body(state, move))
        if function == "legal_moves":
            return int(body(state, out["moves"], out["count"]))
        if function == "playout":
            made = np.zeros(self.num_moves, np.uint64)
            stream = np.array([random], np.uint64)
            return int(body(state, stream, out["moves"], made, made, 0, out["number"]))
        if function == "logged_playout":
            log = np.zeros(MAX_PLAYOUT_MOVES, np.int32)
            stream = np.array([random], np.uint64)
            return int(body(state, stream, out["moves"], log, out["count"], out["number"]))
        if function == "priors":
            count = int(self.functions["legal_moves"](state, out["moves"]))
            out["priors"] = np.zeros(count, np.float32)
            return int(body(state, out["moves"][:count], out["priors"]))
        return int(body(state, out["number"]))

    def _broken_rule(self, status: int, state: Any, out: dict[str, Any]) -> Exception:
        """The same words as for a game in plain Python; `state` is the one that breaks the rule."""
        number, most = out["number"][0], self.num_moves - 1
        if status == BAD_MOVE:
            wrong = [int(move) for move in out["moves"] if not 0 <= move <= most]
            return ValueError(f"legal_moves lists {wrong[0]}; moves lie in 0..{most}; the state was {state}")
        if status == TOO_MANY:
            return ValueError(f"legal_moves returned a count outside 0..{self.num_moves}; the state was {state}")
        if status == BAD_MOVER:
            return ValueError(f"to_play is {number}; it must be 0 (first) or 1 (second); the state was {state}")
        if status == BAD_VALUE:
            rule = "be a finite number" if self.is_for_one else "lie in 0..1, the first player's view"
            return ValueError(f"value is {number}; it must {rule}; the state was {state}")
        if status == BAD_PRIOR:
            return ValueError(f"priors writes {out['priors'].tolist()}; they lie in 0..1; the state was {state}")
        if status == BAD_BOUND:
            return ValueError(f"bound is {number}; it must be a number; the state was {state}")
        assert status == NO_MOVE
        return RuntimeError(f"a game that is not over lists no legal move; the state was {state}")
