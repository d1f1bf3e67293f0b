"""Where a match or tournament stands: from games to scores, Elo, ratings and the verdict of a sequential test.

`standings` reads games once and keeps counts only, so a store with 100,000 games takes about a second. `Scoreboard` is
the same piece by piece, for live progress: `add` each game as it ends, ask for `standings` whenever they are wanted.

`Standings` can be written as JSON by `msgspec.json.encode`; an Elo that is infinite (somebody scored nothing) is null
there. This module reads no files and plays nothing; the formulas are in `elo.py`.

A sequential test sees only the pairs from the first one on up to the first that is not finished, and its first verdict
stands: `sequential.py` says why. Score, Elo and ratings are those of all games.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from statistics import fmean
from typing import Literal

import msgspec

from tesuji.experiments.records import GameRecord, Reason
from tesuji.experiments.stats.elo import (
    EloEstimate,
    PairResult,
    Rating,
    Sprt,
    bradley_terry,
    elo_from_games,
    elo_from_pairs,
    score_rate,
    wilson,
)
from tesuji.experiments.stats.figures import elo_interval, percent, share_interval, signed
from tesuji.experiments.stats.sequential import SequentialTest

__all__ = [
    "GameLengths",
    "OpeningScore",
    "PlayerScore",
    "Scoreboard",
    "SprtState",
    "Standings",
    "standings",
]

MAX_OPENINGS = 100  # listed; random openings are as many as pairs


class PlayerScore(msgspec.Struct, frozen=True):
    """One player's results.

    Attributes
    ----------
    name : str
        Of the player, or ``first`` for whoever moved first.
    games, wins, draws, losses : int
        Void games are not among them.
    points, rate : float
        Wins and half the draws; points per game (0.5 without games).
    low, high : float
        Wilson's interval of the rate, 95 %.
    seconds_per_move : float
        Of thinking; every second move of a game is a player's.
    lost_by : dict
        Reason to number: how its lost games ended.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    rate: float
    low: float
    high: float
    seconds_per_move: float = 0.0
    lost_by: dict[str, int] = {}


class OpeningScore(msgspec.Struct, frozen=True):
    """Results of an opening, as whoever moved first sees them."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int


class GameLengths(msgspec.Struct, frozen=True):
    """Moves per game, without the opening's.

    Attributes
    ----------
    mean : float
        0 without games.
    shortest, median, longest : int
        Of the games.
    counts : dict
        Number of moves to number of games.
    """

    mean: float
    shortest: int
    median: int
    longest: int
    counts: dict[int, int]


class SprtState(msgspec.Struct, frozen=True, kw_only=True):
    """How far a sequential test is.

    Attributes
    ----------
    elo0, elo1, alpha, beta : float
        Of the test.
    llr, lower, upper : float
        The log-likelihood ratio (at the verdict, if there is one) and its bounds.
    pairs : int
        That it has seen: a run of finished pairs from the first one on, up to the verdict.
    verdict : {"H0", "H1", None}
        Which hypothesis was accepted.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    lower: float
    upper: float
    pairs: int
    verdict: Literal["H0", "H1"] | None


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """What is known after some games.

    Attributes
    ----------
    games, void : int
        Games that count, and void ones that have not been played again.
    players : list of PlayerScore
        In the order of the experiment.
    crosstable : list of PairResult
        Each two players who met: wins, draws and losses of the first named.
    pairs : list of 5 int, or None
        In a match of two: complete pairs in which the first player took 0, 0.5, 1, 1.5 and 2 points.
    elo : EloEstimate or None
        In a match of two: of the first player. From complete pairs as soon as there is one, until then from games.
    sprt : SprtState or None
        If there is a test.
    ratings : list of Rating
        Of everybody who played, strongest first.
    ratings_note : str
        Why there are none, if so.
    first_player : PlayerScore
        Results of whoever moved first.
    reasons : dict
        How games ended: reason to number, most frequent first.
    lengths : GameLengths
        In moves.
    openings : list of OpeningScore
        The 100 most played.
    num_openings : int
        All of them.
    """

    games: int
    void: int
    players: list[PlayerScore]
    crosstable: list[PairResult]
    pairs: list[int] | None
    elo: EloEstimate | None
    sprt: SprtState | None
    ratings: list[Rating]
    ratings_note: str
    first_player: PlayerScore
    reasons: dict[str, int]
    lengths: GameLengths
    openings: list[OpeningScore]
    num_openings: int

    @property
    def headline(self) -> str:
        """All in a line: ``a 12 : 8 b in 20 games, 60.0 % [38.7, 78.1], Elo +70 [-80, +235]``."""
        games = f"{self.games:,} game{'' if self.games == 1 else 's'}"
        if len(self.players) != 2:
            best = f", best {self.ratings[0].name}" if self.ratings else ""
            return f"{len(self.players)} players, {games}{best}"
        one, other = self.players
        rate = f"{percent(one.rate)} {share_interval(one.low, one.high)}"
        elo = f", Elo {signed(self.elo.elo)} {elo_interval(self.elo.low, self.elo.high)}" if self.elo else ""
        return f"{one.name} {one.points:g} : {other.points:g} {other.name} in {games}, {rate}{elo}"

    def __repr__(self) -> str:
        return f"<Standings: {self.headline}>"


