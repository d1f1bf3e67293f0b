"""`Frozen`: values whose fields have the types that they say, checked when a value is made, varied by `replace`.

Every config is one. ``SearchConfig(solver="no")`` and ``SearchConfig(maturity=1.5)`` are refused here, before anything
searches with them. NumPy's numbers are numbers: they become Python's own. Ranges and what goes together are not checked
here: a class says so itself, in `_check`.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, Self, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np

__all__ = ["Frozen"]

Reader: TypeAlias = Callable[[Any], Any]
"""Returns the value as it is kept, or `_WRONG`."""

_WRONG = object()


class Frozen(msgspec.Struct, frozen=True, kw_only=True):
    """A value with named fields; its types are checked when it is made."""

    def __post_init__(self) -> None:
        for name, read, wanted in _fields_of(type(self)):
            value = getattr(self, name)
            kept = read(value)
            if kept is _WRONG:
                raise TypeError(f"{name} is {value!r}; it must be {wanted}")
            if kept is not value:
                msgspec.structs.force_setattr(self, name, kept)
        self._check()

    def _check(self) -> None:
        """Refuse what is out of range and what does not go together; the types are right by now."""

    def replace(self, **changes: Any) -> Self:
        """The same with some fields changed, checked as a new one is.

        Raises
        ------
        TypeError
            For a field that there is not, or a value of another type.
        ValueError
            For a value out of range.
        """
        return msgspec.structs.replace(self, **changes)


@cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, Reader, str], ...]:
    """Name, reader and what it must be in words, of every field whose type can be checked."""
    hints = get_type_hints(kind)
    found = ((name, *_read_as(hints[name])) for name in kind.__struct_fields__)
    return tuple((name, read, wanted) for name, read, wanted in found if read is not None)


def _read_as(hint: Any) -> tuple[Reader | None, str]:
    if get_origin(hint) in (Union, types.UnionType):
        return _read_as_any(get_args(hint))
    if get_origin(hint) is Literal:
        return None, ""  # words of a list: the class names them
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return (lambda value: value if isinstance(value, hint) else _WRONG), hint.__name__
    return None, ""


def _read_as_any(hints: tuple[Any, ...]) -> tuple[Reader | None, str]:
    """A value of one of several types."""
    readers, words = zip(*map(_read_as, hints), strict=True)
    if None in readers:
        return None, ""

    def read(value: Any) -> Any:
        return next((kept for one in readers if (kept := one(value)) is not _WRONG), _WRONG)

    return read, f"{', '.join(words[:-1])} or {words[-1]}"


def _bool(value: Any) -> Any:
    return bool(value) if isinstance(value, bool | np.bool_) else _WRONG


def _int(value: Any) -> Any:
    if type(value) is int:
        return value
    return int(value) if isinstance(value, np.integer) else _WRONG


def _float(value: Any) -> Any:
    if type(value) is float or type(value) is int:
        return value
    return float(value) if isinstance(value, np.floating | np.integer) else _WRONG


_SIMPLE: dict[Any, tuple[Reader, str]] = {
    bool: (_bool, "True or False"),
    int: (_int, "a whole number"),
    float: (_float, "a number"),
    str: (lambda value: value if isinstance(value, str) else _WRONG, "a text"),
    type(None): (lambda value: value if value is None else _WRONG, "None"),
}
