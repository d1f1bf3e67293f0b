"""KataGo's analysis protocol: a query a line in, a JSON object a line out, several positions at a time.

`AnalysisServer.take` carries out one line: a query is checked and queued, an action done at once. Each analyst works on
its own thread; `run` connects all that to two streams. Whatever is wrong with a line is one object with ``error``, and
the other lines are answered. Only answers are written: what is printed meanwhile goes to stderr.

docs/howto/analysis.md is the protocol as spoken here.
"""

from __future__ import annotations

import contextlib
import io
import math
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from tesuji.go.analysis.answer import NoResults, answered
from tesuji.go.analysis.errors import QueryError, shown
from tesuji.go.analysis.lines import MAX_LINE, ReadsBytes, lines_of
from tesuji.go.analysis.query import QueryReader
from tesuji.go.analysis.settings import Settings
from tesuji.go.analysis.some_moves import Analyst, analyse_moves
from tesuji.go.analysis.work import Task, Work
from tesuji.go.engine import Analysis, EngineConfig
from tesuji.go.rules.board import Board
from tesuji.go.rules.vertex import quoted

__all__ = ["AnalysisServer", "WritesBytes"]

_MOST_POLL_S = 0.2  # so often at least a search is asked whether it shall go on
_WAKE_S = 0.2  # so often a waiting main thread looks up, because some systems deliver Ctrl-C only then
_STOP_INTERVAL_S = 0.002
_PATIENCE_S = 2.0  # at the end, with a worker that writes to somebody who does not read
_LAST_LINE_S = 0.2  # then, with any other thread that is still writing
_FULL_PIPE_S = 0.001  # before a pipe that does not block and takes nothing is tried again
_ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")


class WritesBytes(Protocol):
    """A stream such as ``sys.stdout.buffer.raw``: ``write`` may write a part and says how much."""

    def write(self, data: memoryview, /) -> int | None:
        """Write what it can."""
        ...


