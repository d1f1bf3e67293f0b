"""Sweeps: a gauntlet over a grid, and what is read from it."""

from __future__ import annotations

import random

import msgspec
import pytest

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, GameTask, Reason
from tesuji.experiments.run.match import play_match
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.experiments.tuning.parameters import PlayerTemplate
from tesuji.experiments.tuning.sweep import save_sweep_plot, sweep_rows, sweep_spec

RATES = {"c=0": 0.1, "c=0.5": 0.5, "c=1": 0.9}


class Here:
    """Workers in this thread; every player starts."""

    def run(self, function, tasks, *, on_result, on_failure=None):  # noqa: ARG002
        for task in tasks:
            on_result(task, (True, "x") if function.__name__ == "check_one" else function(task))

    def stop(self):
        pass

    def close(self):
        pass


def play(task: GameTask) -> GameRecord:
    """The player with value c wins as often as RATES say."""
    is_first = task.first.name in RATES
    rate = RATES[task.first.name if is_first else task.second.name]
    wins = random.Random(task.seed).random() < rate
    winner = "first" if wins == is_first else "second"
    return GameRecord(
        index=task.index,
        pair=task.pair,
        first=task.first.name,
        second=task.second.name,
        winner=winner,
        score="B+",
        reason=Reason.SCORE,
    )


def spec(values=(0, 0.5, 1), text="engine -c {c}", **more):
    return sweep_spec(PlayerTemplate(player=text), "c", values, parse_player("rival"), games=100, **more)


def test_sweep__every_value_meets_the_opponent_equally_often(tmp_path):
    found = play_match(spec(), store_path=tmp_path / "x.db", workers=Here(), play=play)
    rows = sweep_rows("c", (0, 0.5, 1), found)
    assert [row.games for row in rows] == [100, 100, 100]
    for row in rows:
        assert row.low <= RATES[f"c={row.value:g}"] <= row.high
        assert row.wins + row.draws + row.losses == row.games
        assert row.elo_low < row.elo < row.elo_high
    assert rows[0].elo < 0 < rows[2].elo
    msgspec.json.encode(rows)


def test_sweep__values_reach_the_players():
    made = spec(conditions=Conditions(size=5), openings="random:2", seed=7)
    assert [player.command for player in made.players] == ["rival", "engine -c 0", "engine -c 0.5", "engine -c 1"]
    assert (made.champion, made.seed, made.openings, made.num_games) == ("rival", 7, "random:2", 300)
    settings = spec(text="tesuji:simulations=5,exploration={c}").players[2].settings
    assert settings == {"simulations": 5, "exploration": 0.5}


@pytest.mark.parametrize(
    ("text", "words"),
    [("engine", "c has no place"), ("engine {d}", "names no parameter"), ("tesuji:simulations=5", "no setting 'c'")],
)
def test_sweep__a_value_that_reaches_nobody_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        spec(text=text)


def test_sweep__real_games_by_processes_of_this_machine(tmp_path):
    made = sweep_spec(
        PlayerTemplate(player="tesuji"),
        "simulations",
        (1, 50),
        parse_player("rival=tesuji:simulations=10"),
        games=4,
        conditions=Conditions(game="tictactoe"),
    )
    with LocalWorkers(2) as workers:
        found = play_match(made, store_path=tmp_path / "x.db", workers=workers)
    rows = sweep_rows("simulations", (1, 50), found)
    assert [row.games for row in rows] == [4, 4]
    assert rows[1].rate > rows[0].rate


@pytest.mark.parametrize("values", [(0, 0.5, 1), (1, 10, 100), ("uct", "rave", "other")])
def test_plot__numbers_powers_and_words(tmp_path, values):
    pytest.importorskip("matplotlib")
    names = [f"c={value}" for value in values]
    rates = dict(zip(names, RATES.values(), strict=True))

    def play_named(task: GameTask) -> GameRecord:
        first = task.first.name in rates
        wins = random.Random(task.seed).random() < rates[task.first.name if first else task.second.name]
        return GameRecord(
            index=task.index,
            pair=task.pair,
            first=task.first.name,
            second=task.second.name,
            winner="first" if wins == first else "second",
            score="B+",
            reason=Reason.SCORE,
        )

    found = play_match(spec(values), store_path=tmp_path / "x.db", workers=Here(), play=play_named)
    path = save_sweep_plot(tmp_path / "x.png", sweep_rows("c", values, found), parameter="c", title="engine")
    assert path.read_bytes().startswith(b"\x89PNG")
