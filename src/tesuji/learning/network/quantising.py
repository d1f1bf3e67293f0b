"""A network in eight bits: a third of the bytes, and two to three times the speed where the processor multiplies bytes.

onnxruntime's static quantisation: activations are bytes whose ranges are those of some positions, weights are bytes by
channel. Processors without such instructions add two products in 16 bits, and these sums overflow: the network would
judge otherwise there, so it is not loaded there (docs/decisions/025-int8.md). The heads and what sees the whole board
stay in float32: they cost little, and the komi would be rounded there. Rounding moves the mean of what a network says;
the last biases are moved back by it. Needs onnx and onnxruntime; knows no game.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import (  # type: ignore[import-untyped]
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)

from tesuji.learning.network.model import Description, Model, ModelError
from tesuji.learning.network.positions import Positions, unpacked
from tesuji.learning.network.shape import SCORE_SCALE

__all__ = ["Figures", "figures_of", "quantised"]

_BATCH = 16
_JUDGED = 64  # positions in a batch
_WHOLE_BOARD = ("Gemm", "Concat", "ReduceMean", "ReduceMax")
_BIASES = {
    "win": ("heads.win.bias", 1.0),
    "score": ("heads.score.bias", SCORE_SCALE),
}  # and what they are multiplied by


class Figures(NamedTuple):
    """How a network judges positions whose future is known.

    Attributes
    ----------
    positions : int
        How many.
    top1, top5 : float
        How often the move played is its first, or among its first five, 0..1.
    winner : float
        How often it knows the winner, 0..1.
    """

    positions: int
    top1: float
    top5: float
    winner: float


class _Reader(CalibrationDataReader):  # type: ignore[misc]
    """Positions as onnxruntime asks for them."""

    def __init__(self, samples: Sequence[Positions]) -> None:
        self._batches = iter([batch for some in samples for batch in _batches(some, _BATCH)])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"planes": batch[0], "scalars": batch[1]}


def quantised(network: bytes, samples: Sequence[Positions]) -> bytes:
    """A network in int8.

    Parameters
    ----------
    network : bytes
        In ONNX and float32, as `tesuji.learning.network.export` makes it.
    samples : sequence of Positions
        Whose activations set the ranges; some of each board size that it will see.

    Returns
    -------
    bytes
        In ONNX.

    Raises
    ------
    ValueError
        Without samples, and for a network that is built otherwise.
    """
    if not any(map(len, samples)):
        raise ValueError("there are no positions to set the ranges by; name games that can be learnt from")
    graph = onnx.load_from_string(network).graph
    if not {name for name, _ in _BIASES.values()} <= {each.name for each in graph.initializer}:
        raise ModelError("the network is not built as this version builds them; train one with `tesuji learn network`")
    kept = [node.name for node in graph.node if "/heads/" in node.name or node.op_type in _WHOLE_BOARD]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "int8.onnx"
        said = logging.root.level
        logging.root.setLevel(logging.ERROR)  # it advises a step that changes nothing here
        try:
            quantize_static(
                onnx.load_from_string(network),
                path,
                _Reader(samples),
                quant_format=QuantFormat.QDQ,
                per_channel=True,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                nodes_to_exclude=kept,
            )
        finally:
            logging.root.setLevel(said)
        return _with_the_same_mean(path.read_bytes(), network, samples)


def _with_the_same_mean(rounded: bytes, network: bytes, samples: Sequence[Positions]) -> bytes:
    """The rounded network, its last biases moved so that the mean win and score over the samples are as before."""
    model = onnx.load_from_string(rounded)
    stored = {each.name: each for each in model.graph.initializer}
    before, after = _answers(network, samples), _answers(rounded, samples)
    for head, (name, scale) in _BIASES.items():
        bias = stored[name]
        moved = numpy_helper.to_array(bias) + np.float32((before[head] - after[head]).mean() / scale)
        bias.CopyFrom(numpy_helper.from_array(moved.astype(np.float32), name))
    written: bytes = model.SerializeToString()
    return written


def _answers(network: bytes, samples: Sequence[Positions]) -> dict[str, NDArray[np.float64]]:
    """The logits of the win and the scores, each sample with the same weight whatever its size."""
    description = Description(game="", planes=0, scalars=0, has_pass=True, name="")
    model = Model(description, network)
    means: dict[str, list[float]] = {"win": [], "score": []}
    for some in filter(len, samples):
        judged = [model.judge(*batch) for batch in _batches(some, _JUDGED)]
        wins = np.clip(np.concatenate([each.wins for each in judged]).astype(np.float64), 1e-6, 1 - 1e-6)
        means["win"].append(float(np.log(wins / (1 - wins)).mean()))
        means["score"].append(float(np.concatenate([each.scores for each in judged]).mean()))
    return {head: np.array(values) for head, values in means.items()}


def figures_of(model: Model, positions: Positions) -> Figures:
    """Judge positions that were kept out of training."""
    judged = [model.judge(*batch) for batch in _batches(positions, _JUDGED)]
    shares = np.concatenate([each.shares for each in judged])
    wins = np.concatenate([each.wins for each in judged])
    moves = positions.moves.astype(np.int64)
    known, decided = moves >= 0, ~np.isnan(positions.wins) & (positions.wins != 0.5)
    first = np.argsort(-shares, axis=1)[:, :5] == moves[:, None]
    return Figures(
        len(positions),
        _mean(first[known, 0]),
        _mean(first[known].any(axis=1)),
        _mean((wins > 0.5)[decided] == (positions.wins > 0.5)[decided]),
    )


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _batches(positions: Positions, size: int) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    shape = positions.num_planes, positions.rows, positions.columns
    return [
        (unpacked(positions.planes[at : at + size], *shape).astype(np.float32), positions.scalars[at : at + size])
        for at in range(0, len(positions), size)
    ]
