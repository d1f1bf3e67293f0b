"""Graphs as files: everything a search needs to go on later, elsewhere or by somebody else.

A file is an archive (`tesuji.search.files.archive`): ``header`` is JSON (`Header`), ``0/node_visits`` and its like are
the columns of the first graph, ``1/...`` of the second where a search has independent roots, ``table/...`` those of the
table of shared values where there is one, ``found/...`` the scale and the best solution of one player, ``learnt/...``
what playouts remember and what was learnt of groups. The core believes no number of it before it has replayed the
moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tesuji._core import search as _native
from tesuji.provenance import Provenance, collect
from tesuji.search.config import Evaluation, OnePlayer, SearchConfig
from tesuji.search.files.archive import Arrays, FileKind, description_of, read_archive, write_archive
from tesuji.search.parameters import SEARCH_PARAMETERS, applied, texts_of

__all__ = ["FORMAT", "GraphFileError", "SavedGraph", "read_graph", "write_graph"]

FORMAT = 3
"""The number of the layout; a reader takes its own only."""
_KIND = "tesuji-graph"
_FREE = frozenset({"threads", "memory_mb", "final_move", "final_limit", "give_up_move"})
"""Parameters that do not change what a graph is."""


class GraphFileError(ValueError):
    """A file that holds no graph this search can go on from."""


_FILE = FileKind(name=_KIND, format=FORMAT, noun="graph", writer="Search.save", error=GraphFileError)


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about its graphs.

    Attributes
    ----------
    kind : str
        ``tesuji-graph``.
    format : int
        Of the layout.
    game : dict
        What the game is; see `description_of`.
    root_key : int
        The hash of the state at the root.
    config : dict of str
        The config by its flat names (`tesuji.search.parameters`).
    evaluation, one_player : Evaluation, OnePlayer
        The parts of the config that have no flat names.
    seed : int
        Of the search.
    streams : list of int
        Where the random stream of each worker stood.
    num_graphs : int
        More than one with independent roots.
    provenance : Provenance
        Who wrote it, with what.
    """

    kind: str
    format: int
    game: dict[str, str]
    root_key: int
    config: dict[str, str]
    evaluation: Evaluation
    one_player: OnePlayer
    seed: int
    streams: list[int]
    num_graphs: int
    provenance: Provenance


