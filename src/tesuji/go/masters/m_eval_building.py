"""The file of M-eval made from games: patterns of corners and sides, and the encoder of qualities.

The patterns are those of a joseki file; the encoder comes from two positions a game (`tesuji.go.masters.factors`).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.m_eval import ENCODING_SIZE, MEVAL_QUALITIES, MEvalFile, OpeningQualities
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.factors import encoder_of, factors
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.joseki import JosekiTable
from tesuji.go.masters.regions import REGIONS
from tesuji.go.masters.sampling import sampled_games

__all__ = ["MOST_MOVES", "BuiltMEval", "build_m_eval", "encoder_from", "pattern_file"]

MOST_MOVES = 8
"""Continuations of a pattern that are kept, the most frequent ones."""
_TERRITORY = [MEVAL_QUALITIES.index(name) for name in ("terriCorner", "terriInSide")]


class BuiltMEval(msgspec.Struct, frozen=True):
    """A file, and how it came about.

    Attributes
    ----------
    file : MEvalFile
        What the engine takes.
    weights : float64 array of shape (8, 2)
        The encoder over qualities of standard deviation 1, as 3.4.7 prints it.
    """

    file: MEvalFile
    weights: NDArray[np.float64]


def build_m_eval(
    database: GameDatabase,
    joseki: JosekiTable,
    wanted: GameFilter | None = None,
    *,
    most: int | None = None,
    seed: int = 1,
    on_progress: Callable[[float], None] | None = None,
) -> BuiltMEval:
    """Make the file from the games of a database and the patterns of a joseki file.

    Raises
    ------
    ValueError
        If there are too few games or patterns.
    MissingExtraError
        Without scikit-learn.
    """
    file = pattern_file(joseki)
    measure = OpeningQualities(file)
    rows = [
        measure(board)
        for boards in sampled_games(database, wanted, most=most, seed=seed, on_progress=on_progress)
        for board in boards
    ]
    if len(rows) < 2 * len(MEVAL_QUALITIES):
        raise ValueError(f"{len(rows)} positions are too few to learn from; import more games of 62 moves or more")
    encoder, weights = encoder_from(np.array(rows), seed)
    return BuiltMEval(msgspec.structs.replace(file, encoder=encoder, positions=len(rows)), weights)


def encoder_from(
    measured: NDArray[np.float64], seed: int = 1, size: int = ENCODING_SIZE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The encoder of positions, and the same over qualities of standard deviation 1.

    Parameters
    ----------
    measured : float64 array of shape (positions, 2, qualities)
        Of both players.
    seed : int
        Of where the factorisation begins.
    size : int
        d.

    Returns
    -------
    tuple of two float64 arrays of shape (qualities, d)
        The column with more territory comes last.
    """
    players = measured.reshape(-1, measured.shape[2])
    deviations = players.std(axis=0)
    scales = 1 / np.where(deviations > 0, deviations, 1.0)
    parts = factors(players * scales, size, seed)
    parts = parts[np.argsort(parts[:, _TERRITORY].sum(axis=1), kind="stable")]
    weights = encoder_of(parts, (measured[:, 0] - measured[:, 1]) * scales)
    return weights * scales[:, None], weights


def pattern_file(joseki: JosekiTable) -> MEvalFile:
    """The patterns of a joseki file as M-eval takes them; its encoder is all zeros.

    Raises
    ------
    ValueError
        If there is no pattern.
    """
    if not len(joseki):
        raise ValueError("the joseki file has no pattern; count more games: tesuji masters joseki")
    columns = joseki.columns
    counts, means = np.asarray(columns["counts"], float), np.asarray(columns["means"], float)
    errors = np.asarray(columns["deviations"], float) / np.sqrt(counts)
    sizes = np.array([region.num_points for region in REGIONS])[np.asarray(columns["regions"], np.int64)]
    means = np.where(_looks_the_same_to_both(joseki), sizes / 2, means)
    starts, moves = _most_frequent(np.asarray(columns["starts"], np.int64), np.asarray(columns["moves"], np.uint16))
    most = max(region.num_points for region in REGIONS)
    return MEvalFile(
        encoder=np.zeros((len(MEVAL_QUALITIES), ENCODING_SIZE)),
        points=np.concatenate([_padded(region.places, most) for region in REGIONS]),
        borders=np.concatenate([_padded(region.border, most) for region in REGIONS]),
        stone_keys=np.stack([_padded(region.keys[1:], most, np.uint64, 0) for region in REGIONS]),
        kinds=np.asarray(columns["regions"], np.uint8),
        keys=np.asarray(columns["keys"], np.uint64),
        black=np.maximum(0.0, means - errors).astype(np.float32),
        white=np.maximum(0.0, sizes - means - errors).astype(np.float32),
        starts=starts.astype(np.uint32),
        moves=moves,
        games=joseki.games,
        positions=0,
    )


def _looks_the_same_to_both(joseki: JosekiTable) -> NDArray[np.bool_]:
    """By pattern, whether its mirror image with colours exchanged is itself: then nobody can expect more there."""
    regions, stones = np.asarray(joseki.columns["regions"]), np.asarray(joseki.columns["stones"], np.uint8)
    found = np.zeros(len(regions), bool)
    for number, region in enumerate(REGIONS):
        rows = np.flatnonzero(regions == number)
        here = stones[rows, : region.num_points]
        index_of = {point: index for index, point in enumerate(region.places[0, 0].tolist())}
        mirrored = here[:, [index_of[point] for point in region.places[0, 1].tolist()]]
        found[rows] = (np.array([0, 2, 1], np.uint8)[mirrored] == here).all(axis=1) & here.any(axis=1)
    return found


def _most_frequent(
    starts: NDArray[np.int64], moves: NDArray[np.uint16]
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The first moves of each pattern, which are the most frequent."""
    rank = np.arange(len(moves)) - np.repeat(starts[:-1], np.diff(starts))
    kept = np.minimum(np.diff(starts), MOST_MOVES)
    return np.concatenate([[0], np.cumsum(kept)]), moves[rank < MOST_MOVES]


def _padded(
    rows: NDArray[np.generic], most: int, kind: type[np.generic] = np.int16, empty: int = -1
) -> NDArray[np.generic]:  # fmt: skip
    """Rows filled up to a length."""
    found = np.full((*rows.shape[:-1], most), empty, kind)
    found[..., : rows.shape[-1]] = rows
    return found
