"""Named configs for the native games: what `tesuji play` and the laboratory play them with.

Every game has ``default`` (docs/results/search.md says what it was compared with), ``uct`` and ``uct-rave``. Go has
presets of its own, `tesuji.go.engine.presets`, because an engine is more than a search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from tesuji.games.catalogue import NATIVE_GAMES
from tesuji.search.config import RAVE, UCB1, SearchConfig
from tesuji.words import meant

__all__ = ["GAME_PRESETS", "UCT", "UCT_RAVE", "preset_named", "presets_of"]

UCT = SearchConfig(selection=UCB1(c=0.7))
UCT_RAVE = SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=1000.0), maturity=2)

# A proof settles small games and the ends of others.
_SOLVED = SearchConfig(selection=UCB1(c=0.5), graph="dag", solver=True)
_WITH_RAVE = SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=300.0), solver=True)

_OTHERS = {"default": SearchConfig(selection=UCB1(c=0.7), solver=True), "uct": UCT, "uct-rave": UCT_RAVE}


P = TypeVar("P")


def preset_named(name: str | None, presets: Mapping[str, P]) -> P:
    """The preset of that name, ``default`` if there is none given.

    Raises
    ------
    ValueError
        If it does not exist; the message lists those that do.
    """
    name = name or "default"
    if name not in presets:
        near = meant(name, presets)
        hint = f"did you mean {near}? " if near else ""
        raise ValueError(f"there is no preset {name[:40]!r}; {hint}choose from {', '.join(presets)}")
    return presets[name]


def presets_of(game: str) -> dict[str, SearchConfig]:
    """The configs of a game by name; a game of your own has the same names."""
    return GAME_PRESETS.get(game, _OTHERS)


GAME_PRESETS: dict[str, dict[str, SearchConfig]] = {
    name: {"default": _WITH_RAVE if game.stones_stay else _SOLVED, "uct": UCT, "uct-rave": UCT_RAVE}
    for name, game in NATIVE_GAMES.items()
}
