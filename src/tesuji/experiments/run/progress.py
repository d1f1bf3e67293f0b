"""How a match is going, for people: a live display on a terminal, a line now and then in a log.

It draws what `match.py` reports and computes nothing.
"""

from __future__ import annotations

import math
import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tesuji.experiments.run.match import Progress
from tesuji.experiments.stats.elo import Rating
from tesuji.experiments.stats.standings import PlayerScore, Standings

__all__ = ["MatchDisplay", "progress_line"]

_LOG_S = 10.0
_BAR = 24
_RATINGS = 20  # shown live


class MatchDisplay:
    """Shows the progress of a match while it is a context; give it to `play_match` as ``on_progress``.

    Parameters
    ----------
    console : Console, optional
        Where: standard error if not given, which leaves standard output to the result. A terminal gets a display that
        is drawn over, anything else a line every ten seconds.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False, soft_wrap=False)
        self._live: Live | None = None
        self._logged_at = -math.inf

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self._live = Live(Text("starting the players"), console=self.console, auto_refresh=False)
            self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()
            self._live = None

    def __call__(self, progress: Progress) -> None:
        """Show it."""
        if self._live:
            is_last = progress.state != "playing"
            self._live.update(Text(progress_line(progress)) if is_last else _drawing(progress), refresh=True)
        elif progress.state != "playing" or time.monotonic() - self._logged_at >= _LOG_S:
            self._logged_at = time.monotonic()
            self.console.print(Text(progress_line(progress)), soft_wrap=True)


def progress_line(progress: Progress) -> str:
    """A match in one line: games, score, Elo and its interval, the test, the time left."""
    found = progress.standings
    parts = [f"{progress.games:,} of {_total(progress)} games"]
    if found.elo and progress.games:
        one, other = found.players
        parts += [f"{_score(one, other)} ({one.rate:.1%})", f"Elo {_interval(found)}"]
    elif found.ratings:
        parts.append(f"best {found.ratings[0].name} {_elo(found.ratings[0].elo)}")
    if found.sprt:
        parts.append(_test(found))
    if progress.voids:
        parts.append(f"{progress.voids} void")
    return ", ".join([*parts, _time(progress)])


def _drawing(progress: Progress) -> RenderableType:
    """The same on a few lines, with a bar; in a tournament the ratings below."""
    found = progress.standings
    top = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=progress.total, completed=progress.games, width=_BAR)
    void = f", {progress.voids} void" if progress.voids else ""
    top.add_row(bar, f"{progress.games:,} of {_total(progress)} games{void}", Text(_time(progress), style="dim"))
    rows: list[RenderableType] = [top]
    if found.elo and progress.games:
        one, other = found.players
        line = Text.assemble((_score(one, other), "bold"), f"  {one.rate:.1%}  Elo ", (_interval(found), "bold"))
        rows.append(line)
    elif found.ratings:
        rows.append(_rating_table(found))
    if found.sprt:
        rows.append(Text(_test(found)))
    return Group(*rows)


def _rating_table(found: Standings) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    for column in ("", "player", "Elo", "interval", "games", "score"):
        table.add_column(column, justify="left" if column == "player" else "right", no_wrap=True)
    for rank, rating in enumerate(found.ratings[:_RATINGS], start=1):
        share = f"{rating.points / rating.games:.1%}" if rating.games else ""
        table.add_row(str(rank), Text(rating.name), _elo(rating.elo), _range(rating), f"{rating.games:,}", share)
    return table


def _total(progress: Progress) -> str:
    return f"at most {progress.total:,}" if progress.standings.sprt else f"{progress.total:,}"


def _score(one: PlayerScore, other: PlayerScore) -> str:
    return f"{one.name} {one.points:g} : {other.points:g} {other.name}"


def _interval(found: Standings) -> str:
    assert found.elo
    return f"{_elo(found.elo.elo)} [{_elo(found.elo.low)}, {_elo(found.elo.high)}]"


def _range(rating: Rating) -> str:
    return f"[{_elo(rating.low)}, {_elo(rating.high)}]"


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "?" if math.isnan(value) else "-∞" if value < 0 else "+∞"


def _test(found: Standings) -> str:
    assert found.sprt
    test = found.sprt
    verdict = f", {test.verdict} accepted" if test.verdict else ""
    return f"LLR {test.llr:+.2f} [{test.lower:.2f}, {test.upper:.2f}] for Elo {test.elo0:g} or {test.elo1:g}{verdict}"


def _time(progress: Progress) -> str:
    took = _duration(progress.elapsed_s)
    if progress.state == "interrupted":
        return f"stopped after {took}; the same command plays the rest"
    if progress.state != "playing":
        return f"{progress.state} after {took}"
    return f"{took}, {_duration(progress.left_s)} left" if progress.left_s is not None else took


def _duration(seconds: float) -> str:
    """For instance ``0:42``, ``12:05``, ``3:07:00``, ``2 days 3:00:00``."""
    days, rest = divmod(round(seconds), 86_400)
    hours, minutes = divmod(rest // 60, 60)
    clock = f"{hours}:{minutes:02}:{rest % 60:02}" if hours or days else f"{minutes}:{rest % 60:02}"
    return f"{days} day{'s' * (days > 1)} {clock}" if days else clock
