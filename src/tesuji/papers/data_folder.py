"""Data that experiments need and the package does not have: in folders that the environment names."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["file_of_folder"]


def file_of_folder(variable: str, name: str, *, holds: str, remedy: str = "") -> Path:
    """A file of the folder that an environment variable names.

    Parameters
    ----------
    variable : str
        Of the environment.
    name : str
        Of the file.
    holds : str
        What the folder should have, for the message.
    remedy : str
        How to make the file, if there is a way.

    Raises
    ------
    ValueError
        If the folder is not named, or the file is not in it.
    """
    folder = os.environ.get(variable)
    if not folder:
        more = f", and {remedy}" if remedy else ""
        raise ValueError(f"{variable} is not set; let it name the folder with {holds}{more}")
    path = Path(folder) / name
    if not path.exists():
        more = f"; {remedy}" if remedy else ""
        raise ValueError(f"{name} is not in the folder that {variable} names{more}")
    return path
