"""Results of the laboratory as text for a terminal or a pipe: standings, sweeps, tunings.

Values in, `rich` tables and lines out; nothing is computed here. The page with everything is `tesuji report`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tesuji.experiments.stats.figures import elo_interval, percent, share_interval, signed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tesuji.experiments.records import Conditions
    from tesuji.experiments.stats.standings import Standings
    from tesuji.experiments.tuning.clop import ParameterOptimum
    from tesuji.experiments.tuning.sweep import SweepRow
    from tesuji.experiments.tuning.tune import TuneResult

__all__ = [
    "conditions_line",
    "optimum_text",
    "print_standings",
    "print_sweep",
    "print_tuning",
    "print_whole",
]


def conditions_line(conditions: Conditions) -> str:
    """Return what is played, in words: ``Go on 9x9, komi 7, chinese rules``."""
    from tesuji.experiments.table import lay_table, size_of
    from tesuji.games import game_named

    if conditions.game != "go":
        return game_named(conditions.game).described(size_of(conditions))
    game = lay_table(conditions).game
    handicap = f", {conditions.handicap} handicap stones" if conditions.handicap else ""
    return f"Go on {game.width}x{game.height}, komi {game.komi:g}, {conditions.rules} rules{handicap}"


def optimum_text(parameter: ParameterOptimum) -> str:
    """Return a parameter's best value with its interval, or with its chance."""
    return f"{parameter.name} {_number(parameter.value)} {_range(parameter)}"


def _table(*columns: str, left: Iterable[int] = (0,)) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position in left else "right", no_wrap=True)
    return table


def print_whole(console: Console, table: Table) -> None:
    """Print a table with nothing cut: in a window that is too narrow its lines wrap, and a number stays a number."""
    from rich.measure import Measurement

    before = console.width
    endless = console.options.update(max_width=10_000)
    console.width = max(before, Measurement.get(console, endless, table).maximum)
    try:
        console.print(table)
    finally:
        console.width = before


def _cells(*values: object) -> list[str]:
    from rich.markup import escape

    return [escape(str(value)) for value in values]


# --- matches ----------------------------------------------------------------------------------------------------------


def print_standings(console: Console, found: Standings) -> None:
    """Print scores, Elo, the test and how games ended; of a tournament ratings and the cross table."""
    if not found.games:
        console.print("No game has been finished.")
        return
    if len(found.players) == 2:
        _print_match(console, found)
    else:
        _print_tournament(console, found)
    ends = ", ".join(f"{reason} {count}" for reason, count in found.reasons.items())
    lengths = f"{found.lengths.shortest} to {found.lengths.longest} moves, half of them up to {found.lengths.median}"
    console.print(f"Ends: {ends}. Lengths: {lengths}.", markup=False, soft_wrap=True)
    if found.void:
        console.print(f"Void games, to be played again: {found.void}.")


def _print_match(console: Console, found: Standings) -> None:
    table = _table("player", "games", "wins", "draws", "losses", "score", "95 %", "s/move")
    for player in found.players:
        counts = (player.games, player.wins, player.draws, player.losses)
        rates = (percent(player.rate), share_interval(player.low, player.high), f"{player.seconds_per_move:.3f}")
        table.add_row(*_cells(player.name, *counts, *rates))
    print_whole(console, table)
    console.print()
    if found.elo:
        one, other = found.players
        elo = f"{signed(found.elo.elo)} {elo_interval(found.elo.low, found.elo.high)}"
        console.print(
            f"Elo of {one.name} against {other.name}: {elo}, stronger with likelihood {percent(found.elo.los)}.",
            markup=False,
            soft_wrap=True,
        )
    if found.pairs and sum(found.pairs):
        counts_text = ", ".join(map(str, found.pairs))
        console.print(f"Pairs in which it took 0, 0.5, 1, 1.5, 2 points: {counts_text}.", markup=False, soft_wrap=True)
    if found.sprt:
        console.print(_test_line(found), markup=False, soft_wrap=True)


def _test_line(found: Standings) -> str:
    assert found.sprt
    test, name = found.sprt, found.players[0].name
    ratio = f"LLR {test.llr:+.2f} in [{test.lower:.2f}, {test.upper:.2f}] after {test.pairs:,} pairs"
    meaning = {
        "H0": f"H0 is accepted: {name} is not {test.elo1:+g} Elo stronger",
        "H1": f"H1 is accepted: {name} is more than {test.elo0:+g} Elo stronger",
        None: "undecided",
    }[test.verdict]
    return f"SPRT of {test.elo0:g} against {test.elo1:g} Elo: {meaning} ({ratio})."


def _print_tournament(console: Console, found: Standings) -> None:
    if found.ratings:
        table = _table("", "player", "Elo", "95 %", "games", "score", left=(1,))
        for rank, rating in enumerate(found.ratings, start=1):
            rate = percent(rating.points / rating.games) if rating.games else ""
            elos = (signed(rating.elo), elo_interval(rating.low, rating.high))
            table.add_row(*_cells(rank, rating.name, *elos, rating.games, rate))
        print_whole(console, table)
    else:
        console.print(found.ratings_note, markup=False)
    console.print()
    table = _table("pairing", "", "games", "wins", "draws", "losses", "score", left=(0, 1))
    for pair in found.crosstable:
        games = pair.wins + pair.draws + pair.losses
        rate = percent((pair.wins + pair.draws / 2) / games) if games else ""
        table.add_row(*_cells(pair.first, pair.second, games, pair.wins, pair.draws, pair.losses, rate))
    print_whole(console, table)
    console.print()


# --- parameters -------------------------------------------------------------------------------------------------------


def print_sweep(console: Console, parameter: str, rows: Sequence[SweepRow]) -> None:
    """Print a line for each value."""
    table = _table(parameter, "games", "wins", "draws", "losses", "score", "95 %", "Elo", "95 %", left=())
    for row in rows:
        rates = (
            percent(row.rate),
            share_interval(row.low, row.high),
            signed(row.elo),
            elo_interval(row.elo_low, row.elo_high),
        )
        table.add_row(*_cells(_number(row.value), row.games, row.wins, row.draws, row.losses, *rates))
    print_whole(console, table)


def print_tuning(console: Console, found: TuneResult) -> None:
    """Print where the optimum lies, and what it promises."""
    table = _table("parameter", "start", "optimum", "95 %")
    for parameter in found.optimum.parameters:
        value, start = found.values[parameter.name], found.start[parameter.name]
        table.add_row(*_cells(parameter.name, _number(start), _number(value), _range(parameter)))
    print_whole(console, table)
    best = found.optimum
    expected = f"{percent(best.rate)} {share_interval(best.low, best.high)}"
    console.print(
        f"\nExpected there: {expected} of the points; all {found.games:,} games gave {percent(found.rate)}. "
        "A fit to the games that chose the place promises a little too much.",
        markup=False,
        soft_wrap=True,
    )


def _range(parameter: ParameterOptimum) -> str:
    if parameter.low is None or parameter.high is None:
        return ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in parameter.chances.items())
    return f"[{_number(parameter.low)}, {_number(parameter.high)}]"


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
