"""The positions behind the nodes of a graph as text: the root's whole, every other as what it changes.

A game in, plain values out; the page of a graph (`page.py`) puts them together again. A board changes in a few places
from move to move, so ten thousand of them take little more room than the moves.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tesuji.search.view.excerpt import Excerpt

__all__ = ["Drawings", "drawing_of", "drawings_of"]

Change = str | list[int | str] | None


class Drawings(msgspec.Struct, frozen=True):
    """Texts of positions, by a node's place in the excerpt.

    Attributes
    ----------
    root : str
        The position at the root; empty for a game that has no drawing.
    parent : list of int
        From which node's text each is made; -1 for the root.
    change : list
        What is different there: place and sign in turn, the whole text where its length is another, None for nothing.
    """

    root: str = ""
    parent: list[int] = []
    change: list[Change] = []


def drawings_of(position: Any, excerpt: Excerpt) -> Drawings:
    """Replay the moves of an excerpt from the root, and draw what they lead to.

    Parameters
    ----------
    position : Board or Game
        At the root; left as it is. None where it is not known.
    excerpt : Excerpt
        Which nodes.
    """
    root = drawing_of(position)
    if not root:
        return Drawings()
    below = _edges_below(excerpt)
    parents, changes = [-1] * len(excerpt.nodes), [None] * len(excerpt.nodes)  # type: tuple[list[int], list[Change]]
    met, pending = {0}, [(0, getattr(position, "board", position).copy(), root)]
    while pending:
        place, game, text = pending.pop()
        for child, choice in below[place]:
            if child in met:
                continue
            met.add(child)
            after = game.copy()
            if choice >= 0:  # a group of moves is not a move
                after.play(choice)
            drawn = drawing_of(after)
            parents[child], changes[child] = place, _change(text, drawn)
            pending.append((child, after, drawn))
    return Drawings(root, parents, changes)


def drawing_of(position: Any) -> str:
    """A position as text; empty for what has no drawing."""
    position = getattr(position, "board", position)
    if hasattr(position, "to_text"):
        return str(position.to_text())
    if hasattr(position, "picture"):
        return str(position.picture)
    if not hasattr(position, "legal_moves") or _is_bare_problem(position):
        return ""
    from tesuji.games.appearance import as_text

    return as_text(position)


def _is_bare_problem(position: Any) -> bool:
    """Whether it is a problem for one player whose class says nothing of how it looks."""
    tells = any("__str__" in vars(kind) or "__repr__" in vars(kind) for kind in type(position).__mro__[:-1])
    return hasattr(position, "goal") and not tells


def _edges_below(excerpt: Excerpt) -> list[list[tuple[int, int]]]:
    """The children of each node with what is chosen there, all by their places in the excerpt."""
    place_of = {int(node): place for place, node in enumerate(excerpt.nodes)}
    below: list[list[tuple[int, int]]] = [[] for _ in excerpt.nodes]
    children = excerpt.columns["edge_child"][excerpt.edges].tolist()
    for parent, child, choice in zip(excerpt.parents.tolist(), children, excerpt.choices.tolist(), strict=True):
        below[place_of[parent]].append((place_of[child], choice))
    return below


def _change(before: str, after: str) -> Change:
    if before == after:
        return None
    if len(before) != len(after):
        return after
    return [part for place, sign in enumerate(after) if sign != before[place] for part in (place, sign)]
