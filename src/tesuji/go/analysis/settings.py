"""``overrideSettings``: what one query wants otherwise than the server was started with.

KataGo's names ``maxVisits``, ``maxPlayouts``, ``maxTime`` and ``reportAnalysisWinratesAs`` are understood; the other
names are our own parameters (`tesuji.go.engine.parameters`). A name that is neither gets a warning, as KataGo gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from tesuji.go.analysis.errors import QueryError, shown
from tesuji.go.engine import EngineConfig
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, applied_later
from tesuji.go.rules.color import Color
from tesuji.search.parameters import Value

__all__ = ["MAX_SECONDS", "MAX_VISITS", "Perspective", "Settings", "checked_visits", "read_settings", "viewer"]

Perspective = Literal["BLACK", "WHITE", "SIDETOMOVE"]
MAX_VISITS = 100_000_000
MAX_SECONDS = 1e6
_FIELD = "overrideSettings"
_VISITS = ("maxVisits", "maxPlayouts")
_SERVER_WIDE = "threads"  # of the server: every search has one


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How one query is analysed.

    Attributes
    ----------
    config : EngineConfig
        How the engine thinks, the limits aside.
    visits : int or None
        Simulations at most.
    seconds : float or None
        Seconds at most.
    perspective : {"BLACK", "WHITE", "SIDETOMOVE"}
        Whose win rates, scores and points are reported.
    unknown : tuple of str
        Names that mean nothing here.
    """

    config: EngineConfig
    visits: int | None
    seconds: float | None
    perspective: Perspective = "BLACK"
    unknown: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: EngineConfig, perspective: Perspective = "BLACK") -> Settings:
        """Those of an engine with its own limits."""
        return cls(config=config, visits=config.simulations, seconds=config.seconds, perspective=perspective)


def viewer(perspective: Perspective, to_play: Color) -> Color:
    """Whose view is reported at a position."""
    if perspective == "SIDETOMOVE":
        return to_play
    return Color.BLACK if perspective == "BLACK" else Color.WHITE


def checked_visits(field: str, value: object) -> int:
    """A number of visits.

    Raises
    ------
    QueryError
        If it is none, or more than a search is for.
    """
    if type(value) is not int or not 1 <= value <= MAX_VISITS:
        raise QueryError(field, f"maxVisits is {shown(value)}; it must be a whole number from 1 to {MAX_VISITS:,}")
    return value


def read_settings(said: Mapping[str, object], base: Settings) -> Settings:
    """Apply the ``overrideSettings`` of a query.

    Raises
    ------
    QueryError
        For a value that a setting cannot have.
    """
    perspective, visits, seconds, own, unknown = base.perspective, base.visits, base.seconds, {}, []
    for name, value in said.items():
        if name == "reportAnalysisWinratesAs":
            perspective = _perspective(value)
        elif name in _VISITS:
            visits = checked_visits(_FIELD, value)
        elif name == "maxTime":
            seconds = _seconds(value)
        elif name in ENGINE_PARAMETERS and name != _SERVER_WIDE:
            own[name] = value
        else:
            unknown.append(name)
    config = base.config
    if own:
        config = _configured(own, config)
        visits = config.simulations if "simulations" in own or "seconds" in own else visits
        seconds = config.seconds if "simulations" in own or "seconds" in own else seconds
    return Settings(config=config, visits=visits, seconds=seconds, perspective=perspective, unknown=tuple(unknown))


def _configured(own: Mapping[str, object], base: EngineConfig) -> EngineConfig:
    try:
        values = {name: _value(name, said) for name, said in own.items()}
        return applied_later(values, base)
    except (ValueError, OverflowError) as error:
        raise QueryError(_FIELD, f"Could not set settings: {error}") from None


def _value(name: str, said: object) -> Value:
    parameter = ENGINE_PARAMETERS[name]
    return parameter.parsed(said) if isinstance(said, str) else parameter.checked(said)


def _perspective(value: object) -> Perspective:
    word = value.upper() if isinstance(value, str) else ""
    for known in get_args(Perspective):
        if word in (known, known[:1] if known != "SIDETOMOVE" else known):
            perspective: Perspective = known
            return perspective
    raise QueryError(_FIELD, f"reportAnalysisWinratesAs is {shown(value)}; it must be BLACK, WHITE or SIDETOMOVE")


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_SECONDS:
        raise QueryError(_FIELD, f"maxTime is {shown(value)}; it must be seconds above 0, at most {MAX_SECONDS:,.0f}")
    return float(value)
