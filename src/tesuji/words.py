"""Words that messages share: which name was meant, what to install and from where, how the command is typed.

Nothing here prints or raises.
"""

from __future__ import annotations

import difflib
import shlex
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["GAME_NAMES", "how_to_get", "how_to_install", "meant", "program"]

GAME_NAMES = ("go", "tictactoe", "connect4", "othello", "breakthrough", "gomoku", "hex", "y", "havannah")
"""The games as they are typed: the one list of all commands, of the page and of the catalogue (`tesuji.games`)."""


def meant(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The known name that is nearest to one that is not; None if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return near[0] if near else None


def how_to_install(extra: str) -> str:
    """The command that adds an extra to this very installation: a checkout, a wheel or an index."""
    return f"{_beside('pip')} install {shlex.quote(f'{_origin()}[{extra}]')}"


def how_to_get(package: str) -> str:
    """The command that adds another package, which is not one of our extras, to this environment."""
    return f"{_beside('pip')} install {shlex.quote(package)}"


def program() -> str:
    """How this command is typed here: ``tesuji`` where the shell finds it, else its path."""
    return _beside("tesuji")


def _beside(name: str) -> str:
    """A program of this environment: its name if that finds it, else its path from here."""
    there = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not there.exists() or (found is not None and Path(found).resolve() == there.resolve()):
        return name
    try:
        return shlex.quote(str(there.relative_to(Path.cwd())))
    except ValueError:
        return shlex.quote(str(there))


@cache
def _origin() -> str:
    """Where the package came from: a folder, a file, an address; its name if it came from an index."""
    from importlib import metadata
    from json import JSONDecodeError, loads
    from urllib.parse import unquote, urlsplit

    try:
        told = metadata.distribution("tesuji").read_text("direct_url.json")
        url = str(loads(told or "{}").get("url", ""))
    except (metadata.PackageNotFoundError, JSONDecodeError, AttributeError):
        return "tesuji"
    if url.startswith("file:"):
        return unquote(urlsplit(url).path)
    return f"tesuji @ {url}" if url else "tesuji"