class SavedGraph(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read; whether it fits a game is seen when it is restored.

    Attributes
    ----------
    path : Path
        Of the file.
    header : Header
        What it says.
    config : SearchConfig
        What the search goes on with.
    graphs : list of dict
        The columns.
    table : dict
        Those of the table of shared values; empty in other graph modes.
    found : dict
        One player's scale and best solution; empty columns for two.
    learnt : dict
        What playouts remember, and biases of groups; empty columns where there are none.
    """

    path: Path
    header: Header
    config: SearchConfig
    graphs: list[Arrays]
    table: Arrays
    found: Arrays
    learnt: Arrays

    @property
    def seed(self) -> int:
        """Of the search."""
        return self.header.seed

    def restore(self, search: _native.Search, game: Any) -> None:
        """Put the graphs into a fresh search of a game.

        Raises
        ------
        GraphFileError
            If they are of another game or position, damaged, or too large for the memory cap.
        """
        here, there = description_of(game), self.header.game
        for what in [*there, *here]:
            if here.get(what) != there.get(what):
                raise self._error(f"its {what} is {there.get(what)}, yours {here.get(what)}; give the game it is of")
        if search.root_key != self.header.root_key:
            raise self._error(
                "it was saved at another position; give the one at its root (a key() made with Python's hash() of text "
                "differs from process to process)"
            )
        try:
            search.restore(self.graphs, self.header.streams, self.table, self.found, self.learnt)
        except ValueError as error:
            raise self._error(str(error)) from error
        except Exception as error:  # a column that is missing, of another type or size
            raise self._error(f"it is damaged ({type(error).__name__})") from error

    def _error(self, reason: str) -> GraphFileError:
        return GraphFileError(f"cannot go on from {self.path.name}: {reason}")


def write_graph(path: Path, search: _native.Search, position: Any, config: SearchConfig, seed: int) -> Path:
    """Write the graphs of a search.

    Parameters
    ----------
    path : Path
        Where to; replaced when the file is complete.
    search : native search
        What to save; it must not be running.
    position : Game
        At its root.
    config, seed
        Of the search.
    """
    saved = search.snapshot()
    graphs = saved["graphs"]
    header = Header(
        kind=_KIND,
        format=FORMAT,
        game=description_of(position),
        root_key=search.root_key,
        config=texts_of(config, SEARCH_PARAMETERS),
        evaluation=config.evaluation,
        one_player=config.one_player,
        seed=seed,
        streams=saved["streams"].tolist(),
        num_graphs=len(graphs),
        provenance=collect(seed=seed, config=config),
    )
    arrays = {f"{index}/{name}": column for index, graph in enumerate(graphs) for name, column in graph.items()}
    if config.graph == "shared-values":
        arrays |= {f"table/{name}": column for name, column in saved["table"].items()}
    for folder in ("found", "learnt"):
        arrays |= {f"{folder}/{name}": column for name, column in saved[folder].items()}
    return write_archive(path, header, arrays)


def read_graph(path: Path, config: SearchConfig | None) -> SavedGraph:
    """Read a file and settle the config to go on with.

    Parameters
    ----------
    path : Path
        Of the file.
    config : SearchConfig or None
        What is wanted; None: what the file says.

    Raises
    ------
    GraphFileError
        If it is not a file of this format, or its config is another one.
    OSError
        If it cannot be read.
    """
    header, arrays = read_archive(path, _FILE, Header)
    try:
        own = _config(header.config).replace(evaluation=header.evaluation, one_player=header.one_player)
    except (ValueError, TypeError, OverflowError) as error:
        raise GraphFileError(f"cannot go on from {path.name}: its config is not of this version ({error})") from error
    if header.num_graphs != len({name.partition("/")[0] for name in arrays} - {"table", "found", "learnt"}):
        raise GraphFileError(f"{path.name} is damaged (it has not as many graphs as it says); save it again")
    if config is not None:
        _check_config(path, header, config)
        if len(arrays.get("found/numbers", ())) > 0:  # of one player
            _check_one_player(path, header.one_player, config.one_player)
    graphs = [_columns(arrays, str(index)) for index in range(header.num_graphs)]
    return SavedGraph(
        path=path,
        header=header,
        config=config or own,
        graphs=graphs,
        table=_columns(arrays, "table"),
        found=_columns(arrays, "found"),
        learnt=_columns(arrays, "learnt"),
    )


def _columns(arrays: Arrays, folder: str) -> Arrays:
    return {name.partition("/")[2]: column for name, column in arrays.items() if name.startswith(f"{folder}/")}


def _config(texts: Mapping[str, str]) -> SearchConfig:
    values: dict[str, object] = {
        name: SEARCH_PARAMETERS[name].parsed(text) if name in SEARCH_PARAMETERS else text
        for name, text in texts.items()
    }
    return applied(SearchConfig(), values, SEARCH_PARAMETERS)


def _check_config(path: Path, header: Header, wanted: SearchConfig) -> None:
    """Refuse a config under which the graph would be another one."""
    saved, given = header.config, texts_of(wanted, SEARCH_PARAMETERS)
    free = _FREE - ({"threads"} if wanted.parallel == "roots" else set())
    for name in SEARCH_PARAMETERS:
        if name not in free and saved.get(name) != given.get(name):
            raise GraphFileError(
                f"{path.name} was searched with {name} {saved.get(name, 'unset')}, your config has "
                f"{given.get(name, 'unset')}; leave the config out to go on with the file's own, or search again"
            )


def _check_one_player(path: Path, saved: OnePlayer, wanted: OnePlayer) -> None:
    if wanted != saved:
        raise GraphFileError(
            f"{path.name} was searched with one_player {saved}, your config has {wanted}; leave the config out to go "
            f"on with the file's own, or search again"
        )
