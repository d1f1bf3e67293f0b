"""Tesuji: a Monte-Carlo tree search workbench, with a native core.

``tesuji.go`` holds the game of Go: boards, rules, records, pictures, an engine. ``tesuji --help`` shows the commands.
"""

from __future__ import annotations

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    # Asked for lazily: reading the package's metadata costs more than the rest of this import.
    if name == "__version__":
        from importlib import metadata

        return metadata.version("tesuji")
    raise AttributeError(f"module 'tesuji' has no attribute {name!r}")
