"""A bandit whose arms drift: win/loss states beside exact counts.

Ten arms pay with probabilities that change every 250 pulls. An exact count of wins and pulls remembers everything, and
so the past; a state with a short scale forgets it. Both choose in the same way: nine pulls of ten go to the arm whose
number is highest, the tenth to a random one.

Run it:  python examples/drifting_bandit.py
"""

from __future__ import annotations

import numpy as np

from tesuji.learning import WinLossStates

NUM_ARMS, NUM_PULLS, PERIOD, EXPLORE = 10, 5_000, 250, 0.1


def pulled(random: np.random.Generator, scores: np.ndarray) -> int:
    """The arm to pull: the best so far, one of the best if there are several; sometimes any."""
    if random.random() < EXPLORE:
        return int(random.integers(NUM_ARMS))
    return int(random.choice(np.flatnonzero(scores == scores.max())))


def play(end_of_scale: int | None, seed: int) -> float:
    """The share of pulls that paid; no end of scale: exact counts."""
    random = np.random.default_rng(seed)
    scale = WinLossStates(end_of_scale or 1)
    states, wins, pulls = scale.zeros(NUM_ARMS), np.zeros(NUM_ARMS), np.zeros(NUM_ARMS)
    rates, paid = random.random(NUM_ARMS), 0
    for number in range(NUM_PULLS):
        if number % PERIOD == 0:
            rates = random.random(NUM_ARMS)
        arm = pulled(random, states if end_of_scale else (wins + 1) / (pulls + 2))
        is_win = bool(random.random() < rates[arm])
        paid += is_win
        states[arm] = (scale.win if is_win else scale.loss)[states[arm]]
        wins[arm] += is_win
        pulls[arm] += 1
    return paid / NUM_PULLS


def main() -> None:
    """Print what each memory earns."""
    print(f"{NUM_ARMS} arms, new probabilities every {PERIOD} pulls, {NUM_PULLS:,} pulls, 5 seeds\n")
    for end_of_scale in (None, 5, 10, 21, 100, 360):
        shares = [play(end_of_scale, seed) for seed in range(5)]
        name = "exact counts" if end_of_scale is None else f"end of scale {end_of_scale}"
        print(f"{name:<18} {100 * np.mean(shares):5.1f} % of the pulls paid")


if __name__ == "__main__":
    main()
