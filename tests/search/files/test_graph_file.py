"""Saved graphs: a loaded search goes on as the saved one would have, and a file that does not fit is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from search.toy_games import Nim, Picks, RandomTree
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board, EngineConfig
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    GraphFileError,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    Search,
    SearchConfig,
    SearchResult,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

CASES: dict[str, tuple[Any, SearchConfig]] = {
    "tictactoe": (TicTacToe(), SearchConfig()),
    "dag and solver": (Connect4(), SearchConfig(graph="dag", solver=True)),
    "rave": (Hex(5), SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=50, c=0.1), maturity=2)),
    "minimum mse": (Hex(4), SearchConfig(amaf=MinimumMSE())),
    "tuned": (Connect4(), SearchConfig(selection=UCB1Tuned(), first_play_urgency=1.1)),
    "bast": (Connect4(), SearchConfig(selection=BAST())),
    "greedy": (Connect4(), SearchConfig(selection=EpsilonGreedy(epsilon=0.3), expansion="all-children")),
    "go": (Board(5, rules="tromp-taylor"), SearchConfig(amaf=RAVE())),
    "shared values": (Connect4(), SearchConfig(graph="shared-values")),
    "shared values in Go": (Board(5), SearchConfig(graph="shared-values", amaf=RAVE(), table_entries=100)),
    "shared counts": (Nim(12), SearchConfig(graph="shared-counts")),
    "multipath": (Connect4(), SearchConfig(graph="multipath", solver=True)),
    "python": (Nim(12), SearchConfig(graph="dag", expansion="whole-path")),
    "priors and widening": (
        Picks(seed=8),
        SearchConfig(selection=PUCT(), widening=Widening(rate=0.5), width=3, width_walks=50),
    ),
    "virtual visits": (RandomTree(2), SearchConfig(prior=VirtualVisits(visits=3.5))),
    "bias": (RandomTree(2), SearchConfig(prior=ProgressiveBias(weight=0.3, fades=False))),
    "horizon": (RandomTree(2, depth=6), SearchConfig(prior=HorizonPrior(horizon=9))),
    "odd memory": (Connect4(), SearchConfig(memory_bytes=1_000_003, max_depth=11, first_play_urgency=float("inf"))),
}


def graph_of(search: Search) -> dict[str, list[Any]]:
    return {name: column.tolist() for name, column in search.graph().items()}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    search = Search(Connect4())
    search.run(simulations=200, seed=1)
    return search.save(tmp_path / "connect4.graph")


def tampered(path: Path, **changes: Any) -> Path:
    """The same file with other fields in its header, or other columns."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(arrays["header"].tobytes())
    header.update({name: value for name, value in changes.items() if name in header})
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    arrays.update({f"0/{name}": value for name, value in changes.items() if f"0/{name}" in arrays})
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


# --- going on ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_load__goes_on_exactly_as_the_saved_search(tmp_path: Path, name: str) -> None:
    game, config = CASES[name]
    search = Search(game, config)
    search.run(simulations=150, seed=7)
    loaded = Search.load(search.save(tmp_path / "a.graph"), game)
    assert loaded.config == config
    assert graph_of(loaded) == graph_of(search)
    search.run(simulations=150)
    result = loaded.run(simulations=150)
    assert graph_of(loaded) == graph_of(search)
    assert result.seed == 7


def test_load__after_advancing_wants_the_position_at_the_root(tmp_path: Path) -> None:
    search = Search(Connect4())
    search.run(simulations=500, seed=1)
    search.advance(3)
    path = search.save(tmp_path / "a.graph")
    with pytest.raises(GraphFileError, match="saved at another position"):
        Search.load(path, Connect4())
    later = Connect4()
    later.play(3)
    assert graph_of(Search.load(path, later)) == graph_of(search)


def test_load__of_an_engine_s_game_keeps_its_graph(tmp_path: Path) -> None:
    config = EngineConfig()
    search = Search(config.game_at(Board(9)), config.search)
    search.run(simulations=300, seed=1)
    loaded = Search.load(search.save(tmp_path / "a.graph"), config.game_at(Board(9)))
    assert graph_of(loaded) == graph_of(search)
    assert loaded.run(simulations=300).visits.sum() == 600


def test_load__independent_roots_and_threads(tmp_path: Path) -> None:
    search = Search(Connect4(), SearchConfig(parallel="roots", threads=2))
    search.run(simulations=400, seed=1)
    path = search.save(tmp_path / "a.graph")
    assert Search.load(path, Connect4()).run(simulations=100).visits.sum() == 500
    other = SearchConfig(parallel="roots", threads=3)
    with pytest.raises(GraphFileError, match="searched with threads 2, your config has 3"):
        Search.load(path, Connect4(), other)


def test_load__threads_memory_and_final_move_may_change(saved: Path) -> None:
    config = SearchConfig(threads=2, memory_bytes=1 << 24, final_move="best-value")
    loaded = Search.load(saved, Connect4(), config)
    assert loaded.config == config
    assert loaded.run(simulations=100).visits.sum() == 300


def test_load__many_times_with_several_threads_counts_every_simulation(saved: Path) -> None:
    """Threads held on to what the loading had replaced, where one of the new lay at an old address."""
    config = SearchConfig(threads=3)
    sums = [int(Search.load(saved, Connect4(), config).run(simulations=100).visits.sum()) for _ in range(40)]
    assert sums == [300] * 40


def test_save__of_a_search_that_has_not_run_has_its_root(tmp_path: Path) -> None:
    path = Search(Connect4()).save(tmp_path / "a.graph")
    assert Search.load(path, Connect4()).run(simulations=10).simulations == 10


