"""Evaluators: functions that judge a batch of states at once, such as a neural network.

>>> from tesuji.games import Connect4
>>> from tesuji.search import Search
>>> def evaluator(batch):
...     return [0.5] * len(batch)  # a value for each of batch.states; here a network would judge them
>>> Search(Connect4(), evaluator=evaluator).run(simulations=100, seed=1).value
0.5

What it returns is checked here, once a batch; the batches are filled in the core (``core/search/evaluate.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LARGEST_SHARE", "Evaluator", "LeafBatch", "checked"]

Floats: TypeAlias = NDArray[np.float32]

LARGEST_SHARE = 1e30
"""Of a prior whose sum over the moves does not matter (PUCT divides by it)."""
_LARGEST = float(np.finfo(np.float32).max)


class LeafBatch(msgspec.Struct, frozen=True, gc=False):
    """States to be judged.

    Attributes
    ----------
    states : array or list
        For a native game an array of uint8 with a row for each state: shape (n, 2, rows, columns), a plane of ones and
        zeros for each player. In Go (n, 17, rows, columns), for the side to move: own stones, the opponent's; own
        chains with 1, 2, 3, 4 or more liberties, the opponent's; the last four moves; the point that ko forbids; ones
        if black is to move; ones after a pass. For a `CompiledGame` an array of its records, shape (n,). For a game in
        plain Python a list of n states. All of them belong to the evaluator, which may keep and change them.
    to_play : array of int8, shape (n,)
        Who moves in each state: 0, the first player, or 1.
    """

    states: Any
    to_play: NDArray[np.int8]

    def __len__(self) -> int:
        """How many states there are."""
        return len(self.to_play)


Evaluator: TypeAlias = Callable[[LeafBatch], ArrayLike | tuple[ArrayLike | None, ArrayLike | None]]
"""Returns values of shape (n,), the first player's view, 0..1, or numbers of a game for one player; or a pair (values,
priors), either of which may be None, priors being of shape (n, num_distinct_moves)."""


def checked(
    evaluator: Evaluator,
    dtype: np.dtype[Any] | None = None,
    *,
    priors_at_most: float = 1.0,
    for_one: bool = False,
) -> Callable[[Any, NDArray[np.int8], int], tuple[Floats | None, Floats | None]]:
    """The function that the core calls: makes the batch, and checks what the evaluator returns for it.

    Parameters
    ----------
    evaluator : Evaluator
        Of the user.
    dtype : dtype, optional
        Of a compiled game's records.
    priors_at_most : float
        The largest prior: 1, or `LARGEST_SHARE`.
    for_one : bool
        Whether values are numbers of a game for one player: any finite ones.
    """
    values_within = (-_LARGEST, _LARGEST) if for_one else (0.0, 1.0)

    def evaluate(states: Any, to_play: NDArray[np.int8], num_moves: int) -> tuple[Floats | None, Floats | None]:
        if dtype is not None:
            states = states.view(dtype)[:, 0]
        answer = evaluator(LeafBatch(states, to_play))
        values, priors = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
        if values is None and priors is None:
            raise ValueError("the evaluator returned nothing; it must return values, or a pair (values, priors)")
        return (
            _numbers("values", values, (len(to_play),), values_within),
            _numbers("priors", priors, (len(to_play), num_moves), (0.0, priors_at_most)),
        )

    return evaluate


def _numbers(name: str, given: Any, shape: tuple[int, ...], within: tuple[float, float]) -> Floats | None:
    """An array of float32 of this shape, or one clear error."""
    if given is None:
        return None
    try:
        numbers: Floats = np.asarray(given, dtype=np.float32, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the evaluator returned {_short(given)} as {name}; they must be an array of numbers"
        ) from error
    if numbers.shape != shape:
        raise ValueError(f"the evaluator returned {name} of shape {numbers.shape}; it must be {shape}")
    least, most = within
    if not (numbers.min() >= least and numbers.max() <= most):  # false for NaN
        bad = np.argwhere(~((numbers >= least) & (numbers <= most)))[0]
        raise ValueError(
            f"the evaluator returned {numbers[tuple(bad)]:.6g} in its {name}, for state {bad[0]} of {shape[0]}; "
            f"{name} {_rule(name, least, most)}"
        )
    return numbers


def _rule(name: str, least: float, most: float) -> str:
    if least < 0:
        return "of a game for one player are finite numbers"
    if name == "values":
        return "lie in 0..1, the first player's view"
    return "lie in 0..1" if most == 1 else "lie in 0 and above"


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."
