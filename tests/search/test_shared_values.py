"""`shared-values`: a tree whose equal positions share one value in a bounded table, kept between moves and games."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import GraphView
from search.puzzles import Leaves
from search.toy_games import Nim, Picks
from tesuji.games import Connect4, Hex, PGame, PGameSpec
from tesuji.go import Board
from tesuji.search import (
    PUCT,
    RAVE,
    UCB1,
    Search,
    SearchConfig,
    TableFileError,
    VirtualVisits,
    Widening,
    load_table,
)

SHARED = SearchConfig(graph="shared-values", memory_bytes=2**24)


def searched(game: Any, config: SearchConfig = SHARED, simulations: int = 2_000, seed: int = 1) -> Search:
    search = Search(game, config)
    search.run(simulations=simulations, seed=seed)
    return search


def entries_of(search: Search, folder: Path) -> dict[int, tuple[int, float, int]]:
    """By key: visits, sum of values, references."""
    columns = load_table(search.save_table(folder / "table")).columns
    rows = zip(*(columns[name].tolist() for name in ("key", "visits", "value", "references")), strict=True)
    return {key: (visits, value / 2**20, references) for key, visits, value, references in rows}


def nodes_by_key(search: Search) -> dict[int, list[tuple[int, float]]]:
    """Visits and values of the tree's nodes, by the key of their state."""
    graph, found = GraphView(search.graph()), defaultdict(list)
    todo = [(graph.root, search.position)]
    for node, state in todo:
        found[state.key() % 2**64].append((node.visits, node.value))
        for edge in node.edges:
            if edge.child >= 0:
                after = state.copy()
                after.play(edge.move)
                todo.append((graph.nodes[edge.child], after))
    return found


# --- what an entry knows ----------------------------------------------------------------------------------------------


@given(
    game=st.one_of(
        st.builds(Nim, st.integers(3, 20)),
        st.builds(Picks, seed=st.integers(0, 99), cells=st.integers(5, 6), takes_turns=st.booleans()),
        st.sampled_from([Connect4(), Hex(3)]),
    ),
    expansion=st.sampled_from(["one-child", "all-children", "whole-path"]),
    seed=st.integers(0, 2**32),
    simulations=st.integers(1, 500),
)
@settings(max_examples=60, deadline=None)
def test_entry__has_the_visits_and_values_of_all_its_nodes(
    tmp_path_factory: pytest.TempPathFactory, game: Any, expansion: str, seed: int, simulations: int
) -> None:
    config = msgspec.structs.replace(SHARED, expansion=expansion)
    search = searched(game, config, simulations, seed)
    nodes, entries = nodes_by_key(search), entries_of(search, tmp_path_factory.mktemp("entries"))
    assert entries.keys() == nodes.keys()
    for key, (visits, value, references) in entries.items():
        assert references == len(nodes[key])
        assert visits == sum(n for n, _ in nodes[key])
        assert value == pytest.approx(sum(w for _, w in nodes[key]), abs=1e-6 * (1 + visits))


@pytest.mark.parametrize(
    "change",
    [
        {"amaf": RAVE(k=30)},
        {"prior": VirtualVisits(), "width": 2, "width_walks": 20},
        {"selection": PUCT(), "widening": Widening(scale=1.0, rate=0.5, minimum=1)},
        {"solver": True},
        {"memory_bytes": 40_000},
        {"table_entries": 10},
        {"threads": 2},
        {"threads": 2, "parallel": "global-lock"},
    ],
    ids=["RAVE", "width", "PUCT and widening", "solver", "recycling", "full table", "threads", "one lock"],
)
def test_shared_values__go_with_all_that_a_tree_has(change: dict[str, Any]) -> None:
    search = Search(Picks(seed=3, cells=7, length=6, takes_turns=False), msgspec.structs.replace(SHARED, **change))
    for _ in range(3):
        result = search.run(simulations=800, seed=1)
        assert result.simulations == 800 or result.proof
        if result.proof:
            break
        search.advance(result.best_move)