class AnalysisServer:
    """Answers queries.

    Parameters
    ----------
    analysts : sequence of Analyst
        As many positions are analysed at a time; each is used by one thread only.
    settings : Settings
        What a query gets that says nothing else.
    version, commit : str
        What ``query_version`` answers.
    """

    def __init__(
        self, analysts: Sequence[Analyst], settings: Settings, *, version: str = "", commit: str = "<omitted>"
    ) -> None:
        self._analysts = analysts
        self._reader = QueryReader(settings)
        self._version, self._commit = version, commit
        self._work = Work()
        self._replies: WritesBytes | None = None
        self._writing = threading.Lock()
        self._is_dropping = False  # the end has come, and nobody wants to hear of it
        self._input_ended = threading.Event()

    @property
    def is_idle(self) -> bool:
        """Whether every query is answered."""
        return self._work.is_idle

    def run(self, queries: ReadsBytes, replies: WritesBytes, *, waits: bool = True) -> None:
        """Answer until the input ends, an exception such as that of Ctrl-C, or a closed pipe; then nothing is written.

        Parameters
        ----------
        queries, replies : streams of bytes
            Without buffers, for instance ``sys.stdin.buffer.raw`` and ``sys.stdout.buffer.raw``: a thread may still be
            reading when all is over.
        waits : bool
            Whether queued queries are answered when the input has ended.
        """
        self._replies = replies
        workers = [
            threading.Thread(target=self._work_on, args=(analyst,), name=f"tesuji-analysis-{number}", daemon=True)
            for number, analyst in enumerate(self._analysts)
        ]
        reader = threading.Thread(target=self._read, args=(queries,), name="tesuji-analysis-reader", daemon=True)
        with contextlib.redirect_stdout(sys.stderr):
            for thread in (*workers, reader):
                thread.start()
            try:
                while not self._input_ended.wait(_WAKE_S):
                    pass
                self._is_dropping = self._is_dropping or not waits
                self._work.close()
                self._join(workers)
            finally:
                self._is_dropping = True
                self._work.close()
                self._join(workers)
                self._hang_up()

    def take(self, line: bytes) -> None:
        """Carry out one line; nothing for an empty one."""
        query_id: str | None = None
        try:
            said = _decoded(line)
            if said is None:
                return
            query_id = _id_of(said)
            if "action" in said:
                self._act(said)
            else:
                self._enqueue(said)
        except QueryError as error:
            self._say(_complaint("error", query_id, error.field, str(error)))
        except Exception as error:  # a fault of ours must not end the others' analyses
            self._fail(query_id, error)

    def reply(self, line: bytes) -> bytes:
        """Carry out one line and all that it queues on the calling thread; the whole answer, without `run`."""
        self._replies = answer = io.BytesIO()
        self.take(line)
        self._work.close()
        self._work_on(self._analysts[0])
        return answer.getvalue()

    # Reading ---------------------------------------------------------------------------------------------------------

    def _read(self, queries: ReadsBytes) -> None:
        try:
            for line in lines_of(queries):
                self.take(line)
                if self._is_dropping:
                    break
        except (OSError, ValueError):
            traceback.print_exc()
        finally:
            self._input_ended.set()

    def _enqueue(self, said: dict[str, Any]) -> None:
        query = self._reader.read(said)
        for field, message in query.warnings:
            self._say(_complaint("warning", query.id, field, message))
        self._work.add(query)

    def _act(self, said: dict[str, Any]) -> None:
        match said["action"]:
            case "query_version":
                said |= {"version": self._version, "git_hash": self._commit}
            case "query_models":
                said |= {"models": []}  # no neural network plays here
            case "clear_cache":
                pass  # every analysis begins anew: there is no cache
            case "terminate":
                if not isinstance(said.get("terminateId"), str):
                    raise QueryError("terminateId", "terminate needs a terminateId, the id of a query")
                self._terminate(said["terminateId"], _turns_of(said))
            case "terminate_all":
                self._terminate(None, _turns_of(said))
            case unknown:
                raise QueryError("action", f"action is {shown(unknown)}; it must be one of {', '.join(_ACTIONS)}")
        self._say(said)
        self._work.stop_terminated()

    def _terminate(self, query_id: str | None, turns: Collection[int] | None) -> None:
        for task in self._work.terminate(query_id, turns):
            self._say(NoResults(id=task.query.id, turn_number=task.turn))

    # Working ---------------------------------------------------------------------------------------------------------

    def _work_on(self, analyst: Analyst) -> None:
        while (task := self._work.take(analyst)) is not None:
            if self._is_dropping:
                self._work.finish(task)
                continue
            reply: object
            try:
                reply = self._analysed(analyst, task)
            except QueryError as error:
                reply = _complaint("error", task.query.id, error.field, str(error))
            except Exception as error:
                self._work.finish(task)
                self._fail(task.query.id, error)
                continue
            self._work.finish(task)
            if not self._is_dropping:
                self._say(reply)

    def _analysed(self, analyst: Analyst, task: Task) -> object:
        query, settings = task.query, task.query.settings
        _configure(analyst, settings.config)
        board = query.board_at(task.turn)
        moves = query.restriction.moves_left(board)
        progress = _Progress(task, lambda so_far: self._report(task, board, so_far), lambda: self._is_dropping)
        analyse: Callable[..., Analysis] = analyst.analyse
        if moves is not None:
            analyse = partial(analyse_moves, analyst, moves=moves, is_wanted=progress.is_wanted)
        found = analyse(
            board,
            simulations=settings.visits,
            seconds=settings.seconds,
            on_progress=progress,
            report_s=progress.poll_s,
        )
        if not found.moves:
            return NoResults(id=query.id, turn_number=task.turn)
        return answered(query, task.turn, board, found, is_during_search=False)

    def _report(self, task: Task, board: Board, so_far: Analysis) -> None:
        self._say(answered(task.query, task.turn, board, so_far, is_during_search=True))

    def _join(self, workers: Sequence[threading.Thread]) -> None:
        """Wait for the workers; once nobody wants to hear of it, stop their searches too, and do not wait for ever."""
        left_s = _PATIENCE_S
        for worker in workers:
            while worker.is_alive() and left_s > 0:
                if not self._is_dropping:
                    worker.join(_WAKE_S)
                    continue
                for analyst in self._analysts:
                    analyst.stop()
                worker.join(_STOP_INTERVAL_S)
                left_s -= _STOP_INTERVAL_S

    # Writing ---------------------------------------------------------------------------------------------------------

    def _fail(self, query_id: str | None, error: Exception) -> None:
        """Report a fault that is not the query's."""
        traceback.print_exc()
        message = " ".join(str(error).split())
        self._say(_complaint("error", query_id, "", f"internal error: {type(error).__name__}: {message}"))

    def _hang_up(self) -> None:
        """Write nothing more, once the line that is being written is whole."""
        if self._writing.acquire(timeout=_LAST_LINE_S):
            self._replies = None
            self._writing.release()

    def _say(self, reply: object) -> None:
        data = memoryview(msgspec.json.encode(reply) + b"\n")
        try:
            with self._writing:
                while data and self._replies is not None:
                    if written := self._replies.write(data):
                        data = data[written:]
                    else:
                        time.sleep(_FULL_PIPE_S)
        except (OSError, ValueError):  # nobody listens any more
            self._replies = None
            self._is_dropping = True
            self._input_ended.set()


