"""Huang, Connell and McQuade 2003: players that learn the opening, as tasks; their learning curve, figure 4.

What is published of figure 4 is its text: half of the games against Random at first, "just over 75%" by 3,000 games.
The tables that are made of such players are `huang_tables.py`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from tesuji.experiments.players.expert import GtpExpert, open_expert
from tesuji.go.opening.features import FeatureSet, Representation
from tesuji.go.opening.task import OpeningTask
from tesuji.learning.td.exploration import Exploration
from tesuji.learning.td.network import ValueNetwork
from tesuji.learning.td.training import Training, TrainingConfig, train
from tesuji.papers.findings import Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, difference, equivalence, rate_bounds

__all__ = ["EXPERTS", "FIG_4", "GAMES", "PlayerTask", "network_in", "opening_task", "trained"]

GAMES = 3000
"""Of training, as published."""
EXPERTS = ("tesuji:16", "playouts:100", "playouts:32", "gnugo:8")
"""Who finishes games; the first if nobody says."""
_EVERY, _TEST_GAMES = 50, 100
_SEEDS = 3
_LAST = 10  # tests whose mean is the end of a curve


class PlayerTask(msgspec.Struct, frozen=True, kw_only=True):
    """A player to be trained."""

    letters: str
    representation: Representation
    games: int
    seed: int
    test_games: int = 0

    @property
    def name(self) -> str:
        """The features, and how they are shown; A is named twice, for it has a player in both tournaments."""
        return f"{self.letters} {self.representation}"


def opening_task(letters: str, representation: Representation, expert: str) -> OpeningTask:
    """Openings as published: 9x9, ten moves a side."""
    return OpeningTask(FeatureSet(letters=letters, representation=representation), open_expert(expert))


def trained(task: PlayerTask, expert: str) -> Row:
    """Train a player; its curve and its weights."""
    opening = opening_task(task.letters, task.representation, expert)
    config = TrainingConfig(
        test_every=_EVERY,
        test_games=task.test_games,
        seed=task.seed,
        exploration=Exploration(games=max(1, 2 * task.games // 3)),
    )
    training = Training.begin(opening, config)
    try:
        train(opening, training, task.games)
    finally:
        if isinstance(opening.expert, GtpExpert):
            opening.expert.close()
    network = training.network
    return {
        "player": task.name,
        "seed": task.seed,
        "games": task.games,
        "failures": training.failures,
        "curve": [[point.trained, point.points, point.games] for point in training.curve],
        "units": network.num_units,
        "weights": _text(network),
    }


def _text(network: ValueNetwork) -> str:
    import base64

    return base64.b64encode(network.hidden.tobytes() + network.output.tobytes()).decode("ascii")


def network_in(row: Mapping[str, Any]) -> ValueNetwork:
    """The network of a row."""
    import base64

    weights, units = np.frombuffer(base64.b64decode(row["weights"]), dtype=np.float32), int(row["units"])
    return ValueNetwork(weights[: -(units + 1)].reshape(-1, units).copy(), weights[-(units + 1) :].copy())


class LearningCurve(msgspec.Struct, frozen=True, kw_only=True):
    """Figure 4."""

    about: About
    expert: str = EXPERTS[0]
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"expert": EXPERTS}

    def tasks(self, scale: float, seed: int) -> Sequence[PlayerTask]:
        """Player ABCDE, three times."""
        games = max(_EVERY, _EVERY * round(GAMES * scale / _EVERY))
        return [
            PlayerTask(letters="ABCDE", representation="scalar", games=games, seed=seed + i, test_games=_TEST_GAMES)
            for i in range(_SEEDS)
        ]

    def run_task(self, task: PlayerTask) -> Row:
        """Train one."""
        return trained(task, self.expert)

    def render(self, rows: Sequence[Row]) -> Findings:
        """The mean curve with its band, its two ends, and whether it passes 70 %."""
        curves = [[(int(at), points / games) for at, points, games in row["curve"]] for row in rows]
        trained_games = sorted({at for curve in curves for at, _ in curve})
        by_games = {at: [rate for curve in curves for where, rate in curve if where == at] for at in trained_games}
        first = _pooled(rows, slice(0, 1))
        last = _pooled(rows, slice(-_LAST, None))
        is_whole = all(row["games"] >= GAMES for row in rows)
        return Findings(
            columns=("games of training", "players", "mean", "lowest", "highest"),
            rows=[[at, len(found), sum(found) / len(found), min(found), max(found)] for at, found in by_games.items()],
            comparisons=[
                Comparison(
                    quantity=f"share won against Random, mean of the last {_LAST} tests",
                    ours=last,
                    published=Published(value=0.75, margin=0.05, where="4, text of figure 4: just over 75 %")
                    if is_whole
                    else None,
                )
            ],
            claims=_claims(first, last, len(rows)),
            figures={"curve": _figure(by_games)},
            notes=[
                f"The end of a curve is the mean of its last {_LAST} tests: one of 100 games alone has an interval of"
                " ± 9 %.",
                "Intervals count games as independent. Those of one player are not quite: they share its weights.",
            ],
        )


def _pooled(rows: Sequence[Row], which: slice) -> Bounds:
    tests = [test for row in rows for test in row["curve"][which]]
    return rate_bounds(sum(points for _, points, _ in tests), int(sum(games for _, _, games in tests)))


def _claims(first: Bounds, last: Bounds, players: int) -> list[Claim]:
    def told(found: Bounds) -> str:
        return f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}] of {found.trials} games, {players} players"

    return [
        Claim(
            statement="It initially splits about half its games with Player Random.",
            verdict=equivalence(Bounds(first.value - 0.5, first.low - 0.5, first.high - 0.5, first.trials), 0.1),
            evidence=told(first),
            refuted_by="an interval beyond 50 ± 10 %",
        ),
        Claim(
            statement="By the end of its training it wins more than 70 % (figure 4: just over 75 %).",
            verdict=difference(Bounds(last.value - 0.7, last.low - 0.7, last.high - 0.7, last.trials)),
            evidence=told(last),
            refuted_by="an interval that ends below 70 %",
        ),
    ]


def _figure(by_games: Mapping[int, Sequence[float]]) -> Any:
    from matplotlib.figure import Figure

    games = list(by_games)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    low, high = ([100 * pick(found) for found in by_games.values()] for pick in (min, max))
    axes.fill_between(games, low, high, alpha=0.25, linewidth=0, label="lowest and highest")
    axes.plot(games, [100 * sum(found) / len(found) for found in by_games.values()], label="mean")
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.plot([GAMES], [75], "kx", label="published, by 3,000 games")
    axes.set(xlabel="games of training", ylabel="% won against Random", ylim=(0, 100), title="Player ABCDE")
    axes.legend(frameon=False, loc="lower right")
    return figure


FIG_4 = LearningCurve(
    about=About(
        name="huang-2003/fig-4",
        title="Learning the opening: player ABCDE against Random",
        question="Does a network of 40 units learn the opening of Go by playing against itself?",
        source="Huang, Connell and McQuade 2003, Experiments with Learning Opening Strategy in the Game of Go, fig. 4.",
        method=(
            "9x9, komi 5.5; ten moves a side by the network, then an expert finishes. TD(0), tested over 100 games"
            " against Random after every 50. Three players that differ in their seeds. Scale 1 is 3,000 games of"
            " training each; scale changes those. The paper's expert is GNU Go; ours, unless chosen otherwise, is"
            " the engine at 16 simulations a move."
        ),
        cost="half an hour on one processor core with the engine as expert; days with GNU Go.",
    )
)
