"""A network for Go trained in a folder: positions in, a file that plays out. Needs PyTorch (the extra ``learn``).

The folder holds the checkpoint and the curve (`tesuji.learning.network.trainer`), and in the end ``network.tesuji`` and
``curves.html``. A training that was interrupted goes on when the same folder is named again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from tesuji.go.knowledge.network import NUM_PLANES, NUM_SCALARS
from tesuji.go.network.lessons import Lessons
from tesuji.learning.network.batches import Batches
from tesuji.learning.network.begin import weights_of
from tesuji.learning.network.curves import write_page
from tesuji.learning.network.export import write_network
from tesuji.learning.network.positions import Positions
from tesuji.learning.network.shape import Shape
from tesuji.learning.network.trainer import Training, TrainingConfig
from tesuji.provenance import collect

__all__ = ["go_shape", "train_network"]

_ALL_SIDES = range(8)
_SETTLED = 0.75  # of a training on boards of several sizes


def go_shape(*, blocks: int, channels: int, middle: int) -> Shape:
    """The shape of a network that sees Go."""
    inside = middle or channels
    return Shape(
        planes=NUM_PLANES,
        scalars=NUM_SCALARS,
        blocks=blocks,
        channels=channels,
        middle=middle,
        pooled=min(16, inside),
        head=min(24, channels),
    )


def train_network(
    lessons: Lessons,
    folder: Path,
    shape: Shape,
    config: TrainingConfig,
    *,
    batch_size: int = 1024,
    own: Lessons | None = None,
    share: float = 0.5,
    begin: Path | None = None,
    on_report: Callable[[dict[str, Any]], None] | None = None,
) -> Path:
    """Train, or go on training, and write the network.

    Parameters
    ----------
    lessons : Lessons
        What to learn from and to judge by.
    folder : Path
        Of this training.
    shape : Shape
        Of the network.
    config : TrainingConfig
        How long and how.
    batch_size : int
        Positions in a step.
    own : Lessons, optional
        Of the engine's own games (`tesuji.go.network.own_games`).
    share : float
        Of the steps that learn from these, 0..1, where there are both.
    begin : Path, optional
        A network's file to begin with, of this shape; the statistics of its normalisations then stay as they are.
    on_report : callable, optional
        Told each line of the curve.

    Returns
    -------
    Path
        The network's file.

    Raises
    ------
    ValueError
        Without positions, and for a folder with a training of another shape.
    """
    own = own or Lessons()
    parts = _parts(lessons, own, share)
    if not parts:
        raise ValueError("no game can be learnt from; they need an empty board, a komi and 20 moves")
    weights = None
    if begin is not None:
        begins_with, weights = weights_of(begin)
        if begins_with != shape:
            raise ValueError(f"{begin} is a network of shape {begins_with.name}, not {shape.name}; give its shape")
        config = replace(config, settled=0.0)
    elif len({positions.rows for positions, _ in parts}) > 1:
        config = replace(config, settled=min(config.settled, _SETTLED))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    total = sum(len(positions) for positions, _ in parts)

    def batches(positions: Positions, seed: int) -> Batches:
        return Batches(positions, device, size=batch_size, symmetries=_ALL_SIDES, seed=config.seed + seed)

    training = Training(
        folder,
        shape,
        config,
        sources=[(batches(positions, i + positions.rows), weight) for i, (positions, weight) in enumerate(parts)],
        held_out=[
            (f"{size}x{size}{whose}", Batches(positions, device, size=batch_size, symmetries=(0,), seed=0))
            for whose, some in (("", lessons), (" own", own))
            for size, positions in sorted(some.held_out.items())
        ],
        begin_with=weights,
    )
    last = training.run(on_report)
    path = folder / "network.tesuji"
    told = {
        **collect(seed=config.seed, config=asdict(config)).to_dict(),
        "games": lessons.num_games,
        "own_games": own.num_games,
        "own_share": share if own.training else 0.0,
        "begun_with": None if begin is None else begin.name,
        "positions": total,
        "steps": training.step,
        "batch": batch_size,
        "seconds": round(training.trained_s),
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
        "held_out": last["held_out"],
    }
    write_network(path, training.average, game="go", provenance=told)
    write_page(folder)
    return path


def _parts(lessons: Lessons, own: Lessons, share: float) -> list[tuple[Positions, float]]:
    """All sets of positions with the share of the steps that each gets."""
    if not lessons.training or not own.training:
        share = 1.0 if own.training else 0.0
    parts = []
    for some, weight in ((lessons, 1 - share), (own, share)):
        total = sum(len(positions) for positions in some.training.values())
        parts += [(positions, weight * len(positions) / total) for positions in some.training.values() if weight > 0]
    return parts
