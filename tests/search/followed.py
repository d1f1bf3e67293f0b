"""A search that is followed simulation by simulation by its shadow, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from search.graph_view import GraphView
from search.shadow import Shadow
from search.shadow_game import Judge, Scale, ToldScale
from search.toy_games import Picks, PicksForOne, hash_of
from tesuji.search import Evaluation, Grouping, Search, SearchConfig, SearchResult
from tesuji.search.playouts import RecordedPlayouts

__all__ = ["Followed", "Situation"]

_GROUPS_OF_A_KIND = 4096


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A config and all that comes with it.

    Attributes
    ----------
    config : SearchConfig
        Of the search.
    for_one : bool
        Whether the game is for one player.
    grouping : Grouping or None
        Of the moves.
    judges : {"", "values", "priors", "both"}
        What the evaluator gives; none if empty.
    records : bool
        Whether playouts are recorded.
    saves : bool
        Whether the search is saved in the middle and goes on from the file.
    """

    config: SearchConfig
    for_one: bool = False
    grouping: Grouping | None = None
    judges: str = ""
    records: bool = False
    saves: bool = False

    def game(self) -> Picks:
        """A new one: five cells of which four are taken."""
        if self.for_one:
            return PicksForOne(seed=4, cells=5, length=4, values=[-7.5, -300.0, -2.25, 40.0, 3.0, -11.0, 0.5])
        return Picks(seed=4, cells=5, length=4, takes_turns=False)

    def judge(self) -> Judge | None:
        """The evaluator, state by state."""
        if not self.judges:
            return None

        def value(state: Any) -> float:
            share = hash_of(9, *state.taken) % 65 / 64
            return 60 * share - 40 if self.for_one else share

        def priors(state: Any) -> Sequence[float]:
            return [(1 + hash_of(10, move, *state.taken) % 100) / 128 for move in range(state.num_distinct_moves)]

        return Judge(
            value if self.judges != "priors" else None,
            priors if self.judges != "values" else None,
            self.config.evaluation,
        )


class Followed:
    """A search and its shadow; with independent roots, one for each."""

    def __init__(self, situation: Situation) -> None:
        self.situation, config = situation, situation.config
        self.game, self.judge = situation.game(), situation.judge()
        self.recorded = RecordedPlayouts(capacity=20) if situation.records else None
        self.search = Search(self.game, config, **self._given())
        has_roots = config.parallel == "roots"
        is_told = situation.for_one and config.threads > 1 and not has_roots
        self.scale = (ToldScale if is_told else Scale)("minimise") if situation.for_one else None
        self.shadows = [
            Shadow(
                situation.game(), config, grouping=situation.grouping, judge=self.judge, scale=self.scale, worker=worker
            )
            for worker in range(config.threads if has_roots else 1)
        ]

    def _given(self) -> dict[str, Any]:
        given: dict[str, Any] = {}
        if self.judge is not None:
            given["evaluator"] = evaluator_of(self.judge)
        if self.situation.grouping is not None:
            given["grouping"] = self.situation.grouping
        if self.recorded is not None:
            given["playouts"] = self.recorded
        return given

    def follow(self, simulations: int, folder: Path, *, compare_every: int = 8) -> None:
        """Run and follow; a search that is saved goes on from its file after half of the simulations."""
        for done in range(1, simulations + 1):
            result = self.search.run(simulations=1, seed=1)
            if result.simulations == 0:  # the root is proved
                break
            self._follow_one()
            if done % compare_every == 0:
                self.compare()
            if self.situation.saves and done == simulations // 2:
                self.search = Search.load(self.search.save(folder / "saved.graph"), self.game, **self._given())
        self.compare()

    def _follow_one(self) -> None:
        graphs, ends = self.graphs(), self.game.trace.take()
        if self.recorded is not None:
            self._check_record(ends)
        for shadow, graph in zip(self.shadows, graphs, strict=True):
            if len(graphs) == 1 or graph.root.visits != shadow.root.visits:
                shadow.follow(graph, ends)

    def _check_record(self, ends: list[Any]) -> None:
        """What was recorded is what was played, but for walks that came to the end of the game."""
        assert self.recorded is not None
        recorded = [
            ([(m.player, m.move) for m in [*one.walk, *one.moves]], one.value) for one in self.recorded.playouts
        ]
        assert all(playout in ends for playout in recorded)
        assert len(ends) - len(recorded) in (0, 1)
        self.recorded.clear()

    def graphs(self) -> list[GraphView]:
        """All of them; `Search.graph` has the first only."""
        if len(self.shadows) == 1 and not isinstance(self.scale, ToldScale):
            return [GraphView(self.search.graph())]
        saved = self.search._search.snapshot()
        if isinstance(self.scale, ToldScale):
            low, high = saved["found"]["numbers"][:2].tolist()
            self.scale.ends = low, high
        return [GraphView(self._public(columns)) for columns in saved["graphs"]]

    def _public(self, columns: dict[str, Any]) -> dict[str, Any]:
        """As `Search.graph` has them."""
        amaf, columns = self.situation.config.amaf, dict(columns)
        if amaf is not None and amaf.fades:
            columns["edge_amaf_visits"] = columns["edge_amaf_visits"] / 16
        kinds = (columns["edge_move"] - self.game.num_distinct_moves) // _GROUPS_OF_A_KIND
        return columns | {"edge_group": np.where(kinds >= 0, kinds, -1)}

    def compare(self) -> None:
        """All numbers of all graphs, and the answer that is read from them."""
        for shadow, graph in zip(self.shadows, self.graphs(), strict=True):
            if shadow.root.edges is not None:
                shadow.compare(graph)
        result = self.search.result()
        if len(self.shadows) == 1:
            self.shadows[0].compare_result(result)
        else:
            self._compare_merged(result)

    def _compare_merged(self, result: SearchResult) -> None:
        """Independent roots are added up."""
        total = sum(shadow.root.visits for shadow in self.shadows)
        assert result.visits.sum() == sum(
            shadow.root.num_walks for shadow in self.shadows if shadow.root.edges is not None
        )
        first = self.shadows[0]
        if self.situation.config.value_from == "results" and not result.proof:
            mean = sum(shadow.root.value for shadow in self.shadows) / total
            assert result.value == first._about(first._read(mean), 1, 1e-5)


def evaluator_of(judge: Judge) -> Callable[[Any], Any]:
    """The same for a batch."""

    def evaluate(batch: Any) -> Any:
        values = [judge.value(state) for state in batch.states] if judge.value is not None else None
        priors = [judge.priors(state) for state in batch.states] if judge.priors is not None else None
        return values if priors is None else (values, priors)

    return evaluate


def evaluation(**fields: Any) -> Evaluation:
    """Of small batches."""
    return Evaluation(batch_size=4, **fields)
