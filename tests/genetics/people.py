"""Made-up individuals for the tests: groups whose allele frequencies differ, with some genotypes missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tesuji.genetics import Genotypes, Labels, Snp
from tesuji.genetics.bed import write_bed


def make(
    num_snps: int = 40, sizes: tuple[int, ...] = (30, 25, 20), missing: float = 0.03, seed: int = 1
) -> tuple[Genotypes, Labels]:
    rng = np.random.default_rng(seed)
    p = np.clip(rng.beta(1, 1, num_snps)[:, None] + rng.normal(0, 0.25, (num_snps, len(sizes))), 0.02, 0.98)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    copies = rng.binomial(2, p[:, groups]).astype(np.int8)
    copies[rng.random(copies.shape) < missing] = -1
    bases = [("A", "C"), ("A", "G"), ("C", "T"), ("G", "T"), ("A", "T")]
    snps = [Snp(str(1 + i % 5), f"rs{i + 1}", 1000 * (i + 1), *bases[i % 5]) for i in range(num_snps)]
    samples = [f"{'xyzuvw'[g]}{i}" for i, g in enumerate(groups)]
    labels = Labels(tuple("xyzuvw"[: len(sizes)]), groups.astype(np.int32))
    return Genotypes.from_copies(samples, snps, copies), labels


def write(folder: Path, genotypes: Genotypes, labels: Labels, name: str = "data") -> tuple[Path, Path]:
    bed = write_bed(genotypes, folder / name)[0]
    table = folder / f"{name}.labels.tsv"
    rows = zip(genotypes.samples, labels.of_sample, strict=True)
    table.write_text("sample\tgroup\n" + "".join(f"{who}\t{labels.groups[g]}\n" for who, g in rows))
    return bed, table
