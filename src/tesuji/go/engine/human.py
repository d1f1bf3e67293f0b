"""Moves as people of a rank play them: the network's shares of the moves, drawn from, without a search.

From 6 dan up the network was told the ranks of the players it learnt from, so it is asked as one of them. Its games
have no weaker players: below 6 dan the shares are flattened the more the weaker the rank. That makes weaker players,
not the mistakes that people of that rank make; how strong they are was not measured.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.network import PROFESSIONAL, GoNetwork
from tesuji.go.rules.board import Board

__all__ = ["HumanRank", "human_shares"]

_RANK = re.compile(r"(\d{1,2})\s*([kdp])")
_LEAST_DAN = 6  # of the players in the games
_HEAT_PER_GRADE = 0.06
_LEAST_SHARE = 0.05  # of the best move's: rarer moves are the network's doubts, nobody's moves


class HumanRank(msgspec.Struct, frozen=True):
    """A rank as the network and the draw see it.

    Attributes
    ----------
    strength : float
        What the network is told, 0..1.
    heat : float
        1 leaves the shares as they are; more flattens them.
    """

    strength: float
    heat: float

    @classmethod
    def parse(cls, text: str) -> HumanRank:
        """Read ``5k``, ``3d`` or ``9p``.

        Raises
        ------
        ValueError
            For anything else.
        """
        found = _RANK.fullmatch(text.strip().lower())
        number, kind = (int(found[1]), found[2]) if found else (0, "")
        most = {"k": 30, "d": 9, "p": 9}.get(kind, 0)
        if not 1 <= number <= most:
            raise ValueError(f"human_rank is {text[:20]!r}; it must be 30k to 1k, 1d to 9d or 1p to 9p")
        if kind == "p":
            return cls(PROFESSIONAL, 1.0)
        dan = number if kind == "d" else 1 - number
        return cls(max(dan, _LEAST_DAN) / 10, 1.0 + _HEAT_PER_GRADE * max(0, _LEAST_DAN - dan))


def human_shares(network: GoNetwork, board: Board, rank: HumanRank, legal: NDArray[Any]) -> NDArray[np.float64]:
    """How often players of a rank would choose each legal move; adds to one."""
    shares = network.judge(board, strength=rank.strength).shares[0][legal].astype(np.float64)
    shares = np.where(shares >= _LEAST_SHARE / rank.heat**4 * shares.max(), shares, 0.0)
    shares = shares ** (1 / rank.heat)
    return np.asarray(shares / shares.sum())
