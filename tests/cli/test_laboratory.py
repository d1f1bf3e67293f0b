"""Matches, tournaments, reports, tuning, sweeps, suites and papers as somebody types them."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from patience import wait_until
from tesuji import cli
from tesuji.cli.options import player_from
from tesuji.experiments.run.store import Store

EXAMPLES = Path(__file__).parents[2] / "examples"
FEW, MORE = "few=tesuji:simulations=5", "more=tesuji:simulations=60"
TICTACTOE = ("--game", "tictactoe", "--jobs", "2")
GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `tesuji` in an empty folder, in this process; games are played by processes of their own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], prog_name="tesuji")

    return run


def assert_one_line_error(result, *words):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    line = result.stderr.splitlines()[-1]
    assert line.startswith("tesuji")
    for word in words:
        assert word in line


# --- match ------------------------------------------------------------------------------------------------------------


def test_match__prints_the_score_and_keeps_the_games_in_a_file_named_after_the_players(run, tmp_path):
    result = run("match", FEW, MORE, "--games", 6, *TICTACTOE)
    assert result.exit_code == 0, result.output
    assert "few-vs-more-tictactoe.db (new; the same command resumes)" in result.stderr
    for word in ("player", "few", "more", "Elo of few against more", "Pairs", "Ends: score 6"):
        assert word in result.stdout
    with Store.read(tmp_path / "few-vs-more-tictactoe.db") as store:
        assert len(store) == 6


def test_match__the_same_command_plays_nothing_twice(run):
    first = run("match", FEW, MORE, "--games", 4, *TICTACTOE)
    again = run("match", FEW, MORE, "--games", 4, *TICTACTOE)
    assert "4 games are there" in again.stderr
    assert again.stdout == first.stdout


def test_match__json_is_one_object_with_the_documented_fields(run):
    result = run("match", FEW, MORE, "--games", 4, "--json", "--store", "x.db", "--seed", 7, *TICTACTOE)
    found = json.loads(result.stdout)
    assert {"state", "store", "spec", "games", "players", "pairs", "elo", "sprt", "reasons"} <= set(found)
    assert (found["state"], found["store"], found["games"]) == ("finished", "x.db", 4)
    assert found["spec"]["seed"] == 7
    one = found["players"][0]
    assert one["wins"] + one["draws"] + one["losses"] == 4
    assert found["sprt"] is None
    reported = json.loads(run("report", "x.db", "--format", "json").stdout)
    assert reported == {key: value for key, value in found.items() if key not in ("state", "store", "spec")}


def test_match__documented_fields_are_all_there_are(run):
    """Every name in the JSON stands in docs/howto/match.md."""
    page = (EXAMPLES.parent / "docs" / "howto" / "match.md").read_text(encoding="utf-8")
    result = run("match", FEW, MORE, "--games", 2, "--sprt", "0,20", "--json", *TICTACTOE)

    def names(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                if key not in ("spec", "counts", "reasons", "lost_by"):
                    yield from names(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from names(inner)

    missing = {name for name in names(json.loads(result.stdout)) if f"`{name}`" not in page}
    assert not missing


def test_match__a_test_ends_it_when_it_is_clear(run):
    weak, strong = "weak=tesuji:simulations=2", "strong=tesuji:simulations=80"
    result = run("match", strong, weak, "--sprt", "0,200", "--game", "connect4", "--jobs", 2, "--json")
    found = json.loads(result.stdout)
    assert found["state"] == "decided"
    assert found["sprt"]["verdict"] == "H1"
    assert found["games"] < 200
    assert found["sprt"]["llr"] > found["sprt"]["upper"]


def test_match__options_reach_the_spec_and_the_players(run):
    result = run(
        "match", "tesuji:simulations=2", "gtp:main_s=9,move_s=1 no-such-program",
        "--size", 7, "--komi", 5.5, "--rules", "aga", "--handicap", 2, "--move-limit", 30, "--time", "60+30/5",
        "--threads", 1, "--openings", "random:2", "--games", 10, "--seed", 3, "--json",
    )  # fmt: skip
    assert_one_line_error(result, "no-such-program")
    from tesuji.cli.options import player_from

    clocked = player_from("tesuji:simulations=2", clock="60+30/5", threads=2)
    assert (clocked.main_s, clocked.byoyomi_s, clocked.byoyomi_stones, clocked.threads) == (60, 30, 5, 2)
    own = player_from("gtp:main_s=9,threads=4 engine", clock="60", threads=2)
    assert (own.main_s, own.byoyomi_s, own.threads) == (9, 0, 4)
    per_move = player_from("tesuji", clock="+10", threads=1)
    assert (per_move.main_s, per_move.byoyomi_s, per_move.byoyomi_stones) == (0, 10, 1)


def test_match__games_are_left_as_files(run, tmp_path):
    result = run("match", FEW, MORE, "--games", 2, "--size", 5, "--sgf", "games", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == [
        "000000-few-more.sgf",
        "000001-more-few.sgf",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tesuji"], ["B", "tesuji match --help"]),
        (["tesuji", "tesuji"], ["both players are called 'tesuji'", "b=tesuji"]),
        (["tesuji:simulatoins=5", "x=tesuji"], ["simulatoins", "did you mean simulations"]),
        (["tesuji:simulations=0", "x=tesuji"], ["simulations is 0"]),
        (["gnugo-l99", "tesuji"], ["gnugo-l99", "gnugo-l0 to gnugo-l10"]),
        (["no-such-program-anywhere", "tesuji"], ["no-such-program-anywhere"]),
        ([FEW, MORE, "--size", "26"], ["--size", "26"]),
        ([FEW, MORE, "--game", "hex", "--size", "25"], ["25"]),
        ([FEW, MORE, "--game", "chess"], ["chess"]),
        ([FEW, MORE, "--game", "hex", "--komi", "5"], ["komi"]),
        ([FEW, MORE, "--komi", "5.3"], ["5.3"]),
        ([FEW, MORE, "--handicap", "1"], ["1"]),
        ([FEW, MORE, "--sprt", "ten"], ["--sprt", "'ten'", "0,10"]),
        ([FEW, MORE, "--sprt", "10,0"], ["elo0"]),
        ([FEW, MORE, "--time", "soon"], ["--time", "'soon'", "60+30/5"]),
        ([FEW, MORE, "--time", "0"], ["--time"]),
        ([FEW, MORE, "--openings", "nowhere"], ["nowhere", "random:4"]),
        ([FEW, MORE, "--openings", "nowhere.sgf"], ["nowhere.sgf"]),
        ([FEW, MORE, "--cluster", "tcp://127.0.0.1:1", "--jobs", "2"], ["--jobs", "--cluster"]),
        ([FEW, MORE, "--cluster", "nonsense"], ["--cluster", "'nonsense'", "tcp://host:8786"]),
        ([FEW, MORE, "--pin", "--jobs", "100000"], ["cores"]),
        ([FEW, MORE, "--games", "0"], ["--games"]),
        ([FEW, MORE, "--store", "no/such/folder/x.db"], ["no/such/folder"]),
    ],
)
def test_match__what_is_wrong_is_one_line_before_the_first_game(run, tmp_path, arguments, words):
    assert_one_line_error(run("match", *arguments), *words)
    assert not list(tmp_path.iterdir())


def test_match__a_store_of_another_match_is_refused(run):
    assert run("match", FEW, MORE, "--games", 2, "--store", "x.db", *TICTACTOE).exit_code == 0
    result = run("match", FEW, MORE, "--games", 4, "--store", "x.db", *TICTACTOE)
    assert_one_line_error(result, "x.db has 2 games of another experiment", "games is 2 there and 4 here")


def test_match__long_command_lines_make_short_file_names_of_their_own():
    from tesuji.cli.options import default_store

    names = {default_store(f"engine --config /a/very/long/path/to/some/file/{i}.cfg").name for i in range(3)}
    assert len(names) == 3
    assert all(len(name) < 60 and "/" not in name for name in names)
    assert default_store("gnugo-l1-vs-gnugo-l10", "9x9").name == "gnugo-l1-vs-gnugo-l10-9x9.db"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_match__ctrl_c_keeps_the_games_says_how_to_go_on_and_exits_with_130(tmp_path):
    games = 3000
    arguments = ["match", FEW, MORE, "--games", games, "--store", "x.db", *TICTACTOE]
    command = [sys.executable, "-m", "tesuji.cli", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_games(tmp_path / "x.db", 10)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 130, stderr.decode()
    assert "the same command plays the rest" in stderr.decode()
    assert "Traceback" not in stderr.decode()
    assert b"Elo of few against more" in stdout
    with Store.read(tmp_path / "x.db") as store:
        kept = len(store)
    assert 10 <= kept < games


def wait_for_games(path, count):
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        if path.exists():
            try:
                with Store.read(path) as store:
                    if len(store) >= count:
                        return
            except (ValueError, OSError):
                pass  # it is being made
        time.sleep(0.05)
    raise AssertionError("no games came")


@pytest.mark.skipif(os.name == "nt" or not GNUGO, reason="GNU Go")
def test_match__the_readmes_match_survives_kill_9(tmp_path):
    """The command of the README with fewer games: killed with all its processes, then resumed."""
    arguments = ["match", "gnugo-l1", "gnugo-l2", "--size", 5, "--games", 8, "--jobs", 2, "--json"]
    command = [sys.executable, "-m", "tesuji.cli", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_games(tmp_path / "gnugo-l1-vs-gnugo-l2-5x5.db", 2)
    process.kill()
    process.communicate(timeout=600)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=600, check=True)
    found = json.loads(done.stdout)
    assert found["games"] == 8
    with Store.read(tmp_path / "gnugo-l1-vs-gnugo-l2-5x5.db") as store:
        assert store.done() == set(range(8))
        assert len(store.runs()) == 2


# --- tournament and report --------------------------------------------------------------------------------------------

SPEC = """\
games = 2
[conditions]
game = "tictactoe"
[[players]]
name = "one"
player = "tesuji:simulations=2"
[[players]]
name = "two"
player = "tesuji:simulations=10"
[[players]]
name = "three"
player = "tesuji:simulations=50"
"""


def test_tournament__prints_ratings_and_pairings(run, tmp_path):
    (tmp_path / "field.toml").write_text(SPEC)
    result = run("tournament", "field.toml", "--jobs", 2)
    assert result.exit_code == 0, result.output
    assert "store field.db" in result.stderr
    for word in ("Elo", "one", "two", "three", "pairing", "Ends:"):
        assert word in result.stdout
    again = json.loads(run("tournament", "field.toml", "--json").stdout)
    assert again["games"] == 6
    assert len(again["crosstable"]) == 3


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("games = 2", "gamse = 2", ["field.toml, line 1", "gamse", "games"]),
        ('game = "tictactoe"', 'game = "chess"', ["field.toml, line 3", "chess"]),
        ('name = "two"', 'name = "one"', ["field.toml, line 8", "two players"]),
        ("simulations=10", "simulatons=10", ["field.toml, line 9", "simulatons"]),
        ('player = "tesuji:simulations=50"', 'player = "no-such-program"', ["field.toml, line 10", "speaks GTP"]),
        ("games = 2", "games = = 2", ["field.toml", "line 1"]),
        ("games = 2", 'games = 2\nopenings = "gone.sgf"', ["field.toml, line 2", "SGF"]),
    ],
)
def test_tournament__what_is_wrong_names_the_line(run, tmp_path, old, new, words):
    assert old in SPEC
    (tmp_path / "field.toml").write_text(SPEC.replace(old, new))
    assert_one_line_error(run("tournament", "field.toml", "--jobs", 1), *words)


def test_tournament__the_example_is_one():
    from tesuji.experiments.run.schedule import schedule
    from tesuji.experiments.run.spec import check, read_spec

    spec, file = read_spec(EXAMPLES / "tournament.toml")
    with file.naming_lines():
        assert len(list(schedule(spec))) == 30
        assert set(check(spec)) == {"uct", "rave", "slow and steady"}


def test_report__every_format(run, tmp_path):
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    run("match", FEW, MORE, "--games", 4, "--store", "x.db", *TICTACTOE)
    page = run("report", "x.db")
    assert page.exit_code == 0, page.output
    assert page.stdout.splitlines()[0] == "x.html"
    assert "few" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert all((tmp_path / name).exists() for name in page.stdout.split())
    assert run("report", "x.db", "--format", "md").stdout.startswith("# few against more")
    assert len(run("report", "x.db", "--format", "csv").stdout.splitlines()) == 5
    assert run("report", "x.db", "--format", "csv", "--out", "games.csv").stdout == "games.csv\n"
    assert (tmp_path / "games.csv").exists()
    before = sorted(tmp_path.iterdir())
    for out in ("-", "/dev/stdout"):  # a file of the name "-" was made before, and /dev/stdout hung
        assert run("report", "x.db", "--format", "csv", "--out", out).stdout == (tmp_path / "games.csv").read_text()
        assert "<html" in run("report", "x.db", "--out", out).stdout
    assert sorted(tmp_path.iterdir()) == before


def test_report__something_else_is_refused(run, tmp_path):
    (tmp_path / "x.db").write_text("hello")
    assert_one_line_error(run("report", "x.db"), "x.db", "not a store")
    assert_one_line_error(run("report", "gone.db"), "gone.db", "does not exist")


# --- tune and sweep ---------------------------------------------------------------------------------------------------

TUNE = """\
player = "tesuji:simulations=5"
opponents = ["tesuji:simulations=5"]
games = 10
verify = 4
[conditions]
game = "tictactoe"
[[parameters]]
name = "exploration"
low = 0.1
high = 3.0
start = 2.5
"""


def test_tune__tells_the_optimum_verifies_and_draws(run, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "t.toml").write_text(TUNE)
    result = run("tune", "t.toml", "--jobs", 2)
    assert result.exit_code == 0, result.output
    for word in (
        "parameter",
        "exploration",
        "2.5",
        "Expected there",
        "Verification: tuned",
        "in 4 games",
        "tesuji:sim",
    ):
        assert word in result.stdout
    assert "10 of 10 games" in result.stderr
    assert (tmp_path / "t-exploration.png").exists()
    assert (tmp_path / "t-verify-10.db").exists()
    again = run("tune", "t.toml", "--no-plots", "--json")
    found = json.loads(again.stdout)
    assert (found["state"], found["games"], found["method"]) == ("finished", 10, "clop")
    assert found["verification"]["games"] == 4
    assert found["optimum"]["parameters"][0]["name"] == "exploration"
    assert found["responses"]["exploration"]


def test_tune__by_optuna_on_the_same_spec(run, tmp_path):
    pytest.importorskip("optuna")
    (tmp_path / "t.toml").write_text('method = "tpe"\ngames_per_trial = 2\n' + TUNE)
    result = run("tune", "t.toml", "--jobs", 2, "--no-plots", "--json")
    assert json.loads(result.stdout)["method"] == "tpe", result.output


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("games = 10", "gmaes = 10", ["t.toml, line 3", "gmaes"]),
        ("low = 0.1", "low = 5.0", ["t.toml, line 7", "low < high"]),
        ('name = "exploration"', 'name = "explorashun"', ["t.toml, line 1", "explorashun"]),
        ("low = 0.1", "low = -4.0", ["t.toml, line 1", "-4"]),
        ('["tesuji:simulations=5"]', '["nobody:x=5"]', ["t.toml, line 2", "nobody"]),
    ],
)
def test_tune__what_is_wrong_names_the_line(run, tmp_path, old, new, words):
    assert old in TUNE
    (tmp_path / "t.toml").write_text(TUNE.replace(old, new))
    assert_one_line_error(run("tune", "t.toml", "--jobs", 1), *words)


def test_sweep__prints_a_line_for_each_value_and_draws(run, tmp_path):
    pytest.importorskip("matplotlib")
    result = run("sweep", "tesuji", "simulations=1,20,60", "b=tesuji:simulations=20", "--games", 4, *TICTACTOE)
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["simulations", "1", "20", "60"]
    assert (tmp_path / "sweep-tesuji-simulations-vs-b.png").exists()
    found = json.loads(
        run(
            "sweep", "tesuji", "simulations=1,20,60", "b=tesuji:simulations=20", "--games", 4, "--json", *TICTACTOE
        ).stdout
    )
    assert found["parameter"] == "simulations"
    assert [row["value"] for row in found["rows"]] == [1, 20, 60]
    assert found["games"] == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tesuji", "simulations", "tesuji"], ["'simulations' is not a grid"]),
        (["tesuji", "simulatons=1,2", "b=tesuji"], ["simulatons", "did you mean simulations"]),
        (["gnugo-l1", "x=1,2", "b=tesuji"], ["x has no place", "{x}"]),
        (["tesuji", "simulations=5:1:3", "b=tesuji"], ["LOW:HIGH:COUNT"]),
    ],
)
def test_sweep__what_is_wrong_is_one_line(run, arguments, words):
    assert_one_line_error(run("sweep", *arguments), *words)


# --- suites and papers ------------------------------------------------------------------------------------------------

SUITE = """\
boardsize 5
clear_board
play black C3
10 reg_genmove white
#? [resign]
20 name
#? [.*]
"""


def test_regress__counts_answers_and_writes_a_table(run, tmp_path):
    (tmp_path / "x.tst").write_text(SUITE)
    result = run("regress", "x.tst", "--engine", "tesuji:simulations=5", "--csv", "x.csv")
    assert result.exit_code == 0, result.output
    assert "x" in result.stdout
    assert "passed" in result.stdout
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 3
    found = json.loads(run("regress", "x.tst", "--engine", "tesuji:simulations=5", "--json").stdout)
    assert (found["num_tests"], len(found["answers"])) == (2, 2)


def test_regress__an_engine_that_is_none_is_one_line(run, tmp_path):
    (tmp_path / "x.tst").write_text(SUITE)
    assert_one_line_error(run("regress", "x.tst", "--engine", "no-such-program"), "no-such-program")
    assert_one_line_error(run("regress", "y.tst"), "y.tst", "does not exist")


@pytest.fixture
def toy(monkeypatch):
    """The registry with an experiment that needs no engine."""
    from tesuji.papers import registry

    monkeypatch.setattr(registry, "_ENTRIES", {"toy/squares": "papers.squares:SQUARES"})


def test_papers__list_describe_run_report(run, tmp_path, toy):
    assert run("papers", "list").stdout == "toy/squares  Squares\n"
    described = run("papers", "describe", "toy/squares").stdout
    assert "question  Is it?" in described
    assert "source    Euclid." in described
    result = run("papers", "run", "toy/squares", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{Path('toy-squares') / 'report.md'}\n"
    for name in ("results.csv", "figure.png", "report.md", "provenance.json"):
        assert (tmp_path / "toy-squares" / name).exists()
    (tmp_path / "toy-squares" / "report.md").unlink()
    assert run("papers", "report", "toy-squares").exit_code == 0
    assert (tmp_path / "toy-squares" / "report.md").exists()


def test_papers__stopped_it_says_how_to_go_on(run, toy, monkeypatch):
    from tesuji.papers import harness

    def interrupted(*_arguments, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(harness, "run_experiment", interrupted)
    result = run("papers", "run", "toy/squares", "--jobs", 1)
    assert result.exit_code == 130
    assert "the same command goes on" in result.stderr


def test_papers__without_a_word_it_explains_itself(run):
    result = run("papers")
    assert result.exit_code == 0
    assert "describe" in result.stdout
    assert_one_line_error(run("papers", "describe", "gnugo/lvels"), "did you mean gnugo/levels")
    assert "gnugo/levels" in run("papers", "list").stdout


# --- a cluster --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_cluster__scheduler_and_workers_by_dasks_own_commands(tmp_path):
    """The commands of docs/howto/cluster.md, on one machine."""
    pytest.importorskip("distributed")
    dask = [sys.executable, "-m", "dask"]
    place = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    address_file = tmp_path / "scheduler.json"
    scheduler_options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file)]
    started = [subprocess.Popen([*dask, "scheduler", *scheduler_options], **place)]
    try:
        wait_until(lambda: address_file.exists() and address_file.read_text().rstrip().endswith("}"))
        address = json.loads(address_file.read_text())["address"]
        worker_options = ["--nworkers", "2", "--nthreads", "1", "--no-dashboard"]
        started.append(subprocess.Popen([*dask, "worker", address, *worker_options], **place))
        arguments = ["match", FEW, MORE, "--games", 6, "--game", "tictactoe", "--cluster", address, "--json"]
        command = [sys.executable, "-m", "tesuji.cli", *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr.decode()
        assert json.loads(done.stdout)["games"] == 6
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(timeout=600)


# What is wrong is said before the first game -------------------------------------------------------------------------


def test_match__a_config_that_cannot_search_is_refused_before_the_first_game(run, tmp_path):
    store = tmp_path / "m.db"
    done = run("match", "a=tesuji:graph=dag", "b=tesuji", "--games", "4", "--size", "5", "--store", str(store))
    assert done.exit_code == 2
    assert "player 'a': the priors of Go look at the last moves" in done.stderr
    assert "Elo" not in done.stdout
    assert not store.exists()


def test_match__a_size_behind_the_name_of_a_game_is_told_where_it_belongs(run):
    done = run("match", "tesuji", "tesuji", "--game", "go:5", "--games", "2")
    assert_one_line_error(done, "go takes no '5' behind a colon; its size is --size N")


def test_threads__of_a_player_that_says_so_are_its_own():
    one = player_from("tesuji:threads=1", clock=None, threads=4)
    other = player_from("tesuji", clock=None, threads=4)
    assert (one.num_threads, other.num_threads) == (1, 4)
    assert player_from("tesuji", clock=None, threads=1).threads == 0  # nobody said


def test_match__games_do_not_name_the_machine(run, tmp_path):
    store = tmp_path / "m.db"
    players = ("a=tesuji:simulations=2", "b=tesuji:simulations=2")
    done = run("match", *players, "--game", "tictactoe", "--games", "2", "--store", str(store))
    assert done.exit_code == 0, done.stderr
    assert platform.node().encode() not in store.read_bytes()


@pytest.mark.parametrize("library", ["matplotlib", "scipy"])
def test_papers__a_library_that_is_missing_is_said_before_the_experiment(run, monkeypatch, library):
    monkeypatch.setattr("tesuji.cli.papers.find_spec", lambda name: None if name == library else find_spec(name))
    done = run("papers", "run", "gnugo/levels", "--out", "folder")
    assert_one_line_error(done, library, "install")
    assert not Path("folder").exists()


@pytest.mark.parametrize("columns", [20, 40, 60, 200])
def test_match__no_number_is_cut_however_narrow_the_window_is(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run("match", FEW, MORE, "--games", 2, *TICTACTOE)
    assert done.exit_code == 0, done.output
    assert "\u2026" not in done.stdout
    assert "..." not in done.stdout
    assert "player" in done.stdout
