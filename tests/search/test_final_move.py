"""Which move is the answer, from tables of statistics worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from search.toy_games import GraphGame
from tesuji.games import TicTacToe
from tesuji.go import Candidate
from tesuji.search import Search, SearchConfig
from tesuji.search.final_move import choose_move, lower_bound

NOTHING, LOST, DRAWN, WON = 0, 1, 2, 3


def statistics(*rows: tuple[float, ...]) -> Any:
    """Rows of (move, visits, value[, deviation[, proof]]); the deviation is a coin's by default."""
    full = [(*row, *(np.sqrt(row[2] * (1 - row[2])), NOTHING)[len(row) - 3 :]) for row in rows]
    moves, visits, values, deviations, proofs = (np.array(column) for column in zip(*full, strict=True))
    return SimpleNamespace(
        moves=moves.astype(np.int32),
        visits=visits.astype(np.uint64),
        values=values.astype(float),
        deviations=deviations.astype(float),
        proofs=proofs.astype(np.int32),
    )


def answer(statistics: Any, final_move: str = "most-visits", **more: Any) -> int:
    return choose_move(statistics, SearchConfig(final_move=final_move, **more))


# A: many visits, a middling value. B: few visits, a high one. C: between. D: never tried.
#   lower ends of Wilson's one-sided 95 % intervals: A 0.5089, B 0.4761, C 0.5685
A, B, C, D = (4, 400, 0.55), (7, 9, 0.75), (2, 100, 0.65), (9, 0, 0.0)


def test_most_visits__takes_the_move_tried_most() -> None:
    assert answer(statistics(D, C, A, B)) == 4


def test_most_visits__of_equally_many_the_better_value_and_then_the_lower_move() -> None:
    assert answer(statistics((1, 10, 0.4), (2, 10, 0.6), (3, 9, 0.9))) == 2
    assert answer(statistics((1, 10, 0.4), (2, 10, 0.4), (3, 9, 0.9))) == 1


def test_best_value__takes_the_highest_mean_however_few_its_visits() -> None:
    assert answer(statistics(A, B, C, D), "best-value") == 7


def test_best_value__a_move_never_tried_is_worse_than_one_that_always_lost() -> None:
    assert answer(statistics((0, 0, 0.0), (1, 5, 0.0)), "best-value") == 1


def test_lower_bound__takes_the_highest_bound_of_95_percent() -> None:
    assert answer(statistics(A, B, C, D), "lower-bound") == 2


def test_lower_bound__one_lucky_try_is_not_taken_at_its_word() -> None:
    # One win: 1 / (1 + 1.645^2) = 0.27. Fifty tries at 0.5: 0.39.
    assert answer(statistics((1, 1, 1.0), (2, 50, 0.5)), "lower-bound") == 2
    # Nine wins: 1 / (1 + 1.645^2 / 9) = 0.77.
    assert answer(statistics((1, 9, 1.0), (2, 50, 0.5)), "lower-bound") == 1


def test_lower_bound__is_wilsons_for_everybody() -> None:
    assert lower_bound(1.0, 25) == pytest.approx(1 / (1 + 1.645**2 / 25))  # 0.90: never almost certain so soon
    assert [round(lower_bound(value, visits), 4) for _, visits, value in (A, B, C)] == [0.5089, 0.4761, 0.5685]
    assert (lower_bound(0.0, 7), lower_bound(0.5, 0)) == (0.0, 0.0)
    assert Candidate(move=1, visits=25, winrate=1.0, pv=[1]).lower_bound == lower_bound(1.0, 25)


def test_above_limit__gives_up_when_the_most_visited_move_is_worth_too_little() -> None:
    hopeless = statistics((1, 90, 0.04), (2, 10, 0.30))
    limit = {"give_up_move": 5, "final_limit": 0.1}
    assert answer(hopeless, "most-visits-above-limit", **limit) == 5
    assert answer(hopeless, "most-visits-above-limit", give_up_move=5, final_limit=0.03) == 1
    assert answer(statistics(A, B, C), "most-visits-above-limit", **limit) == 4


@pytest.mark.parametrize("final_move", ["most-visits", "best-value", "lower-bound"])
def test_proofs__a_proved_win_beats_any_statistics(final_move: str) -> None:
    assert answer(statistics((1, 900, 0.99), (2, 1, 0.1, 0.3, WON)), final_move) == 2


@pytest.mark.parametrize("final_move", ["most-visits", "best-value", "lower-bound"])
def test_proofs__a_proved_loss_is_taken_only_if_there_is_nothing_else(final_move: str) -> None:
    lost = (1, 900, 0.99, 0.1, LOST)
    assert answer(statistics(lost, (2, 1, 0.01)), final_move) == 2
    assert answer(statistics(lost, (2, 0, 0.0)), final_move) == 2
    assert answer(statistics(lost, (2, 5, 0.5, 0.5, LOST)), final_move) == (1)


def test_proofs__a_proved_win_does_not_give_up_and_a_proved_loss_does() -> None:
    limit = {"give_up_move": 5, "final_limit": 0.1}
    assert answer(statistics((1, 9, 0.01, 0.1, WON)), "most-visits-above-limit", **limit) == 1
    assert answer(statistics((1, 9, 0.60, 0.5, LOST)), "most-visits-above-limit", **limit) == 5


def test_proofs__a_proved_draw_is_worth_one_half_whatever_its_playouts_said() -> None:
    assert answer(statistics((1, 50, 0.8, 0.4, DRAWN), (2, 500, 0.6)), "best-value") == 2
    assert answer(statistics((1, 50, 0.2, 0.4, DRAWN), (2, 500, 0.4)), "best-value") == 1


def test_search__answers_with_a_winning_move_that_it_has_proved() -> None:
    game = TicTacToe()
    for move in (0, 3, 1, 4):  # 2 wins at once
        game.play(move)
    for final_move in ("most-visits", "best-value", "lower-bound"):
        result = Search(game, SearchConfig(solver=True, final_move=final_move)).run(simulations=1_000, seed=1)
        assert (result.best_move, result.proof, result.value) == (2, "won", 1.0)


def test_search__gives_up_a_lost_game_with_the_configs_move() -> None:
    lost = GraphGame({"S": (0, {1: "-", 2: "-"}), "-": 0.0}, "S")
    config = SearchConfig(final_move="most-visits-above-limit", final_limit=0.2, give_up_move=7)
    assert Search(lost, config).run(simulations=50, seed=1).best_move == 7
    won = GraphGame({"S": (0, {1: "-", 2: "+"}), "-": 0.0, "+": 1.0}, "S")
    assert Search(won, config).run(simulations=50, seed=1).best_move == 2
