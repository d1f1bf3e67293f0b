"""A panel as tables: its SNPs with frequencies and statistics, and a list for primer design."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from tesuji.genetics.panel import Panel

__all__ = ["panel_table", "primer_list", "read_fasta"]


def panel_table(panel: Panel, delimiter: str = "\t") -> str:
    """A line for each SNP: rank, id, place, alleles, statistics, frequency of A1 in each group, annotation."""
    extra = list(dict.fromkeys(name for snp in panel.snps for name in snp.annotation))
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(
        ["rank", "id", "chromosome", "position", "a1", "a2", "informativeness", "theta", "delta"]
        + [f"frequency_{group}" for group in panel.groups]
        + (["stability"] if panel.stability else [])
        + extra
    )
    for snp in panel.snps:
        numbers = [f"{value:.6g}" for value in (snp.informativeness, snp.theta, snp.delta)]
        frequencies = [f"{snp.frequencies[group]:.4f}" for group in panel.groups]
        stability = [f"{panel.stability.get(snp.id, 0):.2f}"] if panel.stability else []
        writer.writerow(
            [snp.rank, snp.id, snp.chromosome, snp.position, snp.a1, snp.a2, *numbers, *frequencies, *stability]
            + [snp.annotation.get(name, "") for name in extra]
        )
    return text.getvalue()


def primer_list(panel: Panel, genome: Mapping[str, str] | None = None, flank: int = 100) -> str:
    """A line for each SNP with its surroundings as start and end (from 1), and as bases where a genome is given.

    The bases are written as primer programs read them: left flank, [A2/A1], right flank.

    Raises
    ------
    ValueError
        If a place is unknown, or lies beyond the genome given.
    """
    unknown = [snp.id for snp in panel.snps if snp.position <= 0]
    if unknown:
        raise ValueError(
            f"{len(unknown)} SNPs have no position, so no primers can be designed: {', '.join(unknown[:5])}"
        )
    lines = ["\t".join(["id", "chromosome", "position", "start", "end", "alleles", "sequence"])]
    for snp in panel.snps:
        start, end = max(1, snp.position - flank), snp.position + flank
        bases = ""
        if genome is not None:
            contig = genome.get(snp.chromosome) or genome.get(f"chr{snp.chromosome}")
            if contig is None or snp.position > len(contig):
                raise ValueError(f"{snp.id}: {snp.chromosome}:{snp.position} is not in the genome given")
            left, right = contig[start - 1 : snp.position - 1], contig[snp.position : end]
            bases = f"{left}[{snp.a2}/{snp.a1}]{right}"
        lines.append(
            "\t".join([snp.id, snp.chromosome, str(snp.position), str(start), str(end), f"{snp.a2}/{snp.a1}", bases])
        )
    return "\n".join(lines) + "\n"


def read_fasta(path: Path) -> dict[str, str]:
    """Contig -> bases; the name is the first word after ``>``.

    Raises
    ------
    ValueError
        If it is not a FASTA file.
    """
    found: dict[str, list[str]] = {}
    name = None
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(">"):
            name = line[1:].split()[0] if line[1:].split() else ""
            found[name] = []
        elif name is None:
            raise ValueError(f"{path}: it does not begin with '>'; this is not a FASTA file")
        else:
            found[name].append(line.strip())
    return {contig: "".join(parts) for contig, parts in found.items()}
