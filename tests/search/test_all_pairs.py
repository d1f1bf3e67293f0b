"""Every pair of options on a small game: it works, or it is refused with a sentence of the table.

What works is followed simulation by simulation by the plain Python search (`Shadow`) where that knows the options;
elsewhere (threads, solver, one player, evaluators, groups, saving) the sums must hold and the answer must be right.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.puzzles import Leaves, best_value
from search.solvers import minimax
from search.toy_games import Nim
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Evaluation,
    Grouping,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    Search,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)
from tesuji.search.requirements import REQUIREMENTS, page

ROOT = Path(__file__).parents[2]


def split(state: Any) -> dict[str, list[int]]:
    """The even and the odd moves."""
    moves = list(state.legal_moves())
    return {"even": [m for m in moves if m % 2 == 0], "odd": [m for m in moves if m % 2 == 1]}


GROUPING = Grouping(find=split, kinds=("even", "odd"))


class WithPriors(Nim):
    """Nim whose priors prefer small moves."""

    def priors(self, moves: list[int]) -> list[float]:
        return [1 / (2 + move) for move in moves]

    def copy(self) -> WithPriors:
        twin = super().copy()
        twin.__class__ = WithPriors
        return twin


class LeavesWithPriors(Leaves):
    """The same for one player."""

    def priors(self, moves: list[int]) -> list[float]:
        return [1 / (2 + move) for move in moves]


def value_only(batch: Any) -> Any:
    return np.full(len(batch), 0.5)


def value_and_priors(batch: Any) -> Any:
    num_moves = batch.states[0].num_distinct_moves
    return np.full(len(batch), 0.5), np.full((len(batch), num_moves), 0.5)


# Each option: name -> values, each a pair of (fields of the config, what else the search is given).
OPTIONS: dict[str, dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "graph": {mode: ({"graph": mode}, {}) for mode in ("tree", "dag", "shared-values", "shared-counts", "multipath")},
    "selection": {
        "ucb1": ({"selection": UCB1()}, {}),
        "tuned": ({"selection": UCB1Tuned()}, {}),
        "greedy": ({"selection": EpsilonGreedy()}, {}),
        "bast": ({"selection": BAST()}, {}),
        "puct": ({"selection": PUCT()}, {}),
    },
    "amaf": {
        "none": ({}, {}),
        "rave": ({"amaf": RAVE(k=50)}, {}),
        "mse": ({"amaf": MinimumMSE()}, {}),
        "fading": ({"amaf": RAVE(k=50, fades=True)}, {}),
        "near": ({"amaf": RAVE(k=50, horizon=2)}, {}),
    },
    "prior": {
        "none": ({}, {}),
        "virtual visits": ({"prior": VirtualVisits()}, {}),
        "bias": ({"prior": ProgressiveBias()}, {}),
        "horizon": ({"prior": HorizonPrior()}, {}),
    },
    "width": {"all": ({}, {}), "two": ({"width": 2, "width_walks": 20}, {})},
    "widening": {"off": ({}, {}), "on": ({"widening": Widening()}, {})},
    "expansion": {name: ({"expansion": name}, {}) for name in ("one-child", "all-children", "whole-path")},
    "groups": {
        "none": ({}, {}),
        "groups": ({}, {"grouping": GROUPING}),
        "biased": ({}, {"grouping": Grouping(find=split, kinds=("even", "odd"), biases={"even": 0.9})}),
    },
    "solver": {"off": ({}, {}), "on": ({"solver": True}, {})},
    "players": {"two": ({}, {}), "one": ({}, {"for_one": True})},
    "evaluator": {
        "none": ({}, {}),
        "values": ({"evaluation": Evaluation(batch_size=4)}, {"evaluator": value_only}),
        "priors": ({"evaluation": Evaluation(batch_size=4), "selection": PUCT()}, {"evaluator": value_and_priors}),
        "mixed": ({"evaluation": Evaluation(batch_size=4, weight=0.5)}, {"evaluator": value_only}),
        "rarely": (
            {"evaluation": Evaluation(batch_size=4, weight=0.5, after=2), "selection": PUCT()},
            {"evaluator": value_and_priors},
        ),
    },
    "parallel": {
        "one": ({}, {}),
        "lock-free": ({"threads": 2}, {}),
        "global lock": ({"threads": 2, "parallel": "global-lock"}, {}),
        "roots": ({"threads": 2, "parallel": "roots"}, {}),
    },
    "saving": {"no": ({}, {}), "yes": ({}, {"saves": True})},
}

PAIRS = [
    pytest.param(first, second, id=f"{a}={x} {b}={y}")
    for (a, one), (b, other) in itertools.combinations(OPTIONS.items(), 2)
    for x, first in one.items()
    for y, second in other.items()
]
SENTENCES = {requirement.sentence for requirement in REQUIREMENTS}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_pairs__work_or_are_refused_with_the_table_s_sentence(first: Any, second: Any, tmp_path: Path) -> None:
    fields, given = first[0] | second[0], first[1] | second[1]
    for_one, saves = given.pop("for_one", False), given.pop("saves", False)
    try:
        config = SearchConfig(**fields, memory_bytes=2**24)
        search = Search(LeavesWithPriors(4, 4, seed=3) if for_one else WithPriors(7), config, **given)
    except ValueError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert refusal in SENTENCES
        return
    result = search.run(simulations=300, seed=1)
    if saves:
        game = LeavesWithPriors(4, 4, seed=3) if for_one else WithPriors(7)
        loaded = Search.load(search.save(tmp_path / "saved.graph"), game, **given)
        assert np.array_equal(loaded.result().visits, result.visits)
    check_sums(search, result, config)
    if for_one:
        assert result.best_solution.value <= best_value(LeavesWithPriors(4, 4, seed=3))
    elif result.proof:
        after = WithPriors(7)
        after.play(result.best_move)
        assert minimax(after) == minimax(WithPriors(7))


def check_sums(search: Search, result: Any, config: SearchConfig) -> None:
    """No walk is lost or left over."""
    assert result.visits.sum() == result.simulations or (result.proof and result.visits.sum() <= result.simulations)
    graph = search.graph()
    first, number = graph["node_first_edge"], graph["node_num_edges"]
    for node in range(len(first)):
        below = graph["edge_visits"][first[node] : first[node] + number[node]].sum()
        assert below <= graph["node_visits"][node] or config.graph in ("shared-counts", "multipath", "dag")


def test_page__is_the_table() -> None:
    assert (ROOT / "docs/algorithms/requirements.md").read_text() == page(), "python -m tesuji.search.requirements > it"


def test_table__is_short_and_every_row_has_a_reason() -> None:
    assert len(REQUIREMENTS) <= 8
    assert all(requirement.why and ";" in requirement.sentence + requirement.why + ";" for requirement in REQUIREMENTS)
