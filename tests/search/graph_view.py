"""`Search.graph()` read node by node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["EdgeView", "GraphView", "NodeView"]


@dataclass(frozen=True)
class EdgeView:
    """An edge; `value` is the sum for the first player, `child` a node number or -1, `group` a kind or -1."""

    move: int
    visits: int
    value: float
    proof: int
    child: int
    amaf_visits: int
    amaf_value: float
    prior: float
    group: int = -1


@dataclass(frozen=True)
class NodeView:
    """A node; `value` is the sum for the first player, `edges` in the order in which ties are broken."""

    mover: int
    visits: int
    value: float
    proof: int
    edges: tuple[EdgeView, ...]

    def edge(self, move: int) -> EdgeView:
        """The edge of a move."""
        return next(edge for edge in self.edges if edge.move == move)


class GraphView:
    """Nodes by number; 0 is the root."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns
        has_amaf, has_prior = len(columns["edge_amaf_visits"]) > 0, len(columns["edge_prior"]) > 0
        self.edges = [
            EdgeView(
                move=int(columns["edge_move"][i]),
                visits=int(columns["edge_visits"][i]),
                value=float(columns["edge_value"][i]),
                proof=int(columns["edge_proof"][i]),
                child=int(columns["edge_child"][i]),
                amaf_visits=int(columns["edge_amaf_visits"][i]) if has_amaf else 0,
                amaf_value=float(columns["edge_amaf_value"][i]) if has_amaf else 0.0,
                prior=float(columns["edge_prior"][i]) if has_prior else 0.0,
                group=int(columns["edge_group"][i]) if "edge_group" in columns else -1,
            )
            for i in range(len(columns["edge_move"]))
        ]
        self.nodes = [
            NodeView(
                mover=int(columns["node_mover"][i]),
                visits=int(columns["node_visits"][i]),
                value=float(columns["node_value"][i]),
                proof=int(columns["node_proof"][i]),
                edges=tuple(self.edges[first : first + columns["node_num_edges"][i]]),
            )
            for i, first in enumerate(columns["node_first_edge"])
        ]

    @property
    def root(self) -> NodeView:
        return self.nodes[0]

    def child(self, node: NodeView, *moves: int) -> NodeView:
        """The node that some moves lead to."""
        for move in moves:
            node = self.nodes[node.edge(move).child]
        return node

    def parents(self) -> Iterator[tuple[NodeView, EdgeView, NodeView]]:
        """Every edge that has a child, with both its ends."""
        for node in self.nodes:
            for edge in node.edges:
                if edge.child >= 0:
                    yield node, edge, self.nodes[edge.child]
