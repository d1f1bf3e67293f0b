"""What all tests share: names of parameters that are the same in every process, and Ctrl-C that is heard."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Hear Ctrl-C: a shell starts what it runs in the background deaf to it, and tests of interruption would go on."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name an object by its class where its repr is an address, which pytest-xdist's workers do not share."""
    return type(val).__name__ if " object at 0x" in repr(val) else None
