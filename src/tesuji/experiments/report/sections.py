"""The tables of a report, as text in rows and columns: what is said, not how it looks.

`report.py` writes them as HTML and as Markdown. Numbers are rounded here, once, so both say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import msgspec

from tesuji.experiments.records import GameRecord
from tesuji.experiments.report.digest import Digest, Tally
from tesuji.experiments.stats.elo import PairResult, wilson
from tesuji.experiments.stats.figures import duration, percent, share_interval, signed
from tesuji.experiments.stats.standings import Standings

__all__ = ["Column", "Section", "headline", "sections"]

MAX_ROWS = 50
"""Of openings, of faults and of disputes."""
MANY_PLAYERS = 8
"""With more, the cross table is brief."""


class Column(NamedTuple):
    """A column's title, and whether it holds words, numbers or long text."""

    title: str
    kind: Literal["text", "number", "long"] = "number"


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its title.

    Attributes
    ----------
    key : str
        For links and styles.
    title, note : str
        Above and below it; a note may be empty.
    columns : sequence of Column
        The heads.
    rows : sequence of sequences of str
        The cells.
    games : sequence of int
        The index of the game in each row, where a row is a game.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    note: str = ""
    games: Sequence[int] = ()


def sections(found: Standings, more: Digest) -> list[Section]:
    """All tables that have something to say."""
    makers: list[Callable[[Standings, Digest], Section | None]] = [
        _ratings,
        _crosstable,
        _colours,
        _openings,
        _reasons,
        _time,
        _faults,
        _disputes,
        _versions,
    ]
    return [section for make in makers if (section := make(found, more)) is not None]


def headline(found: Standings) -> list[tuple[str, str, str]]:
    """The result in a few figures: what, how much, how sure."""
    if not found.games:
        return [("Games", "0", "none has been played yet")]
    if found.elo is None:
        return _headline_of_many(found)
    one, other = found.players
    lines = [
        ("Games", f"{found.games:,}", f"{sum(found.pairs or ()):,} complete pairs"),
        ("Score", f"{one.points:g} : {other.points:g}", _wdl(one.wins, one.draws, one.losses)),
        ("Win rate", percent(one.rate), f"95 % interval {share_interval(one.low, one.high)}"),
        ("Elo difference", signed(found.elo.elo), f"95 % interval [{signed(found.elo.low)}, {signed(found.elo.high)}]"),
        ("Likelihood of superiority", percent(found.elo.los), f"that {one.name} is the stronger"),
    ]
    if found.sprt:
        test = found.sprt
        verdict = {"H0": f"H0 accepted: Elo {test.elo0:g}", "H1": f"H1 accepted: Elo {test.elo1:g}"}.get(
            test.verdict or "", "not decided"
        )
        bounds = f"bounds [{signed(test.lower, 2)}, {signed(test.upper, 2)}]; {verdict}"
        lines.append(("Log-likelihood ratio", signed(test.llr, 2), bounds))
    return lines


def _headline_of_many(found: Standings) -> list[tuple[str, str, str]]:
    first = found.first_player
    best = f"{signed(found.ratings[0].elo)}" if found.ratings else "not known"
    whose = f"Elo of {found.ratings[0].name}" if found.ratings else found.ratings_note
    return [
        ("Games", f"{found.games:,}", f"{len(found.crosstable)} pairings"),
        ("Players", str(len(found.players)), f"{sum(player.games > 0 for player in found.players)} have played"),
        ("Highest rating", best, whose),
        ("First player scores", percent(first.rate), f"95 % interval {share_interval(first.low, first.high)}"),
    ]


def _ratings(found: Standings, _: Digest) -> Section | None:
    if not found.ratings:
        return None
    rows = [
        [
            str(rank),
            rating.name,
            signed(rating.elo),
            f"[{signed(rating.low)}, {signed(rating.high)}]",
            f"{rating.games:,}",
            f"{rating.points:g}",
            percent(rating.points / rating.games if rating.games else 0.0),
        ]
        for rank, rating in enumerate(found.ratings, start=1)
    ]
    titles = ["", "player", "Elo", "95 % interval", "games", "points", "score"]
    columns = [Column(title, "text" if title == "player" else "number") for title in titles]
    note = "Bradley–Terry model." if len(found.players) > 2 else "Half of the Elo difference each."
    return Section(key="ratings", title="Ratings", columns=columns, rows=rows, note=note)


def _crosstable(found: Standings, _: Digest) -> Section | None:
    """Everybody's score against everybody, strongest first; columns carry the numbers of the rows."""
    if not found.crosstable:
        return None
    ranked = [rating.name for rating in found.ratings]
    names = ranked + [player.name for player in found.players if player.name not in ranked]
    results: dict[tuple[str, str], PairResult] = {}
    for result in found.crosstable:
        results[result.first, result.second] = result
        turned = PairResult(result.second, result.first, result.losses, result.draws, result.wins)
        results[result.second, result.first] = turned
    is_brief = len(names) > MANY_PLAYERS
    rows = [
        [str(number), name, *("" if name == other else _cell(results.get((name, other)), is_brief) for other in names)]
        for number, name in enumerate(names, start=1)
    ]
    columns = [Column(""), Column("player", "text"), *(Column(str(i + 1)) for i in range(len(names)))]
    note = "Score of the row's player against the column's" + (
        ", in percent." if is_brief else "; below it wins, draws and losses."
    )
    return Section(key="cross", title="Cross table", columns=columns, rows=rows, note=note)


