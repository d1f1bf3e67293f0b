"""The analysis server: order, reports, termination, and every way to end."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

import pytest

from go.quick_analyst import CONFIG, PatientAnalyst, QuickAnalyst, make_server
from patience import wait_until
from tesuji.go.analysis import AnalysisServer, Settings
from tesuji.go.analysis.lines import MAX_LINE, lines_of
from tesuji.go.engine import Analysis
from tesuji.go.rules.board import Board

BASE: dict[str, Any] = {"moves": [], "rules": "chinese", "boardXSize": 5, "boardYSize": 5}


def query(name: str, **fields: Any) -> bytes:
    return json.dumps(BASE | {"id": name} | fields).encode() + b"\n"


def run(server: AnalysisServer, data: bytes, **extra: Any) -> list[dict[str, Any]]:
    out = io.BytesIO()
    server.run(io.BytesIO(data), out, **extra)
    return [json.loads(line) for line in out.getvalue().splitlines()]


class Conversation:
    """A server on threads that can be talked to."""

    def __init__(self, *analysts: QuickAnalyst) -> None:
        self.analysts = analysts
        self.server = AnalysisServer(analysts, Settings.of(CONFIG), version="1.2", commit="abc")
        ours, theirs = os.pipe()
        self._in = os.fdopen(theirs, "wb", buffering=0)
        self._queries = os.fdopen(ours, "rb", buffering=0)
        self.heard: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=lambda: self.server.run(self._queries, self), daemon=True)
        self._thread.start()

    def write(self, data: memoryview) -> int:
        """Hear one answer."""
        self.heard.append(json.loads(bytes(data)))
        return len(data)

    def say(self, *lines: bytes) -> None:
        self._in.write(b"".join(lines))

    def wait_for(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for _ in range(3000):
            for answer in list(self.heard):
                if is_there(answer):
                    return answer
            time.sleep(0.01)
        raise AssertionError(f"not heard; heard were {self.heard}")

    def end(self) -> None:
        for analyst in self.analysts:
            if isinstance(analyst, PatientAnalyst):
                analyst.is_released.set()
        if not self._in.closed:
            self._in.close()
        self._thread.join(600)
        assert not self._thread.is_alive()
        self._queries.close()


@pytest.fixture
def patient() -> PatientAnalyst:
    return PatientAnalyst()


@pytest.fixture
def talk(patient: PatientAnalyst) -> Iterator[Conversation]:
    conversation = Conversation(patient)
    yield conversation
    conversation.end()


def named(name: str, **fields: Any) -> Callable[[dict[str, Any]], bool]:
    return lambda answer: answer.get("id") == name and fields.items() <= answer.items()


# Order ----------------------------------------------------------------------------------------------------------------


def test_order__is_by_priority_and_then_first_come(talk: Conversation, patient: PatientAnalyst) -> None:
    talk.say(query("first"))
    assert patient.has_begun.wait(30)
    talk.say(query("low", priority=-1), query("a"), query("high", priority=5), query("b"))
    talk.say(query("turns", moves=[["B", "A1"]], analyzeTurns=[0, 1], priorities=[-2, 9]))
    talk.say(b'{"id":"v","action":"query_version"}\n')
    talk.wait_for(named("v"))
    patient.is_released.set()
    talk.wait_for(named("turns", turnNumber=0))
    finals = [(answer["id"], answer["turnNumber"]) for answer in talk.heard if "turnNumber" in answer]
    assert finals == [("first", 0), ("turns", 1), ("high", 0), ("a", 0), ("b", 0), ("low", 0), ("turns", 0)]


def test_order__every_turn_has_its_answer_with_two_analysts() -> None:
    server = AnalysisServer([QuickAnalyst(), QuickAnalyst()], Settings.of(CONFIG))
    moves = [["BW"[i % 2], f"{'ABCDE'[i % 5]}{i // 5 + 1}"] for i in range(20)]
    lines = b"".join(query(f"q{i}", moves=moves, analyzeTurns=list(range(21))) for i in range(10))
    heard = run(server, lines)
    assert sorted((answer["id"], answer["turnNumber"]) for answer in heard) == sorted(
        (f"q{i}", turn) for i in range(10) for turn in range(21)
    )


def test_analysts__work_at_the_same_time() -> None:
    both = PatientAnalyst(), PatientAnalyst()
    conversation = Conversation(*both)
    conversation.say(query("a"), query("b"))
    assert all(analyst.has_begun.wait(30) for analyst in both)
    conversation.end()
    assert {answer["id"] for answer in conversation.heard} == {"a", "b"}


# Reports --------------------------------------------------------------------------------------------------------------


def test_reports__come_during_the_search_and_end_with_one_final_answer(
    talk: Conversation, patient: PatientAnalyst
) -> None:
    talk.say(query("r", reportDuringSearchEvery=0.01))
    first = talk.wait_for(named("r", isDuringSearch=True))
    assert first["moveInfos"]
    patient.is_released.set()
    final = talk.wait_for(named("r", isDuringSearch=False))
    assert final["rootInfo"]["visits"] >= first["rootInfo"]["visits"]
    assert [answer["isDuringSearch"] for answer in talk.heard].count(False) == 1
    assert talk.heard[-1] is final


def test_reports__are_not_made_where_nobody_asked(talk: Conversation, patient: PatientAnalyst) -> None:
    talk.say(query("r"))
    wait_until(lambda: patient.tries > 20)  # so often it would have reported, if anybody had asked
    assert talk.heard == []


# Actions --------------------------------------------------------------------------------------------------------------


def test_terminate__a_running_search_answers_with_what_it_has(talk: Conversation) -> None:
    talk.say(query("long", reportDuringSearchEvery=0.01))
    talk.wait_for(named("long", isDuringSearch=True))
    request = {"id": "t", "action": "terminate", "terminateId": "long"}
    talk.say(json.dumps(request).encode() + b"\n")
    assert talk.wait_for(named("t")) == request
    assert talk.wait_for(named("long", isDuringSearch=False))["rootInfo"]["visits"] >= 1


class ForgetfulAnalyst(PatientAnalyst):
    """Reports nothing, and forgets to stop at the first time, as a search does that is only just beginning."""

    was_told = False

    def analyse(self, board: Board, **_: object) -> Analysis:
        return super().analyse(board)

    def stop(self) -> None:
        if self.was_told:
            super().stop()
        self.was_told = True


def test_terminate__a_search_that_is_only_just_beginning_ends_as_well() -> None:
    analyst = ForgetfulAnalyst()
    conversation = Conversation(analyst)
    conversation.say(query("new"))
    assert analyst.has_begun.wait(30)
    conversation.say(b'{"id":"t","action":"terminate","terminateId":"new"}\n')
    conversation.wait_for(named("new", isDuringSearch=False))
    conversation.end()


def test_terminate__a_waiting_query_has_no_results(talk: Conversation, patient: PatientAnalyst) -> None:
    talk.say(query("long"))
    assert patient.has_begun.wait(30)
    talk.say(query("q", moves=[["B", "A1"]], analyzeTurns=[0, 1]))
    talk.say(b'{"id":"t","action":"terminate","terminateId":"q","turnNumbers":[1]}\n')
    talk.wait_for(named("t"))
    none = {"id": "q", "turnNumber": 1, "isDuringSearch": False, "noResults": True}
    assert talk.heard[0] == none
    patient.is_released.set()
    assert "moveInfos" in talk.wait_for(named("q", turnNumber=0))
    assert [answer for answer in talk.heard if answer.get("turnNumber") == 1] == [none]


def test_terminate_all__ends_everything(talk: Conversation, patient: PatientAnalyst) -> None:
    talk.say(query("a", reportDuringSearchEvery=0.01), query("b"), query("c"))
    talk.wait_for(named("a", isDuringSearch=True))
    talk.say(b'{"id":"t","action":"terminate_all"}\n')
    for name in "abc":
        talk.wait_for(named(name, isDuringSearch=False))
    assert talk.server.is_idle
    assert len(patient.boards) == 1


def test_terminate__an_unknown_id_is_only_acknowledged(talk: Conversation) -> None:
    talk.say(b'{"id":"t","action":"terminate","terminateId":"nobody"}\n')
    assert talk.wait_for(named("t"))["terminateId"] == "nobody"


def test_query_version__says_ours() -> None:
    assert json.loads(make_server().reply(b'{"id":"v","action":"query_version","x":1}')) == {
        "id": "v", "action": "query_version", "x": 1, "version": "1.2", "git_hash": "abc",
    }  # fmt: skip


def test_clear_cache__is_acknowledged() -> None:
    assert json.loads(make_server().reply(b'{"id":"c","action":"clear_cache"}')) == {"id": "c", "action": "clear_cache"}


def test_query_models__there_are_none() -> None:
    assert json.loads(make_server().reply(b'{"id":"m","action":"query_models"}')) == {
        "id": "m", "action": "query_models", "models": [],
    }  # fmt: skip


def test_id__that_is_still_open_may_come_again_as_in_katago(talk: Conversation, patient: PatientAnalyst) -> None:
    talk.say(query("same"))
    assert patient.has_begun.wait(30)
    talk.say(query("same", moves=[["B", "A1"]]))
    patient.is_released.set()
    assert "moveInfos" in talk.wait_for(named("same", turnNumber=0))
    assert "moveInfos" in talk.wait_for(named("same", turnNumber=1))


# Lines ----------------------------------------------------------------------------------------------------------------


class Chunks:
    """A stream that brings its bytes in pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = iter(pieces)

    def read(self, _size: int, /) -> bytes:
        return next(self._pieces, b"")


