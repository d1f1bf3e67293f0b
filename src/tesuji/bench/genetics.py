"""How fast models of SNPs are judged and SNPs are counted, beside NumPy doing the same work.

Both sides do their work in turns, on made-up individuals of the sizes asked for (934 individuals, 7 groups, 5 draws of
358 for models; 1,000 individuals for statistics). Time is the processor's, of one thread; ratios are taken within each
round. That both give the same numbers is checked before anything is timed. The NumPy classifier is the fastest of three
that were tried: one gather of all SNPs' tables, sums over SNPs, two partitions.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.bench.search import rates
from tesuji.genetics import Drawing, Labels
from tesuji.genetics import statistics as stats
from tesuji.genetics.bed import BedSource
from tesuji.genetics.draws import Draw, make_draws
from tesuji.genetics.genotypes import pack, row_bytes, unpack
from tesuji.genetics.snp_table import snp_statistics

__all__ = ["GeneticsReport", "measure_genetics", "to_text"]

SIZE = 12
MODEL_TARGET, ADDED_TARGET, STATISTICS_TARGET = 20.0, 0.25, 50.0
_SNPS = 500
_LOOP = 300


class GeneticsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Microseconds of processor time (medians), and ratios (medians over the rounds)."""

    numpy_model_us: float
    model_us: float
    model_ratio: float
    """NumPy's time over ours for a model of 12 SNPs."""
    added_us: float
    added_ratio: float
    """Adding a SNP to kept sums, over a whole model of 12."""
    judged_us: float
    judged_ratio: float
    """Adding a SNP to kept sums and judging the model, over a whole model of 12."""
    loop_us: float
    """A SNP, by a NumPy loop over SNPs."""
    scan_us: float
    """A SNP, by one pass over a bed file: read, counted, all statistics."""
    scan_ratio: float
    scan_snps: int
    scan_s: float
    """On the clock."""
    resident_mb: float
    """The most that this process had in memory."""


