"""Who plays against a person: the engine at a level, or a player that the server's config names.

An opponent belongs to one seat of one game. It is asked on a search thread, told the whole game each time, and keeps
what it knows between moves. A program of somebody else's is started when it is first asked and ended with the game's
last page (`close`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import msgspec

from tesuji.experiments.players import Player, open_player
from tesuji.experiments.players.gtp_client import EngineError
from tesuji.experiments.players.gtp_player import GtpPlayer
from tesuji.experiments.players.player import TimeLeft
from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.experiments.table import Table, lay_table
from tesuji.go.engine import Engine
from tesuji.go.engine.clock import Clock
from tesuji.go.engine.level import config_at_level
from tesuji.go.engine.level import move_at_level as go_move_at_level
from tesuji.go.rules.board import Board
from tesuji.search import Search
from tesuji.search.levels import Level, level_named, move_at_level
from tesuji.search.presets import presets_of
from tesuji.web.searches import Job
from tesuji.web.settings import WebSettings
from tesuji.web.setups import GameSetup

__all__ = ["GoLevel", "NamedPlayer", "NativeLevel", "Opponent", "Thought", "opponent_for"]

_PATIENCE_S = 120.0


class Thought(msgspec.Struct, frozen=True):
    """A move, and what its player expects of it.

    Attributes
    ----------
    move : int or "resign"
        What is played.
    winrate : float or None
        Of the player, 0..1, if it says so.
    line : list of int
        How it thinks the game goes on.
    """

    move: int | Literal["resign"]
    winrate: float | None = None
    line: list[int] = []


class Opponent(Protocol):
    """Somebody who moves."""

    def choose(self, game: Any, moves: Sequence[int], clock: Clock | None, job: Job[Any]) -> Thought:
        """A move for the side to move of `game`, which the `moves` have led to. On a search thread."""

    def close(self) -> None:
        """End what it started."""


def opponent_for(seat: str, setup: GameSetup, settings: WebSettings) -> Opponent:
    """The opponent that a page names: ``level:club`` or ``player:gnu``.

    Raises
    ------
    ValueError
        If there is none of that name, or it does not play this game.
    """
    kind, _, name = seat.partition(":")
    if kind == "player":
        spec = settings.players.get(name)
        if spec is None:
            known = ", ".join(settings.players) or "none; write them into web.toml"
            raise ValueError(f"the server knows no player {name[:60]!r}; it knows {known}")
        return NamedPlayer(spec, setup, settings)
    if kind != "level":
        raise ValueError(f"{seat[:60]!r} is not an opponent; write you, level:NAME or player:NAME")
    level = level_named(name)
    if setup.game == "go":
        return GoLevel(level, settings)
    return NativeLevel(level, setup, settings)


class GoLevel:
    """The Go engine at a level."""

    def __init__(self, level: Level, settings: WebSettings) -> None:
        config = config_at_level(level).replace(seed=settings.seed)
        search = msgspec.structs.replace(config.search, memory_bytes=settings.limits.search_mb << 20)
        self._engine = Engine(msgspec.structs.replace(config, search=search))
        self._level, self._rng = level, random.Random(settings.seed)

    def choose(self, game: Board, moves: Sequence[int], clock: Clock | None, job: Job[Any]) -> Thought:
        """Think, and at a weak level take one of the moves it thought of."""
        del moves
        job.stop_by(self._engine.stop)
        choice = self._engine.choose(game, clock=clock, on_progress=lambda _so_far: not job.is_stopped)
        move = go_move_at_level(choice, game, self._level, self._rng)
        return Thought(move, choice.winrate, choice.line if choice.move == move else [])

    def close(self) -> None:
        """Forget the game."""
        self._engine.end_game()


class NativeLevel:
    """The search over a native game at a level."""

    def __init__(self, level: Level, setup: GameSetup, settings: WebSettings) -> None:
        config = presets_of(setup.game)["default"]
        self._config = config.replace(memory_bytes=settings.limits.search_mb << 20)
        self._level, self._seed, self._rng = level, settings.seed, random.Random(settings.seed)

    def choose(self, game: Any, moves: Sequence[int], clock: Clock | None, job: Job[Any]) -> Thought:
        """Search anew each time: a game of a page may have been taken back."""
        del moves
        search = Search(game, self._config)
        job.stop_by(search.stop)
        seconds = None if clock is None else clock.allotment(20, 0.1).normal_s
        found = search.run(
            simulations=self._level.simulations,
            seconds=seconds,
            seed=self._seed,
            on_progress=lambda _so_far: not job.is_stopped,
        )
        move = move_at_level(found, self._level, self._rng)
        index = found.moves.tolist().index(move)
        return Thought(move, float(found.values[index]), found.lines[index])

    def close(self) -> None:
        """There is nothing to end."""


class NamedPlayer:
    """A player of the server's config: a program that speaks GTP, or the engine with other settings."""

    def __init__(self, spec: PlayerSpec, setup: GameSetup, settings: WebSettings) -> None:
        if setup.height not in (0, setup.size):
            raise ValueError(f"{spec.name} plays on square boards only; choose equal sides, or a level of Tesuji")
        self._spec, self._seed = spec, 1 if settings.seed is None else settings.seed
        start = setup.start(settings.own_games)
        komi = start.komi if isinstance(start, Board) else None
        self._conditions = Conditions(
            game=settings.own_games.get(setup.game, setup.game),
            size=start.width if isinstance(start, Board) else setup.size,
            komi=komi,
            rules=setup.rules if setup.game == "go" else "chinese",
            handicap=setup.handicap,
        )
        if spec.kind == "gtp" and setup.game != "go":
            raise ValueError(f"{spec.name} speaks GTP, which knows Go only; choose a level of Tesuji")
        self._player: Player | None = None
        self._told: list[int] = []

    def choose(self, game: Any, moves: Sequence[int], clock: Clock | None, job: Job[Any]) -> Thought:
        """Tell it what was played since it was asked last, or the whole game, and ask."""
        from tesuji.web.faces import face_of

        face = face_of(game)
        try:
            table = self._table(moves, face.name)
            player = self._seated(table, moves)
            if isinstance(player, GtpPlayer):  # it can only be ended; it is started again when it is needed
                job.stop_by(player.interrupt)
            left = None if clock is None else TimeLeft(clock.most_s)
            answer = player.choose(table.seat, left, min(_PATIENCE_S, self._spec.move_s))
        except EngineError as error:
            self.close()
            raise ValueError(f"{self._spec.name} {error}") from error
        if answer.vertex.strip().lower() == "resign":
            return Thought("resign", answer.value)
        move = face.parse(answer.vertex.strip())
        if reason := face.why_illegal(game, move):
            raise ValueError(f"{self._spec.name} wants to play {answer.vertex}: {reason}")
        self._told = [*moves, move]
        return Thought(move, answer.value)

    def close(self) -> None:
        """End the program."""
        player, self._player, self._told = self._player, None, []
        if player is not None:
            player.close()

    def _seated(self, table: Table, moves: Sequence[int]) -> Player:
        """The player, who knows the game as it stands on the table."""
        player, num_told = self._player, len(self._told)
        if player is None:
            self._player = player = open_player(self._spec, self._conditions, self._seed)
            player.begin(table)
        elif isinstance(player, GtpPlayer) and list(moves[:num_told]) == self._told:
            for seat, vertex in table.history[num_told:]:
                player.observe(seat, vertex)
        else:
            player.begin(table)
        return player

    def _table(self, moves: Sequence[int], name: Callable[[int], str]) -> Table:
        table = lay_table(self._conditions)
        for move in moves:
            table.play(name(move))
        return table
