"""One search over many machines: independent roots on Dask workers that tell each other what they found.

Every worker searches the same position with a seed of its own. In rounds, each reports its most visited nodes
(`Search.statistics`) and takes in what the others found at the nodes that it has, as root parallelisation does in the
literature of Basaldúa, 3.1.4. The answer is the sum of what all roots found. What is not done: one tree spread over
machines, and moving work to a machine that idles.

The arithmetic of the exchange is `Exchange`, which knows no cluster; docs/algorithms/cluster.md tells it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tesuji.games import Game
from tesuji.go import Board
from tesuji.provenance import collect
from tesuji.search import Search, SearchConfig, SearchResult, Statistics

__all__ = ["ClusterSearch", "Exchange"]

_MOVES, _PROOF = 0, 5  # rows of the statistics that are not sums


class Report(msgspec.Struct, frozen=True):
    """What a root says after a round."""

    found: Statistics
    simulations: int
    proof: str


class Exchange:
    """Who found what, and who has been told what: so that nothing is counted twice.

    Parameters
    ----------
    num_roots : int
        How many searches take part.
    """

    def __init__(self, num_roots: int) -> None:
        self._own: list[Statistics] = [{} for _ in range(num_roots)]
        self._told: list[Statistics] = [{} for _ in range(num_roots)]
        self._has: list[set[tuple[int, ...]]] = [set() for _ in range(num_roots)]

    def report(self, root: int, found: Statistics) -> None:
        """Note what a root reports: its own findings and what it was told, in one sum."""
        own, told = self._own[root], self._told[root]
        self._has[root] = set(found)
        for path, rows in found.items():
            own[path] = _difference(rows, told[path]) if path in told else rows

    def news_for(self, root: int) -> Statistics:
        """What the others have found at the nodes of a root since it was last told."""
        news: Statistics = {}
        for path in self._has[root]:
            others = [own[path] for i, own in enumerate(self._own) if i != root and path in own]
            if not others:
                continue
            total = _sum(others)
            told = self._told[root].get(path)
            fresh = total if told is None else _difference(total, told)
            self._told[root][path] = total
            if fresh[_MOVES + 1 :].any():
                news[path] = fresh
        return news

    def total(self) -> Statistics:
        """What all roots found together."""
        paths = {path for own in self._own for path in own}
        return {path: _sum([own[path] for own in self._own if path in own]) for path in paths}

    def advance(self, move: int) -> None:
        """Keep what is known below a move that was played."""
        for known in (*self._own, *self._told):
            below = {path[1:]: rows for path, rows in known.items() if path[:1] == (move,)}
            known.clear()
            known.update(below)
        self._has = [set() for _ in self._has]

    def drop(self, root: int) -> None:
        """A root is gone; what it found so far stays counted."""
        self._has[root] = set()


class ClusterSearch:
    """A search on the workers of a Dask cluster, one root on each.

    Parameters
    ----------
    game : Game or Board
        Where to search; it travels to the workers, so it must be picklable (all games of the library are).
    config : SearchConfig, optional
        Of every root; ``graph="tree"``.
    client : dask.distributed.Client
        The cluster.
    num_roots : int, optional
        How many workers to use; all by default.
    interval_s : float
        Seconds between two exchanges.
    share : float
        Nodes with at least this share of a root's visits are told.
    max_nodes : int
        At most so many nodes.

    Examples
    --------
    >>> from dask.distributed import Client
    >>> from tesuji.go import Board
    >>> with ClusterSearch(Board(9), client=Client("tcp://host:8786")) as search:  # doctest: +SKIP
    ...     print(search.run(seconds=10))
    """

    def __init__(
        self,
        game: Game | Board,
        config: SearchConfig | None = None,
        *,
        client: Any,
        num_roots: int | None = None,
        interval_s: float = 1.0,
        share: float = 0.05,
        max_nodes: int = 200,
    ) -> None:
        if not interval_s > 0:
            raise ValueError(f"interval_s is {interval_s}; it must be above 0")
        self.config = config or SearchConfig()
        if self.config.graph != "tree" or self.config.parallel == "roots":
            raise ValueError("roots on a cluster exchange trees; use graph='tree' and not parallel='roots'")
        self.interval_s, self.share, self.max_nodes = interval_s, share, max_nodes
        self._game = game.copy()
        self._client = client
        self._hosts = _choose_hosts(client, num_roots)
        self._roots: dict[int, Any] = {}
        self._exchange = Exchange(len(self._hosts))

    def __enter__(self) -> ClusterSearch:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def num_roots(self) -> int:
        """How many workers search; fewer than at the start if some have died."""
        return len(self._roots or self._hosts)

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int = 1,
        on_progress: Callable[[SearchResult], bool | None] | None = None,
    ) -> SearchResult:
        """Search until the first limit is reached or a root is proved.

        Parameters
        ----------
        simulations : int, optional
            Of all roots together, split evenly; they exchange after every tenth part.
        seconds : float, optional
            Of wall time.
        seed : int
            Root i uses ``seed + i``. The rounds of `simulations` repeat exactly; those of `seconds` do not.
        on_progress : callable, optional
            Called after every exchange with the result so far; returning False ends the run.

        Raises
        ------
        ValueError
            Without a limit.
        RuntimeError
            If every worker is lost.
        """
        if simulations is None and seconds is None:
            raise ValueError("a run needs a limit; give simulations or seconds")
        self._start_roots(seed)
        started, cpu_started = time.perf_counter(), time.process_time()
        done = 0
        while True:
            left_s = None if seconds is None else seconds - (time.perf_counter() - started)
            batch = None if simulations is None else min(max(simulations // 10, 1), simulations - done)
            if (left_s is not None and left_s <= 0) or batch == 0:
                break
            reports = self._round(batch, None if left_s is None else min(left_s, self.interval_s))
            done += sum(report.simulations for report in reports)
            wall_s = time.perf_counter() - started
            goes_on = on_progress is None or on_progress(self._result(done, wall_s, seed)) is not False
            if not goes_on or any(report.proof for report in reports):
                break
        wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
        provenance = collect(seed=seed, config=self.config, wall_time_s=wall_s, cpu_time_s=cpu_s)
        return self._result(done, wall_s, seed).replace(provenance=provenance)

    def advance(self, move: int) -> None:
        """Play a move at every root and keep what is known below it."""
        self._game.play(move)
        self._exchange.advance(move)
        for index, root in list(self._roots.items()):
            self._ask(index, root.advance(move))

    def close(self) -> None:
        """Free the workers."""
        self._roots.clear()

    def _start_roots(self, seed: int) -> None:
        if self._roots:
            return
        futures = {
            index: self._client.submit(Root, self._game, self.config, seed + index, workers=[host], actor=True)
            for index, host in enumerate(self._hosts)
        }
        self._roots = {index: future.result() for index, future in futures.items()}

    def _round(self, batch: int | None, seconds: float | None) -> list[Report]:
        """All roots search at once, then each hears what the others found."""
        shares = [None] * len(self._roots) if batch is None else _even_shares(batch, len(self._roots))
        asked = {
            index: root.search(self._exchange.news_for(index), share, seconds, self.share, self.max_nodes)
            for share, (index, root) in zip(shares, self._roots.items(), strict=True)
            if share != 0
        }
        reports = {index: self._ask(index, answer) for index, answer in asked.items()}
        for index, report in reports.items():
            if report is not None:
                self._exchange.report(index, report.found)
        if not self._roots:
            raise RuntimeError("every worker of the cluster is lost; start workers and search again")
        return [report for report in reports.values() if report is not None]

    def _ask(self, index: int, answer: Any) -> Any:
        """An actor's answer; a root whose worker has died is left out from then on."""
        try:
            return answer.result()
        except (OSError, ValueError, RuntimeError) as error:
            if not _is_lost(error):
                raise
            self._roots.pop(index, None)
            self._exchange.drop(index)
            return None

    def _result(self, simulations: int, seconds: float, seed: int) -> SearchResult:
        total = self._exchange.total()
        here = Search(self._game, self.config)
        here.take_in({(): total[()]} if () in total else {})
        found = here.result()
        lines = [[int(move), *_main_line(total, (int(move),))] for move in found.moves]
        best = [line for line in lines if line[0] == found.best_move]
        return found.replace(
            lines=lines,
            main_line=best[0] if best else [],
            counts={**found.counts, "simulations": simulations},
            seconds=seconds,
            seed=seed,
        )


