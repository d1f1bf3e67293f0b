"""The soak in small: its games, and that it fails where it should."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

SOAK = Path(__file__).resolve().parents[1] / "scripts" / "soak.py"

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the soak reads /proc")


def soak(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the soak, after some lines of Python that change what it meets."""
    program = f"import runpy, sys\n{before}\nsys.argv[:] = {['soak', *arguments]!r}\n"
    program += f"runpy.run_path({str(SOAK)!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)


PATCH = """
import threading, time
from tesuji.go.gtp import server

def instead_of(name, handler):
    for family in server.FAMILIES:
        if name in family.COMMANDS:
            family.COMMANDS[name] = family.COMMANDS[name]._replace(handler=handler)
            return
    raise KeyError(name)

def handler_of(name):
    return next(family.COMMANDS[name].handler for family in server.FAMILIES if name in family.COMMANDS)
"""


def test_soak__twenty_small_games_go_well() -> None:
    done = soak("--games", "20", "--largest", "6")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("soak: 20 games in")
    assert "FAILED" not in done.stdout
    assert "counted" in done.stdout


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("instead_of('genmove', lambda _, color: 'A1')", "is illegal: occupied"),
        ("instead_of('genmove', lambda _, color: 1 / 0)", "was answered by '? internal error"),
        ("instead_of('final_score', lambda _: 'B+')", "the end was judged as 'B+'"),
        ("instead_of('quit', lambda _: threading.Thread(target=time.sleep, args=(9,), daemon=True).start() or '')",
         "threads are left"),
    ],
    ids=["illegal move", "internal error", "malformed score", "thread left"],
)  # fmt: skip
def test_soak__reports_a_fault_and_fails(fault: str, message: str) -> None:
    done = soak("--games", "4", "--largest", "5", before=PATCH + fault)
    assert done.returncode == 1
    assert message in done.stdout
    assert "FAILED: game" in done.stdout


def test_soak__a_clock_that_runs_out_fails() -> None:
    slow = (
        "plain = handler_of('genmove')\n"
        "instead_of('genmove', lambda session, color: (time.sleep(1.1), plain(session, color))[1])"
    )
    done = soak("--games", "1", "--largest", "5", "--seed", "3", before=PATCH + slow)
    assert done.returncode == 1
    assert "ran out by" in done.stdout


@pytest.fixture
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("soak", SOAK)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_clock__what_a_move_waits_for_a_processor_is_not_on_it(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = object.__new__(module.Side)
    side.clock, side.left_s, side.count_left = module.Clock("absolute", 0.001), 0.001, 0
    side.ask = lambda command: time.sleep(0.01) or "A1"
    found = iter([{"1": 7, "2": 0}, {"1": 7, "2": 5_000_000_000, "3": 9}])  # a thread waited for five seconds
    monkeypatch.setattr(module, "waits", lambda: next(found))
    assert side.genmove("black") == "A1"
    monkeypatch.setattr(module, "waits", dict)  # nobody waited
    with pytest.raises(module.SoakError, match="ran out by"):
        side.genmove("black")


def test_waits__every_thread_has_its_own(module: ModuleType) -> None:
    assert str(threading.get_native_id()) in module.waits()


def test_soak__no_games_are_refused() -> None:
    done = soak("--games", "0")
    assert done.returncode == 2
    assert "play at least one game" in done.stderr
