"""Playout policies inside a search: a function's playouts are walked, observed, and learn between simulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from search.toy_games import Nim
from tesuji.games import Connect4
from tesuji.search import Search
from tesuji.search.playouts import KnownPositions, RecordedPlayouts, StopAtKnown


class Learning:
    """Plays the move that won most often so far; knows the walk and the moves of every playout it sees."""

    def __init__(self) -> None:
        self.wins: dict[int, float] = {}
        self.seen: list[tuple[list[Any], list[Any], float]] = []

    def step(self, state: Any, _random: Any) -> int:
        moves = list(state.legal_moves())
        return max(moves, key=lambda move: (self.wins.get(move, 0.0), -move))

    def observe(self, walk: Any, moves: Any, value: float) -> None:
        self.seen.append((list(walk), list(moves), value))
        for one in moves:
            if one.player == 0:
                self.wins[one.move] = self.wins.get(one.move, 0.0) + value - 0.5


def test_policy__observes_every_simulation_with_its_walk() -> None:
    policy = Learning()
    result = Search(Nim(9), playouts=policy).run(simulations=200, seed=1)
    assert result.simulations == 200
    assert 0 < len(policy.seen) <= 200
    lengths = [len(walk) for walk, _, _ in policy.seen]
    assert min(lengths) == 1
    assert max(lengths) > 3
    for walk, moves, _ in policy.seen:
        players = [one.player for one in (*walk, *moves)]
        assert players == [i % 2 for i in range(len(players))]


def test_recorded_playouts__are_those_of_the_search() -> None:
    record = RecordedPlayouts()
    plain, recorded = Search(Connect4()), Search(Connect4(), playouts=record)
    visits = [search.run(simulations=500, seed=4).visits for search in (plain, recorded)]
    assert np.array_equal(*visits)
    assert record.num_playouts > 400


def test_stop_at_known__a_playout_ends_at_a_position_that_is_known() -> None:
    positions = KnownPositions()
    after = Connect4()
    for move in (3, 3):
        after.play(move)
    positions.add(after, value=1.0, weight=1000)
    result = Search(Connect4(), playouts=StopAtKnown(positions=positions)).run(simulations=2_000, seed=1)
    assert result.simulations == 2_000