def standings(
    games: Iterable[GameRecord],
    players: Sequence[str],
    sprt: Sprt | None = None,
    anchors: Mapping[str, float] | None = None,
) -> Standings:
    """Count games.

    Parameters
    ----------
    games : iterable of GameRecord
        In any order, each once; their moves are not needed. Void games (`Store.attempts`) may come too: the test does
        not wait for them.
    players : sequence of str
        All names of the experiment. A match has two, and the first one is whose Elo is told and tested.
    sprt : Sprt, optional
        A test of a match of two; its pairs are numbered from 0.
    anchors : mapping of str to float, optional
        Ratings that are known.
    """
    board = Scoreboard(players, sprt=sprt, anchors=anchors)
    for game in games:
        board.add(game)
    board.give_up_void()
    return board.standings()


class _Score:
    """Wins, draws and losses, counted."""

    __slots__ = ("draws", "losses", "wins")

    def __init__(self) -> None:
        self.wins = self.draws = self.losses = 0

    def add(self, winner: str, side: str) -> None:
        if winner == "draw":
            self.draws += 1
        elif winner == side:
            self.wins += 1
        else:
            self.losses += 1

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.wins, self.draws, self.losses


class Scoreboard:
    """Standings that grow game by game; see `standings` for the parameters."""

    def __init__(
        self, players: Sequence[str], *, sprt: Sprt | None = None, anchors: Mapping[str, float] | None = None
    ) -> None:
        if len(set(players)) < len(players):
            raise ValueError(f"players are {', '.join(players)}; each needs a name of its own")
        if sprt and len(players) != 2:
            raise ValueError(f"an SPRT is about two players; there are {len(players)}")
        self.players = tuple(players)
        self._anchors = dict(anchors or {})
        self._scores = {name: _Score() for name in players}
        self._microseconds = dict.fromkeys(players, 0)  # whole numbers: their sum has no order
        self._moves = dict.fromkeys(players, 0)
        self._lost_by: dict[str, Counter[str]] = {name: Counter() for name in players}
        self._cross: dict[tuple[str, str], _Score] = {}
        self._first = _Score()
        self._openings: dict[str, _Score] = {}
        self._reasons: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()
        self._void: dict[int, int] = {}  # index to pair
        self._pairs = [0] * 5
        self._half: dict[int, int] = {}  # pair to twice the first player's points in its one finished game
        self._test = SequentialTest(sprt, self.players[0]) if sprt else None

    def add(self, game: GameRecord) -> None:
        """Count a game."""
        if game.first not in self._scores or game.second not in self._scores:
            stranger = game.second if game.first in self._scores else game.first
            raise ValueError(f"game {game.index}: {stranger!r} is not a player; there is {', '.join(self.players)}")
        if game.reason == Reason.VOID:
            self._void[game.index] = game.pair
            return
        self._void.pop(game.index, None)
        self._add_players(game)
        self._first.add(game.winner, "first")
        self._openings.setdefault(game.opening_name, _Score()).add(game.winner, "first")
        self._reasons[game.reason.value] += 1
        if len(self.players) == 2:
            self._add_pair(game)
        if self._test:
            self._test.add(game)

    def give_up(self, pair: int) -> None:
        """Let the test no longer wait for a pair whose games stay void."""
        if self._test:
            self._test.give_up(pair)

    def give_up_void(self) -> None:
        """Let the test wait for no game that is void now."""
        for pair in self._void.values():
            self.give_up(pair)

    def _add_pair(self, game: GameRecord) -> None:
        points = round(2 * game.points_of(self.players[0]))
        if game.pair in self._half:
            self._pairs[self._half.pop(game.pair) + points] += 1
        else:
            self._half[game.pair] = points

    def _add_players(self, game: GameRecord) -> None:
        first, second, winner = game.first, game.second, game.winner
        self._scores[first].add(winner, "first")
        self._scores[second].add(winner, "second")
        if winner != "draw":
            self._lost_by[second if winner == "first" else first][game.reason.value] += 1
        if (second, first) in self._cross:
            self._cross[second, first].add(winner, "second")
        else:
            self._cross.setdefault((first, second), _Score()).add(winner, "first")
        length = game.num_moves or len(game.moves)
        self._lengths[length] += 1
        for name, seconds in ((first, game.first_s), (second, game.second_s)):
            self._microseconds[name] += round(1e6 * seconds)
            self._moves[name] += length

    def standings(self) -> Standings:
        """Return what is known so far."""
        is_match = len(self.players) == 2
        pairs = list(self._pairs) if is_match else None
        elo = self._elo(pairs) if pairs is not None else None
        ratings, note = self._ratings(elo)
        openings = sorted(self._openings.items(), key=lambda item: (-sum(item[1].counts), item[0]))
        return Standings(
            games=sum(self._first.counts),
            void=len(self._void),
            players=[self._player(name) for name in self.players],
            crosstable=self._crosstable(),
            pairs=pairs,
            elo=elo,
            sprt=_sprt_state(self._test) if self._test else None,
            ratings=ratings,
            ratings_note=note,
            first_player=_score("first", self._first),
            reasons=dict(self._reasons.most_common()),
            lengths=_lengths(self._lengths),
            openings=[OpeningScore(name, sum(s.counts), *s.counts) for name, s in openings[:MAX_OPENINGS]],
            num_openings=len(openings),
        )

    def _player(self, name: str) -> PlayerScore:
        moves = self._moves[name] / 2
        return msgspec.structs.replace(
            _score(name, self._scores[name]),
            seconds_per_move=self._microseconds[name] / 1e6 / moves if moves else 0.0,
            lost_by=dict(self._lost_by[name].most_common()),
        )

    def _crosstable(self) -> list[PairResult]:
        place = {name: i for i, name in enumerate(self.players)}
        table = []
        for (first, second), score in self._cross.items():
            wins, draws, losses = score.counts
            if place[first] > place[second]:
                first, second, wins, losses = second, first, losses, wins
            table.append(PairResult(first, second, wins, draws, losses))
        return sorted(table, key=lambda result: (place[result.first], place[result.second]))

    def _elo(self, pairs: Sequence[int]) -> EloEstimate:
        return elo_from_pairs(pairs) if any(pairs) else elo_from_games(*self._scores[self.players[0]].counts)

    def _ratings(self, elo: EloEstimate | None) -> tuple[list[Rating], str]:
        if not any(self._first.counts):
            return [], "no games yet"
        if elo:
            return self._two_ratings(elo), ""
        played = {name for name, score in self._scores.items() if any(score.counts)}
        anchors = {name: rating for name, rating in self._anchors.items() if name in played}
        try:
            return bradley_terry(self._crosstable(), anchors), ""
        except (ValueError, ImportError) as error:  # early in a tournament the field is not yet connected
            return [], str(error)

    def _two_ratings(self, elo: EloEstimate) -> list[Rating]:
        """Ratings of two need no fit: an anchor holds, or the mean is 0 and each has half of the difference."""
        one, other = (self._player(name) for name in self.players)
        held = [self._anchors.get(player.name) for player in (one, other)]
        if held[0] is None and held[1] is None:
            first, second = (elo.elo / 2, elo.low / 2, elo.high / 2), (-elo.elo / 2, -elo.high / 2, -elo.low / 2)
        else:
            start = held[1] if held[1] is not None else 0.0
            first = (start + elo.elo, start + elo.low, start + elo.high) if held[0] is None else (held[0],) * 3
            start = held[0] if held[0] is not None else 0.0
            second = (start - elo.elo, start - elo.high, start - elo.low) if held[1] is None else (held[1],) * 3
        ratings = [
            Rating(one.name, *first, one.games, one.points),
            Rating(other.name, *second, other.games, other.points),
        ]
        return sorted(ratings, key=lambda rating: -rating.elo)


def _sprt_state(test: SequentialTest) -> SprtState:
    sprt = test.sprt
    lower, upper = sprt.bounds
    return SprtState(
        elo0=sprt.elo0,
        elo1=sprt.elo1,
        alpha=sprt.alpha,
        beta=sprt.beta,
        llr=test.llr,
        lower=lower,
        upper=upper,
        pairs=sum(test.counts),
        verdict=test.verdict,
    )


def _score(name: str, score: _Score) -> PlayerScore:
    wins, draws, losses = score.counts
    games, points = wins + draws + losses, wins + draws / 2
    interval = wilson(points, games)
    return PlayerScore(
        name, games, wins, draws, losses, points, score_rate(wins, draws, losses), interval.low, interval.high
    )


def _lengths(lengths: Counter[int]) -> GameLengths:
    if not lengths:
        return GameLengths(0.0, 0, 0, 0, {})
    ordered = dict(sorted(lengths.items()))
    middle = bisect_left(list(accumulate(ordered.values())), lengths.total() / 2)
    median = list(ordered)[middle]
    mean = fmean(ordered.keys(), weights=ordered.values())
    return GameLengths(mean, min(ordered), median, max(ordered), ordered)
