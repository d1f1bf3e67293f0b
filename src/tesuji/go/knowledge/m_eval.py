"""M-eval: what masters' openings teach about a 19x19 position, as virtual wins of moves near the root.

Basaldúa, 3.4. The core measures qualities (`quality_position.hpp`), encodes them, and searches the moves that followed
known patterns (`m_eval.hpp`); here is what happens once a move or once a program: the file, and the direction that is
learnt after every search. ``tesuji masters m-eval`` makes the file; docs/algorithms/m-eval.md tells the whole.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.priors import standard_native_strengths
from tesuji.go.rules.board import Board
from tesuji.search.frozen import Frozen
from tesuji.writing import write_whole

__all__ = [
    "ENCODING_SIZE",
    "MEVAL_QUALITIES",
    "REBUILD",
    "MEval",
    "MEvalFile",
    "MEvalSettings",
    "OpeningQualities",
    "learnt_direction",
    "read_m_eval",
    "standard_file",
]

MEVAL_QUALITIES = (
    "terriCorner",
    "terriInSide",
    "strenStones",
    "strenLibert",
    "strenAdjLib",
    "strenUrgent",
    "speedRows34",
    "speedHigher",
)
"""Version 2's, in the order of table 3.2 and of the core."""
ENCODING_SIZE = 2
"""d: how many numbers an encoding has."""
STANDARD, OFF = "standard", "off"
REBUILD = "tesuji masters m-eval DATABASE JOSEKI --out FILE"
_VERSION = 1
_SIZE = 19
_LOCAL_MOVES = 6  # that the short search looks at around a move
_NEEDED_POINTS = 2  # more than the present direction has, for another to replace it


class MEvalSettings(Frozen, frozen=True, kw_only=True):
    """How M-eval is used.

    Attributes
    ----------
    file : str
        What ``tesuji masters m-eval`` made; ``standard``: the file that comes with Tesuji, on 19x19 alone; ``off``.
    visits : float
        Persistence: how many virtual visits a move gets, beside those of its prior.
    intensity : float
        Wins for a value above the average by 1, which is a standard deviation of masters' positions; 0.5 is the
        average.
    step : float
        By how much the direction may turn after a search; 0: it stays.
    """

    file: str = OFF
    visits: float = 20.0
    intensity: float = 0.5
    step: float = 0.05

    def _check(self) -> None:
        for name, low, high in (("visits", 0, 1_000_000), ("intensity", 0, 1_000), ("step", 0, 1)):
            value = getattr(self, name)
            if not low <= value <= high:  # nan is in no range
                raise ValueError(f"m_eval_{name} is {value!r}; it must be a number in {low:,}..{high:,}")
        if not self.file:
            raise ValueError("m_eval is empty; give standard, off or a file")

    @property
    def is_on(self) -> bool:
        """Whether anything is asked of it."""
        return self.file != OFF


