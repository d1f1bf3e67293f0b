"""Playout policies compiled for a compiled game: against the same policy in plain Python, and errors with words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from games.compiled_games import legal_moves, nim, playout
from tesuji.games import CompiledGame, CompiledPlayouts, TicTacToe, below
from tesuji.games.connect4 import PlainConnect4, compiled_connect4
from tesuji.search.playouts import RandomStream, RecordedPlayouts, StopAtKnown, play_out


def uniform(state: Any, moves: Any, random: Any) -> int:
    return int(moves[below(random, len(moves))])


def middle(state: Any, moves: Any, random: Any) -> int:
    """The middle column if there is room, else any."""
    for move in moves:
        if move == 3:
            return 3
    return int(moves[below(random, len(moves))])


def middle_in_python(state: Any, random: RandomStream) -> int:
    moves = state.legal_moves()
    return 3 if 3 in moves else int(moves[random.below(len(moves))])


@pytest.fixture(scope="module")
def connect4() -> CompiledGame:
    return compiled_connect4()


def test_compiled_playouts__uniform_steps_are_the_games_own_playout(connect4: CompiledGame) -> None:
    ours = play_out(connect4, CompiledPlayouts(connect4, step=uniform), number=200, seed=1)
    own = play_out(connect4, number=200, seed=1)
    assert np.array_equal(ours[0], own[0])
    assert np.array_equal(ours[1], own[1])


def test_compiled_playouts__agree_with_the_same_policy_in_plain_python(connect4: CompiledGame) -> None:
    compiled = play_out(connect4, CompiledPlayouts(connect4, step=middle), number=60, seed=2)
    plain = play_out(PlainConnect4(), middle_in_python, number=60, seed=2)
    assert np.array_equal(compiled[0], plain[0])
    assert np.array_equal(compiled[1], plain[1])


def test_compiled_playouts__decorators_go_around_them(connect4: CompiledGame) -> None:
    recorded = RecordedPlayouts(StopAtKnown(CompiledPlayouts(connect4, step=middle), min_weight=20))
    play_out(connect4, recorded, number=100, seed=1)
    assert recorded.playouts[0].moves[0].move == 3
    assert recorded.playouts[-1].moves == []  # the root is known by then


def test_compiled_playouts__a_function_may_stop_them() -> None:
    def stop(state: Any) -> float:
        return 0.25 if state.heap <= 4 else np.nan

    game = nim()
    values, lengths = play_out(game, CompiledPlayouts(game, step=uniform, stop=stop), number=20, seed=1)
    assert set(values) == {0.25}
    assert lengths.max() <= 6


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"step": lambda state, moves, random: 7}, ValueError, "step returned a move that is not legal"),
        ({"step": lambda state, moves, random: moves[10]}, IndexError, "in step\\(state\\) of a compiled"),
        ({"step": uniform, "stop": lambda state: 1.5}, ValueError, "value is 1.5; it must lie in 0..1"),
    ],
)
def test_compiled_playouts__what_goes_wrong_is_told_in_words(change: Any, error: type, message: str) -> None:
    game = nim()
    with pytest.raises(error) as caught:
        play_out(game, CompiledPlayouts(game, **change))
    text = str(caught.value) + " ".join(getattr(caught.value, "__notes__", []))
    assert re.search(message, text)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"step": lambda state, random: 0}, TypeError, "step takes 2 arguments; it is called as step"),
        ({"step": 3}, TypeError, "step is 3; it must be a plain function"),
        ({"step": lambda state, moves, random: 0.5}, ValueError, "step returns float64; it must return the move"),
        ({"step": lambda state, moves, random: state.nothing}, ValueError, "the record has no field 'nothing'"),
        ({"step": uniform, "stop": lambda state, random: 0.0}, TypeError, "stop takes 2 arguments"),
    ],
)
def test_compiled_playouts__functions_that_cannot_be_used_are_refused(change: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        CompiledPlayouts(nim(), **change)


def test_compiled_playouts__belong_to_their_game(connect4: CompiledGame) -> None:
    playouts = CompiledPlayouts(connect4, step=uniform)
    copied = connect4.copy()
    copied.play(3)
    play_out(copied, playouts)
    with pytest.raises(ValueError, match="compiled for another game"):
        play_out(nim(), playouts)
    with pytest.raises(ValueError, match="compiled"):
        play_out(TicTacToe(), playouts)
    with pytest.raises(TypeError, match="CompiledGame"):
        CompiledPlayouts(TicTacToe(), step=uniform)  # type: ignore[arg-type]


def test_compiled_playouts__a_policy_in_plain_python_is_refused_with_the_remedy(connect4: CompiledGame) -> None:
    with pytest.raises(ValueError, match="CompiledPlayouts"):
        play_out(connect4, middle_in_python)


def test_play_out__a_playout_of_the_games_own_is_one_step() -> None:
    game, plain = nim(playout=playout), nim(legal_moves=legal_moves)
    ours, lengths = play_out(game, number=50, seed=1)
    assert np.array_equal(ours, play_out(plain, number=50, seed=1)[0])
    assert lengths.max() == 0  # its moves are its own affair
