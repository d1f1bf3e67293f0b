"""Who does the work: processes of this machine (`LocalWorkers`) or of a Dask cluster (`DaskWorkers`).

Both pull tasks from an iterator only when somebody is free to do them, and hand each result to a callback in the
calling process as soon as it is there. So the iterator may look at the results so far, and an experiment can stop at
any result. A worker that dies is replaced and its task is done again; no task gives two results. Workers write
nothing: results come home.

What a task means is not known here: a function of a module, a value that can be pickled, and what it returns.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing import connection as mp_connection
from multiprocessing import get_context
from types import FrameType, TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from tesuji.experiments.run.answers import answer_type, read_answer
from tesuji.experiments.run.worker_process import WorkerProcess, one_line
from tesuji.words import how_to_install

__all__ = ["DaskWorkers", "LocalWorkers", "WorkerError", "Workers"]

T = TypeVar("T")
R = TypeVar("R")

_ATTEMPTS = 3  # a task that took so many workers down takes no more
_POLL_S = 0.2
_CONNECT_S = 10.0
_CLOSE_S = 2.0
_PREFETCH = 2  # tasks per thread of a cluster: one being done, one at hand

Client = Any  # of `distributed`, which is typed in part and differently in each version
Future = Any


class WorkerError(RuntimeError):
    """A task could not be done: it raised an exception, or took several workers down with it."""


class Workers(Protocol):
    """Those who do tasks. `run` may be called again and again; `close` (or ``with``) ends them."""

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        on_result: Callable[[T, R], object],
        on_failure: Callable[[T, str], object] | None = None,
    ) -> None:
        """Do all tasks; return when they are done, or soon after `stop`.

        Parameters
        ----------
        function
            Of a module that workers can import.
        tasks
            Pulled one by one in this thread, when a worker is free: just before the result that it came back with is
            handed over, so that it does not wait for that.
        on_result
            Called in this thread with the task and its result, in the order in which they come.
        on_failure
            Called with a task and one line when it raised an exception or took three workers down; if not given, that
            is a `WorkerError`.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C, when the results that had come were handed over. Tasks being done are given up.
        """

    def stop(self) -> None:
        """Let `run` return soon; what is being done is given up. To be called from `on_result`."""

    def close(self) -> None:
        """End the workers."""


class _Job(Generic[T]):
    """A task on its way."""

    def __init__(self, task: T) -> None:
        self.task = task
        self.attempts = 0


class _Source(Generic[T]):
    """The tasks, with those that must be done again in front."""

    def __init__(self, tasks: Iterable[T]) -> None:
        self._tasks = iter(tasks)
        self._again: list[_Job[T]] = []

    def take(self) -> _Job[T] | None:
        if self._again:
            return self._again.pop()
        for task in self._tasks:
            return _Job(task)
        return None

    def put_back(self, job: _Job[T]) -> None:
        self._again.append(job)


class _Interrupt:
    """Ctrl-C as a flag that can be waited for, so that no result is lost half way; a second Ctrl-C raises as usual."""

    def __init__(self) -> None:
        self.came = False
        self.reader, self._writer = get_context("spawn").Pipe(duplex=False)
        self._previous: Any = None

    def __enter__(self) -> Self:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True
        self._writer.send_bytes(b"!")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
        self.reader.close()
        self._writer.close()


def _failed(job: _Job[T], why: str, on_failure: Callable[[T, str], object] | None) -> None:
    if on_failure is None:
        raise WorkerError(why)
    on_failure(job.task, why)


# --- processes of this machine ----------------------------------------------------------------------------------------


class LocalWorkers:
    """Processes of this machine.

    They start when the first task is there, end with `close` or the end of this process, even one by ``kill -9``, and
    take the engines they started with them.

    Parameters
    ----------
    jobs : int
        How many tasks are done at once.
    pin : bool
        Whether each worker, with all that it starts, keeps to processor cores of its own.
    threads : int
        How many cores that is.

    Raises
    ------
    ValueError
        If there are not so many cores to pin to, or they cannot be chosen on this system.
    """

    def __init__(self, jobs: int = 1, *, pin: bool = False, threads: int = 1) -> None:
        if jobs < 1:
            raise ValueError(f"jobs is {jobs}; it must be at least 1")
        self.jobs = jobs
        self._cores = _shares_of_cores(jobs, threads) if pin else [()] * jobs
        self._processes: dict[int, WorkerProcess] = {}  # by seat, 0 to jobs - 1
        self._is_stopping = False

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        on_result: Callable[[T, R], object],
        on_failure: Callable[[T, str], object] | None = None,
    ) -> None:
        """See `Workers.run`."""
        self._is_stopping = False
        source = _Source(tasks)
        busy: dict[int, _Job[T]] = {}

        def take(seats: Iterable[int]) -> None:
            for seat in seats:
                if (heard := self._hear(seat, busy, source)) is None:
                    continue
                if not (self._is_stopping or interrupt.came):
                    self._feed(function, source, busy)  # before the result is dealt with: nobody waits for that
                job, is_done, answer = heard
                if is_done:
                    on_result(job.task, answer)
                else:
                    _failed(job, answer, on_failure)

        try:
            with _Interrupt() as interrupt:
                while not (self._is_stopping or interrupt.came) and self._feed(function, source, busy):
                    take(self._wait(busy, interrupt))
                if interrupt.came:
                    take([seat for seat in busy if self._processes[seat].connection.poll()])
                    raise KeyboardInterrupt
        finally:
            self._dismiss(list(busy))

    def stop(self) -> None:
        """See `Workers.stop`."""
        self._is_stopping = True

    def close(self) -> None:
        """End the processes."""
        self._dismiss(list(self._processes))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _feed(self, function: Callable[[T], R], source: _Source[T], busy: dict[int, _Job[T]]) -> bool:
        """Give every free worker a task; False if nobody has anything to do."""
        for seat in range(self.jobs):
            if seat in busy:
                continue
            if (job := source.take()) is None:
                break
            if seat not in self._processes:
                self._processes[seat] = WorkerProcess(f"tesuji-worker-{seat}", self._cores[seat])
            job.attempts += 1
            busy[seat] = job
            self._processes[seat].begin(function, job.task)
        return bool(busy)

    def _wait(self, busy: Iterable[int], interrupt: _Interrupt) -> list[int]:
        """Wait for somebody to say something, or to die, or for Ctrl-C."""
        seats: dict[Any, int] = {self._processes[seat].connection: seat for seat in busy}
        return [seats[said] for said in mp_connection.wait([*seats, interrupt.reader]) if said in seats]

    def _hear(self, seat: int, busy: dict[int, _Job[T]], source: _Source[T]) -> tuple[_Job[T], bool, Any] | None:
        """What a worker says: a task, whether it is done, and the result or what went wrong. None: nothing yet.

        If it is dead another one does its task, unless that has killed too many.
        """
        process = self._processes[seat]
        message = process.answer()
        if message:
            return None if message[0] == "ready" else (busy.pop(seat), message[0] == "done", message[1])
        job = busy.pop(seat)
        ended = self._dismiss([seat])
        if job.attempts < _ATTEMPTS:
            source.put_back(job)
            return None
        if not process.has_started:
            raise WorkerError(
                f"worker processes end before they begin ({ended}); a script must start its match under"
                " 'if __name__ == \"__main__\":'"
            )
        return job, False, f"it took {job.attempts} worker processes down, the last one with {ended}"

    def _dismiss(self, seats: list[int]) -> str:
        """End workers with what they started, all at once; say how the last one ended."""
        processes = [self._processes.pop(seat) for seat in seats]
        for process in processes:
            process.let_go()
        return "".join([process.end() for process in processes][-1:])


def _shares_of_cores(jobs: int, threads: int) -> list[tuple[int, ...]]:
    """Worker i gets the cores i * threads ... of those this process may use."""
    if not hasattr(os, "sched_getaffinity"):
        raise ValueError("this system does not let a program choose its processor cores; leave pinning out")
    cores = sorted(os.sched_getaffinity(0))
    if jobs * threads > len(cores):
        raise ValueError(
            f"{jobs} jobs with {threads} cores each need {jobs * threads}, there are {len(cores)};"
            " ask for fewer, or leave pinning out"
        )
    return [tuple(cores[i * threads : (i + 1) * threads]) for i in range(jobs)]


# --- a cluster --------------------------------------------------------------------------------------------------------


class DaskWorkers:
    """The workers of a Dask cluster, whose scheduler listens at an address.

    Workers may come and go. Where one dies, Dask does its tasks elsewhere. Each worker needs the same version of
    tesuji, and the engines that play.

    Parameters
    ----------
    address : str
        For instance ``tcp://host:8786``.

    Raises
    ------
    ImportError
        If Dask is not installed here.
    ConnectionError
        If no scheduler answers there.
    ValueError
        If the address is none, or versions of the cluster are not those of this process.
    """

    def __init__(self, address: str, *, timeout_s: float = _CONNECT_S) -> None:
        self.address = address
        self._timeout_s = timeout_s
        self._client = _connect(address, timeout_s)
        try:
            _compare_versions(self._client, address)
        except BaseException:
            self.close()
            raise
        self._call = _call_by_value()
        self._is_stopping = False
        self._answer_type: Any = Any
        self._capacity = 0
        self._capacity_until = 0.0

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        on_result: Callable[[T, R], object],
        on_failure: Callable[[T, str], object] | None = None,
    ) -> None:
        """See `Workers.run`."""
        self._is_stopping = False
        self._answer_type = answer_type(function)
        source = _Source(tasks)
        jobs: dict[Future, _Job[T]] = {}
        finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        try:
            with _Interrupt() as interrupt:
                while not (self._is_stopping or interrupt.came) and self._feed(function, source, jobs, finished):
                    with contextlib.suppress(queue.Empty):
                        self._collect(finished.get(timeout=_POLL_S), jobs, source, finished, on_result, on_failure)
                if interrupt.came:
                    raise KeyboardInterrupt
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(jobs), asynchronous=False)

    def stop(self) -> None:
        """See `Workers.stop`."""
        self._is_stopping = True

    def close(self) -> None:
        """Leave the cluster; its processes go on living."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=_CLOSE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _feed(
        self,
        function: Callable[[T], R],
        source: _Source[T],
        jobs: dict[Future, _Job[T]],
        finished: queue.SimpleQueue[Future],
    ) -> bool:
        """Keep every thread of the cluster busy; False if nothing is left to do."""
        capacity = self._wanted()
        while len(jobs) < capacity and (job := source.take()) is not None:
            job.attempts += 1
            future = self._client.submit(self._call, pickle.dumps((function, job.task)), pure=False)
            jobs[future] = job
            future.add_done_callback(finished.put)
        return bool(jobs)

    def _wanted(self) -> int:
        """How many tasks should be under way; the cluster is asked once a second."""
        if time.monotonic() > self._capacity_until:
            threads = sum(self._ask(self._client.nthreads).values())
            self._capacity = _PREFETCH * max(1, threads)
            self._capacity_until = time.monotonic() + 1
        return self._capacity

    def _ask(self, question: Callable[[], Any]) -> Any:
        """Ask the scheduler something; wait a while for one that is being started again."""
        deadline = time.monotonic() + self._timeout_s
        while True:
            try:
                return question()
            except Exception as error:
                if self._client.status == "closed" or time.monotonic() > deadline:
                    raise ConnectionError(
                        f"the scheduler at {self.address} does not answer any more ({one_line(error)});"
                        " what came home is safe, repeat the command when it is back"
                    ) from error
                time.sleep(_POLL_S)

    def _collect(
        self,
        future: Future,
        jobs: dict[Future, _Job[T]],
        source: _Source[T],
        finished: queue.SimpleQueue[Future],
        on_result: Callable[[T, R], object],
        on_failure: Callable[[T, str], object] | None,
    ) -> None:
        """Take one result home: the first of each task, and only that."""
        from concurrent.futures import CancelledError

        if future not in jobs:
            return
        try:
            result = read_answer(future.result(timeout=self._timeout_s), self._answer_type)
        except TimeoutError:  # its worker died with the result: it is being done again
            future.add_done_callback(finished.put)
            return
        except CancelledError:  # the scheduler was lost
            job = jobs.pop(future)
            self._ask(self._client.nthreads)
            source.put_back(job)
            return
        except Exception as error:  # its own, a wrong answer, or distributed.KilledWorker
            why = str(error) if type(error) is RuntimeError else one_line(error)
            _failed(jobs.pop(future), why, on_failure)
            return
        on_result(jobs.pop(future).task, result)


