"""Waiting for a condition instead of a time: what a test waits for comes sooner or later, however busy the machine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from tesuji.search import Search

LIMIT_S = 600.0


def wait_until(condition: Callable[[], object]) -> None:
    """Return when the condition holds; fail after ten minutes."""
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "it has not come to pass in ten minutes"
        time.sleep(0.005)


def wait_for_visits(search: Search, visits: int) -> None:
    """Return when a search that runs on another thread has seen its root so often."""

    def is_there() -> bool:
        with contextlib.suppress(ValueError, RuntimeError):  # it has not begun
            seen = search.graph()["node_visits"]
            return len(seen) > 0 and int(seen[0]) >= visits
        return False

    wait_until(is_there)
