"""Named ways for the Go engine to think; what a player such as ``tesuji:preset=uct`` begins with.

``default`` is the engine as it ships, ``fast`` the same for a tenth of a second a move; ``network`` asks the network as
well, and ``human`` plays by it alone, as people of a rank do (docs/algorithms/network.md). The others stay as they are,
so that what was measured with them can be measured again: three of Pividori 2015, from ``base`` on the six
configurations of the UCT-DAG report, table 3.1.
"""

from __future__ import annotations

import msgspec

from tesuji.go.engine.config import EngineConfig
from tesuji.go.knowledge.groups import (
    EnemyKills,
    FriendlySaves,
    GoGroups,
    ManhattanEnemy,
    ManhattanFriendly,
    ManhattanTotal,
    ManyLiberties,
    Row,
)
from tesuji.go.knowledge.playouts import CAPTURE_ESCAPE_PATTERN, UNIFORM
from tesuji.search import PUCT, UCB1, Grouping, SearchConfig
from tesuji.search.presets import UCT_RAVE, preset_named

__all__ = ["ENGINE_PRESETS", "engine_preset"]

# c: 0.2 won 50 of 60 games against 0.7 (95 %: 72 to 91 %), 30 of 60 against 0.1, 29 against 0.3, 40 against 0.05; 9x9,
# 1,000 simulations a move.
_UCT = SearchConfig(selection=UCB1(c=0.2))

# LibEGO's constant is 0.22 on our scale. At 0.2 a group that loses its first two simulations is hardly tried again. The
# groups of man-group against the preset uct: 15 of 40 games at 0.2, 22 of 30 at 0.3, 24 of 40 at 0.45, 21 of 40 at 0.7;
# 9x9, 2,000 simulations a move. Plain UCT does not care: base won 96 of
# 200 games (41 to 55 %) at 0.3 against itself at 0.2.
_LIBEGO = SearchConfig(selection=UCB1(c=0.3))


# Without RAVE: it drew walks to moves that the network leaves aside (few games: docs/results/network.md).
_NETWORK = SearchConfig(
    selection=PUCT(c=0.8),
    width=24,
    width_walks=400,
    maturity=7,
)


def _table_3_1(entries: int, *rows: Row) -> EngineConfig:
    """A configuration of the UCT-DAG report: plain UCT with a table of shared values, and groups if there are rows."""
    search = msgspec.structs.replace(_LIBEGO, graph="shared-values", table_entries=entries)
    groups = Grouping(find=GoGroups(rows)) if rows else None
    return EngineConfig(search=search, playouts=UNIFORM, priors=None, groups=groups)


_MANHATTAN = ManhattanEnemy(), ManhattanFriendly()
_JAMES = EnemyKills(), FriendlySaves(), ManyLiberties()

ENGINE_PRESETS: dict[str, EngineConfig] = {
    "default": EngineConfig(),
    "fast": EngineConfig(simulations=1000, seconds=0.1),  # the first of the two: simulations on 9x9, seconds on 19x19
    "uct": EngineConfig(search=_UCT, playouts=UNIFORM, priors=None),
    "uct-rave": EngineConfig(search=UCT_RAVE, playouts=UNIFORM, priors=None),
    "uct-rave-knowledge": EngineConfig(
        search=UCT_RAVE, playouts=CAPTURE_ESCAPE_PATTERN, priors=None, uses_symmetry=False
    ),
    # Appendix B: "Save Table Between Moves: False" for base alone, so nothing is kept.
    "base": EngineConfig(search=_LIBEGO, playouts=UNIFORM, priors=None, keeps_graph=False),
    "no-group": _table_3_1(500_000),
    "man-group": _table_3_1(500_000, *_MANHATTAN),
    "man-group-small": _table_3_1(50_000, *_MANHATTAN),
    "james-group": _table_3_1(500_000, ManhattanTotal(), *_JAMES),
    "james-group-no-man": _table_3_1(500_000, *_JAMES),  # appendix B gives it 50,000
    # About the time of the default's 10,000: docs/results/network.md.
    "network": EngineConfig(simulations=5_000, search=_NETWORK, priors=None, network="shipped"),
    "human": EngineConfig(search=_NETWORK, priors=None, network="shipped", human_rank="6d"),
}


def engine_preset(name: str) -> EngineConfig:
    """The preset of that name.

    Raises
    ------
    ValueError
        If there is none; the message lists them.
    """
    return preset_named(name, ENGINE_PRESETS)
