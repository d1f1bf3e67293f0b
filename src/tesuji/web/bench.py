"""Searches that are looked at: one or two of the same position, with their graphs, and how their opinions changed.

A bench (`Bench`) is a position of any game and one config or two. Each search runs in slices that grow; after each the
most visited part of its graph is sent. Where two configs differ is for the page to show: both lists are there. What was
found last is kept with the bench, and a saved graph (`Search.save`) is a bench that has only that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from tesuji.experiments.players.settings import parse_value
from tesuji.games import NATIVE_GAMES
from tesuji.go.engine import EngineConfig
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.go.engine.resolve import resolve
from tesuji.go.rules.board import Board
from tesuji.search import Search, SearchResult
from tesuji.search.files.graph_file import read_graph
from tesuji.search.parameters import SEARCH_PARAMETERS, ParameterError
from tesuji.search.presets import presets_of
from tesuji.search.view.excerpt import excerpt_of
from tesuji.search.view.names import NUMBERS, GameNames, names_of
from tesuji.search.view.page import graph_numbers
from tesuji.web.desk import Desk, Document
from tesuji.web.faces import face_of
from tesuji.web.page import Handler, Page
from tesuji.web.searches import Job
from tesuji.web.setups import GameSetup, games_for_page

__all__ = ["Bench", "SavedBench", "SearchRoom", "Side", "bench_of_file"]

FREE = tuple(name for name in SEARCH_PARAMETERS if name not in ("threads", "memory_mb", "give_up_move", "parallel"))
"""Parameters that a page may set: none of them names a file or takes more than a search may."""
_MOST_ENTRIES = 2_000_000
_NODES = 600
_ROWS = 12
_FIRST_S, _GROWTH, _LONGEST_S = 0.15, 1.5, 5.0
_HISTORY, _MOMENTS = 120, 50


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A config: a preset and what differs from it, as people type it."""

    preset: Annotated[str, msgspec.Meta(max_length=40)] = "default"
    settings: dict[Annotated[str, msgspec.Meta(max_length=40)], Annotated[str, msgspec.Meta(max_length=40)]] = {}


class SavedBench(msgspec.Struct, kw_only=True):
    """A bench on the shelf.

    Attributes
    ----------
    title : str
        For lists.
    setup, moves
        The position; no set-up: a graph from a file, of which nothing else is known.
    sides : list of Side
        One or two configs.
    simulations : int
        Of each search.
    found : list
        What each found last; None: nothing yet.
    """

    title: str
    setup: GameSetup | None
    moves: list[int] = []
    sides: list[Side] = msgspec.field(default_factory=lambda: [Side()])
    simulations: int = 20_000
    found: list[dict[str, Any] | None] = []


