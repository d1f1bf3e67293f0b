"""Basaldúa, figures 3.2 to 3.4: principal components of M-eval's qualities, and what tells players of two levels apart.

Figures 3.5 to 3.7 and the prediction curve of 6.1.3 are in `basaldua_masters.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.experiments.run.schedule import seed_of
from tesuji.go.knowledge.m_eval import read_m_eval, standard_file
from tesuji.go.masters.factors import principal_components
from tesuji.go.masters.quality_sets import quality_set
from tesuji.go.masters.sampling import sampled_games
from tesuji.papers.findings import Cell, Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.masters_data import open_games
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIG_3_2", "FIG_3_3", "ChunkTask", "bootstrapped", "level_differences"]

_GAMES = 50_000
_CHUNK = 50
_FEWEST_CHUNKS = 2
_RESAMPLED = 200
_Z95 = 1.959964
_EXPLAINED = {1: (4, 0.758), 2: (2, 0.425)}
"""Version -> components, and the share of the variance that these explain in the source."""
_CATEGORIES = {
    "territory": ("reachCorner", "reachSide"),
    "influence": ("speedRows34", "speedHigher"),
    "strength": ("strenStones", "strenLibert", "ownStones", "ownLibert"),
    "semeai": ("strenAdjLib",),
}
"""What figures 3.3 and 3.4 show; a category counts by the mean of its standardised qualities."""
_LEVELS = ("kgs", "pro")
_WORTH_A_WORD = 0.05
"""Standard deviations; less would not count as a difference between levels."""


class ChunkTask(msgspec.Struct, frozen=True):
    """Some games of a database, measured by the qualities of a version."""

    games: str
    version: int
    count: int
    seed: int


def _measured(task: ChunkTask) -> Row:
    """Of both players at two positions of each game; `to_play` says whose turn it was."""
    chosen = quality_set(task.version, read_m_eval(standard_file()), seed=task.seed)
    rows, to_play = [], []
    with open_games(task.games) as database:
        for boards in sampled_games(database, most=task.count, seed=task.seed):
            rows.append([chosen.measure(board).round(4).tolist() for board in boards])
            to_play.append([board.to_play for board in boards])
    return {"games": task.games, "version": task.version, "measured": rows, "to_play": to_play}


def _chunks(scale: float) -> int:
    return max(_FEWEST_CHUNKS, round(_GAMES * scale / _CHUNK))


# Figure 3.2 -----------------------------------------------------------------------------------------------------------


class PrincipalComponents(msgspec.Struct, frozen=True, kw_only=True):
    """Figure 3.2; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[ChunkTask]:
        """Both versions with their first games, then with the next."""
        return [
            ChunkTask("pro", version, _CHUNK, seed_of(seed, 10 * chunk + version))
            for chunk in range(_chunks(scale))
            for version in _EXPLAINED
        ]

    def run_task(self, task: ChunkTask) -> Row:
        """Measure some games."""
        return _measured(task)

    def render(self, rows: Sequence[Row]) -> Findings:
        """Shares of the variance, with intervals by drawing games again."""
        table: list[list[Cell]] = []
        comparisons, shares = [], {}
        for version, (components, published) in _EXPLAINED.items():
            games = _differences([row for row in rows if row["version"] == version])
            if not len(games):
                continue
            shares[version] = principal_components(games.reshape(-1, games.shape[2])).shares
            table += [[version, number + 1, float(share)] for number, share in enumerate(shares[version])]
            comparisons.append(
                Comparison(
                    quantity=f"version {version}: variance that the first {components} components explain",
                    ours=bootstrapped(games, components),
                    published=Published(value=published, margin=0.05, where="Basaldúa, 3.4.6"),
                )
            )
        return Findings(
            columns=("version", "component", "share of the variance"),
            rows=table,
            comparisons=comparisons,
            figures={"components": _scree(shares)},
            notes=(
                "Qualities of the side to move less those of the other, each in standard deviations.",
                "Version 1 is fifteen qualities of the kinds that the source names; its list of 19 is in a paper"
                " that the source does not quote.",
            ),
        )


def _differences(rows: Sequence[Row]) -> NDArray[np.float64]:
    """Of the side to move less the other's: float64 of shape (games, 2, qualities)."""
    found = []
    for row in rows:
        measured, to_play = np.array(row["measured"], float), np.array(row["to_play"])
        if len(measured):
            found.append((measured[:, :, 0] - measured[:, :, 1]) * np.where(to_play == 0, 1, -1)[:, :, None])
    return np.concatenate(found) if found else np.zeros((0, 2, 0))


def bootstrapped(games: NDArray[np.float64], components: int) -> Bounds:
    """The share that the first components explain, with a 95 % interval by drawing games again."""

    def share(chosen: NDArray[np.float64]) -> float:
        return float(principal_components(chosen.reshape(-1, games.shape[2])).shares[:components].sum())

    rng = np.random.default_rng(1)
    again = [share(games[rng.integers(len(games), size=len(games))]) for _ in range(_RESAMPLED)]
    low, high = np.quantile(again, [0.025, 0.975]).tolist()
    return Bounds(share(games), low, high, len(games))


