"""Training a player: games against itself, each of which changes the network, and tests against uniform play.

The protocol of Huang, Connell and McQuade (2003), section 3.2, for any task. A game's random numbers depend on the seed
and its number alone, so a training that was stopped and goes on ends with the same weights as one that was not.

What is kept in files is `player_file.py`'s affair; what is shown while it runs is its caller's.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import msgspec
import numpy as np

from tesuji.learning.td.differences import Differences
from tesuji.learning.td.exploration import Exploration
from tesuji.learning.td.network import ValueNetwork
from tesuji.learning.td.play import best_moves, play_game, points_of, uniform_moves, values_of
from tesuji.learning.td.task import OutcomeError, Task
from tesuji.search.frozen import Frozen

__all__ = ["CurvePoint", "DivergenceError", "Training", "TrainingConfig", "train"]

_MOST_FAILURES = 10  # in a row: more are not an accident
_SPREAD_GAMES = 300  # over about so many games the spread of outcomes is a mean
_GAMES, _TESTS = 0, 1  # streams of random numbers


class DivergenceError(ValueError):
    """Weights have become infinite or not a number."""


class TrainingConfig(Frozen, frozen=True, kw_only=True):
    """How a player learns.

    Attributes
    ----------
    units : int
        Of the hidden layer.
    rate : float
        Alpha of equation 2.
    trace_decay : float
        Lambda, 0..1; 0 is TD(0).
    exploration : Exploration
        Which moves are made in games to learn from.
    test_every, test_games : int
        After so many games the player is tested over so many; 0 games: never.
    seed : int
        Of everything random.
    """

    units: int = 40
    rate: float = 0.1
    trace_decay: float = 0.0
    exploration: Exploration = Exploration()
    test_every: int = 50
    test_games: int = 100
    seed: int = 1

    def _check(self) -> None:
        if not 1 <= self.units <= 10_000:
            raise ValueError(f"units is {self.units}; it must lie in 1..10000")
        if not 0 < self.rate < math.inf:
            raise ValueError(f"rate is {self.rate}; it must be above 0 and finite")
        if not 0 <= self.trace_decay <= 1:
            raise ValueError(f"trace_decay is {self.trace_decay}; it must lie in 0..1")
        if self.test_every < 1:
            raise ValueError(f"test_every is {self.test_every}; it must be at least 1")
        if self.test_games < 0:
            raise ValueError(f"test_games is {self.test_games}; it must be 0 or more")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed is {self.seed}; it must lie in 0..2**63-1")


class CurvePoint(msgspec.Struct, frozen=True):
    """A test: after so many games of training, so many points (a draw is half a one) of so many games."""

    trained: int
    points: float
    games: int

    @property
    def rate(self) -> float:
        """The share that was won."""
        return self.points / self.games


class Training(msgspec.Struct, kw_only=True):
    """A player that learns, as far as it has come.

    Attributes
    ----------
    config : TrainingConfig
        How it learns.
    network : ValueNetwork
        What it knows.
    games : int
        How many games it has learnt from.
    curve : list of CurvePoint
        Its tests.
    failures : int
        Games that were played again because nobody could say what they were worth.
    spread : float
        By how much outcomes lie off the last prediction, the root of the mean square, in outputs; 0: not known.
    cpu_s : float
        Processor time, of the training and the tests.
    """

    config: TrainingConfig
    network: ValueNetwork
    games: int = 0
    curve: list[CurvePoint] = []
    failures: int = 0
    spread: float = 0.0
    cpu_s: float = 0.0

    @classmethod
    def begin(cls, task: Task, config: TrainingConfig) -> Training:
        """One that knows nothing."""
        rng = np.random.default_rng([config.seed])
        return cls(config=config, network=ValueNetwork.random(task.num_inputs, config.units, rng))


def train(
    task: Task,
    training: Training,
    games: int,
    *,
    on_game: Callable[[Training], object] = lambda _: None,
    on_test: Callable[[Training], object] = lambda _: None,
) -> None:
    """Learn until `games` games have been played in all; what was learnt before counts.

    Parameters
    ----------
    task : Task
        What is learnt.
    training : Training
        Is changed. Whenever a callback is called, or an exception leaves, it is whole: no game counts half.
    games : int
        In all.
    on_game, on_test : callable
        Called after a game, and after a test.

    Raises
    ------
    DivergenceError
        If weights are not numbers any more; the training is as it was before that game.
    OutcomeError
        If ten games in a row came to nothing.
    KeyboardInterrupt
        At Ctrl-C; the game that was being played is forgotten.
    """
    _test_if_due(task, training, on_test)
    while training.games < games:
        began_s = time.process_time()
        network, off = _after_a_game(task, training)
        if not network.is_finite:
            raise DivergenceError(
                f"the weights are not numbers any more after game {training.games + 1}: "
                f"a rate of {training.config.rate:g} is too high; the last good ones are kept"
            )
        training.network = network
        training.games += 1
        training.spread = _updated_spread(training, off)
        training.cpu_s += time.process_time() - began_s
        on_game(training)
        _test_if_due(task, training, on_test)


def _after_a_game(task: Task, training: Training) -> tuple[ValueNetwork, float]:
    """The network after one more game, played again where it came to nothing; and how far off its prediction was."""
    errors: list[OutcomeError] = []
    while len(errors) < _MOST_FAILURES:
        network = training.network.copy()
        try:
            return network, _learn_from_game(task, network, training, attempt=len(errors))
        except OutcomeError as error:
            training.failures += 1
            errors.append(error)
    raise OutcomeError(f"{_MOST_FAILURES} games in a row came to nothing, the last: {errors[-1]}")


def _learn_from_game(task: Task, network: ValueNetwork, training: Training, attempt: int) -> float:
    """Play a game against itself; returns by how much the outcome is off the last prediction, in outputs."""
    config = training.config
    rng = np.random.default_rng([config.seed, _GAMES, training.games, attempt])
    learner = Differences(network, config.rate, config.trace_decay)
    state = task.begin()
    while not task.is_done(state):
        player = state.to_play
        after = task.after_states(state)
        place = config.exploration.choose(values_of(after, network), training.games, rng)
        if after.known is None or np.isnan(after.known[place]):  # what is known needs no prediction
            learner.see(after.inputs[place], player)
        state.play(int(after.moves[place]))
    outcome = task.outcome(state, int(rng.integers(2**31))) / task.unit
    learner.end(max(-1.0, min(1.0, outcome)))
    return outcome - learner.prediction


def _updated_spread(training: Training, off: float) -> float:
    weight = 1 / min(training.games, _SPREAD_GAMES)
    return math.sqrt((1 - weight) * training.spread**2 + weight * off**2)


def _test_if_due(task: Task, training: Training, on_test: Callable[[Training], object]) -> None:
    config = training.config
    is_due = training.games % config.test_every == 0 and config.test_games > 0
    if not is_due or any(point.trained == training.games for point in training.curve):
        return
    began_s = time.process_time()
    player, other = best_moves(task, training.network), uniform_moves(task)
    seated = ((player, other), (other, player))
    points, game, failures = 0.0, 0, 0
    while game < config.test_games:
        rng = np.random.default_rng([config.seed, _TESTS, training.games, game, failures])
        seat = game % 2
        try:
            margin = play_game(task, seated[seat], rng) * (1 if seat == 0 else -1)
        except OutcomeError:
            failures += 1
            if failures > _MOST_FAILURES + config.test_games:
                raise
            continue
        points += points_of(margin)
        game += 1
    training.failures += failures
    training.curve.append(CurvePoint(training.games, points, config.test_games))
    training.cpu_s += time.process_time() - began_s
    on_test(training)
