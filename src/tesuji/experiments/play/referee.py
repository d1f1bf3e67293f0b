"""The referee: a `GameTask` in, a `GameRecord` out, whatever the players do.

The board is ours (`table.py`): it says which moves are legal and when the game is over. Players are told what the other
one played and asked for moves; their time is kept here. Each game ends with a recorded reason, and everything that was
started for it has ended too. What a player does wrong loses its game; nothing it does raises an exception here. What
the machine does wrong (no memory, no process to be had) makes the game void, and so does a start at which both fail.

Scores: ``B+3.5`` after a count, ``B+R``, ``B+T`` (White's clock ran out), ``B+F`` (White forfeits), ``0``, ``Void``;
``B+`` in games that are only won or lost. Black is who moves first.

It runs one game in the calling thread; how many at once, and where, is `workers.py`'s business.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from tesuji.experiments.play.clock import Clock
from tesuji.experiments.play.game_text import game_text
from tesuji.experiments.play.openings import play_opening
from tesuji.experiments.play.opinions import decide
from tesuji.experiments.players import Answer, Player, TimeLeft, open_player, player_seed
from tesuji.experiments.players.gtp_client import CrashError, EngineError, HangError
from tesuji.experiments.records import GameRecord, GameTask, MoveRecord, PlayerSpec, Reason, Winner
from tesuji.experiments.table import LETTERS, GoTable, Table, lay_table, winner_of
from tesuji.go.rules.vertex import quoted

__all__ = ["play_game"]

_LETTER_OF_REASON = {Reason.RESIGNATION: "R", Reason.TIME: "T"}
_OUR_FAULT = "a fault of Tesuji, or of the game if that is yours; the game does not count; please report it"
_LONGEST_DETAIL = 500


class _End(NamedTuple):
    """How a game ended."""

    winner: Winner
    score: str
    reason: Reason
    detail: str = ""


class _Lost(Exception):  # noqa: N818  # not an error of ours: one player has lost the game
    """A player did something that ends the game."""

    def __init__(self, seat: int, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.reason = seat, reason


class _OurFault(Exception):  # noqa: N818  # nobody has lost the game
    """A player of this library failed, which says nothing about how well it plays."""


def play_game(task: GameTask) -> GameRecord:
    """Play one game.

    Parameters
    ----------
    task : GameTask
        Who plays, and under which conditions.

    Returns
    -------
    GameRecord
        With the reason of its end; ``VOID`` if the game counts for nobody.

    Raises
    ------
    ValueError
        If the task itself is wrong: conditions that do not exist, an opening that cannot be played, cores that this
        machine has not. Never because of a player.
    KeyboardInterrupt
        After Ctrl-C, when all that was started has been ended.
    """
    table = lay_table(task.conditions)
    play_opening(table, task.opening, task.opening_name)
    with _pinned(task.cores):
        game = _Game(task, table)
        return game.record(game.play())


class _Game:
    """A game while it is played.

    Parameters
    ----------
    task : GameTask
        What is played.
    table : Table
        The board, with the opening on it.
    """

    def __init__(self, task: GameTask, table: Table) -> None:
        self.task, self.table = task, table
        self.specs: tuple[PlayerSpec, PlayerSpec] = (task.first, task.second)
        self.clocks = [Clock(spec) for spec in self.specs]
        self.moves: list[MoveRecord] = []
        self.seats: list[int] = []
        self.seconds = [0.0, 0.0]
        self.titles: dict[str, str] = {}
        self.opinions: dict[str, str] = {}
        self.programs_cpu_s = 0.0
        self.started = datetime.now(UTC)
        self.start_s, self.start_cpu_s = time.perf_counter(), time.process_time()

    def play(self) -> _End:
        """Play to the end, and end the players."""
        try:
            with contextlib.ExitStack() as stack:
                return self._play(stack)
        except _OurFault as fault:
            return _void(str(fault))
        except (MemoryError, OSError) as error:
            return _void(f"{type(error).__name__}: {error}")

    def _play(self, stack: contextlib.ExitStack) -> _End:
        players: list[Player] = []
        failures: list[_Lost] = []
        for seat in (0, 1):
            try:
                players.append(self._seated(seat, stack))
            except _Lost as lost:
                failures.append(lost)
        if len(failures) == 2:
            return _void("; ".join(str(lost) for lost in failures))
        try:
            if failures:
                raise failures[0]
            return self._alternate(players)
        except _Lost as lost:
            letter = _LETTER_OF_REASON.get(lost.reason, "F")
            return _End(winner_of(1 - lost.seat), f"{LETTERS[1 - lost.seat]}+{letter}", lost.reason, str(lost))

    def _seated(self, seat: int, stack: contextlib.ExitStack) -> Player:
        """Start a player and bring it to where the game begins."""
        with self._blaming(seat):
            player = stack.enter_context(self._opened(seat))
            self.titles[self.specs[seat].name] = player.title
            player.begin(self.table)
            return player

    @contextlib.contextmanager
    def _opened(self, seat: int) -> Iterator[Player]:
        player = open_player(self.specs[seat], self.task.conditions, player_seed(self.task.seed, seat))
        try:
            yield player
        finally:
            player.close()
            self.programs_cpu_s += player.cpu_s

    # --- moves --------------------------------------------------------------------------------------------------------

    def _alternate(self, players: Sequence[Player]) -> _End:
        """Ask for moves in turn until the game ends."""
        table = self.table
        while not table.is_over:
            if table.num_moves >= table.max_moves:
                return _End(*table.verdict(), Reason.MOVE_LIMIT, f"counted as it stood after {table.num_moves} moves")
            seat = table.seat
            answer, seconds = self._ask(seat, players[seat])
            if answer.vertex.lower() == "resign":
                raise _Lost(seat, Reason.RESIGNATION, f"{self.specs[seat].name} resigned")
            vertex = self._played(seat, answer.vertex)
            value = None if answer.value is None else round(answer.value, 4)
            self.moves.append(MoveRecord(vertex, round(seconds, 6), value))
            self.seats.append(seat)
            self._tell(1 - seat, players[1 - seat], vertex)
        return self._counted(players)

    def _ask(self, seat: int, player: Player) -> tuple[Answer, float]:
        """Ask for a move, and keep the time."""
        spec, clock = self.specs[seat], self.clocks[seat]
        left, most_s = clock.left, clock.most_s
        start = time.perf_counter()
        try:
            with self._blaming(seat):
                answer = player.choose(seat, left, min(spec.move_s, most_s))
        except _Lost as lost:
            if lost.reason is Reason.HANG and most_s < spec.move_s:
                raise _Lost(seat, Reason.TIME, f"{spec.name} ran out of time: {_words(left)} were left") from lost
            raise
        finally:
            seconds = time.perf_counter() - start
            self.seconds[seat] += seconds
        if not clock.spend(seconds):
            raise _Lost(seat, Reason.TIME, f"{spec.name} took {seconds:.2f} s: {_words(left)} were left")
        return answer, seconds

    def _tell(self, seat: int, player: Player, vertex: str) -> None:
        """Tell a player what the other one played."""
        try:
            with self._blaming(seat):
                player.observe(1 - seat, vertex)
        except _Lost:
            if not self.table.is_over:  # else all moves are made, and it cannot lose any more
                raise

    def _played(self, seat: int, vertex: str) -> str:
        try:
            return self.table.play(vertex)
        except ValueError as error:
            said = f"{self.specs[seat].name} played {quoted(vertex)}: {error}"
            raise _Lost(seat, Reason.ILLEGAL_MOVE, said) from error

    @contextlib.contextmanager
    def _blaming(self, seat: int) -> Iterator[None]:
        """Whatever goes wrong here is this player's fault, unless the machine is at its end."""
        name = self.specs[seat].name
        try:
            yield
        except (_Lost, _OurFault, MemoryError, OSError):
            raise
        except EngineError as error:
            reason = {HangError: Reason.HANG, CrashError: Reason.CRASH}.get(type(error), Reason.PROTOCOL)
            raise _Lost(seat, reason, f"{name} {error}") from error
        except Exception as error:
            if self.specs[seat].kind == "tesuji":  # nothing is learned about a player from a fault in this library
                raise _OurFault(f"{name} raised {type(error).__name__}: {error} ({_OUR_FAULT})") from error
            raise _Lost(seat, Reason.CRASH, f"{name} raised {type(error).__name__}: {error}") from error

    # --- the end ------------------------------------------------------------------------------------------------------

    def _counted(self, players: Sequence[Player]) -> _End:
        if not isinstance(self.table, GoTable):
            return _End(*self.table.verdict(), Reason.SCORE)
        decision = decide(self.table, [(spec.name, player) for spec, player in zip(self.specs, players, strict=True)])
        self.opinions = decision.opinions
        return _End(*decision.verdict, Reason.SCORE, decision.detail)

    def record(self, end: _End) -> GameRecord:
        """Write the game down."""
        task, detail = self.task, " ".join(end.detail.split())[:_LONGEST_DETAIL]
        text = game_text(
            task,
            self.table,
            self.moves,
            seats=self.seats,
            score=end.score,
            reason=end.reason,
            detail=detail,
            date=self.started.date().isoformat(),
        )
        return GameRecord(
            index=task.index,
            pair=task.pair,
            first=task.first.name,
            second=task.second.name,
            winner=end.winner,
            score=end.score,
            reason=end.reason,
            detail=detail,
            opening_name=task.opening_name,
            seed=task.seed,
            moves=tuple(self.moves),
            opinions=self.opinions,
            sgf=text,
            wall_s=round(time.perf_counter() - self.start_s, 6),
            first_s=round(self.seconds[0], 6),
            second_s=round(self.seconds[1], 6),
            cpu_s=round(time.process_time() - self.start_cpu_s + self.programs_cpu_s, 6),
            started_at=self.started.isoformat(timespec="milliseconds"),
            versions=self.titles,
        )


def _void(detail: str) -> _End:
    return _End("none", "Void", Reason.VOID, detail)


def _words(left: TimeLeft | None) -> str:
    if left is None:
        return "0 s"
    return f"{left.seconds:.2f} s" + (f" for {left.stones} moves" if left.stones else "")


@contextlib.contextmanager
def _pinned(cores: Sequence[int]) -> Iterator[None]:
    """Keep this thread, and whatever it starts, on some processor cores."""
    if not cores or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cores)
    except OSError as error:
        raise ValueError(f"cores are {list(cores)}; this process may use {sorted(before)}") from error
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
