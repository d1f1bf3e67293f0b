"""The GTP client against programs that misbehave: each is a typed error of one line, and leaves no process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tesuji.experiments.players import gtp_client
from tesuji.experiments.players.gtp_client import (
    CrashError,
    EngineError,
    GtpClient,
    HangError,
    ProtocolError,
    RefusalError,
)

ROGUE = Path(__file__).parents[1] / "rogue_engine.py"
ENOUGH_S = 30.0
IMPATIENT_S = 0.8


def rogue(manner: str, first_bad_move: int = 1) -> list[str]:
    return [sys.executable, "-I", "-S", str(ROGUE), manner, str(first_bad_move)]


@contextlib.contextmanager
def client_of(manner: str, first_bad_move: int = 1) -> Iterator[GtpClient]:
    with GtpClient(rogue(manner, first_bad_move)) as client:
        assert client.ask("boardsize 9", timeout_s=ENOUGH_S) == ""
        yield client
    assert not is_alive(client.pid)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + ENOUGH_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


# Conversations --------------------------------------------------------------------------------------------------------


def test_ask__returns_the_reply_without_sign_number_and_empty_line() -> None:
    with client_of("honest") as client:
        assert client.ask("name", timeout_s=ENOUGH_S) == "Rogue"
        assert client.ask("list_commands", timeout_s=ENOUGH_S).splitlines()[:2] == ["protocol_version", "name"]
        assert client.ask("genmove b", timeout_s=ENOUGH_S) == "A9"
        assert client.ask("genmove b", timeout_s=ENOUGH_S) == "B9"


@pytest.mark.parametrize("manner", ["blank-lines", "carriage-returns", "control-characters", "stderr-flood"])
def test_ask__takes_what_the_protocol_allows(manner: str) -> None:
    with client_of(manner) as client:
        assert [client.ask("genmove b", timeout_s=ENOUGH_S) for _ in range(3)] == ["A9", "B9", "C9"]
        assert client.ask("name", timeout_s=ENOUGH_S) == "Rogue"


def test_ask__after_a_refusal_the_conversation_goes_on() -> None:
    with client_of("refuses") as client:
        with pytest.raises(RefusalError, match=r"refused 'genmove b': 'I would rather not'") as caught:
            client.ask("genmove b", timeout_s=ENOUGH_S)
        assert caught.value.text == "I would rather not"
        assert client.ask("name", timeout_s=ENOUGH_S) == "Rogue"


@pytest.mark.parametrize(
    ("manner", "error", "message"),
    [
        ("megabytes", ProtocolError, "more than 1048576 bytes"),
        ("megalines", ProtocolError, "more than 10000 lines"),
        ("nul-bytes", ProtocolError, "more than 1048576 bytes"),
        ("endless", ProtocolError, "not a GTP reply"),
        ("wrong-id", ProtocolError, "the number '9' instead of 2"),
        ("no-id", ProtocolError, "no number instead of 2"),
        ("garbage", ProtocolError, "'Loading the network ..."),
        ("crash", CrashError, "exit status 3 at 'genmove b'; its last words: 'rogue: assertion failed: life is fair'"),
        ("killed", CrashError, "was ended by SIGKILL at 'genmove b'"),
        ("closes-stdout", CrashError, "closed its output at 'genmove b'"),
    ],
)
def test_ask__misbehaviour_is_an_error_of_one_line(manner: str, error: type[EngineError], message: str) -> None:
    with client_of(manner) as client, pytest.raises(error) as caught:
        client.ask("genmove b", timeout_s=ENOUGH_S)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("manner", "message"),
    [
        ("hang", "gave no answer to 'genmove b' within 0.8 s"),
        ("deaf", "gave no answer to 'genmove b' within 0.8 s"),
        ("no-newline", "did not end its answer '=2 A9'"),
        ("one-newline", "did not end its answer '=2 A9'"),
        ("trickle", "did not end its answer '=2 D"),
    ],
)
def test_ask__an_answer_that_does_not_end_is_a_hang(manner: str, message: str) -> None:
    with client_of(manner) as client, pytest.raises(HangError) as caught:
        client.ask("genmove b", timeout_s=IMPATIENT_S)
    assert message in str(caught.value)


def test_ask__a_reply_that_nobody_asked_for_is_noticed() -> None:
    with client_of("early") as client:
        assert client.ask("genmove b", timeout_s=ENOUGH_S) == "A9"
        with pytest.raises(ProtocolError, match=r"said '=3 pass' before it was asked 'genmove w'"):
            client.ask("genmove w", timeout_s=ENOUGH_S)


def test_ask__a_program_that_has_ended_is_a_crash() -> None:
    with GtpClient(["/bin/sh", "-c", "exit 5"]) as client:
        assert until(lambda: not is_alive(client.pid))
        with pytest.raises(CrashError, match=r"ended with exit status 5"):
            client.ask("name", timeout_s=ENOUGH_S)


def test_ask__a_program_that_reads_nothing_does_not_block_the_writer() -> None:
    with GtpClient(["/bin/sleep", "100"]) as client, pytest.raises(HangError, match=r"did not read"):
        client.ask("echo " + "x" * 1_000_000, timeout_s=IMPATIENT_S)


@pytest.mark.parametrize("command", ["", " ", "name\nquit", "name\r"])
def test_ask__a_command_is_one_line(command: str) -> None:
    with client_of("honest") as client, pytest.raises(ValueError, match=r"is not a GTP command"):
        client.ask(command, timeout_s=ENOUGH_S)


def test_ask__nothing_may_be_asked_of_a_closed_program() -> None:
    with client_of("honest") as client:
        pass
    client.close()
    with pytest.raises(ValueError, match=r"has been closed"):
        client.ask("name", timeout_s=ENOUGH_S)


def test_client__keeps_only_the_tail_of_stderr() -> None:
    with client_of("stderr-flood") as client:
        client.ask("genmove b", timeout_s=ENOUGH_S)
        assert client.stderr_tail.endswith("thinking aloud\n")
        assert len(client.stderr_tail) <= gtp_client.STDERR_TAIL


# Beginning and end ----------------------------------------------------------------------------------------------------


def test_client__a_program_that_does_not_exist_is_a_crash() -> None:
    with pytest.raises(CrashError, match=r"could not be started: '/no/such/engine': No such file or directory"):
        GtpClient(["/no/such/engine"])


def test_client__a_file_that_is_no_program_is_a_crash(tmp_path: Path) -> None:
    text = tmp_path / "engine.txt"
    text.write_text("I am no program")
    text.chmod(0o755)
    with pytest.raises(CrashError, match=r"could not be started: .*: Exec format error"):
        GtpClient([str(text)])


def test_close__kills_what_ignores_quit_and_sigterm_with_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp_client, "QUIT_S", 0.1)
    client = GtpClient(rogue("forks"))
    with pytest.raises(HangError):
        client.ask("genmove b", timeout_s=3)
    child = int(client.stderr_tail.split()[1])
    assert is_alive(child)
    client.close()
    assert not is_alive(client.pid)
    assert until(lambda: not is_alive(child))


def test_close__kills_the_children_of_a_program_that_has_ended() -> None:
    script = "sleep 1000 >&2 & echo child $! >&2; read line; echo '=1'; echo"
    client = GtpClient(["/bin/sh", "-c", script])
    assert client.ask("name", timeout_s=ENOUGH_S) == ""
    child = int(client.stderr_tail.split()[1])
    client.close()
    assert until(lambda: not is_alive(child))


def test_close__counts_the_processor_time_of_the_program() -> None:
    client = GtpClient(["/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; read x; echo =1; echo"])
    client.ask("name", timeout_s=ENOUGH_S)
    client.close()
    assert client.cpu_s > 0


OWNER = """
import sys, time
from tesuji.experiments.players.gtp_client import EngineError, GtpClient
client = GtpClient(sys.argv[1:])
try:
    client.ask("genmove b", timeout_s=3)
