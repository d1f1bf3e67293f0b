"""Groups in a small space, and what reading says of them where playouts are blind.

A group that neither runs nor connects lives or dies by its eyes, and a seki or a nakade of five moves is found by
reading, not by chance. `enclosed` looks for what can be read: a chain, the few points around it where moves matter, the
friends outside to join which is to live. `read_enclosed` asks the reader (`tesuji.go.knowledge.reading`) with the
opponent to begin, and with the owner if that kills.

It does not judge who is strong: chains that count as walls are told to it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec

from tesuji.go.knowledge.reading import Outcome, read_chain
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["Enclosed", "Fate", "enclosed", "read_enclosed"]

Fate = Literal["alive", "dead", "dead by rule", "seki", "in doubt", "unknown"]

_REACH = 3  # steps over empty points from the group's stones at which moves are tried
_WALL_LIBERTIES = 3  # an enemy chain with more liberties is not captured on the way
_MAX_POINTS = 14  # of a region; larger ones are rarely read within the limit
_MAX_NODES = 3_000  # positions for each question
# By what becomes of a chain if the opponent begins, and if its owner does; all else is in doubt.
_FATES: dict[tuple[Outcome, Outcome], Fate] = {
    ("dead", "dead"): "dead",
    ("ko", "dead"): "dead",
    ("ko", "ko"): "dead by rule",
    ("dead", "unknown"): "unknown",
    ("ko", "unknown"): "unknown",
}


class Enclosed(msgspec.Struct, frozen=True):
    """A chain and the space in which its fate is decided.

    Attributes
    ----------
    anchor : int
        A stone of the chain.
    region : frozenset of int
        Where moves matter: empty points, and stones that may be captured.
    safe : frozenset of int
        Stones of its colour that live by themselves and can be reached.
    is_whole : bool
        Whether nothing beyond the region can be reached: else only life in it is certain.
    """

    anchor: int
    region: frozenset[int]
    safe: frozenset[int]
    is_whole: bool


def enclosed(board: Board, anchor: int, strong: AbstractSet[int], max_points: int = _MAX_POINTS) -> Enclosed | None:
    """The space of the chain at a point; None if it is too large to be read.

    Parameters
    ----------
    board : Board
        Left unchanged.
    anchor : int
        A stone of the chain.
    strong : set of int
        Points of chains, of both colours, that live whatever happens here.
    max_points : int
        The most points that a space may have.
    """
    owner = Color(board.color_at(anchor))
    steps = dict.fromkeys(board.chain(anchor).tolist(), 0)
    region: set[int] = set()
    safe: set[int] = set()
    is_whole = True
    pending = list(steps)
    for point in pending:  # grows while it is read
        for other in board.neighbours(point):
            if other in steps:
                continue
            color = board.color_at(other)
            if color == owner and other in strong:
                safe.add(other)
                continue
            if color == owner.opponent and (other in strong or len(board.liberties(other)) > _WALL_LIBERTIES):
                continue
            steps[other] = 0 if color == owner else steps[point] + 1
            if steps[other] > _REACH:
                is_whole = False
                continue
            if color != owner:
                region.add(other)
                if len(region) > max_points:
                    return None
            pending.append(other)
    return Enclosed(anchor, frozenset(region), frozenset(safe), is_whole)


def read_enclosed(board: Board, space: Enclosed, max_nodes: int = _MAX_NODES) -> tuple[Fate, int]:
    """What becomes of an enclosed chain, if it can be read, and how many positions were.

    *In doubt*: who moves first decides, or a ko that both can start. *Dead by rule*: a ko that the owner cannot avoid
    even by moving first, as bent four in the corner; the opponent starts it when no threats are left, and by Japanese
    rules need not.
    """
    owner = Color(board.color_at(space.anchor))
    attacked = read_chain(board, space.anchor, space.region, owner.opponent, safe=space.safe, max_nodes=max_nodes)
    if attacked.outcome == "alive" or attacked.outcome == "seki" or attacked.outcome == "unknown":
        return attacked.outcome, attacked.num_nodes
    defended = read_chain(board, space.anchor, space.region, owner, safe=space.safe, max_nodes=max_nodes)
    return _FATES.get((attacked.outcome, defended.outcome), "in doubt"), attacked.num_nodes + defended.num_nodes
