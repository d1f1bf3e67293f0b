"""Life and death read to the end: what becomes of one chain, by a depth-first proof-number search in the core.

A reading is about one chain (its *anchor*), a region in which moves are tried, and who moves first. It is exact for
that region: alive, dead, seki, or ko, which means that it depends on who has more threats. What is not proved within
the limit is unknown. Who lives outside the region is given (`safe`). The search is in ``core/go/life_reading.hpp``,
docs/algorithms/life-and-death.md tells how it works.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["MAX_NODES", "Outcome", "Reading", "read_chain"]

Outcome = Literal["alive", "dead", "seki", "ko", "unknown"]
MAX_NODES = 30_000
"""Positions read for each question; two to four questions make a reading."""


class Reading(msgspec.Struct, frozen=True):
    """What becomes of a chain.

    Attributes
    ----------
    outcome : {"alive", "dead", "seki", "ko", "unknown"}
        With best play of both, for the side that moves first.
    line : list of int
        How it goes; for a ko with all threats on the side that moves first. Empty if unknown.
    num_nodes : int
        Positions read.
    """

    outcome: Outcome
    line: list[int]
    num_nodes: int


def read_chain(
    board: Board,
    anchor: int,
    region: Iterable[int],
    first: Color,
    *,
    safe: Iterable[int] = (),
    max_nodes: int = MAX_NODES,
) -> Reading:
    """Read what becomes of the chain at a point.

    Parameters
    ----------
    board : Board
        Left unchanged.
    anchor : int
        A stone of the chain.
    region : iterable of int
        Where moves are tried; elsewhere both only pass.
    first : Color
        Who moves first.
    safe : iterable of int
        Stones of the chain's colour that live by themselves: to join one of them is to live.
    max_nodes : int
        Positions read at most, for each question.

    Raises
    ------
    ValueError
        If there is no stone at the anchor.
    """
    if not (0 <= anchor < board.num_points and board.color_at(anchor)):
        raise ValueError(f"there is no stone at {board.vertex(anchor)} whose life could be read")
    owner = Color(board.color_at(anchor))
    flags = _flags(board, region), _flags(board, safe)

    def ask(favoured: Color, *, needs_eyes: bool = False) -> tuple[bool | None, list[int], int]:
        return _native.read_life(board, anchor, *flags, first, favoured, needs_eyes, max_nodes)

    with_owner, line, nodes = ask(owner)
    with_attacker, other_line, more = ask(owner.opponent)
    nodes += more
    if with_owner is None or with_attacker is None:
        return Reading("unknown", [], nodes)
    if with_owner and with_attacker:
        return Reading("dead", line, nodes)
    if with_attacker:
        return Reading("ko", line if first is owner else other_line, nodes)
    lacks_eyes, _, more = ask(owner.opponent, needs_eyes=True)
    return Reading("seki" if lacks_eyes else "alive", other_line, nodes + more)


def _flags(board: Board, points: Iterable[int]) -> NDArray[np.uint8]:
    flags = np.zeros(board.num_points, dtype=np.uint8)
    flags[list(points)] = 1
    return flags
