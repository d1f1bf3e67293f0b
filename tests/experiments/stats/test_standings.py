"""From games to standings: counts, pairs, Elo, the test, ratings, JSON."""

from __future__ import annotations

import itertools
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterable

import msgspec
import pytest

from tesuji.experiments.records import GameRecord, MoveRecord, Reason, Winner
from tesuji.experiments.stats.elo import PairResult, Sprt, bradley_terry, elo_from_games, elo_from_pairs, wilson
from tesuji.experiments.stats.standings import Scoreboard, Standings, standings


def game(
    index: int,
    first: str,
    second: str,
    winner: Winner = "first",
    *,
    reason: Reason = Reason.SCORE,
    opening: str = "empty",
    moves: int = 50,
    seconds: tuple[float, float] = (0, 0),
) -> GameRecord:
    return GameRecord(
        index=index,
        pair=index // 2,
        first=first,
        second=second,
        winner=winner,
        score="",
        reason=reason,
        opening_name=opening,
        num_moves=moves,
        first_s=seconds[0],
        second_s=seconds[1],
    )


def void(index: int) -> GameRecord:
    return game(index, "a", "b", "none", reason=Reason.VOID)


def pair(number: int, points: float) -> list[GameRecord]:
    """Two games with swapped colours in which a takes so many points."""
    as_first: Winner = "first" if points >= 1 else "draw" if points == 0.5 else "second"
    rest = points - {"first": 1, "draw": 0.5, "second": 0}[as_first]
    as_second: Winner = "second" if rest == 1 else "draw" if rest == 0.5 else "first"
    return [game(2 * number, "a", "b", as_first), game(2 * number + 1, "b", "a", as_second)]


def pairs(*points: float) -> list[GameRecord]:
    return list(itertools.chain.from_iterable(pair(number, each) for number, each in enumerate(points)))


def test_standings__counts_a_match() -> None:
    found = standings(
        [
            game(0, "a", "b", "first", moves=40, seconds=(10, 30)),
            game(1, "b", "a", "second", reason=Reason.CRASH, moves=60, seconds=(40, 20)),
            game(2, "a", "b", "draw", opening="tengen", moves=50, seconds=(20, 30)),
            game(3, "b", "a", "first", reason=Reason.RESIGNATION, opening="tengen", moves=50, seconds=(30, 20)),
        ],
        ["a", "b"],
    )
    a, b = found.players
    assert (a.name, a.games, a.wins, a.draws, a.losses, a.points, a.rate) == ("a", 4, 2, 1, 1, 2.5, 0.625)
    assert (b.name, b.games, b.wins, b.draws, b.losses, b.points, b.rate) == ("b", 4, 1, 1, 2, 1.5, 0.375)
    assert (a.low, a.high) == (wilson(2.5, 4).low, wilson(2.5, 4).high)
    assert (a.seconds_per_move, b.seconds_per_move) == (70 / 100, 130 / 100)
    assert (a.lost_by, b.lost_by) == ({"resignation": 1}, {"score": 1, "crash": 1})
    assert found.games == 4
    assert found.reasons == {"score": 2, "crash": 1, "resignation": 1}
    assert (found.first_player.wins, found.first_player.draws, found.first_player.losses) == (2, 1, 1)
    assert [(o.name, o.games, o.wins, o.draws, o.losses) for o in found.openings] == [
        ("empty", 2, 1, 0, 1),
        ("tengen", 2, 1, 1, 0),
    ]
    assert (found.lengths.mean, found.lengths.shortest, found.lengths.median, found.lengths.longest) == (50, 40, 50, 60)
    assert found.lengths.counts == {40: 1, 50: 2, 60: 1}
    assert found.crosstable == [PairResult("a", "b", 2, 1, 1)]


def test_standings__pairs_are_counted_by_points_and_halves_wait() -> None:
    found = standings([*pairs(0, 0.5, 1, 1.5, 2, 2, 1), game(14, "a", "b")], ["a", "b"])
    assert found.pairs == [1, 1, 2, 1, 2]
    assert found.games == 15
    assert found.elo == elo_from_pairs([1, 1, 2, 1, 2])


def test_standings__elo_comes_from_games_until_a_pair_is_complete() -> None:
    found = standings([game(0, "b", "a", "second"), game(2, "a", "b", "first"), game(5, "b", "a")], ["a", "b"])
    assert found.pairs == [0, 0, 0, 0, 0]
    assert found.elo == elo_from_games(2, 0, 1)


def test_standings__the_order_of_games_does_not_matter() -> None:
    games = pairs(0, 2, 1, 1.5, 2, 0.5, 2, 2, 1)
    sprt = Sprt(elo0=0, elo1=100)
    assert standings(games, ["a", "b"], sprt) == standings(reversed(games), ["a", "b"], sprt)