except EngineError:
    pass
print(client.pid, client.stderr_tail.split()[1], flush=True)
time.sleep(1000)
"""


def test_watchdog__programs_and_their_children_die_with_a_process_that_is_killed() -> None:
    command = [sys.executable, "-c", OWNER, *rogue("forks")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pids = [int(word) for word in owner.stdout.readline().split()]
        assert len(pids) == 2
        assert all(is_alive(pid) for pid in pids)
        os.kill(owner.pid, signal.SIGKILL)
        assert until(lambda: not any(is_alive(pid) for pid in pids))


FORKING_OWNER = """
import os, sys, time
from tesuji.experiments.players.gtp_client import GtpClient
with GtpClient(sys.argv[1:]) as client:
    child = os.fork()
    if not child:
        time.sleep(1000)
    print(client.pid, child, flush=True)
    time.sleep(1000)
"""


def test_watchdog__a_forked_child_does_not_keep_programs_alive() -> None:
    command = [sys.executable, "-c", FORKING_OWNER, "/bin/sleep", "1000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        program, child = (int(word) for word in owner.stdout.readline().split())
        os.kill(owner.pid, signal.SIGKILL)
        try:
            assert until(lambda: not is_alive(program))
        finally:
            os.kill(child, signal.SIGKILL)


def test_watchdog__leaves_released_programs_alone() -> None:
    """A number that was released may belong to somebody else: here, to a sleeper that the watchdog must not kill."""
    script = "\n".join(
        [
            "import sys",
            "from tesuji.experiments.players import watchdog",
            "for group in map(int, sys.argv[1:]): watchdog.watch(group)",
            "watchdog.release(int(sys.argv[1]))",
        ]
    )
    sleepers = [subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True) for _ in range(2)]
    try:
        subprocess.run([sys.executable, "-c", script, *(str(sleeper.pid) for sleeper in sleepers)], check=True)
        assert sleepers[1].wait(timeout=ENOUGH_S) == -signal.SIGKILL
        assert sleepers[0].poll() is None
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
