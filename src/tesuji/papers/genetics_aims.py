"""Our panels beside published ones, on people whom nobody looked at: the 1000 Genomes set in two halves.

Kidd's 55 and Seldin's 128 ancestry-informative SNPs were chosen by their authors from much larger data; here they only
learn frequencies on the training half. Ours are chosen on it as well. Both are judged on the other half, everybody
classified.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, stdev

import msgspec
import numpy as np

from tesuji.genetics import (
    Genotypes,
    GroupModel,
    Judging,
    Plan,
    evaluate,
    find_panels,
    match_labels,
    open_genotypes,
    read_labels,
)
from tesuji.genetics.choosing import describe, make_problem
from tesuji.genetics.draws import hold_out
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.genetics_data import data_file, student_bounds
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import difference

__all__ = ["AIMS", "AimStudy"]

SIZES = (12, 25, 40)
CANDIDATES = 1000
SPLITS = 10
SECONDS = 60.0
_OURS = "mcts"
_SEARCHES: dict[str, tuple[str, Judging]] = {
    _OURS: ("mcts", Judging()),
    "forward": ("forward", Judging()),
    "mcts, number right": ("mcts", Judging(objective="right")),
    "forward, number right": ("forward", Judging(objective="right")),
    "topn-informativeness": ("topn-informativeness", Judging()),
    "topn-theta": ("topn-theta", Judging()),
    "topn-delta": ("topn-delta", Judging()),
}
_ANY_SIZE = (_OURS, "forward")
_PUBLISHED = {"Kidd's 55": "aim_kidd55_g1k_p3.csv", "Seldin's 128": "aim_seldin128_g1k_p3.csv"}


class _Task(msgspec.Struct, frozen=True):
    name: str
    size: int
    split: int
    processor_s: float


class AimStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[_Task]:
        """Every panel on every split."""
        splits = range(seed, seed + SPLITS)
        found = [_Task(name, 0, split, 0.0) for split in splits for name in _PUBLISHED]
        for size in SIZES:  # first: a run that is stopped has whole sizes
            found += [
                _Task(name, size, split, scale * SECONDS)
                for split in splits
                for name in _SEARCHES
                if size == SIZES[0] or name in _ANY_SIZE
            ]
        return found

    def run_task(self, task: _Task) -> Row:
        """One panel on one split."""
        groups = read_labels(data_file("g1k_p3.labels.tsv"), "superpopulation")
        if task.name in _PUBLISHED:
            return _published(task, groups)
        source = open_genotypes(data_file("g1k_p3.bed"))
        labels = match_labels(source.samples, groups)
        algorithm, judging = _SEARCHES[task.name]
        plan = Plan(
            size=task.size,
            algorithm=algorithm,
            holdout=0.5,
            candidates=CANDIDATES,
            seed=task.split,
            judging=judging,
            permutations=0,
        )
        problem, held = make_problem(source, labels, plan)
        found = find_panels(problem, algorithm, processor_s=task.processor_s, seed=task.split)
        panel = describe(problem, held, labels, found, plan)
        assert panel.held_out is not None
        return {
            "name": task.name,
            "snps": task.size,
            "split": task.split,
            "inner": panel.inner_accuracy,
            "right": round(panel.held_out.accuracy_everybody * panel.held_out.num_individuals),
            "total": panel.held_out.num_individuals,
            "log_loss": panel.held_out.log_loss,
            "ids": [snp.id for snp in panel.snps],
            "evaluated": found.evaluated,
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """Held-out accuracies, and who is better than whom, split by split."""
        by: dict[tuple[str, int], dict[int, Row]] = defaultdict(dict)
        for row in rows:
            by[row["name"], row["snps"]][row["split"]] = row
        table: list[list[Cell]] = []
        for (name, snps), found in sorted(by.items(), key=lambda item: (item[0][1], item[0][0])):
            shares = [100 * row["right"] / row["total"] for row in found.values()]
            inner = [100 * row["inner"] for row in found.values() if row["inner"] is not None]
            spread = stdev(shares) if len(shares) > 1 else 0.0
            table.append(
                [
                    snps,
                    name,
                    round(fmean(shares), 2),
                    round(spread, 2),
                    round(fmean(row["log_loss"] for row in found.values()), 3),
                    round(fmean(inner), 2) if inner else None,
                    len(shares),
                ]
            )
        columns = [
            "SNPs",
            "panel",
            "held out, everybody, %",
            "sd of splits",
            "log-loss",
            "inner, confident, %",
            "splits",
        ]
        return Findings(columns=columns, rows=table, claims=_claims(by), notes=_NOTES)


_NOTES = [
    "Splits are halves of each region, drawn anew each time; all panels are judged on the same halves.",
    "Intervals of differences are 95 %, Student's t over the splits. Splits share individuals, so they are a little too"
    " narrow.",
    "Kidd's and Seldin's SNPs were chosen elsewhere, from far more SNPs than the 23,770 here.",
]


def _published(task: _Task, groups: dict[str, str]) -> Row:
    genotypes = Genotypes.of(open_genotypes(data_file(_PUBLISHED[task.name])))
    labels = match_labels(genotypes.samples, groups)
    held = hold_out(labels, 0.5, task.split)
    seen = labels.only(np.setdiff1d(np.flatnonzero(labels.of_sample >= 0), held))
    copies = genotypes.copies()
    model = GroupModel.learn(copies, seen.of_sample, labels.groups)
    found = evaluate(model, copies, labels.only(held).of_sample)
    return {
        "name": task.name,
        "snps": len(genotypes.snps),
        "split": task.split,
        "inner": None,
        "right": round(found.accuracy_everybody * found.num_individuals),
        "total": found.num_individuals,
        "log_loss": found.log_loss,
    }


def _claims(by: dict[tuple[str, int], dict[int, Row]]) -> list[Claim]:
    claims = [_claim(by, (_OURS, SIZES[0]), (other, SIZES[0])) for other in _SEARCHES if other != _OURS]
    claims += [_claim(by, (_OURS, size), ("Kidd's 55", 55)) for size in SIZES]
    return [claim for claim in claims if claim is not None]


def _claim(by: dict[tuple[str, int], dict[int, Row]], one: tuple[str, int], other: tuple[str, int]) -> Claim | None:
    a, b = by.get(one, {}), by.get(other, {})
    both = sorted(set(a) & set(b))
    if not both:
        return None
    found = student_bounds([100 * (a[i]["right"] / a[i]["total"] - b[i]["right"] / b[i]["total"]) for i in both])
    return Claim(
        statement=f"{one[1]} SNPs by {one[0]} classify unseen people better than {other[1]} by {other[0]}.",
        verdict=difference(found),
        evidence=f"{found.value:+.2f} points [{found.low:+.2f}, {found.high:+.2f}] over {len(both)} splits",
        refuted_by="a mean difference over the splits whose 95 % interval lies below 0",
    )


AIMS = AimStudy(
    about=About(
        name="genetics/aims",
        title="Five regions of the 1000 Genomes: our panels beside Kidd's and Seldin's",
        question="How well do panels chosen on one half of the people classify the other half?",
        source="ours; the panels are Kidd and others 2014 and Kosoy, Seldin and others 2009, as shared with the data.",
        method=(
            "1000 Genomes, 2,504 people, 23,770 SNPs, five regions; ten splits into halves; panels of 12, 25 and 40"
            " of the 1,000 best SNPs, 60 s of processor time each at scale 1; everybody of the other half is"
            " classified. Unless said otherwise a search makes log-loss at a temperature of 3 small, which was chosen"
            " on other splits (seeds 101 to 108). The folder of the data is named by TESUJI_GENETICS_DATA."
        ),
        cost="scale 1: 40 minutes of one core; 0.035: three.",
    )
)