def test_standings__void_games_are_counted_apart() -> None:
    found = standings([*pairs(2, 1), void(4), void(4), void(5)], ["a", "b"])
    assert (found.games, found.void) == (4, 2)
    assert found.players[0].games == 4
    replayed = standings([void(4), *pairs(2, 1, 1.5)], ["a", "b"])
    assert (replayed.games, replayed.void) == (6, 0)


def test_standings__the_test_reads_finished_pairs_from_the_first_one_on() -> None:
    sprt = Sprt(elo0=0, elo1=100)
    games = [*pair(0, 2), *pair(1, 1.5), *pair(2, 1)[:1], *pair(3, 2), *pair(4, 2)]
    found = standings(games, ["a", "b"], sprt).sprt
    assert found is not None
    assert found.pairs == 2
    assert found.llr == sprt.llr_of_pairs([0, 0, 0, 1, 1])
    assert (found.lower, found.upper) == sprt.bounds
    assert found.verdict is None
    whole = standings([*games, *pair(2, 1)[1:]], ["a", "b"], sprt).sprt
    assert whole is not None
    assert whole.pairs == 5


def test_standings__the_test_does_not_wait_for_void_games() -> None:
    found = standings([*pair(0, 2), pair(1, 2)[0], void(3), *pair(2, 2)], ["a", "b"], Sprt(elo0=0, elo1=100)).sprt
    assert found is not None
    assert found.pairs == 2


def test_standings__the_first_verdict_stands() -> None:
    sprt = Sprt(elo0=0, elo1=200)
    found = standings(pairs(*[2] * 30, *[0] * 30), ["a", "b"], sprt)
    assert found.sprt is not None
    assert found.sprt.verdict == "H1"
    assert found.sprt.pairs < 30
    assert found.sprt.llr >= found.sprt.upper
    assert found.pairs == [30, 0, 0, 0, 30]
    assert found.players[0].rate == 0.5
    losing = standings(pairs(*[0] * 30), ["a", "b"], sprt).sprt
    assert losing is not None
    assert losing.verdict == "H0"


def test_scoreboard__grows_with_the_games() -> None:
    board = Scoreboard(["a", "b"], sprt=Sprt(elo0=0, elo1=50))
    games = pairs(2, 0, 1.5, 1)
    for number, each in enumerate(games):
        assert board.standings().games == number
        board.add(each)
    assert board.standings() == standings(games, ["a", "b"], Sprt(elo0=0, elo1=50))


def test_scoreboard__waits_for_a_pair_until_told_to_give_it_up() -> None:
    board = Scoreboard(["a", "b"], sprt=Sprt(elo0=0, elo1=50))
    for each in [void(0), *pair(1, 2)]:
        board.add(each)
    before = board.standings().sprt
    board.give_up(0)
    after = board.standings().sprt
    assert before is not None
    assert after is not None
    assert (before.pairs, after.pairs) == (0, 1)


def test_standings__no_games_yet() -> None:
    found = standings([], ["a", "b"], Sprt(elo0=0, elo1=5))
    assert (found.games, found.pairs, found.ratings_note) == (0, [0] * 5, "no games yet")
    assert found.elo == elo_from_games(0, 0, 0)
    assert found.lengths.counts == {}
    assert found.sprt is not None
    assert found.sprt.llr == 0


def test_standings__counts_moves_where_the_record_has_them() -> None:
    record = msgspec.structs.replace(game(0, "a", "b", moves=0), moves=(MoveRecord("D4", 1.0),) * 7)
    assert standings([record], ["a", "b"]).lengths.counts == {7: 1}


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_ratings__of_two_are_the_elo_difference_around_0_or_an_anchor() -> None:
    games = pairs(2, 1, 1.5, 2, 0.5, 1)
    elo = elo_from_pairs([0, 1, 2, 1, 2])
    free = standings(games, ["a", "b"]).ratings
    assert [(r.name, r.elo, r.low, r.high) for r in free] == [
        ("a", elo.elo / 2, elo.low / 2, elo.high / 2),
        ("b", -elo.elo / 2, -elo.high / 2, -elo.low / 2),
    ]
    held = {r.name: r for r in standings(games, ["a", "b"], anchors={"b": 1000.0}).ratings}
    assert held["b"].low == held["b"].elo == 1000
    assert (held["a"].elo, held["a"].low, held["a"].high) == (1000 + elo.elo, 1000 + elo.low, 1000 + elo.high)
    turned = {r.name: r for r in standings(games, ["a", "b"], anchors={"a": 0.0}).ratings}
    assert (turned["b"].elo, turned["b"].low, turned["b"].high) == (-elo.elo, -elo.high, -elo.low)


