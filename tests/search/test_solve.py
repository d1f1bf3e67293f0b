"""solve(): every strategy finds, replays and stops; nested search is what its definition says."""

from __future__ import annotations

import itertools
import math
import os
import re
import signal
import threading
import time
from typing import Any

import pytest

from search.puzzles import Endless, Leaves, Sums, best_value, replayed
from tesuji.games import TSP, Connect4, Knapsack, SameGame
from tesuji.search import Beam, Nested, OnePlayer, Plain, Restarts, SearchConfig, Solved, solve
from tesuji.search.searcher import make_for_one

STRATEGIES = ["plain", "nested", "beam", "restarts"]
GAMES = [SameGame.random(seed=1), Knapsack.random(40, seed=1), TSP.random(20, seed=1), Leaves(8, 5, "minimise")]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_solve__finds_a_solution_that_replays(game: Any, strategy: str) -> None:
    solved = solve(game, strategy=strategy, simulations=700, seed=1)
    assert solved.best_solution is not None
    assert replayed(game, solved.best_solution.moves) == solved.best_solution.value
    assert solved.simulations <= 700
    assert solved.provenance is not None


@pytest.mark.parametrize(
    "strategy", [*STRATEGIES, Beam(width=3, level_simulations=50), Restarts(simulations=100)], ids=str
)
def test_solve__one_seed_gives_one_answer(strategy: Any) -> None:
    found = [solve(TSP.random(15, seed=2), strategy=strategy, simulations=1000, seed=7) for _ in range(2)]
    assert found[0].best_solution == found[1].best_solution
    assert [(one.simulations, one.value) for one in found[0].improvements] == [
        (one.simulations, one.value) for one in found[1].improvements
    ]


