"""The grammar of SGF, without Go: bytes to trees of nodes and back, and the text of values.

`read_trees` is one pass of one regular expression over the bytes; a node that is one move is one match, because most
nodes are. It takes what people's files contain: long names (FF[1] to FF[3]), missing semicolons, signs between
properties, names without a value and values without a name, an end that was cut off. What it leaves out it says. Only
nesting and numbers of nodes that no game has are refused.

Values are bytes as they stand in the file, escapes in place. What they mean is the business of `sgf_values.py`, and
the charset that of `charset.py`. The format: https://www.red-bean.com/sgf/sgf4.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

__all__ = ["MAX_NESTING", "MAX_NODES", "Properties", "SgfError", "Tree", "escaped", "is_name", "read_trees"]
__all__ += ["simple_text", "text", "written"]

MAX_NESTING = 10_000
"""Variations within variations; a game has far fewer moves than this."""
MAX_NODES = 1_000_000
"""Of one game; the largest joseki dictionaries have some hundred thousand."""

Properties: TypeAlias = dict[str, list[bytes]]  # of one node: raw values, escapes in place

_GAME_START = re.compile(rb"\(\s*+;")
_TEXT = rb"\[ ( [^\\\]]*+ (?: \\. [^\\\]]*+ )*+ ) \]"
_TOKEN = re.compile(
    rb";\s*+ ([BW]) \[ ([^\\\]]{0,2}+) \] (?= \s*+ [;()] )"  # 1, 2: a node that is one move
    rb"| ( [A-Za-z] [A-Za-z0-9_]*+ ) \s*+ " + _TEXT  # 3, 4: a name and a value
    + rb"| " + _TEXT  # 5: one more value
    + rb"| ( [;()] )"  # 6
    rb"| ( \[ )"  # 7: a value without an end
    rb"| ( [A-Za-z]++ | [^\s;()\[A-Za-z]++ )",  # 8: nothing of SGF
    re.DOTALL | re.VERBOSE,
)  # fmt: skip
_MOVE, _PROPERTY, _VALUE, _SIGN, _UNCLOSED = 2, 4, 5, 6, 7
_MOVE_NAMES = {b"B": "B", b"W": "W"}
_SMALL_LETTERS = re.compile(r"[^A-Z0-9]+")
_LINE_BREAK = re.compile(rb"\r\n|\n\r|\r")
_OTHER_SPACE = re.compile(rb"[\t\v\f]")
_ESCAPE = re.compile(rb"\\(?:\n|(.))", re.DOTALL)
_TO_ESCAPE = re.compile(rb"[\\\]]")
_NAME = re.compile(r"[A-Z]{1,64}")
_TOO_DEEP = f"nests variations more than {MAX_NESTING} deep: that is not a game"
_TOO_MANY = f"has more than {MAX_NODES} nodes: that is not a game"
_WIDTH = 79
_MAX_REMARKS = 20


class SgfError(ValueError):
    """A file that is not a game of Go as SGF has it; the message says what, where and what to do."""


class Tree:
    """A game, or a variation of one.

    Attributes
    ----------
    sequence : list of dict
        Its nodes, up to where variations part.
    children : list of Tree
        The variations after the last of them, the main one first.
    """

    __slots__ = ("children", "sequence")

    def __init__(self, sequence: Iterable[Properties] = (), children: Iterable[Tree] = ()) -> None:
        self.sequence, self.children = list(sequence), list(children)

    def main_line(self) -> list[Properties]:
        """The nodes from the root to the leaf that is reached by the first variations."""
        tree, nodes = self, list(self.sequence)
        while tree.children:
            tree = tree.children[0]
            nodes += tree.sequence
        return nodes


# Reading --------------------------------------------------------------------------------------------------------------


def read_trees(data: bytes) -> Iterator[tuple[Tree | SgfError, list[str]]]:
    """Read the games of a collection one after the other; whatever stands between them is ignored.

    Yields
    ------
    tree : Tree or SgfError
        The error instead of a game that is too deep or too large; those after it are read.
    remarks : list of str
        What was left out.
    """
    position = 0
    while start := _GAME_START.search(data, position):
        reader = _Reader(data, start.start())
        yield reader.game(), reader.remarks
        position = reader.end


class _Reader:
    """Reads the game that begins at a byte; `end` is then the byte behind it."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start = data, start
        self._open: list[Tree] = [Tree()]  # the variation that is being read is the last
        self.end = len(data)
        self.remarks: list[str] = []

    def game(self) -> Tree | SgfError:
        """The game, as far as it goes, or why there is none."""
        nodes: list[Properties] = []
        values: list[bytes] | None = None  # of the property that is being read
        num_nodes, depth, excess = 0, 0, ""
        for match in _TOKEN.finditer(self._data, self._start):
            kind = match.lastindex
            if excess and kind != _SIGN:  # then only parentheses count, to find where the game ends
                continue
            if kind == _MOVE:
                name, value = match.group(1, 2)
                nodes.append({_MOVE_NAMES[name]: [value]})
                values = None
                if len(nodes) > MAX_NODES:
                    excess, nodes = _TOO_MANY, []
            elif kind == _SIGN:
                values, sign = None, match[6]
                if sign == b";":
                    if not excess:
                        nodes.append({})
                    if len(nodes) > MAX_NODES:
                        excess, nodes = _TOO_MANY, []
                    continue
                depth += 1 if sign == b"(" else -1
                num_nodes += len(nodes)
                excess = excess or (_TOO_DEEP if depth > MAX_NESTING else _TOO_MANY if num_nodes > MAX_NODES else "")
                nodes = [] if excess else (self._opened if sign == b"(" else self._closed)(nodes, match)
                if depth == 0:
                    self.end = match.end()
                    break
            elif kind == _PROPERTY:
                name, value = match.group(3, 4)
                if not nodes:  # "(B[aa]", without its semicolon
                    nodes.append({})
                values = nodes[-1].setdefault(_short(name), [])
                values.append(value)
            elif kind == _VALUE and values is not None:
                values.append(match[5])
            elif kind == _UNCLOSED:
                self._remark("a value that does not end, and all after it,", match)
                break
            else:
                self._remark("what is not a property", match)
        if not excess and depth:
            self.remarks.append(f"the game is cut off: {depth} parentheses are open at its end")
            self._open[1:] = []
        return SgfError(f"the game that begins at byte {self._start} {excess}") if excess else self._open[0].children[0]

    def _opened(self, nodes: list[Properties], match: re.Match[bytes]) -> list[Properties]:
        """Begin a variation; returns where its nodes go."""
        self._check_in_place(nodes, match)
        self._open.append(Tree())
        self._open[-2].children.append(self._open[-1])
        return self._open[-1].sequence

    def _closed(self, nodes: list[Properties], match: re.Match[bytes]) -> list[Properties]:
        """End a variation; returns where nodes go that should not follow it."""
        self._check_in_place(nodes, match)
        tree = self._open.pop()
        if not tree.sequence:  # parentheses around nothing, or around variations only
            self._open[-1].children[-1:] = tree.children
        return []

    def _check_in_place(self, nodes: list[Properties], match: re.Match[bytes]) -> None:
        if nodes and nodes is not self._open[-1].sequence:
            self._remark(f"{len(nodes)} nodes after a variation", match)

    def _remark(self, what: str, match: re.Match[bytes]) -> None:
        if len(self.remarks) < _MAX_REMARKS:
            self.remarks.append(f"{what} is left out near byte {match.start()}")


