"""What a value looks like in pictures of graphs: orange for the second player, blue for the first."""

from __future__ import annotations

__all__ = ["shade"]

_LOST, _EVEN, _WON = (216, 112, 58), (247, 247, 245), (70, 130, 180)  # orange, paper, blue: for every kind of eye


def shade(value: float) -> str:
    """A colour between orange (0, the first player loses), paper (0.5) and blue (1)."""
    end, share = (_WON, 2 * value - 1) if value > 0.5 else (_LOST, 1 - 2 * value)
    mixed = (round(paper + (full - paper) * min(1.0, share)) for paper, full in zip(_EVEN, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
