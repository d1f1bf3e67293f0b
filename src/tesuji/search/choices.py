"""What a search would answer after 1, 2, 5, 10, ... simulations of one run, on P-games; and what it is compared with.

A curve costs one search, because the answers are taken while it runs. The answer is the move with the best value
(UCT-DAG report, 2.1.1), the lowest of equals. Whether an answer is right is the game's to say: `PGame.winning_moves`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import search as _native
from tesuji._core.games import PGamePosition
from tesuji.games.pgame import PGameGroups
from tesuji.search.config import SearchConfig
from tesuji.search.groups import Grouping

__all__ = ["AlphaBeta", "Choices", "alpha_beta", "flat_monte_carlo_choices", "one_two_five", "search_choices"]


class Choices(msgspec.Struct, frozen=True):
    """Answers of repeated searches of one position, by simulations.

    Attributes
    ----------
    moves : int32 array of shape (repetitions, counts)
        The move chosen after so many simulations.
    num_nodes : uint64 array of shape (repetitions, counts)
        Of the graph at that moment; 0 where there is none.
    """

    moves: NDArray[np.int32]
    num_nodes: NDArray[np.uint64]


class AlphaBeta(msgspec.Struct, frozen=True):
    """What alpha-beta found.

    Attributes
    ----------
    value : float
        For the first player under best play.
    move : int or None
        The first that reaches it; None at the end of a game.
    leaves : int
        How many ends of the game it looked at.
    """

    value: float
    move: int | None
    leaves: int


def one_two_five(limit: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... up to `limit`.

    >>> one_two_five(25)
    [1, 2, 5, 10, 20]
    """
    return [step * 10**power for power in range(len(str(limit))) for step in (1, 2, 5) if step * 10**power <= limit]


def search_choices(
    position: PGamePosition,
    config: SearchConfig,
    *,
    counts: Sequence[int],
    seeds: Sequence[int],
    grouping: Grouping | None = None,
) -> Choices:
    """Run the search once for each seed, and note its answer at `counts`.

    Parameters
    ----------
    position
        Where to search from.
    config
        How; `final_move` is always "best-value".
    counts
        Numbers of simulations, ascending.
    seeds
        One for each repetition.
    grouping
        How moves are grouped: by `tesuji.games.PGame.groups`, or not at all.

    Raises
    ------
    ValueError
        For counts that do not ascend from 1 or more, for a game that is over, and for groups of another kind.
    """
    if grouping is not None and not isinstance(grouping.find, PGameGroups):
        raise ValueError(f"the grouping finds groups by {grouping.find!r}; answers are noted with PGame.groups only")
    options = None if grouping is None else grouping.options()
    return Choices(*_native.choices(position, config.native(), list(counts), list(seeds), options))


def flat_monte_carlo_choices(position: PGamePosition, *, counts: Sequence[int], seeds: Sequence[int]) -> Choices:
    """The same for flat Monte-Carlo: the moves in turn, a uniform playout after each, no graph."""
    return Choices(*_native.choices_of_flat_monte_carlo(position, list(counts), list(seeds)))


def alpha_beta(position: PGamePosition) -> AlphaBeta:
    """Alpha-beta to the end of the game, moves in order, without a table: a DAG is searched as its tree."""
    value, move, leaves = _native.alpha_beta(position)
    return AlphaBeta(value, None if move < 0 else move, leaves)
