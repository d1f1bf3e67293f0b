"""What all tests share: names of parameters that are the same in every process."""

from __future__ import annotations


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name an object by its class where its repr is an address, which pytest-xdist's workers do not share."""
    return type(val).__name__ if " object at 0x" in repr(val) else None
