"""Settings of a player in this process: words such as ``rave_k=300``.

They are the parameters of the Go engine (`tesuji.go.engine.parameters`), those of its search being the same for every
game, and ``preset``: the config that the others change (`tesuji.go.engine.presets`, `tesuji.search.presets`). Threads
and seeds are not among them: those belong to the match. Nothing here searches: see `search_player.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tesuji.experiments.records import Setting
from tesuji.go.engine.parameters import ENGINE_PARAMETERS
from tesuji.search.parameters import nearest

__all__ = ["SETTINGS", "checked_settings", "engine_settings", "limits_of", "parse_value", "preset_in"]

_PRESET = "preset"
_OF_THE_MATCH = ("threads", "seed")
_LIMITS = ("simulations", "seconds")

SETTINGS = (_PRESET, *(name for name in ENGINE_PARAMETERS if name not in _OF_THE_MATCH))
"""The names that there are."""


def parse_value(text: str) -> Setting:
    """Read a value as it is typed: true or false, a whole number, a number, or else a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def checked_settings(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return settings with every value in its own type, such as a whole number.

    Raises
    ------
    ValueError
        For a setting that does not exist (the message lists those that do), or a value of another type.
    """
    return {name: _checked(name, value) for name, value in settings.items()}


def _checked(name: str, value: Setting) -> Setting:
    if name not in SETTINGS:
        raise ValueError(f"there is no setting {name[:40]!r}; {nearest(name, SETTINGS)}")
    if name != _PRESET:
        return ENGINE_PARAMETERS[name].checked(value)
    if not isinstance(value, str):
        raise ValueError(f"preset is {value!r}; it must be a word, such as default")
    return value


def engine_settings(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Those that change the engine's config, limits apart: see `limits_of`."""
    return {name: value for name, value in settings.items() if name not in (_PRESET, *_LIMITS)}


def preset_in(settings: Mapping[str, Setting]) -> str | None:
    """The config that the others change; None: the default."""
    return None if _PRESET not in settings else str(settings[_PRESET])


def limits_of(settings: Mapping[str, Setting]) -> tuple[int | None, float | None]:
    """Simulations and seconds per move, None where the settings do not say."""
    simulations, seconds = (None if (limit := settings.get(name)) == "none" else limit for name in _LIMITS)
    if simulations is not None and not 1 <= int(simulations) < 2**31:
        raise ValueError(f"simulations is {simulations}; it must lie in 1..{2**31 - 1}")
    if seconds is not None and not 0 < float(seconds) < 1e9:
        raise ValueError(f"seconds is {seconds}; it must be above 0")
    return None if simulations is None else int(simulations), None if seconds is None else float(seconds)