def test_shared_values__an_evaluator_may_judge_the_leaves(tmp_path: Path) -> None:
    game = Nim(12)
    search = Search(game, SHARED, evaluator=lambda batch: [float(state.stones % 4 != 0) for state in batch.states])
    search.run(simulations=300, seed=1)
    nodes, entries = nodes_by_key(search), entries_of(search, tmp_path)
    assert {key: entry[0] for key, entry in entries.items()} == {
        key: sum(n for n, _ in of) for key, of in nodes.items()
    }


def test_shared_values__in_go_superko_is_judged_along_the_path() -> None:
    board = Board(5, rules="tromp-taylor")
    for move in ("C3", "D3", "B2", "C2", "D4", "E3"):
        board.play(move)
    result = searched(board, SHARED, 3_000).result()
    assert result.counts["transposition_hits"] > 100
    assert result.counts["collisions"] == 0


def test_shared_values__serve_one_player() -> None:
    shared, tree = (Search(Leaves(3, 3), config) for config in (SHARED, SearchConfig()))
    found = [search.run(simulations=2_000, seed=1).best_solution for search in (shared, tree)]
    assert found[0].value == found[1].value


# --- between moves ----------------------------------------------------------------------------------------------------


def test_advance__entries_that_few_nodes_referred_to_are_dropped_and_the_others_kept(tmp_path: Path) -> None:
    search = searched(Nim(12))
    before = entries_of(search, tmp_path)
    search.advance(0)
    after = entries_of(search, tmp_path)
    assert after == {key: entry for key, entry in before.items() if entry[2] >= 2}
    assert 0 < len(after) < len(before)


def test_advance__an_entry_survives_its_nodes_and_new_nodes_find_it(tmp_path: Path) -> None:
    search = searched(Nim(12), simulations=3_000)
    known = entries_of(search, tmp_path)
    # Two moves that the tree has hardly walked: most of the states below are known from elsewhere only.
    search.advance(2)
    search.advance(2)
    kept = entries_of(search, tmp_path)
    assert kept.keys() <= known.keys()
    before = sum(len(of) for of in nodes_by_key(search).values())
    result = search.run(simulations=50)
    entries, nodes = entries_of(search, tmp_path), nodes_by_key(search)
    assert sum(len(of) for of in nodes.values()) > before
    assert result.counts["transposition_hits"] > 0
    richer = [key for key in nodes if key in kept and entries[key][0] > sum(n for n, _ in nodes[key])]
    assert richer, "a state below the new root knows more than its nodes there"


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("capacity", [1, 30, 300])
def test_table__never_holds_more_than_its_capacity_and_the_threshold_rises_while_it_is_full(
    capacity: int, threads: int
) -> None:
    search = Search(Connect4(), msgspec.structs.replace(SHARED, table_entries=capacity, threads=threads))
    for threshold in range(2, 7):
        result = search.run(simulations=1_000, seed=1)
        assert result.counts["table_entries"] <= capacity
        assert result.counts["table_min_references"] == threshold
        search.advance(result.best_move)
        search.advance(result.main_line[1])  # nobody was turned away in between


def test_table__that_is_full_leaves_the_other_nodes_their_own_means() -> None:
    """A table for nobody: the tree is searched as a tree."""
    tree = searched(Nim(12), SearchConfig(), 500).graph()
    shared = searched(Nim(12), msgspec.structs.replace(SHARED, table_entries=1), 500).graph()  # the root's
    for name, column in tree.items():
        np.testing.assert_array_equal(column, shared[name], err_msg=name)


def test_drop_rare_entries__is_what_advance_does(tmp_path: Path) -> None:
    search = searched(Nim(12))
    before = entries_of(search, tmp_path)
    dropped = search.drop_rare_entries()
    after = entries_of(search, tmp_path)
    assert dropped == len(before) - len(after) == sum(entry[2] < 2 for entry in before.values())
    assert search.drop_rare_entries() == 0
    # Nodes without an entry go on alone, the others together.
    search.run(simulations=500)
    nodes, entries = nodes_by_key(search), entries_of(search, tmp_path)
    for key, entry in after.items():
        assert entries[key][0] == sum(n for n, _ in nodes[key]) >= entry[0]


