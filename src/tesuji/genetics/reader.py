"""One door for genotype files: the format is known by the name."""

from __future__ import annotations

from pathlib import Path

from tesuji.genetics.bed import BedSource
from tesuji.genetics.genotypes import Source
from tesuji.genetics.table import TableSource
from tesuji.genetics.vcf import VcfSource

__all__ = ["open_genotypes"]

_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")


def open_genotypes(path: str | Path) -> Source:
    """Open a file of genotypes.

    PLINK's bed/bim/fam (any of the three, or the name they share), PLINK 2's pgen/pvar/psam, VCF, or a wide CSV or TSV.

    Raises
    ------
    ValueError
        If the format is unknown, or the file is not what its name says.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    name = path.name.lower()
    if name.endswith((".bed", ".bim", ".fam")) or (not path.exists() and Path(f"{path}.bed").exists()):
        return BedSource(path)
    if name.endswith((".vcf", ".vcf.gz", ".vcf.bgz")):
        return VcfSource(path)
    if name.endswith(_TABLES):
        return TableSource(path)
    if name.endswith(".pgen"):
        from tesuji.genetics.pgen import PgenSource

        return PgenSource(path)
    if not path.exists():
        raise FileNotFoundError(2, "No such file", str(path))
    raise ValueError(
        f"{path}: its name says nothing of its format; give .bed (with .bim and .fam beside it), .pgen, .vcf, .vcf.gz,"
        f" {', '.join(_TABLES)}"
    )
