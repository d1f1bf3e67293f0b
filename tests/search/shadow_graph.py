"""What a `Shadow` keeps of a search: nodes, edges, and the way of one simulation."""

from __future__ import annotations

from dataclasses import dataclass, field

from search.shadow_game import ShadowState

__all__ = ["DRAWN", "LOST", "OPEN", "WON", "Entry", "ShadowEdge", "ShadowNode", "Walk"]

# What is proved, for the first player; one player's closed states are like draws.
OPEN, LOST, DRAWN, WON = range(4)


@dataclass
class ShadowEdge:
    move: int
    prior: float
    visits: int = 0
    value: float = 0.0
    squares: float = 0.0
    child: ShadowNode | None = None
    amaf_visits: float = 0.0
    amaf_value: float = 0.0
    unlocked: bool = False
    upper: float = 2.0
    lower: float = -1.0
    proof: int = OPEN


@dataclass
class Entry:
    """What equal states share."""

    visits: int = 0
    value: float = 0.0


@dataclass
class ShadowNode:
    mover: int
    key: tuple[int, int | None] = (0, None)
    visits: int = 0
    value: float = 0.0
    edges: dict[int, ShadowEdge] | None = None
    parents: list[ShadowNode] = field(default_factory=list)
    proof: int = OPEN
    is_narrow: bool = False

    @property
    def num_walks(self) -> int:
        assert self.edges is not None
        return sum(edge.visits for edge in self.edges.values())

    @property
    def has_groups(self) -> bool:
        return self.edges is not None and any(move < 0 for move in self.edges)

    def view(self, mean: float) -> float:
        """The mover's view of a mean for the first player."""
        return mean if self.mover == 0 else 1 - mean


@dataclass
class Walk:
    """One simulation's way: the edges with the nodes they leave, the state it ended in, and what is proved there."""

    path: list[tuple[ShadowNode, ShadowEdge]]
    state: ShadowState
    end: ShadowNode

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Of the game: groups are none."""
        return [(node.mover, edge.move) for node, edge in self.path if edge.move >= 0]
