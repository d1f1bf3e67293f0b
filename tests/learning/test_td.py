"""Temporal differences beside plain Python: the network, equation 2, exploration, training, files."""

import math

import numpy as np
import pytest

from tesuji.learning.td import (
    CurvePoint,
    DivergenceError,
    Exploration,
    GameTask,
    OutcomeError,
    PlayerFileError,
    Training,
    TrainingConfig,
    ValueNetwork,
    load_player,
    save_player,
    train,
)
from tesuji.learning.td.curve import drawn_curve, small_curve
from tesuji.learning.td.differences import Differences
from tesuji.learning.td.exploration import class_of_rank
from tesuji.learning.td.play import best_moves, play_game, points_of, uniform_moves

# --- the plain reference ----------------------------------------------------------------------------------------------


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


class PlainNetwork:
    """The same network by lists and loops, and equation 2 written out."""

    def __init__(self, network: ValueNetwork) -> None:
        self.hidden = [[float(w) for w in row] for row in network.hidden]
        self.output = [float(w) for w in network.output]

    def units(self, inputs):
        with_bias = [*inputs, 1.0]
        return [
            sigmoid(sum(x * row[j] for x, row in zip(with_bias, self.hidden, strict=True)))
            for j in range(len(self.output) - 1)
        ]

    def value(self, inputs):
        return 2 * sigmoid(sum(u * w for u, w in zip([*self.units(inputs), 1.0], self.output, strict=True))) - 1

    def learn(self, inputs, target, rate):
        """One step of equation 2 towards a target: weights of the output and, by back-propagation, of the units."""
        units, value = self.units(inputs), self.value(inputs)
        at_output = (target - value) * 2 * ((1 + value) / 2) * ((1 - value) / 2)
        at_units = [at_output * w * u * (1 - u) for u, w in zip(units, self.output[:-1], strict=True)]
        for i, x in enumerate([*inputs, 1.0]):
            for j, delta in enumerate(at_units):
                self.hidden[i][j] += rate * x * delta
        for j, u in enumerate([*units, 1.0]):
            self.output[j] += rate * u * at_output


def some_network(num_inputs=7, units=5, seed=3):
    return ValueNetwork.random(num_inputs, units, np.random.default_rng(seed))


def test_values__are_the_plain_networks():
    network, rng = some_network(), np.random.default_rng(1)
    inputs = rng.normal(size=(20, 7)).astype(np.float32)
    plain = PlainNetwork(network)
    np.testing.assert_allclose(network.values(inputs), [plain.value(row.tolist()) for row in inputs], atol=1e-6)


def test_values__do_not_overflow():
    network = some_network()
    with np.errstate(all="raise"):
        assert np.abs(network.values(np.full((1, 7), 1e6, np.float32))) <= 1


def test_differences__td0_is_equation_2_with_the_opponents_next_prediction_turned_round():
    rng = np.random.default_rng(5)
    game = rng.normal(size=(6, 7)).astype(np.float32)
    network, rate = some_network(), 0.3
    plain = PlainNetwork(network)
    learner = Differences(network, rate)
    for turn, inputs in enumerate(game):
        learner.see(inputs, turn % 2)
    learner.end(0.6)
    for turn in range(5):  # each prediction towards minus the next mover's, by the weights of that moment
        plain.learn(game[turn].tolist(), -plain.value(game[turn + 1].tolist()), rate)
    plain.learn(game[5].tolist(), -0.6, rate)  # the second player moved last
    np.testing.assert_allclose(network.hidden, plain.hidden, atol=1e-5)
    np.testing.assert_allclose(network.output, plain.output, atol=1e-5)


def test_differences__with_lambda_1_and_a_small_rate_every_prediction_goes_to_the_outcome():
    rng = np.random.default_rng(5)
    game = rng.normal(size=(4, 7)).astype(np.float32)
    network, rate = some_network(), 1e-4
    start = network.copy()
    learner = Differences(network, rate, trace_decay=1.0)
    for turn, inputs in enumerate(game):
        learner.see(inputs, turn % 2)
    learner.end(-0.8)
    expected = np.zeros_like(network.hidden)
    for turn, inputs in enumerate(game):
        value, gradient = start.value_and_gradient(inputs)
        expected += rate * ((0.8 if turn % 2 else -0.8) - value) * gradient.hidden
    np.testing.assert_allclose(network.hidden - start.hidden, expected, atol=2e-7)


# --- exploration ------------------------------------------------------------------------------------------------------


def test_classes__double_in_size():
    assert [class_of_rank(rank) for rank in range(9)] == [0, 1, 1, 2, 2, 2, 2, 3, 3]


