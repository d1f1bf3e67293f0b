"""Cross-validation draws: who is learned from and who is tested, fixed before a search begins (5.5.2).

Each draw takes the same share of every group for its test, so that no group is missing from either side; the source
draws from all individuals together.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.labels import Labels

__all__ = ["Drawing", "hold_out", "make_draws"]

Draw = tuple[NDArray[np.uint32], NDArray[np.uint32]]
"""Individuals to learn from, and to test."""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """How individuals are drawn.

    Attributes
    ----------
    num_draws : int
        n_CD; 5 in the source.
    test_share : float
        Share of the individuals that is tested; 400 of 1,043 in the source.
    seed : int
        Of the draws.
    """

    num_draws: int = 5
    test_share: float = 400 / 1043
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.num_draws <= 1000:
            raise ValueError(f"num_draws is {self.num_draws}; it must lie in 1..1000")
        _check_share("test_share", self.test_share)


def make_draws(labels: Labels, drawing: Drawing | None = None) -> list[Draw]:
    """The draws, over the individuals that have a label."""
    drawing = drawing or Drawing()
    rng = np.random.default_rng([drawing.seed, 1])
    draws = []
    for _ in range(drawing.num_draws):
        test = _draw(labels, drawing.test_share, rng)
        learning = np.setdiff1d(np.flatnonzero(labels.of_sample >= 0), test)
        draws.append((learning.astype(np.uint32), test.astype(np.uint32)))
    return draws


def hold_out(labels: Labels, share: float, seed: int) -> NDArray[np.intp]:
    """The individuals that a search never sees: the same share of each group."""
    _check_share("share", share)
    return _draw(labels, share, np.random.default_rng([seed, 2]))


def _draw(labels: Labels, share: float, rng: np.random.Generator) -> NDArray[np.intp]:
    chosen = []
    for group in range(len(labels.groups)):
        members = labels.members(group)
        if len(members) < 2:
            raise ValueError(
                f"the group {labels.groups[group]!r} has {len(members)} individuals; one to learn from and one to test"
                " are the least"
            )
        count = min(len(members) - 1, max(1, round(share * len(members))))
        chosen.append(rng.permutation(members)[:count])
    return np.sort(np.concatenate(chosen))


def _check_share(name: str, share: float) -> None:
    if not 0 < share < 1:
        raise ValueError(f"{name} is {share!r}; it must lie between 0 and 1")
