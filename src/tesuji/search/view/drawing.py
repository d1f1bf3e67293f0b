"""A graph as a drawing: the most visited nodes from left to right, the answers to a move below each other.

Text of an SVG out, which shows itself in a notebook; nothing has to be installed. A node that several nodes lead to
stands behind the most visited of them, and the others reach it by dashed lines. What is larger than a screen is for
`tesuji.search.view.page` or, through `tesuji.search.view.dot`, for Graphviz.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import msgspec

from tesuji.search.view.excerpt import Excerpt
from tesuji.search.view.names import GameNames
from tesuji.search.view.shade import shade

__all__ = ["Svg", "draw_graph"]

_ROW, _BOX, _GAP, _MARGIN = 30, 168, 46, 12  # pixels: a row, the width of a node, between two columns, around it all
_HALF = 11  # of a box's height
_PROOFS = ("", "lost", "drawn", "won")


class Svg(str):
    """The text of an SVG, which a notebook shows as the picture that it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class _Place(msgspec.Struct, frozen=True):
    """Where a node stands: its column and row, both from 0, and the edge that it stands behind (-1: the root)."""

    column: int
    row: float
    edge: int


def draw_graph(excerpt: Excerpt, names: GameNames) -> Svg:
    """Draw an excerpt.

    A box has the move that leads there, its visits and its mean value for the first player; it is the bluer the more it
    is worth to the first player, the more orange the less. A line is the thicker the more visits went along it.
    """
    places = _places(excerpt)
    columns = 1 + max(place.column for place in places.values())
    rows = 1 + max(place.row for place in places.values())
    width = columns * _BOX + (columns - 1) * _GAP + 2 * _MARGIN
    height = rows * _ROW + 2 * _MARGIN
    title = html.escape(f"{names.title}: {len(places):,} of {excerpt.num_nodes_in_graph:,} nodes", quote=True)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" '
        'font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        *_lines(excerpt, places),
        *_boxes(excerpt, names, places),
        "</svg>",
    ]
    return Svg("\n".join(lines))


def _places(excerpt: Excerpt) -> dict[int, _Place]:
    """Where each node stands: leaves in their own rows, a parent in the middle of its children."""
    below = _tree(excerpt)
    places: dict[int, _Place] = {}
    next_row = 0.0
    pending: list[tuple[int, int, int, bool]] = [(0, 0, -1, False)]  # node, column, edge, whether its children stand
    while pending:
        node, column, edge, is_back = pending.pop()
        children = below.get(node, [])
        if is_back:
            rows = [places[child].row for child, _ in children]
            places[node] = _Place(column, (rows[0] + rows[-1]) / 2, edge)
        elif children:
            pending.append((node, column, edge, True))
            pending.extend((child, column + 1, behind, False) for child, behind in reversed(children))
        else:
            places[node] = _Place(column, next_row, edge)
            next_row += 1
    return places


def _tree(excerpt: Excerpt) -> dict[int, list[tuple[int, int]]]:
    """The children that stand behind each node, with the edges there: of several parents, the first that is reached."""
    edges: dict[int, list[int]] = {}
    for parent, edge in zip(excerpt.parents.tolist(), excerpt.edges.tolist(), strict=True):
        edges.setdefault(parent, []).append(edge)
    child_of = excerpt.columns["edge_child"]
    below: dict[int, list[tuple[int, int]]] = {}
    placed, frontier = {0}, [0]
    while frontier:
        follow = []
        for node in frontier:
            for edge in edges.get(node, []):
                child = int(child_of[edge])
                if child not in placed:
                    placed.add(child)
                    below.setdefault(node, []).append((child, edge))
                    follow.append(child)
        frontier = follow
    return below


def _lines(excerpt: Excerpt, places: dict[int, _Place]) -> Iterator[str]:
    columns: Any = excerpt.columns
    total = max(1, int(columns["node_visits"][0]))
    for parent, edge in zip(excerpt.parents.tolist(), excerpt.edges.tolist(), strict=True):
        child = int(columns["edge_child"][edge])
        (left, top), (right, bottom) = _corner(places[parent]), _corner(places[child])
        left += _BOX
        middle = (left + right) / 2
        dashes = "" if places[child].edge == edge else ' stroke-dasharray="4 3"'
        thick = 0.8 + 7 * int(columns["edge_visits"][edge]) / total
        yield (
            f'<path d="M{left:.1f} {top:.1f}C{middle:.1f} {top:.1f} {middle:.1f} {bottom:.1f} '
            f'{right:.1f} {bottom:.1f}" fill="none" stroke="#8c96a0" stroke-width="{thick:.2f}"{dashes}/>'
        )


def _boxes(excerpt: Excerpt, names: GameNames, places: dict[int, _Place]) -> Iterator[str]:
    columns: Any = excerpt.columns
    choices = dict(zip(excerpt.edges.tolist(), excerpt.choices.tolist(), strict=True))
    for node, place in sorted(places.items(), key=lambda one: (one[1].column, one[1].row)):
        visits, proof = int(columns["node_visits"][node]), int(columns["node_proof"][node])
        value = float(columns["node_value"][node]) / visits if visits else 0.5
        name = "start" if place.edge < 0 else names.choice(choices[place.edge])
        told = _PROOFS[proof] or f"{value:.3f}"
        fill = shade((proof - 1) / 2 if proof else value)
        left, middle = _corner(place)
        text = f'y="{middle + 4:.1f}" fill="#1b1f24"'
        yield (
            f'<rect x="{left:.1f}" y="{middle - _HALF:.1f}" width="{_BOX}" height="{2 * _HALF}" rx="5" fill="{fill}" '
            'stroke="#59636e"/>'
            f'<text x="{left + 8:.1f}" {text} font-weight="bold">{html.escape(_cut(name))}</text>'
            f'<text x="{left + _BOX - 52:.1f}" {text} text-anchor="end">{visits:,}</text>'
            f'<text x="{left + _BOX - 8:.1f}" {text} text-anchor="end">{told}</text>'
        )


def _corner(place: _Place) -> tuple[float, float]:
    """The left side of a box and its middle height, in pixels."""
    return _MARGIN + place.column * (_BOX + _GAP), _MARGIN + (place.row + 0.5) * _ROW


def _cut(name: str) -> str:
    return name if len(name) <= 9 else f"{name[:8]}…"