@pytest.mark.parametrize("goal", ["maximise", "minimise"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_improvements__each_is_better_and_later_and_the_last_is_the_best(strategy: str, goal: Any) -> None:
    solved = solve(Leaves(10, 5, goal), strategy=strategy, simulations=600, seed=3)
    assert solved.best_solution is not None
    ones = solved.improvements
    assert len(ones) > 1
    sign = 1 if goal == "maximise" else -1
    assert all(sign * after.value > sign * before.value for before, after in itertools.pairwise(ones))
    assert all(after.simulations > before.simulations for before, after in itertools.pairwise(ones))
    assert all(after.seconds >= before.seconds for before, after in itertools.pairwise(ones))
    assert ones[-1].value == solved.best_solution.value
    assert ones[-1].simulations <= solved.simulations
    assert ones[-1].seconds <= solved.seconds
    assert solved.value_at(math.inf) == solved.best_solution.value
    assert solved.value_at(-1.0) is None


@pytest.mark.parametrize("goal", ["maximise", "minimise"])
@pytest.mark.parametrize("strategy", ["plain", "restarts", "beam"])
def test_is_optimal__is_proved_where_everything_was_seen(strategy: str, goal: Any) -> None:
    game = Leaves(4, 4, goal, seed=2)
    solved = solve(game, strategy=strategy, simulations=100_000, seed=1)
    assert solved.is_optimal
    assert solved.simulations < 100_000
    assert solved.best_solution is not None
    assert solved.best_solution.value == best_value(game)


def test_is_optimal__a_beam_that_left_something_out_claims_nothing() -> None:
    game = Leaves(6, 4, seed=2)
    solved = solve(game, strategy=Beam(width=1, level_simulations=10), simulations=2000, seed=1)
    assert not solved.is_optimal
    assert solved.simulations == 2000  # one beam after the other


def test_beam__a_wide_one_is_the_plain_search() -> None:
    game = Sums(6, 4, seed=5)
    wide = solve(game, strategy=Beam(width=10**6, level_simulations=10**6), simulations=500, seed=1)
    plain = solve(game, strategy="plain", simulations=500, seed=1)
    assert wide.improvements[-1].value == plain.improvements[-1].value
    assert wide.best_solution == plain.best_solution


def test_beam__keeps_the_most_visited_nodes_of_a_depth_only() -> None:
    search = make_for_one(Sums(9, 5, seed=2), SearchConfig(), 1)
    search.run(simulations=300, seconds=0.0)
    before = search.graph()
    search.keep_most_visited(1, 2)
    after = search.graph()
    root = slice(0, after["node_num_edges"][0])
    kept = [move for move, proof in zip(after["edge_move"][root], after["edge_proof"][root], strict=True) if proof == 0]
    ranked = sorted(zip(before["edge_visits"][root], before["edge_move"][root], strict=True), reverse=True)
    assert sorted(kept) == sorted(move for _, move in ranked[:2])
    visits = dict(zip(after["edge_move"][root], after["edge_visits"][root], strict=True))
    search.run(simulations=100, seconds=0.0)
    later = search.graph()
    for move, now in zip(later["edge_move"][root], later["edge_visits"][root], strict=True):
        assert move in kept or now == visits[move]
    assert sum(later["edge_visits"][root]) == 400


def test_restarts__forget_the_graph_and_keep_the_best() -> None:
    game = Leaves(12, 6, seed=4)
    solved = solve(game, strategy=Restarts(simulations=50), simulations=1000, seed=1)
    alone = solve(game, strategy="plain", simulations=50, seed=1)
    assert solved.simulations == 1000
    assert solved.best_solution is not None
    assert alone.best_solution is not None
    assert solved.best_solution.value >= alone.best_solution.value
    assert solved.improvements[: len(alone.improvements)] != ()
    first = [(one.simulations, one.value) for one in solved.improvements[: len(alone.improvements)]]
    assert first == [(one.simulations, one.value) for one in alone.improvements]


# Nested search, a second time in plain Python ----


class Rng:
    """The core's generator (core/base/rng.hpp), written from its description."""

    MULTIPLIER = 0x7FFFFDCD
    MODULUS = (MULTIPLIER << 32) - 1

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.state = _mix(_mix(seed) ^ _mix(stream)) % (self.MODULUS - 1) + 1

    def below(self, bound: int) -> int:
        low, carry = self.state & 0xFFFFFFFF, self.state >> 32
        self.state = self.MULTIPLIER * low + carry
        return (low ^ carry) * bound >> 32


def _mix(z: int) -> int:
    z = (z + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def nested(game: Any, level: int, rng: Rng, playouts: list[tuple[float, tuple[int, ...]]]) -> tuple[float, list[int]]:
    """Cazenave 2009, figure 1, with the memory of the best sequence."""
    sign = 1 if game.goal == "maximise" else -1
    if level == 0 or game.is_over:
        state, moves = game.copy(), []
        while not state.is_over:
            legal = list(state.legal_moves())
            moves.append(legal[rng.below(len(legal))])
            state.play(moves[-1])
        playouts.append((state.value, state.path))
        return state.value, moves
    state, played = game.copy(), []
    best_value, best_moves = -math.inf * sign, []
    while not state.is_over:
        for move in state.legal_moves():
            after = state.copy()
            after.play(move)
            value, moves = nested(after, level - 1, rng, playouts)
            if sign * value > sign * best_value:
                best_value, best_moves = value, [*played, move, *moves]
        state.play(best_moves[len(played)])
        played.append(best_moves[len(played)])
    return best_value, best_moves


@pytest.mark.parametrize("goal", ["maximise", "minimise"])
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nested__is_what_its_definition_says(level: int, goal: Any, seed: int) -> None:
    game = Leaves(5, 4, goal, seed=seed)
    playouts: list[tuple[float, tuple[int, ...]]] = []
    rng = Rng(seed)
    lines = [nested(game, level, rng, playouts) for _ in range(3)]
    better = max if goal == "maximise" else min
    solved = solve(game, strategy=Nested(level=level), simulations=len(playouts), seed=seed)
    assert solved.best_solution is not None
    assert solved.simulations == len(playouts)
    assert solved.best_solution.value == better(value for value, _ in lines) == better(value for value, _ in playouts)
    # Every improvement came with the same playout.
    best: float | None = None
    expected = []
    for number, (value, _) in enumerate(playouts, 1):
        if best is None or (value != best and better(value, best) == value):
            best = value
            expected.append((number, value))
    assert [(one.simulations, one.value) for one in solved.improvements] == expected


def test_nested__a_higher_level_is_better_on_average() -> None:
    def mean(level: int) -> float:
        boards = [SameGame.random(8, 8, 4, seed=seed) for seed in range(6)]
        solved = [solve(board, strategy=Nested(level=level), simulations=3000, seed=1) for board in boards]
        return sum(one.best_solution.value for one in solved if one.best_solution) / len(boards)

    assert mean(1) > mean(0)


# Time, progress, interruption ----


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_seconds__end_the_search(strategy: str) -> None:
    solved = solve(SameGame.random(seed=1), strategy=strategy, seconds=0.3, seed=1)
    assert solved.best_solution is not None
    assert 0.3 <= solved.seconds < 60


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_on_progress__sees_the_best_so_far_and_may_end_the_search(strategy: str) -> None:
    seen: list[Solved] = []

    def watch(solved: Solved) -> bool:
        seen.append(solved)
        return len(seen) < 3

    solved = solve(SameGame.random(seed=1), strategy=strategy, seconds=60, seed=1, on_progress=watch, report_s=0.02)
    assert len(seen) == 3
    assert solved.seconds < 50
    values = [one.best_solution.value for one in seen if one.best_solution is not None]
    assert values == sorted(values)
    assert solved.best_solution is not None
    assert solved.best_solution.value >= values[-1]
    assert [one.simulations for one in seen] == sorted(one.simulations for one in seen)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ctrl_c__returns_the_best_so_far(strategy: str) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        solved = solve(SameGame.random(seed=1), strategy=strategy, seconds=100, seed=1)
    finally:
        timer.cancel()
    assert solved.seconds < 90
    assert solved.best_solution is not None
    assert replayed(SameGame.random(seed=1), solved.best_solution.moves) == solved.best_solution.value


@pytest.mark.parametrize(
    "strategy",
    [
        Nested(level=1, threads=2),
        Plain(config=SearchConfig(threads=2)),
        Beam(width=5, level_simulations=100, config=SearchConfig(threads=2)),
    ],
    ids=["nested", "plain", "beam"],
)
def test_threads__share_one_best_solution(strategy: Any) -> None:
    for seed in range(3):
        game = SameGame.random(10, 10, 4, seed=seed)
        solved = solve(game, strategy=strategy, simulations=2000, seed=seed)
        assert solved.best_solution is not None
        assert replayed(game, solved.best_solution.moves) == solved.best_solution.value


# Bad input ----


def test_bad_input__an_unknown_strategy_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        ValueError, match="'nestd' is not a strategy; did you mean 'nested'. there are plain, nested, beam"
    ):
        solve(Leaves(3, 3), strategy="nestd", simulations=10)
    with pytest.raises(TypeError, match="strategy is 7; it must be a name or one of Plain"):
        solve(Leaves(3, 3), strategy=7, simulations=10)  # type: ignore[arg-type]


def test_bad_input__a_game_of_two_players_is_refused() -> None:
    with pytest.raises(ValueError, match="Connect4 has no goal"):
        solve(Connect4(), simulations=10)  # type: ignore[arg-type]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_bad_input__values_that_are_no_numbers_are_refused(strategy: str, value: float) -> None:
    with pytest.raises(ValueError, match="finite number"):
        solve(Leaves(3, 3, shift=value), strategy=strategy, simulations=100)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_bad_input__a_game_that_never_ends_is_stopped(strategy: str) -> None:
    with pytest.raises(RuntimeError, match="did not end"):
        solve(Endless(5, "maximise"), strategy=strategy, simulations=100)


@pytest.mark.parametrize(
    ("limits", "message"),
    [({}, "needs a limit"), ({"seconds": -1}, "seconds is -1"), ({"simulations": 0}, "simulations is 0")],
)
def test_bad_input__limits_that_are_missing_or_not_positive_are_refused(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(Leaves(3, 3), **limits)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Nested(level=-1), "level is -1"),
        (lambda: Nested(threads=0), "threads is 0"),
        (lambda: Beam(width=0), "width is 0"),
        (lambda: Beam(level_simulations=0), "level_simulations is 0"),
        (lambda: Beam(config=SearchConfig(graph="dag")), "graph='tree'"),
        (lambda: Beam(config=SearchConfig(one_player=OnePlayer(revisit="allow"))), "revisit='close'"),
        (lambda: Restarts(simulations=0), "simulations is 0"),
    ],
)
def test_bad_input__strategies_out_of_range_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_solve__a_game_that_is_over_has_one_solution_without_a_move(strategy: str) -> None:
    solved = solve(SameGame("12\n21"), strategy=strategy, simulations=10)
    assert solved.best_solution is not None
    assert (solved.best_solution.value, solved.best_solution.moves, solved.is_optimal) == (0.0, (), True)


def test_repr__is_a_line() -> None:
    text = repr(solve(TSP.random(5, seed=1), simulations=1000, seed=1))
    assert re.fullmatch(r"<Solved: [\d.]+ in 4 moves, optimal, by Plain with \d+ simulations in [\d.]+ s>", text)


def test_solve__leaves_the_game_alone() -> None:
    game = SameGame.random(seed=1)
    key = game.key()
    solve(game, strategy="nested", simulations=100)
    assert game.key() == key


def test_solve__progress_is_asked_while_a_slow_game_runs() -> None:
    class Slow(Leaves):
        def play(self, move: int) -> None:
            time.sleep(0.001)
            super().play(move)

    calls: list[int] = []
    solve(
        Slow(6, 3),
        strategy="nested",
        seconds=0.6,
        seed=1,
        on_progress=lambda s: calls.append(s.simulations),
        report_s=0.05,
    )
    assert len(calls) > 1
