"""Evaluators from Python: what they are shown, what their answers do, and what happens to bad ones.

How batches fill and threads wait is tested in core/tests/test_evaluate.cpp.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from search.toy_games import Nim
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board
from tesuji.search import (
    PUCT,
    UCB1,
    Evaluation,
    HorizonPrior,
    LeafBatch,
    ProgressiveBias,
    Search,
    SearchConfig,
    VirtualVisits,
)


def half(batch: LeafBatch) -> Any:
    return np.full(len(batch), 0.5)


def uniform(num_moves: int) -> Any:
    return lambda batch: (half(batch), np.ones((len(batch), num_moves)))


def keeping(seen: list[LeafBatch], answer: Any = half) -> Any:
    def evaluator(batch: LeafBatch) -> Any:
        seen.append(batch)
        return answer(batch)

    return evaluator


# What it is shown ----


@pytest.mark.parametrize(
    ("game", "shape"),
    [
        (TicTacToe(), (2, 3, 3)),
        (Connect4(), (2, 6, 7)),
        (Hex(5), (2, 5, 5)),
        (Board(7), (17, 7, 7)),
        (Board(4, 6), (17, 6, 4)),
    ],
    ids=["tic-tac-toe", "Connect Four", "Hex", "Go", "Go, not square"],
)
def test_batch__holds_a_plane_for_each_player(game: Any, shape: tuple[int, ...]) -> None:
    seen: list[LeafBatch] = []
    Search(game, evaluator=keeping(seen)).run(simulations=200, seed=1)
    assert max(map(len, seen)) <= 32
    for batch in seen:
        assert batch.states.shape == (len(batch), *shape)
        assert batch.states.dtype == np.uint8
        stones = batch.states[:, :2]
        assert stones.max() <= 1
        assert (stones[:, 0] & stones[:, 1]).max() == 0, "a place belongs to one player"
    if not isinstance(game, Board):
        more = [batch.states[:, 0].sum((1, 2)).astype(int) - batch.states[:, 1].sum((1, 2)) for batch in seen]
        for first_has_more, batch in zip(more, seen, strict=True):
            np.testing.assert_array_equal(first_has_more, batch.to_play)


def test_batch__of_connect_four_shows_the_position() -> None:
    seen: list[LeafBatch] = []
    game = Connect4()
    for column in (3, 3, 0):
        game.play(column)
    Search(game, evaluator=keeping(seen)).run(simulations=1, seed=1)
    root = seen[0].states[0]
    owners = [[game.owner(row, column) for column in range(7)] for row in range(6)]
    np.testing.assert_array_equal(root[0], np.array(owners) == 0)
    np.testing.assert_array_equal(root[1], np.array(owners) == 1)
    assert seen[0].to_play.tolist() == [1]


def test_batch__of_a_python_game_is_a_list_of_its_states() -> None:
    seen: list[LeafBatch] = []
    Search(Nim(30), evaluator=keeping(seen)).run(simulations=100, seed=1)
    assert all(isinstance(state, Nim) for batch in seen for state in batch.states)
    assert [state.to_play for batch in seen for state in batch.states] == [
        player for batch in seen for player in batch.to_play.tolist()
    ]


def test_batch__of_a_compiled_game_holds_its_records() -> None:
    pytest.importorskip("numba")
    from games.compiled_games import NIM, nim

    seen: list[LeafBatch] = []
    Search(nim(), evaluator=keeping(seen)).run(simulations=50, seed=1)
    assert seen[0].states.dtype == NIM
    assert seen[0].states.shape == (1,)
    assert seen[0].states["heap"][0] == 10
    assert all((batch.states["to_play"] == batch.to_play).all() for batch in seen)


def test_batch__belongs_to_the_evaluator() -> None:
    def spoil(batch: LeafBatch) -> Any:
        batch.states[:] = 7
        batch.to_play[:] = 7
        return half(batch)

    spoilt = Search(Connect4(), evaluator=spoil).run(simulations=500, seed=1)
    np.testing.assert_array_equal(spoilt.visits, Search(Connect4(), evaluator=half).run(simulations=500, seed=1).visits)


# What its answers do ----


def test_values__are_the_first_players() -> None:
    def likes_the_first_player_in_the_middle(batch: LeafBatch) -> Any:
        return np.where(batch.states[:, 0, 1, 1] == 1, 0.9, np.where(batch.states[:, 1, 1, 1] == 1, 0.1, 0.5))

    config = SearchConfig(selection=UCB1(c=0.3))
    first = Search(TicTacToe(), config, evaluator=likes_the_first_player_in_the_middle).run(simulations=2_000, seed=1)
    assert first.best_move == 4
    game = TicTacToe()
    game.play(0)
    second = Search(game, config, evaluator=likes_the_first_player_in_the_middle).run(simulations=2_000, seed=1)
    assert second.best_move == 4


def test_values__replace_playouts_unless_they_are_mixed() -> None:
    def sure(batch: LeafBatch) -> Any:
        return np.ones(len(batch))

    def value(weight: float) -> float:
        config = SearchConfig(evaluation=Evaluation(weight=weight))
        return Search(Hex(7), config, evaluator=sure).run(simulations=1_000, seed=1).value

    assert value(1.0) == pytest.approx(1.0)
    assert value(0.0) < 0.8
    assert value(0.0) < value(0.5) < value(1.0)


def test_priors__go_to_the_edges() -> None:
    priors = np.array([0.1, 0.1, 0.1, 0.4, 0.1, 0.1, 0.1])

    def evaluator(batch: LeafBatch) -> Any:
        return half(batch), np.tile(priors, (len(batch), 1))

    result = Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=evaluator).run(simulations=300, seed=1)
    np.testing.assert_allclose(result.priors, priors, rtol=1e-6)
    assert result.best_move == 3


def test_priors__of_illegal_moves_are_shared_out_under_puct() -> None:
    game = Connect4()
    for _ in range(6):
        game.play(3)
    result = Search(game, SearchConfig(selection=PUCT()), evaluator=uniform(7)).run(simulations=50, seed=1)
    assert 3 not in result.moves
    np.testing.assert_allclose(result.priors, 1 / 6, rtol=1e-6)


def test_priors__that_are_all_zero_count_as_equal_under_puct() -> None:
    def evaluator(batch: LeafBatch) -> Any:
        return None, np.zeros((len(batch), 7))

    result = Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=evaluator).run(simulations=50, seed=1)
    np.testing.assert_allclose(result.priors, 1 / 7, rtol=1e-6)


@pytest.mark.parametrize(
    "prior", [VirtualVisits(), ProgressiveBias(), HorizonPrior()], ids=lambda prior: type(prior).__name__
)
def test_priors__serve_every_prior_as_they_are(prior: Any) -> None:
    def evaluator(batch: LeafBatch) -> Any:
        return None, np.tile(np.linspace(0.2, 0.8, 7), (len(batch), 1))

    result = Search(Connect4(), SearchConfig(prior=prior), evaluator=evaluator).run(simulations=200, seed=1)
    np.testing.assert_allclose(result.priors, np.linspace(0.2, 0.8, 7), rtol=1e-6)


def test_priors__below_the_root_are_those_of_their_state() -> None:
    def evaluator(batch: LeafBatch) -> Any:
        stones = batch.states.sum((1, 2, 3)).astype(float)
        return half(batch), np.repeat(stones[:, None] + 1, 7, axis=1) * np.linspace(1, 2, 7)

    search = Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=evaluator)
    search.run(simulations=300, seed=1)
    graph = search.graph()
    wanted = np.linspace(1, 2, 7) / np.linspace(1, 2, 7).sum()
    for node in range(50):
        first, number = graph["node_first_edge"][node], graph["node_num_edges"][node]
        if number == 7:
            edges = slice(first, first + number)
            np.testing.assert_allclose(graph["edge_prior"][edges], wanted[graph["edge_move"][edges]], rtol=1e-5)


@pytest.mark.parametrize(
    "config",
    [
        SearchConfig(),
        SearchConfig(graph="dag", solver=True),
        SearchConfig(evaluation=Evaluation(weight=0.5, batch_size=7)),
        SearchConfig(evaluation=Evaluation(batch_size=1)),
    ],
    ids=["tree", "dag and solver", "mixed", "single"],
)
def test_search__one_thread_and_one_seed_repeat(config: SearchConfig) -> None:
    def evaluator(batch: LeafBatch) -> Any:
        return (batch.states.reshape(len(batch), -1) @ np.arange(84) % 101) / 100

    graphs = []
    for _ in range(2):
        search = Search(Connect4(), config, evaluator=evaluator)
        assert search.run(simulations=3_000, seed=4).simulations == 3_000
        graphs.append(search.graph())
    for column in graphs[0]:
        np.testing.assert_array_equal(graphs[0][column], graphs[1][column])


def test_search__the_size_of_batches_changes_little_with_values_alone() -> None:
    def evaluator(batch: LeafBatch) -> Any:
        return 0.5 + 0.04 * (batch.states[:, 0, :, 3].sum(1) - batch.states[:, 1, :, 3].astype(float).sum(1))

    best = []
    for batch_size in (1, 8, 64):
        config = SearchConfig(selection=UCB1(c=0.2), evaluation=Evaluation(batch_size=batch_size))
        best.append(Search(Connect4(), config, evaluator=evaluator).run(simulations=4_000, seed=1).best_move)
    assert best == [3, 3, 3]


@pytest.mark.parametrize("threads", [1, 2])
def test_search__batches_fill(threads: int) -> None:
    seen: list[int] = []

    def evaluator(batch: LeafBatch) -> Any:
        seen.append(len(batch))
        return half(batch)

    Search(Hex(9), SearchConfig(threads=threads), evaluator=evaluator).run(simulations=5_000, seed=1)
    assert sum(seen) <= 5_001 + 32
    assert sum(size for size in seen if size == 32) > 0.8 * sum(seen)


def test_search__advance_and_run_again_keep_the_evaluator() -> None:
    seen: list[LeafBatch] = []
    search = Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=keeping(seen, uniform(7)))
    search.run(simulations=100, seed=1)
    search.advance(3)
    number = len(seen)
    result = search.run(simulations=100)
    assert len(seen) > number
    assert result.simulations == 100
    assert all(batch.states[:, 0, 0, 3].all() for batch in seen[number:])


def test_search__never_calls_it_twice_at_once() -> None:
    inside = [0]
    most = [0]

    def slow(batch: LeafBatch) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.001)
        inside[0] -= 1
        return half(batch)

    Search(Hex(7), SearchConfig(threads=4), evaluator=slow).run(simulations=3_000, seed=1)
    assert most == [1]


def test_search__a_slow_evaluator_is_stopped_by_the_clock_and_by_stop() -> None:
    def slow(batch: LeafBatch) -> Any:
        time.sleep(0.05)
        return half(batch)

    search = Search(Hex(7), SearchConfig(threads=2), evaluator=slow)
    started = time.perf_counter()
    assert search.run(seconds=0.2, seed=1).simulations > 0
    threading.Timer(0.2, search.stop).start()
    search.run(simulations=10**9)
    assert time.perf_counter() - started < 600


# Bad answers ----


class SurpriseError(Exception):
    pass


def raises(batch: LeafBatch) -> Any:
    raise SurpriseError(len(batch))


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("after", [0, 5])
def test_evaluator__an_exception_ends_the_run_and_arrives_as_itself(threads: int, after: int) -> None:
    calls = [0]

    def later(batch: LeafBatch) -> Any:
        calls[0] += 1
        return half(batch) if calls[0] <= after else raises(batch)

    search = Search(Hex(7), SearchConfig(threads=threads), evaluator=later)
    with pytest.raises(SurpriseError) as caught:
        search.run(simulations=10**6, seed=1)
    assert caught.traceback[-1].name == "raises"
    assert calls[0] == after + 1
    after += 10**6
    calls[0] = -(10**6)
    before = search.result().visits.sum() if search.graph()["node_visits"].size else 0
    result = search.run(simulations=500)
    assert result.visits.sum() == before + 500, "what was pending left nothing behind"
    graph = search.graph()
    assert (graph["edge_value"] <= graph["edge_visits"]).all()
    assert (graph["edge_value"] >= 0).all()


BAD_ANSWERS: list[tuple[Any, str]] = [
    (lambda batch: None, "the evaluator returned nothing; it must return values, or a pair"),
    (lambda batch: (None, None), "the evaluator returned nothing"),
    (lambda batch: 0.5, r"values of shape \(\); it must be \(1,\)"),
    (lambda batch: np.full(len(batch) + 1, 0.5), r"values of shape \(2,\); it must be \(1,\)"),
    (lambda batch: np.full((len(batch), 1), 0.5), r"values of shape \(1, 1\); it must be \(1,\)"),
    (lambda batch: np.full(len(batch), np.nan), "returned nan in its values, for state 0 of 1; values lie in 0..1"),
    (lambda batch: np.full(len(batch), -0.2), "returned -0.2 in its values"),
    (lambda batch: np.full(len(batch), 1.01), "returned 1.01 in its values"),
    (lambda batch: ["won"] * len(batch), "returned .*'won'.* as values; they must be an array of numbers"),
    (lambda batch: {"values": 1}, "they must be an array of numbers"),
    (lambda batch: (half(batch), np.ones((len(batch), 6))), r"priors of shape \(1, 6\); it must be \(1, 7\)"),
    (lambda batch: (half(batch), np.full((len(batch), 7), np.nan)), "returned nan in its priors"),
    (lambda batch: (half(batch), np.full((len(batch), 7), -1)), "returned -1 in its priors.*; priors lie in 0 and"),
    (lambda batch: (half(batch), np.full((len(batch), 7), np.inf)), "returned inf in its priors"),
]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("evaluator", "message"), BAD_ANSWERS)
def test_evaluator__a_bad_answer_is_one_clear_error(evaluator: Any, message: str, threads: int) -> None:
    config = SearchConfig(selection=PUCT(), threads=threads)
    with pytest.raises(ValueError, match=message):
        Search(Connect4(), config, evaluator=evaluator).run(simulations=1_000, seed=1)


def test_evaluator__priors_that_nobody_uses_are_refused() -> None:
    with pytest.raises(ValueError, match="the evaluator gives priors, but the config uses none"):
        Search(Connect4(), evaluator=uniform(7)).run(simulations=10, seed=1)


def test_evaluator__priors_that_nobody_gives_are_refused() -> None:
    with pytest.raises(ValueError, match="the config uses priors, but this game has none"):
        Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=half).run(simulations=10, seed=1)


def test_evaluator__one_that_changes_its_mind_is_refused() -> None:
    calls = [0]

    def moody(batch: LeafBatch) -> Any:
        calls[0] += 1
        return uniform(7)(batch) if calls[0] < 4 else (None, np.ones((len(batch), 7)))

    with pytest.raises(ValueError, match="always the same"):
        Search(Connect4(), SearchConfig(selection=PUCT()), evaluator=moody).run(simulations=1_000, seed=1)


def test_evaluator__has_nothing_to_judge_on_whole_paths() -> None:
    with pytest.raises(ValueError, match="'whole-path' has none before the end of the game; use 'one-child'"):
        Search(Connect4(), SearchConfig(expansion="whole-path"), evaluator=half)


def test_evaluator__must_be_callable() -> None:
    with pytest.raises(TypeError, match="evaluator is 0.5; it must be callable"):
        Search(Connect4(), evaluator=0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("weight", -0.1, "weight is -0.1; it must be a share"),
        ("weight", float("nan"), "weight is nan"),
        ("batch_size", 0, "batch_size is 0; it must be 1 to 65536"),
        ("timeout_s", -1.0, "timeout_s is -1.0"),
        ("timeout_s", float("inf"), "timeout_s is inf"),
    ],
)
def test_evaluation__refuses_values_that_make_no_sense(field: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Evaluation(**{field: value})


def test_evaluator__works_for_games_in_plain_python_on_two_threads() -> None:
    result = Search(Nim(13), SearchConfig(solver=True, threads=2), evaluator=half).run(simulations=20_000, seed=1)
    assert (result.best_move, result.proof) == (0, "won")


# Answers that are kept ----


def asked_by(search: Search, seen: list[LeafBatch], simulations: int = 1_000) -> list[bytes]:
    """The states that an evaluator has been asked about so far."""
    search.run(simulations=simulations, seed=1)
    return [state.tobytes() for batch in seen for state in batch.states]


def test_cache__no_state_is_asked_about_twice_and_advance_keeps_answers() -> None:
    seen: list[LeafBatch] = []
    config = SearchConfig(selection=PUCT(c=1.5), evaluation=Evaluation(batch_size=1))
    search = Search(Hex(4), config, evaluator=keeping(seen, uniform(16)))
    asked_by(search, seen)
    search.advance(search.result().best_move)
    asked = asked_by(search, seen)
    assert len(asked) == len(set(asked))
    counts = search.result().counts
    assert counts["evaluations"] == len(asked)
    assert counts["cache_hits"] > 0


def test_cache__can_be_left_out_for_an_evaluator_that_answers_at_random() -> None:
    seen: list[LeafBatch] = []
    config = SearchConfig(selection=PUCT(c=1.5), evaluation=Evaluation(batch_size=1, cache_bytes=0))
    search = Search(Hex(3), config, evaluator=keeping(seen, uniform(9)))
    asked = asked_by(search, seen)
    assert len(asked) > len(set(asked))
    assert search.result().counts["cache_hits"] == 0


def test_cache__serves_games_in_plain_python_by_their_keys() -> None:
    seen: list[LeafBatch] = []
    config = SearchConfig(evaluation=Evaluation(batch_size=1))
    Search(Nim(12), config, evaluator=keeping(seen)).run(simulations=500, seed=1)
    keys = [state.key() for batch in seen for state in batch.states]
    assert len(keys) == len(set(keys))


def test_cache__changes_no_value_of_a_search_without_transpositions() -> None:
    results = []
    for cache_bytes in (0, 1 << 20):
        config = SearchConfig(evaluation=Evaluation(batch_size=1, cache_bytes=cache_bytes))
        game = Connect4()
        results.append(
            Search(game, config, evaluator=lambda batch: batch.states.mean((1, 2, 3))).run(simulations=600, seed=4)
        )
    assert results[0].visits.tolist() == results[1].visits.tolist()
    assert results[0].values.tolist() == results[1].values.tolist()


@pytest.mark.parametrize("allowed", [1, 2])
def test_batches_in_flight__the_evaluator_runs_on_so_many_threads_at_once(allowed: int) -> None:
    now, most, calls, meeting = 0, 0, 0, threading.Condition()

    def slow(batch: LeafBatch) -> Any:
        nonlocal now, most, calls
        with meeting:
            now += 1
            most = max(most, now)
            calls += 1
            meeting.notify_all()
            if calls > 10:  # the first leaves depend on each other; then one waits for the next
                assert meeting.wait_for(lambda: most >= allowed, timeout=600)
        time.sleep(0.001)  # one more than allowed would come in now
        with meeting:
            now -= 1
        return half(batch)

    config = SearchConfig(threads=3, evaluation=Evaluation(batch_size=4, batches_in_flight=allowed))
    result = Search(Hex(7), config, evaluator=slow).run(simulations=300, seed=1)
    assert result.visits.sum() == 300
    assert most == allowed


@pytest.mark.parametrize("wrong", [{"batches_in_flight": 0}, {"batches_in_flight": 1000}, {"cache_bytes": -1}])
def test_evaluation__refuses_settings_out_of_range(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Evaluation(**wrong)


# Which leaves are asked about, and what an answer counts ----


def test_after__a_leaf_is_asked_about_only_when_it_was_visited_so_often() -> None:
    for after in (0, 1, 3, 7):
        config = SearchConfig(selection=PUCT(c=1.0), evaluation=Evaluation(weight=0.5, after=after, batch_size=1))
        search = Search(Hex(5), config, evaluator=uniform(25))
        counts = search.run(simulations=1000, seed=1).counts
        graph = search.graph()
        below = graph["node_num_edges"][1:] > 0  # the root is asked about before the first walk
        leading_there = np.isin(graph["edge_child"], np.flatnonzero(below) + 1)
        assert (graph["edge_visits"][leading_there] > after).all()
        assert counts["evaluations"] <= 1 + 1000 / (after + 1) + 25


def test_after__without_answers_it_is_the_search_with_playouts() -> None:
    config = SearchConfig(evaluation=Evaluation(weight=0.5, after=10_000))
    asked = Search(Hex(5), config, evaluator=half).run(simulations=500, seed=3)
    plain = Search(Hex(5), SearchConfig()).run(simulations=500, seed=3)
    assert asked.counts["evaluations"] == 1, "the root, to see what the evaluator gives"
    assert asked.visits.sum() == plain.visits.sum() == 500


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("graph", ["tree", "dag", "shared-values"])
def test_visits__an_answer_counts_as_many_and_the_sums_hold(graph: Any, threads: int) -> None:
    config = SearchConfig(
        selection=PUCT(c=1.0), graph=graph, threads=threads, evaluation=Evaluation(visits=5, batch_size=4)
    )
    search = Search(Hex(4), config, evaluator=uniform(16))
    result = search.run(simulations=300, seed=1)
    assert result.visits.sum() == 5 * 300, "no walk of so few ends the game"
    assert result.value == pytest.approx(0.5)
    if graph == "tree":
        arrays = search.graph()
        assert arrays["edge_value"].sum() == pytest.approx(0.5 * arrays["edge_visits"].sum())


@pytest.mark.parametrize("wrong", [{"after": -1}, {"visits": 0}, {"visits": 1001}])
def test_evaluation__what_makes_no_sense_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"(after|visits) is"):
        Evaluation(**wrong)
