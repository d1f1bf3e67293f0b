"""Games and tasks that cost nothing, for tests of what is around them. Worker processes import this module."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TextIO

from tesuji.experiments.records import GameRecord, GameTask, MoveRecord, PlayerSpec, Reason

ALICE = PlayerSpec(name="alice", kind="tesuji", settings={"simulations": 10})
BOB = PlayerSpec(name="bob", kind="tesuji", settings={"simulations": 20})
GHOST = PlayerSpec(name="ghost", kind="gtp", command="no-such-program-anywhere")
CAROL = PlayerSpec(name="carol", kind="tesuji", settings={"simulations": 30})


def record(index: int, **fields: object) -> GameRecord:
    """A game that Alice, who begins the even games, wins by half a point."""
    first, second = ("alice", "bob") if index % 2 == 0 else ("bob", "alice")
    values: dict[str, object] = {
        "index": index,
        "pair": index // 2,
        "first": first,
        "second": second,
        "winner": "first" if first == "alice" else "second",
        "score": "B+0.5" if first == "alice" else "W+0.5",
        "reason": Reason.SCORE,
        "opening_name": "empty",
        "seed": 2**64 - 1 - index,
        "moves": (MoveRecord("D4", 0.25, 0.5), MoveRecord("pass", 0.1)),
        "sgf": f"(;GM[1]SZ[9]C[game {index}])",
        "wall_s": 0.35,
        "first_s": 0.25,
        "second_s": 0.1,
        "cpu_s": 0.3,
        "started_at": "2024-01-01T00:00:00+00:00",
        "versions": {"alice": "tesuji 0.1", "bob": "tesuji 0.1"},
        **fields,
    }
    return GameRecord(**values)  # type: ignore[arg-type]


def play(task: GameTask) -> GameRecord:
    """A game that is over at once; its winner is drawn from the task's seed."""
    black_wins = task.seed % 3 > 0
    return GameRecord(
        index=task.index,
        pair=task.pair,
        first=task.first.name,
        second=task.second.name,
        winner="first" if black_wins else "second",
        score="B+0.5" if black_wins else "W+0.5",
        reason=Reason.SCORE,
        opening_name=task.opening_name,
        seed=task.seed,
        sgf=f"(;GM[1]C[{task.index}])",
    )


def play_slowly(task: GameTask) -> GameRecord:
    time.sleep(0.02)
    return play(task)


def strong_bob(task: GameTask) -> GameRecord:
    """Bob wins seven games of eight."""
    bob_wins = task.seed % 8 > 0
    winner = "first" if (task.first.name == "bob") == bob_wins else "second"
    return record(task.index, first=task.first.name, second=task.second.name, winner=winner)


def double(number: int) -> int:
    return 2 * number


def wait_for(path: str) -> str:
    """Return when there is such a file; at once without a name."""
    while path and not Path(path).exists():
        time.sleep(0.01)
    return path


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def complain(number: int) -> int:
    if number == 3:
        raise ValueError("three is refused")
    return number


def whoami(_task: object) -> int:
    return os.getpid()


def cores(_task: object) -> list[int]:
    return sorted(os.sched_getaffinity(0))


def die_once(folder: str) -> str:
    """Kill the worker the first time, answer the second time."""
    mark = Path(folder) / "died"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def die(_task: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def unpicklable(_task: object) -> object:
    return lambda: None


def read_away(stream: TextIO) -> None:
    """Read what a process says to its end, so that it is not held up, and close the stream."""
    with stream:
        stream.read()