class Bench(Document):
    """A bench that is open."""

    event = "search"

    def __init__(self, id_: str, desk: Desk, saved: SavedBench) -> None:
        super().__init__(id_, desk)
        self.saved = saved
        self._jobs: dict[int, Job[dict[str, Any]]] = {}
        self.game: Any = None
        if saved.setup is not None:
            self._start = saved.setup.start(desk.settings.own_games)
            self.face = face_of(self._start)
            self._replay()

    def opened(self) -> dict[str, Any]:
        """Everything."""
        saved = self.saved
        opened = {"id": self.id, "title": saved.title, "sides": saved.sides, "simulations": saved.simulations}
        opened |= {"found": saved.found, "running": sorted(self._jobs), "game": saved.setup and saved.setup.game}
        return (
            opened
            | (self.place() if self.game is not None else {})
            | {"layout": None if self.game is None else self.face.layout()}
        )

    def place(self) -> dict[str, Any]:
        """The position."""
        moves = self.saved.moves
        return {
            "position": self.face.picture(self.game, moves[-1] if moves else None),
            "moves": [self.face.name(move) for move in moves],
        }

    def play(self, move: int) -> None:
        """Go on from here."""
        if self.game is None:
            raise ValueError("this is a graph from a file; there is no position to play on")
        if reason := self.face.why_illegal(self.game, move):
            raise ValueError(reason)
        self.saved.moves.append(move)
        self._changed()

    def back(self) -> None:
        """Take a move back."""
        if self.saved.moves:
            self.saved.moves.pop()
            self._changed()

    def _changed(self) -> None:
        self.stop()
        self._replay()
        self.saved.found = []
        self.save()
        self.tell({**self.place(), "found": [], "running": []})

    def configure(self, sides: list[Side], simulations: int) -> None:
        """Set the configs; what is wrong with them is said now."""
        if self.saved.setup is None:
            raise ValueError("this is a graph from a file; make a bench of your own to search")
        for side in sides:
            self.search(side)
        self.stop()
        self.saved.sides, self.saved.simulations, self.saved.found = sides, simulations, []
        self.save()
        self.tell({"sides": sides, "simulations": simulations, "found": []})

    def search(self, side: Side) -> Search:
        """A new search of the position.

        Raises
        ------
        ValueError
            For a preset or a parameter that is none, and a config that does not go with the game.
        """
        assert self.saved.setup is not None
        for name in side.settings:
            if name not in FREE:
                raise ParameterError(name, f"{name} cannot be set here; choose from {', '.join(FREE)}")
        settings = {name: parse_value(text) for name, text in side.settings.items()}
        config = resolve(self.saved.setup.game, side.preset, settings)
        search = config.search if isinstance(config, EngineConfig) else config
        if search.table_entries > _MOST_ENTRIES:
            raise ValueError(f"table_entries is {search.table_entries:,}; here it is {_MOST_ENTRIES:,} at most")
        memory = min(search.memory_bytes, self.desk.settings.limits.search_mb << 20)
        search = msgspec.structs.replace(search, threads=1, memory_bytes=memory)
        if isinstance(config, EngineConfig):
            return msgspec.structs.replace(config, search=search).search_at(self.game)
        return Search(self.game, search)

    # --- running ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Let all sides search."""
        if self.saved.setup is None:
            raise ValueError("this is a graph from a file; there is nothing to search")
        if self.game.is_over:
            raise ValueError("the game is over here; take a move back")
        self.stop()
        searches = [self.search(side) for side in self.saved.sides]
        self.saved.found = [None] * len(searches)
        for side, search in enumerate(searches):
            self._run_side(side, search)
        self.tell({"running": sorted(self._jobs), "found": self.saved.found})

    def _run_side(self, side: int, search: Search) -> None:
        total, seed = self.saved.simulations, self.desk.settings.seed

        def work(job: Job[dict[str, Any]]) -> dict[str, Any]:
            return _run_in_slices(search, total, seed, job)

        def heard(found: dict[str, Any]) -> None:
            self.saved.found[side] = found
            self.tell({"side": side, "now": found}, key=f"side {side}")

        def ended(found: dict[str, Any]) -> None:
            heard(found)
            self._over(side)

        def failed(error: str) -> None:
            self._over(side)
            self.tell({"remark": error})

        self._jobs[side] = self.searches.start(work, owner=self, on_report=heard, on_end=ended, on_error=failed)

    def _over(self, side: int) -> None:
        self._jobs.pop(side, None)
        self.save()
        self.tell({"running": sorted(self._jobs)})

    def stop(self) -> None:
        """End the searches; what they found stays."""
        for job in self._jobs.values():
            job.stop()
        if self._jobs:
            self._jobs.clear()
            self.save()
            self.tell({"running": []})

    def go_away(self) -> None:
        """Nobody looks."""
        self.stop()
        super().go_away()

    def save(self) -> None:
        """Keep it."""
        self.desk.shelf.write(self.id, self.saved)

    def _replay(self) -> None:
        self.game = self._start.copy()
        for move in self.saved.moves:
            self.game.play(move)