def _scree(shares: dict[int, NDArray[np.float64]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for version, found in shares.items():
        axes.plot(range(1, len(found) + 1), 100 * np.cumsum(found), "o-", label=f"version {version}")
    axes.set(xlabel="components", ylabel="variance explained, %", ylim=(0, 101))
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


# Figures 3.3 and 3.4 --------------------------------------------------------------------------------------------------


class Levels(msgspec.Struct, frozen=True, kw_only=True):
    """Figures 3.3 and 3.4; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[ChunkTask]:
        """Both levels with their first games, then with the next."""
        return [
            ChunkTask(games, 1, _CHUNK, seed_of(seed, 10 * chunk + number))
            for chunk in range(_chunks(scale))
            for number, games in enumerate(_LEVELS)
        ]

    def run_task(self, task: ChunkTask) -> Row:
        """Measure some games."""
        return _measured(task)

    def render(self, rows: Sequence[Row]) -> Findings:
        """By category the difference of the levels, in standard deviations of a game."""
        found = level_differences(rows)
        table: list[list[Cell]] = [
            [name, one.value, one.low, one.high, one.trials] for name, one in found.items() if one.trials
        ]
        return Findings(
            columns=("category", "professionals less amateurs", "low", "high", "games of the smaller set"),
            rows=table,
            claims=[
                *(
                    _more(f"Professionals have more {name} (figure 3.3).", found[name])
                    for name in list(_CATEGORIES)[:3]
                ),
                _more("Professionals fight races by a smaller margin (figure 3.4).", found["semeai"].negated()),
            ],
            figures={"levels": _level_figure(found)},
            notes=(
                "Both players added, the mean of two positions of a game; two levels, where the source has three.",
                "Version 1's qualities as they are here, see basaldua/fig-3.2.",
            ),
        )


def level_differences(rows: Sequence[Row]) -> dict[str, Bounds]:
    """By category, professionals less amateurs, in standard deviations, with a 95 % interval."""
    names = list(quality_set(1, read_m_eval(standard_file())).names)
    sets = []
    for level in _LEVELS:
        parts = [np.array(row["measured"], float) for row in rows if row["games"] == level and row["measured"]]
        games = np.concatenate(parts) if parts else np.zeros((0, 2, 2, len(names)))
        sets.append(games.sum(axis=2).mean(axis=1))
    both = np.concatenate(sets)
    deviations = both.std(axis=0)
    scaled = [(one - both.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0) for one in sets]
    found = {}
    for category, qualities in _CATEGORIES.items():
        columns = [names.index(name) for name in qualities]
        first, second = (one[:, columns].mean(axis=1) for one in scaled)
        trials = min(len(first), len(second))
        if trials < 2:
            found[category] = Bounds(float("nan"), float("-inf"), float("inf"), trials)
            continue
        apart = float(second.mean() - first.mean())
        reach = _Z95 * float(np.sqrt(first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second)))
        found[category] = Bounds(apart, apart - reach, apart + reach, trials)
    return found


def _more(statement: str, found: Bounds) -> Claim:
    return Claim(
        statement=statement,
        verdict=difference(found, _WORTH_A_WORD),
        evidence=f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}] standard deviations, {found.trials} games",
        refuted_by=f"an interval of the difference that ends below {_WORTH_A_WORD:g} standard deviations",
    )


def _level_figure(found: dict[str, Bounds]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    names = [name for name, one in found.items() if one.trials >= 2]
    values = np.array([found[name].value for name in names])
    reach = np.array([[found[name].value - found[name].low, found[name].high - found[name].value] for name in names])
    axes.errorbar(range(len(names)), values, yerr=reach.reshape(-1, 2).T, fmt="o", capsize=5)
    axes.set_xticks(range(len(names)), names)
    axes.axhline(0, color="k", linewidth=0.8)
    axes.set(ylabel="professionals less amateurs, standard deviations")
    return figure


_METHOD = (
    f"Two positions a game between moves 16 and 62, in chunks of {_CHUNK} games that are drawn independently. Scale 1"
    f" is {_GAMES:,} games of each kind; the folder TESUJI_GAMES_DATA has the games. Ownership is of 32 playouts."
)
FIG_3_2 = PrincipalComponents(
    about=About(
        name="basaldua/fig-3.2",
        title="Principal components of M-eval's qualities (Basaldúa, figure 3.2)",
        question="With how few numbers can the qualities of a position be told?",
        source="Basaldúa, 3.4.6: 75.8 % by four components in version 1, 42.5 % by two in version 2.",
        method=_METHOD,
        cost="about an hour of a processor core at scale 1; --scale 0.01 is a minute.",
    )
)
FIG_3_3 = Levels(
    about=About(
        name="basaldua/fig-3.3",
        title="Qualities of professionals' and amateurs' openings (Basaldúa, figures 3.3 and 3.4)",
        question="Do territory, influence, strength and races tell professionals from strong amateurs?",
        source="Basaldúa, 3.4.8: professionals have more of the first three, and win races by less; no numbers.",
        method=_METHOD,
        cost="about two hours of a processor core at scale 1; --scale 0.01 is a minute.",
    )
)
