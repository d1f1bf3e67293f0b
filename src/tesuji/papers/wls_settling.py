"""How long win/loss states take to forget: Basaldúa, 4.5.7 and figure 4.11.

A state that has watched a source of probability 1/4 for long sees it change to 3/4. How many results until it says 3/4,
by the end of its scale?
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

import msgspec
import numpy as np

from tesuji.experiments.report.plots import line_plot
from tesuji.experiments.run.schedule import seed_of
from tesuji.learning import WinLossStates
from tesuji.papers.findings import Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, Verdict, difference

__all__ = ["FIG_4_11", "Fit", "Task", "fit_line", "settling_times"]

ENDS = tuple(range(25, 1001, 25))
RUNS = 25
BEFORE, AFTER, ACCURACY = 0.25, 0.75, 0.025
_LONG = 1000
"""Times the end of the scale: whoever has not settled then never does."""


def settling_times(end_of_scale: int, runs: int, seed: int) -> list[int]:
    """The number of updates from the change until the state says 3/4 within 2.5 %, for each run."""
    scale, random = WinLossStates(end_of_scale), np.random.default_rng(seed)
    states = np.full(runs, scale.state(1, 4), scale.dtype)
    warming = random.integers(2 * end_of_scale, 3 * end_of_scale, runs, endpoint=True)
    for update in range(int(warming.max())):
        after = scale.updated(states, random.random(runs) < BEFORE)
        states = np.where(update < warming, after, states)
    times = np.zeros(runs, np.int64)
    for _ in range(_LONG * end_of_scale):
        is_away = np.abs(scale.rate(states) - AFTER) > ACCURACY
        if not is_away.any():
            return [int(time) for time in times]
        times += is_away
        states = np.where(is_away, scale.updated(states, random.random(runs) < AFTER), states)
    raise RuntimeError(f"a state with end of scale {end_of_scale} did not settle in {_LONG * end_of_scale} updates")


class Fit(msgspec.Struct, frozen=True):
    """A line through points.

    Attributes
    ----------
    intercept, slope : float
        Of the line.
    adjusted_r2 : float
        Adjusted for the two of them.
    """

    intercept: float
    slope: float
    adjusted_r2: float


def fit_line(x: Sequence[float], y: Sequence[float]) -> Fit:
    """Least squares."""
    slope, intercept = np.polyfit(x, y, 1)
    rest = float(((np.asarray(y) - intercept - slope * np.asarray(x)) ** 2).sum())
    whole = float(((np.asarray(y) - fmean(y)) ** 2).sum())
    return Fit(float(intercept), float(slope), 1 - rest / (len(x) - 2) / (whole / (len(x) - 1)))


def _bounds(r2: float, points: int) -> Bounds:
    """Fisher's interval of a correlation, squared."""
    middle, reach = math.atanh(math.sqrt(min(max(0.0, r2), 1 - 1e-12))), 1.96 / math.sqrt(points - 3)
    return Bounds(r2, math.tanh(max(0.0, middle - reach)) ** 2, math.tanh(middle + reach) ** 2, points)


class Task(msgspec.Struct, frozen=True):
    """One end of scale."""

    end_of_scale: int
    runs: int
    seed: int


class Settling(msgspec.Struct, frozen=True, kw_only=True):
    """The figure; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """An end of scale each; scale changes the runs."""
        return [Task(end, max(2, round(RUNS * scale)), seed_of(seed, end)) for end in ENDS]

    def run_task(self, task: Task) -> Row:
        """All runs of one end of scale."""
        return {"end": task.end_of_scale, "times": settling_times(task.end_of_scale, task.runs, task.seed)}

    def render(self, rows: Sequence[Row]) -> Findings:
        """The means, the line, and how well it fits."""
        ends, means = [row["end"] for row in rows], [fmean(row["times"]) for row in rows]
        findings = Findings(
            columns=("end of scale", "runs", "mean settling time", "SD"),
            rows=[
                [row["end"], len(row["times"]), round(mean, 1), round(stdev(row["times"]), 1)]
                for row, mean in zip(rows, means, strict=True)
            ],
        )
        if len(rows) < 5:
            return msgspec.structs.replace(findings, claims=[_linear("open", "fewer than five ends of scale")])
        fit = fit_line(ends, means)
        r2 = _bounds(fit.adjusted_r2, len(rows))
        reaches = [2 * stdev(row["times"]) / math.sqrt(len(row["times"])) for row in rows]
        return msgspec.structs.replace(
            findings,
            comparisons=[
                Comparison(
                    quantity="adjusted R² of settling time over end of scale",
                    ours=r2,
                    published=Published(value=0.99968, margin=0.0097, where="Basaldúa, 4.5.7"),
                )
            ],
            claims=[
                _linear(
                    difference(Bounds(r2.value - 0.99, r2.low - 0.99, r2.high - 0.99, r2.trials)),
                    f"{fit.intercept:.1f} + {fit.slope:.3f} e, adjusted R² {fit.adjusted_r2:.5f}",
                )
            ],
            figures={
                "settling": line_plot(
                    ends,
                    means,
                    [mean - reach for mean, reach in zip(means, reaches, strict=True)],
                    [mean + reach for mean, reach in zip(means, reaches, strict=True)],
                    x_label="end of scale",
                    y_label="settling time (updates)",
                    title="Win/loss states: mean settling time, with two standard errors",
                    reference=None,
                )
            },
        )


def _linear(verdict: Verdict, evidence: str) -> Claim:
    return Claim(
        statement="The settling time is a linear function of the end of scale: R² above 0.99.",
        verdict=verdict,
        evidence=evidence,
        refuted_by="an interval of R² that lies below 0.99",
    )


FIG_4_11 = Settling(
    about=About(
        name="wls/fig-4.11",
        title="Win/loss states: settling time by end of scale",
        question="Is the settling time a linear function of the end of scale?",
        source="Basaldúa, 4.5.7 and figure 4.11.",
        method=(
            "Ends of scale from 25 to 1,000 in steps of 25. A state begins at 1/4 and watches 2e to 3e results of a"
            " source that wins with probability 1/4; then the probability is 3/4, and updates are counted until the"
            " state stands for 3/4 within 0.025. 25 runs of each; scale changes that number."
        ),
        cost="about a minute on one processor core.",
    )
)
