"""The laboratory: matches, ratings, sequential tests, tuning, on one machine or many.

>>> from tesuji.experiments import match
>>> found = match("tesuji:simulations=1", "better=tesuji:simulations=200", game="connect4", games=20)
>>> found.players[1].name, found.players[1].rate > 0.5
('better', True)

Ten names are here, each imported when it is asked for, so that whoever needs one part loads that part only; the rest is
in the rooms `players`, `play`, `run`, `stats`, `tuning`, `report` and `suites`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tesuji.experiments.players import parse_player
    from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
    from tesuji.experiments.run.match import match, play_match
    from tesuji.experiments.run.spec import MatchSpec, read_spec
    from tesuji.experiments.run.store import Store
    from tesuji.experiments.stats.elo import Sprt

__all__ = [
    "Conditions",
    "GameRecord",
    "MatchSpec",
    "PlayerSpec",
    "Sprt",
    "Store",
    "match",
    "parse_player",
    "play_match",
    "read_spec",
]

_OFFERED = {
    "Conditions": "records",
    "GameRecord": "records",
    "MatchSpec": "run.spec",
    "PlayerSpec": "records",
    "Sprt": "stats.elo",
    "Store": "run.store",
    "match": "run.match",
    "parse_player": "players",
    "play_match": "run.match",
    "read_spec": "run.spec",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _OFFERED:
        raise AttributeError(f"module 'tesuji.experiments' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"tesuji.experiments.{_OFFERED[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
