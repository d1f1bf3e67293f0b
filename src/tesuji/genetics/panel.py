"""A chosen panel: its SNPs, what was learned of them in each group, how good it is, and where it comes from.

It is a JSON file. With it new individuals can be classified; nothing else is needed. Choosing is in `choosing.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics import statistics
from tesuji.genetics.evaluation import Evaluation
from tesuji.genetics.genotypes import MISSING, Genotypes, Snp, Source, unpack
from tesuji.genetics.model import GroupModel
from tesuji.writing import write_whole

__all__ = ["Panel", "PanelSnp", "match_panel", "read_panel", "write_json"]

_FORMAT = "tesuji snp panel 1"
_MANY = 10**12  # individuals that nobody has


class PanelSnp(msgspec.Struct, frozen=True, kw_only=True):
    """A SNP of a panel.

    Attributes
    ----------
    id, chromosome, position, a1, a2
        As in `Snp`.
    counts : dict
        Group -> individuals with 0, 1, 2 copies of A1, of those that were learned from.
    frequencies : dict
        Group -> frequency of A1 among them.
    informativeness, theta, delta : float
        Over the same individuals: I_n (5.39), theta_ST (Weir and Cockerham), mean difference of frequencies (5.43).
    rank : int
        Among the candidates, from 1.
    annotation : dict
        What a user's own table says of it.
    """

    id: str
    chromosome: str
    position: int
    a1: str
    a2: str
    counts: dict[str, list[int]]
    frequencies: dict[str, float]
    informativeness: float
    theta: float
    delta: float
    rank: int
    annotation: dict[str, str] = {}

    @property
    def snp(self) -> Snp:
        """The marker."""
        return Snp(self.chromosome, self.id, self.position, self.a1, self.a2)


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A panel with everything that belongs to it.

    Attributes
    ----------
    groups : tuple of str
        That it tells apart.
    snps : tuple of PanelSnp
        In the order of their ranks.
    algorithm : str
        Who found it.
    objective : str
        By what: right, balanced, expected or log-loss.
    inner_value : float
        By the objective, mean over the draws of the search. The search has seen these individuals.
    inner_values : list of float
        By draw.
    inner_accuracy : float
        Right ones among the classified, mean over the draws of the search, whatever the objective.
    held_out_accuracy : float or None
        On individuals that the search never saw, by the same rule; None if nobody was held out.
    held_out_accuracy_everybody : float or None
        The same with everybody classified.
    held_out : Evaluation or None
        More about them.
    permutation_p : float or None
        Of the held-out accuracy, among shuffled labels.
    stability : dict
        SNP id -> share of searches on resampled individuals that chose it too; empty if not asked for.
    pseudocount, unclassified : float
        Of the classifier.
    held_out_samples : list of str
        Who was held out.
    search : dict
        Models judged, seconds, processor seconds, when each improvement came.
    candidates : dict
        SNPs read, candidates, left out by reason.
    provenance : dict
        Settings, seed, version, commit, machine.
    """

    format: str = _FORMAT
    groups: tuple[str, ...]
    snps: tuple[PanelSnp, ...]
    algorithm: str
    objective: str
    inner_value: float
    inner_values: list[float]
    inner_accuracy: float
    held_out_accuracy: float | None
    held_out_accuracy_everybody: float | None
    held_out: Evaluation | None
    permutation_p: float | None = None
    stability: dict[str, float] = {}
    pseudocount: float = 0.5
    unclassified: float = 0.05
    held_out_samples: list[str] = []
    search: dict[str, Any] = {}
    candidates: dict[str, Any] = {}
    provenance: dict[str, Any] = {}

    def model(self) -> GroupModel:
        """Its classifier."""
        counts = np.array([[snp.counts[group] for group in self.groups] for snp in self.snps], np.int64)
        return GroupModel(self.groups, counts, self.pseudocount)

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        write_json(self, path)


def panel_snps(
    genotypes: Genotypes, counts: NDArray[np.int32], groups: tuple[str, ...], ranks: list[int]
) -> tuple[PanelSnp, ...]:
    """SNPs with what was counted of them, of shape (SNPs, groups, 4)."""
    frequencies = statistics.allele_frequencies(counts)
    numbers = zip(statistics.informativeness(counts), statistics.theta(counts), statistics.delta(counts), strict=True)
    return tuple(
        PanelSnp(
            id=snp.id,
            chromosome=snp.chromosome,
            position=snp.position,
            a1=snp.a1,
            a2=snp.a2,
            counts={group: counts[i, g, :3].tolist() for g, group in enumerate(groups)},
            frequencies={group: float(frequencies[i, g]) for g, group in enumerate(groups)},
            informativeness=float(informativeness),
            theta=float(theta),
            delta=float(delta),
            rank=ranks[i],
        )
        for i, (snp, (informativeness, theta, delta)) in enumerate(zip(genotypes.snps, numbers, strict=True))
    )