class MEvalFile(msgspec.Struct, frozen=True, kw_only=True):
    """What M-eval knows, as a file has it.

    Attributes
    ----------
    encoder : float64 array of shape (8, 2)
        H⁺, scaled: qualities times this are an encoding whose difference between players has standard deviation 1.
    points : int16 array of shape (12, 2, most)
        Points of four small corners, big corners and big sides in both mirrored forms, filled up with -1.
    borders : int16 array of shape (12, most)
        Points that must be empty beside them, likewise.
    stone_keys : uint64 array of shape (3, 2, most)
        By kind, what a black and a white stone at a point of the pattern adds to its key.
    kinds, keys : uint8 and uint64 arrays of shape (patterns,)
        Of what kind a pattern is, and its key.
    black, white : float32 arrays of the same shape
        Points of its region that each can expect at least.
    starts : uint32 array of shape (patterns + 1,)
        Where its moves begin.
    moves : uint16 array
        Index of the point, and 0x8000 for White's; the most frequent first.
    games, positions : int
        That the patterns and the encoder are from.
    """

    encoder: NDArray[np.float64]
    points: NDArray[np.int16]
    borders: NDArray[np.int16]
    stone_keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    black: NDArray[np.float32]
    white: NDArray[np.float32]
    starts: NDArray[np.uint32]
    moves: NDArray[np.uint16]
    games: int
    positions: int

    def write(self, path: Path | str) -> None:
        """Write the file, whole or not at all."""
        data = io.BytesIO()
        columns = {name: np.asarray(getattr(self, name)) for name in self.__struct_fields__}
        head = {"version": np.array(_VERSION), "size": np.array(_SIZE)}
        np.savez_compressed(data, **head, **columns)  # type: ignore[arg-type]
        write_whole(path, data.getvalue())

    def native_patterns(self) -> _native.RegionPatterns:
        """The patterns as the core takes them.

        Raises
        ------
        ValueError
            If the columns do not fit together.
        """
        lists = [[row[row >= 0].tolist() for row in np.asarray(part)] for part in self.points]
        lengths = [len(lists[4 * kind][0]) for kind in range(3)]
        keys = [self.stone_keys[kind, color, : lengths[kind]].tolist() for kind in range(3) for color in range(2)]
        return _native.RegionPatterns(
            [form for place in lists for form in place],
            [row[row >= 0].tolist() for row in self.borders],
            keys,
            np.ascontiguousarray(self.kinds, np.uint8),
            np.ascontiguousarray(self.keys, np.uint64),
            np.ascontiguousarray(self.black, np.float32),
            np.ascontiguousarray(self.white, np.float32),
            np.ascontiguousarray(self.starts, np.uint32),
            np.ascontiguousarray(self.moves, np.uint16),
        )


def standard_file() -> Path:
    """Where the file that comes with Tesuji lies; it may be missing."""
    return Path(__file__).parent / "data" / "m-eval-19.npz"


