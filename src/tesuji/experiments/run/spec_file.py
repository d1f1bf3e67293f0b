"""A TOML file that knows at which line each of its values stands, so that errors can say so.

Python's `tomllib` gives values without lines. The lines are found by a second, simple look at the text: headers of
tables, keys at the beginning of a line, elements of an array on lines of their own. Where that finds nothing (inline
tables, values inside long strings) the line of what is around it is named. It never changes what was read.

What the values mean is not known here: see `spec.py`.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tesuji.words import meant

__all__ = ["Place", "SpecError", "SpecFile", "refuse_unknown"]

T = TypeVar("T")

Place = tuple[str | int, ...]
"""The way to a value: names of tables and keys, and positions in arrays."""

_HEADER = re.compile(r"\[(\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=\s*(.*)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_LONG_QUOTES = ('"""', "'''")


class SpecError(ValueError):
    """Something is wrong with a value of a spec.

    Parameters
    ----------
    place : tuple
        Where the value is.
    message : str
        The value, the rule and the remedy.
    """

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place


class SpecFile:
    """A TOML file.

    Attributes
    ----------
    name : str
        Of the file, as messages call it.
    data : dict
        What it says.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{name}: {error}; see https://toml.io for how a spec is written") from error
        self._lines = dict(_find_lines(text))

    @classmethod
    def read(cls, path: Path | str) -> SpecFile:
        """Read a file.

        Raises
        ------
        OSError
            If it cannot be read.
        ValueError
            If it is not TOML; the message names the line.
        """
        path = Path(path)
        try:
            return cls(path.name, path.read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise ValueError(f"{path.name}: byte {error.start} is not UTF-8; a spec is a text in UTF-8") from error

    def line(self, place: Place) -> int:
        """The line, from 1, of a value, or of what is around it."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)

    @contextlib.contextmanager
    def naming_lines(self) -> Iterator[None]:
        """Let a `SpecError` that happens inside name this file and the line."""
        try:
            yield
        except SpecError as error:
            raise ValueError(f"{self.name}, line {self.line(error.place)}: {error}") from error


def refuse_unknown(table: dict[str, Any], place: Place, known: Iterable[str]) -> None:
    """Raise a `SpecError` for the first key of a table that is not known, and suggest what was meant."""
    choices = list(known)
    for key in table:
        if key not in choices:
            near = meant(key, choices)
            hint = f"did you mean {near!r}?" if near else f"choose from {', '.join(choices)}"
            raise SpecError((*place, key), f"{'.'.join(map(str, (*place, key)))} is unknown; {hint}")


def converted(value: Any, kind: type[T], place: Place = ()) -> T:
    """Make a struct of plain values; what does not fit is a `SpecError` that knows its place."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, SpecError):
            raise SpecError((*place, *error.__cause__.place), str(error.__cause__)) from error
        message, _, inner = str(error).partition(" - at `$")
        inside = _place_of(inner)
        where = ".".join(map(str, (*place, *inside)))
        said = message.replace("`", "")
        raise SpecError((*place, *inside), f"{where}: {said}" if where else said) from error


def _place_of(path: str) -> Place:
    """The place that msgspec writes as ``.players[1].name``; ``[...]`` is some key of a dictionary."""
    found = re.finditer(r"\.(\w+)|\[(\d+)\]", path.partition("[...]")[0])
    return tuple(name if (name := match[1]) else int(match[2]) for match in found)


# --- lines ------------------------------------------------------------------------------------------------------------


def _find_lines(text: str) -> Iterator[tuple[Place, int]]:
    table: Place = ()
    last: dict[Place, int] = {}  # of arrays of tables: the position of the element that is being written
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        content = line.strip()
        if header := _HEADER.match(content):
            table = _resolved(_keys(header[2]), last, is_array=bool(header[1]))
            yield table, number
        elif entry := _KEY.match(content):
            place = (*table, *_keys(entry[1]))
            yield place, number
            yield from _inside(place, entry[2], lines)


def _keys(written: str) -> Place:
    """The names in ``a.b."c d"``."""
    return tuple(name.strip("\"'") for name in re.findall(r"[\w-]+|\"[^\"]*\"|'[^']*'", written))


def _resolved(keys: Place, last: dict[Place, int], *, is_array: bool) -> Place:
    """The place that a header means: names of arrays of tables stand for their last element."""
    place: Place = ()
    for depth, key in enumerate(keys, start=1):
        place = (*place, key)
        if is_array and depth == len(keys):
            last[place] = last.get(place, -1) + 1
        if place in last:
            place = (*place, last[place])
    return place


def _inside(place: Place, value: str, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[Place, int]]:
    """Pass over the lines of a value that goes on, and name those of an array's elements."""
    for quotes in _LONG_QUOTES:
        if value.startswith(quotes):
            while quotes not in value[3:]:
                _, line = next(lines, (0, quotes))
                value = quotes + line
            return
    depth = _depth(value)
    element = 0
    while depth > 0:
        number, line = next(lines, (0, "]" * depth))
        content = line.strip()
        if depth == 1 and content and not content.startswith(("]", "#")):
            yield (*place, element), number
            element += 1
        depth += _depth(content)


def _depth(text: str) -> int:
    """How many brackets a piece of text opens, those in strings and comments apart."""
    bare = _STRING.sub("", text).partition("#")[0]
    return sum(bare.count(bracket) for bracket in "[{") - sum(bare.count(bracket) for bracket in "]}")
