"""From a genotype file and labels to a panel: hold individuals out, rank SNPs, search, judge on those held out.

Everything that the search sees is computed without the individuals that are held out: the ranking of the candidates,
the draws, what is learned. So the held-out accuracy is honest.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.genetics.algorithms import Algorithm, algorithm_named
from tesuji.genetics.constraints import Spacing
from tesuji.genetics.draws import Drawing, hold_out
from tesuji.genetics.evaluation import evaluate, permutation_test
from tesuji.genetics.genotypes import Source
from tesuji.genetics.labels import Labels
from tesuji.genetics.model import GroupModel
from tesuji.genetics.panel import Panel, panel_snps
from tesuji.genetics.problem import Judging, Problem
from tesuji.genetics.quality import Quality
from tesuji.genetics.scan import Progress, find_candidates
from tesuji.genetics.searching import PanelSearch, find_panels
from tesuji.genetics.statistics import Weights
from tesuji.provenance import collect

__all__ = ["Plan", "choose_panel", "describe", "make_problem"]

Search = Callable[[Problem], PanelSearch]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides which panel is chosen.

    Attributes
    ----------
    size : int
        SNPs of the panel.
    algorithm : str or Algorithm
        Who looks for it.
    seconds, evaluations : optional
        Limits of the search.
    threads : int
        Of the search.
    candidates : int
        SNPs that it chooses from: the best by `weights` that pass `quality`.
    holdout : float
        Share of each group that is held out; 0: nobody.
    quality, weights, spacing, judging
        Rules for SNPs, their ranking, what goes together, how a model is judged.
    num_draws, test_share
        Cross-validation draws within those who are not held out.
    permutations : int
        Shuffles of the labels in the permutation test; 0: none.
    resamples : int
        Searches on resampled individuals for the panel's stability, each a fifth as long; 0: none.
    seed : int
        Of everything random.
    """

    size: int = 12
    algorithm: str | Algorithm = "mcts"
    seconds: float | None = None
    evaluations: int | None = None
    threads: int = 1
    candidates: int = 5000
    holdout: float = 0.25
    quality: Quality = Quality()
    weights: Weights = Weights()
    spacing: Spacing = Spacing()
    judging: Judging = Judging()
    num_draws: int = 5
    test_share: float = 400 / 1043
    permutations: int = 200
    resamples: int = 0
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.holdout < 1:
            raise ValueError(f"holdout is {self.holdout}; it must be a share, 0 to below 1")
        if self.size < 1:
            raise ValueError(f"size is {self.size}; a panel has at least one SNP")
        if self.candidates < self.size:
            raise ValueError(f"a panel of {self.size} SNPs cannot be chosen from {self.candidates} candidates")
        if isinstance(self.algorithm, str):
            algorithm_named(self.algorithm)


def make_problem(
    source: Source, labels: Labels, plan: Plan, progress: Progress | None = None
) -> tuple[Problem, NDArray[np.intp]]:
    """The problem that the search sees, and the individuals that it does not."""
    held = hold_out(labels, plan.holdout, plan.seed) if plan.holdout > 0 else np.zeros(0, np.intp)
    seen = labels.only(np.setdiff1d(np.flatnonzero(labels.of_sample >= 0), held))
    candidates = find_candidates(
        source, seen, quality=plan.quality, weights=plan.weights, limit=plan.candidates, progress=progress
    )
    problem = Problem(
        candidates,
        seen,
        plan.size,
        judging=plan.judging,
        drawing=Drawing(num_draws=plan.num_draws, test_share=plan.test_share, seed=plan.seed),
        spacing=plan.spacing,
        include=plan.quality.include,
    )
    return problem, held


def choose_panel(
    source: Source,
    labels: Labels,
    plan: Plan,
    *,
    progress: Progress | None = None,
    on_search: Callable[[PanelSearch], bool | None] | None = None,
    search: Search | None = None,
) -> Panel:
    """Choose a panel and judge it.

    Parameters
    ----------
    source, labels, plan
        What to choose from, for whom, and how.
    progress, on_search
        Told how far the reading and the search are.
    search
        Looks for the panel instead of `find_panels` (on a cluster, say).

    Raises
    ------
    ValueError
        If the plan cannot be carried out with these data.
    """
    started, cpu_started = time.perf_counter(), time.process_time()
    problem, held = make_problem(source, labels, plan, progress)
    if search is not None:
        found = search(problem)
    else:
        found = find_panels(
            problem,
            plan.algorithm,
            seconds=plan.seconds,
            evaluations=plan.evaluations,
            threads=plan.threads,
            seed=plan.seed,
            on_progress=on_search,
        )
    panel = describe(problem, held, labels, found, plan)
    stability = {} if found.was_stopped else _stability(problem, panel, plan)
    times = {"wall_time_s": time.perf_counter() - started, "cpu_time_s": time.process_time() - cpu_started}
    origin = collect(seed=plan.seed, config=plan, **times).to_dict()
    return msgspec.structs.replace(panel, stability=stability, provenance=origin)