def test_lines__are_put_together_from_pieces() -> None:
    assert list(lines_of(Chunks(b"a", b"b\nc", b"\n", b"\nd\ne", b"f"))) == [b"ab", b"c", b"", b"d", b"ef"]
    assert list(lines_of(Chunks(b"a\n"))) == [b"a"]
    assert list(lines_of(Chunks())) == []


def test_lines__a_long_one_is_cut_and_the_next_one_whole() -> None:
    piece = b"x" * (1 << 20)
    found = list(lines_of(Chunks(*[piece] * 20, b"\nnext\n")))
    assert [len(line) for line in found] == [MAX_LINE + 1, 4]


# The end --------------------------------------------------------------------------------------------------------------


def test_end__of_the_input_lets_the_queue_finish() -> None:
    heard = run(make_server(), query("a") + query("b") + b"nonsense")
    assert [answer.get("id") for answer in heard if "error" not in answer] == ["a", "b"]
    assert any("error" in answer for answer in heard)


def test_end__without_waiting_drops_what_is_running() -> None:
    analyst = PatientAnalyst()
    heard = run(make_server(analyst), query("a") + query("b"), waits=False)
    assert heard == []
    assert len(analyst.boards) <= 1


def test_end__leaves_no_thread_behind() -> None:
    before = threading.active_count()
    run(make_server(), query("a"))
    assert threading.active_count() == before