def test_exploration__draws_classes_by_their_weights_and_moves_within_one_evenly():
    values = np.linspace(1, 0, 15, dtype=np.float32)
    exploration = Exploration(share_at_start=0.5, share_at_end=0.5, temperature=1.5)
    rng = np.random.default_rng(1)
    drawn = np.bincount([exploration.choose(values, 0, rng) for _ in range(40_000)], minlength=15) / 40_000
    weights = [math.exp(-k / 1.5) for k in (1, 2, 3)]
    expected = [0.5] + [
        0.5 * weights[class_of_rank(r) - 1] / sum(weights) / 2 ** class_of_rank(r) for r in range(1, 15)
    ]
    np.testing.assert_allclose(drawn, expected, atol=0.01)


def test_exploration__falls_in_a_straight_line():
    exploration = Exploration(share_at_start=0.4, share_at_end=0.1, games=100)
    assert [round(exploration.share(game), 3) for game in (0, 50, 100, 1000)] == [0.4, 0.25, 0.1, 0.1]


@pytest.mark.parametrize("field", [{"share_at_start": 1.5}, {"share_at_end": -0.1}, {"games": 0}, {"temperature": 0.0}])
def test_exploration__that_is_none_is_refused(field):
    with pytest.raises(ValueError, match="must"):
        Exploration(**field)


# --- training ---------------------------------------------------------------------------------------------------------


def stones(game, player):
    owners = [game.owner(move) for move in range(9)]
    return [float(owner == seat) for seat in (player, 1 - player) for owner in owners]


def tictactoe():
    return GameTask("tictactoe", features=stones)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def lines(game, player):
    """For each line whether only one side stands on it, and with how many stones."""
    counts = [[sum(game.owner(move) == seat for move in line) for seat in (player, 1 - player)] for line in LINES]
    return [
        float(count[seat] == number and count[1 - seat] == 0)
        for count in counts
        for seat in (0, 1)
        for number in (1, 2, 3)
    ]


def test_train__a_player_learns_tictactoe():
    task = GameTask("tictactoe", features=lines)
    config = TrainingConfig(rate=0.3, test_every=500, test_games=200, exploration=Exploration(games=400))
    training = Training.begin(task, config)
    train(task, training, 500)
    assert training.curve[0].rate < 0.8
    assert training.curve[-1].rate > 0.85
    assert training.curve[-1].rate > training.curve[0].rate + 0.05
    assert training.spread > 0


def test_train__stopped_and_gone_on_is_the_same_as_not_stopped():
    task, config = tictactoe(), TrainingConfig(test_every=20, test_games=4)
    whole, parts = Training.begin(task, config), Training.begin(task, config)
    train(task, whole, 60)
    for games in (7, 40, 60):
        train(task, parts, games)
    np.testing.assert_array_equal(whole.network.hidden, parts.network.hidden)
    assert whole.curve == parts.curve


class Unreliable:
    """A task whose outcome fails now and then."""

    def __init__(self, task, fails):
        self._task, self._fails = task, fails

    def __getattr__(self, name):
        return getattr(self._task, name)

    def outcome(self, state, seed):
        if self._fails():
            raise OutcomeError("it crashed")
        return self._task.outcome(state, seed)


def test_train__a_game_that_comes_to_nothing_is_repeated_and_counted():
    calls = iter(range(10**6))
    task = Unreliable(tictactoe(), lambda: next(calls) % 3 == 0)
    training = Training.begin(task, TrainingConfig(test_every=5, test_games=4))
    train(task, training, 10)
    assert training.games == 10
    assert training.failures > 5


def test_train__ten_failures_in_a_row_end_it_with_the_games_before_kept():
    calls = iter(range(10**6))
    task = Unreliable(tictactoe(), lambda: next(calls) >= 5)
    training = Training.begin(task, TrainingConfig(test_games=0))
    with pytest.raises(OutcomeError, match="10 games in a row"):
        train(task, training, 20)
    assert training.games == 5


def test_train__weights_that_are_no_numbers_end_it_with_the_last_good_ones():
    class Broken(Unreliable):
        def after_states(self, state):
            after = self._task.after_states(state)
            return after._replace(inputs=after.inputs * np.float32(np.inf if training.games == 3 else 1))

    task = Broken(tictactoe(), lambda: False)
    training = Training.begin(task, TrainingConfig(test_games=0))
    with np.errstate(all="ignore"), pytest.raises(DivergenceError, match="game 4"):
        train(task, training, 20)
    assert training.games == 3
    assert training.network.is_finite


