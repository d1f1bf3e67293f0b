"""One pass over a genotype file: statistics of every SNP, and the best of them kept as candidates.

However many SNPs a file has, only a block of it and the candidates are in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.genetics import statistics
from tesuji.genetics.genotypes import Block, Genotypes, Snp, Source
from tesuji.genetics.labels import Labels
from tesuji.genetics.quality import Quality, usable

__all__ = ["Candidates", "Progress", "ScannedBlock", "find_candidates", "scan"]

Progress = Callable[[int, int | None], object]
"""Told how many SNPs were read, and of how many."""

_BLOCK = 8192


class ScannedBlock(NamedTuple):
    """A block with its counts of shape (SNPs, groups, 4): 0, 1, 2 copies of A1, missing."""

    block: Block
    counts: NDArray[np.int32]


class Candidates(msgspec.Struct, frozen=True):
    """The SNPs that a panel is chosen from, the most promising first.

    Attributes
    ----------
    genotypes : Genotypes
        Of all individuals of the file.
    counts : array of shape (SNPs, groups, 4)
        Over the individuals that have a label.
    scores : array of shape (SNPs,)
        What they are ranked by, falling.
    num_read : int
        SNPs that the file has.
    dropped : dict
        How many were left out, by reason; ``fewer points than the candidates`` are good ones that ranked too low.
    """

    genotypes: Genotypes
    counts: NDArray[np.int32]
    scores: NDArray[np.float64]
    num_read: int
    dropped: dict[str, int]

    def __len__(self) -> int:
        return len(self.scores)

    def place_of(self, snp_id: str) -> int | None:
        """The rank, from 0, of an id; None if it is not a candidate."""
        return next((i for i, snp in enumerate(self.genotypes.snps) if snp.id == snp_id), None)


def scan(source: Source, labels: Labels, progress: Progress | None = None) -> Iterator[ScannedBlock]:
    """Count the genotypes of every SNP by group, a block at a time."""
    masks = _native.GroupMasks(labels.of_sample, len(labels.groups))
    for block in source.blocks(_BLOCK):
        yield ScannedBlock(block, masks.count(block.rows))
        if progress is not None:
            progress(block.first + len(block.rows), source.num_snps)


class _Kept(NamedTuple):
    snps: list[Snp]
    rows: NDArray[np.uint8]
    counts: NDArray[np.int32]
    scores: NDArray[np.float64]
    places: NDArray[np.int64]


def find_candidates(
    source: Source,
    labels: Labels,
    *,
    quality: Quality | None = None,
    weights: statistics.Weights | None = None,
    limit: int = 5000,
    progress: Progress | None = None,
) -> Candidates:
    """Read a file once and keep the best SNPs that pass the rules.

    Parameters
    ----------
    source
        The file.
    labels
        The groups; individuals without one do not count for anything here.
    quality, weights
        Which SNPs may be used, and what they are ranked by.
    limit
        How many candidates are kept; SNPs that must be included are kept besides.
    progress
        Told how far it is.

    Raises
    ------
    ValueError
        If no SNP passes, or one that must be included does not.
    """
    quality, weights = quality or Quality(), weights or statistics.Weights()
    dropped: Counter[str] = Counter()
    seen: set[tuple[str, int, frozenset[str]]] = set()
    names: set[str] = set()
    kept: list[_Kept] = []
    num_read = num_kept = 0
    for block, counts in scan(source, labels, progress):
        num_read += len(block.rows)
        good = np.flatnonzero(usable(block.snps, counts, quality, dropped))
        scores = statistics.combined(counts[good], weights)
        snps = [block.snps[int(i)] for i in good]
        fresh = np.array([_is_fresh(snp, seen, names, dropped) for snp in snps], bool)
        chosen = good[fresh]
        kept.append(
            _Kept(
                [snp for snp, is_fresh in zip(snps, fresh, strict=True) if is_fresh],
                block.rows[chosen],
                counts[chosen],
                scores[fresh],
                block.first + chosen,
            )
        )
        num_kept += len(chosen)
        if num_kept > 2 * limit + _BLOCK:
            kept = [_best(kept, limit, quality.include, dropped)]
            num_kept = len(kept[0].snps)
    if num_kept == 0:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in dropped.most_common()) or "the file has none"
        raise ValueError(f"no SNP of {num_read:,} can be used: {reasons}")
    best = _best(kept, limit, quality.include, dropped)
    dropped.update(source.skipped)
    missing = quality.include - {snp.id for snp in best.snps}
    if missing:
        raise ValueError(
            f"{len(missing)} SNPs that must be included are not in the file or do not pass the rules:"
            f" {', '.join(sorted(missing)[:5])}"
        )
    genotypes = Genotypes(tuple(source.samples), tuple(best.snps), np.ascontiguousarray(best.rows))
    return Candidates(genotypes, best.counts, best.scores, num_read, dict(dropped))


def _is_fresh(snp: Snp, seen: set[tuple[str, int, frozenset[str]]], names: set[str], dropped: Counter[str]) -> bool:
    """Whether neither the name nor the place was there before."""
    place = (snp.chromosome, snp.position, frozenset((snp.a1, snp.a2)))
    if snp.id in names:
        dropped["an id that was there before"] += 1
        return False
    names.add(snp.id)
    if snp.position > 0:
        if place in seen:
            dropped["a place that was there before"] += 1
            return False
        seen.add(place)
    return True


def _best(kept: list[_Kept], limit: int, include: frozenset[str], dropped: Counter[str]) -> _Kept:
    snps = [snp for part in kept for snp in part.snps]
    scores = np.concatenate([part.scores for part in kept])
    places = np.concatenate([part.places for part in kept])
    order = np.lexsort((places, -scores))  # equal scores: in the file's order
    chosen = [int(i) for rank, i in enumerate(order) if rank < limit or snps[i].id in include]
    if len(chosen) < len(snps):
        dropped["fewer points than the candidates"] += len(snps) - len(chosen)
    rows = np.concatenate([part.rows for part in kept])[chosen]
    counts = np.concatenate([part.counts for part in kept])[chosen]
    return _Kept([snps[i] for i in chosen], rows, counts, scores[chosen], places[chosen])
