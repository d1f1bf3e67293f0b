"""Tesuji: a Monte-Carlo tree search workbench, with a native core.

``tesuji.go`` holds the game of Go: boards, rules, records, pictures, an engine. ``tesuji --help`` shows the commands.
"""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"  # the package's metadata take it from here: reading those costs more than the rest of this import
