"""How large a network is and what it sees, as one frozen value; knows no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SCORE_SCALE", "Shape"]

SCORE_SCALE = 20.0
"""Points to a unit of the last layer."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Of a network.

    Attributes
    ----------
    planes, scalars : int
        What it sees: planes by point, and numbers for the whole board.
    blocks, channels : int
        Of the tower.
    middle : int
        Channels inside a bottleneck block; 0: plain blocks.
    pooled : int
        Channels of which every other block sees mean and maximum over the board; 0: none.
    head : int
        Channels of each head.
    has_pass : bool
        Whether a move more than there are points exists.
    """

    planes: int
    scalars: int = 0
    blocks: int = 4
    channels: int = 48
    middle: int = 0
    pooled: int = 16
    head: int = 24
    has_pass: bool = True

    def __post_init__(self) -> None:
        for name, least in (("planes", 1), ("scalars", 0), ("blocks", 1), ("channels", 1), ("middle", 0), ("head", 1)):
            if not least <= getattr(self, name) <= 4096:
                raise ValueError(f"{name} is {getattr(self, name)}; it must lie in {least}..4096")
        if not 0 <= self.pooled <= (self.middle or self.channels):
            raise ValueError(
                f"pooled is {self.pooled}; it must lie in 0..{self.middle or self.channels}, a block's channels"
            )

    @property
    def name(self) -> str:
        """``4x48``, or ``4x96/48`` with bottlenecks."""
        return f"{self.blocks}x{self.channels}" + (f"/{self.middle}" if self.middle else "")