def _run_in_slices(search: Search, total: int, seed: int | None, job: Job[dict[str, Any]]) -> dict[str, Any]:
    """Search, and report after slices: by simulations, so that short searches have a history too, and by time."""
    job.stop_by(search.stop)
    done, slice_s = 0, _FIRST_S
    history: list[dict[str, Any]] = []
    seconds = reported_s = 0.0
    while True:
        found = search.run(
            simulations=max(1, min(total - done, total // _MOMENTS)),
            seconds=slice_s,
            seed=seed if not done else None,
            on_progress=lambda _so_far: not job.is_stopped,
        )
        done += found.simulations
        seconds += found.seconds
        history.append(_moment(found, done))
        if len(history) > _HISTORY:
            history = history[::2]
        if done >= total or found.proof or job.is_stopped or not found.simulations:
            return _shown(found, done, seconds, history)
        if seconds - reported_s >= slice_s:
            job.report(_shown(found, done, seconds, history))
            reported_s, slice_s = seconds, min(_LONGEST_S, _GROWTH * slice_s)


def _moment(found: SearchResult, simulations: int) -> dict[str, Any]:
    """What the search thought at one time: visits and values of its best moves."""
    return {
        "n": simulations,
        "moves": {int(found.moves[i]): [int(found.visits[i]), round(float(found.values[i]), 4)] for i in _best(found)},
    }


def _best(found: SearchResult) -> list[int]:
    order = np.argsort(-found.visits.astype(np.int64), kind="stable")[:_ROWS]
    return [int(i) for i in order if found.visits[i] > 0]


def _shown(found: SearchResult, done: int, seconds: float, history: list[dict[str, Any]]) -> dict[str, Any]:
    names, counts = found.names, found.counts
    return {
        "simulations": done,
        "speed": round(done / max(seconds, 1e-6)),
        "nodes": counts["nodes"],
        "bytes": counts["bytes"],
        "value": round(float(found.value), 4),
        "proof": found.proof,
        "best": names.move(found.best_move),
        "line": [names.move(move) for move in found.main_line[:16]],
        "moves": [_row(found, i, names) for i in _best(found)],
        "depths": found.depths[:40].tolist(),
        "history": history,
        "graph": graph_numbers(excerpt_of(found.origin.graph(), _NODES), names),
    }


def _row(found: SearchResult, i: int, names: GameNames) -> dict[str, Any]:
    move = int(found.moves[i])
    return {
        "move": move,
        "name": names.move(move),
        "visits": int(found.visits[i]),
        "value": round(float(found.values[i]), 4),
        "amaf": round(float(found.amaf_values[i]), 4) if found.amaf_visits[i] else None,
        "prior": round(float(found.priors[i]), 4),
        "proof": int(found.proofs[i]),
        "line": [names.move(m) for m in found.lines[i][:12]],
    }


# --- graphs from files ------------------------------------------------------------------------------------------------


def bench_of_file(path: Path, desk: Desk) -> Bench:
    """A bench that shows a saved graph.

    Raises
    ------
    GraphFileError
        If it holds none.
    """
    saved = read_graph(path, None)
    names = _names_of(saved.header.game)
    columns: Mapping[str, Any] = saved.graphs[0]
    numbers = graph_numbers(excerpt_of(columns, 4 * _NODES), names)
    visits = int(columns["node_visits"][0])
    found: dict[str, Any] = {"simulations": visits, "nodes": len(columns["node_visits"]), "graph": numbers, "moves": []}
    bench = Bench(
        desk.shelf.new_id("bench"),
        desk,
        SavedBench(
            title=f"{names.title}: {path.name}"[:120], setup=None, found=[found], sides=[Side("", saved.header.config)]
        ),
    )
    bench.save()
    return bench


def _names_of(described: Mapping[str, str]) -> GameNames:
    """The names of moves by what a file says of its game; numbers if that is not known here."""
    name = described.get("game", "")
    if "size" in described and "x" in described["size"]:
        width, _, height = described["size"].partition("x")
        return names_of(Board(int(width), int(height)))
    for native in NATIVE_GAMES.values():
        for size in native.sizes or (0,):
            game = native.make(size) if size else native.make()
            if type(game).__name__ == name and str(game.num_distinct_moves) == described.get("number of moves"):
                return names_of(game)
    return NUMBERS


# --- what a page can ask ----------------------------------------------------------------------------------------------

_Name = Annotated[str, msgspec.Meta(max_length=80)]


class _Which(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name


class _New(msgspec.Struct, forbid_unknown_fields=True):
    setup: GameSetup


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    move: int


class _Configure(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    sides: Annotated[list[Side], msgspec.Meta(min_length=1, max_length=2)]
    simulations: Annotated[int, msgspec.Meta(ge=1, le=5_000_000)] = 20_000


class SearchRoom:
    """The commands of the room."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {
            "search.offer": self._offer,
            "search.new": self._new,
            "search.enter": self._enter,
            "search.leave": self._leave,
            "search.delete": self._delete,
            "search.play": self._play,
            "search.back": self._back,
            "search.configure": self._configure,
            "search.run": self._run,
            "search.stop": self._stop,
        }

    def bench(self, id_: str) -> Bench:
        """An open bench."""
        return self._desk.get(id_, Bench, SavedBench, lambda i, saved: Bench(i, self._desk, saved))

    async def _offer(self, page: Page, of: dict[str, Any]) -> Any:
        del page, of
        own = self._desk.settings.own_games
        presets = {name: list(presets_of(name)) for name in (*NATIVE_GAMES, "pgame", *own)}
        parameters = [
            {"name": name, "meaning": SEARCH_PARAMETERS[name].meaning, "choices": SEARCH_PARAMETERS[name].choices}
            for name in FREE
        ]
        return {
            "games": [*games_for_page(own), {"game": "pgame", "title": "P-game", "sizes": [], "own": 0}],
            "presets": {"go": list(ENGINE_PRESETS), **presets},
            "parameters": parameters,
            "saved": self._desk.shelf.summaries("bench", 30),
        }

    async def _new(self, page: Page, of: dict[str, Any]) -> Any:
        setup = msgspec.convert(of, _New).setup
        title = face_of(setup.start(self._desk.settings.own_games)).title
        bench = Bench(self._desk.shelf.new_id("bench"), self._desk, SavedBench(title=title, setup=setup))
        bench.save()
        self._desk.put(bench).watch(page)
        return bench.opened()

    async def _enter(self, page: Page, of: dict[str, Any]) -> Any:
        bench = self.bench(msgspec.convert(of, _Which).id)
        bench.watch(page)
        return bench.opened()

    async def _leave(self, page: Page, of: dict[str, Any]) -> Any:
        self.bench(msgspec.convert(of, _Which).id).leave(page)

    async def _delete(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        which = msgspec.convert(of, _Which)
        self.bench(which.id)
        self._desk.delete(which.id)

    async def _play(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Move)
        self.bench(asked.id).play(asked.move)

    async def _back(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        self.bench(msgspec.convert(of, _Which).id).back()

    async def _configure(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Configure)
        self.bench(asked.id).configure(asked.sides, asked.simulations)

    async def _run(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        self.bench(msgspec.convert(of, _Which).id).run()

    async def _stop(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        self.bench(msgspec.convert(of, _Which).id).stop()
