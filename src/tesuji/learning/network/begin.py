"""The weights of a network's file, to train further from. Needs PyTorch and onnx.

A file holds the network with its normalisations folded into the convolutions. They are unfolded into normalisations
that change nothing, so the training begins with exactly what the file says; its statistics must then stay as they are
(``TrainingConfig(settled=0)``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from tesuji.learning.network.architecture import Network
from tesuji.learning.network.model import ModelError, read_model
from tesuji.learning.network.shape import Shape

__all__ = ["weights_of"]

_NAME = re.compile(r"(\d+)x(\d+)(?:/(\d+))?")


def weights_of(path: Path | str) -> tuple[Shape, dict[str, Any]]:
    """The shape of a network's file and its weights, as `Training` takes them (``begin_with``).

    Raises
    ------
    ModelError
        For a file that is none, or whose network is built otherwise.
    """
    description, network = read_model(path)
    if description.arithmetic != "float32":
        raise ModelError(
            f"{path} is in {description.arithmetic}, whose weights are rounded; begin with the file in float32 that "
            "it was made from"
        )
    strange = ModelError(f"{path} holds a network that this version does not build; train from one of `learn network`")
    try:
        model = onnx.load_from_string(network)
        stored = {
            each.name: torch.from_numpy(np.array(numpy_helper.to_array(each))) for each in model.graph.initializer
        }
        found = _NAME.fullmatch(description.name)
        if found is None:
            raise strange
        spread = stored.get("blocks.1.spread.weight")
        shape = Shape(
            planes=description.planes,
            scalars=description.scalars,
            blocks=int(found[1]),
            channels=int(found[2]),
            middle=int(found[3] or 0),
            pooled=0 if spread is None else spread.shape[1] // 2,
            head=stored["heads.point.weight"].shape[1],
            has_pass=description.has_pass,
        )
        return shape, _unfolded(Network(shape), stored)
    except ModelError:
        raise
    except Exception as error:  # a parser's, a missing name, a wrong shape: the file is to blame for all
        raise strange from error


def _unfolded(network: Network, stored: dict[str, torch.Tensor]) -> dict[str, Any]:
    """The state of a network that says what the stored one does."""
    state: dict[str, Any] = dict(network.state_dict())
    for name in state:
        inside, _, last = name.rpartition(".")
        if not inside.endswith(".norm"):
            state[name] = stored[name].reshape(state[name].shape).clone()
        elif last == "bias":
            state[name] = stored[inside.removesuffix("norm") + "convolution.bias"].clone()
        elif last == "running_var":
            state[name] = torch.full_like(state[name], 1.0 - torch.nn.BatchNorm2d(1).eps)
        elif last in ("weight", "running_mean"):
            state[name] = torch.full_like(state[name], float(last == "weight"))
    return state
