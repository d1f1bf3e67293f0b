"""VCF and VCF.gz, read and written as plain text.

Only records with one base on either side are SNPs with two alleles; others are left out and counted. A1 is ALT. Phase,
likelihoods and filters are not looked at. It is a parser of our own because it must never crash: the fuzzers feed it
100,000 broken files (``docs/decisions/020-genotypes.md``). BCF is not read; ``bcftools view`` makes VCF of it.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.bed import refuse_twice
from tesuji.genetics.genotypes import MISSING, Block, Genotypes, Snp, pack

__all__ = ["VcfSource", "write_vcf"]

_BASES = frozenset("ACGTacgt")
_COPIES = {
    b"0/0": 0, b"0|0": 0, b"0/1": 1, b"1/0": 1, b"0|1": 1, b"1|0": 1, b"1/1": 2, b"1|1": 2,
    b"./.": MISSING, b".|.": MISSING, b".": MISSING, b"./0": MISSING, b"./1": MISSING, b"0/.": MISSING,
    b"1/.": MISSING, b".|0": MISSING, b".|1": MISSING, b"0|.": MISSING, b"1|.": MISSING, b"0": 0, b"1": 2,
}  # fmt: skip
_MAX_LINE = 1 << 28


class VcfSource:
    """A VCF file, compressed or not.

    Raises
    ------
    ValueError
        If it is not a VCF with genotypes.
    OSError
        If it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped: dict[str, int] = {}
        self.num_snps: int | None = None
        with self._open() as lines:
            self.samples = self._header(lines)

    def blocks(self, size: int = 4096) -> Iterator[Block]:
        """The SNPs, so many at a time."""
        skipped: Counter[str] = Counter()
        first, snps, copies = 0, list[Snp](), list[NDArray[np.int8]]()
        with self._open() as lines:
            self._header(lines)
            for number, line in lines:
                if not line.strip():
                    continue
                record = self._record(number, line, skipped)
                if record is None:
                    continue
                snps.append(record[0])
                copies.append(record[1])
                if len(snps) == size:
                    yield Block(first, snps, pack(np.stack(copies)))
                    first, snps, copies = first + size, [], []
        self.skipped = dict(skipped)
        if snps:
            yield Block(first, snps, pack(np.stack(copies)))

    @contextmanager
    def _open(self) -> Iterator[Iterator[tuple[int, bytes]]]:
        with self.path.open("rb") as raw:
            is_gzip = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            file = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if is_gzip else raw
            try:
                yield self._lines(file)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise ValueError(f"{self.path}: it is damaged or was cut short ({error})") from error

    def _lines(self, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
        number = 0
        while line := file.readline(_MAX_LINE):
            number += 1
            yield number, line.rstrip(b"\r\n")

    def _header(self, lines: Iterator[tuple[int, bytes]]) -> list[str]:
        for number, line in lines:
            if number == 1 and not line.startswith(b"##fileformat=VCF"):
                raise ValueError(f"{self.path}: its first line is not ##fileformat=VCFv4.x; this is not a VCF file")
            if line.startswith(b"##"):
                continue
            fields = line.decode("utf-8", "replace").split("\t")
            if fields[0] != "#CHROM" or len(fields) < 10:
                raise ValueError(
                    f"{self.path}, line {number}: expected #CHROM ... FORMAT and at least one individual, found"
                    f" {line[:40]!r}"
                )
            refuse_twice(self.path, fields[9:])
            return fields[9:]
        raise ValueError(
            f"{self.path}: it has no line that begins with #CHROM; this is not a VCF file, or it was cut short"
        )

    def _record(self, number: int, line: bytes, skipped: Counter[str]) -> tuple[Snp, NDArray[np.int8]] | None:
        fields = line.split(b"\t")
        if len(fields) != 9 + len(self.samples):
            raise ValueError(
                f"{self.path}, line {number}: {len(fields)} columns; {len(self.samples)} individuals need"
                f" {9 + len(self.samples)}"
            )
        chromosome, position, name, ref, alt = (field.decode("utf-8", "replace") for field in fields[:5])
        if "," in alt:
            skipped["more than two alleles"] += 1
            return None
        if ref not in _BASES or alt not in _BASES:
            skipped["not a SNP"] += 1
            return None
        if fields[8] != b"GT" and not fields[8].startswith(b"GT:"):
            skipped["no genotypes"] += 1
            return None
        try:
            place = int(position)
        except ValueError:
            raise ValueError(f"{self.path}, line {number}: the position {position!r} is not a number") from None
        calls = fields[9:] if fields[8] == b"GT" else [call.partition(b":")[0] for call in fields[9:]]
        try:
            copies = np.array([_COPIES[call] for call in calls], np.int8)
        except KeyError as error:
            raise ValueError(
                f"{self.path}, line {number}: the genotype {error.args[0].decode('utf-8', 'replace')[:20]!r} is none"
                " of a SNP with two alleles"
            ) from None
        snp_id = f"{chromosome}:{place}:{ref}:{alt}" if name in (".", "") else name
        return Snp(chromosome, snp_id, max(place, 0), alt, ref), copies


def write_vcf(genotypes: Genotypes, path: Path) -> list[Path]:
    """Write VCF 4.2, compressed if the name ends in .gz; A1 becomes ALT. Returns the path."""
    calls = np.array(["0/0", "0/1", "1/1", "./."])
    header = ["##fileformat=VCFv4.2", "##source=tesuji"]
    header += [f"##contig=<ID={name}>" for name in dict.fromkeys(snp.chromosome for snp in genotypes.snps)]
    header.append('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">')
    columns = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", *genotypes.samples]
    lines = [*header, "\t".join(columns)]
    for snp, copies in zip(genotypes.snps, genotypes.copies(), strict=True):
        start = [snp.chromosome, str(snp.position), snp.id, snp.a2, snp.a1, ".", ".", ".", "GT"]
        lines.append("\t".join(start + calls[copies].tolist()))
    text = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    return [path]
