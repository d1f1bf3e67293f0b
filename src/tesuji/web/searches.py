"""Who searches: a few threads for all pages, and the right of each search to one of them.

A `Job` is one search. It waits until a thread is free, reports while it runs, and ends when its work is done, when its
owner stops it, or when the longest time is over. Reports and the end come home on the event loop, where all state of
the server lives; nothing but the search itself runs on the thread. What is searched is not known here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from tesuji.web.settings import Limits

__all__ = ["Job", "Searches", "TooManySearches"]

T = TypeVar("T")
_LOG = logging.getLogger("tesuji.web")


class TooManySearches(ValueError):  # noqa: N818 - what it is, not what went wrong
    """A page asks for more searches than one page may have."""


class Job(Generic[T]):
    """One search: waiting, running or over.

    Attributes
    ----------
    owner : object
        Whose it is: a page or a document.
    is_stopped : bool
        Whether somebody wants it to end; the work looks at this, or is told through `stop_by`.
    """

    def __init__(self, searches: Searches, owner: object, on_report: Callable[[Any], None] | None) -> None:
        self.owner = owner
        self.is_stopped = False
        self.is_running = False
        self._searches = searches
        self._on_report = on_report
        self._stop_by: Callable[[], None] | None = None
        self._is_over = threading.Event()

    def stop_by(self, stop: Callable[[], None]) -> None:
        """Say how the work is ended from another thread; called by the work itself."""
        self._stop_by = stop
        if self.is_stopped:
            stop()

    def report(self, what: Any) -> bool:
        """Send something home; False: the work shall end. Called by the work itself."""
        if self._on_report is not None and not self.is_stopped:
            self._searches.at_home(self._heard, what)
        return not self.is_stopped

    def stop(self) -> None:
        """Let it end as soon as it can; a job that waits never begins."""
        self.is_stopped = True
        self._searches.forget(self)
        if self._stop_by is not None:
            self._stop_by()

    def _heard(self, what: Any) -> None:
        if self._on_report is not None and not self.is_stopped:
            self._on_report(what)


class Searches:
    """The threads of all searches.

    Parameters
    ----------
    limits : Limits
        How many at once, and for how long.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.searches, thread_name_prefix="tesuji-search")
        self._jobs: dict[Job[Any], Future[Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        """How many there are, waiting ones among them."""
        return len(self._jobs)

    @property
    def num_waiting(self) -> int:
        """How many wait for a thread."""
        return sum(not job.is_running for job in self._jobs)

    def start(
        self,
        work: Callable[[Job[T]], T],
        *,
        owner: object,
        on_report: Callable[[Any], None] | None = None,
        on_end: Callable[[T], None] | None = None,
        on_error: Callable[[str], None] | None = None,
    ) -> Job[T]:
        """Begin a search, or queue it.

        Parameters
        ----------
        work : callable
            Does it, on a thread; gets the job.
        owner : object
            Whose it is; one owner has only so many at once.
        on_report, on_end, on_error : callable, optional
            Called on the event loop: with what the work reports, with what it returns, with what went wrong. Nothing is
            called of a job that was stopped.

        Raises
        ------
        TooManySearches
            If the owner has too many already.
        """
        self._loop = asyncio.get_running_loop()
        if sum(job.owner is owner for job in self._jobs) >= self._limits.searches_per_page:
            raise TooManySearches(
                f"this page has {self._limits.searches_per_page} searches already; stop one of them first"
            )
        job: Job[T] = Job(self, owner, on_report)

        def run() -> None:
            if job.is_stopped:
                return
            job.is_running = True
            timer = threading.Timer(self._limits.search_s, lambda: self.at_home(job.stop))
            timer.daemon = True
            timer.start()
            try:
                found = work(job)
            except Exception as error:
                self.at_home(self._failed, job, error, on_error)
            else:
                self.at_home(self._ended, job, found, on_end)
            finally:
                timer.cancel()

        self._jobs[job] = self._threads.submit(run)
        return job

    def stop_all_of(self, owner: object) -> None:
        """End all searches of an owner."""
        for job in [job for job in self._jobs if job.owner is owner]:
            job.stop()

    def forget(self, job: Job[Any]) -> None:
        """A job was stopped: its thread, if it has not begun, is for others."""
        if (future := self._jobs.pop(job, None)) is not None:
            future.cancel()

    def at_home(self, what: Callable[..., None], *args: Any) -> None:
        """Call something on the event loop; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended, and the server with it
            assert self._loop is not None
            self._loop.call_soon_threadsafe(what, *args)

    def close(self) -> None:
        """End all searches, and wait until they have."""
        for job in list(self._jobs):
            job.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _ended(self, job: Job[T], found: T, on_end: Callable[[T], None] | None) -> None:
        self._jobs.pop(job, None)
        if on_end is not None and not job.is_stopped:
            on_end(found)

    def _failed(self, job: Job[Any], error: Exception, on_error: Callable[[str], None] | None) -> None:
        self._jobs.pop(job, None)
        if not isinstance(error, ValueError | OSError):
            _LOG.error("a search failed", exc_info=error)
        if on_error is not None and not job.is_stopped:
            on_error(str(error) or type(error).__name__)