class Deaf:
    """A pipe that nobody reads from."""

    def write(self, _data: memoryview, /) -> int:
        raise BrokenPipeError


def test_end__comes_when_nobody_listens() -> None:
    before = threading.active_count()
    ours, theirs = os.pipe()  # stays open: the end must not wait for it
    with os.fdopen(ours, "rb", buffering=0) as queries, os.fdopen(theirs, "wb", buffering=0) as talker:
        talker.write(query("a"))
        thread = threading.Thread(target=lambda: make_server().run(queries, Deaf()))
        thread.start()
        thread.join(600)
        assert not thread.is_alive()
        talker.close()
        wait_until(lambda: threading.active_count() == before)  # its reader sees the end before the stream is closed


def test_write__a_partial_one_goes_on() -> None:
    class Slow(io.BytesIO):
        is_full = False

        def write(self, data: Any, /) -> int:
            self.is_full = not self.is_full
            return 0 if self.is_full else super().write(data[:70])

    out = Slow()
    make_server().run(io.BytesIO(query("a")), out)
    assert json.loads(out.getvalue())["id"] == "a"


# The program ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def program() -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tesuji.cli", "analysis", "--preset", "uct", "--threads", "2"]
    # Without buffers: `communicate` would pass over what `readline` has taken in beyond its line.
    with subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stderr is not None
        assert b"ready to begin handling requests" in process.stderr.readline()
        yield process
        process.kill()