def round_robin() -> Iterable[GameRecord]:
    """Games of three: a scores 3 : 1 against b and c, who score 2 : 2. d has not played."""
    results: list[tuple[str, str, Winner]] = [
        *[("a", "b", "first")] * 2,
        ("b", "a", "first"),
        ("b", "a", "second"),
        *[("c", "a", "second")] * 3,
        ("a", "c", "second"),
        *[("c", "b", "draw")] * 4,
    ]
    return [game(number, *result) for number, result in enumerate(results)]


def test_ratings__of_a_field_are_bradley_terrys() -> None:
    found = standings(round_robin(), ["a", "b", "c", "d"], anchors={"d": 2000.0, "c": 100.0})
    assert found.crosstable == [
        PairResult("a", "b", 3, 0, 1),
        PairResult("a", "c", 3, 0, 1),
        PairResult("b", "c", 0, 4, 0),
    ]
    assert found.ratings == bradley_terry(found.crosstable, {"c": 100.0})
    assert found.ratings[0].name == "a"
    assert found.pairs is None
    assert found.elo is None
    assert found.players[3].games == 0


def test_ratings__say_why_there_are_none() -> None:
    found = standings([game(0, "a", "b"), game(1, "c", "d")], ["a", "b", "c", "d"])
    assert found.ratings == []
    assert found.ratings_note.startswith("no games connect a, b with the other players")


def test_standings__of_two_players_needs_no_scipy() -> None:
    program = """
import sys
sys.modules["scipy"] = sys.modules["scipy.optimize"] = None
from tesuji.experiments.records import GameRecord, Reason
from tesuji.experiments.stats.standings import standings
def game(index, first, second):
    return GameRecord(index=index, pair=0, first=first, second=second, winner="first", score="", reason=Reason.SCORE)
print(len(standings([game(0, "a", "b"), game(1, "b", "a")], ["a", "b"]).ratings))
print(standings([game(0, "a", "b"), game(1, "b", "c")], ["a", "b", "c"]).ratings_note)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    games, said = done.stdout.splitlines()
    assert games == "2"
    assert re.fullmatch(r"ratings of a field need SciPy: \S*pip install \S+\[lab\]'?", said)


# --- bad input, JSON, size --------------------------------------------------------------------------------------------


def test_standings__refuses_what_is_no_game_of_the_experiment() -> None:
    with pytest.raises(ValueError, match="game 7: 'x' is not a player; there is a, b"):
        standings([game(7, "a", "x")], ["a", "b"])
    with pytest.raises(ValueError, match="players are a, a; each needs a name of its own"):
        standings([], ["a", "a"])
    with pytest.raises(ValueError, match="an SPRT is about two players; there are 3"):
        standings([], ["a", "b", "c"], Sprt(elo0=0, elo1=5))


def test_standings__goes_through_json() -> None:
    found = standings(pairs(2, 1, 0.5, 1.5), ["a", "b"], Sprt(elo0=0, elo1=50))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Standings) == found


def test_standings__an_infinite_elo_is_null_in_json() -> None:
    found = standings(pairs(2, 2, 2), ["a", "b"])
    assert found.elo is not None
    assert found.elo.elo == math.inf
    written = json.loads(msgspec.json.encode(found))
    assert written["elo"]["elo"] is None
    assert written["elo"]["low"] > 0
    assert written["games"] == 6
    assert written["reasons"] == {"score": 6}


def test_standings__of_many_openings_lists_the_most_played() -> None:
    often = [game(2 * k, "a", "b", opening="often") for k in range(200, 203)]
    found = standings([*(game(2 * k, "a", "b", opening=f"random {k}") for k in range(200)), *often], ["a", "b"])
    assert found.num_openings == 201
    assert len(found.openings) == 100
    assert (found.openings[0].name, found.openings[0].games) == ("often", 3)


def test_standings__reads_an_iterator_once() -> None:
    games = (game(k, *("ab" if k % 2 else "ba"), "first" if k % 3 else "draw") for k in range(20_000))
    found = standings(games, ["a", "b"], Sprt(elo0=-1, elo1=1))
    assert found.games == 20_000
    assert found.pairs is not None
    assert sum(found.pairs) == 10_000


def test_standings__do_not_depend_on_the_order_in_which_games_came() -> None:
    games = [
        GameRecord(
            index=i, pair=i // 2, first="a", second="b", winner="first", score="B+R", reason=Reason.RESIGNATION,
            moves=(MoveRecord("D4", 0.1),) * 10, first_s=0.1 + i / 7, second_s=0.3 + i / 11,
        )
        for i in range(50)
    ]  # fmt: skip
    forwards, backwards = standings(games, ["a", "b"]), standings(reversed(games), ["a", "b"])
    assert forwards.players == backwards.players
