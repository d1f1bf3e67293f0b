"""Commands about time."""

from __future__ import annotations

from collections.abc import Callable

from tesuji.go.engine.clock import Absolute, Canadian, Clock
from tesuji.go.engine.time_settings import KATA_KINDS, KGS_KINDS, canadian_or_none, clock_of_kind
from tesuji.go.gtp.session import Session
from tesuji.go.gtp.words import color_of
from tesuji.go.rules.color import Color
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError, decimal, whole

__all__ = ["COMMANDS"]


def time_settings(session: Session, main: str, period: str, count: str) -> str:
    """Main time and Canadian overtime."""
    numbers = decimal(main), decimal(period), whole(count)
    return _set_clocks(session, lambda: canadian_or_none(*numbers))


def kgs_time_settings(session: Session, kind: str, *numbers: str) -> str:
    """The clocks of KGS."""
    said = [decimal(word) for word in numbers]
    return _set_clocks(session, lambda: clock_of_kind(kind, said, KGS_KINDS))


def kata_time_settings(session: Session, kind: str, *numbers: str) -> str:
    """The clocks of KataGo: those of KGS, and Fischer's."""
    said = [decimal(word) for word in numbers]
    return _set_clocks(session, lambda: clock_of_kind(kind, said, KATA_KINDS))


def time_left(session: Session, color_word: str, left: str, count: str) -> str:
    """What a clock shows: seconds, and stones or periods; 0 stands for main time."""
    color, left_s, number = color_of(color_word), max(0.0, decimal(left)), whole(count)
    if number < 0:
        raise GtpError(f"syntax error: {number} stones are not possible; 0 stands for main time")
    if color not in session.clocks:  # nobody said what kind of clock it is
        session.clocks[color] = Canadian(left_s, left_s, number, number) if number else Absolute(left_s)
    elif (clock := session.clocks[color]) is not None:
        session.clocks[color] = clock.told(left_s, number)
    return ""


def _set_clocks(session: Session, made: Callable[[], Clock | None]) -> str:
    try:
        clock = made()
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    session.clocks = dict.fromkeys((Color.BLACK, Color.WHITE), clock)
    return ""


COMMANDS = {
    "kata-list_time_settings": Command(lambda _: " ".join(KATA_KINDS), lets_ponder=True),
    "kata-time_settings": Command(kata_time_settings, 1, None, lets_ponder=True),
    "kgs-time_settings": Command(kgs_time_settings, 1, None, lets_ponder=True),
    "time_left": Command(time_left, 3, 3, lets_ponder=True),
    "time_settings": Command(time_settings, 3, 3, lets_ponder=True),
}
