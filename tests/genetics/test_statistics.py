"""The statistics by hand, by brute force and by other programs."""

from __future__ import annotations

import math
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from genetics import people
from tesuji._core import genetics as native
from tesuji.genetics import statistics, trend
from tesuji.genetics.genotypes import pack, unpack
from tesuji.genetics.quality import hardy_weinberg_p

PLINK = shutil.which("plink1.9")
some_counts = arrays(np.int32, st.tuples(st.integers(1, 5), st.integers(2, 5), st.just(4)), elements=st.integers(0, 30))


def counts_of(*groups):
    """One SNP; each group as (0, 1, 2 copies)."""
    return np.array([[[*group, 0] for group in groups]], np.int32)


@given(
    copies=arrays(np.int8, st.tuples(st.integers(1, 6), st.integers(1, 70)), elements=st.integers(-1, 2)),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_counting_packed_rows_is_counting(copies, data):
    num_samples = copies.shape[1]
    labels = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=num_samples, max_size=num_samples)), np.int32)
    rows = pack(copies)
    assert (unpack(rows, num_samples) == copies).all()
    found = native.GroupMasks(labels, 3).count(rows)
    for row in range(len(copies)):
        for group in range(3):
            own = copies[row, labels == group]
            assert found[row, group].tolist() == [(own == c).sum() for c in (0, 1, 2, -1)]


def test_by_hand_two_groups_that_share_no_allele():
    counts = counts_of((10, 0, 0), (0, 0, 10))
    assert statistics.informativeness(counts)[0] == pytest.approx(math.log(2))
    assert statistics.delta(counts)[0] == pytest.approx(1.0)
    assert statistics.theta(counts)[0] == pytest.approx(1.0)
    assert statistics.theta_large_sample(counts)[0] == pytest.approx(2.0)  # (20 * 1/4) / (1 * 10) / (1/4)


def test_by_hand_three_groups():
    # p = 0.25, 0.5, 1.0 in 4, 4 and 2 individuals.
    counts = counts_of((2, 2, 0), (1, 2, 1), (0, 0, 2))
    p = np.array([0.25, 0.5, 1.0])
    assert statistics.allele_frequencies(counts)[0] == pytest.approx(p)
    assert statistics.delta(counts)[0] == pytest.approx((0.25 + 0.75 + 0.5) / 3)
    mean = p.mean()
    entropy = -sum(x * math.log(x) for x in (mean, 1 - mean))
    within = sum(x * math.log(x) for x in (0.25, 0.75, 0.5, 0.5)) / 3
    assert statistics.informativeness(counts)[0] == pytest.approx(entropy + within)
    n = np.array([4, 4, 2])
    pooled = (n * p).sum() / 10
    expected = (n * (p - pooled) ** 2).sum() / (2 * 10 / 3) / (pooled * (1 - pooled))
    assert statistics.theta_large_sample(counts)[0] == pytest.approx(expected)


def weir_cockerham_1984(groups):
    """Equations 2 to 4 of the paper, for one locus with two alleles, in plain Python."""
    groups = [g for g in groups if sum(g)]
    r, n = len(groups), [sum(g) for g in groups]
    p = [(g[1] + 2 * g[2]) / (2 * m) for g, m in zip(groups, n, strict=True)]
    h = [g[1] / m for g, m in zip(groups, n, strict=True)]
    n_bar = sum(n) / r
    n_c = (r * n_bar - sum(m * m for m in n) / (r * n_bar)) / (r - 1)
    p_bar = sum(m * x for m, x in zip(n, p, strict=True)) / (r * n_bar)
    s2 = sum(m * (x - p_bar) ** 2 for m, x in zip(n, p, strict=True)) / ((r - 1) * n_bar)
    h_bar = sum(m * x for m, x in zip(n, h, strict=True)) / (r * n_bar)
    a = n_bar / n_c * (s2 - (p_bar * (1 - p_bar) - (r - 1) / r * s2 - h_bar / 4) / (n_bar - 1))
    b = n_bar / (n_bar - 1) * (p_bar * (1 - p_bar) - (r - 1) / r * s2 - (2 * n_bar - 1) / (4 * n_bar) * h_bar)
    return a, b, h_bar / 2


