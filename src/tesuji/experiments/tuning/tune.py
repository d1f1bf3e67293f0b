"""Tuning: play games with changing parameters, and say where the optimum lies. The same call resumes.

A sampler (`samplers.py`) is asked for values whenever a worker is free. Every game is stored with the values it was
played with; what a run knows is rebuilt from the store. Whatever chose the values, the answer comes from CLOP's local
regression over all games: the posterior mean of the optimum with its interval, and response curves. It is not the best
value seen. A match of the tuned values against the start values then says what the tuning was worth.

How games are played, stored and counted is as in a match: `referee.py`, `store.py`, `match.py`.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from tesuji import provenance
from tesuji.experiments.play.referee import play_game
from tesuji.experiments.records import GameRecord, GameTask, Reason, Setting, void_record
from tesuji.experiments.run.match import Progress, State, play_match
from tesuji.experiments.run.schedule import schedule, seed_of
from tesuji.experiments.run.spec import check
from tesuji.experiments.run.spec_file import SpecError
from tesuji.experiments.run.store import Store
from tesuji.experiments.run.workers import LocalWorkers, Workers
from tesuji.experiments.stats.standings import Standings
from tesuji.experiments.tuning.clop import Clop, Optimum, ResponsePoint
from tesuji.experiments.tuning.samplers import Sampler, make_sampler
from tesuji.experiments.tuning.tune_spec import CANDIDATE, TuneSpec

__all__ = [
    "TuneProgress",
    "TuneResult",
    "result_of",
    "save_response_plots",
    "tune",
    "verdict",
    "verification_path",
    "verify",
]

_ATTEMPTS = 3  # at a game that comes back void
_REPORT_S = 0.5
_REPORT_SHARE = 0.05  # of the time, at most, goes into estimates along the way


class TuneProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a search is.

    Attributes
    ----------
    state : {"playing", "finished", "interrupted"}
        "interrupted": by Ctrl-C.
    games, total : int
        Stored so far, those of earlier runs among them; all there will be.
    rate : float
        Points per game of all games so far.
    optimum : Optimum or None
        The estimate so far; None before the first game.
    elapsed_s : float
        Since this run began.
    left_s : float or None
        An estimate; None: not known yet.
    voids : int
        Games of this run that came back void.
    """

    state: State
    games: int
    total: int
    rate: float
    optimum: Optimum | None
    elapsed_s: float
    left_s: float | None
    voids: int = 0


class TuneResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found.

    Attributes
    ----------
    method : str
        That chose the values.
    games : int
        Played.
    rate : float
        Points per game of all of them.
    start : dict
        The values it began with.
    values : dict
        The posterior mean of the optimum, rounded as players take it.
    optimum : Optimum
        The same with intervals and the expected points there.
    responses : dict
        Parameter to its response curve, the others being at the optimum.
    """

    method: str
    games: int
    rate: float
    start: dict[str, Setting]
    values: dict[str, Setting]
    optimum: Optimum
    responses: dict[str, list[ResponsePoint]]


def tune(
    spec: TuneSpec,
    *,
    store_path: Path | str,
    workers: Workers | None = None,
    on_progress: Callable[[TuneProgress], object] | None = None,
    play: Callable[[GameTask], GameRecord] = play_game,
) -> TuneResult | None:
    """Search, or go on searching.

    Parameters
    ----------
    spec
        What to search.
    store_path
        The file that keeps the games; made if it is missing.
    workers
        Who plays; one process of this machine if not given.
    on_progress
        Called now and then, and once at the end.
    play
        What plays a game: a function of a module that workers can import.

    Returns
    -------
    TuneResult or None
        After the last game. After Ctrl-C, of what there is (None: nothing); the last progress says "interrupted", and
        the same call plays the rest.

    Raises
    ------
    SpecError
        If a player does not start or cannot play under these conditions; before any game.
    ImportError
        If the method needs a package that is not there.
    StoreLocked, StoreFull, ValueError, OSError
        If the store is in use, full, or of another experiment.
    """
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store.open(store_path, spec_json=spec.identity()))
        if workers is None:
            workers = stack.enter_context(LocalWorkers(1))
        tuning = _Tuning(spec, store, workers, on_progress)
        try:
            tuning.run(play)
        except KeyboardInterrupt:
            return tuning.finish("interrupted")
        return tuning.finish("finished")


def verify(
    spec: TuneSpec,
    values: dict[str, Setting],
    *,
    store_path: Path | str,
    workers: Workers | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    play: Callable[[GameTask], GameRecord] = play_game,
) -> Standings:
    """Play the tuned values against the start values; as `match.play_match`."""
    return play_match(
        spec.verification(values), store_path=store_path, workers=workers, on_progress=on_progress, play=play
    )


def verification_path(store_path: Path | str, games: int) -> Path:
    """Where the verification after so many games is kept: beside the store, a store of its own."""
    path = Path(store_path)
    return path.with_name(f"{path.stem}-verify-{games}{path.suffix or '.db'}")


def result_of(spec: TuneSpec, store: Store) -> TuneResult | None:
    """What the games of a store say; None without games."""
    samples = {game.index: (game.parameters, game.points_of(CANDIDATE)) for game in store.games()}
    return _result(spec, samples)


Samples = dict[int, tuple[dict[str, Setting], float]]
"""Index of the game to its values and its points."""


def _estimate(spec: TuneSpec, samples: Samples) -> Clop:
    return Clop.replay(spec.parameters, [samples[index] for index in sorted(samples)], spec.seed)


def _result(spec: TuneSpec, samples: Samples) -> TuneResult | None:
    if not samples:
        return None
    clop = _estimate(spec, samples)
    optimum = clop.optimum()
    return TuneResult(
        method=spec.method,
        games=len(samples),
        rate=sum(points for _, points in samples.values()) / len(samples),
        start=spec.start,
        values={parameter.name: parameter.rounded(optimum.values[parameter.name]) for parameter in spec.parameters},
        optimum=optimum,
        responses={parameter.name: clop.response(parameter.name) for parameter in spec.parameters},
    )


class _Trials:
    """The values of each trial and the points of its games, between the schedule and the sampler."""

    def __init__(self, spec: TuneSpec, games: Iterator[GameRecord]) -> None:
        self._size = spec.trial_games
        self._values: dict[int, dict[str, Setting]] = {}
        self._points: dict[int, list[float]] = {}
        self._missing: Counter[int] = Counter()  # games of a trial that will not be played
        self.samples: Samples = {}
        for game in games:
            self._values[self._trial(game.index)] = game.parameters
            self._keep(game.index, game.points_of(CANDIDATE))
        finished = [trial for trial in sorted(self._points) if self._is_complete(trial)]
        told = [(self._values[trial], self._points.pop(trial)) for trial in finished]
        seed = seed_of(spec.seed, len(self.samples))  # another one for every run, lest it asks for the same again
        self._sampler: Sampler = make_sampler(spec.method, spec.parameters, seed=seed, trials=told)

    def _trial(self, index: int) -> int:
        return index // self._size

    def _is_complete(self, trial: int) -> bool:
        return len(self._points.get(trial, ())) + self._missing[trial] >= self._size

    def _keep(self, index: int, points: float) -> None:
        trial = self._trial(index)
        self._points.setdefault(trial, []).append(points)
        self.samples[index] = (self._values[trial], points)

    def values(self, index: int) -> dict[str, Setting]:
        """The values of a game; new ones if its trial begins."""
        trial = self._trial(index)
        if trial not in self._values:
            self._values[trial] = self._sampler.ask()
        return self._values[trial]

    def add(self, index: int, points: float) -> None:
        """A game of a trial has ended."""
        self._keep(index, points)
        self._tell(self._trial(index))

    def give_up(self, index: int) -> None:
        """A game of a trial will not be played."""
        self._missing[self._trial(index)] += 1
        self._tell(self._trial(index))

    def _tell(self, trial: int) -> None:
        if self._is_complete(trial) and (points := self._points.pop(trial, None)):
            self._sampler.tell(self._values[trial], points)


class _Tuning:
    """A search while it runs: hands out games and takes results home."""

    def __init__(
        self,
        spec: TuneSpec,
        store: Store,
        workers: Workers,
        on_progress: Callable[[TuneProgress], object] | None,
    ) -> None:
        self._spec = spec
        self._store = store
        self._workers = workers
        self._on_progress = on_progress
        self._trials = _Trials(spec, store.games())
        self._games_before = len(self._trials.samples)
        self._again: deque[GameTask] = deque()
        self._voids: Counter[int] = Counter()
        self._began_at = self._report_at = time.monotonic()

    def run(self, play: Callable[[GameTask], GameRecord]) -> None:
        """Play the games that are missing."""
        done = self._trials.samples
        left = (task for task in schedule(self._spec.match(self._spec.num_games)) if task.index not in done)
        left = (task for task in left if task.index < self._spec.num_games)
        if (first := next(left, None)) is None:
            return
        self._check_players()
        self._store.add_run(provenance.collect(seed=self._spec.seed, config=self._spec))
        self._again.append(first)
        self._began_at = time.monotonic()
        while self._again:  # in later rounds: games that were void when nothing else was left
            self._workers.run(play, self._tasks(left), on_result=self._take, on_failure=self._fail)

    def _check_players(self) -> None:
        """Start the opponents, and the player with values from every corner."""
        match = self._spec.match(self._spec.games)
        corners = [
            self._spec.player.fill(values, name=f"{CANDIDATE} {i}") for i, values in enumerate(self._spec.corners())
        ]
        try:
            check(msgspec.structs.replace(match, players=(*corners, *self._spec.opponents), champion=""), self._workers)
        except SpecError as error:
            position = error.place[1] if len(error.place) > 1 else None
            if not isinstance(position, int) or position < len(corners):
                raise SpecError(("player",), str(error)) from error
            raise SpecError(("opponents", position - len(corners), *error.place[2:]), str(error)) from error

    def _tasks(self, left: Iterator[GameTask]) -> Iterator[GameTask]:
        while True:
            if self._again:
                yield self._with_values(self._again.popleft())
            elif (task := next(left, None)) is not None:
                yield self._with_values(task)
            else:
                return

    def _with_values(self, task: GameTask) -> GameTask:
        values = self._trials.values(task.index)
        player = self._spec.player.fill(values, name=CANDIDATE)
        first = player if task.first.name == CANDIDATE else task.first
        second = player if task.second.name == CANDIDATE else task.second
        return msgspec.structs.replace(task, first=first, second=second, parameters=values)

    def _take(self, task: GameTask, record: GameRecord) -> None:
        record = msgspec.structs.replace(record, parameters=task.parameters)
        is_new = self._store.add(record)
        if record.reason == Reason.VOID:
            self._voids[task.index] += 1
            if self._voids[task.index] < _ATTEMPTS:
                self._again.append(task)
            else:
                self._trials.give_up(task.index)
        elif is_new:
            self._trials.add(task.index, record.points_of(CANDIDATE))
        self._report()

    def _fail(self, task: GameTask, why: str) -> None:
        """The machine failed, not a player."""
        self._take(task, void_record(task, why))

    # --- progress -----------------------------------------------------------------------------------------------------

    def finish(self, state: State) -> TuneResult | None:
        """The last word."""
        found = _result(self._spec, self._trials.samples)
        self._tell(state, found.optimum if found else None)
        return found

    def _report(self) -> None:
        begin = time.monotonic()
        samples = self._trials.samples
        if not self._on_progress or begin < self._report_at or not samples:
            return
        self._tell("playing", _estimate(self._spec, samples).optimum())
        end = time.monotonic()
        self._report_at = end + max(_REPORT_S, (end - begin) / _REPORT_SHARE)

    def _tell(self, state: State, optimum: Optimum | None) -> None:
        if not self._on_progress:
            return
        samples = self._trials.samples
        elapsed = time.monotonic() - self._began_at
        played = len(samples) - self._games_before
        left = elapsed * (self._spec.num_games - len(samples)) / played if played else None
        self._on_progress(
            TuneProgress(
                state=state,
                games=len(samples),
                total=self._spec.num_games,
                rate=sum(points for _, points in samples.values()) / max(len(samples), 1),
                optimum=optimum,
                elapsed_s=elapsed,
                left_s=left if state == "playing" else None,
                voids=self._voids.total(),
            )
        )


# --- what people read -------------------------------------------------------------------------------------------------


def verdict(found: Standings) -> str:
    """What a verification showed, in a sentence."""
    if found.elo is None or not found.games:
        return "no game was played"
    if found.elo.low > 0:
        return "the tuned values are stronger than the start values"
    if found.elo.high < 0:
        return "the tuned values are weaker than the start values: keep those"
    return "no difference is shown; more games would narrow the interval"


def save_response_plots(spec: TuneSpec, found: TuneResult, stem: Path) -> list[Path]:
    """Draw the response curve of every parameter, and write ``STEM-NAME.png`` for each."""
    from tesuji.experiments.report.plots import response_plot, save, sweep_plot

    saved = []
    for parameter, optimum in zip(spec.parameters, found.optimum.parameters, strict=True):
        curve = found.responses[parameter.name]
        bands = [point.rate for point in curve], [point.low for point in curve], [point.high for point in curve]
        title = f"{found.games:,} games by {spec.method.upper()}, the other parameters at their optimum"
        if parameter.is_choice:
            places = list(range(1, len(curve) + 1))
            figure = sweep_plot(places, *bands, parameter=parameter.name, title=title, reference=None)
            figure.axes[0].set_xticks(places, [str(point.value) for point in curve])
        else:
            figure = response_plot(
                [float(point.value) for point in curve],
                *bands,
                parameter=parameter.name,
                optimum=float(optimum.value),
                optimum_low=optimum.low,
                optimum_high=optimum.high,
                title=title,
                is_log=parameter.log,
            )
        saved.append(save(figure, stem.with_name(f"{stem.name}-{parameter.name}.png")))
    return saved
