"""Positions to learn from: planes packed to bits, and what became of each position. NumPy alone; of any game.

A set is of one board size. The planes are those that the game's ``encode`` writes for an evaluator; everything else is
for the side to move. What is not known is NaN (results, scores), -1 (moves) or 0 (owners), and teaches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.writing import opened_whole

__all__ = ["Positions", "packed", "unpacked"]


@dataclass(frozen=True, kw_only=True)
class Positions:
    """Positions of one board size.

    Attributes
    ----------
    rows, columns, num_planes : int
        Of the planes.
    planes : uint8 array of shape (n, bytes)
        `packed` planes.
    scalars : float32 array of shape (n, scalars)
        What is not a plane.
    moves : int16 array of shape (n,)
        Which was played.
    wins : float32 array of shape (n,)
        1 won, 0 lost, 0.5 drawn.
    scores : float32 array of shape (n,)
        Points ahead in the end, komi counted.
    games : int32 array of shape (n,)
        Rows of `owners`; -1: none.
    owners : int8 array of shape (games, rows * columns)
        Who owned each point in the end: 1 the first player, -1 the second.
    movers : int8 array of shape (n,)
        Who is to move: 0 the first player, or 1.
    shares : float16 array of shape (n, moves), optional
        How a search shared its visits out, instead of `moves`.
    """

    rows: int
    columns: int
    num_planes: int
    planes: NDArray[np.uint8]
    scalars: NDArray[np.float32]
    moves: NDArray[np.int16]
    wins: NDArray[np.float32]
    scores: NDArray[np.float32]
    games: NDArray[np.int32]
    owners: NDArray[np.int8]
    movers: NDArray[np.int8]
    shares: NDArray[np.float16] | None = None

    def __post_init__(self) -> None:
        count = len(self.planes)
        for name in ("scalars", "moves", "wins", "scores", "games", "movers", "shares"):
            column = getattr(self, name)
            if column is not None and len(column) != count:
                raise ValueError(f"{name} has {len(column)} rows, there are {count} positions; they must be as many")
        if self.planes.shape != (count, self.num_bytes):
            raise ValueError(f"planes have shape {self.planes.shape}; it must be {(count, self.num_bytes)}")

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.planes)

    @property
    def num_bytes(self) -> int:
        """Of one packed position."""
        return (self.num_planes * self.rows * self.columns + 7) // 8

    def taken(self, chosen: NDArray[Any] | slice) -> Positions:
        """The positions chosen by index, by a mask or by a slice; owners stay as they are."""
        columns = ("planes", "scalars", "moves", "wins", "scores", "games", "movers", "shares")
        return replace(self, **{n: getattr(self, n)[chosen] for n in columns if getattr(self, n) is not None})

    def joined(self, other: Positions) -> Positions:
        """These and others of the same game and size."""
        if (self.rows, self.columns, self.num_planes) != (other.rows, other.columns, other.num_planes):
            raise ValueError("positions of another size or with other planes cannot be joined")
        if (self.shares is None) != (other.shares is None):
            raise ValueError("positions with shares of visits and positions with moves alone cannot be joined")
        columns = ("planes", "scalars", "moves", "wins", "scores", "owners", "movers", "shares")
        known = [name for name in columns if getattr(self, name) is not None]
        both: dict[str, Any] = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in known}
        games = np.where(other.games >= 0, other.games + len(self.owners), -1).astype(np.int32)
        return replace(self, **both, games=np.concatenate([self.games, games]))

    def save(self, path: Path) -> None:
        """Write them into a file; an existing one is replaced when the new one is complete."""
        with opened_whole(path) as file:
            np.savez_compressed(file, **{f.name: v for f in fields(self) if (v := getattr(self, f.name)) is not None})

    @classmethod
    def load(cls, path: Path) -> Positions:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as file:
            sizes = ("rows", "columns", "num_planes")
            columns: dict[str, Any] = {name: int(file[name]) if name in sizes else file[name] for name in file.files}
            return cls(**columns)


def packed(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Planes of ones and zeros, shape (n, planes, rows, columns), as bits, shape (n, bytes)."""
    return np.packbits(planes.reshape(len(planes), -1), axis=1)


def unpacked(bits: NDArray[np.uint8], num_planes: int, rows: int, columns: int) -> NDArray[np.uint8]:
    """The planes again."""
    points = num_planes * rows * columns
    return np.unpackbits(bits, axis=1, count=points).reshape(len(bits), num_planes, rows, columns)