@given(st.lists(st.tuples(*[st.integers(0, 20)] * 3).filter(lambda g: sum(g) > 1), min_size=2, max_size=6))
@settings(max_examples=80, deadline=None)
def test_variance_components_are_those_of_the_paper(groups):
    found = [float(x[0]) for x in statistics.weir_cockerham(counts_of(*groups))]
    assert found == pytest.approx(weir_cockerham_1984(groups), abs=1e-12)


@given(some_counts)
@settings(max_examples=60, deadline=None)
def test_every_statistic_is_finite_and_does_not_care_which_allele_is_counted(counts):
    turned = counts[:, :, [2, 1, 0, 3]]
    for statistic in (
        statistics.informativeness,
        statistics.delta,
        statistics.theta,
        statistics.theta_large_sample,
    ):
        values = statistic(counts)
        assert np.isfinite(values).all()
        assert statistic(turned) == pytest.approx(values, abs=1e-9)
    assert (statistics.informativeness(counts) <= math.log(counts.shape[1]) + 1e-9).all()
    assert (statistics.delta(counts) <= 1 + 1e-9).all()


@given(some_counts)
@settings(max_examples=40, deadline=None)
def test_delta_is_the_mean_over_pairs(counts):
    p = statistics.allele_frequencies(counts)
    for row, found in zip(p, statistics.delta(counts), strict=True):
        pairs = [abs(a - b) for i, a in enumerate(row) for b in row[i + 1 :]]
        expected = 0.0 if np.isnan(row).any() else sum(pairs) / len(pairs)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("model", trend.MODELS)
def test_the_trend_test_is_a_correlation(model):
    # N r^2 of weights and status is the square of (5.32) / sqrt(5.34).
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 40, (20, 2, 4)).astype(np.int32)
    z = trend.trend_z(counts, 0, model)
    weights = np.array(trend.MODELS[model])
    for row in range(20):
        x, y = [], []
        for group in (0, 1):
            for copies in (0, 1, 2):
                x += [weights[2 - copies]] * counts[row, group, copies]
                y += [1 - group] * counts[row, group, copies]
        r = np.corrcoef(x, y)[0, 1]
        assert z[row] == pytest.approx(r * math.sqrt(len(x)), rel=1e-9)


def test_dominant_and_recessive_are_different_tests():
    counts = counts_of((10, 10, 10), (20, 5, 5))
    assert trend.trend_z(counts, 0, "dominant")[0] != pytest.approx(abs(trend.trend_z(counts, 0, "recessive")[0]))


def test_p_values_stay_exact_where_they_would_vanish():
    from scipy.stats import norm

    z = np.array([0.0, -1.96, 5.0, 40.0])
    assert trend.log10_p(z)[:3] == pytest.approx(np.log10(2 * norm.sf(np.abs(z[:3]))))
    assert trend.log10_p(z)[3] == pytest.approx(-349.1, abs=0.1)


def test_corrections_are_those_of_scipy():
    from scipy.stats import false_discovery_control

    p = np.random.default_rng(2).random(50) ** 3
    assert trend.adjust(p, "benjamini-hochberg") == pytest.approx(false_discovery_control(p))
    assert trend.adjust(p, "bonferroni") == pytest.approx(np.minimum(1, 50 * p))


@pytest.mark.parametrize("counts", [(10, 20, 10), (30, 0, 10), (0, 1, 99), (57, 14, 50), (5, 0, 0), (3, 9, 1)])
def test_hardy_weinberg_by_enumeration(counts):
    n, alleles = sum(counts), counts[1] + 2 * counts[2]

    def chance(het):
        if (alleles - het) % 2 or het > alleles or (alleles - het) // 2 + het > n:
            return 0
        two = (alleles - het) // 2
        return math.factorial(n) // (math.factorial(two) * math.factorial(het) * math.factorial(n - het - two)) * 2**het

    chances = [chance(het) for het in range(n + 1)]
    expected = sum(c for c in chances if c <= chances[counts[1]]) / sum(chances)
    assert hardy_weinberg_p(*counts) == pytest.approx(expected, rel=1e-6)


