"""Commands about how the engine thinks: its parameters in GoGui's and in KataGo's words."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tesuji.go.engine import EngineConfig
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, applied_later, values_of
from tesuji.go.gtp.players import ConfiguredPlayer
from tesuji.go.gtp.session import Session
from tesuji.go.rules.vertex import quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError, switch
from tesuji.search.parameters import Parameter, Value, unknown

__all__ = ["COMMANDS", "param"]

_KATAGO_NAMES = {"maxVisits": "simulations", "maxTime": "seconds", "numSearchThreads": "threads"}
_SWITCHES = {"live_graphics": "has_live_graphics", "verbose": "is_verbose"}


def param(session: Session, name: str = "", *words: str) -> str:
    """All parameters as GoGui reads them, one of them, or a new value."""
    config = session.configured.config
    if not name:
        return "\n".join(filter(None, (_line(each, config) for each in ENGINE_PARAMETERS.values())))
    if not words:
        return _value(_parameter(name), config)
    return _set(session, name, " ".join(words))


def kata_list_params(session: Session) -> str:
    """The names of all parameters, with spaces between."""
    return " ".join((*values_of(session.configured.config), *_KATAGO_NAMES))


def kata_get_param(session: Session, name: str) -> str:
    """One parameter."""
    return _value(_parameter(_KATAGO_NAMES.get(name, name)), session.configured.config)


def kata_set_param(session: Session, name: str, *words: str) -> str:
    """A new value of one."""
    return _set(session, _KATAGO_NAMES.get(name, name), " ".join(words))


def kata_get_params(session: Session) -> str:
    """All parameters as a JSON object."""
    config = session.configured.config
    values = values_of(config)
    others = {name: values[ours] for name, ours in _KATAGO_NAMES.items() if ours in values}
    return msgspec.json.encode(values | others).decode()


def kata_set_params(session: Session, *words: str) -> str:
    """New values of several, as a JSON object: all of them, or none if one is refused."""
    try:
        said = msgspec.json.decode(" ".join(words).encode("utf-8", "replace"), type=dict[str, str | bool | int | float])
    except (msgspec.DecodeError, RecursionError) as error:
        raise GtpError(f"syntax error: the parameters must be a JSON object of names and values: {error}") from error
    values: dict[str, Value | None] = {}
    for name, value in said.items():
        ours = _KATAGO_NAMES.get(name, name)
        parameter = _parameter(ours)
        try:
            values[ours] = parameter.parsed(value) if isinstance(value, str) else parameter.checked(value)
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
    return _apply(session, values)


def clear_cache(session: Session) -> str:
    """Forget what was searched; the next search begins anew."""
    engine = session.configured
    engine.config = engine.config  # an engine that is told how to think begins anew
    session.forget()
    return ""


def show(session: Session, name: str = "", word: str = "") -> str:
    """What stderr gets to see, in the form of GoGui's ``param``: live graphics, a line for each move."""
    if not name:
        return "\n".join(f"[bool] {each} {int(getattr(session, field))}" for each, field in _SWITCHES.items())
    if name not in _SWITCHES:
        raise GtpError(f"syntax error: {quoted(name)} is not to be switched; choose from {', '.join(_SWITCHES)}")
    if not word:
        return str(int(getattr(session, _SWITCHES[name])))
    setattr(session, _SWITCHES[name], switch(word))
    return ""


def _parameter(name: str) -> Parameter:
    if name not in ENGINE_PARAMETERS:
        raise GtpError(f"syntax error: {unknown(name, ENGINE_PARAMETERS)}")
    return ENGINE_PARAMETERS[name]


def _value(parameter: Parameter, config: EngineConfig) -> str:
    value = parameter.read(config)
    return "" if value is None else parameter.text(value)


def _set(session: Session, name: str, text: str) -> str:
    try:
        value = _parameter(name).parsed(text)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    return _apply(session, {name: value})


def _apply(session: Session, values: Mapping[str, Value | None]) -> str:
    engine = session.configured
    try:
        engine.config = applied_later(values, engine.config)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    session.forget()
    return ""


def _line(parameter: Parameter, config: EngineConfig) -> str:
    """A line of GoGui's ``param``; empty for a parameter without a meaning in this config."""
    value = parameter.read(config)
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"[bool] {parameter.name} {int(value)}"
    kind = f"list/{'/'.join(parameter.choices)}" if parameter.choices else "string"
    return f"[{kind}] {parameter.name} {value}"


COMMANDS = {
    "clear_cache": Command(clear_cache, needs=ConfiguredPlayer),
    "kata-get-param": Command(kata_get_param, 1, 1, needs=ConfiguredPlayer),
    "kata-get-params": Command(kata_get_params, needs=ConfiguredPlayer),
    "kata-list-params": Command(kata_list_params, needs=ConfiguredPlayer),
    "kata-set-param": Command(kata_set_param, 2, None, needs=ConfiguredPlayer),
    "kata-set-params": Command(kata_set_params, 1, None, needs=ConfiguredPlayer),
    "param": Command(param, 0, None, needs=ConfiguredPlayer),
    "tesuji-show": Command(show, 0, 2, lets_ponder=True),
}
