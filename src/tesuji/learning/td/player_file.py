"""Trained players as files: weights, what they belong to, how they were trained, the learning curve.

A file is an archive (`tesuji.search.files.archive`): ``header`` is JSON (`Header`), ``hidden`` and ``output`` are the
weights. It holds all that a training needs to go on; nothing in it is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tesuji.learning.td.network import ValueNetwork
from tesuji.learning.td.task import Task
from tesuji.learning.td.training import CurvePoint, Training, TrainingConfig
from tesuji.provenance import Provenance, collect
from tesuji.search.files.archive import FileKind, read_archive, write_archive

__all__ = ["FORMAT", "Header", "PlayerFileError", "check_player", "load_player", "read_player", "save_player"]

FORMAT = 1
"""The number of the layout; a reader takes its own only."""


class PlayerFileError(ValueError):
    """A file that holds no player this task can use."""


_FILE = FileKind(
    name="tesuji-player", format=FORMAT, noun="trained player", writer="tesuji learn", error=PlayerFileError
)


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about its player.

    Attributes
    ----------
    kind : str
        ``tesuji-player``.
    format : int
        Of the layout.
    task : dict
        What the weights belong to: the game, its size, the features.
    unit : float
        How many points an output of 1 is.
    settings : dict
        What else the training was about: who said what ends are worth.
    config : TrainingConfig
        How it learns.
    games, curve, failures, spread, cpu_s
        How far it has come; see `Training`.
    provenance : Provenance
        Who wrote it, with what.
    """

    kind: str
    format: int
    task: dict[str, str]
    unit: float
    settings: dict[str, str]
    config: TrainingConfig
    games: int
    curve: list[CurvePoint]
    failures: int
    spread: float
    cpu_s: float
    provenance: Provenance


def save_player(path: Path | str, task: Task, training: Training, settings: Mapping[str, str] | None = None) -> Path:
    """Write a player; an existing file is replaced when the new one is complete."""
    header = Header(
        kind=_FILE.name,
        format=FORMAT,
        task=dict(task.identity),
        unit=task.unit,
        settings=dict(settings or {}),
        config=training.config,
        games=training.games,
        curve=training.curve,
        failures=training.failures,
        spread=training.spread,
        cpu_s=training.cpu_s,
        provenance=collect(seed=training.config.seed, config=dict(task.identity), cpu_time_s=training.cpu_s),
    )
    network = training.network
    return write_archive(Path(path), header, {"hidden": network.hidden, "output": network.output})


def read_player(path: Path | str) -> tuple[Header, Training]:
    """Read a player, whatever it belongs to.

    Raises
    ------
    PlayerFileError
        For a file that is none, is damaged, or is of another version.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    header, arrays = read_archive(path, _FILE, Header)
    try:
        network = ValueNetwork(_weights(arrays, "hidden"), _weights(arrays, "output"))
    except ValueError as error:
        raise PlayerFileError(f"{path.name} is damaged ({error}); train the player again") from error
    if not network.is_finite:
        raise PlayerFileError(f"{path.name} has weights that are not numbers; train the player again")
    return header, Training(
        config=header.config,
        network=network,
        games=header.games,
        curve=list(header.curve),
        failures=header.failures,
        spread=header.spread,
        cpu_s=header.cpu_s,
    )


def load_player(path: Path | str, task: Task) -> Training:
    """Read a player of a task.

    Raises
    ------
    PlayerFileError
        As `read_player`, and for a player of something else: the message names the command that makes the right one.
    """
    header, training = read_player(path)
    check_player(Path(path).name, header, training, task)
    return training


def check_player(name: str, header: Header, training: Training, task: Task) -> None:
    """Refuse a player of something else than a task."""
    wanted = dict(task.identity)
    apart = [key for key in {**wanted, **header.task} if wanted.get(key) != header.task.get(key)]
    if apart:
        has, needs = (", ".join(f"{key} {of.get(key, 'none')}" for key in apart) for of in (header.task, wanted))
        raise PlayerFileError(f"{name} is a player of {has}; here it must be {needs}: make one with '{task.command}'")
    if training.network.num_inputs != task.num_inputs:
        raise PlayerFileError(
            f"{name} has {training.network.num_inputs} inputs, {task.num_inputs} are needed: "
            f"make one with '{task.command}'"
        )


def _weights(arrays: Mapping[str, Any], name: str) -> Any:
    found = arrays.get(name)
    if found is None or found.dtype != np.float32:
        raise ValueError(f"there are no {name} weights")
    return found
