"""Win/loss states: a proportion of wins as one small integer, after Basaldúa, 4.5.

A state stands for n wins of m trials, m at most the end of the scale. States are numbered by the evidence that the
proportion lies above a threshold, so comparing two proportions is comparing two integers, and an update is one look-up
in a table. Nothing here decides what to count; it knows nothing of games. The tables are made in the core.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji._core.learning import learn, win_loss_tables

__all__ = ["LONGEST_SCALE", "WinLossStates"]

LONGEST_SCALE = 5000
"""The largest `end_of_scale`: 12.5 million states."""
_FAR = 2.0  # from here on, a jump from an extreme state leaves nothing of it

States = npt.NDArray[np.unsignedinteger[Any]]


class WinLossStates:
    """All proportions n/m with m up to an end of scale, as integers in the order of their evidence.

    Parameters
    ----------
    end_of_scale
        The most trials that a state remembers, 1 to 5,000. Up to 21 a state is a byte, up to 360 two, else four. The
        shorter, the sooner the past is forgotten.
    alpha
        The significance level of the Agresti-Coull interval whose bounds order the states. Near 1 they are ordered by
        their proportions alone; the smaller it is, the more trials count. The source does not print its own; with 1/2
        its tables come out.
    threshold
        The proportion that states are evidence for or against.
    jump
        K of the jump-to-past-state heuristic, 0 to 2: how far a saturated state goes back. 0 makes a saturated state a
        mere counter, which drifts to an end of the scale.

    Attributes
    ----------
    dtype : numpy.dtype
        Of arrays of states.
    size : int
        How many states there are.
    win, loss : array, shape (size,)
        The next state after a win and after a loss, by state; not writeable. Plain arrays, for Numba too:
        ``states[i] = win[states[i]]``.
    wins, trials : array of uint32, shape (size,)
        What each state stands for. State 0 has never been tried.
    threshold_state : int
        The lowest state whose proportion is at or above the threshold.

    Raises
    ------
    ValueError
        For an end of scale, an alpha, a threshold or a jump out of its range, or an alpha so small that a win
        would lower a state.

    Examples
    --------
    >>> scale = WinLossStates()
    >>> states = scale.zeros(3)
    >>> scale.learn(states, [0, 0, 1], [True, True, False])
    >>> states.nbytes, scale.rate(states).tolist()
    (3, [1.0, 0.0, nan])
    >>> scale.is_above(states).tolist()
    [True, False, False]
    """

    def __init__(
        self, end_of_scale: int = 21, *, alpha: float = 0.5, threshold: float = 0.5, jump: float = 1.3
    ) -> None:
        self.end_of_scale, self.alpha, self.threshold, self.jump = _checked(end_of_scale, alpha, threshold, jump)
        z = NormalDist().inv_cdf(1 - self.alpha / 2)
        try:
            win, loss, wins, trials, threshold_state = win_loss_tables(self.end_of_scale, z, self.threshold, self.jump)
        except ValueError as error:
            raise ValueError(f"alpha = {alpha} and threshold = {threshold}: {error}; give a larger alpha") from None
        self.size = len(win)
        self.dtype: np.dtype[np.unsignedinteger[Any]] = np.min_scalar_type(self.size - 1)
        self.win, self.loss = _constant(win.astype(self.dtype)), _constant(loss.astype(self.dtype))
        self.wins, self.trials = _constant(wins), _constant(trials)
        self.threshold_state: int = threshold_state

    def __repr__(self) -> str:
        return (
            f"WinLossStates({self.end_of_scale}, alpha={self.alpha:g}, threshold={self.threshold:g},"
            f" jump={self.jump:g})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.end_of_scale, self.alpha, self.threshold, self.jump)

    def zeros(self, shape: int | tuple[int, ...]) -> States:
        """States that have never been tried."""
        return np.zeros(shape, self.dtype)

    def state(self, wins: int, trials: int) -> int:
        """The state of a proportion.

        Raises
        ------
        ValueError
            If it is not on the scale.
        """
        if not 0 <= wins <= trials <= self.end_of_scale:
            raise ValueError(f"{wins}/{trials} is not on a scale that ends at {self.end_of_scale}")
        return int(np.flatnonzero((self.wins == wins) & (self.trials == trials))[0])

    def nearest(self, rate: float) -> int:
        """The state whose proportion is nearest to `rate`; of several, the one with the fewest trials."""
        if not 0 <= rate <= 1:
            raise ValueError(f"a rate is {rate}: it is 0 to 1")
        order = np.lexsort((self.trials[1:], np.abs(self.wins[1:] / self.trials[1:] - rate)))
        return int(order[0]) + 1

    def updated(self, states: npt.ArrayLike, won: npt.ArrayLike) -> States:
        """The states after one result each.

        Parameters
        ----------
        states
            Of any shape.
        won
            Whether it was a win; of the same shape, or one for all.
        """
        known = self._checked_states(states)
        after: States = np.where(np.asarray(won, bool), self.win[known], self.loss[known])
        return after

    def learn(self, states: States, at: npt.ArrayLike, won: npt.ArrayLike) -> None:
        """Enter results one after another into `states`, in place.

        Parameters
        ----------
        states : array of `dtype`, one dimension
            Changed in place.
        at
            Which elements, in the order of the results. One may come more than once.
        won
            Whether each result was a win.

        Raises
        ------
        ValueError
            If `states` is no such array, if lengths differ, or if an element does not exist. Then nothing is changed.
        """
        places, results = np.atleast_1d(np.asarray(at, np.int64)), np.atleast_1d(np.asarray(won, bool))
        if getattr(states, "dtype", None) != self.dtype or states.ndim != 1:
            raise ValueError(f"states must be an array of {self.dtype} with one dimension, as zeros() makes it")
        if not states.flags.c_contiguous or not states.flags.writeable:
            raise ValueError("states must be contiguous and writeable: give a copy")
        if places.shape != results.shape or places.ndim != 1:
            raise ValueError(f"there are {places.size} places and {results.size} results: give one for each")
        try:
            learn(self.win, self.loss, states, places, results)
        except IndexError as error:
            raise ValueError(f"{error}: there are {len(states)} elements, of states below {self.size}") from None

    def rate(self, states: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The proportions that states stand for; NaN where nothing was tried."""
        known = self._checked_states(states)
        trials = self.trials[known]
        return np.where(trials > 0, self.wins[known] / np.maximum(trials, 1), np.nan)

    def is_above(self, states: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether the proportions are at or above the threshold: one comparison each."""
        return np.asarray(states) >= self.threshold_state

    def _checked_states(self, states: npt.ArrayLike) -> npt.NDArray[Any]:
        known = np.asarray(states)
        if known.dtype.kind not in "iu":
            raise ValueError(f"states are whole numbers, not {known.dtype}")
        if known.size and (known.min() < 0 or known.max() >= self.size):
            wrong = known.max() if known.max() >= self.size else known.min()
            raise ValueError(f"{wrong} is not a state of this scale: they go from 0 to {self.size - 1}")
        return known


def _checked(end_of_scale: int, alpha: float, threshold: float, jump: float) -> tuple[int, float, float, float]:
    if isinstance(end_of_scale, bool) or int(end_of_scale) != end_of_scale or not 1 <= end_of_scale <= LONGEST_SCALE:
        raise ValueError(f"end_of_scale is {end_of_scale}: it is a whole number, the smallest 1, up to {LONGEST_SCALE}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}: a significance level lies between 0 and 1")
    if not 0 < threshold < 1:
        raise ValueError(f"threshold is {threshold}: it lies between 0 and 1, both excluded")
    if not (0 <= jump <= _FAR and math.isfinite(jump)):
        raise ValueError(f"jump is {jump}: it is 0 (no jump) to {_FAR:g}")
    return int(end_of_scale), float(alpha), float(threshold), float(jump)


def _constant(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def _made(end_of_scale: int, alpha: float, threshold: float, jump: float) -> WinLossStates:
    return WinLossStates(end_of_scale, alpha=alpha, threshold=threshold, jump=jump)
