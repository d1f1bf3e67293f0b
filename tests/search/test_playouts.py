"""Playout policies from Python, without a search: what they are told, what is refused, what decorators keep."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.toy_games import Nim
from tesuji.games import (
    TSP,
    Breakthrough,
    Connect4,
    Gomoku,
    Havannah,
    Hex,
    Knapsack,
    Othello,
    PGame,
    PGameSpec,
    SameGame,
    TicTacToe,
    Y,
)
from tesuji.games.connect4 import PlainConnect4
from tesuji.search import Search, SearchConfig, VirtualVisits
from tesuji.search.playouts import (
    EndPlayout,
    KnownPositions,
    PlayoutPolicy,
    RandomStream,
    RecordedPlayouts,
    StopAtKnown,
    play_out,
)

NATIVE = [
    TicTacToe(),
    Connect4(),
    Othello(),
    Breakthrough(),
    Gomoku(7),
    Hex(5),
    Y(5),
    Havannah(4),
    SameGame.random(6, 6, 3, seed=1),
    Knapsack.random(12, seed=1),
    TSP.random(9, seed=1),
]


def uniform(state: Any, random: RandomStream) -> int:
    """What the core does for a game that brings no playout."""
    moves = state.legal_moves()
    return int(moves[random.below(len(moves))])


class Log:
    """A uniform policy that keeps what it is told."""

    def __init__(self) -> None:
        self.begun: list[Any] = []
        self.observed: list[Any] = []
        self.roots: list[Any] = []

    def begin(self, state: Any, walk: Any) -> None:
        self.begun.append((state.key(), walk))

    def step(self, state: Any, random: RandomStream) -> int:
        return uniform(state, random)

    def observe(self, walk: Any, moves: Any, value: float) -> None:
        self.observed.append((walk, [(played.move, played.player) for played in moves], value))

    def new_root(self, state: Any) -> None:
        self.roots.append(state.key())


def values(*arguments: Any, **options: Any) -> list[float]:
    return list(play_out(*arguments, **options)[0])


@pytest.mark.parametrize("game", [Nim(15), PlainConnect4()], ids=lambda game: type(game).__name__)
def test_play_out__uniform_play_in_python_is_the_cores_own(game: Any) -> None:
    ours, theirs = play_out(game, uniform, number=50, seed=3), play_out(game, number=50, seed=3)
    assert np.array_equal(ours[0], theirs[0])
    assert np.array_equal(ours[1], theirs[1])
    assert ours[0].std() > 0


@pytest.mark.parametrize("game", NATIVE, ids=lambda game: type(game).__name__)
def test_play_out__a_policy_in_python_plays_every_native_game(game: Any) -> None:
    log = Log()
    policy_values, lengths = play_out(game, log, number=4, seed=1)
    assert [value for _walk, _moves, value in log.observed] == list(policy_values)
    for (_walk, moves, value), length in zip(log.observed, lengths, strict=True):
        replayed = game.copy()
        for move, player in moves:
            assert replayed.to_play == player
            replayed.play(move)
        assert replayed.is_over
        assert replayed.value == value
        assert len(moves) == length


def test_play_out__a_policy_is_told_where_a_playout_begins_and_what_came_of_it() -> None:
    log = Log()
    assert isinstance(log, PlayoutPolicy)
    game = Nim(9)
    got = values(game, log, number=3)
    assert log.roots == [game.key()]
    assert log.begun == [(game.key(), [])] * 3
    assert [value for _walk, _moves, value in log.observed] == got


def test_play_out__a_step_may_end_the_playout_with_a_value() -> None:
    def stop_at_three(state: Nim, random: RandomStream) -> int | EndPlayout:
        return EndPlayout(0.25) if state.stones <= 3 else uniform(state, random)

    assert values(Nim(12), stop_at_three, number=5) == [0.25] * 5
    recorded = RecordedPlayouts(stop_at_three)
    play_out(Nim(12), recorded, number=20)
    for playout in recorded.playouts:
        assert 12 - 3 <= sum(played.move + 1 for played in playout.moves) < 12


def test_play_out__one_player_may_end_with_any_finite_number() -> None:
    trip = TSP.random(9, seed=1)
    assert values(trip, lambda _state, _random: EndPlayout(-1234.5)) == [-1234.5]
    with pytest.raises(ValueError, match="inf; a value must be a finite number"):
        play_out(trip, lambda _state, _random: EndPlayout(float("inf")))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (7, "move 7, which is not legal in "),
        (-1, "move -1, which is not legal in "),
        ("3", "returned '3'; step\\(\\) must return a move"),
        (None, "returned None; step\\(\\) must return a move"),
        (True, "returned True; step\\(\\) must return a move"),
        (EndPlayout(1.5), "with 1.500000; values lie in 0..1, the first player's view"),
        (EndPlayout(float("nan")), "with nan; values lie in 0..1"),
    ],
)
def test_play_out__a_wrong_answer_names_the_value_and_the_rule(answer: Any, message: str) -> None:
    for game in (Nim(5), TicTacToe()):
        if isinstance(game, TicTacToe) and answer == 7:
            continue
        with pytest.raises(ValueError, match=message):
            play_out(game, lambda _state, _random: answer)


def test_play_out__an_exception_of_the_policy_comes_out_as_it_is() -> None:
    def broken(_state: Any, _random: Any) -> int:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        play_out(Nim(5), broken)


@pytest.mark.parametrize("wrong", [3, "uniform", object(), Log])
def test_play_out__what_is_no_policy_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(TypeError, match="playout"):
        play_out(Nim(5), wrong)


def test_play_out__a_game_that_python_cannot_be_shown_is_refused() -> None:
    position = PGame(PGameSpec(breadth=2, depth=4)).start()
    assert set(values(position, number=20)) <= {0.0, 1.0}
    with pytest.raises(ValueError, match="does not see the states of this game"):
        play_out(position, uniform)


def test_play_out__a_finished_game_and_no_playouts_are_refused() -> None:
    with pytest.raises(ValueError, match="over"):
        play_out(Nim(0))
    with pytest.raises(ValueError, match="number is 0"):
        play_out(Nim(3), number=0)


def test_random_stream__draws_are_uniform_and_bounded() -> None:
    random = RandomStream(1)
    drawn = [random.below(5) for _ in range(5000)]
    assert set(drawn) == set(range(5))
    assert np.bincount(drawn).min() > 850
    assert all(0 <= random.unit() < 1 for _ in range(100))
    assert {random.choice("abc") for _ in range(50)} == set("abc")
    for bound in (0, -3, 2**32 + 1):
        with pytest.raises(ValueError, match="bound must lie in"):
            random.below(bound)
    with pytest.raises(ValueError, match="choice"):
        random.choice([])


def test_random_stream__one_seed_repeats_a_policy() -> None:
    assert values(Nim(15), uniform, number=20, seed=4) == values(Nim(15), uniform, number=20, seed=4)
    assert values(Nim(15), uniform, number=20, seed=4) != values(Nim(15), uniform, number=20, seed=5)


def test_recorded_playouts__keep_the_last_ones_whole() -> None:
    recorded = RecordedPlayouts(capacity=4)
    got, lengths = play_out(Connect4(), recorded, number=10, seed=2)
    assert recorded.num_playouts == 10
    assert [playout.value for playout in recorded.playouts] == list(got[-4:])
    for playout, length in zip(recorded.playouts, lengths[-4:], strict=True):
        game = Connect4()
        for played in playout.moves:
            assert played.player == game.to_play
            game.play(played.move)
        assert game.is_over
        assert len(playout.moves) == length
        assert playout.walk == []
    recorded.clear()
    assert recorded.playouts == []


def test_recorded_playouts__around_a_policy_in_python() -> None:
    log = Log()
    recorded = RecordedPlayouts(log)
    play_out(Nim(9), recorded, number=3)
    assert [[(p.move, p.player) for p in playout.moves] for playout in recorded.playouts] == [
        moves for _walk, moves, _value in log.observed
    ]


def test_stop_at_known__ends_a_playout_with_the_mean() -> None:
    positions = KnownPositions(64)
    positions.add(Nim(6), 0.25, 3)
    stopping = StopAtKnown(lambda _state, _random: 0, positions=positions, min_weight=3, learns="nothing")
    _values, lengths = play_out(Nim(9), stopping)  # takes one at a time; at 6 it is the second's turn: another state
    assert lengths[0] == 9
    positions.add(_at(Nim(9), [0, 0, 0]), 0.25, 3)
    got, lengths = play_out(Nim(9), stopping)
    assert (got[0], lengths[0]) == (0.25, 3)


def test_stop_at_known__learns_what_its_playouts_are_worth() -> None:
    stopping = StopAtKnown(positions=KnownPositions(4096), min_weight=10**6)
    got, _lengths = play_out(TicTacToe(), stopping, number=500, seed=1)
    assert stopping.positions.find(TicTacToe()) == (pytest.approx(got.mean()), 500)
    assert len(stopping.positions) > 100


@pytest.mark.parametrize(
    ("before", "wanted", "known", "worth"),
    [
        ([], [0], 1.0, 1.0),  # the policy takes one too
        ([], [1], 1.0, 0.7),
        ([], [1], 0.5, 0.35),
        ([0], [0], 0.2, 0.2),  # the second player moves
        ([0], [2], 0.2, 1 - 0.7 * 0.8),
    ],
)
def test_stop_at_known__a_move_that_the_policy_does_not_want_costs_the_mover(
    before: list[int], wanted: list[int], known: float, worth: float
) -> None:
    positions = KnownPositions(64)
    positions.add(_at(Nim(9), before + wanted), known, 5)
    punished = StopAtKnown(
        lambda _state, _random: 0, positions=positions, min_weight=5, learns="nothing", punishment=0.3
    )
    got, lengths = play_out(_at(Nim(9), before), punished)
    assert (got[0], lengths[0]) == (pytest.approx(worth), 0)


def test_stop_at_known__counts_what_it_saves() -> None:
    known = StopAtKnown(min_weight=20)
    _values, lengths = play_out(TicTacToe(), known, number=500, seed=1)
    assert known.counts.playouts == 500
    assert known.counts.moves == lengths.sum()
    assert 0 < known.counts.stopped <= 500


def test_stop_at_known__gives_priors_to_games_that_have_none() -> None:
    positions = KnownPositions(64)
    positions.add(_at(Nim(9), [1]), 0.125, 20)
    known = StopAtKnown(positions=positions, stops=False, learns="nothing", gives_priors=True)
    result = Search(Nim(9), SearchConfig(prior=VirtualVisits()), playouts=known).run(simulations=30, seed=1)
    priors = dict(zip(result.moves.tolist(), result.priors.tolist(), strict=True))
    assert priors == {0: 0.5, 1: 0.125, 2: 0.5}


def test_stop_at_known__a_visit_without_news_changes_no_mean() -> None:
    """Thirty playouts to the end, then sixty that stop: by visits they are counted, and every mean stays."""
    for back_up in ("value", "visits"):
        positions = KnownPositions(64)
        known = StopAtKnown(lambda _state, _random: 0, positions=positions, learns="nothing", back_up=back_up)  # type: ignore[arg-type]
        search = Search(Nim(9), SearchConfig(maturity=10**6), playouts=known)
        before = search.run(simulations=30, seed=1)
        means = dict(zip(before.moves.tolist(), before.values.tolist(), strict=True))
        assert set(means.values()) <= {0.0, 1.0}
        for move in range(3):
            positions.add(_at(Nim(9), [move]), 0.75, 20)
        after = search.run(simulations=60)
        assert after.visits.sum() == 90
        for move, value in zip(after.moves.tolist(), after.values.tolist(), strict=True):
            is_same = value == pytest.approx(means[move], abs=1e-5)
            assert is_same == (back_up == "visits")


def test_stop_at_known__saves_moves() -> None:
    plain = play_out(TicTacToe(), number=3000, seed=1)
    stopped = play_out(TicTacToe(), StopAtKnown(min_weight=50), number=3000, seed=1)
    assert stopped[1].sum() < 0.7 * plain[1].sum()


def test_known_positions__a_saved_table_is_the_same_again(tmp_path: Path) -> None:
    positions, again = KnownPositions(256), KnownPositions(256)
    for stones in range(1, 20):
        positions.add(Nim(stones), stones / 20, stones)
    again.load(positions.save(tmp_path / "nim.positions"))
    assert [again.find(Nim(stones)) for stones in range(25)] == [positions.find(Nim(stones)) for stones in range(25)]
    assert again.find(Nim(5)) == (pytest.approx(0.25), 5)
    assert again.find(Nim(24)) == (0.0, 0)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_known_positions__other_files_are_refused(content: bytes) -> None:
    positions = KnownPositions(16)
    positions.add(Nim(3), 1.0)
    with pytest.raises(ValueError, match="these are not saved positions"):
        positions.native().load(content)
    assert len(positions) == 1


@pytest.mark.parametrize("capacity", [0, 3, 2**31, 1.5, True])
def test_known_positions__a_capacity_out_of_range_is_refused(capacity: Any) -> None:
    with pytest.raises(ValueError, match="capacity is"):
        KnownPositions(capacity)


@pytest.mark.parametrize(
    "make",
    [
        lambda: StopAtKnown(min_weight=0),
        lambda: StopAtKnown(positions=7),  # type: ignore[arg-type]
        lambda: StopAtKnown(punishment=1.5),
        lambda: StopAtKnown(least_filling=-0.1),
        lambda: KnownPositions.of_size(0),
        lambda: RecordedPlayouts(capacity=0),
        lambda: KnownPositions().add(Nim(3), float("nan")),
        lambda: KnownPositions().add(Nim(3), 0.5, 0),
    ],
)
def test_decorators__settings_out_of_range_are_refused(make: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="must (be|lie)"):
        make()


def test_decorators__threads_of_python_may_share_one() -> None:
    recorded = RecordedPlayouts(StopAtKnown(min_weight=30), capacity=10)
    threads = [
        threading.Thread(target=play_out, args=(TicTacToe(), recorded), kwargs={"number": 500, "seed": seed})
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorded.num_playouts == 2000


def _at(game: Nim, moves: list[int]) -> Nim:
    for move in moves:
        game.play(move)
    return game