class _Progress:
    """What a search is asked while it runs: whether it is still wanted, and whether a report is due.

    Attributes
    ----------
    poll_s : float
        Seconds between two questions, such that a report is due at one of them.
    """

    def __init__(self, task: Task, report: Callable[[Analysis], None], is_dropping: Callable[[], bool]) -> None:
        self._task, self._report, self._is_dropping = task, report, is_dropping
        report_s, first_s = task.query.report_s, task.query.first_report_s
        self._every_s = math.inf if report_s is None else report_s
        shortest_s = min((each for each in (report_s, first_s) if each is not None), default=_MOST_POLL_S)
        self.poll_s = shortest_s / math.ceil(shortest_s / _MOST_POLL_S)
        self._due_s = time.monotonic() + (self._every_s if first_s is None else first_s) - self.poll_s / 2

    def is_wanted(self) -> bool:
        """Whether it shall go on."""
        return not (self._task.is_terminated or self._is_dropping())

    def __call__(self, so_far: Analysis) -> bool:
        if not self.is_wanted():
            return False
        if so_far.moves and time.monotonic() >= self._due_s:
            self._due_s += self._every_s
            self._report(so_far)
        return True


def _decoded(line: bytes) -> dict[str, Any] | None:
    """The object of a line; None for an empty line."""
    if len(line) > MAX_LINE:
        raise QueryError("", f"a line is longer than {MAX_LINE:,} bytes; send the game in parts")
    text = line.strip()
    if not text:
        return None
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        beginning = quoted(text[:200].decode("utf-8", "replace"))
        raise QueryError("", f"could not parse input line as json request: {error}: {beginning}") from None
    if not isinstance(said, dict):
        raise QueryError("", f"Request line was valid json but was not an object: {type(said).__name__}")
    return said


def _id_of(said: dict[str, Any]) -> str:
    query_id = said.get("id")
    if not isinstance(query_id, str):
        raise QueryError("", 'Request must have a string "id" field')
    return query_id


def _turns_of(said: dict[str, Any]) -> set[int] | None:
    if "turnNumbers" not in said:
        return None
    turns = said["turnNumbers"]
    if not isinstance(turns, list) or any(type(turn) is not int for turn in turns):
        raise QueryError("turnNumbers", "turnNumbers must be a list of whole numbers, or be left out for all turns")
    return set(turns)


def _configure(analyst: Analyst, config: EngineConfig) -> None:
    """Let an analyst think in another way; files that the config names are read now."""
    if analyst.config is config:
        return
    try:
        analyst.config = config
    except (OSError, ValueError) as error:
        raise QueryError("overrideSettings", f"Could not set settings: {error}") from None


def _complaint(kind: str, query_id: str | None, field: str, message: str) -> dict[str, str]:
    """KataGo's form of an error or a warning."""
    about = {"id": query_id} if query_id is not None else {}
    return {kind: message, **({"field": field} if field else {}), **about}
