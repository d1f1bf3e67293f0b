"""A network for Go in int8: ranges from games it learnt from, figures from games that it did not. Needs onnx."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tesuji.go.knowledge.network import NUM_PLANES, NUM_SCALARS, SHIPPED_NAMES, GoNetwork
from tesuji.go.masters.game import StoredGame
from tesuji.go.network.lessons import is_held_out, lessons_of
from tesuji.learning.network.model import Model, write_model
from tesuji.learning.network.positions import Positions
from tesuji.learning.network.quantising import Figures, figures_of, quantised
from tesuji.provenance import collect

__all__ = ["quantise_network"]

_SET_GAMES = 60  # of each size, to set the ranges by


def quantise_network(
    source: Path | str,
    target: Path,
    games: Iterable[StoredGame],
    *,
    positions: int = 256,
    judged: int = 4000,
    seed: int = 1,
) -> dict[str, tuple[Figures, Figures]]:
    """Write a network in int8, with its provenance.

    Parameters
    ----------
    source : Path or str
        A network's file in float32, or a name of the shipped one.
    target : Path
        Where it is written; an existing file is replaced.
    games : iterable of StoredGame
        Recorded ones. Ranges are set by games of training, figures are of games kept out of it.
    positions : int
        Of each board size to set the ranges by.
    judged : int
        Of each board size to judge by, at most.
    seed : int
        Of which positions are taken.

    Returns
    -------
    dict of str to (Figures, Figures)
        By board size, ``9x9``: of the source, of what was written.

    Raises
    ------
    ValueError
        For a source that is not a network in float32, and without a game to set the ranges by.
    """
    source_model = GoNetwork.load("shipped-float32" if source in SHIPPED_NAMES else source).model
    if source_model.description.arithmetic != "float32":
        raise ValueError(f"{source} is in {source_model.description.arithmetic} already; name a file in float32")
    lessons = lessons_of(_few(games, judged))
    rng = np.random.default_rng(seed)
    samples = [_drawn(some, positions, rng) for _, some in sorted(lessons.training.items())]
    network = quantised(source_model.network, samples)
    description = msgspec.structs.replace(source_model.description, arithmetic="int8")
    model = Model(description, network)
    figures = {}
    for size, some in sorted(lessons.held_out.items()):
        drawn = _drawn(some, judged, rng)
        figures[f"{size}x{size}"] = figures_of(source_model, drawn), figures_of(model, drawn)
    told: dict[str, Any] = {
        **collect(seed=seed, config={"positions": positions, "judged": judged}).to_dict(),
        "from": hashlib.sha256(source_model.network).hexdigest(),
        "ranges_by": {f"{some.rows}x{some.columns}": len(some) for some in samples},
        "held_out": {name: {"float32": f._asdict(), "int8": i._asdict()} for name, (f, i) in figures.items()},
    }
    provenance = {**description.provenance, "quantised": told}
    write_model(target, msgspec.structs.replace(description, provenance=provenance), network)
    Model.load(target, game="go", planes=NUM_PLANES, scalars=NUM_SCALARS)
    return figures


def _few(games: Iterable[StoredGame], judged: int) -> Iterator[StoredGame]:
    """As many games of each size as are needed: only of these the positions are made."""
    counts: dict[tuple[int, bool], int] = {}
    for game in games:
        kind = game.info.width, is_held_out(game.moves)
        most = max(1, judged // 20) if kind[1] else _SET_GAMES
        if counts.get(kind, 0) < most:
            counts[kind] = counts.get(kind, 0) + 1
            yield game


def _drawn(positions: Positions, count: int, rng: np.random.Generator) -> Positions:
    if len(positions) <= count:
        return positions
    return positions.taken(np.sort(rng.choice(len(positions), count, replace=False)))
