"""A problem for one player, compiled from Python: the projects that fit a budget and are worth most.

    python examples/own_problem.py

It is the knapsack problem, a step per project: take it or leave it. A goal makes it a problem for one player, priors
say what looks good, a bound what is still possible, and move_name says it in words. docs/howto/own-game.md explains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tesuji.games import CompiledGame, check_game
from tesuji.search import solve

COSTS = np.array([12, 7, 9, 31, 14, 22, 8, 17, 26, 11, 19, 5, 13, 24, 16, 28, 10, 21, 6, 18])
WORTHS = np.array([24, 13, 23, 59, 29, 40, 9, 34, 54, 19, 36, 8, 30, 41, 33, 55, 24, 41, 10, 39])
BUDGET = 160
LEAVE, TAKE = 0, 1

STATE = np.dtype([("next", np.int64), ("left", np.int64), ("worth", np.int64)])


def initial(state: Any) -> None:
    """Nothing is decided, all the money is there."""
    state.left = BUDGET


def legal_moves(state: Any, moves: Any) -> int:
    """Leave the next project; take it if it can be paid."""
    moves[0] = LEAVE
    if COSTS[state.next] > state.left:
        return 1
    moves[1] = TAKE
    return 2


def play(state: Any, move: int) -> None:
    """Decide about the next project."""
    if move == TAKE:
        state.left -= COSTS[state.next]
        state.worth += WORTHS[state.next]
    state.next += 1


def is_over(state: Any) -> bool:
    """Whether all is decided."""
    return state.next == len(COSTS)


def value(state: Any) -> float:
    """What the chosen projects are worth together."""
    return float(state.worth)


def priors(state: Any, moves: Any, priors: Any) -> None:
    """Projects that give much for their cost are likely good."""
    ratio = WORTHS[state.next] / COSTS[state.next]
    for i in range(len(moves)):
        priors[i] = min(1.0, ratio / 3) if moves[i] == TAKE else 0.5


def bound(state: Any) -> float:
    """As if every later project that can be paid were taken, the best ratio first and the last one in part."""
    worth, left = float(state.worth), state.left
    for item in np.argsort(-WORTHS / COSTS):
        if item < state.next:
            continue
        if COSTS[item] > left:
            return worth + left * WORTHS[item] / COSTS[item]
        worth += WORTHS[item]
        left -= COSTS[item]
    return worth


def move_name(state: Any, move: int) -> str:
    """In words."""
    return f"take {state.next}" if move == TAKE else f"leave {state.next}"


def projects() -> CompiledGame:
    """The problem at its beginning."""
    return CompiledGame(
        STATE,
        num_distinct_moves=2,
        initial=initial,
        legal_moves=legal_moves,
        play=play,
        is_over=is_over,
        value=value,
        goal="maximise",
        priors=priors,
        bound=bound,
        move_name=move_name,
    )


def main() -> None:
    """Check it, solve it, say it."""
    problem = projects()
    check_game(problem)
    print(f"at most {problem.bound:.1f} by the bound")
    solved = solve(problem, simulations=200_000, seed=1)
    print(solved)
    assert solved.best_solution is not None
    state, chosen = problem.copy(), []
    for move in solved.best_solution.moves:
        chosen += [state.move_name(move)] if move == TAKE else []
        state.play(move)
    print(f"{', '.join(chosen)}; {state.state.left} of {BUDGET} is left")


if __name__ == "__main__":
    main()
