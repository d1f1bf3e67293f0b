"""Workers: each task gives one result, whatever happens to those who work on it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from experiments import fakes
from tesuji.experiments.records import GameRecord
from tesuji.experiments.run.answers import DONE, FAILED, AnswerError, answer_type, read_answer
from tesuji.experiments.run.workers import DaskWorkers, LocalWorkers, WorkerError, Workers

TESTS = Path(__file__).parents[2]


def results(workers: Workers, function: Callable[..., object], tasks: object) -> list[tuple[object, object]]:
    found: list[tuple[object, object]] = []
    workers.run(function, tasks, on_result=lambda task, result: found.append((task, result)))  # type: ignore[arg-type]
    return found


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 600) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="module")
def pair() -> Iterator[LocalWorkers]:
    """Two processes that tests share, as matches do; one that a test kills is replaced."""
    with LocalWorkers(2) as workers:
        yield workers


# --- processes of this machine ----------------------------------------------------------------------------------------


def test_local__every_task_gives_one_result(pair: LocalWorkers) -> None:
    found = results(pair, fakes.double, range(50))
    assert sorted(found) == [(i, 2 * i) for i in range(50)]


def test_local__tasks_are_pulled_when_somebody_is_free(pair: LocalWorkers) -> None:
    pulled, done = [], []

    def tasks() -> Iterator[int]:
        for i in range(20):
            pulled.append(i)
            yield i

    def on_result(task: int, _result: int) -> None:
        done.append(task)
        assert len(pulled) - len(done) <= 2

    pair.run(fakes.double, tasks(), on_result=on_result)
    assert len(done) == 20


def test_local__two_processes_work_at_once_and_are_kept(pair: LocalWorkers) -> None:
    def workers() -> set[object]:
        return {pid for _, pid in results(pair, fakes.whoami, range(40))}

    first = workers()
    assert len(first) == 2
    assert os.getpid() not in first
    assert workers() == first


def test_local__stop_ends_the_run_and_gives_up_what_is_being_done(pair: LocalWorkers) -> None:
    found: list[float] = []

    def on_result(_task: float, result: float) -> None:
        found.append(result)
        pair.stop()

    begin = time.monotonic()
    pair.run(fakes.sleep, iter([0.01, 60.0, 60.0]), on_result=on_result)
    assert found == [0.01]
    assert time.monotonic() - begin < 30
    assert results(pair, fakes.double, [4]) == [(4, 8)]  # and they can be used again


def test_local__a_worker_that_dies_is_replaced_and_its_task_done_again(pair: LocalWorkers, tmp_path: Path) -> None:
    assert results(pair, fakes.die_once, [str(tmp_path)]) == [(str(tmp_path), "alive")]


def test_local__a_task_that_kills_workers_is_given_up(pair: LocalWorkers) -> None:
    failures: list[tuple[int, str]] = []
    pair.run(fakes.die, [1, 2], on_result=print, on_failure=lambda task, why: failures.append((task, why)))
    assert sorted(task for task, _ in failures) == [1, 2]
    assert all("3 worker processes" in why and "signal 9" in why for _, why in failures)
    with pytest.raises(WorkerError, match="signal 9"):
        results(pair, fakes.die, [1])


def test_local__an_exception_is_a_failure_of_that_task_only(pair: LocalWorkers) -> None:
    failures: list[tuple[int, str]] = []
    found: list[int] = []
    pair.run(
        fakes.complain,
        range(6),
        on_result=lambda _task, result: found.append(result),
        on_failure=lambda task, why: failures.append((task, why)),
    )
    assert sorted(found) == [0, 1, 2, 4, 5]
    assert failures[0][0] == 3
    assert "ValueError: three is refused (fakes.py, line" in failures[0][1]


def test_local__what_cannot_come_home_is_a_failure(pair: LocalWorkers) -> None:
    with pytest.raises(WorkerError, match="pickle"):
        results(pair, fakes.unpicklable, [1])


def test_local__an_error_of_the_caller_ends_the_run(pair: LocalWorkers) -> None:
    def on_result(_task: float, _result: float) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        pair.run(fakes.sleep, [0.01, 60.0], on_result=on_result)
    assert results(pair, fakes.double, [4]) == [(4, 8)]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be chosen here")
def test_local__pinned_workers_keep_to_cores_of_their_own() -> None:
    available = sorted(os.sched_getaffinity(0))
    with LocalWorkers(1, pin=True) as workers:
        assert results(workers, fakes.cores, [0]) == [(0, available[:1])]
    with pytest.raises(ValueError, match=f"there are {len(available)}"):
        LocalWorkers(len(available), pin=True, threads=2)


def test_local__no_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        LocalWorkers(0)


SLEEPERS = """
    import os, sys
    from experiments import fakes
    from tesuji.experiments.run.workers import LocalWorkers
    if __name__ == "__main__":
        with LocalWorkers(2) as workers:
            workers.run(fakes.whoami, range(20), on_result=lambda _task, pid: print(pid, flush=True))
            print("sleeping", flush=True)
            try:
                workers.run(fakes.sleep, [0.3, 60.0, 60.0], on_result=lambda _task, s: print("slept", s, flush=True))
            except KeyboardInterrupt:
                print("interrupted", flush=True)