def test_dropping__all_entries_and_going_on_is_safe(tmp_path: Path) -> None:
    search = searched(Nim(12), msgspec.structs.replace(SHARED, table_min_references=1_000_000))
    search.drop_rare_entries()
    assert entries_of(search, tmp_path) == {}
    result = search.run(simulations=500)
    assert result.visits.sum() == 2_500


# --- identity ---------------------------------------------------------------------------------------------------------


class Colliding(Nim):
    """Nim whose keys are all the same; the second ones tell its states apart."""

    def key(self) -> int:
        return 1

    def second_key(self) -> int:
        return super().key()


class Confused(Nim):
    """Nim whose keys are all the same, and no second one says so."""

    def key(self) -> int:
        return 1


@pytest.mark.parametrize("graph", ["dag", "shared-values", "multipath"])
def test_collisions__are_counted_and_never_used(graph: str) -> None:
    tree = searched(Nim(10), SearchConfig(), 400)
    search = searched(Colliding(10), SearchConfig(graph=graph), 400)
    assert search.result().counts["collisions"] >= len(tree.graph()["node_visits"]) - 2
    assert search.result().counts["transposition_hits"] == 0
    for name, column in tree.graph().items():
        np.testing.assert_array_equal(column, search.graph()[name], err_msg=name)
    assert searched(Nim(10), SearchConfig(graph=graph), 400).result().counts["collisions"] == 0


def test_collisions__without_a_second_key_go_unseen() -> None:
    """So that the test above cannot pass for another reason."""
    counts = searched(Confused(10), SHARED, 400).result().counts
    assert counts["table_entries"] == 1
    assert counts["collisions"] == 0


def test_second_key__that_is_no_number_is_refused() -> None:
    class Named(Nim):
        def second_key(self) -> Any:
            return "ten"

    with pytest.raises(ValueError, match=r"second_key\(\) is 'ten'; it must be a whole number"):
        Search(Named(5), SHARED).run(simulations=5, seed=1)


# --- files ------------------------------------------------------------------------------------------------------------


def test_save_table__the_next_game_begins_with_what_was_learnt(tmp_path: Path) -> None:
    first = searched(Connect4(), simulations=3_000)
    path = first.save_table(tmp_path / "connect4.table")
    saved = load_table(path)
    assert len(saved) == first.result().counts["table_entries"]
    for table in (path, str(path), saved):
        second = Search(Connect4(), SHARED, table=table)
        second.run(simulations=100, seed=2)
        entries = entries_of(second, tmp_path)
        for key, entry in entries_of(first, tmp_path).items():
            assert entries[key][0] >= entry[0]
    alone = searched(Connect4(), SHARED, 100, seed=2)
    assert alone.graph()["edge_visits"].tolist() != second.graph()["edge_visits"].tolist()


def test_save_table__what_is_saved_comes_back(tmp_path: Path) -> None:
    first = searched(Nim(12))
    again = Search(Nim(12), SHARED, table=first.save_table(tmp_path / "a"))
    saved, loaded = load_table(tmp_path / "a").columns, load_table(again.save_table(tmp_path / "b")).columns
    assert saved.keys() == loaded.keys()
    for name, column in saved.items():
        np.testing.assert_array_equal(column, loaded[name], err_msg=name)


def test_save_table__of_a_larger_table_the_entries_with_the_most_references_are_taken(tmp_path: Path) -> None:
    first = searched(Nim(12))
    all_entries = entries_of(first, tmp_path)
    small = Search(Nim(12), msgspec.structs.replace(SHARED, table_entries=5), table=tmp_path / "table")
    kept = entries_of(small, tmp_path)
    assert 0 < len(kept) <= 5
    assert min(entry[2] for entry in kept.values()) > max(
        entry[2] for key, entry in all_entries.items() if key not in kept
    )


def _graph(path: Path) -> None:
    searched(Nim(5)).save(path)


def _of_another_size(path: Path) -> None:
    searched(Hex(3)).save_table(path)


def _of_another_game(path: Path) -> None:
    searched(Connect4()).save_table(path)


def _text(path: Path) -> None:
    path.write_text("no table")