def write_json(value: Any, path: Path) -> None:
    """Write a struct as indented JSON; an unfinished file never bears the name."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def read_panel(path: str | Path) -> Panel:
    """Read a panel.

    Raises
    ------
    ValueError
        If the file holds none.
    """
    path = Path(path)
    try:
        panel = msgspec.json.decode(path.read_bytes(), type=Panel)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{path}: it is not a panel: {error}") from error
    if panel.format != _FORMAT:
        raise ValueError(f"{path}: its format is {panel.format!r}; this version reads {_FORMAT!r}")
    if len(panel.groups) < 2 or not panel.snps:
        raise ValueError(f"{path}: a panel has at least two groups and one SNP")
    if not 0 < panel.pseudocount < float("inf") or not 0 <= panel.unclassified < 1:
        raise ValueError(
            f"{path}: its pseudocount is {panel.pseudocount}, its unclassified {panel.unclassified}; they must be above"
            " 0, and from 0 to below 1"
        )
    for snp in panel.snps:
        for group in panel.groups:
            counts = snp.counts.get(group, ())
            if len(counts) != 3 or not all(0 <= count < _MANY for count in counts):
                raise ValueError(f"{path}: {snp.id} has no three counts for the group {group!r}")
    return panel


def match_panel(panel: Panel, source: Source) -> tuple[NDArray[np.int8], list[str]]:
    """The panel's genotypes in a file: copies of the panel's A1, of shape (SNPs, individuals), and notes.

    SNPs are found by id, or else by place; alleles that are named the other way round, or on the other strand where
    that is plain, are turned. A table of 0, 1 and 2 names no alleles: its numbers are taken for copies of the panel's
    A1, and a note says so. A SNP that is not there is missing in everybody.
    """
    wanted_id = {snp.id: i for i, snp in enumerate(panel.snps)}
    wanted_place = {
        (snp.chromosome.removeprefix("chr"), snp.position): i for i, snp in enumerate(panel.snps) if snp.position
    }
    copies = np.full((len(panel.snps), len(source.samples)), MISSING, np.int8)
    found: set[int] = set()
    notes = []
    num_unnamed = 0
    for block in source.blocks():
        for row, snp in enumerate(block.snps):
            i = wanted_id.get(snp.id)
            if i is None:
                i = wanted_place.get((snp.chromosome.removeprefix("chr"), snp.position))
            if i is None or i in found:
                continue
            is_unnamed = _names_no_alleles(snp) and not _names_no_alleles(panel.snps[i].snp)
            num_unnamed += is_unnamed
            turn = False if is_unnamed else _turn(panel.snps[i], snp)
            if turn is None:
                notes.append(
                    f"{snp.id}: its alleles are {snp.a1}/{snp.a2}, the panel's {panel.snps[i].a1}/{panel.snps[i].a2};"
                    " it is left out"
                )
                continue
            found.add(i)
            here = unpack(block.rows[row : row + 1], len(source.samples))[0]
            copies[i] = np.where(here == MISSING, MISSING, 2 - here) if turn else here
    absent = [panel.snps[i].id for i in range(len(panel.snps)) if i not in found]
    if len(absent) == len(panel.snps):
        why = f"; {notes[0]}" if notes else ""
        raise ValueError(
            f"none of the panel's {len(panel.snps)} SNPs is in the file (looked for {', '.join(absent[:5])}){why}"
        )
    if num_unnamed:
        notes.append(
            f"{num_unnamed} SNPs come without alleles; their numbers are taken for copies of the panel's A1, as"
            " `tesuji genetics convert` writes them"
        )
    if absent:
        notes.append(f"{len(absent)} of the panel's SNPs are not in the file: {', '.join(absent[:5])}")
    return copies, notes


def _names_no_alleles(snp: Snp) -> bool:
    return (snp.a1, snp.a2, snp.position) == ("1", "2", 0)


_OTHER_STRAND = str.maketrans("ACGTacgt", "TGCAtgca")


def _turn(wanted: PanelSnp, found: Snp) -> bool | None:
    """Whether copies must be turned round; None if the alleles are others."""
    pair = (wanted.a1.upper(), wanted.a2.upper())
    here = (found.a1.upper(), found.a2.upper())
    if "0" in here:  # one allele was never seen
        here = tuple(next(iter(set(pair) - set(here)), "0") if allele == "0" else allele for allele in here)  # type: ignore[assignment]
    flipped = (here[0].translate(_OTHER_STRAND), here[1].translate(_OTHER_STRAND))
    for candidate in (here,) if wanted.snp.is_ambiguous else (here, flipped):
        if candidate == pair:
            return False
        if candidate == pair[::-1]:
            return True
    return None