def read_m_eval(path: Path | str) -> MEvalFile:
    """Read a file.

    Raises
    ------
    ValueError
        If it is none, of another version or size of board, or broken; says which command makes a new one.
    OSError
        If it cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            version, size = int(file["version"]), int(file["size"])
            is_ours = (version, size) == (_VERSION, _SIZE)
            columns: dict[str, Any] = {name: file[name] for name in MEvalFile.__struct_fields__ if is_ours}
    except (
        ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile, zlib.error, NotImplementedError,
    ) as error:  # fmt: skip
        raise ValueError(f"{path} is not a file of M-eval ({error}); make one: {REBUILD}") from None
    if version != _VERSION:
        raise ValueError(f"{path} is of version {version}, this is {_VERSION}; make it again: {REBUILD}")
    if size != _SIZE:
        raise ValueError(f"{path} is for {size}x{size} boards, M-eval is for {_SIZE}x{_SIZE}; make one: {REBUILD}")
    try:
        columns |= {name: int(columns[name]) for name in ("games", "positions")}
        found = MEvalFile(**columns)
        if found.encoder.shape != (len(MEVAL_QUALITIES), ENCODING_SIZE) or not np.isfinite(found.encoder).all():
            raise ValueError(f"the encoder has the shape {found.encoder.shape}")
        found.native_patterns()
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise ValueError(f"{path} is a broken file of M-eval ({error}); make it again: {REBUILD}") from None
    return found


@lru_cache(maxsize=4)
def _known(path: str, changed_ns: int) -> tuple[_native.RegionPatterns, list[list[float]]]:
    del changed_ns  # a file that was written anew is read anew
    found = read_m_eval(path)
    return found.native_patterns(), found.encoder.tolist()


def learnt_direction(
    direction: Sequence[float], encodings: NDArray[np.float64], win_rates: NDArray[np.float64], step: float
) -> tuple[float, ...]:
    """The direction after a search, by the greedy rule of 3.4.7.

    The direction as it is and those turned a step towards each axis order the moves by value. Going down the three
    lists, a direction gets a point where its move has a better win rate than those of both others. One with at least
    two points more than the present direction becomes the next.

    Parameters
    ----------
    direction : sequence of float
        Of length 1.
    encodings : float64 array of shape (moves, d)
        Of the moves at the root, for the side that moved.
    win_rates : float64 array of shape (moves,)
        What the search found out about them.
    step : float
        δ.
    """
    now = np.asarray(direction, float)
    turned = [now, *(now + step * axis for axis in np.eye(len(now)))]
    candidates = [one / np.linalg.norm(one) for one in turned]
    lists = np.array([win_rates[np.argsort(-(encodings @ one), kind="stable")] for one in candidates])
    best = lists.max(axis=0)
    points = [
        int(np.count_nonzero((own == best) & (np.delete(lists, row, axis=0) < best).all(axis=0)))
        for row, own in enumerate(lists)
    ]
    winner = int(np.argmax(points))
    chosen = candidates[winner] if points[winner] >= points[0] + _NEEDED_POINTS else candidates[0]
    return tuple(chosen.tolist())


class MEval:
    """M-eval of one engine: what it knows, and the direction that it learns during a game.

    Parameters
    ----------
    settings : MEvalSettings
        How it is used.
    prior_visits : float
        Virtual visits of the search's own prior, beside which M-eval's count.

    Raises
    ------
    ValueError
        For a file that is none, of another version or size.
    OSError
        For one that cannot be read.
    """

    def __init__(self, settings: MEvalSettings, prior_visits: float) -> None:
        path = standard_file() if settings.file == STANDARD else Path(settings.file)
        patterns, encoder = _known(str(path), path.stat().st_mtime_ns)
        share = settings.visits / (settings.visits + prior_visits) if settings.visits > 0 else 0.0
        self.settings = settings
        self.native = _native.MEval(
            patterns, standard_native_strengths(), encoder, share, settings.intensity, _LOCAL_MOVES
        )
        self.forget()

    @property
    def direction(self) -> tuple[float, ...]:
        """Whether influence (the first number) or territory (the second) counts more."""
        return tuple(self.native.direction)

    def forget(self) -> None:
        """Begin a new game: both count the same."""
        self.native.direction = [ENCODING_SIZE**-0.5] * ENCODING_SIZE

    def begin(self, board: Board) -> None:
        """The next search has its root here; one with fewer moves than the last is of another game.

        Raises
        ------
        ValueError
            On another board than 19x19, for a file that somebody named; ``standard`` has nothing to say there.
        """
        if not _fits(board) and self.settings.file != STANDARD:
            raise ValueError(
                f"m_eval is {self.settings.file}, for {_SIZE}x{_SIZE} boards; this one is {board.width}x{board.height}:"
                f" use m_eval={OFF}, or m_eval={STANDARD}, which is silent there"
            )
        if board.num_moves < self.native.root_move:
            self.forget()
        self.native.root_move = board.num_moves

    def learn(self, board: Board, moves: NDArray[np.int32], win_rates: NDArray[np.float64]) -> None:
        """After a search: turn the direction, by the win rates of the moves that were visited."""
        if not _fits(board):
            return
        rates = dict(zip(moves.tolist(), win_rates.tolist(), strict=True))
        rows = [row for row in self.native.search(board) if row[0] in rates]
        if len(rows) < 2 or self.settings.step == 0:
            return
        encodings = np.array([row[1:3] for row in rows])
        found = np.array([rates[row[0]] for row in rows])
        self.native.direction = list(learnt_direction(self.direction, encodings, found, self.settings.step))


def _fits(board: Board) -> bool:
    return (board.width, board.height) == (_SIZE, _SIZE)


class OpeningQualities:
    """Measures version 2's qualities of 19x19 positions.

    Parameters
    ----------
    file : MEvalFile
        Of which only the patterns are used.
    """

    def __init__(self, file: MEvalFile) -> None:
        self._native = _native.MEval(
            file.native_patterns(), standard_native_strengths(), file.encoder.tolist(), 0.0, 0.0, 1
        )

    def __call__(self, board: Board) -> NDArray[np.float64]:
        """Of a position; float64 of shape (2, 8), Black first."""
        return np.array(self._native.qualities(board))
