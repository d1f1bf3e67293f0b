"""Batches of positions on a device, shuffled anew in each pass, each under every symmetry the game has.

All positions lie on the device as bits and are unpacked there: a GPU then waits for nobody. Needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tesuji.learning.network.positions import Positions

__all__ = ["Batch", "Batches", "Symmetry", "turned", "turned_moves"]

Symmetry = int
"""Bit 0 turns the rows round, bit 1 the columns; bit 2 then makes rows of columns (square boards only)."""


class Batch(NamedTuple):
    """What a step learns from; names and meanings as in `Positions`.

    Attributes
    ----------
    planes, scalars
        What the network sees.
    policy : tensor
        Moves, int64 of shape (n,), -1 where unknown; or shares, float32 of shape (n, moves).
    wins, scores : float32 tensors of shape (n,)
        NaN where unknown.
    owned : float32 tensor of shape (n, rows, columns)
        1 own, 0 the opponent's, 0.5 neither; NaN where unknown.
    """

    planes: Tensor
    scalars: Tensor
    policy: Tensor
    wins: Tensor
    scores: Tensor
    owned: Tensor


def turned(points: Tensor, symmetry: Symmetry) -> Tensor:
    """An image of what stands by rows and columns in the last two dimensions."""
    if symmetry & 1:
        points = points.flip(-2)
    if symmetry & 2:
        points = points.flip(-1)
    return points.transpose(-1, -2) if symmetry & 4 else points


def turned_moves(rows: int, columns: int, symmetry: Symmetry) -> Tensor:
    """For each point of the image, the point that it shows: int64 of shape (rows * columns,)."""
    return turned(torch.arange(rows * columns).reshape(rows, columns), symmetry).reshape(-1)


class Batches:
    """An endless stream of batches from one set of positions.

    Parameters
    ----------
    positions : Positions
        Moved to the device whole.
    device : torch.device
        Where.
    size : int
        Positions in a batch; rounded down to a multiple of the symmetries.
    symmetries : sequence of Symmetry
        Each batch has an equal part under each.
    seed : int
        Of the shuffling.
    """

    def __init__(
        self, positions: Positions, device: torch.device, *, size: int, symmetries: Sequence[Symmetry], seed: int
    ) -> None:
        if not len(positions):
            raise ValueError("there are no positions to learn from")
        self.rows, self.columns, self.num_planes = positions.rows, positions.columns, positions.num_planes
        if self.rows != self.columns and any(s & 4 for s in symmetries):
            raise ValueError(f"a board of {self.rows} rows and {self.columns} columns has no diagonal symmetry")
        self.symmetries = tuple(symmetries)
        self.part = max(1, min(size, len(positions)) // len(self.symmetries))
        self.device = device
        self._random = torch.Generator(device=device).manual_seed(seed)
        self._planes = torch.from_numpy(positions.planes).to(device)
        self._scalars = torch.from_numpy(positions.scalars).to(device)
        self._wins = torch.from_numpy(positions.wins).to(device)
        self._scores = torch.from_numpy(positions.scores).to(device)
        self._movers = torch.from_numpy(positions.movers).to(device)
        self._games = torch.from_numpy(positions.games).to(device)
        none = np.zeros((1, self.rows * self.columns), np.int8)  # the last row: of games whose owners are unknown
        self._owners = torch.from_numpy(np.concatenate([positions.owners, none])).to(device)
        self._shares = None if positions.shares is None else torch.from_numpy(positions.shares).to(device)
        self._moves = torch.from_numpy(positions.moves).to(device)
        self._bits = torch.arange(7, -1, -1, device=device, dtype=torch.uint8)
        self._images = [self._point_images(s).to(device) for s in self.symmetries]

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self._planes)

    def __iter__(self) -> Iterator[Batch]:
        """Batches without end."""
        step = self.part * len(self.symmetries)
        while True:
            order = torch.randperm(len(self), generator=self._random, device=self.device)
            for begin in range(0, len(self) - step + 1, step):
                yield self.at(order[begin : begin + step])

    def once(self, size: int) -> Iterator[Batch]:
        """All positions in order and as they are."""
        for begin in range(0, len(self), size):
            yield self._read(torch.arange(begin, min(begin + size, len(self)), device=self.device), None)

    def at(self, chosen: Tensor) -> Batch:
        """The positions with these indices, part by part under the symmetries."""
        parts = [self._read(part, i) for i, part in enumerate(chosen.split(self.part))]
        return Batch(*(torch.cat(columns) for columns in zip(*parts, strict=True)))

    def _point_images(self, symmetry: Symmetry) -> Tensor:
        """From a move to its image; the pass stays, and -1 too."""
        shown = turned_moves(self.rows, self.columns, symmetry)
        images = torch.empty(len(shown) + 2, dtype=torch.int64)
        images[shown] = torch.arange(len(shown))
        images[-2], images[-1] = len(shown), -1
        return images

    def _read(self, chosen: Tensor, symmetry: int | None) -> Batch:
        bits = (self._planes[chosen][:, :, None] >> self._bits) & 1
        count = self.num_planes * self.rows * self.columns
        planes = bits.flatten(1)[:, :count].reshape(-1, self.num_planes, self.rows, self.columns)
        owned = self._owned(chosen)
        policy = self._moves[chosen].long() if self._shares is None else self._shares[chosen].float()
        if symmetry is not None:
            turn = self.symmetries[symmetry]
            planes, owned = turned(planes, turn), turned(owned, turn)
            policy = self._turned_policy(policy, symmetry)
        return Batch(planes, self._scalars[chosen], policy, self._wins[chosen], self._scores[chosen], owned)

    def _turned_policy(self, policy: Tensor, symmetry: int) -> Tensor:
        if self._shares is None:
            return self._images[symmetry][policy]
        points = self.rows * self.columns
        on_board = policy[:, :points].reshape(-1, self.rows, self.columns)
        return torch.cat([turned(on_board, self.symmetries[symmetry]).flatten(1), policy[:, points:]], dim=1)

    def _owned(self, chosen: Tensor) -> Tensor:
        games = self._games[chosen].long()
        owners = self._owners[games].float()  # -1 is the last row
        sign = 1.0 - 2.0 * self._movers[chosen].float()
        own = 0.5 + 0.5 * owners * sign[:, None]
        own = torch.where((games >= 0)[:, None], own, torch.nan)
        return own.reshape(-1, self.rows, self.columns)