def test_save__is_readable_with_numpy_and_says_where_it_comes_from(saved: Path) -> None:
    with np.load(saved) as archive:
        assert archive["0/node_visits"][0] == 200
        header = json.loads(archive["header"].tobytes())
    assert header["game"] == {"game": "Connect4", "number of moves": "7"}
    assert header["provenance"]["seed"] == 1
    assert str(saved.parent) not in json.dumps(header)


def test_save__replaces_a_file_and_leaves_no_other(saved: Path) -> None:
    Search(Connect4()).save(saved)
    assert [path.name for path in saved.parent.iterdir()] == ["connect4.graph"]


def test_save__while_it_runs_is_refused(tmp_path: Path) -> None:
    search = Search(Hex(9))
    refused: list[str] = []

    def save(_so_far: SearchResult) -> bool:
        with pytest.raises(RuntimeError, match="the search is running") as error:
            search.save(tmp_path / "a.graph")
        refused.append(str(error.value))
        return False

    search.run(seconds=60, seed=1, on_progress=save, report_s=0.001)
    assert len(refused) == 1
    assert not list(tmp_path.iterdir())


# --- files that do not fit --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"PK", b"hello", b"PK\x03\x04" + bytes(100)])
def test_load__what_is_no_graph_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.graph"
    path.write_bytes(content)
    with pytest.raises(GraphFileError, match=r"other\.graph is (not a graph|damaged)"):
        Search.load(path, Connect4())


def test_load__another_archive_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.arange(3))
    with pytest.raises(GraphFileError, match="is not a graph; give a file that Search.save has written"):
        Search.load(tmp_path / "other.npz", Connect4())


def test_load__half_a_file_is_refused(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    with pytest.raises(GraphFileError, match="damaged"):
        Search.load(saved, Connect4())


def test_load__a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Search.load(tmp_path / "none.graph", Connect4())


def test_load__another_format_is_refused(saved: Path) -> None:
    with pytest.raises(GraphFileError, match="has format 99, this version of Tesuji reads 3"):
        Search.load(tampered(saved, format=99), Connect4())


def test_load__a_config_of_another_version_is_refused(saved: Path) -> None:
    with pytest.raises(GraphFileError, match="its config is not of this version .*no parameter 'telepathy'"):
        Search.load(tampered(saved, config={"telepathy": "1"}), Connect4())


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Hex(5), "its game is Connect4, yours Hex"),
        (Nim(7), "its game is Connect4, yours Nim"),
        (Board(5), "its game is Connect4, yours Board"),
    ],
)
def test_load__another_game_is_refused(saved: Path, game: Any, message: str) -> None:
    with pytest.raises(GraphFileError, match=message):
        Search.load(saved, game)


def test_load__another_size_komi_or_rule_set_is_refused(tmp_path: Path) -> None:
    search = Search(Board(5, komi=0.5))
    search.run(simulations=20, seed=1)
    path = search.save(tmp_path / "a.graph")
    for board, message in (
        (Board(7, komi=0.5), "its size is 5x5, yours 7x7"),
        (Board(5, komi=7), "its komi is 0.5, yours 7"),
        (Board(5, komi=0.5, rules="japanese"), "its rule set is chinese, yours japanese"),
    ):
        with pytest.raises(GraphFileError, match=message):
            Search.load(path, board)


def test_load__another_config_is_refused(saved: Path) -> None:
    with pytest.raises(
        GraphFileError, match="searched with exploration 0.7, your config has 1.5; leave the config out"
    ):
        Search.load(saved, Connect4(), SearchConfig(selection=UCB1(c=1.5)))
    with pytest.raises(GraphFileError, match="searched with amaf none, your config has rave"):
        Search.load(saved, Connect4(), SearchConfig(amaf=RAVE()))


def test_load__too_little_memory_is_refused(saved: Path) -> None:
    with pytest.raises(GraphFileError, match="does not fit into memory_bytes; raise it"):
        Search.load(saved, Connect4(), SearchConfig(memory_bytes=4_000))


@pytest.mark.parametrize(
    "change",
    [
        {"edge_move": np.zeros(3, dtype=np.int32)},
        {"edge_move": np.array(["a"])},
        {"node_visits": np.zeros((2, 2), dtype=np.int64)},
        {"node_value": np.array([1, 2, 3], dtype=np.int64)},
        {"streams": [0]},
        {"num_graphs": 2},
        {"num_graphs": 0},
        {"root_key": 1},
    ],
)
def test_load__damaged_numbers_are_refused_and_the_interpreter_lives(saved: Path, change: dict[str, Any]) -> None:
    with pytest.raises(GraphFileError, match="connect4.graph"):
        Search.load(tampered(saved, **change), Connect4())


@pytest.mark.parametrize("column", [0, 6, 7, -1])
def test_load__moves_that_the_position_does_not_have_are_refused(saved: Path, column: int) -> None:
    with np.load(saved) as archive:
        moves = np.full_like(archive["0/edge_move"], column)
    with pytest.raises(GraphFileError, match="its moves are not those of this position|damaged"):
        Search.load(tampered(saved, edge_move=moves), Connect4())


def test_config__every_case_survives_as_text() -> None:
    from tesuji.search.files.graph_file import _config
    from tesuji.search.parameters import SEARCH_PARAMETERS, texts_of

    for _, config in CASES.values():
        assert _config(texts_of(config, SEARCH_PARAMETERS)) == config
        one_more = msgspec.structs.replace(config, memory_bytes=config.memory_bytes + 1)
        assert _config(texts_of(one_more, SEARCH_PARAMETERS)) == one_more
