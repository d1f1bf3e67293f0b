"""Genotypes as other programs want them: PLINK, VCF, CSV, STRUCTURE, EIGENSTRAT, Arlequin, PHASE, Snipper.

Each writer takes genotypes and, where the format has groups, a label for each individual; it returns what it wrote.
Nothing is left half-written: files are made under another name first.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tesuji.genetics.bed import write_bed
from tesuji.genetics.genotypes import MISSING, Genotypes
from tesuji.genetics.table import write_table
from tesuji.genetics.vcf import write_vcf
from tesuji.words import meant
from tesuji.writing import write_whole

__all__ = ["FORMATS", "format_of", "write_genotypes"]

Groups = Sequence[str]
_NUMBER_OF_ALLELE = {"A": 1, "C": 2, "G": 3, "T": 4}


def write_genotypes(genotypes: Genotypes, path: Path, format_name: str, groups: Groups | None = None) -> list[Path]:
    """Write genotypes in a format of `FORMATS`.

    Parameters
    ----------
    genotypes, path, format_name
        What, where, how.
    groups
        A group for each individual, where the format has them; ``unknown`` if not given.

    Raises
    ------
    ValueError
        For an unknown format, or names that the format cannot hold.
    """
    if format_name not in FORMATS:
        near = meant(format_name, FORMATS, cutoff=0.4)
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"{format_name!r} is not a format; {hint}there are {', '.join(FORMATS)}")
    if not genotypes.snps:
        raise ValueError("there are no SNPs to write")
    return FORMATS[format_name](genotypes, path, groups or ["unknown"] * len(genotypes.samples))


def format_of(path: Path) -> str:
    """The format that a name says.

    Raises
    ------
    ValueError
        If it says none.
    """
    name = path.name.lower()
    for ending, found in _ENDINGS.items():
        if name.endswith(ending):
            return found
    raise ValueError(f"{path}: its name says nothing of its format; give --to, one of {', '.join(FORMATS)}")


def _alleles(genotypes: Genotypes, place: int, copies: int) -> tuple[str, str]:
    """The two alleles of a genotype as letters; N where missing."""
    snp = genotypes.snps[place]
    if copies == MISSING:
        return "N", "N"
    return (snp.a2, snp.a2) if copies == 0 else (snp.a1, snp.a2) if copies == 1 else (snp.a1, snp.a1)


def _number(allele: str, other: str) -> int:
    """A letter as a number, as STRUCTURE wants alleles."""
    if allele.upper() in _NUMBER_OF_ALLELE:
        return _NUMBER_OF_ALLELE[allele.upper()]
    return int(allele) if allele.isdigit() and int(allele) > 0 else 1 + (allele > other)


def _write_structure(genotypes: Genotypes, path: Path, groups: Groups) -> list[Path]:
    """Two lines for each individual, its population as a number, -9 where missing; names of the SNPs in line one."""
    number = {group: i for i, group in enumerate(dict.fromkeys(groups), 1)}
    lines = [" ".join(snp.id for snp in genotypes.snps)]
    copies = genotypes.copies()
    codes = [(_number(snp.a1, snp.a2), _number(snp.a2, snp.a1)) for snp in genotypes.snps]
    for i, name in enumerate(genotypes.samples):
        pairs = [
            (-9, -9) if c == MISSING else (a2, a2) if c == 0 else (a1, a2) if c == 1 else (a1, a1)
            for (a1, a2), c in zip(codes, copies[:, i].tolist(), strict=True)
        ]
        for side in (0, 1):
            lines.append(f"{name} {number[groups[i]]} " + " ".join(str(pair[side]) for pair in pairs))
    return [write_whole(path, "\n".join(lines) + "\n")]


def _write_eigenstrat(genotypes: Genotypes, path: Path, groups: Groups) -> list[Path]:
    """Files geno (copies of the first allele, 9 missing), snp and ind beside each other."""
    stem = path.with_suffix("") if path.suffix in (".geno", ".snp", ".ind") else path
    copies = np.where(genotypes.copies() == MISSING, 9, genotypes.copies())
    geno = "".join("".join(map(str, row)) + "\n" for row in copies.tolist())
    snp = "".join(f"{s.id}\t{s.chromosome}\t0.0\t{s.position}\t{s.a1}\t{s.a2}\n" for s in genotypes.snps)
    ind = "".join(f"{name}\tU\t{group}\n" for name, group in zip(genotypes.samples, groups, strict=True))
    return [write_whole(Path(f"{stem}.{kind}"), text) for kind, text in (("geno", geno), ("snp", snp), ("ind", ind))]


def _write_arlequin(genotypes: Genotypes, path: Path, groups: Groups) -> list[Path]:
    """A project file: genotypic data, gametic phase unknown, a sample for each group."""
    names = list(dict.fromkeys(groups))
    copies = genotypes.copies()
    lines = ["[Profile]", '  Title="SNP panel, written by tesuji"', f"  NbSamples={len(names)}", "  DataType=STANDARD"]
    lines += ["  GenotypicData=1", "  GameticPhase=0", "  LocusSeparator=WHITESPACE", '  MissingData="?"', "", "[Data]"]
    lines += ["[[Samples]]"]
    for group in names:
        members = [i for i, own in enumerate(groups) if own == group]
        lines += [f'  SampleName="{group}"', f"  SampleSize={len(members)}", "  SampleData={"]
        for i in members:
            pairs = [_alleles(genotypes, place, int(c)) for place, c in enumerate(copies[:, i])]
            first, second = (" ".join("?" if pair[side] == "N" else pair[side] for pair in pairs) for side in (0, 1))
            name = genotypes.samples[i].replace(" ", "_")
            lines += [f"    {name} 1 {first}", f"    {'':{len(name)}}   {second}"]
        lines += ["  }"]
    return [write_whole(path, "\n".join(lines) + "\n")]


def _write_phase(genotypes: Genotypes, path: Path, _: Groups) -> list[Path]:
    """Individuals, SNPs, positions, a letter S for each SNP, then two lines of alleles for each individual."""
    order = sorted(range(len(genotypes.snps)), key=lambda i: (genotypes.snps[i].chromosome, genotypes.snps[i].position))
    positions = [genotypes.snps[i].position for i in order]
    lines = [str(len(genotypes.samples)), str(len(order))]
    lines += ["P " + " ".join(map(str, positions)), "S" * len(order)]
    copies = genotypes.copies()
    for i, name in enumerate(genotypes.samples):
        pairs = [_alleles(genotypes, place, int(copies[place, i])) for place in order]
        lines.append(f"#{name}")
        lines += [" ".join("?" if pair[side] == "N" else pair[side] for pair in pairs) for side in (0, 1)]
    return [write_whole(path, "\n".join(lines) + "\n")]


def _write_snipper(genotypes: Genotypes, path: Path, groups: Groups) -> list[Path]:
    """A line for each individual: population, name, then letters such as CT, NN where missing."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["population", "sample", *(snp.id for snp in genotypes.snps)])
    copies = genotypes.copies()
    for i, name in enumerate(genotypes.samples):
        cells = ["".join(sorted(_alleles(genotypes, place, int(c)))) for place, c in enumerate(copies[:, i])]
        writer.writerow([groups[i], name, *cells])
    return [write_whole(path, text.getvalue())]


FORMATS: dict[str, Callable[[Genotypes, Path, Groups], list[Path]]] = {
    "plink": lambda genotypes, path, _: write_bed(genotypes, path),
    "vcf": lambda genotypes, path, _: write_vcf(genotypes, path),
    "csv": lambda genotypes, path, _: write_table(genotypes, path),
    "structure": _write_structure,
    "eigenstrat": _write_eigenstrat,
    "arlequin": _write_arlequin,
    "phase": _write_phase,
    "snipper": _write_snipper,
}
"""By name."""

_ENDINGS = {
    ".bed": "plink",
    ".vcf": "vcf",
    ".vcf.gz": "vcf",
    ".snipper.csv": "snipper",
    ".csv": "csv",
    ".str": "structure",
    ".stru": "structure",
    ".geno": "eigenstrat",
    ".arp": "arlequin",
    ".inp": "phase",
}
