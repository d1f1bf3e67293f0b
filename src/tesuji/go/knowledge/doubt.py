"""A second look at chains that playouts cannot decide: a short search for each side, fought over them alone.

Playouts answer a threat now and then, a search nearly always: what lives or dies by two or three exact moves is judged
right by a thousand simulations. The komi is set halfway between the counts with these chains dead and alive, so that
who gets them wins, and nothing else matters.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.game import STANDARD_SEARCH, GoGame
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import CHINESE
from tesuji.go.rules.score import count
from tesuji.search import Search

__all__ = ["fought_owners"]


def fought_owners(
    board: Board, in_doubt: Collection[int], dead: Collection[int], simulations: int, seed: int
) -> NDArray[np.float64]:
    """Who owns each point if both sides fight for the chains in doubt; the mean over who begins.

    Parameters
    ----------
    board : Board
        Left unchanged.
    in_doubt, dead : collection of int
        Points of the chains to fight for, and of the stones that are dead whatever happens.
    simulations : int
        For each side.
    seed : int
        Of the random stream.

    Returns
    -------
    float64 array of shape (points,)
        From -1 (white's) to 1 (black's).
    """
    komi = _halfway(board, in_doubt, dead)
    owned = []
    for color in (Color.BLACK, Color.WHITE):
        turned = board.position.board(rules=CHINESE, komi=komi)
        turned.color_to_play = color
        search = Search(GoGame(turned, DEFAULT, PriorWeights()), STANDARD_SEARCH)
        search.run(simulations=simulations, seed=2 * seed + color)
        owned.append(np.asarray(search.game.memory.ownership()).ravel())
    mean: NDArray[np.float64] = np.mean(owned, axis=0)
    return mean


def _halfway(board: Board, in_doubt: Collection[int], dead: Collection[int]) -> float:
    """The komi between black's area with all chains in doubt for black and that with all for white."""
    by_area = board.position.board(rules=CHINESE, komi=0)
    sure = set(dead).difference(in_doubt)
    margins = [
        count(by_area, sorted(sure.union(p for p in in_doubt if board.color_at(p) == loser))).margin
        for loser in (Color.WHITE, Color.BLACK)
    ]
    return round(sum(margins) / 2) + 0.5