LONG = query("long", maxVisits=100_000_000, reportDuringSearchEvery=0.05, boardXSize=9, boardYSize=9)


def begin(process: subprocess.Popen[bytes]) -> None:
    """Wait until a search of hours is under way."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(LONG)
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["isDuringSearch"]


def test_program__answers_lines_and_ends_with_its_input(program: subprocess.Popen[bytes]) -> None:
    out, errors = program.communicate(b"nonsense\n" + query("a", maxVisits=50) + query("b", maxVisits=50), timeout=600)
    assert [sorted(json.loads(line))[0] for line in out.splitlines()] == ["error", "id", "id"]
    assert (errors, program.returncode) == (b"", 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_program__ends_at_an_interrupt_in_the_middle_of_a_search(program: subprocess.Popen[bytes]) -> None:
    begin(program)
    program.send_signal(signal.SIGINT)
    out, errors = program.communicate(timeout=600)
    assert all(json.loads(line)["id"] == "long" for line in out.splitlines())
    assert (errors.strip(), program.returncode) == (b"", 130)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no SIGTERM")
def test_program__ends_at_sigterm_in_the_middle_of_a_search(program: subprocess.Popen[bytes]) -> None:
    begin(program)
    program.terminate()
    out, errors = program.communicate(timeout=600)
    assert all(json.loads(line)["id"] == "long" for line in out.splitlines())
    assert (errors, program.returncode) == (b"", 128 + signal.SIGTERM)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no SIGTERM")
def test_program__ends_at_sigterm_while_it_waits(program: subprocess.Popen[bytes]) -> None:
    program.terminate()
    assert program.wait(timeout=600) == 128 + signal.SIGTERM


def unread(pipe: IO[bytes] | None) -> int:
    """How many bytes wait in a pipe."""
    import fcntl
    import termios

    assert pipe is not None
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into a pipe of Linux")
def test_program__ends_at_sigterm_although_nobody_reads_its_answers(program: subprocess.Popen[bytes]) -> None:
    assert program.stdin is not None
    program.stdin.write(query("many", maxVisits=100_000_000, reportDuringSearchEvery=0.001, includeOwnership=True))
    program.stdin.flush()
    wait_until(lambda: unread(program.stdout) > 60_000)  # a pipe holds 65,536: it cannot write on
    program.terminate()
    assert program.wait(timeout=600) == 128 + signal.SIGTERM


def test_program__ends_in_the_middle_of_a_search_when_nobody_listens(program: subprocess.Popen[bytes]) -> None:
    begin(program)
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    assert program.wait(timeout=600) == 0
    assert program.stderr.read() == b""


def test_program__can_be_terminated_by_query(program: subprocess.Popen[bytes]) -> None:
    begin(program)
    out, _ = program.communicate(b'{"id":"t","action":"terminate","terminateId":"long"}\n', timeout=600)
    finals = [answer for answer in map(json.loads, out.splitlines()) if answer.get("isDuringSearch") is False]
    assert [answer["id"] for answer in finals] == ["long"]
    assert finals[0]["rootInfo"]["visits"] > 0
