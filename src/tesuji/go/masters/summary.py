"""What is in a database of games: counts by size, winner, decade and player."""

from __future__ import annotations

from collections import Counter
from statistics import median

import msgspec

from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.rules.vertex import printable

__all__ = ["Summary", "summarised"]

_PLAYERS_SHOWN = 10
_RESULTS = {1: "Black", 2: "White", 0: "nobody"}


class Summary(msgspec.Struct, frozen=True):
    """Counts.

    Attributes
    ----------
    games, moves : int
        How many.
    median_moves : float
        Of a game; 0 without games.
    by_size, by_winner, by_decade, by_player : dict of str to int
        Games, most first; players are the ten most frequent.
    """

    games: int
    moves: int
    median_moves: float
    by_size: dict[str, int]
    by_winner: dict[str, int]
    by_decade: dict[str, int]
    by_player: dict[str, int]

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return msgspec.structs.asdict(self)

    def text(self) -> str:
        """For people."""
        lines = [f"{self.games:,} games, {self.moves:,} moves, half of the games longer than {self.median_moves:g}"]
        parts = {"size": self.by_size, "won by": self.by_winner, "years": self.by_decade, "players": self.by_player}
        for title, counts in parts.items():
            lines.append(f"{title}: " + ", ".join(f"{printable(name)} {count:,}" for name, count in counts.items()))
        return "\n".join(lines)


def summarised(database: GameDatabase, wanted: GameFilter | None = None) -> Summary:
    """Count the games that meet a filter."""
    rows = database.rows("width, height, winner, substr(date, 1, 3), black, white, num_moves", wanted)
    lengths = [int(str(row[6])) for row in rows]
    sizes = Counter(f"{row[0]}x{row[1]}" for row in rows)
    winners = Counter(_RESULTS[int(str(row[2]))] for row in rows)
    decades = Counter(f"{row[3]}0s" if row[3] else "unknown" for row in rows)
    players = Counter(str(name) for row in rows for name in row[4:6] if name)
    return Summary(
        games=len(rows),
        moves=sum(lengths),
        median_moves=median(lengths) if lengths else 0,
        by_size=dict(sizes.most_common()),
        by_winner=dict(winners.most_common()),
        by_decade=dict(sorted(decades.items())),
        by_player=dict(players.most_common(_PLAYERS_SHOWN)),
    )
