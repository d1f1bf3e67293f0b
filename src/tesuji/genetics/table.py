"""Tables with a header: a wide one of genotypes, and columns of labels or annotation. CSV and TSV, compressed or not.

A table of genotypes has an individual in each row: its name in the first column, a SNP in each other column, as copies
of an allele (0, 1, 2) or as letters (CT). Columns in which nothing is a genotype (population, sex) are left out and
counted. It knows nothing of chromosomes and positions.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.bed import refuse_twice
from tesuji.genetics.genotypes import MISSING, Block, Genotypes, Snp, pack

__all__ = ["TableSource", "read_table", "write_table"]

_MISSING_WORDS = frozenset({"", "NA", "NAN", "N/A", ".", "-1", "-9", "NN", "--", "00", "./.", "MISSING"})
_NUMBERS = {"0": 0, "1": 1, "2": 2, "0.0": 0, "1.0": 1, "2.0": 2}


class TableSource:
    """A wide CSV or TSV of genotypes.

    Raises
    ------
    ValueError
        If it is no such table.
    OSError
        If it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        header, rows = read_table(path)
        self.samples = [row[0] for row in rows]
        refuse_twice(path, self.samples)
        self.skipped: dict[str, int] = {}
        refuse_twice(path, header[1:])
        self._snps: list[Snp] = []
        columns: list[NDArray[np.int8]] = []
        for place, name in enumerate(header[1:], 1):
            column = [row[place].strip() for row in rows]
            found = _genotypes_of(path, name, column)
            if found is None:
                self.skipped["columns that hold no genotypes"] = (
                    self.skipped.get("columns that hold no genotypes", 0) + 1
                )
                continue
            self._snps.append(Snp("0", name, 0, found[0], found[1]))
            columns.append(found[2])
        if not columns:
            raise ValueError(f"{path}: no column holds genotypes (0, 1, 2 or letters such as CT)")
        self.num_snps: int | None = len(self._snps)
        self._rows = pack(np.stack(columns))

    def blocks(self, size: int = 4096) -> Iterator[Block]:
        """The SNPs, so many at a time."""
        for first in range(0, len(self._snps), size):
            yield Block(first, self._snps[first : first + size], self._rows[first : first + size])


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a CSV or TSV; every row has as many cells as the header.

    Raises
    ------
    ValueError
        If it has no header, no rows, or rows of another length.
    """
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(f"{path}: it is damaged or was cut short ({error})") from error
    text = raw.decode("utf-8-sig", "replace")
    first = text.partition("\n")[0]
    delimiter = max("\t,; ", key=first.count) if any(first.count(mark) for mark in "\t,; ") else ","
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if line]
    except csv.Error as error:
        raise ValueError(f"{path}: {error}") from error
    if len(lines) < 2 or len(lines[0]) < 2:
        raise ValueError(f"{path}: a table needs a header with at least two columns, and rows")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(lines[0]):
            raise ValueError(f"{path}, row {number}: {len(line)} cells; the header has {len(lines[0])}")
    return lines[0], lines[1:]


def _genotypes_of(path: Path, name: str, column: Sequence[str]) -> tuple[str, str, NDArray[np.int8]] | None:
    """A1, A2 and the copies of A1; None if nothing in the column is a genotype."""
    words = [cell.upper() for cell in column]
    known = [word for word in words if word not in _MISSING_WORDS]
    is_number = [word in _NUMBERS for word in known]
    is_letters = [len(word.replace("/", "").replace("|", "")) == 2 and set(word) <= set("ACGT/|") for word in known]
    if not any(is_number) and not any(is_letters):
        return None if known else ("1", "2", np.full(len(column), MISSING, np.int8))
    if not all(is_number) and not all(is_letters):
        odd = next(word for word, number, letters in zip(known, is_number, is_letters, strict=True)
                   if not (number if is_number[0] else letters))  # fmt: skip
        raise ValueError(
            f"{path}, column {name!r}: {odd!r} is not a genotype like the others (0, 1, 2, letters like CT, or empty)"
        )
    if is_number[0]:
        return "1", "2", np.array([_NUMBERS.get(word, MISSING) for word in words], np.int8)
    letters = [word.replace("/", "").replace("|", "") for word in words]
    alleles = sorted({letter for word in letters if word not in _MISSING_WORDS for letter in word})
    if len(alleles) > 2:
        raise ValueError(f"{path}, column {name!r}: it has the alleles {', '.join(alleles)}; a SNP here has two")
    counts = {allele: sum(word.count(allele) for word in letters) for allele in alleles}
    rare = min(alleles, key=lambda allele: (counts[allele], allele))
    other = next((allele for allele in alleles if allele != rare), "0")
    copies = [MISSING if word in _MISSING_WORDS else word.count(rare) for word in letters]
    return rare, other, np.array(copies, np.int8)


def write_table(genotypes: Genotypes, path: Path) -> list[Path]:
    """Write a wide CSV of copies of A1, empty where missing. Returns the path."""
    words = np.array(["0", "1", "2", ""])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sample", *(snp.id for snp in genotypes.snps)])
        writer.writerows(
            [name, *words[copies].tolist()]
            for name, copies in zip(genotypes.samples, genotypes.copies().T, strict=True)
        )
    return [path]
