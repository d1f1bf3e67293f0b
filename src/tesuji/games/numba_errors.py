"""Numba's errors, reduced to what matters: the line of the user's function, and why it does not compile.

Numba's own text runs to pages of candidates and passes. It stays reachable as the error's ``__cause__``.
"""

from __future__ import annotations

import inspect
import linecache
import re
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["reason_of"]

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'(?:at |File ")([^"\n]+?)(?:", line | \()(\d+)')
_NOISE = ("Failed in nopython mode", "During: ", "File ", "Raised from", "- Of which")
_LONGEST = 200


def reason_of(error: Exception, function: Any, dtype: np.dtype[Any]) -> str:
    """One line: where in the user's source, what stands there, and what Numba has against it.

    Parameters
    ----------
    error : Exception
        As Numba raised it.
    function : callable
        What was compiled.
    dtype : dtype
        Of the record, for fields that do not exist.
    """
    if isinstance(error, KeyError):  # what Numba makes of a field that is not there
        field = str(error.args[0])
        return (
            f"{_field_place(field, function)}the record has no field {field!r}; it has {', '.join(dtype.names or ())}"
        )
    text = _COLOUR.sub("", str(error))
    place = _place_of(error, text, function)
    return f"{place}{_first_reason(text)}"


def _first_reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    reason = next((line for line in lines if line and not line.startswith(_NOISE)), "Numba does not say why")
    if reason.startswith("No implementation of function"):
        call = next((line for line in lines if line.startswith(">>> ")), "")
        reason = f"Numba has no {call.removeprefix('>>> ')}" if call else reason
    return reason.split(". Raised from")[0][:_LONGEST]


def _place_of(error: Exception, text: str, function: Any) -> str:
    """The first line of a user's file that Numba names: the innermost. Numba's own files do not count."""
    named = _PLACE.findall(text)
    if (loc := getattr(error, "loc", None)) is not None:
        named.append((loc.filename, loc.line))
    for name, line in named:
        if "/numba/" not in Path(name).as_posix():
            source = _file_of(function)
            is_same = source is not None and source.name == Path(name).name
            return _place(source if source is not None and is_same else Path(name), int(line))
    return ""


def _field_place(field: str, function: Any) -> str:
    source = _file_of(function)
    if source is None:
        return ""
    try:
        lines, first = inspect.getsourcelines(function)
    except OSError:
        return ""
    found = [first + i for i, line in enumerate(lines) if re.search(rf"\b{re.escape(field)}\b", line)]
    return _place(source, found[0]) if found else ""


def _file_of(function: Any) -> Path | None:
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return Path(code.co_filename) if code is not None else None


def _place(source: Path, line: int) -> str:
    text = linecache.getline(str(source), line).strip()
    shown = f" `{text}`" if text else ""
    return f"{source.name}, line {line},{shown}: "
