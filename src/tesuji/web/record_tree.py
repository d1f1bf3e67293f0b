"""A game record that is being edited: nodes with numbers, variations, and the position at each.

`tesuji.go.records` reads and writes records as sequences with variations after them; an editor needs single nodes that
keep their numbers while others come and go. Reading a file and writing one are still theirs: `from_sgf`, `to_sgf`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tesuji.go.records.game_record import GameRecord, record_of
from tesuji.go.records.sgf import load
from tesuji.go.records.sgf_tree import Properties, SgfError, Tree, text, written
from tesuji.go.rules.board import Board
from tesuji.go.rules.vertex import to_sgf_point, to_vertex

__all__ = ["MARKS", "Node", "RecordTree", "SavedNode"]

MARKS = ("TR", "SQ", "CR", "MA", "LB")
_SETUP = ("AB", "AW", "AE")


class SavedNode(msgspec.Struct, array_like=True):
    """A node on the shelf: its number, its parent's (-1: it is the root), its properties."""

    id: int
    parent: int
    properties: dict[str, list[str]]


class Node:
    """A node of a record."""

    __slots__ = ("children", "id", "parent", "properties")

    def __init__(self, id_: int, parent: Node | None, properties: Properties) -> None:
        self.id, self.parent, self.properties = id_, parent, properties
        self.children: list[Node] = []

    @property
    def color(self) -> str:
        """``B`` or ``W`` if it is a move."""
        return "B" if "B" in self.properties else "W" if "W" in self.properties else ""

    @property
    def comment(self) -> str:
        """What is said about it."""
        return "\n".join(text(value) for value in self.properties.get("C", ()))

    @property
    def has_setup(self) -> bool:
        """Whether stones are put down or taken off here."""
        return any(name in self.properties for name in (*_SETUP, "PL"))


