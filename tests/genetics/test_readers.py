"""Readers and writers: what is written reads back, and what is broken is refused in one sentence."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genetics import people
from tesuji.genetics import Genotypes, Snp, match_labels, open_genotypes, read_labels
from tesuji.genetics.formats import FORMATS, write_genotypes

PLINK = shutil.which("plink1.9")
PLINK2 = shutil.which("plink2")
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def some_genotypes(draw):
    num_snps, num_samples = draw(st.integers(1, 7)), draw(st.integers(1, 9))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    copies = rng.integers(-1, 3, (num_snps, num_samples)).astype(np.int8)
    alleles = [rng.choice(list("ACGT"), 2, replace=False).tolist() for _ in range(num_snps)]
    snps = [Snp(str(rng.integers(1, 23)), f"rs{i}", int(rng.integers(1, 10**8)), *alleles[i]) for i in range(num_snps)]
    return Genotypes.from_copies([f"s{i}" for i in range(num_samples)], snps, copies)


@given(genotypes=some_genotypes(), ending=st.sampled_from(["bed", "vcf", "vcf.gz"]))
@quick
def test_plink_and_vcf_read_back_the_same(tmp_path, genotypes, ending):
    path = tmp_path / f"d.{ending}"
    write_genotypes(genotypes, path, "plink" if ending == "bed" else "vcf")
    found = Genotypes.of(open_genotypes(path))
    assert found.samples == genotypes.samples
    assert found.snps == genotypes.snps
    assert (found.copies() == genotypes.copies()).all()


@pytest.mark.parametrize("ending", ["bed", "vcf", "csv"])
def test_blocks_of_any_size_are_the_whole_file(tmp_path, ending):
    genotypes, _ = people.make(10, (5, 6))
    write_genotypes(genotypes, tmp_path / f"d.{ending}", {"bed": "plink"}.get(ending, ending))
    source = open_genotypes(tmp_path / f"d.{ending}")
    for size in (1, 3, 5, 10, 100):
        blocks = list(source.blocks(size))
        assert [block.first for block in blocks] == list(range(0, 10, size))
        assert [snp.id for block in blocks for snp in block.snps] == [snp.id for snp in genotypes.snps]
        assert (np.concatenate([block.rows for block in blocks]) == genotypes.rows).all()


@given(genotypes=some_genotypes())
@quick
def test_a_table_reads_back_the_same(tmp_path, genotypes):
    write_genotypes(genotypes, tmp_path / "d.csv", "csv")
    found = Genotypes.of(open_genotypes(tmp_path / "d.csv"))
    assert [snp.id for snp in found.snps] == [snp.id for snp in genotypes.snps]
    assert (found.copies() == genotypes.copies()).all()


@given(genotypes=some_genotypes())
@quick
def test_letters_read_back_up_to_which_allele_is_counted(tmp_path, genotypes):
    write_genotypes(genotypes, tmp_path / "d.csv", "snipper")
    table = (tmp_path / "d.csv").read_text().splitlines()
    (tmp_path / "e.csv").write_text("".join(line.split(",", 1)[1] + "\n" for line in table))  # sample first
    found = Genotypes.of(open_genotypes(tmp_path / "e.csv"))
    for a, b, snp in zip(found.copies(), genotypes.copies(), genotypes.snps, strict=True):
        known = b >= 0
        assert ((a >= 0) == known).all()
        assert (a[known] == b[known]).all() or (a[known] == 2 - b[known]).all(), snp


@pytest.mark.skipif(PLINK is None or PLINK2 is None, reason="plink is not installed")
def test_plink_reads_what_we_write_and_we_read_what_plink_writes(tmp_path):
    genotypes, _ = people.make(25, (11, 9), missing=0.1)
    genotypes = genotypes.in_genome_order()  # PLINK 2 wants a chromosome's SNPs together
    for name, words in (("a.bed", ["--bfile", "a"]), ("b.vcf", ["--vcf", "b.vcf", "--double-id"])):
        write_genotypes(genotypes, tmp_path / name, "plink" if name == "a.bed" else "vcf")
        for program, out in ((PLINK, "one"), (PLINK2, "two")):
            subprocess.run([program, *words, "--make-bed", "--out", out], cwd=tmp_path, check=True, capture_output=True)
            found = Genotypes.of(open_genotypes(tmp_path / f"{out}.bed"))
            order = {snp.id: i for i, snp in enumerate(found.snps)}
            for snp, copies in zip(genotypes.snps, genotypes.copies(), strict=True):
                other, here = found.snps[order[snp.id]], found.copies()[order[snp.id]]
                turned = np.where(here < 0, -1, 2 - here) if other.a1 == snp.a2 else here
                assert (turned == copies).all()
                assert {other.a1, other.a2} <= {snp.a1, snp.a2, "0"}


@pytest.mark.skipif(PLINK2 is None, reason="plink2 is not installed")
def test_pgen_is_read_by_its_own_library(tmp_path):
    pytest.importorskip("pgenlib")
    genotypes = people.make(25, (11, 9), missing=0.1)[0].in_genome_order()
    write_genotypes(genotypes, tmp_path / "a.bed", "plink")
    subprocess.run([PLINK2, "--bfile", "a", "--make-pgen", "--out", "p"], cwd=tmp_path, check=True, capture_output=True)
    found = Genotypes.of(open_genotypes(tmp_path / "p.pgen"))
    order = {snp.id: i for i, snp in enumerate(found.snps)}
    for snp, copies in zip(genotypes.snps, genotypes.copies(), strict=True):
        here = found.copies()[order[snp.id]]
        assert (here == copies).all() or found.snps[order[snp.id]].a1 == snp.a2
    (tmp_path / "p.psam").write_text("#IID\nsomebody\n")
    with pytest.raises(ValueError, match="do not belong together"):
        open_genotypes(tmp_path / "p.pgen")


def test_the_other_formats_hold_every_genotype(tmp_path):
    genotypes, labels = people.make(6, (4, 3), missing=0.2)
    groups = [labels.groups[g] for g in labels.of_sample]
    copies = genotypes.copies()
    write_genotypes(genotypes, tmp_path / "d.str", "structure", groups)
    lines = (tmp_path / "d.str").read_text().splitlines()
    assert lines[0].split() == [snp.id for snp in genotypes.snps]
    number = dict(zip("ACGT", "1234", strict=True))
    for i, name in enumerate(genotypes.samples):
        two = [lines[1 + 2 * i].split(), lines[2 + 2 * i].split()]
        assert two[0][:2] == two[1][:2] == [name, str(1 + labels.of_sample[i])]
        for place, snp in enumerate(genotypes.snps):
            pair = [line[2 + place] for line in two]
            c = copies[place, i]
            assert pair.count(number[snp.a1]) == c if c >= 0 else pair == ["-9", "-9"]
    write_genotypes(genotypes, tmp_path / "d", "eigenstrat", groups)
    geno = (tmp_path / "d.geno").read_text().split()
    assert [[9 if c < 0 else c for c in row] for row in copies.tolist()] == [[int(c) for c in row] for row in geno]
    assert [line.split()[2] for line in (tmp_path / "d.ind").read_text().splitlines()] == groups
    write_genotypes(genotypes, tmp_path / "d.arp", "arlequin", groups)
    text = (tmp_path / "d.arp").read_text()
    assert text.count("SampleSize=") == 2
    assert all(f"    {name} 1 " in text for name in genotypes.samples)
    write_genotypes(genotypes, tmp_path / "d.inp", "phase", groups)
    lines = (tmp_path / "d.inp").read_text().splitlines()
    assert lines[:2] == ["7", "6"]
    assert len(lines) == 4 + 3 * 7
    with pytest.raises(ValueError, match="did you mean 'phase'"):
        write_genotypes(genotypes, tmp_path / "x", "phaze")
    assert set(FORMATS) == {"plink", "vcf", "csv", "structure", "eigenstrat", "arlequin", "phase", "snipper"}


def test_vcf_records_that_are_no_snps_with_two_alleles_are_counted(tmp_path):
    path = tmp_path / "d.vcf"
    rows = ["1\t5\trs1\tA\tC", "1\t6\trs2\tA\tC,G", "1\t7\trs3\tAT\tA", "1\t8\t.\tG\tT"]
    calls = ["0/1:3\t1|1:4\t./.:1"] * 4
    path.write_text(
        "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\n"
        + "".join(f"{row}\t.\t.\t.\tGT:DP\t{call}\n" for row, call in zip(rows, calls, strict=True))
    )
    source = open_genotypes(path)
    found = Genotypes.of(source)
    assert [snp.id for snp in found.snps] == ["rs1", "1:8:G:T"]
    assert found.copies().tolist() == [[1, 2, -1], [1, 2, -1]]
    assert source.skipped == {"more than two alleles": 1, "not a SNP": 1}


def _broken(tmp_path):
    genotypes, labels = people.make(5, (6, 6))
    bed, table = people.write(tmp_path, genotypes, labels)
    return bed, table


def test_a_bed_file_with_another_beginning(tmp_path):
    bed, _ = _broken(tmp_path)
    bed.write_bytes(b"BED" + bed.read_bytes()[3:])
    with pytest.raises(ValueError, match="begins with 42 45 44"):
        open_genotypes(bed)
    bed.write_bytes(b"\x6c\x1b\x00" + bed.read_bytes()[3:])
    with pytest.raises(ValueError, match="individual by individual"):
        open_genotypes(bed)


def test_a_bed_file_of_another_size(tmp_path):
    bed, _ = _broken(tmp_path)
    bed.write_bytes(bed.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"17 bytes, but 12 individuals \(fam\) and 5 SNPs \(bim\) need 18"):
        open_genotypes(bed)


def test_a_broken_bim_line_is_named(tmp_path):
    bed, _ = _broken(tmp_path)
    bim = bed.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("rs3\t0\t3000", "rs3\t0\there"))
    with pytest.raises(ValueError, match="line 3: the position 'here' is not a number"):
        Genotypes.of(open_genotypes(bed))


def test_individuals_that_are_there_twice(tmp_path):
    bed, _ = _broken(tmp_path)
    fam = bed.with_suffix(".fam")
    fam.write_text(fam.read_text().replace("x1 x1", "x0 x0"))
    with pytest.raises(ValueError, match="'x0' is there twice"):
        open_genotypes(bed)


def test_labels_that_match_nobody_name_the_first_five():
    with pytest.raises(ValueError, match=r"begin with a, b, c, d, e, ..., the labels with u, v"):
        match_labels(list("abcdef"), {"u": "1", "v": "2"})


def test_labels_that_match_some_are_noted():
    found = match_labels(
        [f"a{i}" for i in range(12)], {f"a{i}": "xy"[i % 2] for i in range(11)} | {"b": "x"}, minimum=5
    )
    assert found.notes == (
        "1 individuals without a label are left out: a11",
        "1 labels have no genotypes: b",
    )
    assert found.of_sample.tolist() == [0, 1] * 5 + [0, -1]


def test_small_unknown_and_lonely_groups_are_refused():
    samples = [f"a{i}" for i in range(12)]
    with pytest.raises(ValueError, match="'y' has 3 individuals; at least 5"):
        match_labels(samples, {s: "y" if i < 3 else "x" for i, s in enumerate(samples)})
    with pytest.raises(ValueError, match="no group 'z'"):
        match_labels(samples, dict.fromkeys(samples, "x"), ["x", "z"])
    with pytest.raises(ValueError, match="one group"):
        match_labels(samples, dict.fromkeys(samples, "x"))


def test_a_label_column_that_is_not_there(tmp_path):
    path = tmp_path / "l.tsv"
    path.write_text("sample\tregion\na\tx\n")
    with pytest.raises(ValueError, match="no column 'group'; it has sample, region"):
        read_labels(path, "group")


def test_a_column_that_mixes_genotypes_with_something_else(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("sample,rs1,rs2,sex\na,0,CT,male\nb,1,TT,male\nc,Z,CC,\n")
    with pytest.raises(ValueError, match="column 'rs1': 'Z' is not a genotype"):
        open_genotypes(path)
    path.write_text("sample,rs1,rs2,sex\na,0,CT,male\nb,1,TT,male\nc,,CC,\n")
    source = open_genotypes(path)
    assert source.skipped == {"columns that hold no genotypes": 1}
    assert Genotypes.of(source).copies().tolist() == [[0, 1, -1], [1, 0, 2]]


@pytest.mark.parametrize("name", ["x.doc", "data"])
def test_names_that_say_nothing(tmp_path, name):
    (tmp_path / name).write_text("hello")
    with pytest.raises(ValueError, match="says nothing of its format"):
        open_genotypes(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        open_genotypes(tmp_path / "missing.vcf")
