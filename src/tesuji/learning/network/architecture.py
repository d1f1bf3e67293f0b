"""The network: a small residual tower over planes, fully convolutional, for boards of any size.

Blocks come in two kinds. A plain one is two 3x3 convolutions (He et al. 2016). A bottleneck narrows to `middle`
channels by a 1x1 convolution, does its two 3x3 ones there, and widens again (as in Wu's KataGo, 2020 on): the trunk is
wide for little work. Every other block adds what it sees of the whole board, the mean and the most of some
channels, to all points (global pooling, Wu 2019). What is not a plane (the komi, the rank) enters behind the first
convolution as a bias.

Four heads: the move (a logit a point, and one for the pass where the game has one), the chance to win, the score, and
who will own each point; all for the side to move. Batch normalisation is for training alone: `folded` merges it into
the convolutions, which is what is exported. Needs PyTorch; what plays does not (`tesuji.learning.network.model`).
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.learning.network.shape import SCORE_SCALE, Shape

__all__ = ["Network", "Outputs", "folded"]


class Outputs(NamedTuple):
    """What the heads say, for the side to move.

    Attributes
    ----------
    policy : float tensor of shape (n, moves)
        Logits; points row by row, then the pass.
    win : float tensor of shape (n,)
        A logit.
    score : float tensor of shape (n,)
        Points that the side to move is ahead, komi counted.
    ownership : float tensor of shape (n, rows, columns)
        Logits: own or the opponent's.
    """

    policy: Tensor
    win: Tensor
    score: Tensor
    ownership: Tensor


class _Normalised(nn.Module):  # type: ignore[misc]
    """A convolution without a bias, then batch normalisation; one convolution once it is folded."""

    def __init__(self, ins: int, outs: int, size: int, *, starts_at_zero: bool = False) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(ins, outs, size, padding=size // 2, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outs)
        if starts_at_zero:  # a new block changes nothing
            nn.init.zeros_(self.norm.weight)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.convolution(x))

    def fold(self) -> None:
        if not isinstance(self.norm, nn.BatchNorm2d):
            return
        self.convolution = nn.utils.fuse_conv_bn_eval(self.convolution.eval(), self.norm.eval())
        self.norm = nn.Identity()


def _summary(x: Tensor) -> Tensor:
    """Mean and maximum over the board: shape (n, 2 * channels)."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class _Block(nn.Module):  # type: ignore[misc]
    def __init__(self, shape: Shape, *, pools: bool) -> None:
        super().__init__()
        channels, middle = shape.channels, shape.middle or shape.channels
        self.narrow = _Normalised(channels, middle, 1) if shape.middle else None
        self.first = _Normalised(middle, middle, 3)
        self.second = _Normalised(middle, middle, 3, starts_at_zero=not shape.middle)
        self.widen = _Normalised(middle, channels, 1, starts_at_zero=True) if shape.middle else None
        self.pooled = shape.pooled if pools else 0
        if self.pooled:
            self.spread = nn.Linear(2 * self.pooled, middle)

    def forward(self, x: Tensor) -> Tensor:
        y = x if self.narrow is None else functional.relu(self.narrow(x))
        y = functional.relu(self.first(y))
        if self.pooled:
            y = y + self.spread(_summary(y[:, : self.pooled]))[:, :, None, None]
        y = self.second(y)
        if self.widen is not None:
            y = self.widen(functional.relu(y))
        return functional.relu(x + y)


class _Heads(nn.Module):  # type: ignore[misc]
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.has_pass = shape.has_pass
        width = shape.head
        self.policy = _Normalised(shape.channels, width, 1)
        self.point = nn.Conv2d(width, 1, 1)
        self.value = _Normalised(shape.channels, width, 1)
        self.policy_bias = nn.Linear(2 * width, width)
        self.passing = nn.Linear(2 * width, 1)
        self.dense = nn.Linear(2 * width + shape.scalars, 2 * width)
        self.win = nn.Linear(2 * width, 1)
        self.score = nn.Linear(2 * width, 1)
        self.ownership = nn.Conv2d(width, 1, 1)

    def forward(self, x: Tensor, scalars: Tensor) -> Outputs:
        judged = functional.relu(self.value(x))
        whole = _summary(judged)
        moves = functional.relu(self.policy(x) + self.policy_bias(whole)[:, :, None, None])
        policy = self.point(moves).flatten(1)
        if self.has_pass:
            policy = torch.cat([policy, self.passing(whole)], dim=1)
        hidden = functional.relu(self.dense(torch.cat([whole, scalars], dim=1)))
        return Outputs(
            policy,
            self.win(hidden).squeeze(1),
            SCORE_SCALE * self.score(hidden).squeeze(1),
            self.ownership(judged).squeeze(1),
        )


class Network(nn.Module):  # type: ignore[misc]
    """The whole network.

    Parameters
    ----------
    shape : Shape
        How large it is and what it sees.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.stem = _Normalised(shape.planes, shape.channels, 3)
        self.scalar_bias = nn.Linear(shape.scalars, shape.channels) if shape.scalars else None
        self.blocks = nn.ModuleList(_Block(shape, pools=i % 2 == 1) for i in range(shape.blocks))
        self.heads = _Heads(shape)

    def forward(self, planes: Tensor, scalars: Tensor) -> Outputs:
        """Judge positions.

        Parameters
        ----------
        planes : float tensor of shape (n, planes, rows, columns)
            As the game's ``encode`` writes them.
        scalars : float tensor of shape (n, scalars)
            What is not a plane.
        """
        x = self.stem(planes)
        if self.scalar_bias is not None:
            x = x + self.scalar_bias(scalars)[:, :, None, None]
        x = functional.relu(x)
        for block in self.blocks:
            x = block(x)
        outputs: Outputs = self.heads(x, scalars)
        return outputs


def folded(network: Network) -> Network:
    """A copy in evaluation mode whose normalisations are part of its convolutions."""
    plain: Network = copy.deepcopy(network).cpu().float().eval()
    for module in plain.modules():
        if isinstance(module, _Normalised):
            module.fold()
    return plain
