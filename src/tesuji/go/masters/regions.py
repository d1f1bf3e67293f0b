"""Regions of a 19x19 board whose patterns are counted: small corner, big corner, big side (Basaldúa, 3.4.9 and 6.1.2).

The source gives the sizes of the big ones, 66 and 87 points, and shows some patterns; where their borders run is ours:

- small corner: the triangle of 36 points in a corner, eight along each edge;
- big corner: the triangle of 66 points, eleven along each edge; counted only while the points beside it are empty
  ("enclosed by empty intersections");
- big side: 87 points of the five lines along an edge, 19, 19, 17, 17 and 15 of them.

A pattern is the stones of a region, whichever corner or side it is, mirrored or not, whoever has which colour.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.position_key import turned_points

__all__ = ["REGIONS", "SIZE", "Region", "Seen", "region_named", "seen"]

SIZE = 19
_SEED = 20120349  # of the keys: files hold sums of them, so they never change


class Region(msgspec.Struct, frozen=True, eq=False):
    """A kind of region.

    Attributes
    ----------
    name : str
        What it is called.
    places : int64 array of shape (4, 2, points)
        Its points on the board, for each corner or side and both of its mirrored forms; in each the same point of the
        pattern has the same index.
    border : int64 array of shape (4, beside)
        Points that must be empty; none for some.
    keys : uint64 array of shape (3, points)
        What a stone adds to the key of a pattern: nothing, black, white.
    """

    name: str
    places: NDArray[np.int64]
    border: NDArray[np.int64]
    keys: NDArray[np.uint64]

    @property
    def num_points(self) -> int:
        """How many points it has."""
        return int(self.places.shape[2])


class Seen(msgspec.Struct, frozen=True):
    """A region of many positions, at one of its four places.

    Attributes
    ----------
    keys : uint64 array
        By position, the pattern: the least over mirrored forms and exchanged colours; 0 where it does not count.
    forms : int64 array
        Which form has that key: 1 for the mirrored one, and 2 for exchanged colours.
    raw : uint64 array
        The stones as they stand, to see when they change.
    """

    keys: NDArray[np.uint64]
    forms: NDArray[np.int64]
    raw: NDArray[np.uint64]


def seen(region: Region, place: int, grids: NDArray[np.uint8]) -> Seen:
    """A region at a place of positions.

    Parameters
    ----------
    region : Region
        Which.
    place : int
        Which of the four corners or sides.
    grids : uint8 array of shape (positions, 361)
        Colours of the points.
    """
    index = np.arange(region.num_points)
    hashes = []
    for exchanged in (False, True):
        keys = region.keys[[0, 2, 1]] if exchanged else region.keys
        for mirrored in (0, 1):
            stones = grids[:, region.places[place, mirrored]]
            hashes.append(keys[stones, index].sum(axis=1, dtype=np.uint64))
    forms = np.stack(hashes)
    form = forms.argmin(axis=0)
    counts = (grids[:, region.border[place]] == 0).all(axis=1) & (grids[:, region.places[place, 0]] != 0).any(axis=1)
    return Seen(np.where(counts, forms.min(axis=0), np.uint64(0)), form, forms[0])


def _region(name: str, points: list[tuple[int, int]], beside: list[tuple[int, int]], number: int) -> Region:
    flat = np.array([row * SIZE + column for row, column in points])
    border = np.array([row * SIZE + column for row, column in beside], np.int64)
    by_place: dict[tuple[int, ...], list[int]] = {}
    for turn in range(8):
        by_place.setdefault(tuple(sorted(turned_points(SIZE, SIZE, turn)[flat].tolist())), []).append(turn)
    turns = list(by_place.values())
    images = [turned_points(SIZE, SIZE, turn) for turn in range(8)]
    keys = np.random.default_rng([_SEED, number]).integers(1, 2**64, (3, len(points)), dtype=np.uint64)
    keys[0] = 0
    return Region(
        name,
        np.array([[images[turn][flat] for turn in both] for both in turns]),
        np.array([images[both[0]][border] for both in turns]).reshape(4, -1),
        keys,
    )


def _triangle(edge: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(edge) for column in range(edge - row)]


_SIDE = [
    (row, column)
    for row, width in enumerate((19, 19, 17, 17, 15))
    for column in range((SIZE - width) // 2, (SIZE + width) // 2)
]

REGIONS = (
    _region("small-corner", _triangle(8), [], 1),
    _region("big-corner", _triangle(11), [(row, 11 - row) for row in range(12)], 2),
    _region("big-side", _SIDE, [], 3),
)
"""All kinds; files number them in this order."""


def region_named(name: str) -> Region:
    """The kind of that name.

    Raises
    ------
    ValueError
        If there is none; the message lists them.
    """
    for region in REGIONS:
        if region.name == name:
            return region
    raise ValueError(f"there is no region {name!r}; choose from {', '.join(region.name for region in REGIONS)}")
