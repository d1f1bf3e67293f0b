"""Analysis streams: commands whose reply is written while the engine thinks.

``lz-analyze`` and ``kata-analyze`` answer ``=`` at once, report at the interval, and end at any line that comes in,
with one last report. Their genmove forms end by themselves, with ``play`` and the move; no line disturbs them. Without
an interval there is one report, at the end. Where no move was searched, there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from tesuji.go.engine import Analysis
from tesuji.go.gtp.options import Options, parse_options
from tesuji.go.gtp.players import Analyst
from tesuji.go.gtp.reports import cgos_report, kata_report, lz_report
from tesuji.go.gtp.session import Session
from tesuji.go.gtp.thought import name_of, settle, watch
from tesuji.go.rules.board import Board
from tesuji.gtp.command import Command, Stream

__all__ = ["COMMANDS"]

Report = Callable[[Board, Analysis, Options], str]

_QUIET_S = 0.2
_LONGEST_S = 7 * 24 * 3600.0
"""An analysis that nobody ends, ends after a week."""


def analyze(session: Session, stream: Stream, *words: str, report: Report) -> str:
    """Think about the position until a line comes in."""
    options = parse_options(session, words, is_kata=report is kata_report)
    board = session.turned(options.color)
    stream.open()
    reporter = _Reporter(stream, report, board, options)
    engine = session.analyst
    if not stream.is_wanted():
        analysis = engine.analyse(board, simulations=1)
    else:
        seconds = _LONGEST_S if stream.is_endless else None
        report_s = options.interval_s or _QUIET_S
        analysis = engine.analyse(board, seconds=seconds, on_progress=reporter.see, report_s=report_s)
    session.remember(board, analysis)
    reporter.finish(analysis)
    return ""


def genmove_analyze(session: Session, stream: Stream, *words: str, report: Report, plays: bool = True) -> str:
    """Choose a move, with reports on the way."""
    options = parse_options(session, words, is_kata=report is kata_report)
    began_s, board = time.monotonic(), session.turned(options.color)
    stream.open()
    reporter = _Reporter(stream, report, board, options)
    choice = watch(session, options.color, reporter.see_all, options.interval_s or _QUIET_S, options.allows)
    if choice.analysis is not None:
        reporter.finish(choice.analysis)
    move = settle(session, options.color, choice, began_s) if plays else name_of(session, choice)
    stream.line(f"play {move}")
    return ""


class _Reporter:
    """Writes reports into a stream, and never one twice."""

    def __init__(self, stream: Stream, report: Report, board: Board, options: Options) -> None:
        self._stream, self._report = stream, report
        self._board, self._options = board, options
        self._reported = -1  # simulations at the last report

    def see(self, analysis: Analysis) -> bool:
        """Report if an interval was asked for; False when nobody wants more."""
        self.see_all(analysis)
        return self._stream.is_wanted()

    def see_all(self, analysis: Analysis) -> None:
        """Report if an interval was asked for."""
        if self._options.interval_s is not None and self._report is not cgos_report:
            self.finish(analysis)

    def finish(self, analysis: Analysis) -> None:
        """Report what is not reported yet."""
        text = self._report(self._board, analysis, self._options)
        if text and analysis.simulations != self._reported:
            self._stream.line(text)
            self._reported = analysis.simulations


def _analysis_command(report: Report) -> Command:
    handler = partial(analyze, report=report)
    return Command(handler, 0, None, needs=Analyst, streams=True, ends_at_input=True)


def _move_command(report: Report, *, plays: bool = True) -> Command:
    return Command(partial(genmove_analyze, report=report, plays=plays), 0, None, needs=Analyst, streams=True)


COMMANDS = {
    "cgos-genmove_analyze": _move_command(cgos_report),
    "kata-analyze": _analysis_command(kata_report),
    "kata-genmove_analyze": _move_command(kata_report),
    "kata-search_analyze": _move_command(kata_report, plays=False),
    "lz-analyze": _analysis_command(lz_report),
    "lz-genmove_analyze": _move_command(lz_report),
}
