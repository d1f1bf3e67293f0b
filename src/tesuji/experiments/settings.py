"""Settings of a player in this process: words such as ``rave_k=300`` to the configs of the engine and the search.

`SETTINGS` is the table: every setting, its type, the field that it sets. A player begins with a preset
(`tesuji.go.presets`, `tesuji.search.presets`); its settings replace single fields. Values are checked by the configs
themselves, which know their ranges. Nothing here searches: see `players.py`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from tesuji.experiments.go_settings import GO_SETTINGS
from tesuji.experiments.records import Setting
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    MinimumMSE,
    SearchConfig,
    UCB1Tuned,
    Widening,
)

__all__ = ["SETTINGS", "Known", "applied", "checked_settings", "limits_of", "nearest", "parse_value"]


class Known(NamedTuple):
    """A setting that exists.

    Attributes
    ----------
    kind : type
        bool, int, float or str.
    field : str
        What it sets.
    """

    kind: type[Setting]
    field: str


SETTINGS: dict[str, Known] = {
    # how long it thinks
    "simulations": Known(int, "simulations per move"),
    "seconds": Known(float, "seconds per move"),
    # how it begins
    "preset": Known(str, "the config that the other settings change: default, uct, uct-rave, ..."),
    # SearchConfig.selection
    "selection": Known(str, "SearchConfig.selection: ucb1, ucb1-tuned, epsilon-greedy, bast, puct"),
    "exploration": Known(float, "c of the selection"),
    "epsilon": Known(float, "EpsilonGreedy.epsilon"),
    "smoothness": Known(float, "BAST.smoothness"),
    "first_play_urgency": Known(float, "SearchConfig.first_play_urgency"),
    # SearchConfig.amaf
    "amaf": Known(str, "SearchConfig.amaf: none, rave, minimum-mse"),
    "rave_k": Known(float, "RAVE.k"),
    "rave_bias": Known(float, "MinimumMSE.bias"),
    "rave_exploration": Known(float, "c of RAVE or MinimumMSE"),
    # SearchConfig.widening
    "widening": Known(bool, "SearchConfig.widening: whether there is any"),
    "widening_scale": Known(float, "Widening.scale"),
    "widening_rate": Known(float, "Widening.rate"),
    "widening_minimum": Known(int, "Widening.minimum"),
    # the rest of SearchConfig
    "maturity": Known(int, "SearchConfig.maturity"),
    "expansion": Known(str, "SearchConfig.expansion: one-child, all-children, whole-path"),
    "graph": Known(str, "SearchConfig.graph: tree, dag"),
    "solver": Known(bool, "SearchConfig.solver"),
    "final_move": Known(str, "SearchConfig.final_move: most-visits, best-value, lower-bound"),
    "parallel": Known(str, "SearchConfig.parallel: lock-free, global-lock, roots"),
    "memory_mb": Known(int, "SearchConfig.memory_bytes, in MiB"),
    "max_depth": Known(int, "SearchConfig.max_depth"),
    # what only the Go engine has
    **{name: Known(kind, field) for name, (kind, field) in GO_SETTINGS.items()},
}

_PARTS: dict[str, dict[str, type | None]] = {
    "selection": {"ucb1": UCB1, "ucb1-tuned": UCB1Tuned, "epsilon-greedy": EpsilonGreedy, "bast": BAST, "puct": PUCT},
    "amaf": {"none": None, "rave": RAVE, "minimum-mse": MinimumMSE},
}
_FIELDS_OF_PARTS = {  # setting: part, field of the part, what must be set for it to mean something
    "exploration": ("selection", "c", "selection=ucb1"),
    "epsilon": ("selection", "epsilon", "selection=epsilon-greedy"),
    "smoothness": ("selection", "smoothness", "selection=bast"),
    "rave_k": ("amaf", "k", "amaf=rave"),
    "rave_bias": ("amaf", "bias", "amaf=minimum-mse"),
    "rave_exploration": ("amaf", "c", "amaf=rave"),
    "widening_scale": ("widening", "scale", "widening=true"),
    "widening_rate": ("widening", "rate", "widening=true"),
    "widening_minimum": ("widening", "minimum", "widening=true"),
}
_PLAIN_FIELDS = (
    "first_play_urgency",
    "maturity",
    "expansion",
    "graph",
    "solver",
    "final_move",
    "parallel",
    "max_depth",
)
_MIB = 1 << 20


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


def nearest(name: str, known: Iterable[str]) -> str:
    """Words for a message: the known names, and which of them may have been meant."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}known are {', '.join(names)}"


def checked_settings(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return settings with whole numbers where they belong.

    Raises
    ------
    ValueError
        For a setting that does not exist (the message lists those that do), or a value of another type.
    """
    return {name: _checked(name, value) for name, value in settings.items()}


def _checked(name: str, value: Setting) -> Setting:
    if name not in SETTINGS:
        raise ValueError(f"there is no setting {name[:40]!r}; {nearest(name, SETTINGS)}")
    kind = SETTINGS[name].kind
    if kind is bool and value in (0, 1):
        return bool(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}[kind]
        raise ValueError(f"{name} is {value!r}; it must be {wanted} ({SETTINGS[name].field})")
    return value


def limits_of(settings: Mapping[str, Setting]) -> tuple[int | None, float | None]:
    """Simulations and seconds per move, None where the settings do not say."""
    simulations, seconds = settings.get("simulations"), settings.get("seconds")
    if simulations is not None and not 1 <= int(simulations) < 2**31:
        raise ValueError(f"simulations is {simulations}; it must lie in 1..{2**31 - 1}")
    if seconds is not None and not 0 < float(seconds) < 1e9:
        raise ValueError(f"seconds is {seconds}; it must be above 0")
    return None if simulations is None else int(simulations), None if seconds is None else float(seconds)


def applied(settings: Mapping[str, Setting], base: SearchConfig) -> SearchConfig:
    """A search config with the fields replaced that settings name; settings that are not the search's are ignored.

    Raises
    ------
    ValueError
        If a value is out of range, or its part is not in use: ``rave_k`` without RAVE.
    """
    parts: dict[str, Any] = {"selection": base.selection, "amaf": base.amaf, "widening": base.widening}
    for part, classes in _PARTS.items():
        if part in settings:
            parts[part] = _chosen(part, str(settings[part]), classes, parts[part])
    if "widening" in settings:
        parts["widening"] = (parts["widening"] or Widening()) if settings["widening"] else None
    for name, (part, field, remedy) in _FIELDS_OF_PARTS.items():
        if name in settings:
            if not hasattr(parts[part], field):
                raise ValueError(f"{name} has no meaning here; add {remedy}, or leave it out")
            parts[part] = msgspec.structs.replace(parts[part], **{field: settings[name]})
    plain = {name: settings[name] for name in _PLAIN_FIELDS if name in settings}
    if "memory_mb" in settings:
        plain["memory_bytes"] = int(settings["memory_mb"]) * _MIB
    return msgspec.structs.replace(base, **parts, **plain)


def _chosen(part: str, name: str, classes: Mapping[str, type | None], before: Any) -> Any:
    if name not in classes:
        raise ValueError(f"{part} is {name[:40]!r}; {nearest(name, classes)}")
    wanted = classes[name]
    return None if wanted is None else before if type(before) is wanted else wanted()
