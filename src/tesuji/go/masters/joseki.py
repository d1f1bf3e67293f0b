"""Joseki and territory: what stands in a corner or along a side, how masters went on, who owned it in the end.

Basaldúa, 3.4.9: patterns of regions (`tesuji.go.masters.regions`) that were seen often, with the points of the region
that were Black's at the end of their games. Games that were given up are played out and scored by our own engine: the
owners are the mean of playouts from the last position. The standard error of the mean is taken off, so a value is a
lower bound.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.life import ownership
from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter
from tesuji.go.masters.regions import REGIONS, SIZE, Region, seen
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.writing import write_whole

__all__ = ["JosekiSettings", "JosekiTable", "KnownRegion", "Pattern", "build_joseki", "read_joseki"]

_VERSION = 1
_BATCH = 200
_REBUILD = "tesuji masters joseki DATABASE --out FILE"
_COLUMNS = ("regions", "keys", "stones", "counts", "means", "deviations", "starts", "moves", "times")


class JosekiSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How patterns are counted.

    Attributes
    ----------
    games : int or None
        At most so many, drawn at random; None: all.
    num_moves : int
        Positions after more moves do not count.
    least : int
        A pattern that was seen less often is left out; the source has "more than 5 times".
    playouts : int
        From the last position of a game, to say who owns what.
    seed : int
        Of what is drawn.
    """

    games: int | None = None
    num_moves: int = 62
    least: int = 6
    playouts: int = 32
    seed: int = 1

    def __post_init__(self) -> None:
        for name, low in (("num_moves", 1), ("least", 2), ("playouts", 2)):
            if getattr(self, name) < low:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be {low} or more")
        if self.games is not None and self.games < 1:
            raise ValueError(f"games is {self.games}; it must be 1 or more")


class Pattern(msgspec.Struct, frozen=True):
    """A pattern of a region, as its key has it: Black may have been White.

    Attributes
    ----------
    region : str
        Of which kind.
    stones : uint8 array
        Colours of its points.
    count : int
        How often it was seen.
    mean, deviation : float
        Points of the region that were Black's at the end: mean and standard deviation over games.
    continuations : list of (int, Color, int)
        Index of the point, who moved there, how often; most frequent first.
    """

    region: str
    stones: NDArray[np.uint8]
    count: int
    mean: float
    deviation: float
    continuations: list[tuple[int, Color, int]]

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.deviation / float(np.sqrt(self.count))


class KnownRegion(msgspec.Struct, frozen=True):
    """A region of a board whose pattern is known.

    Attributes
    ----------
    region : str
        Its kind.
    points : int64 array
        Its points on the board.
    count : int
        How often the pattern was seen.
    deviation : float
        Of the points that were Black's at the end.
    black, white : float
        Points that each can expect at least: the mean less its standard error.
    continuations : list of (int, Color, int)
        Moves on this board, who made them, how often; most frequent first.
    """

    region: str
    points: NDArray[np.int64]
    count: int
    deviation: float
    black: float
    white: float
    continuations: list[tuple[int, Color, int]]


class JosekiTable:
    """Patterns with their territory and continuations.

    Parameters
    ----------
    columns : mapping of str to array
        As a file has them, in the order of regions and keys.
    games : int
        That they are from.

    Attributes
    ----------
    columns, games
        As they were given.
    """

    def __init__(self, columns: dict[str, NDArray[np.generic]], games: int) -> None:
        self.columns = columns
        self.games = games
        self._of_region = [np.flatnonzero(columns["regions"] == number) for number in range(len(REGIONS))]

    def __len__(self) -> int:
        return len(self.columns["keys"])

    def num_of(self, region: str) -> int:
        """How many patterns of a kind there are."""
        return len(self._of_region[[one.name for one in REGIONS].index(region)])

    def _pattern(self, row: int) -> Pattern:
        column = self.columns
        region = REGIONS[int(column["regions"][row])]
        first, end = int(column["starts"][row]), int(column["starts"][row + 1])
        moves = column["moves"][first:end].tolist()
        times = column["times"][first:end].tolist()
        return Pattern(
            region.name,
            np.asarray(column["stones"][row, : region.num_points], np.uint8),
            int(column["counts"][row]),
            float(column["means"][row]),
            float(column["deviations"][row]),
            [(m & ~WHITE, Color.WHITE if m & WHITE else Color.BLACK, t) for m, t in zip(moves, times, strict=True)],
        )

    def best(self, region: str, number: int = 20) -> list[Pattern]:
        """The patterns of a kind in which one side can expect most, as Black's; by the mean less its error."""
        found = []
        for row in self._of_region[[one.name for one in REGIONS].index(region)].tolist():
            pattern = self._pattern(row)
            size = len(pattern.stones)
            found.append(pattern if pattern.mean >= size / 2 else _exchanged(pattern))
        return sorted(found, key=lambda one: one.error - one.mean)[:number]

    def known(self, board: Board) -> list[KnownRegion]:
        """The regions of a 19x19 board whose patterns are known; a big corner hides the small one in it."""
        if (board.width, board.height) != (SIZE, SIZE):
            raise ValueError(f"joseki are known on 19x19, the board is {board.width}x{board.height}")
        grid = np.asarray(board.grid, np.uint8).reshape(1, -1)
        found: list[KnownRegion] = []
        for number in reversed(range(len(REGIONS))):
            region, rows = REGIONS[number], self._of_region[number]
            keys = np.asarray(self.columns["keys"])[rows]
            for place in range(4):
                here = seen(region, place, grid)
                at = int(np.searchsorted(keys, here.keys[0]))
                if here.keys[0] == 0 or at == len(keys) or keys[at] != here.keys[0]:
                    continue
                one = _on_board(self._pattern(int(rows[at])), region, place, int(here.forms[0]))
                hides = {other.region for other in found if set(one.points.tolist()) <= set(other.points.tolist())}
                if region.name != "small-corner" or "big-corner" not in hides:
                    found.append(one)
        return found

    def write(self, path: Path | str) -> None:
        """Write the file, whole or not at all."""
        data = io.BytesIO()
        head = {"version": np.array(_VERSION), "games": np.array(self.games)}
        np.savez_compressed(data, **head, **self.columns)  # type: ignore[arg-type]
        write_whole(path, data.getvalue())


