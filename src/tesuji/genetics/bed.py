"""PLINK's bed/bim/fam: read in blocks without unpacking, and written.

The three files are a table of two bits (SNP by SNP, after three magic bytes), a line for each SNP and a line for each
individual. Rows go to the core as they are, so nothing but the file itself has to be read; a library that unpacks them
would take four times the memory (``docs/decisions/020-genotypes.md``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np

from tesuji.genetics.genotypes import Block, Genotypes, Snp, row_bytes

__all__ = ["BedSource", "write_bed"]

_MAGIC = b"\x6c\x1b\x01"
_INDIVIDUAL_MAJOR = b"\x6c\x1b\x00"


class BedSource:
    """A bed file with its bim and fam beside it.

    Parameters
    ----------
    path
        The bed file, or the name that the three have in common.

    Raises
    ------
    ValueError
        If the three do not belong together or are no such files.
    OSError
        If one cannot be read.
    """

    def __init__(self, path: Path) -> None:
        stem = path.with_suffix("") if path.suffix in (".bed", ".bim", ".fam") else path
        self.bed, self.bim, self.fam = (Path(f"{stem}.{kind}") for kind in ("bed", "bim", "fam"))
        self.samples = _read_fam(self.fam)
        self.skipped: dict[str, int] = {}
        self.num_snps = _count_lines(self.bim)
        self._check_bed()

    def _check_bed(self) -> None:
        with self.bed.open("rb") as file:
            magic = file.read(3)
        if magic == _INDIVIDUAL_MAJOR:
            raise ValueError(
                f"{self.bed}: it is stored individual by individual, which only PLINK before 1.0 wrote;"
                " convert it with 'plink --bfile NAME --make-bed --out NEW'"
            )
        if magic != _MAGIC:
            raise ValueError(
                f"{self.bed}: it begins with {magic.hex(' ') or 'nothing'}, a bed file begins with"
                f" {_MAGIC.hex(' ')}; this is none"
            )
        size, wanted = self.bed.stat().st_size, 3 + self.num_snps * row_bytes(len(self.samples))
        if size != wanted:
            raise ValueError(
                f"{self.bed}: it has {size:,} bytes, but {len(self.samples):,} individuals (fam) and {self.num_snps:,}"
                f" SNPs (bim) need {wanted:,}; the three files do not belong together, or a copy was cut short"
            )

    def blocks(self, size: int = 4096) -> Iterator[Block]:
        """The SNPs, so many at a time."""
        width = row_bytes(len(self.samples))
        with self.bed.open("rb") as bed, self.bim.open("rb") as bim:
            bed.seek(len(_MAGIC))
            for first in range(0, self.num_snps, size):
                count = min(size, self.num_snps - first)
                rows = np.fromfile(bed, np.uint8, count * width)
                lines = list(itertools.islice(bim, count))
                if rows.size != count * width or len(lines) != count:
                    raise ValueError(f"{self.bed}: it became shorter while it was read")
                yield Block(first, _BimLines(self.bim, first, lines), rows.reshape(count, width))


class _BimLines(Sequence[Snp]):
    """Lines of a bim file that are taken apart when somebody asks: of millions, few are ever looked at."""

    def __init__(self, path: Path, first: int, lines: list[bytes]) -> None:
        self._path, self._first, self._lines = path, first, lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> Snp: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Snp]: ...
    def __getitem__(self, place: int | slice) -> Snp | Sequence[Snp]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        fields = self._lines[place].decode("utf-8", "replace").split()
        if len(fields) != 6:
            raise ValueError(
                f"{self._path}, line {self._first + place + 1}: {len(fields)} columns; a bim line has six: chromosome,"
                " id, centimorgans, position, A1, A2"
            )
        try:
            position = int(fields[3])
        except ValueError:
            raise ValueError(
                f"{self._path}, line {self._first + place + 1}: the position {fields[3]!r} is not a number"
            ) from None
        return Snp(fields[0], fields[1], max(position, 0), fields[4], fields[5])


def write_bed(genotypes: Genotypes, path: Path) -> list[Path]:
    """Write bed, bim and fam; returns the three paths."""
    stem = path.with_suffix("") if path.suffix == ".bed" else path
    bed, bim, fam = (Path(f"{stem}.{kind}") for kind in ("bed", "bim", "fam"))
    bed.write_bytes(_MAGIC + np.ascontiguousarray(genotypes.rows).tobytes())
    bim.write_text(
        "".join(f"{snp.chromosome}\t{snp.id}\t0\t{snp.position}\t{snp.a1}\t{snp.a2}\n" for snp in genotypes.snps),
        encoding="utf-8",
    )
    fam.write_text("".join(f"{name} {name} 0 0 0 -9\n" for name in genotypes.samples), encoding="utf-8")
    return [bed, bim, fam]


def _read_fam(path: Path) -> list[str]:
    names: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) < 2:
            raise ValueError(f"{path}, line {number}: one column; a fam line begins with a family and an individual")
        names.append(fields[1])
    if not names:
        raise ValueError(f"{path}: there is nobody in it")
    refuse_twice(path, names)
    return names


def refuse_twice(path: Path, names: Sequence[str]) -> None:
    """Raise a ValueError if a sample is named twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{path}: the individual {name!r} is there twice; give every individual a name of its own")
        seen.add(name)


def _count_lines(path: Path) -> int:
    count, last = 0, b"\n"
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")
