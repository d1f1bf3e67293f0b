"""The native classifier against a plain one, and what must not change its answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genetics import people, reference
from tesuji._core import genetics as native
from tesuji.genetics import Drawing, Genotypes
from tesuji.genetics.draws import make_draws
from tesuji.genetics.problem import OBJECTIVES


def classifier_of(genotypes, labels, draws, objective="right", pseudocount=0.5, unclassified=0.05):
    return native.make_classifier(
        genotypes.rows, labels.of_sample, len(labels.groups), draws, pseudocount, unclassified, OBJECTIVES[objective]
    )


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.lists(st.integers(4, 20), min_size=2, max_size=6),
    unclassified=st.sampled_from([0.0, 0.05, 0.3]),
    pseudocount=st.sampled_from([0.5, 1.0, 0.01]),
    data=st.data(),
)
def test_the_native_classifier_is_the_plain_one(seed, sizes, unclassified, pseudocount, data):
    genotypes, labels = people.make(12, tuple(sizes), missing=0.1, seed=seed)
    draws = make_draws(labels, Drawing(num_draws=3, test_share=0.4, seed=seed))
    model = data.draw(st.lists(st.integers(0, 11), min_size=0, max_size=6, unique=True))
    found = classifier_of(genotypes, labels, draws, "right", pseudocount, unclassified)
    expected = reference.values_by_draw(
        genotypes.copies().tolist(), labels.of_sample, len(sizes), draws, model, pseudocount, unclassified
    )
    assert found.values_by_draw(model) == pytest.approx(expected, abs=1e-9)
    assert found.value(model) == pytest.approx(np.mean(expected), abs=1e-9)


def test_vectors_and_plain_code_give_the_same_numbers():
    genotypes, labels = people.make(30, (40, 30, 20, 10), missing=0.1)
    draws = make_draws(labels)
    for objective in OBJECTIVES:
        found = classifier_of(genotypes, labels, draws, objective)
        models = [list(np.random.default_rng(i).permutation(30)[: 1 + i % 12]) for i in range(40)]
        with_vectors = [found.value(model) for model in models]
        found.use_vectors(False)
        assert not found.uses_vectors
        assert [found.value(model) for model in models] == with_vectors


@given(order=st.permutations([3, 0, 7, 5, 9, 1]))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_snps_does_not_matter(order):
    genotypes, labels = people.make(12, (20, 20, 20))
    found = classifier_of(genotypes, labels, make_draws(labels))
    assert found.value(order) == found.value([3, 0, 7, 5, 9, 1])


@given(turned=st.sets(st.integers(0, 11)), seed=st.integers(0, 100))
@settings(max_examples=30, deadline=None)
def test_relabelling_the_alleles_changes_nothing(turned, seed):
    genotypes, labels = people.make(12, (20, 15, 10), seed=seed)
    draws = make_draws(labels)
    copies = genotypes.copies()
    for snp in turned:
        copies[snp] = np.where(copies[snp] < 0, -1, 2 - copies[snp])
    other = Genotypes.from_copies(genotypes.samples, genotypes.snps, copies)
    for objective in OBJECTIVES:
        a, b = (classifier_of(g, labels, draws, objective) for g in (genotypes, other))
        assert a.value([0, 4, 7, 11]) == b.value([0, 4, 7, 11])


def test_the_order_of_the_individuals_does_not_matter():
    genotypes, labels = people.make(10, (16, 16), seed=3)
    learning, test = make_draws(labels, Drawing(num_draws=1))[0]
    one = classifier_of(genotypes, labels, [(learning, test)])
    other = classifier_of(genotypes, labels, [(learning[::-1].copy(), test[::-1].copy())])
    assert one.value([0, 1]) == other.value([0, 1])


def test_log_loss_expected_and_balanced_are_what_they_say():
    genotypes, labels = people.make(8, (20, 10, 10), seed=5)
    (learning, test), = make_draws(labels, Drawing(num_draws=1))  # fmt: skip
    copies, model = genotypes.copies(), [0, 2, 5]
    logs = np.zeros((len(test), 3))
    for snp in model:
        for k in range(3):
            seen = copies[snp, [i for i in learning if labels.of_sample[i] == k]]
            counts = np.array([(seen == g).sum() for g in range(3)]) + 0.5
            table = np.round(np.log(counts / counts.sum()) * 4096) / 4096
            logs[:, k] += [table[copies[snp, i]] if copies[snp, i] >= 0 else 0 for i in test]
    own = labels.of_sample[test]
    posterior = np.exp(logs[np.arange(len(test)), own]) / np.exp(logs).sum(axis=1)
    found = classifier_of(genotypes, labels, [(learning, test)], "log-loss")
    assert found.value(model) == pytest.approx(np.log(posterior).mean(), abs=1e-6)
    found = classifier_of(genotypes, labels, [(learning, test)], "expected")
    assert found.value(model) == pytest.approx(posterior.mean(), abs=1e-6)
    right = logs.argmax(axis=1) == own
    balanced = sum(right[own == k].mean() for k in range(3)) / 3 * len(test)
    everybody = classifier_of(genotypes, labels, [(learning, test)], "balanced", unclassified=0.0)
    assert everybody.value(model) == pytest.approx(balanced, abs=1e-9)


def test_a_temperature_divides_the_log_likelihoods():
    genotypes, labels = people.make(8, (20, 10, 10), seed=5)
    (learning, test), = make_draws(labels, Drawing(num_draws=1))  # fmt: skip
    arguments = (genotypes.rows, labels.of_sample, 3, [(learning, test)], 0.5, 0.0)
    own = labels.of_sample[test]
    logs = reference.log_likelihoods(genotypes.copies().tolist(), labels.of_sample, 3, learning, test, [0, 2, 5])
    tempered = np.array(logs) / 3
    posterior = np.exp(tempered[np.arange(len(test)), own]) / np.exp(tempered).sum(axis=1)
    found = native.make_classifier(*arguments, OBJECTIVES["log-loss"], 3.0)
    assert found.value([0, 2, 5]) == pytest.approx(np.log(posterior).mean(), abs=1e-3)
    with pytest.raises(ValueError, match="temperature is 0"):
        native.make_classifier(*arguments, OBJECTIVES["log-loss"], 0.0)


def test_an_empty_model_gives_everybody_to_the_first_group():
    genotypes, labels = people.make(4, (20, 12), seed=2)
    (learning, test), = make_draws(labels, Drawing(num_draws=1))  # fmt: skip
    found = classifier_of(genotypes, labels, [(learning, test)], unclassified=0.0)
    assert found.value([]) == (labels.of_sample[test] == 0).sum()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pseudocount": 0.0}, "pseudocount"),
        ({"pseudocount": math.inf}, "pseudocount"),
        ({"unclassified": 1.0}, "unclassified"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    genotypes, labels = people.make(4, (20, 12))
    with pytest.raises(ValueError, match=message):
        classifier_of(genotypes, labels, make_draws(labels), **change)


def test_a_model_of_snps_that_do_not_exist_is_refused():
    genotypes, labels = people.make(4, (20, 12))
    with pytest.raises(ValueError, match="does not exist"):
        classifier_of(genotypes, labels, make_draws(labels)).value([4])