def _exchanged(pattern: Pattern) -> Pattern:
    stones = np.array([0, 2, 1], np.uint8)[pattern.stones]
    continuations = [(point, Color(3 - color), times) for point, color, times in pattern.continuations]
    return msgspec.structs.replace(pattern, stones=stones, mean=len(stones) - pattern.mean, continuations=continuations)


def _on_board(pattern: Pattern, region: Region, place: int, form: int) -> KnownRegion:
    if form & 2:
        pattern = _exchanged(pattern)
    points = region.places[place, form & 1]
    size = len(points)
    return KnownRegion(
        region.name,
        points,
        pattern.count,
        pattern.deviation,
        max(0.0, pattern.mean - pattern.error),
        max(0.0, size - pattern.mean - pattern.error),
        [(int(points[index]), color, times) for index, color, times in pattern.continuations],
    )


def read_joseki(path: Path | str) -> JosekiTable:
    """Read a file of patterns.

    Raises
    ------
    ValueError
        If it is none, or of another version; says which command makes a new one.
    OSError
        If it cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            columns = {name: file[name] for name in _COLUMNS}
            version, games = int(file["version"]), int(file["games"])
    except (
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        OSError,
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
    ) as error:
        raise ValueError(f"{path} is not a file of joseki ({error}); make one: {_REBUILD}") from None
    if version != _VERSION:
        raise ValueError(f"{path} is of version {version}, this is {_VERSION}; make it again: {_REBUILD}")
    sizes = {len(columns[name]) for name in ("regions", "keys", "stones", "counts", "means", "deviations")}
    starts = columns["starts"]
    fits = len(sizes) == 1 and len(starts) == max(sizes) + 1 and columns["stones"].ndim == 2
    if not fits or int(starts[-1]) != len(columns["moves"]) or len(columns["moves"]) != len(columns["times"]):
        raise ValueError(f"{path} is a broken file of joseki; make it again: {_REBUILD}")
    return JosekiTable(columns, games)


# Counting -------------------------------------------------------------------------------------------------------------


def build_joseki(
    database: GameDatabase,
    settings: JosekiSettings | None = None,
    wanted: GameFilter | None = None,
    *,
    on_progress: Callable[[float], None] | None = None,
) -> JosekiTable:
    """Count the patterns of the games of a database on 19x19.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    asked = settings or JosekiSettings()
    wanted = msgspec.structs.replace(wanted or GameFilter(), size=SIZE)
    ids = [int(str(row[0])) for row in database.rows("id, setup", wanted) if row[1] is None]
    chosen = np.random.default_rng(asked.seed).permutation(ids)[: asked.games].tolist()
    if not chosen:
        raise ValueError("there is no game on 19x19 to count; import some, or ask for less")
    rows: list[list[_Rows]] = [[] for _ in REGIONS]
    for first in range(0, len(chosen), _BATCH):
        batch = [_replayed(database.game(game).moves.tolist(), asked) for game in chosen[first : first + _BATCH]]
        for number, region in enumerate(REGIONS):
            rows[number].extend(_rows(region, batch))
        if on_progress is not None:
            on_progress(min(1.0, (first + _BATCH) / len(chosen)))
    return JosekiTable(_joined([_patterns(n, rows[n], asked.least) for n in range(len(REGIONS))]), len(chosen))


class _Game(msgspec.Struct, frozen=True):
    """The opening of a game, a row for each position, and who owned what at its end (0..1, Black's)."""

    grids: NDArray[np.uint8]
    moves: list[int]
    owners: NDArray[np.float64]


