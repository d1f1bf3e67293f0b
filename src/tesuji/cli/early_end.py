"""Ctrl-C in a command that can end early with what it has."""

from __future__ import annotations

import signal
import time

import click

__all__ = ["EarlyEnd"]


class EarlyEnd:
    """Ctrl-C as a wish to end early; the second one ends at once. Says now and then what is done."""

    def __init__(self) -> None:
        self.was_asked = False
        self._last = time.perf_counter()

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._asked)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _asked(self, *_: object) -> None:
        self.was_asked = True
        signal.signal(signal.SIGINT, self._before)

    def judging(self, share: float) -> None:
        """Tell how far it is."""
        self.told("looking at games", share)

    def told(self, what: str, share: float) -> bool:
        """Tell how far it is; whether to go on."""
        if time.perf_counter() - self._last > 2:
            self._last = time.perf_counter()
            click.echo(f"{what}: {min(1.0, share):.0%}", err=True)
        return not self.was_asked
