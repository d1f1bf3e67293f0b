"""The data of experiments about recorded games: databases in a folder that the environment names, never in the package.

``TESUJI_GAMES_DATA`` is a folder with ``pro.db`` (professionals) and ``kgs.db`` (strong amateurs), as
``tesuji masters import`` makes them.
"""

from __future__ import annotations

import os
from pathlib import Path

from tesuji.go.masters.database import GameDatabase

__all__ = ["VARIABLE", "open_games"]

VARIABLE = "TESUJI_GAMES_DATA"


def open_games(name: str) -> GameDatabase:
    """A database of the folder, ``pro`` or ``kgs``.

    Raises
    ------
    ValueError
        If the folder is not named, or the file is not in it.
    """
    folder = os.environ.get(VARIABLE)
    make = f"make it: tesuji masters import {name}.db FILE..."
    if not folder:
        raise ValueError(f"{VARIABLE} is not set; let it name the folder with {name}.db, and {make}")
    path = Path(folder) / f"{name}.db"
    if not path.exists():
        raise ValueError(f"{name}.db is not in the folder that {VARIABLE} names; {make}")
    return GameDatabase(path)
