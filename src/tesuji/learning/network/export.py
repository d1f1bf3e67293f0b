"""A trained network as a file that plays: normalisations folded in, ONNX, its provenance. Needs PyTorch and onnx."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import torch

from tesuji.learning.network.architecture import Network, folded
from tesuji.learning.network.model import Description, write_model

__all__ = ["exported", "write_network"]

_NAMES = {"policy": {0: "n", 1: "moves"}, "win": {0: "n"}, "score": {0: "n"}, "ownership": {0: "n", 1: "r", 2: "c"}}


def exported(network: Network) -> bytes:
    """The network in ONNX, for any number of positions of any board size."""
    shape = network.shape
    size = 7
    example = torch.zeros(2, shape.planes, size, size), torch.zeros(2, shape.scalars)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            folded(network),
            example,
            buffer,
            input_names=["planes", "scalars"],
            output_names=list(_NAMES),
            dynamic_axes={"planes": {0: "n", 2: "r", 3: "c"}, "scalars": {0: "n"}, **_NAMES},
            dynamo=False,  # the newer exporter fixes the sizes of the example
        )
    return buffer.getvalue()


def write_network(path: Path, network: Network, *, game: str, provenance: dict[str, Any]) -> None:
    """Write a network as `tesuji.learning.network.model.Model` reads it."""
    shape = network.shape
    description = Description(
        game=game,
        planes=shape.planes,
        scalars=shape.scalars,
        has_pass=shape.has_pass,
        name=shape.name,
        provenance=provenance,
    )
    write_model(path, description, exported(network))