"""


def start_script(tmp_path: Path, code: str) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(code))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        start_new_session=True,
    )


def read_pids(process: subprocess.Popen[str]) -> set[int]:
    assert process.stdout
    pids = set()
    while (line := process.stdout.readline()) and line != "sleeping\n":
        pids.add(int(line))
    return pids


def test_local__workers_die_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = start_script(tmp_path, SLEEPERS)
    pids = read_pids(parent)
    assert len(pids) == 2
    assert all(map(is_alive, pids))
    parent.kill()
    assert wait_until(lambda: not any(map(is_alive, pids)))
    parent.communicate()


def test_local__control_c_ends_quickly_and_loses_no_result(tmp_path: Path) -> None:
    parent = start_script(tmp_path, SLEEPERS)
    pids = read_pids(parent)
    assert parent.stdout
    assert parent.stdout.readline() == "slept 0.3\n"
    os.killpg(parent.pid, signal.SIGINT)  # as a terminal does: workers too
    out, err = parent.communicate(timeout=600)
    assert out.splitlines() == ["interrupted"], err
    assert err == ""
    assert not any(map(is_alive, pids))


def test_local__a_script_without_a_guard_is_told_so(tmp_path: Path) -> None:
    parent = start_script(tmp_path, SLEEPERS.replace('if __name__ == "__main__":', "if True:"))
    _, err = parent.communicate(timeout=600)
    assert "worker processes end before they begin" in err
    assert "__main__" in err


# --- a cluster --------------------------------------------------------------------------------------------------------


def test_dask__every_task_gives_one_result(cluster: str) -> None:
    with DaskWorkers(cluster) as workers:
        assert sorted(results(workers, fakes.double, range(30))) == [(i, 2 * i) for i in range(30)]


def test_dask__equal_tasks_are_done_each(cluster: str) -> None:
    with DaskWorkers(cluster) as workers:
        assert results(workers, fakes.double, [1] * 5) == [(1, 2)] * 5


def test_dask__a_few_tasks_per_thread_are_pulled_at_a_time(cluster: str) -> None:
    pulled, done = [], []

    def tasks() -> Iterator[int]:
        for i in range(30):
            pulled.append(i)
            yield i

    def on_result(task: int, _result: int) -> None:
        done.append(task)
        assert len(pulled) - len(done) <= 4

    with DaskWorkers(cluster) as workers:
        workers.run(fakes.double, tasks(), on_result=on_result)
    assert len(done) == 30


def test_dask__stop_ends_the_run(cluster: str, tmp_path: Path) -> None:
    found: list[str] = []
    gate = tmp_path / "gate"  # the other tasks end when it is there, however fast or slow the machine is

    def on_result(_task: str, result: str) -> None:
        found.append(result)
        workers.stop()

    with DaskWorkers(cluster) as workers:
        try:
            workers.run(fakes.wait_for, iter(["", str(gate), str(gate), str(gate)]), on_result=on_result)
        finally:
            gate.touch()
    assert found == [""]


def test_dask__an_exception_is_a_failure_of_that_task_only(cluster: str) -> None:
    failures: list[tuple[int, str]] = []
    found: list[int] = []
    with DaskWorkers(cluster) as workers:
        workers.run(
            fakes.complain,
            range(6),
            on_result=lambda _task, result: found.append(result),
            on_failure=lambda task, why: failures.append((task, why)),
        )
    assert sorted(found) == [0, 1, 2, 4, 5]
    assert failures[0][0] == 3
    assert "three is refused" in failures[0][1]


def _crafted() -> Callable[[bytes], Any]:
    """What a hostile worker may do: return an object whose unpickling runs code."""

    def call(request: bytes) -> Any:
        import os

        class Crafted:
            def __reduce__(self) -> Any:
                return os.mkdir, ("crafted",)

        return Crafted()

    return call


def _another_answer() -> Callable[[bytes], Any]:
    def call(request: bytes) -> Any:
        return b"something else"

    return call


@pytest.mark.parametrize("make", [_crafted, _another_answer])
def test_dask__a_worker_that_returns_something_else_fails_its_task_and_nothing_else(
    cluster: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make: Callable[[], Callable[[bytes], Any]]
) -> None:
    monkeypatch.chdir(tmp_path)
    failures: list[str] = []
    with DaskWorkers(cluster) as workers:
        honest, workers._call = workers._call, make()
        workers.run(fakes.double, [1], on_result=print, on_failure=lambda _task, why: failures.append(why))
        workers._call = honest
        assert results(workers, fakes.double, [4]) == [(4, 8)]
    assert len(failures) == 1
    assert not (tmp_path / "crafted").exists()  # nothing of it ran in this process


def test_answers__are_read_as_the_type_that_the_function_returns() -> None:
    kind = answer_type(partial(fakes.play))
    assert kind is GameRecord
    game = fakes.record(0)
    assert read_answer(msgspec.msgpack.encode((DONE, game)), kind) == game
    with pytest.raises(RuntimeError, match="no luck"):
        read_answer(msgspec.msgpack.encode((FAILED, "no luck")), kind)
    for wrong in (b"", b"x", msgspec.msgpack.encode((DONE, "a game")), msgspec.msgpack.encode([1]), game):
        with pytest.raises(AnswerError, match="the worker sent"):
            read_answer(wrong, kind)


def test_dask__a_task_that_kills_workers_is_given_up(cluster: str) -> None:
    failures: list[str] = []
    with DaskWorkers(cluster) as workers:
        workers.run(fakes.die, [1], on_result=print, on_failure=lambda _task, why: failures.append(why))
        assert results(workers, fakes.double, [4]) == [(4, 8)]
    assert len(failures) == 1
    assert "KilledWorker" in failures[0]


def test_dask__a_scheduler_that_is_not_there_is_said_so() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ConnectionError, match="no Dask scheduler answers at tcp://127.0.0.1:9"):
        DaskWorkers("tcp://127.0.0.1:9", timeout_s=1)


@pytest.mark.parametrize("address", ["", "nonsense://x", "tcp://host:notaport"])
def test_dask__an_address_that_is_none_is_refused(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises((ValueError, ConnectionError), match="scheduler"):
        DaskWorkers(address, timeout_s=1)


def test_dask__another_version_of_tesuji_is_refused(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    real = distributed.Client.get_versions

    def other(self: object, **options: object) -> object:
        found = real(self, **options)
        next(iter(found["workers"].values()))["packages"]["tesuji"] = "0.0.9"
        return found

    monkeypatch.setattr(distributed.Client, "get_versions", other)
    with pytest.raises(ValueError, match="has tesuji 0.0.9, this process has"):
        DaskWorkers(cluster)


def test_dask__control_c_is_raised_when_results_are_home(cluster: str, tmp_path: Path) -> None:
    found: list[str] = []
    gate = tmp_path / "gate"

    def on_result(_task: str, result: str) -> None:
        found.append(result)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

    with DaskWorkers(cluster) as workers:
        try:
            with pytest.raises(KeyboardInterrupt):
                workers.run(fakes.wait_for, ["", str(gate), str(gate)], on_result=on_result)
        finally:
            gate.touch()
    assert found == [""]


def test_dask__a_scheduler_that_goes_away_is_an_error_in_time() -> None:
    pytest.importorskip("distributed")
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert scheduler.stderr
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at" in line)
    reader = threading.Thread(target=fakes.read_away, args=(scheduler.stderr,))
    reader.start()
    with DaskWorkers(address, timeout_s=60) as workers:
        workers._timeout_s = 2  # how long it waits for one that has gone; to connect may take longer
        scheduler.kill()
        with pytest.raises(ConnectionError, match="repeat the command"):
            results(workers, fakes.double, [1])  # there is no worker that could do it
    scheduler.wait()
    reader.join()
