"""The rules of a game as functions over a record: the values that `tesuji.games.CompiledGame` is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

__all__ = ["Functions", "below"]

_MULTIPLIER = np.uint64(0x7FFFFDCD)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Functions(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game, as written; `tesuji.games.CompiledGame` documents each."""

    legal_moves: Callable[..., Any]
    play: Callable[..., Any]
    is_over: Callable[..., Any]
    value: Callable[..., Any]
    to_play: Callable[..., Any]
    key: Callable[..., Any] | None = None
    playout: Callable[..., Any] | None = None
    priors: Callable[..., Any] | None = None
    bound: Callable[..., Any] | None = None

    def given(self) -> dict[str, Callable[..., Any]]:
        """Those that there are, by name."""
        return {name: f for name in self.__struct_fields__ if (f := getattr(self, name)) is not None}


def below(random: Any, bound: int) -> Any:
    """A whole number from 0 to ``bound - 1``, each as likely: the draws of a playout.

    The formula is that of ``core/base/rng.hpp``, so that a compiled playout and the core's continue one stream.

    Parameters
    ----------
    random : array of one uint64
        The state of the stream, as a `playout` is handed it; changed.
    bound : int
        At least 1.
    """
    state = random[0]
    low = state & _LOW
    carry = state >> _HALF
    random[0] = _MULTIPLIER * low + carry
    return ((low ^ carry) * np.uint64(bound)) >> _HALF
