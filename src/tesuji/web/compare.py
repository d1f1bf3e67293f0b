"""The room where players are compared: stores of matches, tournaments and tuning runs, live, with their games.

A store is a file of the server's folder, or one that was named on the command line; a page says its name, which is
looked up. A store that somebody watches is read again when its file changes. Matches can be started, paused and resumed
among the players of the config (`matches.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from tesuji.experiments.records import Conditions, GameRecord
from tesuji.experiments.run.match import standings_of
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.store import Store
from tesuji.experiments.stats.elo import Sprt
from tesuji.experiments.table import Table, lay_table
from tesuji.go.records.sgf import load
from tesuji.web.desk import Desk
from tesuji.web.faces import face_of
from tesuji.web.matches import Matches
from tesuji.web.page import Handler, Page
from tesuji.web.setups import games_for_page

__all__ = ["CompareRoom"]

_LOOK_S = 0.5
_GAMES = 300  # listed
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _+.-]{0,59}")
_Name = Annotated[str, msgspec.Meta(max_length=80)]


class _Which(msgspec.Struct, forbid_unknown_fields=True):
    name: _Name


class _Game(msgspec.Struct, forbid_unknown_fields=True):
    name: _Name
    index: Annotated[int, msgspec.Meta(ge=0)]


class _Start(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    name: _Name
    players: Annotated[list[_Name], msgspec.Meta(min_length=2, max_length=20)]
    game: _Name = "go"
    size: Annotated[int, msgspec.Meta(ge=0, le=25)] = 0
    games: Annotated[int, msgspec.Meta(ge=2, le=100_000)] = 100
    openings: Annotated[str, msgspec.Meta(pattern=r"^(empty|random:[1-9][0-9]?)$")] = "empty"
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 1
    elo0: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] | None = None
    elo1: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] | None = None


class CompareRoom:
    """The commands of the room, and who watches which store.

    Parameters
    ----------
    desk : Desk
        For the settings.
    """

    def __init__(self, desk: Desk) -> None:
        self._settings = desk.settings
        self.matches = Matches(desk.settings)
        self._watchers: dict[Path, set[Page]] = {}
        self._seen: dict[Path, tuple[object, ...]] = {}
        self._watching: asyncio.Task[None] | None = None

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {
            "compare.offer": self._offer,
            "compare.enter": self._enter,
            "compare.leave": self._leave,
            "compare.game": self._game,
            "compare.start": self._start,
            "compare.pause": self._pause,
            "compare.resume": self._resume,
        }

    def close(self) -> None:
        """Pause all matches."""
        if self._watching is not None:
            self._watching.cancel()
        self.matches.close()

    # --- stores -------------------------------------------------------------------------------------------------------

    def stores(self) -> dict[str, Path]:
        """All stores that there are, by name."""
        found = {path.stem: path for path in sorted(self._settings.folder.glob("*.db")) if path.is_file()}
        return found | {path.stem: path for path in self._settings.stores}

    def _store(self, name: str) -> Path:
        path = self.stores().get(name)
        if path is None:
            raise ValueError(f"there is no store {name[:60]!r}; the list has those there are")
        return path

    async def _offer(self, page: Page, of: dict[str, Any]) -> Any:
        del page, of
        return {
            "stores": await asyncio.to_thread(self._lines),
            "players": list(self._settings.players),
            "kinds": {name: spec.kind for name, spec in self._settings.players.items()},
            "games": games_for_page(),
        }

    def _lines(self) -> list[dict[str, Any]]:
        lines = []
        for name, path in self.stores().items():
            with contextlib.suppress(ValueError, OSError, sqlite3.Error), Store.read(path) as store:
                spec = msgspec.json.decode(store.spec, type=MatchSpec)
                lines.append(
                    {"name": name, "games": len(store), "players": spec.names, "running": self.matches.is_running(path)}
                )
        return lines

    # --- watching -----------------------------------------------------------------------------------------------------

    async def _enter(self, page: Page, of: dict[str, Any]) -> Any:
        name = msgspec.convert(of, _Which).name
        path = self._store(name)
        self._watchers.setdefault(path, set()).add(page)
        page.on_leave.add(partial(self._forget, path, page))
        self._seen[path] = _traces(path)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        return await self._report(name, path)

    async def _leave(self, page: Page, of: dict[str, Any]) -> Any:
        path = self.stores().get(msgspec.convert(of, _Which).name)
        if path is not None:
            self._forget(path, page)

    def _forget(self, path: Path, page: Page) -> None:
        self._watchers.get(path, set()).discard(page)

    async def _watch(self) -> None:
        """Read stores again that have changed, as long as somebody looks."""
        while any(self._watchers.values()):
            await asyncio.sleep(_LOOK_S)
            for path, pages in list(self._watchers.items()):
                traces = (*_traces(path), self.matches.is_running(path))
                if not pages or traces == self._seen.get(path):
                    continue
                self._seen[path] = traces
                report = await self._report(path.stem, path)
                for page in pages:
                    page.tell("compare", report, key=f"compare/{path.stem}")

    async def _report(self, name: str, path: Path) -> dict[str, Any]:
        report = {"name": name, "running": self.matches.is_running(path), "failure": self.matches.failure(path)}
        try:
            return report | await asyncio.to_thread(_read, path)
        except (ValueError, OSError, sqlite3.Error) as error:
            return report | {"error": str(error)[:500]}

    # --- games --------------------------------------------------------------------------------------------------------

    async def _game(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Game)
        path = self._store(asked.name)

        def read() -> dict[str, Any]:
            with Store.read(path) as store:
                spec = msgspec.json.decode(store.spec, type=MatchSpec)
                try:
                    record = store.game(asked.index)
                except KeyError:
                    raise ValueError(f"there is no game {asked.index} in {asked.name}") from None
            return _replayed(record, spec.conditions)

        return await asyncio.to_thread(read)

    # --- matches ------------------------------------------------------------------------------------------------------

    async def _start(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Start)
        if not _NAME.fullmatch(asked.name):
            raise ValueError(f"{asked.name[:60]!r} is not a name for a match; use letters, digits, spaces and hyphens")
        if asked.name in self.stores():
            raise ValueError(f"there is a match {asked.name} already; resume it, or take another name")
        unknown = [name for name in asked.players if name not in self._settings.players]
        if unknown:
            raise ValueError(f"the server knows no player {unknown[0][:60]!r}; players are named in web.toml")
        if asked.game not in {game["game"] for game in games_for_page()}:
            raise ValueError(f"there is no game {asked.game!r} to compare players at")
        sprt = None if asked.elo0 is None or asked.elo1 is None else Sprt(elo0=asked.elo0, elo1=asked.elo1)
        spec = MatchSpec(
            players=tuple(self._settings.players[name] for name in asked.players),
            conditions=Conditions(game=asked.game, size=asked.size),
            games=asked.games,
            openings=asked.openings,
            seed=asked.seed,
            sprt=sprt,
        )
        path = self._settings.folder / f"{asked.name}.db"
        self.matches.start(path, spec)
        for _ in range(600):  # until the store is there, or the process has something to say
            await asyncio.sleep(0.1)
            if _is_store(path) or not self.matches.is_running(path):
                break
        if failure := self.matches.failure(path):
            raise ValueError(failure)
        return {"name": asked.name}

    async def _pause(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        self.matches.pause(self._store(msgspec.convert(of, _Which).name))

    async def _resume(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        path = self._store(msgspec.convert(of, _Which).name)
        with Store.read(path) as store:
            spec = msgspec.json.decode(store.spec, type=MatchSpec)
        self.matches.start(path, spec)


def _is_store(path: Path) -> bool:
    """Whether there is a store, complete with its spec."""
    try:
        with Store.read(path) as store:
            return bool(store.spec)
    except (ValueError, OSError, sqlite3.Error, TypeError):
        return False


def _traces(path: Path) -> tuple[object, ...]:
    """What changes when somebody writes."""
    found: list[object] = []
    for name in (path, path.with_name(path.name + "-wal")):
        with contextlib.suppress(OSError):
            stat = name.stat()
            found += [stat.st_mtime_ns, stat.st_size]
    return tuple(found)


def _read(path: Path) -> dict[str, Any]:
    """All that a page shows of a store."""
    with Store.read(path) as store:
        spec = msgspec.json.decode(store.spec, type=MatchSpec)
        games = [_line(game) for game in store.games()]
        return {
            "standings": standings_of(store),
            "total": spec.num_games,
            "conditions": msgspec.to_builtins(spec.conditions),
            "sprt": spec.sprt,
            "tuned": _tuned(store),
            "games": games[-_GAMES:][::-1],
        }


def _line(game: GameRecord) -> list[Any]:
    length = game.num_moves or len(game.moves)
    return [game.index, game.first, game.second, game.winner, game.score, str(game.reason), length]


def _tuned(store: Store) -> dict[str, Any] | None:
    """What a tuning run has found so far; None for a match."""
    data = msgspec.json.decode(store.spec)
    if "tune" not in data or not len(store):
        return None
    from tesuji.experiments.tuning.tune import result_of
    from tesuji.experiments.tuning.tune_spec import TuneSpec

    tune = data["tune"]
    whole = {
        "player": tune["player"],
        "parameters": tune["parameters"],
        "method": tune["method"],
        "opponents": data["players"][1:],
        "conditions": data["conditions"],
        "openings": data["openings"],
        "seed": data["seed"],
        "games": len(store),
    }
    found = result_of(msgspec.convert(whole, TuneSpec), store)
    return None if found is None else msgspec.to_builtins(found)


def _replayed(record: GameRecord, conditions: Conditions) -> dict[str, Any]:
    """A game as a layout and its positions, one after the other."""
    if conditions.game == "go":
        sgf = load(record.sgf.encode())
        boards = [board.copy() for board in sgf.boards()]
        face = face_of(boards[0])
        names = [face.name(move) for _, move in sgf.moves]
        pictures = [face.picture(board, board.last_move) for board in boards]
    else:
        table = lay_table(conditions)
        face = face_of(table.game)
        names = record.sgf.split("\n", 2)[2].split()  # after two lines about the game
        pictures = _native_pictures(table, names, face)
    shown = [{"owner": one["owner"], "last": one["last"], "turn": one["turn"]} for one in pictures]
    return {
        "layout": face.layout(),
        "positions": shown,
        "moves": names,
        "sgf": record.sgf if conditions.game == "go" else "",
        "detail": record.detail,
        "line": _line(record),
    }


def _native_pictures(table: Table, names: list[str], face: Any) -> list[dict[str, Any]]:
    pictures = [face.picture(table.game, None)]
    for name in names:
        move = face.parse(name)
        table.play(name)
        pictures.append(face.picture(table.game, move))
    return pictures