def measure_genetics(*, rounds: int = 7, snps: int = 1_000_000) -> GeneticsReport:
    """Measure; the pass over a file is over so many SNPs of 1,000 individuals."""
    models = _measure_models(rounds)
    scans = _measure_scan(rounds, snps)
    return GeneticsReport(**models, **scans, resident_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


# --- models -----------------------------------------------------------------------------------------------------------


def _people(num_snps: int, sizes: tuple[int, ...], seed: int = 1) -> tuple[NDArray[np.int8], Labels]:
    rng = np.random.default_rng(seed)
    p = np.clip(rng.random((num_snps, 1)) + rng.normal(0, 0.2, (num_snps, len(sizes))), 0.01, 0.99)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    copies = rng.binomial(2, p[:, groups]).astype(np.int8)
    copies[rng.random(copies.shape) < 0.01] = -1
    return copies, Labels(tuple(f"g{i}" for i in range(len(sizes))), groups.astype(np.int32))


class NumpyClassifier:
    """The classifier of 5.5.2, vectorised over draws, individuals, SNPs and groups."""

    def __init__(self, copies: NDArray[np.int8], labels: Labels, draws: list[Draw]) -> None:
        groups = len(labels.groups)
        self._tables = np.zeros((len(copies), len(draws), 4, groups), np.float32)  # the last genotype: missing
        for d, (learning, _) in enumerate(draws):
            for k in range(groups):
                members = learning[labels.of_sample[learning] == k]
                seen = copies[:, members]
                counts = np.stack([(seen == c).sum(axis=1) for c in range(3)], axis=1) + 0.5
                logs = np.log(counts / counts.sum(axis=1, keepdims=True))
                self._tables[:, d, :3, k] = np.round(logs * 4096)
        self._test = np.stack([test for _, test in draws])
        self._own = labels.of_sample[self._test]
        self._codes = np.where(copies < 0, 3, copies)[:, self._test].astype(np.intp)  # [snp, draw, individual]
        self._draws = np.arange(len(draws))[None, :, None]
        self._out = int(0.05 * self._test.shape[1] + 1e-9)

    def value(self, model: list[int]) -> float:
        """Right ones among the classified, mean over the draws; whoever ties at the limit counts in proportion."""
        rows = np.array(model)[:, None, None]
        sums = self._tables[rows, self._draws, self._codes[model]].sum(axis=0)
        best = sums.argmax(axis=2)
        top = np.partition(sums, -2, axis=2)
        margin = top[..., -1] - top[..., -2]
        right = best == self._own
        limit = np.partition(margin, self._out, axis=1)[:, [self._out]]
        above, at = margin > limit, margin == limit
        kept = margin.shape[1] - self._out - above.sum(axis=1)
        shares = kept / at.sum(axis=1)
        return float(((above & right).sum(axis=1) + (at & right).sum(axis=1) * shares).mean())


def _measure_models(rounds: int) -> dict[str, Any]:
    copies, labels = _people(_SNPS, (105, 57, 197, 235, 152, 160, 28))
    draws = make_draws(labels, Drawing())
    native = _native.make_classifier(
        pack(copies), labels.of_sample, len(labels.groups), draws, 0.5, 0.05, _native.Objective.NUM_RIGHT
    )
    plain = NumpyClassifier(copies, labels, draws)
    rng = np.random.default_rng(2)
    models = [rng.permutation(_SNPS)[:SIZE].tolist() for _ in range(64)]
    for model in models:
        if abs(native.value(model) - plain.value(model)) > 1e-6:
            raise AssertionError(f"NumPy and the core disagree about the model {model}")
    none = np.zeros(0, np.uint32)
    problem = _native.Problem(native, SIZE, [], none, none, [0.5] * _SNPS)
    partial = _native.PartialModel(problem)
    for snp in models[0][:-1]:
        partial.add(snp)
    last = models[0][-1]
    found = rates(
        {
            "numpy": (len(models), lambda _: [plain.value(model) for model in models]),
            "model": (len(models), lambda _: [native.value(model) for model in models]),
            "added": (2000, lambda _: partial.add_and_drop(last, 2000)),
            "judged": (2000, lambda _: partial.value_with(last, 2000)),
        },
        rounds=rounds,
        least_s=0.05,
    )
    us = {name: statistics.median(1e6 / rate for rate in values) for name, values in found.items()}

    def ratio(above: str, below: str) -> float:  # of times: rates the other way round
        return statistics.median(b / a for a, b in zip(found[above], found[below], strict=True))

    return {
        "numpy_model_us": us["numpy"],
        "model_us": us["model"],
        "model_ratio": ratio("numpy", "model"),
        "added_us": us["added"],
        "added_ratio": ratio("added", "model"),
        "judged_us": us["judged"],
        "judged_ratio": ratio("judged", "model"),
    }


# --- statistics -------------------------------------------------------------------------------------------------------


def _loop_over_snps(rows: NDArray[np.uint8], labels: Labels) -> list[tuple[float, float, float, float]]:
    """What one would write first: SNP by SNP, group by group, in NumPy."""
    found = []
    groups = len(labels.groups)
    members = [np.flatnonzero(labels.of_sample == k) for k in range(groups)]
    for row in rows:
        copies = unpack(row[None], len(labels.of_sample))[0]
        counts = np.zeros((1, groups, 4), np.int32)
        for k in range(groups):
            own = copies[members[k]]
            counts[0, k] = [(own == 0).sum(), (own == 1).sum(), (own == 2).sum(), (own == -1).sum()]
        found.append(
            (
                float(stats.informativeness(counts)[0]),
                float(stats.theta(counts)[0]),
                float(stats.theta_large_sample(counts)[0]),
                float(stats.delta(counts)[0]),
            )
        )
    return found


def _write_large_bed(folder: Path, copies: NDArray[np.int8], snps: int) -> Path:
    """The same few thousand SNPs again and again: counting does not look at what is inside."""
    rows = pack(copies)
    stem = folder / "large"
    with Path(f"{stem}.bed").open("wb") as bed, Path(f"{stem}.bim").open("w", encoding="ascii") as bim:
        bed.write(b"\x6c\x1b\x01")
        for first in range(0, snps, len(rows)):
            count = min(len(rows), snps - first)
            bed.write(rows[:count].tobytes())
            bim.writelines(f"{1 + i * 22 // snps}\trs{i}\t0\t{i + 1}\tA\tC\n" for i in range(first, first + count))
    Path(f"{stem}.fam").write_text("".join(f"s{i} s{i} 0 0 0 -9\n" for i in range(copies.shape[1])), encoding="ascii")
    return Path(f"{stem}.bed")


def _measure_scan(rounds: int, snps: int) -> dict[str, Any]:
    copies, labels = _people(4096, (200, 200, 200, 200, 200), seed=3)
    rows = pack(copies)
    if row_bytes(1000) != rows.shape[1]:
        raise AssertionError("a row of 1,000 individuals has 250 bytes")
    with tempfile.TemporaryDirectory() as folder:
        source = BedSource(_write_large_bed(Path(folder), copies, snps))
        short = BedSource(_write_large_bed(Path(folder), copies, 40_000)) if snps > 40_000 else source
        loop = _loop_over_snps(rows[:_LOOP], labels)
        table = snp_statistics(short, labels)
        for place, numbers in enumerate(loop):
            here = [table.columns[name][place] for name in ("informativeness", "theta", "theta_large_sample", "delta")]
            if not np.allclose(here, numbers):
                raise AssertionError(f"the loop and the pass disagree about SNP {place}")
        found = rates(
            {
                "loop": (_LOOP, lambda _: _loop_over_snps(rows[:_LOOP], labels)),
                "scan": (len(table), _scanner(short, labels)),
            },
            rounds=rounds,
            least_s=0.05,
        )
        del table
        if snps > 40_000:
            source = BedSource(_write_large_bed(Path(folder), copies, snps))
        started = time.perf_counter()
        num_scanned = len(snp_statistics(source, labels))
        clock_s = time.perf_counter() - started
    return {
        "loop_us": statistics.median(1e6 / rate for rate in found["loop"]),
        "scan_us": statistics.median(1e6 / rate for rate in found["scan"]),
        "scan_ratio": statistics.median(s / p for s, p in zip(found["scan"], found["loop"], strict=True)),
        "scan_snps": num_scanned,
        "scan_s": clock_s,
    }


def _scanner(source: BedSource, labels: Labels) -> Callable[[int], object]:
    return lambda _: snp_statistics(source, labels)


def to_text(report: GeneticsReport) -> str:
    """Return the report as a person reads it."""
    r, rows = report, []

    def row(what: str, us: float, ratio: str = "", wanted: str = "") -> None:
        rows.append(f"{what:<56} {us:>9.2f} {ratio:>8}   {wanted}".rstrip())

    rows.append("Processor time in microseconds, one thread, ours and NumPy in turns; medians.\n")
    rows.append("A model of 12 SNPs, 934 individuals, 7 groups, 5 draws:")
    row("  NumPy", r.numpy_model_us)
    row("  the core", r.model_us, f"{r.model_ratio:.1f}x", f"wanted: {MODEL_TARGET:g}x faster")
    row("  a SNP added to kept sums", r.added_us, f"{r.added_ratio:.2f}", f"wanted: {ADDED_TARGET:g} of a model")
    row("  a SNP added, and the model judged", r.judged_us, f"{r.judged_ratio:.2f}")
    rows.append("\nStatistics of a SNP, 1,000 individuals, 5 groups:")
    row("  a NumPy loop over SNPs", r.loop_us)
    row("  one pass over a bed file", r.scan_us, f"{r.scan_ratio:.0f}x", f"wanted: {STATISTICS_TARGET:g}x faster")
    rows.append(f"\n{r.scan_snps:,} SNPs in {r.scan_s:.1f} s on the clock; at most {r.resident_mb:,.0f} MB in memory.")
    return "\n".join(rows)
