"""Anytime: a run ends by its limits, from another thread, by its callback and by Ctrl-C, and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from patience import wait_for_visits
from search.toy_games import Nim, RandomTree
from tesuji.games import Hex
from tesuji.go import Board
from tesuji.search import Search, SearchConfig, SearchResult

FOR_EVER = 10**15


def games() -> list[Any]:
    return [
        pytest.param(Hex(9), id="native"),
        pytest.param(Board(9), id="go"),
        pytest.param(RandomTree(seed=1, depth=30), id="python"),
    ]


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("threads", [1, 2])
def test_stop__from_another_thread_ends_the_run(game: Any, threads: int) -> None:
    search = Search(game, SearchConfig(threads=threads, memory_bytes=2**24))
    search.run(simulations=1, seed=1)
    finished: list[SearchResult] = []
    running = threading.Thread(target=lambda: finished.append(search.run(simulations=FOR_EVER)))
    running.start()
    wait_for_visits(search, 3)
    search.stop()
    running.join(timeout=600)
    assert not running.is_alive()
    assert finished[0].simulations > 1
    assert finished[0].visits.sum() == finished[0].simulations + 1
    assert search.run(simulations=5).simulations == 5  # a stopped search can go on


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("parallel", ["lock-free", "global-lock", "roots"])
@pytest.mark.parametrize("threads", [1, 2])
def test_progress__is_told_the_answer_so_far_and_ends_the_run_by_returning_false(
    game: Any, threads: int, parallel: str
) -> None:
    told: list[SearchResult] = []

    def tell(result: SearchResult) -> bool:
        told.append(result)
        return len(told) < 3

    config = SearchConfig(threads=threads, parallel=parallel, memory_bytes=2**24)
    result = Search(game, config).run(simulations=FOR_EVER, seed=1, on_progress=tell)
    assert len(told) == 3
    counts = [part.simulations for part in told]
    assert counts == sorted(counts)
    assert counts[0] > 0
    assert result.simulations >= counts[-1]
    for part in told:
        assert part.best_move in part.moves
        assert ((part.values >= 0) & (part.values <= 1)).all()
        assert part.provenance is None
    assert result.provenance is not None


@pytest.mark.parametrize("parallel", ["lock-free", "global-lock", "roots"])
@pytest.mark.parametrize("threads", [1, 2])
def test_progress__is_asked_also_when_the_memory_is_so_small_that_it_is_always_full(
    threads: int, parallel: str
) -> None:
    config = SearchConfig(memory_bytes=50_000 * threads, threads=threads, parallel=parallel)
    result = Search(Hex(7), config).run(seconds=20, seed=1, on_progress=lambda _: False)
    assert result.seconds < 15


def test_progress__returning_nothing_or_true_goes_on() -> None:
    for answer in (None, True, 0, ""):
        told = []

        def tell(result: SearchResult, answer: Any = answer, told: list[int] = told) -> Any:
            told.append(result.simulations)
            return answer

        Search(Hex(9), SearchConfig(memory_bytes=2**24)).run(seconds=0.5, seed=1, on_progress=tell)
        assert len(told) >= 1


def test_progress__an_exception_of_the_callback_comes_back_as_itself() -> None:
    class SurpriseError(Exception):
        pass

    surprise = SurpriseError("from the callback")

    def tell(result: SearchResult) -> None:
        raise surprise

    for threads in (1, 2):
        search = Search(Hex(9), SearchConfig(threads=threads, memory_bytes=2**24))
        with pytest.raises(SurpriseError) as caught:
            search.run(simulations=FOR_EVER, seed=1, on_progress=tell)
        assert caught.value is surprise
        assert search.run(simulations=10).simulations == 10


def test_limits__whichever_comes_first_ends_the_run() -> None:
    assert Search(Hex(5)).run(simulations=10, seconds=3600, nodes=10**9, seed=1).simulations == 10
    assert Search(Hex(5)).run(simulations=FOR_EVER, nodes=50, seed=1).counts["nodes"] == 50
    assert Search(Hex(5), SearchConfig(memory_bytes=2**24)).run(simulations=FOR_EVER, seconds=0.1, seed=1).seconds < 60


INTERRUPTED = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from patience import wait_for_visits
from search.toy_games import RandomTree
from tesuji.games import Hex
from tesuji.go import Board
from tesuji.search import Search, SearchConfig

game = {"native": Hex(9), "go": Board(9), "python": RandomTree(seed=1, depth=30)}[sys.argv[2]]
search = Search(game, SearchConfig(threads=int(sys.argv[3]), memory_bytes=2**24))
search.run(simulations=10, seed=1)

def tell_when_it_runs():
    wait_for_visits(search, 12)
    print("ready", flush=True)

threading.Thread(target=tell_when_it_runs).start()
try:
    while True:  # a loop over run() must end too
        search.run(simulations=10**15)
except KeyboardInterrupt:
    pass
result = search.result()
print(result.simulations > 0, result.best_move in result.moves, search.run(simulations=5).simulations, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["native", "go", "python"])
def test_ctrl_c__comes_when_the_search_has_stopped_and_nothing_is_lost(game: str, threads: int) -> None:
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, tests, game, str(threads)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=600)
    finally:
        process.kill()
    assert (output, errors, process.returncode) == ("True True 5\n", "", 0)


def test_stop__before_a_run_does_not_end_it() -> None:
    search = Search(Nim(9))
    search.stop()
    assert search.run(simulations=20, seed=1).simulations == 20
    search.stop()
    assert search.run(simulations=20).simulations == 20


def test_run__a_second_one_at_the_same_time_is_refused() -> None:
    """One search has one graph: two runs at once would walk it with the same workers."""
    search = Search(Hex(9), SearchConfig(memory_bytes=2**24))
    search.run(simulations=1, seed=1)
    refused: list[Exception] = []

    def tell(result: SearchResult) -> bool:
        for misuse in (lambda: search.run(simulations=1), lambda: search.advance(0)):
            try:
                misuse()
            except RuntimeError as error:
                refused.append(error)
        return False

    search.run(simulations=FOR_EVER, on_progress=tell)
    assert len(refused) == 2
    assert all("running" in str(error) for error in refused)
