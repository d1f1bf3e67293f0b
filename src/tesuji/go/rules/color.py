"""The colours of points and players."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Color"]


class Color(IntEnum):
    """What stands on a point, and who moves."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2

    @property
    def opponent(self) -> Color:
        """The other player; EMPTY has none and stays EMPTY."""
        return _OPPONENT[self]

    def __str__(self) -> str:
        return self.name.lower()


_OPPONENT = {Color.EMPTY: Color.EMPTY, Color.BLACK: Color.WHITE, Color.WHITE: Color.BLACK}
