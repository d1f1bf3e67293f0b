"""How differently a SNP is distributed over the groups: one number a SNP, for many SNPs at once.

All start from counts of shape (SNPs, groups, 4): individuals with 0, 1, 2 copies of A1, and missing ones. Formulas are
those of chapter 5 of Basaldúa's thesis (``docs/algorithms/snp-panels.md``); numbers in brackets are its
equations. Tests of association are in `trend.py`.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Weights",
    "allele_frequencies",
    "combined",
    "delta",
    "informativeness",
    "theta",
    "theta_large_sample",
    "weir_cockerham",
]

Counts = NDArray[np.int32]
Floats = NDArray[np.float64]


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """How the statistics are added up to rank candidates: w1 I_n + w2 theta + w3 delta (5.6).

    The source says that most weight on I_n and least on theta was best, and gives no numbers; these are ours.
    """

    informativeness: float = 1.0
    theta: float = 0.25
    delta: float = 0.5

    def __post_init__(self) -> None:
        values = (self.informativeness, self.theta, self.delta)
        if not all(np.isfinite(values)) or min(values) < 0 or max(values) <= 0:
            raise ValueError(f"weights are {values}; they must be 0 or positive, and not all 0")


def allele_frequencies(counts: Counts) -> Floats:
    """The frequency of A1 in each group (5.35), of shape (SNPs, groups); NaN where nobody was genotyped."""
    copies = counts[..., 1] + 2 * counts[..., 2]
    called = counts[..., :3].sum(axis=-1)
    return np.asarray(np.divide(copies, 2 * called, out=np.full(copies.shape, np.nan), where=called > 0))


def informativeness(counts: Counts) -> Floats:
    """I_n, informativeness for assignment (Rosenberg and others 2003; 5.39), in nats; 0 where a group is unknown."""
    p = allele_frequencies(counts)
    found = np.zeros(len(p))
    for share in (p, 1 - p):
        mean = share.mean(axis=1)
        found += -_x_log_x(mean) + _x_log_x(share).mean(axis=1)
    return np.asarray(np.nan_to_num(np.maximum(found, 0.0), nan=0.0))


def delta(counts: Counts) -> Floats:
    """The mean difference of allele frequencies over all pairs of groups (5.43); 0 where a group is unknown."""
    p = np.sort(allele_frequencies(counts), axis=1)
    groups = p.shape[1]
    # Sorted, the i-th is subtracted from those above it and has those below it subtracted.
    signs = 2.0 * np.arange(groups) - (groups - 1)
    return np.asarray(np.nan_to_num(p @ signs / (groups * (groups - 1) / 2), nan=0.0))


def theta_large_sample(counts: Counts) -> Floats:
    """theta_ST as it is in large samples (5.38); 0 where nothing varies."""
    n = counts[..., :3].sum(axis=-1).astype(float)
    p = np.nan_to_num(allele_frequencies(counts), nan=0.0)
    total = n.sum(axis=1)
    mean = _ratio((n * p).sum(axis=1), total)
    groups = counts.shape[1]
    between = (n * (p - mean[:, None]) ** 2).sum(axis=1)
    return _ratio(between, (groups - 1) * total / groups * mean * (1 - mean))


def weir_cockerham(counts: Counts) -> tuple[Floats, Floats, Floats]:
    """The variance components of Weir and Cockerham (1984): between groups, between individuals, within individuals."""
    called = counts[..., :3].sum(axis=-1).astype(float)
    p = np.nan_to_num(allele_frequencies(counts), nan=0.0)
    has_any = called > 0
    groups = np.maximum(has_any.sum(axis=1), 1).astype(float)
    h = np.divide(counts[..., 1], called, out=np.zeros_like(p), where=has_any)
    total = called.sum(axis=1)
    n_mean = _ratio(total, groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        n_c = (total - (called**2).sum(axis=1) / total) / (groups - 1)
        p_mean = (called * p).sum(axis=1) / total
        s2 = (called * (p - p_mean[:, None]) ** 2).sum(axis=1) / ((groups - 1) * n_mean)
        h_mean = (called * h).sum(axis=1) / total
        spread = p_mean * (1 - p_mean)
        share = (groups - 1) / groups
        a = n_mean / n_c * (s2 - (spread - share * s2 - h_mean / 4) / (n_mean - 1))
        b = n_mean / (n_mean - 1) * (spread - share * s2 - (2 * n_mean - 1) / (4 * n_mean) * h_mean)
    usable = (groups > 1) & (n_mean > 1)
    return tuple(np.where(usable & np.isfinite(x), x, 0.0) for x in (a, b, h_mean / 2))  # type: ignore[return-value]


def theta(counts: Counts) -> Floats:
    """theta_ST from its variance components (5.36, 5.37), SNP by SNP; 0 where nothing varies."""
    a, b, c = weir_cockerham(counts)
    return _ratio(a, a + b + c)


def combined(counts: Counts, weights: Weights) -> Floats:
    """What candidates are ranked by: w1 I_n + w2 theta (5.38) + w3 delta."""
    return (
        weights.informativeness * informativeness(counts)
        + weights.theta * theta_large_sample(counts)
        + weights.delta * delta(counts)
    )


def _x_log_x(x: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, x * np.log(x), np.where(np.isnan(x), np.nan, 0.0))


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=np.abs(below) > 1e-15)
