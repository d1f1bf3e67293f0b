"""Tesuji: a Monte-Carlo tree search workbench, with a native core.

>>> import tesuji
>>> from tesuji.games import TicTacToe
>>> tesuji.Search(TicTacToe(), tesuji.SearchConfig(solver=True)).run(simulations=50_000, seed=1).proof
'drawn'

What most people begin with is here by name: `Search` and `SearchConfig`, `solve` for one player, Go's `Board`, `Engine`
and `EngineConfig`, and `match` between players. The rest lies in rooms: `tesuji.games`, `tesuji.search`, `tesuji.go`
(boards, rules, records, pictures, an engine), `tesuji.learning` (win rates in a byte), `tesuji.experiments` (matches,
ratings, tuning), `tesuji.papers`. Each is imported when it is first asked for. ``tesuji --help`` shows the commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tesuji.experiments import match
    from tesuji.go import Board, Engine, EngineConfig
    from tesuji.search import Search, SearchConfig, solve

__all__ = ["Board", "Engine", "EngineConfig", "Search", "SearchConfig", "__version__", "match", "solve"]

try:  # written when the package is built; reading its metadata costs more than the rest of this import
    from tesuji._version import __version__
except ImportError:  # a checkout in which nothing was built
    __version__ = "0+unknown"

_OFFERED = {
    "Board": "tesuji.go",
    "Engine": "tesuji.go",
    "EngineConfig": "tesuji.go",
    "Search": "tesuji.search",
    "SearchConfig": "tesuji.search",
    "match": "tesuji.experiments",
    "solve": "tesuji.search",
}
_ROOMS = ("experiments", "games", "go", "learning", "papers", "search")


def __getattr__(name: str) -> Any:
    # Asked for lazily: a room costs more than the rest of this import.
    from importlib import import_module

    if name in _OFFERED:
        return getattr(import_module(_OFFERED[name]), name)
    if name in _ROOMS:
        return import_module(f"tesuji.{name}")
    raise AttributeError(f"module 'tesuji' has no attribute {name!r}; it has {', '.join(__dir__())}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
