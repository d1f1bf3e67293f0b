"""Genotypes in memory: rows of two bits an individual, as PLINK's bed format packs them, and what the rows are about.

Every reader gives rows in this form and every statistic, the classifier and the writers take it: an individual's code
is 00 for two copies of A1, 10 for one, 11 for none and 01 where it is missing; four individuals share a byte, the first
in the lowest bits. Files are not read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["MISSING", "Block", "Genotypes", "Snp", "Source", "genome_order", "pack", "row_bytes", "unpack"]

Rows = NDArray[np.uint8]
MISSING = -1
"""In unpacked genotypes, which are the number of copies of A1: 0, 1, 2."""

_CODE_OF_COPIES = np.array([3, 2, 0, 1], dtype=np.uint8)  # the last is MISSING's
_COPIES_OF_BYTE = np.array(
    [[(2, MISSING, 1, 0)[byte >> shift & 3] for shift in (0, 2, 4, 6)] for byte in range(256)], dtype=np.int8
)


class Snp(NamedTuple):
    """A marker with two alleles.

    Attributes
    ----------
    chromosome : str
        As the file names it; ``0`` where it is unknown.
    id : str
        For instance an rsID.
    position : int
        In base pairs from 1; 0 where it is unknown.
    a1, a2 : str
        Genotypes count A1: PLINK's first allele, VCF's ALT.
    """

    chromosome: str
    id: str
    position: int
    a1: str
    a2: str

    @property
    def is_ambiguous(self) -> bool:
        """Whether the other strand would read the same two alleles: A/T or C/G."""
        return {self.a1.upper(), self.a2.upper()} in ({"A", "T"}, {"C", "G"})


class Block(NamedTuple):
    """Some SNPs of a file, in its order.

    Attributes
    ----------
    first : int
        The number of the first one among those the reader gives.
    snps : sequence of Snp
        What they are.
    rows : array of shape (SNPs, bytes)
        Their packed genotypes.
    """

    first: int
    snps: Sequence[Snp]
    rows: Rows


class Source(Protocol):
    """A file of genotypes, read from its beginning as often as `blocks` is called."""

    @property
    def samples(self) -> list[str]:
        """The individuals, in the order of the genotypes; no name twice."""
        ...

    @property
    def skipped(self) -> dict[str, int]:
        """Records that were left out by the last reading, by reason."""
        ...

    @property
    def num_snps(self) -> int | None:
        """How many SNPs there are, where that is known beforehand."""
        ...

    def blocks(self, size: int = 4096) -> Iterator[Block]:
        """The SNPs, so many at a time."""
        ...


class Genotypes(msgspec.Struct, frozen=True):
    """A table of genotypes that fits into memory.

    Attributes
    ----------
    samples : tuple of str
        The individuals.
    snps : tuple of Snp
        The markers.
    rows : array of shape (SNPs, bytes)
        Packed genotypes.
    """

    samples: tuple[str, ...]
    snps: tuple[Snp, ...]
    rows: Rows

    @classmethod
    def of(cls, source: Source) -> Genotypes:
        """Everything a source has."""
        blocks = list(source.blocks())
        width = row_bytes(len(source.samples))
        rows = np.concatenate([block.rows for block in blocks]) if blocks else np.zeros((0, width), np.uint8)
        return cls(tuple(source.samples), tuple(snp for block in blocks for snp in block.snps), rows)

    @classmethod
    def from_copies(cls, samples: Sequence[str], snps: Sequence[Snp], copies: NDArray[np.integer]) -> Genotypes:
        """From numbers of copies of A1, of shape (SNPs, individuals), negative where missing."""
        return cls(tuple(samples), tuple(snps), pack(copies))

    def copies(self) -> NDArray[np.int8]:
        """Copies of A1, of shape (SNPs, individuals); `MISSING` where it is not known."""
        return unpack(self.rows, len(self.samples))

    def of_snps(self, places: Sequence[int] | NDArray[np.integer]) -> Genotypes:
        """Some of the SNPs, in the order given."""
        chosen = [int(place) for place in places]
        return Genotypes(self.samples, tuple(self.snps[i] for i in chosen), np.ascontiguousarray(self.rows[chosen]))

    def in_genome_order(self) -> Genotypes:
        """Chromosome by chromosome, by position, as PLINK 2 and tabix want them."""
        order = sorted(
            range(len(self.snps)), key=lambda i: (genome_order(self.snps[i].chromosome), self.snps[i].position)
        )
        return self.of_snps(order)

    def of_samples(self, places: Sequence[int] | NDArray[np.integer]) -> Genotypes:
        """Some of the individuals, in the order given."""
        chosen = [int(place) for place in places]
        copies = self.copies()[:, chosen]
        return Genotypes(tuple(self.samples[i] for i in chosen), self.snps, pack(copies))


def genome_order(chromosome: str) -> tuple[int, str]:
    """By which chromosomes are sorted: 1 to 22, then X, Y, ..."""
    bare = chromosome.removeprefix("chr")
    return (int(bare), "") if bare.isdigit() else (10**9, bare)


def row_bytes(num_samples: int) -> int:
    """Bytes of a packed row."""
    return (num_samples + 3) // 4


def pack(copies: NDArray[np.integer]) -> Rows:
    """Copies of A1, of shape (SNPs, individuals), as packed rows; whatever is not 0, 1 or 2 is missing."""
    num_snps, num_samples = copies.shape
    index = np.where((copies >= 0) & (copies <= 2), copies, 3).astype(np.uint8)
    codes = np.zeros((num_snps, 4 * row_bytes(num_samples)), np.uint8)
    codes[:, :num_samples] = _CODE_OF_COPIES[index]
    quarters = codes.reshape(num_snps, -1, 4)
    shifted = quarters << np.array([0, 2, 4, 6], dtype=np.uint8)
    return np.asarray(np.bitwise_or.reduce(shifted, axis=2))


def unpack(rows: Rows, num_samples: int) -> NDArray[np.int8]:
    """Packed rows as copies of A1, of shape (SNPs, individuals); `MISSING` where it is not known."""
    return _COPIES_OF_BYTE[rows].reshape(len(rows), -1)[:, :num_samples]
