"""Games whose winner depends on parameters in a known way. Worker processes import this module."""

from __future__ import annotations

import math
import random

from tesuji.experiments.records import GameRecord, GameTask, Reason

BEST = {"a": 0.3, "k": 50}


def win_rate(a: float, k: float) -> float:
    """A hill over two parameters: 73 % at its top, at a = 0.3 and k = 50, and low at the edges."""
    logit = 1.0 - 6 * (a - BEST["a"]) ** 2 - 0.5 * math.log(k / BEST["k"]) ** 2
    return 1 / (1 + math.exp(-logit))


def play_hill(task: GameTask) -> GameRecord:
    """A game of the candidate, or of the tuned player against the start, decided by the hill."""
    seats = {task.first.name: "first", task.second.name: "second"}
    if "candidate" in seats:
        me, rate = "candidate", win_rate(float(task.parameters["a"]), float(task.parameters["k"]))
    else:
        heights = {
            player.name: win_rate(*map(float, player.command.split()[1:])) for player in (task.first, task.second)
        }
        me, rate = "tuned", heights["tuned"] / (heights["tuned"] + heights["start"])
    other = next(name for name in seats if name != me)
    winner = seats[me if random.Random(task.seed).random() < rate else other]
    return GameRecord(
        index=task.index,
        pair=task.pair,
        first=task.first.name,
        second=task.second.name,
        winner=winner,  # type: ignore[arg-type]
        score="B+" if winner == "first" else "W+",
        reason=Reason.SCORE,
        seed=task.seed,
    )
