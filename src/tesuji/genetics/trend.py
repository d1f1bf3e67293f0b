"""The Cochran-Armitage test for a trend of cases over genotypes, and corrections for testing many SNPs.

Section 5.3.1 (5.32 to 5.34) of Basaldúa's thesis. R is A1. Printed there are the weights (1, 1, 0) for a dominant and
(0, 0, 1) for a recessive R; on (RR, RA, AA) these are one test up to its sign, both asking about carriers of R. A
recessive R shows in RR alone, so its weights here are (1, 0, 0).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["MODELS", "Model", "adjust", "log10_p", "trend_z"]

Model = Literal["additive", "dominant", "recessive"]
MODELS: dict[str, tuple[float, float, float]] = {
    "additive": (2.0, 1.0, 0.0),
    "dominant": (1.0, 1.0, 0.0),
    "recessive": (1.0, 0.0, 0.0),
}
"""Weights of RR, RA, AA: additive as copies of R, which is the printed (0, 1, 2) up to its sign."""

Floats = NDArray[np.float64]


def trend_z(counts: NDArray[np.int32], case: int, model: str = "additive") -> Floats:
    """T / sqrt(Var T) of (5.32) to (5.34): standard normal if the genotype says nothing of being a case.

    Parameters
    ----------
    counts
        Of shape (SNPs, groups, 4).
    case
        The group of the cases; all others are controls.
    model
        ``additive``, ``dominant`` or ``recessive``, of A1.

    Returns
    -------
    array of shape (SNPs,)
        Positive where A1 goes with being a case; 0 where nothing varies.
    """
    if model not in MODELS:
        raise ValueError(f"{model!r} is not a model; there are {', '.join(MODELS)}")
    t = np.array(MODELS[model])
    called = counts[:, :, 2::-1].astype(float)  # RR, RA, AA
    cases = called[:, case]
    controls = called.sum(axis=1) - cases
    r1, r2 = cases.sum(axis=1), controls.sum(axis=1)
    c = cases + controls
    n = r1 + r2
    statistic = (t * (cases * r2[:, None] - controls * r1[:, None])).sum(axis=1)
    pairs = sum(t[i] * t[j] * c[:, i] * c[:, j] for i in range(2) for j in range(i + 1, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = r1 * r2 / n * ((t**2 * c * (n[:, None] - c)).sum(axis=1) - 2 * pairs)
        z = statistic / np.sqrt(variance)
    return np.where(variance > 0, z, 0.0)


def log10_p(z: Floats) -> Floats:
    """The decimal logarithm of the two-sided p of a standard normal z; exact where p itself would be 0."""
    from scipy.special import log_ndtr

    found: Floats = (np.log(2) + log_ndtr(-np.abs(z))) / np.log(10)
    return np.minimum(found, 0.0)


def adjust(p: Floats, method: Literal["bonferroni", "benjamini-hochberg"]) -> Floats:
    """p-values corrected for how many there are; NaN stays NaN and does not count.

    Bonferroni bounds the chance of any false find, Benjamini and Hochberg (1995) the share of false ones among the
    finds.
    """
    found = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    m = len(known)
    if method == "bonferroni":
        found[known] = np.minimum(1.0, p[known] * m)
    elif method == "benjamini-hochberg":
        order = known[np.argsort(p[known], kind="stable")]
        scaled = p[order] * m / np.arange(1, m + 1)
        found[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    else:
        raise ValueError(f"{method!r} is not a correction; there are bonferroni and benjamini-hochberg")
    return found
