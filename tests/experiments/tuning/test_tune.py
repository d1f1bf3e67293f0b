"""Tuning: on a hill whose top is known, by every kind of method, stopped and resumed, from a file."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from experiments.surfaces import BEST, play_hill, win_rate
from tesuji.experiments.records import GameRecord, GameTask, Reason
from tesuji.experiments.run.match import standings_of
from tesuji.experiments.run.spec_file import SpecError, SpecFile
from tesuji.experiments.run.store import Store
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.experiments.tuning.tune import result_of, save_response_plots, tune, verdict, verification_path, verify
from tesuji.experiments.tuning.tune_spec import TuneSpec, read_tune_spec, tune_spec_from

EXAMPLES = Path(__file__).parents[3] / "examples"
HILL = {
    "player": "hill {a} {k}",
    "opponents": ["rival"],
    "games": 600,
    "parameters": [
        {"name": "a", "low": -1.0, "high": 1.0, "start": -0.5},
        {"name": "k", "low": 1, "high": 1000, "log": True, "type": "int", "start": 400},
    ],
}


class Here:
    """Workers in this thread that keep a few games under way and end them in any order; Ctrl-C after `stop_after`."""

    def __init__(self, *, width: int = 3, stop_after: int = 10**9) -> None:
        self.width, self.stop_after = width, stop_after
        self.draw = random.Random(1)
        self.checked: list[str] = []
        self.num_played = 0

    def run(self, function, tasks, *, on_result, on_failure=None):  # noqa: ARG002
        if function.__name__ == "check_one":
            for task in tasks:
                self.checked.append(task[1].command)
                on_result(task, (True, "a hill"))
            return
        tasks, under_way = iter(tasks), []
        while True:
            while len(under_way) < self.width and (task := next(tasks, None)) is not None:
                under_way.append(task)
            if not under_way:
                return
            task = under_way.pop(self.draw.randrange(len(under_way)))
            on_result(task, function(task))
            self.num_played += 1
            if self.num_played == self.stop_after:
                raise KeyboardInterrupt

    def stop(self):
        raise AssertionError("tuning stops nobody")

    def close(self):
        pass


def hill(**changes) -> TuneSpec:
    return tune_spec_from({**HILL, **changes})


@pytest.mark.parametrize("method", ["clop", "tpe", "random"])
def test_tune__finds_the_top_of_a_hill_within_its_interval(tmp_path, method):
    found = tune(hill(method=method), store_path=tmp_path / "x.db", workers=Here(), play=play_hill)
    assert found.games == 600
    for parameter in found.optimum.parameters:
        assert parameter.low <= BEST[parameter.name] <= parameter.high
    assert win_rate(**found.values) > 0.66  # 0.73 at the top, 0.06 at the start
    assert isinstance(found.values["k"], int)


@pytest.mark.slow
def test_tune__clop_finds_the_top_with_nine_seeds_of_ten(tmp_path):
    hits = 0
    for seed in range(10):
        found = tune(hill(seed=seed, games=1000), store_path=tmp_path / f"{seed}.db", workers=Here(), play=play_hill)
        hits += all(p.low <= BEST[p.name] <= p.high for p in found.optimum.parameters)
    assert hits >= 9


def test_tune__clop_plays_better_values_as_it_goes(tmp_path):
    tune(hill(), store_path=tmp_path / "x.db", workers=Here(), play=play_hill)
    with Store.read(tmp_path / "x.db") as store:
        heights = [win_rate(**game.parameters) for game in store.games()]
    assert sum(heights[-200:]) / 200 > 0.15 + sum(heights[:100]) / 100


def test_tune__every_game_is_a_row_with_the_values_it_was_played_with(tmp_path):
    spec = hill(games=20)
    players: dict[int, str] = {}

    def play(task: GameTask) -> GameRecord:
        players[task.index] = next(p.command for p in (task.first, task.second) if p.name == "candidate")
        return play_hill(task)

    tune(spec, store_path=tmp_path / "x.db", workers=Here(), play=play)
    with Store.read(tmp_path / "x.db") as store:
        games = list(store.games())
        assert standings_of(store).games == 20  # a reader of matches can read it
    assert [game.index for game in games] == list(range(20))
    assert [f"hill {game.parameters['a']:.6g} {game.parameters['k']}" for game in games] == [
        players[game.index] for game in games
    ]
    assert [game.first for game in games[:4]] == ["candidate", "rival", "candidate", "rival"]


@pytest.mark.parametrize("method", ["clop", "tpe"])
def test_tune__stopped_and_resumed_it_plays_each_game_once(tmp_path, method):
    spec, states = hill(method=method, games=100), []
    found = None
    for stop_after in (30, 33, 10**9):
        workers = Here(stop_after=stop_after)
        found = tune(
            spec,
            store_path=tmp_path / "x.db",
            workers=workers,
            play=play_hill,
            on_progress=lambda progress: states.append((progress.state, progress.games)),
        )
    assert ("interrupted", 30) in states
    assert ("interrupted", 63) in states
    assert states[-1] == ("finished", 100)
    assert workers.num_played == 37
    with Store.read(tmp_path / "x.db") as store:
        games = list(store.games())
        assert [game.index for game in games] == list(range(100))
        assert result_of(spec, store) == found
    size = spec.trial_games
    for trial in range(100 // size):
        assert len({str(game.parameters) for game in games[trial * size : (trial + 1) * size]}) == 1
    assert len({str(game.parameters) for game in games}) == 100 / size


def test_tune__more_games_go_on_from_the_same_store_and_another_search_is_refused(tmp_path):
    tune(hill(games=20), store_path=tmp_path / "x.db", workers=Here(), play=play_hill)
    more = Here()
    assert tune(hill(games=30), store_path=tmp_path / "x.db", workers=more, play=play_hill).games == 30
    assert more.num_played == 10
    done = Here()
    assert tune(hill(games=30), store_path=tmp_path / "x.db", workers=done, play=play_hill).games == 30
    assert (done.num_played, done.checked) == (0, [])
    with pytest.raises(ValueError, match="another experiment: .*tune.method is"):
        tune(hill(games=30, method="random"), store_path=tmp_path / "x.db", workers=Here(), play=play_hill)


def test_tune__stopped_before_the_first_game_there_is_no_result(tmp_path):
    class Impatient(Here):
        def run(self, *_arguments, **_more):
            raise KeyboardInterrupt

    states = []
    found = tune(
        hill(), store_path=tmp_path / "x.db", workers=Impatient(), on_progress=lambda p: states.append(p.state)
    )
    assert found is None
    assert states == ["interrupted"]


def test_tune__void_games_are_played_again_and_then_given_up(tmp_path):
    attempts: dict[int, int] = {}

    def play(task: GameTask) -> GameRecord:
        attempts[task.index] = attempts.get(task.index, 0) + 1
        record = play_hill(task)
        if task.index == 3 or (task.index == 5 and attempts[5] == 1):
            return msgspec.structs.replace(record, winner="none", reason=Reason.VOID, score="Void")
        return record

    found = tune(hill(games=20, method="random"), store_path=tmp_path / "x.db", workers=Here(), play=play)
    assert (attempts[3], attempts[5], found.games) == (3, 2, 19)


def test_tune__every_corner_is_started_before_the_first_game(tmp_path):
    workers = Here()
    tune(hill(games=4), store_path=tmp_path / "x.db", workers=workers, play=play_hill)
    assert {"hill -0.5 400", "hill -1 1", "hill 1 1000", "rival"} <= set(workers.checked)


def test_tune__a_player_that_does_not_start_is_refused_with_its_line(tmp_path):
    text = 'player = "no-such-program-anywhere {a}"\nopponents = [\n  "tesuji:simulations=2",\n]\n'
    text += "conditions = { size = 5 }\n[[parameters]]\nname = 'a'\nlow = 0.0\nhigh = 1.0\n"
    file = SpecFile("x.toml", text)
    with (
        pytest.raises(ValueError, match="x.toml, line 1: .*no-such-program"),
        file.naming_lines(),
        LocalWorkers(1) as workers,
    ):
        tune(tune_spec_from(file.data), store_path=tmp_path / "x.db", workers=workers)


def test_tune__by_processes_of_this_machine_with_choices_and_a_real_game(tmp_path):
    spec = tune_spec_from(
        {
            "player": "tesuji:simulations=4",
            "opponents": ["tesuji:simulations=2"],
            "conditions": {"game": "tictactoe"},
            "games": 12,
            "verify": 4,
            "parameters": [
                {"name": "final_move", "choices": ["most-visits", "best-value"]},
                {"name": "exploration", "low": 0.1, "high": 2.0},
            ],
        }
    )
    with LocalWorkers(2) as workers:
        found = tune(spec, store_path=tmp_path / "x.db", workers=workers)
        assert found.games == 12
        verified = verify(spec, found.values, store_path=tmp_path / "verify.db", workers=workers)
    assert verified.games == 4
    assert [player.name for player in verified.players] == ["tuned", "start"]
    assert sum(found.optimum.parameters[0].chances.values()) == pytest.approx(1)


def test_verify__the_tuned_values_beat_the_start_and_it_says_so(tmp_path):
    spec = hill(verify=100)
    found = verify(spec, BEST, store_path=tmp_path / "v.db", workers=Here(), play=play_hill)
    assert found.games == 100
    assert found.elo.low > 0
    assert verdict(found).startswith("the tuned values are stronger")
    assert verification_path(tmp_path / "x.db", 600) == tmp_path / "x-verify-600.db"


@pytest.mark.parametrize(("won", "words"), [(0, "weaker"), (50, "no difference"), (100, "stronger")])
def test_verdict__says_what_the_interval_says(tmp_path, won, words):
    def play(task: GameTask) -> GameRecord:
        tuned_wins = task.index < won
        winner = "first" if (task.first.name == "tuned") == tuned_wins else "second"
        return msgspec.structs.replace(play_hill(task), winner=winner)

    found = verify(hill(verify=100), BEST, store_path=tmp_path / "v.db", workers=Here(), play=play)
    assert words in verdict(found)


def test_plots__one_curve_for_each_parameter(tmp_path):
    pytest.importorskip("matplotlib")
    spec = hill(games=60)
    found = tune(spec, store_path=tmp_path / "x.db", workers=Here(), play=play_hill)
    paths = save_response_plots(spec, found, tmp_path / "x")
    assert [path.name for path in paths] == ["x-a.png", "x-k.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    assert all(0 <= point.low <= point.rate <= point.high <= 1 for point in found.responses["a"])


# --- specs ------------------------------------------------------------------------------------------------------------


def test_spec__the_example_is_one():
    spec, _ = read_tune_spec(EXAMPLES / "tune.toml")
    assert [parameter.name for parameter in spec.parameters] == ["exploration", "first_play_urgency"]
    assert spec.conditions.game == "connect4"
    assert spec.trial_games == 1


def test_spec__trials_of_optuna_give_every_opponent_both_colours():
    assert hill(method="tpe").trial_games == 10
    assert hill(method="tpe", opponents=["x", "y", "z"]).trial_games == 12
    assert hill(method="tpe", games=95).num_games == 100
    assert hill(method="tpe", games_per_trial=7, games=15).num_games == 21


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"metod": "clop"}, ("metod",), "did you mean 'method'"),
        ({"method": "magic"}, ("method",), "magic"),
        ({"games": 0}, ("games",), "games is 0"),
        ({"verify": -1}, ("verify",), "verify is -1"),
        ({"parameters": []}, ("parameters",), "nothing to tune"),
        ({"parameters": [{"name": "a", "low": 1.0, "high": 0.0}]}, ("parameters", 0), "low < high"),
        ({"parameters": [{"name": "a", "lo": 1.0}]}, ("parameters", 0, "lo"), "did you mean 'low'"),
        ({"parameters": [*HILL["parameters"], HILL["parameters"][0]]}, ("parameters", 2, "name"), "two parameters"),
        ({"parameters": HILL["parameters"][:1]}, ("player",), "'{k}' names no parameter"),
        ({"player": "hill {a}"}, ("player",), "k has no place"),
        ({"player": {"player": "hill {a} {k}", "setpu": []}}, ("player", "setpu"), "did you mean 'setup'"),
        ({"player": 3}, ("player",), "neither a text nor a table"),
        ({"opponents": []}, ("opponents",), "no opponent"),
        ({"opponents": "gnugo-l1"}, ("opponents",), "not a list"),
        ({"opponents": ["gnugo-l1", "gnugo-l77"]}, ("opponents", 1, "player"), "gnugo-l77"),
        ({"opponents": [{"player": "rival", "nam": "x"}]}, ("opponents", 0, "nam"), "opponents.0.nam"),
        ({"opponents": ["rival", "rival"]}, ("opponents", 1, "name"), "two players"),
        ({"opponents": ["candidate=rival"]}, ("opponents", 0, "name"), "candidate"),
        ({"conditions": {"size": 99}}, ("conditions", "size"), "99"),
        ({"conditions": {"sise": 9}}, ("conditions", "sise"), "did you mean 'size'"),
        ({"openings": 4}, ("openings",), "openings"),
    ],
)
def test_spec__what_is_wrong_is_refused_at_its_place(changes, place, words):
    with pytest.raises(SpecError) as error:
        hill(**changes)
    assert error.value.place == place
    assert words in str(error.value)


def test_spec__a_missing_player_is_refused():
    with pytest.raises(SpecError, match="player is missing"):
        tune_spec_from({key: value for key, value in HILL.items() if key != "player"})


def test_spec__a_file_names_the_line(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("player = 'hill {a}'\nopponents = ['rival']\n\n[[parameters]]\nname = 'a'\nlow = 3\nhigh = 1\n")
    with pytest.raises(ValueError, match=r"x.toml, line 4: .*low < high"):
        read_tune_spec(path)
