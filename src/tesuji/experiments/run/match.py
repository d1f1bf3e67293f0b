"""Play what a spec asks for: schedule, workers, store, SGF files, progress, the end. The same call resumes.

Every game that comes home is stored before anything else is done with it. What is stored is not played again, so that
a match that was stopped, killed or short of room goes on when the same call is repeated. Void games, which are nobody's
fault or everybody's, are played again at once, up to three times, and once more when the match resumes.

How a game is played is in `referee.py`, what results mean in `standings.py`.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Literal

import msgspec

from tesuji import provenance
from tesuji.experiments.play.referee import play_game
from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, GameTask, PlayerSpec, Reason, void_record
from tesuji.experiments.run.schedule import schedule
from tesuji.experiments.run.spec import MatchSpec, check, spec_json
from tesuji.experiments.run.store import Store
from tesuji.experiments.run.workers import LocalWorkers, Workers
from tesuji.experiments.stats.sequential import SequentialTest
from tesuji.experiments.stats.standings import Scoreboard, Standings, standings
from tesuji.writing import write_whole

__all__ = ["Progress", "State", "match", "play_match", "sgf_name", "standings_of"]

State = Literal["playing", "finished", "decided", "interrupted"]

_ATTEMPTS = 3  # at a game that comes back void
_REPORT_S = 0.25
_REPORT_SHARE = 0.02  # of the time, at most, goes into standings along the way


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a match is.

    Attributes
    ----------
    state : {"playing", "finished", "decided", "interrupted"}
        "decided": by the sequential test; "interrupted": by Ctrl-C.
    games : int
        Stored so far, those of earlier runs among them.
    total : int
        All there will be; with a sequential test, the most there can be.
    standings : Standings
        Of the games that count.
    elapsed_s : float
        Since this run began.
    left_s : float or None
        An estimate, from the speed of this run and the trend of the test; None: not known yet.
    voids : int
        Games of this run that came back void.
    trouble : str
        What was wrong with the last one of them.
    """

    state: State
    games: int
    total: int
    standings: Standings
    elapsed_s: float
    left_s: float | None
    voids: int = 0
    trouble: str = ""


def play_match(
    spec: MatchSpec,
    *,
    store_path: Path | str,
    sgf_dir: Path | str | None = None,
    workers: Workers | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    play: Callable[[GameTask], GameRecord] = play_game,
) -> Standings:
    """Play a match or a tournament, or what is left of it.

    Parameters
    ----------
    spec
        What to play.
    store_path
        The file that keeps the games; made if it is missing.
    sgf_dir
        Where each game is also left as a file, if given; missing files of stored games are written again.
    workers
        Who plays; one process of this machine if not given.
    on_progress
        Called a few times a second at most, and once at the end.
    play
        What plays a game: a function of a module that workers can import.

    Returns
    -------
    Standings
        After the last game. After Ctrl-C, of what there is; the last progress says "interrupted", and the same call
        plays the rest.

    Raises
    ------
    SpecError
        If a player does not start or cannot play under these conditions, or an opening is illegal; before any game.
    StoreLocked, StoreFull, ValueError, OSError
        If the store is in use, full, or of another experiment.
    """
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store.open(store_path, spec_json=spec_json(spec)))
        if workers is None:
            workers = stack.enter_context(LocalWorkers(1))
        match = _Match(spec, store, workers, Path(sgf_dir) if sgf_dir else None, on_progress)
        try:
            match.play(play)
        except KeyboardInterrupt:
            return match.finish("interrupted")
        return match.finish("decided" if match.is_decided else "finished")