def _cell(result: PairResult | None, is_brief: bool) -> str:
    if result is None or not (games := result.wins + result.draws + result.losses):
        return "–"
    rate = (result.wins + result.draws / 2) / games
    return f"{100 * rate:.0f}" if is_brief else f"{percent(rate)} {_wdl(result.wins, result.draws, result.losses)}"


def _colours(found: Standings, more: Digest) -> Section | None:
    if not found.games:
        return None
    rows = []
    for name, use in more.players.items():
        rows.append([name, *_tally(use.as_first), *_tally(use.as_second)])
    first = found.first_player
    everybody = Tally(first.wins, first.draws, first.losses)
    rows.append(["everybody", *_tally(everybody), *_tally(Tally(first.losses, first.draws, first.wins))])
    titles = ["games as first", "score", "95 % interval", "games as second", "score", "95 % interval"]
    columns = [Column("player", "text"), *map(Column, titles)]
    return Section(key="colours", title="Colours", columns=columns, rows=rows, note="In Go, Black moves first.")


def _openings(found: Standings, _: Digest) -> Section | None:
    if found.num_openings < 1:
        return None
    rows = [
        [opening.name, *_tally(Tally(opening.wins, opening.draws, opening.losses)), f"{opening.draws:,}"]
        for opening in found.openings[:MAX_ROWS]
    ]
    columns = [Column("opening", "text"), *map(Column, ("games", "first scores", "95 % interval", "draws"))]
    hidden = found.num_openings - len(rows)
    note = f"The most played; {hidden:,} more are not shown." if hidden else ""
    return Section(key="openings", title="Openings", columns=columns, rows=rows, note=note)


def _reasons(found: Standings, _: Digest) -> Section | None:
    if not found.reasons:
        return None
    reasons = list(found.reasons)
    rows = [
        ["all games", *(f"{count:,}" for count in found.reasons.values())],
        ["share", *(percent(count / found.games) for count in found.reasons.values())],
        *(
            [f"lost by {player.name}", *(f"{player.lost_by.get(reason, 0):,}" for reason in reasons)]
            for player in found.players
        ),
    ]
    columns = [Column("", "text"), *map(Column, reasons)]
    note = f"{found.void:,} void games are not counted." if found.void else ""
    return Section(key="reasons", title="How games ended", columns=columns, rows=rows, note=note)


def _time(found: Standings, more: Digest) -> Section | None:
    if not found.games:
        return None
    per_move = {player.name: player.seconds_per_move for player in found.players}
    rows = [
        [name, duration(use.seconds), _seconds(use.seconds_per_game), _seconds(per_move.get(name, 0.0))]
        for name, use in more.players.items()
    ]
    columns = [Column("player", "text"), *map(Column, ("thought in all", "per game", "per move"))]
    note = (
        f"All games together took {duration(more.wall_s)} on the clock and {duration(more.cpu_s)} of processor time."
        f" They had {found.lengths.shortest:,} to {found.lengths.longest:,} moves,"
        f" {found.lengths.mean:.1f} in the mean, {found.lengths.median:,} in the median."
    )
    return Section(key="time", title="Time used and length", columns=columns, rows=rows, note=note)


def _faults(_: Standings, more: Digest) -> Section | None:
    return _games(
        "faults", "Games lost by a fault", more.faults, "Illegal moves, time, hangs, crashes and broken protocol."
    )


def _disputes(_: Standings, more: Digest) -> Section | None:
    return _games("disputes", "Disputed scores", more.disputed, "The players or a second opinion counted otherwise.")


def _games(key: str, title: str, games: Sequence[GameRecord], note: str) -> Section | None:
    if not games:
        return None
    shown = games[:MAX_ROWS]
    rows = [[str(game.index), game.first, game.second, game.score, str(game.reason), game.detail] for game in shown]
    columns = [
        Column("game"),
        Column("first", "text"),
        Column("second", "text"),
        Column("result", "text"),
        Column("reason", "text"),
        Column("detail", "long"),
    ]
    hidden = len(games) - len(shown)
    note += f" {hidden:,} more are not shown." if hidden else ""
    return Section(key=key, title=title, columns=columns, rows=rows, note=note, games=[game.index for game in shown])


def _versions(_: Standings, more: Digest) -> Section | None:
    rows = [[name, "; ".join(use.versions)] for name, use in more.players.items() if use.versions]
    if not rows:
        return None
    columns = [Column("player", "text"), Column("calls itself", "long")]
    return Section(key="versions", title="Programs", columns=columns, rows=rows)


# --- numbers as text --------------------------------------------------------------------------------------------------


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def _wdl(wins: int, draws: int, losses: int) -> str:
    return f"+{wins:,} ={draws:,} −{losses:,}"


def _tally(tally: Tally) -> list[str]:
    if not tally.games:
        return ["0", "–", "–"]
    interval = wilson(tally.points, tally.games)
    return [f"{tally.games:,}", percent(tally.points / tally.games), share_interval(interval.low, interval.high)]
