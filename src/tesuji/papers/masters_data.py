"""The data of experiments about recorded games: databases in a folder that the environment names, never in the package.

``TESUJI_GAMES_DATA`` is a folder with ``pro.db`` (professionals) and ``kgs.db`` (strong amateurs), as
``tesuji masters import`` makes them.
"""

from __future__ import annotations

from tesuji.go.masters.database import GameDatabase
from tesuji.papers.data_folder import file_of_folder

__all__ = ["VARIABLE", "open_games"]

VARIABLE = "TESUJI_GAMES_DATA"


def open_games(name: str) -> GameDatabase:
    """A database of the folder, ``pro`` or ``kgs``.

    Raises
    ------
    ValueError
        If the folder is not named, or the file is not in it.
    """
    file = f"{name}.db"
    remedy = f"make it: tesuji masters import {file} FILE..."
    return GameDatabase(file_of_folder(VARIABLE, file, holds=file, remedy=remedy))
