"""A game set up for a person and an opponent: which game, how strong, how it starts."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from tesuji.games import make_game
from tesuji.games.terminal import GameView, view_of
from tesuji.go import Board, EngineConfig
from tesuji.go.engine.level import config_at_level
from tesuji.go.engine.standard import standard_config
from tesuji.play.dialogue import Dialogue
from tesuji.play.go_view import GoView
from tesuji.play.rival import EngineRival, Rival, SearchRival
from tesuji.search import Opponent, SearchConfig
from tesuji.search.levels import Level, level_named
from tesuji.search.opponent import DEFAULT_SECONDS
from tesuji.search.presets import presets_of

__all__ = ["Setting", "make_setting", "play"]

_GO_SIZE = 9
_HANDICAP_KOMI = 0.5  # White gave stones: only draws are excluded


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played: how it starts, how people see it, how it is searched; at Go that is the engine's own."""

    game: Any
    view: GameView
    config: SearchConfig


def make_setting(
    name: str, *, size: int | None = None, threads: int = 1, komi: float | None = None, handicap: int = 0
) -> Setting:
    """Set a game up.

    Parameters
    ----------
    name : str
        Of `tesuji.words.GAME_NAMES`, or a game of your own.
    size : int, optional
        Of the board, where the game has sizes; the usual one if not given.
    threads : int
        Of the search.
    komi : float, optional
        At Go; the rules' own if not given, half a point in a handicap game.
    handicap : int
        At Go: Black's stones on the star points.

    Raises
    ------
    ValueError
        For a game, size, komi or handicap that does not exist.
    """
    if name == "go":
        board = Board(size or _GO_SIZE, komi=_HANDICAP_KOMI if handicap and komi is None else komi)
        if handicap:
            board.set_handicap(handicap)
        setting = Setting(game=board, view=GoView(board), config=EngineConfig().search)
    else:
        if komi is not None or handicap:
            raise ValueError(f"komi and handicap are for go; leave them out for {name}")
        game = make_game(name, size)
        setting = Setting(game=game, view=view_of(game), config=presets_of(name)["default"])
    return msgspec.structs.replace(setting, config=setting.config.replace(threads=threads))


def rival_of(
    setting: Setting,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    level: Level | None = None,
) -> Rival:
    """Who plays: the engine at Go, the search at other games; one second a move if neither limit nor level is given."""
    if level is not None:
        simulations = level.simulations
    if not isinstance(setting.game, Board):
        opponent = Opponent(setting.game, setting.config, simulations=simulations, seconds=seconds, seed=seed)
        return SearchRival(opponent, level)
    if simulations is None and seconds is None:
        seconds = DEFAULT_SECONDS
    config = standard_config(on_missing=_say) if level is None else config_at_level(level, on_missing=_say)
    limit = simulations if level is None else config.simulations
    search = config.search.replace(threads=setting.config.threads)
    config = config.replace(simulations=limit, seconds=seconds, seed=seed, search=search)
    return EngineRival(setting.game, config, level)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def play(
    console: Console,
    name: str,
    *,
    size: int | None = None,
    komi: float | None = None,
    handicap: int = 0,
    level: str | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
    human_first: bool = True,
    seed: int | None = None,
    threads: int = 1,
    save: Path | None = None,
) -> None:
    """Play a game with whoever sits at the console.

    Parameters
    ----------
    name, size, komi, handicap, threads
        As `make_setting` takes them.
    level : str, optional
        Of `tesuji.search.levels.LEVELS`, by name or number, instead of `simulations`.
    simulations, seconds, seed
        As for `tesuji.search.Opponent`.
    human_first : bool
        Whether the person has the first player's side.
    save : path, optional
        Where the game is written after each move; an existing file is replaced.
    """
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")  # a stray byte is a typing error, not a crash
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # arrow keys at the prompt
    setting = make_setting(name, size=size, threads=threads, komi=komi, handicap=handicap)
    rival = rival_of(
        setting,
        simulations=simulations,
        seconds=seconds,
        seed=seed,
        level=None if level is None else level_named(level),
    )
    Dialogue(console, setting.game, setting.view, rival, human=0 if human_first else 1, save=save).run()
