"""What programs for people play with when nobody says how: with the network where it can be run, else without.

`tesuji gtp`, `tesuji analysis`, `tesuji play go` and the strong levels of `tesuji web` begin here. The library does
not: `EngineConfig()` and the players of the laboratory stay without the network, so that a seed gives the same moves
on every machine (docs/decisions/021-network-by-default.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from tesuji.go.engine.config import MACHINE, EngineConfig
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, applied_to_engine
from tesuji.go.engine.presets import engine_preset
from tesuji.go.knowledge.network import SHIPPED, GoNetwork
from tesuji.learning.network.model import ModelError, is_runnable
from tesuji.search.parameters import FieldPlace
from tesuji.words import how_to_install

__all__ = ["NETWORK_COST", "say_what_is_missing", "standard_config"]

NETWORK_COST = 2
"""A simulation with the network takes about as long as so many without (docs/results/network.md)."""

# Limits and manners: the engine's own fields and the machine; the rest is how a search thinks.
_OF_PLAY = frozenset(
    name
    for name, parameter in ENGINE_PARAMETERS.items()
    if parameter.group == "engine"
    or (isinstance(parameter.place, FieldPlace) and parameter.place.path in {("search", each) for each in MACHINE})
)


def standard_config(
    settings: Mapping[str, object] | None = None, on_missing: Callable[[str], None] | None = None
) -> EngineConfig:
    """The preset ``network`` where that can be run and the settings leave it as it is, else ``default``.

    Parameters
    ----------
    settings : mapping of str to value, optional
        Parameters that will be set; here they only choose. Limits and manners go with every preset; with a parameter
        that changes how the search thinks, the preset is ``default``, for which they are made.
    on_missing : callable, optional
        Told once, in a sentence, what the extra ``network`` would bring.
    """
    chosen = settings or {}
    if not _goes_with_the_network(chosen):
        return engine_preset("default")
    if chosen.keys() & {"network", "human_rank"} or _is_there():
        return engine_preset("network")
    if on_missing is not None:
        say_what_is_missing(on_missing)
    return engine_preset("default")


def _goes_with_the_network(settings: Mapping[str, object]) -> bool:
    if not _OF_PLAY.issuperset(settings) or settings.get("network", SHIPPED) in (None, "none"):
        return False
    try:
        applied_to_engine(settings, engine_preset("network"))
    except ValueError:  # such as another judge of positions; what is wrong with any preset is said when it is set
        return False
    return True


@cache
def _is_there() -> bool:
    if not is_runnable():
        return False
    try:
        GoNetwork.load(SHIPPED)
    except ModelError:  # an onnxruntime that does not run
        return False
    return True


@cache
def say_what_is_missing(say: Callable[[str], None]) -> None:
    """Say once what plays better."""
    say(
        "Tesuji plays without its network, with which it is stronger in the same time; to add it: "
        f"{how_to_install('network')}"
    )
