"""Territory that its owner has to fill in the end (teire), which therefore does not count.

When a game ends the neutral points are still open, and nobody minds: they are worth nothing. But when they are filled
some chains come into atari and have to be connected inside their own territory; a false eye is lost in this way. Both
players know that and count without these points, as the Japanese rules want it.

`points_to_fill` sees the common case: a chain whose liberties are neutral but for one, which is a point of its own
territory. The opponent takes one neutral point and the owner all the others, at no cost; if the chain is then in atari,
it has to connect inside. Nothing deeper is read: a net, a snapback or a ladder inside a territory is not seen. Life and
death are given (`tesuji.go.knowledge.life`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["points_to_fill"]

Stones = dict[int, Color]  # by point; what is not there is empty


def points_to_fill(board: Board, dead: Collection[int], seki: Collection[int]) -> dict[Color, list[int]]:
    """Find the points of their own territory that the players have to fill.

    Parameters
    ----------
    board : Board
        The final position.
    dead, seki : collection of int
        Points of dead stones, and of stones in seki.

    Returns
    -------
    dict of Color to list of int
        Each side's points, in the order in which they have to be filled.
    """
    gone = set(dead)
    stones = {p: Color(board.color_at(p)) for p in range(board.num_points) if board.color_at(p) and p not in gone}
    ground = _Ground(board, stones)
    return {color: ground.forced(color, frozenset(seki)) for color in (Color.BLACK, Color.WHITE)}


class _Threat(NamedTuple):
    """Where a chain has to connect, and who has taken its neutral liberties by then."""

    connection: int
    taken: Stones


class _Ground:
    """Stones that stay, and the points between them."""

    def __init__(self, board: Board, stones: Stones) -> None:
        self._near = [board.neighbours(point) for point in range(board.num_points)]
        self._stones = stones
        self._owner: dict[int, Color] = {}  # of the points that one side surrounds; others are neutral
        seen: set[int] = set()
        for point in range(board.num_points):
            if point in stones or point in seen:
                continue
            region = self._connected(point, stones)
            seen |= region
            owners = {stones[q] for p in region for q in self._near[p] if q in stones}
            if len(owners) == 1:
                self._owner.update(dict.fromkeys(region, owners.pop()))

    def forced(self, color: Color, seki: frozenset[int]) -> list[int]:
        """The points that a side has to fill, one after the other."""
        stones = dict(self._stones)
        filled: list[int] = []
        while (threat := self._threat(stones, color, seki)) is not None:
            stones |= threat.taken
            stones[threat.connection] = color
            filled.append(threat.connection)
        return filled

    def _threat(self, stones: Stones, color: Color, seki: frozenset[int]) -> _Threat | None:
        """A chain that has to connect inside its own territory; None if none has to."""
        seen: set[int] = set()
        for point, its in stones.items():
            if its != color or point in seen or point in seki:
                continue
            chain = self._connected(point, stones)
            seen |= chain
            liberties = self._liberties(chain, stones)
            own = [liberty for liberty in liberties if self._owner.get(liberty) == color]
            if len(own) != 1 or not self._connects(own[0], chain, stones, color):
                continue
            taken = self._shared(chain, liberties.difference(own), stones, color)
            if taken is not None:
                return _Threat(own[0], taken)
        return None

    def _shared(self, chain: set[int], neutral: set[int], stones: Stones, color: Color) -> Stones | None:
        """How the neutral liberties of a chain are shared such that it is in atari; None if it never is."""
        if not neutral:
            return {}
        for first in sorted(neutral):
            taken = self._attack(first, neutral, stones, color)
            if taken is None:
                continue
            after = stones | taken
            joined = self._connected(next(iter(chain)), after)
            liberties = self._liberties(joined, after)
            own = [liberty for liberty in liberties if self._owner.get(liberty) == color]
            if len(own) != 1:
                continue
            more = self._shared(joined, liberties.difference(own), after, color)  # what was joined may be as short
            if more is not None:
                return taken | more
        return None

    def _attack(self, first: int, neutral: set[int], stones: Stones, color: Color) -> Stones | None:
        """Who takes which neutral points if the opponent attacks from one of them; None if it cannot.

        Where its stone would be in atari, it may come from the one point behind; then the owner takes the first.
        """
        taken = dict.fromkeys(neutral, color)
        if self._stands(first, stones | taken | {first: color.opponent}):
            return taken | {first: color.opponent}
        free = stones | taken
        behind = [point for point in self._near[first] if point not in free and point not in self._owner]
        if len(behind) != 1 or not self._stands(behind[0], free | {behind[0]: color.opponent}):
            return None
        return taken | {behind[0]: color.opponent}

    def _connects(self, point: int, chain: set[int], stones: Stones, color: Color) -> bool:
        """Whether a move there gives a chain more than it had."""
        return any((stones.get(q) == color and q not in chain) or q not in stones for q in self._near[point])

    def _stands(self, point: int, stones: Stones) -> bool:
        """Whether the stone there is not in atari itself."""
        return len(self._liberties(self._connected(point, stones), stones)) > 1

    def _liberties(self, chain: set[int], stones: Stones) -> set[int]:
        return {q for p in chain for q in self._near[p] if q not in stones}

    def _connected(self, start: int, stones: Stones) -> set[int]:
        """The points connected to one that hold the same: its chain, or its empty region."""
        held, seen, pending = stones.get(start), {start}, [start]
        while pending:
            for point in self._near[pending.pop()]:
                if point not in seen and stones.get(point) == held:
                    seen.add(point)
                    pending.append(point)
        return seen
