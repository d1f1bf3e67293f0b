"""Instructions of a program, by valgrind's callgrind: they hardly depend on the machine, and repeat."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tesuji.bench import BenchError

__all__ = ["count_instructions", "execute", "has_valgrind", "instructions_each"]

_RUN_TIMEOUT_S = 600.0


def has_valgrind() -> bool:
    """Whether instructions can be counted here."""
    return shutil.which("valgrind") is not None


def count_instructions(command: Sequence[str]) -> int:
    """Return the instructions of a whole run, start-up included."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    report = execute([*callgrind, *command]).stderr
    found = re.search(r"Collected : (\d+)", report)
    if not found:
        raise BenchError("valgrind did not report the instructions it collected: is its callgrind tool installed?")
    return int(found.group(1))


def instructions_each(command: Callable[[int], Sequence[str]], few: int, many: int) -> int:
    """Return the instructions of one repetition of a command's work: its start cancels out of two runs.

    Parameters
    ----------
    command
        From a number of repetitions to the command that makes them.
    few, many
        How many the two runs make.
    """
    with ThreadPoolExecutor(max_workers=2) as pool:  # counted, not timed: two at once do not disturb each other
        less, more = pool.map(count_instructions, (command(few), command(many)))
    return round((more - less) / (many - few))


def execute(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; whatever keeps it from a good one is a `BenchError`."""
    program = Path(command[0]).name
    environment = os.environ | {"PYTHONHASHSEED": "0"}  # two runs of Python start alike
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_RUN_TIMEOUT_S, check=False, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"{program} ran for more than {_RUN_TIMEOUT_S:.0f} s: ask for less work") from error
    except OSError as error:
        raise BenchError(f"{program} cannot be run here: {error.strerror}") from error
    if done.returncode < 0 and "valgrind" not in command[0]:
        raise BenchError(f"{program} stopped at once: it needs a processor with x86-64-v3 (AVX2 and BMI2)")
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise BenchError(f"{program} failed with exit code {done.returncode}: {reason[0]}")
    return done
