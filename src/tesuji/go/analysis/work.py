"""The queue: which position is analysed next, and which are still open.

A query becomes one task for each of its turns. Workers take the task of the highest priority, the earliest of equals.
All methods may be called from any thread; nothing here searches or writes.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Collection, Iterable
from itertools import chain

from tesuji.go.analysis.query import Query
from tesuji.go.analysis.some_moves import Analyst

__all__ = ["Task", "Work"]

_STOP_INTERVAL_S = 0.002


class Task:
    """One turn of a query.

    Attributes
    ----------
    query : Query
        What was asked.
    turn : int
        How many moves are played.
    analyst : Analyst or None
        Who searches it; None while it waits.
    is_terminated : bool
        Whether it shall end now.
    """

    def __init__(self, query: Query, turn: int) -> None:
        self.query, self.turn = query, turn
        self.analyst: Analyst | None = None
        self.is_terminated = False


class Work:
    """All tasks that are not done yet."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Task]] = []  # a heap: priority downward, then first come
        self._open: dict[str, list[Task]] = {}
        self._count = 0
        self._is_closed = False
        self._changed = threading.Condition()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is open."""
        return not self._open

    def add(self, query: Query) -> None:
        """Queue the turns of a query.

        Its id may be that of another one that is still open, as in KataGo: both are answered, and terminated together.
        """
        with self._changed:
            tasks = [Task(query, turn) for turn, _ in query.turns]
            if tasks:
                self._open.setdefault(query.id, []).extend(tasks)
            for task, (_, priority) in zip(tasks, query.turns, strict=True):
                self._count += 1
                heapq.heappush(self._waiting, (-priority, self._count, task))
            self._changed.notify(len(tasks))

    def take(self, analyst: Analyst) -> Task | None:
        """Wait for the next task and give it to an analyst; None when there will be no more."""
        with self._changed:
            while True:
                while self._waiting:
                    task = heapq.heappop(self._waiting)[2]
                    if not task.is_terminated:
                        task.analyst = analyst
                        return task
                if self._is_closed:
                    return None
                self._changed.wait()

    def finish(self, task: Task) -> None:
        """Close a task, before its last answer is written: then its id is free again."""
        with self._changed:
            tasks = self._open[task.query.id]
            tasks.remove(task)
            if not tasks:
                del self._open[task.query.id]

    def terminate(self, query_id: str | None = None, turns: Collection[int] | None = None) -> list[Task]:
        """End tasks: of one query or of all, at some turns or at all.

        Returns
        -------
        list of Task
            Those that nobody had begun; they are closed, and what is to be said about them is the caller's.
        """
        with self._changed:
            chosen = [task for task in self._named(query_id) if turns is None or task.turn in turns]
            for task in chosen:
                task.is_terminated = True
            idle = [task for task in chosen if task.analyst is None]
        for task in idle:
            self.finish(task)
        return idle

    def stop_terminated(self) -> None:
        """Stop the searches of terminated tasks until they end: one that is only just beginning forgets it."""
        with self._changed:
            while searching := [task.analyst for task in self._named(None) if task.is_terminated and task.analyst]:
                for analyst in searching:
                    analyst.stop()
                self._changed.wait(_STOP_INTERVAL_S)

    def close(self) -> None:
        """Take no more: workers end when nothing waits."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _named(self, query_id: str | None) -> Iterable[Task]:
        return chain.from_iterable(self._open.values()) if query_id is None else self._open.get(query_id, ())
