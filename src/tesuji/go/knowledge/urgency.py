"""How urgent moves look to who has seen masters' games: a table of strengths as a file, and priors from it.

The features are the core's (`urgency.hpp`): shapes of 4 to 88 points around a move, with liberties, with the last
moves, tactics, distances, lines. `tesuji masters fit` makes the file from a database of games;
docs/algorithms/urgency.md tells how. The file is a line of JSON that says what it is, and two columns of numbers that
the core takes as they are.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.writing import write_whole

__all__ = ["STANDARD", "UrgencyFile", "UrgencyHead", "native_urgency", "packed", "read_urgency", "standard_file"]

FEATURES = 1
"""Changes with the features of the core; a table of others says nothing."""
STANDARD = "standard"
_OFF = "off"  # as a player of a match says it, where nothing cannot be written
_MAGIC = b"tesuji urgency "
_VERSION = 1
_SCALE = 1024  # of logarithms, as in urgency_table.hpp
_LARGEST_HEAD = 10_000
_LARGEST_SLOTS = 1 << 26
REBUILD = "tesuji masters fit DATABASE --out FILE"


class UrgencyHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about itself.

    Attributes
    ----------
    version, features : int
        Of the file, and of the features it is about.
    size : int
        Lines of the board it was fitted on.
    slots : int
        Length of its columns.
    entries : int
        Features that it knows.
    games, positions : int
        That it was fitted to.
    top : dict of str to float
        Of moves of games that were kept out, the share among the 1, 2, ... strongest.
    """

    version: int = _VERSION
    features: int = FEATURES
    size: int
    slots: int
    entries: int
    games: int = 0
    positions: int = 0
    top: dict[str, float] = {}


class UrgencyFile(msgspec.Struct, frozen=True):
    """A table of strengths.

    Attributes
    ----------
    head : UrgencyHead
        What it is.
    fingerprints : uint32 array of shape (slots,)
        The upper half of a key at a place that the lower half says; 0 is free.
    logarithms : int16 array of the same shape
        Of strengths, in 1024ths.
    """

    head: UrgencyHead
    fingerprints: NDArray[np.uint32]
    logarithms: NDArray[np.int16]

    def write(self, path: Path | str) -> None:
        """Write the file, whole or not at all."""
        head = msgspec.json.encode(self.head)
        start = _MAGIC + head + b"\n"
        columns = self.fingerprints.astype("<u4").tobytes() + self.logarithms.astype("<i2").tobytes()
        write_whole(path, start + columns)


def read_urgency(path: Path | str) -> UrgencyFile:
    """Read a file of strengths.

    Raises
    ------
    ValueError
        If it is none, of another version, or cut off; says which command makes a new one.
    OSError
        If it cannot be read.
    """
    data = Path(path).read_bytes()
    line = data[:_LARGEST_HEAD].split(b"\n", 1)[0]
    if not line.startswith(_MAGIC):
        raise ValueError(f"{path} is not a file of urgencies; make one: {REBUILD}")
    try:
        head = msgspec.json.decode(line[len(_MAGIC) :], type=UrgencyHead)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path} is a broken file of urgencies ({error}); make it again: {REBUILD}") from None
    if (head.version, head.features) != (_VERSION, FEATURES):
        raise ValueError(
            f"{path} is of version {head.version}.{head.features}, this is {_VERSION}.{FEATURES};"
            f" make it again: {REBUILD}"
        )
    begin = len(line) + 1
    if not 2 <= head.slots <= _LARGEST_SLOTS or len(data) - begin != 6 * head.slots:
        raise ValueError(f"{path} is cut off, or longer than it says; make it again: {REBUILD}")
    fingerprints = np.frombuffer(data, "<u4", head.slots, begin)
    logarithms = np.frombuffer(data, "<i2", head.slots, begin + 4 * head.slots)
    if head.slots & (head.slots - 1) or np.count_nonzero(fingerprints) == head.slots:
        raise ValueError(f"{path} has a table without a free place; make it again: {REBUILD}")
    return UrgencyFile(head, fingerprints, logarithms)


def packed(keys: NDArray[np.uint64], logarithms: NDArray[np.float32], head: UrgencyHead) -> UrgencyFile:
    """A table of keys and their logarithms; at most two thirds of its places are taken."""
    slots = 1 << max(4, int(np.ceil(np.log2(max(1, len(keys)) * 1.5))))
    fingerprints = np.zeros(slots, np.uint32)
    values = np.zeros(slots, np.int16)
    upper = np.maximum((keys >> np.uint64(32)).astype(np.uint32), 1)
    stored = np.clip(np.rint(logarithms * _SCALE), -32768, 32767).astype(np.int16)
    waiting = np.arange(len(keys))
    places = (keys & np.uint64(slots - 1)).astype(np.int64)
    while len(waiting):  # all that find a free place take it; the others look at the next
        free = fingerprints[places[waiting]] == 0
        _, first = np.unique(places[waiting], return_index=True)
        chosen = np.zeros(len(waiting), bool)
        chosen[first] = True
        taken = waiting[free & chosen]
        fingerprints[places[taken]] = upper[taken]
        values[places[taken]] = stored[taken]
        waiting = waiting[~(free & chosen)]
        same = fingerprints[places[waiting]] == upper[waiting]
        waiting = waiting[~same]  # two keys that look alike: the first counts
        places[waiting] = (places[waiting] + 1) & (slots - 1)
    return UrgencyFile(msgspec.structs.replace(head, slots=slots, entries=len(keys)), fingerprints, values)


def standard_file() -> Path:
    """Where the table that comes with Tesuji lies; it may be missing."""
    return Path(__file__).parent / "data" / "urgency-19.bin"


@lru_cache(maxsize=4)
def _native_file(path: str, changed_ns: int) -> tuple[_native.UrgencyTable, int]:
    del changed_ns  # a file that was written anew is read anew
    found = read_urgency(path)
    return _native.UrgencyTable(found.fingerprints, found.logarithms), found.head.size


def native_urgency(name: str, width: int, height: int) -> _native.UrgencyTable | None:
    """The table that a name means, for a board.

    Parameters
    ----------
    name : str
        Empty or ``off``: none. ``standard``: the one that comes with Tesuji, where it is of this size; else none. Or a
        file.
    width, height : int
        Of the board; 0: not asked.

    Raises
    ------
    ValueError
        For a file of another size, or one that is broken.
    OSError
        For one that cannot be read.
    """
    if name in ("", _OFF):
        return None
    path = standard_file() if name == STANDARD else Path(name)
    if name == STANDARD and not path.exists():
        return None
    table, size = _native_file(str(path), path.stat().st_mtime_ns)
    if width == 0 or (width, height) == (size, size):
        return table
    if name == STANDARD:
        return None
    raise ValueError(
        f"{name} was fitted on {size}x{size} boards, this one is {width}x{height}; "
        f"make one for it: {REBUILD} --size {width}"
    )
