"""The most visited part of a graph: what people can look at when the whole is too large.

Pure arrays: it knows neither names nor drawings (`dot.py`, `page.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Excerpt", "excerpt_of"]


class Excerpt(msgspec.Struct, frozen=True):
    """Some nodes of a graph and the edges among them.

    Attributes
    ----------
    columns : mapping
        The whole graph, as `tesuji.search.Search.graph` gives it.
    nodes : int64 array
        Which nodes, the most visited first; the root is the first. Each hangs below another.
    parents, edges : int64 arrays
        The edges among them, grouped by parent in the order of `nodes`, the most visited first: the parent's and the
        edge's number in the whole graph.
    """

    columns: Mapping[str, NDArray[Any]]
    nodes: NDArray[np.int64]
    parents: NDArray[np.int64]
    edges: NDArray[np.int64]

    @property
    def num_nodes_in_graph(self) -> int:
        """How many nodes the whole graph has."""
        return len(self.columns["node_visits"])

    @property
    def choices(self) -> NDArray[np.int64]:
        """What each of `edges` chooses: a move, or for a group -1 less the number of its kind."""
        moves = self.columns["edge_move"][self.edges].astype(np.int64)
        if "edge_group" not in self.columns:
            return moves
        groups = self.columns["edge_group"][self.edges].astype(np.int64)
        return np.where(groups >= 0, -1 - groups, moves)


def excerpt_of(columns: Mapping[str, NDArray[Any]], max_nodes: int) -> Excerpt:
    """Choose the most visited nodes of a graph.

    In a DAG a node may have more visits than any of its parents; where its parents are left out, so is the node.

    Parameters
    ----------
    columns : mapping
        What `tesuji.search.Search.graph` returns.
    max_nodes : int
        At most so many.
    """
    if type(max_nodes) is not int or max_nodes < 1:
        raise ValueError(f"max_nodes is {max_nodes!r}; it must be a whole number, at least 1")
    visits, children = columns["node_visits"], columns["edge_child"]
    order = np.argsort(-visits, kind="stable")
    chosen = np.zeros(len(visits), dtype=bool)
    chosen[order[:max_nodes]] = True
    chosen[visits == 0] = False
    chosen[0] = True
    parents = np.repeat(np.arange(len(visits)), columns["node_num_edges"])
    edges = np.flatnonzero((children >= 0) & chosen[parents] & chosen[children] & (columns["edge_visits"] > 0))
    reached = _reached(parents[edges], children[edges], len(visits))
    nodes = np.concatenate([[0], order[reached[order] & (order != 0)]])[:max_nodes]
    rank = np.full(len(visits), len(visits))
    rank[nodes] = np.arange(len(nodes))
    edges = edges[(rank[parents[edges]] < len(nodes)) & (rank[children[edges]] < len(nodes))]
    edges = edges[np.lexsort((edges, -columns["edge_visits"][edges], rank[parents[edges]]))]
    return Excerpt(columns, nodes, parents[edges], edges)


def _reached(parents: NDArray[np.int64], children: NDArray[np.int64], num_nodes: int) -> NDArray[np.bool_]:
    """Which nodes hang below the root by these edges."""
    reached = np.zeros(num_nodes, dtype=bool)
    reached[0] = True
    while len(parents):
        follows = reached[parents]
        if not follows.any():
            break
        reached[children[follows]] = True
        parents, children = parents[~follows], children[~follows]
    return reached
