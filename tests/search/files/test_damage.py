"""Damaged files: whatever stands in one, the answer is the file's own error, at once."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tesuji.games import Connect4, TicTacToe
from tesuji.search import GraphFileError, Search, SearchConfig, TableFileError, load_table

NUM_MUTATIONS = 300


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    search = Search(TicTacToe())
    search.run(simulations=20, seed=1)
    return search.save(tmp_path_factory.mktemp("files") / "one.graph")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    search = Search(TicTacToe(), SearchConfig(graph="shared-values"))
    search.run(simulations=20, seed=1)
    return search.save_table(tmp_path_factory.mktemp("files") / "one.table")


def mutated(data: bytes, draw: random.Random) -> bytes:
    """One to four bytes changed, a piece cut out, doubled, or the end cut off."""
    damaged = bytearray(data)
    kind = draw.randrange(6)
    if kind < 3:
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
    else:
        begin = draw.randrange(len(damaged))
        end = min(len(damaged), begin + draw.randint(1, 200))
        piece = damaged[begin:end]
        damaged[begin:end] = {3: b"", 4: piece * 2, 5: bytes(len(piece))}[kind]
    return bytes(damaged)


def test_graph__of_many_mutations_each_is_read_or_refused_as_a_graph_file(graph: Path, tmp_path: Path) -> None:
    draw, refused = random.Random(1), 0
    for number in range(NUM_MUTATIONS):
        path = tmp_path / f"{number}.graph"
        path.write_bytes(mutated(graph.read_bytes(), draw))
        try:
            Search.load(path, TicTacToe()).run(simulations=5)
        except GraphFileError:
            refused += 1
    assert refused > NUM_MUTATIONS / 4


def test_table__of_many_mutations_each_is_read_or_refused_as_a_table_file(table: Path, tmp_path: Path) -> None:
    draw, refused = random.Random(1), 0
    for number in range(NUM_MUTATIONS):
        path = tmp_path / f"{number}.table"
        path.write_bytes(mutated(table.read_bytes(), draw))
        try:
            Search(TicTacToe(), SearchConfig(graph="shared-values"), table=load_table(path)).run(simulations=5, seed=1)
        except TableFileError:
            refused += 1
    assert refused > NUM_MUTATIONS / 4


def rewritten(graph: Path, path: Path, **changes: Any) -> Path:
    """A copy of a graph file with other columns; ``header`` is a function of the header."""
    arrays = dict(np.load(graph))
    if change := changes.pop("header", None):
        header = json.loads(arrays["header"].tobytes())
        change(header)
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path.open("wb"), **{**arrays, **changes})
    return path


def test_graph__a_header_that_speaks_of_three_million_graphs_is_refused_at_once(graph: Path, tmp_path: Path) -> None:
    path = rewritten(graph, tmp_path / "many.graph", header=lambda header: header.update(num_graphs=3_000_000))
    with pytest.raises(GraphFileError, match=r"many\.graph is damaged .it has not as many graphs as it says."):
        Search.load(path, TicTacToe())


def test_graph__an_array_that_says_it_is_huge_is_refused_before_room_is_made(graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "huge.graph"
    with zipfile.ZipFile(graph) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "0/node_visits.npy":
                file = io.BytesIO()
                np.lib.format.write_array_header_1_0(file, {"descr": "<i8", "fortran_order": False, "shape": (10**13,)})
                data = file.getvalue()
            new.writestr(name, data)
    with pytest.raises(GraphFileError, match="an array is not of the size that it says"):
        Search.load(path, TicTacToe())


def test_graph__a_file_that_unpacks_to_more_than_it_holds_is_refused(graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "bomb.graph"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("0/node_visits.npy", bytes(50_000_000))
    with pytest.raises(GraphFileError, match="its parts are larger than the whole"):
        Search.load(path, Connect4())
