"""From a game, a preset and settings to a config: the one way, for players, options, files and GTP.

>>> resolve("connect4", None, {"threads": 2}).threads
2
>>> resolve("go", "fast", {"simulations": 100}).simulations
100
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, overload

from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.parameters import GO_ONLY, applied_to_engine
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.search.config import SearchConfig
from tesuji.search.parameters import SEARCH_PARAMETERS, ParameterError, applied
from tesuji.search.presets import preset_named, presets_of

__all__ = ["resolve"]


@overload
def resolve(game: Literal["go"], preset: str | None, settings: Mapping[str, object]) -> EngineConfig: ...


@overload
def resolve(game: str, preset: str | None, settings: Mapping[str, object]) -> EngineConfig | SearchConfig: ...


def resolve(game: str, preset: str | None, settings: Mapping[str, object]) -> EngineConfig | SearchConfig:
    """The config of a preset, changed by settings.

    Parameters
    ----------
    game : str
        ``go``, a native game, or one of your own. Go has an `EngineConfig`, every other game a `SearchConfig`.
    preset : str or None
        What the others stay at; None: ``default``.
    settings : mapping of str to value
        Parameters by their flat names.

    Raises
    ------
    ParameterError
        For a parameter that does not exist, belongs to Go, or has a wrong value.
    ValueError
        For a preset that does not exist.
    """
    if game == "go":
        return applied_to_engine(settings, preset_named(preset, ENGINE_PRESETS))
    for parameter in settings:
        if parameter in GO_ONLY:
            raise ParameterError(parameter, f"{parameter} is for Go; leave it out for {game}")
    return applied(preset_named(preset, presets_of(game)), settings, SEARCH_PARAMETERS)
