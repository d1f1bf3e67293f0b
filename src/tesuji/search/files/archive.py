"""Columns and a JSON header in one file: the form in which graphs and tables are saved.

A file is a NumPy archive (``.npz``, readable with ``numpy.load``). Nothing in it is executed. What the header and the
columns mean is not known here.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.writing import opened_whole

__all__ = ["Arrays", "FileKind", "description_of", "read_archive", "write_archive"]

Arrays = dict[str, NDArray[Any]]
H = TypeVar("H", bound=msgspec.Struct)


class FileKind(msgspec.Struct, frozen=True, kw_only=True):
    """What a file is.

    Attributes
    ----------
    name : str
        In its header, as ``kind``.
    format : int
        Of its layout, in the header too; a reader takes its own only.
    noun : str
        What it holds, in messages.
    writer : str
        The method that writes it.
    error : type
        What is raised for a file that cannot be used.
    """

    name: str
    format: int
    noun: str
    writer: str
    error: type[ValueError]


class _Named(msgspec.Struct, frozen=True):
    """As much of a header as every version has."""

    kind: str
    format: int


def write_archive(path: Path, header: msgspec.Struct, arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Write a file; an existing one is replaced when the new one is complete."""
    columns = {**arrays, "header": np.frombuffer(msgspec.json.encode(header), dtype=np.uint8)}
    with opened_whole(path) as file:
        np.savez(file, **columns)  # type: ignore[arg-type]  # the stubs know only its options by name
    return path


def read_archive(path: Path, kind: FileKind, header: type[H]) -> tuple[H, Arrays]:
    """Read a file of one kind: its header and its columns.

    Raises
    ------
    ValueError
        The kind's error, for a file of another kind or version and for a damaged one.
    OSError
        If it cannot be read.
    """
    arrays = _arrays(path, kind)
    text = arrays.pop("header").tobytes() if "header" in arrays else b""
    try:
        found = msgspec.json.decode(text, type=_Named)
    except msgspec.DecodeError:
        found = _Named("", 0)
    if found.kind != kind.name:
        raise _is_none(path, kind)
    if found.format != kind.format:
        raise kind.error(
            f"{path.name} has format {found.format}, this version of Tesuji reads {kind.format}; "
            "load it with the version that wrote it, or search again"
        )
    try:
        return msgspec.json.decode(text, type=header), arrays
    except msgspec.DecodeError as error:
        raise kind.error(f"{path.name} is damaged ({error}); save it again") from error


def _arrays(path: Path, kind: FileKind) -> Arrays:
    import zipfile  # slow to import, and every search imports this module

    with path.open("rb") as file:
        if file.read(2) != b"PK":
            raise _is_none(path, kind)
        try:
            size = file.seek(0, io.SEEK_END)
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                if sum(member.file_size for member in members) > size:  # nothing is compressed
                    raise ValueError("its parts are larger than the whole")
                return {_column_name(member.filename): _column(archive.read(member)) for member in members}
        except Exception as error:  # whatever a damaged file does to the readers of archives and of arrays
            raise kind.error(f"{path.name} is damaged ({_reason(error)}); save it again") from error


def _column_name(filename: str) -> str:
    if not filename.endswith(".npy"):
        raise ValueError("a part of it is not an array")
    return filename.removesuffix(".npy")


def _column(data: bytes) -> NDArray[Any]:
    """An array of a file; its size is checked before room is made for it."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version != (1, 0):  # the one that NumPy writes for columns
        raise ValueError("a part of it is not an array")
    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject or len(shape) > 2 or math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise ValueError("an array is not of the size that it says")
    file.seek(0)
    return np.ascontiguousarray(np.lib.format.read_array(file, allow_pickle=False))


def _reason(error: Exception) -> str:
    """Words for a message, without what stands in the file."""
    return str(error) if type(error) is ValueError and len(str(error)) < 60 else type(error).__name__


def _is_none(path: Path, kind: FileKind) -> ValueError:
    return kind.error(f"{path.name} is not a {kind.noun}; give a file that {kind.writer} has written")


def description_of(game: Any) -> dict[str, str]:
    """What distinguishes games whose positions may have the same key.

    A game whose type and number of moves do not say it has an ``identity``: a text, or texts by what they are of.
    """
    name, identity = type(game).__name__, getattr(game, "identity", None)
    if isinstance(identity, Mapping):
        return {"game": name, **identity}
    known = {"identity": str(identity)} if identity is not None else {}
    return {"game": name, "number of moves": str(game.num_distinct_moves), **known}