def describe(problem: Problem, held: NDArray[np.intp], labels: Labels, found: PanelSearch, plan: Plan) -> Panel:
    """The best panel of a search, judged on those who were held out."""
    places = list(found.best.candidates)
    genotypes = problem.panel_genotypes(places)
    copies = genotypes.copies()
    counts = _native.GroupMasks(problem.labels.of_sample, len(labels.groups)).count(genotypes.rows)
    evaluation = p = None
    if len(held):
        own = labels.only(held).of_sample
        model = GroupModel.learn(copies, problem.labels.of_sample, labels.groups, plan.judging.pseudocount)
        evaluation = evaluate(model, copies, own, plan.judging.unclassified)
        if plan.permutations:
            _, p = permutation_test(
                copies,
                labels.of_sample,
                np.flatnonzero(problem.labels.of_sample >= 0),
                held,
                labels.groups,
                pseudocount=plan.judging.pseudocount,
                repeats=plan.permutations,
                seed=plan.seed,
            )
    return Panel(
        groups=labels.groups,
        snps=panel_snps(genotypes, counts, labels.groups, [place + 1 for place in places]),
        algorithm=plan.algorithm if isinstance(plan.algorithm, str) else type(plan.algorithm).__name__.lower(),
        objective=plan.judging.objective,
        inner_value=found.best.value,
        inner_values=problem.classifier.values_by_draw(places),
        inner_accuracy=problem.accuracy(places),
        held_out_accuracy=None if evaluation is None else evaluation.accuracy,
        held_out_accuracy_everybody=None if evaluation is None else evaluation.accuracy_everybody,
        held_out=evaluation,
        permutation_p=p,
        pseudocount=plan.judging.pseudocount,
        unclassified=plan.judging.unclassified,
        held_out_samples=[problem.candidates.genotypes.samples[i] for i in held],
        search={
            "evaluated": found.evaluated,
            "seconds": round(found.seconds, 3),
            "cpu_s": round(found.cpu_s, 3),
            "is_optimal": found.is_optimal,
            "was_stopped": found.was_stopped,
            "improvements": [(round(one.seconds, 4), one.value) for one in found.improvements],
            "runners_up": [
                {"value": one.value, "snps": [problem.candidates.genotypes.snps[i].id for i in one.candidates]}
                for one in found.panels[1:3]
            ],
        },
        candidates={
            "read": problem.candidates.num_read,
            "kept": len(problem.candidates),
            "dropped": problem.candidates.dropped,
        },
    )


def _stability(problem: Problem, panel: Panel, plan: Plan) -> dict[str, float]:
    """How often searches on resampled individuals choose each SNP of the panel."""
    if not plan.resamples:
        return {}
    chosen = {snp.id: 0 for snp in panel.snps}
    rng = np.random.default_rng([plan.seed, 3])
    for i in range(plan.resamples):
        kept = np.concatenate(
            [rng.permutation(m)[: max(2, round(0.8 * len(m)))] for g in range(len(panel.groups))
             if len(m := problem.labels.members(g))]
        )  # fmt: skip
        again = Problem(
            problem.candidates,
            problem.labels.only(kept),
            problem.size,
            judging=problem.judging,
            drawing=msgspec.structs.replace(problem.drawing, seed=plan.seed + 1 + i),
            spacing=problem.spacing,
            include=problem.include,
        )
        found = find_panels(
            again,
            plan.algorithm,
            seconds=None if plan.seconds is None else plan.seconds / 5,
            evaluations=None if plan.evaluations is None else max(1, plan.evaluations // 5),
            threads=plan.threads,
            seed=plan.seed + 1 + i,
        )
        for place in found.best.candidates:
            snp = problem.candidates.genotypes.snps[place].id
            if snp in chosen:
                chosen[snp] += 1
    return {snp: count / plan.resamples for snp, count in chosen.items()}
