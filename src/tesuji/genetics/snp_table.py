"""The statistics of every SNP of a file, from one pass over it: numbers in arrays, names when somebody asks."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics import statistics, trend
from tesuji.genetics.genotypes import Snp, Source
from tesuji.genetics.labels import Labels
from tesuji.genetics.scan import Progress, scan
from tesuji.writing import opened_whole

__all__ = ["SORTS", "SnpTable", "snp_statistics", "write_statistics"]

Floats = NDArray[np.float64]
SORTS = ("informativeness", "theta", "theta_large_sample", "delta", "p", "score")


class SnpTable(msgspec.Struct, frozen=True):
    """A column for each statistic, a row for each SNP.

    Attributes
    ----------
    groups : tuple of str
        Of the frequencies.
    blocks : list of sequences of Snp
        The SNPs, block after block; `snp` finds one.
    frequencies : array of shape (SNPs, groups)
        Of A1.
    columns : dict
        Name -> array of shape (SNPs,): call_rate, minor_frequency, informativeness, theta, theta_large_sample, delta,
        score; with cases also z, log10_p, bonferroni, benjamini_hochberg.
    skipped : dict
        Records that the reader left out, by reason.
    """

    groups: tuple[str, ...]
    blocks: list[Sequence[Snp]]
    frequencies: NDArray[np.float32]
    columns: dict[str, Floats]
    skipped: dict[str, int]

    def __len__(self) -> int:
        return len(self.frequencies)

    def snp(self, place: int) -> Snp:
        """The SNP of a row."""
        starts = np.cumsum([0, *(len(block) for block in self.blocks)])
        block = bisect_right(starts.tolist(), place) - 1
        return self.blocks[block][place - int(starts[block])]

    def best(self, by: str, count: int) -> NDArray[np.intp]:
        """The rows of the most remarkable SNPs, best first.

        Raises
        ------
        ValueError
            For something that there is not.
        """
        if by not in SORTS or (by == "p" and "log10_p" not in self.columns):
            raise ValueError(f"cannot sort by {by!r}; there are {', '.join(SORTS)} (p only with --case)")
        column = -self.columns["log10_p"] if by == "p" else self.columns[by]
        return np.argsort(-np.nan_to_num(column, nan=-np.inf), kind="stable")[:count]

    def lines(self, places: Iterable[int] | None = None) -> Iterable[list[str]]:
        """The header, then a line of text for each of the rows."""
        names = list(self.columns)
        yield ["chromosome", "position", "id", "a1", "a2", *names, *(f"frequency_{group}" for group in self.groups)]
        if places is None:
            everyone = (snp for block in self.blocks for snp in block)
            pairs: Iterable[tuple[int, Snp]] = enumerate(everyone)
        else:
            pairs = ((int(place), self.snp(int(place))) for place in places)
        for place, snp in pairs:
            numbers = [f"{self.columns[name][place]:.6g}" for name in names]
            shares = [f"{value:.4f}" for value in self.frequencies[place]]
            yield [snp.chromosome, str(snp.position), snp.id, snp.a1, snp.a2, *numbers, *shares]


def snp_statistics(
    source: Source,
    labels: Labels,
    *,
    weights: statistics.Weights | None = None,
    case: str | None = None,
    model: str = "additive",
    progress: Progress | None = None,
) -> SnpTable:
    """Read a file once.

    Parameters
    ----------
    source, labels
        Genotypes and groups.
    weights
        Of the score.
    case
        The group of the cases, for the trend test against all others; None: no test.
    model
        Of the trend test.
    progress
        Told how far it is.

    Raises
    ------
    ValueError
        For an unknown group or model, or a file without SNPs.
    """
    weights = weights or statistics.Weights()
    if case is not None and case not in labels.groups:
        raise ValueError(f"there is no group {case!r}; there are {', '.join(labels.groups)}")
    names = ["call_rate", "minor_frequency", "informativeness", "theta", "theta_large_sample", "delta", "score"]
    parts: dict[str, list[Floats]] = {name: [] for name in [*names, *(["z"] if case else [])]}
    blocks, frequencies = [], []
    for block, counts in scan(source, labels, progress):
        blocks.append(block.snps)
        pooled = counts.sum(axis=1)
        called = pooled[:, :3].sum(axis=1)
        share = np.divide(pooled[:, 1] + 2 * pooled[:, 2], 2 * called, out=np.zeros(len(called)), where=called > 0)
        numbers = {
            "call_rate": called / np.maximum(pooled.sum(axis=1), 1),
            "minor_frequency": np.minimum(share, 1 - share),
            "informativeness": statistics.informativeness(counts),
            "theta": statistics.theta(counts),
            "theta_large_sample": statistics.theta_large_sample(counts),
            "delta": statistics.delta(counts),
        }
        numbers["score"] = (
            weights.informativeness * numbers["informativeness"]
            + weights.theta * numbers["theta_large_sample"]
            + weights.delta * numbers["delta"]
        )
        if case is not None:
            numbers["z"] = trend.trend_z(counts, labels.groups.index(case), model)
        for name, values in numbers.items():
            parts[name].append(values)
        frequencies.append(statistics.allele_frequencies(counts).astype(np.float32))
    if not blocks:
        raise ValueError("the file has no SNPs with two alleles")
    columns = {name: np.concatenate(values) for name, values in parts.items()}
    if case is not None:
        columns["log10_p"] = trend.log10_p(columns["z"])
        p = 10.0 ** columns["log10_p"]
        columns["bonferroni"] = trend.adjust(p, "bonferroni")
        columns["benjamini_hochberg"] = trend.adjust(p, "benjamini-hochberg")
    return SnpTable(labels.groups, blocks, np.concatenate(frequencies), columns, dict(source.skipped))


def write_statistics(table: SnpTable, path: Path) -> None:
    """Write all rows as TSV; an unfinished file never bears the name."""
    with opened_whole(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(table.lines())
