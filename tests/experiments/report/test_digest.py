"""Counting games by colour, time, fault and date."""

from __future__ import annotations

from typing import Any

import pytest

from tesuji.experiments.records import GameRecord, Reason, Winner
from tesuji.experiments.report.digest import Tally, digest
from tesuji.experiments.stats.elo import elo_from_games


def _game(
    index: int, first: str, second: str, winner: Winner, reason: Reason = Reason.SCORE, **more: Any
) -> GameRecord:
    fields = {"first_s": 10.0, "second_s": 20.0, "num_moves": 40, "wall_s": 31.0, "cpu_s": 30.0, "score": "", **more}
    return GameRecord(index=index, pair=index // 2, first=first, second=second, winner=winner, reason=reason, **fields)


GAMES = [
    _game(0, "a", "b", "first", started_at="2026-01-01T00:00:00+00:00", versions={"a": "A 1"}),
    _game(1, "b", "a", "second", started_at="2026-01-02T00:00:00+00:00", versions={"a": "A 2"}),
    _game(2, "a", "b", "draw", opinions={"referee": "0", "b": "B+1"}, detail="b counts B+1"),
    _game(3, "b", "a", "first", Reason.CRASH, detail="gone"),
    _game(4, "a", "b", "none", Reason.VOID),
]


def test_digest__counts_colours_from_each_side_and_leaves_void_games_out() -> None:
    found = digest(GAMES)
    a, b = found.players["a"], found.players["b"]
    assert (a.as_first, a.as_second) == (Tally(wins=1, draws=1), Tally(wins=1, losses=1))
    assert (b.as_first, b.as_second) == (Tally(wins=1, losses=1), Tally(draws=1, losses=1))
    assert (a.games, b.games) == (4, 4)


def test_digest__finds_faults_and_disputes() -> None:
    found = digest(GAMES)
    assert [game.index for game in found.faults] == [3]
    assert [game.index for game in found.disputed] == [2]
    assert (found.players["a"].faults, found.players["b"].faults) == (1, 0)


def test_digest__sums_time() -> None:
    found = digest(GAMES)
    assert found.players["a"].seconds == 10 + 20 + 10 + 20
    assert found.players["a"].seconds_per_game == 60 / 4
    assert (found.wall_s, found.cpu_s) == (4 * 31.0, 4 * 30.0)


def test_digest__collects_versions_and_dates() -> None:
    found = digest(GAMES, ["b", "a"])
    assert list(found.players) == ["b", "a"]
    assert found.players["a"].versions == ["A 1", "A 2"]
    assert (found.first_start, found.last_start) == ("2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00")


def test_digest__of_nothing_is_zero() -> None:
    found = digest([], ["a", "b"])
    assert found.players["a"].seconds_per_game == 0
    assert found.curve == []


@pytest.mark.parametrize("count", [1, 200, 201, 1000])
def test_digest__the_curve_ends_with_all_games_and_has_few_points(count: int) -> None:
    games = [_game(i, "a", "b", "first" if i % 3 else "second") for i in range(count)]
    curve = digest(games, ["a", "b"]).curve
    assert len(curve) <= 200
    losses = (count + 2) // 3
    assert (curve[-1].games, curve[-1].elo) == (count, elo_from_games(count - losses, 0, losses).elo)
    assert digest(games, ["a", "b", "c"]).curve == []


def test_tally__a_draw_is_half() -> None:
    tally = Tally()
    for points in (1.0, 0.5, 0.0, 0.5):
        tally.count(points)
    assert (tally.games, tally.points, tally.wins) == (4, 2.0, 1)