def test_train__ctrl_c_leaves_whole_games():
    task = tictactoe()
    training = Training.begin(task, TrainingConfig(test_games=0))

    def interrupt(now):
        if now.games == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(task, training, 20, on_game=interrupt)
    other = Training.begin(task, TrainingConfig(test_games=0))
    train(task, other, 8)
    np.testing.assert_array_equal(training.network.hidden, other.network.hidden)


def test_features__of_changing_number_or_none_are_refused():
    with pytest.raises(ValueError, match="must return a list of numbers"):
        GameTask("tictactoe", features=lambda game, player: [])
    task = GameTask("tictactoe", features=lambda game, player: [1.0] * (9 - len(game.legal_moves())))
    state = task.begin()
    state.play(0)
    with pytest.raises(ValueError, match="as many as for every position"):
        task.after_states(state)
    with pytest.raises(ValueError, match="infinite or none"):
        GameTask("tictactoe", features=lambda game, player: [math.nan])


def test_after_states__that_end_the_game_have_known_values_for_the_mover():
    task = tictactoe()
    state = task.begin()
    for move in (0, 3, 1, 4, 8):  # X: 0 1 8, O: 3 4, O to move
        state.play(move)
    after = task.after_states(state)
    assert {int(m): k for m, k in zip(after.moves, after.known, strict=True) if not np.isnan(k)} == {5: 1.0}
    winner = best_moves(task, ValueNetwork.random(18, 4, np.random.default_rng(1)))
    assert winner(state, np.random.default_rng(1)) == 5  # whatever the network says: a win is a win


def test_play__points_and_movers():
    task = tictactoe()
    assert [points_of(margin) for margin in (3.5, 0, -1)] == [1, 0.5, 0]
    rng = np.random.default_rng(1)
    movers = uniform_moves(task), best_moves(task, ValueNetwork.random(18, 4, rng))
    assert {play_game(task, movers, rng) for _ in range(50)} <= {-1.0, 0.0, 1.0}


# --- files ------------------------------------------------------------------------------------------------------------


def test_file__gives_back_all_that_a_training_needs(tmp_path):
    task, config = tictactoe(), TrainingConfig(test_every=10, test_games=4, seed=7)
    training, whole = Training.begin(task, config), Training.begin(task, config)
    train(task, training, 20)
    back = load_player(save_player(tmp_path / "x.player", task, training), task)
    assert (back.config, back.games, back.curve, back.spread) == (config, 20, training.curve, training.spread)
    train(task, back, 40)
    train(task, whole, 40)
    np.testing.assert_array_equal(whole.network.hidden, back.network.hidden)


def test_file__of_other_features_is_refused_with_the_command_that_makes_the_right_one(tmp_path):
    task = tictactoe()
    path = save_player(tmp_path / "x.player", task, Training.begin(task, TrainingConfig()))
    other = GameTask("tictactoe", features=lambda game, player: [1.0])
    with pytest.raises(PlayerFileError, match=r"features stones.*'tesuji learn player tictactoe --features <lambda>'"):
        load_player(path, other)
    fewer = tictactoe()
    fewer._num_inputs = 5
    with pytest.raises(PlayerFileError, match="has 18 inputs, 5 are needed"):
        load_player(path, fewer)


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:200], lambda b: b"PK" + b[2:400], lambda b: b[::-1]])
def test_file__that_is_damaged_is_refused_in_a_sentence(tmp_path, damage):
    task = tictactoe()
    path = save_player(tmp_path / "x.player", task, Training.begin(task, TrainingConfig()))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(PlayerFileError, match=r"x\.player"):
        load_player(path, task)


def test_file__with_weights_that_are_no_numbers_is_refused(tmp_path):
    task = tictactoe()
    training = Training.begin(task, TrainingConfig())
    training.network.hidden[0, 0] = np.nan
    with pytest.raises(PlayerFileError, match="not numbers"):
        load_player(save_player(tmp_path / "x.player", task, training), task)


def test_curve__is_drawn_from_100_to_0():
    picture = drawn_curve([CurvePoint(50 * i, 50 + 4 * i, 100) for i in range(11)])
    lines = picture.splitlines()
    assert lines[0].startswith("100 %")
    assert lines[1].rstrip().endswith("*")  # 90 % at the end
    assert "500 games" in lines[-1]
    assert drawn_curve([]) == "no test yet"


def test_curve__is_a_sign_for_each_of_the_last_tests():
    curve = [CurvePoint(50 * i, points, 100) for i, points in enumerate((0, 12, 55, 99, 100))]
    assert small_curve(curve, is_plain=True) == "01599"
    assert small_curve(curve, 3) == "▅██"