class RecordTree:
    """All nodes of a game.

    Parameters
    ----------
    nodes : list of SavedNode
        Parents before their children; the first is the root.
    """

    def __init__(self, nodes: list[SavedNode]) -> None:
        self.nodes: dict[int, Node] = {}
        for saved in nodes:
            parent = self.nodes.get(saved.parent)
            properties = {name: [value.encode() for value in values] for name, values in saved.properties.items()}
            self._put(Node(saved.id, parent, properties))
        self.root = self.nodes[nodes[0].id]
        self._next = 1 + max(self.nodes)

    @classmethod
    def from_sgf(cls, data: bytes, max_nodes: int) -> tuple[RecordTree, tuple[str, ...]]:
        """Read the first game of a file; with what was odd about it.

        Raises
        ------
        SgfError
            If there is no game, or it is too large.
        """
        record = load(data)
        nodes: list[SavedNode] = []
        pending: list[tuple[Tree, int]] = [(record.tree, -1)]
        while pending:
            tree, parent = pending.pop()
            for properties in tree.sequence:
                if len(nodes) >= max_nodes:
                    raise SgfError(f"the record has more than {max_nodes:,} nodes; cut it into several files")
                plain = {name: [_decoded(value) for value in values] for name, values in properties.items()}
                nodes.append(SavedNode(len(nodes), parent, plain))
                parent = nodes[-1].id
            pending += [(child, parent) for child in reversed(tree.children)]
        made = cls(nodes)
        for leaf in [node for node in made.nodes.values() if not node.children][:50]:
            made.record_at(leaf).replay()  # what is impossible is said now
        return made, record.remarks

    def to_sgf(self) -> bytes:
        """The record as a file."""
        whole = Tree()
        pending = [(self.root, whole)]
        while pending:
            node, tree = pending.pop()
            tree.sequence.append(node.properties)
            while len(node.children) == 1:
                node = node.children[0]
                tree.sequence.append(node.properties)
            tree.children = [Tree() for _ in node.children]
            pending += zip(node.children, tree.children, strict=True)
        return written(whole)

    def saved(self) -> list[SavedNode]:
        """For the shelf."""
        return [
            SavedNode(
                node.id,
                -1 if node.parent is None else node.parent.id,
                {name: [_decoded(value) for value in values] for name, values in node.properties.items()},
            )
            for node in self.walk()
        ]

    def walk(self) -> Iterator[Node]:
        """All nodes, parents before children, the main line first."""
        pending = [self.root]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.children)

    def node(self, id_: int) -> Node:
        """A node by its number.

        Raises
        ------
        ValueError
            If there is none.
        """
        node = self.nodes.get(id_)
        if node is None:
            raise ValueError(f"there is no node {id_} in this record any more")
        return node

    # --- lines and positions ------------------------------------------------------------------------------------------

    @staticmethod
    def path(node: Node) -> list[Node]:
        """From the root to a node."""
        path = [node]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        return path[::-1]

    def line(self, node: Node) -> list[Node]:
        """From the root through a node to the end of its main variation."""
        line = self.path(node)
        while line[-1].children:
            line.append(line[-1].children[0])
        return line

    def record_at(self, node: Node) -> GameRecord:
        """The line that ends at a node, as a record."""
        nodes = [one.properties for one in self.path(node)]
        return record_of(Tree(nodes), nodes)

    def board_at(self, node: Node) -> Board:
        """What stands on the board after a node.

        Raises
        ------
        SgfError
            If the line cannot be played.
        """
        return self.record_at(node).replay()

    # --- editing ------------------------------------------------------------------------------------------------------

    def add(self, parent: Node, properties: Properties) -> Node:
        """A new variation after a node."""
        node = Node(self._next, parent, properties)
        self._next += 1
        self._put(node)
        return node

    def play(self, node: Node, board: Board, move: int) -> Node:
        """The node after a move at a node: the one that is there, or a new one.

        Parameters
        ----------
        node : Node
            Where.
        board : Board
            The position there.
        move : int
            Legal, or pass.
        """
        name = "B" if board.to_play == 0 else "W"
        point = to_sgf_point(move, board.width, board.height).encode()
        passes = {point, b"", b"tt"} if move == board.pass_move else {point}
        for child in node.children:
            if child.properties.get(name, [b"-"])[0] in passes:
                return child
        return self.add(node, {name: [point]})

    def remove(self, node: Node) -> Node:
        """Take a node and all after it away; returns the one before.

        Raises
        ------
        ValueError
            For the root.
        """
        if node.parent is None:
            raise ValueError("the beginning of a record cannot be deleted; open or begin another one")
        node.parent.children.remove(node)
        gone = [node]
        while gone:
            one = gone.pop()
            gone += one.children
            del self.nodes[one.id]
        return node.parent

    def promote(self, node: Node) -> None:
        """Make the line through a node the main line."""
        while node.parent is not None:
            node.parent.children.remove(node)
            node.parent.children.insert(0, node)
            node = node.parent

    def mark(self, node: Node, board: Board, point: int, kind: str, label: str) -> None:
        """Put a mark on a point, or take the same mark off."""
        value = to_sgf_point(point, board.width, board.height).encode()
        had = any(_point_of(one) == value for one in node.properties.get(kind, ()))
        for name in MARKS:
            rest = [one for one in node.properties.get(name, ()) if _point_of(one) != value]
            node.properties[name] = rest
            if not rest:
                del node.properties[name]
        if not had:
            whole = value + b":" + label.encode() if kind == "LB" else value
            node.properties.setdefault(kind, []).append(whole)

    def set_up(self, node: Node, board: Board, point: int, color: int) -> Node:
        """Put a stone on a point, or take one off (colour 0); in a node of its own if this one is a move."""
        if node.color:
            own = [child for child in node.children if not child.color and child.has_setup]
            node = own[0] if own else self.add(node, {})
        value = to_sgf_point(point, board.width, board.height).encode()
        for name in _SETUP:
            node.properties[name] = [one for one in node.properties.get(name, ()) if one != value]
        node.properties[_SETUP[(2, 0, 1)[color]]].append(value)
        for name in _SETUP:
            if not node.properties[name]:
                del node.properties[name]
        return node

    def _put(self, node: Node) -> None:
        self.nodes[node.id] = node
        if node.parent is not None:
            node.parent.children.append(node)


def marks_of(node: Node, width: int, height: int) -> list[dict[str, Any]]:
    """The marks of a node by cell, as the board draws them."""
    from tesuji.go.rules.vertex import parse_sgf_point

    marks: list[dict[str, Any]] = []
    for kind in MARKS:
        for value in node.properties.get(kind, ()):
            point, _, label = value.partition(b":")
            try:
                cell = parse_sgf_point(point.decode("ascii", "replace"), width, height)
            except ValueError:
                continue
            if cell < width * height:
                marks.append({"cell": cell, "kind": kind, "text": text(label)[:4] if kind == "LB" else ""})
    return marks


def move_name(node: Node, width: int, height: int) -> str:
    """The move of a node as people write it; empty if it is none."""
    from tesuji.go.records.sgf_values import point_table

    if not node.color:
        return ""
    point = point_table(width, height).get(node.properties[node.color][0].strip())
    return "?" if point is None else to_vertex(point, width, height)


def _point_of(value: bytes) -> bytes:
    return value.partition(b":")[0]


def _decoded(value: bytes) -> str:
    return value.decode("utf-8", "replace")
