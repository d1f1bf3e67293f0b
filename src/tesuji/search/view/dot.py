"""A graph in the DOT language, for Graphviz: ``dot -Tsvg graph.dot > graph.svg``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tesuji.search.view.excerpt import Excerpt
from tesuji.search.view.names import GameNames
from tesuji.search.view.shade import shade

__all__ = ["to_dot"]

_PROOFS = ("", "lost", "drawn", "won")


def to_dot(excerpt: Excerpt, names: GameNames) -> str:
    """Write an excerpt as a digraph.

    A node names the player to move, its visits and its mean value for the first player, and is the bluer the more it is
    worth to the first player; an edge has its move and its visits, and is the thicker the more it has.
    """
    lines = [
        f"digraph {_quoted(names.title)} {{",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=10, color="#59636e"];',
        '  edge [fontname="Helvetica", fontsize=10, color="#59636e", arrowsize=0.6];',
        *_nodes(excerpt, names),
        *_edges(excerpt, names),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _nodes(excerpt: Excerpt, names: GameNames) -> Iterator[str]:
    columns = excerpt.columns
    for node in excerpt.nodes:
        visits, mover = int(columns["node_visits"][node]), int(columns["node_mover"][node])
        value = float(columns["node_value"][node]) / visits if visits else 0.5
        proof = int(columns["node_proof"][node])
        told = f"proved: {names.players[0]} has {_PROOFS[proof]}" if proof else f"{value:.3f} for {names.players[0]}"
        label = f"{names.players[mover]} to move\n{visits:,} {'visit' if visits == 1 else 'visits'}\n{told}"
        fill = shade((proof - 1) / 2 if proof else value)
        yield f"  n{node} [label={_quoted(label)}, fillcolor={_quoted(fill)}];"


def _edges(excerpt: Excerpt, names: GameNames) -> Iterator[str]:
    columns: Any = excerpt.columns
    total = max(1, int(columns["node_visits"][0]))
    for parent, edge, choice in zip(excerpt.parents, excerpt.edges, excerpt.choices, strict=True):
        visits = int(columns["edge_visits"][edge])
        label = f"{names.choice(int(choice))}: {visits:,}"
        width = 0.5 + 4 * visits / total
        yield f"  n{parent} -> n{columns['edge_child'][edge]} [label={_quoted(label)}, penwidth={width:.2f}];"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
