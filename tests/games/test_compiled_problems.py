"""Compiled games for one player: a goal, priors, a bound and names, as Numba and as plain Python."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from games.compiled_games import nim
from tesuji.games import BrokenGame, CompiledGame, Game, OnePlayerGame, check_game
from tesuji.search import UCB1, Beam, Nested, Plain, Restarts, Search, SearchConfig, VirtualVisits, solve

# Eight coins in a row: take one of the first two, until none is left; a coin is worth its number times its turn.
COINS = np.array([3, 1, 4, 1, 5, 9, 2, 6])
ROW = np.dtype([("first", np.int64), ("turn", np.int64), ("total", np.float64)])


def legal_moves(state: Any, moves: Any) -> int:
    moves[0] = 0
    moves[1] = 1
    return 2 if state.first < len(COINS) - 1 else 1


def play(state: Any, move: int) -> None:
    state.turn += 1
    state.total += COINS[state.first + move] * state.turn
    state.first += 1 + move


def is_over(state: Any) -> bool:
    return state.first >= len(COINS)


def value(state: Any) -> float:
    return state.total


def highest(state: Any) -> float:
    worth, turn = state.total, state.turn
    for coin in range(state.first, len(COINS)):
        turn += 1
        worth += COINS[coin] * turn
    return worth


def lowest(state: Any) -> float:
    return state.total


def too_low(state: Any) -> float:
    return state.total


def likes_large_coins(state: Any, moves: Any, priors: Any) -> None:
    for i in range(len(moves)):
        priors[i] = COINS[state.first + moves[i]] / 10


def named(state: Any, move: int) -> str:
    return f"coin {COINS[state.first + move]}"


def coins(**changes: Any) -> CompiledGame:
    settings: dict[str, Any] = {
        "dtype": ROW,
        "num_distinct_moves": 2,
        "legal_moves": legal_moves,
        "play": play,
        "is_over": is_over,
        "value": value,
        "goal": "maximise",
    }
    return CompiledGame(**(settings | changes))


def all_values() -> list[float]:
    found = []

    def walk(first: int, turn: int, total: float) -> None:
        if first >= len(COINS):
            found.append(total)
            return
        for move in (0, 1) if first < len(COINS) - 1 else (0,):
            walk(first + 1 + move, turn + 1, total + float(COINS[first + move]) * (turn + 1))

    walk(0, 0, 0.0)
    return found


# The contract ----


def test_goal__makes_a_problem_for_one_player() -> None:
    game = coins()
    assert isinstance(game, OnePlayerGame)
    assert (game.goal, game.to_play) == ("maximise", 0)
    check_game(game)
    check_game(coins(goal="minimise", bound=lowest, priors=likes_large_coins, move_name=named))


def test_two_players__have_no_goal_bound_priors_or_names_unless_given() -> None:
    game = nim()
    assert isinstance(game, Game)
    assert not isinstance(game, OnePlayerGame)
    for member in ("goal", "bound", "priors", "move_name"):
        assert not hasattr(game, member)
        assert not hasattr(game.plain(), member)


def test_plain__says_the_same_of_everything() -> None:
    game = coins(bound=highest, priors=likes_large_coins, move_name=named)
    game.play(1)
    plain = game.plain()
    assert (plain.goal, plain.bound) == (game.goal, game.bound)
    assert plain.priors([0, 1]) == game.priors([0, 1]) == pytest.approx([0.4, 0.1])
    assert plain.move_name(0) == game.move_name(0) == "coin 4"
    assert isinstance(plain, OnePlayerGame)


def test_copy__keeps_goal_and_names() -> None:
    twin = coins(bound=highest, move_name=named).copy()
    twin.play(0)
    assert (twin.goal, twin.move_name(0)) == ("maximise", "coin 1")
    assert twin.bound == highest(twin.state)


# Solving ----

STRATEGIES = [Plain(), Plain(config=SearchConfig(threads=2)), Nested(level=1), Beam(width=3), Restarts(simulations=50)]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
@pytest.mark.parametrize(("goal", "best"), [("maximise", max), ("minimise", min)])
def test_solve__finds_the_optimum(strategy: Any, goal: str, best: Any) -> None:
    solved = solve(coins(goal=goal), strategy=strategy, simulations=3_000, seed=1)
    assert solved.best_solution is not None
    assert solved.best_solution.value == best(all_values())
    again = coins(goal=goal)
    for move in solved.best_solution.moves:
        again.play(move)
    assert again.is_over
    assert again.value == solved.best_solution.value


def test_solve__proves_the_optimum() -> None:
    assert solve(coins(), simulations=100_000, seed=1).is_optimal


def test_solve__is_the_same_search_compiled_and_plain() -> None:
    config = Plain(config=SearchConfig(selection=UCB1(c=0.3)))
    found = [solve(game, strategy=config, simulations=60, seed=5) for game in (coins(), coins().plain())]
    assert found[0].best_solution == found[1].best_solution
    assert [one.simulations for one in found[0].improvements] == [one.simulations for one in found[1].improvements]


def test_search__uses_the_priors() -> None:
    config = SearchConfig(prior=VirtualVisits(visits=5))
    result = Search(coins(priors=likes_large_coins), config).run(simulations=50, seed=1)
    assert result.priors.tolist() == pytest.approx([0.3, 0.1])
    with pytest.raises(ValueError, match=r"the game has no function priors\(state, moves, priors\)"):
        Search(coins(), config).run(simulations=50, seed=1)


def test_names__reach_the_result() -> None:
    result = Search(coins(move_name=named)).run(simulations=50, seed=1)
    assert "coin 3" in str(result.to_table() if hasattr(result, "to_table") else result)


# Refusals and errors ----


def boundless(state: Any) -> float:
    return np.inf - np.inf


def infinite(state: Any) -> float:
    return np.inf


def large(state: Any, moves: Any, priors: Any) -> None:
    priors[0] = 2.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goal": "win"}, "goal is 'win'; it must be 'maximise' or 'minimise'"),
        ({"to_play": lambda state: 0}, "one player moves; leave to_play out"),
        ({"playout": lambda state, random: 0.0}, "a solution is its moves; leave playout out"),
        ({"bound": lambda state, more: 0.0}, r"bound takes 2 arguments; it is called as bound\(state\)"),
        ({"priors": lambda state: 0.0}, r"it is called as priors\(state, moves, priors\)"),
        ({"move_name": lambda move: ""}, r"it is called as move_name\(state, move\)"),
    ],
)
def test_refusals__name_the_rule(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        coins(**changes)


def test_refusals__a_field_that_plain_python_could_not_read() -> None:
    with pytest.raises(ValueError, match="field 'sum' would hide a method"):
        coins(dtype=np.dtype([("first", np.int64), ("sum", np.float64)]))


def test_refusals__a_bound_is_for_one_player() -> None:
    with pytest.raises(ValueError, match="a bound is for one player"):
        nim(bound=lambda state: 1.0)


@pytest.mark.parametrize(
    ("changes", "ask", "message"),
    [
        ({"bound": boundless}, lambda game: game.bound, "bound is nan; it must be a number"),
        ({"value": infinite}, lambda game: solve(game, simulations=10, seed=1), "value is inf; it must be a finite"),
        ({"priors": large}, lambda game: game.priors([0, 1]), r"priors writes \[2\.0, 0\.0\]; they lie in 0\.\.1"),
    ],
)
def test_errors__have_words(changes: dict[str, Any], ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(coins(**changes))


def test_check_game__shows_the_moves_that_beat_a_bound() -> None:
    with pytest.raises(BrokenGame, match="no solution is better than a bound on the way to it") as broken:
        check_game(coins(bound=too_low))
    assert broken.value.moves
    with pytest.raises(BrokenGame, match="no solution is better than a bound"):
        check_game(coins(goal="minimise", bound=highest))


def test_bound__holds_for_every_solution_below_every_state() -> None:
    game = coins(bound=highest)
    for length in range(5):
        for moves in itertools.product((0, 1), repeat=length):
            state = game.copy()
            if not all(move in state.legal_moves() and state.play(move) is None for move in moves):
                continue
            assert state.bound >= best_below(state)


def best_below(state: Any) -> float:
    if state.is_over:
        return float(state.value)
    found = []
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        found.append(best_below(after))
    return max(found)
