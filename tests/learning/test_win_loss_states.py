"""Win/loss states against a plain reference, their conditions, NumPy and Numba, and what is refused."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.learning import WinLossStates

SCALES = st.builds(
    WinLossStates,
    st.integers(1, 25),
    alpha=st.floats(0.05, 0.95),
    threshold=st.sampled_from([0.5, 0.625, 0.3, 0.9]),
    jump=st.sampled_from([0.0, 0.7, 1.0, 1.3, 2.0]),
)

Pair = tuple[int, int]


class Reference:
    """The same scale by the definitions, with fractions and dictionaries."""

    def __init__(self, scale: WinLossStates) -> None:
        self.end, self.threshold = scale.end_of_scale, Fraction(scale.threshold).limit_denominator(1000)
        self.jump, self.z = Fraction(scale.jump).limit_denominator(1000), NormalDist().inv_cdf(1 - scale.alpha / 2)
        tried = [(n, m) for m in range(1, self.end + 1) for n in range(m + 1)]
        self.order: list[Pair] = [(0, 0), *sorted(tried, key=self.evidence)]
        self.number = {pair: i for i, pair in enumerate(self.order)}

    def evidence(self, pair: Pair) -> tuple[bool, float]:
        n, m = pair
        trials = m + self.z**2
        rate = (n + self.z**2 / 2) / trials
        reach = self.z * math.sqrt(rate * (1 - rate) / trials)
        is_above = Fraction(n, m) >= self.threshold
        return is_above, rate - reach if is_above else rate + reach

    def after_win(self, n: int, m: int) -> Pair:
        return (n + 1, m + 1) if m < self.end else self.past(n, lambda pair: self.is_more(pair, (n, m)))

    def after_loss(self, n: int, m: int) -> Pair:
        if m < self.end:
            return n, m + 1
        good, trials = self.past(m - n, lambda pair: self.is_more((n, m), (pair[1] - pair[0], pair[1])))
        return trials - good, trials

    def is_more(self, first: Pair, second: Pair) -> bool:
        return self.number[first] > self.number[second]

    def past(self, good: int, accepts) -> Pair:  # type: ignore[no-untyped-def]
        if good == self.end:
            return self.end, self.end
        half = Fraction(1, 2)
        trials = max(1, self.end - (self.jump * abs(good - half * self.end) + half).__floor__())
        wins = (Fraction(good * trials, self.end) + half).__floor__()
        candidates = [(n, trials) for n in range(wins, trials + 1)] + [(m, m) for m in range(trials + 1, self.end + 1)]
        return next(pair for pair in candidates if accepts(pair))


@pytest.mark.parametrize(
    "scale",
    [
        WinLossStates(),
        WinLossStates(3),
        WinLossStates(1),
        WinLossStates(40, threshold=0.625, jump=1.0),
        WinLossStates(21, alpha=0.05, jump=0.9),
        WinLossStates(30, alpha=0.9, threshold=0.3, jump=2.0),
    ],
    ids=repr,
)
def test_tables__are_those_of_the_plain_reference(scale: WinLossStates) -> None:
    plain = Reference(scale)
    assert list(zip(scale.wins.tolist(), scale.trials.tolist(), strict=True)) == plain.order
    for state, (n, m) in enumerate(plain.order):
        assert scale.win[state] == plain.number[plain.after_win(n, m)], (n, m)
        assert scale.loss[state] == plain.number[plain.after_loss(n, m)], (n, m)
    rates = [Fraction(n, m) >= plain.threshold for n, m in plain.order[1:]]
    assert scale.threshold_state == 1 + rates.index(True)


@settings(max_examples=25, deadline=None)
@given(SCALES)
def test_conditions__evidence_orders_the_states(scale: WinLossStates) -> None:
    """Condition 1: above comes after below, and more trials of one rate are more evidence."""
    rates = scale.wins[1:] / scale.trials[1:]
    assert (np.diff((rates >= scale.threshold).astype(int)) >= 0).all()
    for n, m in [(3, 4), (1, 4), (2, 3), (1, 3)]:
        multiples = [scale.state(n * k, m * k) for k in range(1, scale.end_of_scale // m + 1)]
        rising = multiples if n / m >= scale.threshold else multiples[::-1]
        assert rising == sorted(rising)


@settings(max_examples=25, deadline=None)
@given(SCALES)
def test_conditions__a_win_raises_and_a_loss_lowers(scale: WinLossStates) -> None:
    """Condition 2, for all states but the highest and the lowest, which stay."""
    states = np.arange(1, scale.size)
    win, loss = scale.win[1:].astype(int), scale.loss[1:].astype(int)
    assert (win[:-1] > states[:-1]).all()
    assert win[-1] == states[-1] == scale.state(scale.end_of_scale, scale.end_of_scale)
    assert (loss[1:] < states[1:]).all()
    assert loss[0] == 1 == scale.state(0, scale.end_of_scale)


@settings(max_examples=25, deadline=None)
@given(SCALES)
def test_conditions__unsaturated_states_count(scale: WinLossStates) -> None:
    """Condition 3: below the end of the scale an update adds one trial."""
    free = scale.trials < scale.end_of_scale
    for after, more in ((scale.win, 1), (scale.loss, 0)):
        assert (scale.trials[after[free]] == scale.trials[free] + 1).all()
        assert (scale.wins[after[free]] == scale.wins[free] + more).all()


@pytest.mark.parametrize(("end", "size", "bits"), [(21, 253, 8), (22, 276, 16), (360, 65341, 16), (361, 65703, 32)])
def test_dtype__is_the_smallest_that_holds_the_states(end: int, size: int, bits: int) -> None:
    scale = WinLossStates(end)
    assert (scale.size, scale.dtype) == (size, np.dtype(f"uint{bits}"))
    assert scale.win.dtype == scale.loss.dtype == scale.zeros(2).dtype == scale.dtype


def test_state__and_nearest_find_proportions() -> None:
    scale = WinLossStates()
    assert scale.state(0, 0) == 0
    assert (scale.wins[scale.nearest(125 / 200)], scale.trials[scale.nearest(125 / 200)]) == (5, 8)
    assert scale.nearest(0.5) == scale.state(1, 2) == scale.threshold_state
    assert scale.rate([scale.state(3, 4), 0]).tolist()[0] == 0.75
    assert np.isnan(scale.rate(0))


def test_updated__is_the_tables_for_any_shape() -> None:
    scale = WinLossStates(9)
    random = np.random.default_rng(1)
    states = random.integers(0, scale.size, (4, 5, 6)).astype(scale.dtype)
    won = random.random((4, 5, 6)) < 0.5
    after = scale.updated(states, won)
    assert after.dtype == scale.dtype
    for at in np.ndindex(states.shape):
        assert after[at] == (scale.win if won[at] else scale.loss)[states[at]]
    assert (scale.updated(states, True) == scale.win[states]).all()


@pytest.mark.parametrize("end", [5, 50, 400])
def test_learn__enters_results_in_their_order(end: int) -> None:
    scale = WinLossStates(end)
    random = np.random.default_rng(end)
    at, won = random.integers(0, 7, 3000), random.random(3000) < 0.6
    states = scale.zeros(7)
    scale.learn(states, at, won)
    plain = [0] * 7
    for place, is_win in zip(at, won, strict=True):
        plain[place] = int((scale.win if is_win else scale.loss)[plain[place]])
    assert states.tolist() == plain


def test_learn__a_wrong_place_changes_nothing() -> None:
    scale = WinLossStates()
    states = scale.zeros(3)
    for at in ([0, 3], [0, -1]):
        with pytest.raises(ValueError, match=r"update 1 is of element (3|-1): there are 3 elements"):
            scale.learn(states, at, [True, True])
    assert states.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (np.zeros(3, np.int64), "array of uint8 with one dimension"),
        (np.zeros((3, 3), np.uint8), "array of uint8 with one dimension"),
        (np.zeros(6, np.uint8)[::2], "give a copy"),
        (np.full(3, 255, np.uint8), "of states below 253"),
    ],
)
def test_learn__refuses_what_is_no_array_of_states(states: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WinLossStates().learn(states, [0], [True])


def test_learn__refuses_lengths_that_differ() -> None:
    with pytest.raises(ValueError, match="2 places and 1 results"):
        WinLossStates().learn(WinLossStates().zeros(3), [0, 1], [True])


def test_numba__uses_the_tables_as_plain_arrays() -> None:
    numba = pytest.importorskip("numba")

    @numba.njit
    def learned(win, loss, results):  # type: ignore[no-untyped-def]
        state = 0
        for is_win in results:
            state = win[state] if is_win else loss[state]
        return state

    scale = WinLossStates()
    results = np.random.default_rng(3).random(500) < 0.7
    states = scale.zeros(1)
    scale.learn(states, np.zeros(500, int), results)
    assert learned(scale.win, scale.loss, results) == states[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"end_of_scale": 0}, "end_of_scale is 0: it is a whole number, the smallest 1"),
        ({"end_of_scale": -3}, "end_of_scale is -3"),
        ({"end_of_scale": 2.5}, "end_of_scale is 2.5"),
        ({"end_of_scale": 10**9}, "up to 5000"),
        ({"threshold": 0}, "threshold is 0: it lies between 0 and 1"),
        ({"threshold": 1.0}, "threshold is 1.0"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"alpha": 0.0}, "alpha is 0.0"),
        ({"alpha": 1}, "alpha is 1"),
        ({"jump": -0.1}, "jump is -0.1"),
        ({"jump": 2.5}, "jump is 2.5"),
        ({"jump": float("nan")}, "jump is nan"),
    ],
)
def test_init__names_the_value_and_its_range(given: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WinLossStates(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("states", "message"), [([253], "253 is not a state"), ([-1], "-1 is not a state"), ([0.5], "whole")]
)
def test_rate__refuses_what_is_no_state(states: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WinLossStates().rate(states)


def test_state__refuses_what_is_not_on_the_scale() -> None:
    for wins, trials in ((3, 2), (-1, 2), (5, 22)):
        with pytest.raises(ValueError, match="not on a scale that ends at 21"):
            WinLossStates().state(wins, trials)
    with pytest.raises(ValueError, match="it is 0 to 1"):
        WinLossStates().nearest(1.5)


def test_tables__are_not_writeable_and_pickle_makes_them_again() -> None:
    scale = WinLossStates(7, alpha=0.3, threshold=0.4, jump=1.1)
    with pytest.raises(ValueError, match="read-only"):
        scale.win[0] = 1
    again = pickle.loads(pickle.dumps(scale))
    assert repr(again) == repr(scale)
    assert (again.win == scale.win).all()


def test_init__refuses_an_interval_in_which_a_loss_would_raise_a_state() -> None:
    with pytest.raises(ValueError, match=r"alpha = 6e-05 and threshold = 0.01: a loss at 1/24 .* give a larger alpha"):
        WinLossStates(100, alpha=6e-5, threshold=0.01)
