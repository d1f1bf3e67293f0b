"""What playouts of one search learn from each other, seen from outside; the numbers are tested in C++."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tesuji.go import Board
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.playouts import DEFAULT, PlayoutPolicy, candidates, run_playouts
from tesuji.search import Search, SearchConfig

REPLIES = PlayoutPolicy(rules=(("last-good-reply", 1.0),))


def visits(policy: PlayoutPolicy, simulations: int = 400, threads: int = 1) -> list[int]:
    search = Search(GoGame(Board(5), policy), SearchConfig(threads=threads))
    return search.run(simulations=simulations, seed=3).visits.tolist()


def test_last_good_reply__there_is_none_outside_of_a_search() -> None:
    board = Board(5)
    board.play("C3")
    assert candidates(board, "last-good-reply", REPLIES) == []
    _, origins = run_playouts(board, REPLIES, 50, seed=1)
    assert origins["last-good-reply"] == 0
    assert origins["random"] > 0


@pytest.mark.parametrize("policy", [REPLIES, replace(DEFAULT, rules=(("last-good-reply", 0.5), *DEFAULT.rules))])
def test_last_good_reply__one_thread_and_one_seed_give_the_same_search(policy: PlayoutPolicy) -> None:
    assert visits(policy) == visits(policy)


def test_last_good_reply__a_search_without_the_rule_learns_nothing_from_it() -> None:
    """A rule that finds nothing takes no random number: the first simulations of both searches are the same."""
    without = PlayoutPolicy(rules=(("nakade", 1.0),))
    assert visits(REPLIES, simulations=1) == visits(without, simulations=1)
    assert visits(REPLIES) != visits(without)


def test_last_good_reply__with_two_threads_all_simulations_are_done() -> None:
    assert sum(visits(REPLIES, simulations=2_000, threads=2)) == 2_000


def test_memory__belongs_to_one_search() -> None:
    game = GoGame(Board(5), REPLIES)
    first = Search(game).run(simulations=300, seed=1).visits.tolist()
    assert Search(game).run(simulations=300, seed=1).visits.tolist() == first


def test_memory__survives_a_run_and_an_advance() -> None:
    """Replies are not forgotten between runs: a divided run is the same as a whole one."""
    whole, parts = (Search(GoGame(Board(5), REPLIES)) for _ in range(2))
    whole.run(simulations=400, seed=1)
    parts.run(simulations=150, seed=1)
    parts.run(simulations=250)
    assert whole.run(simulations=1).visits.tolist() == parts.run(simulations=1).visits.tolist()
    for search in (whole, parts):
        search.advance(12)
    assert whole.run(simulations=100).visits.tolist() == parts.run(simulations=100).visits.tolist()
