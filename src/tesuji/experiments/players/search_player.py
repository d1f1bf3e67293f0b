"""The search of this library as a player: the Go engine, or a `Search` over a native game.

Settings become configs by the parameters of `tesuji.go.engine.parameters` and `tesuji.search.parameters`. Nothing here
is bounded from outside: an in-process search ends because its limits say so, and the referee's patience is one of them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Self

import msgspec

from tesuji.experiments.players.player import Answer, TimeLeft
from tesuji.experiments.players.settings import checked_settings, engine_settings, limits_of, preset_in
from tesuji.experiments.records import PlayerSpec, Setting
from tesuji.experiments.table import GoTable, NativeTable, Table
from tesuji.go.engine import Engine
from tesuji.go.engine.clock import Absolute, Canadian, Clock
from tesuji.go.engine.resolve import resolve
from tesuji.search import Search, SearchConfig

__all__ = ["GoPlayer", "SearchPlayer"]

DEFAULT_SIMULATIONS = 10_000
MOVES_AHEAD = 30
"""In games other than Go a clock is shared by so many moves: its share never runs out, and most of it is used."""
LAG_S = 0.1
"""What these keep of a clock against delays."""


class _InProcess:
    """What the two players share."""

    cpu_s = 0.0

    def close(self) -> None:
        """There is nothing to end in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class GoPlayer(_InProcess):
    """The Go engine of this library."""

    def __init__(self, spec: PlayerSpec, seed: int) -> None:
        self._spec, self.title = spec, _own_title()
        settings = checked_settings(spec.settings)
        config = resolve("go", preset_in(settings), engine_settings(settings))
        simulations, seconds = _limits(spec, settings, (config.simulations, config.seconds))
        search = msgspec.structs.replace(config.search, threads=spec.num_threads)
        self._engine = Engine(
            msgspec.structs.replace(config, simulations=simulations, seconds=seconds, search=search, seed=seed)
        )

    def begin(self, table: Table) -> None:
        """A new game."""
        assert isinstance(table, GoTable)
        self._board = table.game

    def rehearse(self) -> None:
        """One simulation."""
        self._engine.analyse(self._board, simulations=1)

    def observe(self, seat: int, vertex: str) -> None:
        """The move is on the board, where the engine finds it."""

    def choose(self, seat: int, left: TimeLeft | None, timeout_s: float) -> Answer:
        """Let the engine think."""
        own_s = self._engine.config.seconds
        seconds = timeout_s if own_s is None else min(own_s, timeout_s)
        choice = self._engine.choose(self._board, seat + 1, seconds=seconds, clock=_clock(self._spec, left))
        vertex = "resign" if choice.move == "resign" else self._board.vertex(choice.move)
        return Answer(vertex, choice.winrate)

    def close(self) -> None:
        """The game is over: with a `table_file` the engine writes what it has learnt."""
        self._engine.end_game()

    def final_score(self, timeout_s: float) -> str | None:
        """None: the referee counts in the same way."""
        del timeout_s
        return None


class SearchPlayer(_InProcess):
    """The search over a native game; it keeps its graph from move to move."""

    def __init__(self, spec: PlayerSpec, game: str, seed: int) -> None:
        self._spec, self._seed, self.title = spec, seed, _own_title()
        settings = checked_settings(spec.settings)
        config = resolve(game, preset_in(settings), engine_settings(settings))
        assert isinstance(config, SearchConfig)
        self._config = config.replace(threads=spec.num_threads)
        self._simulations, self._seconds = _limits(spec, settings, (DEFAULT_SIMULATIONS, None))

    def begin(self, table: Table) -> None:
        """A new game."""
        assert isinstance(table, NativeTable)
        self._table = table
        self._search = Search(table.game, self._config)
        self._next_seed: int | None = self._seed

    def rehearse(self) -> None:
        """One simulation, by a search that is then forgotten."""
        Search(self._table.game, self._config).run(simulations=1, seed=self._seed)

    def observe(self, seat: int, vertex: str) -> None:
        """Follow the move, which is on the table."""
        del seat, vertex
        self._search.advance(self._table.last_move)

    def choose(self, seat: int, left: TimeLeft | None, timeout_s: float) -> Answer:
        """Search, then follow the move that was found."""
        del seat
        clock = _clock(self._spec, left)
        share_s = None if clock is None else clock.allotment(MOVES_AHEAD, LAG_S).normal_s
        seconds = min(limit_s for limit_s in (self._seconds, share_s, timeout_s) if limit_s is not None)
        seed, self._next_seed = self._next_seed, None  # only the first run of a search takes one
        found = self._search.run(simulations=self._simulations, seconds=seconds, seed=seed)
        name = self._table.name(found.best_move)
        self._search.advance(found.best_move)
        value = float(found.values[found.moves == found.best_move][0])
        return Answer(name, value)

    def final_score(self, timeout_s: float) -> str | None:
        """These games need no opinion."""
        del timeout_s
        return None


def _limits(
    spec: PlayerSpec, settings: Mapping[str, Setting], usual: tuple[int | None, float | None]
) -> tuple[int | None, float | None]:
    """Simulations and seconds per move: those set, else the usual ones; a clock is limit enough."""
    simulations, seconds = limits_of(settings)
    if simulations is not None or seconds is not None:
        return simulations, seconds
    has_clock = spec.main_s > 0 or spec.byoyomi_s > 0
    return (None, spec.move_s) if has_clock else usual


def _clock(spec: PlayerSpec, left: TimeLeft | None) -> Clock | None:
    """The referee's clock as the engine knows clocks; None without one."""
    if left is None:
        return None
    if spec.byoyomi_s <= 0:
        return Absolute(left.seconds)
    return Canadian(left.seconds, spec.byoyomi_s, max(1, spec.byoyomi_stones), left.stones)


@functools.cache
def _own_title() -> str:
    import tesuji

    return f"Tesuji {tesuji.__version__}"
