"""Searches in rounds: kept in a file so that a later run goes on, and spread over workers.

A round is a search of its own with its own random numbers. What is kept between rounds are the best panels: a later
round begins with them, and what it returns is never worse. Trees and queues are not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from tesuji.genetics.algorithms import Algorithm
from tesuji.genetics.panel import write_json
from tesuji.genetics.problem import Problem
from tesuji.genetics.searching import FoundPanel, PanelSearch, find_panels

__all__ = ["Kept", "fingerprint", "merged", "read_kept", "search_on_workers", "write_kept"]

_KEPT_PANELS = 16


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What earlier rounds found.

    Attributes
    ----------
    problem : str
        Fingerprint of the problem that they belong to.
    rounds : int
        How many there were.
    found : PanelSearch
        All together.
    """

    problem: str
    rounds: int
    found: PanelSearch


class Workers(Protocol):
    """Who does rounds: `tesuji.experiments.workers` has such."""

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_result: Callable[[Any, Any], object],
        on_failure: Callable[[Any, str], object],
    ) -> Any:
        """Do the function for each task."""
        ...


def fingerprint(problem: Problem) -> str:
    """The same for the same data and rules, and practically only for these."""
    digest = hashlib.sha256(problem.candidates.genotypes.rows.tobytes())
    digest.update(problem.labels.of_sample.tobytes())
    parts = (problem.size, problem.judging, problem.drawing, problem.spacing, sorted(problem.include))
    digest.update(msgspec.json.encode(parts))
    digest.update("\n".join(snp.id for snp in problem.candidates.genotypes.snps).encode())
    return digest.hexdigest()[:16]


def read_kept(path: Path, problem: Problem) -> Kept | None:
    """What a file keeps of this problem; None if there is no file.

    Raises
    ------
    ValueError
        If it belongs to another problem or is no such file.
    """
    if not path.exists():
        return None
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: it holds no rounds of a search: {error}") from error
    if kept.problem != fingerprint(problem):
        raise ValueError(
            f"{path}: it belongs to other data or other rules; repeat the command it was made with, or name another"
        )
    return kept


def write_kept(path: Path, problem: Problem, kept: Kept | None, found: PanelSearch) -> Kept:
    """Keep a round's panels with those of earlier ones."""
    together = found if kept is None else merged([kept.found, found], one_after_the_other=True)
    new = Kept(problem=fingerprint(problem), rounds=1 + (kept.rounds if kept else 0), found=together)
    write_json(new, path)
    return new


def merged(searches: Sequence[PanelSearch], *, one_after_the_other: bool = False) -> PanelSearch:
    """Several searches of one problem as one: the best panels of all."""
    panels: dict[tuple[int, ...], FoundPanel] = {}
    improvements: list[FoundPanel] = []
    start = 0.0
    for search in searches:
        for one in search.improvements:
            improvements.append(msgspec.structs.replace(one, seconds=start + one.seconds))
        for one in search.panels:
            panels.setdefault(one.candidates, msgspec.structs.replace(one, seconds=start + one.seconds))
        start += search.seconds if one_after_the_other else 0.0
    rising: list[FoundPanel] = []
    for one in sorted(improvements, key=lambda one: one.seconds):
        if not rising or one.value > rising[-1].value:
            rising.append(one)
    seconds = [search.seconds for search in searches]
    return PanelSearch(
        panels=tuple(sorted(panels.values(), key=lambda one: (-one.value, one.candidates))[:_KEPT_PANELS]),
        improvements=tuple(rising),
        evaluated=sum(search.evaluated for search in searches),
        seconds=sum(seconds) if one_after_the_other else max(seconds),
        cpu_s=sum(search.cpu_s for search in searches),
        is_optimal=any(search.is_optimal for search in searches),
        was_stopped=any(search.was_stopped for search in searches),
    )


class _Round(msgspec.Struct, frozen=True):
    problem: Problem
    algorithm: str | Algorithm
    seconds: float | None
    evaluations: int | None
    threads: int
    seed: int


def _do_round(task: _Round) -> PanelSearch:
    return find_panels(
        task.problem,
        task.algorithm,
        seconds=task.seconds,
        evaluations=task.evaluations,
        threads=task.threads,
        seed=task.seed,
    )


def search_on_workers(
    problem: Problem,
    algorithm: str | Algorithm,
    workers: Workers,
    rounds: int,
    *,
    seconds: float | None = None,
    evaluations: int | None = None,
    threads: int = 1,
    seed: int = 1,
    on_round: Callable[[PanelSearch, int], object] | None = None,
) -> PanelSearch:
    """So many rounds with other random numbers, wherever the workers are; the best of all.

    Raises
    ------
    ValueError
        If every round failed.
    """
    found: list[PanelSearch] = []
    failures: list[str] = []

    def keep(_: _Round, search: PanelSearch) -> None:
        found.append(search)
        if on_round is not None:
            on_round(merged(found), len(found))

    tasks = [_Round(problem, algorithm, seconds, evaluations, threads, seed + 7919 * i) for i in range(rounds)]
    workers.run(_do_round, tasks, on_result=keep, on_failure=lambda _, why: failures.append(why))
    if not found:
        raise ValueError(f"no round of the search ended well: {failures[0] if failures else 'nobody did one'}")
    return merged(found)
