"""What a worker of a cluster sends home: plain bytes (MessagePack), read as the type that the task's function returns.

A worker is another machine, and what comes from there is data. Nothing is unpickled: bytes that are not an answer of
the right type are an error of that task and of nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

__all__ = ["AnswerError", "answer_type", "read_answer"]

DONE, FAILED = 0, 1


class AnswerError(ValueError):
    """A worker sent something else than the answer to its task."""


def answer_type(function: Callable[..., Any]) -> Any:
    """What a function returns, as its annotation says; `Any` (plain values) where it says nothing."""
    while isinstance(function, partial):
        function = function.func
    said = getattr(function, "__annotations__", {}).get("return", Any)
    if isinstance(said, str):
        try:
            return eval(said, function.__globals__)  # an annotation of our own module, not data
        except NameError:  # a name that only type checkers see
            return Any
    return said


def read_answer(data: object, kind: Any) -> Any:
    """The result of a task.

    Raises
    ------
    AnswerError
        If the bytes are none, or of another type.
    RuntimeError
        If the task failed there; the message says why.
    """
    if not isinstance(data, bytes):
        raise AnswerError(f"the worker sent {type(data).__name__} instead of bytes")
    try:
        mark, content = msgspec.msgpack.decode(data, type=tuple[int, msgspec.Raw])
        if mark == FAILED:
            raise RuntimeError(msgspec.msgpack.decode(content, type=str))
        return msgspec.msgpack.decode(content, type=kind)
    except msgspec.DecodeError as error:
        raise AnswerError(f"the worker sent something else than an answer ({error})") from error
