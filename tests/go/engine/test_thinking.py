"""When a search for a move ends: early, at its normal time, later, or when it is told to; and pondering."""

from __future__ import annotations

import threading
import time

import msgspec
import pytest

from patience import wait_for_visits
from tesuji.go import Board
from tesuji.go.engine.thinking import Limits, Pondering, Thinking
from tesuji.search import UCB1, Search, SearchConfig
from tesuji.search.presets import UCT_RAVE

CLEAR = """
    . X O . .
    . X O O O
    . X X X O
    . . . X O
    X . . X .
"""


def search_of(board: Board, config: SearchConfig = UCT_RAVE) -> Search:
    return Search(board, config)


def total(limits: Limits, board: Board, config: SearchConfig = UCT_RAVE) -> tuple[int, int]:
    """The move that was chosen with these limits, and how many visits the root got."""
    found = Thinking(search_of(board, config), limits).run(seed=1)
    return found.best_move, int(found.visits.sum())


@pytest.mark.parametrize("size", [5, 7])
@pytest.mark.parametrize("simulations", [1, 2, 50, 1000])
def test_run__ending_early_never_changes_the_move(size: int, simulations: int) -> None:
    board = Board(size)
    for _ in range(6):
        early = total(Limits(simulations=simulations), board)
        whole = total(Limits(simulations=simulations, stops_early=False), board)
        assert early[0] == whole[0]
        assert early[1] <= whole[1] == simulations
        board.play(whole[0])
        if board.is_over:
            return


def test_run__a_clear_move_takes_less_than_its_simulations() -> None:
    assert total(Limits(simulations=4000), Board.from_text(CLEAR))[1] < 4000
    assert total(Limits(simulations=4000, stops_early=False), Board.from_text(CLEAR))[1] == 4000


@pytest.mark.parametrize("change", [{"final_move": "best-value"}, {"solver": True}])
def test_run__where_visits_do_not_decide_nothing_is_settled_early(change: dict[str, object]) -> None:
    config = msgspec.structs.replace(UCT_RAVE, **change)
    assert total(Limits(simulations=1000), Board.from_text(CLEAR), config)[1] == 1000


def test_run__slices_make_the_same_search_as_one_run() -> None:
    board = Board(7)
    sliced = search_of(board)
    Thinking(sliced, Limits(simulations=777)).run(seed=5)
    visits = sliced.result().visits
    whole = search_of(board).run(simulations=int(visits.sum()), seed=5)
    assert visits.tolist() == whole.visits.tolist()


def test_run__only_new_simulations_count() -> None:
    search = search_of(Board(5))
    for _ in range(2):
        found = Thinking(search, Limits(simulations=300, stops_early=False)).run(seed=1)
    assert found.visits.sum() == 600


def test_run__one_sensible_move_needs_no_search() -> None:
    """Both of Black's points are eyes: the search sees nothing but a pass."""
    board = Board.from_text(
        """
        X X X X X
        X . X . X
        X X X X X
        """
    )
    assert total(Limits(simulations=100_000), board)[1] < 1000
    assert _seconds(Limits(normal_s=600.0, maximum_s=600.0), board, UCT_RAVE) < 60


def test_run__a_clear_move_ends_at_the_normal_time_an_unclear_one_goes_on() -> None:
    """Time is the behaviour here; the bounds are wide."""
    uniform = SearchConfig(selection=UCB1(c=1e9))  # every move gets the same visits, whatever it is worth
    unclear_s = _seconds(Limits(normal_s=0.3, maximum_s=1.5, stops_early=False), Board(9), uniform)
    clear_s = _seconds(Limits(normal_s=0.3, maximum_s=60.0, stops_early=False), Board.from_text(CLEAR), UCT_RAVE)
    assert unclear_s > 0.6
    assert clear_s < 30


def _seconds(limits: Limits, board: Board, config: SearchConfig) -> float:
    began_s = time.perf_counter()
    Thinking(search_of(board, config), limits).run(seed=1)
    return time.perf_counter() - began_s


def test_run__time_that_is_over_still_gives_a_move() -> None:
    began_s = time.perf_counter() - 100
    found = Thinking(search_of(Board(19)), Limits(normal_s=1.0, maximum_s=2.0), began_s).run(seed=1)
    assert found.visits.any()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.3])
def test_stop__ends_it_from_another_thread(delay_s: float) -> None:
    thinking = Thinking(search_of(Board(9)), Limits(normal_s=3600.0, maximum_s=3600.0))
    timer = threading.Timer(delay_s, thinking.stop)
    timer.start()
    assert thinking.run(seed=1).visits.any()
    timer.join()


@pytest.mark.timeout(60)
def test_pondering__stops_soon_and_leaves_no_thread() -> None:
    before = threading.active_count()
    for _ in range(20):
        search = search_of(Board(9))
        pondering = Pondering(search, seed=1)
        pondering.stop()  # also at once, while it is only just beginning
        assert threading.active_count() == before
    pondering = Pondering(search, seed=1)
    wait_for_visits(search, 10)
    assert threading.active_count() == before + 1
    pondering.stop()
    assert search.result().visits.any()
    assert threading.active_count() == before
