"""Games of strangers through everything that a search can be asked, as a stranger would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.invented_games import GAMES, PROBLEMS, Colliding, Ledger, Passing, Wide
from search.puzzles import best_value, replayed
from search.solvers import minimax
from tesuji.games import BrokenGame, check_game
from tesuji.search import RAVE, UCB1, Evaluation, Search, SearchConfig, solve

MODES = ("tree", "dag", "shared-values", "shared-counts", "multipath")
ALL = (*GAMES, *PROBLEMS)


def config_for(graph: str, threads: int, **fields: Any) -> SearchConfig:
    parallel = "roots" if graph == "multipath" and threads > 1 else "lock-free"
    return SearchConfig(graph=graph, threads=threads, parallel=parallel, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ALL)
def test_check_game__finds_nothing_wrong(game: Any) -> None:
    if game is not Colliding:
        check_game(game())


def test_check_game__one_key_for_all_states_is_seen() -> None:
    with pytest.raises(BrokenGame, match="a move changes the key"):
        check_game(Colliding())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("graph", MODES)
def test_solver__finds_what_minimax_finds(game: Any, graph: str) -> None:
    if game is Wide:
        pytest.skip("too wide to be solved")
    result = Search(game(), SearchConfig(graph=graph, solver=True)).run(simulations=20_000, seed=1)
    after = game()
    after.play(result.best_move)
    assert result.proof
    assert minimax(after) == minimax(game())


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("graph", MODES)
@pytest.mark.parametrize("threads", [1, 4])
def test_run__in_little_memory_with_amaf_every_simulation_counts(game: Any, graph: str, threads: int) -> None:
    config = config_for(graph, threads, amaf=RAVE(fades=True), memory_bytes=600_000, table_entries=50)
    search = Search(game(), config)
    result = search.run(simulations=400, seed=1)
    assert result.visits.sum() == result.simulations
    assert result.simulations == 400 or result.proof
    assert result.best_move in game().legal_moves()
    search.advance(result.best_move)
    if not search.position.is_over and not result.proof:
        assert search.run(simulations=50).simulations == 50


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("graph", MODES)
def test_save__a_loaded_search_goes_on_as_the_saved_one(game: Any, graph: str, tmp_path: Path) -> None:
    search = Search(game(), SearchConfig(graph=graph))
    search.run(simulations=60, seed=1)
    loaded = Search.load(search.save(tmp_path / "a.graph"), game())
    np.testing.assert_array_equal(search.run(simulations=60).visits, loaded.run(simulations=60).visits)


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("threads", [1, 4])
def test_evaluator__judges_their_leaves(game: Any, threads: int) -> None:
    def half(batch: Any) -> Any:
        return [0.5] * len(batch)

    config = SearchConfig(threads=threads, evaluation=Evaluation(weight=0.5, batch_size=8))
    result = Search(game(), config, evaluator=half).run(simulations=200, seed=1)
    assert result.simulations == 200 or result.proof


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("threads", [1, 4])
def test_problems__the_optimum_is_found_and_replays(problem: Any, threads: int) -> None:
    result = Search(problem(), SearchConfig(selection=UCB1(c=0.2), threads=threads)).run(simulations=30_000, seed=1)
    assert result.best_solution.value == best_value(problem())
    assert replayed(problem(), result.best_solution.moves) == best_value(problem())


@pytest.mark.parametrize("strategy", ["plain", "restarts", "nested", "beam", "nrpa", "orders"])
def test_problems__every_strategy_solves_them(strategy: Any) -> None:
    for problem in PROBLEMS:
        solved = solve(problem(), strategy=strategy, simulations=5_000, seed=1)
        assert replayed(problem(), solved.best_solution.moves) == solved.best_solution.value


def test_ledger__a_rare_ruin_does_not_blind_the_search() -> None:
    result = Search(Ledger(), SearchConfig(selection=UCB1(c=0.2))).run(simulations=2_000, seed=1)
    assert np.ptp(result.values) > 5


def test_collisions__a_second_key_tells_states_apart() -> None:
    result = Search(Colliding(), SearchConfig(graph="dag", solver=True)).run(simulations=2_000, seed=1)
    assert result.counts["collisions"] > 0


def test_passing__a_player_who_leads_passes() -> None:
    game = Passing((0, 0b111111, 20, 1, 1))
    assert Search(game, SearchConfig(solver=True)).run(simulations=100, seed=1).best_move == 6