def test_squared_correlations_are_numpys():
    genotypes, _ = people.make(12, (30, 37), missing=0.1)
    copies = genotypes.copies().astype(float)
    first = np.array([0, 1, 5, 11], np.uint32)
    second = np.array([3, 2, 5, 4], np.uint32)
    found = native.squared_correlations(genotypes.rows, 67, first, second)
    for a, b, r2 in zip(first, second, found, strict=True):
        known = (copies[a] >= 0) & (copies[b] >= 0)
        assert r2 == pytest.approx(np.corrcoef(copies[a, known], copies[b, known])[0, 1] ** 2)


@pytest.mark.skipif(PLINK is None, reason="plink1.9 is not installed")
def test_plink_agrees(tmp_path):
    genotypes, labels = people.make(30, (60, 50), missing=0.05, seed=7)
    genotypes = genotypes.in_genome_order()
    bed, _ = people.write(tmp_path, genotypes, labels)
    fam = bed.with_suffix(".fam")
    status = ["2" if g == 0 else "1" for g in labels.of_sample]
    fam.write_text("".join(f"{s} {s} 0 0 1 {c}\n" for s, c in zip(genotypes.samples, status, strict=True)))

    def run(*words):
        files = ["--bfile", str(bed.with_suffix("")), "--out", str(tmp_path / "o")]
        subprocess.run([PLINK, *files, "--allow-no-sex", *words], check=True, capture_output=True)

    counts = native.GroupMasks(labels.of_sample, 2).count(genotypes.rows)
    run("--model")
    found = {}
    for line in (tmp_path / "o.model").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[7] not in ("NA", "0"):
            found[fields[1], fields[4]] = float(fields[7])
    # PLINK calls the rarer allele A1.
    copies = counts[:, :, 1].sum(axis=1) + 2 * counts[:, :, 2].sum(axis=1)
    is_rarer = copies <= counts[:, :, :3].sum(axis=(1, 2))
    turned = np.where(is_rarer[:, None, None], counts, counts[:, :, [2, 1, 0, 3]])
    for name, model in (("TREND", "additive"), ("DOM", "dominant"), ("REC", "recessive")):
        z = trend.trend_z(turned, 0, model)
        n = turned[:, :, :3].sum(axis=(1, 2))
        for snp, chi2, total in zip(genotypes.snps, z**2, n, strict=True):
            if (snp.id, name) in found:
                # For two columns PLINK's chi-square has N where the trend test has N - 0: the same.
                assert found[snp.id, name] == pytest.approx(chi2, rel=2e-3, abs=1e-3), (snp.id, name, total)
    run("--hardy")
    pooled = counts.sum(axis=1)
    for line in (tmp_path / "o.hwe").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[2] == "ALL":
            place = next(i for i, snp in enumerate(genotypes.snps) if snp.id == fields[1])
            assert hardy_weinberg_p(*pooled[place, :3].tolist()) == pytest.approx(float(fields[8]), rel=5e-3)
    run("--r2", "--ld-window-kb", "999999", "--ld-window", "99999", "--ld-window-r2", "0")
    place = {snp.id: i for i, snp in enumerate(genotypes.snps)}
    for line in (tmp_path / "o.ld").read_text().splitlines()[1:]:
        fields = line.split()
        a, b = np.array([place[fields[2]]], np.uint32), np.array([place[fields[5]]], np.uint32)
        r2 = native.squared_correlations(genotypes.rows, len(genotypes.samples), a, b)[0]
        assert r2 == pytest.approx(float(fields[6]), rel=1e-3, abs=1e-5)
