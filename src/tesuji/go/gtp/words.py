"""Colours of Go as words; the other words of a command are read by `tesuji.gtp.words`."""

from __future__ import annotations

from tesuji.go.rules.color import Color
from tesuji.gtp.words import SEATS, seat_of

__all__ = ["COLORS", "color_of"]

COLORS = {word: (Color.BLACK, Color.WHITE)[seat] for word, seat in SEATS.items()}


def color_of(word: str) -> Color:
    """``b``, ``black``, ``w`` or ``white``, in any case."""
    return (Color.BLACK, Color.WHITE)[seat_of(word)]
