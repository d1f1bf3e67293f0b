"""The offline half of M-eval: what was planted is found by the factorisation, and the encoder is scaled."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.go.masters.factors import encoder_of, factors, principal_components

PARTS = np.array([[1.0, 1.0, 0.0, 0.0, 0.2], [0.0, 0.0, 1.0, 2.0, 0.2]])


def mixed(rows: int = 400) -> np.ndarray:
    return np.random.default_rng(3).gamma(2.0, 1.0, (rows, 2)) @ PARTS


def test_factors__planted_parts_are_found() -> None:
    found = factors(mixed(), 2)
    wanted = PARTS / np.linalg.norm(PARTS, axis=1, keepdims=True)
    likeness = wanted @ found.T
    assert (found >= 0).all()
    assert likeness.max(axis=1) == pytest.approx([1, 1], abs=0.01)
    assert set(likeness.argmax(axis=1).tolist()) == {0, 1}


def test_factors__the_seed_decides_where_it_begins() -> None:
    assert np.array_equal(factors(mixed(), 2, seed=4), factors(mixed(), 2, seed=4))


def test_factors__differences_are_refused() -> None:
    with pytest.raises(ValueError, match="measure each player by itself"):
        factors(np.array([[1.0, -0.5], [0.2, 0.1]]), 1)
    with pytest.raises(ValueError, match="too few"):
        factors(np.ones((1, 3)), 2)


def test_encoder_of__inverts_the_parts_and_has_deviation_one() -> None:
    rng = np.random.default_rng(1)
    own, other = rng.gamma(2.0, 1.0, (2, 500, 2))
    apart = np.where(PARTS == 0.2, 0.0, PARTS)
    encoder = encoder_of(apart, (own - other) @ apart)
    encoded = (own - other) @ apart @ encoder
    assert encoded.std(axis=0) == pytest.approx([1, 1])
    for column in range(2):  # each number is one part again
        assert np.corrcoef(encoded[:, column], (own - other)[:, column])[0, 1] == pytest.approx(1)
    with pytest.raises(ValueError, match="all alike"):
        encoder_of(PARTS, np.zeros((10, 5)))


def test_encoder_of__more_of_a_quality_never_lowers_the_value() -> None:
    differences = np.random.default_rng(1).normal(size=(100, 5))
    assert np.linalg.pinv(PARTS).min() < 0
    assert encoder_of(PARTS, differences).min() == 0


def test_principal_components__the_direction_of_most_variance_comes_first() -> None:
    rng = np.random.default_rng(5)
    common = rng.normal(size=300)
    found = principal_components(np.stack([common, 5 * common + 0.1 * rng.normal(size=300), rng.normal(size=300)], 1))
    assert found.shares.sum() == pytest.approx(1)
    assert found.shares[0] == pytest.approx(2 / 3, abs=0.05)
    assert abs(found.axes[0, 0]) == pytest.approx(abs(found.axes[0, 1]), abs=0.05)
    assert principal_components(np.ones((5, 2))).shares.tolist() == [0, 0]
