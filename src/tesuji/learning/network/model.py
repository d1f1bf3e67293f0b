"""A trained network as a file, and what it says of positions. Needs onnxruntime alone.

The file is a line of words, a line of JSON (`Description`), and the network in ONNX. The first line holds the SHA-256
of all that follows, so a file that was cut or changed is refused before anything reads it: a parser of networks is not
made for hostile bytes.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.learning.network.processor import multiplies_bytes
from tesuji.words import how_to_install
from tesuji.writing import write_whole

__all__ = ["Description", "Judgements", "Model", "ModelError", "is_runnable", "read_model", "write_model"]

_MAGIC = b"tesuji-network-1 "
_LARGEST = 1 << 28
_TRIED = 7  # lines of the board on which a network is tried out
_OUTPUTS = ["policy", "win", "score", "ownership"]


class ModelError(ValueError):
    """A file that is not a network of ours, or not the one that is needed."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about its network.

    Attributes
    ----------
    game : str
        Whose planes it sees.
    planes, scalars : int
        How many.
    has_pass : bool
        Whether it has a move more than the board has points.
    name : str
        Its shape in words, ``5x96/48``.
    arithmetic : {"float32", "int8"}
        What its convolutions calculate with.
    provenance : dict
        Data, training, figures: whatever was known when it was made.
    """

    game: str
    planes: int
    scalars: int
    has_pass: bool
    name: str
    arithmetic: Literal["float32", "int8"] = "float32"
    provenance: dict[str, Any] = {}


class Judgements(NamedTuple):
    """What a network says of n positions, for the side to move.

    Attributes
    ----------
    shares : float32 array of shape (n, moves)
        How likely each move is; the rows add to one.
    wins : float32 array of shape (n,)
        The chance to win.
    scores : float32 array of shape (n,)
        Points ahead in the end.
    owned : float32 array of shape (n, rows, columns)
        The chance that a point will be its own.
    """

    shares: NDArray[np.float32]
    wins: NDArray[np.float32]
    scores: NDArray[np.float32]
    owned: NDArray[np.float32]


def is_runnable() -> bool:
    """Whether onnxruntime is installed."""
    from importlib.util import find_spec

    return find_spec("onnxruntime") is not None


def write_model(path: Path, description: Description, network: bytes) -> None:
    """Write a network in ONNX with its description; an existing file is replaced when the new one is complete."""
    body = msgspec.json.encode(description) + b"\n" + network
    write_whole(path, _MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def read_model(path: Path | str) -> tuple[Description, bytes]:
    """Read a file that `write_model` wrote.

    Raises
    ------
    ModelError
        For anything else, in one line.
    """
    shown = os.fspath(path)
    try:
        if Path(path).stat().st_size > _LARGEST:
            raise ModelError(f"{shown} is larger than {_LARGEST >> 20} MiB; a network of Tesuji is smaller")
        data = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{shown} cannot be read: {error.strerror or error}") from error
    head, _, body = data.partition(b"\n")
    if not head.startswith(_MAGIC):
        raise ModelError(f"{shown} is not a network of Tesuji's; make one with `tesuji learn network`")
    if head[len(_MAGIC) :].decode("ascii", "replace") != hashlib.sha256(body).hexdigest():
        raise ModelError(f"{shown} is damaged: its checksum does not hold; copy it again")
    line, _, network = body.partition(b"\n")
    try:
        return msgspec.json.decode(line, type=Description), network
    except msgspec.MsgspecError as error:
        raise ModelError(f"{shown} describes itself wrongly: {error}") from error


@dataclass
class Model:
    """A network that is ready to judge.

    Attributes
    ----------
    description : Description
        What it is.
    network : bytes
        In ONNX.
    threads : int
        For one batch.
    """

    description: Description
    network: bytes = field(repr=False)
    threads: int = 1

    def __post_init__(self) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError(
                f"a network needs onnxruntime, which is not installed: {how_to_install('network')}"
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(self.network, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its errors have no common class
            raise ModelError(f"onnxruntime cannot run the network: {str(error).splitlines()[0][:200]}") from error
        if {i.name for i in self._session.get_inputs()} != {"planes", "scalars"} or not set(_OUTPUTS) <= {
            o.name for o in self._session.get_outputs()
        }:
            raise ModelError(
                "the network has other inputs or outputs than Tesuji's; make one with `tesuji learn network`"
            )

    @classmethod
    def load(cls, path: Path | str, *, game: str, planes: int, scalars: int, threads: int = 1) -> Model:
        """Read a file whose network sees just these planes.

        Raises
        ------
        ModelError
            For a file that is none, is damaged, or is for something else; for int8 on a processor that would judge
            otherwise than the one where it was made.
        """
        description, network = read_model(path)
        found = description.game, description.planes, description.scalars
        if found != (game, planes, scalars):
            raise ModelError(
                f"{os.fspath(path)} is for {found[0]} with {found[1]} planes and {found[2]} numbers; "
                f"here it must be {game} with {planes} and {scalars}"
            )
        if description.arithmetic == "int8" and not multiplies_bytes():
            raise ModelError(
                f"{os.fspath(path)} is in int8, which needs a processor with VNNI or ARM's dot product; "
                "use the file in float32 that it was made from"
            )
        model = cls(description, network, threads)
        model._try_out()
        return model

    def _try_out(self) -> None:
        """Refuse a network that does not take or give what its description says, before a game depends on it."""
        seen, size = self.description, _TRIED
        moves = size * size + seen.has_pass
        try:
            judged = self.judge(np.zeros((2, seen.planes, size, size)), np.zeros((2, seen.scalars), np.float32))
            shapes = [np.shape(part) for part in judged]
        except Exception as error:  # onnxruntime's errors have no common class
            raise ModelError(f"onnxruntime cannot run the network: {str(error).splitlines()[0][:200]}") from error
        if shapes != [(2, moves), (2,), (2,), (2, size, size)]:
            raise ModelError(f"the network answers in shapes {shapes}, not as its description says; train it again")

    def judge(self, planes: NDArray[Any], scalars: NDArray[np.float32]) -> Judgements:
        """Judge positions of one size.

        Parameters
        ----------
        planes : array of shape (n, planes, rows, columns)
            As the game's ``encode`` writes them.
        scalars : float32 array of shape (n, scalars)
            What is not a plane.
        """
        inputs = {
            "planes": np.ascontiguousarray(planes, np.float32),
            "scalars": np.ascontiguousarray(scalars, np.float32),
        }
        logits, wins, scores, owned = self._session.run(_OUTPUTS, inputs)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return Judgements(shares, _chance(wins), scores, _chance(owned))


def _chance(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)