def match(
    first: str | PlayerSpec,
    second: str | PlayerSpec,
    *,
    games: int = 100,
    game: str = "go",
    size: int = 0,
    openings: str = "empty",
    seed: int = 1,
    jobs: int = 1,
    store_path: Path | str | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> Standings:
    """Let two players play, and say who is better and how sure that is: `tesuji match`, from Python.

    Parameters
    ----------
    first, second
        As on a command line: ``"tesuji:simulations=1000"``, ``"gnugo-l10"``, a GTP command line.
    games
        How many, both colours together.
    game, size, openings, seed
        What is played, from where; see `Conditions` and `MatchSpec`, which say more.
    jobs
        Games at once, each in a process of its own.
    store_path
        The file that keeps the games, so that the same call resumes; None: they are forgotten at the end.
    on_progress
        Called a few times a second at most, and once at the end.

    Raises
    ------
    SpecError
        If a player does not start or cannot play; before any game.

    Examples
    --------
    >>> match("tesuji:simulations=1", "b=tesuji:simulations=300", game="connect4", games=10).games
    10
    """
    players = tuple(parse_player(one) if isinstance(one, str) else one for one in (first, second))
    conditions = msgspec.convert({"game": game, "size": size}, Conditions)
    spec = MatchSpec(players=players, conditions=conditions, games=games, openings=openings, seed=seed)
    with contextlib.ExitStack() as stack:
        if store_path is None:
            store_path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tesuji-match-"))) / "games.db"
        workers = stack.enter_context(LocalWorkers(jobs))
        return play_match(spec, store_path=store_path, workers=workers, on_progress=on_progress)


def standings_of(store: Store) -> Standings:
    """The standings of a stored match, as `play_match` returns them.

    Raises
    ------
    ValueError
        If the store belongs to something else than a match.
    """
    try:
        spec = msgspec.json.decode(store.spec, type=MatchSpec)
    except msgspec.ValidationError as error:
        raise ValueError(f"{store.path.name} holds no match or tournament ({error})") from error
    games = chain(store.attempts(), store.games())
    return standings(games, spec.names, sprt=spec.sprt, anchors=spec.anchors)


def sgf_name(record: GameRecord, game: str = "go") -> str:
    """The name of a game's file, for instance ``000017-alice-bob.sgf``."""
    names = "-".join(re.sub(r"[^\w.+=-]+", "_", name)[:40] for name in (record.first, record.second))
    return f"{record.index:06d}-{names}.{'sgf' if game == 'go' else 'txt'}"


class _Match:
    """A match while it is played: takes results home."""

    def __init__(
        self,
        spec: MatchSpec,
        store: Store,
        workers: Workers,
        sgf_dir: Path | None,
        on_progress: Callable[[Progress], object] | None,
    ) -> None:
        self._spec = spec
        self._store = store
        self._workers = workers
        self._sgf_dir = sgf_dir
        self._on_progress = on_progress
        self._board = Scoreboard(spec.names, sprt=spec.sprt, anchors=spec.anchors)
        self._test = SequentialTest(spec.sprt, spec.names[0]) if spec.sprt else None
        self._done: set[int] = set()
        self._resume()
        self._games_before = len(self._done)
        self._left: Iterator[GameTask] = iter(())
        self._again: deque[GameTask] = deque()
        self._voids: Counter[int] = Counter()
        self._trouble = ""
        self._began_at = self._report_at = time.monotonic()

    def _resume(self) -> None:
        """Count what is stored, and write the files that are missing."""
        there: set[str] = set()
        if self._sgf_dir:
            self._sgf_dir.mkdir(parents=True, exist_ok=True)
            there = {path.name for path in self._sgf_dir.iterdir()}
        for game in self._store.games():
            self._count(game)
            if self._sgf_dir and (name := sgf_name(game, self._spec.conditions.game)) not in there:
                write_whole(self._sgf_dir / name, self._store.game(game.index).sgf)

    def _count(self, game: GameRecord) -> None:
        self._done.add(game.index)
        self._board.add(game)
        if self._test:
            self._test.add(game)

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has come to an end."""
        return self._test is not None and self._test.verdict is not None

    def play(self, play: Callable[[GameTask], GameRecord]) -> None:
        """Play what has no game yet."""
        self._left = schedule(self._spec, without=frozenset(self._done))
        if self.is_decided or (first := next(self._left, None)) is None:
            return
        self._again.append(first)
        check(self._spec, self._workers)
        self._store.add_run(provenance.collect(seed=self._spec.seed, config=self._spec))
        self._began_at = time.monotonic()
        while self._again and not self.is_decided:  # in later rounds: games that were void when nothing else was left
            self._workers.run(play, self._tasks(), on_result=self._take, on_failure=self._fail)

    def finish(self, state: State) -> Standings:
        """The last word."""
        found = self._board.standings()
        self._tell(state, found)
        return found

    def _tasks(self) -> Iterator[GameTask]:
        """What is to be played next; games that were void come first."""
        while True:
            if self._again:
                yield self._again.popleft()
            elif (task := next(self._left, None)) is not None:
                yield task
            else:
                return

    def _take(self, task: GameTask, record: GameRecord) -> None:
        if record.reason == Reason.VOID:
            self._take_void(task, record)
        elif self._store.add(record):
            if self._sgf_dir:
                write_whole(self._sgf_dir / sgf_name(record, self._spec.conditions.game), record.sgf)
            self._count(record)
        if self.is_decided:
            self._workers.stop()
        else:
            self._report()

    def _take_void(self, task: GameTask, record: GameRecord) -> None:
        self._store.add(record)
        self._board.add(record)
        self._voids[task.index] += 1
        self._trouble = record.detail
        if self._voids[task.index] < _ATTEMPTS:
            self._again.append(task)
        elif self._test:
            self._test.give_up(task.pair)
            self._board.give_up(task.pair)

    def _fail(self, task: GameTask, why: str) -> None:
        """The machine failed, not a player."""
        self._take(task, void_record(task, why))

    # --- progress -----------------------------------------------------------------------------------------------------

    def _report(self) -> None:
        """Say how it stands, unless that was said a moment ago. The more games there are, the longer the moment."""
        begin = time.monotonic()
        if not self._on_progress or begin < self._report_at:
            return
        self._tell("playing", self._board.standings())
        end = time.monotonic()
        self._report_at = end + max(_REPORT_S, (end - begin) / _REPORT_SHARE)

    def _tell(self, state: State, found: Standings) -> None:
        if self._on_progress:
            self._on_progress(
                Progress(
                    state=state,
                    games=len(self._done),
                    total=self._spec.num_games,
                    standings=found,
                    elapsed_s=time.monotonic() - self._began_at,
                    left_s=self._seconds_left() if state == "playing" else None,
                    voids=self._voids.total(),
                    trouble=self._trouble,
                )
            )

    def _seconds_left(self) -> float | None:
        played = len(self._done) - self._games_before
        if not played:
            return None
        left = float(self._spec.num_games - len(self._done))
        if self._test:
            left = min(left, _games_to_decision(self._test))
        return left * (time.monotonic() - self._began_at) / played


def _games_to_decision(test: SequentialTest) -> float:
    """How many games more the test needs if its ratio goes on as it has."""
    pairs = sum(test.counts)
    if not pairs or not test.llr:
        return float("inf")
    lower, upper = test.sprt.bounds
    distance = upper - test.llr if test.llr > 0 else lower - test.llr
    return 2 * distance * pairs / test.llr
