"""PLINK 2's pgen/pvar/psam, read by the library of its makers (Pgenlib, in the extra ``genetics``).

Only SNPs with two alleles, hard calls; dosages and phase are not looked at. A1 is ALT.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.genetics.bed import refuse_twice
from tesuji.genetics.genotypes import Block, Snp, pack
from tesuji.words import how_to_install

__all__ = ["PgenSource"]

_BASES = frozenset("ACGTacgt")


class PgenSource:
    """A pgen file with its pvar and psam beside it.

    Raises
    ------
    ValueError
        If the three do not belong together.
    ImportError
        If the library is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.samples = _read_psam(path.with_suffix(".psam"))
        self.skipped: dict[str, int] = {}
        self.num_snps: int | None = None
        self._snps = list(_read_pvar(path.with_suffix(".pvar")))
        with self._open() as reader:
            found = reader.get_raw_sample_ct(), reader.get_variant_ct()
        if found != (len(self.samples), len(self._snps)):
            raise ValueError(
                f"{path}: it holds {found[0]:,} individuals and {found[1]:,} variants, psam and pvar"
                f" {len(self.samples):,} and {len(self._snps):,}; the three files do not belong together"
            )

    def _open(self) -> Any:
        try:
            from pgenlib import PgenReader
        except ImportError:
            raise ImportError(f"pgen files need Pgenlib: {how_to_install('genetics')}") from None
        try:
            return PgenReader(str(self.path).encode())
        except (RuntimeError, MemoryError) as error:  # a damaged head may ask for any amount of memory
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> ValueError:
        return ValueError(
            f"{self.path}: Pgenlib cannot read it ({str(error) or 'it asks for more memory than there is'}); it is"
            " damaged, or was cut short: make it again with plink2 --make-pgen"
        )

    def blocks(self, size: int = 4096) -> Iterator[Block]:
        """The SNPs, so many at a time."""
        skipped: Counter[str] = Counter()
        wanted = [i for i, snp in enumerate(self._snps) if _is_snp(snp, skipped)]
        with self._open() as reader:
            for first in range(0, len(wanted), size):
                chosen = np.array(wanted[first : first + size], np.uint32)
                copies = np.empty((len(chosen), len(self.samples)), np.int8)
                try:
                    reader.read_list(chosen, copies)
                except RuntimeError as error:
                    raise self._damaged(error) from error
                yield Block(first, [self._snps[i] for i in chosen], pack(copies))
        self.skipped = dict(skipped)


def _is_snp(snp: Snp, skipped: Counter[str]) -> bool:
    if "," in snp.a1:
        skipped["more than two alleles"] += 1
    elif snp.a1 not in _BASES or snp.a2 not in _BASES:
        skipped["not a SNP"] += 1
    else:
        return True
    return False


def _read_psam(path: Path) -> list[str]:
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    while lines and lines[0].startswith("##"):
        lines.pop(0)
    if not lines:
        raise ValueError(f"{path}: there is nobody in it")
    header = lines[0].lstrip("#").split() if lines[0].startswith("#") else ["FID", "IID"]
    rows = lines[1:] if lines[0].startswith("#") else lines
    if "IID" not in header:
        raise ValueError(f"{path}: its header has no column IID")
    place = header.index("IID")
    names = [fields[place] for line in rows if len(fields := line.split()) > place]
    refuse_twice(path, names)
    return names


def _read_pvar(path: Path) -> Iterator[Snp]:
    if not path.exists() and path.with_suffix(".pvar.zst").exists():
        raise ValueError(f"{path.with_suffix('.pvar.zst')}: unpack it first: unzstd {path.name}.zst")
    header = ["CHROM", "ID", "CM", "POS", "ALT", "REF"]
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("##") or not line.strip():
                continue
            if line.startswith("#"):
                header = line[1:].split()
                continue
            fields = dict(zip(header, line.split(), strict=False))
            try:
                place, name = int(fields["POS"]), fields["ID"]
                yield Snp(fields["CHROM"], name if name != "." else f"{fields['CHROM']}:{place}", place,
                          fields["ALT"], fields["REF"])  # fmt: skip
            except (KeyError, ValueError):
                raise ValueError(f"{path}, line {number}: it lacks CHROM, POS, ID, REF or ALT") from None
