"""Pividori 2015, section 10: the win rate against GNU Go over exploration and over simulations.

These are figures 6 and 7. They are pictures, and their numbers are not in the text we have. What can be compared is
what the text says of them: 0 is the best exploration constant once there is RAVE, and more simulations win more games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import GameRecord, Setting
from tesuji.experiments.report.plots import sweep_plot
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.stats.standings import standings
from tesuji.experiments.tuning.parameters import PlayerTemplate, name_of_values
from tesuji.experiments.tuning.sweep import SweepRow, sweep_rows, sweep_spec
from tesuji.papers import verdicts
from tesuji.papers.findings import Claim, Findings
from tesuji.papers.harness import About, Tournament
from tesuji.papers.pividori_matches import CONDITIONS, SIMULATIONS
from tesuji.papers.rate_claims import MARGIN
from tesuji.papers.verdicts import Bounds, rate_difference

__all__ = ["EXPLORATION", "NUM_SIMULATIONS", "Sweep", "best_is_zero", "interpret", "more_is_better", "spec"]

_COLUMNS = tuple(SweepRow.__struct_fields__)
_OPPONENT = "gnugo-l10"
_ALPHA = 0.05
_METHOD = (
    "The preset uct-rave-knowledge against GNU Go 3.8 level 10, 9x9, komi 5, area scoring, from the empty board, with"
    " both colours. Section 10 names neither the program nor the level, nor the values on the axis: program, level and"
    " conditions are those of section 11, the values are ours. Scale shrinks the number of games at each value."
)


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of section 10.

    Attributes
    ----------
    parameter : str
        A setting of the player.
    label : str
        What the axis calls it.
    values : tuple
        Of the parameter, ascending.
    games : int
        At each value, at scale 1.
    player : str
        Whose setting it is, as `parse_player` reads it.
    is_log : bool
        Whether the axis is logarithmic.
    """

    parameter: str
    label: str
    values: tuple[Setting, ...]
    games: int
    player: str
    is_log: bool = False


def spec(sweep: Sweep, scale: float, seed: int) -> MatchSpec:
    """GNU Go against the player at every value."""
    return sweep_spec(
        PlayerTemplate(player=sweep.player),
        sweep.parameter,
        sweep.values,
        parse_player(_OPPONENT),
        games=2 * max(1, round(sweep.games * scale / 2)),
        conditions=CONDITIONS,
        seed=seed,
    )


def interpret(sweep: Sweep, claim: Callable[[Sequence[SweepRow]], Claim], games: Sequence[GameRecord]) -> Findings:
    """A row for each value that has games, the figure, and the verdict on what the text says."""
    names = [name_of_values({sweep.parameter: value}) for value in sweep.values]
    found = sweep_rows(sweep.parameter, sweep.values, standings(games, [_OPPONENT, *names]))
    rows = [row for row in found if row.games]
    figure = sweep_plot(
        [float(row.value) for row in rows],
        [row.rate for row in rows],
        [row.low for row in rows],
        [row.high for row in rows],
        parameter=sweep.label,
        title="Against GNU Go level 10, 9x9",
        is_log=sweep.is_log,
    )
    return Findings(
        columns=_COLUMNS,
        rows=[list(msgspec.structs.astuple(row)) for row in rows],
        claims=[claim(rows)],
        figures={sweep.parameter: figure},
        notes=["The figure's numbers are not in the text of the paper, so there is nothing to set ours beside."],
    )


def best_is_zero(rows: Sequence[SweepRow]) -> Claim:
    """Figure 6: whether no exploration is best.

    Reproduced if 0 scores more than each other value; not, if some value scores more than 0, or if 0 gains on none of
    them what would count (the chance of error is shared among the values).
    """
    others = rows[1:] if rows and rows[0].value == 0 else []
    limit = 1 - _ALPHA / max(1, len(others))
    apart = [rate_difference(_points(rows[0]), _points(row), limit) for row in others]
    is_beaten = any(verdicts.difference(each.negated()) == "reproduced" for each in apart)
    found = verdicts.all_of(verdicts.difference(each) for each in apart)
    return Claim(
        statement="With RAVE the best exploration constant is 0.",
        verdict="not reproduced" if is_beaten else found,
        evidence=_listed(rows),
        refuted_by="a value that scores more than 0 does, beyond the interval of the difference",
    )


def more_is_better(rows: Sequence[SweepRow]) -> Claim:
    """Figure 7: whether more simulations win more.

    Reproduced if the most win more than the fewest and no step loses; not, if a step loses, or if the most gain less
    than would count. The chance of error is shared among the steps.
    """
    steps = [
        rate_difference(_points(after), _points(before), 1 - _ALPHA / (len(rows) - 1))
        for before, after in pairwise(rows)
    ]
    falls = any(verdicts.difference(step.negated()) == "reproduced" for step in steps)
    rise = rate_difference(_points(rows[-1]), _points(rows[0])) if len(rows) > 1 else Bounds(0.0, -1.0, 1.0, 0)
    return Claim(
        statement="More simulations win more games.",
        verdict="not reproduced" if falls else verdicts.difference(rise, MARGIN),
        evidence=_listed(rows),
        refuted_by=f"a step that loses, or a gain of the most over the fewest that ends below {MARGIN:.1%}",
    )


def _points(row: SweepRow) -> tuple[float, int]:
    return row.wins + row.draws / 2, row.games


def _listed(rows: Sequence[SweepRow]) -> str:
    return ", ".join(f"{row.value:,}: {row.rate:.1%} [{row.low:.1%}, {row.high:.1%}]" for row in rows)


_EXPLORATION = Sweep(
    parameter="exploration",
    label="exploration constant",
    values=(0.0, 0.1, 0.25, 0.5, 1.0),
    games=200,
    player=f"tesuji:preset=uct-rave-knowledge,simulations={SIMULATIONS}",
)
_SIMULATIONS = Sweep(
    parameter="simulations",
    label="simulations a move",
    values=(1_000, 3_000, 10_000, 30_000),
    games=300,
    player="tesuji:preset=uct-rave-knowledge",
    is_log=True,
)

EXPLORATION = Tournament(
    about=About(
        name="pividori-2015/exploration",
        title="The exploration constant with RAVE, against GNU Go on 9x9 (Pividori 2015, figure 6)",
        question="Which exploration constant is best once there is RAVE?",
        source="Pividori 2015, section 10, figure 6: 0, in 200 games for each value.",
        method=_METHOD
        + " The number of simulations is not given either; it is 30,000, as in section 11. Scale 1 is 200 games at each"
        " of five values, 1,000 in all.",
        cost="estimated from a few games at four hours on two idle processor cores (1 s a move).",
    ),
    spec=partial(spec, _EXPLORATION),
    interpret=partial(interpret, _EXPLORATION, best_is_zero),
)
NUM_SIMULATIONS = Tournament(
    about=About(
        name="pividori-2015/simulations",
        title="The number of simulations, against GNU Go on 9x9 (Pividori 2015, figure 7)",
        question="Do more simulations win more games?",
        source="Pividori 2015, section 10, figure 7: clearly, in 300 games for each value.",
        method=_METHOD + " Scale 1 is 300 games at each of four values, 1,200 in all.",
        cost="estimated from a few games at three hours on two idle processor cores.",
    ),
    spec=partial(spec, _SIMULATIONS),
    interpret=partial(interpret, _SIMULATIONS, more_is_better),
)
