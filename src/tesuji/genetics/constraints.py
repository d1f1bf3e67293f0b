"""Pairs of SNPs that may not be in one panel: too close together, or too much alike."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.genetics.genotypes import Genotypes

__all__ = ["Spacing", "conflicts"]

Pairs = tuple[NDArray[np.uint32], NDArray[np.uint32]]
_AT_A_TIME = 1 << 20


class Spacing(msgspec.Struct, frozen=True, kw_only=True):
    """What a laboratory asks of the SNPs of one panel.

    Attributes
    ----------
    min_distance : int
        Base pairs between two SNPs of a chromosome, at least.
    max_r2 : float
        Largest squared correlation of their genotypes, over the individuals given; 1: any.
    ld_window : int
        Base pairs within which correlation counts: beyond it, SNPs correlate because the groups differ, which is what
        a panel is about. SNPs of unknown place are compared with all.
    """

    min_distance: int = 0
    max_r2: float = 1.0
    ld_window: int = 1_000_000

    def __post_init__(self) -> None:
        if self.min_distance < 0:
            raise ValueError(f"min_distance is {self.min_distance}; it must be 0 or more base pairs")
        if not 0 < self.max_r2 <= 1:
            raise ValueError(f"max_r2 is {self.max_r2}; it must lie above 0 and up to 1")
        if self.ld_window < 1:
            raise ValueError(f"ld_window is {self.ld_window}; it must be 1 or more base pairs")


def conflicts(genotypes: Genotypes, spacing: Spacing) -> Pairs:
    """All pairs of SNPs, by their places in `genotypes`, that `spacing` forbids."""
    first: list[NDArray[np.uint32]] = []
    second: list[NDArray[np.uint32]] = []
    if spacing.min_distance > 0:
        near = _near(genotypes, spacing.min_distance)
        first.append(near[0])
        second.append(near[1])
    if spacing.max_r2 < 1:
        for a, b in _to_compare(genotypes, spacing.ld_window):
            r2 = _native.squared_correlations(genotypes.rows, len(genotypes.samples), a, b)
            first.append(a[r2 > spacing.max_r2])
            second.append(b[r2 > spacing.max_r2])
    if not first:
        return np.zeros(0, np.uint32), np.zeros(0, np.uint32)
    pairs = np.unique(np.stack([np.concatenate(first), np.concatenate(second)], axis=1), axis=0)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


def _near(genotypes: Genotypes, distance: int) -> Pairs:
    """Pairs of known places on one chromosome that are closer than `distance`; the smaller place first."""
    by_chromosome: dict[str, list[int]] = {}
    for place, snp in enumerate(genotypes.snps):
        if snp.position > 0:
            by_chromosome.setdefault(snp.chromosome, []).append(place)
    first, second = [], []
    for places in by_chromosome.values():
        places.sort(key=lambda place: genotypes.snps[place].position)
        positions = [genotypes.snps[place].position for place in places]
        for i, place in enumerate(places):
            j = i + 1
            while j < len(places) and positions[j] - positions[i] < distance:
                first.append(min(place, places[j]))
                second.append(max(place, places[j]))
                j += 1
    return np.array(first, np.uint32), np.array(second, np.uint32)


def _to_compare(genotypes: Genotypes, window: int) -> list[Pairs]:
    unknown = np.array([i for i, snp in enumerate(genotypes.snps) if snp.position <= 0], np.uint32)
    parts = [_near(genotypes, window)]
    everyone = np.arange(len(genotypes.snps), dtype=np.uint32)
    is_unknown = np.zeros(len(everyone), bool)
    is_unknown[unknown] = True
    a: list[NDArray[np.uint32]] = []
    b: list[NDArray[np.uint32]] = []
    for i in unknown:
        # With each SNP of a known place, and with those of unknown ones that come later.
        others = everyone[~is_unknown | (everyone > i)]
        a.append(np.minimum(others, i))
        b.append(np.maximum(others, i))
        if sum(map(len, a)) > _AT_A_TIME:
            parts.append((np.concatenate(a), np.concatenate(b)))
            a, b = [], []
    if a:
        parts.append((np.concatenate(a), np.concatenate(b)))
    return parts
