"""What a report says about games besides `standings.py`: colours, time, faults, disputes, dates, the way there.

Pure counting, in one pass. Nothing is read or written here; `report.py` puts it on a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tesuji.experiments.records import GameRecord, Reason
from tesuji.experiments.stats.elo import elo_from_games

__all__ = ["FAULTS", "CurvePoint", "Digest", "PlayerUse", "Tally", "digest"]

FAULTS = frozenset({Reason.ILLEGAL_MOVE, Reason.TIME, Reason.HANG, Reason.CRASH, Reason.PROTOCOL})
"""Ends by somebody's fault."""

_CURVE_POINTS = 200


class Tally(msgspec.Struct):
    """Results from one point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A draw is half a win."""
        return self.wins + self.draws / 2

    def count(self, points: float) -> None:
        """Add a game worth 1, 0.5 or 0."""
        if points == 1:
            self.wins += 1
        elif points == 0:
            self.losses += 1
        else:
            self.draws += 1


class PlayerUse(msgspec.Struct):
    """What a player did with its colours and its time.

    Attributes
    ----------
    as_first, as_second : Tally
        From this player's side.
    seconds : float
        Thought in all games together.
    faults : int
        Games that it lost by a fault.
    versions : list of str
        What it called itself.
    """

    as_first: Tally = msgspec.field(default_factory=Tally)
    as_second: Tally = msgspec.field(default_factory=Tally)
    seconds: float = 0.0
    faults: int = 0
    versions: list[str] = []

    @property
    def games(self) -> int:
        """Of both colours."""
        return self.as_first.games + self.as_second.games

    @property
    def seconds_per_game(self) -> float:
        """Thinking time; 0 without games."""
        return self.seconds / self.games if self.games else 0.0


class CurvePoint(msgspec.Struct, frozen=True):
    """What was known of the first player's Elo after some games."""

    games: int
    elo: float
    low: float
    high: float


class Digest(msgspec.Struct):
    """See the module; void games are left out.

    Attributes
    ----------
    players : dict of str to PlayerUse
        By name, in the order given.
    faults, disputed : list of GameRecord
        Games that ended by a fault; games whose score the players or the second opinion saw differently.
    curve : list of CurvePoint
        In a match of two: Elo after so many games, in the order of the games, 200 points at most. From single games:
        the interval at the end is the standings' only if pairs do not matter.
    wall_s, cpu_s : float
        Of all games together, as if played one after another.
    first_start, last_start : str
        When the first and the last game began; ISO 8601.
    """

    players: dict[str, PlayerUse] = {}
    faults: list[GameRecord] = []
    disputed: list[GameRecord] = []
    curve: list[CurvePoint] = []
    wall_s: float = 0.0
    cpu_s: float = 0.0
    first_start: str = ""
    last_start: str = ""


def digest(games: Iterable[GameRecord], players: Sequence[str] = ()) -> Digest:
    """Count what there is to count.

    Parameters
    ----------
    games
        In their order; their moves are not needed.
    players
        Names in the order in which they are to appear; others follow as they come.
    """
    found = Digest(players={name: PlayerUse() for name in players})
    path: list[float] = []
    for game in games:
        if game.winner == "none":
            continue
        found.wall_s += game.wall_s
        found.cpu_s += game.cpu_s
        _count_players(found, game)
        if game.reason in FAULTS:
            found.faults.append(game)
        elif game.opinions and game.detail:  # opinions.py explains itself where not all agreed
            found.disputed.append(game)
        if game.started_at:
            found.first_start = min(found.first_start or game.started_at, game.started_at)
            found.last_start = max(found.last_start, game.started_at)
        if len(players) == 2:
            path.append(game.points_of(players[0]))
    found.curve = _curve(path)
    return found


def _count_players(found: Digest, game: GameRecord) -> None:
    points = game.points_of(game.first)
    first = found.players.setdefault(game.first, PlayerUse())
    second = found.players.setdefault(game.second, PlayerUse())
    first.as_first.count(points)
    second.as_second.count(1 - points)
    first.seconds += game.first_s
    second.seconds += game.second_s
    if game.reason in FAULTS and points != 0.5:
        (second if points else first).faults += 1
    for name, player in ((game.first, first), (game.second, second)):
        version = game.versions.get(name, "")
        if version and version not in player.versions:
            player.versions.append(version)


def _curve(path: Sequence[float]) -> list[CurvePoint]:
    """The Elo after every so many games, the last one among them."""
    step = max(1, -(-len(path) // _CURVE_POINTS))
    curve, tally = [], Tally()
    for number, points in enumerate(path, start=1):
        tally.count(points)
        if number % step == 0 or number == len(path):
            elo = elo_from_games(tally.wins, tally.draws, tally.losses)
            curve.append(CurvePoint(number, elo.elo, elo.low, elo.high))
    return curve
