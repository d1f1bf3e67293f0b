"""Urgencies fitted to the games of a database: how strong the features of moves are, and how well that predicts.

Games stream through the core (`urgency_trainer.hpp`): once to count features, then to teach. One game in ten, by the
number that names it, is kept out and only judged; what is printed as a prediction rate is of those. Games that began
with stones on the board are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.urgency import UrgencyFile, UrgencyHead, packed
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.filters import GameFilter

__all__ = ["TOPS", "FitSettings", "Lines", "Prediction", "fit_urgency", "lines_of"]

TOPS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100)
_KEPT_OUT = 10
_BATCH = 100  # games between two reports
_ROOM = 1 << 24
_PHASE = 40


class FitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is fitted.

    Attributes
    ----------
    games : int or None
        At most so many, drawn at random; None: all.
    counted : float
        Share of the games whose features are counted, above 0 and at most 1: counting looks at all their positions.
    least : int
        A feature that fewer moves of these had is none.
    share : float
        Of the positions of a game that teach in each round, above 0 and at most 1.
    rounds : int
        How often the games teach.
    rate : float
        The step of a feature that was never seen before.
    judged : float
        Share of the positions of the games kept out that are judged.
    seed : int
        Of what is drawn.
    """

    games: int | None = None
    counted: float = 1.0
    least: int = 10
    share: float = 0.1
    rounds: int = 1
    rate: float = 0.15
    judged: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        ranges = {
            "counted": (1e-6, 1),
            "least": (1, 1_000_000),
            "share": (1e-6, 1),
            "rounds": (1, 100),
            "rate": (1e-6, 10),
            "judged": (0, 1),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:  # nan is in no range
                raise ValueError(f"{name} is {value}; it must lie in {low}..{high}")
        if self.games is not None and self.games < 1:
            raise ValueError(f"games is {self.games}; it must be 1 or more")


class Prediction(msgspec.Struct, frozen=True):
    """How a model saw moves that were played, a row each.

    Attributes
    ----------
    numbers : int64 array
        Moves before it.
    ranks : int64 array
        Legal moves that are at least as strong, the move itself left out.
    log_chances : float64 array
        That the model gave it.
    """

    numbers: NDArray[np.int64]
    ranks: NDArray[np.int64]
    log_chances: NDArray[np.float64]

    def top(self, count: int) -> float:
        """The share of moves among the `count` strongest; nan without moves."""
        return float(np.mean(self.ranks < count)) if len(self.ranks) else float("nan")

    def of_phase(self, first: int, end: int) -> Prediction:
        """Those made after `first` moves and before `end`."""
        inside = (self.numbers >= first) & (self.numbers < end)
        return Prediction(self.numbers[inside], self.ranks[inside], self.log_chances[inside])

    def phases(self, length: int = _PHASE) -> Iterator[tuple[int, Prediction]]:
        """By number of moves, in steps of `length`."""
        for first in range(0, int(self.numbers.max(initial=0)) + 1, length):
            yield first, self.of_phase(first, first + length)


class Lines(msgspec.Struct, frozen=True):
    """Games of one size, one after the other.

    Attributes
    ----------
    moves : uint16 array
        Of all games.
    starts : int64 array of shape (games + 1,)
        Where each begins.
    """

    moves: NDArray[np.uint16]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def batches(self) -> Iterator[tuple[NDArray[np.uint16], NDArray[np.int64]]]:
        """A hundred games at a time."""
        for first in range(0, len(self), _BATCH):
            yield self.moves, self.starts[first : first + _BATCH + 1]


def lines_of(
    database: GameDatabase, size: int, wanted: GameFilter | None = None, *, most: int | None = None, seed: int = 1
) -> tuple[Lines, Lines]:
    """The games of a size to learn from, and those kept out, in random order.

    Raises
    ------
    ValueError
        If there are none of the former.
    """
    wanted = msgspec.structs.replace(wanted or GameFilter(), size=size)
    rows = [row for row in database.rows("id, identity, chunk, setup", wanted) if row[3] is None]
    order = np.random.default_rng(seed).permutation(len(rows))[:most]
    chosen: tuple[list[NDArray[np.uint16]], list[NDArray[np.uint16]]] = [], []
    moves: dict[int, NDArray[np.uint16]] = {}
    for index in order.tolist():
        game, identity, number = (int(str(value)) for value in rows[index][:3])
        chunk = database.chunk(number)
        if number not in moves:
            moves[number] = database.moves(chunk)
        at = game - chunk.first_game
        chosen[identity % _KEPT_OUT == 0].append(moves[number][chunk.starts[at] : chunk.starts[at + 1] - 1])
    if not chosen[0]:
        raise ValueError(f"there is no game on {size}x{size} to learn from; import some, or ask for less")
    return _joined(chosen[0]), _joined(chosen[1])


def _joined(games: list[NDArray[np.uint16]]) -> Lines:
    starts = np.concatenate([[0], np.cumsum([len(game) for game in games])]).astype(np.int64)
    return Lines(np.concatenate([np.zeros(0, np.uint16), *games]), starts)


def fit_urgency(
    games: Lines,
    kept_out: Lines,
    size: int,
    settings: FitSettings | None = None,
    *,
    on_progress: Callable[[str, float], bool | None] | None = None,
) -> tuple[UrgencyFile, Prediction]:
    """Fit strengths to games, and judge them on others.

    Parameters
    ----------
    games, kept_out : Lines
        To learn from; to judge by.
    size : int
        Lines of their boards.
    settings : FitSettings, optional
        How.
    on_progress : callable, optional
        Told what is done and how much of it, 0..1; returning False ends learning early.

    Returns
    -------
    file : UrgencyFile
        The table.
    prediction : Prediction
        Of the games kept out.
    """
    asked = settings or FitSettings()
    tell = on_progress or (lambda _what, _share: None)
    trainer = _native.UrgencyTrainer(asked.least, _ROOM, asked.seed)
    to_count = max(1, round(asked.counted * len(games)))
    for done, (moves, starts) in enumerate(games.batches()):
        if done * _BATCH >= to_count:
            break
        trainer.count(size, size, moves, starts)
        tell("counting", (done + 1) * _BATCH / to_count)
    trainer.keep_frequent()
    total, done = asked.rounds * len(games), 0
    for moves, starts in (batch for _ in range(asked.rounds) for batch in games.batches()):
        rate = asked.rate * max(0.1, 1 - max(0.0, done / total - 1 + 1 / asked.rounds) * asked.rounds)
        trainer.learn(size, size, moves, starts, asked.share, rate)
        done += len(starts) - 1
        if tell(f"learning, {trainer.size:,} features", done / total) is False:
            break
    prediction = judged(trainer, kept_out, size, asked.judged, tell)
    keys, logarithms, _ = trainer.learnt()
    head = UrgencyHead(
        size=size,
        slots=0,
        entries=0,
        games=len(games),
        positions=int(asked.share * len(games.moves) * done / len(games)),  # fewer if it was ended early
        top={str(count): round(prediction.top(count), 4) for count in TOPS} if len(prediction.ranks) else {},
    )
    return packed(keys, logarithms, head), prediction


def judged(
    trainer: _native.UrgencyTrainer,
    games: Lines,
    size: int,
    share: float,
    tell: Callable[[str, float], bool | None],
) -> Prediction:
    """How a model sees a share of the moves of games."""
    parts = []
    for done, (moves, starts) in enumerate(games.batches()):
        parts.append(trainer.judge(size, size, moves, starts, share).reshape(-1, 4))
        tell("judging", (done + 1) * _BATCH / max(1, len(games)))
    rows = np.concatenate([np.zeros((0, 4), np.float32), *parts])
    return Prediction(rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64), rows[:, 3].astype(np.float64))
