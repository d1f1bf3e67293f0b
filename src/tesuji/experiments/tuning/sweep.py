"""A sweep: one parameter on a grid, some games at each value against one opponent. A table and a plot with intervals.

It is a gauntlet (`spec.py`) of the opponent against the player at every value, so it is played, stored, resumed and
reported like any tournament. Source of the form: Pividori 2015, figures 6 and 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from tesuji.experiments.records import Conditions, PlayerSpec, Setting
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.elo import elo_from_games
from tesuji.experiments.stats.standings import PlayerScore, Standings
from tesuji.experiments.tuning.parameters import PlayerTemplate, name_of_values

__all__ = ["SweepRow", "save_sweep_plot", "sweep_rows", "sweep_spec"]


class SweepRow(msgspec.Struct, frozen=True, kw_only=True):
    """What was found at one value.

    Attributes
    ----------
    value
        Of the parameter.
    games, wins, draws, losses : int
        Of the player with that value.
    rate, low, high : float
        Points per game, and Wilson's 95 % interval.
    elo, elo_low, elo_high : float
        Against the opponent; infinite (null in JSON) after a score of nothing or everything.
    """

    value: Setting
    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float


def sweep_spec(
    player: PlayerTemplate,
    parameter: str,
    values: Sequence[Setting],
    opponent: PlayerSpec,
    *,
    games: int,
    conditions: Conditions | None = None,
    openings: str = "empty",
    seed: int = 1,
) -> MatchSpec:
    """Return the gauntlet of an opponent against a player at every value.

    Parameters
    ----------
    player
        With ``{parameter}`` where the value goes; a tesuji player takes it as a setting if there is no such place.
    parameter, values
        Its name and the grid.
    opponent
        The same for all.
    games
        At each value.
    conditions, openings, seed
        As in any match.

    Raises
    ------
    ValueError
        If the value reaches no player, or is none that it takes.
    """
    player.check([parameter])
    swept = [player.fill({parameter: value}, name=name_of_values({parameter: value})) for value in values]
    return MatchSpec(
        players=(opponent, *swept),
        conditions=conditions or Conditions(),
        format="gauntlet",
        games=games,
        openings=openings,
        seed=seed,
    )


def sweep_rows(parameter: str, values: Sequence[Setting], found: Standings) -> list[SweepRow]:
    """Return a row for each value, in the order of the grid."""
    scores = {player.name: player for player in found.players}
    return [_row(value, scores[name_of_values({parameter: value})]) for value in values]


def _row(value: Setting, score: PlayerScore) -> SweepRow:
    elo = elo_from_games(score.wins, score.draws, score.losses)
    return SweepRow(
        value=value,
        games=score.games,
        wins=score.wins,
        draws=score.draws,
        losses=score.losses,
        rate=score.rate,
        low=score.low,
        high=score.high,
        elo=elo.elo,
        elo_low=elo.low,
        elo_high=elo.high,
    )


def save_sweep_plot(path: Path, rows: Sequence[SweepRow], *, parameter: str, title: str = "") -> Path:
    """Draw win rates with intervals over the values and write the picture; words are drawn at 1, 2, 3 and so on."""
    from tesuji.experiments.report.plots import save, sweep_plot

    numbers = [row.value for row in rows if not isinstance(row.value, str | bool)]
    are_numbers = len(numbers) == len(rows)
    figure = sweep_plot(
        [float(value) for value in numbers] if are_numbers else list(range(1, len(rows) + 1)),
        [row.rate for row in rows],
        [row.low for row in rows],
        [row.high for row in rows],
        parameter=parameter,
        title=title,
        is_log=are_numbers and _is_geometric([float(value) for value in numbers]),
    )
    if not are_numbers:
        figure.axes[0].set_xticks(range(1, len(rows) + 1), [str(row.value) for row in rows])
    return save(figure, path)


def _is_geometric(values: Sequence[float]) -> bool:
    """Whether the values grow by about equal factors over more than a tenfold range."""
    if len(values) < 3 or min(values) <= 0 or max(values) < 10 * min(values):
        return False
    ratios = [later / earlier for earlier, later in pairwise(values)]
    return min(ratios) > 1 and max(ratios) < 3 * min(ratios)
