"""From qualities to an encoding: the offline half of M-eval (Basaldúa, 3.4.3 and 3.4.6).

Qualities of players, which are never negative, are factorised as X = W H with W, H >= 0, so that the Kullback-Leibler
divergence between X and W H is small (Lee and Seung's multiplicative updates, as scikit-learn has them). The
pseudo-inverse of H takes any qualities to an encoding, and is scaled so that the difference of the two players'
encodings has standard deviation 1. Table 3.2 prints several qualities as differences, which can be negative: what is
factorised are the values of each player.
"""

from __future__ import annotations

import warnings

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.view.picture import MissingExtraError
from tesuji.words import how_to_install

__all__ = ["Components", "encoder_of", "factors", "principal_components"]

_ROUNDS = 2000


def factors(qualities: NDArray[np.float64], size: int, seed: int = 1) -> NDArray[np.float64]:
    """H of X = W H.

    Parameters
    ----------
    qualities : float64 array of shape (rows, qualities)
        Of players; not negative.
    size : int
        d: rows of H.
    seed : int
        Of where the factorisation begins.

    Returns
    -------
    float64 array of shape (d, qualities)
        Each row of length 1, in no order.

    Raises
    ------
    ValueError
        For a negative quality, or fewer rows than d.
    MissingExtraError
        Without scikit-learn.
    """
    if (qualities < 0).any():
        raise ValueError("a quality is negative; measure each player by itself, not the difference")
    if len(qualities) < size:
        raise ValueError(f"{len(qualities)} positions are too few for an encoding of {size} numbers")
    try:
        from sklearn.decomposition import NMF
        from sklearn.exceptions import ConvergenceWarning
    except ImportError as error:
        raise MissingExtraError(
            f"the factorisation needs scikit-learn, which is not installed: {how_to_install('masters')}"
        ) from error
    model = NMF(
        n_components=size, init="random", solver="mu", beta_loss="kullback-leibler", max_iter=_ROUNDS, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(qualities)
    found = np.asarray(model.components_, float)
    return np.asarray(found / np.maximum(1e-300, np.linalg.norm(found, axis=1, keepdims=True)))


def encoder_of(parts: NDArray[np.float64], differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """H⁺ of shape (qualities, d), without its negative numbers, scaled.

    A quality is something that a player wants, so more of it must not lower the value (aim e of 3.4.2; the weights that
    3.4.7 prints are all positive). The pseudo-inverse of Moore and Penrose has negative numbers wherever the rows of H
    overlap: these become zero.

    Parameters
    ----------
    parts : float64 array of shape (d, qualities)
        H.
    differences : float64 array of shape (positions, qualities)
        One player's qualities less the other's; times H⁺ they have standard deviation 1 in each column.

    Raises
    ------
    ValueError
        If the positions do not differ along a column.
    """
    inverse = np.maximum(0.0, np.linalg.pinv(parts))
    deviations = (differences @ inverse).std(axis=0)
    if not (deviations > 1e-9).all():
        raise ValueError("the positions are all alike; use more games")
    return np.asarray(inverse / deviations)


class Components(msgspec.Struct, frozen=True):
    """Principal components of qualities (figure 3.2).

    Attributes
    ----------
    shares : float64 array of shape (qualities,)
        Of the variance that each explains, largest first.
    axes : float64 array of shape (qualities, qualities)
        A row each, of length 1, over standardised qualities.
    """

    shares: NDArray[np.float64]
    axes: NDArray[np.float64]


def principal_components(rows: NDArray[np.float64]) -> Components:
    """The components of standardised columns; a column that does not vary is left at zero."""
    deviations = rows.std(axis=0)
    standard = (rows - rows.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0)
    _, singular, axes = np.linalg.svd(standard, full_matrices=False)
    variances = singular**2
    return Components(variances / max(1e-300, float(variances.sum())), axes)
