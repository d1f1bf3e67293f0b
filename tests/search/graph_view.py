"""`Search.graph()` read node by node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["EdgeView", "GraphView", "NodeView"]

_NODE_COLUMNS = ("mover", "visits", "value", "proof", "first_edge", "num_edges")


@dataclass(slots=True)
class EdgeView:
    """An edge; `value` is the sum for the first player, `child` a node number or -1, `group` a kind or -1.

    The `move` of a group is ``-1 - group``.
    """

    move: int
    visits: int
    value: float
    proof: int
    child: int
    amaf_visits: float
    amaf_value: float
    prior: float
    group: int = -1


@dataclass(slots=True)
class NodeView:
    """A node; `value` is the sum for the first player, `edges` in the order in which ties are broken."""

    mover: int
    visits: int
    value: float
    proof: int
    edges: tuple[EdgeView, ...]
    graph: GraphView = field(repr=False, compare=False)

    def edge(self, move: int) -> EdgeView:
        """The edge of a move."""
        return next(edge for edge in self.edges if edge.move == move)


class GraphView:
    """Nodes by number; 0 is the root."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns
        has_amaf, has_prior = len(columns["edge_amaf_visits"]) > 0, len(columns["edge_prior"]) > 0
        number = len(columns["edge_move"])
        zeros = [0.0] * number
        groups = columns["edge_group"].tolist() if "edge_group" in columns else [-1] * number
        rows = zip(
            columns["edge_move"].tolist(),
            columns["edge_visits"].tolist(),
            columns["edge_value"].tolist(),
            columns["edge_proof"].tolist(),
            columns["edge_child"].tolist(),
            columns["edge_amaf_visits"].tolist() if has_amaf else zeros,
            columns["edge_amaf_value"].tolist() if has_amaf else zeros,
            columns["edge_prior"].tolist() if has_prior else zeros,
            groups,
            strict=True,
        )
        self.edges = [EdgeView(move if group < 0 else -1 - group, *rest, group) for move, *rest, group in rows]
        self.nodes = [
            NodeView(mover, visits, value, proof, tuple(self.edges[first : first + size]), self)
            for mover, visits, value, proof, first, size in zip(
                *(columns[f"node_{name}"].tolist() for name in _NODE_COLUMNS), strict=True
            )
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
