"""Who plays against a person: the search at any game, the engine at Go."""

from __future__ import annotations

import contextlib
import random
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec
import numpy as np

from tesuji.go import Analysis, Board, Candidate, Engine, EngineConfig
from tesuji.go.engine.level import move_at_level as go_move_at_level
from tesuji.search import Opponent, SearchResult
from tesuji.search.levels import Level, move_at_level

__all__ = ["EngineRival", "Line", "Rival", "SearchRival", "Thought"]

Progress = Callable[[int, int], None]
"""Told the best move so far and the number of simulations."""


class Line(msgspec.Struct, frozen=True):
    """A move that was looked at.

    Attributes
    ----------
    move, visits : int
        Which, and how often.
    value : float
        For who moves, 0..1.
    proof : int
        0 nothing is proved, 1 it loses, 2 it draws, 3 it wins.
    line : list of int
        How the game would go on, from the move.
    """

    move: int
    visits: int
    value: float
    proof: int
    line: list[int]


class Thought(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: a move (None: it resigns), and the moves that were looked at, that one first if it was."""

    move: int | None
    lines: list[Line]
    simulations: int = 0
    seconds: float = 0.0


class Rival(Protocol):
    """Follows a game and answers."""

    seed: int

    def follow(self, move: int) -> None:
        """Somebody played a move."""

    def look_at(self, game: Any) -> None:
        """Begin anew from a position."""

    def answer(self, on_progress: Progress | None = None) -> Thought:
        """Think for the side to move; Ctrl-C makes it answer at once."""

    def advise(self, on_progress: Progress | None = None) -> Thought:
        """The same for somebody else, who shall see several moves."""


class SearchRival:
    """The search.

    Parameters
    ----------
    opponent : Opponent
        It.
    level : Level, optional
        How strong: at a weak level it does not always take its best move.
    """

    def __init__(self, opponent: Opponent, level: Level | None = None) -> None:
        self.opponent = opponent
        self.seed = opponent.seed
        self._level, self._rng = level, random.Random(self.seed)

    def follow(self, move: int) -> None:
        """Somebody played a move."""
        self.opponent.follow(move)

    def look_at(self, game: Any) -> None:
        """Begin anew from a position."""
        self.opponent.look_at(game)

    def answer(self, on_progress: Progress | None = None) -> Thought:
        """Think for the side to move."""
        found = self._found(on_progress)
        move = found.best_move if self._level is None else move_at_level(found, self._level, self._rng)
        return _thought_of(found, move)

    def advise(self, on_progress: Progress | None = None) -> Thought:
        """The same for somebody else: the best move at every level."""
        found = self._found(on_progress)
        return _thought_of(found, found.best_move)

    def _found(self, on_progress: Progress | None) -> SearchResult:
        try:
            if on_progress is None:
                return self.opponent.think()
            return self.opponent.think(lambda so_far: on_progress(so_far.best_move, so_far.simulations))
        except KeyboardInterrupt:
            if not (found := self.opponent.so_far()).simulations:
                raise  # it has nothing to say yet
            return found


def _thought_of(found: SearchResult, move: int) -> Thought:
    order = [i for i in np.argsort(-found.visits.astype(np.int64), kind="stable").tolist() if found.visits[i] > 0]
    best = int(np.flatnonzero(found.moves == move)[0])
    lines = [
        Line(int(found.moves[i]), int(found.visits[i]), float(found.values[i]), int(found.proofs[i]), found.lines[i])
        for i in [best, *(i for i in order if i != best)]
    ]
    return Thought(move=move, lines=lines, simulations=found.simulations, seconds=found.seconds)


class EngineRival:
    """The Go engine: its knowledge, its clock, its manners; it passes and resigns as over GTP.

    Parameters
    ----------
    board : Board
        Where the game begins; copied.
    config : EngineConfig
        How it thinks. Without a seed one is drawn.
    level : Level, optional
        How strong: at a weak level it does not always take its best move.
    """

    def __init__(self, board: Board, config: EngineConfig, level: Level | None = None) -> None:
        self.seed = secrets.randbits(32) if config.seed is None else config.seed
        self._level, self._rng = level, random.Random(self.seed)
        self._engine = Engine(config.replace(seed=self.seed))
        self._board = board.copy()

    def follow(self, move: int) -> None:
        """Somebody played a move."""
        self._board.play(move)

    def look_at(self, game: Board) -> None:
        """Begin anew from a position."""
        self._engine.end_game()
        self._board = game.copy()

    def answer(self, on_progress: Progress | None = None) -> Thought:
        """Think for the side to move."""
        with _moves_at_once(self._engine):
            found = self._engine.choose(self._board, on_progress=_reporter(on_progress))
        move = found.move if self._level is None else go_move_at_level(found, self._board, self._level, self._rng)
        if move == "resign":
            return Thought(move=None, lines=[], simulations=found.simulations)
        looked_at = [] if found.winrate is None else [Line(move, found.visits, found.winrate, 0, found.line)]
        if move != found.move and found.analysis is not None:
            looked_at = [_line_of(candidate) for candidate in found.analysis.moves if candidate.move == move]
        seconds = found.analysis.seconds if found.analysis else 0.0
        return Thought(move=move, lines=looked_at, simulations=found.simulations, seconds=seconds)

    def advise(self, on_progress: Progress | None = None) -> Thought:
        """Analyse the position for who asks."""
        with _moves_at_once(self._engine):
            found = self._engine.analyse(self._board, on_progress=_reporter(on_progress))
        lines = [_line_of(candidate) for candidate in found.moves]
        best = lines[0].move if lines else self._board.pass_move
        return Thought(move=best, lines=lines, simulations=found.simulations, seconds=found.seconds)


def _line_of(candidate: Candidate) -> Line:
    return Line(candidate.move, candidate.visits, candidate.winrate, 0, candidate.pv)


def _reporter(on_progress: Progress | None) -> Callable[[Analysis], None]:
    def report(so_far: Analysis) -> None:
        if on_progress is not None and so_far.moves:
            on_progress(so_far.moves[0].move, so_far.simulations)

    return report


@contextlib.contextmanager
def _moves_at_once(engine: Engine) -> Iterator[None]:
    """While this lasts, the first Ctrl-C lets the engine answer with what it knows; a second one interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        engine.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
