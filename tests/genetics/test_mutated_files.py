"""Files with bytes changed, cut or doubled: every reader reads them or refuses them with a ValueError; none crashes.

A test has a few hundred of each kind; the hundred thousand are slow (`pytest -m slow`).
"""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from genetics import people
from tesuji.genetics import Genotypes, choose_panel, match_labels, open_genotypes, read_labels
from tesuji.genetics.annotation import read_annotation
from tesuji.genetics.choosing import Plan
from tesuji.genetics.formats import write_genotypes
from tesuji.genetics.panel import match_panel, read_panel
from tesuji.genetics.panel_files import read_fasta

PLINK2 = shutil.which("plink2")
BITS = [b"\n", b"\t", b",", b"\x00", b"9" * 30, b"-1", b"./.", b"\xff\xfe", b'"', b"NaN", b"1e999", b"[" * 2000]


def mutate(rng: random.Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        kind, place = rng.randrange(6), rng.randrange(len(found) + 1)
        if kind == 0 and found:
            found[place % len(found)] = rng.randrange(256)
        elif kind == 1:
            found[place:place] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 9)))
        elif kind == 2:
            del found[place : place + rng.randint(1, 40)]
        elif kind == 3 and found:
            other = rng.randrange(len(found))
            found[place:place] = found[other : other + rng.randint(1, 60)]
        elif kind == 4:
            found[place:place] = rng.choice(BITS)
        elif kind == 5 and rng.random() < 0.2:
            del found[place:]
    return bytes(found)


def readers(folder: Path) -> dict[Path, Callable[[], object]]:
    """A file of every kind that is read, and what reads it."""
    genotypes, labels = people.make(6, (5, 5), missing=0.1)
    bed, table = people.write(folder, genotypes, labels)
    for ending in ("vcf", "csv"):
        write_genotypes(genotypes, folder / f"d.{ending}", ending)
    (folder / "d.vcf.gz").write_bytes(gzip.compress((folder / "d.vcf").read_bytes(), mtime=0))
    (folder / "facts.tsv").write_text("id\tgene\tsift\nrs1\tEDAR\t0.01\nrs2\tOCA2\t0.5\n")
    (folder / "facts.vcf").write_text((folder / "d.vcf").read_text().replace("\t.\tGT", "\tGENE=EDAR;DB\tGT"))
    (folder / "genome.fa").write_text(">1 one\nACGTACGT\nACGT\n>2\nTTTT\n")
    plan = Plan(size=2, algorithm="forward", candidates=6, holdout=0.0, permutations=0)
    choose_panel(open_genotypes(bed), labels, plan).write(folder / "panel.json")

    def genotypes_of(path: Path) -> Callable[[], object]:
        return lambda: Genotypes.of(open_genotypes(path))

    def classify() -> object:
        panel = read_panel(folder / "panel.json")
        return panel.model().assign(match_panel(panel, open_genotypes(bed))[0])

    found = {path: genotypes_of(path) for path in (bed, folder / "d.vcf", folder / "d.vcf.gz", folder / "d.csv")}
    found |= {bed.with_suffix(ending): genotypes_of(bed) for ending in (".bim", ".fam")}
    found[table] = lambda: match_labels(genotypes.samples, read_labels(table))
    found[folder / "facts.tsv"] = lambda: read_annotation(folder / "facts.tsv")
    found[folder / "facts.vcf"] = lambda: read_annotation(folder / "facts.vcf")
    found[folder / "genome.fa"] = lambda: read_fasta(folder / "genome.fa")
    found[folder / "panel.json"] = classify
    return found | pgen_readers(bed, genotypes_of)


def pgen_readers(bed: Path, genotypes_of: Callable[[Path], Callable[[], object]]) -> dict[Path, Callable[[], object]]:
    if PLINK2 is None:
        return {}
    pytest.importorskip("pgenlib")
    make = [PLINK2, "--bfile", bed.stem, "--make-pgen", "--sort-vars", "--out", "p"]
    subprocess.run(make, cwd=bed.parent, check=True, capture_output=True)
    pgen = bed.with_name("p.pgen")
    return {pgen.with_suffix(ending): genotypes_of(pgen) for ending in (".pgen", ".pvar", ".psam")}


def read_mutated(folder: Path, count: int, seed: int) -> Counter[tuple[str, str]]:
    """So many files of all kinds; returns how many of each were read and refused."""
    known = readers(folder)
    whole = {path: path.read_bytes() for path in known}
    rng = random.Random(seed)
    found: Counter[tuple[str, str]] = Counter()
    for _ in range(count):
        path = rng.choice(list(known))
        path.write_bytes(mutate(rng, whole[path]))
        try:
            known[path]()
            found[path.name, "read"] += 1
        except ValueError:
            found[path.name, "refused"] += 1
        path.write_bytes(whole[path])
    return found


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    found = read_mutated(tmp_path, 1400, seed=1)
    for name in ("data.bed", "d.vcf", "d.vcf.gz", "d.csv", "data.labels.tsv", "panel.json"):
        assert found[name, "refused"] > 5, name
    assert sum(count for (_, what), count in found.items() if what == "read") > 100


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_mutated_files(tmp_path: Path) -> None:
    assert read_mutated(tmp_path, 100_000, seed=2).total() == 100_000
