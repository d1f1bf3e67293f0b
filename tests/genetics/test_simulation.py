"""Simulated populations: a panel of them works, and longer histories make it easier."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji._core import genetics as native
from tesuji.genetics import statistics
from tesuji.genetics.simulation import History, simulate

pytest.importorskip("msprime")


def test_the_same_seed_gives_the_same_people():
    one, two = (simulate(History(groups=2, individuals=10, snps=20), seed=3)[0] for _ in range(2))
    assert one.snps == two.snps
    assert (one.rows == two.rows).all()


def test_populations_that_split_long_ago_differ_more():
    found = []
    for split in (50.0, 3000.0):
        genotypes, groups = simulate(History(groups=2, individuals=40, snps=100, split_generations=split), seed=1)
        labels = np.array([int(groups[name] == "pop2") for name in genotypes.samples], np.int32)
        a, b, c = statistics.weir_cockerham(native.GroupMasks(labels, 2).count(genotypes.rows))
        found.append(a.sum() / (a + b + c).sum())
    assert found[0] < 0.05 < found[1]
    # Two populations of 5,000 that split t generations ago: F_ST is near t / (t + 4 N).
    assert found[1] == pytest.approx(3000 / (3000 + 20_000), abs=0.07)


def test_histories_that_cannot_be():
    for change in ({"groups": 1}, {"snps": 0}, {"split_generations": 0.0}, {"migration": 1.0}):
        with pytest.raises(ValueError, match="must"):
            History(**change)
