"""How well win/loss states represent proportions: Basaldúa, tables 4.5 and 4.6.

21 states watch 21 random sources whose wins have probability 0, 0.05, ..., 1; then each state is read back as a
proportion. Two measures: the standard deviation of the residuals, and Spearman's rank correlation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from tesuji.experiments.run.schedule import seed_of
from tesuji.learning import WinLossStates
from tesuji.papers.findings import Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, all_of, difference, level

__all__ = ["TABLE_4_5", "TABLE_4_6", "Setting", "Task", "measures", "watch"]

NUM_SOURCES = 21
REPETITIONS = 25_000
_BATCH = 1_000
_MEASURES = ("SDr", "Src")


class Setting(msgspec.Struct, frozen=True):
    """A line of a table.

    Attributes
    ----------
    name : str
        As the table calls it.
    jump : float
        K.
    fewest, most : int
        Updates of a repetition, drawn between them.
    published : tuple of float
        The means of both measures.
    margin : tuple of float
        By how much ours may miss them.
    """

    name: str
    jump: float
    fewest: int
    most: int
    published: tuple[float, float]
    margin: tuple[float, float] = (0.003, 0.003)


UNSATURATED = Setting("c = 20 (not saturated)", 0.0, 20, 20, (0.0899, 0.9624))
SATURATED = Setting("c = 200 (saturated)", 0.0, 200, 200, (0.2316, 0.9170), (0.01, 0.01))
JUMPS = tuple(
    Setting(f"K = {jump}", jump, 150, 250, published)
    for jump, published in (
        (0.9, (0.1084, 0.9742)),
        (1.0, (0.0964, 0.9761)),
        (1.1, (0.0970, 0.9753)),
        (1.2, (0.0881, 0.9759)),
        (1.3, (0.0817, 0.9759)),
        (1.4, (0.0838, 0.9746)),
    )
)


class Task(msgspec.Struct, frozen=True):
    """Some repetitions of a setting."""

    setting: Setting
    repetitions: int
    seed: int


def watch(
    scale: WinLossStates, rates: npt.NDArray[np.float64], num_updates: npt.NDArray[np.int64], seed: int
) -> npt.NDArray[np.float64]:
    """What states say after watching sources that win at `rates`, a repetition for each number of updates.

    Returns
    -------
    array of float, shape (repetitions, sources)
        The proportions that the states stand for.
    """
    random = np.random.default_rng(seed)
    states = scale.zeros((len(num_updates), len(rates)))
    for update in range(int(num_updates.max())):
        goes_on = num_updates > update
        won = random.random(states.shape) < rates
        states[goes_on] = np.where(won, scale.win[states], scale.loss[states])[goes_on]
    return scale.rate(states)


def measures(found: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Standard deviation of the residuals and rank correlation, a row for each row of `found`."""
    residuals = np.sqrt(((found - true) ** 2).sum(axis=1) / (len(true) - 1))
    ranks, own = _ranks(found), _ranks(true[None])
    ranks, own = ranks - ranks.mean(axis=1, keepdims=True), own - own.mean()
    correlation = (ranks * own).sum(axis=1) / np.sqrt((ranks**2).sum(axis=1) * (own**2).sum())
    return np.stack([residuals, correlation], axis=1)


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """From 1, equals share their mean rank; row by row."""
    below = (values[:, :, None] > values[:, None, :]).sum(axis=2)
    equal = (values[:, :, None] == values[:, None, :]).sum(axis=2)
    ranks: npt.NDArray[np.float64] = below + (equal + 1) / 2
    return ranks


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """One of the tables; see `About`."""

    about: About
    settings: tuple[Setting, ...]
    claims: Callable[[dict[str, list[Bounds]]], list[Claim]]

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """All settings with their first repetitions, then all with the next."""
        whole = max(10, round(REPETITIONS * scale))
        starts = range(0, whole, _BATCH)
        return [
            Task(setting, min(_BATCH, whole - start), seed_of(seed, start * 100 + number))
            for start in starts
            for number, setting in enumerate(self.settings)
        ]

    def run_task(self, task: Task) -> Row:
        """Repeat the experiment; sums and sums of squares of both measures."""
        setting, rates = task.setting, np.arange(NUM_SOURCES) / (NUM_SOURCES - 1)
        random = np.random.default_rng(task.seed)
        updates = random.integers(setting.fewest, setting.most, task.repetitions, endpoint=True)
        found = watch(WinLossStates(jump=setting.jump), rates, updates, seed_of(task.seed, 1))
        values = measures(found, rates)
        return {
            "setting": setting.name,
            "count": task.repetitions,
            "sums": values.sum(axis=0).tolist(),
            "squares": (values**2).sum(axis=0).tolist(),
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """The table as it is published, and ours beside it."""
        found = {each.name: _bounds([row for row in rows if row["setting"] == each.name]) for each in self.settings}
        found = {name: both for name, both in found.items() if both}
        done = [each for each in self.settings if each.name in found]
        return Findings(
            columns=("setting", "repetitions", "SDr", "its SD", "Src", "its SD "),
            rows=[_line(each.name, [row for row in rows if row["setting"] == each.name]) for each in done],
            comparisons=[
                Comparison(
                    quantity=f"{measure}, {each.name}",
                    ours=found[each.name][number],
                    published=Published(
                        value=each.published[number],
                        margin=each.margin[number],
                        where=f"Basaldúa, table {self.about.name[-3:]}",
                    ),
                )
                for each in done
                for number, measure in enumerate(_MEASURES)
            ],
            claims=self.claims(found),
            notes=["The pseudo-code of the jump is lost: docs/algorithms/win-loss-states.md says how ours was found."],
        )


def _moments(rows: list[Row], number: int) -> tuple[float, float, int]:
    count = sum(row["count"] for row in rows)
    mean = sum(row["sums"][number] for row in rows) / count
    square = sum(row["squares"][number] for row in rows) / count
    return mean, math.sqrt(max(0.0, square - mean**2) * count / max(1, count - 1)), count


def _bounds(rows: list[Row]) -> list[Bounds]:
    """Both means with their 95 % intervals; so many repetitions that Student's is the normal one."""
    if not rows:
        return []
    found = (_moments(rows, number) for number in range(len(_MEASURES)))
    return [Bounds(mean, mean - 1.96 * sd / n**0.5, mean + 1.96 * sd / n**0.5, n) for mean, sd, n in found]


def _line(name: str, rows: list[Row]) -> list[Any]:
    moments = [_moments(rows, number) for number in range(len(_MEASURES))]
    return [name, moments[0][2], *(round(value, 4) for mean, sd, _ in moments for value in (mean, sd))]


def _apart(first: Bounds, second: Bounds) -> Bounds:
    """First less second, of independent samples."""
    reach = math.hypot(first.high - first.value, second.high - second.value)
    value = first.value - second.value
    return Bounds(value, value - reach, value + reach, min(first.trials, second.trials))


def _saturation(found: dict[str, list[Bounds]]) -> list[Claim]:
    if len(found) < 2:
        return []
    (error, order), (more_error, less_order) = found[UNSATURATED.name], found[SATURATED.name]
    return [
        Claim(
            statement="A saturated counter errs more and orders worse than a state that is not saturated (4.5.5).",
            verdict=all_of([difference(_apart(more_error, error)), difference(_apart(order, less_order))]),
            evidence=f"SDr {more_error.value:.4f} beside {error.value:.4f}, Src {less_order.value:.4f} beside"
            f" {order.value:.4f}",
            refuted_by="an interval of a difference on the other side of 0",
        )
    ]


def _best_jump(found: dict[str, list[Bounds]]) -> list[Claim]:
    errors = {setting.jump: found[setting.name][0] for setting in JUMPS if setting.name in found}
    if len(errors) < len(JUMPS) or UNSATURATED.name not in found:
        return []
    best = min((jump for jump in errors if jump >= 1.1), key=lambda jump: errors[jump].value)
    apart = {out: _apart(errors[out], errors[best]) for out in errors if out < 1.1}
    is_beaten = any(difference(each.negated()) == "reproduced" for each in apart.values())
    beside = ", ".join(f"{errors[out].value:.4f} at {out:g}" for out in apart)
    tuned, plain = found["K = 1.3"], found[UNSATURATED.name]
    return [
        Claim(
            statement="The best K lies between 1.1 and 1.4.",
            verdict="not reproduced" if is_beaten else all_of(difference(each) for each in apart.values()),
            evidence=f"the least SDr there is {errors[best].value:.4f}, at K = {best:g}; beside it {beside}",
            refuted_by="a K of 0.9 or 1.0 whose SDr is lower than the least of the others, beyond the interval",
        ),
        Claim(
            statement="With K = 1.3, SDr is at most 0.0850 and Src at least 0.973.",
            verdict=all_of([level(tuned[0], 0.0850), level(tuned[1].negated(), -0.973)]),
            evidence=f"{tuned[0].value:.4f} and {tuned[1].value:.4f}",
            refuted_by="an interval beyond a limit",
        ),
        Claim(
            statement="With K = 1.3 a saturated state represents proportions better than 20 results do.",
            verdict=all_of([difference(_apart(plain[0], tuned[0])), difference(_apart(tuned[1], plain[1]))]),
            evidence=f"SDr {tuned[0].value:.4f} beside {plain[0].value:.4f}, Src {tuned[1].value:.4f} beside"
            f" {plain[1].value:.4f}",
            refuted_by="an interval of a difference on the other side of 0",
        ),
    ]


_METHOD = (
    "21 random sources that win with probability 0, 0.05, ..., 1; a state with end of scale 21 watches each and is read"
    " back as a proportion. SDr is the standard deviation of the residuals, Src Spearman's rank correlation. 25,000"
    " repetitions of each line; scale changes that number."
)

TABLE_4_5 = Quality(
    about=About(
        name="wls/table-4.5",
        title="Win/loss states: saturation without the heuristic",
        question="How much worse does a state that is a mere counter at its end of scale represent a proportion?",
        source="Basaldúa, 4.5.5 and table 4.5.",
        method=_METHOD + " 20 updates, which do not saturate, and 200 with K = 0.",
        cost="about ten seconds on one processor core.",
    ),
    settings=(UNSATURATED, SATURATED),
    claims=_saturation,
)
TABLE_4_6 = Quality(
    about=About(
        name="wls/table-4.6",
        title="Win/loss states: the jump to a past state",
        question="How far should a saturated state jump back?",
        source="Basaldúa, 4.5.6 and table 4.6.",
        method=_METHOD + " 150 to 250 updates, drawn for each repetition; K from 0.9 to 1.4; 20 updates beside them.",
        cost="about half a minute on one processor core.",
    ),
    settings=(*JUMPS, UNSATURATED),
    claims=_best_jump,
)