def _connect(address: str, timeout_s: float) -> Client:
    try:
        import distributed
    except ImportError:
        raise ImportError(f"a cluster needs Dask; install it with: {how_to_install('cluster')}") from None
    client_type: Any = distributed.Client
    try:
        # What workers send is read as MessagePack and never unpickled: data must not run code here.
        return client_type(address, timeout=timeout_s, set_as_default=False, deserializers=["msgpack"])
    except OSError as error:  # TimeoutError is one
        failure: Exception = ConnectionError(
            f"no Dask scheduler answers at {address} within {timeout_s:g} s; start one with 'dask scheduler',"
            f" and check the address and the port ({one_line(error)})"
        )
    except ValueError as error:
        failure = ValueError(f"{address!r} is not an address of a scheduler ({error}); write tcp://host:8786")
    # The client that failed takes a lock of `distributed` when it is deleted. That must not happen while another one
    # holds it in this thread, as it may when the collector chooses the moment.
    gc.collect()
    raise failure


def _call_by_value() -> Callable[[bytes], bytes]:
    """Return what the cluster calls. It is sent by value with tasks as bytes, so that a scheduler needs no tesuji."""

    def call(request: bytes) -> bytes:
        import pickle

        import msgspec

        from tesuji.experiments.run.answers import DONE, FAILED
        from tesuji.experiments.run.worker_process import one_line

        try:
            function, task = pickle.loads(request)
            return msgspec.msgpack.encode((DONE, function(task)))
        except Exception as error:
            return msgspec.msgpack.encode((FAILED, one_line(error)))

    return call


def _compare_versions(client: Client, address: str) -> None:
    """Refuse a cluster whose processes would not understand ours, or play something else."""
    found = client.get_versions(packages=["tesuji"])
    ours = found["client"]["packages"]
    for who, versions in (("the scheduler", found["scheduler"]), *found["workers"].items()):
        theirs = versions["packages"]
        for package in ("python", "distributed", *(() if who == "the scheduler" else ("tesuji",))):
            here, there = (_compared(package, packages.get(package)) for packages in (ours, theirs))
            if here != there:
                raise ValueError(
                    f"{who} of the cluster at {address} has {package} {there}, this process has {here};"
                    " install the same versions everywhere"
                )


def _compared(package: str, version: str | None) -> str:
    if version is None:
        return "(none)"
    return ".".join(version.split(".")[:2]) if package == "python" else version