class Root:
    """A search as a Dask actor; it lives on one worker."""

    def __init__(self, game: Any, config: SearchConfig, seed: int) -> None:
        self._search = Search(game, config)
        self._seed = seed

    def search(
        self, news: Statistics, simulations: int | None, seconds: float | None, share: float, max_nodes: int
    ) -> Report:
        """Hear what the others found, search on, and report."""
        if news:
            self._search.take_in(news)
        result = self._search.run(simulations=simulations, seconds=seconds, seed=self._seed)
        return Report(
            self._search.statistics(share=share, max_nodes=max_nodes), result.counts["simulations"], result.proof
        )

    def advance(self, move: int) -> None:
        """Play a move at the root."""
        self._search.advance(move)


def _difference(rows: Any, less: Any) -> Any:
    fresh = rows.copy()
    fresh[_MOVES + 1 : _PROOF] -= less[_MOVES + 1 : _PROOF]
    return fresh


def _sum(found: list[Any]) -> Any:
    total = found[0].copy()
    for rows in found[1:]:
        total[_MOVES + 1 : _PROOF] += rows[_MOVES + 1 : _PROOF]
        total[_PROOF] = total[_PROOF].astype(int) | rows[_PROOF].astype(int)
    return total


def _main_line(total: Statistics, path: tuple[int, ...]) -> list[int]:
    line: list[int] = []
    while path in total and total[path][1].max() > 0:
        rows = total[path]
        line.append(int(rows[_MOVES][np.argmax(rows[1])]))
        path = (*path, line[-1])
    return line


def _even_shares(number: int, parts: int) -> list[int | None]:
    return [number // parts + (i < number % parts) for i in range(parts)]


def _choose_hosts(client: Any, num_roots: int | None) -> list[str]:
    hosts = sorted(client.scheduler_info(n_workers=-1)["workers"])
    if not hosts:
        raise ValueError("the cluster has no workers; start some with `dask worker ADDRESS`")
    if num_roots is not None and not 1 <= num_roots <= len(hosts):
        raise ValueError(f"num_roots is {num_roots}; the cluster has {len(hosts)} workers")
    return hosts[: num_roots or len(hosts)]


def _is_lost(error: Exception) -> bool:
    """Say whether a worker died, rather than the search failed."""
    return isinstance(error, OSError) or "lost" in str(error).lower()
