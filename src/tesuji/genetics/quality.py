"""Which SNPs are good enough: call rate, frequency, Hardy-Weinberg, and what may not be used at all.

Each rule is counted, so that a user sees what became of the SNPs. Hardy-Weinberg is tested within each group: over
groups together, the very SNPs that tell them apart would fail it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.genotypes import Snp

__all__ = ["Quality", "hardy_weinberg_p", "usable"]


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """Rules for SNPs.

    Attributes
    ----------
    call_rate : float
        Share of individuals that must be genotyped, over all groups.
    minor_frequency : float
        Frequency of the rarer allele over all groups, at least.
    hardy_weinberg : float
        Least p of the exact test in each group; 0: not tested.
    drop_ambiguous : bool
        Leave out A/T and C/G, whose strand cannot be told.
    include, exclude : frozenset of str
        Ids that must be in every panel, and ids that may be in none.
    chromosomes : frozenset of str or None
        Only these.
    """

    call_rate: float = 0.9
    minor_frequency: float = 0.01
    hardy_weinberg: float = 0.0
    drop_ambiguous: bool = False
    include: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    chromosomes: frozenset[str] | None = None

    def __post_init__(self) -> None:
        for name, value, high in (
            ("call_rate", self.call_rate, 1.0),
            ("minor_frequency", self.minor_frequency, 0.5),
            ("hardy_weinberg", self.hardy_weinberg, 1.0),
        ):
            if not 0 <= value <= high:
                raise ValueError(f"{name} is {value!r}; it must lie in 0..{high:g}")
        if both := self.include & self.exclude:
            raise ValueError(f"{min(both)!r} is to be included and excluded; it can only be one")


def usable(
    snps: Sequence[Snp], counts: NDArray[np.int32], quality: Quality, dropped: Counter[str]
) -> NDArray[np.bool_]:
    """Which SNPs pass; why others do not is added to `dropped`, by the first rule that they break.

    SNPs that must be included pass the rules of quality too, unless nothing is known of them.
    """
    pooled = counts.sum(axis=1)
    called = pooled[:, :3].sum(axis=1)
    total = np.maximum(pooled.sum(axis=1), 1)
    frequency = np.divide(pooled[:, 1] + 2 * pooled[:, 2], 2 * called, out=np.zeros(len(called)), where=called > 0)
    minor = np.minimum(frequency, 1 - frequency)
    keep = np.ones(len(snps), bool)

    def drop(bad: NDArray[np.bool_], reason: str) -> None:
        found = bad & keep
        if count := int(found.sum()):
            dropped[reason] += count
            keep[found] = False

    drop(called == 0, "no genotypes at all")
    drop((counts[..., :3].sum(axis=-1) == 0).any(axis=1), "no genotypes in some group")
    drop(minor == 0, "the same in everybody")
    drop(called < quality.call_rate * total, f"call rate below {quality.call_rate:g}")
    drop(minor < quality.minor_frequency, f"minor allele frequency below {quality.minor_frequency:g}")
    if quality.hardy_weinberg > 0:
        drop(_fails_hardy_weinberg(counts, quality.hardy_weinberg, keep), "Hardy-Weinberg in some group")
    if quality.drop_ambiguous:
        drop(np.array([snp.is_ambiguous for snp in snps], bool), "A/T or C/G")
    if quality.exclude:
        drop(np.array([snp.id in quality.exclude for snp in snps], bool), "excluded by name")
    if quality.chromosomes is not None:
        drop(np.array([snp.chromosome not in quality.chromosomes for snp in snps], bool), "other chromosomes")
    return keep


def _fails_hardy_weinberg(counts: NDArray[np.int32], least_p: float, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    fails = np.zeros(len(counts), bool)
    n = counts[..., :3].sum(axis=-1).astype(float)
    p = np.divide(counts[..., 1] + 2 * counts[..., 2], 2 * n, out=np.zeros_like(n), where=n > 0)
    expected = 2 * n * p * (1 - p)
    chi2 = np.divide((counts[..., 1] - expected) ** 2 * n, expected**2, out=np.zeros_like(n), where=expected > 0) * (
        4 * p * (1 - p)
    )
    # The exact test is slow, and nothing near its expectation fails it.
    for snp, group in zip(*np.nonzero((chi2 > 1.0) & asked[:, None]), strict=True):
        if not fails[snp] and hardy_weinberg_p(*counts[snp, group, :3].tolist()) < least_p:
            fails[snp] = True
    return fails


def hardy_weinberg_p(none: int, one: int, two: int) -> float:
    """The exact test of Hardy and Weinberg's proportions (Wigginton, Cutler and Abecasis 2005), given genotype counts.

    The p is the chance of numbers of heterozygotes that are no likelier than the one found.
    """
    n, rare = none + one + two, min(one + 2 * two, one + 2 * none)
    if n == 0 or rare == 0:
        return 1.0
    log_p = []
    for het in range(rare % 2, rare + 1, 2):
        hom_rare = (rare - het) // 2
        hom_common = n - het - hom_rare
        log_p.append(het * math.log(2) - math.lgamma(het + 1) - math.lgamma(hom_rare + 1) - math.lgamma(hom_common + 1))
    weights = np.exp(np.array(log_p) - max(log_p))
    here = weights[(one - rare % 2) // 2]
    return float(min(1.0, weights[weights <= here * (1 + 1e-9)].sum() / weights.sum()))
