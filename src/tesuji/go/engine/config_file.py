"""The engine's config as a TOML file: one line per parameter, under the names of `tesuji.go.engine.parameters`.

A file says what differs from a preset (``preset = "uct"``, else that of
`tesuji.go.engine.standard`). `written` makes one that says everything,
with a comment to each line; `read` takes either.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, applied_to_engine, values_of
from tesuji.go.engine.presets import engine_preset
from tesuji.go.engine.standard import standard_config
from tesuji.search.parameters import Parameter, ParameterError

__all__ = ["read", "written"]

_PRESET = "preset"


def read(path: Path, preset: str | None = None, later: Mapping[str, object] | None = None) -> EngineConfig:
    """Read a config.

    Parameters
    ----------
    path : Path
        Of the file.
    preset : str, optional
        What it begins with, instead of the file's own.
    later : mapping of str to value, optional
        What will be set on top; without a preset it has a say in what is begun with (`standard_config`).

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not TOML, or a parameter is unknown or wrong; the message names the file and the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        settings: dict[str, object] = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: byte {error.start} is not UTF-8; a config is a text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}; write lines such as simulations = 1000") from error
    try:
        return _config(settings, preset, later or {})
    except ParameterError as error:
        raise ValueError(f"{path.name}, line {_line_of(error.name, text)}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _config(settings: Mapping[str, object], preset: str | None, later: Mapping[str, object]) -> EngineConfig:
    own, set_here = settings.get(_PRESET), {name: value for name, value in settings.items() if name != _PRESET}
    for name, value in settings.items():
        if isinstance(value, dict):
            raise ParameterError(name, f"[{name}] is a table; a config has none, write its lines without it")
    if not isinstance(own, str | None):
        raise ParameterError(_PRESET, f"preset is {own!r}; it must be the name of one, such as 'default'")
    named = preset or own
    try:
        base = standard_config({**set_here, **later}) if named is None else engine_preset(named)
    except ValueError as error:
        raise ParameterError(_PRESET, str(error)) from error
    return applied_to_engine(set_here, base)


def _line_of(name: str, text: str) -> int:
    """The line where a name is set, from 1."""
    setting = re.compile(rf"\s*(?:\[\s*)?[\"']?{re.escape(name)}[\"']?\s*[\]=]")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if setting.match(line)), 1)


def written(config: EngineConfig) -> str:
    """The whole config as a file that `read` takes, with what each parameter means."""
    from tomli_w import dumps

    lines = ["# The config of Tesuji's Go engine: tesuji gtp --config FILE"]
    values, group = values_of(config), ""
    for name, parameter in ENGINE_PARAMETERS.items():
        if parameter.group != group:
            group = parameter.group
            lines += ["", f"# --- {group} ---"]
        if name in values:
            lines += [f"# {_comment(parameter)}", dumps({name: values[name]}).rstrip()]
    return "\n".join(lines) + "\n"


def _comment(parameter: Parameter) -> str:
    choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
    return f"{parameter.meaning}{choices}"
