"""A loaded search does exactly what the saved one would have done: with one thread, whatever it has learnt besides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.followed import Situation, evaluator_of
from search.puzzles import Leaves
from search.toy_games import Nim, Picks
from tesuji.games import Connect4
from tesuji.go import Board, EngineConfig
from tesuji.go.knowledge.playouts import PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import (
    PUCT,
    RAVE,
    UCB1,
    Evaluation,
    GraphFileError,
    Grouping,
    LearnedBiases,
    OnePlayer,
    Search,
    SearchConfig,
    Stages,
)
from tesuji.search.playouts import KnownPositions, RecordedPlayouts, StopAtKnown


def check_goes_on(game: Any, config: SearchConfig, folder: Path, given: Any = dict, simulations: int = 300) -> None:
    """Save in the middle; the search and what is loaded then do the same. `given` makes what else a search gets."""
    search = Search(game, config, **given())
    search.run(simulations=simulations, seed=7)
    loaded = Search.load(search.save(folder / "a.graph"), game, **given())
    assert loaded.config == config
    for _ in range(2):
        before, after = search.run(simulations=simulations), loaded.run(simulations=simulations)
        for name, column in search.graph().items():
            np.testing.assert_array_equal(loaded.graph()[name], column, err_msg=name)
        assert before.value == after.value


@pytest.mark.parametrize("revisit", ["close", "penalty", "allow"])
@pytest.mark.parametrize("goal", ["maximise", "minimise"])
def test_one_player__the_scale_and_what_is_done_about_old_solutions_come_back(
    tmp_path: Path, goal: Any, revisit: Any
) -> None:
    config = SearchConfig(selection=UCB1(c=0.2), one_player=OnePlayer(revisit=revisit, penalty=0.3))
    check_goes_on(Leaves(9, 4, goal, shift=-500.0), config, tmp_path, simulations=700)


def test_one_player__another_way_with_old_solutions_is_refused(tmp_path: Path) -> None:
    search = Search(Leaves(5, 3))
    search.run(simulations=20, seed=1)
    path = search.save(tmp_path / "a.graph")
    with pytest.raises(GraphFileError, match=r"searched with one_player OnePlayer\(revisit='close'"):
        Search.load(path, Leaves(5, 3), SearchConfig(one_player=OnePlayer(revisit="allow")))


@pytest.mark.parametrize("fields", [{"weight": 0.25}, {"after": 3, "visits": 2, "weight": 0.5}, {"cache_bytes": 0}])
def test_evaluation__how_leaves_are_judged_comes_back(tmp_path: Path, fields: dict[str, Any]) -> None:
    config = SearchConfig(selection=PUCT(), evaluation=Evaluation(batch_size=1, **fields))
    judge = Situation(config=config, judges="both").judge()
    assert judge is not None
    check_goes_on(Picks(seed=3, cells=7, length=6), config, tmp_path, lambda: {"evaluator": evaluator_of(judge)})


def split(state: Any) -> dict[str, list[int]]:
    return {"small": [move for move in state.legal_moves() if move < 3]}


def test_groups__what_was_learnt_of_kinds_comes_back(tmp_path: Path) -> None:
    grouping = Grouping(find=split, kinds=("small",), biases=LearnedBiases(min_visits=5))
    search = Search(Connect4(), grouping=grouping)
    search.run(simulations=500, seed=1)
    loaded = Search.load(search.save(tmp_path / "b.graph"), Connect4(), grouping=grouping)
    assert loaded.group_biases == search.group_biases != grouping.first_biases
    check_goes_on(Connect4(), SearchConfig(), tmp_path, lambda: {"grouping": grouping})


def test_groups__biases_of_other_kinds_are_refused(tmp_path: Path) -> None:
    grouping = Grouping(find=split, kinds=("small",), biases=LearnedBiases(min_visits=5))
    path = _searched(grouping).save(tmp_path / "a.graph")
    other = Grouping(find=split, kinds=("small", "large"), biases=LearnedBiases(min_visits=5))
    with pytest.raises(GraphFileError, match=r"biases of 2 kinds of groups, yours are 3; give the grouping"):
        Search.load(path, Connect4(), grouping=other)


def _searched(grouping: Grouping) -> Search:
    search = Search(Connect4(), grouping=grouping)
    search.run(simulations=200, seed=1)
    return search


@pytest.mark.parametrize("amaf", [RAVE(fades=True, c=0.2), RAVE(horizon=3)])
def test_amaf__parts_of_visits_come_back(tmp_path: Path, amaf: Any) -> None:
    check_goes_on(Connect4(), SearchConfig(amaf=amaf), tmp_path)


def test_stages__a_back_up_rule_s_values_come_back(tmp_path: Path) -> None:
    def best(node: Any, edges: Any) -> float:
        tried = edges.visits > 0
        return float(edges.means[tried].max()) if tried.any() else 0.5

    check_goes_on(Connect4(), SearchConfig(), tmp_path, lambda: {"stages": Stages(back_up=best)})


# What playouts remember ----


@pytest.mark.parametrize("learns", ["playouts", "tree", "all"])
def test_playouts__known_positions_come_back(tmp_path: Path, learns: Any) -> None:
    check_goes_on(
        Connect4(),
        SearchConfig(),
        tmp_path,
        lambda: {"playouts": StopAtKnown(positions=KnownPositions(2**14), min_weight=4, learns=learns)},
    )


def test_playouts__a_table_that_is_given_again_is_not_counted_twice(tmp_path: Path) -> None:
    playouts = StopAtKnown(positions=KnownPositions(2**14), min_weight=4)
    search = Search(Connect4(), playouts=playouts)
    search.run(simulations=300, seed=1)
    path = search.save(tmp_path / "a.graph")
    after = Connect4()
    after.play(3)
    before = playouts.positions.find(after)
    assert before is not None
    Search.load(path, Connect4(), playouts=playouts)
    assert playouts.positions.find(after) == before


def test_playouts__that_are_recorded_go_on(tmp_path: Path) -> None:
    check_goes_on(Nim(12), SearchConfig(graph="dag"), tmp_path, lambda: {"playouts": RecordedPlayouts()})


def test_playouts__that_have_learnt_and_are_not_given_again_are_missed(tmp_path: Path) -> None:
    search = Search(Connect4(), playouts=StopAtKnown())
    search.run(simulations=50, seed=1)
    with pytest.raises(GraphFileError, match="its playouts have learnt something; give the playouts it was made with"):
        Search.load(search.save(tmp_path / "a.graph"), Connect4())


ENGINES = {
    "the default": EngineConfig(),
    "good replies": EngineConfig(playouts=PlayoutPolicy(rules=(("last-good-reply", 0.8), ("capture", 0.5)))),
    "critical points": EngineConfig(priors=PriorWeights(criticality=3.0)),
    "tables": EngineConfig(playouts=PlayoutPolicy(rules=(("edge", 1.0), ("node", 0.5)), method="skipping")),
}


@pytest.mark.parametrize("name", ENGINES)
def test_go__what_an_engine_s_playouts_have_learnt_comes_back(tmp_path: Path, name: str) -> None:
    config = ENGINES[name]
    check_goes_on(config.game_at(Board(9)), config.search, tmp_path, simulations=200)