def _replayed(moves: list[int], asked: JosekiSettings) -> _Game:
    board = Board(SIZE, rules="japanese")
    grids, kept = [np.asarray(board.grid, np.uint8).ravel().copy()], []
    for number, move in enumerate(moves):
        board.play_as_recorded(move & ~WHITE, Color.WHITE if move & WHITE else Color.BLACK)
        if number < asked.num_moves:
            grids.append(np.asarray(board.grid, np.uint8).ravel().copy())
            kept.append(move)
    return _Game(np.array(grids), kept, (ownership(board, asked.playouts, asked.seed).ravel() + 1) / 2)


class _Rows(msgspec.Struct, frozen=True):
    """Patterns as they were seen: key, stones, points of Black's at the end, next move there; arrays of one length."""

    keys: NDArray[np.uint64]
    stones: NDArray[np.uint8]
    owned: NDArray[np.float64]
    moves: NDArray[np.int64]  # -1 for none


def _rows(region: Region, games: list[_Game]) -> Iterator[_Rows]:
    """A row for each pattern that came up, at each of the four places."""
    grids = np.concatenate([game.grids for game in games])
    of_game = np.repeat(np.arange(len(games)), [len(game.grids) for game in games])
    made = np.concatenate([[-1, *game.moves] for game in games])  # the move that led to a position
    owners = np.stack([game.owners for game in games])
    for place in range(4):
        here = seen(region, place, grids)
        is_new = np.ones(len(grids), bool)
        is_new[1:] = (here.raw[1:] != here.raw[:-1]) | (of_game[1:] != of_game[:-1])
        starts = np.flatnonzero(is_new)
        follows = np.append(starts[1:], -1)
        goes_on = (follows >= 0) & (of_game[follows] == of_game[starts])
        at = np.flatnonzero(here.keys[starts] != 0)
        first, form = starts[at], here.forms[starts[at]]
        points = region.places[place][form & 1]  # by row, where the points of the pattern lie
        exchanged = form >= 2
        stones = np.take_along_axis(grids[first], points, axis=1)
        stones = np.where(exchanged[:, None], np.array([0, 2, 1], np.uint8)[stones], stones)
        owned = np.take_along_axis(owners[of_game[first]], points, axis=1).sum(axis=1)
        owned = np.where(exchanged, region.num_points - owned, owned)
        move = np.where(goes_on[at], made[follows[at]], -1)
        yield _Rows(here.keys[first], stones, owned, _inside(move, points, exchanged))


def _inside(moves: NDArray[np.int64], points: NDArray[np.int64], exchanged: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Moves as a pattern has them: index of the point, and WHITE; -1 for none and for those outside."""
    point = np.where(moves >= 0, moves & ~WHITE, -1)
    is_there = points == point[:, None]
    is_white = ((moves & WHITE) != 0) != exchanged
    return np.where(is_there.any(axis=1), is_there.argmax(axis=1) + WHITE * is_white, -1)


def _patterns(number: int, rows: list[_Rows], least: int) -> dict[str, NDArray[np.generic]]:
    """The patterns of a region that were seen often enough."""
    keys = np.concatenate([row.keys for row in rows])
    owned = np.concatenate([row.owned for row in rows])
    moves = np.concatenate([row.moves for row in rows])
    stones = np.concatenate([row.stones for row in rows])
    known, first, index, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    means = np.bincount(index, owned) / np.maximum(1, counts)
    squares = np.bincount(index, (owned - means[index]) ** 2)
    deviations = np.sqrt(squares / np.maximum(1, counts - 1))
    kept = np.flatnonzero(counts >= least)
    width = max(region.num_points for region in REGIONS)
    padded = np.zeros((len(kept), width), np.uint8)
    padded[:, : stones.shape[1]] = stones[first[kept]]
    starts, after, times = _continuations(index, moves, kept)
    return {
        "regions": np.full(len(kept), number, np.uint8),
        "keys": known[kept],
        "stones": padded,
        "counts": counts[kept].astype(np.uint32),
        "means": means[kept].astype(np.float32),
        "deviations": deviations[kept].astype(np.float32),
        "starts": starts,
        "moves": after,
        "times": times,
    }


def _continuations(
    index: NDArray[np.int64], moves: NDArray[np.int64], kept: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint32]]:
    """By pattern that is kept: where its continuations begin; the moves, most frequent first, and how often."""
    goes_on = (moves >= 0) & np.isin(index, kept)
    pairs, times = np.unique(index[goes_on] * (2 * WHITE) + moves[goes_on], return_counts=True)
    order = np.lexsort((pairs, -times, pairs // (2 * WHITE)))
    pairs, times = pairs[order], times[order]
    starts = np.searchsorted(pairs // (2 * WHITE), kept)
    ends = np.append(starts, len(pairs))
    return ends.astype(np.int64), (pairs % (2 * WHITE)).astype(np.uint16), times.astype(np.uint32)


def _joined(parts: list[dict[str, NDArray[np.generic]]]) -> dict[str, NDArray[np.generic]]:
    columns = {name: np.concatenate([part[name] for part in parts]) for name in _COLUMNS if name != "starts"}
    starts, offset = [np.zeros(1, np.int64)], 0
    for part in parts:
        starts.append(np.asarray(part["starts"][1:], np.int64) + offset)
        offset += len(part["moves"])
    return columns | {"starts": np.concatenate(starts)}
