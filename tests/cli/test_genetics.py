"""``tesuji genetics``: the commands, as somebody would type them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from genetics import people
from tesuji.cli import main

QUICK = ["--evaluations", "1500", "--size", "4"]


@pytest.fixture
def files(tmp_path):
    genotypes, labels = people.make(40, (30, 25, 20), seed=4)
    return people.write(tmp_path, genotypes, labels)


def run(*words, code=0):
    result = CliRunner().invoke(main, [str(word) for word in ("genetics", *words)])
    assert result.exit_code == code, result.output
    return result


def test_stats_as_table_as_json_and_as_files(files, tmp_path):
    bed, labels = files
    text = run("stats", bed, "--labels", labels, "--top", 3).stdout
    assert text.startswith("40 SNPs, 75 individuals: x 30, y 25, z 20")
    assert len(text.splitlines()) == 5
    found = json.loads(
        run("stats", bed, "--labels", labels, "--case", "x", "--sort", "p", "--json", "--out", tmp_path / "a.tsv",
            "--plot", tmp_path / "a.png").stdout
    )  # fmt: skip
    assert found["snps"] == 40
    assert [snp["log10_p"] for snp in found["top"]] == sorted(snp["log10_p"] for snp in found["top"])
    assert len((tmp_path / "a.tsv").read_text().splitlines()) == 41
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_from_a_panel_to_assignments_and_a_page(files, tmp_path):
    bed, labels = files
    out = tmp_path / "p.json"
    found = json.loads(
        run("panel", bed, "--labels", labels, *QUICK, "--json", "--out", out, "--table", tmp_path / "p.tsv",
            "--export", tmp_path / "p.vcf", "--export", tmp_path / "p.str").stdout
    )  # fmt: skip
    assert len(found["snps"]) == 4
    assert 0 < found["held_out_accuracy"] <= 1
    assert 0 < found["inner_accuracy"] <= 1
    assert (tmp_path / "p.tsv").exists()
    held = ",".join(found["held_out_samples"])
    for data in (bed, tmp_path / "p.vcf"):
        again = json.loads(run("classify", out, data, "--labels", labels, "--samples", held, "--json").stdout)
        assert again["evaluation"]["accuracy_everybody"] == found["held_out_accuracy_everybody"]
        assert again["evaluation"]["accuracy"] == pytest.approx(found["held_out_accuracy"])
        assert len(again["individuals"]) == len(found["held_out_samples"])
    assert "right:" in run("classify", out, bed, "--labels", labels).stdout
    written = run("report", out, bed, "--labels", labels, "--primers", tmp_path / "primers.tsv").stdout.split()
    assert written == [str(tmp_path / "primers.tsv"), str(tmp_path / "p.html")]
    assert "<svg" in (tmp_path / "p.html").read_text()
    assert len((tmp_path / "primers.tsv").read_text().splitlines()) == 5
    text = run("panel", bed, "--labels", labels, *QUICK, "--algorithm", "topn").stdout
    assert "held-out accuracy" in text


def test_rules_annotation_and_conditions(files, tmp_path):
    bed, labels = files
    table = tmp_path / "genes.tsv"
    table.write_text("id\tgene\n" + "".join(f"rs{i}\t{'one' if i % 2 else 'two'}\n" for i in range(1, 41)))
    (tmp_path / "must.txt").write_text("rs3\n")
    found = json.loads(
        run("panel", bed, "--labels", labels, *QUICK, "--json", "--annotation", table, "--where", "gene=one",
            "--include", tmp_path / "must.txt", "--exclude", "rs5,rs7", "--min-distance", 6000).stdout
    )  # fmt: skip
    assert all(snp["annotation"] == {"gene": "one"} for snp in found["snp_details"])
    assert "rs3" in found["snps"]
    assert not {"rs5", "rs7"} & set(found["snps"])


def test_keeping_what_was_found(files, tmp_path):
    bed, labels = files
    keep = tmp_path / "kept.json"
    one = json.loads(run("panel", bed, "--labels", labels, *QUICK, "--json", "--keep", keep).stdout)
    two = json.loads(run("panel", bed, "--labels", labels, *QUICK, "--json", "--keep", keep).stdout)
    assert two["inner_value"] >= one["inner_value"]
    assert two["search"]["evaluated"] > one["search"]["evaluated"]
    assert "other data" in run("panel", bed, "--labels", labels, *QUICK, "--seed", 2, "--keep", keep, code=2).stderr


def test_rounds_on_processes(files):
    bed, labels = files
    found = json.loads(run("panel", bed, "--labels", labels, *QUICK, "--rounds", 2, "--json").stdout)
    assert len(found["snps"]) == 4


def test_rounds_on_a_cluster__need_no_word_about_jobs(files):
    distributed = pytest.importorskip("distributed")
    bed, labels = files
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        words = ("panel", bed, "--labels", labels, *QUICK, "--rounds", 2, "--cluster", cluster.scheduler_address)
        assert len(json.loads(run(*words, "--json").stdout)["snps"]) == 4
        assert "leave them out with --cluster" in run(*words, "--jobs", 2, code=2).stderr


def test_a_table_of_a_panel__is_classified_as_the_genotypes_are(files, tmp_path):
    bed, labels = files
    out = tmp_path / "p.json"
    run("panel", bed, "--labels", labels, *QUICK, "--out", out)
    run("convert", bed, tmp_path / "t.csv", "--panel", out)
    table = run("classify", out, tmp_path / "t.csv")
    assert table.stdout == run("classify", out, bed).stdout
    assert "4 SNPs come without alleles" in table.stderr


def test_primers_alone__leave_the_page_as_it_is(files, tmp_path):
    bed, labels = files
    run("panel", bed, "--labels", labels, *QUICK, "--out", tmp_path / "p.json", "--report", tmp_path / "p.html")
    before = (tmp_path / "p.html").read_text()
    assert run("report", tmp_path / "p.json", "--primers", tmp_path / "p.tsv").stdout.strip() == str(tmp_path / "p.tsv")
    assert (tmp_path / "p.html").read_text() == before


def test_convert_and_back(files, tmp_path):
    bed, labels = files
    run("convert", bed, tmp_path / "a.vcf.gz")
    run("convert", tmp_path / "a.vcf.gz", tmp_path / "b.bed")
    assert (tmp_path / "b.bed").read_bytes() == bed.read_bytes()
    text = run("convert", bed, tmp_path / "c.arp", "--snps", "rs1,rs2", "--labels", labels).stdout
    assert text.startswith("2 SNPs, 75 individuals")
    assert "not in" in run("convert", bed, tmp_path / "d.csv", "--snps", "rs99", code=2).stderr
    assert not (tmp_path / "d.csv").exists()


def test_simulate(tmp_path):
    pytest.importorskip("msprime")
    run("simulate", "--out", tmp_path / "demo", "--snps", 60, "--individuals", 20)
    text = run("panel", tmp_path / "demo.bed", "--labels", tmp_path / "demo.labels.tsv", *QUICK).stdout
    assert "pop1, pop2, pop3" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "41"], "cannot be chosen from 40 candidates"),
        (["--size", "6", "--candidates", "5"], "cannot be chosen from 5 candidates"),
        (["--algorithm", "magic"], "not an algorithm"),
        (["--include", "rs99"], "must be included are not in the file"),
        (["--include", "rs1", "--exclude", "rs1"], "included and excluded"),
        (["--groups", "x,q"], "no group 'q'"),
        (["--column", "region"], "no column 'region'"),
        (["--where", "gene=x"], "--where needs --annotation"),
        (["--export", "p.xyz"], "says nothing of its format"),
        (["--out", "no/such/folder/p.json"], "does not exist"),
    ],
)
def test_mistakes_are_one_line(files, words, message):
    bed, labels = files
    result = run("panel", bed, "--labels", labels, "--evaluations", 50, *words, code=2)
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_every_help_ends_with_examples():
    for command in ("stats", "panel", "classify", "report", "convert", "simulate"):
        assert "Examples:" in run(command, "--help").stdout
