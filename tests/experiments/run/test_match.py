"""Matches: every game once, whatever happens on the way; they resume, and stop when the test is decided."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from experiments import fakes
from experiments.fakes import ALICE, BOB, CAROL, record
from tesuji.experiments.records import Conditions, GameRecord, GameTask, Reason
from tesuji.experiments.run.match import Progress, play_match, sgf_name, standings_of
from tesuji.experiments.run.progress import MatchDisplay, progress_line
from tesuji.experiments.run.schedule import schedule
from tesuji.experiments.run.spec import MatchSpec, spec_json
from tesuji.experiments.run.spec_file import SpecError
from tesuji.experiments.run.store import Store, StoreFull, StoreLocked
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.experiments.stats.elo import Sprt
from tesuji.experiments.stats.sequential import SequentialTest

FOLDER = Path(__file__).parents[1]
SMALL = Conditions(size=5)
SPEC = MatchSpec(players=(ALICE, BOB), conditions=SMALL, games=20)

TOML = """\
games = 80
openings = "random:2"
[conditions]
game = "hex"
size = 7
[[players]]
name = "few"
player = "tesuji:simulations=600"
[[players]]
name = "more"
player = "tesuji:simulations=1800"
"""


class Here:
    """Workers that work in this thread: no processes to wait for."""

    def __init__(self, *, order: random.Random | None = None, width: int = 1) -> None:
        self.order = order or random.Random(1)
        self.width = width
        self.played: list[Any] = []
        self._is_stopping = False

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_result: Callable[[Any, Any], object],
        on_failure: Callable[[Any, str], object] | None = None,
    ) -> None:
        """Take `width` tasks at a time and answer them in any order."""
        self._is_stopping = False
        source = iter(tasks)
        waiting: list[Any] = []
        while not self._is_stopping:
            while len(waiting) < self.width and (task := next(source, None)) is not None:
                waiting.append(task)
            if not waiting:
                return
            task = waiting.pop(self.order.randrange(len(waiting)))
            if isinstance(task, GameTask):
                self.played.append(task.index)
            try:
                result = function(task)
            except RuntimeError as error:
                assert on_failure
                on_failure(task, str(error))
            else:
                on_result(task, result)

    def stop(self) -> None:
        self._is_stopping = True

    def close(self) -> None:
        pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


def stored(path: Path) -> list[GameRecord]:
    with Store.read(path) as store:
        return list(store.games())


def play_and_interrupt(after: int) -> Callable[[GameTask], GameRecord]:
    """A play function that is interrupted in the middle of a game."""
    left = [after]

    def play(task: GameTask) -> GameRecord:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return fakes.play(task)

    return play


# --- playing ----------------------------------------------------------------------------------------------------------


def test_play_match__plays_every_game_once_and_returns_the_standings(path: Path) -> None:
    found = play_match(SPEC, store_path=path, workers=Here(width=4), play=fakes.play)
    games = stored(path)
    assert [game.index for game in games] == list(range(20))
    assert found.games == 20
    assert found.players[0].points == sum(game.points_of("alice") for game in games)
    with Store.read(path) as store:
        assert standings_of(store) == found
        assert store.spec == spec_json(SPEC)
        assert [run["seed"] for run in store.runs()] == [1]


def test_play_match__real_players_play_in_worker_processes(path: Path) -> None:
    spec = MatchSpec(players=(ALICE, BOB), conditions=SMALL, games=6)
    with LocalWorkers(2) as workers:
        found = play_match(spec, store_path=path, sgf_dir=path.parent / "sgf", workers=workers)
    assert found.games == 6
    games = stored(path)
    assert all(game.num_moves > 0 and game.reason != Reason.VOID for game in games)
    files = sorted(file.name for file in (path.parent / "sgf").iterdir())
    assert files == [sgf_name(game) for game in games]
    assert all((path.parent / "sgf" / name).read_text().startswith("(;") for name in files)


def test_play_match__other_games_are_played_too(path: Path) -> None:
    spec = MatchSpec(players=(ALICE, BOB), conditions=Conditions(game="connect4"), games=2)
    found = play_match(spec, store_path=path, sgf_dir=path.parent / "games", workers=Here())
    assert found.games == 2
    assert sorted(file.name for file in (path.parent / "games").iterdir()) == [
        "000000-alice-bob.txt",
        "000001-bob-alice.txt",
    ]


def test_play_match__a_tournament_is_a_match_of_more(path: Path) -> None:
    spec = MatchSpec(players=(ALICE, BOB, CAROL), conditions=SMALL, games=4)
    found = play_match(spec, store_path=path, workers=Here(width=3), play=fakes.play)
    assert found.games == 12
    assert [player.games for player in found.players] == [8, 8, 8]
    assert [(result.first, result.second) for result in found.crosstable] == [
        ("alice", "bob"),
        ("alice", "carol"),
        ("bob", "carol"),
    ]


def test_play_match__a_player_that_cannot_play_is_refused_before_any_game(path: Path) -> None:
    ghost = MatchSpec(players=(ALICE, fakes.GHOST), conditions=SMALL)
    with pytest.raises(SpecError, match="ghost") as caught:
        play_match(ghost, store_path=path, workers=Here(), play=fakes.play)
    assert caught.value.place == ("players", 1)
    play_match(SPEC, store_path=path, workers=Here(), play=fakes.play)  # the file without games takes the next spec
    assert len(stored(path)) == 20


def test_play_match__two_runs_on_one_file_are_refused(path: Path) -> None:
    with Store.open(path, spec_json=spec_json(SPEC)), pytest.raises(StoreLocked, match="another run"):
        play_match(SPEC, store_path=path, workers=Here(), play=fakes.play)


def test_play_match__a_store_of_another_spec_is_refused(path: Path) -> None:
    play_match(SPEC, store_path=path, workers=Here(), play=fakes.play)
    other = MatchSpec(players=(ALICE, CAROL), conditions=SMALL, games=20)
    with pytest.raises(ValueError, match=r'players\[1\].name is "bob" there and "carol" here'):
        play_match(other, store_path=path, workers=Here(), play=fakes.play)


# --- resuming ---------------------------------------------------------------------------------------------------------


def test_play_match__resumes_with_the_games_that_are_missing(path: Path) -> None:
    whole = play_match(SPEC, store_path=path.with_name("whole.db"), workers=Here(), play=fakes.play)
    played: list[int] = []
    for after in (3, 0, 7):
        workers = Here(width=3)
        states: list[Progress] = []
        play_match(SPEC, store_path=path, workers=workers, play=play_and_interrupt(after), on_progress=states.append)
        assert states[-1].state == "interrupted"
        assert "the same command plays the rest" in progress_line(states[-1])
        played += workers.played[:after]
        assert {game.index for game in stored(path)} == set(played)
    workers = Here()
    assert play_match(SPEC, store_path=path, workers=workers, play=fakes.play) == whole
    assert sorted(played + workers.played) == list(range(20))


def test_play_match__a_finished_match_plays_nothing_and_starts_nobody(path: Path) -> None:
    found = play_match(SPEC, store_path=path, workers=Here(), play=fakes.play)
    idle = Here()
    assert play_match(SPEC, store_path=path, workers=idle, play=fakes.complain) == found
    assert idle.played == []


def test_play_match__files_that_are_missing_are_written_again(path: Path) -> None:
    folder = path.parent / "sgf"
    play_match(SPEC, store_path=path, sgf_dir=folder, workers=Here(), play=fakes.play)
    before = {file.name: file.read_text() for file in folder.iterdir()}
    assert len(before) == 20
    for name in list(before)[:7]:
        (folder / name).unlink()
    play_match(SPEC, store_path=path, sgf_dir=folder, workers=Here(), play=fakes.play)
    assert {file.name: file.read_text() for file in folder.iterdir()} == before


def test_play_match__a_store_that_is_full_keeps_what_it_has(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Store.add

    def add_ten(self: Store, game: GameRecord) -> bool:
        if len(self) == 10:
            raise StoreFull(28, "there is no room", str(path))
        return add(self, game)

    monkeypatch.setattr(Store, "add", add_ten)
    with pytest.raises(StoreFull):
        play_match(SPEC, store_path=path, workers=Here(width=2), play=fakes.play)
    monkeypatch.undo()
    assert len(stored(path)) == 10
    assert play_match(SPEC, store_path=path, workers=Here(), play=fakes.play).games == 20


# --- void games -------------------------------------------------------------------------------------------------------


def voids(broken: dict[int, int]) -> Callable[[GameTask], GameRecord]:
    """Some games are void so many times before they succeed."""
    left = dict(broken)

    def play(task: GameTask) -> GameRecord:
        if left.get(task.index, 0) > 0:
            left[task.index] -= 1
            return record(task.index, winner="none", score="Void", reason=Reason.VOID)
        return fakes.play(task)

    return play


def test_play_match__void_games_are_played_again(path: Path) -> None:
    workers = Here(width=2)
    found = play_match(SPEC, store_path=path, workers=workers, play=voids({0: 2, 5: 1, 19: 2}))
    assert (found.games, found.void) == (20, 0)
    assert Counter(workers.played) == Counter(range(20)) + Counter({0: 2, 5: 1, 19: 2})
    with Store.read(path) as store:
        assert sorted(attempt.index for attempt in store.attempts()) == [0, 0, 5, 19, 19]


def test_play_match__a_game_that_stays_void_is_left_to_the_next_run(path: Path) -> None:
    workers = Here()
    found = play_match(SPEC, store_path=path, workers=workers, play=voids({7: 99}))
    assert (found.games, found.void) == (19, 1)
    assert Counter(workers.played)[7] == 3
    again = Here()
    assert play_match(SPEC, store_path=path, workers=again, play=fakes.play).games == 20
    assert again.played == [7]


def test_play_match__a_machine_that_fails_makes_a_game_void(path: Path) -> None:
    def fail(task: GameTask) -> GameRecord:
        if task.index == 4:
            raise RuntimeError("it took 3 worker processes down")
        return fakes.play(task)

    found = play_match(SPEC, store_path=path, workers=Here(), play=fail)
    assert (found.games, found.void) == (19, 1)
    with Store.read(path) as store:
        assert {attempt.detail for attempt in store.attempts()} == {"it took 3 worker processes down"}


# --- sequential tests -------------------------------------------------------------------------------------------------

TEST = MatchSpec(players=(BOB, ALICE), conditions=SMALL, sprt=Sprt(elo0=0, elo1=50))


def test_sprt__stops_when_it_is_decided_and_stays_decided(path: Path) -> None:
    states: list[Progress] = []
    found = play_match(TEST, store_path=path, workers=Here(), play=fakes.strong_bob, on_progress=states.append)
    assert found.sprt
    assert found.sprt.verdict == "H1"
    assert 10 < found.games < 500
    assert states[-1].state == "decided"
    assert "H1 accepted" in progress_line(states[-1])
    idle = Here()
    assert play_match(TEST, store_path=path, workers=idle, play=fakes.strong_bob).sprt == found.sprt
    assert idle.played == []


@pytest.mark.parametrize("width", [2, 7])
def test_sprt__does_not_depend_on_the_order_in_which_games_end(path: Path, width: int) -> None:
    alone = play_match(TEST, store_path=path.with_name("alone.db"), workers=Here(), play=fakes.strong_bob)
    workers = Here(width=width, order=random.Random(width))
    together = play_match(TEST, store_path=path, workers=workers, play=fakes.strong_bob)
    assert together.sprt == alone.sprt
    assert together.games >= alone.games


def test_sprt__an_interrupted_test_comes_to_the_same_decision(path: Path) -> None:
    def bob(after: int) -> Callable[[GameTask], GameRecord]:
        left = iter(range(after))

        def play(task: GameTask) -> GameRecord:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return fakes.strong_bob(task)

        return play

    alone = play_match(TEST, store_path=path.with_name("alone.db"), workers=Here(), play=fakes.strong_bob)
    for after in (5, 4, 1000):
        found = play_match(TEST, store_path=path, workers=Here(width=3), play=bob(after))
    assert found.sprt == alone.sprt


def test_sprt__a_pair_that_stays_void_does_not_hold_it_up(path: Path) -> None:
    def play(task: GameTask) -> GameRecord:
        void = {"winner": "none", "score": "Void", "reason": Reason.VOID}
        return record(2, first="bob", second="alice", **void) if task.index == 2 else fakes.strong_bob(task)

    found = play_match(TEST, store_path=path, workers=Here(), play=play)
    assert found.sprt
    assert found.sprt.verdict == "H1"
    with Store.read(path) as store:
        assert standings_of(store).sprt == found.sprt


def test_sequential_test__counts_pairs_in_order_and_stops_at_the_first_verdict() -> None:
    test = SequentialTest(Sprt(elo0=0, elo1=200), "alice")
    for index in (2, 3, 5, 4, 0):
        test.add(record(index))
    assert (test.next_pair, test.counts) == (0, [0] * 5)
    test.add(record(1))
    assert (test.next_pair, test.counts) == (3, [0, 0, 0, 0, 3])
    for index in range(8, 60):
        test.add(record(index))
    assert test.next_pair == 3
    test.give_up(3)
    assert test.verdict == "H1"
    assert test.llr >= test.sprt.bounds[1]
    counted = test.next_pair
    for index in range(60, 100):
        test.add(record(index, winner="draw"))
    assert (test.verdict, test.next_pair) == ("H1", counted)


# --- progress ---------------------------------------------------------------------------------------------------------


def test_progress__tells_games_and_time_left_and_comes_a_few_times_a_second(path: Path) -> None:
    spec = MatchSpec(players=(ALICE, BOB), conditions=SMALL, games=60)
    seen: list[tuple[float, Progress]] = []

    def watch(progress: Progress) -> None:
        seen.append((time.monotonic(), progress))

    play_match(spec, store_path=path, workers=Here(), play=fakes.play_slowly, on_progress=watch)
    states = [progress.state for _, progress in seen]
    assert states == ["playing"] * (len(states) - 1) + ["finished"]
    assert len(states) > 2
    gaps = [later - earlier for (earlier, _), (later, _) in itertools.pairwise(seen[:-1])]
    assert min(gaps) >= 0.25
    assert seen[-2][1].left_s is not None
    assert (seen[-1][1].games, seen[-1][1].total, seen[-1][1].left_s) == (60, 60, None)


def one_progress(path: Path, spec: MatchSpec = SPEC, **changes: Any) -> Progress:
    import msgspec

    last: list[Progress] = []
    play_match(spec, store_path=path, workers=Here(), play=fakes.play, on_progress=last.append)
    return msgspec.structs.replace(last[-1], **changes)


def test_progress_line__says_what_a_person_wants_to_know(path: Path) -> None:
    line = progress_line(one_progress(path, state="playing", elapsed_s=75, left_s=7320))
    assert line.startswith("20 of 20 games, alice ")
    for part in (" : ", "%), Elo ", "[", "1:15, 2:02:00 left"):
        assert part in line
    sprt = one_progress(path.with_name("sprt.db"), MatchSpec(players=(ALICE, BOB), games=4, sprt=Sprt(elo0=0, elo1=5)))
    assert "4 of at most 4 games" in progress_line(sprt)
    assert "LLR " in progress_line(sprt)
    assert "[-2.94, 2.94] for Elo 0 or 5" in progress_line(sprt)


def test_display__writes_plain_lines_where_there_is_no_terminal(path: Path) -> None:
    out = io.StringIO()
    progress = one_progress(path, state="playing", left_s=1.0)
    with MatchDisplay(Console(file=out, width=40)) as display:
        for _ in range(5):
            display(progress)
        display(one_progress(path))
    lines = out.getvalue().splitlines()
    assert len(lines) == 2  # the first, nothing for ten seconds, and the last word
    assert lines[0] == progress_line(progress)
    assert "finished" in lines[1]
    assert "\x1b" not in out.getvalue()


def test_display__draws_over_itself_on_a_terminal(path: Path) -> None:
    spec = MatchSpec(players=(ALICE, BOB, CAROL), conditions=SMALL, games=10)
    out = io.StringIO()
    with MatchDisplay(Console(file=out, width=80, force_terminal=True, legacy_windows=False)) as display:
        for file, chosen in (("three.db", spec), ("two.db", SPEC)):
            display(one_progress(path.with_name(file), chosen, state="playing", left_s=1.0))
        display(one_progress(path.with_name("two.db")))
    text = out.getvalue()
    assert "\x1b" in text
    for part in ("30 of 30 games", "carol", "interval", "20 of 20 games", "Elo", "20 of 20 games, alice"):
        assert part in text


def test_sgf_name__is_safe_whatever_players_are_called() -> None:
    game = record(7, first="../gnugo --level 10", second="tesuji:simulations=10,c=0.5" * 5)
    name = sgf_name(game)
    assert name.startswith("000007-.._gnugo_--level_10-tesuji_simulations=10_c=0.5")
    assert "/" not in name
    assert len(name) < 100


# --- killed, really ---------------------------------------------------------------------------------------------------


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(FOLDER / "run_match.py"), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def games_in(path: Path) -> int:
    with contextlib.suppress(OSError, ValueError), Store.read(path) as store:
        return len(store)
    return 0


def wait_for_games(path: Path, games: int, process: subprocess.Popen[str]) -> None:
    while games_in(path) < games and process.poll() is None:
        time.sleep(0.03)


def check_results(path: Path, spec: MatchSpec) -> None:
    """Every game of the schedule is there, once, with its own seed and players; and its file."""
    games = stored(path)
    wanted = [(task.index, task.seed, task.first.name, task.second.name) for task in schedule(spec)]
    assert [(game.index, game.seed, game.first, game.second) for game in games] == wanted
    assert all(game.num_moves for game in games)
    assert len(list(Path(f"{path}.sgf").glob("*.txt"))) == len(wanted)


@pytest.fixture
def spec_path(tmp_path: Path) -> Path:
    file = tmp_path / "spec.toml"
    file.write_text(TOML)
    return file


def read(spec_path: Path) -> MatchSpec:
    from tesuji.experiments.run.spec import read_spec

    return read_spec(spec_path)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_kill_9__the_same_command_resumes_and_no_game_is_lost_or_doubled(path: Path, spec_path: Path) -> None:
    moments = random.Random(os.urandom(8))
    kept = 0
    for stage in (10, 30):
        match = start(spec_path, path)
        wait_for_games(path, stage, match)
        time.sleep(moments.random() * 0.1)
        match.kill()  # this process only: its workers must notice
        match.communicate()
        assert match.returncode == -signal.SIGKILL, "it was finished before it was killed"
        now = games_in(path)
        assert now >= max(kept, stage)
        kept = now
    last = start(spec_path, path)
    out, err = last.communicate(timeout=600)
    assert last.returncode == 0, err
    assert "80 of 80 games" in out
    check_results(path, read(spec_path))
    with Store.read(path) as store:
        assert len(store.runs()) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_control_c__keeps_what_is_done_and_says_how_to_go_on(path: Path, spec_path: Path) -> None:
    match = start(spec_path, path)
    wait_for_games(path, 5, match)
    os.killpg(match.pid, signal.SIGINT)
    out, err = match.communicate(timeout=600)
    assert (match.returncode, err) == (0, "")
    assert "the same command plays the rest" in out
    assert 5 <= games_in(path) < 80


def test_two_runs__the_second_is_refused_at_once_and_the_first_goes_on(path: Path, spec_path: Path) -> None:
    first = start(spec_path, path)
    wait_for_games(path, 2, first)
    second = start(spec_path, path)
    _, err = second.communicate(timeout=600)
    assert second.returncode == 1
    assert f"StoreLocked: results.db is being written to by another run (process {first.pid})" in err
    first.communicate(timeout=600)
    assert first.returncode == 0
    check_results(path, read(spec_path))


# --- on a cluster -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def dask(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """The line of its log that has these words; the rest of the log is read away."""
    assert process.stderr
    line = next(line for line in process.stderr if words in line)
    threading.Thread(target=fakes.read_away, args=(process.stderr,), daemon=True).start()
    return line


def test_cluster__a_worker_is_killed_and_every_game_is_played_once(path: Path, spec_path: Path) -> None:
    pytest.importorskip("distributed")
    third = '[[players]]\nplayer = "tesuji:simulations=1200"\nname = "third"\n'
    spec_path.write_text(TOML.replace("games = 80", "games = 40") + third)
    options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1")
    with dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as scheduler:
        address = read_until(scheduler, "Scheduler at").split()[-1]
        match = start(spec_path, path, address)  # before there is anybody to play it
        with dask("worker", address, *options) as one, dask("worker", address, *options) as other:
            for worker in (one, other):
                read_until(worker, "Registered to")
            wait_for_games(path, 30, match)
            os.kill(one.pid, signal.SIGKILL)
            killed_at = games_in(path)
            out, err = match.communicate(timeout=600)
    assert match.returncode == 0, err
    assert 30 <= killed_at < 120
    assert "120 of 120 games" in out
    check_results(path, read(spec_path))
    with Store.read(path) as store:
        assert standings_of(store).games == 120