def _changed(change: Callable[[dict[str, Any], dict[str, Any]], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        searched(Hex(4)).save_table(path)
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes())
        change(header, arrays)
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        with path.open("wb") as file:
            np.savez(file, **arrays)

    return write


def _set(name: str, index: int, value: int) -> Callable[[Path], None]:
    return _changed(lambda _, arrays: arrays[name].__setitem__(index, value))


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (_text, "file is not a table of values; give a file that Search.save_table has written"),
        (_graph, "file is not a table of values"),
        (_of_another_game, "its game is Connect4, yours Hex; give a table of the same game"),
        (_of_another_size, "its number of moves is 9, yours 16"),
        (_changed(lambda header, _: header.update(format=99)), "format 99, this version of Tesuji reads 1"),
        (_changed(lambda header, _: header.pop("game")), "damaged"),
        (_changed(lambda _, arrays: arrays.pop("visits")), "damaged"),
        (_changed(lambda _, arrays: arrays.pop("key")), "damaged"),
        (_changed(lambda _, arrays: arrays.update(visits=arrays["visits"][:-1])), "different lengths"),
        (_changed(lambda _, arrays: arrays.update(value=arrays["value"].reshape(-1, 1))), "damaged"),
        (_set("visits", 0, -1), "out of its range"),
        (_set("visits", 0, 2**40), "out of its range"),
        (_set("value", 1, -5), "out of its range"),
        (_set("value", 1, 2**62), "out of its range"),
        (_set("references", 0, -1), "out of its range"),
        (_changed(lambda _, arrays: arrays["key"].fill(3)), "a state is there twice"),
    ],
)
def test_table_file__that_does_not_fit_is_refused(tmp_path: Path, write: Callable[[Path], None], message: str) -> None:
    write(tmp_path / "file")
    with pytest.raises(TableFileError, match=message):
        Search(Hex(4), SHARED, table=tmp_path / "file").run(simulations=10, seed=1)


@pytest.mark.parametrize("size", [0, 1, 100, 1_000, -1])
def test_table_file__cut_off_is_refused(tmp_path: Path, size: int) -> None:
    path = searched(Hex(4)).save_table(tmp_path / "file")
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(TableFileError, match="file is (not a table|damaged)"):
        load_table(path)


def test_table_file__of_another_p_game_is_refused(tmp_path: Path) -> None:
    """The keys of all P-games are the numbers of their nodes."""
    games = [PGame(PGameSpec(breadth=2, depth=8, combination=0.2, seed=seed)) for seed in (1, 2)]
    path = searched(games[0].start()).save_table(tmp_path / "file")
    Search(games[0].start(), SHARED, table=path).run(simulations=10, seed=1)
    with pytest.raises(TableFileError, match="P-game"):
        Search(games[1].start(), SHARED, table=path).run(simulations=10, seed=1)


def test_table__belongs_to_shared_values_only(tmp_path: Path) -> None:
    path = searched(Nim(5)).save_table(tmp_path / "file")
    with pytest.raises(ValueError, match="graph is 'tree'; use 'shared-values'"):
        Search(Nim(5), table=path)
    for call in (lambda: Search(Nim(5)).save_table(path), Search(Nim(5)).drop_rare_entries):
        with pytest.raises(ValueError, match="there is no table: graph is 'tree'"):
            call()


def test_table__of_a_go_board_belongs_to_its_rules_and_komi(tmp_path: Path) -> None:
    path = searched(Board(5, komi=0.5)).save_table(tmp_path / "file")
    Search(Board(5, komi=0.5), SHARED, table=path).run(simulations=10, seed=1)
    with pytest.raises(TableFileError, match=r"its komi is 0.5, yours 7.5"):
        Search(Board(5, komi=7.5), SHARED, table=path).run(simulations=10, seed=1)


def test_config__of_tables_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="table_entries is 0; it must be at least 1"):
        SearchConfig(table_entries=0)
    with pytest.raises(ValueError, match="table_min_references is -1"):
        SearchConfig(table_min_references=-1)
    with pytest.raises(ValueError, match="max_ancestors is -1"):
        SearchConfig(max_ancestors=-1)
    assert Search(Nim(5), SearchConfig(selection=UCB1(c=0.1), graph="shared-values")).config.table_entries == 500_000
