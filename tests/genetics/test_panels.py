"""Panels from files to numbers: what is reported is what the files say, and nobody held out is seen by the search."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

from genetics import people
from tesuji.genetics import (
    Genotypes,
    GroupModel,
    Judging,
    Plan,
    Quality,
    Spacing,
    choose_panel,
    evaluate,
    find_candidates,
    match_panel,
    open_genotypes,
    read_panel,
)
from tesuji.genetics.annotation import filtered, read_annotation
from tesuji.genetics.choosing import make_problem
from tesuji.genetics.evaluation import permutation_test, wilson
from tesuji.genetics.formats import write_genotypes
from tesuji.genetics.panel_files import panel_table, primer_list
from tesuji.genetics.report import panel_page


@pytest.fixture
def data(tmp_path):
    genotypes, labels = people.make(40, (30, 25, 20), seed=4)
    bed, _ = people.write(tmp_path, genotypes, labels)
    return tmp_path, genotypes, labels, open_genotypes(bed)


PLAN = Plan(
    size=4,
    algorithm="forward-backward",
    judging=Judging(objective="right"),
    evaluations=2000,
    permutations=20,
    seed=3,
)


def test_the_value_is_reproduced_from_the_written_files(data):
    folder, genotypes, labels, source = data
    panel = choose_panel(source, labels, PLAN)
    panel.write(folder / "panel.json")
    write_genotypes(genotypes, folder / "again.vcf.gz", "vcf")
    again = read_panel(folder / "panel.json")
    assert msgspec.json.encode(again) == msgspec.json.encode(panel)
    copies, notes = match_panel(again, open_genotypes(folder / "again.vcf.gz"))
    assert not notes
    held = np.isin(genotypes.samples, again.held_out_samples)
    found = evaluate(again.model(), copies, np.where(held, labels.of_sample, -1).astype(np.int32))
    assert found.accuracy_everybody == panel.held_out_accuracy_everybody
    assert found.accuracy == pytest.approx(panel.held_out_accuracy)
    # The inner value: the same draws, the panel's genotypes alone.
    problem, _ = make_problem(source, labels, PLAN)
    places = [problem.candidates.place_of(snp.id) for snp in again.snps]
    assert problem.classifier.value(places) == pytest.approx(again.inner_value)
    assert np.mean(again.inner_values) == pytest.approx(again.inner_value)
    assert again.inner_accuracy == pytest.approx(again.inner_value / problem.num_classified)


def test_those_held_out_leave_no_trace_in_the_search(data):
    folder, genotypes, labels, source = data
    panel = choose_panel(source, labels, PLAN)
    held = np.isin(genotypes.samples, panel.held_out_samples)
    assert held.sum() == pytest.approx(0.25 * len(held), abs=2)
    copies = genotypes.copies()
    copies[:, held] = np.random.default_rng(9).integers(0, 3, (len(copies), int(held.sum())))
    other = Genotypes.from_copies(genotypes.samples, genotypes.snps, copies)
    people.write(folder, other, labels, "other")
    changed = choose_panel(open_genotypes(folder / "other.bed"), labels, PLAN)
    assert [snp.id for snp in changed.snps] == [snp.id for snp in panel.snps]
    assert changed.inner_value == panel.inner_value
    assert changed.snps == panel.snps
    assert changed.held_out_accuracy != panel.held_out_accuracy


def test_alleles_the_other_way_round_and_on_the_other_strand_are_matched(data):
    folder, genotypes, labels, source = data
    panel = choose_panel(source, labels, msgspec.structs.replace(PLAN, quality=Quality(drop_ambiguous=True)))
    copies, _ = match_panel(panel, source)
    other = str.maketrans("ACGT", "TGCA")
    turned = [
        snp._replace(a1=snp.a2, a2=snp.a1)
        if i % 2
        else snp._replace(a1=snp.a1.translate(other), a2=snp.a2.translate(other))
        for i, snp in enumerate(genotypes.snps)
    ]
    own = genotypes.copies()
    own[1::2] = np.where(own[1::2] < 0, -1, 2 - own[1::2])
    write_genotypes(Genotypes.from_copies(genotypes.samples, turned, own), folder / "turned.bed", "plink")
    found, notes = match_panel(panel, open_genotypes(folder / "turned.bed"))
    assert not notes
    assert (found == copies).all()


def test_snps_that_are_not_there_are_missing(data):
    folder, genotypes, labels, source = data
    panel = choose_panel(source, labels, PLAN)
    kept = [i for i, snp in enumerate(genotypes.snps) if snp.id != panel.snps[0].id]
    write_genotypes(genotypes.of_snps(kept), folder / "less.bed", "plink")
    copies, notes = match_panel(panel, open_genotypes(folder / "less.bed"))
    assert (copies[0] == -1).all()
    assert notes == [f"1 of the panel's SNPs are not in the file: {panel.snps[0].id}"]
    others = [i for i, snp in enumerate(genotypes.snps) if snp.id not in {s.id for s in panel.snps}]
    write_genotypes(genotypes.of_snps(others), folder / "none.bed", "plink")
    with pytest.raises(ValueError, match="none of the panel's 4 SNPs"):
        match_panel(panel, open_genotypes(folder / "none.bed"))


def test_quality_rules_are_counted(tmp_path):
    genotypes, labels = people.make(20, (20, 20), missing=0.0, seed=8)
    copies = genotypes.copies()
    copies[0] = -1
    copies[1] = 2
    copies[2, :8] = -1
    copies[3] = 0
    copies[3, 0] = 1
    snps = list(genotypes.snps)
    snps[6] = snps[6]._replace(id="rs6")
    snps[7] = snps[7]._replace(position=snps[8].position, chromosome=snps[8].chromosome, a1="A", a2="C")
    snps[8] = snps[8]._replace(a1="C", a2="A")
    people.write(tmp_path, Genotypes.from_copies(genotypes.samples, snps, copies), labels)
    quality = Quality(call_rate=0.9, minor_frequency=0.05, drop_ambiguous=True, exclude=frozenset({"rs11"}))
    found = find_candidates(open_genotypes(tmp_path / "data.bed"), labels, quality=quality, limit=5)
    assert found.num_read == 20
    assert found.dropped["no genotypes at all"] == 1
    assert found.dropped["the same in everybody"] == 1
    assert found.dropped["call rate below 0.9"] == 1
    assert found.dropped["minor allele frequency below 0.05"] == 1
    assert found.dropped["A/T or C/G"] == sum(snp.is_ambiguous for snp in snps[4:])
    assert found.dropped["excluded by name"] == 1
    assert found.dropped["an id that was there before"] == 1
    assert found.dropped["a place that was there before"] == 1
    assert sum(found.dropped.values()) + len(found) == 20
    assert len(found) == 5
    assert (np.diff(found.scores) <= 0).all()


def test_hardy_weinberg_is_tested_within_groups(tmp_path):
    n = 40
    apart = np.repeat([0, 2], n).astype(np.int8)  # each group in equilibrium, both together far from it
    hets = np.ones(2 * n, np.int8)
    fine = np.tile([0, 1, 1, 2], n // 2).astype(np.int8)
    genotypes, labels = people.make(3, (n, n))
    own = Genotypes.from_copies(genotypes.samples, genotypes.snps, np.stack([apart, hets, fine]))
    people.write(tmp_path, own, labels)
    found = find_candidates(open_genotypes(tmp_path / "data.bed"), labels, quality=Quality(hardy_weinberg=1e-3))
    assert {snp.id for snp in found.genotypes.snps} == {"rs1", "rs3"}
    assert found.dropped == {"Hardy-Weinberg in some group": 1}


def test_what_cannot_be_done_is_said(data):
    _, genotypes, labels, source = data
    with pytest.raises(ValueError, match="not in the file or do not pass the rules: rs99"):
        find_candidates(source, labels, quality=Quality(include=frozenset({"rs99"})))
    with pytest.raises(ValueError, match="included and excluded"):
        Quality(include=frozenset({"rs1"}), exclude=frozenset({"rs1"}))
    with pytest.raises(ValueError, match="no SNP of 40 can be used"):
        find_candidates(source, labels, quality=Quality(exclude=frozenset(snp.id for snp in genotypes.snps)))
    with pytest.raises(ValueError, match="cannot be chosen from 40 candidates"):
        choose_panel(source, labels, Plan(size=50, evaluations=10))
    for broken in (Quality, Spacing):
        with pytest.raises(ValueError, match="must"):
            broken(**({"call_rate": 2} if broken is Quality else {"max_r2": 0}))


def test_somebody_from_elsewhere_and_a_mixture_are_noticed():
    rng = np.random.default_rng(5)
    n, snps = 300, 60
    p = np.concatenate([np.full((30, 1), 0.9), np.full((30, 1), 0.1)])
    f = np.hstack([p, 1 - p])
    labels = np.repeat([0, 1], n).astype(np.int32)
    copies = rng.binomial(2, f[:, labels]).astype(np.int8)
    model = GroupModel.learn(copies, labels, ["a", "b"])
    plain = rng.binomial(2, f[:, [0] * 50]).astype(np.int8)
    assert sum(one.mixture is not None or one.is_atypical for one in model.assign(plain)) <= 2
    child = (rng.random((snps, 20)) < f[:, [0]]).astype(np.int8) + (rng.random((snps, 20)) < f[:, [1]]).astype(np.int8)
    found = model.assign(child)
    assert all(one.mixture is not None and 0.3 <= one.mixture[1] <= 0.7 for one in found)
    stranger = rng.binomial(2, 0.5, (snps, 20)).astype(np.int8)
    assert sum(one.is_atypical for one in model.assign(stranger)) >= 18
    nothing = model.assign(np.full((snps, 1), -1, np.int8))[0]
    assert nothing.posteriors == {"a": 0.5, "b": 0.5}
    assert nothing.num_missing == snps


def test_intervals_and_permutations():
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    genotypes, labels = people.make(30, (30, 30), seed=2)
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    mean, p = permutation_test(genotypes.copies(), labels.of_sample, train, test, labels.groups, repeats=50)
    assert 0.35 < mean < 0.65
    assert p == pytest.approx(1 / 51)
    noise = np.random.default_rng(1).integers(0, 3, (5, 60)).astype(np.int8)
    assert permutation_test(noise, labels.of_sample, train, test, labels.groups, repeats=50)[1] > 0.05


def test_annotation_is_read_and_filtered(tmp_path):
    (tmp_path / "a.tsv").write_text("rsid\tgene\tsift\nrs1\tEDAR\t0.01\nrs2\tSLC24A5\t0.9\nrs3\tEDAR\t\n")
    known = read_annotation(tmp_path / "a.tsv")
    assert filtered(known, ["gene=EDAR"]) == {"rs1", "rs3"}
    assert filtered(known, ["gene=EDAR", "sift<0.05"]) == {"rs1"}
    assert filtered(known, ["gene~slc"]) == {"rs2"}
    assert filtered(known, ["sift!=0.9"]) == {"rs1", "rs3"}
    with pytest.raises(ValueError, match="no column 'gen'"):
        filtered(known, ["gen=EDAR"])
    with pytest.raises(ValueError, match="not a condition"):
        filtered(known, ["EDAR"])
    (tmp_path / "a.vcf").write_text("##x\n1\t5\trs9\tA\tC\t.\t.\tGENE=EDAR;AF=0.5;DB\n")
    assert read_annotation(tmp_path / "a.vcf") == {"rs9": {"GENE": "EDAR", "AF": "0.5", "DB": "yes"}}


def test_tables_primers_and_the_page(data):
    _, _, labels, source = data
    panel = choose_panel(source, labels, msgspec.structs.replace(PLAN, resamples=2))
    table = [line.split("\t") for line in panel_table(panel).splitlines()]
    assert [row[1] for row in table[1:]] == [snp.id for snp in panel.snps]
    assert set(panel.stability) == {snp.id for snp in panel.snps}
    genome = {str(c): "ACGT" * 20_000 for c in range(1, 6)}
    lines = primer_list(panel, genome, flank=10).splitlines()[1:]
    for line, snp in zip(lines, panel.snps, strict=True):
        fields = line.split("\t")
        assert int(fields[4]) - int(fields[3]) == 20
        left, rest = fields[6].split("[")
        assert rest.split("]")[0] == f"{snp.a2}/{snp.a1}"
        assert left == genome[snp.chromosome][snp.position - 11 : snp.position - 1]
    copies, _ = match_panel(panel, source)
    page = panel_page(panel, copies, labels.of_sample)
    assert page.count("<svg") == 4
    assert not re.search(r"(src|href)=.(?!#|data:)|url\((?!#)", page)  # nothing from elsewhere
    assert all(snp.id in page for snp in panel.snps)
    assert f"{100 * panel.held_out_accuracy:.1f} %" in page


@pytest.mark.parametrize("text", ["", "{}", '{"format": "x"}', "[1]", "not json"])
def test_files_that_are_no_panels(tmp_path, text):
    (tmp_path / "p.json").write_text(text)
    with pytest.raises(ValueError, match="not a panel"):
        read_panel(tmp_path / "p.json")