@lru_cache(maxsize=1024)
def _short(name: bytes) -> str:
    """FF[4]'s name of a property: the capitals of ``AddBlack``; a name without any is left as it is."""
    whole = name.decode("ascii")
    return _SMALL_LETTERS.sub("", whole) or whole


# Values ---------------------------------------------------------------------------------------------------------------


def text(value: bytes) -> str:
    """What a value says: escapes resolved, line breaks as they are."""
    if b"\r" in value:
        value = _LINE_BREAK.sub(b"\n", value)
    if b"\\" in value:
        value = _ESCAPE.sub(rb"\1", value)
    return _OTHER_SPACE.sub(b" ", value).decode("utf-8", "replace")


def simple_text(value: bytes) -> str:
    """The same on one line."""
    return text(value).replace("\n", " ")


def escaped(said: str) -> bytes:
    """Text as a value."""
    return _TO_ESCAPE.sub(rb"\\\g<0>", said.encode("utf-8", "replace"))


def is_name(name: str) -> bool:
    """Whether a property can be called so: capital letters only."""
    return _NAME.fullmatch(name) is not None


# Writing --------------------------------------------------------------------------------------------------------------


def written(tree: Tree) -> bytes:
    """A game as a file: lines of at most about 80 bytes, broken between properties."""
    lines: list[bytes] = []
    parts: list[bytes] = []
    length = 0
    for part in _parts(tree):
        if length + len(part) > _WIDTH and parts:
            lines.append(b"".join(parts))
            parts, length = [], 0
        parts.append(part)
        length += len(part)
    return b"\n".join([*lines, b"".join(parts)]) + b"\n"


def _parts(tree: Tree) -> Iterator[bytes]:
    """The pieces between which lines may be broken."""
    pending: list[Tree | None] = [tree]  # None: the end of a variation
    while pending:
        branch = pending.pop()
        if branch is None:
            yield b")"
            continue
        yield b"("
        for node in branch.sequence:
            yield b";"
            for name in sorted(node, key=lambda name: (name != "FF", name)):
                yield name.encode() + b"".join(b"[" + value + b"]" for value in node[name])
        pending.append(None)
        pending += reversed(branch.children)
