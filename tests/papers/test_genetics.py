"""The genetics experiments on made-up people: every task runs, tables and verdicts come out."""

from __future__ import annotations

import pytest

from genetics import people
from tesuji.genetics.formats import write_genotypes
from tesuji.papers.genetics_aims import AIMS
from tesuji.papers.genetics_data import WORLDS, data_file, world
from tesuji.papers.genetics_minute import MINUTE
from tesuji.papers.genetics_worlds import GENOME_TABLES, TABLES

REGIONS = list(WORLDS["World7"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TESUJI_GENETICS_DATA", str(tmp_path))
    return tmp_path


def write_labels(path, samples, columns):
    rows = zip(samples, *columns.values(), strict=True)
    path.write_text("\t".join(["sample", *columns]) + "\n" + "".join("\t".join(row) + "\n" for row in rows))


def test_the_worlds_and_their_tables(folder):
    genotypes, _ = people.make(60, (24,) * 5, seed=2)
    regions = [REGIONS[i % 7] for i in range(len(genotypes.samples))]
    write_genotypes(genotypes, folder / "hgdp934.bed", "plink")
    write_labels(folder / "hgdp934.labels.tsv", genotypes.samples, {"population": regions, "region": regions})
    assert world("World3")[1].groups == ("Africa", "E.Asia", "Eurasia")
    assert (world("World3")[1].of_sample < 0).sum() == regions.count("America") + regions.count("Oceania")
    assert len(world("World5")[1].groups) == 5
    tasks = TABLES.tasks(1e-5, 1)
    assert len(tasks) == 3 * 3 * (6 + 4 + 4)
    some = [task for task in tasks if task.size == 4 and task.budget == 0]
    rows = [TABLES.run_task(task) for task in some]
    found = TABLES.render(rows)
    assert [row[2] for row in found.rows[:6]] == ["mcts", "mcts-thesis", "grqs", "topn", "forward", "forward-backward"]
    assert all(0 <= row[6] <= 100 for row in found.rows)
    assert {claim.statement.split()[0] for claim in found.claims} == {"MCTS", "GrQS"}


def test_a_minute_of_two_searches__is_paired_by_seed(folder):
    genotypes, _ = people.make(40, (24,) * 5, seed=4)
    regions = [REGIONS[i % 7] for i in range(len(genotypes.samples))]
    write_genotypes(genotypes, folder / "hgdp934.bed", "plink")
    write_labels(folder / "hgdp934.labels.tsv", genotypes.samples, {"population": regions, "region": regions})
    rows = [MINUTE.run_task(task) for task in MINUTE.tasks(1e-3, 7) if task.seed < 9]
    found = MINUTE.render(rows)
    assert [(row[0], row[1], row[4]) for row in found.rows] == [(n, a, 2) for n in (8, 12) for a in ("mcts", "grqs")]
    assert found.claims[0].evidence.endswith("over 4 pairs")
    means = {(row[0], row[1]): row[2] for row in found.rows}
    gap = (means[8, "mcts"] - means[8, "grqs"] + means[12, "mcts"] - means[12, "grqs"]) / 2
    assert float(found.claims[0].evidence.split()[0]) == pytest.approx(gap, abs=0.011)
    assert len({row["value"] for row in rows if row["algorithm"] == "grqs"}) > 2, "a seed has its own draws"


def test_the_tables_of_the_1000_genomes(folder):
    genotypes, labels = people.make(60, (16,) * 6, seed=3)
    populations = [labels.groups[g] for g in labels.of_sample]
    regions = [f"R{int(g) // 2}" for g in labels.of_sample]
    write_genotypes(genotypes, folder / "g1k_p3.bed", "plink")
    columns = {"population": populations, "superpopulation": regions}
    write_labels(folder / "g1k_p3.labels.tsv", genotypes.samples, columns)
    assert len(world("Regions5")[1].groups) == 3
    assert len(world("Populations26")[1].groups) == 6
    tasks = GENOME_TABLES.tasks(1e-5, 1)
    assert len(tasks) == 2 * 3 * (6 + 4 + 4)
    found = GENOME_TABLES.render([GENOME_TABLES.run_task(t) for t in tasks if t.size == 4 and t.budget == 0])
    assert found.columns[3:5] == ["Regions5 %", "Populations26 %"]
    assert [row[2] for row in found.rows[:3]] == ["mcts", "mcts-thesis", "grqs"]
    assert found.comparisons == []


def test_the_published_panels(folder):
    genotypes, labels = people.make(80, (30, 30, 30), seed=3)
    groups = [labels.groups[g] for g in labels.of_sample]
    write_genotypes(genotypes, folder / "g1k_p3.bed", "plink")
    write_labels(folder / "g1k_p3.labels.tsv", genotypes.samples, {"population": groups, "superpopulation": groups})
    for name in ("aim_kidd55_g1k_p3.csv", "aim_seldin128_g1k_p3.csv"):
        write_genotypes(genotypes.of_snps(range(10)), folder / name, "csv")
    tasks = [task for task in AIMS.tasks(1e-4, 1) if task.split < 3 and task.size in (0, 12)]
    rows = [AIMS.run_task(task) for task in tasks]
    found = AIMS.render(rows)
    assert len(found.rows) == 9
    assert all(row[6] == 2 for row in found.rows)
    assert {claim.verdict for claim in found.claims} == {"open"}


def test_data_that_is_not_there(folder, monkeypatch):
    with pytest.raises(ValueError, match="hgdp934.bed is not in the folder"):
        data_file("hgdp934.bed")
    monkeypatch.delenv("TESUJI_GENETICS_DATA")
    with pytest.raises(ValueError, match="is not set"):
        data_file("hgdp934.bed")
